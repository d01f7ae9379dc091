"""Whatever is sent to the API, it answers: with what was asked for or with a problem, never with a fault of ours."""

from __future__ import annotations

import json
from io import BytesIO
from typing import Any
from zipfile import ZipFile

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.factories import make_field, make_tournament
from tests.tournaments.api.asking import Api, by_link, by_token, code_of
from tests.tournaments.api.test_permissions import asked, operations, running
from tests.tournaments.play import pairings, start
from tournaments.models import Entry, Tournament

pytestmark = pytest.mark.django_db

HUGE = 2**63
MALFORMED = [
    b"{",
    b"",
    b"\xff\xfe",
    b"nul",
    b'{"name": NaN}',
    b'{"name": Infinity}',
    b'{"name": "a\\u0000b"}',
    b'{"name": "\\ud800"}',
    b'{"\\udfff": 1}',
    b'{"name": ' + b"9" * 5000 + b"}",
    b"[" * 100_000,
    b"[" * 40 + b"]" * 40,
    b'{"a":' * 5000 + b"1" + b"}" * 5000,
]
MISTYPED: list[Any] = [None, True, 1, 1.5, 1e999, "text", [], [[]], ["name"], [{"name": {"name": []}}]]


@pytest.mark.parametrize("body", MALFORMED, ids=[str(place) for place in range(len(MALFORMED))])
def test_what_is_no_json_we_could_keep_is_malformed(body: bytes) -> None:
    api = by_token(make_tournament())
    answer = api.ask("POST", "events/", body)
    code = "invalid" if body == b"" else "malformed"
    assert code_of(answer) == (400, code)


NAMES = [
    *("name", "zone", "starts_on", "options", "tiebreaks", "points", "first_table", "rows", "leaving_out", "kind"),
    *("sets", "totals", "winner", "version", "a", "why", "early", "accept_warnings", "tables", "expires_at", "here"),
]


def test_a_person_is_told_in_their_language_and_a_program_in_its_own() -> None:
    api = by_token(make_tournament())
    english, russian = (api.post("events/", {}, Accept_Language=language).json() for language in ("en", "ru"))
    assert [each["code"] for each in russian["errors"]] == ["required"] * 3
    assert (english["errors"][0]["detail"], russian["errors"][0]["detail"]) == (
        "This field is required.",
        "Обязательное поле.",
    )


@pytest.mark.parametrize("operation", [each for each in operations() if each.split(" ")[0] in ("post", "put", "patch")])
def test_values_of_the_wrong_type_are_told_apart(operation: str) -> None:
    tournament = running()
    api = by_token(tournament)
    method, path = asked(operation, tournament)
    bodies: list[Any] = [*MISTYPED, *(dict.fromkeys(NAMES, value) for value in [*MISTYPED, HUGE])]
    for number, body in enumerate(bodies):
        sent = json.dumps(body).replace("Infinity", "1e999").encode()
        answer = api.ask(method, path, sent, Idempotency_Key=f"mistyped-{number}")
        assert answer.status_code < 400 or code_of(answer)[0] < 500


@pytest.mark.parametrize(
    "query",
    [
        *("page=0", "page=-1", "page=x", "page=1e3", "page=" + "9" * 5000, "page=%00", "page=", "round=x", "round=1.5"),
        *(f"round={HUGE}", "round=%00", "page_size=x", f"page_size={10**30}", "page_size=-1", "format=xml"),
    ],
)
def test_odd_words_in_a_query_are_answered(query: str) -> None:
    tournament = running()
    for path in ("pairings/", "standings/", "rounds/", "bracket/"):
        answer = Api().get(f"tournaments/{tournament.pk}/{path}?{query}")
        assert answer.status_code in (200, 400, 404)
        assert answer.status_code == 200 or code_of(answer)[1] in ("not_found", "query_unknown", "query_malformed")


@pytest.mark.parametrize(
    "headers",
    [
        {"Authorization": "Bearer"},
        {"Authorization": "Bearer "},
        {"Authorization": "Bearer cantina_"},
        {"Authorization": "Bearer \x00"},
        {"Authorization": "bearer \u00e9"},
        {"Authorization": "Link"},
        {"Authorization": "Link -"},
        {"Authorization": "Link 1-"},
        {"Authorization": "Link 1-\u00e9"},
        {"Authorization": f"Link {HUGE}-x"},
        {"Authorization": "Link " + "9" * 5000 + "-x"},
        {"Authorization": "Link ١-x"},
    ],
)
def test_a_secret_that_is_none_is_refused(headers: dict[str, str]) -> None:
    tournament = running()
    answer = Api().get(f"tournaments/{tournament.pk}/", **headers)
    scheme = headers["Authorization"].split(" ")[0].casefold()
    assert code_of(answer) == (401, "token_refused" if scheme == "bearer" else "link_refused")


def test_other_ways_to_say_who_one_is_are_left_alone() -> None:
    tournament = running()
    assert Api().get(f"tournaments/{tournament.pk}/", Authorization="Basic eDp5").status_code == 200


@pytest.mark.parametrize("kind", ["text/plain", "application/xml", "application/x-www-form-urlencoded", ""])
def test_what_is_not_json_is_not_readable(kind: str) -> None:
    api = by_token(make_tournament())
    answer = api.client.generic("POST", "/api/events/", b"name=x", content_type=kind, headers=api.headers)
    assert code_of(answer) == (415, "unsupported_media_type")


def test_a_body_that_is_too_large_is_refused_unread() -> None:
    api = by_token(make_tournament())
    assert code_of(api.ask("POST", "events/", b'{"name": "' + b"x" * (4 * 1024 * 1024) + b'"}')) == (413, "too_large")


def test_whatever_a_client_says_it_accepts_it_gets_json() -> None:
    tournament = running()
    for accepted in ("text/html", "application/problem+json", "nonsense", "*/*;q=x"):
        answer = Api().get(f"tournaments/{tournament.pk}/", Accept=accepted)
        assert (answer.status_code, answer["Content-Type"]) == (200, "application/json")


TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=30)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | TEXTS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3),
    max_leaves=6,
)
FIELDS = st.sampled_from(["kind", "sets", "totals", "winner", "version", "a", "b"])


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(body=st.dictionaries(FIELDS, VALUES, max_size=5), key=TEXTS, seen=TEXTS)
def test_any_result_is_answered(body: dict[str, Any], key: str, seen: str) -> None:
    tournament = Tournament.objects.first() or running()
    path = f"tournaments/{tournament.pk}/matches/{pairings(tournament)[0].match_id}/result/"
    headers = {name: value for name, value in (("Idempotency-Key", key), ("If-Match", seen)) if value.isprintable()}
    answer = by_link(tournament).ask("PUT", path, body, **headers)
    assert answer.status_code < 500


# --- Lists.


def rows_file(name: str, data: bytes) -> dict[str, Any]:
    return {"file": SimpleUploadedFile(name, data)}


def upload(api: Api, tournament: Tournament, data: dict[str, Any]) -> Any:
    return api.client.post(f"/api/tournaments/{tournament.pk}/imports/", data, headers=api.headers)


def test_a_list_is_read_first_and_brought_in_when_it_is_confirmed() -> None:
    tournament = make_tournament()
    api = by_token(tournament)
    data = "Ник;Город;Почта\nИван;Тула;ivan@example.org\nИван;Казань;vanya@example.org\n".encode()
    answer = upload(api, tournament, rows_file("список.csv", data))
    assert answer.status_code == 201
    preview = answer.json()
    assert (preview["state"], preview["added"], preview["row_count"], preview["problems"]) == ("preview", 2, 2, [])
    assert preview["rows"][0] == {"line": 2, "name": "Иван", "city": "Тула", "club": "", "rating": None}
    assert b"ivan@" not in answer.content
    assert tournament.entries.count() == 0
    path = f"tournaments/{tournament.pk}/imports/{preview['id']}/"
    assert api.post(f"{path}confirm/").json()["state"] == "done"
    assert api.post(f"{path}confirm/").json() == api.get(path).json()
    assert [(entry.name, entry.mark) for entry in tournament.entries.order_by("pk")] == [
        ("Иван", "Тула"),
        ("Иван", "Казань"),
    ]
    again = upload(api, tournament, {**rows_file("список.csv", data), "apply": "true"}).json()
    assert (again["state"], again["added"], again["already_there"]) == ("done", 0, 2)


def test_rows_with_something_wrong_are_named_by_their_line_and_nothing_is_brought_in() -> None:
    tournament = make_tournament()
    api = by_token(tournament)
    rows = [
        {"name": "Juhani", "email": "juhani@example.org", "rating": 1500},
        {"name": " "},
        {"name": "Mission", "email": "JUHANI@example.org", "rating": "15OO"},
    ]
    answer = api.post(f"tournaments/{tournament.pk}/imports/", {"rows": rows, "apply": True}).json()
    assert answer["state"] == "preview"
    assert [(each["line"], each["code"]) for each in answer["problems"]] == [
        (2, "name_missing"),
        (3, "rating_invalid"),
        (3, "address_twice"),
    ]
    assert all(each["text"] for each in answer["problems"])
    assert code_of(api.post(f"tournaments/{tournament.pk}/imports/{answer['id']}/confirm/")) == (
        409,
        "import_has_problems",
    )
    assert Entry.objects.count() == 0


@pytest.mark.parametrize(
    ("name", "data", "code"),
    [
        ("a.csv", b"", "empty"),
        ("a.csv", b"Name\n", "no_rows"),
        ("a.csv", b"%PDF-1.7 \x00\x01", "not_a_table"),
        ("a.xlsx", b"PK\x03\x04 not a workbook", "workbook_broken"),
        ("a" * 300 + ".csv", b"City\nRiga\n", "no_name_column"),
    ],
)
def test_a_file_that_is_no_list_says_so(name: str, data: bytes, code: str) -> None:
    tournament = make_tournament()
    answer = upload(by_token(tournament), tournament, rows_file(name, data))
    assert answer.status_code == 201
    assert [each["code"] for each in answer.json()["problems"]] == [code]


def test_a_workbook_that_swells_is_refused() -> None:
    tournament = make_tournament()
    packed = BytesIO()
    with ZipFile(packed, "w", compression=8) as archive:
        archive.writestr("xl/worksheets/sheet1.xml", b"<x>" + b" " * 50_000_000)
    answer = upload(by_token(tournament), tournament, rows_file("bomb.xlsx", packed.getvalue()))
    assert [each["code"] for each in answer.json()["problems"]] == ["too_large"]


@pytest.mark.parametrize("data", [{}, {"file": "text"}, {"encoding": "rot13"}], ids=["nothing", "text", "encoding"])
def test_an_upload_without_a_file_is_invalid(data: dict[str, Any]) -> None:
    tournament = make_tournament()
    answer = upload(by_token(tournament), tournament, data)
    assert code_of(answer) == (400, "invalid")


def test_a_broken_upload_is_a_problem() -> None:
    api = by_token(tournament := make_tournament())
    for kind in ("multipart/form-data", "multipart/form-data; boundary=x", "multipart/form-data; boundary=\u00e9"):
        answer = api.client.generic(
            "POST", f"/api/tournaments/{tournament.pk}/imports/", b"--y\r\n\r\n", content_type=kind, headers=api.headers
        )
        assert answer.status_code == 400
        code_of(answer)


# --- Answers that can be asked for again.


def test_every_row_is_on_one_page_and_both_times_on_the_same() -> None:
    tournament = make_tournament()
    make_field(size=120, tournament=tournament)
    start(tournament)
    path = f"tournaments/{tournament.pk}/"
    for listed, total in (("standings/", 120), ("pairings/", 60)):
        once, twice = (Api().rows(f"{path}{listed}?page_size=25") for _ in range(2))
        assert once == twice
        names = [row["entry"]["id"] if "entry" in row else row["a"]["id"] for row in once]
        assert (len(names), len(set(names))) == (total, total)
    page = Api().get(f"{path}standings/?page_size=25&page=2").json()
    assert (page["count"], len(page["results"])) == (120, 25)
    assert page["previous"] == f"http://testserver/api/{path}standings/?page_size=25"
    assert {row["shared"] for row in page["results"]} == {True}


def test_what_has_not_changed_is_not_sent_again() -> None:
    tournament = running()
    path = f"tournaments/{tournament.pk}/"
    for read in ("rounds/", "pairings/", "standings/", "bracket/"):
        first = Api().get(path + read)
        same = Api().get(path + read, If_None_Match=f'"other", W/{first["ETag"]}')
        assert (same.status_code, same.content, same["ETag"]) == (304, b"", first["ETag"])
        other_language = Api().get(path + read, If_None_Match=first["ETag"], Accept_Language="ru")
        assert other_language.status_code == 200
        assert {"Cookie", "Accept-Language", "Authorization"} <= set(first["Vary"].split(", "))
    etag = Api().get(f"{path}pairings/")["ETag"]
    match = pairings(tournament)[0].match_id
    body = {"kind": "score", "sets": [3, 0], "version": 0}
    by_link(tournament).ask("PUT", f"{path}matches/{match}/result/", body, Idempotency_Key="changes-it")
    assert Api().get(f"{path}pairings/", If_None_Match=etag).status_code == 200


def test_somebodys_own_answers_are_kept_by_nobody() -> None:
    tournament = running()
    for api in (by_token(tournament), by_link(tournament)):
        assert api.get(f"tournaments/{tournament.pk}/standings/")["Cache-Control"] == "private, no-store"


def test_whoever_asks_can_ask_who_they_are() -> None:
    tournament = running()
    account = by_token(tournament).get("me/").json()
    assert (account["role"], account["event"]) == ("account", None)
    assert code_of(Api().get("me/")) == (401, "not_authenticated")
