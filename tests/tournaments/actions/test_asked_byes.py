"""Rounds a player asked not to play in."""

from __future__ import annotations

from typing import Any

import pytest

from players.models import Act
from players.permissions import Refused
from tests.factories import NOW, make_entry, make_field, make_tournament, organiser
from tests.tournaments.actions.running import does, entry, started
from tests.tournaments.play import draft, pairings, play_open, publish, table
from tournaments.actions.asked_byes import set_asked_byes
from tournaments.actions.rounds import finish_tournament, start_tournament, swap_in_draft
from tournaments.models import Entry, Tournament

pytestmark = pytest.mark.django_db


def asks(tournament: Tournament, asking: Entry, *asked: tuple[int, str]) -> Any:
    return does(tournament, set_asked_byes, entry_id=asking.pk, asked=asked)


def byes(tournament: Tournament, number: int) -> list[tuple[str, str]]:
    return [(p.a.name, p.bye) for p in pairings(tournament, number) if p.b_id is None]


@pytest.mark.parametrize(("kind", "points"), [("full", 3), ("half", 1), ("zero", 0)])
def test_a_bye_asked_for_is_given_and_worth_what_was_asked(kind: str, points: int) -> None:
    tournament = started(4, options={"rounds": 3})
    asks(tournament, entry(tournament, 1), (2, kind))
    play_open(tournament)
    draft(tournament)
    publish(tournament)
    assert ("Player 01", kind) in byes(tournament, 2)
    assert {name: scored for _, name, scored in table(tournament)}["Player 01"] == 3 + points


def test_before_the_start_too_and_the_first_draft_has_it() -> None:
    tournament = make_tournament(seeding="rating")
    asking, *_ = make_field(size=5, tournament=tournament)
    assert asks(tournament, asking, (1, "half")).asked == [[1, "half"]]
    start_tournament(tournament_id=tournament.pk, by=organiser(of=tournament), now=NOW)
    assert byes(tournament, 1) == [("Player 01", "half")]


def test_a_draft_is_paired_again_and_taken_back_it_is_as_before() -> None:
    tournament = started(4, options={"rounds": 3})
    play_open(tournament)
    draft(tournament)
    asking = entry(tournament, 2)
    asks(tournament, asking, (2, "zero"))
    assert ("Player 02", "zero") in byes(tournament, 2)
    asks(tournament, asking)
    assert byes(tournament, 2) == []


def test_what_was_asked_for_a_round_that_is_out_stays() -> None:
    tournament = started(4, options={"rounds": 3})
    asking = entry(tournament, 1)
    asks(tournament, asking, (2, "half"))
    play_open(tournament)
    draft(tournament)
    publish(tournament)
    wrong = Refused("bye_round", {"round": 1, "first": 3, "last": 3}, status=400)
    assert asks(tournament, asking, (1, "half")) == wrong
    assert asks(tournament, asking, (3, "zero")).asked == [[2, "half"], [3, "zero"]]
    assert asks(tournament, asking, (2, "half")).asked == [[2, "half"]]


def test_saying_the_same_again_is_no_act() -> None:
    tournament = started(4, options={"rounds": 3})
    for _ in range(2):
        asks(tournament, entry(tournament, 1), (2, "half"))
    assert Act.objects.filter(verb="set_asked_byes").count() == 1


def test_what_cannot_be_asked_for_is_refused() -> None:
    tournament = started(4, options={"rounds": 3})
    asking = entry(tournament, 1)
    assert asks(tournament, asking, (2, "given")) == Refused("bye_kind_unknown", status=400)
    assert asks(tournament, asking, (2, "half"), (2, "zero")) == Refused("bye_twice", {"round": 2}, status=400)
    assert asks(tournament, asking, (4, "half")) == Refused(
        "bye_round", {"round": 4, "first": 2, "last": 3}, status=400
    )
    finish_early = {"tournament_id": tournament.pk, "early": True}
    play_open(tournament)
    does(tournament, finish_tournament, **finish_early)
    assert asks(tournament, asking, (2, "half")) == Refused("finished")
    assert does(tournament, set_asked_byes, entry_id=0, asked=[]) == Refused("entry_unknown", {"entry": 0}, status=404)


@pytest.mark.parametrize("key", ["round_robin", "groups", "single_elimination", "double_elimination"])
def test_only_a_swiss_gives_byes_to_those_who_ask(key: str) -> None:
    tournament = make_tournament(format=key)
    assert asks(tournament, make_entry(tournament=tournament), (1, "half")) == Refused("no_asked_byes")


def test_a_bye_asked_for_stays_with_the_one_who_asked_when_places_are_changed() -> None:
    tournament = started(5, options={"rounds": 3})
    asks(tournament, entry(tournament, 1), (2, "half"))
    play_open(tournament)
    draft(tournament)
    asked = next(p for p in pairings(tournament, 2) if p.b_id is None and p.bye == "half")
    other = next(p for p in pairings(tournament, 2) if p.b_id is not None)
    swap = {"round_id": asked.round_id, "entry": asked.a_id, "with_entry": other.a_id}
    does(tournament, swap_in_draft, **swap)
    assert byes(tournament, 2) == [(other.a.name, "given")]
    back = {"round_id": asked.round_id, "entry": asked.a_id, "with_entry": other.a_id}
    does(tournament, swap_in_draft, **back)
    assert ("Player 01", "half") in byes(tournament, 2)
