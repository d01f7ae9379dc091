"""Results from a list: looked at first, entered as a whole or not at all, each to the match it says and no other."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from matches.models import Match, Submission
from tests.factories import make_entry, make_event, make_tournament
from tests.tournaments.play import count_up, draft, pairings, play_open, publish, report, start
from tests.tournaments.views.desk import Page, desk_of, heading, page_text, running, said, text_of
from tournaments.models import Tournament

pytestmark = pytest.mark.django_db


def send(tournament: Tournament, text: str | bytes, **fields: Any) -> Page:
    data = text.encode() if isinstance(text, str) else text
    upload = SimpleUploadedFile("results.csv", data)
    return desk_of(tournament).post(reverse("result_list", args=[tournament.pk]), {"file": upload, **fields})


def fields_of(page: Page) -> dict[str, Any]:
    """What pressing the button of the preview sends."""
    return {name: page.context["form"].initial[name] for name in ("key", "rows")}


def confirm(tournament: Tournament, fields: dict[str, Any]) -> Page:
    return desk_of(tournament).post(reverse("result_list_confirm", args=[tournament.pk]), fields)


def scores(tournament: Tournament) -> list[tuple[str, int, int, str]]:
    return [(p.match.kind, p.match.sets_a, p.match.sets_b, p.match.winner) for p in pairings(tournament) if p.match]


def problems(page: Page) -> list[tuple[str, str]]:
    """The lines that are named, and what is said of each."""
    rows = re.findall(r'<tr><th scope="row" class="rank">(\d*)</th><td>(.*?)</td></tr>', page.content.decode())
    return [(line, text_of(text)) for line, text in rows]


OPEN = ("", 0, 0, "")


def test_a_list_is_looked_at_and_entered_with_one_press() -> None:
    tournament = running(4)  # Player 01 – Player 03 at table 1, Player 02 – Player 04 at table 2
    first, second = pairings(tournament, 1)
    assert first.b is not None
    page = send(tournament, f"Table;First player;Second player;Result\n1;{first.b.name};{first.a.name};1:3\n2;;;w2\n")
    assert heading(page) == "2 results would be entered"
    assert f"2 1 {first.a.name} – {first.b.name} 3–1" in page_text(page)
    assert scores(tournament) == [OPEN, OPEN]
    done = confirm(tournament, fields_of(page))
    assert (done.status_code, said(done)) == (302, ["2 results of the list are in."])
    assert scores(tournament) == [("score", 3, 1, "a"), ("walkover", 0, 3, "b")]
    assert second.number == 2


def test_pressed_twice_and_brought_twice_it_is_entered_once() -> None:
    tournament = running(4)
    text = "Table,Result\n1,3-1\n2,2-3\n"
    fields = fields_of(send(tournament, text))
    for _twice in range(2):
        assert said(confirm(tournament, fields)) == ["2 results of the list are in."]
    assert Submission.objects.count() == 2
    again = send(tournament, text)
    assert (heading(again), again.context["form"]) == ("Nothing new on this list", None)
    assert "2 are in already" in page_text(again)


def test_re_10_where_two_meet_twice_names_alone_are_refused_and_the_match_decides() -> None:
    tournament = make_tournament(event=make_event(), seeding="rating", format="round_robin", options={"twice": True})
    for name in ("Ёлкин", "Zoë"):
        make_entry(tournament=tournament, name=name, here=True)
    start(tournament)
    first, second = pairings(tournament)
    report(first, (3, 0))
    count_up(tournament)
    by_name = "first player;second player;result\nZoë;Ёлкин;3:2\n"
    page = send(tournament, by_name)
    assert heading(page) == "1 thing to repair"
    assert problems(page) == [
        ("2", "This is not clear: several matches may be meant. Say the round and the table."),
    ]
    zoe_is_a = second.a.name == "Zoë"
    expected = ("score", 3, 2, "a") if zoe_is_a else ("score", 2, 3, "b")
    by_number = send(tournament, f"match;first player;second player;result\n{second.match_id};Zoë;Ёлкин;3:2\n")
    confirm(tournament, fields_of(by_number))
    assert scores(tournament) == [("score", 3, 0, "a"), expected]

    in_round = send(tournament, by_name, round=second.round_id)
    assert (heading(in_round), "1 is in already" in page_text(in_round)) == ("Nothing new on this list", True)
    named = send(tournament, by_name.replace("result", "result;round").replace("3:2", "3:2;Round 1"))
    assert problems(named) == [
        (
            "2",
            "This match has another result already: 3–0. If the list is right, correct it there.",
        )
    ]


def test_each_bad_row_is_named_by_its_line_and_nothing_is_entered() -> None:
    tournament = running(4)
    rows = [
        "Table;First player;Result",
        "1;;3:1",
        "2;;5:1",
        "9;;3:1",
        "2;;who knows",
        ";;3:1",
        "1;Player 99;3:1",
        "1;;3:0",
        "1;;3;1",
    ]
    page = send(tournament, "\n".join(rows))
    assert problems(page) == [
        ("3", "This cannot be: a match ends with set 3 won."),
        ("4", "No published match is like this: look at the round, the table and the names."),
        ("5", "Line 3 is of the same match already."),
        ("6", "This row does not say which match it is: a table, or both players, are missing."),
        ("7", "No published match is like this: look at the round, the table and the names."),
        ("8", "Line 2 is of the same match already."),
        ("9", "This row has 4 cells, and the first row 3: is a separator missing its quotes?"),
    ]
    assert page.context["form"] is None
    assert problems(send(tournament, "Table;Result\n2;who knows\n")) == [("2", "This is no result: who knows")]
    assert problems(send(tournament, "Match;Result\n987654;3:0\n")) == [("2", "No match here has this number: 987654")]
    assert (Submission.objects.count(), scores(tournament)) == (0, [OPEN, OPEN])


def test_what_changed_since_the_look_is_named_and_nothing_of_the_list_is_entered() -> None:
    tournament = running(4)
    fields = fields_of(send(tournament, "Table;Result\n1;3:1\n2;3:2\n"))
    report(pairings(tournament, 1)[1], (0, 3))
    answer = confirm(tournament, fields)
    assert (answer.status_code, heading(answer)) == (409, "1 thing to repair")
    ((line, text),) = problems(answer)
    assert (line, "0–3" in text) == ("3", True)
    assert scores(tournament) == [OPEN, ("score", 0, 3, "b")]


def test_the_exported_pairings_come_back_filled_in() -> None:
    tournament = running(5)
    play_open(tournament)
    draft(tournament)
    publish(tournament)
    exported = desk_of(tournament).get(reverse("export", args=[tournament.pk, "pairings", "csv"]))
    text = exported.content.decode("utf-8-sig")
    filled = [f"{line}3:0" if line.endswith((",", ";")) else line for line in text.splitlines()]
    page = send(tournament, "\r\n".join(filled))
    assert heading(page) == "2 results would be entered"
    assert "2 are in already" in page_text(page)
    assert "2 rows without a result" in page_text(page)  # the byes
    confirm(tournament, fields_of(page))
    assert [kind for kind, *_ in scores(tournament)] == ["score"] * 4


def test_ie_01_a_list_of_a_russian_spreadsheet_is_read() -> None:
    tournament = running(4)
    page = send(tournament, "Тур;Стол;Первый игрок;Результат\r\n1;2;;3:2\r\n".encode("cp1251"))
    assert heading(page) == "1 result would be entered"


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "The file is empty."),
        ("Table;Player\n1;Ann\n", "No column holds results. Its title should be “Result”. Found: Table, Player."),
        ("Result\n3:1\n", "Found: Result."),
        (b"\x89PNG\r\n\x1a\n\x00\x00\x00", "This is no table."),
    ],
)
def test_a_file_that_is_no_list_is_told_beside_its_field(text: str | bytes, told: str) -> None:
    page = send(running(2), text)
    assert page.status_code == 400
    assert told in page_text(page)


@pytest.mark.parametrize(
    "rows",
    ["", "[]", "{}", "[[1]]", "[[2,1,0,1,[3,1],null]]", '[[2,true,0,"score",[3,1],null]]', "[" * 90_000, "nonsense"],
)
def test_a_damaged_list_is_told_and_nothing_entered(rows: str) -> None:
    tournament = running(2)
    answer = confirm(tournament, {"key": "of-this-list", "rows": rows})
    assert (answer.status_code, Submission.objects.count()) == (400, 0)


def test_a_match_of_another_tournament_is_not_touched() -> None:
    tournament, other = running(2), running(2)
    theirs = pairings(other)[0].match_id
    answer = confirm(tournament, {"key": "of-this-list", "rows": json.dumps([[2, theirs, 0, "score", [3, 1], None]])})
    assert (answer.status_code, problems(answer)) == (409, [("2", "There is no such match here.")])
    assert Match.objects.filter(kind="").count() == 2


def test_where_nothing_is_played_no_list_is_taken() -> None:
    page = desk_of(tournament := make_tournament()).get(reverse("result_list", args=[tournament.pk]))
    assert "No round is being played" in page_text(page)
