"""Practice on its pages: chosen, played, explained, looked at again; nothing told of the other hand before the end."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.test import Client

from matches.engine import Record, verify
from matches.engine.bots import POLICIES
from matches.engine.notation import parse_record
from matches.models import Game
from matches.queries.games import game_view, record_of
from tests.matches.games.playing import again
from tournaments.actions import throttle

pytestmark = pytest.mark.django_db


def begin(**said: str) -> tuple[str, Game]:
    """The address of a new game, and the game."""
    answer = Client().post("/practice/", said or {"ruleset": "standard/1", "policy": "original"})
    assert answer.status_code == 302, answer.content
    return answer["Location"], Game.objects.get()


def play(address: str, game: Game, part: str = "") -> str:
    """A careful move, or the next set; the page after it."""
    seen = game_view(game=again(game), viewer=0)
    total = seen.table.sides[0].total
    move = "again" if seen.table.ruling_due else "next" if seen.is_between else "stand" if total >= 17 else "end"
    answer = Client().post(f"{address}move/{part}", {"move": move, "at": seen.position}, follow=True)
    assert answer.status_code == 200
    return answer.content.decode()


def play_out(address: str, game: Game) -> str:
    shown = ""
    for _ in range(200):
        if again(game).over_at:
            return shown
        shown = play(address, game)
    raise AssertionError("it does not end")


@pytest.mark.parametrize("policy", POLICIES)
def test_every_opponent_can_be_chosen_and_played_to_the_end(policy: str) -> None:
    address, game = begin(ruleset="kotor/1", policy=policy)
    assert "Another game" in play_out(address, game)
    replay = Client().get(f"{address}replay/")
    assert f"Move {again(game).moves} of {again(game).moves}" in re.sub(r"\s+", " ", replay.content.decode())


def test_a_first_game_explains_itself() -> None:
    address, game = begin(guided="1")
    shown = Client().get(address).content.decode()
    assert "A card comes by itself in each turn." in shown
    assert "You could:" in shown
    shown = play_out(address, game)
    assert "you know the game now" in shown


def test_a_script_gets_the_table_alone() -> None:
    address, game = begin()
    seen = game_view(game=game, viewer=0)
    answer = Client().post(f"{address}move/?part=game", {"move": "end", "at": seen.position})
    assert ("<html" in answer.content.decode(), answer["Game-Position"]) == (False, again(game).position)


def test_a_move_that_is_none_says_so_and_changes_nothing() -> None:
    address, game = begin()
    answer = Client().post(f"{address}move/", {"move": "+9", "at": game.position})
    assert (answer.status_code, "data-refused" in answer.content.decode()) == (400, True)
    assert again(game).position == game.position


def test_the_other_hand_stays_hidden_until_the_end() -> None:
    address, game = begin()
    assert Client().get(f"{address}replay/").status_code == 404
    hand = record_of(game)[1].sides[1].hand
    shown = Client().get(address).content.decode()
    assert game.seed not in shown
    assert [card for card in hand if f'value="{card}"' in shown and card not in record_of(game)[1].sides[0].hand] == []


@pytest.mark.parametrize("said", [{}, {"ruleset": "chess"}, {"policy": "x", "ruleset": "standard/1"}])
def test_what_cannot_be_chosen_is_said_at_its_field(said: dict[str, Any]) -> None:
    answer = Client().post("/practice/", said)
    assert (answer.status_code, "errorlist" in answer.content.decode()) == (400, True)
    assert not Game.objects.exists()


def test_nobody_opens_a_game_without_its_address() -> None:
    address, game = begin()
    forged = f"/practice/{game.pk}-{'0' * 32}/"
    assert [Client().get(forged + part).status_code for part in ("", "replay/", "guided/")] == [404, 404, 404]
    assert Client().post(f"{forged}move/", {"move": "end", "at": game.position}).status_code == 404
    assert Client().get("/practice/nothing/").status_code == 404
    assert Client().get(address).status_code == 200


def test_one_network_cannot_open_all_the_games_there_are(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(throttle, "TIMES", 2)
    address, game = begin()
    begin_again = [Client().post("/practice/", {"ruleset": "standard/1", "policy": "original"}) for _ in range(2)]
    assert [answer.status_code for answer in begin_again] == [302, 429]
    said = re.sub(r"<[^>]+>", "", begin_again[1].content.decode())
    assert ("Very many games of practice" in said, int(begin_again[1]["Retry-After"]) > 0) == (True, True)
    assert Game.objects.count() == 2
    assert Client().get(address).status_code == 200  # who plays already goes on
    assert play(address, game)


def test_the_deal_can_be_checked_once_it_is_over() -> None:
    address, game = begin()
    assert [Client().get(f"{address}{page}/").status_code for page in ("deal", "record")] == [404, 404]
    play_out(address, game)
    record = parse_record(Client().get(f"{address}record/").content.decode())
    assert isinstance(record, Record)
    assert (verify(record), record.deal is not None and record.deal.seed) == ((), game.seed)
    assert game.seed in Client().get(f"{address}deal/").content.decode()
    assert "<bdi>Guest</bdi> draws" in Client().get(f"{address}replay/").content.decode()
