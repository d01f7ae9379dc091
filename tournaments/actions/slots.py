"""What people say of one match of the plan: that it is held, and when and where it is to begin.

Each of these acts holds the match, its stage and the hall, in this order, before it looks.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import transaction

from matches.models import Game, Match
from players.actions import record_act
from players.permissions import Actor, Refused
from tournaments.actions.expected import expect_match
from tournaments.actions.plans import ask_for_plan
from tournaments.actions.tables import hold_hall, leave_for_now
from tournaments.engine.scheduling import State
from tournaments.models import Event, Pairing, Slot, Stage, Table, TableUse
from tournaments.queries.hall import TABLE_MOST
from tournaments.queries.plan_facts import PlanFacts, plan_facts, seconds
from tournaments.queries.schedule import rows_of
from tournaments.queries.slot_clashes import clashes_of, match_facts, there, told_clashes


@dataclass(frozen=True, slots=True)
class _Held:
    """A slot with its event, and its pairing where that is published."""

    slot: Slot
    event: Event
    pairing: Pairing | None


@transaction.atomic
def hold_match(*, slot_id: int, by: Actor, now: datetime, why: str = "") -> Slot | Refused:
    """A match is not called and not planned until it is released. Twice is once.

    One that has a table and has not begun gives it back, and its players are told.
    Refusals: slot_unknown (404), slot_gone, match_is_over, match_has_begun, changed_meanwhile.
    """
    held = _hold(slot_id)
    if isinstance(held, Refused):
        return held
    slot, pairing = held.slot, held.pairing
    if slot.held_since is not None:
        return slot
    if pairing is not None and _has_begun(pairing):
        return Refused("match_has_begun", {"match": pairing.match_id})
    ask_for_plan(event_id=held.event.pk)
    slot.held_since = now
    slot.save(update_fields=["held_since"])
    table = None if pairing is None else pairing.table
    if pairing is not None and table is not None:
        leave_for_now(pairing=pairing, now=now)
    _log("hold_match", held, by=by, now=now, why=why, before={"table": table}, after={})
    return slot


@transaction.atomic
def release_match(*, slot_id: int, by: Actor, now: datetime, why: str = "") -> Slot | Refused:
    """A match that was held is planned and called again. Twice is once.

    Refusals: slot_unknown (404), slot_gone, match_is_over, changed_meanwhile.
    """
    held = _hold(slot_id)
    if isinstance(held, Refused) or held.slot.held_since is None:
        return held if isinstance(held, Refused) else held.slot
    ask_for_plan(event_id=held.event.pk)
    held.slot.held_since = None
    held.slot.save(update_fields=["held_since"])
    _log("release_match", held, by=by, now=now, why=why, before={}, after={})
    return held.slot


@transaction.atomic
def fix_match(
    *,
    slot_id: int,
    starts_at: datetime | None,
    table: int | None,
    accept_clashes: bool = False,
    by: Actor,
    now: datetime,
    why: str = "",
) -> Slot | Refused:
    """When and where a match is to begin, to the minute, also one nobody can pair yet; None leaves it to the plan.

    Where somebody or something would be in two places at once, or rest, breaks and hours would be broken, it is done
    only with `accept_clashes`. The plan then keeps it as well as it can, and says where it cannot. Once it is published
    its two are expected then, and told.
    Refusals: slot_unknown (404), slot_gone, match_is_over, match_has_table (table), table_unknown (table, 400),
    starts_in_past (400), slot_clashes (clashes: see `queries.slot_clashes`), changed_meanwhile.
    """
    held = _hold(slot_id)
    if isinstance(held, Refused):
        return held
    slot = held.slot
    begins = None if starts_at is None else starts_at.replace(second=0, microsecond=0)
    if (slot.fixed_at, slot.fixed_table) == (begins, table):
        return slot
    clashes: list[dict[str, Any]] = []
    if begins is not None or table is not None:
        checked = _check(held, begins, table, now)
        if isinstance(checked, Refused):
            return checked
        clashes = checked
        if clashes and not accept_clashes:
            return Refused("slot_clashes", {"clashes": clashes})
    before, was = _facts(held), slot.fixed_at
    ask_for_plan(event_id=held.event.pk)
    slot.fixed_at, slot.fixed_table = begins, table
    slot.save(update_fields=["fixed_at", "fixed_table"])
    if held.pairing is not None and was != begins:
        expect_match(pairing=held.pairing, stage=held.pairing.round.stage, was=was, now=now)
    after = _facts(held) | {"clashes": [clash["code"] for clash in clashes]}
    _log("fix_match", held, by=by, now=now, why=why, before=before, after=after)
    return slot


def _hold(slot_id: int) -> _Held | Refused:
    """Lock the match of a slot where there is one, its stage and the hall."""
    slot = Slot.objects.filter(pk=slot_id).first()
    if slot is None:
        return Refused("slot_unknown", {"slot": slot_id}, status=404)
    match_id = _published(slot).values_list("match", flat=True).first()
    list(Match.objects.select_for_update().filter(pk=match_id))
    stage = Stage.objects.select_for_update(no_key=True).select_related(None).filter(pk=slot.stage_id).first()
    if stage is None:  # its tournament was removed meanwhile
        return Refused("slot_unknown", {"slot": slot_id}, status=404)
    event = hold_hall(event_id=stage.tournament.event_id)
    slot = Slot.objects.select_related("a", "b", "stage__tournament").get(pk=slot_id)
    pairing = _published(slot).select_related("a", "b", "match", "round__stage__tournament").first()
    if (None if pairing is None else pairing.match_id) != match_id:
        return Refused("changed_meanwhile")
    if slot.dropped_at is not None:
        return Refused("slot_gone", {"slot": slot_id})
    if pairing is not None and (pairing.match is None or not pairing.match.is_open):
        return Refused("match_is_over", {"match": match_id})
    return _Held(slot, event, pairing)


def _published(slot: Slot) -> Any:
    """The pairing of a slot once everybody may see it."""
    return Pairing.objects.filter(
        round__stage=slot.stage_id, round__number=slot.round, number=slot.number, round__published_at__isnull=False
    )


def _has_begun(pairing: Pairing) -> bool:
    """Whether the two play, as far as anybody said so or cards lie."""
    are_here = pairing.here_a_at is not None and pairing.here_b_at is not None
    is_dealt = Game.objects.filter(match=pairing.match_id, moves__gt=0).exists()
    return pairing.began_at is not None or are_here or is_dealt


def _check(held: _Held, begins: datetime | None, table: int | None, now: datetime) -> list[dict[str, Any]] | Refused:
    """What would be wrong with the match there and then. The caller holds the hall."""
    slot, pairing = held.slot, held.pairing
    if pairing is not None and (_sits(pairing) or (table is not None and pairing.table not in (None, table))):
        return Refused("match_has_table", {"table": pairing.table})
    standing = set(Table.objects.filter(event=held.event).values_list("number", flat=True))
    if table is not None and (not 1 <= table <= TABLE_MOST or (standing and table not in standing)):
        return Refused("table_unknown", {"table": table}, status=400)
    if begins is not None and begins != slot.fixed_at and begins < now.replace(second=0, microsecond=0):
        return Refused("starts_in_past", status=400)
    facts = plan_facts(event_id=held.event.pk, now=now)
    key = _key_of(slot, facts)
    if key is None:
        return Refused("match_is_over")
    found = clashes_of(
        facts=facts,
        key=key,
        start=None if begins is None else seconds(begins),
        table=None if table is None else str(table),
    )
    return told_clashes(event=held.event, facts=facts, key=key, clashes=found)


def _sits(pairing: Pairing) -> bool:
    return TableUse.objects.filter(pairing=pairing).exists()


def _key_of(slot: Slot, facts: PlanFacts) -> str | None:
    """The key of a match that waits; None for one that does not."""
    place = (slot.stage_id, slot.round, slot.number)
    waiting = {match.key for match in facts.matches if match.state is State.WAITING}
    return next((key for key, each in facts.places.items() if each == place and key in waiting), None)


def _facts(held: _Held) -> dict[str, Any]:
    """When and where, as the log keeps it: by the clocks of the venue."""
    slot = held.slot
    begins = None if slot.fixed_at is None else there(slot.fixed_at, held.event)
    return {"begins": begins, "table": slot.fixed_table}


def _log(
    verb: str,
    held: _Held,
    *,
    by: Actor,
    now: datetime,
    why: str,
    before: dict[str, Any],
    after: dict[str, Any],
) -> None:
    """The match by its id where it has one, else by its place in the stage."""
    target = f"slot/{held.slot.pk}" if held.pairing is None else f"match/{held.pairing.match_id}"
    if held.pairing is None:
        rows = rows_of(tournaments=[held.slot.stage.tournament])
        told = next(match_facts(row, held.event) for row in rows if row.pk == held.slot.pk)
        after = after | {name: told[name] for name in ("round", "number")}
    record_act(
        verb=verb,
        target=target,
        by=by,
        now=now,
        event=held.event.pk,
        tournament=held.slot.stage.tournament_id,
        before=before,
        after=after,
        why=why,
    )
