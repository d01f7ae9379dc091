"""Pages of the schedule: what is sure and what is about, filters, versions, paper; its calendars, files and API."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from typing import Any

import icalendar
import pytest
from django.conf import settings
from django.core.cache import cache
from django.db import connection
from django.db.models import F
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from tests.factories import NOW, make_entry, make_event, make_tournament, organiser
from tests.tournaments.api.asking import Api, by_token
from tests.tournaments.planned import MADE, make_slot, minutes
from tests.tournaments.play import draft, pairings, play_open, publish, report
from tests.tournaments.views.desk import page_text, running, text_of
from tournaments.actions import plans
from tournaments.actions.registration import renew_entry_link
from tournaments.models import Break, Entry, Opening, Slot, Stage, Tournament
from tournaments.models.tournament import Seating
from tournaments.permissions import entry_token

pytestmark = pytest.mark.django_db

SLOT = re.compile(r'<li(?: id="slot-\d+")? class="slot[^"]*">(.*?)</li>', re.DOTALL)


def get(
    name: str, pk: int, *, client: Client | None = None, headers: dict[str, str] | None = None, **query: str
) -> Any:
    return (client or Client()).get(reverse(name, args=[pk]), query, headers=headers)


def shown(answer: Any) -> list[str]:
    """Each line of the schedule as a reader reads it."""
    assert answer.status_code == 200
    return [text_of(line) for line in SLOT.findall(answer.content.decode())]


def planned() -> Tournament:
    """Two matches of a first round, one played at table 7 and one to come, and a second round nobody is paired in."""
    tournament = running(name="Main")
    first, second = pairings(tournament, 1)
    make_slot(
        tournament, 1, 1, minutes(1), a=first.a, b=first.b, state="playing", table=7, has_place=True, has_time=True
    )
    make_slot(tournament, 1, 2, minutes(23), a=second.a, b=second.b, table=8)
    make_slot(tournament, 2, 1, minutes(58))
    make_slot(tournament, 2, 2, minutes(61))
    return tournament


# --- Pages.


def test_a_page_says_when_where_and_who_and_how_sure_it_is() -> None:
    tournament = planned()
    first, second = pairings(tournament, 1)
    Opening.objects.create(event=tournament.event, opens_at=minutes(-60), closes_at=minutes(600))
    Break.objects.create(event=tournament.event, name="Lunch", starts_at=minutes(45), ends_at=minutes(55))
    answer = get("schedule", tournament.pk)
    assert shown(answer) == [
        f"13:01 Round 1 {first.a} – {first.b} Table 7 Being played",
        f"about 13:25 Round 1 {second.a} – {second.b} probably table 8 Up next",
        "13:45–13:55 Lunch",
        "about 14:00 Round 2 2 matches, their players are not known yet",
    ]
    text = page_text(answer)
    assert "Saturday, 22 May The hall is open 12:00–23:00." in text
    assert "Ends about Sat 14:20, as it looks now." in text


def test_the_front_page_says_when_it_ends_as_long_as_every_match_to_come_has_a_time() -> None:
    tournament = planned()

    def end() -> list[str]:
        Stage.objects.update(version=F("version") + 1)
        return re.findall(r"Ends about [^,]*", page_text(get("tournament", tournament.pk)))

    assert end() == ["Ends about Sat 14:20"]
    last = Slot.objects.get(round=2, number=2)
    Slot.objects.filter(pk=last.pk).update(dropped_at=MADE)
    assert end() == ["Ends about Sat 14:20"]
    Slot.objects.filter(pk=last.pk).update(dropped_at=None, starts_at=None, ends_at=None)
    assert end() == []
    Slot.objects.update(state="over", starts_at=NOW, ends_at=NOW)
    assert end() == []


def test_the_event_has_all_its_tournaments_by_name() -> None:
    tournament = planned()
    side = running(event=tournament.event, name="Side")
    make_slot(side, 1, 1, minutes(30))
    lines = shown(get("event_schedule", tournament.event_id))
    assert [line for line in lines if "Side" in line] == ["about 13:30 Side · Round 1 Not known yet"]
    assert len(lines) == 4
    assert [line for line in shown(get("schedule", side.pk)) if "Main" in line] == []


def test_a_match_after_midnight_stands_in_its_evening_and_says_so() -> None:
    tournament = running()
    Opening.objects.create(event=tournament.event, opens_at=NOW, closes_at=datetime(2027, 5, 22, 23, tzinfo=UTC))
    a, b = pairings(tournament, 1)[0].a, pairings(tournament, 1)[0].b
    make_slot(tournament, 1, 1, datetime(2027, 5, 22, 22, 30, tzinfo=UTC), a=a, b=b, has_time=True)
    answer = get("schedule", tournament.pk)
    assert shown(answer) == [f"01:30 after midnight Round 1 {a} – {b} Up next"]
    assert re.findall(r'<h2 id="day-[^"]*">([^<]*)', answer.content.decode()) == ["Saturday, 22 May"]


def test_an_hour_that_comes_twice_says_which() -> None:
    event = make_event(zone="Europe/Berlin")
    tournament = running(event=event)
    entry = tournament.entries.all()[0]
    for number, hour in enumerate((0, 1, 2), start=1):
        make_slot(tournament, 1, number, datetime(2027, 10, 31, hour, 30, tzinfo=UTC), a=entry, has_time=True)
    assert [line.partition(" Round")[0] for line in shown(get("schedule", tournament.pk))] == [
        "02:30 UTC+2 after midnight",
        "02:30 UTC+1 after midnight",
        "03:30 after midnight",
    ]


def test_what_has_no_time_says_why_in_a_few_words() -> None:
    tournament = running()
    first, second = pairings(tournament, 1)
    make_slot(tournament, 1, 1, None, a=first.a, b=first.b, held_since=NOW, why="held")
    make_slot(tournament, 1, 2, None, a=second.a, b=second.b, why="player_leaves", other=str(second.a.player_id))
    answer = get("schedule", tournament.pk)
    assert shown(answer) == [
        f"– Round 1 {first.a} – {first.b} The organisers hold it back for now.",
        f"– Round 1 {second.a} – {second.b} No time is found for it yet.",
    ]
    assert "2 matches have no time yet." in page_text(answer)


def test_what_is_over_is_folded_away_with_its_result() -> None:
    tournament = running()
    first = pairings(tournament, 1)[0]
    make_slot(tournament, 1, 1, minutes(0), a=first.a, b=first.b, state="over", table=1, has_place=True, has_time=True)
    report(first, (3, 1))
    answer = get("schedule", tournament.pk)
    assert shown(answer) == [f"13:00 Round 1 {first.a} – {first.b} Table 1 3–1"]
    text = page_text(answer)
    assert "What is over (1)" in text
    assert "The last match ended Sat 13:20." in text


def test_a_table_and_a_name_can_be_looked_for_without_a_script() -> None:
    tournament = planned()
    first, second = pairings(tournament, 1)
    at_table = get("schedule", tournament.pk, table="8")
    assert [line.partition("Round 1 ")[2] for line in shown(at_table)] == [
        f"{second.a} – {second.b} probably table 8 Up next"
    ]
    assert "Schedule · Table 8" in page_text(at_table)
    by_name = get("schedule", tournament.pk, q=f"  {first.a.name.upper()} ")
    assert [line.partition("Round 1 ")[2] for line in shown(by_name)] == [f"{first.a} – {first.b} Table 7 Being played"]
    nobody = get("schedule", tournament.pk, q="<b>Revan")
    assert shown(nobody) == []
    assert 'value="&lt;b&gt;Revan"' in nobody.content.decode()
    assert "No match is like that" in page_text(nobody)


@pytest.mark.parametrize("table", ["x", "0", "-1", "10000", "٣", "1.5"])
def test_a_table_that_cannot_be_is_not_found(table: str) -> None:
    tournament = planned()
    for name in ("schedule", "schedule_paper"):
        assert get(name, tournament.pk, table=table).status_code == 404


def test_without_a_plan_the_page_says_so() -> None:
    tournament = make_tournament()
    for name, pk in (("schedule", tournament.pk), ("event_schedule", tournament.event_id)):
        assert "Nothing is planned yet" in page_text(get(name, pk))
    assert "Nothing is planned yet" in page_text(get("schedule_paper", tournament.pk))


@pytest.mark.parametrize("of", ["tournament", "event"])
def test_a_reader_is_spared_what_they_have_until_something_changes(of: str) -> None:
    tournament = planned()
    name, pk = ("schedule", tournament.pk) if of == "tournament" else ("event_schedule", tournament.event_id)
    first = get(name, pk, part="plan")
    again = get(name, pk, part="plan", headers={"If-None-Match": first["ETag"]})
    assert (again.status_code, again.content) == (304, b"")
    Stage.objects.filter(tournament=tournament).update(version=99)
    Slot.objects.filter(round=1, number=2).update(table=5)
    changed = get(name, pk, part="plan", headers={"If-None-Match": first["ETag"]})
    assert changed.status_code == 200
    assert "probably table 5" in changed.content.decode()
    assert f'data-live="tournament/{tournament.pk}"' in changed.content.decode()


def test_a_schedule_of_many_matches_takes_as_many_statements_as_one_of_few() -> None:
    tournament = planned()
    with CaptureQueriesContext(connection) as few:
        get("event_schedule", tournament.event_id, q="01")
    for number in range(3, 80):
        make_slot(tournament, 2, number, minutes(number))
    with CaptureQueriesContext(connection) as many:
        get("event_schedule", tournament.event_id, q="01")
    assert len(many) == len(few) <= 16


def test_the_way_to_the_schedule_is_on_the_pages_of_the_tournament_and_the_event() -> None:
    tournament = planned()
    assert f'href="/t/{tournament.pk}/schedule/"' in get("tournament", tournament.pk).content.decode()
    assert f'href="/events/{tournament.event_id}/schedule/"' in get("event", tournament.event_id).content.decode()


def channels(tournament: Tournament, *own: Entry) -> dict[str, bytes]:
    """Everything that tells the schedule to anybody."""
    cache.clear()
    pk, event = tournament.pk, tournament.event_id
    addresses = [
        *(f"/t/{pk}/schedule/{part}" for part in ("?part=plan", "paper/", "paper/?by=table")),
        *(f"/events/{event}/schedule/{part}" for part in ("?part=plan", "?part=plan&q=player", "paper/")),
        *(f"/t/{pk}/schedule.ics", f"/events/{event}/schedule.ics", f"/events/{event}/tables/1/schedule.ics"),
        *(f"/t/{pk}/export/schedule.csv", f"/api/tournaments/{pk}/schedule/", f"/api/events/{event}/schedule/"),
        *(reverse("own_calendar", args=[entry_token(entry)]) for entry in own),
    ]
    answers = {address: Client().get(address) for address in addresses}
    assert {answer.status_code for answer in answers.values()} == {200}
    return {address: PRINTED.sub(b"", answer.content) for address, answer in answers.items()}


PRINTED = re.compile(rb"printed .*?, version")


def test_no_channel_tells_by_a_single_byte_whom_a_draft_pairs() -> None:
    tournament = running(4)
    play_open(tournament)
    draft(tournament)
    plans.ask_for_plan(event_id=tournament.event_id)
    plans.replan(event_id=tournament.event_id, now=minutes(30))
    drafted = pairings(tournament, 2)
    assert len(drafted) == 2
    slots = Slot.objects.filter(stage__tournament=tournament, round=2)
    assert [(slot.a_id, slot.b_id, slot.table) for slot in slots.order_by("number")] == [
        (None, None, 1),
        (None, None, 2),
    ]
    entries = list(tournament.entries.select_related("tournament__event"))
    before = channels(tournament, *entries)
    for pairing in drafted:
        slots.filter(number=pairing.number).update(a=pairing.a, b=pairing.b)
    assert channels(tournament, *entries) == before
    publish(tournament)
    assert {address for address, said in channels(tournament, *entries).items() if said == before[address]} == set()


# --- Paper.


def test_paper_has_a_list_for_each_day_with_the_time_it_was_printed_and_the_version() -> None:
    tournament = planned()
    first, second = pairings(tournament, 1)
    make_slot(tournament, 2, 3, minutes(24 * 60), a=first.a)
    answer = get("schedule_paper", tournament.pk)
    text = page_text(answer)
    titles = re.findall(r'<h1 id="[^"]*">([^<]*)', answer.content.decode())
    assert titles == ["Saturday, 22 May", "Sunday, 23 May"]
    assert f"13:01 7 Round 1 {first.a} – {first.b} Being played" in text
    assert f"about 13:25 (8) Round 1 {second.a} – {second.b}" in text
    lines = answer.content.decode().partition("<tbody")[2]
    assert ("Times are those of Riga." in text, "Riga" in lines.partition("</table>")[0]) == (True, False)
    stage = Stage.objects.get(tournament=tournament)
    assert re.search(rf"printed \S+ \S+(?: \S+)* version 0\.{stage.version} ", text)
    assert answer["Cache-Control"] == "private, no-store"


def test_paper_by_table_has_a_list_for_each_table() -> None:
    tournament = planned()
    first, _second = pairings(tournament, 1)
    answer = get("event_schedule_paper", tournament.event_id, by="table")
    assert re.findall(r'<h1 id="table-\d+">([^<]*)', answer.content.decode()) == ["Table 7", "Table 8"]
    assert f"Table 7 Saturday, 22 May Time Round Match Result 13:01 Main, Round 1 {first.a} – {first.b}" in page_text(
        answer
    )


# --- Calendars.


def events(answer: Any) -> list[Any]:
    assert (answer.status_code, answer["Content-Type"]) == (200, "text/calendar; charset=utf-8")
    return list(icalendar.Calendar.from_ical(answer.content).walk("VEVENT"))


def own(entry: Entry, **headers: str) -> Any:
    return Client().get(reverse("own_calendar", args=[entry_token(entry)]), headers=headers)


def test_a_calendar_comes_as_a_file_with_a_plain_name_and_may_be_kept() -> None:
    tournament = planned()
    for name, pk, filename in (
        ("calendar", tournament.pk, f"tournament-{tournament.pk}.ics"),
        ("event_calendar", tournament.event_id, f"event-{tournament.event_id}.ics"),
    ):
        answer = get(name, pk)
        assert len(events(answer)) == 4
        assert answer["Content-Disposition"] == f'attachment; filename="{filename}"'
        assert answer["Cache-Control"] == "public, max-age=0, must-revalidate"


def test_a_calendar_speaks_the_language_of_its_address() -> None:
    tournament = planned()
    russian = get("calendar", tournament.pk, lang="ru")
    assert (russian["Content-Language"], str(events(russian)[0]["location"])) == ("ru", "Стол 7, Riga")
    english = get("calendar", tournament.pk, lang="xx")
    assert (english["Content-Language"], str(events(english)[0]["location"])) == ("en", "Table 7, Riga")
    assert russian["ETag"] != english["ETag"]


def test_a_calendar_is_sent_again_only_when_it_has_changed() -> None:
    tournament = planned()
    entry = pairings(tournament, 1)[0].a
    entry.tournament = tournament

    def ask(tags: dict[str, str]) -> list[Any]:
        asked = [get("calendar", tournament.pk, headers={"If-None-Match": tags.get("all", "")})]
        return [*asked, own(entry, **{"If-None-Match": tags.get("own", "")})]

    first = ask({})
    tags = dict(zip(("all", "own"), (answer["ETag"] for answer in first), strict=True))
    assert [answer.status_code for answer in ask(tags)] == [304, 304]
    play_open(tournament)
    assert [answer.status_code for answer in ask(tags)] == [200, 200]


def test_a_calendar_is_sent_again_when_a_table_is_called_otherwise() -> None:
    tournament = planned()
    table = tournament.event.tables.create(number=7, name="Feature")
    first = get("calendar", tournament.pk)
    assert str(events(first)[0]["location"]) == "Table 7, Feature, Riga"
    table.name = "Stage"
    table.save()
    again = get("calendar", tournament.pk, headers={"If-None-Match": first["ETag"]})
    assert str(events(again)[0]["location"]) == "Table 7, Stage, Riga"


def test_a_table_has_a_calendar_as_long_as_it_stands_or_is_planned() -> None:
    tournament = planned()
    address = reverse("table_calendar", args=[tournament.event_id, 7])
    (only,) = events(Client().get(address))
    assert str(only["location"]) == "Table 7, Riga"
    for number in (6, 99999):
        assert Client().get(reverse("table_calendar", args=[tournament.event_id, number])).status_code == 404


def test_a_players_calendar_is_theirs_alone_and_goes_with_their_link() -> None:
    tournament = planned()
    entry = Entry.objects.select_related("tournament__event").get(pk=pairings(tournament, 1)[1].a_id)
    answer = own(entry)
    (only,) = events(answer)
    assert str(only["dtstart"].dt) == "2027-05-22 13:25:00+03:00"
    assert (answer["Cache-Control"], answer["X-Robots-Tag"]) == ("private, no-store", "noindex")
    assert answer["Referrer-Policy"] == "same-origin"
    assert entry_token(entry) not in answer.content.decode()
    page = Client().get(reverse("own_page", args=[entry_token(entry)])).content.decode()
    address = f"{settings.PUBLIC_URL}{reverse('own_calendar', args=[entry_token(entry)])}?lang=en"
    assert f'href="{address}"' in page
    assert f'href="webcal://{address.partition("://")[2]}"' in page
    renew_entry_link(entry_id=entry.pk, by=organiser(of=tournament), now=NOW)
    gone = own(entry)
    nobody = Client().get(reverse("own_page", args=[entry_token(entry)]))
    assert (gone.status_code, gone["Content-Type"]) == (nobody.status_code, nobody["Content-Type"]) == (404, PAGE)


PAGE = "text/html; charset=utf-8"


def test_the_plan_of_a_whole_day_reaches_page_calendar_and_file() -> None:
    """ST-05: whoever looks, they are told the same times."""
    tournament = running(8, format="single_elimination")
    tournament.event.tables.create(number=1)
    Tournament.objects.filter(pk=tournament.pk).update(seating=Seating.QUEUE, match_minutes=20)
    plans.ask_for_plan(event_id=tournament.event_id)
    plans.replan(event_id=tournament.event_id, now=NOW)
    before = {str(event["uid"]): int(event["sequence"]) for event in events(get("calendar", tournament.pk))}
    later = NOW + timedelta(minutes=35)
    Break.objects.create(event=tournament.event, name="Lunch", starts_at=later, ends_at=later + timedelta(minutes=45))
    plans.ask_for_plan(event_id=tournament.event_id)
    plans.replan(event_id=tournament.event_id, now=NOW + timedelta(minutes=1))
    after = events(get("calendar", tournament.pk))
    assert {str(event["uid"]) for event in after} == set(before)
    assert any(int(event["sequence"]) > before[str(event["uid"])] for event in after)
    times = [f"{event['dtstart'].dt:%H:%M}" for event in after]
    lines = shown(get("schedule", tournament.pk))
    said = [found[1] for line in lines if "Lunch" not in line and (found := re.match(r"(?:about )?(\d\d:\d\d)", line))]
    assert said == times
    rows = get_file(tournament)
    assert [row.split(";")[3][-5:] for row in rows[1:]] == times
    api = Api().get(f"tournaments/{tournament.pk}/schedule/").json()["results"]
    assert [datetime.fromisoformat(row["starts_at"]) for row in api] == [event["dtstart"].dt for event in after]


# --- Files and the API.


def get_file(tournament: Tournament) -> list[str]:
    answer: Any = Client().get(reverse("export", args=[tournament.pk, "schedule", "csv"]))
    return str(answer.content.decode("utf-8-sig")).splitlines()


def test_the_schedule_is_a_file_in_the_time_of_the_venue() -> None:
    tournament = planned()
    make_slot(tournament, 2, 3, None, why="hall_closes")
    first, second = pairings(tournament, 1)
    about = "Planned;About this time: it moves with the matches before it."
    unknown = f"2027-05-22 14:00;2027-05-22 14:20;Europe/Riga, UTC+3;Not known yet;Not known yet;{about}"
    assert get_file(tournament) == [
        "Round;Number;Table;Starts;Ends;Time zone;First player;Second player;State;Note",
        f"Round 1;1;7;2027-05-22 13:01;2027-05-22 13:21;Europe/Riga, UTC+3;{first.a};{first.b};Being played;",
        f"Round 1;2;8;2027-05-22 13:25;2027-05-22 13:45;Europe/Riga, UTC+3;{second.a};{second.b};{about}",
        f"Round 2;1;;{unknown}",
        f"Round 2;2;;{unknown}",
        "Round 2;3;;;;;Not known yet;Not known yet;Planned;Does not fit into the hours of the hall.",
    ]


def test_programs_read_the_schedule_row_by_row() -> None:
    tournament = planned()
    first = pairings(tournament, 1)[0]
    stage = Stage.objects.get(tournament=tournament)
    answer = Api().get(f"tournaments/{tournament.pk}/schedule/").json()
    assert {name: answer[name] for name in ("count", "without", "ends_at")} == {
        "count": 4,
        "without": 0,
        "ends_at": "2027-05-22T11:20:00Z",
    }
    assert answer["results"][0] == {
        "tournament": tournament.pk,
        "stage": stage.pk,
        "round": 1,
        "round_name": "Round 1",
        "number": 1,
        "a": {"entry": {"id": first.a_id, "name": first.a.name}, "origin": None},
        "b": {"entry": {"id": first.b_id, "name": str(first.b)}, "origin": None},
        "state": "playing",
        "table": 7,
        "has_place": True,
        "starts_at": "2027-05-22T10:01:00Z",
        "ends_at": "2027-05-22T10:21:00Z",
        "has_time": True,
        "held": False,
        "why": "",
        "sequence": 0,
        "changed_at": "2027-05-22T06:00:00Z",
    }
    assert MADE.isoformat() == "2027-05-22T06:00:00+00:00"


def test_programs_ask_for_a_table_a_player_and_what_is_new() -> None:
    tournament = planned()
    first, second = pairings(tournament, 1)
    path = f"events/{tournament.event_id}/schedule/"

    def found(**query: int) -> list[tuple[int, int]]:
        asked = "&".join(f"{name}={value}" for name, value in query.items())
        return [(row["round"], row["number"]) for row in Api().get(f"{path}?{asked}").json()["results"]]

    assert found() == [(1, 1), (1, 2), (2, 1), (2, 2)]
    assert found(table=8) == [(1, 2)]
    assert found(entry=first.a_id) == [(1, 1)]
    assert found(entry=second.a_id, table=7) == []
    tag = Api().get(path)["ETag"]
    assert Api().get(path, If_None_Match=tag).status_code == 304
    play_open(tournament)
    assert Api().get(path, If_None_Match=tag).status_code == 200


def test_where_somebody_comes_from_is_told_by_round_and_number() -> None:
    tournament = running(format="single_elimination")
    make_slot(tournament, 2, 1, minutes(20), from_a=[1, 1, "winner"], from_b=[1, 2, "loser"])
    (row,) = Api().get(f"tournaments/{tournament.pk}/schedule/").json()["results"]
    assert (row["a"], row["b"]) == (
        {"entry": None, "origin": {"round": 1, "number": 1, "outcome": "winner"}},
        {"entry": None, "origin": {"round": 1, "number": 2, "outcome": "loser"}},
    )


def test_staff_are_told_hidden_names_and_nobody_else() -> None:
    tournament = make_tournament()
    hidden = make_entry(tournament=tournament, name="Revan")
    Entry.objects.filter(pk=hidden.pk).update(is_shown=False)
    make_slot(tournament, 1, 1, minutes(0), a=hidden)
    path = f"tournaments/{tournament.pk}/schedule/"
    names = [api.get(path).json()["results"][0]["a"]["entry"]["name"] for api in (Api(), by_token(tournament))]
    assert names == [f"Player {hidden.pk}", "Revan"]
