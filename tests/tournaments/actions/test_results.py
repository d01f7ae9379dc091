"""Corrections as a tournament sees them: what rested on a result, and what happens to it."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import connections

from matches.actions import SCORE, Report
from matches.models import Match, Submission
from players.permissions import Refused
from tests.factories import NOW, make_field, make_tournament, organiser
from tests.tournaments.play import (
    better_seed_wins,
    count_up,
    draft,
    meetings,
    pairings,
    play_open,
    publish,
    report,
    stage_of,
    start,
    table,
)
from tournaments.actions import results, rounds, standings
from tournaments.models import Pairing, Round, Tournament

pytestmark = pytest.mark.django_db


def running(size: int, form: str = "swiss") -> Tournament:
    tournament = make_tournament(seeding="rating", format=form)
    make_field(size=size, tournament=tournament)
    start(tournament)
    return tournament


def correct(pairing: Pairing, sets: tuple[int, int], *, key: str = "fix") -> Submission | Refused:
    assert pairing.match is not None
    pairing.match.refresh_from_db()
    return results.correct_result(
        match_id=pairing.match.pk,
        report=Report(SCORE, sets),
        by=organiser(of=pairing.round.stage.tournament),
        key=key,
        expected_version=pairing.match.version,
        now=NOW,
    )


def test_a_corrected_semi_final_sends_the_other_player_to_the_final() -> None:
    tournament = running(4, "single_elimination")
    play_open(tournament)
    assert meetings(tournament, 2) == [("Player 01", "Player 02")]
    final = pairings(tournament, 2)[0]
    assert final.match_id is not None
    outcome = correct(pairings(tournament, 1)[0], (1, 3))
    assert isinstance(outcome, Submission)
    count_up(tournament)
    assert meetings(tournament, 2) == [("Player 04", "Player 02")]
    assert Match.objects.get(pk=final.match_id).is_void


def test_a_corrected_score_with_the_same_winner_leaves_the_final_alone() -> None:
    tournament = running(4, "single_elimination")
    play_open(tournament)
    final = pairings(tournament, 2)[0]
    correct(pairings(tournament, 1)[0], (3, 2))
    count_up(tournament)
    assert pairings(tournament, 2) == [final]


def test_a_result_the_final_was_played_on_stays() -> None:
    tournament = running(4, "single_elimination")
    play_open(tournament)
    play_open(tournament)
    semi = pairings(tournament, 1)[0]
    outcome = correct(semi, (0, 3))
    final = pairings(tournament, 2)[0]
    assert outcome == Refused("later_result", {"matches": [final.match_id]})
    assert semi.match is not None
    semi.match.refresh_from_db()
    assert (semi.match.sets_a, semi.match.sets_b, semi.match.version) == (3, 1, 1)
    assert semi.match.submissions.count() == 1


def test_a_correction_throws_away_the_draft_that_was_made_from_it() -> None:
    tournament = running(4)
    play_open(tournament)
    draft(tournament)
    correct(pairings(tournament, 1)[0], (1, 3))
    assert list(Round.objects.filter(stage__tournament=tournament).values_list("number", flat=True)) == [1]
    draft(tournament)
    loser = pairings(tournament, 1)[0].a_id
    assert loser in {p.a_id for p in pairings(tournament, 2)} | {p.b_id for p in pairings(tournament, 2)}


def test_the_same_correction_again_changes_nothing_more() -> None:
    tournament = running(4)
    play_open(tournament)
    first = correct(pairings(tournament, 1)[0], (1, 3))
    draft(tournament)
    pairing = pairings(tournament, 1)[0]
    assert pairing.match is not None
    again = results.correct_result(
        match_id=pairing.match.pk,
        report=Report(SCORE, (1, 3)),
        by=organiser(of=tournament),
        key="fix",
        expected_version=1,
        now=NOW,
    )
    assert again == first
    assert Round.objects.filter(stage__tournament=tournament, number=2).exists()


def test_a_result_of_an_earlier_round_changes_the_standings_and_no_pairing() -> None:
    tournament = running(4)
    play_open(tournament)
    draft(tournament)
    publish(tournament)
    second = [(p.a_id, p.b_id, p.match_id) for p in pairings(tournament, 2)]
    pairing = pairings(tournament, 1)[0]
    won, lost = better_seed_wins(pairing)
    assert isinstance(correct(pairing, (lost, won)), Submission)
    count_up(tournament)
    assert [(p.a_id, p.b_id, p.match_id) for p in pairings(tournament, 2)] == second
    winner = pairing.a if lost > won else pairing.b
    assert winner is not None
    assert (3, winner.name) in [(points, name) for _, name, points in table(tournament)]


def test_clearing_opens_the_match_again() -> None:
    tournament = running(4)
    pairing = pairings(tournament, 1)[0]
    report(pairing, (3, 0))
    count_up(tournament)
    assert table(tournament)[0] == (1, pairing.a.name, 3)
    assert pairing.match_id is not None
    outcome = results.clear_result(
        match_id=pairing.match_id, by=organiser(of=tournament), expected_version=1, now=NOW, why="wrong table"
    )
    assert isinstance(outcome, Match)
    count_up(tournament)
    assert {points for _, _, points in table(tournament)} == {0}


def test_a_result_the_next_round_was_paired_from_is_corrected_and_not_cleared() -> None:
    tournament = running(4)
    play_open(tournament)
    draft(tournament)
    publish(tournament)
    pairing = pairings(tournament, 1)[0]
    assert pairing.match_id is not None
    outcome = results.clear_result(match_id=pairing.match_id, by=organiser(of=tournament), expected_version=1, now=NOW)
    assert outcome == Refused("later_round_published", {"round": 2})
    assert Match.objects.get(pk=pairing.match_id).kind == SCORE


def test_re_14_a_finished_tournament_is_not_corrected() -> None:
    tournament = running(2)
    play_open(tournament)
    rounds.finish_tournament(tournament_id=tournament.pk, by=organiser(of=tournament), now=NOW)
    assert correct(pairings(tournament, 1)[0], (0, 3)) == Refused("not_running")


def test_re_10_where_two_meet_twice_the_match_says_which_meeting_it_was() -> None:
    tournament = make_tournament(seeding="rating", format="round_robin", options={"twice": True})
    make_field(size=2, tournament=tournament)
    start(tournament)
    first, second = pairings(tournament)
    assert {first.a_id, first.b_id} == {second.a_id, second.b_id}
    report(second, (3, 2))
    decided = [(p.match.kind, p.match.sets_a, p.match.sets_b) for p in pairings(tournament) if p.match is not None]
    assert decided == [("", 0, 0), ("score", 3, 2)]


def test_re_06_a_match_has_no_result_until_somebody_tells_it() -> None:
    tournament = running(5)
    count_up(tournament)
    matches = [p.match for p in pairings(tournament, 1) if p.match is not None]
    assert [(match.kind, match.sets_a, match.sets_b, match.winner, match.version) for match in matches] == [
        ("", 0, 0, "", 0)
    ] * 2
    assert Submission.objects.count() == 0


def test_re_06_a_bye_has_no_match_to_clear() -> None:
    tournament = running(3)
    assert [p.match_id for p in pairings(tournament, 1) if p.b is None] == [None]


@pytest.mark.db
@pytest.mark.django_db(transaction=True)
def test_re_02_two_semi_finals_at_once_fill_one_final_with_both_winners() -> None:
    for round_number in range(5):
        tournament = running(4, "single_elimination")
        semis = pairings(tournament, 1)

        sets = (3, 0) if round_number % 2 else (1, 3)

        def send(pairing: Pairing, sets: tuple[int, int] = sets) -> None:
            try:
                report(pairing, sets)
                standings.refresh(stage_id=pairing.round.stage_id, now=NOW)
            finally:
                connections.close_all()

        with ThreadPoolExecutor(2) as pool:
            list(pool.map(send, semis))
        expected = {p.a_id if round_number % 2 else p.b_id for p in semis}
        finals = pairings(tournament, 2)
        assert [{p.a_id, p.b_id} for p in finals] == [expected]
        assert not stage_of(tournament).changes.filter(read_at__isnull=True).exists()


@pytest.mark.db
@pytest.mark.django_db(transaction=True)
def test_bj_02_counting_many_times_at_once_counts_once() -> None:
    tournament = running(8)
    for pairing in pairings(tournament, 1):
        report(pairing, (3, 1))
    stage = stage_of(tournament)

    def count(_: int) -> None:
        try:
            standings.refresh(stage_id=stage.pk, now=NOW)
        finally:
            connections.close_all()

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(count, range(8)))
    assert stage_of(tournament).version == stage.version + 1
    assert [points for _, _, points in table(tournament)] == [3, 3, 3, 3, 0, 0, 0, 0]
