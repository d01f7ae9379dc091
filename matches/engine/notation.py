"""Records as readable text and back: `parse_record(format_record(record)) == record` (`docs/notation.md`)."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from matches.engine.cards import HAND_ORDER, HIGHEST_MAIN
from matches.engine.moves import PLAYS, Draw, End, Forfeit, Move, OpenSet, Play, Ruling, Stand, Timeout, declared
from matches.engine.play import apply, new_match
from matches.engine.record import MOST_MOVES, RESERVED_TAGS, Record, RecordError, SeedDeal, is_text
from matches.engine.refusal import Refusal
from matches.engine.rulesets import Ruleset, RulesetError, get_ruleset, overrides_of, with_overrides
from matches.engine.state import LETTERS, Hand, State

VERSION: Final = "1"
MOST_CHARACTERS: Final = 1_000_000
LONGEST_LINE: Final = 4_000

_TAG: Final = re.compile(r"\[([A-Z][A-Za-z0-9]{0,39}) (.*)\]")
_WORD: Final = re.compile(r"\([^()]*\)|[^\s()]+|[()]")
_PLAY: Final = re.compile(r"([^=]+)(?:=([+-][0-9]{1,3}))?")
_NUMBER: Final = re.compile(r"([1-9][0-9]{0,5})\.")
_ACTS: Final[dict[str, type[End | Stand | Forfeit | Timeout]]] = {
    "end": End,
    "stand": Stand,
    "forfeit": Forfeit,
    "timeout": Timeout,
}


@dataclass(frozen=True, slots=True)
class BadText:
    """Why a text is no record: the place, counted from 1, and a code.

    Codes: `too_long`, `line_too_long`, `too_many_moves`, `no_header`, `bad_version`, `bad_tag`, `tag_after_moves`,
    `tag_twice`, `tag_missing`, `too_deep`, `bad_value`, `unknown_ruleset`, `unknown_card`, `bad_seat`,
    `bad_set_number`, `bad_word`, the codes of `RulesetError` and those of `RecordError`.
    """

    line: int
    column: int
    code: str


class _Unreadable(Exception):  # noqa: N818  # never leaves this module: it becomes a `BadText`
    def __init__(self, line: int, column: int, code: str) -> None:
        super().__init__(code)
        self.bad = BadText(line, column, code)


# ------------------------------------------------------------------------------------------------ writing


def format_record(record: Record) -> str:
    """The record as text, one turn a line. Where the moves can be played, comments say how each set ended."""
    lines = [f'[Pazaak "{VERSION}"]']
    lines += [_tag(name, text) for name, text in record.tags]
    lines.append(_tag("Ruleset", record.ruleset.key))
    lines += [
        f"[Option {name} {json.dumps(value, ensure_ascii=False)}]"
        for name, value in overrides_of(record.ruleset).items()
    ]
    for letter, deck in zip(LETTERS, record.side_decks, strict=True):
        if deck is not None:
            lines.append(_tag(f"SideDeck{letter}", " ".join(deck)))
    if record.deal is not None:
        lines.append(_tag("Commitment", record.deal.commitment))
        for letter, words in zip(LETTERS, record.deal.words, strict=True):
            lines.append(_tag(f"Words{letter}", words))
        if record.deal.seed is not None:
            lines.append(_tag("Seed", record.deal.seed))
    return "\n".join([*lines, "", *_move_lines(record)]) + "\n"


def _tag(name: str, text: str) -> str:
    return f"[{name} {json.dumps(text, ensure_ascii=False)}]"


def _move_lines(record: Record) -> Iterator[str]:
    """The moves, those of one turn on one line, each ended set with a comment while the record can be followed."""
    state: State | Refusal = new_match(record.ruleset, record.side_decks)
    line: list[str] = []
    writer: int | None = None
    opened = 0
    for move in record.moves:
        seat = move.seat if isinstance(move, Draw | Play | End | Stand | Forfeit | Timeout) else None
        if line and (seat is None or seat != writer or isinstance(move, Draw | Forfeit)):
            yield " ".join(line)
            line = []
        if seat is not None and not line:
            line.append(LETTERS[seat])
        if isinstance(move, OpenSet):
            opened += 1
            line.append(f"{opened}.")
        writer = None if isinstance(move, End) else seat
        line.append(word_of(move))
        before, state = state, state if isinstance(state, Refusal) else apply(state, move)
        if isinstance(before, State) and isinstance(state, State) and len(state.results) > len(before.results):
            yield " ".join([*line, _comment(state)])
            line = []
    if line:
        yield " ".join(line)


def word_of(move: Move) -> str:
    """A move in the words of the notation, without the side that makes it."""
    match move:
        case OpenSet(opener, hands):
            words = ["open"] if opener is None else ["open", LETTERS[opener]]
            return " ".join([*words, *(_hand_word(hand) for hand in hands or ())])
        case Draw(_, value):
            return str(value)
        case Play(seat, token, value):
            return token if declared(seat, token) == move else f"{token}={value:+d}" if value is not None else token
        case End():
            return "end"
        case Stand():
            return "stand"
        case Forfeit():
            return "forfeit"
        case Timeout():
            return "timeout"
        case _:
            return "ruling next" if move.winner is None else f"ruling {LETTERS[move.winner]}"


def _hand_word(hand: Hand | None) -> str:
    return "(?)" if hand is None else f"({' '.join(hand)})"


def _comment(state: State) -> str:
    last = state.results[-1]
    won = "tie" if last.winner is None else f"{LETTERS[last.winner]} {last.reason.value}"
    return f"; {won} {last.totals[0]}:{last.totals[1]}, sets {state.sets[0]}:{state.sets[1]}"


# ------------------------------------------------------------------------------------------------ reading


def parse_record(text: str) -> Record | BadText:
    """The record a text describes, or the first place where it is none. Comments are left out."""
    try:
        return _read(text)
    except _Unreadable as error:
        return error.bad


@dataclass(slots=True)
class _Header:
    """What the tags said, and on which line."""

    texts: dict[str, str] = field(default_factory=dict)
    options: dict[str, object] = field(default_factory=dict)
    lines: dict[str, int] = field(default_factory=dict)

    def tags(self) -> tuple[tuple[str, str], ...]:
        return tuple((name, text) for name, text in self.texts.items() if name not in RESERVED_TAGS)


def _read(text: str) -> Record:
    if len(text) > MOST_CHARACTERS:
        raise _Unreadable(1, 1, "too_long")
    header, moves = _Header(), list[Move]()
    in_moves, opened = False, 0
    for number, raw in enumerate(text.removeprefix("\ufeff").split("\n"), start=1):
        line = raw.rstrip("\r\t ")
        if len(line) > LONGEST_LINE:
            raise _Unreadable(number, LONGEST_LINE + 1, "line_too_long")
        if line.startswith("["):
            if in_moves:
                raise _Unreadable(number, 1, "tag_after_moves")
            _read_tag(header, line, number)
            continue
        words = [(match[0], match.start() + 1) for match in _WORD.finditer(line.partition(";")[0])]
        if not words:
            continue
        if not header.texts:
            raise _Unreadable(number, 1, "no_header")
        in_moves = True
        found = _read_line(words, number, opened + 1)
        opened += sum(isinstance(move, OpenSet) for move in found)
        moves += found
        if len(moves) > MOST_MOVES:
            raise _Unreadable(number, 1, "too_many_moves")
    return _record(header, tuple(moves))


def _read_tag(header: _Header, line: str, number: int) -> None:
    match = _TAG.fullmatch(line)
    if match is None:
        raise _Unreadable(number, 1, "bad_tag")
    name, value, column = match[1], match[2], match.start(2) + 1
    if not header.texts and name != "Pazaak":
        raise _Unreadable(number, 1, "no_header")
    if name == "Option":
        name, _, value = value.partition(" ")
        column += len(name) + 1
        if name in header.options:
            raise _Unreadable(number, column, "tag_twice")
        header.options[name] = _json(value, number, column)
        header.lines[name] = number
        return
    if name in header.texts:
        raise _Unreadable(number, 2, "tag_twice")
    content = _json(value, number, column)
    if not isinstance(content, str):
        raise _Unreadable(number, column, "bad_value")
    if not is_text(content):
        raise _Unreadable(number, column, "bad_text")
    if name == "Pazaak" and content != VERSION:
        raise _Unreadable(number, column, "bad_version")
    header.texts[name] = content
    header.lines[name] = number


def _json(value: str, number: int, column: int) -> object:
    """A JSON value no deeper than one list or map of plain values."""
    if not value.startswith('"') and value.count("[") + value.count("{") > 1:
        raise _Unreadable(number, column, "too_deep")
    try:
        content: object = json.loads(value)
    except json.JSONDecodeError as error:
        raise _Unreadable(number, column + error.pos, "bad_value") from None
    return content


def _record(header: _Header, moves: tuple[Move, ...]) -> Record:
    if "Ruleset" not in header.texts:
        raise _Unreadable(1, 1, "tag_missing" if header.texts else "no_header")
    try:
        ruleset = _ruleset(header)
        decks = (_side_deck(header, "SideDeckA"), _side_deck(header, "SideDeckB"))
        return Record(ruleset, moves, decks, _deal(header), header.tags())
    except RecordError as error:
        raise _Unreadable(header.lines.get("Commitment", 1), 1, error.refusal.code) from None


def _ruleset(header: _Header) -> Ruleset:
    key = header.texts["Ruleset"]
    try:
        ruleset = get_ruleset(key)
    except KeyError:
        raise _Unreadable(header.lines["Ruleset"], 1, "unknown_ruleset") from None
    if ruleset.key != key:
        raise _Unreadable(header.lines["Ruleset"], 1, "unknown_ruleset")
    try:
        return with_overrides(ruleset, header.options)
    except RulesetError as error:
        refusal = error.refusals[0]
        line = header.lines[str(dict(refusal.params).get("option", "Ruleset"))]
        raise _Unreadable(line, 1, refusal.code) from None


def _side_deck(header: _Header, name: str) -> Hand | None:
    if name not in header.texts:
        return None
    return _tokens(header.texts[name], header.lines[name], len(name) + 4)


def _deal(header: _Header) -> SeedDeal | None:
    if "Commitment" in header.texts:
        words = (header.texts.get("WordsA", ""), header.texts.get("WordsB", ""))
        return SeedDeal(header.texts["Commitment"], words, header.texts.get("Seed"))
    for name in ("WordsA", "WordsB", "Seed"):
        if name in header.texts:
            raise _Unreadable(header.lines[name], 1, "tag_missing")
    return None


def _tokens(text: str, number: int, column: int) -> Hand:
    """Hand cards between blanks; `column` is where the text begins in its line."""
    for match in re.finditer(r"\S+", text):
        if match[0] not in HAND_ORDER:
            raise _Unreadable(number, column + match.start(), "unknown_card")
    return tuple(text.split())


def _read_line(words: list[tuple[str, int]], number: int, set_number: int) -> list[Move]:
    """The moves of one line; `set_number` is what the next opening must be numbered, where it is numbered."""
    first, column = words[0]
    numbered = _NUMBER.fullmatch(first)
    if numbered is not None:
        if int(numbered[1]) != set_number:
            raise _Unreadable(number, column, "bad_set_number")
        if len(words) == 1 or words[1][0] != "open":
            raise _Unreadable(number, column + len(first), "bad_word")
        words = words[1:]
        first, column = words[0]
    if first == "open":
        return [_opening(words[1:], number)]
    if first == "ruling":
        return [_ruling(words, number)]
    if first not in ("A", "B"):
        raise _Unreadable(number, column, "bad_seat" if first.isalpha() else "bad_word")
    if len(words) == 1:
        raise _Unreadable(number, column + 1, "bad_word")
    return [_act(LETTERS.index(first), word, number, column) for word, column in words[1:]]


def _opening(words: list[tuple[str, int]], number: int) -> OpenSet:
    opener = None
    if words and words[0][0] in ("A", "B"):
        opener = LETTERS.index(words[0][0])
        words = words[1:]
    if not words:
        return OpenSet(opener)
    hands: list[Hand | None] = []
    for word, column in words:
        if not (word.startswith("(") and word.endswith(")")) or len(hands) == 2:
            raise _Unreadable(number, column, "bad_word")
        hands.append(None if word == "(?)" else _tokens(word[1:-1], number, column + 1))
    if len(hands) != 2:
        raise _Unreadable(number, words[-1][1], "bad_word")
    return OpenSet(opener, (hands[0], hands[1]))


def _ruling(words: list[tuple[str, int]], number: int) -> Ruling:
    if len(words) != 2 or words[1][0] not in ("next", "A", "B"):
        raise _Unreadable(number, words[-1][1], "bad_word")
    return Ruling(None if words[1][0] == "next" else LETTERS.index(words[1][0]))


def _act(seat: int, word: str, number: int, column: int) -> Move:
    if word in _ACTS:
        return _ACTS[word](seat)
    if word.isascii() and word.isdigit():
        if len(word) > 2 or not 1 <= int(word) <= HIGHEST_MAIN or word.startswith("0"):
            raise _Unreadable(number, column, "bad_value")
        return Draw(seat, int(word))
    play = _PLAY.fullmatch(word)
    if play is None:
        raise _Unreadable(number, column, "bad_word")
    token, value = play[1], play[2]
    if token not in PLAYS[seat]:
        raise _Unreadable(number, column, "unknown_card")
    return declared(seat, token, None if value is None else int(value))


def parse_move(text: str) -> Move | None:
    """The one move a line says, such as "A 7", "B *3=-3" or "open A (?) (?)"; None when it says none or several."""
    words = [(match[0], match.start() + 1) for match in _WORD.finditer(text[:LONGEST_LINE])]
    try:
        moves = _read_line(words, 1, 1) if words else []
    except _Unreadable:
        return None
    return moves[0] if len(moves) == 1 else None
