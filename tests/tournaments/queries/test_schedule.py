"""The schedule: what is sure and what is expected, who plays or where they come from, days that go on past midnight."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from tests.factories import NOW, make_entry, make_event, make_field, make_tournament
from tests.tournaments.planned import make_slot, minutes
from tests.tournaments.play import draft, pairings, play_open, report, start
from tournaments.models import Break, Event, HallPlan, Opening, Pairing, Tournament
from tournaments.queries.days import Day, Line, by_table, days_of, venue_day
from tournaments.queries.schedule import (
    Glimpse,
    ScheduleRow,
    glimpse,
    rounded,
    rows_of,
    schedule_of,
    tables_in,
    where_tables_are,
)
from tournaments.words.reasons import round_name
from tournaments.words.schedule import side_text

pytestmark = pytest.mark.django_db

RIGA = ZoneInfo("Europe/Riga")


def running(size: int = 4, **facts: Any) -> Tournament:
    tournament = make_tournament(seeding="rating", **facts)
    make_field(size=size, tournament=tournament)
    start(tournament)
    tournament.refresh_from_db()
    return tournament


def rows(tournament: Tournament) -> list[ScheduleRow]:
    return rows_of(tournaments=[tournament])


def told(row: ScheduleRow) -> tuple[str, str, str]:
    return round_name(row.name), side_text(row.a), side_text(row.b)


def seen(tournament: Tournament) -> Glimpse:
    found = glimpse(tournament_id=tournament.pk)
    assert found is not None
    return found


def plan_bracket(tournament: Tournament) -> None:
    """Two semi-finals, the first of them published and told, and the final."""
    first, second = pairings(tournament, 1)
    make_slot(
        tournament, 1, 1, minutes(0), a=first.a, b=first.b, state="playing", table=1, has_place=True, has_time=True
    )
    make_slot(
        tournament, 1, 2, minutes(0), a=second.a, b=second.b, state="called", table=2, has_place=True, has_time=True
    )
    make_slot(tournament, 2, 1, minutes(27), from_a=[1, 1, "winner"], from_b=[1, 2, "winner"], table=1)


# --- rows


@pytest.mark.db
def test_a_match_says_its_round_and_who_plays_or_where_they_come_from() -> None:
    tournament = running(format="single_elimination")
    plan_bracket(tournament)
    assert [told(row) for row in rows(tournament)] == [
        ("Semi-finals", "Player 01", "Player 04"),
        ("Semi-finals", "Player 02", "Player 03"),
        ("Final", "Winner of match 1", "Winner of match 2"),
    ]
    assert [row.label for row in rows(tournament)] == [1, 2, 3]


def test_before_a_bracket_is_out_its_matches_have_their_numbers_already() -> None:
    tournament = make_tournament(format="single_elimination", seeding="rating")
    make_field(size=4, tournament=tournament)
    make_slot(tournament, 2, 1, minutes(30), from_a=[1, 1, "winner"], from_b=[1, 2, "loser"])
    (row,) = rows(tournament)
    assert told(row) == ("Final", "Winner of match 1", "Loser of match 2")
    tournament.entries.all().delete()
    (row,) = rows(tournament)
    assert told(row) == ("Round 2", "Winner of match 1, Round 1", "Loser of match 2, Round 1")


def test_a_time_that_is_only_expected_is_to_five_minutes_and_one_that_is_sure_to_the_minute() -> None:
    tournament = running()
    make_slot(tournament, 1, 1, minutes(1), has_time=True, state="playing")
    make_slot(tournament, 2, 1, minutes(33), length=22)
    make_slot(tournament, 2, 2, minutes(63), has_time=True, note="late")  # what was told cannot be kept
    sure, expected, late = rows(tournament)
    assert (sure.starts_at, sure.ends_at, sure.is_sure) == (minutes(1), minutes(21), True)
    assert (expected.starts_at, expected.ends_at, expected.is_sure) == (minutes(35), minutes(55), False)
    assert (late.starts_at, late.ends_at, late.is_sure) == (minutes(65), minutes(85), False)


@pytest.mark.parametrize(
    ("exact", "shown"),
    [("10:02", "10:00"), ("10:03", "10:05"), ("10:00", "10:00"), ("23:58", "00:00"), ("10:07", "10:05")],
)
def test_rounding_goes_to_the_nearest_five_minutes(exact: str, shown: str) -> None:
    assert f"{rounded(datetime.fromisoformat(f'2027-05-22T{exact}+00:00')):%H:%M}" == shown


def test_matches_stand_by_time_and_those_without_one_last() -> None:
    tournament = running(8)
    make_slot(tournament, 1, 1, minutes(40))
    make_slot(tournament, 1, 2, None, why="held")
    make_slot(tournament, 1, 3, minutes(20))
    assert [(row.number, row.starts_at) for row in rows(tournament)] == [(3, minutes(20)), (1, minutes(40)), (2, None)]


@pytest.mark.db
def test_the_result_stands_beside_a_match_that_is_over() -> None:
    tournament = running()
    pairing = pairings(tournament, 1)[0]
    make_slot(tournament, 1, 1, minutes(0), a=pairing.a, b=pairing.b, state="over", has_time=True)
    report(pairing, (3, 1))
    (row,) = rows(tournament)
    assert row.result is not None
    assert (row.result.kind, row.result.sets_a, row.result.sets_b, row.result.winner) == ("score", 3, 1, "a")


@pytest.mark.db
def test_nobody_is_told_who_only_a_draft_pairs() -> None:
    tournament = running()
    play_open(tournament)
    draft(tournament)
    drafted = Pairing.objects.get(round__stage__tournament=tournament, round__number=2, number=1)
    make_slot(tournament, 2, 1, minutes(30), a=drafted.a, b=drafted.b)
    (row,) = rows(tournament)
    assert told(row) == ("Round 2", "Not known yet", "Not known yet")
    assert rows_of(tournaments=[tournament], entry=drafted.a_id) == []
    assert schedule_of(event=tournament.event, tournaments=[tournament], name=drafted.a.name).rows == ()


def test_a_hidden_name_is_not_looked_up_and_its_number_is() -> None:
    tournament = make_tournament()
    hidden = make_entry(tournament=tournament, name="Revan", here=True)
    hidden.is_shown = False
    hidden.save()
    make_slot(tournament, 1, 1, minutes(0), a=hidden)

    def found(text: str) -> list[str]:
        return [
            side_text(row.a) for row in schedule_of(event=tournament.event, tournaments=[tournament], name=text).rows
        ]

    assert (found("revan"), found(f"PLAYER {hidden.pk}")) == ([], [f"Player {hidden.pk}"])


def test_what_is_dropped_is_on_no_page_and_stays_for_calendars() -> None:
    tournament = running()
    make_slot(tournament, 1, 1, minutes(0), dropped_at=NOW)
    assert [row.is_dropped for row in rows(tournament)] == [True]
    assert schedule_of(event=tournament.event, tournaments=[tournament]).rows == ()


@pytest.mark.db
def test_one_table_and_one_player_are_found() -> None:
    tournament = running()
    sides = {}
    for pairing in pairings(tournament, 1):
        make_slot(tournament, 1, pairing.number, minutes(0), a=pairing.a, b=pairing.b, table=6 + pairing.number)
        sides[pairing.number] = pairing.a.name

    def found(**by: Any) -> list[tuple[int | None, str]]:
        shown = schedule_of(event=tournament.event, tournaments=[tournament], **by).rows
        return [(row.table, side_text(row.a)) for row in shown]

    assert found() == [(7, sides[1]), (8, sides[2])]
    assert found(table=8) == [(8, sides[2])]
    assert found(table=9) == []
    assert found(name=sides[1].upper()) == [(7, sides[1])]
    assert found(table=8, name=sides[1]) == []
    assert tables_in(event=tournament.event, tournaments=[tournament]) == [7, 8]


def test_reading_takes_as_many_statements_for_many_matches_as_for_few() -> None:
    tournament = running(8, format="single_elimination")
    make_slot(tournament, 1, 1, minutes(0))
    with CaptureQueriesContext(connection) as few:
        rows(tournament)
    for number in range(2, 60):
        make_slot(tournament, 1, number, minutes(number))
    with CaptureQueriesContext(connection) as many:
        rows(tournament)
    assert len(many) == len(few) <= 7


# --- what has changed


@pytest.mark.db
def test_a_schedule_says_when_it_ends_and_what_has_no_time() -> None:
    tournament = running()
    make_slot(tournament, 1, 1, minutes(0), state="over", has_time=True)
    make_slot(tournament, 1, 2, minutes(33))
    make_slot(tournament, 2, 1, None, why="waits_for")
    make_slot(tournament, 2, 2, minutes(90), dropped_at=NOW)
    now = seen(tournament)
    assert (now.ends_at, now.is_open, now.without) == (minutes(55), True, 1)


def test_the_last_match_that_was_played_ended_when_it_did() -> None:
    tournament = running()
    make_slot(tournament, 1, 1, minutes(3), state="over", has_time=True)
    now = seen(tournament)
    assert (now.ends_at, now.is_open, now.without) == (minutes(23), False, 0)


def test_the_number_of_a_plan_rises_with_every_change_readers_are_shown() -> None:
    tournament = running()
    HallPlan.objects.update_or_create(event=tournament.event, defaults={"asked": 4, "made": 4})
    before = seen(tournament)
    play_open(tournament)
    after = seen(tournament)
    assert before.version != after.version
    assert [int(part) for part in before.number.split(".")] < [int(part) for part in after.number.split(".")]


def test_there_is_no_schedule_of_what_is_not_there() -> None:
    assert (glimpse(event_id=10**9), glimpse(tournament_id=10**9), glimpse()) == (None, None, None)


def test_rooms_and_names_of_tables_are_said() -> None:
    event = make_event()
    room = event.rooms.create(name="Hall A")
    for number, name, where in ((1, "", None), (2, "Feature", None), (3, "", room), (4, "Stream", room)):
        event.tables.create(number=number, name=name, room=where)
    assert where_tables_are(event=event) == {2: "Feature", 3: "Hall A", 4: "Stream, Hall A"}


# --- days


def opened(event: Event, opens: datetime, closes: datetime) -> Opening:
    return Opening.objects.create(event=event, opens_at=opens, closes_at=closes)


def at_riga(day: int, hour: int, minute: int = 0) -> datetime:
    return datetime(2027, 5, day, hour, minute, tzinfo=RIGA).astimezone(UTC)


@pytest.mark.parametrize(
    ("instant", "day"),
    [
        (at_riga(22, 9), 22),
        (at_riga(23, 1, 30), 22),  # the hall is open until two
        (at_riga(23, 2), 22),  # it has closed, and nobody has slept
        (at_riga(23, 4, 59), 22),
        (at_riga(23, 5), 23),
        (at_riga(23, 9), 23),
    ],
)
def test_a_day_goes_on_past_midnight_until_the_hall_closes(instant: datetime, day: int) -> None:
    event = make_event()
    hours = [opened(event, at_riga(22, 10), at_riga(23, 2)), opened(event, at_riga(23, 10), at_riga(23, 20))]
    assert venue_day(instant, zone=RIGA, openings=hours) == date(2027, 5, day)


def test_a_hall_that_is_open_into_the_morning_keeps_its_evening() -> None:
    hours = [opened(make_event(), at_riga(22, 20), at_riga(23, 8))]
    assert venue_day(at_riga(23, 7, 30), zone=RIGA, openings=hours) == date(2027, 5, 22)


def test_a_hall_that_never_closes_has_days_all_the_same() -> None:
    hours = [opened(make_event(), at_riga(21, 10), at_riga(24, 10))]
    days = [venue_day(at, zone=RIGA, openings=hours).day for at in (at_riga(22, 12), at_riga(23, 1), at_riga(23, 12))]
    assert days == [22, 22, 23]


def test_days_are_cut_where_the_venue_is_not_in_utc() -> None:
    los_angeles = ZoneInfo("America/Los_Angeles")
    evening = [datetime(2026, 9, 1, hour, 30, tzinfo=UTC) for hour in (0, 5)]
    assert [venue_day(at, zone=los_angeles) for at in evening] == [date(2026, 8, 31)] * 2


def lines(day: Day) -> list[tuple[str, bool, bool]]:
    return [(what(line), line.after_midnight, line.is_next) for line in day.lines]


def what(line: Line) -> str:
    if line.rest is not None:
        return line.rest.name
    assert line.row is not None
    return f"{line.row.round}.{line.row.number}" + (f" and {line.many - 1} more" if line.many > 1 else "")


def test_a_day_shows_what_is_next_and_puts_what_is_over_apart() -> None:
    tournament = running(8)
    event = tournament.event
    opened(event, at_riga(22, 10), at_riga(23, 2))
    Break.objects.create(event=event, name="Coffee", starts_at=at_riga(22, 12), ends_at=at_riga(22, 12, 15))
    Break.objects.create(event=event, name="Dinner", starts_at=at_riga(22, 19), ends_at=at_riga(22, 20))
    entry = tournament.entries.all()[0]
    for number, (at, state) in enumerate(
        [
            (at_riga(22, 11), "over"),
            (at_riga(22, 18), "playing"),
            (at_riga(22, 20), "waiting"),
            (at_riga(23, 1, 30), "waiting"),
        ],
        start=1,
    ):
        make_slot(tournament, 1, number, at, a=entry, state=state)
    make_slot(tournament, 2, 1, at_riga(23, 10))
    make_slot(tournament, 2, 2, at_riga(23, 10, 20))
    make_slot(tournament, 2, 3, None, why="held")
    found = schedule_of(event=event, tournaments=[tournament])
    first, second = days_of(found, zone=RIGA)
    assert [(day.date.day, len(day.openings)) for day in (first, second)] == [(22, 1), (23, 0)]
    assert [what(line) for line in first.over] == ["1.1", "Coffee"]
    assert lines(first) == [
        ("1.2", False, False),
        ("Dinner", False, False),
        ("1.3", False, True),
        ("1.4", True, False),
    ]
    assert lines(second) == [("2.1 and 1 more", False, False)]
    assert [what(line) for line in first.all] == ["1.1", "Coffee", "1.2", "Dinner", "1.3", "1.4"]


def test_breaks_are_those_of_the_tournament_and_of_all() -> None:
    tournament = running()
    other = make_tournament(event=tournament.event, name="Side")
    for name, whose in (("All", None), ("Mine", tournament), ("Theirs", other)):
        Break.objects.create(
            event=tournament.event, tournament=whose, name=name, starts_at=NOW, ends_at=NOW + timedelta(minutes=9)
        )

    def names(*of: Tournament) -> list[str]:
        return [each.name for each in schedule_of(event=tournament.event, tournaments=of).breaks]

    assert (names(tournament), names(tournament, other)) == (["All", "Mine"], ["All", "Mine", "Theirs"])


def test_each_table_has_its_matches_in_order() -> None:
    tournament = running()
    for number, (table, at) in enumerate([(2, 40), (1, 0), (2, 0)], start=1):
        make_slot(tournament, 1, number, minutes(at), table=table)
    make_slot(tournament, 1, 4, None, table=1, why="held")
    found = by_table(schedule_of(event=tournament.event, tournaments=[tournament]), zone=RIGA)
    assert [(table, [what(line) for line in several]) for table, several in found] == [
        (1, ["1.2"]),
        (2, ["1.3", "1.1"]),
    ]
