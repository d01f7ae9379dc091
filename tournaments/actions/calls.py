"""Calls for a referee: from a player's page, a game or a table's code; somebody goes, and it is over.

Whatever calls, there is one open `RefereeCall` of a match or a table. A game on its players' devices keeps its own mark
(`Game.called_at`), which its page shows; `follow_game` has the list follow it.
"""

from __future__ import annotations

from datetime import datetime

from django.db import IntegrityError, transaction

from matches.actions import games
from matches.models import Game, Match, Way
from players.actions import record_act
from players.permissions import Actor, Refused
from tournaments.live import announce, call_topic, calls_topic
from tournaments.models import Pairing, RefereeCall
from tournaments.models.tournament import State
from tournaments.queries.calls import call_of, calling_game, is_being_played, is_by_clock, match_at
from tournaments.queries.games import open_pairing


@transaction.atomic
def call_to_match(*, match_id: int, by: Actor, now: datetime) -> RefereeCall | Refused:
    """Somebody at the table of a match asks for a referee, a game goes on meanwhile. Twice is one call.

    Refusals: no_open_match, not_running.
    """
    Match.objects.select_for_update().filter(pk=match_id).first()
    pairing = open_pairing(match_id=match_id)
    if pairing is None or pairing.match is None or not pairing.match.is_open:
        return Refused("no_open_match")
    if pairing.round.stage.tournament.state != State.RUNNING:
        return Refused("not_running")
    known = call_of(pairing_id=pairing.pk)
    if known is not None:
        return known
    game = Game.objects.filter(match=match_id, way=Way.HERE, over_at__isnull=True).first()
    if game is not None and game.called_at is None:
        outcome = games.call_referee(game_id=game.pk, by=by, now=now)
        if isinstance(outcome, Refused):
            return outcome
        return call_of(pairing_id=pairing.pk) or _of_match(pairing, by, now)
    call = _of_match(pairing, by, now)
    _log("call_referee", call, by, now)
    return call


@transaction.atomic
def call_to_table(*, event_id: int, table: int, by: Actor, now: datetime) -> RefereeCall | Refused:
    """Somebody who has the code of a table asks for a referee there. Twice is one call.

    It is a call to the match that is played there, where one is. Refusals: nothing_runs, and those of `call_to_match`.
    """
    if not is_being_played(event_id=event_id):
        return Refused("nothing_runs")
    match_id = match_at(event_id=event_id, table=table)
    if match_id is not None:
        return call_to_match(match_id=match_id, by=by, now=now)
    call = _opened(event_id=event_id, pairing=None, table=table, by=by, now=now)
    if call.called_at == now:
        _log("call_referee", call, by, now)
    return call


def _of_match(pairing: Pairing, by: Actor, now: datetime) -> RefereeCall:
    event_id = pairing.round.stage.tournament.event_id
    return _opened(event_id=event_id, pairing=pairing, table=pairing.table, by=by, now=now)


def _opened(*, event_id: int, pairing: Pairing | None, table: int | None, by: Actor, now: datetime) -> RefereeCall:
    """The open call of this table, or of this match of which there is none yet; made where there is none."""
    there = None
    if table is not None:
        there = RefereeCall.objects.select_for_update().filter(event=event_id, table=table, over_at=None).first()
    if there is not None and there.place != table:  # its match has moved meanwhile: the number is free again
        there.table = None
        there.save(update_fields=["table"])
        there = None
    if there is not None and (pairing is None or there.pairing_id is None):
        if pairing is not None:  # somebody used the code of the table before anybody knew the match
            there.pairing = pairing
            there.save(update_fields=["pairing"])
            _tell(there)
        return there
    number = table if there is None else None  # two tournaments may number their tables alike
    try:
        with transaction.atomic():
            call = RefereeCall.objects.create(
                event_id=event_id, pairing=pairing, table=number, entry_id=by.entry, called_at=now
            )
    except IntegrityError:  # somebody called from there in the same moment
        return _opened(event_id=event_id, pairing=pairing, table=table, by=by, now=now)
    _tell(call)
    return call


@transaction.atomic
def take_call(*, call_id: int, going: bool = True, by: Actor, now: datetime) -> RefereeCall | Refused:
    """A referee goes, or (with `going` False) does not after all. Again, it changes nothing.

    Refusals: call_unknown (404), call_over, call_taken (somebody else goes: `by`).
    """
    call = RefereeCall.objects.select_for_update().filter(pk=call_id).first()
    if call is None:
        return Refused("call_unknown", status=404)
    if call.over_at is not None:
        return Refused("call_over")
    if call.taken_by and call.taken_key != by.key:
        return Refused("call_taken", {"by": call.taken_by})
    if going is bool(call.taken_by):
        return call
    call.taken_by, call.taken_key, call.taken_at = (by.name[:254], by.key, now) if going else ("", "", None)
    call.save(update_fields=["taken_by", "taken_key", "taken_at"])
    _log("take_call" if going else "untake_call", call, by, now)
    _tell(call)
    return call


@transaction.atomic
def finish_call(*, call_id: int, by: Actor, now: datetime) -> RefereeCall | Refused:
    """A referee was there: the call is over. Again, it changes nothing. Refusals: call_unknown (404)."""
    call = _hold(call_id)
    if call is None:
        return Refused("call_unknown", status=404)
    if call.over_at is None:
        _close("finish_call", call, by, now)
    return call


@transaction.atomic
def take_back_call(*, call_id: int, by: Actor, now: datetime) -> RefereeCall | Refused:
    """Whoever called needs nobody any more. Again, it changes nothing.

    A call by a table's code is taken back by whoever has the code, or plays there. Refusals: call_unknown (404),
    call_not_yours (the other player called, or the clock of the game).
    """
    call = _hold(call_id)
    if call is None:
        return Refused("call_unknown", status=404)
    if call.over_at is not None:
        return call
    match_id = None if call.pairing is None else call.pairing.match_id
    if call.entry_id not in (None, by.entry) or is_by_clock(match_id=match_id):
        return Refused("call_not_yours")
    _close("take_back_call", call, by, now)
    return call


def _hold(call_id: int) -> RefereeCall | None:
    """Lock a call, its match before it: that is the order of whoever ends calls with a match."""
    match_id = RefereeCall.objects.filter(pk=call_id).values_list("pairing__match", flat=True).first()
    if match_id is not None:
        Match.objects.select_for_update().filter(pk=match_id).first()
    return RefereeCall.objects.select_for_update().filter(pk=call_id).first()


def _close(verb: str, call: RefereeCall, by: Actor, now: datetime) -> None:
    call.over_at = now
    call.save(update_fields=["over_at"])
    match_id = None if call.pairing is None else call.pairing.match_id
    game_id = None if match_id is None else calling_game(match_id=match_id)
    if game_id is not None:
        games.answer_call(game_id=game_id, by=by, now=now)
    _log(verb, call, by, now)
    _tell(call)


def follow_game(*, match_id: int, is_called: bool, by: Actor, now: datetime) -> None:
    """A game of a match calls the referee, or does so no more: so does the list. The match is locked."""
    if not is_called:
        end_calls(match_id=match_id, now=now)
        return
    pairing = open_pairing(match_id=match_id)
    if pairing is not None and call_of(pairing_id=pairing.pk) is None:
        _of_match(pairing, by, now)


def end_calls(*, match_id: int, now: datetime) -> None:
    """What was called from a match is over. The match is locked."""
    for call in RefereeCall.objects.select_for_update().filter(pairing__match=match_id, over_at=None):
        call.over_at = now
        call.save(update_fields=["over_at"])
        _tell(call)


def _log(verb: str, call: RefereeCall, by: Actor, now: datetime) -> None:
    pairing = call.pairing
    record_act(
        verb=verb,
        target=f"table/{call.table}" if pairing is None else f"match/{pairing.match_id}",
        by=by,
        now=now,
        event=call.event_id,
        tournament=None if pairing is None else pairing.round.stage.tournament_id,
    )


def _tell(call: RefereeCall) -> None:
    """Tell open pages of staff, of the table and of its players once it is committed."""
    topics = [calls_topic(call.event_id), *([] if call.pairing_id is None else [call_topic(call.pairing_id)])]
    version = f"{call.pk}-{'over' if call.over_at else 'taken' if call.taken_by else 'open'}"

    def tell() -> None:
        for topic in topics:
            announce(topic, version)

    transaction.on_commit(tell)
