"""What a ruleset is: every option of the game as frozen data that is checked when it is made."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from enum import StrEnum
from types import MappingProxyType
from typing import Final

from matches.engine.cards import SPECIAL_TOKENS, Kind
from matches.engine.refusal import Refusal


class MainDeck(StrEnum):
    """What the main cards are drawn from."""

    FINITE40_SHARED = "finite40_shared"
    """Four of each 1 to 10, shared by both sides."""
    INFINITE = "infinite"
    """Every draw is 1 to 10 alike, whatever came before."""
    FINITE40_EACH = "finite40_each"
    """Four of each 1 to 10 for each side."""


class Reshuffle(StrEnum):
    """When a finite main deck is made whole again."""

    PER_SET = "per_set"
    """Before each set."""
    WHEN_EXHAUSTED = "when_exhausted"
    """At the first draw after the fortieth card, cards on the table included."""


class HandDeal(StrEnum):
    """How long a hand has to last."""

    PER_MATCH = "per_match"
    PER_SET = "per_set"
    """A new hand, from the whole side deck, for each set; after a tied set too."""


class NinthCard(StrEnum):
    """What the ninth card on a side does when its total is 20 or less."""

    AUTO_STAND = "auto_stand"
    AUTO_WIN = "auto_win"


class BustTiming(StrEnum):
    """When a total over 20 is judged."""

    END_OF_TURN = "end_of_turn"
    """When the turn ends: a hand card may still repair it."""
    IMMEDIATE = "immediate"
    """As soon as a card leaves the total over 20."""


class TieRule(StrEnum):
    """What equal totals lead to."""

    REPLAY = "replay"
    """No set point; another set is played."""


class TiebreakerRule(StrEnum):
    """When a tiebreaker card counts."""

    FLAG = "flag"
    """If its owner played it at any time in this set."""
    LAST_CARD = "last_card"
    """Only if it is the last card on its owner's side."""


class FlipScope(StrEnum):
    """Whose cards a flip card turns."""

    OWN = "own"
    BOTH = "both"


class FlipSigns(StrEnum):
    """Which way a flip card turns signs."""

    BOTH_WAYS = "both_ways"
    POSITIVE_ONLY = "positive_only"


class FlipTargets(StrEnum):
    """Which cards of the right value a flip card turns."""

    ANY_CARD = "any_card"
    MAIN_AND_FIXED = "main_and_fixed"
    """Main, plus and minus cards; played plus/minus and special cards keep their sign."""


class FirstPlayerFirst(StrEnum):
    """Who opens the first set."""

    HIGH_CARD = "high_card"
    RANDOM = "random"
    AGREED = "agreed"
    PLAYER_A = "player_a"


class FirstPlayerNext(StrEnum):
    """Who opens a later set."""

    SAME = "same"
    ALTERNATE = "alternate"
    WINNER = "winner"
    LOSER = "loser"
    RANDOM = "random"


class WagerMode(StrEnum):
    """Whether stakes are put in."""

    OPTIONAL = "optional"
    FORBIDDEN = "forbidden"
    REQUIRED = "required"


class CutBase(StrEnum):
    """What the Dealer's cut is taken from."""

    POT = "pot"
    NET = "net"
    """The loser's stake alone."""


class DrawSource(StrEnum):
    """Where draws and hands come from."""

    ENGINE_RNG = "engine_rng"
    """From the committed seed (`dealing.py`)."""
    EXTERNAL = "external"
    """Entered from outside: an outside source, or real cards on a table."""


PRICED_KINDS: Final = (Kind.PLUS.value, Kind.MINUS.value, Kind.PLUSMINUS.value)
"""The kinds every ruleset admits in a side deck; special cards are admitted and priced one by one, by token."""

GOLD_CARDS: Final = frozenset({"D", "T1", "V12", "F24", "F36"})
"""The special cards of the second video game. Named one by one: a card made later is not in rulesets made before."""

_RANGES: Final[Mapping[str, tuple[int, int | None]]] = MappingProxyType(
    {
        "sets_to_win": (1, None),
        "board_size": (9, 9),
        "side_deck_size": (10, 10),
        "side_deck_min": (4, 10),
        "side_deck_copies_limit": (1, None),
        "hand_size": (4, 4),
        "hand_cards_per_turn": (1, 4),
        "max_consecutive_ties": (1, None),
        "wager_min": (0, None),
        "dealer_cut_percent": (0, 100),
    }
)
_NULLABLE: Final = frozenset({"side_deck_copies_limit", "max_consecutive_ties", "card_prices"})
_FLAGS: Final = frozenset({"auto_stand_at_20", "set_ends_on_bust", "wager_min_exclusive", "wagers_must_match"})
_ENUMS: Final[Mapping[str, type[StrEnum]]] = MappingProxyType(
    {
        "main_deck": MainDeck,
        "main_deck_reshuffle": Reshuffle,
        "hand_deal": HandDeal,
        "ninth_card": NinthCard,
        "bust_timing": BustTiming,
        "tie_rule": TieRule,
        "tiebreaker_rule": TiebreakerRule,
        "flip_scope": FlipScope,
        "flip_signs": FlipSigns,
        "flip_targets": FlipTargets,
        "first_player_first": FirstPlayerFirst,
        "first_player_next": FirstPlayerNext,
        "wager_mode": WagerMode,
        "dealer_cut_base": CutBase,
        "draw_source": DrawSource,
    }
)


class RulesetError(ValueError):
    """A ruleset that cannot be: `refusals` says everything that is wrong with it.

    Codes: `option_unknown`, `option_malformed`, `option_out_of_range` (with `option`), and the contradictions
    `side_deck_min_over_size`, `hand_over_side_deck`, `wager_forbidden_with_terms`, `exclusive_without_minimum`,
    `kind_without_price` (with `kind`).
    """

    def __init__(self, refusals: tuple[Refusal, ...]) -> None:
        super().__init__(", ".join(refusal.code for refusal in refusals))
        self.refusals = refusals


@dataclass(frozen=True, slots=True, kw_only=True)
class Ruleset:
    """The options of one game of pazaak, as `tests/cases/rulesets.json` names and explains them.

    `key` is the preset and its version ("standard/1"). A published preset is never edited: what was recorded under
    a key is replayed under it for ever. A match that changes single options keeps the key of the preset it began from
    (see `with_overrides`). `card_prices` are pairs of a kind and its price in credits. Raises `RulesetError` when made
    with values that contradict each other.
    """

    key: str
    sets_to_win: int = 3
    board_size: int = 9
    main_deck: MainDeck = MainDeck.FINITE40_SHARED
    main_deck_reshuffle: Reshuffle = Reshuffle.PER_SET
    side_deck_size: int = 10
    side_deck_min: int = 10
    side_deck_copies_limit: int | None = None
    hand_size: int = 4
    hand_deal: HandDeal = HandDeal.PER_MATCH
    hand_cards_per_turn: int = 1
    special_cards: frozenset[str] = GOLD_CARDS
    ninth_card: NinthCard = NinthCard.AUTO_STAND
    auto_stand_at_20: bool = True
    bust_timing: BustTiming = BustTiming.END_OF_TURN
    set_ends_on_bust: bool = True
    tie_rule: TieRule = TieRule.REPLAY
    max_consecutive_ties: int | None = None
    tiebreaker_rule: TiebreakerRule = TiebreakerRule.FLAG
    flip_scope: FlipScope = FlipScope.OWN
    flip_signs: FlipSigns = FlipSigns.BOTH_WAYS
    flip_targets: FlipTargets = FlipTargets.ANY_CARD
    first_player_first: FirstPlayerFirst = FirstPlayerFirst.HIGH_CARD
    first_player_next: FirstPlayerNext = FirstPlayerNext.WINNER
    wager_mode: WagerMode = WagerMode.OPTIONAL
    wager_min: int = 0
    wager_min_exclusive: bool = False
    wagers_must_match: bool = True
    card_prices: tuple[tuple[str, int], ...] | None = None
    dealer_cut_percent: int = 0
    dealer_cut_base: CutBase = CutBase.POT
    draw_source: DrawSource = DrawSource.ENGINE_RNG

    def __post_init__(self) -> None:
        if isinstance(self.card_prices, tuple):
            # One order, so that equal terms are equal rulesets.
            object.__setattr__(self, "card_prices", tuple(sorted(self.card_prices, key=lambda pair: pair[0])))
        refusals = tuple(_refusals_of(self))
        if refusals:
            raise RulesetError(refusals)

    @property
    def name(self) -> str:
        """The preset's name without its version."""
        return self.key.partition("/")[0]

    @property
    def version(self) -> int:
        """The preset's version, 1 or more."""
        return int(self.key.partition("/")[2])


OPTION_NAMES: Final = tuple(each.name for each in fields(Ruleset) if each.name != "key")
"""Every option, in the order of `tests/cases/rulesets.json`."""


def options_of(ruleset: Ruleset) -> dict[str, object]:
    """The options as plain values, ready for JSON: enumerations as text, special cards a sorted list, prices a dict."""
    plain: dict[str, object] = {}
    for name in OPTION_NAMES:
        value = getattr(ruleset, name)
        if isinstance(value, StrEnum):
            value = value.value
        elif isinstance(value, frozenset):
            value = sorted(value)
        elif isinstance(value, tuple):
            value = dict(value)
        plain[name] = value
    return plain


def with_overrides(ruleset: Ruleset, overrides: Mapping[str, object]) -> Ruleset:
    """The ruleset with single options changed to plain values as `options_of` gives them; the key stays.

    Raises `RulesetError` for an unknown option, a value of the wrong kind or a contradiction.
    """
    changed: dict[str, object] = {}
    refusals: list[Refusal] = []
    for name, value in overrides.items():
        if name not in OPTION_NAMES:
            refusals.append(Refusal.of("option_unknown", option=name))
            continue
        typed = _typed(name, value)
        if isinstance(typed, Refusal):
            refusals.append(typed)
        else:
            changed[name] = typed
    if refusals:
        raise RulesetError(tuple(refusals))
    made: Ruleset = replace(ruleset, **changed)  # type: ignore[arg-type]  # each value was typed by its option's name
    return made


def _typed(name: str, value: object) -> object:
    """The plain value as the option holds it, or the refusal of a value it cannot hold."""
    if name in _ENUMS:
        kinds = _ENUMS[name]
        if isinstance(value, str) and value in [member.value for member in kinds]:
            return kinds(value)
        return Refusal.of("option_out_of_range", option=name, value=str(value))
    if name == "special_cards":
        if isinstance(value, list | tuple | set | frozenset) and all(isinstance(token, str) for token in value):
            return frozenset(value)
        return Refusal.of("option_malformed", option=name)
    if name == "card_prices" and isinstance(value, Mapping):
        return tuple(value.items())
    return value


def _refusals_of(ruleset: Ruleset) -> list[Refusal]:
    found = [refusal for name in OPTION_NAMES if (refusal := _refusal_of_value(ruleset, name)) is not None]
    if not _is_versioned(ruleset.key):
        found.append(Refusal.of("option_malformed", option="key"))
    if any(refusal.code == "option_malformed" for refusal in found):
        return found
    return found + _contradictions(ruleset)


def _is_versioned(key: str) -> bool:
    name, slash, version = key.partition("/")
    return bool(name) and slash == "/" and version.isascii() and version.isdigit() and int(version) >= 1


def _refusal_of_value(ruleset: Ruleset, name: str) -> Refusal | None:
    """What is wrong with one option alone; None when nothing is."""
    value: object = getattr(ruleset, name)
    malformed = Refusal.of("option_malformed", option=name)
    if value is None and name in _NULLABLE:
        return None
    if name in _RANGES:
        if type(value) is not int:
            return malformed
        low, high = _RANGES[name]
        if value < low or (high is not None and value > high):
            return Refusal.of("option_out_of_range", option=name, value=value)
        return None
    if name in _FLAGS:
        return None if isinstance(value, bool) else malformed
    if name in _ENUMS:
        return None if isinstance(value, _ENUMS[name]) else malformed
    if name == "special_cards":
        unknown = sorted(ruleset.special_cards - SPECIAL_TOKENS)
        return Refusal.of("option_out_of_range", option=name, value=unknown[0]) if unknown else None
    return None if _are_prices(value) else malformed


def _are_prices(value: object) -> bool:
    known = {*PRICED_KINDS, *SPECIAL_TOKENS}
    return (
        isinstance(value, tuple)
        and len(dict(value)) == len(value)
        and all(kind in known and type(price) is int and price >= 0 for kind, price in value)
    )


def _contradictions(ruleset: Ruleset) -> list[Refusal]:
    found: list[Refusal] = []
    if ruleset.side_deck_min > ruleset.side_deck_size:
        found.append(Refusal.of("side_deck_min_over_size"))
    if ruleset.hand_size > ruleset.side_deck_min:
        found.append(Refusal.of("hand_over_side_deck"))
    terms = ruleset.wager_min or ruleset.dealer_cut_percent or ruleset.card_prices is not None
    if ruleset.wager_mode is WagerMode.FORBIDDEN and terms:
        found.append(Refusal.of("wager_forbidden_with_terms"))
    if ruleset.wager_min_exclusive and not ruleset.wager_min:
        found.append(Refusal.of("exclusive_without_minimum"))
    if ruleset.card_prices is not None:
        admitted = (*PRICED_KINDS, *sorted(ruleset.special_cards))
        priced = dict(ruleset.card_prices)
        found += [Refusal.of("kind_without_price", kind=kind) for kind in admitted if kind not in priced]
    return found
