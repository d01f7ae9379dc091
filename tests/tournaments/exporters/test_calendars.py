"""Calendars as programs read them: ids that stay, zones and their changes, what is sure and what is called off."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import icalendar
import pytest
from django.conf import settings
from django.utils.translation import override
from hypothesis import given
from hypothesis import settings as examples
from hypothesis import strategies as st

from tests.factories import NOW, make_entry, make_tournament
from tests.tournaments.planned import MADE, make_slot, minutes
from tests.tournaments.play import pairings
from tests.tournaments.views.desk import running
from tournaments.exporters.calendars import event_calendar, own_calendar, table_calendar, tournament_calendar
from tournaments.exporters.ical import Appointment, Calendar, Status, write_calendar
from tournaments.models import Entry, Event, Tournament
from tournaments.queries.schedule import Glimpse, glimpse

NIGHTS = {
    # zone: the second its clocks are changed, and how far they are ahead of UTC before and after, in minutes
    "Europe/Riga": [
        (datetime(2027, 3, 28, 1, tzinfo=UTC), 120, 180),
        (datetime(2027, 10, 31, 1, tzinfo=UTC), 180, 120),
    ],
    "America/St_Johns": [
        (datetime(2027, 3, 14, 5, 30, tzinfo=UTC), -210, -150),
        (datetime(2027, 11, 7, 4, 30, tzinfo=UTC), -150, -210),
    ],
    "Australia/Lord_Howe": [
        (datetime(2027, 4, 3, 15, tzinfo=UTC), 660, 630),
        (datetime(2027, 10, 2, 15, 30, tzinfo=UTC), 630, 660),
    ],
    "Asia/Kathmandu": [],
}


def appointment(at: datetime, **facts: Any) -> Appointment:
    said = {"summary": "Ann – Ben", "url": "https://cantina.example/t/1/", "status": Status.CONFIRMED, "sequence": 0}
    return Appointment(
        **{"uid": "1", "starts_at": at, "ends_at": at + timedelta(minutes=20), "changed_at": MADE, **said, **facts}
    )


def written(zone: str, *appointments: Appointment, name: str = "StarCon") -> bytes:
    return write_calendar(Calendar(name=name, zone=zone, appointments=appointments))


def read(content: bytes) -> Any:
    """The calendar as a program reads it. Its parts have too many types to name."""
    return icalendar.Calendar.from_ical(content)


def lines(content: bytes) -> list[str]:
    return content.decode().replace("\r\n ", "").split("\r\n")


# --- The file.


def test_a_calendar_is_told_line_by_line() -> None:
    at = datetime(2027, 5, 22, 11, 20, tzinfo=UTC)
    only = appointment(at, uid="match-1-2-3@here", location="Table 7", description="Main", sequence=4)
    assert lines(written("Europe/Riga", only)) == [
        "BEGIN:VCALENDAR",
        "VERSION:2.0",
        "PRODID:-//Cantina//Schedule//EN",
        "CALSCALE:GREGORIAN",
        "METHOD:PUBLISH",
        "NAME:StarCon",
        "X-WR-CALNAME:StarCon",
        "REFRESH-INTERVAL;VALUE=DURATION:PT5M",
        "X-PUBLISHED-TTL:PT5M",
        "X-WR-TIMEZONE:Europe/Riga",
        "BEGIN:VTIMEZONE",
        "TZID:Europe/Riga",
        "BEGIN:STANDARD",
        "DTSTART:19700101T000000",
        "TZNAME:EET",
        "TZOFFSETFROM:+0200",
        "TZOFFSETTO:+0200",
        "END:STANDARD",
        "BEGIN:DAYLIGHT",
        "DTSTART:20270328T030000",
        "TZNAME:EEST",
        "TZOFFSETFROM:+0200",
        "TZOFFSETTO:+0300",
        "END:DAYLIGHT",
        "BEGIN:STANDARD",
        "DTSTART:20271031T040000",
        "TZNAME:EET",
        "TZOFFSETFROM:+0300",
        "TZOFFSETTO:+0200",
        "END:STANDARD",
        "END:VTIMEZONE",
        "BEGIN:VEVENT",
        "SUMMARY:Ann – Ben",
        "DTSTART;TZID=Europe/Riga:20270522T142000",
        "DTEND;TZID=Europe/Riga:20270522T144000",
        "DTSTAMP:20270522T060000Z",
        "UID:match-1-2-3@here",
        "SEQUENCE:4",
        "DESCRIPTION:Main",
        "LAST-MODIFIED:20270522T060000Z",
        "LOCATION:Table 7",
        "STATUS:CONFIRMED",
        "TRANSP:TRANSPARENT",
        "URL:https://cantina.example/t/1/",
        "END:VEVENT",
        "END:VCALENDAR",
        "",
    ]


def test_in_utc_there_is_no_zone_to_tell() -> None:
    content = written("UTC", appointment(datetime(2027, 5, 22, 11, 20, tzinfo=UTC)))
    assert [line for line in lines(content) if "TIMEZONE" in line or "DTSTART" in line] == [
        "X-WR-TIMEZONE:UTC",
        "DTSTART:20270522T112000Z",
    ]


def test_a_match_that_was_not_played_takes_no_time() -> None:
    at = datetime(2027, 5, 22, 11, 20, tzinfo=UTC)
    assert "DTEND" not in written("UTC", appointment(at, ends_at=at)).decode()


def observed(zone: str, year: int) -> list[tuple[str, datetime, timedelta, timedelta]]:
    """What the calendar says of a zone in a year: which time it is from when on, before and after."""
    calendar = read(written(zone, appointment(datetime(year, 7, 1, 12, tzinfo=UTC))))
    (told,) = calendar.walk("VTIMEZONE")
    return [
        (part.name, part.decoded("dtstart"), part.decoded("tzoffsetfrom"), part.decoded("tzoffsetto"))
        for part in told.subcomponents
    ]


@pytest.mark.parametrize("zone", sorted(NIGHTS))
def test_each_change_of_the_clocks_is_told_by_the_clocks_that_are_not_changed_yet(zone: str) -> None:
    _first, *changes = observed(zone, 2027)
    assert [(start, before, after) for _name, start, before, after in changes] == [
        ((at + timedelta(minutes=before)).replace(tzinfo=None), timedelta(minutes=before), timedelta(minutes=after))
        for at, before, after in NIGHTS[zone]
    ]


def by_the_file(calendar: Any) -> datetime:
    """The instant of the start as somebody works it out who knows no zone but the one in the file."""
    (event,) = calendar.walk("VEVENT")
    shown = event["dtstart"]
    if shown.dt.tzinfo is UTC or "TZID" not in shown.params:
        instant: datetime = shown.dt.astimezone(UTC)
        return instant
    wall = shown.dt.replace(tzinfo=None)
    (zone,) = calendar.walk("VTIMEZONE")
    parts = sorted(zone.subcomponents, key=lambda part: part.decoded("dtstart"))
    ahead = [part.decoded("tzoffsetto") for part in parts if part.decoded("dtstart") <= wall][-1]
    worked_out: datetime = (wall - ahead).replace(tzinfo=UTC)
    return worked_out


@pytest.mark.parametrize(("zone", "night"), [(zone, night) for zone, nights in NIGHTS.items() for night in nights])
def test_an_instant_is_the_same_to_whoever_reads_it_all_through_a_night_the_clocks_change(
    zone: str, night: tuple[datetime, int, int]
) -> None:
    for offset in range(-120, 121, 10):
        at = night[0] + timedelta(minutes=offset)
        calendar = read(written(zone, appointment(at)))
        (event,) = calendar.walk("VEVENT")
        assert event["dtstart"].dt.astimezone(UTC) == at
        assert event["dtend"].dt.astimezone(UTC) == at + timedelta(minutes=20)
        assert by_the_file(calendar) == at


def test_an_hour_that_comes_twice_is_said_in_utc() -> None:
    """TZ-04: a round of 50 minutes that begins at 02:40 in summer time ends at 02:30 in winter time."""
    start = datetime(2026, 10, 25, 0, 40, tzinfo=UTC)
    content = written("Europe/Berlin", appointment(start, ends_at=start + timedelta(minutes=50)))
    assert [line for line in lines(content) if line.startswith(("DTSTART:20261025T00", "DTEND"))] == [
        "DTSTART:20261025T004000Z",
        "DTEND:20261025T013000Z",
    ]


def test_a_start_beyond_the_change_of_the_clocks_is_told_by_the_clocks_of_its_day() -> None:
    """TZ-01: 11:00 in Berlin on both days, which is 09:00 UTC on one and 10:00 on the other."""
    days = [datetime(2026, 10, day, hour, tzinfo=UTC) for day, hour in ((24, 9), (25, 10))]
    content = written("Europe/Berlin", *(appointment(at, uid=str(at)) for at in days))
    assert [line for line in lines(content) if line.startswith("DTSTART;")] == [
        "DTSTART;TZID=Europe/Berlin:20261024T110000",
        "DTSTART;TZID=Europe/Berlin:20261025T110000",
    ]
    assert [event["dtstart"].dt.astimezone(UTC) for event in read(content).walk("VEVENT")] == days


SHARP = 'Ann; "Ben", C:\\D\nX-EVIL:1\r\nBEGIN:VEVENT'


def test_text_stays_text_whatever_is_in_it() -> None:
    at = datetime(2027, 5, 22, 11, tzinfo=UTC)
    content = written("UTC", appointment(at, summary=SHARP, location=SHARP, description=SHARP), name=SHARP)
    calendar = read(content)
    (event,) = calendar.walk("VEVENT")
    shown = SHARP.replace("\r\n", "\n")
    assert [str(event[name]) for name in ("summary", "location", "description")] == [shown] * 3
    assert not [line for line in lines(content) if line.startswith("X-EVIL")]
    escaped = 'Ann\\; "Ben"\\, C:\\\\D\\nX-EVIL:1\\nBEGIN:VEVENT'
    assert [line for line in lines(content) if line.startswith(("NAME", "X-WR-CALNAME"))] == [
        f"NAME:{escaped}",
        f"X-WR-CALNAME:{escaped}",
    ]


NAMES = st.text(
    st.one_of(st.characters(codec="utf-8", exclude_categories=["Cc"]), st.sampled_from('Жы🃏👩‍🚀;,\\:"\n')),
    max_size=160,
)


@given(names=st.lists(NAMES, min_size=2, max_size=2))
@examples(max_examples=40, deadline=None)
def test_any_name_comes_back_as_it_was_in_lines_of_75_octets_that_split_no_letter(names: list[str]) -> None:
    summary = " – ".join(names)
    content = written("UTC", appointment(datetime(2027, 5, 22, 11, tzinfo=UTC), summary=summary))
    assert max(len(line) for line in content.split(b"\r\n")) <= 75
    assert [line.decode() for line in content.split(b"\r\n")]
    (event,) = read(content).walk("VEVENT")
    assert str(event.get("summary", "")) == summary.strip()


# --- What is in it.


def seen(of: Event | Tournament) -> Glimpse:
    found = glimpse(event_id=of.pk) if isinstance(of, Event) else glimpse(tournament_id=of.pk)
    assert found is not None
    return found


def told(calendar: Calendar) -> list[tuple[str, str, str]]:
    """When, what, and how sure it is."""
    zone = ZoneInfo(calendar.zone)
    return [(f"{each.starts_at.astimezone(zone):%H:%M}", each.summary, each.status) for each in calendar.appointments]


@pytest.mark.django_db
def test_facts_are_certain_predictions_are_not_and_what_is_dropped_is_called_off() -> None:
    tournament = running(format="single_elimination")
    first, second = pairings(tournament, 1)
    make_slot(tournament, 1, 1, minutes(1), a=first.a, b=first.b, state="playing", has_time=True)
    make_slot(tournament, 1, 2, minutes(24), a=second.a, b=second.b)
    make_slot(tournament, 2, 1, minutes(52), from_a=[1, 1, "winner"], from_b=[1, 2, "winner"])
    make_slot(tournament, 1, 3, minutes(80), dropped_at=NOW)
    make_slot(tournament, 1, 4, None, why="held")
    calendar = tournament_calendar(seen(tournament))
    assert calendar.name == "Main · StarCon 2027"
    assert told(calendar)[:3] == [
        ("13:01", f"{first.a} – {first.b} (Semi-finals)", "CONFIRMED"),
        ("13:25", f"{second.a} – {second.b} (Semi-finals)", "TENTATIVE"),
        ("13:50", "Winner of match 1 – Winner of match 2 (Final)", "TENTATIVE"),
    ]
    assert [(at, status) for at, _what, status in told(calendar)[3:]] == [("14:20", "CANCELLED")]
    assert [each.description.partition("\n")[2] for each in calendar.appointments] == [
        "Being played",
        "About this time: it moves with the matches before it.",
        "About this time: it moves with the matches before it.",
        "Will not be played.",
    ]


@pytest.mark.django_db
def test_an_appointment_keeps_its_id_whatever_moves_and_counts_its_changes() -> None:
    tournament = running()
    slot = make_slot(tournament, 1, 2, minutes(20), table=3)
    (before,) = tournament_calendar(seen(tournament)).appointments
    later = MADE + timedelta(hours=5)
    make_slot(tournament, 1, 2, minutes(50), table=4, has_place=True, sequence=2, changed_at=later)
    (after,) = tournament_calendar(seen(tournament)).appointments
    uid = f"match-{slot.stage_id}-1-2@event-{tournament.event_id}-20270522T100000.cantina"
    assert (before.uid, after.uid) == (uid, uid)
    assert [(each.sequence, each.changed_at) for each in (before, after)] == [(0, MADE), (2, later)]
    assert [each.location for each in (before, after)] == ["probably table 3, Riga", "Table 4, Riga"]
    assert after.url == f"{settings.PUBLIC_URL}/t/{tournament.pk}/schedule/#slot-{slot.pk}"


@pytest.mark.django_db
def test_a_place_is_the_table_its_room_and_the_place_of_the_event() -> None:
    tournament = running()
    room = tournament.event.rooms.create(name="Hall A")
    tournament.event.tables.create(number=7, name="Feature", room=room)
    make_slot(tournament, 1, 1, minutes(0), table=7, has_place=True)
    (only,) = tournament_calendar(seen(tournament)).appointments
    assert only.location == "Table 7, Feature, Hall A, Riga"


@pytest.mark.django_db
def test_an_event_tells_every_match_and_the_start_of_what_has_not_begun() -> None:
    tournament = running()
    event = tournament.event
    side = make_tournament(event=event, name="Side")
    Tournament.objects.filter(pk__in=(side.pk, tournament.pk)).update(starts_at=minutes(120))
    make_slot(tournament, 1, 1, minutes(0))
    calendar = event_calendar(seen(event))
    assert calendar.name == "StarCon 2027"
    assert told(calendar) == [("15:00", "Start: Side", "CONFIRMED"), ("13:00", "Main, Round 1", "TENTATIVE")]
    assert calendar.appointments[0].uid == f"start-{side.pk}@event-{event.pk}-20270522T100000.cantina"


@pytest.mark.django_db
def test_a_table_has_its_own_matches_of_every_tournament() -> None:
    tournament = running()
    side = running(event=tournament.event, name="Side")
    for each, table, at in ((tournament, 7, 0), (side, 7, 30), (side, 8, 0)):
        make_slot(each, 1, table, minutes(at), table=table)
    calendar = table_calendar(seen(tournament.event), 7)
    assert calendar.name == "Table 7 · StarCon 2027"
    assert [what for _at, what, _status in told(calendar)] == ["Main, Round 1", "Side, Round 1"]


@pytest.mark.django_db
def test_a_player_has_their_matches_alone_and_sees_their_own_name_but_no_hidden_one() -> None:
    tournament = make_tournament()
    hidden, mine, other = (make_entry(tournament=tournament, name=name) for name in ("Revan", "Ann", "Ben"))
    Entry.objects.filter(pk__in=(hidden.pk, mine.pk)).update(is_shown=False)
    mine.refresh_from_db()
    make_slot(tournament, 1, 1, minutes(0), a=hidden, b=mine)
    make_slot(tournament, 1, 2, minutes(0), a=hidden, b=other)
    make_slot(tournament, 2, 1, minutes(30), a=mine, from_b=None)
    own = own_calendar(seen(tournament), mine)
    assert own.name == "Ann · StarCon 2027"
    assert [what for _at, what, _status in told(own)] == [
        f"Player {hidden.pk} – Ann (Round 1)",
        "Ann – Not known yet (Round 2)",
    ]
    assert {each.is_own for each in own.appointments} == {True}
    public = [what for _at, what, _status in told(tournament_calendar(seen(tournament)))]
    assert public[0] == f"Player {hidden.pk} – Player {mine.pk} (Round 1)"


@pytest.mark.django_db
def test_a_calendar_speaks_one_language() -> None:
    tournament = make_tournament()
    hidden = make_entry(tournament=tournament, name="Revan")
    Entry.objects.filter(pk=hidden.pk).update(is_shown=False)
    make_slot(tournament, 1, 1, minutes(0), a=hidden, b=hidden)
    with override("ru"):
        (only,) = tournament_calendar(seen(tournament)).appointments
    assert only.summary == f"Игрок {hidden.pk} – Игрок {hidden.pk} (1-й тур)"


@pytest.mark.django_db
def test_a_round_that_is_no_more_goes_by_its_number() -> None:
    tournament = running(format="single_elimination")
    make_slot(tournament, 5, 1, minutes(80), dropped_at=NOW, from_a=[4, 1, "winner"])
    assert told(tournament_calendar(seen(tournament))) == [
        ("14:20", "Winner of match 1, Round 4 – Not known yet (Round 5)", "CANCELLED")
    ]
