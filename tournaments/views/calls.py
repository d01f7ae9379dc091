"""Calls for a referee as pages show them: to whoever called, and to whoever may go."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime

from django.http import HttpRequest
from django.utils import timezone

from matches.models import Way
from players.permissions import Actor, Refused, Role
from tournaments.actions.calls import call_to_match, take_back_call
from tournaments.models import Pairing, RefereeCall
from tournaments.queries.calls import call_of, is_by_clock
from tournaments.queries.games import games_of
from tournaments.views.said import by_helper_or_organiser


@dataclass(frozen=True, slots=True)
class OwnCall:
    """A call as those at the table see it. `coming` is who goes, "" while nobody does."""

    since: datetime
    coming: str
    can_take_back: bool


def seen_call(call: RefereeCall | None, *, entry_id: int | None) -> OwnCall | None:
    """The call as this player sees it, or (with None) whoever holds the code of the table."""
    if call is None:
        return None
    match_id = None if call.pairing is None else call.pairing.match_id
    is_ours = call.entry_id in (None, entry_id) and not is_by_clock(match_id=match_id)
    return OwnCall(call.called_at, by_helper_or_organiser(call.taken_by), is_ours)


def press_call(request: HttpRequest, pairing: Pairing | None, actor: Actor) -> RefereeCall | Refused | None:
    """A player calls the referee to their match, or with an empty `call` needs nobody any more.

    `pairing` is None where the round of the match was taken back.
    """
    now = timezone.now()
    if pairing is None or pairing.match_id is None:
        return Refused("no_open_match")
    if request.POST.get("call", "1"):
        return call_to_match(match_id=pairing.match_id, by=actor, now=now)
    call = call_of(pairing_id=pairing.pk)
    return None if call is None else take_back_call(call_id=call.pk, by=actor, now=now)


def call_facts(calls: Iterable[RefereeCall | None]) -> tuple[object, ...]:
    """What pages show of calls besides what moves a stage on."""
    return tuple(
        call and (call.pk, call.place, call.entry_id, call.taken_by, call.taken_key, call.pairing_id) for call in calls
    )


@dataclass(frozen=True, slots=True)
class CallRow:
    """An open call as staff see it. `going` is who goes, "" while nobody does; `is_mine`: it is the reader.

    `minutes` it has waited; `game_url` leads to the game that is played there, "" where there is none.
    """

    call: RefereeCall
    minutes: int
    going: str
    is_mine: bool
    take_url: str
    finish_url: str
    game_url: str

    @property
    def pairing(self) -> Pairing | None:
        return self.call.pairing


def call_rows(
    calls: Iterable[RefereeCall],
    *,
    actor: Actor,
    now: datetime,
    url: Callable[[str, int], str],
    game_url: Callable[[int], str],
) -> list[CallRow]:
    """The calls in their order. `url` is where one is taken or finished, `game_url` where the game of a match is."""
    rows = list(calls)
    games = games_of(match_ids=[call.pairing.match_id for call in rows if call.pairing and call.pairing.match_id])
    here = {match_id for match_id, game in games.items() if game.way == Way.HERE}
    return [
        CallRow(
            call=call,
            minutes=max(0, int((now - call.called_at).total_seconds() // 60)),
            going=call.taken_by if actor.role is Role.ORGANISER else by_helper_or_organiser(call.taken_by),
            is_mine=bool(call.taken_by) and call.taken_key == actor.key,
            take_url=url("take", call.pk),
            finish_url=url("finish", call.pk),
            game_url=game_url(call.pairing.match_id) if call.pairing and call.pairing.match_id in here else "",
        )
        for call in rows
    ]
