"""What things cost: the statements of one result in fields of any size, and pages packed once for everybody."""

from __future__ import annotations

import gzip
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.core.cache import cache, caches
from django.db import connection
from django.http import HttpResponse
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from tests.factories import NOW, make_tournament
from tests.tournaments.api.asking import Api, by_link, by_token
from tests.tournaments.play import count_up, draft, play_open, publish, report, stage_of
from tests.tournaments.views.referee import first, match_of, referee, running, send
from tournaments.actions import standings
from tournaments.models import Tournament
from tournaments.queries.public import EVENT_FACTS, glance_at
from tournaments.views import live

pytestmark = pytest.mark.django_db

MOST_QUERIES = 25

Tell = Callable[[int], HttpResponse]
"""Tells the result of a match."""


def by_form(tournament: Tournament) -> Tell:
    link = referee(tournament)
    return lambda match: send(link, match)


def by_api_link(tournament: Tournament) -> Tell:
    return _over(by_link(tournament), tournament)


def by_api_token(tournament: Tournament) -> Tell:
    return _over(by_token(tournament), tournament)


def _over(api: Api, tournament: Tournament) -> Tell:
    def tell(match: int) -> HttpResponse:
        path = f"tournaments/{tournament.pk}/matches/{match}/result/"
        body = {"kind": "score", "sets": [3, 1], "version": 0}
        answer: HttpResponse = api.ask("PUT", path, body, Idempotency_Key=f"told-{match}-once")
        return answer

    return tell


def in_round(number: int, *, size: int) -> Tournament:
    tournament = running(size)
    for _ in range(1, number):
        play_open(tournament)
        draft(tournament)
        publish(tournament)
    return tournament


def queries_of(way: Callable[[Tournament], Tell], tournament: Tournament) -> tuple[int, int]:
    """How many statements a result takes until it is answered, and then until it is in the standings.

    SQLite takes only so many parameters at once: the rows of the standings go in by the sixty, and count as one.
    """
    tell, match = way(tournament), match_of(first(tournament))
    with CaptureQueriesContext(connection) as told:
        answer = tell(match)
    assert answer.status_code == 200
    stage = stage_of(tournament)
    with CaptureQueriesContext(connection) as counted:
        standings.refresh(stage_id=stage.pk, now=NOW)
    batches = sum('INSERT INTO "tournaments_standing"' in query["sql"] for query in counted)
    return len(told), len(counted) - batches + 1


@pytest.mark.parametrize("way", [by_form, by_api_link, by_api_token])
def test_a_result_of_64_in_round_3_takes_as_many_statements_as_one_of_8_in_round_1(
    way: Callable[[Tournament], Tell],
) -> None:
    small, big = queries_of(way, in_round(1, size=8)), queries_of(way, in_round(3, size=64))
    assert small == big
    assert max(small) <= MOST_QUERIES


@pytest.mark.db
def test_a_page_is_looked_for_in_one_statement_on_either_database_with_times_as_they_are() -> None:
    opens, closes = NOW + timedelta(hours=1), NOW + timedelta(hours=2)
    tournament = make_tournament(registration=True, registration_opens_at=opens, registration_closes_at=closes)
    with CaptureQueriesContext(connection) as made:
        glance = glance_at(tournament_id=tournament.pk)
    assert len(made) == 1
    assert glance is not None
    assert (glance.registration, glance.registration_opens_at, glance.registration_closes_at) == (True, opens, closes)
    assert (glance.version, glance.format.key, glance.is_open_roster) == ("0.0", "swiss", True)
    assert glance.event == tuple(getattr(tournament.event, name) for name in EVENT_FACTS)


@pytest.mark.db
@pytest.mark.parametrize("number", [10**6, 2**63 - 1])
def test_a_tournament_there_is_not_is_not_found_whatever_its_number(number: int) -> None:
    assert glance_at(tournament_id=number) is None
    assert Client().get(reverse("standings", args=[number])).status_code == 404


# --- packed


def get(path: str, **headers: str) -> Any:
    return Client(headers={name.replace("_", "-"): value for name, value in headers.items()}).get(path)


@pytest.mark.parametrize("part", ["", "?part=standings"])
def test_a_public_page_comes_packed_to_whoever_can_unpack_it_and_is_the_same(part: str) -> None:
    path = reverse("standings", args=[running().pk]) + part
    packed, plain = get(path, Accept_Encoding="br, gzip"), get(path)
    assert (packed["Content-Encoding"], "Content-Encoding" in plain) == ("gzip", False)
    assert gzip.decompress(packed.content) == plain.content
    assert packed["ETag"] == f"W/{plain['ETag']}"
    assert packed["Vary"] == plain["Vary"] == "Accept-Encoding, Cookie, Accept-Language"
    for etag in (packed["ETag"], plain["ETag"]):
        assert get(path, Accept_Encoding="gzip", If_None_Match=etag).status_code == 304
        assert get(path, If_None_Match=etag).status_code == 304


def test_what_is_packed_is_not_kept_beyond_its_version() -> None:
    tournament = running()
    path = reverse("standings", args=[tournament.pk])
    before = gzip.decompress(get(path, Accept_Encoding="gzip").content)
    report(first(tournament), (3, 0))
    entered = gzip.decompress(get(path, Accept_Encoding="gzip").content)
    assert b"1 result is not counted yet" not in before
    assert b"1 result is not counted yet" in entered
    count_up(tournament)
    assert b"1 result is not counted yet" not in gzip.decompress(get(path, Accept_Encoding="gzip").content)


def test_what_one_reader_had_behind_the_question_mark_reaches_no_other() -> None:
    path = reverse("standings", args=[running().pk])
    assert "?from=the-newsletter" in get(f"{path}?from=the-newsletter").content.decode()
    assert "the-newsletter" not in get(path).content.decode()


def test_a_large_page_that_is_one_readers_own_comes_packed_too() -> None:
    tournament = running(8)
    owner = Client(headers={"Accept-Encoding": "gzip"})
    owner.force_login(tournament.event.owner, backend="django.contrib.auth.backends.ModelBackend")
    page = owner.get(reverse("standings", args=[tournament.pk]))
    assert (page["Content-Encoding"], page["Cache-Control"]) == ("gzip", "private, no-store")
    assert reverse("tournament_desk", args=[tournament.pk]) in gzip.decompress(page.content).decode()


# --- kept by the process itself


def asked_of(path: str, **headers: str) -> tuple[bytes, int]:
    """A page and the statements it took."""
    with CaptureQueriesContext(connection) as made:
        answer = get(path, **headers)
    return answer.content, len(made)


@pytest.mark.parametrize("part", ["", "?part=standings"])
def test_a_page_somebody_had_is_kept_here_and_in_redis_so_either_may_be_empty(part: str) -> None:
    path = reverse("standings", args=[running().pk]) + part
    first_answer, _many = asked_of(path)
    cache.clear()
    assert asked_of(path) == (first_answer, 1)  # the one statement that says that nothing has changed
    caches["here"].clear()
    again, many = asked_of(path)
    assert (again, many > 1) == (first_answer, True)
    caches["here"].clear()
    assert asked_of(path) == (first_answer, 1)


def test_what_is_kept_here_is_of_one_version_one_language_and_one_page() -> None:
    tournament = running()
    path, other = (reverse(name, args=[tournament.pk]) for name in ("standings", "pairings"))
    english, russian = get(path).content, get(path, Accept_Language="ru").content
    assert (b'lang="en"' in english, b'lang="ru"' in russian) == (True, True)
    assert (get(path).content, get(path, Accept_Language="ru").content) == (english, russian)
    chosen = Client()
    chosen.cookies["django_language"] = "ru"
    assert chosen.get(path).content == russian
    assert get(other).content not in (english, russian)
    report(first(tournament), (3, 0))
    for language, before in (("en", english), ("ru", russian)):
        assert get(path, Accept_Language=language).content != before


def test_a_draft_is_in_nothing_that_is_kept_here() -> None:
    tournament = running()
    play_open(tournament)
    path = reverse("pairings", args=[tournament.pk])
    before = get(path).content
    draft(tournament)
    assert get(path).content == before
    caches["here"].clear()
    cache.clear()
    assert get(path).content == before
    publish(tournament)
    assert get(path).content != before


def test_an_answer_is_kept_for_a_minute_in_all() -> None:
    assert live._HERE_SECONDS + live._SHARED_SECONDS == 60
