"""Policies: the original opponent rule by rule, and the one that looks ahead."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from matches.engine import End, Hand, Move, Onlooker, Play, Stand, State, View, get_ruleset, new_match, view
from matches.engine.bots import POLICIES, make_policy
from matches.engine.bots.base import MILLION, Choice, Policy, Why
from matches.engine.bots.chances import GENERAL_DECK, chances_for
from matches.engine.bots.look_ahead import LookAhead
from matches.engine.bots.original import DECKS, Original
from matches.engine.bots.random_legal import RandomLegal
from matches.engine.bots.stand_at import StandAt
from matches.engine.rulesets import RULESETS, Ruleset
from matches.engine.simulate import simulate
from tests.matches.engine.table import DECK, PLAIN_DECK, after, seated

KOTOR = get_ruleset("kotor")
DECK_0, DECK_2, DECK_3 = DECKS.values()


def original(text: str, a: str = "", *, sets: tuple[int, int] = (0, 0), preset: str = "kotor") -> tuple[Move, str]:
    """What the original opponent does as A after these moves, and why."""
    choice = Original().choose(view(after(seated(preset, a=a, sets=sets), text), 0))
    return choice.move, choice.why.code


def ahead(text: str, a: str = "", *, preset: str = "kotor", sets: tuple[int, int] = (0, 0), **overrides: Any) -> Choice:
    """What the policy that looks ahead does as A after these moves."""
    state = after(seated(preset, a=a, sets=sets, **overrides), text)
    return LookAhead(state.terms.ruleset).choose(view(state, 0))


# ------------------------------------------------------------------------------------------------ simple ones


def test_stand_at_stands_from_its_limit_on() -> None:
    state = after(seated(a="+1"), "A 10 end | B 5 end | A 6")
    assert StandAt(16).choose(view(state, 0)).move == Stand(0)
    assert StandAt(17).choose(view(state, 0)).move == End(0)


def test_random_legal_takes_every_move_there_is() -> None:
    seen = view(after(seated(a="*4"), "A 10"), 0)
    turned = iter(range(4))
    policy = RandomLegal(lambda limit: next(turned) % limit)
    moves = [policy.choose(seen).move for _ in range(4)]
    assert moves == [End(0), Stand(0), Play(0, "*4", 4), Play(0, "*4", -4)]


@pytest.mark.parametrize("name", POLICIES)
def test_no_policy_chooses_for_others_or_out_of_turn(name: str) -> None:
    policy = make_policy(name, ruleset=KOTOR, below=Random(1).randrange)
    drawn = after(seated(), "A 10")
    for view_of in (view(seated(), 0), view(drawn, 1), view(drawn, Onlooker.REFEREE)):
        with pytest.raises(ValueError, match="nothing to choose"):
            policy.choose(view_of)


def test_a_policy_is_made_by_its_name_and_argument() -> None:
    stands = make_policy("stand_at:15", ruleset=KOTOR, below=Random(1).randrange)
    assert isinstance(stands, StandAt)
    assert stands.limit == 15
    with pytest.raises(KeyError):
        make_policy("cheater", ruleset=KOTOR, below=Random(1).randrange)
    with pytest.raises(ValueError, match="invalid literal"):
        make_policy("stand_at:high", ruleset=KOTOR, below=Random(1).randrange)


@pytest.mark.parametrize("name", POLICIES)
@pytest.mark.parametrize("ruleset", RULESETS, ids=lambda ruleset: ruleset.key)
def test_every_policy_plays_every_ruleset_to_the_end(name: str, ruleset: Ruleset) -> None:
    deck = DECK if ruleset.special_cards else PLAIN_DECK
    below = Random(1).randrange
    policies = tuple(
        make_policy(each, ruleset=ruleset, below=below, side_deck=GENERAL_DECK) for each in (name, "random")
    )
    found = simulate(ruleset, (policies[0], policies[1]), matches=3, rng=Random(2), side_decks=(deck, deck))
    assert [tally.matches for tally in found] == [1, 2, 3]


# ------------------------------------------------------------------------------------------------ the original


def test_r40_ahead_of_a_side_that_stood_it_stands() -> None:
    assert original("A 3 end | B 2 stand | A 1") == (Stand(0), "ahead_of_stood")


def test_r41_it_plays_to_twenty() -> None:
    assert original("A 10 end | B 5 end | A 5", "+5 +1") == (Play(0, "+5", 5), "good_total")


def test_r41_of_equal_cards_it_keeps_the_plus_minus_card() -> None:
    assert original("A 10 end | B 5 end | A 6", "*4 +4") == (Play(0, "+4", 4), "good_total")


def test_r41_nineteen_is_good_where_it_can_still_fall_to_twelve() -> None:
    assert original("A 10 end | B 5 end | A 6", "+3") == (Play(0, "+3", 3), "good_total")
    assert original("A 10 end | B 5 end | A 6", "+3 -6") == (End(0), "room_left")


def test_r41_eighteen_is_good_where_it_cannot_fall_below_fourteen() -> None:
    assert original("A 10 end | B 5 end | A 6", "+2 -2") == (Play(0, "+2", 2), "good_total")
    assert original("A 10 end | B 5 end | A 6", "+2 -3") == (End(0), "room_left")


def test_r41_it_plays_no_card_below_the_other_s_total() -> None:
    assert original("A 10 end | B 10 end | A 7 end | B 9 stand | A 2", "-1 +1") == (Play(0, "+1", 1), "good_total")
    assert original("A 10 end | B 10 end | A 2 end | B 9 stand | A 2", "+4") == (End(0), "behind_stood")


def test_r42_over_twenty_it_repairs_with_the_best_card() -> None:
    assert original("A 10 end | B 5 end | A 6 end | B 5 end | A 5", "-5 -6") == (Play(0, "-5", -5), "repair")
    assert original("A 10 end | B 5 end | A 6 end | B 5 end | A 8", "-3") == (End(0), "set_given_up")


def test_r42_it_gives_a_set_up_unless_it_would_lose_the_match() -> None:
    text = "A 10 end | B 10 end | A 6 end | B 9 end | A 8"
    assert original(text, "-6") == (End(0), "set_given_up")
    assert original(text, "-6", sets=(0, 2)) == (Play(0, "-6", -6), "repair")


def test_r43_behind_a_side_that_stood_it_goes_on() -> None:
    assert original("A 10 end | B 10 end | A 7 end | B 9 stand | A 1") == (End(0), "behind_stood")


def test_r43_without_hand_cards_it_stands_from_sixteen() -> None:
    assert original("A 10 end | B 5 end | A 5") == (End(0), "room_left")
    assert original("A 10 end | B 5 end | A 6") == (Stand(0), "enough")


def test_r43_after_a_card_it_asks_what_the_rest_of_the_hand_could_do() -> None:
    repaired = "A 10 end | B 5 end | A 6 end | B 5 end | A 7 -6"
    assert original(repaired, "-6 -3") == (End(0), "room_left")
    assert original(repaired, "-6 +1") == (Stand(0), "enough")


def test_r43_a_flip_and_a_double_count_as_what_they_would_give() -> None:
    assert original("A 8 end | B 5 end | A 2", "F24", preset="tsl") == (End(0), "room_left")
    assert original("A 1 end | B 5 end | A 9 end | B 5 end | A 5", "D", preset="tsl") == (Play(0, "D"), "good_total")


# ------------------------------------------------------------------------------------------------ looking ahead


def test_it_stands_when_the_other_has_stood_lower() -> None:
    choice = ahead("A 10 end | B 9 stand | A 4")
    assert (choice.move, choice.why.code) == (Stand(0), "best_chance")


def test_its_reason_is_every_move_with_its_chance_best_first() -> None:
    choice = ahead("A 10 end | B 5 end | A 6", "+4 -1")
    chances = [chance for _, chance in choice.why.chances]
    assert chances == sorted(chances, reverse=True)
    assert choice.why.chances[0][0] == choice.move
    assert {move for move, _ in choice.why.chances} == {End(0), Stand(0), Play(0, "+4", 4), Play(0, "-1", -1)}
    assert all(0 <= chance <= MILLION for chance in chances)


LAST_SET = (2, 2)
BEHIND = "A 10 end | B 10 end | A 7 end | B 9 stand | A 1"
"""A has 18 and B has stood at 19. A one ties, which is half a match; a two wins; all else is a bust."""


def chances(choice: Choice) -> dict[Move, int]:
    return dict(choice.why.chances)


def test_the_next_draw_has_the_chances_of_the_cards_left() -> None:
    """Of 35 cards three are ones and four are twos; from an endless deck each comes one time in ten."""
    assert chances(ahead(BEHIND, sets=LAST_SET))[End(0)] == (3 * MILLION // 2 + 4 * MILLION) // 35
    endless = chances(ahead(BEHIND, sets=LAST_SET, main_deck="infinite"))
    assert endless == {End(0): 150_000, Stand(0): 0}


def test_each_side_draws_from_its_own_deck_where_it_has_one() -> None:
    """Of A's 37 cards three are ones and four twos."""
    own = chances(ahead(BEHIND, sets=LAST_SET, main_deck="finite40_each"))
    assert own[End(0)] == (3 * MILLION // 2 + 4 * MILLION) // 37


def test_an_empty_deck_is_taken_to_be_whole_again() -> None:
    """The fortieth card has just come: every value has four cards in the next deck."""
    state = after(seated("kotor", sets=LAST_SET), BEHIND)
    choice = LookAhead(KOTOR).choose(view(state._replace(main=(0,)), 0))
    assert chances(choice)[End(0)] == 150_000


def test_in_the_last_set_a_card_is_worth_nothing_kept() -> None:
    assert ahead("A 10 end | B 10 end | A 7 end | B 9 stand | A 1", "+2 +1", sets=LAST_SET).move == Play(0, "+2", 2)


def test_a_card_is_kept_where_the_set_is_won_without_it() -> None:
    assert ahead("A 10 end | B 9 stand | A 4", "+6").move == Stand(0)


def test_a_lost_set_is_let_go_for_the_sake_of_the_cards() -> None:
    """B has stood at 20. Repairing the bust could at best lead to a tie; where hands come anew that costs nothing."""
    text = "A 10 end | B 10 end | A 4 end | B 10 | A 8"
    assert ahead(text, "-3 -4").move == End(0)
    assert ahead(text, "-3 -4", preset="table").move == Play(0, "-4", -4)


def test_a_tiebreaker_turns_equal_totals() -> None:
    choice = ahead("A 10 end | B 10 end | A 8 end | B 9 stand | A 1", "T1 +1", preset="tsl", sets=LAST_SET)
    assert chances(choice)[Play(0, "+1", 1)] == MILLION
    tied = ahead("A 10 end | B 10 end | A 7 end | B 9 stand | A 1", "T1 +1", preset="tsl", sets=LAST_SET)
    assert tied.move == Play(0, "T1", 1)
    assert chances(tied)[Play(0, "T1", 1)] == MILLION


def test_the_other_s_tiebreaker_is_reckoned_with() -> None:
    state = after(seated("tsl", b="T1", sets=LAST_SET), "A 10 end | B 10 T1=+1 end | A 6 end | B 8 stand | A 3")
    assert chances(LookAhead(state.terms.ruleset).choose(view(state, 0)))[Stand(0)] == 0


EIGHT = "A 1 end | B 10 end | A 1 end | B 9 stand | A 1 end | A 1 end | A 2 end | A 2 end | A 2 end | A 2"


def test_the_ninth_place_is_reckoned_with() -> None:
    """With twelve on eight places all but a nine and a ten win at once, or compare with nineteen."""
    wins = chances(ahead(EIGHT, preset="senate", sets=LAST_SET, main_deck="infinite"))
    assert wins[End(0)] == 800_000
    stands = chances(ahead(EIGHT, preset="kotor", sets=LAST_SET, main_deck="infinite"))
    assert stands[End(0)] == (MILLION // 2 + MILLION) // 10


def test_a_card_on_the_ninth_place_wins_or_stands() -> None:
    choice = ahead(EIGHT, "+1", preset="senate", sets=LAST_SET)
    assert chances(choice)[Play(0, "+1", 1)] == MILLION
    assert chances(ahead(EIGHT, "+1", preset="kotor", sets=LAST_SET))[Play(0, "+1", 1)] == 0


def test_against_a_side_over_twenty_any_total_wins() -> None:
    text = "A 2 end | B 10 end | A 2 end | B 9 end | A 2 end | B 4 end | A 2"
    assert chances(ahead(text, preset="kotor", sets=LAST_SET, set_ends_on_bust=False))[Stand(0)] == MILLION


def test_a_hand_nobody_told_is_not_played_from() -> None:
    start = new_match(KOTOR)
    assert isinstance(start, State)
    state = after(start, "open A (?) (?) | A 10")
    choice = LookAhead(KOTOR).choose(view(state, 0))
    assert set(chances(choice)) == {End(0), Stand(0)}


def test_its_chances_add_up_to_certainty() -> None:
    book = chances_for(GENERAL_DECK, hands_last=True)
    for cards in range(5):
        assert book.worth(1, 1, cards, cards) == MILLION // 2
        for others in range(5):
            assert book.worth(3, 1, cards, others) + book.worth(1, 3, others, cards) == MILLION
    assert book.worth(9, 2, 1, 1) == book.worth(3, 2, 1, 1)


def test_more_cards_and_fewer_sets_to_win_are_better() -> None:
    book = chances_for(DECK_0, hands_last=True)
    by_cards = [book.worth(3, 3, cards, 2) for cards in range(5)]
    by_sets = [book.worth(needed, 2, 2, 2) for needed in (3, 2, 1)]
    assert by_cards == sorted(by_cards)
    assert by_sets == sorted(by_sets)


def test_without_cards_its_chances_are_those_of_a_plain_recursion() -> None:
    """Endless deck, deciding set, no hand cards: win is 1, tie a half. Checked against a few lines of floats."""
    known: dict[tuple[int, int, bool], float] = {}

    def due(x: int, y: int, alone: bool) -> float:
        if (x, y, alone) not in known:
            known[x, y, alone] = sum(kept(x + value, y, alone) for value in range(1, 11)) / 10
        return known[x, y, alone]

    def kept(x: int, y: int, alone: bool) -> float:
        if x > 20:
            return 0.0
        stand = (x > y) + (x == y) / 2 if alone else 1 - due(y, x, True)
        return stand if x == 20 else max(stand, due(x, y, True) if alone else 1 - due(y, x, False))

    seat = chances_for(DECK_0, hands_last=True).seat(1, 1)
    for y in range(21):
        for x in range(21):
            assert abs(seat.due_chase[0][0][y][x] / MILLION - due(x, y, True)) < 1e-4
            assert abs(seat.due_duel[0][0][y][x] / MILLION - due(x, y, False)) < 1e-4


@pytest.mark.parametrize(
    ("deck", "matches", "percent"),
    [
        pytest.param(DECK_0, 300, 50, id="deck 0"),
        pytest.param(DECK_0, 5_000, 56, id="deck 0, many", marks=pytest.mark.long),
        pytest.param(DECK_2, 5_000, 54, id="deck 2, many", marks=pytest.mark.long),
        pytest.param(DECK_3, 5_000, 58, id="deck 3, many", marks=pytest.mark.long),
    ],
)
def test_it_beats_the_original_with_the_same_deck(deck: Hand, matches: int, percent: int) -> None:
    """As many matches in either seat. It wins about 57, 55 and 59 of a hundred; the same player in both seats, 50."""
    new, old = LookAhead(KOTOR, deck), Original()
    *_, first = simulate(KOTOR, (new, old), matches=matches, rng=Random(1), side_decks=(deck, deck))
    *_, second = simulate(KOTOR, (old, new), matches=matches, rng=Random(2), side_decks=(deck, deck))
    assert 100 * (first.a_wins + second.b_wins) > percent * 2 * matches


class Cheat(Policy):
    """Plays a card it does not hold."""

    key = "cheat"

    def choose(self, view: View) -> Choice:
        return Choice(Play(0, "D"), Why("why_not"))


def test_a_policy_that_cheats_is_caught() -> None:
    with pytest.raises(ValueError, match="card_not_in_hand"):
        next(simulate(KOTOR, (Cheat(), Cheat()), matches=1, rng=Random(1)))
