"""Which match has which table: given when it is called, left with its result, changed by an act that tells everybody.

Whoever gives tables holds the hall (the row of its event) after the stage and after the matches. `TableUse` has one row
for each match that sits somewhere: whatever goes wrong, the database lets no two sit at one table.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from django.db import IntegrityError, transaction
from django.db.models import Q, QuerySet

from matches.models import Match
from players.actions import record_act
from players.permissions import Actor, Refused
from tournaments.actions.notices import tell_called, tell_pairings
from tournaments.models import Event, Pairing, RefereeCall, Slot, Stage, Table, TableUse
from tournaments.models.tournament import Seating, State
from tournaments.queries.coming import planned_times
from tournaments.queries.hall import OPEN, TABLE_MOST, rivals
from tournaments.signals import stage_changed

ANSWERS = ("called_at", "coming_a_at", "coming_b_at", "here_a_at", "here_b_at")
"""That a match is called to its table, and what its players said to that."""


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


def take_table_again(*, pairing: Pairing, was_played: bool, now: datetime) -> None:
    """A match is open again: it has its table if that is free and in order, else none until it is given one.

    One that `was_played` is played again from now on. One from the queue waits as well while one of its players sits at
    another match. The caller holds the match and its stage.
    """
    stage = pairing.round.stage
    if pairing.table is None:
        return
    hold_hall(event_id=stage.tournament.event_id)
    is_busy = stage.tournament.seating == Seating.QUEUE and _other_of(pairing) is not None
    if rivals(pairing, pairing.table) or not _stands(stage, pairing.table) or is_busy:
        pairing.table = None
        uncall(pairing)
        pairing.save(update_fields=["table", "due_at", *ANSWERS])
        tell_pairings(stage=stage, pairings=[pairing], now=now)
    elif was_played or pairing.called_at is not None:
        pairing.called_at = None  # whoever had a result answers no call any more
        if was_played:
            pairing.due_at = now
        pairing.save(update_fields=["called_at", "due_at"])
    settle_tables(stage=stage)


def _stands(stage: Stage, number: int) -> bool:
    tables = Table.objects.filter(event=stage.tournament.event_id)
    return tables.filter(number=number, out_since=None).exists() or not tables.exists()


@transaction.atomic
def move_match(
    *, match_id: int, table: int | None, accept_busy: bool = False, by: Actor, now: datetime, why: str = ""
) -> Pairing | Refused:
    """Put an open match at a table that is free, or (None) take it off its table. Both players are told.

    One that is taken off is held: nothing calls it until somebody releases it or gives it a table.
    Of two who give the same table in the same moment the second is told that it is taken. Pressed twice it moves once.
    One that had no table gets none while one of its players sits at another match, unless that is accepted.
    Refusals: match_unknown (404), not_running, match_is_over, table_unknown (table), table_out (table), table_taken
    (table, match), player_busy (match, other, table, player, with).
    """
    held = _hold(match_id)
    if isinstance(held, Refused):
        return held
    (pairing,) = held
    stage = pairing.round.stage
    if table == pairing.table:
        return pairing
    if table is not None:
        refusal = _refuse_table(pairing, table) or (None if accept_busy else _refuse_busy(pairing))
        if refusal is not None:
            return refusal
    before = pairing.table
    _put(pairing, table, now)
    if table is None:
        _keep_off(pairing, now)
    _take_calls_along(pairing)
    settle_tables(stage=stage)
    _tell(stage, [pairing], now)
    _log("move_match", pairing, before, by=by, now=now, why=why)
    return pairing


@transaction.atomic
def swap_tables(
    *,
    match_id: int,
    with_match: int,
    seen: tuple[int | None, int | None] | None = None,
    accept_busy: bool = False,
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
            if refusal is None and not accept_busy:
                refusal = _refuse_busy(pairing, besides=partner)
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
        _tell(stage, moved, now)
    stage_changed.send(sender=Stage, stage=other.round.stage_id, what="swap_tables")
    _log("swap_tables", one, before, by=by, now=now, why=why, other=other)
    return one


def leave_for_now(*, pairing: Pairing, now: datetime) -> None:
    """A match that has not begun gives its table back and waits for one; its players are told.

    The caller holds the match, its stage and the hall.
    """
    stage = pairing.round.stage
    _put(pairing, None, now)
    _take_calls_along(pairing)
    settle_tables(stage=stage)
    _tell(stage, [pairing], now)
    stage_changed.send(sender=Stage, stage=stage.pk, what="leave_table")


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


def _refuse_busy(pairing: Pairing, *, besides: Pairing | None = None) -> Refused | None:
    """Why a match cannot get a table now: one of its players sits at another match of the event, called or running."""
    if pairing.table is not None:
        return None
    players = _players_of(pairing)
    other = _other_of(pairing, besides=besides)
    if other is None:
        return None
    sides = [side for side in (other.a, other.b) if side is not None]
    return Refused(
        "player_busy",
        {
            "match": pairing.match_id,
            "other": other.match_id,
            "table": other.table,
            "player": next(side.staff_name for side in sides if side.player_id in players),
            "with": [side.staff_name if side.player_id in players else side.display_name for side in sides],
        },
    )


def _players_of(pairing: Pairing) -> list[int]:
    return [side.player_id for side in (pairing.a, pairing.b) if side is not None]


def _other_of(pairing: Pairing, *, besides: Pairing | None = None) -> Pairing | None:
    """Another match of the event that one of the players of this one sits at."""
    players = _players_of(pairing)
    sitting = (
        Pairing.objects.filter(OPEN, table_use__event=pairing.round.stage.tournament.event_id)
        .filter(Q(a__player__in=players) | Q(b__player__in=players))
        .exclude(pk__in=[pairing.pk, pairing.pk if besides is None else besides.pk])
    )
    return sitting.select_related("a", "b").order_by("table", "pk").first()


def _put(pairing: Pairing, table: int | None, now: datetime) -> None:
    """Who waited for a table is called to it now, unless they are to come at a time of their own later.

    With a table it is held no more.
    """
    if table is not None:
        _slots(pairing).filter(held_since__isnull=False).update(held_since=None)
    if table is None:
        uncall(pairing)
    elif pairing.table is None and planned_times(pairings=[pairing]).get(pairing.pk, now) <= now:
        pairing.called_at = pairing.due_at = now
    pairing.table = table
    pairing.save(update_fields=["table", "due_at", *ANSWERS])


def _keep_off(pairing: Pairing, now: datetime) -> None:
    """Hold a match, also one that the plan does not know yet. Nothing calls a play-off: it has no place in a plan."""
    if pairing.round.is_play_off:
        return
    sides = {"a_id": pairing.a_id, "b_id": pairing.b_id}
    slot, _made = _slots(pairing).get_or_create(
        stage_id=pairing.round.stage_id,
        round=pairing.round.number,
        number=pairing.number,
        defaults={**sides, "changed_at": now},
    )
    slot.held_since = slot.held_since or now
    slot.save(update_fields=["held_since"])


def _slots(pairing: Pairing) -> QuerySet[Slot]:
    return Slot.objects.filter(stage=pairing.round.stage_id, round=pairing.round.number, number=pairing.number)


def _tell(stage: Stage, pairings: Iterable[Pairing], now: datetime) -> None:
    """Tell the players where they sit now: whoever waited for a table, that they are called."""
    rows = list(pairings)
    called = [pairing for pairing in rows if pairing.called_at == now]
    tell_called(stage=stage, pairings=called, now=now)
    tell_pairings(stage=stage, pairings=[pairing for pairing in rows if pairing not in called], now=now)


def uncall(pairing: Pairing) -> None:
    """A match has no table any more: nobody is called to it, comes or sits there. The caller saves it."""
    if pairing.called_at is not None and pairing.due_at == pairing.called_at:
        pairing.due_at = None
    for name in ANSWERS:
        setattr(pairing, name, None)


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
    if verb == "move_match" and pairing.table is None:
        after["held"] = not pairing.round.is_play_off
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
