"""A referee enters a table with real cards: one tap an entry, the last one taken back, the result confirmed."""

from __future__ import annotations

import pytest

from matches.actions import SCORE, Report, clear_result, submit_result
from matches.actions.games import concede_for, confirm_game, enter_move, undo_move
from matches.engine import Onlooker
from matches.models import Game, Match, Way
from matches.queries.games import game_view, record_of
from players.permissions import Refused
from tests.factories import NOW
from tests.matches.games.playing import REFEREE, again, dealt, match_of, opened

pytestmark = pytest.mark.django_db


def enter(game: Game, *moves: str) -> Game | Refused:
    """Entries one after another, each for the position that stands; the answer to the last one."""
    outcome: Game | Refused = game
    for move in moves:
        outcome = enter_move(game_id=game.pk, move=move, at=again(game).position, by=REFEREE, now=NOW)
    return outcome


SET_TO_A = ("A 10", "A end", "B 10", "B end", "A 10", "B 5", "B stand")
"""A reaches 20, which stands by itself; B stands at 15."""


def a_wins(game: Game) -> Game:
    """Three sets like that; who won opens the next one, and with real cards hands are not known."""
    assert isinstance(enter(game, "open A", *SET_TO_A, "open", *SET_TO_A, "open", *SET_TO_A), Game)
    return again(game)


def test_a_set_entered_card_by_card() -> None:
    game = opened(way=Way.CONSOLE)
    assert isinstance(enter(game, "open A", *SET_TO_A[:4]), Game)
    seen = game_view(game=again(game), viewer=Onlooker.REFEREE).table
    assert [side.total for side in seen.sides] == [10, 10]
    assert (seen.turn, seen.drawn) == (0, False)
    enter(game, *SET_TO_A[4:])
    assert game_view(game=again(game), viewer=Onlooker.SPECTATOR).table.sets == (1, 0)


def test_the_result_counts_once_it_is_confirmed() -> None:
    game = a_wins(opened(way=Way.CONSOLE))
    assert match_of(game).kind == ""
    for _press in range(2):
        assert isinstance(confirm_game(game_id=game.pk, by=REFEREE, now=NOW), Game)
    match = match_of(game)
    assert (match.kind, match.sets_a, match.sets_b, match.winner) == ("score", 3, 0, "a")
    assert match.submissions.count() == 1


def test_the_last_entry_is_taken_back_even_the_one_that_ended_the_match() -> None:
    game = a_wins(opened(way=Way.CONSOLE))
    assert undo_move(game_id=game.pk, at=game.position, by=REFEREE, now=NOW)
    assert confirm_game(game_id=game.pk, by=REFEREE, now=NOW) == Refused("not_over")
    assert isinstance(enter(game, "B end", "B 4", "B stand"), Game)
    assert record_of(again(game))[1].sets == (3, 0)


def test_an_entry_sent_twice_is_one_and_one_before_an_undo_does_not_come_back() -> None:
    game = opened(way=Way.CONSOLE)
    at = game.position
    for _press in range(2):
        enter_move(game_id=game.pk, move="open A", at=at, by=REFEREE, now=NOW)
    assert again(game).moves == 1
    undo_move(game_id=game.pk, at=again(game).position, by=REFEREE, now=NOW)
    late = enter_move(game_id=game.pk, move="open A", at=at, by=REFEREE, now=NOW)
    assert (late, again(game).moves) == (Refused("position_moved", {"position": "1.0"}), 0)


def test_an_undo_pressed_twice_takes_one_entry_back() -> None:
    game = opened(way=Way.CONSOLE)
    enter(game, "open A", "A 10")
    at = again(game).position
    undo_move(game_id=game.pk, at=at, by=REFEREE, now=NOW)
    answer = undo_move(game_id=game.pk, at=at, by=REFEREE, now=NOW)
    assert isinstance(answer, Game)
    assert (answer.position, again(game).moves) == ("1.1", 1)
    late = undo_move(game_id=game.pk, at="0.1", by=REFEREE, now=NOW)
    assert late == Refused("position_moved", {"position": "1.1"})


@pytest.mark.parametrize("opening", ["open A", "open A (?) (+1 +2 -3 *4)"])
def test_an_opening_sent_twice_is_one(opening: str) -> None:
    game = opened(way=Way.CONSOLE)
    for _press in range(2):
        outcome = enter_move(game_id=game.pk, move=opening, at="0.0", by=REFEREE, now=NOW)
        assert isinstance(outcome, Game), outcome
    assert again(game).moves == 1


def test_the_next_opening_sent_twice_is_one() -> None:
    game = opened(way=Way.CONSOLE)
    enter(game, "open A", *SET_TO_A)
    at = again(game).position
    for _press in range(2):
        assert isinstance(enter_move(game_id=game.pk, move="open", at=at, by=REFEREE, now=NOW), Game)
    assert record_of(again(game))[1].opener == 0
    assert again(game).moves == 9


def test_a_result_that_was_taken_back_is_confirmed_anew() -> None:
    game = a_wins(opened(way=Way.CONSOLE))
    confirm_game(game_id=game.pk, by=REFEREE, now=NOW)
    match = match_of(game)
    assert not isinstance(clear_result(match_id=match.pk, by=REFEREE, expected_version=match.version, now=NOW), Refused)
    assert match_of(game).kind == ""
    assert isinstance(confirm_game(game_id=game.pk, by=REFEREE, now=NOW), Game)
    assert (match_of(game).kind, match_of(game).sets_a) == ("score", 3)


def test_a_result_from_elsewhere_is_not_confirmed_by_the_table() -> None:
    game = a_wins(opened(way=Way.CONSOLE))
    match = match_of(game)
    submit_result(match_id=match.pk, report=Report(SCORE, (0, 3)), by=REFEREE, key="paper", expected_version=0, now=NOW)
    assert confirm_game(game_id=game.pk, by=REFEREE, now=NOW) == Refused(
        "match_decided", {"match": match.pk, "sets": [0, 3]}
    )


def test_nothing_to_take_back() -> None:
    game = opened(way=Way.CONSOLE)
    assert undo_move(game_id=game.pk, at="0.0", by=REFEREE, now=NOW) == Refused("nothing_to_undo")


@pytest.mark.parametrize(
    ("entry", "refused"),
    [
        ("A 11", Refused("move_unreadable", status=400)),
        ("B 7", Refused("not_your_turn")),
        ("A stand", Refused("must_draw_first")),
        ("open B", Refused("set_open")),
    ],
)
def test_what_cannot_be_is_refused(entry: str, refused: Refused) -> None:
    game = opened(way=Way.CONSOLE)
    enter(game, "open A")
    assert enter(game, entry) == refused


def test_hands_shown_to_the_referee_are_seen_by_the_referee_alone() -> None:
    game = opened(way=Way.CONSOLE)
    enter(game, "open A (+1 +2 -3 *4) (?)")
    referee, spectator = (
        game_view(game=again(game), viewer=who).table for who in (Onlooker.REFEREE, Onlooker.SPECTATOR)
    )
    assert [side.hand for side in referee.sides] == [("+1", "+2", "-3", "*4"), None]
    assert [(side.hand, side.cards) for side in spectator.sides] == [(None, 4), (None, 4)]


def test_the_two_ways_do_not_mix() -> None:
    here = dealt()
    assert enter(here, "A 7") == Refused("wrong_way")
    assert undo_move(game_id=here.pk, at=here.position, by=REFEREE, now=NOW) == Refused("wrong_way")
    assert confirm_game(game_id=here.pk, by=REFEREE, now=NOW) == Refused("wrong_way")


def test_given_up_at_the_table() -> None:
    game = opened(way=Way.CONSOLE)
    enter(game, "open A", "A 10")
    assert isinstance(concede_for(game_id=game.pk, seat=1, by=REFEREE, now=NOW, why="left"), Game)
    assert isinstance(confirm_game(game_id=game.pk, by=REFEREE, now=NOW), Game)
    assert (match_of(game).kind, match_of(game).winner) == ("forfeit", "a")
    assert Match.objects.count() == 1
