"""The figures the game is known by come out of simulated matches."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import astuple
from math import sqrt
from random import Random
from statistics import fmean, stdev

import pytest

from matches.engine import Ruleset, get_ruleset, with_overrides
from matches.engine.bots.original import DECKS, Original
from matches.engine.bots.stand_at import StandAt
from matches.engine.simulate import Tally, simulate
from tests.matches.engine.table import DECK

KOTOR = get_ruleset("kotor")
ENDLESS = with_overrides(KOTOR, {"main_deck": "infinite"})
SURE = 3.29
"""Standard deviations of a 99.9 % interval."""

few = pytest.param(700, id="few")
many = pytest.param(45_000, id="many", marks=pytest.mark.long)
"""At more than four and a half sets a match, over 200,000 sets."""
any_count = pytest.mark.parametrize("matches", [few, many])


def share_is(part: int, whole: int, percent: float, rounding: float = 0.05) -> bool:
    """Whether a share agrees with a published one, by its 99.9 % interval and the rounding of what was published."""
    expected = percent / 100
    return abs(part / whole - expected) <= SURE * sqrt(expected * (1 - expected) / whole) + rounding / 100


def mean_is(values: list[int], expected: float, rounding: float) -> bool:
    return abs(fmean(values) - expected) <= SURE * stdev(values) / sqrt(len(values)) + rounding


def play(ruleset: Ruleset, matches: int, decks: str = "") -> tuple[Tally, list[tuple[int, ...]]]:
    """The final tally and what each match added to it: stand at 17 without decks, else the original opponent."""
    policies = (Original(), Original()) if decks else (StandAt(17), StandAt(17))
    hands = (DECKS[decks[0]], DECKS[decks[1]]) if decks else (None, None)
    before = astuple(Tally())
    added: list[tuple[int, ...]] = []
    for tally in simulate(ruleset, policies, matches=matches, rng=Random(f"{decks}{matches}"), side_decks=hands):
        now = astuple(tally)
        added.append(tuple(b - a for a, b in zip(before, now, strict=True)))
        before = now
    return tally, added


def column(added: list[tuple[int, ...]], name: str) -> list[int]:
    at = list(Tally.__dataclass_fields__).index(name)
    return [each[at] for each in added]


@any_count
def test_two_sides_that_stand_at_17_with_an_endless_deck(matches: int) -> None:
    tally, _ = play(ENDLESS, matches)
    assert share_is(tally.opener_wins, tally.sets, 42.7)
    assert share_is(tally.opener_losses, tally.sets, 47.2)
    assert share_is(tally.ties, tally.sets, 10.1)


@any_count
def test_two_sides_that_stand_at_17_with_forty_cards(matches: int) -> None:
    tally, added = play(with_overrides(KOTOR, {"main_deck_reshuffle": "per_set"}), matches)
    assert mean_is(column(added, "sets"), 4.58, 0.005)
    turns_a_set = tally.turns / tally.sets
    spread = [
        turns - turns_a_set * sets for turns, sets in zip(column(added, "turns"), column(added, "sets"), strict=True)
    ]
    assert abs(turns_a_set - 6.72) <= SURE * stdev(spread) * sqrt(matches) / tally.sets + 0.005


WINS = {"00": 42.1, "02": 27.6, "03": 21.6, "20": 59.0, "22": 43.3, "23": 36.3, "30": 64.8, "32": 49.2, "33": 41.9}


@pytest.mark.long
@pytest.mark.parametrize("decks", WINS)
def test_the_original_opponent_wins_as_often_as_it_is_known_to(decks: str) -> None:
    """Within 1.5 points of the published table, over more than 200,000 sets a cell."""
    tally, _ = play(KOTOR, 36_000, decks)
    assert tally.sets > 200_000
    assert abs(100 * tally.a_wins / tally.matches - WINS[decks]) < 1.5


@pytest.mark.parametrize("matches", [few, pytest.param(36_000, id="many", marks=pytest.mark.long)])
def test_the_original_opponent_against_itself_with_deck_0(matches: int) -> None:
    tally, added = play(KOTOR, matches, "00")
    assert share_is(tally.a_wins, tally.matches, 42.1)
    assert share_is(tally.ties, tally.sets, 29.3)
    assert share_is(tally.nines, tally.sets, 0.007, 0.0005)
    assert mean_is(column(added, "sets"), 5.89, 0.005)
    assert mean_is(column(added, "turns"), 38.1, 0.05)
    assert mean_is(column(added, "cards"), 5.98, 0.005)


@pytest.mark.parametrize("matches", [few, pytest.param(36_000, id="many", marks=pytest.mark.long)])
@pytest.mark.parametrize(("opener", "wins"), [("alternate", 49.4), ("winner", 47.7), ("loser", 47.6)])
def test_who_opens_later_sets_matters(opener: str, wins: float, matches: int) -> None:
    tally, _ = play(with_overrides(KOTOR, {"first_player_next": opener}), matches, "00")
    assert share_is(tally.a_wins, tally.matches, wins)


@pytest.mark.parametrize("total", range(1, 20))
def test_the_chance_that_the_next_card_busts(total: int) -> None:
    busts = sum(total + value > 20 for value in range(1, 11))
    assert busts == max(0, total - 10)


# ------------------------------------------------------------------------------------------------ the counting


def running(
    ruleset: Ruleset, decks: tuple[tuple[str, ...] | None, tuple[str, ...] | None] = (None, None)
) -> Iterator[Tally]:
    return simulate(ruleset, (StandAt(17), StandAt(17)), matches=5, rng=Random(1), side_decks=decks)


def test_the_same_seed_plays_the_same_matches() -> None:
    assert [astuple(tally) for tally in running(KOTOR)] == [astuple(tally) for tally in running(KOTOR)]


@pytest.mark.parametrize("main_deck", ["finite40_shared", "finite40_each", "infinite"])
@pytest.mark.parametrize("reshuffle", ["per_set", "when_exhausted"])
def test_every_kind_of_main_deck_can_be_simulated(main_deck: str, reshuffle: str) -> None:
    ruleset = with_overrides(KOTOR, {"main_deck": main_deck, "main_deck_reshuffle": reshuffle})
    *_, tally = running(ruleset)
    assert (tally.matches, tally.a_wins + tally.b_wins) == (5, 5)
    assert tally.sets == tally.ties + tally.opener_wins + tally.opener_losses


def test_lots_and_rulings_do_not_stop_a_simulation() -> None:
    ruleset = with_overrides(get_ruleset("tsl"), {"first_player_next": "random", "max_consecutive_ties": 1})
    *_, tally = simulate(ruleset, (StandAt(20), StandAt(20)), matches=40, rng=Random(1))
    assert tally.matches == 40
    assert tally.ties > 0


def test_a_side_deck_the_ruleset_refuses_stops_it() -> None:
    with pytest.raises(ValueError, match="card_not_allowed"):
        next(running(KOTOR, (DECK, None)))
