"""Whoever did not agree to be shown is a number to everybody, in every channel, and a name to those who run it."""

from __future__ import annotations

from datetime import timedelta
from uuid import uuid4

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from players.permissions import Role
from tests.factories import NOW, make_entry, make_tournament, organiser
from tests.tournaments.api.asking import Api, by_link, by_token
from tests.tournaments.play import pairings, play_open, start
from tests.tournaments.views.desk import desk_of, page_text
from tournaments.actions import rounds, staff
from tournaments.actions.plans import replan
from tournaments.models import Entry, Tournament
from tournaments.permissions import link_token

pytestmark = pytest.mark.django_db

SECRET, CITY, CLUB = "Revan", "Taris", "Ebon Hawk"


def with_somebody_hidden(form: str = "swiss") -> tuple[Tournament, Entry]:
    """Four players, all here; the best of them is hidden and shares a name with somebody who is not."""
    tournament = make_tournament(seeding="rating", format=form)
    hidden = make_entry(tournament=tournament, name=SECRET, city=CITY, club=CLUB, rating=2000, here=True)
    for number, name in enumerate(("Ann", "Ben", "Cem"), start=1):
        make_entry(tournament=tournament, name=name, rating=2000 - number, here=True)
    hidden.is_shown = False
    hidden.save(update_fields=["is_shown"])
    return tournament, hidden


def public_pages(tournament: Tournament) -> dict[str, str]:
    """Everything anybody can open about a tournament, by address."""
    pk = tournament.pk
    paths = [
        reverse("home"),
        reverse("event", args=[tournament.event_id]),
        *(reverse(name, args=[pk]) for name in ("tournament", "pairings", "standings", "hall", "register")),
        *(reverse(name, args=[pk]) for name in ("schedule", "schedule_paper", "calendar")),
        f"{reverse('schedule_paper', args=[pk])}?by=table",
        *(reverse(f"event_{name}", args=[tournament.event_id]) for name in ("schedule", "schedule_paper", "calendar")),
        *(f"{reverse('tournament', args=[pk])}?part={part}" for part in ("state", "now", "standings", "rounds")),
        f"{reverse('pairings', args=[pk])}?by=name",
        *(reverse("export", args=[pk, sheet, "csv"]) for sheet in ("pairings", "standings", "schedule")),
        f"/api/events/{tournament.event_id}/schedule/",
        f"/api/tournaments/{pk}/",
        *(f"/api/tournaments/{pk}/{what}/" for what in ("rounds", "pairings", "standings", "bracket", "schedule")),
        *(f"/api/tournaments/{pk}/matches/{pairing.match_id}/" for pairing in pairings(tournament) if pairing.match),
    ]
    if tournament.stages.get(number=1).format == "single_elimination":
        paths += [reverse("bracket", args=[pk]), f"{reverse('bracket', args=[pk])}?view=list"]
    answers = {path: Client().get(path) for path in paths}
    assert {answer.status_code for answer in answers.values()} == {200}
    return {path: answer.content.decode() for path, answer in answers.items()}


def those_that_tell(pages: dict[str, str], *words: str) -> list[str]:
    return [path for path, text in pages.items() if any(word in text for word in words)]


@pytest.mark.parametrize("form", ["swiss", "single_elimination"])
def test_no_public_channel_tells_a_hidden_name_its_city_or_its_club(form: str) -> None:
    tournament, hidden = with_somebody_hidden(form)
    number = f"Player {hidden.pk}"
    assert those_that_tell(public_pages(tournament), SECRET, CITY, CLUB) == []
    assert number in page_text(Client().get(reverse("tournament", args=[tournament.pk])))

    start(tournament)
    play_open(tournament)
    replan(event_id=tournament.event_id, now=NOW)
    pages = public_pages(tournament)
    assert those_that_tell(pages, SECRET, CITY, CLUB) == []
    shown = those_that_tell(pages, number)
    ends = {path.partition("?")[0].rstrip("/").rpartition("/")[2] for path in shown}
    assert {"hall", "standings", "pairings", "schedule", "paper", "schedule.ics", "schedule.csv"} <= ends
    assert f"/api/tournaments/{tournament.pk}/standings/" in shown

    by = organiser(of=tournament)
    rounds.finish_tournament(tournament_id=tournament.pk, by=by, now=timezone.now(), early=True)
    assert those_that_tell(public_pages(tournament), SECRET, CITY, CLUB) == []


def test_a_hidden_name_is_not_found_and_its_number_is() -> None:
    tournament, hidden = with_somebody_hidden()
    path = reverse("tournament", args=[tournament.pk])

    def found(text: str) -> list[int]:
        return [each.entry.pk for each in Client().get(path, {"q": text}).context["found"]]

    assert (found(SECRET), found(f"player {hidden.pk}")) == ([], [hidden.pk])
    start(tournament)
    assert (found(SECRET), found(f"player {hidden.pk}")) == ([], [hidden.pk])


def test_a_mark_that_tells_two_of_a_name_apart_is_hidden_with_the_name() -> None:
    tournament, hidden = with_somebody_hidden()
    make_entry(tournament=tournament, name=SECRET, city="Korriban", name_again=True)
    hidden.refresh_from_db()
    assert (hidden.staff_name, hidden.display_name) == (f"{SECRET} ({CITY})", f"Player {hidden.pk}")


def test_staff_see_the_name_and_what_everybody_else_sees() -> None:
    tournament, hidden = with_somebody_hidden()
    desk = desk_of(tournament)
    roster = page_text(desk.get(reverse("roster", args=[tournament.pk])))
    assert f"{SECRET} shown as Player {hidden.pk}" in roster
    assert SECRET in page_text(desk.get(reverse("roster", args=[tournament.pk]), {"q": SECRET.lower()}))
    assert SECRET in desk.get(reverse("export_roster", args=[tournament.pk, "csv"])).content.decode()

    start(tournament)
    for name in ("tournament_desk", "results"):
        assert SECRET in page_text(desk.get(reverse(name, args=[tournament.pk])))
    assert SECRET in page_text(desk.get(reverse("results", args=[tournament.pk]), {"q": SECRET}))
    play_open(tournament)
    assert SECRET in page_text(desk.get(reverse("results", args=[tournament.pk])))
    assert SECRET in page_text(desk.get(reverse("event_log", args=[tournament.event_id])))


@pytest.mark.parametrize(("role", "name"), [(Role.REFEREE, "staff_link"), (Role.DESK, "staff_link")])
def test_helpers_see_the_name(role: Role, name: str) -> None:
    tournament, _hidden = with_somebody_hidden()
    start(tournament)
    link = staff.create_link(
        event_id=tournament.event_id,
        tournament_id=tournament.pk,
        role=role,
        name="Olli",
        expires_at=timezone.now() + timedelta(hours=1),
        by=organiser(of=tournament),
        now=timezone.now(),
    )
    assert SECRET in page_text(Client().get(reverse(name, args=[link_token(link)])))


def test_the_api_tells_staff_the_name_and_nobody_else() -> None:
    tournament, hidden = with_somebody_hidden()
    start(tournament)
    match = pairings(tournament)[0].match
    assert match is not None
    play_open(tournament)
    paths = [f"tournaments/{tournament.pk}/{what}/" for what in ("pairings", "standings")]
    paths.append(f"tournaments/{tournament.pk}/matches/{match.pk}/")
    referee = by_link(tournament)
    for path in paths:
        for asking in (by_token(tournament), referee, by_link(tournament, role=Role.DESK)):
            assert SECRET in asking.get(path).content.decode()
        for asking in (Api(), by_token(with_somebody_hidden()[0]), by_link(make_tournament(event=tournament.event))):
            told = asking.get(path).content.decode()
            assert (SECRET in told, f"Player {hidden.pk}" in told) == (False, True)


def test_a_version_seen_by_the_public_is_not_the_one_staff_see() -> None:
    tournament, _hidden = with_somebody_hidden()
    start(tournament)
    path = f"tournaments/{tournament.pk}/pairings/"
    tag = Api().get(path)["ETag"]
    assert Api().get(path, If_None_Match=tag).status_code == 304
    asked = by_link(tournament).get(path, If_None_Match=tag)
    assert (asked.status_code, SECRET in asked.content.decode()) == (200, True)


def test_a_result_that_is_refused_tells_the_referee_the_name() -> None:
    tournament, hidden = with_somebody_hidden()
    start(tournament)
    match = next(p.match for p in pairings(tournament) if hidden.pk in (p.a_id, p.b_id))
    assert match is not None
    body = {"kind": "score", "sets": [3, 1], "version": 0, "a": 1_000_000}
    answer = by_link(tournament).ask(
        "PUT", f"tournaments/{tournament.pk}/matches/{match.pk}/result/", body, Idempotency_Key=str(uuid4())
    )
    assert (answer.status_code, SECRET in answer.content.decode()) == (409, True)
