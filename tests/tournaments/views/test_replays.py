"""A match that was played through the engine, open to everybody: move by move, as text, its deal to be checked."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.test import Client

from docs import verify_deal
from matches.actions.games import concede_for
from matches.engine import verify
from matches.engine.notation import parse_record
from matches.engine.record import Record
from matches.models import Game
from tests.matches.games.playing import play_out
from tests.tournaments.actions.game_acts import do, match_id, opened, seated
from tests.tournaments.play import pairings
from tournaments.models import Tournament

pytestmark = pytest.mark.django_db


def over(**facts: Any) -> Tournament:
    """A tournament of two whose match was played out here."""
    tournament = seated()
    Tournament.objects.update(**facts)
    play_out(Game.objects.get())
    return tournament


def page(tournament: Tournament, what: str, **query: Any) -> Any:
    return Client().get(f"/t/{tournament.pk}/matches/{match_id(tournament)}/{what}/", query)


def texts(html: str) -> str:
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", "", html))


def test_every_position_has_its_page() -> None:
    tournament = over()
    moves = Game.objects.get().moves
    for at in (0, 1, 2, moves // 2, moves):
        answer = page(tournament, "replay", at=at)
        assert (answer.status_code, f"Move {at} of {moves}" in texts(answer.content.decode())) == (200, True)
    assert f"Move {moves} of {moves}" in texts(page(tournament, "replay").content.decode())


@pytest.mark.parametrize("at", ["-1", "999999999999", "x", "1.5", "٣", ""])
def test_a_position_that_is_none_is_the_last_one(at: str) -> None:
    tournament = over()
    moves = Game.objects.get().moves
    assert f"Move {moves} of {moves}" in texts(page(tournament, "replay", at=at).content.decode())


def test_the_record_can_be_taken_and_checked() -> None:
    tournament = over()
    text = page(tournament, "record").content.decode()
    record = parse_record(text)
    assert isinstance(record, Record)
    pairing = pairings(tournament)[0]
    assert dict(record.tags)["A"] == pairing.a.name
    assert (verify(record), list(verify_deal.differences(text))) == ((), [])


def test_until_decks_are_open_no_card_in_it_tells_a_hand() -> None:
    tournament = over(decks_open="event")
    record = parse_record(page(tournament, "record").content.decode())
    assert isinstance(record, Record)
    assert (record.side_decks, record.deal is not None and record.deal.seed is not None) == ((None, None), True)
    assert "Hand face down" in page(tournament, "replay").content.decode()
    assert "SideDeck" not in page(tournament, "deal").content.decode()
    Tournament.objects.update(state="finished")
    assert "SideDeckA" in page(tournament, "deal").content.decode()


def test_while_it_is_played_there_is_nothing_to_replay() -> None:
    tournament = seated()
    assert [page(tournament, what).status_code for what in ("replay", "record", "deal")] == [404, 404, 404]


def test_it_is_found_under_its_own_tournament_only() -> None:
    tournament = over()
    assert Client().get(f"/t/{tournament.pk + 1}/matches/{match_id(tournament)}/replay/").status_code == 404
    assert Client().get(f"/t/{tournament.pk}/matches/{match_id(tournament) + 1}/replay/").status_code == 404


def test_the_program_that_checks_is_the_one_of_the_docs() -> None:
    answer = Client().get("/verify_deal.py")
    assert answer.content.startswith(b'"""Checks that everything dealt')


def test_a_match_given_up_before_its_first_card_has_a_replay_and_a_deal() -> None:
    tournament = opened()
    do(tournament, concede_for, game_id=Game.objects.get().pk, seat=0)
    for at in (0, 1):
        answer = page(tournament, "replay", at=at)
        assert (answer.status_code, "Set 0" in texts(answer.content.decode())) == (200, False)
    assert page(tournament, "deal").status_code == 200
    text = page(tournament, "record").content.decode()
    record = parse_record(text)
    assert isinstance(record, Record)
    assert (verify(record), list(verify_deal.differences(text))) == ((), [])
