"""What the referee's console shows of a real table: both sides, what just happened, and a key for all that can come."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, cast

from django.utils.html import conditional_escape, format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from matches.engine import (
    CARD,
    Draw,
    Ending,
    Kind,
    Move,
    Onlooker,
    OpenSet,
    Phase,
    Play,
    State,
    View,
    hands_due,
    replay,
    view,
)
from matches.engine.notation import word_of
from matches.engine.score import GOAL
from matches.engine.state import LETTERS
from matches.models import Game
from matches.queries.games import game_view, record_of
from matches.views.table import table_of
from matches.words import Names, declared_as, face_of, match_text, score_of, set_text, step_text
from players.words import person

_VALUES = range(1, 11)


@dataclass(frozen=True, slots=True)
class Key:
    """An entry as a key: the move in the words of the notation, and what stands on it. `off`: it cannot come now."""

    move: str
    text: str
    more: str = ""
    off: bool = False


@dataclass(frozen=True, slots=True)
class Sign:
    """The hand cards of one sign, to choose first where a hand is not known: rows of keys."""

    kind: str
    text: str
    label: str
    rows: tuple[tuple[Key, ...], ...]


@dataclass(frozen=True, slots=True)
class Console:
    """A real table for the referee who enters it, for `tournaments/games/_console.html`.

    `said` is what the last entry was, "" where there is none. `boards` are the sides A and B. One of `openings`,
    `draws`, `acts` and `rulings` has keys, unless the match is over. `cards` are the ways to play a known hand,
    `signs` those of an unknown one. `shows_hands`: the opening may name the new hands.
    `opened` counts the sets that were opened.
    """

    game: Game
    view: View
    names: Names
    headline: SafeString
    said: SafeString | str
    boards: tuple[dict[str, Any], ...]
    openings: tuple[Key, ...]
    draws: tuple[Key, ...]
    acts: tuple[Key, ...]
    cards: tuple[Key, ...]
    signs: tuple[Sign, ...]
    rulings: tuple[Key, ...]
    sets: tuple[SafeString, ...]
    shows_hands: bool
    opened: int

    @property
    def position(self) -> str:
        return self.game.position

    @property
    def set_number(self) -> int:
        """The set that is open or waits to be; when the match is over, the last one."""
        return len(self.view.results) + 1 if self.view.phase is Phase.BETWEEN else self.opened

    @property
    def score(self) -> str:
        return score_of(self.view)

    @property
    def can_undo(self) -> bool:
        return self.game.moves > 0

    @property
    def is_over(self) -> bool:
        return self.view.phase is Phase.OVER

    @property
    def winner(self) -> SafeString | str:
        """Who won the match; "" while it goes on."""
        outcome = self.view.outcome
        return "" if outcome is None else self.names[outcome.winner]

    @property
    def final_score(self) -> str:
        """The sets won, the winner's first, where they decided the match; else ""."""
        outcome = self.view.outcome
        return score_of(self.view, outcome.winner) if outcome is not None and outcome.ending is Ending.SETS else ""

    @property
    def give_ups(self) -> tuple[tuple[Key, SafeString, SafeString], ...]:
        """For each side the key that gives up for it, its name and that of who wins by it."""
        if self.is_over:
            return ()
        return tuple(
            (Key(f"{LETTERS[seat]} forfeit", _("Gives up")), self.names[seat], self.names[1 - seat]) for seat in (0, 1)
        )


def console_of(game: Game, called: tuple[object, object]) -> Console:
    """The console of a game. `called` are the two names by seat, not escaped yet."""
    record, state = record_of(game)
    seen = view(state, Onlooker.REFEREE)
    names = (person(called[0]), person(called[1]))
    table = table_of(game_view(game=game, viewer=Onlooker.REFEREE), called)
    before = replay(replace(record, moves=record.moves[:-1])) if record.moves else None
    is_choosing = seen.phase is Phase.OPEN and seen.drawn
    cards, signs = _cards(seen) if is_choosing else ((), ())
    return Console(
        game,
        seen,
        names,
        _headline(seen, names),
        "" if before is None else _said(record.moves[-1], cast("State", before), seen, names),
        table.boards,
        _openings(seen, called) if seen.phase is Phase.BETWEEN and not seen.ruling_due else (),
        _draws(seen) if seen.phase is Phase.OPEN and not seen.drawn else (),
        _acts(seen) if is_choosing else (),
        cards,
        signs,
        _rulings(called) if seen.ruling_due else (),
        table.sets,
        hands_due(state),
        sum(isinstance(move, OpenSet) for move in record.moves),
    )


def _headline(seen: View, names: Names) -> SafeString:
    """What the table waits for."""
    if seen.phase is Phase.OVER:
        return match_text(seen, names)
    if seen.ruling_due:
        return conditional_escape(_("Too many ties in a row: you decide"))
    if seen.turn is None:
        last = seen.results[-1] if seen.results else None
        return conditional_escape(_("Who opens?")) if last is None else set_text(last, len(seen.results), names, None)
    name, total = names[seen.turn], seen.sides[seen.turn].total
    if not seen.drawn:
        return format_html(_("{name} draws"), name=name)
    if total > GOAL:
        return format_html(_("{name} has {total}, too much"), name=name, total=total)
    return format_html(_("{name} has {total}"), name=name, total=total)


def _said(move: Move, before: State, seen: View, names: Names) -> SafeString:
    """What the last entry was, and that it made a side stand by itself where it did."""
    told = step_text(move, seen, names)
    if not isinstance(move, Draw | Play) or before.sides[move.seat].stood or not seen.sides[move.seat].stood:
        return told
    stands = format_html(_("{name} stands at {total}"), name=names[move.seat], total=seen.sides[move.seat].total)
    return format_html("{}. {}", told, stands)


def _openings(seen: View, called: tuple[object, object]) -> tuple[Key, ...]:
    """Who may open: whoever the rules say first."""
    keys = tuple(Key(f"open {letter}", str(name)) for letter, name in zip(LETTERS, called, strict=True))
    if seen.next_opener is None:
        return keys
    by_rule = keys[seen.next_opener]
    return (replace(by_rule, more=_("opens by the rules")), keys[1 - seen.next_opener])


def _draws(seen: View) -> tuple[Key, ...]:
    """The ten keys of the main deck; what is not left in it cannot come."""
    letter = LETTERS[seen.turn or 0]
    left = {move.value for move in seen.moves if isinstance(move, Draw)} or set(_draws_left(seen))
    return tuple(Key(f"{letter} {value}", str(value), off=value not in left) for value in _VALUES)


def _draws_left(seen: View) -> list[int]:
    if not seen.main_left:
        return list(_VALUES)
    left = seen.main_left[(seen.turn or 0) if len(seen.main_left) == 2 else 0]
    return [value for value in _VALUES if left[value - 1]] or list(_VALUES)


def _acts(seen: View) -> tuple[Key, ...]:
    """How a turn ends."""
    seat = seen.turn or 0
    letter, total = LETTERS[seat], seen.sides[seat].total
    if total > GOAL:
        return (Key(f"{letter} end", _("Bust at {total}").format(total=total)),)
    return (
        Key(f"{letter} end", _("End turn")),
        Key(f"{letter} stand", _("Stand at {total}").format(total=total)),
    )


def _cards(seen: View) -> tuple[tuple[Key, ...], tuple[Sign, ...]]:
    """The hand cards that can be played now: those of a known hand, or all the ruleset admits, by sign."""
    plays = [move for move in seen.moves if isinstance(move, Play)]
    seat = seen.turn or 0
    if seen.sides[seat].hand is not None:
        return tuple(_card(seat, play, shows_face=True) for play in plays), ()
    groups = (
        (Kind.PLUS, "+", _("Plus cards")),
        (Kind.MINUS, "−", _("Minus cards")),
        (Kind.PLUSMINUS, "±", _("Plus or minus cards")),
        (Kind.SPECIAL, "★", _("Gold cards")),
    )
    signs = []
    for kind, text, label in groups:
        of_kind = [play for play in plays if CARD[play.token].kind is kind]
        if not of_kind:
            continue
        rows: tuple[list[Play], ...] = (of_kind,)
        if kind is Kind.PLUSMINUS:
            rows = tuple([play for play in of_kind if ((play.value or 0) > 0) is up] for up in (True, False))
        told = tuple(tuple(_card(seat, play, shows_face=kind is Kind.SPECIAL) for play in row) for row in rows)
        signs.append(Sign(kind.value, text, label, told))
    return (), tuple(signs)


def _card(seat: int, play: Play, *, shows_face: bool) -> Key:
    """A hand card as a key: what it counts as, and its face where that does not say it."""
    face, counts = face_of(play.token), declared_as(play)
    text = counts if not shows_face or (face in (counts, play.token) and play.value is None) else f"{face}"
    more = counts if text != counts and play.value is not None else ""
    return Key(f"{LETTERS[seat]} {word_of(play)}", text, more)


def _rulings(called: tuple[object, object]) -> tuple[Key, ...]:
    return (
        Key("ruling next", _("Another set")),
        *(
            Key(f"ruling {letter}", str(name), _("wins the match"))
            for letter, name in zip(LETTERS, called, strict=True)
        ),
    )
