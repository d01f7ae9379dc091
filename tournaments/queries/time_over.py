"""Matches whose time is over: at which tables, and with which score they may end there."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta

from matches.engine import Phase
from matches.models import Game, Way
from matches.queries.games import record_of
from tournaments.engine.clocks import time_left
from tournaments.models import Pairing, RoundClock
from tournaments.models.tournament import AtTime, State
from tournaments.queries.games import games_of


@dataclass(frozen=True, slots=True)
class MatchTime:
    """What the clock of its round lets a match end with at this moment.

    `can_end`: time is over, so that it may end with the sets as they stand, and whoever leads wins. `may_tie`: level in
    sets is a result then too. `stands` are the sets of a match whose cards lie here: it ends with these and no others.
    None where people say what was played.
    """

    can_end: bool
    may_tie: bool
    stands: tuple[int, int] | None = None


def is_time_over(pairing: Pairing, *, now: datetime) -> bool | None:
    """Whether the clock of the round has run out at this table, its extra time with it; None where none was started.

    The pairing has its round's clock loaded.
    """
    clock = getattr(pairing.round, "clock", None)
    if not isinstance(clock, RoundClock):
        return None
    return time_left(clock.as_clock, now=now, extra=pairing.extra_seconds) <= 0


def may_tie_at_time(pairing: Pairing) -> bool:
    """Whether the end of the time may leave a match level: never where one more set decides it."""
    match = pairing.match
    return match is not None and match.allows_tie and pairing.round.stage.tournament.at_time != AtTime.SUDDEN_DEATH


def match_times(*, pairings: Iterable[Pairing], now: datetime) -> dict[int, MatchTime]:
    """Match id to its time, for those of these pairings whose round's clock was started.

    A match whose cards lie here can end only as it lies: not in the middle of a set that is to be finished, and not
    level where one more set decides. At most one query; the pairings have their match, their round's clock and its
    stage's tournament loaded.
    """
    clocked = {
        each.match_id: (each, is_over)
        for each in pairings
        if each.match_id is not None and (is_over := is_time_over(each, now=now)) is not None
    }
    over = [pk for pk, (_pairing, is_over) in clocked.items() if is_over]
    games = games_of(match_ids=over) if over else {}
    return {
        pk: _match_time(pairing, cards_here(games.get(pk)), is_over=is_over)
        for pk, (pairing, is_over) in clocked.items()
    }


def _match_time(pairing: Pairing, game: Game | None, *, is_over: bool) -> MatchTime:
    may_tie = may_tie_at_time(pairing)
    if game is None:
        return MatchTime(is_over, may_tie)
    stands = sets_at_time(game, pairing)
    return MatchTime(stands is not None and (may_tie or stands[0] != stands[1]), may_tie, stands)


def ended_by_time(*, pairings: Iterable[Pairing], now: datetime) -> list[int]:
    """Ids of the matches whose time is over, in order: a page that offers to end them is another one from then on."""
    return sorted(each.match_id or 0 for each in pairings if is_time_over(each, now=now))


def cards_here(game: Game | None) -> Game | None:
    """The game, where its cards are dealt here and lie already."""
    return game if game is not None and game.way == Way.HERE and game.moves else None


def sets_at_time(game: Game, pairing: Pairing) -> tuple[int, int] | None:
    """The sets a game ends with now that time is over; None while a set lies open that has to be finished."""
    state = record_of(game)[1]
    if state.phase is Phase.OPEN and pairing.round.stage.tournament.at_time != AtTime.TIE:
        return None
    return (state.sets[0], state.sets[1])


def is_stopped_by_time(game: Game, pairing: Pairing, *, now: datetime) -> bool:
    """Whether no card is played any more at a match whose cards lie here, for it ends as it lies now."""
    if cards_here(game) is None or not is_time_over(pairing, now=now):
        return False
    return _match_time(pairing, game, is_over=True).can_end


def newly_over(*, now: datetime, within: timedelta) -> list[int]:
    """Ids of tournaments where the time of an open match ended `within` this time: it may end on time from now on."""
    rows = Pairing.objects.filter(
        round__clock__isnull=False,
        round__clock__paused_at=None,
        match__kind="",
        match__is_void=False,
        round__published_at__isnull=False,
        round__stage__tournament__state=State.RUNNING,
    ).select_related("round__clock", "round__stage")
    return sorted(
        {
            each.round.stage.tournament_id
            for each in rows
            if is_time_over(each, now=now) and not is_time_over(each, now=now - within)
        }
    )
