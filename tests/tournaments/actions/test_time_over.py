"""Matches the clock of their round ends: with which sets, by whose word, and when not yet."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

import pytest

from matches.actions import FORFEIT, SCORE, TIME, Report
from matches.actions.games import make_move
from matches.models import Game, Match, Submission
from matches.queries.games import record_of
from players.models import Act
from players.permissions import Actor, Refused, Role
from tests.factories import NOW, organiser
from tests.tournaments.actions.game_acts import seated
from tests.tournaments.play import count_up, pairings
from tests.tournaments.views.referee import match_of, running
from tournaments.actions import clocks, games, reports, results
from tournaments.models import Notice, Pairing, Tournament
from tournaments.permissions import actor_of_entry
from tournaments.queries.games import game_of
from tournaments.queries.time_over import MatchTime, match_times, newly_over
from tournaments.words.acts import act_text
from tournaments.words.notices import notice_text

pytestmark = pytest.mark.django_db


def at(minutes: float) -> datetime:
    return NOW + timedelta(minutes=minutes)


def timed(size: int = 4, **facts: Any) -> Tournament:
    """A tournament whose first round has fifty minutes, which began at NOW."""
    tournament = running(size, **({"round_minutes": 50} | facts))
    start_clock(tournament)
    return tournament


def start_clock(tournament: Tournament) -> None:
    clocks.start_clock(round_id=pairings(tournament)[0].round_id, by=organiser(of=tournament), now=NOW)


def tell(
    pairing: Pairing,
    sets: tuple[int, int],
    *,
    kind: str = TIME,
    minute: float = 50,
    by: Actor | None = None,
    act: Any = results.enter_result,
    **said: Any,
) -> str:
    """What was taken, as it counts: "time 2:1 a"; the code where nothing was."""
    match = pairing.match
    assert match is not None
    match.refresh_from_db()
    outcome = act(
        match_id=match.pk,
        report=Report(kind, sets),
        by=by or organiser(of=pairing.round.stage.tournament),
        **({"key": f"{match.pk}-{Submission.objects.count()}", "expected_version": match.version} | said),
        now=at(minute),
    )
    if isinstance(outcome, Refused):
        return outcome.code
    return f"{outcome.kind} {outcome.sets_a}:{outcome.sets_b} {outcome.winner}".strip()


def first(tournament: Tournament) -> Pairing:
    return pairings(tournament)[0]


def times(tournament: Tournament, minute: float) -> list[MatchTime | None]:
    found = [clocked(each) for each in pairings(tournament)]
    known = match_times(pairings=found, now=at(minute))
    return [known.get(match_of(each)) for each in found]


def clocked(pairing: Pairing) -> Pairing:
    return Pairing.objects.select_related("match", "round__clock", "round__stage__tournament").get(pk=pairing.pk)


# --- When


@pytest.mark.db
def test_a_match_ends_on_time_once_the_clock_has_run_out_at_its_table() -> None:
    tournament = timed()
    one, other = pairings(tournament)
    clocks.give_time(match_id=match_of(one), seconds=180, by=organiser(of=tournament), now=NOW)
    assert [tell(one, (2, 1), minute=each) for each in (49, 50, 52.9)] == ["time_not_over"] * 3
    assert [tell(other, (1, 0), minute=each) for each in (49.9, 50)] == ["time_not_over", "time 1:0 a"]
    assert tell(one, (1, 2), minute=53) == "time 1:2 b"


def test_a_clock_that_stands_before_its_end_ends_nothing() -> None:
    tournament = timed()
    pairing, by = first(tournament), organiser(of=tournament)
    clocks.pause_clock(round_id=pairing.round_id, by=by, now=at(49))
    assert tell(pairing, (2, 1), minute=90) == "time_not_over"
    clocks.resume_clock(round_id=pairing.round_id, by=by, now=at(90))
    assert tell(pairing, (2, 1), minute=91) == "time 2:1 a"


def test_without_a_clock_no_match_ends_on_time() -> None:
    assert tell(first(running(2)), (2, 1)) == "no_round_time"
    tournament = running(2, round_minutes=50)
    assert tell(first(tournament), (2, 1)) == "time_not_over"  # nobody has started it
    start_clock(tournament)
    clocks.reset_clock(round_id=first(tournament).round_id, by=organiser(of=tournament), now=at(50))
    assert tell(first(tournament), (2, 1), minute=60) == "time_not_over"


def test_what_was_taken_is_answered_again_whatever_the_clock_says_by_then() -> None:
    tournament = timed()
    pairing = first(tournament)
    assert tell(pairing, (2, 1), key="from-a-phone", expected_version=0) == "time 2:1 a"
    clocks.extend_clock(
        round_id=pairing.round_id, minutes=30, expected_version=1, by=organiser(of=tournament), now=at(51)
    )
    assert tell(pairing, (2, 1), minute=52, key="from-a-phone", expected_version=0) == "time 2:1 a"
    assert tell(pairing, (2, 0), minute=52, key="from-a-phone", expected_version=0) == "key_reused"
    assert Submission.objects.count() == 1


# --- With which sets


@pytest.mark.parametrize(
    ("at_time", "allows_tie", "level"),
    [
        ("finish_set", False, "level_at_time"),
        ("finish_set", True, "time 1:1"),
        ("sudden_death", False, "level_at_time"),
        ("sudden_death", True, "level_at_time"),
        ("tie", True, "time 1:1"),
    ],
)
def test_the_rule_of_the_tournament_says_whether_level_is_a_result(at_time: str, allows_tie: bool, level: str) -> None:
    tournament = timed(2, at_time=at_time, allows_tie=allows_tie)
    assert times(tournament, 50) == [MatchTime(True, level == "time 1:1")]
    assert tell(first(tournament), (1, 1)) == level
    if level == "level_at_time":
        assert tell(first(tournament), (2, 1), minute=55) == "time 2:1 a"  # the set that decided


@pytest.mark.parametrize(
    ("sets", "code"),
    [((3, 1), "not_cut_short"), ((4, 1), "too_many_sets"), ((-1, 1), "negative"), ((3, 3), "both_won")],
)
def test_sets_that_win_the_match_are_no_end_on_time(sets: tuple[int, int], code: str) -> None:
    assert tell(first(timed(2, allows_tie=True)), sets) == code


def test_where_a_clock_runs_a_tie_waits_for_it_too() -> None:
    tournament = timed(allows_tie=True)
    one, other = pairings(tournament)
    assert [tell(one, (1, 1), kind=SCORE, minute=each) for each in (49, 50)] == ["time_not_over", "score 1:1"]
    Tournament.objects.update(at_time="sudden_death")
    assert tell(other, (1, 1), kind=SCORE) == "level_at_time"
    assert tell(other, (3, 1), kind=SCORE, minute=20) == "score 3:1 a"  # what is won needs no clock
    (plain,) = pairings(running(2, allows_tie=True))
    assert tell(plain, (1, 1), kind=SCORE) == "score 1:1"


def test_st_09_a_match_without_a_winner_stays_open_and_holds_the_next_one_up() -> None:
    """Where no match may end tied the next one waits for the replay: level sets send nobody on."""
    tournament = timed(4, format="single_elimination")
    one, other = pairings(tournament)
    assert [tell(one, level, kind=kind, minute=60) for level in ((1, 1), (2, 2)) for kind in (TIME, SCORE)] == [
        *("level_at_time", "not_decided"),
        *("level_at_time", "not_decided"),
    ]
    tell(other, (3, 0), kind=SCORE)
    count_up(tournament)
    assert [each.round.number for each in pairings(tournament)] == [1, 1]
    assert tell(one, (2, 1), minute=70) == "time 2:1 a"
    count_up(tournament)
    (final,) = pairings(tournament, 2)
    assert {final.a, final.b} == {one.a, other.a}
    results.clear_result(
        match_id=match_of(one), by=organiser(of=tournament), expected_version=1, now=at(71), why="a replay"
    )
    count_up(tournament)
    assert [each.round.number for each in pairings(tournament)] == [1, 1]


# --- By whom


@pytest.mark.db
def test_players_end_their_match_on_time_as_they_report_any_score() -> None:
    tournament = timed(players_report=True)
    pairing = first(tournament)
    assert pairing.b is not None
    for entry, minute, taken in (
        (pairing.a, 49, "time_not_over"),
        (pairing.a, 50, "time 2:1 a"),
        (pairing.b, 51, "time 2:1 a"),
    ):
        by = actor_of_entry(entry)
        assert tell(pairing, (2, 1), by=by, act=reports.report_own, minute=minute, entry_id=entry.pk) == taken
    asked = Notice.objects.get(kind="report_waiting")
    assert (asked.entry, asked.params["sets"], asked.params["ended"]) == (pairing.b, [1, 2], TIME)
    assert notice_text(asked).startswith("Your opponent says that your match ended 1–2, on time. Is that right?")
    pairing.refresh_from_db()
    assert pairing.match is not None
    assert (pairing.match.kind, pairing.match.winner) == (TIME, "a")


def test_the_second_person_confirms_an_end_on_time_like_any_other() -> None:
    tournament = timed(2, second_confirms=True)
    pairing = first(tournament)
    marta, olli = (Actor(role=Role.REFEREE, name=name, link=n) for n, name in enumerate(("Marta", "Olli"), start=1))
    assert [tell(pairing, (2, 1), by=by) for by in (marta, olli)] == ["time 2:1 a", "time 2:1 a"]
    pairing.match.refresh_from_db()  # type: ignore[union-attr]
    assert pairing.match is not None
    assert (pairing.match.kind, Act.objects.filter(verb="agree_result").count()) == (TIME, 1)


def test_a_correction_looks_at_the_clock_unless_time_had_ended_the_match_already() -> None:
    tournament = timed(2)
    pairing, by = first(tournament), organiser(of=tournament)
    tell(pairing, (3, 1), kind=SCORE, minute=30)
    assert tell(pairing, (2, 1), act=results.correct_result, minute=40) == "time_not_over"
    assert tell(pairing, (2, 1), act=results.correct_result) == "time 2:1 a"
    clocks.reset_clock(round_id=pairing.round_id, by=by, now=at(55))
    assert tell(pairing, (1, 1), act=results.correct_result, minute=56) == "level_at_time"
    assert tell(pairing, (1, 2), act=results.correct_result, minute=56) == "time 1:2 b"


# --- What follows


def test_the_sets_stand_in_the_table_as_they_were_played() -> None:
    tournament = timed(allows_tie=True)
    one, other = pairings(tournament)
    tell(one, (1, 2))
    tell(other, (1, 1))
    found = {
        row.entry_id: (row.points, row.wins, row.ties, row.losses, row.sets_won, row.sets_lost)
        for row in count_up(tournament).standings.all()
    }
    assert [found[each or 0] for each in (one.b_id, one.a_id, other.a_id, other.b_id)] == [
        (3, 1, 0, 0, 2, 1),
        (0, 0, 0, 1, 1, 2),
        (1, 0, 1, 0, 1, 1),
        (1, 0, 1, 0, 1, 1),
    ]


def test_the_log_says_that_time_ended_it() -> None:
    tournament = timed(2)
    tell(first(tournament), (2, 1))
    act = Act.objects.get(verb="enter_result")
    said = act_text(verb=act.verb, what="table 1", before=act.before, after=act.after)
    assert said == "Entered table 1: 2–1, on time."


def test_pages_are_told_when_the_time_of_an_open_match_ends_and_not_again() -> None:
    tournament = timed(2)
    moment = timedelta(seconds=15)
    told = [newly_over(now=at(minute), within=moment) for minute in (49.9, 50, 50.2, 50.3)]
    assert told == [[], [tournament.pk], [tournament.pk], []]
    tell(first(tournament), (2, 1))
    assert newly_over(now=at(50), within=moment) == []


# --- Cards that lie here


def dealt(**facts: Any) -> Tournament:
    """A match played here whose first set lies open. The clock of its round began at NOW."""
    tournament = seated()
    Tournament.objects.update(round_minutes=50, **facts)
    Match.objects.update(allows_tie=facts.get("allows_tie", False))
    start_clock(tournament)
    return tournament


def finish_set(tournament: Tournament) -> list[int]:
    """Both stand as soon as they can; the sets that come of it."""
    pairing = first(tournament)
    game = game_of(match_id=match_of(pairing))
    assert game is not None
    while (turn := record_of(game)[1].turn) is not None:
        who = pairing.a if turn == 0 else pairing.b
        assert who is not None
        moved = make_move(game_id=game.pk, seat=turn, move="stand", at=game.position, by=actor_of_entry(who), now=NOW)
        assert isinstance(moved, Game), moved
        game = moved
    return list(record_of(game)[1].sets)


def test_a_match_whose_cards_lie_here_ends_as_they_stand_once_the_set_is_over() -> None:
    tournament = dealt()
    pairing = first(tournament)
    assert tell(pairing, (1, 0)) == "set_open"
    assert [found and found.can_end for found in times(tournament, 50)] == [False]
    sets = finish_set(tournament)
    assert sorted(sets) == [0, 1]
    a, b = sets
    assert times(tournament, 50) == [MatchTime(True, False, (a, b))]
    assert [tell(pairing, each) for each in ((2, 1), (b, a))] == ["stands_otherwise"] * 2
    assert tell(pairing, (a, b)) == f"time {a}:{b} {'a' if a else 'b'}"
    game = game_of(match_id=match_of(pairing))
    assert game is not None
    assert game.over_at is None  # the table stays as it was, and nobody moves any more
    moved = make_move(game_id=game.pk, seat=0, move="next", at=game.position, by=actor_of_entry(pairing.a), now=at(51))
    assert isinstance(moved, Refused)
    assert moved.code == "match_decided"


def play(tournament: Tournament, move: str, *, minute: float, seat: int | None = None) -> str:
    """A move of whoever is to act; "played", or the code where it was refused."""
    pairing = clocked(first(tournament))
    game = game_of(match_id=match_of(pairing))
    assert game is not None
    seat = record_of(game)[1].turn or 0 if seat is None else seat
    who = actor_of_entry(pairing.a)
    said: dict[str, Any] = {"pairing": pairing, "game": game, "seat": seat, "move": move, "at": game.position}
    outcome = games.play_move(**said, by=who, now=at(minute))
    return outcome.code if isinstance(outcome, Refused) else "played"


def test_after_its_time_a_set_here_is_finished_and_no_other_is_opened() -> None:
    tournament = dealt()
    assert play(tournament, "stand", minute=51) == "played"
    finish_set(tournament)
    assert play(tournament, "next", minute=51) == "time_is_over"
    clocks.give_time(match_id=match_of(first(tournament)), seconds=300, by=organiser(of=tournament), now=at(51))
    assert play(tournament, "next", minute=52) == "played"


def test_where_no_more_cards_are_played_nobody_moves_but_may_give_up() -> None:
    tournament = dealt(at_time="tie", allows_tie=True)
    assert [play(tournament, "stand", minute=minute) for minute in (49, 50)] == ["played", "time_is_over"]
    assert play(tournament, "forfeit", minute=51, seat=0) == "played"
    match = Match.objects.get()
    assert (match.kind, match.winner) == (FORFEIT, "b")


def test_a_move_that_was_made_in_time_is_that_move_whenever_it_comes_again() -> None:
    tournament = dealt()
    finish_set(tournament)
    pairing = clocked(first(tournament))
    game = game_of(match_id=match_of(pairing))
    assert game is not None
    said: dict[str, Any] = {
        "pairing": pairing,
        "seat": 0,
        "move": "next",
        "at": game.position,
        "by": actor_of_entry(pairing.a),
    }
    assert isinstance(games.play_move(game=game, now=at(49), **said), Game)
    later = game_of(match_id=match_of(pairing))
    assert later is not None
    again = games.play_move(game=later, now=at(51), **said)
    assert isinstance(again, Game)
    assert again.position == later.position


def test_where_no_more_cards_are_played_the_open_set_counts_for_nobody() -> None:
    tournament = dealt(at_time="tie", allows_tie=True)
    assert times(tournament, 50) == [MatchTime(True, True, (0, 0))]
    assert [tell(first(tournament), each) for each in ((1, 0), (0, 0))] == ["stands_otherwise", "time 0:0"]


def test_a_match_that_stands_level_here_plays_one_more_set() -> None:
    tournament = dealt()
    Match.objects.update(allows_tie=True)
    Tournament.objects.update(at_time="sudden_death")
    assert tell(first(tournament), (0, 0)) == "level_at_time"


def test_a_match_given_up_needs_no_clock() -> None:
    tournament = timed()
    pairing = first(tournament)
    outcome = results.enter_result(
        match_id=match_of(pairing),
        report=Report(FORFEIT, (2, 1), "b"),
        by=organiser(of=tournament),
        key="given-up",
        expected_version=0,
        now=at(5),
    )
    assert isinstance(outcome, Submission)
    assert (outcome.kind, outcome.sets_a, outcome.sets_b) == (FORFEIT, 2, 3)
