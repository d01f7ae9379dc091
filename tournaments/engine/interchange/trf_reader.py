"""Reads FIDE's report format (TRF16 and tags of 2026) into a document.

Points are doubled where there are halves, so that they stay whole. A match has no set points here: it was won 1 : 0.
Rounds are those in which anybody has an opponent or a bye of the pairing; letters after them are byes asked for. Who
has nothing at all before some round came late.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from fractions import Fraction

from tournaments.engine.formats.round_robin import RoundRobinOptions
from tournaments.engine.formats.swiss import SwissOptions
from tournaments.engine.interchange import trf
from tournaments.engine.interchange.document import Document, Fault, Person
from tournaments.engine.snapshot import Bye, Entry, Pairing, Points, Result, ResultKind, Snapshot

_PLAYED = {"1": 1, "0": 0, "=": None, "W": 1, "L": 0, "D": None}
_HALVED = Points(win=2, tie=1, loss=0, bye=2)


class _WrongError(Exception):
    def __init__(self, fault: Fault) -> None:
        super().__init__(fault.code)
        self.fault = fault


@dataclass(frozen=True, slots=True)
class _Game:
    """One round of a player's line: opponent 0 for none, colour and result as they stand, and where."""

    opponent: int
    colour: str
    result: str
    line: int
    column: int

    @property
    def is_blank(self) -> bool:
        return not self.opponent and self.result in (" ", "-")

    def wrong(self, code: str, **params: object) -> _WrongError:
        return _WrongError(Fault.of(self.line, self.column, code, **params))


@dataclass(slots=True)
class _Found:
    """What the lines of a file say."""

    name: str = ""
    kind: str = ""
    rounds: int | None = None
    points: Points = _HALVED
    tiebreaks: tuple[str, ...] = ()
    people: dict[int, Person] = field(default_factory=dict)
    games: dict[int, list[_Game]] = field(default_factory=dict)
    byes: list[tuple[int, int, Bye]] = field(default_factory=list)


def read_trf(text: str) -> Document | Fault:
    """The document a text stands for, or the first fault in it. Tags we do not know are passed over."""
    found = _Found()
    try:
        for number, line in enumerate(text.splitlines(), start=1):
            _read_line(found, number, line)
        if not found.games:
            return Fault.of(1, 1, "no_entries")
        return _document(found)
    except _WrongError as wrong:
        return wrong.fault


def _read_line(found: _Found, number: int, line: str) -> None:
    tag, value = line[:3], line[4:].strip()
    if tag == "012":
        found.name = value
    elif tag in ("092", "192"):
        found.kind += value.upper()
    elif tag in ("142", "XXR"):
        found.rounds = _whole(line, number, slice(4, max(5, len(line))))
    elif tag == "162":
        found.points = _points(line, number)
    elif tag in ("202", "212"):
        codes = [code.strip() for code in value.split(",")]
        found.tiebreaks = tuple(trf.TIEBREAKS[code] for code in codes if code in trf.TIEBREAKS)
    elif tag == "240":
        _read_byes(found, number, line)
    elif tag == "001":
        _read_player(found, number, line)


def _whole(line: str, number: int, columns: slice) -> int:
    value = line[columns].strip()
    if not (value.isascii() and value.isdigit()):
        raise _WrongError(Fault.of(number, columns.start + 1, "not_a_number", value=value))
    return int(value)


def _points(line: str, number: int) -> Points:
    """Tag 162: a letter and its points in nine columns each, from the sixth on."""
    worth: dict[str, Fraction] = {}
    for start in range(5, len(line.rstrip()), 9):
        value = line[start + 1 : start + 5].strip()
        try:
            worth[line[start]] = Fraction(value)
        except (ValueError, ZeroDivisionError):
            raise _WrongError(Fault.of(number, start + 2, "not_a_number", value=value)) from None
    win, tie, loss = worth.get("W", Fraction(1)), worth.get("D", Fraction(1, 2)), worth.get("L", Fraction(0))
    scale = 1 if all(value.denominator == 1 for value in (win, tie, loss)) else 2
    numbers = [value * scale for value in (win, tie, loss, worth.get("P", win))]
    for points in numbers:
        if points.denominator != 1:
            raise _WrongError(Fault.of(number, 6, "unknown_value", value=str(points / scale)))
    return Points(*map(int, numbers))


def _read_byes(found: _Found, number: int, line: str) -> None:
    """Tag 240: a letter, the round in three columns, then the numbers of players in four each."""
    letter = line[4:5]
    if letter not in trf.BYES or letter == "U":
        raise _WrongError(Fault.of(number, 5, "unknown_result", value=letter))
    round_ = _whole(line, number, slice(6, 9))
    for start in range(10, len(line.rstrip()), 5):
        found.byes.append((round_, _whole(line, number, slice(start, start + 4)), trf.BYES[letter]))


def _read_player(found: _Found, number: int, line: str) -> None:
    player = _whole(line, number, trf.NUMBER)
    if player in found.games:
        raise _WrongError(Fault.of(number, trf.NUMBER.start + 1, "repeated", value=player))
    rating = line[trf.RATING].strip()
    found.people[player] = Person(line[trf.NAME].strip(), _whole(line, number, trf.RATING) if rating else None)
    games: list[_Game] = []
    for start in range(trf.FIRST_ROUND, len(line.rstrip()), trf.ROUND_WIDTH):
        part = line[start : start + trf.RESULT + 1].ljust(trf.RESULT + 1)
        opponent = _whole(line, number, slice(start, start + 4)) if part[:4].strip() else 0
        games.append(_Game(opponent, part[trf.COLOUR], part[trf.RESULT].upper(), number, start + 1))
    found.games[player] = games


def _document(found: _Found) -> Document:
    is_robin = "ROBIN" in found.kind or "BERGER" in found.kind
    last = max(
        (
            number
            for games in found.games.values()
            for number, game in enumerate(games, start=1)
            if game.opponent or game.result == "U"
        ),
        default=0,
    )
    entries = tuple(_entry(found, player, seed, last) for seed, player in enumerate(sorted(found.games), start=1))
    pairings = tuple(pairing for number in range(1, last + 1) for pairing in _round(found, number))
    if is_robin:  # a free round is no round there, and nobody comes late
        entries = tuple(replace(entry, since=1) for entry in entries)
        pairings = tuple(pairing for pairing in pairings if not pairing.is_bye)
    options: object = SwissOptions(rounds=found.rounds)
    if is_robin:
        options = RoundRobinOptions(twice="DOUBLE" in found.kind)
    return Document(
        name=found.name,
        format="round_robin" if is_robin else "swiss",
        tiebreaks=found.tiebreaks,
        stage=Snapshot(entries, pairings, options, found.points, sets_to_win=1, seed=found.name),
        people=found.people,
    )


def _entry(found: _Found, player: int, seed: int, last: int) -> Entry:
    games = found.games[player]
    asked = {number: bye for number, who, bye in found.byes if who == player and number > last}
    for number, game in enumerate(games[last:], start=last + 1):
        if game.is_blank:
            continue
        if game.result not in trf.BYES:
            raise game.wrong("unknown_result", value=game.result)
        asked[number] = trf.BYES[game.result]
    since = next((number for number, game in enumerate(games[:last], start=1) if not game.is_blank), last + 1)
    return Entry(player, seed, since=since, asked=tuple(sorted(asked.items())))


def _round(found: _Found, number: int) -> Iterator[Pairing]:
    place = 0
    for player, games in sorted(found.games.items()):
        if number > len(games) or games[number - 1].is_blank:
            continue
        game = games[number - 1]
        if not game.opponent:
            bye = trf.BYES.get("F" if game.result == "+" else game.result)
            if bye is None:
                raise game.wrong("unknown_result", value=game.result)
            if bye is not Bye.ZERO:  # nothing asked for is nothing at all
                place += 1
                yield Pairing(number, place, player, None, bye=bye)
            continue
        back = _other_side(found, number, player, game)
        if game.colour == trf.FIRST_TURN or (back.colour != trf.FIRST_TURN and player < game.opponent):
            place += 1
            yield Pairing(number, place, player, game.opponent, _result(game, back))


def _other_side(found: _Found, number: int, player: int, game: _Game) -> _Game:
    theirs = found.games.get(game.opponent, [])
    if number > len(theirs):
        raise game.wrong("unknown_entry", entry=game.opponent)
    back = theirs[number - 1]
    colours = {game.colour, back.colour}
    if back.opponent != player or (len(colours) == 1 and colours <= {trf.FIRST_TURN, trf.SECOND_TURN}):
        raise game.wrong("sides_differ", opponent=game.opponent)
    return back


def _result(game: _Game, back: _Game) -> Result | None:
    """What two letters say together; blank for a match that is still open."""
    letters = game.result + back.result
    if letters == "  ":
        return None
    if letters in ("--", "00"):
        return Result(ResultKind.DOUBLE_NO_SHOW, (0, 0), None)
    if letters in ("+-", "-+"):
        won = letters == "+-"
        return Result(ResultKind.WALKOVER, (1, 0) if won else (0, 1), "a" if won else "b")
    for letter in letters:
        if letter not in _PLAYED:
            raise game.wrong("unknown_result", value=letter)
    mine, theirs = _PLAYED[game.result], _PLAYED[back.result]
    if mine is None and theirs is None:
        return Result(ResultKind.SCORE, (0, 0), None)
    if mine is None or theirs is None or mine == theirs:
        raise game.wrong("sides_differ", opponent=game.opponent)
    return Result(ResultKind.SCORE, (mine, theirs), "a" if mine else "b")
