"""Stories of single matches of the plan: held, released, fixed, and what is in the way of that."""

from __future__ import annotations

from datetime import datetime
from typing import Any

import pytest
from django.utils import translation

from matches.models import Game
from players.models import Act
from players.permissions import Refused
from tests.factories import NOW, make_event, make_field, make_tournament
from tests.tournaments.actions.running import started
from tests.tournaments.actions.test_plans import MINUTE, minutes, planned, seeds
from tests.tournaments.actions.test_queue import called, ends, of, queued
from tests.tournaments.halls import act, at, put_up, uses
from tests.tournaments.play import pairings, report, start
from tournaments.actions import hall, presence, shifts, slots, tables
from tournaments.models import Break, Entry, Event, Notice, Opening, Pairing, Slot, Tournament
from tournaments.queries.notices import current_notices, is_still_so, names_in_notices
from tournaments.queries.plan_page import plan_page
from tournaments.queries.presence import due_times
from tournaments.words.notices import notice_text
from tournaments.words.refusals import refusal_text

pytestmark = pytest.mark.django_db

AT = NOW + MINUTE
"""When the acts of these stories are done."""


def do(action: Any, tournament: Tournament, **said: Any) -> Any:
    return act(action, tournament, now=AT, **said)


def slot_of(pairing: Pairing) -> Slot:
    return Slot.objects.get(stage=pairing.round.stage_id, round=pairing.round.number, number=pairing.number)


def slot_of_place(tournament: Tournament, round_: int, number: int) -> Slot:
    return Slot.objects.get(stage__tournament=tournament, round=round_, number=number)


def hold(pairing: Pairing) -> Any:
    return do(slots.hold_match, pairing.round.stage.tournament, slot_id=slot_of(pairing).pk)


def fix(tournament: Tournament, slot: Slot, start: int | None = None, table: int | None = None, **said: Any) -> Any:
    """Fix a match so many minutes after the beginning."""
    starts_at = None if start is None else NOW + start * MINUTE
    return do(slots.fix_match, tournament, slot_id=slot.pk, starts_at=starts_at, table=table, **said)


def codes(refused: Any) -> list[str]:
    assert isinstance(refused, Refused)
    assert refused.code == "slot_clashes"
    return [clash["code"] for clash in refused.params["clashes"]]


def wrong(event: Event) -> dict[int, list[str]]:
    """By slot what the page says stands against what was fixed."""
    page = plan_page(event=event, now=AT)
    return {each.slot.pk: [clash["code"] for clash in each.clashes] for each in page.wrong}


# --- held


def test_a_held_match_is_not_called_and_not_planned_until_it_is_released() -> None:
    tournament = queued(8, (1, 2), format="single_elimination")
    planned(tournament)
    first = of(tournament, 1, 8)
    assert hold(first).held_since == AT
    assert hold(first).held_since == AT
    assert called(tournament, AT) == {1: (4, 5), 2: (2, 7)}
    found = planned(tournament, AT + MINUTE)
    held = found[1, first.number]
    assert (held.starts_at, held.why) == (None, "held")
    assert [slot.why for slot in found.values()].count("waits_for") == 2  # the semi-final and the final
    assert do(slots.release_match, tournament, slot_id=held.pk).held_since is None
    assert planned(tournament, AT + 2 * MINUTE)[1, first.number].starts_at is not None
    verbs = list(
        Act.objects.filter(verb__in=("hold_match", "release_match")).order_by("pk").values_list("verb", flat=True)
    )
    assert verbs == ["hold_match", "release_match"]


def test_a_match_that_is_called_gives_its_table_back_and_its_players_are_told() -> None:
    tournament = queued(4, (1,), format="single_elimination")
    planned(tournament)
    assert called(tournament) == {1: (1, 4)}
    first = of(tournament, 1, 4)
    (told,) = Notice.objects.filter(kind="called", entry=first.a)
    assert is_still_so(told, now=AT) is True
    hold(first)
    assert at(first) == (None, False)
    assert (first.called_at, first.due_at, first.coming_a_at, first.here_a_at) == (None, None, None, None)
    assert is_still_so(told, now=AT) is False  # a mail about it would not leave any more
    newest = current_notices(entry=first.a, now=AT)[0]
    assert (newest.kind, newest.params["table"], newest.created_at) == ("moved", None, AT)
    assert called(tournament, AT) == {1: (2, 3)}


def test_who_plays_cannot_be_held() -> None:
    tournament = queued(8, (1, 2, 3), format="single_elimination")
    planned(tournament)
    called(tournament)
    begun, here, dealt = (of(tournament, *pair) for pair in ((1, 8), (4, 5), (2, 7)))
    do(presence.say_begun, tournament, match_id=begun.match_id)
    for side in (here.a_id, here.b_id):
        do(presence.say_here, tournament, entry_id=side, match_id=here.match_id)
    Game.objects.create(match_id=dealt.match_id, way="console", moves=1, created_at=NOW)
    for pairing in (begun, here, dealt):
        refused = hold(pairing)
        assert (refused.code, at(pairing)[1]) == ("match_has_begun", True)


@pytest.mark.parametrize("is_planned", [True, False])
@pytest.mark.parametrize("seating", ["queue", "rounds"])
def test_a_match_that_is_taken_off_its_table_by_hand_stays_off_until_it_is_given_one(
    seating: str, is_planned: bool
) -> None:
    tournament = make_tournament(seeding="rating", seating=seating)
    put_up(tournament, (1, 2))
    make_field(size=4, tournament=tournament)
    start(tournament)
    called(tournament)
    if is_planned:
        planned(tournament)
    first = pairings(tournament, 1)[0]
    table = at(first)[0]
    do(tables.move_match, tournament, match_id=first.match_id, table=None)
    assert (slot_of(first).held_since, len(called(tournament, AT + MINUTE))) == (AT, 1)
    line = Act.objects.get(verb="move_match")
    assert (line.before, line.after) == ({"table": table}, {"table": None, "held": True})
    found = planned(tournament, AT + MINUTE)[1, first.number]
    assert (found.why, found.a_id, found.held_since) == ("held", first.a_id, AT)
    act(tables.move_match, tournament, match_id=first.match_id, table=table, now=AT + 2 * MINUTE)
    assert (at(first), slot_of(first).held_since) == ((table, True), None)
    assert planned(tournament, AT + 3 * MINUTE)[1, first.number].why == ""


def test_a_held_match_that_changes_places_is_held_no_more_and_the_other_one_waits() -> None:
    tournament = queued(4, (1,), format="single_elimination")
    planned(tournament)
    called(tournament)
    first, other = of(tournament, 1, 4), of(tournament, 2, 3)
    hold(other)
    do(tables.swap_tables, tournament, match_id=other.match_id, with_match=first.match_id)
    assert [slot_of(each).held_since for each in (first, other)] == [None, None]
    assert (at(first), at(other)) == ((None, False), (1, True))


def test_a_match_of_a_round_gives_its_table_back_too() -> None:
    tournament = started(4)
    planned(tournament)
    first = pairings(tournament, 1)[0]
    hold(first)
    assert at(first) == (None, False)
    assert Act.objects.get(verb="hold_match").before == {"table": 1}


def test_what_is_over_or_will_not_be_played_is_not_held_or_fixed() -> None:
    tournament = queued(4, (1,), format="single_elimination")
    planned(tournament)
    called(tournament)
    first = of(tournament, 1, 4)
    report(first, (3, 1))
    assert hold(first).code == "match_is_over"
    assert fix(tournament, slot_of(first), 40).code == "match_is_over"
    other = slot_of(of(tournament, 2, 3))
    Slot.objects.filter(pk=other.pk).update(dropped_at=AT)
    assert fix(tournament, other, 40).code == "slot_gone"
    unknown = do(slots.hold_match, tournament, slot_id=other.pk + 1_000)
    assert (unknown.code, unknown.status) == ("slot_unknown", 404)


# --- fixed


def test_a_fixed_match_keeps_its_time_and_table_and_the_rest_follows() -> None:
    tournament = queued(8, (1, 2), format="single_elimination")
    found = planned(tournament)
    final = found[3, 1]
    fixed = fix(tournament, final, 120, 2)
    assert (fixed.fixed_at, fixed.fixed_table) == (NOW + 120 * MINUTE, 2)
    after = planned(tournament, AT)
    assert (minutes(after[3, 1]), after[3, 1].table, after[3, 1].has_time, after[3, 1].note) == (120, 2, True, "")
    line = Act.objects.get(verb="fix_match")
    assert (line.target, line.before) == (f"slot/{final.pk}", {"begins": None, "table": None})
    assert line.after == {
        "begins": "2027-05-22T15:00+03:00",
        "table": 2,
        "clashes": [],
        "round": ["final", {}],
        "number": 7,
    }
    assert fix(tournament, final, 120, 2).fixed_table == 2
    assert Act.objects.filter(verb="fix_match").count() == 1
    assert fix(tournament, final).fixed_at is None
    assert planned(tournament, AT + 5 * MINUTE)[3, 1].has_time is False


def due(pairing: Pairing) -> list[datetime | None]:
    """When its two should sit there: as it is stored, and as whoever asks for the missing counts."""
    found = Pairing.objects.select_related("round").get(pk=pairing.pk)
    return [found.due_at, due_times(pairings=[found]).get(pairing.pk)]


def told(entry: Entry | None) -> str:
    """The newest of what a player reads."""
    assert entry is not None
    found = current_notices(entry=entry, now=AT)
    return notice_text(found[0], names_in_notices(found)).replace("\u2068", "").replace("\u2069", "")


def test_nobody_is_missed_before_the_time_a_match_is_fixed_for_and_its_players_know_it() -> None:
    tournament = started(4)
    planned(tournament)
    first, other = pairings(tournament, 1)
    act(tables.move_match, tournament, match_id=first.match_id, table=None, now=NOW)
    slot = fix(tournament, slot_of(first), 60)
    assert due(first) == [NOW + 60 * MINUTE, None]
    assert told(first.a) == "Changed: Round 1: you meet Player 01 at 22 May, 14:00 (Riga)."
    act(tables.move_match, tournament, match_id=first.match_id, table=1, now=AT + MINUTE)
    assert due(first) == [NOW + 60 * MINUTE] * 2
    assert due(other) == [None, NOW]
    act(slots.fix_match, tournament, slot_id=slot.pk, starts_at=None, table=None, now=AT + 2 * MINUTE)
    assert due(first) == [None, NOW]
    assert told(first.a) == "Changed: Round 1: you meet Player 01 at table 1."


def test_a_match_that_is_left_to_the_plan_again_has_the_time_of_its_round() -> None:
    tournament = make_tournament(seeding="rating", starts_at=NOW + 30 * MINUTE)
    make_field(size=4, tournament=tournament)
    planned(tournament)
    fix(tournament, slot_of_place(tournament, 1, 2), 90)
    start(tournament)
    one, other = pairings(tournament, 1)
    assert [each.due_at for each in (one, other)] == [NOW + 30 * MINUTE, NOW + 90 * MINUTE]
    do(tables.move_match, tournament, match_id=other.match_id, table=None)
    fix(tournament, slot_of(other))
    assert due(other) == [NOW + 30 * MINUTE, None]


def test_a_match_that_comes_out_by_itself_has_the_time_it_was_fixed_for_and_is_shifted_with_it() -> None:
    tournament = started(4, format="single_elimination")
    final = planned(tournament)[2, 1]
    fix(tournament, final, 60)
    for pairing in pairings(tournament, 1):
        ends(pairing, AT)
    (last,) = pairings(tournament, 2)
    assert due(last) == [NOW + 60 * MINUTE] * 2
    do(shifts.shift_plan, tournament, event_id=tournament.event_id, minutes=15, since=NOW + 50 * MINUTE)
    assert due(last) == [NOW + 75 * MINUTE] * 2


def test_in_a_queue_a_match_is_expected_when_it_is_fixed_for_until_it_is_called() -> None:
    tournament = queued(4, (1, 2), format="single_elimination")
    planned(tournament)
    first = of(tournament, 1, 4)
    fix(tournament, slot_of(first), 60)
    assert due(first) == [NOW + 60 * MINUTE, None]
    do(shifts.shift_plan, tournament, event_id=tournament.event_id, minutes=15, since=NOW + 50 * MINUTE)
    assert due(first) == [NOW + 75 * MINUTE, None]
    assert called(tournament, NOW + 75 * MINUTE) == {1: (1, 4), 2: (2, 3)}
    fix(tournament, slot_of(first))
    assert due(first) == [NOW + 75 * MINUTE] * 2


def test_a_table_alone_is_kept_whenever_the_match_comes() -> None:
    tournament = queued(4, (1, 2), format="single_elimination")
    final = planned(tournament)[2, 1]
    assert fix(tournament, final, table=2).fixed_table == 2
    assert planned(tournament, AT)[2, 1].table == 2
    assert fix(tournament, final, table=9).code == "table_unknown"
    assert fix(tournament, final, -30).code == "starts_in_past"


def test_in_an_event_without_tables_any_number_can_be_said() -> None:
    tournament = started(4, format="single_elimination")
    assert fix(tournament, planned(tournament)[2, 1], 60, 99).fixed_table == 99
    final = planned(tournament, AT + MINUTE)[2, 1]
    assert (final.table, minutes(final), final.note) == (99, 60, "")
    assert fix(tournament, final, 60, 10_000).code == "table_unknown"


def test_a_table_that_is_gone_is_another_one_in_the_plan_until_people_say_so() -> None:
    tournament = queued(4, (1, 2, 3), format="single_elimination")
    fix(tournament, planned(tournament)[2, 1], 60, 3)
    act(hall.remove_table, tournament, table_id=tournament.event.tables.get(number=3).pk)
    final = planned(tournament, AT + MINUTE)[2, 1]
    assert (final.table, minutes(final), final.note) == (1, 60, "moved")
    page = plan_page(event=tournament.event, now=AT + MINUTE)
    assert ([each.slot.pk for each in page.proposals], page.wrong) == ([final.pk], ())


def test_a_match_with_a_table_is_moved_and_not_fixed() -> None:
    tournament = queued(4, (1, 2), format="single_elimination")
    planned(tournament)
    called(tournament)
    refused = fix(tournament, slot_of(of(tournament, 1, 4)), 60)
    assert (refused.code, refused.params) == ("match_has_table", {"table": 1})


def shared(sizes: tuple[int, int] = (4, 4), numbers: tuple[int, ...] = (1, 2, 3, 4)) -> tuple[Tournament, Tournament]:
    """A main and a side event; the first players of both are the same people."""
    event = make_event()
    put_up(event, numbers)
    both = []
    for name, size in zip(("Main", "Side"), sizes, strict=True):
        tournament = make_tournament(
            event=event, name=name, seeding="rating", seating="queue", format="single_elimination"
        )
        make_field(size=size, tournament=tournament)
        both.append(tournament)
    main, side = both
    people = dict(main.entries.values_list("name", "player"))
    for entry in side.entries.all():
        Entry.objects.filter(pk=entry.pk).update(player=people.get(entry.name, entry.player_id))
    for tournament in both:
        start(tournament)
        tournament.refresh_from_db()
    return main, side


def test_st_01_a_match_moved_onto_a_clash_is_refused_with_both_matches_or_saved_with_a_warning() -> None:
    main, side = shared()
    theirs = fix(main, planned(main)[1, 1], 60, 1)
    planned(main, AT)
    mine = planned(side, AT)[1, 1]
    assert seeds(mine) == seeds(theirs) == (1, 4)
    refused = fix(side, mine, 65, 2)
    assert set(codes(refused)) == {"player_twice"}
    first = refused.params["clashes"][0]
    assert first == {
        "code": "player_twice",
        "other": {
            "slot": theirs.pk,
            "sides": ["Player 01", "Player 04"],
            "round": ["semi_finals", {}],
            "number": 1,
            "table": 1,
            "starts_at": "2027-05-22T14:00+03:00",
            "is_said": True,
        },
        "is_later": False,
        "moves": False,
        "who": "Player 01",
    }
    with translation.override("en"):
        told = refusal_text(refused).replace("\u2068", "").replace("\u2069", "")
    assert "Player 01 plays in Player 01 – Player 04 (table 1, 14:00) then." in told
    mine.refresh_from_db()
    assert (mine.fixed_at, wrong(main.event)) == (None, {})
    assert fix(side, mine, 65, 2, accept_clashes=True).fixed_at == NOW + 65 * MINUTE
    assert Act.objects.filter(verb="fix_match").latest("pk").after["clashes"] == ["player_twice", "player_twice"]
    kept = planned(side, AT + 5 * MINUTE)[1, 1]
    assert kept.note == "late"
    assert wrong(main.event) == {mine.pk: ["player_twice", "player_twice"]}


def test_st_01_a_match_that_is_called_or_being_played_is_in_the_way_too() -> None:
    main, side = shared(numbers=(1, 2, 3, 4))
    planned(main)
    playing = of(main, 1, 4)
    do(tables.move_match, main, match_id=playing.match_id, table=3)
    mine = planned(side, AT)[1, 1]
    refused = fix(side, mine, 10, 2)
    assert codes(refused) == ["player_twice", "player_twice"]
    assert [clash["who"] for clash in refused.params["clashes"]] == ["Player 01", "Player 04"]
    assert refused.params["clashes"][0]["other"]["table"] == 3
    assert "table_twice" in codes(fix(side, mine, 10, 3))


def test_st_01_rest_hours_breaks_and_feeding_matches_are_kept_too() -> None:
    main, side = shared()
    event = main.event
    Opening.objects.create(event=event, opens_at=NOW, closes_at=NOW + 600 * MINUTE)
    pause = Break.objects.create(event=event, name="Lunch", starts_at=NOW + 110 * MINUTE, ends_at=NOW + 130 * MINUTE)
    fix(main, planned(main)[1, 1], 60, 1)
    planned(main, AT)
    mine, final = (planned(side, AT)[place] for place in ((1, 1), (2, 1)))
    assert codes(fix(side, mine, 82, 2)) == ["player_unrested", "player_unrested"]
    assert codes(fix(side, mine, 590, 2)) == ["hall_closed"]
    lunch = fix(side, mine, 95, 2)
    assert (codes(lunch), lunch.params["clashes"][0]["who"], pause.name) == (["in_break"], "Lunch", "Lunch")
    assert set(codes(fix(side, final, 10, 2))) == {"before_feed"}


def test_what_is_only_planned_gives_its_table_away() -> None:
    tournament = queued(8, (1,), format="single_elimination")
    found = planned(tournament)
    start_ = int(minutes(found[1, 2]))
    assert fix(tournament, found[1, 3], start_, 1).fixed_table == 1
    after = planned(tournament, AT)
    assert (minutes(after[1, 3]), after[1, 3].note) == (start_, "")
    assert wrong(tournament.event) == {}


def test_st_01_a_planned_match_of_the_same_player_is_named_before_it_gives_way() -> None:
    main, side = shared()
    theirs, mine = planned(main)[1, 1], planned(side, AT)[1, 1]
    start_ = int(minutes(theirs)) + 15
    refused = fix(side, mine, start_, 4)
    assert [(clash["code"], clash["other"]["slot"], clash["moves"]) for clash in refused.params["clashes"]] == [
        ("player_twice", theirs.pk, True),
        ("player_twice", theirs.pk, True),
    ]
    assert fix(side, mine, start_, 4, accept_clashes=True).fixed_at is not None
    assert planned(side, AT + 5 * MINUTE)[1, 1].note == ""
    assert wrong(main.event) == {}


# --- a table for somebody who sits elsewhere


def test_st_01_nobody_gets_a_second_table_while_they_sit_at_one() -> None:
    main, side = shared()
    one, other = of(main, 1, 4), of(side, 1, 4)
    act(tables.move_match, main, match_id=one.match_id, table=1)
    refused = act(tables.move_match, side, match_id=other.match_id, table=2)
    assert isinstance(refused, Refused)
    assert (refused.code, refused.params) == (
        "player_busy",
        {
            "match": other.match_id,
            "other": one.match_id,
            "table": 1,
            "player": "Player 01",
            "with": ["Player 01", "Player 04"],
        },
    )
    assert act(tables.move_match, main, match_id=one.match_id, table=3).table == 3  # it has one: that is no new call
    assert act(tables.move_match, side, match_id=other.match_id, table=2, accept_busy=True).table == 2
    assert sorted(uses(main)) == [2, 3]


def test_st_01_two_that_change_places_are_not_called_to_two_tables() -> None:
    main, side = shared()
    one, other = of(main, 1, 4), of(side, 1, 4)
    third = of(side, 2, 3)
    act(tables.move_match, main, match_id=one.match_id, table=1)
    act(tables.move_match, side, match_id=third.match_id, table=2, accept_busy=True)
    swapped = act(tables.swap_tables, side, match_id=other.match_id, with_match=third.match_id)
    assert isinstance(swapped, Refused)
    assert swapped.code == "player_busy"
    assert act(tables.swap_tables, main, match_id=other.match_id, with_match=one.match_id).pk == other.pk
    assert (at(other), at(one)) == ((1, True), (None, False))
