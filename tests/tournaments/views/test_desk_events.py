"""Events on the desk: three facts make one, all of them can change, a demo goes as a whole."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest
from django.urls import reverse

from matches.models import Match
from players.models import Account, Act, Player
from tests.factories import make_account, make_event, make_field, make_tournament
from tests.tournaments.play import start
from tests.tournaments.views.desk import desk_of, heading, page_text, running, said, signed_in
from tournaments.models import Event, Membership, Tournament

pytestmark = pytest.mark.django_db

FACTS = {"name": "StarCon 2027", "starts_on": "2027-05-22", "ends_on": "", "place": "", "zone": "riga"}


def new_event(account: Account, **facts: str) -> Any:
    return signed_in(account).post(reverse("event_new"), {**FACTS, **facts})


def test_a_name_a_day_and_a_city_make_an_event_and_its_maker_its_organiser() -> None:
    account = make_account()
    answer = new_event(account)
    event = Event.objects.get()
    assert answer.headers["Location"] == reverse("event_desk", args=[event.pk])
    assert (event.name, event.place, event.zone) == ("StarCon 2027", "", "Europe/Riga")
    assert (event.starts_on, event.ends_on) == (date(2027, 5, 22), date(2027, 5, 22))
    assert list(Membership.objects.values_list("account", "role")) == [(account.pk, "organiser")]


@pytest.mark.parametrize(
    ("typed", "zone"),
    [
        ("Europe/Riga", "Europe/Riga"),
        ("  new york ", "America/New_York"),
        ("America/New_York", "America/New_York"),
        ("utc", "UTC"),
    ],
)
def test_a_zone_is_found_by_its_city(typed: str, zone: str) -> None:
    new_event(make_account(), zone=typed)
    assert Event.objects.get().zone == zone


@pytest.mark.parametrize(
    ("field", "typed", "told"),
    [
        ("name", " \u200b ", "This field is required."),
        ("name", "x" * 121, "The name has 121 characters; 120 is the most."),
        ("zone", "Tatooine", "No zone has this name. Type the nearest big city, for example Riga."),
        ("starts_on", "0001-01-01", "Check the year."),
        ("starts_on", "yesterday", "Enter a valid date."),
        ("ends_on", "2027-05-21", "The last day is before the first."),
    ],
)
def test_what_cannot_be_is_said_beside_its_field_and_nothing_typed_is_lost(field: str, typed: str, told: str) -> None:
    answer = new_event(make_account(), place="Кантина", **{field: typed})
    assert (answer.status_code, Event.objects.count()) == (400, 0)
    assert answer.context["form"].errors == {field: [told]}
    assert 'value="Кантина"' in answer.content.decode()


def test_nobody_guesses_the_first_zone_and_the_one_used_last_is_offered_again() -> None:
    account = make_account()
    assert signed_in(account).get(reverse("event_new")).context["form"]["zone"].value() == ""
    make_event(owner=account, zone="Asia/Tokyo")
    assert signed_in(account).get(reverse("event_new")).context["form"]["zone"].value() == "Asia/Tokyo"


def test_everything_said_of_an_event_can_be_said_anew() -> None:
    event = make_event()
    client, address = desk_of(event), reverse("event_edit", args=[event.pk])
    form = client.get(address).context["form"]
    assert {name: form[name].value() for name in FACTS} == {
        "name": "StarCon 2027",
        "place": "Riga",
        "zone": "Europe/Riga",
        "starts_on": date(2027, 5, 22),
        "ends_on": date(2027, 5, 23),
    }
    answer = client.post(address, {**FACTS, "name": "StarCon 2028", "place": "Tartu", "zone": "Tallinn"})
    event.refresh_from_db()
    assert said(answer) == ["Saved."]
    assert (event.name, event.place, event.zone) == ("StarCon 2028", "Tartu", "Europe/Tallinn")
    assert client.post(address, {**FACTS, "name": ""}).status_code == 400


def test_the_first_page_has_the_running_tournaments_next_step_before_all_events() -> None:
    account = make_account()
    make_event(owner=account, name="Long ago")
    running(4, event=make_event(owner=account, name="Today"), name="The cup")
    make_event(name="Somebody else’s")
    text = page_text(signed_in(account).get(reverse("desk")))
    assert text.index("Enter 2 results: Round 1") < text.index("All events") < text.index("Long ago")
    assert "Somebody else" not in text


def test_a_new_organiser_is_told_how_to_begin() -> None:
    assert "Make your first event" in page_text(signed_in(make_account()).get(reverse("desk")))


def test_an_event_shows_each_tournament_with_its_next_step() -> None:
    event = make_event()
    client, address = desk_of(event), reverse("event_desk", args=[event.pk])
    assert "No tournament yet" in page_text(client.get(address))
    make_tournament(event=event, name="Open")
    running(2, event=event, name="Cup", format="single_elimination")
    answer = client.get(address)
    assert heading(answer) == "StarCon 2027"
    text = page_text(answer)
    assert "Put players on the roster, at least 2" in text
    assert "Enter the last result: Final" in text
    assert "Remove the demo event" not in text


def test_a_demo_is_removed_as_a_whole_and_a_real_event_never() -> None:
    demo, real = make_event(name="Demo"), make_event()
    Event.objects.filter(pk=demo.pk).update(is_demo=True)
    make_field(size=4, tournament=(cup := make_tournament(event=demo)))
    start(cup)
    kept = make_tournament(event=real)

    page = desk_of(demo).get(reverse("event_desk", args=[demo.pk])).content.decode()
    assert "Demo event: everything here is made up." in page
    assert "are deleted for good" in page
    answer = desk_of(demo).post(reverse("remove_demo", args=[demo.pk]))
    assert (answer.headers["Location"], said(answer)) == (reverse("desk"), ["The demo event is gone."])
    assert list(Tournament.objects.values_list("pk", flat=True)) == [kept.pk]
    assert (Match.objects.count(), Player.objects.count(), Act.objects.latest("pk").verb) == (0, 0, "remove_demo")

    answer = desk_of(real).post(reverse("remove_demo", args=[real.pk]))
    assert (answer.status_code, said(answer)) == (409, ["Only a demo event can be removed as a whole."])
    assert Event.objects.filter(pk=real.pk).exists()
