"""The course of a tournament: starting, drafting, changing, publishing, taking back, finishing."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from django.db import connections

from matches.models import Match
from players.models import Act
from players.permissions import Refused
from tests.factories import NOW, make_entry, make_field, make_tournament, organiser
from tests.tournaments.play import (
    better_seed_wins,
    count_up,
    draft,
    meetings,
    pairings,
    play_open,
    publish,
    report,
    seeded,
    stage_of,
    start,
    table,
)
from tournaments.actions import roster, rounds
from tournaments.models import Round, StageChange, Tournament
from tournaments.models.tournament import State
from tournaments.queries.desk import next_step

pytestmark = pytest.mark.django_db


def started(size: int = 4, **facts: Any) -> Tournament:
    tournament = make_tournament(seeding="rating", **facts)
    make_field(size=size, tournament=tournament)
    start(tournament)
    tournament.refresh_from_db()
    return tournament


def test_rc_06_whoever_is_not_here_is_left_out_and_seeds_close_up() -> None:
    tournament = make_tournament(format="single_elimination", seeding="hand")
    entries = [make_entry(tournament=tournament, name=f"P{n}", here=n not in (3, 5)) for n in range(1, 9)]
    by = organiser(of=tournament)
    roster.set_hand_seeds(tournament_id=tournament.pk, order=[e.pk for e in entries], by=by, now=NOW)
    step = next_step(tournament=tournament)
    tournament.state = State.CHECK_IN
    rounds.start_tournament(tournament_id=tournament.pk, by=by, now=NOW)
    assert step.act in ("open_check_in", "start")
    assert seeded(tournament) == ["P1", "P2", "P4", "P6", "P7", "P8"]
    byes = [a for a, b in meetings(tournament, 1) if b is None]
    assert byes == ["P1", "P2"]


def test_starting_says_again_whom_it_leaves_out_when_that_has_changed() -> None:
    tournament = make_tournament()
    entries = [make_entry(tournament=tournament, here=n > 0) for n in range(5)]
    by = organiser(of=tournament)
    roster.undo_check_in(entry_id=entries[1].pk, by=by, now=NOW)
    outcome = rounds.start_tournament(tournament_id=tournament.pk, by=by, now=NOW, leaving_out=[entries[0].pk])
    assert outcome == Refused("roster_changed", {"entries": [entries[0].pk, entries[1].pk]})
    tournament.refresh_from_db()
    assert tournament.state == State.ROSTER
    assert not Round.objects.exists()


def test_starting_twice_starts_once() -> None:
    tournament = started()
    rounds.start_tournament(tournament_id=tournament.pk, by=organiser(of=tournament), now=NOW)
    assert Act.objects.filter(verb="start_tournament", tournament=tournament.pk).count() == 1
    assert Round.objects.filter(stage__tournament=tournament).count() == 1


def test_one_player_cannot_start() -> None:
    tournament = make_tournament()
    make_entry(tournament=tournament, here=True)
    outcome = rounds.start_tournament(tournament_id=tournament.pk, by=organiser(of=tournament), now=NOW)
    assert outcome == Refused("too_few_players", {"least": 2, "here": 1})


def test_the_roster_is_frozen_by_the_start() -> None:
    tournament = started()
    by = organiser(of=tournament)
    outcome = roster.add_entry(tournament_id=tournament.pk, name="Late", by=by, now=NOW)
    assert isinstance(outcome, Refused)
    assert outcome.code == "roster_is_frozen"


def test_a_draft_has_no_matches_until_it_is_published() -> None:
    tournament = make_tournament(seeding="rating")
    make_field(size=6, tournament=tournament)
    rounds.start_tournament(tournament_id=tournament.pk, by=organiser(of=tournament), now=NOW)
    assert len(pairings(tournament, 1)) == 3
    assert not Match.objects.exists()
    publish(tournament)
    assert [p.table for p in pairings(tournament, 1)] == [1, 2, 3]
    assert Match.objects.count() == 3


def test_publishing_twice_publishes_once() -> None:
    tournament = started()
    outcome = rounds.publish_rounds(stage_id=stage_of(tournament).pk, by=organiser(of=tournament), now=NOW)
    assert outcome == Refused("nothing_to_publish")
    assert Match.objects.count() == 2


def test_sw_10_the_next_round_waits_for_every_result_and_names_what_is_open() -> None:
    tournament = started(16)
    first, *others = pairings(tournament, 1)
    for pairing in others:
        report(pairing, (3, 0))
    outcome = rounds.draft_rounds(stage_id=stage_of(tournament).pk, by=organiser(of=tournament), now=NOW)
    assert outcome == Refused("open_matches", {"matches": [first.match_id]})
    report(first, (3, 0))
    drafted = rounds.draft_rounds(stage_id=stage_of(tournament).pk, by=organiser(of=tournament), now=NOW)
    assert not isinstance(drafted, Refused)
    # Paired from the results themselves: nothing waited for the worker, and nobody left their score group.
    winners = {p.a_id for p in pairings(tournament, 1)}
    assert {(p.a_id in winners) == (p.b_id in winners) for p in pairings(tournament, 2)} == {True}


def test_sw_02_a_bye_counts_as_soon_as_the_round_is_out_and_never_twice() -> None:
    tournament = started(3)
    expected = [(1, "Player 03", 3), (2, "Player 01", 0), (2, "Player 02", 0)]
    assert sorted(table(tournament)) == sorted(expected)
    count_up(tournament)
    count_up(tournament)
    assert sorted(table(tournament)) == sorted(expected)
    row = stage_of(tournament).standings.get(points=3)
    assert (row.wins, row.byes, row.sets_won) == (0, 1, 0)


def test_swapping_two_players_of_a_draft_marks_their_pairings() -> None:
    tournament = make_tournament(seeding="rating", options={"first_round": "slide"})
    make_field(size=6, tournament=tournament)
    by = organiser(of=tournament)
    rounds.start_tournament(tournament_id=tournament.pk, by=by, now=NOW)
    before = pairings(tournament, 1)
    one, other = before[0].a, before[1].a
    outcome = rounds.swap_in_draft(round_id=before[0].round_id, entry=one.pk, with_entry=other.pk, by=by, now=NOW)
    assert isinstance(outcome, Round)
    after = pairings(tournament, 1)
    assert [(p.a_id, p.b_id, p.by_hand) for p in after] == [
        (other.pk, before[0].b_id, True),
        (one.pk, before[1].b_id, True),
        (before[2].a_id, before[2].b_id, False),
    ]


def test_swapping_with_the_bye_moves_the_bye() -> None:
    tournament = make_tournament(seeding="rating")
    make_field(size=5, tournament=tournament)
    by = organiser(of=tournament)
    rounds.start_tournament(tournament_id=tournament.pk, by=by, now=NOW)
    free = next(p for p in pairings(tournament, 1) if p.b is None)
    other = pairings(tournament, 1)[0].a
    rounds.swap_in_draft(round_id=free.round_id, entry=free.a_id, with_entry=other.pk, by=by, now=NOW)
    assert [p.a_id for p in pairings(tournament, 1) if p.b is None] == [other.pk]


def test_a_rematch_made_by_hand_is_published_only_on_a_word() -> None:
    tournament = started(4)
    play_open(tournament)
    draft(tournament)
    by = organiser(of=tournament)
    first, second = pairings(tournament, 2)
    met = next(p for p in pairings(tournament, 1) if first.a_id in (p.a_id, p.b_id))
    partner = met.b_id if met.a_id == first.a_id else met.a_id
    assert partner in (second.a_id, second.b_id)
    assert first.b_id is not None
    assert partner is not None
    rounds.swap_in_draft(round_id=first.round_id, entry=first.b_id, with_entry=partner, by=by, now=NOW)
    stage = stage_of(tournament)
    outcome = rounds.publish_rounds(stage_id=stage.pk, by=by, now=NOW)
    assert isinstance(outcome, Refused)
    assert outcome.code == "draft_has_warnings"
    assert {note[0] for note in outcome.params["notes"]} == {"rematch"}
    accepted = rounds.publish_rounds(stage_id=stage.pk, by=by, now=NOW, accept_warnings=True)
    assert not isinstance(accepted, Refused)


def test_a_round_without_results_is_taken_back_and_its_matches_closed() -> None:
    tournament = started(4)
    ids = [p.match_id for p in pairings(tournament, 1) if p.match_id is not None]
    outcome = rounds.take_back_round(stage_id=stage_of(tournament).pk, by=organiser(of=tournament), now=NOW)
    assert isinstance(outcome, Round)
    assert outcome.is_draft
    assert list(Match.objects.filter(pk__in=ids).values_list("is_void", flat=True)) == [True, True]
    publish(tournament)
    assert Match.objects.filter(is_void=False).count() == 2


def test_a_round_with_a_result_stays() -> None:
    tournament = started(4)
    report(pairings(tournament, 1)[0], (3, 2))
    outcome = rounds.take_back_round(stage_id=stage_of(tournament).pk, by=organiser(of=tournament), now=NOW)
    assert outcome == Refused("round_has_results", {"round": 1})


def test_sw_13_whoever_leaves_keeps_results_and_is_not_paired_again() -> None:
    tournament = started(5)
    play_open(tournament)
    draft(tournament)
    leaver = pairings(tournament, 2)[0].a
    rounds.withdraw_entry(entry_id=leaver.pk, by=organiser(of=tournament), now=NOW)
    assert [p for p in pairings(tournament, 2) if p.b_id is None] == []
    sides = [side for p in pairings(tournament, 2) for side in (p.a_id, p.b_id or 0)]
    assert sorted(sides) == sorted(e.pk for e in tournament.entries.exclude(pk=leaver.pk))
    count_up(tournament)
    assert leaver.name in [name for _, name, _ in table(tournament)]


def test_a_bracket_goes_on_by_itself_to_the_champion() -> None:
    tournament = started(5, format="single_elimination")
    assert meetings(tournament, 1) == [
        ("Player 01", None),
        ("Player 04", "Player 05"),
        ("Player 02", None),
        ("Player 03", None),
    ]
    # Two byes met at once: their match of round 2 is there already.
    assert meetings(tournament, 2) == [("Player 02", "Player 03")]
    play_open(tournament)
    assert sorted(meetings(tournament, 2)) == [("Player 01", "Player 04"), ("Player 02", "Player 03")]
    play_open(tournament)
    play_open(tournament)
    assert next_step(tournament=tournament).act == "finish"
    rounds.finish_tournament(tournament_id=tournament.pk, by=organiser(of=tournament), now=NOW)
    count_up(tournament)
    tournament.refresh_from_db()
    assert tournament.state == State.FINISHED
    assert [(rank, name) for rank, name, _ in table(tournament)] == [
        (1, "Player 01"),
        (2, "Player 02"),
        (3, "Player 03"),
        (3, "Player 04"),
        (5, "Player 05"),
    ]


def test_a_round_robin_is_drafted_and_published_as_a_whole() -> None:
    tournament = started(6, format="round_robin")
    met = [frozenset((p.a_id, p.b_id)) for p in pairings(tournament)]
    assert len(met) == len(set(met)) == 15
    assert Match.objects.count() == 15
    assert next_step(tournament=tournament).act == "enter_results"
    play_open(tournament)
    assert [name for _, name, _ in table(tournament)] == [f"Player 0{n}" for n in range(1, 7)]
    assert next_step(tournament=tournament).act == "finish"


def test_a_swiss_runs_its_rounds_and_no_more() -> None:
    tournament = started(8)
    for _ in range(2):
        play_open(tournament)
        draft(tournament)
        publish(tournament)
    play_open(tournament)
    outcome = rounds.draft_rounds(stage_id=stage_of(tournament).pk, by=organiser(of=tournament), now=NOW)
    assert outcome == Refused("nothing_to_pair")
    assert next_step(tournament=tournament).act == "finish"
    assert table(tournament)[0] == (1, "Player 01", 9)


def test_a_tournament_with_an_open_match_does_not_finish() -> None:
    tournament = started(4)
    report(pairings(tournament, 1)[0], (3, 0))
    outcome = rounds.finish_tournament(tournament_id=tournament.pk, by=organiser(of=tournament), now=NOW, early=True)
    assert outcome == Refused("open_matches", {"count": 1})


def test_finishing_before_the_last_round_wants_to_be_said() -> None:
    tournament = started(8)
    play_open(tournament)
    by = organiser(of=tournament)
    assert rounds.finish_tournament(tournament_id=tournament.pk, by=by, now=NOW) == Refused("rounds_left")
    assert isinstance(rounds.finish_tournament(tournament_id=tournament.pk, by=by, now=NOW, early=True), Tournament)
    reopened = rounds.reopen_tournament(tournament_id=tournament.pk, by=by, now=NOW)
    assert isinstance(reopened, Tournament)
    assert reopened.state == State.RUNNING
    draft(tournament)


def test_every_change_leaves_one_line_in_the_outbox_until_it_is_counted() -> None:
    tournament = started(4)
    assert not StageChange.objects.filter(read_at__isnull=True).exists()
    report(pairings(tournament, 1)[0], better_seed_wins(pairings(tournament, 1)[0]))
    waiting = StageChange.objects.filter(read_at__isnull=True)
    assert list(waiting.values_list("what", flat=True)) == ["result"]
    version = stage_of(tournament).version
    assert count_up(tournament).version == version + 1
    assert count_up(tournament).version == version + 1  # nothing new: nothing happens


@pytest.mark.db
@pytest.mark.django_db(transaction=True)
def test_sw_11_two_organisers_pairing_at_once_make_one_round() -> None:
    tournament = started(8)
    play_open(tournament)
    stage, by = stage_of(tournament), organiser(of=tournament)

    def press(_: int) -> list[int]:
        try:
            outcome = rounds.draft_rounds(stage_id=stage.pk, by=by, now=NOW)
        finally:
            connections.close_all()
        assert not isinstance(outcome, Refused)
        return [round_.pk for round_ in outcome]

    with ThreadPoolExecutor(4) as pool:
        answers = list(pool.map(press, range(4)))
    assert answers == [answers[0]] * 4
    assert Round.objects.filter(stage=stage, number=2).count() == 1
    assert len(pairings(tournament, 2)) == 4


@pytest.mark.db
@pytest.mark.django_db(transaction=True)
def test_publishing_twice_at_once_opens_each_match_once() -> None:
    tournament = make_tournament(seeding="rating")
    make_field(size=8, tournament=tournament)
    by = organiser(of=tournament)
    rounds.start_tournament(tournament_id=tournament.pk, by=by, now=NOW)
    stage = stage_of(tournament)

    def press(_: int) -> str:
        try:
            outcome = rounds.publish_rounds(stage_id=stage.pk, by=by, now=NOW)
        finally:
            connections.close_all()
        return outcome.code if isinstance(outcome, Refused) else "published"

    with ThreadPoolExecutor(3) as pool:
        answers = sorted(pool.map(press, range(3)))
    assert answers == ["nothing_to_publish", "nothing_to_publish", "published"]
    assert Match.objects.count() == 4


def test_byes_of_a_bracket_are_no_warning_when_two_players_change_places() -> None:
    tournament = make_tournament(seeding="rating", format="single_elimination")
    make_field(size=5, tournament=tournament)
    by = organiser(of=tournament)
    rounds.start_tournament(tournament_id=tournament.pk, by=by, now=NOW)
    free, played = pairings(tournament, 1)[0], pairings(tournament, 1)[1]
    rounds.swap_in_draft(round_id=free.round_id, entry=free.a_id, with_entry=played.a_id, by=by, now=NOW)
    assert next_step(tournament=tournament).blockers == ()
    assert not isinstance(rounds.publish_rounds(stage_id=stage_of(tournament).pk, by=by, now=NOW), Refused)


def test_a_match_that_follows_by_itself_gets_a_table_where_nobody_plays() -> None:
    tournament = started(8, format="single_elimination")
    last, before_last = pairings(tournament, 1)[3], pairings(tournament, 1)[2]
    for pairing in (before_last, last):
        report(pairing, better_seed_wins(pairing))
    count_up(tournament)
    # Tables 1 and 2 are still played at; 3 and 4 are free again.
    assert [p.table for p in pairings(tournament, 2)] == [3]


def test_byes_leave_no_gap_between_the_tables() -> None:
    tournament = started(5, format="single_elimination")
    assert [p.table for p in pairings(tournament)] == [None, 1, None, None, 2]
