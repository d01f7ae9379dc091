"""The cards as data: what each is called, what it may count, what it does to the side it is played on."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType
from typing import Final


class Kind(StrEnum):
    """What a card looks like, and what a price list calls it (special cards are priced by their token)."""

    MAIN = "main"
    PLUS = "plus"
    MINUS = "minus"
    PLUSMINUS = "plusminus"
    SPECIAL = "special"


@dataclass(frozen=True, slots=True)
class Card:
    """One card, known everywhere by its `token`.

    `values` are what it may be declared as: one for a card of fixed value, several where its owner chooses, none where
    its effect decides. The other fields are effects; what a card does is all said here, so a new card is one line.
    """

    token: str
    kind: Kind
    values: tuple[int, ...] = ()
    breaks_ties: bool = False
    """Its owner wins the set at equal totals, unless the other side has played one as well."""
    copies_last: bool = False
    """Worth what the last card on its owner's side is worth as it lies."""
    flips: frozenset[int] = frozenset()
    """Turns the sign of the cards of these values that lie there already; itself worth 0."""

    @property
    def is_fixed(self) -> bool:
        """Whether the card has one value only, which even a careful flip may turn."""
        return len(self.values) == 1


LOWEST_MAIN: Final = 1
HIGHEST_MAIN: Final = 10
_SIGNED: Final = range(1, 7)

MAIN_CARDS: Final[tuple[Card, ...]] = tuple(
    Card(str(value), Kind.MAIN, (value,)) for value in range(LOWEST_MAIN, HIGHEST_MAIN + 1)
)
"""The ten faces of the main deck, in order of value."""

CARDS: Final[tuple[Card, ...]] = (
    *(Card(f"+{n}", Kind.PLUS, (n,)) for n in _SIGNED),
    *(Card(f"-{n}", Kind.MINUS, (-n,)) for n in _SIGNED),
    *(Card(f"*{n}", Kind.PLUSMINUS, (n, -n)) for n in _SIGNED),
    Card("V12", Kind.SPECIAL, (1, 2, -1, -2)),
    Card("T1", Kind.SPECIAL, (1, -1), breaks_ties=True),
    Card("D", Kind.SPECIAL, copies_last=True),
    Card("F24", Kind.SPECIAL, flips=frozenset({2, 4})),
    Card("F36", Kind.SPECIAL, flips=frozenset({3, 6})),
)
"""Every card a side deck can hold, in the order they are shown and dealt in. A new one goes to the end: hands that were
dealt from a seed must come out again."""

CARD: Final[Mapping[str, Card]] = MappingProxyType({card.token: card for card in (*MAIN_CARDS, *CARDS)})
"""Every card by its token, main cards too."""

HAND_ORDER: Final[Mapping[str, int]] = MappingProxyType({card.token: at for at, card in enumerate(CARDS)})
"""Where a hand card stands in `CARDS`; main cards and unknown tokens are not in it."""

SPECIAL_TOKENS: Final = frozenset(card.token for card in CARDS if card.kind is Kind.SPECIAL)
HIGHEST_SIGNED: Final = max(abs(value) for card in CARDS for value in card.values)


def in_order(tokens: tuple[str, ...]) -> tuple[str, ...]:
    """The hand cards in the order of `CARDS`. Raises `KeyError` for a token that is no hand card."""
    return tuple(sorted(tokens, key=HAND_ORDER.__getitem__))
