"""The commands for tournament files: pairing, ranking, and verifying what others published."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from copy import deepcopy
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

from tests.tournaments.engine.interchange.test_trf import line
from tournaments.engine.interchange.document import FAULTS, Fault
from tournaments.management.corpora import differences
from tournaments.words.faults import fault_text

Event = dict[str, Any]

TRF = "\n".join(
    [
        "012 Club evening",
        "142 3",
        line(1, "Ahto", "   3 w 1"),
        line(2, "Brejik", "0000 - U"),
        line(3, "Canderous", "   1 b 0"),
    ]
)


def told(*arguments: str) -> list[str]:
    out = io.StringIO()
    call_command(*arguments, stdout=out)
    return out.getvalue().splitlines()


@pytest.fixture
def file(tmp_path: Path) -> Callable[[str, str], str]:
    def write(name: str, text: str) -> str:
        path = tmp_path / name
        path.write_text(text, encoding="utf-8")
        return str(path)

    return write


File = Callable[[str, str], str]


def test_the_next_round_of_a_file_is_paired(file: File) -> None:
    assert told("pair", file("evening.trf", TRF)) == ["Round 2", "1\t2 Brejik\t1 Ahto", "2\t3 Canderous\tgiven"]


def test_a_rematch_nobody_can_avoid_is_told(file: File) -> None:
    text = "\n".join([line(1, "A", "   2 w 1"), line(2, "B", "   1 b 0"), "142 2"])
    assert told("pair", file("two.trf", text)) == [
        "Round 2",
        "! B and A meet again, after round 1: this round cannot do without a rematch.",
        "1\t2 B\t1 A",
    ]


def test_what_cannot_be_paired_is_told_why(file: File) -> None:
    waiting = TRF.replace("3 w 1", "3 w").replace("1 b 0", "1 b")
    with pytest.raises(CommandError, match="1 matches are open"):
        told("pair", file("open.trf", waiting))
    with pytest.raises(CommandError, match="Everything is paired"):
        told("pair", file("over.trf", TRF.replace("142 3", "142 1")))


def test_a_file_is_ranked_by_its_own_tie_breaks_or_by_others(file: File) -> None:
    path = file("evening.trf", TRF)
    assert told("standings", path) == [
        "rank\tseed\tname\tpoints\twon-tied-lost\tbuchholz_cut_1\tbuchholz\tset_difference",
        "1\t2\tBrejik\t2\t0-0-0\t0\t1\t0",
        "2\t1\tAhto\t2\t1-0-0\t0\t0\t1",
        "3\t3\tCanderous\t0\t0-0-1\t0\t2\t-1",
    ]
    assert told("standings", path, "--tiebreaks", "wins_as_second,head_to_head", "--reasons") == [
        "rank\tseed\tname\tpoints\twon-tied-lost\twins_as_second",
        "1\t1\tAhto\t2\t1-0-0\t0\tShares the place with Brejik: level in everything.",
        "1\t2\tBrejik\t2\t0-0-0\t0\tShares the place with Ahto: level in everything.",
        "3\t3\tCanderous\t0\t0-0-1\t0\tAlone on 0 points.",
    ]
    with pytest.raises(CommandError, match="no tie-break luck"):
        told("standings", path, "--tiebreaks", "luck")


def test_json_is_known_by_its_first_letter_and_a_fault_by_its_place(file: File) -> None:
    with pytest.raises(CommandError, match=r"broken\.json:2:9: Something else stands here than there should: str\."):
        told("pair", file("broken.json", json.dumps(_JSON, indent=0)))
    with pytest.raises(CommandError, match=r"bad\.trf:1:5: “x” is not a number"):
        told("standings", file("bad.trf", "001    x"))
    with pytest.raises(CommandError, match="No such file"):
        told("pair", "/nowhere/at/all.trf")


def test_letters_that_are_no_utf_8_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "old.trf"
    path.write_bytes("012 Кубок".encode("cp1251"))
    with pytest.raises(CommandError, match="not UTF-8 from byte 4"):
        told("pair", str(path))


_JSON = {
    "name": 5,
    "cantina": 1,
    "format": "swiss",
    "options": {},
    "tiebreaks": [],
    "points": {"win": 3, "tie": 1, "loss": 0, "bye": 3},
    "sets_to_win": 3,
    "seed": "",
    "entries": [{"id": 1, "seed": 1, "name": "A"}],
    "pairings": [],
}
PARAMS = {"what": 1, "expected": 1, "field": 1, "value": 1, "entry": 1, "opponent": 1, "byte": 1, "most": 1}


@pytest.mark.parametrize("code", FAULTS)
def test_every_fault_has_words(code: str) -> None:
    assert "%(" not in fault_text(Fault.of(1, 1, code, **PARAMS))


# --- Verifying.

CHESS: Event = {
    "rounds": 3,
    "rule_version": "C.07 2023/24",
    "tie_break_order": ["Pts", "BH", "BH-C1", "SB"],
    "players": [
        {"id": 1, "games": [[1.0, 2, "w"], [0.5, 3, "b"], [1.0, 4, "f"]]},
        {"id": 2, "games": [[0.0, 1, "b"], [1.0, 4, "w"], [0.5, "BYE", "f"]]},
        {"id": 3, "games": [[1.0, "BYE", "f"], [0.5, 1, "w"], [None, None, "-"]]},
        {"id": 4, "games": [[None, None, "-"], [0.0, 2, "b"], [0.0, 1, "f"]]},
    ],
    "standings": [
        {"rank": 1, "id": 1, "Pts": 2.5, "BH": 6.0, "BH-C1": 4.5, "SB": 5.0},
        {"rank": 3, "id": 2, "Pts": 1.5, "BH": 4.0, "BH-C1": 2.5, "SB": 0.8},
        {"rank": 2, "id": 3, "Pts": 1.5, "BH": 5.5, "BH-C1": 4.0, "SB": 2.8},
        {"rank": 4, "id": 4, "Pts": 0.0, "BH": 1.5, "BH-C1": 1.5, "SB": 0.0},
    ],
}

CARDS: Event = {
    "swiss_rounds": 2,
    "rounds": [
        {"matches": [[1, 2, "2-0-0"], [3, None, "2-0-0"]]},
        {"matches": [[1, 3, "2-1-0"], [2, None, "2-0-0"]]},
    ],
    "standings": [
        {"rank": 1, "player": 1, "points": 6, "omw": 0.5, "gw": 0.8, "ogw": 0.55},
        {"rank": 2, "player": 3, "points": 3, "omw": 1, "gw": 0.6, "ogw": 0.8},
        {"rank": 3, "player": 2, "points": 3, "omw": 1, "gw": 0.5, "ogw": 0.8},
    ],
}

CUT: Event = {
    "players": "numbered by rank",
    "rounds": [
        {"matches": [[4, 1, "2-0-0"], [2, 3, "2-1-0"]]},
        {"matches": [[2, 4, "2-1-0"]]},
    ],
    "standings": [{"rank": n, "points": 9 - n, "omw": 0.5, "gw": 0.5, "ogw": 0.5} for n in range(1, 5)],
}

DOUBLE: Event = {
    "entrants": 3,
    "matches": [
        [2, 3, 3, 1, 1, "Winners Semi-Final", False],
        [1, 2, 3, 0, 2, "Winners Final", False],
        [2, 3, 3, 0, -3, "Losers Final", False],
        [2, 1, 3, 2, 3, "Grand Final", False],
        [1, 2, 3, 2, 3, "Grand Final Reset", False],
    ],
    "placements": [[1, 1], [2, 2], [3, 3]],
}

GROUPS: Event = {
    "entrants": 4,
    "pools": 1,
    "matches": [
        [1, 4, 3, 0, 1, "Round 1", "1", "pool"],
        [2, 3, 3, 0, 1, "Round 1", "1", "pool"],
        [1, 3, 3, 0, 2, "Round 2", "1", "pool"],
        [2, 4, 3, 0, 2, "Round 2", "1", "pool"],
        [1, 2, 3, 0, 3, "Round 3", "1", "pool"],
        [3, 4, 3, 0, 3, "Round 3", "1", "pool"],
        [1, 2, 3, 0, 1, "Winners Final", "1", "bracket"],
        [2, 3, 3, 0, -2, "Losers Final", "1", "bracket"],
        [1, 2, 3, 0, 2, "Grand Final", "1", "bracket"],
    ],
    "placements": [[1, 1], [2, 2], [3, 3], [4, 4]],
}

EVENTS = {"chess": CHESS, "cards": CARDS, "cut": CUT, "double": DOUBLE, "groups": GROUPS}


def changed(event: Event, *path: str | int, to: object) -> Event:
    found: Any = deepcopy(event)
    at = found
    for step in path[:-1]:
        at = at[step]
    at[path[-1]] = to
    return dict(found)


def found(event: Event) -> list[str]:
    return list(differences(json.loads(json.dumps(event), parse_float=Decimal)))


@pytest.mark.parametrize("name", EVENTS)
def test_an_event_published_right_has_no_difference(name: str) -> None:
    assert found(EVENTS[name]) == []


STAND, ROUNDS = "standings", "rounds"


@pytest.mark.parametrize(
    ("name", "path", "to", "expected"),
    [
        ("chess", (STAND, 0, "Pts"), 3.0, "Pts of 1: 3.0 published, 5/2 here"),
        ("chess", (STAND, 1, "BH"), 4.5, "BH of 2: 4.5 published, 4 here"),
        ("chess", (STAND, 2, "SB"), 2.7, None),
        ("chess", (STAND, 2, "SB"), 2.9, "SB of 3: 2.9 published, 11/4 here"),
        ("chess", (STAND, 3, "rank"), 0, "order: 4 is published above 1"),
        ("chess", ("tie_break_order", 3), "XYZ", "no tie-break called XYZ"),
        ("chess", ("players", 1, "games", 0), [0.0, 1, "w"], "round 1: 1 and 2 both have w"),
        ("chess", ("players", 1, "games", 0), [0.0, 4, "b"], "round 1: 1 met 2, who met 4"),
        ("cards", (STAND, 0, "points"), 5, "points of 1: 5 published, 6 here"),
        ("cards", (STAND, 1, "omw"), 0.9, "omw of 3: 0.9 published, 1 here"),
        ("cards", (STAND, 0, "ogw"), 0.45, "ogw of 1: 0.45 published, 11/20 here"),
        ("cards", (STAND, 0, "rank"), 5, "order: 2 is published above 1"),
        ("cards", (ROUNDS, 1, "matches", 1), [3, None, "2-0-0"], "round 2: 3 has a second bye"),
        ("cards", (ROUNDS, 1, "matches", 0), [2, 1, "2-1-0"], "round 2: 2 meets again"),
        ("cut", (STAND, 3, "points"), 9, "order: 3 is published above 4"),
        ("cut", (ROUNDS, 0, "matches", 0), [4, 3, "2-0-0"], "semi_finals: 1 meets 4 here"),
        ("cut", (ROUNDS, 1, "matches"), [[2, 4, "2-1-0"], [1, 3, "2-0-0"]], "1 and 3 do not meet here"),
        ("double", ("matches", 1), [1, 3, 3, 0, 2, "Winners Final", False], "winners_final: 1 and 2 meet here"),
        (
            "double",
            ("matches", 3),
            [1, 2, 3, 2, 3, "Grand Final", False],
            "Grand Final Reset: 1 and 2 do not meet here",
        ),
        ("double", ("placements", 2), [4, 3], "place of 3: 4 published, 3 here"),
        ("groups", ("pools",), 2, "2 pools published, 1 played"),
        ("groups", ("placements", 3), [3, 4], "place of 4: 3 published, 4 here"),
        ("groups", ("matches", 5), [3, 1, 3, 0, 3, "Round 3", "1", "pool"], "pool 1: 1 and 3 meet 2 times"),
        ("groups", ("matches", 5, 4), 4, "pool 1: 4 rounds published, 3 here"),
        ("groups", ("matches", 5, 4), 2, "pool 1: round 2: 3 plays 2 times"),
    ],
)
def test_whatever_is_published_wrong_is_a_difference(
    name: str, path: tuple[str | int, ...], to: object, expected: str | None
) -> None:
    differing = found(changed(EVENTS[name], *path, to=to))
    assert (expected in differing) if expected else not differing


def test_percentages_below_the_floor_may_be_shown_raised_to_it() -> None:
    rounds = [{"matches": [[1, 2, "2-0-0"]]}, {"matches": [[1, 3, "2-0-0"], [2, None, "0-2-0"]]}]
    rows = [
        {"rank": 1, "player": 1, "points": 6, "omw": 0.33333333, "gw": 1, "ogw": 0.33333333},
        {"rank": 2, "player": 2, "points": 0, "omw": 1, "gw": 0.33333333, "ogw": 1},
        {"rank": 3, "player": 3, "points": 0, "omw": 1, "gw": 0.33333333, "ogw": 1},
    ]
    event = {"swiss_rounds": 2, "rounds": rounds, "standings": rows}
    assert found(event) == []
    assert found(changed(event, STAND, 1, "gw", to=0)) == ["gw of 2: 0 published, 1/3 here"]


def test_events_are_counted_and_differences_end_in_failure(tmp_path: Path, file: File) -> None:
    (tmp_path / "deep").mkdir()
    for name, event in EVENTS.items():
        (tmp_path / "deep" / f"{name}.json").write_text(json.dumps(event), encoding="utf-8")
    assert told("verify", str(tmp_path)) == ["5 passed, 0 failed"]
    wrong = file("wrong.json", json.dumps(changed(CHESS, STAND, 0, "Pts", to=2)))
    broken = file("broken.json", "{")
    other = file("other.json", '{"a": 1}')
    a_list = file("list.json", "[]")
    half = file("half.json", json.dumps({**DOUBLE, "matches": [[1]]}))
    out = io.StringIO()
    with pytest.raises(SystemExit) as ended:
        call_command("verify", str(tmp_path), stdout=out)
    assert ended.value.code == 1
    lines = out.getvalue().splitlines()
    assert lines[-1] == "5 passed, 5 failed"
    assert f"{wrong}: Pts of 1: 2 published, 5/2 here" in lines
    assert [line for line in lines if line.startswith(other)] == [
        f"{other}: cannot be read as an event: ValueError: no form of event with the fields a"
    ]
    assert [sum(line.startswith(path) for line in lines) for path in (broken, a_list, half)] == [1, 1, 1]


def test_nothing_to_verify_is_no_success(tmp_path: Path) -> None:
    with pytest.raises(SystemExit):
        told("verify", str(tmp_path))
    with pytest.raises(CommandError, match="There is no"):
        told("verify", str(tmp_path / "nowhere"))
