"""Practice: a game against a policy without a match, and no trace of it in anybody's tournament."""

from __future__ import annotations

from datetime import timedelta

import pytest

from matches.actions.games import drop_practice, make_move, open_practice, opening, rule_game
from matches.actions.games.opening import GameTerms
from matches.engine import CLUB_DECK, RULESETS, End, Play, Stand, verify
from matches.engine.bots import POLICIES
from matches.models import Game, Match, Way
from matches.queries.games import game_view, open_record, record_of
from matches.queries.replays import Replay
from players.models import Act
from players.permissions import PUBLIC, Refused
from tests.factories import NOW
from tests.matches.games.playing import SEED, again, play_out

pytestmark = pytest.mark.django_db

TERMS = GameTerms(Way.HERE, (CLUB_DECK, CLUB_DECK))


def practice(*, ruleset: str = "standard", policy: str = "original") -> Game:
    game = open_practice(ruleset=ruleset, policy=policy, terms=TERMS, words="hello", seed=SEED, now=NOW)
    assert isinstance(game, Game), game
    return game


@pytest.mark.parametrize("ruleset", [ruleset.key for ruleset in RULESETS])
@pytest.mark.parametrize("policy", POLICIES)
def test_every_policy_under_every_ruleset_answers_until_the_end(ruleset: str, policy: str) -> None:
    game = practice(ruleset=ruleset, policy=policy)
    for _ in range(300):
        seen = game_view(game=again(game), viewer=0)
        if seen.is_over:
            break
        if seen.table.ruling_due:
            rule_game(game_id=game.pk, winner=None, by=PUBLIC, now=NOW)
            continue
        assert seen.to_act in (0, None)  # never the policy: it has answered already
        total = seen.table.sides[0].total
        move = "next" if seen.is_between else "stand" if total >= 17 else "end"
        outcome = make_move(game_id=game.pk, seat=0, move=move, at=seen.position, by=PUBLIC, now=NOW)
        assert isinstance(outcome, Game), outcome
    record, state = record_of(again(game))
    assert (state.outcome is not None, verify(record)) == (True, ())


def test_it_leaves_no_trace_elsewhere() -> None:
    before = Act.objects.count()
    play_out(practice())
    assert (Match.objects.count(), Act.objects.count()) == (0, before)


def test_a_day_later_it_is_gone() -> None:
    game = practice()
    drop_practice(now=NOW + timedelta(hours=23))
    assert Game.objects.get() == game
    drop_practice(now=NOW + timedelta(hours=25))
    assert not Game.objects.exists()


@pytest.mark.parametrize(
    ("said", "code"),
    [
        ({"ruleset": "chess"}, "ruleset_unknown"),
        ({"policy": "nobody"}, "policy_unknown"),
        ({"policy": "stand_at:many"}, "policy_unknown"),
    ],
)
def test_what_cannot_be_practised(said: dict[str, str], code: str) -> None:
    known = {"ruleset": "standard", "policy": "original", **said}
    assert open_practice(**known, terms=TERMS, words="", seed=SEED, now=NOW) == Refused(code, status=400)


def test_there_is_an_end_to_what_strangers_can_open(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(opening, "MOST_PRACTICE", 1)
    game = practice()
    full = open_practice(ruleset="standard", policy="original", terms=TERMS, words="", seed=SEED, now=NOW)
    assert (full, Game.objects.get()) == (Refused("practice_full", status=429), game)


def test_a_policy_s_reasons_are_told_again() -> None:
    game = play_out(practice(policy="look_ahead"))
    opened = open_record(game=game, decks_open=True)
    told = [(step.move, Replay(opened, at=step.number, policy=game.policy).why) for step in Replay(opened).steps]
    acts = [(move, why) for move, why in told if isinstance(move, Play | End | Stand)]
    assert {why is not None for move, why in acts if move.seat == 1} == {True}
    assert {why for move, why in acts if move.seat == 0} == {None}
    assert {why.chances[0][0] == move for move, why in acts if why is not None} == {True}
