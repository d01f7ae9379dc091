"""Acts of an organiser on a plan: everything later, a round to its tables, a place by hand."""

from __future__ import annotations

import random
from dataclasses import replace

from tests.tournaments.engine.schedules import MINUTE, at, match, places, tables
from tournaments.engine.scheduling import (
    Assignment,
    Break,
    Clash,
    Hall,
    Misfit,
    Person,
    Referee,
    State,
    Table,
    Window,
    calls,
    clashes,
    plan,
    seat_round,
    shift,
)


def test_one_act_shifts_rounds_and_lunch_and_leaves_what_was_played() -> None:
    """ST-05: +35 minutes from round 1, then lunch moves by itself."""
    told = (
        match("r1", "Ann Bob", minutes=45, state=State.PLAYING, start=at("10:35"), table="1"),
        match("r0", "Cid Dee", state=State.OVER, start=at("9:00"), end=at("9:40"), table="1"),
        match("r2", "Ann Bob", minutes=45, table="1", start=at("10:50")),
        match("r3", "Ann Bob", minutes=45, table="1", start=at("11:40")),
        match("own", "Eve Fay", minutes=45, start=at("11:40"), tournament="side"),
    )
    lunch = Break(key="lunch", start=at("12:30"), end=at("13:15"))
    hall = Hall(tables=tables("1", "2"), hours=(Window(at("9:00"), at("13:00")),), breaks=(lunch,), rest=5 * MINUTE)
    late = shift(matches=told, hall=hall, by=35 * MINUTE, since=at("10:00"))
    assert late.hall.breaks == (Break(key="lunch", start=at("13:05"), end=at("13:50")),)
    found = plan(matches=late.matches, hall=late.hall, now=at("10:40"))
    assert places(found) == ["r0 1 9:00", "r1 1 10:35", "r2 1 11:25", "r3 1 12:15", "own 2 12:15"]
    again = shift(matches=late.matches, hall=late.hall, by=30 * MINUTE, since=at("12:00"), stays=frozenset({"lunch"}))
    assert plan(matches=again.matches, hall=again.hall, now=at("10:40")).misfits == (
        Misfit(match="r3", code="hall_closes"),
        Misfit(match="own", code="hall_closes"),
    )
    stays = shift(matches=told, hall=hall, by=MINUTE, since=0, stays=frozenset({"r2"}))
    assert {m.key: m.start for m in stays.matches} == {
        "r0": at("9:00"),
        "r1": at("10:35"),
        "r2": at("10:50"),
        "r3": at("11:41"),
        "own": at("11:41"),
    }
    side = shift(matches=told, hall=hall, by=-10 * MINUTE, since=at("10:00"), tournament="side")
    assert {m.key: m.start for m in side.matches if m.key in ("own", "r3")} == {"own": at("11:30"), "r3": at("11:40")}
    assert side.hall == hall


def test_a_round_gets_tables_by_standing_and_byes_get_none() -> None:
    """ST-02: 9 players, tables 5 to 8; a bye has no table and no number is there twice."""
    hall = Hall(tables=(Table(key="8", order=8), *(Table(key=str(n), order=n) for n in (5, 6, 7))))
    told = [match(f"m{n}", f"A{n} B{n}", order=(n,)) for n in range(1, 5)] + [match("bye", "Ida", order=(5,))]
    random.Random(1).shuffle(told)
    found = seat_round(matches=told, hall=hall)
    assert (found.tables, found.without) == ({"m1": "5", "m2": "6", "m3": "7", "m4": "8"}, ())


def test_fixed_seats_and_features_come_first_and_nobody_stands_who_need_not() -> None:
    camera = frozenset({"camera"})
    hall = Hall(
        tables=(
            Table(key="1", order=1, tags=camera | {"ramp"}),
            Table(key="2", order=2, tags=camera),
            Table(key="3", order=3),
            Table(key="4", order=4, out_of_use=True),
            Table(key="5", order=5),
        )
    )
    told = (
        match("a", "A B", order=(1,)),
        match("b", "C D", order=(2,), tags=camera),
        match("c", "E F", order=(3,), tags=frozenset({"ramp"})),
        match("d", "G H", order=(4,), table="3"),
        match("e", "I J", order=(5,)),
        match("f", "K L", state=State.PLAYING, start=0, table="5"),
    )
    found = seat_round(matches=told, hall=hall)
    assert (found.tables, found.without) == ({"b": "2", "c": "1", "d": "3"}, ("a", "e"))


def test_every_clash_of_a_single_place() -> None:
    hall = Hall(
        tables=(Table(key="1", out_of_use=True, hours=(Window(0, 10),), tournaments=frozenset({"side"})),),
        people=(Person(key="Ann", hours=(Window(0, 10),)),),
        referees=(Referee(key="Ref", tables=frozenset({"2"})),),
        hours=(Window(0, 1000),),
        breaks=(Break(key="lunch", start=1500, end=2000),),
        rest=60,
    )
    told = (match("m", "Ann Bob", earliest=999_999), match("f", feeds=("m",)), match("g", feeds=("m",)))
    given = (
        Assignment(match="m", table="1", start=900, end=1600, referee="Ref"),
        Assignment(match="f", table="9", start=1500, end=3300),
        Assignment(match="g", table="8", start=1630, end=3430),
    )
    found = clashes(matches=told, hall=hall, places=given)
    assert [(c.code, c.other, c.who) for c in found if c.match == "m"] == [
        ("hall_closed", "", ""),
        ("in_break", "", "lunch"),
        ("player_away", "", "Ann"),
        ("referee_away", "", "Ref"),
        ("table_closed", "", "1"),
        ("table_out", "", "1"),
        ("table_unfit", "", "1"),
        ("too_early", "", ""),
        ("too_short", "", ""),
    ]
    assert [(c.code, c.other) for c in found if c.match == "f"] == [
        ("before_feed", "m"),
        ("hall_closed", ""),
        ("in_break", ""),
    ]
    assert [(c.code, c.other) for c in found if c.match == "g"] == [
        ("feed_unrested", "m"),
        ("hall_closed", ""),
        ("in_break", ""),
    ]
    twice = [replace(place, referee="Ref", start=0, end=1800) for place in given[1:]]
    assert Clash("g", "referee_twice", "f", "Ref") in clashes(matches=told, hall=hall, places=twice)


def test_what_was_thought_out_is_first_and_what_was_told_stays() -> None:
    """Whoever is wanted first begins first as soon as it can, however late that is; facts and promises are kept."""
    hall = Hall(tables=tables("1", "2"))
    told = (
        match("plays", "A B", state=State.PLAYING, start=at("9:50"), table="1"),
        match("long", "C D", minutes=60),
        match("short", "E F", minutes=20),
        match("fixed", "G H", table="2", start=at("10:40")),
        match("other", "I J"),
    )
    assert places(plan(matches=told, hall=hall, now=at("10:00"))) == [
        "plays 1 9:50",
        "other 2 10:00",
        "long 1 10:20",
        "fixed 2 10:40",
        "short 2 11:10",
    ]
    starts = {"short": "10:00", "other": "10:20", "long": "10:30", "fixed": "13:00", "plays": "12:00"}
    for hours in (-3, 0, 3):
        wanted = [replace(each, wanted=at(starts[each.key]) + hours * 3600) for each in told]
        assert places(plan(matches=wanted, hall=hall, now=at("10:00"))) == [
            "plays 1 9:50",
            "short 2 10:00",
            "other 1 10:20",
            "fixed 2 10:40",
            "long 1 10:50",
        ]
        assert [call.match for call in calls(matches=wanted, hall=hall, now=at("10:00"))] == ["short"]
