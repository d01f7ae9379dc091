"""Two act in the same moment on who plays: one place has one newcomer, and a seat moves only while nothing is told."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import pytest

from matches.actions import SCORE, Report, submit_result
from players.permissions import Refused
from tests.factories import NOW, make_field, make_tournament, organiser
from tests.tournaments.actions.running import entry, nobody_came, seats
from tests.tournaments.at_once import one_behind_the_other
from tests.tournaments.play import count_up, pairings, stage_of, start
from tournaments.actions.latecomers import late_entry
from tournaments.actions.play_offs import drop_play_off, start_play_off
from tournaments.actions.replacements import replace_entry
from tournaments.models import Pairing, Tournament

pytestmark = [pytest.mark.db, pytest.mark.django_db(transaction=True)]


def running(size: int, form: str) -> Tournament:
    tournament = make_tournament(seeding="rating", format=form)
    make_field(size=size, tournament=tournament)
    start(tournament)
    return tournament


def by_organiser(act: Callable[..., Any], tournament: Tournament, **facts: Any) -> Callable[..., Any]:
    return partial(act, by=organiser(of=tournament), now=NOW, **facts)


def tell(tournament: Tournament, pairing: Pairing) -> Callable[..., Any]:
    facts = {"match_id": pairing.match_id, "report": Report(SCORE, (3, 1)), "key": "told", "expected_version": 0}
    return by_organiser(submit_result, tournament, **facts)


def test_one_free_place_has_one_newcomer() -> None:
    tournament = running(3, "single_elimination")
    come = [by_organiser(late_entry, tournament, tournament_id=tournament.pk, name=name) for name in ("Anna", "Boris")]
    first, second = one_behind_the_other(come[0], come[1])
    assert first.seed == 4
    assert second == Refused("no_place_for_late")
    assert seats(tournament, 1) == [(1, 4), (2, 3)]


def test_a_result_told_for_a_seat_that_moved_is_told_again() -> None:
    tournament = running(4, "swiss")
    first = pairings(tournament, 1)[0]
    move = by_organiser(replace_entry, tournament, entry_id=first.a_id, name="Instead")
    _, told = one_behind_the_other(move, tell(tournament, first))
    assert isinstance(told, Refused)
    assert told.code == "stale_version"


def test_a_seat_stays_when_a_result_was_told_for_it() -> None:
    tournament = running(4, "swiss")
    first = pairings(tournament, 1)[0]
    move = by_organiser(replace_entry, tournament, entry_id=first.a_id, name="Instead")
    _, moved = one_behind_the_other(tell(tournament, first), move)
    assert moved == Refused("entry_has_played")
    assert tournament.entries.count() == 4


def level() -> tuple[Tournament, Callable[..., Any]]:
    """Two who share the first place, and the call for their play-off."""
    tournament = running(2, "round_robin")
    nobody_came(pairings(tournament, 1)[0])
    count_up(tournament)
    both = {"a": entry(tournament, 1).pk, "b": entry(tournament, 2).pk}
    return tournament, by_organiser(start_play_off, tournament, stage_id=stage_of(tournament).pk, **both)


def test_two_calls_for_a_play_off_are_one_match() -> None:
    _tournament, call = level()
    first, second = one_behind_the_other(call, call)
    assert first.pk == second.pk
    assert Pairing.objects.filter(round__is_play_off=True).count() == 1


def test_a_play_off_is_not_taken_back_under_a_result() -> None:
    tournament, call = level()
    extra = call()
    drop = by_organiser(drop_play_off, tournament, match_id=extra.match_id)
    _, dropped = one_behind_the_other(tell(tournament, extra), drop)
    assert dropped == Refused("play_off_played")


def test_a_result_for_a_play_off_that_was_taken_back_finds_a_closed_door() -> None:
    tournament, call = level()
    extra = call()
    drop = by_organiser(drop_play_off, tournament, match_id=extra.match_id)
    _, told = one_behind_the_other(drop, tell(tournament, extra))
    assert told == Refused("match_void", {"match": extra.match_id})
