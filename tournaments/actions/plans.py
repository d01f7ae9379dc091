"""The plan of an event, made anew from facts whenever they or the time change, and written down as slots."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta
from typing import Any

from django.db import transaction
from django.db.models import F, Q

from tournaments.engine import scheduling
from tournaments.engine.formats.base import Feed
from tournaments.live import announce, topic_of
from tournaments.models import Event, HallPlan, Slot, Stage
from tournaments.models.tournament import State
from tournaments.queries.plan_facts import Place, PlanFacts, Sides, instant, plan_facts
from tournaments.queries.schedule import rounded
from tournaments.queries.stages import stage_version
from tournaments.signals import plan_asked

STEADY = timedelta(minutes=3)
"""A time that is only expected stays as it was said until it is off by so much."""

_PAUSE = timedelta(seconds=3)  # after a burst of results one plan is enough
_OLD = timedelta(minutes=1)  # while people play, time alone makes a plan old


def ask_for_plan(*, event_id: int) -> None:
    """Something the plan is made from has changed: it is made anew after the commit."""
    found = HallPlan.objects.filter(event=event_id)
    if not found.update(asked=F("asked") + 1):
        # Where somebody asks for the first time in the same moment theirs is there now: it counts both.
        HallPlan.objects.bulk_create([HallPlan(event_id=event_id, asked=0)], ignore_conflicts=True)
        found.update(asked=F("asked") + 1)
    plan_asked.send(sender=Event, event=event_id)


def stale_plans(*, now: datetime) -> list[int]:
    """Ids of events whose plan is behind what changed, or that play on a plan that time has passed by, or that was made
    by a clock which was ahead.
    """
    behind = ~Q(asked=F("made"))
    is_of_now = Q(made_at__gte=now - _OLD, made_at__lte=now + _OLD)
    running = Q(event__tournaments__state=State.RUNNING, made_at__isnull=False) & ~is_of_now
    found = HallPlan.objects.filter(behind | running).order_by("event").values_list("event_id", flat=True)
    return list(dict.fromkeys(found))


def replan(*, event_id: int, now: datetime) -> None:
    """Make the plan of an event anew and tell open pages where it shows. Safe to run twice, late, or side by side.

    A plan that is up to date or was made a moment ago stays: the sweep asks again.
    """
    known = HallPlan.objects.filter(event=event_id).first()
    if known is None or not _is_due(known, now):
        return
    facts = plan_facts(event_id=event_id, now=now)
    made = scheduling.plan(matches=facts.matches, hall=facts.hall, now=facts.now)
    with transaction.atomic():
        ours = Stage.objects.filter(tournament__event=event_id)  # not their tournaments: others hold those first
        stages = list(ours.select_for_update(no_key=True, of=("self",)).order_by("pk"))
        held = HallPlan.objects.select_for_update().get(pk=known.pk)
        if held.made_at is not None and held.made_at > now and held.made_at != known.made_at:
            return  # somebody has made a newer one meanwhile
        changed = _write(event_id, {stage.pk for stage in stages}, facts, made, now)
        held.made, held.made_at = known.asked, now
        held.ends_at = instant(made.end) if made.assignments else None
        held.bound_at, held.bound_kind = (instant(made.bound.end), made.bound.kind) if made.assignments else (None, "")
        held.without = len(made.misfits)
        held.save(update_fields=["made", "made_at", "ends_at", "bound_at", "bound_kind", "without"])
        Stage.objects.filter(pk__in=changed).update(version=F("version") + 1)
    for stage in stages:
        if stage.pk in changed:
            stage.version += 1
            announce(topic_of(stage.tournament_id), stage_version(stage))


def _is_due(known: HallPlan, now: datetime) -> bool:
    if known.made_at is None:
        return True
    if abs(now - known.made_at) > _OLD:  # also where the clock was ahead then
        return True
    return now - known.made_at >= _PAUSE and known.asked != known.made


def _write(event_id: int, there: set[int], facts: PlanFacts, made: scheduling.Plan, now: datetime) -> set[int]:
    """Bring the slots to what the plan says; the stages whose readers see something else now.

    Written are the stages that are `there` still: a tournament may have been removed meanwhile.
    """
    planned = {stage for stage, *_place in facts.places.values()}
    stored: dict[Place, Slot] = {
        (slot.stage_id, slot.round, slot.number): slot
        for slot in Slot.objects.filter(
            Q(stage__in=planned) | ~Q(stage__tournament__state=State.FINISHED), stage__tournament__event=event_id
        )
    }
    said = {place: values for place, values in _said(facts, made).items() if place[0] in there}
    before_end = _ends(stored.values())
    new: list[Slot] = []
    other: list[Slot] = []
    changed: set[int] = set()
    for place, values in said.items():
        slot = stored.get(place)
        if slot is None:
            stage, number, position = place
            new.append(Slot(stage_id=stage, round=number, number=position, changed_at=now, **values))
            changed.add(stage)
            continue
        before = _shown(slot)
        if _is_steady(slot, values):
            values["starts_at"], values["ends_at"] = slot.starts_at, slot.ends_at
        values["dropped_at"] = None
        if all(getattr(slot, name) == value for name, value in values.items()):
            continue
        for name, value in values.items():
            setattr(slot, name, value)
        other.append(slot)
        if _shown(slot) != before:
            _count(slot, now, changed)
    for place, slot in stored.items():
        if place not in said and slot.dropped_at is None:
            slot.dropped_at = now
            other.append(slot)
            _count(slot, now, changed)
    Slot.objects.bulk_create(new, batch_size=500)
    # Several times as fast as `bulk_update`, and what people say of these slots is left alone all the same.
    fields = [*_WRITTEN, "dropped_at", "sequence", "changed_at"]
    Slot.objects.bulk_create(other, update_conflicts=True, unique_fields=["pk"], update_fields=fields, batch_size=500)
    end = _ends([*stored.values(), *new])
    return changed | {stage for stage in end.keys() | before_end.keys() if end.get(stage) != before_end.get(stage)}


def _ends(slots: Iterable[Slot]) -> dict[int, datetime]:
    """When each stage ends, as its pages say it."""
    found: dict[int, datetime] = {}
    for slot in slots:
        if slot.dropped_at is None and slot.ends_at is not None:
            found[slot.stage_id] = max(slot.ends_at, found.get(slot.stage_id, slot.ends_at))
    return {stage: rounded(end) for stage, end in found.items()}


_WRITTEN = (
    *("a_id", "b_id", "from_a", "from_b", "state", "table", "starts_at", "ends_at"),
    *("has_place", "has_time", "note", "why", "other"),
)


def _count(slot: Slot, now: datetime, changed: set[int]) -> None:
    slot.sequence += 1
    slot.changed_at = now
    changed.add(slot.stage_id)


def _shown(slot: Slot) -> tuple[Any, ...]:
    """What readers see of a slot."""
    table = slot.table if slot.has_place else None
    return slot.a_id, slot.b_id, slot.state, table, slot.has_time, slot.starts_at, slot.why, slot.dropped_at


def _is_steady(slot: Slot, values: Mapping[str, Any]) -> bool:
    """Whether the time that was said still does: nobody is helped by a minute more or less of what is expected."""
    if values["has_time"] or slot.has_time or slot.starts_at is None or values["starts_at"] is None:
        return False
    return bool(abs(values["starts_at"] - slot.starts_at) < STEADY)


def _said(facts: PlanFacts, made: scheduling.Plan) -> dict[Place, dict[str, Any]]:
    """What the plan says of each match, as a slot keeps it."""
    why = {misfit.match: misfit for misfit in made.misfits}
    found = {}
    for match in facts.matches:
        place, misfit, sides = made.get(match.key), why.get(match.key), facts.sides.get(match.key, Sides())
        found[facts.places[match.key]] = {
            "a_id": sides.a,
            "b_id": sides.b,
            "from_a": _feed(sides.from_a),
            "from_b": _feed(sides.from_b),
            "state": str(match.state),
            "table": None if place is None or place.table is None else int(place.table),
            "starts_at": None if place is None else instant(place.start - place.start % 60),
            "ends_at": None if place is None else instant(place.end - place.end % 60),
            "has_place": match.state is not scheduling.State.WAITING or match.key in facts.told,
            "has_time": match.state is not scheduling.State.WAITING or match.key in facts.timed,
            "note": "" if place is None else place.note,
            "why": "" if misfit is None else misfit.code,
            "other": "" if misfit is None else misfit.other,
        }
    return found


def _feed(feed: Feed | None) -> list[Any] | None:
    return None if feed is None else [*feed.place, "loser" if feed.loser else "winner"]
