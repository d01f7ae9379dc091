"""How the public pages keep fresh and keep secrets: versions, regions, drafts without a trace, nobody's own data."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

import pytest
from django.db import connection
from django.http import HttpResponse
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from tests.factories import NOW, make_entry, make_event, make_field, make_tournament, organiser
from tests.tournaments.play import count_up, draft, pairings, play_open, publish, report, start
from tournaments.actions import events
from tournaments.actions.events import EventFacts
from tournaments.models import Tournament

pytestmark = pytest.mark.django_db

PAGES = ("tournament", "pairings", "standings", "hall")
REGION = re.compile(r'data-live="([^"]*)" data-src="([^"]*)" data-version="([^"]*)" data-updated="([^"]+)"')
TAG = re.compile(r'"(\d+\.\d+)-(en|ru)-[0-9a-f]{12}"')


def running(size: int = 4, **facts: Any) -> Tournament:
    tournament = make_tournament(seeding="rating", **facts)
    make_field(size=size, tournament=tournament)
    start(tournament)
    return tournament


def get(
    tournament: Tournament, name: str = "tournament", *, client: Client | None = None, **query: str
) -> HttpResponse:
    answer = (client or Client()).get(reverse(name, args=[tournament.pk]), query)
    assert isinstance(answer, HttpResponse)
    return answer


def regions(html: str) -> list[tuple[str, str, str]]:
    """Topics, address and version of each live region of a page."""
    return [(topics, src.replace("&amp;", "&"), version) for topics, src, version, _said in REGION.findall(html)]


# --- regions


@pytest.mark.parametrize("name", PAGES)
def test_each_region_of_a_page_can_be_asked_for_alone(name: str) -> None:
    tournament = running()
    whole = get(tournament, name)
    found = regions(whole.content.decode())
    assert found
    for topics, src, version in found:
        part = Client().get(src)
        assert (part.status_code, part["ETag"]) == (200, f'"{version}"')
        assert part["ETag"] == whole["ETag"]
        assert topics == f"tournament/{tournament.pk}"
        assert part.content.decode() in whole.content.decode()
        assert regions(part.content.decode()) == [(topics, src, version)]


def test_the_regions_of_a_tournament_are_the_same_from_its_roster_to_its_end() -> None:
    tournament = make_tournament()
    make_field(size=4, tournament=tournament)
    before = [src for _topics, src, _version in regions(get(tournament).content.decode())]
    start(tournament)
    play_open(tournament)
    assert [src for _topics, src, _version in regions(get(tournament).content.decode())] == before


def test_a_region_there_is_not_is_not_found() -> None:
    assert get(running(), part="desk").status_code == 404


def test_the_event_page_listens_to_all_its_tournaments() -> None:
    event = make_event()
    first, second = make_tournament(event=event), make_tournament(event=event)
    ((topics, src, _version),) = regions(Client().get(reverse("event", args=[event.pk])).content.decode())
    assert topics == f"tournament/{first.pk} tournament/{second.pk}"
    assert src == f"{reverse('event', args=[event.pk])}?part=tournaments"


# --- versions


def again(tournament: Tournament, etag: str, name: str = "tournament", **query: str) -> int:
    answer = Client().get(reverse(name, args=[tournament.pk]), query, headers={"If-None-Match": etag})
    if answer.status_code == 304:
        assert answer.content == b""
        assert answer["ETag"] in etag
        assert answer["Cache-Control"] == "public, max-age=0, must-revalidate"
    return answer.status_code


@pytest.mark.parametrize("name", PAGES)
@pytest.mark.parametrize("query", [{}, {"part": "%s"}])
def test_who_has_a_page_is_spared_it_until_something_changes(name: str, query: dict[str, Any]) -> None:
    tournament = running()
    region = {"tournament": "standings", "pairings": "pairings", "standings": "standings", "hall": "screen"}[name]
    query = {key: value % region for key, value in query.items()}
    etag = get(tournament, name, **query)["ETag"]
    found = TAG.fullmatch(etag)
    assert found is not None
    assert found[2] == "en"
    assert again(tournament, etag, name, **query) == 304
    assert again(tournament, f'W/{etag}, "other"', name, **query) == 304
    report(pairings(tournament, 1)[0], (3, 0))
    assert again(tournament, etag, name, **query) == 200
    entered = get(tournament, name, **query)["ETag"]
    count_up(tournament)
    assert again(tournament, entered, name, **query) == 200


def test_a_change_of_the_event_or_of_the_settings_is_a_change_of_the_page() -> None:
    tournament = running()
    etag = get(tournament)["ETag"]
    event = tournament.event
    facts = EventFacts("StarCon 2028", event.place, event.zone, event.starts_on, event.ends_on)
    events.edit_event(event_id=event.pk, facts=facts, by=organiser(of=event), now=NOW)
    assert again(tournament, etag) == 200
    etag = get(tournament)["ETag"]
    stage = tournament.stages.get()
    named = events.TournamentFacts(
        name="Other", format=stage.format, options=stage.options, seeding=tournament.seeding, points=stage.points
    )
    named = replace(named, tiebreaks=tuple(stage.tiebreaks))
    events.edit_tournament(tournament_id=tournament.pk, facts=named, by=organiser(of=tournament), now=NOW)
    assert again(tournament, etag) == 200


def test_languages_do_not_share_a_version() -> None:
    tournament = running()
    etag = get(tournament)["ETag"]
    answer = Client(headers={"Accept-Language": "ru"}).get(
        reverse("tournament", args=[tournament.pk]), headers={"If-None-Match": etag}
    )
    assert answer.status_code == 200
    assert "-ru-" in answer["ETag"]
    assert {each.strip() for each in answer["Vary"].split(",")} >= {"Cookie", "Accept-Language"}


def test_a_roster_that_grows_is_a_new_version() -> None:
    tournament = make_tournament()
    etag = get(tournament)["ETag"]
    make_entry(tournament=tournament, name="Juhani")
    assert again(tournament, etag) == 200
    assert "Juhani" in get(tournament).content.decode()


def test_a_page_shown_from_what_was_kept_is_never_older_than_its_version() -> None:
    tournament = running()
    get(tournament)
    report(pairings(tournament, 1)[0], (3, 2))
    html = get(tournament).content.decode()
    assert "3–2" in html
    assert "1 result is not counted yet" in html
    count_up(tournament)
    assert "not counted yet" not in get(tournament).content.decode()


# --- LP-01: a draft leaves no trace


def all_there_is(tournament: Tournament) -> dict[str, tuple[str, bytes]]:
    """Every public page and region of a tournament, with its ETag and its text."""
    seen: dict[str, tuple[str, bytes]] = {}
    waiting = [reverse(name, args=[tournament.pk]) for name in PAGES]
    waiting += [f"{reverse('pairings', args=[tournament.pk])}?by=name", reverse("event", args=[tournament.event_id])]
    while waiting:
        address = waiting.pop()
        answer = Client().get(address)
        assert answer.status_code == 200
        seen[address] = (answer["ETag"], answer.content)
        waiting += [src for _topics, src, _version in regions(answer.content.decode()) if src not in seen]
    return seen


@pytest.mark.db
def test_lp_01_a_draft_changes_nothing_that_anybody_can_see() -> None:
    tournament = running()
    play_open(tournament)
    before = all_there_is(tournament)
    draft(tournament)
    assert all_there_is(tournament) == before
    assert get(tournament, "pairings", round="2").status_code == 404
    publish(tournament)
    after = all_there_is(tournament)
    assert after.keys() >= before.keys()
    assert [address for address in before if after[address][0] == before[address][0]] == []
    assert get(tournament, "pairings", round="2").status_code == 200


def test_lp_01_a_first_draft_and_the_organisers_look_at_it_leave_no_trace() -> None:
    from tournaments.actions import rounds

    tournament = make_tournament()
    make_field(size=4, tournament=tournament)
    rounds.start_tournament(tournament_id=tournament.pk, by=organiser(of=tournament), now=NOW)
    count_up(tournament)
    owner = Client()
    owner.force_login(tournament.event.owner)
    for client in (owner, Client()):
        html = get(tournament, client=client).content.decode()
        assert "The first round is being paired" in html
        assert re.findall(r"pairing-\d+|match-\d+|seat-\d+", html) == []
    assert get(tournament, "pairings", round="1").status_code == 404


# --- LP-03: nothing of anybody in what all may keep


def test_lp_03_what_is_kept_for_all_has_nothing_of_the_organiser() -> None:
    tournament = make_tournament(format="single_elimination")
    make_entry(tournament=tournament, name="Juhani", email="juhani@example.org", here=True)
    make_entry(tournament=tournament, name="Mission", email="mission@example.org", here=True)
    start(tournament)
    owner = Client()
    owner.force_login(tournament.event.owner)
    addresses = [reverse(name, args=[tournament.pk]) for name in (*PAGES, "bracket")]
    addresses += [reverse("event", args=[tournament.event_id]), "/"]
    for address in addresses:
        own = owner.get(address)
        assert own["Cache-Control"] == "private, no-store"
        assert "ETag" not in own
        assert "/desk/" in own.content.decode() or address.endswith("/hall/")
        for language in ("en", "ru"):
            answer = Client(headers={"Accept-Language": language}).get(address)
            assert answer["Cache-Control"] == "public, max-age=0, must-revalidate"
            assert not answer.cookies
            html = answer.content.decode()
            assert re.findall(r"/desk/|/s/|@|csrf", html) == []


def test_lp_03_a_region_an_organiser_asks_for_is_kept_by_nobody_and_is_the_same() -> None:
    tournament = running()
    owner = Client()
    owner.force_login(tournament.event.owner)
    own = get(tournament, client=owner, part="standings")
    assert own["Cache-Control"] == "private, no-store"
    assert own.content == get(tournament, part="standings").content


# --- the number of queries does not follow the size


@contextmanager
def counted() -> Iterator[list[int]]:
    found: list[int] = []
    with CaptureQueriesContext(connection) as queries:
        yield found
    found.append(len(queries))


def queries_of(make: Callable[[int], Tournament], size: int, name: str, **query: Any) -> int:
    tournament = make(size)
    with counted() as found:
        assert get(tournament, name, **query).status_code == 200
    return found[0]


@pytest.mark.parametrize(
    ("name", "query", "most"),
    [
        ("tournament", {}, 11),  # one for when it ends
        ("tournament", {"part": "now"}, 8),
        ("tournament", {"q": "Player"}, 11),
        ("standings", {}, 10),
        ("pairings", {}, 10),
        ("pairings", {"by": "name"}, 10),
        ("hall", {}, 11),  # one for who is called, which a round can have too
    ],
)
def test_the_number_of_queries_is_the_same_for_8_and_for_64_players(
    name: str, query: dict[str, Any], most: int
) -> None:
    def make(size: int) -> Tournament:
        tournament = running(size)
        report(pairings(tournament, 1)[0], (3, 1))
        count_up(tournament)
        return tournament

    found = [queries_of(make, size, name, **query) for size in (8, 64)]
    assert found[0] == found[1]
    assert found[0] <= most


def test_a_bracket_of_any_size_takes_the_same_number_of_queries() -> None:
    def make(size: int) -> Tournament:
        return running(size, format="single_elimination")

    found = [queries_of(make, size, "bracket") for size in (8, 64)]
    assert found[0] == found[1]
    assert found[0] <= 15


def test_what_somebody_else_was_shown_is_not_worked_out_again() -> None:
    tournament = running()
    get(tournament)
    with counted() as found:
        get(tournament)
    assert found == [1]  # what says that nothing has changed


def test_what_somebody_typed_is_not_kept_for_others() -> None:
    tournament = running()
    with counted() as once:
        get(tournament, q="Player 01")
    with counted() as again_:
        get(tournament, q="Player 01")
    assert once == again_
