"""Times of a venue on pages and in the API: when something starts, and the nights the clocks change."""

from __future__ import annotations

from datetime import UTC, date, datetime
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from tests.factories import NOW, make_entry, make_event, make_tournament, organiser
from tests.tournaments.api.asking import by_token
from tests.tournaments.play import start
from tests.tournaments.views.desk import Page, desk_of, page_text, said
from tournaments.actions import hours, roster
from tournaments.actions.events import EventFacts, TournamentFacts, edit_event, edit_tournament
from tournaments.api.bodies.base import Body, InstantField
from tournaments.models import Event, Opening, Tournament
from tournaments.permissions import entry_token
from tournaments.queries.public import calendar

pytestmark = pytest.mark.django_db

TWICE = "Start: 02:30 comes twice then, for the clocks go back. The first is meant, before that (UTC+2)."
SKIPPED = "The clocks go forward then: there is no 02:30. Did you mean 03:30?"


def gathering(first: date, last: date | None = None, *, zone: str = "Europe/Berlin") -> Event:
    event = make_event(place="", zone=zone)
    facts = EventFacts("StarCon", "", zone, first, last or first)
    return edit_event(event_id=event.pk, facts=facts, by=organiser(of=event), now=NOW)


AUTUMN = (date(2026, 10, 24), date(2026, 10, 25))


# --- TZ-01: when it starts.


def test_tz_01_everybody_is_told_the_start_until_it_has_started() -> None:
    event = gathering(*AUTUMN)
    tournament = make_tournament(event=event, registration=True, starts_at=datetime(2026, 10, 25, 10, tzinfo=UTC))
    ann, _ben = (make_entry(tournament=tournament, name=name) for name in ("Ann", "Ben"))
    pages = [
        tournament.get_absolute_url(),
        event.get_absolute_url(),
        reverse("register", args=[tournament.pk]),
        reverse("own_page", args=[entry_token(ann)]),
    ]

    def told() -> list[bool]:
        return ["Starts Sun 25 Oct, 11:00, Berlin" in page_text(Client().get(page)) for page in pages]

    assert told() == [True] * 4
    russian = Client(headers={"Accept-Language": "ru"}).get(pages[0])
    assert "вс 25 окт., 11:00, Берлин" in page_text(russian)
    roster.check_in_all(tournament_id=tournament.pk, by=organiser(of=event), now=NOW)
    assert told() == [True] * 4
    start(tournament)
    assert told() == [False] * 4


def test_tz_01_a_new_start_shows_at_once_on_pages_that_are_kept() -> None:
    event = gathering(*AUTUMN)
    tournament = make_tournament(event=event, starts_at=datetime(2026, 10, 24, 9, tzinfo=UTC))
    pages = (tournament.get_absolute_url(), event.get_absolute_url())
    assert ["Sat 24 Oct, 11:00" in page_text(Client().get(page)) for page in pages] == [True, True]
    facts = TournamentFacts(name="Main", starts_at=datetime(2026, 10, 24, 9, 30, tzinfo=UTC))
    edit_tournament(tournament_id=tournament.pk, facts=facts, by=organiser(of=event), now=NOW)
    assert ["Sat 24 Oct, 11:30" in page_text(Client().get(page)) for page in pages] == [True, True]


# --- TZ-03: times that do not exist, or exist twice.


def settle(tournament: Tournament, **sent: str) -> Page:
    return desk_of(tournament).post(
        reverse("tournament_settings", args=[tournament.pk]), {"name": "Main", "match_minutes": "20", **sent}
    )


def test_tz_03_a_time_the_clocks_skip_is_answered_with_a_proposal_and_stays_typed() -> None:
    tournament = make_tournament(event=gathering(date(2027, 3, 28)))
    answer = settle(tournament, starts_at="2027-03-28T02:30")
    assert (answer.status_code, answer.context["form"].errors) == (400, {"starts_at": [SKIPPED]})
    html = answer.content.decode()
    assert 'value="2027-03-28T02:30"' in html
    assert "open><summary>Tables and times" in html
    assert settle(tournament, starts_at="2027-03-28T03:30").status_code == 302
    tournament.refresh_from_db()
    assert tournament.starts_at == datetime(2027, 3, 28, 1, 30, tzinfo=UTC)


def test_tz_03_of_a_time_that_comes_twice_the_first_is_taken_and_the_page_says_so() -> None:
    tournament = make_tournament(event=gathering(*AUTUMN))
    assert said(settle(tournament, starts_at="2026-10-25T02:30")) == ["Saved.", TWICE]
    tournament.refresh_from_db()
    assert tournament.starts_at == datetime(2026, 10, 25, 0, 30, tzinfo=UTC)
    made = desk_of(tournament).post(
        reverse("tournament_new", args=[tournament.event_id]), {"name": "Cup", "starts_at": "2026-10-25T02:30"}
    )
    assert said(made) == [TWICE]


def test_tz_03_the_second_of_the_two_stays_when_the_settings_are_saved_untouched() -> None:
    second = datetime(2026, 10, 25, 1, 30, tzinfo=UTC)
    tournament = make_tournament(event=gathering(*AUTUMN), starts_at=second)
    shown = desk_of(tournament).get(reverse("tournament_settings", args=[tournament.pk]))
    assert 'value="2026-10-25T02:30"' in shown.content.decode()
    assert said(settle(tournament, starts_at="2026-10-25T02:30", call_minutes="4")) == [
        "Saved.",
        "Start: 02:30 comes twice then, for the clocks go back. The second is meant, after that (UTC+1).",
    ]
    tournament.refresh_from_db()
    assert (tournament.starts_at, tournament.call_minutes) == (second, 4)


@pytest.mark.parametrize(
    ("sent", "stored"),
    [
        ("2026-10-25T02:30", "2026-10-25T00:30:00Z"),
        ("2026-10-25T02:30:00+01:00", "2026-10-25T01:30:00Z"),
        ("2026-10-25T11:00", "2026-10-25T10:00:00Z"),
        ("2026-10-24T11:00:00", "2026-10-24T09:00:00Z"),
        (None, None),
    ],
)
def test_tz_03_a_program_may_leave_the_offset_to_the_venue(sent: str | None, stored: str | None) -> None:
    tournament = make_tournament(event=gathering(*AUTUMN), starts_at=NOW)
    answer = by_token(tournament).ask("PATCH", f"tournaments/{tournament.pk}/", {"starts_at": sent})
    assert (answer.status_code, answer.json()["starts_at"]) == (200, stored)


@pytest.mark.parametrize(("sent", "told"), [("2027-03-28T02:30", SKIPPED), ("1999-10-25T02:30", "Check the year.")])
def test_tz_03_a_program_is_told_the_same(sent: str, told: str) -> None:
    event = gathering(date(2027, 3, 28))
    tournament = make_tournament(event=event)
    api, place = by_token(event), f"events/{event.pk}"
    asked: list[tuple[str, str, dict[str, Any], str]] = [
        ("PATCH", f"tournaments/{tournament.pk}/", {"starts_at": sent}, "/starts_at"),
        ("POST", f"{place}/tournaments/", {"name": "Cup", "registration_opens_at": sent}, "/registration_opens_at"),
        ("PATCH", f"tournaments/{tournament.pk}/play/", {"decks_due_at": sent}, "/decks_due_at"),
        ("POST", f"{place}/staff-links/", {"name": "Marta", "role": "desk", "here_from": sent}, "/here_from"),
    ]
    for method, path, body, pointer in asked:
        answer = api.ask(method, path, body)
        assert (answer.status_code, answer.json()["errors"]) == (
            400,
            [{"pointer": pointer, "code": "invalid", "detail": told}],
        )


def test_where_no_venue_is_known_a_program_says_the_offset() -> None:
    class SentBody(Body):
        at = InstantField()

    body = SentBody(data={"at": "2026-10-25T11:00"})
    assert not body.is_valid()
    assert body.errors == {"at": ["Say how far it is from UTC, like 2027-05-22T10:00+03:00."]}
    said = SentBody(data={"at": "2026-10-25T11:00+01:00"})
    assert said.is_valid()
    assert said.validated_data == {"at": datetime(2026, 10, 25, 10, tzinfo=UTC)}


# --- TZ-07: days are those of the venue.


def lists(now: str) -> tuple[list[str], list[str], list[str]]:
    found = calendar(now=datetime.fromisoformat(now))
    on, coming, past = ([event.name for event in events] for events in (found.now, found.coming, found.past))
    return on, coming, past


NOBODY: list[str] = []
HERE, COMING, PAST = (["StarCon"], NOBODY, NOBODY), (NOBODY, ["StarCon"], NOBODY), (NOBODY, NOBODY, ["StarCon"])


@pytest.mark.parametrize(
    ("now", "expected"),
    [
        ("2026-08-30T23:59:59-07:00", COMING),
        ("2026-08-31T00:00:00-07:00", HERE),
        ("2026-08-31T16:00:00-07:00", HERE),
        ("2026-08-31T22:29:59-07:00", HERE),
        ("2026-08-31T22:30:00-07:00", PAST),
        ("2026-08-31T23:00:00-07:00", PAST),
    ],
)
def test_tz_07_an_evening_is_one_day_at_its_place(now: str, expected: tuple[list[str], ...]) -> None:
    event = gathering(date(2026, 8, 31), zone="America/Los_Angeles")
    opened = hours.open_hall(
        event_id=event.pk,
        opens_at=datetime(2026, 9, 1, 0, 30, tzinfo=UTC),
        closes_at=datetime(2026, 9, 1, 5, 30, tzinfo=UTC),
        by=organiser(of=event),
        now=NOW,
    )
    assert isinstance(opened, Opening), opened
    assert lists(now) == expected
    assert "31 August 2026 StarCon" in page_text(Client().get("/"))
    assert "31 August 2026 StarCon Times are those of Los Angeles." in page_text(Client().get(event.get_absolute_url()))


@pytest.mark.parametrize(
    ("day", "now", "expected"),
    [
        (date(2026, 10, 25), "2026-10-24T21:59:59Z", COMING),
        (date(2026, 10, 25), "2026-10-24T22:00:00Z", HERE),
        (date(2026, 10, 25), "2026-10-25T22:59:59Z", HERE),  # 25 hours later
        (date(2026, 10, 25), "2026-10-25T23:00:00Z", PAST),
        (date(2027, 3, 28), "2027-03-27T23:00:00Z", HERE),
        (date(2027, 3, 28), "2027-03-28T21:59:59Z", HERE),  # 23 hours later
        (date(2027, 3, 28), "2027-03-28T22:00:00Z", PAST),
    ],
)
def test_tz_07_a_day_has_the_hours_it_has_there(day: date, now: str, expected: tuple[list[str], ...]) -> None:
    gathering(day)
    assert lists(now) == expected


@pytest.mark.parametrize(
    ("now", "expected"),
    [
        ("2026-10-24T23:30:00+02:00", HERE),  # the hours of the second day are not settled yet
        ("2026-10-26T00:30:00+01:00", HERE),  # the last night goes on beyond midnight
        ("2026-10-26T01:00:00+01:00", PAST),
    ],
)
def test_tz_07_the_last_closing_ends_an_event_and_an_earlier_one_does_not(
    now: str, expected: tuple[list[str], ...]
) -> None:
    event = gathering(*AUTUMN)
    by = organiser(of=event)
    first = {"opens_at": datetime(2026, 10, 24, 8, tzinfo=UTC), "closes_at": datetime(2026, 10, 24, 20, tzinfo=UTC)}
    hours.open_hall(event_id=event.pk, **first, by=by, now=NOW)
    assert lists("2026-10-24T23:30:00+02:00") == HERE
    last = {"opens_at": datetime(2026, 10, 25, 9, tzinfo=UTC), "closes_at": datetime(2026, 10, 26, 0, tzinfo=UTC)}
    hours.open_hall(event_id=event.pk, **last, by=by, now=NOW)
    assert lists(now) == expected
