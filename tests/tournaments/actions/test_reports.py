"""Players' reports in a tournament: who may, who is told, what staff see, and what time does."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

import pytest

from matches.actions import SCORE, WALKOVER, Report, confirm_report, submit_result
from matches.models import Match, Submission
from players.models import Act
from players.permissions import Actor, Refused, Role
from tests.factories import NOW, make_field, make_tournament, organiser
from tests.tournaments.at_once import one_behind_the_other
from tests.tournaments.play import count_up, pairings, publish, stage_of, start
from tournaments import tasks
from tournaments.actions import reports, results, rounds
from tournaments.models import Entry, Notice, Pairing, StageChange, Tournament
from tournaments.permissions import actor_of_entry
from tournaments.queries.reports import waiting_reports
from tournaments.queries.stages import stage_version

pytestmark = pytest.mark.django_db

MARTA = Actor(role=Role.REFEREE, name="Marta", link=1)
OLLI = Actor(role=Role.REFEREE, name="Olli", link=2)


def running(size: int = 4, **facts: Any) -> Tournament:
    said: dict[str, Any] = {"seeding": "rating", "players_report": True}
    tournament = make_tournament(**(said | facts))
    make_field(size=size, tournament=tournament)
    start(tournament)
    return tournament


def first(tournament: Tournament) -> Pairing:
    pairing = Pairing.objects.select_related("a", "b", "match", "round__stage__tournament").filter(
        round__stage__tournament=tournament, match__isnull=False
    )
    return pairing.order_by("round__number", "number")[0]


def side(pairing: Pairing, seat: str) -> Entry:
    entry = pairing.a if seat == "a" else pairing.b
    assert entry is not None
    return entry


def tell(
    pairing: Pairing, seat: str, sets: tuple[int, int] | Report, *, key: str = "", now: datetime = NOW
) -> Submission | Refused:
    assert pairing.match_id is not None
    entry = side(pairing, seat)
    return reports.report_own(
        entry_id=entry.pk,
        match_id=pairing.match_id,
        report=sets if isinstance(sets, Report) else Report(SCORE, sets),
        by=actor_of_entry(entry),
        key=key or f"{pairing.match_id}-{seat}-{Submission.objects.count()}",
        expected_version=Match.objects.get(pk=pairing.match_id).version,
        now=now,
    )


def done(outcome: Submission | Refused) -> Submission:
    assert isinstance(outcome, Submission), outcome
    return outcome


def state(tournament: Tournament, *, now: datetime = NOW) -> tuple[str, bool] | None:
    """What staff see of the first match: its state, and whether they have to look."""
    pairing = first(tournament)
    found = waiting_reports(pairings=[pairing], now=now).get(pairing.match_id or 0)
    return None if found is None else (found.state, found.needs_word)


def result(pairing: Pairing) -> tuple[str, int, int]:
    match = Match.objects.get(pk=pairing.match_id or 0)
    return match.kind, match.sets_a, match.sets_b


def told(pairing: Pairing, seat: str) -> list[tuple[str, dict[str, Any]]]:
    rows = Notice.objects.filter(entry=side(pairing, seat), kind__startswith="report").order_by("pk")
    return list(rows.values_list("kind", "params"))


# --- what the states are


def test_re_07_a_dispute_is_in_the_list_of_staff_and_not_in_the_standings() -> None:
    tournament = running()
    pairing = first(tournament)
    assert state(tournament) is None
    tell(pairing, "a", (3, 1))
    assert state(tournament) == ("reported", False)
    tell(pairing, "b", (1, 3))
    assert state(tournament) == ("disputed", True)
    count_up(tournament)
    assert result(pairing) == ("", 0, 0)
    assert stage_of(tournament).standings.filter(points__gt=0).count() == 0
    confirmed = done(
        results.enter_result(
            match_id=pairing.match_id or 0,
            report=Report(SCORE, (3, 2)),
            by=organiser(of=tournament),
            key="ruling",
            expected_version=0,
            now=NOW,
        )
    )
    assert (confirmed.is_confirmed, result(pairing), state(tournament)) == (True, (SCORE, 3, 2), None)


def test_re_07_one_report_is_never_confirmed_by_time_alone() -> None:
    tournament = running(report_minutes=10)
    pairing = first(tournament)
    tell(pairing, "a", (3, 1))
    at = NOW + timedelta(minutes=10)
    assert state(tournament, now=at - timedelta(seconds=1)) == ("reported", False)
    assert reports.unanswered(now=at - timedelta(seconds=1)) == []
    assert state(tournament, now=at) == ("unanswered", True)
    (due,) = reports.unanswered(now=at)
    for _ in range(2):
        reports.settle_unanswered(submission_id=due, now=at)
    assert result(pairing) == ("", 0, 0)
    assert reports.unanswered(now=at) == []
    assert told(pairing, "a")[-1][0] == told(pairing, "b")[-1][0] == "report_unanswered"
    assert Notice.objects.filter(kind="report_unanswered").count() == 2


def test_re_07_where_it_is_set_so_an_unanswered_report_counts_once_its_time_is_over() -> None:
    tournament = running(report_minutes=10, unanswered="confirm")
    pairing = first(tournament)
    report = done(tell(pairing, "b", (1, 3)))
    reports.settle_unanswered(submission_id=report.pk, now=NOW + timedelta(minutes=9))
    assert result(pairing) == ("", 0, 0)
    for _ in range(2):
        reports.settle_unanswered(submission_id=report.pk, now=NOW + timedelta(minutes=10))
    assert result(pairing) == (SCORE, 1, 3)
    act = Act.objects.get(verb="confirm_unanswered")
    assert (act.who, act.event, act.tournament) == ("Cantina", tournament.event_id, tournament.pk)
    assert act.after["reports"] == [side(pairing, "b").name]


def test_time_decides_no_dispute_and_no_second_person() -> None:
    at = NOW + timedelta(hours=1)
    disputed = running(unanswered="confirm")
    pairing = first(disputed)
    for seat, sets in (("a", (3, 1)), ("b", (1, 3))):
        tell(pairing, seat, sets)
    assert reports.unanswered(now=at) == []
    for submission in Submission.objects.filter(match=pairing.match_id):
        reports.settle_unanswered(submission_id=submission.pk, now=at)
    assert (result(pairing), state(disputed, now=at)) == (("", 0, 0), ("disputed", True))

    careful = running(unanswered="confirm", second_confirms=True)
    only = done(tell(first(careful), "a", (3, 1)))
    reports.settle_unanswered(submission_id=only.pk, now=at)
    assert (result(first(careful)), state(careful, now=at)) == (("", 0, 0), ("unanswered", True))


def test_the_sweep_settles_what_is_due_and_nothing_else() -> None:
    past = NOW - timedelta(days=400)  # the sweep reads the clock
    counts, asks = running(unanswered="confirm"), running()
    for tournament in (counts, asks):
        tell(first(tournament), "a", (3, 0), now=past)
    for _ in range(2):
        tasks.sweep()
    assert (result(first(counts)), result(first(asks))) == ((SCORE, 3, 0), ("", 0, 0))
    points = stage_of(counts).standings.order_by("order").values_list("points", flat=True)
    assert list(points) == [3, 0, 0, 0]
    assert Notice.objects.filter(kind="report_unanswered").count() == 2


def test_a_report_moves_the_version_of_the_pages_and_counts_as_no_result() -> None:
    tournament = running()
    stage = stage_of(tournament)
    before = stage_version(stage)
    report = done(tell(first(tournament), "a", (3, 1)))
    noted = stage_version(stage)
    assert noted != before
    assert list(StageChange.objects.filter(read_at__isnull=True).values_list("what", flat=True)) == ["report"]
    entry = side(first(tournament), "a")
    reports.take_back_own(entry_id=entry.pk, submission_id=report.pk, by=actor_of_entry(entry), now=NOW)
    assert stage_version(stage) != noted
    assert stage_version(count_up(tournament)) != before


# --- who may


def test_a_player_reports_their_own_match_alone() -> None:
    tournament = running()
    mine, other = pairings(tournament, 1)
    stranger = side(other, "a")
    unknown = Refused("match_unknown", {"match": mine.match_id}, status=404)
    facts: dict[str, Any] = {"by": actor_of_entry(stranger), "now": NOW}
    outcome = reports.report_own(
        entry_id=stranger.pk,
        match_id=mine.match_id or 0,
        report=Report(SCORE, (3, 0)),
        key="not-mine",
        expected_version=0,
        **facts,
    )
    assert outcome == unknown
    report = done(tell(mine, "a", (3, 0)))
    assert reports.agree_own(entry_id=stranger.pk, submission_id=report.pk, **facts) == unknown
    assert reports.take_back_own(entry_id=stranger.pk, submission_id=report.pk, **facts) == unknown
    gone = Refused("report_unknown", status=404)
    assert reports.agree_own(entry_id=stranger.pk, submission_id=987654, **facts) == gone
    assert result(mine) == ("", 0, 0)


def test_players_report_only_where_the_tournament_allows_it() -> None:
    tournament = running(players_report=False)
    assert tell(first(tournament), "a", (3, 1)) == Refused("reports_closed")
    assert not Submission.objects.exists()


def test_re_14_nothing_is_reported_in_a_tournament_that_is_over_or_of_a_round_taken_back() -> None:
    over = running(2)
    submit_result(
        match_id=first(over).match_id or 0,
        report=Report(SCORE, (3, 0)),
        by=MARTA,
        key="last",
        expected_version=0,
        now=NOW,
    )
    count_up(over)
    finished = rounds.finish_tournament(tournament_id=over.pk, by=organiser(of=over), now=NOW, early=True)
    assert not isinstance(finished, Refused)
    assert tell(first(over), "a", (3, 1)) == Refused("not_running")

    again = running()
    old = first(again)
    rounds.take_back_round(stage_id=stage_of(again).pk, by=organiser(of=again), now=NOW)
    publish(again)
    outcome = reports.report_own(
        entry_id=old.a_id,
        match_id=old.match_id or 0,
        report=Report(SCORE, (3, 1)),
        by=actor_of_entry(old.a),
        key="late",
        expected_version=0,
        now=NOW,
    )
    assert outcome == Refused("match_void", {"match": old.match_id})


# --- who is told


def test_the_other_player_is_asked_with_the_score_as_they_see_it_and_once() -> None:
    tournament = running(report_minutes=15)
    pairing = first(tournament)
    for _ in range(2):
        tell(pairing, "a", (3, 1), key="phone")
    until = (NOW + timedelta(minutes=15)).isoformat()
    asked = {"match": pairing.match_id, "opponent": side(pairing, "a").pk, "sets": [1, 3], "until": until}
    assert told(pairing, "b") == [("report_waiting", asked)]
    assert told(pairing, "a") == []
    tell(pairing, "b", (1, 3))
    assert told(pairing, "a") == [("report_disputed", {"match": pairing.match_id, "opponent": side(pairing, "b").pk})]
    tell(pairing, "b", (3, 1))
    assert result(pairing) == (SCORE, 3, 1)
    assert len(told(pairing, "a")) == len(told(pairing, "b")) == 1


# --- a second person


def entered(tournament: Tournament, by: Actor, sets: tuple[int, int], key: str, why: str = "") -> Submission:
    return done(
        results.enter_result(
            match_id=first(tournament).match_id or 0,
            report=Report(SCORE, sets),
            by=by,
            key=key,
            expected_version=0,
            now=NOW,
            why=why,
        )
    )


def test_where_a_second_person_confirms_no_one_of_staff_suffices() -> None:
    tournament = running(second_confirms=True, players_report=False)
    pairing = first(tournament)
    one = entered(tournament, MARTA, (3, 1), "marta")
    assert (result(pairing), state(tournament)) == (("", 0, 0), ("second", True))
    assert confirm_report(submission_id=one.pk, by=MARTA, now=NOW) == Refused("same_person")
    done(confirm_report(submission_id=one.pk, by=OLLI, now=NOW))
    assert (result(pairing), state(tournament)) == ((SCORE, 3, 1), None)


def test_a_player_is_a_second_person_even_where_players_do_not_report() -> None:
    tournament = running(second_confirms=True, players_report=False)
    pairing = first(tournament)
    one = entered(tournament, organiser(of=tournament), (3, 1), "desk")
    loser = side(pairing, "b")
    done(reports.agree_own(entry_id=loser.pk, submission_id=one.pk, by=actor_of_entry(loser), now=NOW))
    assert result(pairing) == (SCORE, 3, 1)


def test_an_organiser_who_says_why_decides_alone_and_a_referee_does_not() -> None:
    tournament = running(second_confirms=True)
    pairing = first(tournament)
    assert entered(tournament, MARTA, (3, 0), "marta", why="I saw it").is_waiting
    assert entered(tournament, organiser(of=tournament), (3, 1), "alone", why="The referee left").is_confirmed
    assert result(pairing) == (SCORE, 3, 1)
    assert Act.objects.get(verb="enter_result").why == "The referee left"
    correction: dict[str, Any] = {
        "match_id": pairing.match_id or 0,
        "report": Report(WALKOVER, winner="b"),
        "by": organiser(of=tournament),
        "expected_version": 1,
        "now": NOW,
    }
    assert results.correct_result(key="no", **correction) == Refused("why_missing", status=400)
    done(results.correct_result(key="yes", why="The wrong slip", **correction))
    assert result(pairing) == (WALKOVER, 0, 3)


def test_two_players_who_agree_are_two_people() -> None:
    tournament = running(second_confirms=True)
    pairing = first(tournament)
    tell(pairing, "a", (3, 1))
    tell(pairing, "b", (3, 1))
    assert result(pairing) == (SCORE, 3, 1)


# --- at once


@pytest.mark.db
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("answer", ["same", "other", "agree"])
def test_time_running_out_and_the_answer_in_the_same_instant_make_one_result(answer: str) -> None:
    for answer_first in (True, False):
        tournament = running(2, unanswered="confirm")
        pairing = first(tournament)
        report = done(tell(pairing, "a", (3, 1)))
        at = NOW + timedelta(minutes=10)
        other = side(pairing, "b")

        def settle(pk: int = report.pk, at: datetime = at) -> None:
            reports.settle_unanswered(submission_id=pk, now=at)

        def say(pairing: Pairing = pairing, other: Entry = other, pk: int = report.pk) -> str:
            if answer == "agree":
                outcome = reports.agree_own(entry_id=other.pk, submission_id=pk, by=actor_of_entry(other), now=NOW)
            else:
                outcome = reports.report_own(
                    entry_id=other.pk,
                    match_id=pairing.match_id or 0,
                    report=Report(SCORE, (3, 1) if answer == "same" else (1, 3)),
                    by=actor_of_entry(other),
                    key=f"answer-{pairing.match_id}",
                    expected_version=0,
                    now=NOW,
                )
            return outcome.code if isinstance(outcome, Refused) else "done"

        one_behind_the_other(*((say, settle) if answer_first else (settle, say)))
        disputed = answer == "other" and answer_first
        assert result(pairing) == (("", 0, 0) if disputed else (SCORE, 3, 1))
        assert Submission.objects.filter(match=pairing.match_id, is_confirmed=True).count() == (0 if disputed else 1)
        settled = ("agree_result", "confirm_report", "confirm_unanswered")
        acts = Act.objects.filter(target=f"match/{pairing.match_id}", verb__in=settled)
        assert acts.count() == (0 if disputed else 1)
