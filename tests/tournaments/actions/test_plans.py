"""Stories of the plan: what it says of a day, and how it follows what happens."""

from __future__ import annotations

from datetime import datetime, timedelta
from itertools import pairwise

import pytest

from players.permissions import Refused
from tests.factories import NOW, make_event, make_field, make_tournament, organiser
from tests.tournaments.actions.test_queue import called, ends, of, queued
from tests.tournaments.halls import act, put_up
from tests.tournaments.play import count_up, pairings, stage_of, start
from tournaments.actions import plans, results, rounds
from tournaments.actions.queue import call_matches
from tournaments.models import Break, HallPlan, Opening, Pairing, RoundTime, Slot, Tournament
from tournaments.queries.plan_facts import plan_facts

pytestmark = pytest.mark.django_db

MINUTE = timedelta(minutes=1)
MATCH = 20 * MINUTE
REST = 5 * MINUTE


def planned(of: Tournament, at: datetime = NOW) -> dict[tuple[int, int], Slot]:
    """The slots of a tournament by round and number, after a plan made at this time."""
    plans.ask_for_plan(event_id=of.event_id)
    plans.replan(event_id=of.event_id, now=at)
    found = Slot.objects.select_related("a", "b").filter(stage__tournament=of)
    return {(slot.round, slot.number): slot for slot in found}


def minutes(slot: Slot) -> float:
    """The start of a slot in minutes from the beginning."""
    assert slot.starts_at is not None
    return (slot.starts_at - NOW) / MINUTE


def seeds(slot: Slot) -> tuple[int | None, int | None]:
    return (slot.a.seed if slot.a else None, slot.b.seed if slot.b else None)


def test_a_bracket_is_planned_to_its_final() -> None:
    tournament = queued(8, (1, 2), format="single_elimination")
    called(tournament)
    found = planned(tournament)
    assert {place: minutes(slot) for place, slot in found.items()} == {
        (1, 1): 0,
        (1, 2): 0,
        (1, 3): 20,
        (1, 4): 20,
        (2, 1): 40,
        (2, 2): 48,  # of two that are to end first the later is expected later than each
        (3, 1): 77,
    }
    assert [found[1, n].state for n in (1, 2, 3, 4)] == ["called", "called", "waiting", "waiting"]
    assert seeds(found[1, 3]) == (2, 7)
    assert seeds(found[3, 1]) == (None, None)
    assert (found[2, 1].from_a, found[2, 1].from_b) == ([1, 1, "winner"], [1, 2, "winner"])
    assert [(found[place].has_place, found[place].has_time) for place in ((1, 1), (1, 3))] == [
        (True, True),
        (False, False),
    ]
    plan = HallPlan.objects.get(event=tournament.event_id)
    assert (plan.ends_at, plan.without, plan.made == plan.asked) == (NOW + 97 * MINUTE + timedelta(seconds=12), 0, True)


def test_who_comes_on_is_in_the_next_slot_and_the_rest_moves_with_the_day() -> None:
    tournament = queued(4, (1,), format="single_elimination")
    called(tournament)
    assert [minutes(slot) for slot in planned(tournament).values()] == [0, 20, 45]
    ends(of(tournament, 1, 4), NOW + 32 * MINUTE)
    called(tournament, NOW + 32 * MINUTE)
    later = planned(tournament, NOW + 32 * MINUTE)
    assert (seeds(later[2, 1]), later[1, 1].state) == ((1, None), "over")
    assert [minutes(slot) for slot in later.values()] == [0, 32, 58]
    assert later[1, 1].ends_at == NOW + 32 * MINUTE


def test_a_minute_more_or_less_of_what_is_only_expected_moves_nobody() -> None:
    tournament = queued(4, (1,), format="single_elimination")
    called(tournament)
    before = planned(tournament)
    ends(of(tournament, 1, 4), NOW + 22 * MINUTE)
    called(tournament, NOW + 22 * MINUTE)
    after = planned(tournament, NOW + 22 * MINUTE)
    assert minutes(after[2, 1]) == minutes(before[2, 1]) == 45
    assert (before[1, 2].sequence, after[1, 2].sequence) == (0, 1)


def test_the_plan_is_made_once_for_a_burst_and_again_when_time_passes() -> None:
    tournament = queued(4, (1,), format="single_elimination")
    planned(tournament)
    count_up(tournament)
    plans.ask_for_plan(event_id=tournament.event_id)
    plans.replan(event_id=tournament.event_id, now=NOW + timedelta(seconds=1))
    plan = HallPlan.objects.get(event=tournament.event_id)
    assert (plan.made_at, plan.made < plan.asked) == (NOW, True)
    assert plans.stale_plans(now=NOW + timedelta(seconds=1)) == [tournament.event_id]
    plans.replan(event_id=tournament.event_id, now=NOW + timedelta(seconds=5))
    assert plans.stale_plans(now=NOW + timedelta(seconds=6)) == []
    assert plans.stale_plans(now=NOW + timedelta(seconds=66)) == [tournament.event_id]


def test_a_clock_that_was_ahead_and_is_set_right_holds_no_plan_up() -> None:
    tournament = queued(4, (1,), format="single_elimination")
    called(tournament)
    planned(tournament, NOW + timedelta(hours=3))
    assert plans.stale_plans(now=NOW + MINUTE) == [tournament.event_id]
    assert [minutes(slot) for slot in planned(tournament, NOW + MINUTE).values()] == [0, 21, 46]
    assert HallPlan.objects.get(event=tournament.event_id).made_at == NOW + MINUTE
    assert plans.stale_plans(now=NOW + MINUTE) == []


def test_pages_are_told_only_where_they_show_something_else() -> None:
    tournament = queued(4, (1,), format="single_elimination")
    called(tournament)
    count_up(tournament)
    planned(tournament)
    version = stage_of(tournament).version
    planned(tournament, NOW + MINUTE)
    assert stage_of(tournament).version == version
    planned(tournament, NOW + 40 * MINUTE)
    assert stage_of(tournament).version == version + 1


def test_whoever_does_not_answer_a_call_is_not_said_to_play_for_a_while() -> None:
    tournament = queued(4, (1, 2), format="single_elimination", call_minutes=3)
    called(tournament)
    one, other = pairings(tournament, 1)
    Pairing.objects.filter(pk=other.pk).update(coming_a_at=NOW, coming_b_at=NOW)
    for at, states in ((4, ["called", "called"]), (6, ["called", "playing"]), (15, ["playing", "playing"])):
        found = planned(tournament, NOW + at * MINUTE)
        assert [found[1, each.number].state for each in (one, other)] == states


def test_pages_are_told_that_the_last_match_takes_longer_to_the_next_five_minutes() -> None:
    tournament = queued(2, (1,), format="single_elimination", call_minutes=None)
    called(tournament)
    planned(tournament)
    found = []
    for at in (6, 16, 18, 20, 22):
        final = planned(tournament, NOW + at * MINUTE)[1, 1]
        assert final.ends_at is not None
        found.append(((final.ends_at - NOW) / MINUTE, stage_of(tournament).version))
    assert found == [(20, 3), (23, 4), (23, 4), (25, 4), (26, 4)]  # said as 20, then as 25


def test_a_draft_shows_nobody() -> None:
    tournament = make_tournament(seeding="rating", format="round_robin")
    make_field(size=4, tournament=tournament)
    act(rounds.start_tournament, tournament, tournament_id=tournament.pk)
    count_up(tournament)
    found = planned(tournament)
    assert {seeds(slot) for slot in found.values()} == {(None, None)}
    assert len(found) == 6


def test_a_tournament_with_a_start_is_planned_before_anybody_is_paired() -> None:
    tournament = make_tournament(format="single_elimination", starts_at=NOW + 60 * MINUTE)
    make_field(size=5, tournament=tournament, here=False)
    found = planned(tournament)
    assert {place: minutes(slot) for place, slot in found.items()} == {(1, 2): 60, (2, 1): 85, (2, 2): 60, (3, 1): 113}
    assert {seeds(slot) for slot in found.values()} == {(None, None)}


def test_breaks_closing_times_and_held_matches_leave_what_has_no_place_and_say_why() -> None:
    tournament = queued(4, (1,), format="single_elimination")
    event = tournament.event
    Opening.objects.create(event=event, opens_at=NOW - MINUTE, closes_at=NOW + 70 * MINUTE)
    Break.objects.create(event=event, starts_at=NOW + 20 * MINUTE, ends_at=NOW + 40 * MINUTE)
    called(tournament)
    found = planned(tournament)
    assert [minutes(found[1, 1]), minutes(found[1, 2])] == [0, 40]
    assert (found[2, 1].starts_at, found[2, 1].why) == (None, "hall_closes")
    Slot.objects.filter(pk=found[1, 2].pk).update(held_since=NOW)
    found = planned(tournament, NOW + MINUTE)
    assert [(found[place].why, found[place].other) for place in ((1, 2), (2, 1))] == [
        ("held", ""),
        ("waits_for", f"{stage_of(tournament).pk}/1/2"),
    ]
    assert HallPlan.objects.get(event=event).without == 2


def test_rounds_begin_when_they_are_to_and_not_before() -> None:
    tournament = make_tournament(seeding="rating", options={"rounds": 3})
    put_up(tournament, (1, 2))
    make_field(size=4, tournament=tournament)
    start(tournament)
    stage = stage_of(tournament)
    RoundTime.objects.create(stage=stage, number=2, starts_at=NOW + 50 * MINUTE)
    found = planned(tournament)
    assert [(minutes(found[n, 1]), found[n, 1].has_time) for n in (1, 2, 3)] == [(0, True), (50, True), (78, False)]


def test_a_round_that_is_taken_back_shows_nobody() -> None:
    tournament = make_tournament(seeding="rating", options={"rounds": 1})
    make_field(size=4, tournament=tournament)
    start(tournament)
    before = planned(tournament)
    stage = stage_of(tournament)
    act(rounds.take_back_round, tournament, stage_id=stage.pk)
    after = planned(tournament, NOW + MINUTE)
    assert [(slot.dropped_at, seeds(slot)) for slot in after.values()] == [(None, (None, None))] * 2
    assert [after[place].sequence - before[place].sequence for place in after] == [1, 1]


def test_players_of_two_tournaments_are_planned_for_one_at_a_time() -> None:
    event = make_event()
    one, other = (
        make_tournament(event=event, name=name, seeding="rating", seating="queue", format="single_elimination")
        for name in ("A", "B")
    )
    put_up(event, (1, 2, 3, 4))
    make_field(size=2, tournament=one)
    make_field(size=2, tournament=other)
    other.entries.filter(name="Player 01").update(player=one.entries.get(name="Player 01").player_id)
    start(one)
    start(other)
    first, second = planned(one)[1, 1], planned(other)[1, 1]
    assert (minutes(first), minutes(second)) == (0, 25)
    assert pairings(one)[0].match_id != pairings(other)[0].match_id


def test_st_01_a_main_and_a_side_event_that_share_six_players_have_nobody_and_no_table_twice() -> None:
    event = make_event()
    put_up(event, (1, 2, 3, 4))
    main, side = (
        make_tournament(event=event, name=name, seeding="rating", seating="queue", format="round_robin")
        for name in ("Main", "Side")
    )
    for tournament, size in ((main, 8), (side, 6)):
        make_field(size=size, tournament=tournament)
    for entry in side.entries.all():
        side.entries.filter(pk=entry.pk).update(player=main.entries.get(name=entry.name).player_id)
    for tournament in (main, side):
        start(tournament)
    slots = [*planned(main).values(), *Slot.objects.select_related("a", "b").filter(stage__tournament=side)]
    taken = sorted(
        (who, slot.starts_at, slot.ends_at, slot.pk)
        for slot in slots
        for who in (f"table {slot.table}", *(f"player {side.player_id}" for side in (slot.a, slot.b) if side))
        if slot.starts_at is not None and slot.ends_at is not None
    )
    assert (len(slots), len(taken)) == (28 + 15, 3 * 43)
    for (who, _starts, over, _pk), (other, starts, _over, _other) in pairwise(taken):
        rest = REST if who.startswith("player") else timedelta(0)
        assert who != other or starts >= over + rest


def test_st_09_a_match_to_be_played_again_is_what_is_expected_and_the_next_one_waits_for_it() -> None:
    tournament = queued(4, (1,), format="single_elimination")
    for seeds_, minute in (((1, 4), 20), ((2, 3), 40)):
        called(tournament, NOW + (minute - 20) * MINUTE)
        ends(of(tournament, *seeds_), NOW + minute * MINUTE)
    assert [minutes(slot) for slot in planned(tournament, NOW + 40 * MINUTE).values()] == [0, 20, 45]
    again = of(tournament, 1, 4)
    assert again.match is not None
    now = NOW + 41 * MINUTE
    act(results.clear_result, tournament, match_id=again.match_id, expected_version=again.match.version, now=now)
    count_up(tournament, now=now)
    found = planned(tournament, now)
    assert [(slot.state, minutes(slot)) for slot in found.values()] == [
        ("called", 41),
        ("over", 20),
        ("waiting", 66),  # after the replay and the rest
    ]
    assert seeds(found[2, 1]) == (None, 2)


def test_of_two_tournaments_each_has_tables_from_its_first_one_on_alone() -> None:
    event = make_event()
    put_up(event, (1, 2, 3, 4))
    low, high = (
        make_tournament(
            event=event, name=name, seeding="rating", seating="queue", format="single_elimination", first_table=first
        )
        for name, first in (("Low", 1), ("High", 3))
    )
    for each in (high, low):
        make_field(size=8, tournament=each)
        start(each)
    facts = plan_facts(event_id=event.pk, now=NOW)
    kept = {table.key: table.tournaments for table in facts.hall.tables}
    assert kept == {"1": {str(low.pk)}, "2": {str(low.pk)}, "3": frozenset(), "4": frozenset()}
    planned(high)
    found = {each: {slot.table for slot in Slot.objects.filter(stage__tournament=each)} for each in (low, high)}
    assert (found[low] >= {1, 2}, found[high]) == (True, {3, 4})
    call_matches(event_id=event.pk, now=NOW)
    sitting = Pairing.objects.filter(table__isnull=False).values_list("table", "round__stage__tournament__name")
    assert (len(sitting), {table for table, _name in sitting}) == (4, {1, 2, 3, 4})
    assert {name for table, name in sitting if table in (1, 2)} == {"Low"}


def test_players_of_a_tournament_that_is_finished_rest_before_they_are_called_elsewhere() -> None:
    event = make_event()
    one, other = (
        make_tournament(event=event, name=name, seeding="rating", seating="queue", format="single_elimination")
        for name in ("A", "B")
    )
    put_up(event, (1, 2))
    for each in (one, other):
        make_field(size=2, tournament=each)
    other.entries.filter(name="Player 01").update(player=one.entries.get(name="Player 01").player_id)
    start(one)
    assert called(one) == {1: (1, 2)}
    over = NOW + MATCH
    ends(pairings(one)[0], over)
    done = rounds.finish_tournament(tournament_id=one.pk, by=organiser(of=one), now=over)
    assert not isinstance(done, Refused), done
    start(other)
    assert minutes(planned(other, over + MINUTE)[1, 1]) == 25
    assert called(other, over + REST - MINUTE) == {}
    assert called(other, over + REST) == {1: (1, 2)}


def test_a_match_that_is_decided_with_nobody_at_the_table_is_no_part_of_the_plan() -> None:
    tournament = queued(4, (1, 2), format="single_elimination")
    called(tournament)
    ends(of(tournament, 1, 4), NOW)
    assert [slot.dropped_at for slot in planned(tournament).values()] == [None] * 3
    act(rounds.withdraw_entry, tournament, entry_id=tournament.entries.get(seed=1).pk)
    ends(of(tournament, 2, 3), NOW)
    found = planned(tournament, NOW + MINUTE)
    assert {place: slot.dropped_at for place, slot in found.items()} == {
        (1, 1): None,
        (1, 2): None,
        (2, 1): NOW + MINUTE,
    }
    assert HallPlan.objects.get(event=tournament.event_id).without == 0
