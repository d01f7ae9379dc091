"""Stories of tables: who gets which, who leaves, who waits, and who is told of a move."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import IntegrityError, transaction

from matches.actions import SCORE, Report
from players.models import Act
from players.permissions import Refused
from tests.factories import NOW, make_event, make_field, make_tournament
from tests.tournaments.actions.running import entry, started
from tests.tournaments.halls import LATER, act, at, given, out, put_up, uses
from tests.tournaments.play import count_up, draft, pairings, play_open, publish, report, stage_of, start
from tournaments.actions import calls, hall, latecomers, play_offs, results, rounds, tables
from tournaments.models import Notice, Pairing, RefereeCall, Standing, TableUse, Tournament
from tournaments.queries.desk import next_step
from tournaments.queries.hall import hall_page, misses_fixed
from tournaments.queries.notices import current_notices, is_still_so
from tournaments.words.notices import notice_text

pytestmark = pytest.mark.django_db


def in_hall(size: int, numbers: Any, **facts: Any) -> Tournament:
    """A tournament whose event has these tables, with its first round out."""
    tournament = make_tournament(seeding="rating", **facts)
    put_up(tournament, numbers)
    make_field(size=size, tournament=tournament)
    start(tournament)
    tournament.refresh_from_db()
    return tournament


def told(tournament: Tournament, seed: int) -> list[str]:
    """What a player reads now on their own page, the newest first."""
    return [notice_text(notice) for notice in current_notices(entry=entry(tournament, seed), now=NOW)]


def clear(pairing: Pairing) -> Any:
    assert pairing.match is not None
    pairing.match.refresh_from_db()
    tournament = pairing.round.stage.tournament
    version = pairing.match.version
    return act(results.clear_result, tournament, match_id=pairing.match_id, expected_version=version)


# --- who gets which


def test_st_02_a_swiss_of_nine_sits_at_its_four_tables_and_the_bye_at_none() -> None:
    tournament = in_hall(9, (5, 6, 7, 8))
    assert given(tournament, 1) == [5, 6, 7, 8, None]
    assert [pairing.b_id is None for pairing in pairings(tournament, 1)] == [False] * 4 + [True]
    play_open(tournament)
    draft(tournament)
    publish(tournament)
    assert given(tournament, 2) == [5, 6, 7, 8, None]
    points = {row.entry_id: row.points for row in Standing.objects.filter(stage__tournament=tournament)}
    at_tables = [points[p.a_id] + points[p.b_id] for p in pairings(tournament, 2) if p.b_id is not None]
    assert at_tables == [6, 6, 3, 0]  # by standing, whoever leads at the lowest table


def test_st_02_in_a_double_elimination_of_eleven_no_two_open_matches_share_a_table() -> None:
    tournament = in_hall(11, (5, 6, 7, 8), format="double_elimination")
    for _ in range(60):
        waiting = [p for p in pairings(tournament) if p.match is not None and p.match.is_open]
        if not waiting:
            break
        seated = sorted(p.table for p in waiting if p.table is not None)
        assert seated == sorted(set(seated))
        assert set(seated) <= {5, 6, 7, 8}
        assert uses(tournament) == {p.table: p.pk for p in sorted(waiting, key=lambda p: p.table or 0) if p.table}
        report(waiting[0], (3, 1))
        count_up(tournament)
    assert [p.table for p in pairings(tournament) if p.b_id is None] == [
        None for p in pairings(tournament) if p.b_id is None
    ]
    assert uses(tournament) == {}


def test_two_tournaments_of_an_event_share_no_table() -> None:
    event = make_event()
    one, other = (make_tournament(event=event, name=name, seeding="rating") for name in ("Main", "Side"))
    for tournament in (one, other):
        make_field(size=4, tournament=tournament)
        start(tournament)
    assert (given(one, 1), given(other, 1)) == ([1, 2], [3, 4])
    report(pairings(one, 1)[0], (3, 1))
    assert list(uses(event)) == [2, 3, 4]
    elsewhere = make_tournament(seeding="rating")
    make_field(size=4, tournament=elsewhere)
    start(elsewhere)
    assert given(elsewhere, 1) == [1, 2]


def test_a_draft_gets_the_tables_that_are_free_when_it_is_published() -> None:
    event = make_event()
    one, other = (make_tournament(event=event, name=name, seeding="rating") for name in ("Main", "Side"))
    for tournament in (one, other):
        make_field(size=4, tournament=tournament)
        act(rounds.start_tournament, tournament, tournament_id=tournament.pk)
    assert (given(one, 1), given(other, 1)) == ([1, 2], [1, 2])
    publish(other)
    publish(one)
    assert (given(one, 1), given(other, 1)) == ([3, 4], [1, 2])


def test_rounds_that_come_out_at_once_take_turns_at_their_tables() -> None:
    tournament = started(size=4, format="round_robin")
    assert [given(tournament, number) for number in (1, 2, 3)] == [[1, 2], [1, 2], [1, 2]]
    first, second = pairings(tournament, 1)[0], pairings(tournament, 2)[0]
    assert (at(first), at(second)) == ((1, True), (1, False))
    report(first, (3, 1))
    count_up(tournament)
    assert (at(first), at(second)) == ((1, False), (1, True))
    clear(first)
    assert (at(first), at(second)) == ((1, False), (1, True))  # its turn comes again
    report(second, (3, 1))
    count_up(tournament)
    assert at(first) == (1, True)


def test_the_first_match_of_a_round_sits_where_people_look_on() -> None:
    tournament = make_tournament(seeding="rating")
    stage = put_up(tournament, (1, 2, 3, 9))[3]
    act(hall.edit_table, tournament, table_id=stage.pk, name="Stage", purpose="feature", room_id=None)
    make_field(size=6, tournament=tournament)
    start(tournament)
    assert given(tournament, 1) == [9, 1, 2]


def test_a_player_with_a_fixed_seat_sits_there_and_where_two_have_one_it_is_told() -> None:
    tournament = make_tournament(seeding="rating", format="single_elimination")
    put_up(tournament, (1, 2, 3, 4))
    make_field(size=8, tournament=tournament)
    people = {one.name: one.pk for one in tournament.entries.all()}
    for name, number in (("Player 02", 1), ("Player 01", 4), ("Player 08", 2)):
        act(hall.fix_table, tournament, entry_id=people[name], table=number)
    start(tournament)
    found = {frozenset((p.a.name, p.b.name if p.b else "")): p for p in pairings(tournament, 1)}
    both = found[frozenset(("Player 01", "Player 08"))]
    first = both.a.fixed_table
    assert {first, both.b and both.b.fixed_table} == {4, 2}
    assert both.table == first
    other = both.b if both.b is not None and first == both.a.fixed_table else both.a
    assert misses_fixed(both) == ((other.name, other.fixed_table),)
    one = found[frozenset(("Player 02", "Player 07"))]
    assert (one.table, misses_fixed(one)) == (1, ())
    assert sorted(p.table or 0 for p in found.values()) == [1, 2, 3, 4]


def test_who_finds_no_table_waits_and_is_told() -> None:
    tournament = in_hall(6, (3, 4))
    assert given(tournament, 1) == [3, 4, None]
    waiting = pairings(tournament, 1)[2]
    assert told(tournament, waiting.a.seed or 0) == ["Round 1: you meet your opponent. You wait for a table."]
    assert [each.pk for each in hall_page(event=tournament.event).waiting] == [waiting.pk]
    report(pairings(tournament, 1)[0], (3, 1))
    act(tables.move_match, tournament, match_id=waiting.match_id, table=3)
    assert at(waiting) == (3, True)
    assert waiting.due_at == LATER
    expected = "Come to table 3 now. Round 1: you meet your opponent. Called: 22 May, 13:20 (Riga)."
    assert told(tournament, waiting.a.seed or 0) == [expected]


def test_a_late_entry_and_a_play_off_get_tables_that_are_free() -> None:
    tournament = in_hall(5, (2, 3, 4, 7), format="round_robin")
    act(latecomers.late_entry, tournament, tournament_id=tournament.pk, name="Late")
    for number in range(1, 6):
        found = [table for table in given(tournament, number) if table is not None]
        assert (len(found), len(set(found)), set(found) <= {2, 3, 4, 7}) == (3, 3, True)
    cup = in_hall(4, (6, 7), options={"rounds": 1})
    play_open(cup)
    ids = {"a": entry(cup, 1).pk, "b": entry(cup, 2).pk}
    extra = act(play_offs.start_play_off, cup, stage_id=stage_of(cup).pk, **ids)
    assert at(extra) == (6, True)


# --- who leaves


def test_a_result_frees_the_table_and_a_result_taken_back_takes_it_again() -> None:
    tournament = started(size=4)
    first = pairings(tournament, 1)[0]
    assert at(first) == (1, True)
    report(first, (3, 1))
    assert at(first) == (1, False)
    clear(first)
    assert at(first) == (1, True)


def test_a_result_taken_back_whose_table_is_taken_waits_for_another_one() -> None:
    tournament = in_hall(6, (3, 4))
    first, _second, third = pairings(tournament, 1)
    report(first, (3, 1))
    act(tables.move_match, tournament, match_id=third.match_id, table=3)
    clear(first)
    assert (at(first), at(third)) == ((None, False), (3, True))
    assert told(tournament, first.a.seed or 0)[0] == "Changed: Round 1: you meet your opponent. You wait for a table."


def test_a_result_taken_back_at_a_table_that_is_out_of_order_waits_for_another_one() -> None:
    tournament = in_hall(4, (3, 4))
    first = pairings(tournament, 1)[0]
    report(first, (3, 1))
    out(tournament, 3)
    clear(first)
    assert at(first) == (None, False)


def test_a_round_taken_back_frees_its_tables() -> None:
    tournament = started(size=4)
    act(rounds.take_back_round, tournament, stage_id=stage_of(tournament).pk)
    assert uses(tournament) == {}
    publish(tournament)
    assert given(tournament, 1) == [1, 2]
    assert list(uses(tournament)) == [1, 2]


def test_what_a_result_that_came_between_left_behind_is_put_right_by_the_count() -> None:
    tournament = started(size=4)
    first, second = pairings(tournament, 1)
    report(first, (3, 1))
    TableUse.objects.create(event=tournament.event, number=1, pairing=first)
    TableUse.objects.filter(pairing=second).delete()
    count_up(tournament)
    assert uses(tournament) == {2: second.pk}


def test_the_database_lets_no_two_sit_at_one_table() -> None:
    tournament = started(size=4)
    first, second = pairings(tournament, 1)
    TableUse.objects.filter(pairing=second).delete()
    with pytest.raises(IntegrityError), transaction.atomic():
        TableUse.objects.create(event=tournament.event, number=1, pairing=second)
    assert uses(tournament) == {1: first.pk}


# --- moves


def test_st_08_a_correction_leaves_the_tables_of_a_published_round_as_they_are() -> None:
    tournament = started(size=8)
    play_open(tournament)
    draft(tournament)
    publish(tournament)
    play_open(tournament)
    draft(tournament)
    publish(tournament)
    before = [(p.pk, p.table) for p in pairings(tournament, 3)]
    notices = Notice.objects.count()
    corrected = pairings(tournament, 2)[0]
    assert corrected.match is not None
    corrected.match.refresh_from_db()
    outcome = act(
        results.correct_result,
        tournament,
        match_id=corrected.match_id,
        report=Report(SCORE, (1, 3)),
        key="the-correction",
        expected_version=corrected.match.version,
    )
    assert not isinstance(outcome, Refused), outcome
    count_up(tournament)
    assert [(p.pk, p.table) for p in pairings(tournament, 3)] == before
    assert Notice.objects.count() == notices


def test_st_08_only_an_act_changes_tables_and_it_tells_the_four_it_concerns() -> None:
    tournament = started(size=8)
    one, other = pairings(tournament, 1)[:2]
    notices = set(Notice.objects.values_list("pk", flat=True))
    act(tables.swap_tables, tournament, match_id=one.match_id, with_match=other.match_id, seen=(1, 2))
    assert (at(one), at(other)) == ((2, True), (1, True))
    new = Notice.objects.exclude(pk__in=notices)
    assert {notice.entry_id for notice in new} == {one.a_id, one.b_id, other.a_id, other.b_id}
    assert {(notice.kind, is_still_so(notice, now=LATER)) for notice in new} == {("moved", True)}
    line = Act.objects.latest("pk")
    assert (line.verb, line.before, line.after["table"]) == ("swap_tables", {"table": 1}, 2)
    again = act(tables.swap_tables, tournament, match_id=one.match_id, with_match=other.match_id, seen=(1, 2))
    assert isinstance(again, Refused)
    assert again.code == "changed_meanwhile"
    assert (at(one), at(other)) == ((2, True), (1, True))


def test_a_match_moves_to_a_free_table_once_and_its_old_one_is_free() -> None:
    tournament = started(size=4)
    first = pairings(tournament, 1)[0]
    for _ in range(2):
        act(tables.move_match, tournament, match_id=first.match_id, table=9)
    assert at(first) == (9, True)
    assert list(uses(tournament)) == [2, 9]
    assert Act.objects.filter(verb="move_match").count() == 1
    act(tables.move_match, tournament, match_id=first.match_id, table=None)
    assert at(first) == (None, False)
    act(tables.move_match, tournament, match_id=first.match_id, table=1)
    assert at(first) == (1, True)


def test_a_match_changes_places_with_one_that_waits_and_with_one_of_another_tournament() -> None:
    tournament = in_hall(6, (3, 4))
    first, _second, third = pairings(tournament, 1)
    act(tables.swap_tables, tournament, match_id=third.match_id, with_match=first.match_id)
    assert (at(first), at(third)) == ((None, False), (3, True))
    side = make_tournament(event=tournament.event, name="Side", seeding="rating")
    put_up(tournament, (7, 8))
    make_field(size=4, tournament=side)
    start(side)
    theirs = pairings(side, 1)[0]
    act(tables.swap_tables, tournament, match_id=third.match_id, with_match=theirs.match_id)
    assert (at(third), at(theirs)) == ((7, True), (3, True))


@pytest.mark.parametrize(
    ("table", "code"), [(4, "table_taken"), (5, "table_out"), (6, "table_unknown"), (0, "table_unknown")]
)
def test_a_match_goes_nowhere_it_cannot_sit(table: int, code: str) -> None:
    tournament = in_hall(4, (3, 4, 5))
    out(tournament, 5)
    first = pairings(tournament, 1)[0]
    refused = act(tables.move_match, tournament, match_id=first.match_id, table=table)
    assert isinstance(refused, Refused)
    assert refused.code == code
    assert at(first) == (3, True)


def test_a_match_that_is_over_or_of_another_event_or_of_nobody_is_not_moved() -> None:
    tournament, other = started(size=4), started(size=4)
    first, second = pairings(tournament, 1)
    report(first, (3, 1))
    foreign = pairings(other, 1)[0]

    def code(action: Any, **said: Any) -> str:
        refused = act(action, tournament, **said)
        assert isinstance(refused, Refused)
        return refused.code

    assert code(tables.move_match, match_id=first.match_id, table=7) == "match_is_over"
    assert code(tables.move_match, match_id=0, table=7) == "match_unknown"
    assert code(tables.swap_tables, match_id=second.match_id, with_match=foreign.match_id) == "match_unknown"
    assert code(tables.swap_tables, match_id=second.match_id, with_match=second.match_id) == "same_match"
    assert code(tables.swap_tables, match_id=second.match_id, with_match=first.match_id) == "match_is_over"


def test_matches_that_take_turns_change_tables_within_their_round_alone() -> None:
    tournament = started(size=6, format="round_robin")
    one, later = pairings(tournament, 1)[0], pairings(tournament, 2)[1]
    assert (one.table, later.table) == (1, 2)
    refused = act(tables.swap_tables, tournament, match_id=one.match_id, with_match=later.match_id)
    assert isinstance(refused, Refused)
    assert refused.code == "table_taken"
    beside = pairings(tournament, 2)[2]
    act(tables.swap_tables, tournament, match_id=later.match_id, with_match=beside.match_id)
    assert given(tournament, 2) == [1, 3, 2]
    assert list(uses(tournament).values()) == [p.pk for p in pairings(tournament, 1)]


def test_a_table_out_of_order_is_given_to_nobody_and_who_sits_there_is_moved_by_an_act() -> None:
    tournament = in_hall(4, (3, 4, 5))
    first = pairings(tournament, 1)[0]
    out(tournament, 3)
    assert at(first) == (3, True)
    row = next(each for _room, rows in hall_page(event=tournament.event).rooms for each in rows if each.is_out)
    assert (row.table.number, row.pairing) == (3, first)
    act(tables.move_match, tournament, match_id=first.match_id, table=5)
    play_open(tournament)
    draft(tournament)
    publish(tournament)
    assert given(tournament, 2) == [4, 5]


def test_who_is_called_to_a_match_goes_where_it_sits_now() -> None:
    tournament = started(size=4)
    one, other = pairings(tournament, 1)
    for pairing in (one, other):
        act(calls.call_to_match, tournament, match_id=pairing.match_id)
    act(tables.swap_tables, tournament, match_id=one.match_id, with_match=other.match_id)
    called = dict(RefereeCall.objects.values_list("pairing", "table"))
    assert called == {one.pk: 2, other.pk: 1}
    act(tables.move_match, tournament, match_id=one.match_id, table=7)
    assert RefereeCall.objects.get(pairing=one).table == 7
    RefereeCall.objects.create(event=tournament.event, table=9, called_at=LATER)
    act(tables.move_match, tournament, match_id=one.match_id, table=9)
    assert (at(one), RefereeCall.objects.get(pairing=one).table) == ((9, True), None)


def test_a_draft_says_who_would_wait_and_who_would_not_sit_where_they_have_to() -> None:
    tournament = make_tournament(seeding="rating")
    put_up(tournament, (1, 2))
    make_field(size=6, tournament=tournament)
    act(rounds.start_tournament, tournament, tournament_id=tournament.pk)
    for seed in (1, 2):
        act(hall.fix_table, tournament, entry_id=entry(tournament, seed).pk, table=2)

    def notes() -> list[tuple[str, dict[str, Any]]]:
        return [(each.code, each.params) for each in next_step(tournament=tournament).blockers]

    tournament.refresh_from_db()
    assert notes() == [
        ("tables_short", {"count": 1}),
        ("fixed_seat_missed", {"entry": entry(tournament, 2).pk, "table": 2}),
    ]
    assert next_step(tournament=tournament).is_free
    put_up(tournament, (3,))
    act(hall.fix_table, tournament, entry_id=entry(tournament, 2).pk, table=3)
    assert notes() == []
    publish(tournament)
    assert {p.table for p in pairings(tournament, 1)} == {1, 2, 3}
