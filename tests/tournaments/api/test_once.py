"""Asked again, nothing is there twice; changed meanwhile, nothing is overwritten; unchanged, nothing is sent again."""

from __future__ import annotations

import base64
from datetime import timedelta
from functools import partial
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.utils import timezone

from players.models import Act
from tests.factories import make_entry, make_field, make_tournament
from tests.tournaments.api.asking import Api, by_link, by_session, by_token, code_of
from tests.tournaments.api.test_at_once import at_once
from tests.tournaments.play import start
from tournaments import tasks
from tournaments.actions.answers import KEPT_FOR, answer_once
from tournaments.models import ApiToken, Entry, Event, FirstAnswer, RosterImport, StaffLink, Tournament
from tournaments.permissions import entry_token

pytestmark = [pytest.mark.django_db, pytest.mark.db]

KEY = "of-this-one-request"


def test_of_01_the_same_request_under_the_same_key_is_done_once_and_answered_the_same() -> None:
    tournament = make_tournament()
    api, path = by_token(tournament), f"tournaments/{tournament.pk}/entries/"
    body = {"name": "Juhani", "email": "juhani@example.org"}
    answers = [api.post(path, body, Idempotency_Key=KEY) for _ in range(5)]
    assert {(answer.status_code, answer.content) for answer in answers} == {(201, answers[0].content)}
    assert Entry.objects.count() == 1
    assert Act.objects.filter(verb="add_entry").count() == 1


def test_of_01_something_else_under_the_same_key_is_refused_and_not_done() -> None:
    tournament = make_tournament()
    api, path = by_token(tournament), f"tournaments/{tournament.pk}/entries/"
    api.post(path, {"name": "Juhani"}, Idempotency_Key=KEY)
    assert code_of(api.post(path, {"name": "Mission"}, Idempotency_Key=KEY)) == (422, "key_taken")
    assert code_of(api.post("events/", {"name": "Juhani"}, Idempotency_Key=KEY)) == (422, "key_taken")
    assert Entry.objects.count() == 1


def test_keys_are_each_callers_own() -> None:
    tournament = make_tournament()
    path = f"tournaments/{tournament.pk}/entries/"
    desks = [by_token(tournament), by_link(tournament, role="desk"), by_link(tournament, role="desk")]  # type: ignore[arg-type]
    for number, desk in enumerate(desks):
        assert desk.post(path, {"name": f"Player {number}"}, Idempotency_Key=KEY).status_code == 201
    assert Entry.objects.count() == 3
    session = by_session(tournament)
    session.client.cookies["csrftoken"] = "f" * 32
    for _ in range(2):
        answer = session.post(path, {"name": "Last"}, Idempotency_Key=KEY, X_CSRFToken="f" * 32)
        assert answer.status_code == 201
    assert Entry.objects.count() == 4


def test_what_was_refused_is_not_kept_and_may_be_asked_for_again() -> None:
    tournament = make_tournament()
    api, path = by_token(tournament), f"tournaments/{tournament.pk}/entries/"
    make_entry(tournament=tournament, name="Juhani")
    assert code_of(api.post(path, {"name": "Juhani"}, Idempotency_Key=KEY)) == (409, "same_name")
    assert code_of(api.post(path, {"name": ""}, Idempotency_Key=KEY)) == (400, "invalid")
    assert FirstAnswer.objects.count() == 0
    assert api.post(path, {"name": "Juhani", "name_again": True}, Idempotency_Key=KEY).status_code == 201


@pytest.mark.parametrize("key", ["short", "with space", "ключ-ключ", "x" * 81, '""'])
def test_a_key_nobody_could_keep_is_refused(key: str) -> None:
    tournament = make_tournament()
    answer = by_token(tournament).post(f"tournaments/{tournament.pk}/entries/", {"name": "A"}, Idempotency_Key=key)
    assert code_of(answer) == (400, "key_missing" if key == '""' else "key_malformed")
    assert Entry.objects.count() == 0


def test_nobody_in_particular_needs_a_key_that_cannot_be_guessed() -> None:
    assert code_of(Api().post("events/", {"name": "A"}, Idempotency_Key=KEY)) == (400, "key_guessable")
    assert code_of(Api().post("events/", {"name": "A"}, Idempotency_Key=KEY * 2)) == (401, "not_authenticated")


def test_an_upload_sent_again_is_one_list_whoever_sends_it() -> None:
    tournament = make_tournament()
    token, session = by_token(tournament), by_session(tournament)
    session.client.cookies["csrftoken"] = "f" * 32
    for api, headers in ((token, token.headers), (session, {"X-CSRFToken": "f" * 32})):
        for _ in range(2):
            answer = api.client.post(
                f"/api/tournaments/{tournament.pk}/imports/",
                {"file": SimpleUploadedFile("list.csv", b"Name\nJuhani\n")},
                headers={**headers, "Idempotency-Key": KEY},
            )
            assert answer.status_code == 201
    assert RosterImport.objects.count() == 2
    other = token.client.post(
        f"/api/tournaments/{tournament.pk}/imports/",
        {"file": SimpleUploadedFile("list.csv", b"Name\nMission\n")},
        headers={**token.headers, "Idempotency-Key": KEY},
    )
    assert code_of(other) == (422, "key_taken")


def test_a_secret_that_is_answered_again_cannot_be_read_in_the_database() -> None:
    tournament = make_tournament()
    api, path = by_token(tournament), f"events/{tournament.event_id}/tokens/"
    first, second = (api.post(path, {"name": "score board"}, Idempotency_Key=KEY).json() for _ in range(2))
    assert first == second
    assert ApiToken.objects.filter(name="score board").count() == 1
    kept = FirstAnswer.objects.get()
    stored = bytes(kept.body) + base64.urlsafe_b64decode(bytes(kept.body))
    assert first["token"].encode() not in stored
    assert KEY not in (kept.key, kept.digest)
    assert Api(f"Bearer {first['token']}").get("me/").json()["event"] == tournament.event_id


def test_an_answer_is_kept_for_a_day() -> None:
    now, made = timezone.now(), []

    def act() -> tuple[int, bytes]:
        made.append(1)
        return 201, b"%d" % len(made)

    ask = partial(answer_once, caller="token/1", key=KEY, asked=b"x", act=act)
    assert ask(now=now) == (201, b"1")
    assert ask(now=now + KEPT_FOR) == (201, b"1")
    assert ask(now=now + KEPT_FOR + timedelta(seconds=1)) == (201, b"2")
    FirstAnswer.objects.update(created_at=now - KEPT_FOR - timedelta(seconds=1))
    tasks.forget_answers()
    assert FirstAnswer.objects.count() == 0


@pytest.mark.django_db(transaction=True)
def test_of_01_retries_at_the_same_moment_make_one_thing_and_get_one_answer() -> None:
    tournament = make_tournament()
    api, path = by_token(tournament), f"events/{tournament.event_id}/staff-links/"
    body = {"role": "desk", "name": "Olli"}
    asks = [partial(Api(api.headers["Authorization"]).post, path, body, Idempotency_Key=KEY) for _ in range(5)]
    answers = at_once(*asks)
    assert {(answer.status_code, answer.content) for answer in answers} == {(201, answers[0].content)}
    assert StaffLink.objects.count() == 1


# --- What somebody read, and changes.


def changes(tournament: Tournament) -> list[tuple[str, str, dict[str, Any] | None]]:
    entry = make_entry(tournament=tournament, name="Juhani", email="juhani@example.org")
    return [
        (f"events/{tournament.event_id}/", "PATCH", {"name": "StarCon 2028"}),
        (f"tournaments/{tournament.pk}/entries/{entry.pk}/", "PATCH", {"city": "Riga"}),
        (f"tournaments/{tournament.pk}/entries/{entry.pk}/", "DELETE", None),
        (f"tournaments/{tournament.pk}/", "PATCH", {"name": "Renamed"}),
        (f"tournaments/{tournament.pk}/", "DELETE", None),
    ]


def test_a_change_made_from_what_stands_is_done_and_one_made_from_what_stood_is_not() -> None:
    tournament = make_tournament()
    api = by_token(tournament)
    for path, method, body in changes(tournament):
        read = api.get(path)
        refused = api.ask(method, path, body, If_Match='"of-another-time"')
        assert code_of(refused) == (412, "changed_since")
        assert refused.json()["params"] == {"etag": read["ETag"]}
        assert refused.json()["now"] == read.json()
        assert api.get(path)["ETag"] == read["ETag"]
        done = api.ask(method, path, body, If_Match=f'"old", {read["ETag"]}')
        assert done.status_code == (204 if method == "DELETE" else 200)
        if method == "PATCH":
            assert api.get(path)["ETag"] != read["ETag"]
    assert (Tournament.objects.count(), Entry.objects.count()) == (0, 0)
    assert Event.objects.get().name == "StarCon 2028"


def test_a_player_does_not_overwrite_what_changed_meanwhile() -> None:
    entry = make_entry(tournament=make_tournament(), name="Juhani")
    own = Api(f"Own {entry_token(entry)}")
    etag = own.get("own/")["ETag"]
    assert own.ask("PATCH", "own/", {"city": "Turku"}, If_Match=etag).json()["city"] == "Turku"
    refused = own.ask("PATCH", "own/", {"city": "Riga"}, If_Match=etag)
    assert code_of(refused) == (412, "changed_since")
    assert refused.json()["now"]["city"] == "Turku"


def test_without_if_match_or_with_a_star_a_change_is_done() -> None:
    tournament = make_tournament()
    api, path = by_token(tournament), f"tournaments/{tournament.pk}/"
    assert api.ask("PATCH", path, {"name": "One"}).json()["name"] == "One"
    assert api.ask("PATCH", path, {"name": "Two"}, If_Match="*").json()["name"] == "Two"


def test_of_two_who_change_what_both_read_one_is_told() -> None:
    tournament = make_tournament()
    api, path = by_token(tournament), f"tournaments/{tournament.pk}/"
    etag = api.get(path)["ETag"]
    assert api.ask("PATCH", path, {"name": "One"}, If_Match=etag).status_code == 200
    assert code_of(api.ask("PATCH", path, {"name": "Two"}, If_Match=etag)) == (412, "changed_since")
    assert api.get(path).json()["name"] == "One"


def test_every_read_has_a_tag_and_is_not_sent_again() -> None:
    tournament = make_tournament()
    make_field(size=4, tournament=tournament)
    start(tournament)
    api, event = by_token(tournament), f"events/{tournament.event_id}/"
    entry = tournament.entries.order_by("pk")[0].pk
    inner = ("", "entries/", f"entries/{entry}/", "imports/", "rounds/", "pairings/", "standings/", "open-matches/")
    for path in (
        *("me/", "events/", event, f"{event}log/", f"{event}staff-links/", f"{event}tokens/"),
        *(f"tournaments/{tournament.pk}/{each}" for each in inner),
    ):
        first = api.get(path)
        again = api.get(path, If_None_Match=f'W/{first["ETag"]}, "other"')
        assert (again.status_code, again.content, again["ETag"]) == (304, b"", first["ETag"]), path
        assert again["Cache-Control"] == "private, no-store"
        assert api.get(path, If_None_Match='"other"').status_code == 200
    assert Api().get(event)["Cache-Control"] == "public, max-age=0, must-revalidate"


# --- Words of a query.


def test_a_word_nobody_knows_is_refused_and_what_is_known_is_named() -> None:
    tournament = make_tournament()
    answer = Api().get(f"tournaments/{tournament.pk}/pairings/?ruond=1")
    assert code_of(answer) == (400, "query_unknown")
    assert answer.json()["params"] == {
        "names": ["ruond"],
        "known": ["entry", "open", "page", "page_size", "round"],
    }
    assert code_of(by_token(tournament).post("events/?dry_run=1", {})) == (400, "query_unknown")


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("tournaments/{}/pairings/?round=x", "round"),
        ("tournaments/{}/pairings/?open=maybe", "open"),
        ("tournaments/{}/pairings/?page=x", "page"),
        ("tournaments/{}/pairings/?page_size=-1", "page_size"),
        ("tournaments/{}/entries/?status=unknown", "status"),
        ("tournaments/{}/entries/?here=", "here"),
        ("events/?mine=x", "mine"),
    ],
)
def test_a_word_that_cannot_be_read_is_named(path: str, name: str) -> None:
    tournament = make_tournament()
    answer = by_token(tournament).get(path.format(tournament.pk))
    assert code_of(answer) == (400, "query_malformed")
    assert answer.json()["params"]["name"] == name
