"""Two reach for a table in the same moment: one gets it, the other is told or gets the next."""

from __future__ import annotations

from functools import partial
from typing import Any

import pytest

from players.permissions import Refused
from tests.factories import NOW, make_event, make_field, make_tournament, organiser
from tests.tournaments.at_once import one_behind_the_other
from tests.tournaments.halls import LATER, at, given, put_up, uses
from tests.tournaments.play import count_up, pairings, report, stage_of, start
from tournaments.actions import hall, results, rounds, tables
from tournaments.models import Event, Table, Tournament

pytestmark = [pytest.mark.db, pytest.mark.django_db(transaction=True)]


def two_in(event: Event, numbers: tuple[int, ...] = (), *, size: int = 4) -> tuple[Tournament, Tournament]:
    """Two tournaments of an event; with `numbers` in a hall of such tables."""
    if numbers:
        put_up(event, numbers)
    found = []
    for name in ("Main", "Side"):
        tournament = make_tournament(event=event, name=name, seeding="rating")
        make_field(size=size, tournament=tournament)
        found.append(tournament)
    return found[0], found[1]


def do(action: Any, tournament: Tournament, **said: Any) -> Any:
    return partial(action, by=organiser(of=tournament), now=LATER, **said)


def test_st_04_two_referees_give_the_same_free_table_and_one_match_gets_it() -> None:
    tournament = make_tournament(seeding="rating")
    put_up(tournament, (3, 4))
    make_field(size=8, tournament=tournament)
    start(tournament)
    first, _second, *waiting = pairings(tournament, 1)
    assert [pairing.table for pairing in waiting] == [None, None]
    report(first, (3, 1))
    one, other = (do(tables.move_match, tournament, match_id=pairing.match_id, table=3) for pairing in waiting)
    got, told = one_behind_the_other(one, other)
    assert not isinstance(got, Refused)
    assert isinstance(told, Refused)
    assert (told.code, told.params["table"]) == ("table_taken", 3)
    assert [at(pairing) for pairing in waiting] == [(3, True), (None, False)]


def test_st_04_the_same_press_twice_gives_the_table_once() -> None:
    tournament = make_tournament(seeding="rating")
    put_up(tournament, (3, 4))
    make_field(size=6, tournament=tournament)
    start(tournament)
    first, _second, third = pairings(tournament, 1)
    report(first, (3, 1))
    give = do(tables.move_match, tournament, match_id=third.match_id, table=3)
    one, again = one_behind_the_other(give, give)
    assert (one.pk, again.pk, again.table) == (third.pk, third.pk, 3)
    assert [number for number, pairing in uses(tournament).items() if pairing == third.pk] == [3]


def test_two_tournaments_publish_at_once_and_share_no_table() -> None:
    one, other = two_in(make_event())
    for tournament in (one, other):
        rounds.start_tournament(tournament_id=tournament.pk, by=organiser(of=tournament), now=NOW)
    one_behind_the_other(
        *(do(rounds.publish_rounds, each, stage_id=stage_of(each).pk) for each in (one, other)),
    )
    assert (given(one, 1), given(other, 1)) == ([1, 2], [3, 4])
    assert list(uses(one)) == [1, 2, 3, 4]


def test_two_tournaments_publish_at_once_in_a_hall_that_is_too_small() -> None:
    one, other = two_in(make_event(), (5, 7, 9))
    for tournament in (one, other):
        rounds.start_tournament(tournament_id=tournament.pk, by=organiser(of=tournament), now=NOW)
    one_behind_the_other(
        *(do(rounds.publish_rounds, each, stage_id=stage_of(each).pk) for each in (one, other)),
    )
    assert (given(one, 1), given(other, 1)) == ([5, 7], [9, None])


def test_a_table_goes_out_of_order_while_it_is_given() -> None:
    tournament = make_tournament(seeding="rating")
    third = put_up(tournament, (3, 4, 5))[2]
    make_field(size=4, tournament=tournament)
    start(tournament)
    first = pairings(tournament, 1)[0]
    _out, told = one_behind_the_other(
        do(hall.take_table_out, tournament, table_id=third.pk),
        do(tables.move_match, tournament, match_id=first.match_id, table=5),
    )
    assert isinstance(told, Refused)
    assert told.code == "table_out"
    assert at(first) == (3, True)
    assert Table.objects.get(number=5).out_since == LATER


def test_a_result_is_taken_back_while_its_table_is_given() -> None:
    tournament = make_tournament(seeding="rating")
    put_up(tournament, (3, 4))
    make_field(size=6, tournament=tournament)
    start(tournament)
    first, _second, third = pairings(tournament, 1)
    report(first, (3, 1))
    count_up(tournament)
    assert first.match is not None
    first.match.refresh_from_db()
    one_behind_the_other(
        do(tables.move_match, tournament, match_id=third.match_id, table=3),
        do(results.clear_result, tournament, match_id=first.match_id, expected_version=first.match.version),
    )
    assert (at(first), at(third)) == ((None, False), (3, True))


def test_a_result_comes_while_the_match_is_moved_and_its_tables_are_free() -> None:
    one, other = two_in(make_event())
    start(one)
    first = pairings(one, 1)[0]
    one_behind_the_other(do(tables.move_match, one, match_id=first.match_id, table=8), partial(report, first, (3, 1)))
    assert at(first) == (8, False)
    start(other)
    assert given(other, 1) == [1, 3]
