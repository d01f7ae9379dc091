"""Dealing anyone can check: draws, hands and lots that follow from a committed seed (`docs/dealing.md`)."""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Iterator, Sequence
from itertools import chain, count
from typing import Final, TypeVar

from matches.engine import main_deck
from matches.engine.cards import HIGHEST_MAIN, LOWEST_MAIN
from matches.engine.moves import Draw, Move, OpenSet
from matches.engine.play import apply, hands_due, new_match, next_opener, ruling_due
from matches.engine.record import Record, SeedDeal, at_move
from matches.engine.refusal import Refusal
from matches.engine.rulesets.base import FirstPlayerFirst, HandDeal, Reshuffle
from matches.engine.state import LETTERS, A, B, Hand, Phase, State

SCHEME: Final = b"pazaak-deal/1"
SEED_BYTES: Final = 32
_WORD_RANGE: Final = 1 << 32

T = TypeVar("T")


def commitment(seed: bytes) -> str:
    """What is shown before anything is dealt: the SHA-256 of the 32 secret bytes, as hex.

    Raises `ValueError` for a seed of another length.
    """
    if len(seed) != SEED_BYTES:
        raise ValueError(f"a seed has {SEED_BYTES} bytes")
    return hashlib.sha256(seed).hexdigest()


def match_key(seed: bytes, words: tuple[str, str] = ("", "")) -> bytes:
    """The key of one match: the seed bound to the words that A and B added after they had seen the commitment."""
    message = SCHEME
    for each in words:
        text = each.encode()
        message += len(text).to_bytes(4, "big") + text
    return hmac.digest(seed, message, "sha256")


class Stream:
    """Numbers that follow from a key and a label; another label is another, unrelated stream."""

    def __init__(self, key: bytes, label: str) -> None:
        self._words = _words(key, label)

    def below(self, limit: int) -> int:
        """The next number from 0 to `limit - 1`, each equally likely: words past the last whole multiple are skipped.

        `limit` is from 1 to 2**32.
        """
        fair = _WORD_RANGE - _WORD_RANGE % limit
        return next(word for word in self._words if word < fair) % limit

    def taken(self, items: Sequence[T], count: int) -> list[T]:
        """The first `count` of the shuffled items; all of them in order of drawing when `count` is their number."""
        pool = list(items)
        for at in range(min(count, len(pool) - 1)):
            other = at + self.below(len(pool) - at)
            pool[at], pool[other] = pool[other], pool[at]
        return pool[:count]


def _words(key: bytes, label: str) -> Iterator[int]:
    """The 32-bit words of a stream: eight from each HMAC of label, zero byte and block number."""
    number = 0
    while True:
        block = hmac.digest(key, label.encode() + b"\0" + number.to_bytes(4, "big"), "sha256")
        yield from (int.from_bytes(block[at : at + 4], "big") for at in range(0, 32, 4))
        number += 1


# ------------------------------------------------------------------------------------------------ what is dealt


def whole_deck(key: bytes, label: str) -> list[int]:
    """Forty main cards in the order they are drawn."""
    values = [value for value in main_deck.VALUES for _ in range(main_deck.COPIES)]
    return Stream(key, label).taken(values, main_deck.FULL_SIZE)


def high_cards(key: bytes) -> tuple[tuple[int, int], ...]:
    """The cards A and B turn to settle who opens: pair after pair from a deck of its own until one is higher."""
    cards = chain.from_iterable(whole_deck(key, f"high-card/{number}") for number in count(1))
    pairs: list[tuple[int, int]] = []
    while True:
        a, b = next(cards), next(cards)
        pairs.append((a, b))
        if a != b:
            return tuple(pairs)


def next_from_outside(key: bytes, state: State, *, agreed: int | None = None) -> Move | None:
    """The draw or opening that the key gives in this state; None when a player, a referee or nobody is to act.

    `agreed` is who opens the first set where the ruleset leaves that to the players; without it A does.
    """
    if state.phase is Phase.OPEN:
        return None if state.drawn else next_draw(key, state)
    if state.phase is Phase.OVER or ruling_due(state):
        return None
    return OpenSet(_opener(key, state, agreed), _hands(key, state) if hands_due(state) else None)


def next_draw(key: bytes, state: State) -> Draw:
    """The main card that comes next to the side whose turn it is. Raises `ValueError` when no side is to draw."""
    seat, ruleset = state.turn, state.terms.ruleset
    if seat is None or state.drawn:
        raise ValueError("no draw is due")
    each = len(state.main) == 2
    draws = state.sides[seat].draws if each else sum(side.draws for side in state.sides)
    if not state.main:
        return Draw(seat, LOWEST_MAIN + Stream(key, f"draw/{draws + 1}").below(HIGHEST_MAIN))
    if ruleset.main_deck_reshuffle is Reshuffle.PER_SET:
        number, at = state.set_number, main_deck.FULL_SIZE - main_deck.size(state.main[seat if each else 0])
    else:
        number, at = draws // main_deck.FULL_SIZE + 1, draws % main_deck.FULL_SIZE
    label = f"deck/{LETTERS[seat]}/{number}" if each else f"deck/{number}"
    return Draw(seat, whole_deck(key, label)[at])


def _opener(key: bytes, state: State, agreed: int | None) -> int:
    by_rule = next_opener(state)
    if by_rule is not None:
        return by_rule
    if state.opener is None:
        rule = state.terms.ruleset.first_player_first
        if rule is FirstPlayerFirst.AGREED:
            return A if agreed is None else agreed
        if rule is FirstPlayerFirst.HIGH_CARD:
            a, b = high_cards(key)[-1]
            return A if a > b else B
    return Stream(key, f"opener/{state.set_number}").below(2)


def _hands(key: bytes, state: State) -> tuple[Hand | None, Hand | None]:
    a, b = (_hand(key, state, seat) for seat in (A, B))
    return a, b


def _hand(key: bytes, state: State, seat: int) -> Hand | None:
    """The hand of a seat; None where its side deck is not known and so cannot be dealt from."""
    ruleset, deck = state.terms.ruleset, state.terms.side_decks[seat]
    if deck is None:
        return None
    label = f"hand/{LETTERS[seat]}"
    if ruleset.hand_deal is HandDeal.PER_SET:
        label += f"/{state.set_number}"
    return tuple(Stream(key, label).taken(deck, ruleset.hand_size))


# ------------------------------------------------------------------------------------------------ what was dealt


def verify(record: Record) -> tuple[Refusal, ...]:
    """Everything in which a record differs from what its revealed seed deals; empty when all of it follows.

    Codes: `not_from_a_seed`, `seed_not_revealed`, `commitment_differs`, `dealt_otherwise` (with `move`, the index of
    the move), and the refusals of `replay` when the record cannot be played. An opener that the players agreed on is
    taken as recorded; hands of an unknown side deck are taken as recorded.
    """
    if record.deal is None:
        return (Refusal.of("not_from_a_seed"),)
    if record.deal.seed is None:
        return (Refusal.of("seed_not_revealed"),)
    seed = bytes.fromhex(record.deal.seed)
    found: list[Refusal] = []
    if commitment(seed) != record.deal.commitment:
        found.append(Refusal.of("commitment_differs"))
    key = match_key(seed, record.deal.words)
    state = new_match(record.ruleset, record.side_decks)
    if isinstance(state, Refusal):
        return (*found, state)
    for index, move in enumerate(record.moves):
        if isinstance(move, Draw | OpenSet) and not _is_as_dealt(key, state, move):
            found.append(Refusal.of("dealt_otherwise", move=index))
        after = apply(state, move)
        if isinstance(after, Refusal):
            return (*found, at_move(after, index))
        state = after
    return tuple(found)


def _is_as_dealt(key: bytes, state: State, move: Draw | OpenSet) -> bool:
    """Whether a recorded move from outside is the one the key gives. One that is not due is for `apply` to refuse."""
    agreed = move.opener if isinstance(move, OpenSet) else None
    due = next_from_outside(key, state, agreed=agreed)
    if due is None or type(due) is not type(move):
        return True
    if isinstance(move, Draw) or not isinstance(due, OpenSet):
        return move == due
    opener = next_opener(state) if move.opener is None else move.opener
    if opener != due.opener:
        return False
    pairs = zip(move.hands or (), due.hands or (), strict=False)
    return all(dealt is None or (given is not None and sorted(given) == sorted(dealt)) for given, dealt in pairs)


def reveal(deal: SeedDeal, seed: bytes) -> SeedDeal:
    """The deal with its seed shown. Raises `ValueError` when the seed is not the one committed to."""
    if commitment(seed) != deal.commitment:
        raise ValueError("not the seed of this commitment")
    return SeedDeal(deal.commitment, deal.words, seed.hex())
