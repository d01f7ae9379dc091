"""When and at which tables a tournament is played, as its settings say, by page and by program."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime
from typing import Any

import pytest
from django.urls import reverse

from players.models import Act
from tests.factories import NOW, make_account, make_event, make_field, make_tournament, organiser
from tests.tournaments.api.asking import by_token
from tests.tournaments.halls import out, put_up
from tests.tournaments.play import draft, play_open, start
from tests.tournaments.views.desk import Page, desk_of, page_text, running, said, signed_in
from tournaments.actions import cuts, events, rounds
from tournaments.models import Event, HallPlan, Tournament
from tournaments.queries.desk import next_step
from tournaments.words.acts import changes

pytestmark = pytest.mark.django_db

ELEVEN = datetime(2027, 5, 22, 8, tzinfo=UTC)  # Riga: +3
CHOSEN = {"starts_at": "2027-05-22T11:00", "seating": "queue", "match_minutes": "25", "call_minutes": "4"}


def settle(tournament: Tournament, **sent: str) -> Page:
    return desk_of(tournament).post(
        reverse("tournament_settings", args=[tournament.pk]), {"name": "Main", "self_check_in": "on", **sent}
    )


def chosen(tournament: Tournament) -> tuple[Any, ...]:
    tournament.refresh_from_db()
    return tournament.starts_at, tournament.seating, tournament.match_minutes, tournament.call_minutes


def asked(event: Event) -> int:
    """How often the plan of an event was asked for."""
    return HallPlan.objects.get(event=event).asked


def test_a_name_suffices_and_the_rest_is_as_usual() -> None:
    event = make_event()
    desk_of(event).post(reverse("tournament_new", args=[event.pk]), {"name": "Main"})
    assert chosen(Tournament.objects.get()) == (None, "rounds", 20, 3)


def test_all_of_it_changes_at_any_time_and_the_plan_follows() -> None:
    tournament = running(4)
    before = asked(tournament.event)
    assert said(settle(tournament, **CHOSEN)) == ["Saved."]
    assert chosen(tournament) == (ELEVEN, "queue", 25, 4)
    assert asked(tournament.event) == before + 1
    shown = desk_of(tournament).get(reverse("tournament_settings", args=[tournament.pk]))
    assert 'value="2027-05-22T11:00"' in shown.content.decode()
    assert "Tables and times Times are those of Riga. Start (optional)" in page_text(shown)
    act = Act.objects.filter(verb="edit_tournament").get()
    assert changes(before=act.before, after=act.after) == [
        ("Start", "—", "2027-05-22 08:00 UTC"),
        ("How matches come to tables", "Round by round", "As tables come free"),
        ("Minutes for a match", "20", "25"),
        ("Minutes to answer a call", "3", "4"),
    ]
    settle(tournament, **CHOSEN)
    assert (asked(tournament.event), Act.objects.filter(verb="edit_tournament").count()) == (before + 1, 1)


def test_who_asks_nobody_for_an_answer_leaves_the_minutes_empty() -> None:
    tournament = make_tournament()
    assert said(settle(tournament, **{**CHOSEN, "call_minutes": ""})) == ["Saved."]
    assert chosen(tournament) == (ELEVEN, "queue", 25, None)
    shown = desk_of(tournament).get(reverse("tournament_settings", args=[tournament.pk])).content.decode()
    assert re.findall(r'<input[^>]*name="call_minutes"[^>]*>', shown)[0].count("value=") == 0
    api, path = by_token(tournament), f"tournaments/{tournament.pk}/"
    assert api.ask("PATCH", path, {"call_minutes": 5}).json()["call_minutes"] == 5
    assert api.ask("PATCH", path, {"call_minutes": None}).json()["call_minutes"] is None
    assert chosen(tournament) == (ELEVEN, "queue", 25, None)


@pytest.mark.parametrize(
    ("sent", "wrong"),
    [
        ({"starts_at": "tomorrow"}, "starts_at"),
        ({"seating": "standing"}, "seating"),
        ({"match_minutes": "0"}, "match_minutes"),
    ],
)
def test_what_cannot_be_is_said_beside_its_field_on_an_open_fold(sent: dict[str, str], wrong: str) -> None:
    answer = settle(make_tournament(), **sent)
    assert (answer.status_code, list(answer.context["form"].errors)) == (400, [wrong])
    assert '<details class="fold" open><summary>Tables and times' in answer.content.decode()


def test_a_program_sets_and_reads_the_same() -> None:
    tournament = make_tournament()
    api, path = by_token(tournament), f"tournaments/{tournament.pk}/"
    sent = {"starts_at": "2027-05-22T11:00:00+03:00", "seating": "queue", "match_minutes": 25, "call_minutes": 4}
    answer = api.ask("PATCH", path, sent)
    assert {name: answer.json()[name] for name in sent} == {**sent, "starts_at": "2027-05-22T08:00:00Z"}
    assert chosen(tournament) == (ELEVEN, "queue", 25, 4)
    wrong = api.ask("PATCH", path, {"seating": "standing", "match_minutes": 0})
    assert (wrong.status_code, [each["pointer"] for each in wrong.json()["errors"]]) == (
        400,
        ["/seating", "/match_minutes"],
    )


def test_who_plays_on_plays_as_before_and_at_a_time_of_its_own() -> None:
    tournament = make_tournament(
        seeding="rating", format="round_robin", starts_at=ELEVEN, match_minutes=25, call_minutes=4
    )
    make_field(size=4, tournament=tournament)
    start(tournament)
    play_open(tournament)
    by = organiser(of=tournament)
    rounds.finish_tournament(tournament_id=tournament.pk, by=by, now=NOW)
    cup = cuts.play_on(tournament_id=tournament.pk, best=2, name="Cup", by=by, now=NOW)
    assert isinstance(cup, Tournament), cup
    assert chosen(cup) == (None, "rounds", 25, 4)


def test_a_tournament_that_is_made_or_removed_is_one_more_or_less_to_plan() -> None:
    event = make_event()
    tournament = make_tournament(event=event)
    made = asked(event)
    events.remove_tournament(tournament_id=tournament.pk, by=organiser(of=event), now=NOW)
    assert asked(event) == made + 1


# --- The rest between two matches is the event's.


def test_the_rest_of_players_is_settled_for_the_whole_event() -> None:
    account = make_account()
    facts = {"name": "StarCon", "starts_on": "2027-05-22", "zone": "Riga"}
    signed_in(account).post(reverse("event_new"), facts)
    event = Event.objects.get()
    assert event.rest_minutes == 5
    address = reverse("event_edit", args=[event.pk])
    assert 'name="rest_minutes" value="5"' in signed_in(account).get(address).content.decode()
    assert said(signed_in(account).post(address, {**facts, "rest_minutes": "10"})) == ["Saved."]
    event.refresh_from_db()
    assert (event.rest_minutes, asked(event)) == (10, 1)
    act = Act.objects.get(verb="edit_event")
    assert changes(before=act.before, after=act.after) == [("Minutes of rest between two matches", "5", "10")]
    wrong = signed_in(account).post(address, {**facts, "rest_minutes": "241"})
    assert (wrong.status_code, list(wrong.context["form"].errors)) == (400, ["rest_minutes"])


def test_a_program_settles_the_rest_too_and_what_it_leaves_out_stays() -> None:
    event = make_event()
    api, path = by_token(event), f"events/{event.pk}/"
    assert api.ask("PATCH", path, {"rest_minutes": 0}).json()["rest_minutes"] == 0
    assert api.ask("PATCH", path, {"name": "MoonCon"}).json()["rest_minutes"] == 0
    event.refresh_from_db()
    assert (event.name, event.rest_minutes, event.starts_on) == ("MoonCon", 0, date(2027, 5, 22))
    assert api.ask("PATCH", path, {"rest_minutes": -1}).status_code == 400


# --- Called to tables, where there is none.


TOLD = "No table is in order, and matches are called to tables as these come free: nobody is called."


def test_before_the_start_it_is_known_that_nobody_could_be_called() -> None:
    tournament = make_tournament(seating="queue")
    make_field(size=4, tournament=tournament)
    client = desk_of(tournament)

    def known() -> bool:
        page = client.get(reverse("preflight", args=[tournament.pk]))
        html = page.content.decode()
        link = f'<a class="btn link" href="{reverse("event_hall", args=[tournament.event_id])}">Put up tables'
        assert ("No table is in order" in page_text(page)) == (link in html)
        return link in html

    assert known() is True
    put_up(tournament, [1])
    assert known() is False
    out(tournament, 1)
    assert known() is True
    settle(tournament, seating="rounds")
    assert known() is False


def test_the_desk_leads_to_the_tables_from_every_step_that_calls_people() -> None:
    tournament = make_tournament(seating="queue", seeding="rating")
    make_field(size=4, tournament=tournament)
    client, hall = desk_of(tournament), reverse("event_hall", args=[tournament.event_id])

    def shown() -> tuple[str, bool, str]:
        tournament.refresh_from_db()
        page = client.get(reverse("tournament_desk", args=[tournament.pk]), follow=True)
        html = page.content.decode()
        told = "all the same" if "all the same" in html else ""
        assert (TOLD in page_text(page)) == (f'href="{hall}">Put up tables' in html)
        return next_step(tournament=tournament).act, TOLD in page_text(page), told

    assert shown() == ("start", True, "all the same")
    client.post(reverse("start", args=[tournament.pk]), {"leaving_out": ""})
    assert shown() == ("publish", True, "all the same")
    desk = client.get(reverse("tournament_desk", args=[tournament.pk]))
    assert "Publish round 1 with 2 matches" in page_text(desk)
    client.post(reverse("publish", args=[tournament.pk]))
    assert shown() == ("enter_results", True, "")
    put_up(tournament, [1])
    assert shown() == ("enter_results", False, "")


def test_a_program_is_told_too_and_nothing_stops_it() -> None:
    tournament = running(4, seating="queue")
    api, path = by_token(tournament), f"tournaments/{tournament.pk}/"
    assert [each["code"] for each in api.get(path).json()["next"]["blockers"]] == ["open_matches", "no_tables"]
    play_open(tournament)
    draft(tournament)
    found = api.get(path).json()["next"]["blockers"]
    assert found == [{"code": "no_tables", "params": {}, "text": TOLD, "stops": False}]
