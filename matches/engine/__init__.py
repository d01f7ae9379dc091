"""The rules of pazaak as a pure library: no Django, no clock, no random generator of its own, no text for people.

    state = new_match(get_ruleset("standard"), (deck_a, deck_b))   # a State, or a Refusal
    state = apply(state, OpenSet(opener=A, hands=(hand_a, hand_b)))  # chance comes from outside
    for move in legal_moves(state): ...
    view(state, B)                                                   # what B may know
    outcome(state)                                                   # None until the match is over

`docs/rules.md` numbers the rules, `docs/dealing.md` says how a seed becomes cards, `docs/notation.md` how a match is
written down. Policies are in `matches.engine.bots`, scenarios and simulations in modules of those names.
"""

from __future__ import annotations

from matches.engine.cards import CARD, CARDS, MAIN_CARDS, Card, Kind
from matches.engine.dealing import SEED_BYTES, commitment, high_cards, match_key, next_from_outside, reveal, verify
from matches.engine.moves import (
    Draw,
    End,
    Forfeit,
    IllegalMove,
    MalformedMove,
    Move,
    OpenSet,
    Play,
    Ruling,
    Stand,
    Timeout,
    declared,
)
from matches.engine.notation import BadText, format_record, parse_record
from matches.engine.play import (
    apply,
    hands_due,
    legal_moves,
    new_match,
    next_opener,
    outcome,
    ruling_due,
    score_of,
    set_up,
)
from matches.engine.record import Record, RecordError, SeedDeal, replay
from matches.engine.refusal import Refusal
from matches.engine.rulesets import (
    RULESETS,
    Ruleset,
    RulesetError,
    get_ruleset,
    options_of,
    overrides_of,
    with_overrides,
)
from matches.engine.score import CheckedScore, Reason, Score, SetScore, check_score
from matches.engine.side_deck import CLUB_DECK, check_side_deck, is_admitted
from matches.engine.stakes import Settlement, check_wagers, cost_of_cards, settle
from matches.engine.state import A, B, Ending, Hand, Outcome, Phase, Placed, SetResult, Side, State
from matches.engine.views import Onlooker, SideView, View, Viewer, redact, view

__all__ = [
    "CARD",
    "CARDS",
    "CLUB_DECK",
    "MAIN_CARDS",
    "RULESETS",
    "SEED_BYTES",
    "A",
    "B",
    "BadText",
    "Card",
    "CheckedScore",
    "Draw",
    "End",
    "Ending",
    "Forfeit",
    "Hand",
    "IllegalMove",
    "Kind",
    "MalformedMove",
    "Move",
    "Onlooker",
    "OpenSet",
    "Outcome",
    "Phase",
    "Placed",
    "Play",
    "Reason",
    "Record",
    "RecordError",
    "Refusal",
    "Ruleset",
    "RulesetError",
    "Ruling",
    "Score",
    "SeedDeal",
    "SetResult",
    "SetScore",
    "Settlement",
    "Side",
    "SideView",
    "Stand",
    "State",
    "Timeout",
    "View",
    "Viewer",
    "apply",
    "check_score",
    "check_side_deck",
    "check_wagers",
    "commitment",
    "cost_of_cards",
    "declared",
    "format_record",
    "get_ruleset",
    "hands_due",
    "high_cards",
    "is_admitted",
    "legal_moves",
    "match_key",
    "new_match",
    "next_from_outside",
    "next_opener",
    "options_of",
    "outcome",
    "overrides_of",
    "parse_record",
    "redact",
    "replay",
    "reveal",
    "ruling_due",
    "score_of",
    "set_up",
    "settle",
    "verify",
    "view",
    "with_overrides",
]
