"""Stories of a hall: who plays where and when, what has no place and why, what is called next."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from zoneinfo import ZoneInfo

import pytest

from tests.tournaments.engine.schedules import (
    MINUTE,
    SEVEN,
    SLOT,
    at,
    clock,
    hall_of,
    match,
    matches_of,
    places,
    tables,
)
from tournaments.engine.scheduling import (
    Bound,
    Break,
    Call,
    Clash,
    Hall,
    Misfit,
    Person,
    Plan,
    Referee,
    State,
    Table,
    Window,
    calls,
    clashes,
    next_call,
    plan,
)

# --- the seven cases


@pytest.mark.parametrize(("name", "slots"), SEVEN.items())
def test_the_plan_meets_the_bound(name: str, slots: int) -> None:
    matches, hall = matches_of(name), hall_of(name)
    found = plan(matches=matches, hall=hall, now=0)
    assert (found.end, found.bound.end, found.misfits) == (slots * SLOT, slots * SLOT, ())
    assert clashes(matches=matches, hall=hall, places=found.assignments) == ()


def test_a_table_of_32_on_8_tables_stays_close_to_the_bound() -> None:
    found = plan(matches=matches_of("all_32_on_8"), hall=hall_of("all_32_on_8"), now=0)
    assert (found.end, found.bound) == (67 * SLOT, Bound(end=62 * SLOT, kind="load"))


# --- the plan


def test_a_bracket_goes_down_to_its_final() -> None:
    matches = (
        match("s1", "Ann Bob"),
        match("s2", "Cid Dee"),
        match("final", feeds=("s1", "s2")),
        match("third", feeds=("s1", "s2"), minutes=10),
    )
    found = plan(matches=matches, hall=Hall(tables=tables("7", "3"), rest=10 * MINUTE), now=at("10:00"))
    assert places(found) == ["s1 7 10:00", "s2 3 10:00", "final 7 10:40", "third 3 10:40"]
    assert (clock(found.end), found.bound) == ("11:10", Bound(end=at("11:10"), kind="path"))


def test_a_player_in_two_tournaments_is_in_one_place_and_rests() -> None:
    """ST-01: main and side event share players; their own rest may differ from the hall's."""
    matches = (
        match("m", "Ann Bob", tournament="main"),
        match("s", "Ann Cid", tournament="side"),
        match("t", "Dee Bob", tournament="side", minutes=20),
    )
    hall = Hall(tables=tables("1", "2", "3"), people=(Person(key="Bob", rest=0),), rest=15 * MINUTE)
    assert places(plan(matches=matches, hall=hall, now=at("10:00"))) == ["m 1 10:00", "t 1 10:30", "s 2 10:45"]


def test_a_move_by_hand_onto_a_clash_names_both_matches() -> None:
    """ST-01: what is called or running counts too."""
    matches = (
        match("m", "Ann Bob", state=State.PLAYING, start=at("10:00"), table="1"),
        match("s", "Ann Cid"),
        match("t", "Dee Eve"),
    )
    hall = Hall(tables=tables("1", "2"), rest=15 * MINUTE)
    found = plan(matches=matches, hall=hall, now=at("10:10"))
    moved = [
        replace(p, table="1", start=at("10:20"), end=at("10:50")) if p.match == "s" else p for p in found.assignments
    ]
    moved = [replace(p, table="1", start=at("10:29"), end=at("10:59")) if p.match == "t" else p for p in moved]
    assert clashes(matches=matches, hall=hall, places=moved, moved="s") == (
        Clash("s", "player_twice", "m", "Ann"),
        Clash("s", "table_twice", "m", "1"),
        Clash("t", "table_twice", "s", "1"),
    )
    assert clashes(matches=matches, hall=hall, places=moved, moved="t") == (
        Clash("t", "table_twice", "m", "1"),
        Clash("t", "table_twice", "s", "1"),
    )
    later = [replace(p, start=at("10:40"), end=at("11:10")) if p.match == "s" else p for p in found.assignments]
    assert clashes(matches=matches, hall=hall, places=later) == (Clash("s", "player_unrested", "m", "Ann"),)


def test_a_referee_is_in_one_place_and_is_no_player_there() -> None:
    matches = (
        match("a", "Ann Bob", needs_referee=True),
        match("b", "Cid Dee", needs_referee=True),
        match("c", "Eve Fay"),
    )
    hall = Hall(
        tables=tables("1", "2", "3"),
        referees=(Referee(key="Ann"), Referee(key="Ref", tables=frozenset({"2"}), hours=(Window(0, at("11:00")),))),
    )
    found = plan(matches=matches, hall=hall, now=at("10:00"))
    assert [(p.match, p.table, clock(p.start), p.referee) for p in found.assignments] == [
        ("c", "1", "10:00", None),
        ("a", "2", "10:00", "Ref"),
        ("b", "1", "10:30", "Ann"),
    ]


def test_nothing_reaches_into_a_break_or_beyond_closing() -> None:
    """ST-05: the venue closes; what does not fit says so."""
    hall = Hall(
        tables=tables("1"),
        hours=(Window(at("9:00"), at("14:00")),),
        breaks=(Break(key="lunch", start=at("12:30"), end=at("13:15")),),
    )
    matches = [match(str(number), f"A{number} B{number}", minutes=40) for number in range(1, 5)]
    found = plan(matches=[*matches, match("5", "A B", feeds=("4",))], hall=hall, now=at("11:00"))
    assert places(found) == ["4 1 11:00", "1 1 11:40", "2 1 13:15"]
    assert found.misfits == (Misfit(match="3", code="no_room"), Misfit(match="5", code="no_room"))
    late = plan(matches=matches, hall=hall, now=at("13:21"))
    assert {misfit.code for misfit in late.misfits} == {"hall_closes"}


def test_a_short_tournament_is_not_kept_waiting_until_a_long_one_ends() -> None:
    long = [match(f"m{n}", feeds=(f"m{n - 1}",) if n > 1 else (), tournament="main") for n in range(1, 9)]
    short = [match(f"s{n}", tournament="side") for n in range(1, 4)]
    found = plan(matches=(*long, *short), hall=Hall(tables=tables("1")), now=at("10:00"))
    assert " ".join(each.match for each in found.assignments) == "m1 m2 m3 s1 s2 s3 m4 m5 m6 m7 m8"


def test_every_reason_for_having_no_place() -> None:
    day = (Window(at("9:00"), at("18:00")),)
    hall = Hall(
        tables=(
            Table(key="1", hours=(Window(at("9:00"), at("10:30")),)),
            Table(key="2", tags=frozenset({"stream"}), out_of_use=True),
            Table(key="3", tags=frozenset({"quiet"}), tournaments=frozenset({"side"})),
        ),
        people=(Person(key="Kid", hours=(Window(at("9:00"), at("10:10")),)),),
        hours=day,
    )
    matches = (
        match("held", "A B", held=True),
        match("after", feeds=("held",)),
        match("hen", feeds=("egg",)),
        match("egg", feeds=("hen",)),
        match("stream", "C D", tags=frozenset({"stream"})),
        match("sauna", "E F", tags=frozenset({"sauna"})),
        match("quiet", "G H", tags=frozenset({"quiet"})),
        match("refereed", "I J", needs_referee=True),
        match("days", "K L", minutes=600),
        match("evening", "M N", earliest=at("17:45"), tournament="side"),
        match("noon", "O P", earliest=at("10:15")),
        match("kid", "Kid R"),
        match("one", "S T", table="1"),
        match("two", "U V", table="1", tournament="side", tags=frozenset({"quiet"})),
    )
    found = plan(matches=matches, hall=hall, now=at("10:00"))
    assert places(found) == ["one 1 10:00"]
    assert {misfit.match: (misfit.code, misfit.other) for misfit in found.misfits} == {
        "held": ("held", ""),
        "after": ("waits_for", "held"),
        "hen": ("in_circle", "egg"),
        "egg": ("in_circle", "hen"),
        "stream": ("tables_out", ""),
        "sauna": ("no_table", ""),
        "quiet": ("no_table", ""),
        "refereed": ("no_referee", ""),
        "days": ("too_long", ""),
        "evening": ("hall_closes", ""),
        "noon": ("table_closes", "1"),
        "kid": ("player_leaves", "Kid"),
        "two": ("no_room", ""),
    }


def test_what_asks_for_nothing_leaves_the_table_with_the_camera() -> None:
    hall = Hall(tables=(Table(key="1", tags=frozenset({"camera"})), Table(key="2", order=1)))
    matches = (match("a", "A B"), match("z", "C D", tags=frozenset({"camera"})))
    assert places(plan(matches=matches, hall=hall, now=0)) == ["z 1 0:00", "a 2 0:00"]
    assert places(plan(matches=matches[:1], hall=replace(hall, tables=hall.tables[:1]), now=0)) == ["a 1 0:00"]


def test_a_published_place_stays_whatever_else_happens() -> None:
    """ST-08: a correction makes nothing move; a table out of use makes a proposal, and says so."""
    hall = Hall(tables=tables("1", "2", "3"))
    told = (
        match("a", "Ann Bob", table="3", start=at("11:00")),
        match("b", "Cid Dee", table="1", start=at("11:00")),
        match("c", "Eve Fay", minutes=90),
        match("d", "Gus Hal", minutes=40),
    )
    found = plan(matches=told, hall=hall, now=at("10:00"))
    assert places(found) == ["d 1 10:00", "c 2 10:00", "b 1 11:00", "a 3 11:00"]
    late = plan(matches=told, hall=hall, now=at("11:20"))
    assert [(p.match, p.table, clock(p.start), p.note) for p in late.assignments] == [
        ("b", "1", "11:20", "late"),
        ("c", "2", "11:20", ""),
        ("a", "3", "11:20", "late"),
        ("d", "1", "11:50", ""),
    ]
    broken = replace(hall, tables=(*hall.tables[:2], replace(hall.tables[2], out_of_use=True)))
    without = plan(matches=told, hall=broken, now=at("10:00"))
    assert [(p.match, p.table, clock(p.start)) for p in without.proposals] == [("a", "2", "11:00")]
    assert without["a"].note == "moved"


def test_a_promise_waits_for_those_that_feed_it_and_no_longer() -> None:
    matches = (match("semi", "Ann Bob"), match("final", feeds=("semi",), table="1", start=at("11:00")))
    hall = Hall(tables=tables("1", "2"), rest=10 * MINUTE)
    assert places(plan(matches=matches, hall=hall, now=at("10:00"))) == ["semi 1 10:00", "final 1 11:00"]
    late = plan(matches=matches, hall=hall, now=at("10:30"))
    assert (places(late), late["final"].note) == (["semi 1 10:30", "final 1 11:10"], "late")


def test_of_two_promises_the_second_leaves_time_to_clear_the_table() -> None:
    told = (match("a", "A B", table="1", start=at("10:00")), match("b", "C D", table="1", start=at("10:30")))
    hall = Hall(tables=tables("1"), turnover=5 * MINUTE)
    found = plan(matches=told, hall=hall, now=at("9:00"))
    assert places(found) == ["a 1 10:00", "b 1 10:35"]
    assert [place.match for place in found.proposals] == ["b"]


def test_whoever_could_have_played_since_the_morning_waited_since_the_morning() -> None:
    first = match("first", "Ann Bob", state=State.OVER, table="1", start=at("9:00"), end=at("9:30"))
    told = (first, match("a", "Ann Cid"), match("z", "Dee Eve"))
    assert places(plan(matches=told, hall=Hall(tables=tables("1")), now=at("12:00"))) == [
        "first 1 9:00",
        "z 1 12:00",
        "a 1 12:30",
    ]


def test_the_last_of_several_is_expected_later_than_each_of_them() -> None:
    told = (match("a", "A B"), match("b", "C D"), match("c", feeds=("a", "b")), match("d", feeds=("c",)))
    hall = Hall(tables=tables("1", "2"), spread=500)
    found = plan(matches=told, hall=hall, now=at("10:00"))
    assert [(p.match, p.start - at("10:00")) for p in found.assignments] == [
        ("a", 0),
        ("b", 0),
        ("c", 2160),
        ("d", 3960),
    ]
    assert found.bound == plan(matches=told, hall=replace(hall, spread=0), now=at("10:00")).bound


def test_after_a_match_without_a_winner_the_plan_is_for_the_replay() -> None:
    """ST-09: the semi-final is to be played again, and the final stays behind it."""
    semi = match("semi", "Ann Bob", state=State.OVER, table="1", start=at("10:00"), end=at("10:30"))
    again = match("again", "Ann Bob", feeds=("semi",), minutes=20)
    final = match("final", feeds=("again",))
    hall = Hall(tables=tables("1"), rest=5 * MINUTE)
    found = plan(matches=(semi, again, final), hall=hall, now=at("10:31"))
    assert places(found) == ["semi 1 10:00", "again 1 10:35", "final 1 11:00"]
    assert [call.match for call in calls(matches=(semi, again, final), hall=hall, now=at("10:35"))] == ["again"]
    assert found.next_of("Ann") == found["again"]


def test_a_walkover_costs_no_time() -> None:
    walkover = match("w", "Ann Bob", state=State.OVER, start=at("10:00"), end=at("10:00"))
    matches = (walkover, match("next", feeds=("w",)), match("other", "Ann Cid"))
    hall = Hall(tables=tables("1", "2"), rest=10 * MINUTE)
    assert places(plan(matches=matches, hall=hall, now=at("10:00"))) == [
        "w None 10:00",
        "other 1 10:00",
        "next 2 10:00",
    ]


def test_what_should_be_over_is_expected_in_a_minute() -> None:
    running = match("r", "Ann Bob", state=State.PLAYING, start=at("9:00"), table="1")
    found = plan(matches=(running, match("n", "Cid Dee")), hall=Hall(tables=tables("1")), now=at("10:00"))
    assert places(found) == ["r 1 9:00", "n 1 10:01"]


def test_a_key_is_there_once() -> None:
    with pytest.raises(ValueError, match="twice"):
        plan(matches=(match("a"), match("a")), hall=Hall(tables=()), now=0)
    with pytest.raises(ValueError, match="second"):
        match("a", minutes=0)
    with pytest.raises(ValueError, match="start"):
        match("a", state=State.PLAYING)
    with pytest.raises(ValueError, match="ends"):
        Window(5, 5)
    with pytest.raises(ValueError, match="break"):
        Break(key="lunch", start=5, end=4)


def test_a_plan_answers_what_pages_ask() -> None:
    matches = (match("a", "Ann Bob"), match("b", "Ann Cid"))
    found = plan(matches=matches, hall=Hall(tables=tables("1")), now=0)
    assert found.at_table("1") == found.of_player("Ann") == found.assignments
    assert (found.next_of("Cid"), found.next_of("Eve")) == (found["b"], None)
    assert ("a" in found, "z" in found, found.get("z")) == (True, False, None)
    assert plan(matches=(), hall=Hall(tables=()), now=7) == Plan(
        assignments=(), misfits=(), end=7, bound=Bound(end=7, kind="running")
    )


# --- clocks that change


@pytest.mark.parametrize(
    ("zone", "start", "minutes", "ends"),
    [
        ("Europe/Berlin", "2027-03-28T01:30:00+01:00", 50, "2027-03-28T03:20:00+02:00"),  # TZ-04, an hour is left out
        ("Europe/Berlin", "2026-10-25T02:40:00+02:00", 50, "2026-10-25T02:30:00+01:00"),  # TZ-04, an hour comes twice
        ("Australia/Lord_Howe", "2027-04-04T01:45:00+11:00", 30, "2027-04-04T01:45:00+10:30"),  # half an hour back
        ("Asia/Kathmandu", "2027-01-01T23:50:00+05:45", 20, "2027-01-02T00:10:00+05:45"),
    ],
)
def test_a_round_takes_as_long_as_it_takes_in_any_night(zone: str, start: str, minutes: int, ends: str) -> None:
    """TZ-04: the axis is instants, so nothing is longer or shorter; and what is later stands later."""
    begins = int(datetime.fromisoformat(start).timestamp())
    matches = (match("1", "Ann Bob", minutes=minutes), match("2", feeds=("1",), minutes=minutes))
    found = plan(matches=matches, hall=Hall(tables=tables("1")), now=begins)
    wall = [datetime.fromtimestamp(place.end, ZoneInfo(zone)).isoformat() for place in found.assignments]
    assert wall[0] == ends
    assert [place.match for place in found.assignments] == ["1", "2"]
    assert found.end - begins == 2 * minutes * MINUTE


# --- calls


def test_a_free_table_gets_the_match_that_waited_longest() -> None:
    """ST-04: ten ready matches, six tables, any order of finishing; a table out of use is left out."""
    hall = Hall(tables=(*tables("1", "2", "3", "4", "5", "6"), Table(key="7", out_of_use=True)), rest=5 * MINUTE)
    told = {str(n): match(str(n), f"A{n} B{n}", ready_since=at("10:00") - n, order=(n,)) for n in range(1, 11)}
    first = calls(matches=told.values(), hall=hall, now=at("10:00"))
    assert [(call.match, call.table) for call in first] == [
        ("10", "1"),
        ("9", "2"),
        ("8", "3"),
        ("7", "4"),
        ("6", "5"),
        ("5", "6"),
    ]
    for call in first:
        told[call.match] = replace(told[call.match], state=State.PLAYING, table=call.table, start=at("10:00"))
    now = at("10:00")
    for table, expected in (("3", "4"), ("6", "3"), ("1", "2"), ("2", "1")):
        now += MINUTE
        assert next_call(matches=told.values(), hall=hall, now=now, table=table) is None
        done = next(m for m in told.values() if m.table == table and m.state is State.PLAYING)
        told[done.key] = replace(done, state=State.OVER, end=now)
        assert next_call(matches=told.values(), hall=hall, now=now, table=table) == Call(match=expected, table=table)
        told[expected] = replace(told[expected], state=State.CALLED, table=table, start=now)
        assert next_call(matches=told.values(), hall=hall, now=now, table=table) is None  # pressed a second time
    assert calls(matches=told.values(), hall=hall, now=now) == ()


def test_waiting_counts_half_as_much_as_the_way_to_the_final() -> None:
    """A short match of a small event is not left behind for ever by a long way to the final."""
    long_way = (match("a", "Ann Bob"), match("b", feeds=("a",)), match("c", feeds=("b",)))
    hall = Hall(tables=tables("1"))
    for waited, first in ((119, "a"), (121, "small")):
        small = match("small", "Cid Dee", ready_since=at("12:00") - waited * MINUTE)
        told = [replace(each, ready_since=at("12:00")) if each.key == "a" else each for each in long_way]
        assert [call.match for call in calls(matches=[*told, small], hall=hall, now=at("12:00"))] == [first]


def test_nobody_is_called_who_cannot_come() -> None:
    over = match("over", "Ann Bob", state=State.OVER, table="1", start=at("9:00"), end=at("9:58"))
    told = (
        over,
        match("unrested", "Ann Cid"),
        match("busy", "Dee Eve"),
        match("at work", "Dee Fay", state=State.CALLED, table="4", start=at("9:59")),
        match("held", "Gus Hal", held=True),
        match("half", "Ida", feeds=("over",)),
        match("fed", "Jon Kay", feeds=("at work",)),
        match("kept", "Leo Mia", table="2", start=at("10:20")),
        match("too long", "Nat Oli"),
        match("short", "Pam Quy", minutes=20),
    )
    hall = Hall(tables=tables("4", "2"), rest=5 * MINUTE)
    assert calls(matches=told, hall=hall, now=at("10:00")) == (Call(match="short", table="2"),)
    assert calls(matches=told, hall=hall, now=at("10:20")) == (Call(match="kept", table="2"),)
