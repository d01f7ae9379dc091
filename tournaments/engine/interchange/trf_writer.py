"""Writes a Swiss or a round robin in FIDE's report format: TRF16, with tags of 2026 for what that cannot say."""

from __future__ import annotations

from collections.abc import Iterator

from tournaments.engine.formats import get_format
from tournaments.engine.formats.round_robin import RoundRobinOptions
from tournaments.engine.interchange import trf
from tournaments.engine.interchange.document import Document
from tournaments.engine.snapshot import Bye, Entry, Pairing, ResultKind, Snapshot
from tournaments.engine.standings import rank

_FORMATS = ("swiss", "round_robin")
_LETTERS = {bye: letter for letter, bye in trf.BYES.items()}
_CODES = {key: code for code, key in trf.TIEBREAKS.items()}


def write_trf(document: Document) -> str:
    """The text of a document; players are numbered by seed. Set points, clubs and reasons are not in it.

    Raises ValueError for a format this text cannot tell.
    """
    if document.format not in _FORMATS:
        raise ValueError(document.format)
    return "".join(line.rstrip() + "\n" for line in _lines(document))


def _lines(document: Document) -> Iterator[str]:
    stage = document.stage
    rounds = get_format(document.format).rounds_planned(stage)
    points = stage.points
    yield f"012 {document.name}"
    yield f"062 {len(stage.entries)}"
    yield f"092 {'Swiss system' if document.format == 'swiss' else 'Round robin'}"
    yield f"142 {rounds}"
    worth = (("W", points.win), ("D", points.tie), ("L", points.loss), ("P", points.bye))
    yield "162  " + "    ".join(f"{letter}{value:2}.0" for letter, value in worth)
    yield f"192 {_kind(stage) if document.format == 'round_robin' else trf.SWISS}"
    codes = [_CODES[key] for key in document.tiebreaks if key in _CODES]
    if codes:
        yield f"202 {','.join(codes)}"
    yield f"XXR {rounds}"
    ranks = {row.entry: row.rank for row in rank(stage, document.format, document.tiebreaks)}
    seeds = {entry.id: entry.seed for entry in stage.entries}
    for entry in stage.by_seed:
        person = document.people[entry.id]
        head = f"001 {entry.seed:4}      {person.name[:33]:33} {person.rating if person.rating is not None else '':>4}"
        head = f"{head:80}{stage.records[entry.id].points:2}.0 {ranks[entry.id]:4}  "
        yield head + "  ".join(_round(document, entry, number, seeds) for number in range(1, stage.last_round + 1))
    for entry in stage.by_seed:
        for number, bye in entry.asked:
            if number > stage.last_round:
                yield f"240 {_LETTERS[bye]} {number:3} {entry.seed:4}"


def _kind(stage: Snapshot) -> str:
    twice = isinstance(stage.options, RoundRobinOptions) and stage.options.twice
    return trf.ROUND_ROBIN_TWICE if twice else trf.ROUND_ROBIN


def _round(document: Document, entry: Entry, number: int, seeds: dict[int, int]) -> str:
    """Opponent, colour and result in eight columns; blank before a late entry came and in a free round."""
    pairing = next((p for p in document.stage.games[entry.id] if p.round == number), None)
    if pairing is None:
        is_free = document.format == "round_robin" or number < entry.since
        return "        " if is_free else f"0000 - {_LETTERS[Bye.ZERO]}"
    opponent = pairing.opponent(entry.id)
    if opponent is None:
        return f"0000 - {_LETTERS[pairing.bye]}"
    colour = trf.FIRST_TURN if pairing.a == entry.id else trf.SECOND_TURN
    return f"{seeds[opponent]:4} {colour} {_letter(pairing, entry.id)}"


def _letter(pairing: Pairing, entry: int) -> str:
    if pairing.result is None:
        return " "
    if pairing.result.kind is ResultKind.DOUBLE_NO_SHOW:
        return "-"
    if pairing.winner is None:
        return "="
    won = pairing.winner == entry
    if pairing.result.kind is ResultKind.WALKOVER:
        return "+" if won else "-"
    return "1" if won else "0"
