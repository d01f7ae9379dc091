"""FIDE's report format: read, written, read again; byes, absences, faults with their place."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.crosstable import Sheet, sheet
from tests.tournaments.engine.test_laws import steps
from tournaments.engine.formats import get_format
from tournaments.engine.formats.round_robin import RoundRobinOptions
from tournaments.engine.formats.swiss import SwissOptions
from tournaments.engine.interchange import Document, Fault, Person, read_trf, write_trf
from tournaments.engine.interchange.document import FAULTS
from tournaments.engine.snapshot import Bye, Points, ResultKind, Snapshot

CHESS = Points(win=2, tie=1, loss=0, bye=2)


def line(number: int, name: str, *games: str, rating: str = "", points: str = "0.0", rank: int = 1) -> str:
    head = f"001 {number:4}      {name:33} {rating:>4}"
    return f"{head:80}{points:>4} {rank:4}  " + "  ".join(games)


SMALL = "\n".join(
    [
        "012 Winter open",
        "092 Individual: Swiss-System",
        "142 4",
        "202 BH/C1, SB, XYZ",
        "### a comment",
        line(1, "Ahto Getter", "   2 w 1", "   3 b =", rating="1800"),
        line(2, "Brejik", "   1 b 0", "0000 - U"),
        line(3, "Canderous", "0000 - H", "   1 w =", "0000 - Z"),
        line(4, "Duros", "   5 w +", "   5 b -"),
        line(5, "Eleven", "   4 b -", "   4 w -"),
        line(6, "Late one", "        ", "0000 - F"),
        "240 H   3    1    2",
    ]
)


def read(text: str) -> Document:
    found = read_trf(text)
    assert isinstance(found, Document), found
    return found


def test_a_file_is_read_with_its_byes_walkovers_and_absences() -> None:
    found = read(SMALL)
    assert (found.name, found.format, found.tiebreaks) == (
        "Winter open",
        "swiss",
        ("buchholz_cut_1", "sonneborn_berger"),
    )
    assert found.people[1] == Person("Ahto Getter", 1800)
    assert found.people[2] == Person("Brejik")
    stage = found.stage
    assert (stage.options, stage.points, stage.sets_to_win) == (SwissOptions(rounds=4), CHESS, 1)
    assert [(p.round, p.a, p.b, p.result.kind.value if p.result else p.bye.value) for p in stage.pairings] == [
        (1, 1, 2, "score"),
        (1, 3, None, "half"),
        (1, 4, 5, "walkover"),
        (2, 2, None, "given"),
        (2, 3, 1, "score"),
        (2, 5, 4, "double_no_show"),
        (2, 6, None, "full"),
    ]
    assert {entry.id: entry.since for entry in stage.entries} == {1: 1, 2: 1, 3: 1, 4: 1, 5: 1, 6: 2}
    assert {e.id: e.asked for e in stage.entries if e.asked} == {
        1: ((3, Bye.HALF),), 2: ((3, Bye.HALF),), 3: ((3, Bye.ZERO),),
    }  # fmt: skip
    assert {entry: record.points for entry, record in stage.records.items()} == {1: 3, 2: 2, 3: 2, 4: 2, 5: 0, 6: 2}


def as_sheet(stage: Sheet, key: str = "swiss") -> Document:
    people = {entry.id: Person(stage.name(entry.id)) for entry in stage.snapshot.entries}
    return Document("Sheet", key, ("buchholz", "lot"), stage.snapshot, people)


def test_a_swiss_is_written_column_by_column() -> None:
    stage = sheet(
        "ABCDE",
        "A-B 3:0  C-D +:-  E bye",
        "A-C 2:2  B-D -:-  E half",
        "A-D",
        options=SwissOptions(rounds=4),
        late={"E": 1},
    )
    entries = tuple(
        replace(e, asked=((1, Bye.ZERO), (4, Bye.HALF))) if e.seed == 2 else e for e in stage.snapshot.entries
    )
    text = write_trf(as_sheet(Sheet("ABCDE", replace(stage.snapshot, entries=entries))))
    assert text.splitlines() == [
        "012 Sheet",
        "062 5",
        "092 Swiss system",
        "142 4",
        "162  W 3.0    D 1.0    L 0.0    P 3.0",
        "192 CUSTOM_SWISS",
        "202 BH",
        "XXR 4",
        line(1, "A", "   2 w 1", "   3 w =", "   4 w", points="4.0", rank=3),
        line(2, "B", "   1 b 0", "   4 w -", "0000 - Z", points="0.0", rank=4),
        line(3, "C", "   4 w +", "   1 b =", "0000 - Z", points="4.0", rank=1),
        line(4, "D", "   3 b -", "   2 b -", "   1 b", points="0.0", rank=5),
        line(5, "E", "0000 - U", "0000 - H", "0000 - Z", points="4.0", rank=2),
        "240 H   4    2",
    ]


def facts(stage: Snapshot) -> set[tuple[object, ...]]:
    """What a report can tell: who met whom by seed, how it ended, byes."""
    seed = {entry.id: entry.seed for entry in stage.entries}
    return {
        (
            p.round,
            seed[p.a],
            None if p.b is None else seed[p.b],
            p.bye,
            None if p.result is None else _kind(p.result.kind),
            None if p.winner is None else seed[p.winner],
        )
        for p in stage.pairings
        if p.bye is not Bye.ZERO
    }


def _kind(kind: ResultKind) -> ResultKind:
    """A match given up is a match lost there, and one that time ended was played."""
    return ResultKind.SCORE if kind in (ResultKind.FORFEIT, ResultKind.TIME) else kind


@pytest.mark.parametrize("key", ["swiss", "round_robin"])
@pytest.mark.parametrize("size", [2, 5, 8])
def test_what_is_written_is_read_again(key: str, size: int) -> None:
    tested = get_format(key)
    for stage in steps(tested, size, f"trf {size}"):
        people = {entry.id: Person(f"P{entry.id}", 1000 + entry.id % 100) for entry in stage.entries}
        text = write_trf(Document("Trip", key, ("buchholz", "sonneborn_berger"), stage, people))
        found = read(text)
        assert facts(found.stage) == facts(stage)
        assert (found.format, found.tiebreaks, found.stage.points) == (
            key,
            ("buchholz", "sonneborn_berger"),
            stage.points,
        )
        if stage.pairings:
            points = {entry.seed: stage.records[entry.id].points for entry in stage.entries}
            assert {entry: record.points for entry, record in found.stage.records.items()} == points
        assert write_trf(found) == text


def test_a_round_robin_knows_whether_it_is_played_twice() -> None:
    stage = sheet("ABC", "B-C 3:0", options=RoundRobinOptions(twice=True))
    found = read(write_trf(as_sheet(stage, "round_robin")))
    assert (found.format, found.stage.options) == ("round_robin", RoundRobinOptions(twice=True))


def test_nothing_is_said_of_tie_breaks_nobody_else_has() -> None:
    stage = sheet("AB", "A-B 3:0")
    text = write_trf(replace(as_sheet(stage), tiebreaks=("lot",)))
    assert "202" not in [row[:3] for row in text.splitlines()]


def test_who_asked_for_nothing_and_whoever_was_down_for_no_round_is_absent() -> None:
    lines = [
        line(1, "A", "   2 w 1", "        "),
        line(2, "B", "   1 b 0", "0000 - H"),
        line(3, "C", "0000 - Z", "        ", "0000 - F"),
    ]
    stage = read("\n".join(lines)).stage
    assert [(p.a, p.b) for p in stage.pairings] == [(1, 2)]
    assert {entry.id: entry.asked for entry in stage.entries} == {1: (), 2: ((2, Bye.HALF),), 3: ((3, Bye.FULL),)}


def test_a_bracket_cannot_be_told() -> None:
    with pytest.raises(ValueError, match="single_elimination"):
        write_trf(as_sheet(sheet("AB"), "single_elimination"))


def test_points_are_read_as_they_are_or_doubled() -> None:
    scored = "162  W 3.0    D 1.0    L 0.0    P 2.0\n" + SMALL
    assert read(scored).stage.points == Points(win=3, tie=1, loss=0, bye=2)
    halves = "162  W 1.5    D 0.5\n" + SMALL
    assert read(halves).stage.points == Points(win=3, tie=1, loss=0, bye=3)


def test_a_match_without_colours_and_one_without_a_result() -> None:
    stage = read("\n".join([line(1, "A", "   2 -  "), line(2, "B", "   1 -")])).stage
    assert [(p.a, p.b, p.result) for p in stage.pairings] == [(1, 2, None)]
    won = read("\n".join([line(1, "A", "   2 b W"), line(2, "B", "   1 w L")])).stage
    assert [(p.a, p.b, p.winner) for p in won.pairings] == [(2, 1, 1)]
    old = read("\n".join([line(1, "A", "   2 w 1"), line(2, "B", "   1 b 0"), line(3, "C", "0000 - +")])).stage
    assert [(p.a, p.b, p.bye) for p in old.pairings][1] == (3, None, Bye.FULL)


@pytest.mark.parametrize(
    ("lines", "place", "code", "params"),
    [
        (["012 Nobody"], (1, 1), "no_entries", {}),
        (["001    x"], (1, 5), "not_a_number", {"value": "x"}),
        ([line(1, "A", rating="9e2")], (1, 49), "not_a_number", {"value": "9e2"}),
        ([line(1, "A"), line(1, "B")], (2, 5), "repeated", {"value": 1}),
        ([line(1, "A", "   2 w 1")], (1, 92), "unknown_entry", {"entry": 2}),
        (
            [line(1, "A", "   2 w 1"), line(2, "B", "   3 b 0"), line(3, "C", "   2 w 1")],
            (1, 92),
            "sides_differ",
            {"opponent": 2},
        ),
        ([line(1, "A", "   2 w 1"), line(2, "B", "   1 w 0")], (1, 92), "sides_differ", {"opponent": 2}),
        ([line(1, "A", "   2 w 1"), line(2, "B", "   1 b 1")], (1, 92), "sides_differ", {"opponent": 2}),
        ([line(1, "A", "   2 w ="), line(2, "B", "   1 b 0")], (1, 92), "sides_differ", {"opponent": 2}),
        ([line(1, "A", "   2 w ?"), line(2, "B", "   1 b 0")], (1, 92), "unknown_result", {"value": "?"}),
        (
            [line(1, "A", "   2 w 1", "0000 - ?"), line(2, "B", "   1 b 0", "0000 - U")],
            (1, 102),
            "unknown_result",
            {"value": "?"},
        ),
        ([line(1, "A", "   2 w 1"), line(2, "B", "   1 b 0", "0000 - ?")], (2, 102), "unknown_result", {"value": "?"}),
        ([line(1, "A", "  x2 w 1")], (1, 92), "not_a_number", {"value": "x2"}),
        (["XXR nine"], (1, 5), "not_a_number", {"value": "nine"}),
        (["XXR"], (1, 5), "not_a_number", {"value": ""}),
        (["162  W 1,0"], (1, 7), "not_a_number", {"value": "1,0"}),
        (["162  W 1.0    D0.25"], (1, 6), "unknown_value", {"value": "1/4"}),
        (["240 U   3    1"], (1, 5), "unknown_result", {"value": "U"}),
        (["240 H   x    1"], (1, 7), "not_a_number", {"value": "x"}),
    ],
)
def test_a_fault_has_its_line_and_column(
    lines: list[str], place: tuple[int, int], code: str, params: dict[str, object]
) -> None:
    found = read_trf("\n".join(lines))
    assert isinstance(found, Fault)
    assert ((found.line, found.column), found.code, dict(found.params)) == (place, code, params)
    assert found.code in FAULTS
