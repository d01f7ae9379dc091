"""A search for a better plan: asked for, followed while a process of its own looks, kept if it is better by then.

The solver gives no memory back and takes up to a minute, so it runs in a process that ends with it and keeps nothing
else waiting. That process writes how far it is; whoever falls silent is over.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from threading import Thread
from typing import Any

from django.conf import settings
from django.db import transaction

from players.actions import record_act
from players.permissions import SYSTEM, Actor, Refused
from tournaments.actions.plans import ask_for_plan
from tournaments.actions.tables import hold_hall
from tournaments.engine import scheduling
from tournaments.engine.scheduling.improve import LEAST_SECONDS, MOST_SECONDS, Improved, has_solver
from tournaments.live import announce, search_topic
from tournaments.models import Event, HallPlan, PlanSearch, Slot
from tournaments.queries.plan_facts import PlanFacts, instant, plan_facts
from tournaments.queries.searches import is_best, is_followed, is_waiting
from tournaments.queries.slot_clashes import there
from tournaments.signals import search_asked

INSTALLED_BY = "./bin/setup --improve"
"""What brings the solver."""

SILENT = timedelta(seconds=30)
"""A search that says nothing for so long has ended with its process."""


@dataclass(frozen=True, slots=True)
class Begun:
    """A search that was taken, and what it looks at."""

    search: PlanSearch
    facts: PlanFacts


# --- What an organiser does.


@transaction.atomic
def ask_for_search(*, event_id: int, seconds: int, by: Actor, now: datetime) -> PlanSearch | Refused:
    """Look for a better plan for so many seconds. While a search goes on it is that one.

    Refusals: seconds_out_of_range (least, most, 400), no_solver (act), nothing_to_plan, best_already.
    """
    if not LEAST_SECONDS <= seconds <= MOST_SECONDS:
        return Refused("seconds_out_of_range", {"least": LEAST_SECONDS, "most": MOST_SECONDS}, status=400)
    hold_hall(event_id=event_id)
    running = PlanSearch.objects.filter(event=event_id, over_at__isnull=True).first()
    if running is not None:
        return running
    if not has_solver():
        return Refused("no_solver", {"act": INSTALLED_BY})
    plan = HallPlan.objects.filter(event=event_id).first()
    if plan is None or not is_waiting(event_id=event_id):
        return Refused("nothing_to_plan")
    if is_best(plan):
        return Refused("best_already")
    search = PlanSearch.objects.create(event_id=event_id, seconds=seconds, by=by.name, asked_at=now)
    _log("ask_for_search", event_id, by=by, now=now, after={"seconds": seconds})
    search_asked.send(sender=PlanSearch, search=search.pk)
    _announce(search.event_id, now)
    return search


@transaction.atomic
def stop_search(*, event_id: int, by: Actor, now: datetime) -> PlanSearch | Refused:
    """End the search that goes on; what it has found by then counts. Twice is once. Refusals: no_search."""
    search = PlanSearch.objects.select_for_update().filter(event=event_id, over_at__isnull=True).first()
    if search is None:
        return Refused("no_search")
    if search.stop_at is not None:
        return search
    search.stop_at = now
    if search.begun_at is None:
        search.over_at, search.outcome = now, "stopped"
    search.save(update_fields=["stop_at", "over_at", "outcome"])
    _log("stop_search", event_id, by=by, now=now)
    _announce(search.event_id, now)
    return search


@transaction.atomic
def drop_better_plan(*, event_id: int, by: Actor, now: datetime) -> None:
    """Follow the better plan that was found no more: the day is planned as if it had not been. Twice is once."""
    event = hold_hall(event_id=event_id)
    if not is_followed(event_id=event_id):
        return
    ask_for_plan(event_id=event_id)
    _want(event, {})
    _log("drop_better_plan", event_id, by=by, now=now)
    _announce(event_id, now)


# --- What becomes of a search.


def waiting_searches() -> list[int]:
    """Searches that nobody has begun."""
    found = PlanSearch.objects.filter(begun_at__isnull=True, over_at__isnull=True).order_by("pk")
    return list(found.values_list("pk", flat=True))


def start_search(*, search_id: int) -> None:
    """Let a process look that ends with it. Two of them do no harm: the second finds the search taken."""
    if search_id not in waiting_searches():
        return
    command = [sys.executable, str(settings.BASE_DIR / "manage.py"), "improve", str(search_id), "--nice", "10"]
    process = subprocess.Popen(command, cwd=settings.BASE_DIR, stdin=subprocess.DEVNULL)  # noqa: S603  our own words
    Thread(target=process.wait, name=f"search {search_id}", daemon=True).start()  # else it stays as a zombie


def begin_search(*, search_id: int, now: datetime) -> Begun | None:
    """Take a search, and what it looks at; None where somebody has taken it, or it is over."""
    free = PlanSearch.objects.filter(pk=search_id, begun_at__isnull=True, over_at__isnull=True)
    if not free.update(begun_at=now, seen_at=now):
        return None
    search = PlanSearch.objects.get(pk=search_id)
    facts = plan_facts(event_id=search.event_id, now=now)
    plan = _planned(facts)
    search.before_at = search.found_at = instant(plan.end)
    search.bound_at, search.without_before = instant(plan.bound.end), len(plan.misfits)
    search.save(update_fields=["before_at", "found_at", "bound_at", "without_before"])
    _announce(search.event_id, now)
    return Begun(search, facts)


def note_progress(*, search_id: int, now: datetime, end: int | None = None, bound: int | None = None) -> bool:
    """Say that a search goes on, and how far it is; whether it is to go on."""
    found: dict[str, Any] = {"seen_at": now}
    if end is not None:
        found["found_at"] = instant(end)
    if bound is not None:
        found["bound_at"] = instant(bound)
    if not PlanSearch.objects.filter(pk=search_id, over_at__isnull=True).update(**found):
        return False
    search = PlanSearch.objects.get(pk=search_id)
    _announce(search.event_id, now)
    return search.stop_at is None


@transaction.atomic
def finish_search(*, begun: Begun, found: Improved, now: datetime) -> PlanSearch | None:
    """Keep what was found if it is better, as the hall is now; None where the search was over before.

    Kept is the order of matches: it follows the day as any plan does. So it is planned in that order from the facts of
    now, and compared with what is planned without it.
    """
    event = hold_hall(event_id=begun.search.event_id)
    search = PlanSearch.objects.select_for_update().filter(pk=begun.search.pk, over_at__isnull=True).first()
    if search is None:
        return None
    facts = plan_facts(event_id=event.pk, now=now)
    waiting = [place for place in found.followed.assignments if place.state is scheduling.State.WAITING]
    wanted = {place.match: place.start for place in waiting}
    old, new = _planned(facts), _planned(facts, wanted)
    helped = _worth(found.followed) < _worth(found.before)
    is_better = helped and _worth(new) < _worth(old) and not _is_worse_as_told(facts, wanted)
    kept = new if is_better else old
    is_same_hall = (facts.matches, facts.hall) == (begun.facts.matches, begun.facts.hall)
    bound = max(found.plan.bound.end, kept.bound.end) if is_same_hall else kept.bound.end
    passed = facts.now - begun.facts.now
    proved = is_same_hall and found.is_best and _worth(kept) <= (len(found.plan.misfits), found.plan.end + passed)
    search.before_at, search.found_at, search.bound_at = instant(old.end), instant(kept.end), instant(bound)
    search.without_before, search.without_found = len(old.misfits), len(kept.misfits)
    search.is_best = proved or (kept.end <= bound and not kept.misfits)
    search.outcome = "better" if is_better else "late" if helped else "same" if search.stop_at is None else "stopped"
    search.seen_at = search.over_at = now
    search.save()
    if is_better:
        ask_for_plan(event_id=event.pk)
        _want(event, {facts.places[key]: instant(start) for key, start in wanted.items() if key in facts.places})
        by = replace(SYSTEM, event=event.pk)
        _log("keep_better_plan", event.pk, by=by, now=now, before=_told(old, event), after=_told(new, event))
    _announce(search.event_id, now)
    return search


def fail_search(*, search_id: int, now: datetime) -> None:
    """A search came to nothing."""
    found = PlanSearch.objects.filter(pk=search_id, over_at__isnull=True)
    if found.update(over_at=now, outcome="failed"):
        _announce(PlanSearch.objects.get(pk=search_id).event_id, now)


def end_silent_searches(*, now: datetime) -> None:
    """Searches whose process is gone, or that nobody has begun, are over."""
    for search in PlanSearch.objects.filter(over_at__isnull=True):
        if now - (search.seen_at or search.asked_at) > SILENT:
            fail_search(search_id=search.pk, now=now)


# --- Plans.


def _planned(facts: PlanFacts, wanted: Mapping[str, int] | None = None, *, spread: int = 0) -> scheduling.Plan:
    """The plan from these facts, in this order where there is one, else as it is without."""
    matches = facts.matches
    if wanted is not None:
        matches = tuple(replace(match, wanted=wanted.get(match.key)) for match in matches)
    return scheduling.plan(matches=matches, hall=replace(facts.hall, spread=spread), now=facts.now)


def _worth(plan: scheduling.Plan) -> tuple[int, int]:
    return len(plan.misfits), plan.end


def _is_worse_as_told(facts: PlanFacts, wanted: Mapping[str, int]) -> bool:
    """Whether the end that pages tell, which reckons with some matches taking longer, would be later."""
    spread = facts.hall.spread
    return _worth(_planned(facts, wanted, spread=spread)) > _worth(_planned(facts, spread=spread))


def _want(event: Event, starts: Mapping[tuple[int, int, int], datetime]) -> None:
    """Say of every slot when it is wanted; those that are not named are not."""
    changed = []
    for slot in Slot.objects.filter(stage__tournament__event=event):
        wanted = starts.get((slot.stage_id, slot.round, slot.number))
        if slot.wanted_at != wanted:
            slot.wanted_at = wanted
            changed.append(slot)
    Slot.objects.bulk_update(changed, ["wanted_at"], batch_size=500)


def _told(plan: scheduling.Plan, event: Event) -> dict[str, Any]:
    return {"ends": there(instant(plan.end), event), "without": len(plan.misfits)}


def _announce(event_id: int, now: datetime) -> None:
    transaction.on_commit(lambda: announce(search_topic(event_id), f"{now.timestamp():.3f}"))


def _log(
    verb: str,
    event_id: int,
    *,
    by: Actor,
    now: datetime,
    before: dict[str, Any] | None = None,
    after: dict[str, Any] | None = None,
) -> None:
    record_act(
        verb=verb,
        target=f"event/{event_id}",
        by=by,
        now=now,
        event=event_id,
        before=before or {},
        after=after or {},
    )
