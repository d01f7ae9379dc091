"""Tournaments on the desk: a name makes one, the rest has a usual answer and can change until the start."""

from __future__ import annotations

from dataclasses import asdict, fields
from datetime import UTC, datetime
from typing import Any

import pytest
from django import forms
from django.urls import reverse

from tests.factories import make_event, make_field, make_tournament
from tests.tournaments.play import stage_of
from tests.tournaments.views.desk import Page, desk_of, heading, page_text, running, said
from tournaments.engine.formats import FORMATS, get_format
from tournaments.engine.formats.base import Format
from tournaments.forms.options import option_fields
from tournaments.forms.tournaments import TournamentForm
from tournaments.models import Tournament

pytestmark = pytest.mark.django_db


def make(**sent: Any) -> Page:
    event = make_event()
    return desk_of(event).post(reverse("tournament_new", args=[event.pk]), {"name": "Main", **sent})


def test_a_name_suffices_and_the_rest_is_as_usual() -> None:
    answer = make()
    tournament = Tournament.objects.get()
    stage = stage_of(tournament)
    assert answer.headers["Location"] == reverse("roster", args=[tournament.pk])
    assert (tournament.name, tournament.ruleset, tournament.allows_tie) == ("Main", "standard/1", False)
    assert (tournament.seeding, tournament.first_table, tournament.state) == ("random", 1, "roster")
    assert (stage.format, stage.points) == ("swiss", {"win": 3, "tie": 1, "loss": 0, "bye": 3})
    assert stage.options == asdict(get_format("swiss").Options())
    assert stage.tiebreaks == ["buchholz_cut_1", "buchholz", "head_to_head", "set_difference"]


def test_everything_can_be_chosen() -> None:
    make(
        format="round_robin",
        ruleset="tsl/1",
        seeding="hand",
        allows_tie="on",
        first_table="21",
        win="2",
        tie="1",
        loss="0",
        bye="0",
        **{"round_robin-twice": "on", "tiebreak-1": "wins", "tiebreak-2": "", "tiebreak-3": "set_difference"},
    )
    tournament = Tournament.objects.get()
    stage = stage_of(tournament)
    assert (tournament.ruleset, tournament.seeding, tournament.allows_tie) == ("tsl/1", "hand", True)
    assert (tournament.first_table, stage.format, stage.options["twice"]) == (21, "round_robin", True)
    assert (stage.tiebreaks, stage.points["win"], stage.points["bye"]) == (["wins", "set_difference"], 2, 0)


@pytest.mark.parametrize(
    ("sent", "wrong"),
    [
        ({"name": " "}, "name"),
        ({"format": "chess"}, "format"),
        ({"ruleset": "poker/1"}, "ruleset"),
        ({"win": "-1"}, "win"),
        ({"win": ""}, "win"),
        ({"first_table": "0"}, "first_table"),
        ({"swiss-rounds": "0"}, "swiss-rounds"),
        ({"swiss-first_round": "slow"}, "swiss-first_round"),
        ({"tiebreak-1": "wins", "tiebreak-2": "wins"}, "tiebreak-2"),
        ({"tiebreak-1": "luck"}, "tiebreak-1"),
    ],
)
def test_what_cannot_be_is_said_beside_its_field(sent: dict[str, str], wrong: str) -> None:
    answer = make(**sent)
    assert (answer.status_code, list(answer.context["form"].errors)) == (400, [wrong])
    assert Tournament.objects.count() == 0


def test_what_another_format_would_not_take_is_not_asked_for() -> None:
    make(format="single_elimination", **{"swiss-rounds": "minus one"})
    assert stage_of(Tournament.objects.get()).format == "single_elimination"


@pytest.mark.parametrize("chosen", FORMATS, ids=lambda each: each.key)
def test_the_options_of_any_format_become_fields_with_words(chosen: Format) -> None:
    made = option_fields(chosen)
    assert list(made) == [field.name for field in fields(chosen.Options)]
    for field in fields(chosen.Options):
        form_field = made[field.name]
        assert str(form_field.label)
        assert form_field.initial == field.default
        assert isinstance(form_field, forms.BooleanField | forms.IntegerField | forms.ChoiceField)


@pytest.mark.parametrize("chosen", FORMATS, ids=lambda each: each.key)
def test_the_form_says_again_what_it_was_told(chosen: Format) -> None:
    """A tournament made, its settings opened and saved untouched: nothing has changed."""
    tournament = make_tournament(format=chosen.key)
    stage = stage_of(tournament)
    form = TournamentForm.of(tournament, stage)
    sent = {name: form[name].value() for name in form.fields}
    bound = TournamentForm({name: value for name, value in sent.items() if value not in (None, False)})
    assert bound.is_valid(), bound.errors
    facts = bound.facts()
    assert (facts.format, facts.ruleset, facts.points) == (chosen.key, "standard/1", stage.points)
    assert facts.tiebreaks in (None, tuple(stage.tiebreaks))


def test_settings_change_until_the_start_and_name_and_tables_after_it() -> None:
    tournament = make_tournament()
    make_field(size=4, tournament=tournament)
    client, address = desk_of(tournament), reverse("tournament_settings", args=[tournament.pk])
    assert "All of it can be changed until the start." in page_text(client.get(address))
    answer = client.post(
        address, {"name": "Cup", "format": "single_elimination", "single_elimination-third_place": "on"}
    )
    tournament.refresh_from_db()
    assert (said(answer), tournament.name) == (["Saved."], "Cup")
    assert (stage_of(tournament).format, stage_of(tournament).options) == ("single_elimination", {"third_place": True})

    client.post(reverse("start", args=[tournament.pk]), {"leaving_out": ""})
    assert "its rules stay, the rest can still change" in page_text(client.get(address))
    client.post(address, {"name": "The cup", "first_table": "9", "format": "swiss"})
    tournament.refresh_from_db()
    assert (tournament.name, tournament.first_table, stage_of(tournament).format) == (
        "The cup",
        9,
        "single_elimination",
    )
    assert client.post(address, {"name": "", "first_table": "9"}).status_code == 400


def test_registration_check_in_and_results_are_settled_in_the_time_of_the_venue() -> None:
    make(
        registration="on",
        registration_opens_at="2027-05-01T10:00",
        registration_closes_at="2027-05-21T20:00",
        capacity="40",
        promotes_late="on",
        no_show_minutes="15",
        players_report="on",
        report_minutes="5",
        unanswered="confirm",
        second_confirms="on",
    )
    tournament = Tournament.objects.get()
    opens, closes = datetime(2027, 5, 1, 7, 0, tzinfo=UTC), datetime(2027, 5, 21, 17, 0, tzinfo=UTC)  # Riga: +3
    assert (tournament.registration_opens_at, tournament.registration_closes_at) == (opens, closes)
    assert (tournament.registration, tournament.capacity, tournament.promotes_late) == (True, 40, True)
    assert (tournament.self_check_in, tournament.no_show_minutes) == (False, 15)
    assert (tournament.players_report, tournament.report_minutes, tournament.unanswered) == (True, 5, "confirm")
    assert tournament.second_confirms is True

    shown = desk_of(tournament).get(reverse("tournament_settings", args=[tournament.pk]))
    assert 'value="2027-05-21T20:00"' in shown.content.decode()
    assert "Registration Times are those of Riga." in page_text(shown)


@pytest.mark.parametrize(
    ("sent", "wrong"),
    [
        (
            {"registration_opens_at": "2027-05-21T20:00", "registration_closes_at": "2027-05-21T20:00"},
            "Registration closes before it opens.",
        ),
        ({"registration_opens_at": "0001-01-01T00:00"}, "Check the year."),
        ({"registration_opens_at": "9999-12-31T23:59"}, "Check the year."),
        ({"capacity": "0"}, "Ensure this value is greater than or equal to 1."),
        ({"report_minutes": "0"}, "Ensure this value is greater than or equal to 1."),
        ({"no_show_minutes": "241"}, "Ensure this value is less than or equal to 240."),
    ],
)
def test_settings_that_cannot_be_are_said(sent: dict[str, str], wrong: str) -> None:
    answer = make(**sent)
    assert (answer.status_code, [str(each) for found in answer.context["form"].errors.values() for each in found]) == (
        400,
        [wrong],
    )


def test_an_hour_that_the_clocks_of_the_venue_skip_is_asked_about() -> None:
    answer = make(registration_opens_at="2027-03-28T03:30")
    assert (answer.status_code, list(answer.context["form"].errors)) == (400, ["registration_opens_at"])


def test_how_results_are_told_changes_after_the_start_and_registration_does_not() -> None:
    tournament = make_tournament(registration=True, capacity=8)
    make_field(size=4, tournament=tournament)
    client, address = desk_of(tournament), reverse("tournament_settings", args=[tournament.pk])
    client.post(reverse("start", args=[tournament.pk]), {"leaving_out": ""})
    client.post(address, {"name": "Main", "players_report": "on", "no_show_minutes": "10", "capacity": "2"})
    tournament.refresh_from_db()
    assert (tournament.players_report, tournament.no_show_minutes) == (True, 10)
    assert (tournament.registration, tournament.capacity) == (True, 8)


def test_the_log_tells_what_of_the_settings_changed() -> None:
    tournament = make_tournament()
    client = desk_of(tournament)
    sent = {"name": "Main", "registration": "on", "registration_closes_at": "2027-05-21T20:00", "unanswered": "confirm"}
    client.post(reverse("tournament_settings", args=[tournament.pk]), sent)
    log = page_text(client.get(reverse("event_log", args=[tournament.event_id])))
    for told in ("Registration: no → yes", "Registration closes: — → 2027-05-21 17:00 UTC"):
        assert told in log
    assert "A report nobody answers: goes to the referee → counts" in log


def test_a_settings_page_from_before_the_start_changes_nothing_after_it() -> None:
    tournament = make_tournament()
    make_field(size=4, tournament=tournament)
    client = desk_of(tournament)
    client.post(reverse("start", args=[tournament.pk]), {"leaving_out": ""})
    sent = {"name": "Cup", "first_table": "1", "format": "round_robin"}
    client.post(reverse("tournament_settings", args=[tournament.pk]), sent)
    assert stage_of(tournament).format == "swiss"


def test_a_tournament_is_removed_until_it_starts() -> None:
    tournament = make_tournament(name="Mistake")
    make_field(size=2, tournament=tournament)
    answer = desk_of(tournament).post(reverse("tournament_remove", args=[tournament.pk]))
    assert (answer.headers["Location"], said(answer)) == (
        reverse("event_desk", args=[tournament.event_id]),
        ["“Mistake” is gone."],
    )
    started = running(2)
    answer = desk_of(started).post(reverse("tournament_remove", args=[started.pk]))
    told = ["A tournament that has started stays: its results belong to its players."]
    assert (answer.status_code, said(answer)) == (409, told)
    assert list(Tournament.objects.values_list("pk", flat=True)) == [started.pk]


def test_the_desk_of_a_tournament_is_its_roster_until_it_starts_and_what_happens_after() -> None:
    tournament = make_tournament()
    address = reverse("tournament_desk", args=[tournament.pk])
    assert desk_of(tournament).get(address).headers["Location"] == reverse("roster", args=[tournament.pk])
    started = running(4)
    assert (
        heading(desk_of(started).get(reverse("tournament_desk", args=[started.pk]))) == "Round 1 of 2 is being played"
    )


def test_a_part_of_the_page_is_sent_once_and_then_spared() -> None:
    tournament = running(4)
    client, address = desk_of(tournament), reverse("tournament_desk", args=[tournament.pk])
    for part in ("top", "now"):
        first = client.get(f"{address}?part={part}")
        assert (first.status_code, "<html" in first.content.decode()) == (200, False)
        again = client.get(f"{address}?part={part}", headers={"If-None-Match": first.headers["ETag"]})
        assert (again.status_code, again.content, again.headers["ETag"]) == (304, b"", first.headers["ETag"])
