"""The record of a match: its terms and every move, enough to show any moment of it again."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from matches.engine.cards import CARD, HAND_ORDER, Card
from matches.engine.main_deck import VALUES
from matches.engine.moves import Draw, Move, OpenSet, Play, Ruling
from matches.engine.play import apply, new_match
from matches.engine.refusal import Refusal
from matches.engine.rulesets import RULESETS, Ruleset
from matches.engine.rulesets.base import DrawSource
from matches.engine.state import A, B, Hand, State

MOST_MOVES: Final = 20_000
MOST_TAGS: Final = 64
LONGEST_TEXT: Final = 500
"""Characters a tag value or a player's words may have."""

RESERVED_TAGS: Final = frozenset(
    {"Pazaak", "Ruleset", "Option", "SideDeckA", "SideDeckB", "Commitment", "WordsA", "WordsB", "Seed"}
)
_WIDEST: Final = 1_000
_TAG_NAME: Final = re.compile(r"[A-Z][A-Za-z0-9]{0,39}")
_HEX_32_BYTES: Final = re.compile(r"[0-9a-f]{64}")


class RecordError(ValueError):
    """A record that cannot be written down; `refusal` says why."""

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(refusal.code)
        self.refusal = refusal


@dataclass(frozen=True, slots=True)
class SeedDeal:
    """That draws, hands and lots follow from a secret seed (`docs/dealing.md`).

    `commitment` is the SHA-256 of the seed as hex, shown before anything is dealt; `words` are what A and B added to
    it; `seed` is the seed as hex once it is revealed, None before.
    """

    commitment: str
    words: tuple[str, str] = ("", "")
    seed: str | None = None


@dataclass(frozen=True, slots=True)
class Record:
    """A match as it went: everything that `replay` needs, and tags that say who, where and when.

    `side_decks` are those of A and B, None where not known. `deal` is None when draws were entered from outside (real
    cards, an outside source), as it must be where the ruleset says so. `tags` are pairs of a name and a text in the
    order they are written.

    Raises `RecordError` for what the notation cannot hold: `unknown_ruleset`, `bad_side_deck`, `deal_from_outside`,
    `bad_deal`, `bad_tag`, `bad_text`, `too_many_tags`, `too_many_moves`, or `bad_move` with the index of the move as
    `move`. Whether the moves are legal is for `replay` to say.
    """

    ruleset: Ruleset
    moves: tuple[Move, ...] = ()
    side_decks: tuple[Hand | None, Hand | None] = (None, None)
    deal: SeedDeal | None = None
    tags: tuple[tuple[str, str], ...] = ()

    def __post_init__(self) -> None:
        refusal = _refusal_of(self)
        if refusal is not None:
            raise RecordError(refusal)


def replay(record: Record, upto: int | None = None) -> State | Refusal:
    """The state after the first `upto` moves (all of them when None).

    Refused as `new_match` refuses; or, with the index of the move as `move`, as `apply` refuses.
    """
    state = new_match(record.ruleset, record.side_decks)
    if isinstance(state, Refusal):
        return state
    for index, move in enumerate(record.moves[:upto]):
        after = apply(state, move)
        if isinstance(after, Refusal):
            return at_move(after, index)
        state = after
    return state


def at_move(refusal: Refusal, index: int) -> Refusal:
    """The refusal of a move with its place in the record."""
    return Refusal.of(refusal.code, **{**dict(refusal.params), "move": index})


def _refusal_of(record: Record) -> Refusal | None:
    if all(record.ruleset.key != ruleset.key for ruleset in RULESETS):
        return Refusal.of("unknown_ruleset")
    if any(deck is not None and not _are_cards(deck) for deck in record.side_decks):
        return Refusal.of("bad_side_deck")
    if record.deal is not None:
        if record.ruleset.draw_source is DrawSource.EXTERNAL:
            return Refusal.of("deal_from_outside")
        if not _is_deal(record.deal):
            return Refusal.of("bad_deal")
    if len(record.tags) > MOST_TAGS:
        return Refusal.of("too_many_tags", most=MOST_TAGS)
    for name, text in record.tags:
        if not _TAG_NAME.fullmatch(name) or name in RESERVED_TAGS:
            return Refusal.of("bad_tag")
        if not is_text(text):
            return Refusal.of("bad_text")
    if len(record.moves) > MOST_MOVES:
        return Refusal.of("too_many_moves", most=MOST_MOVES)
    for index, move in enumerate(record.moves):
        if not _is_well_formed(move):
            return Refusal.of("bad_move", move=index)
    return None


def is_text(text: str) -> bool:
    """Whether a tag or a player's words can be written: not too long, and no half of a surrogate pair."""
    return len(text) <= LONGEST_TEXT and not any("\ud800" <= letter <= "\udfff" for letter in text)


def _is_deal(deal: SeedDeal) -> bool:
    keys = (deal.commitment,) if deal.seed is None else (deal.commitment, deal.seed)
    return all(_HEX_32_BYTES.fullmatch(key) for key in keys) and all(is_text(words) for words in deal.words)


def _are_cards(tokens: Hand) -> bool:
    return all(token in HAND_ORDER for token in tokens)


def _is_well_formed(move: Move) -> bool:
    """Whether the move names only seats, cards and values that exist."""
    match move:
        case OpenSet(opener, hands):
            known = [hand for hand in hands or () if hand is not None]
            return opener in (A, B, None) and all(_are_cards(hand) for hand in known)
        case Draw(seat, value):
            return seat in (A, B) and value in VALUES
        case Play(seat, token, value):
            return seat in (A, B) and token in HAND_ORDER and _is_declared(CARD[token], value)
        case Ruling(winner):
            return winner in (A, B, None)
        case _:
            return move.seat in (A, B)


def _is_declared(card: Card, value: int | None) -> bool:
    """Whether a value can be written beside the card: a card of one value always says it, for text leaves it out."""
    return not card.is_fixed if value is None else type(value) is int and abs(value) < _WIDEST
