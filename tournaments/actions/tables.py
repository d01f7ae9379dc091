"""Which match has which table: given when it is called, left with its result, changed by an act that tells everybody.

Whoever gives tables holds the hall (the row of its event) after the stage and after the matches. `TableUse` has one row
for each match that sits somewhere: whatever goes wrong, the database lets no two sit at one table.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from django.db import IntegrityError, transaction

from matches.models import Match
from players.actions import record_act
from players.permissions import Actor, Refused
from tournaments.actions.notices import tell_pairings
from tournaments.models import Event, Pairing, RefereeCall, Stage, Table, TableUse
from tournaments.models.tournament import State
from tournaments.queries.hall import OPEN, TABLE_MOST, rivals
from tournaments.signals import stage_changed


def hold_hall(*, event_id: int) -> Event:
    """The event, whose tables nobody else gives until the transaction ends. Stages and matches are held before it."""
    return Event.objects.select_for_update(no_key=True).get(pk=event_id)


def settle_tables(*, stage: Stage) -> None:
    """Bring the uses of tables to what the matches of a stage say. The caller holds the stage.

    Who is done sits nowhere; an open match has the table it was given unless somebody else sits there. Of rounds that
    were published at once the earliest has it, then the next.
    """
    if any(_unsettled(stage)):
        hold_hall(event_id=stage.tournament.event_id)
        over, coming = _unsettled(stage)
        TableUse.objects.filter(pk__in=over).delete()
        TableUse.objects.bulk_create(coming)


def _unsettled(stage: Stage) -> tuple[list[int], list[TableUse]]:
    """The uses that are over, and those that are due."""
    event_id = stage.tournament.event_id
    found = Pairing.objects.filter(OPEN, round__stage=stage, table__isnull=False).order_by("round__number", "number")
    sitting = dict(found.values_list("pk", "table"))
    over: list[int] = []
    held: set[int] = set()
    seated: set[int] = set()
    uses = TableUse.objects.filter(event=event_id).values_list("pk", "number", "pairing", "pairing__round__stage")
    for pk, place, pairing, its_stage in uses:
        if its_stage == stage.pk and sitting.get(pairing) != place:
            over.append(pk)
        else:
            held.add(place)
            seated.add(pairing)
    coming = []
    for pairing, number in sitting.items():
        if pairing not in seated and number is not None and number not in held:
            coming.append(TableUse(event_id=event_id, number=number, pairing_id=pairing))
            held.add(number)
    return over, coming


def leave_table(*, match_id: int) -> None:
    """A match is decided: whoever comes next may have its table. The caller holds the match."""
    TableUse.objects.filter(pairing__match=match_id).delete()


def take_table_again(*, pairing: Pairing, now: datetime) -> None:
    """A match is open again: it has its table if that is free and in order, else none until it is given one.

    The caller holds the match and its stage.
    """
    stage = pairing.round.stage
    if pairing.table is None:
        return
    hold_hall(event_id=stage.tournament.event_id)
    if rivals(pairing, pairing.table) or not _stands(stage, pairing.table):
        pairing.table = None
        pairing.save(update_fields=["table"])
        tell_pairings(stage=stage, pairings=[pairing], now=now)
    settle_tables(stage=stage)


def _stands(stage: Stage, number: int) -> bool:
    tables = Table.objects.filter(event=stage.tournament.event_id)
    return tables.filter(number=number, out_since=None).exists() or not tables.exists()


@transaction.atomic
def move_match(*, match_id: int, table: int | None, by: Actor, now: datetime, why: str = "") -> Pairing | Refused:
    """Put an open match at a table that is free, or (None) let it wait for one. Both players are told.

    Of two who give the same table in the same moment the second is told that it is taken. Pressed twice it moves once.
    Refusals: match_unknown (404), not_running, match_is_over, table_unknown (table), table_out (table), table_taken
    (table, match).
    """
    held = _hold(match_id)
    if isinstance(held, Refused):
        return held
    (pairing,) = held
    stage = pairing.round.stage
    if table == pairing.table:
        return pairing
    if table is not None:
        refusal = _refuse_table(pairing, table)
        if refusal is not None:
            return refusal
    before = pairing.table
    _put(pairing, table, now)
    _take_calls_along(pairing)
    settle_tables(stage=stage)
    tell_pairings(stage=stage, pairings=[pairing], now=now)
    _log("move_match", pairing, before, by=by, now=now, why=why)
    return pairing


@transaction.atomic
def swap_tables(
    *,
    match_id: int,
    with_match: int,
    seen: tuple[int | None, int | None] | None = None,
    by: Actor,
    now: datetime,
    why: str = "",
) -> Pairing | Refused:
    """Let two open matches of an event change tables; one of them may have none. All four players are told.

    `seen` are the tables of the two as the reader saw them: pressed twice it does not change back.
    Refusals: those of `move_match`, same_match (400), changed_meanwhile.
    """
    if match_id == with_match:
        return Refused("same_match", status=400)
    held = _hold(match_id, with_match)
    if isinstance(held, Refused):
        return held
    one, other = held
    if seen is not None and (one.table, other.table) != seen:
        return Refused("changed_meanwhile")
    pair = ((one, other.table, other), (other, one.table, one))
    for pairing, table, partner in pair:
        if table is not None:
            refusal = _refuse_table(pairing, table, besides=partner)
            if refusal is not None:
                return refusal
    TableUse.objects.filter(pairing__in=[one.pk, other.pk]).delete()
    before = one.table
    for pairing, table, _partner in pair:
        _put(pairing, table, now)
    _take_calls_along(one, other)
    for stage in {pairing.round.stage_id: pairing.round.stage for pairing in (one, other)}.values():
        settle_tables(stage=stage)
        moved = [pairing for pairing in (one, other) if pairing.round.stage_id == stage.pk]
        tell_pairings(stage=stage, pairings=moved, now=now)
    stage_changed.send(sender=Stage, stage=other.round.stage_id, what="swap_tables")
    _log("swap_tables", one, before, by=by, now=now, why=why, other=other)
    return one


def _hold(*match_ids: int) -> list[Pairing] | Refused:
    """Lock open matches of one event in order of id, then their stages, then the hall."""
    list(Match.objects.select_for_update().filter(pk__in=match_ids).order_by("pk"))
    stages = Pairing.objects.filter(match__in=match_ids).values_list("round__stage", flat=True)
    list(Stage.objects.select_for_update(no_key=True).filter(pk__in=sorted(set(stages))).order_by("pk"))
    rows = Pairing.objects.select_related("a", "b", "match", "round__stage__tournament").filter(match__in=match_ids)
    found = {pairing.match_id: pairing for pairing in rows}
    events = {pairing.round.stage.tournament.event_id for pairing in found.values()}
    for match_id in match_ids:
        if match_id not in found or len(events) != 1:
            return Refused("match_unknown", {"match": match_id}, status=404)
    hold_hall(event_id=events.pop())
    held = [found[match_id] for match_id in match_ids]
    for pairing in held:
        if pairing.round.stage.tournament.state != State.RUNNING:
            return Refused("not_running")
        if pairing.match is None or not pairing.match.is_open:
            return Refused("match_is_over", {"match": pairing.match_id})
    return held


def _refuse_table(pairing: Pairing, number: int, *, besides: Pairing | None = None) -> Refused | None:
    """Why a match cannot sit at a table. The caller holds the hall."""
    standing = dict(
        Table.objects.filter(event=pairing.round.stage.tournament.event_id).values_list("number", "out_since")
    )
    if not 1 <= number <= TABLE_MOST or (standing and number not in standing):
        return Refused("table_unknown", {"table": number}, status=400)
    if standing.get(number) is not None:
        return Refused("table_out", {"table": number})
    there = [each for each in rivals(pairing, number) if besides is None or each.pk != besides.pk]
    return Refused("table_taken", {"table": number, "match": there[0].match_id}) if there else None


def _put(pairing: Pairing, table: int | None, now: datetime) -> None:
    """Who waited for a table is expected there from now on, and not since the round was published."""
    if pairing.table is None and (pairing.due_at is None or pairing.due_at < now):
        pairing.due_at = now
    pairing.table = table
    pairing.save(update_fields=["table", "due_at"])


def _take_calls_along(*moved: Pairing) -> None:
    """Whoever was called to a match goes where it sits now; where another call waits there, that one says where."""
    calls = RefereeCall.objects.filter(over_at=None, pairing__in=[pairing.pk for pairing in moved])
    if not calls.exists():
        return
    calls.update(table=None)
    for pairing in moved:
        try:
            with transaction.atomic():
                calls.filter(pairing=pairing).update(table=pairing.table)
        except IntegrityError:  # somebody called at the table itself
            continue


def _log(
    verb: str,
    pairing: Pairing,
    before: int | None,
    *,
    by: Actor,
    now: datetime,
    why: str,
    other: Pairing | None = None,
) -> None:
    stage = pairing.round.stage
    after: dict[str, object] = {"table": pairing.table}
    if other is not None:
        after |= {"match": other.match_id, "with": [other.a.name, "" if other.b is None else other.b.name]}
    stage_changed.send(sender=Stage, stage=stage.pk, what=verb)
    record_act(
        verb=verb,
        target=f"match/{pairing.match_id}",
        by=by,
        now=now,
        event=stage.tournament.event_id,
        tournament=stage.tournament_id,
        before={"table": before},
        after=after,
        why=why,
    )


def free_tables(*, pairings: Iterable[Pairing]) -> None:
    """Nobody sits there any more: their matches are closed or put another way. The caller holds the stage."""
    TableUse.objects.filter(pairing__in=[pairing.pk for pairing in pairings if pairing.pk is not None]).delete()
