"""Players who come after the start: where there is a place for them, and how they are taken out again."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from matches.models import Match
from players.models import Player
from players.permissions import Refused
from tests.factories import NOW, make_entry, make_field, make_tournament, organiser
from tests.tournaments.actions.running import does, entry, of_both, seats, started
from tests.tournaments.play import count_up, draft, meetings, pairings, play_open, publish, report, start, table
from tournaments.actions.latecomers import late_entry, let_in, remove_late_entry
from tournaments.actions.rounds import start_tournament, withdraw_entry
from tournaments.models import Entry, Tournament

pytestmark = pytest.mark.django_db

NO_PLACE = Refused("no_place_for_late")


def late(tournament: Tournament, name: str = "Late", **said: Any) -> Any:
    return does(tournament, late_entry, tournament_id=tournament.pk, name=name, **said)


def take_out(tournament: Tournament, gone: Entry) -> Any:
    return does(tournament, remove_late_entry, entry_id=gone.pk)


# --- Swiss


def test_in_a_swiss_somebody_late_plays_from_the_next_round_on() -> None:
    tournament = started(5, options={"rounds": 3})
    came = late(tournament)
    assert (came.seed, came.since, came.status, came.checked_in_at) == (6, 2, "active", NOW)
    play_open(tournament)
    draft(tournament)
    publish(tournament)
    assert [p.b for p in pairings(tournament, 2)].count(None) == 0
    assert "Late" in [name for pair in meetings(tournament, 2) for name in pair]


@pytest.mark.parametrize(("policy", "points"), [("loss", 0), ("tie", 1), ("bye", 3)])
def test_the_rounds_before_are_worth_what_was_settled(policy: str, points: int) -> None:
    tournament = started(4, options={"rounds": 3, "late_rounds": policy})
    play_open(tournament)
    late(tournament)
    assert {name: scored for _, name, scored in table(tournament)}["Late"] == points


def test_a_draft_is_paired_again_with_whoever_comes() -> None:
    tournament = make_tournament(seeding="rating")
    make_field(size=5, tournament=tournament)
    start_tournament(tournament_id=tournament.pk, by=organiser(of=tournament), now=NOW)
    came = late(tournament)
    assert came.since == 1
    assert sorted(seed for pair in seats(tournament, 1) for seed in pair if seed) == [1, 2, 3, 4, 5, 6]


def test_nobody_can_join_once_the_last_round_is_out() -> None:
    tournament = started(4, options={"rounds": 1})
    assert late(tournament) == Refused("no_round_left")
    assert tournament.entries.count() == 4


def test_somebody_late_who_was_not_paired_yet_is_taken_out_as_if_they_had_not_come() -> None:
    tournament = started(5, options={"rounds": 3})
    before, people = table(tournament), Player.objects.count()
    first, second = late(tournament, "First"), late(tournament, "Second")
    assert take_out(tournament, first) is None
    second.refresh_from_db()
    assert second.seed == 6
    assert take_out(tournament, second) is None
    assert (table(tournament), Player.objects.count()) == (before, people)


def test_once_paired_somebody_late_can_only_leave() -> None:
    tournament = started(5, options={"rounds": 3})
    came = late(tournament)
    play_open(tournament)
    draft(tournament)
    publish(tournament)
    assert take_out(tournament, came) == Refused("entry_is_paired")
    play_open(tournament)
    assert take_out(tournament, came) == Refused("entry_has_played")


def test_a_draft_is_paired_again_without_whoever_is_taken_out() -> None:
    tournament = started(5, options={"rounds": 3})
    play_open(tournament)
    came = late(tournament)
    draft(tournament)
    assert take_out(tournament, came) is None
    assert sorted(seed for pair in seats(tournament, 2) for seed in pair if seed) == [1, 2, 3, 4, 5]


def test_whoever_was_there_from_the_start_is_not_late() -> None:
    tournament = started(4)
    assert take_out(tournament, entry(tournament, 4)) == Refused("not_late")


# --- who it is


def test_the_same_name_is_asked_about_and_nothing_is_done() -> None:
    tournament = started(4)
    outcome = late(tournament, "Player 01")
    assert outcome == Refused("same_name", {"name": "Player 01", "entries": [entry(tournament, 1).pk]})
    assert late(tournament, "Player 01", name_again=True).display_name == "Player 01 (#2)"


def test_a_name_that_cannot_be_is_refused_before_all_else() -> None:
    assert late(started(4), " ") == Refused("name_missing", status=400)


def test_whoever_was_left_out_at_the_start_is_let_in_and_left_out_again() -> None:
    tournament = make_tournament(seeding="rating", options={"rounds": 3})
    make_field(size=4, tournament=tournament)
    missing = make_entry(tournament=tournament, name="Missing")
    start(tournament)
    assert does(tournament, let_in, entry_id=missing.pk).since == 2
    assert does(tournament, let_in, entry_id=missing.pk) == Refused("already_playing")
    assert take_out(tournament, missing) is None
    missing.refresh_from_db()
    assert (missing.seed, missing.since, missing.status) == (None, 1, "active")
    assert does(tournament, let_in, entry_id=missing.pk).seed == 5


def test_before_the_start_and_after_the_end_nobody_is_late() -> None:
    tournament = make_tournament()
    made = make_entry(tournament=tournament)
    assert late(tournament) == Refused("not_running")
    assert does(tournament, let_in, entry_id=made.pk) == Refused("not_running")
    assert does(tournament, remove_late_entry, entry_id=made.pk) == Refused("not_running")
    unknown = Refused("entry_unknown", {"entry": 0}, status=404)
    assert does(tournament, let_in, entry_id=0) == unknown
    assert does(tournament, remove_late_entry, entry_id=0) == unknown
    by = organiser(of=tournament)
    assert late_entry(tournament_id=0, name="Late", by=by, now=NOW) == Refused(
        "tournament_unknown", {"tournament": 0}, status=404
    )


# --- round robin and groups


def test_nobody_joins_a_round_robin_that_is_played() -> None:
    tournament = started(5, format="round_robin")
    play_open(tournament)
    assert late(tournament) == NO_PLACE


def test_a_round_robin_grows_by_the_matches_of_the_free_seat() -> None:
    tournament = started(5, format="round_robin")
    report(pairings(tournament, 1)[0], (3, 0))
    came = late(tournament)
    assert (came.seed, came.since) == (6, 1)
    met = [seats(tournament, number) for number in range(1, 6)]
    assert [len(pairs) for pairs in met] == [3] * 5
    assert sorted(seed for pairs in met for pair in pairs if 6 in pair for seed in pair if seed) == [
        *range(1, 6),
        *[6] * 5,
    ]
    assert [[p.table for p in pairings(tournament, number)] for number in range(1, 6)] == [[1, 2, 3]] * 5
    play_open(tournament)
    assert [row[1] for row in table(tournament)] == [f"Player 0{n}" for n in range(1, 6)] + ["Late"]


def test_a_round_robin_of_even_size_has_no_place() -> None:
    tournament = started(4, format="round_robin")
    assert late(tournament) == NO_PLACE
    assert Match.objects.filter(is_void=True).count() == 0


def test_a_player_late_to_a_round_robin_is_taken_out_while_nothing_is_played() -> None:
    tournament = started(5, format="round_robin")
    before = [seats(tournament, number) for number in range(1, 6)]
    came = late(tournament)
    assert take_out(tournament, came) is None
    assert [seats(tournament, number) for number in range(1, 6)] == before
    assert Match.objects.filter(is_void=True).count() == 5
    again = late(tournament)
    report(of_both(tournament, 1, 6), (3, 0))
    assert take_out(tournament, again) == Refused("entry_has_played")


def test_a_group_takes_somebody_in_when_its_size_is_odd() -> None:
    odd = started(7, format="groups", options={"groups": 2})
    came = late(odd)
    assert sum(8 in pair for number in (1, 2, 3) for pair in seats(odd, number)) == 3
    assert take_out(odd, came) is None
    even = started(6, format="groups", options={"groups": 3})
    assert late(even) == NO_PLACE


# --- brackets


@pytest.mark.parametrize("key", ["single_elimination", "double_elimination"])
def test_in_a_bracket_somebody_late_takes_a_bye_that_nobody_has_played_from(key: str) -> None:
    tournament = started(7, format=key)
    assert seats(tournament, 1) == [(1, None), (4, 5), (2, 7), (3, 6)]
    came = late(tournament)
    assert (came.seed, came.since) == (8, 1)
    assert seats(tournament, 1) == [(1, 8), (4, 5), (2, 7), (3, 6)]
    assert [p.table for p in pairings(tournament, 1)] == [4, 1, 2, 3]
    assert late(tournament, "Later") == NO_PLACE
    while any(p.match and p.match.is_open for p in pairings(tournament)):
        play_open(tournament)
    assert table(tournament)[0][1] == "Player 01"


def test_a_next_match_nobody_has_played_is_taken_back_for_somebody_late() -> None:
    tournament = started(6, format="single_elimination")
    assert seats(tournament, 1) == [(1, None), (4, 5), (2, None), (3, 6)]
    report(of_both(tournament, 4, 5), (3, 0))
    report(of_both(tournament, 3, 6), (3, 0))
    count_up(tournament)
    assert seats(tournament, 2) == [(1, 4), (2, 3)]
    report(of_both(tournament, 2, 3), (3, 0))
    came = late(tournament)
    assert seats(tournament, 1)[0] == (1, 7)
    assert seats(tournament, 2) == [(2, 3)]
    assert Match.objects.filter(is_void=True).count() == 1
    assert late(tournament, "Later") == NO_PLACE
    assert take_out(tournament, came) is None
    assert (seats(tournament, 1)[0], seats(tournament, 2)) == ((1, None), [(1, 4), (2, 3)])


def test_a_bye_that_was_played_from_is_no_place() -> None:
    tournament = started(3, format="single_elimination")
    report(of_both(tournament, 2, 3), (3, 0))
    count_up(tournament)
    report(of_both(tournament, 1, 2), (3, 0))
    count_up(tournament)
    assert late(tournament) == NO_PLACE


def test_a_full_bracket_has_no_place_and_its_draft_has() -> None:
    assert late(started(4, format="single_elimination")) == NO_PLACE
    tournament = make_tournament(format="single_elimination", seeding="rating")
    make_field(size=4, tournament=tournament)
    start_tournament(tournament_id=tournament.pk, by=organiser(of=tournament), now=NOW)
    came = late(tournament)
    assert seats(tournament, 1) == [(1, None), (4, 5), (2, None), (3, None)]
    assert take_out(tournament, came) is None
    assert seats(tournament, 1) == [(1, 4), (2, 3)]


def test_the_bye_of_somebody_who_has_left_is_no_place() -> None:
    tournament = started(3, format="single_elimination")
    does(tournament, withdraw_entry, entry_id=entry(tournament, 1).pk)
    assert late(tournament) == NO_PLACE


def test_whoever_meets_somebody_late_is_expected_when_the_round_begins() -> None:
    begins = NOW + timedelta(minutes=30)
    tournament = started(3, format="round_robin", starts_at=begins)
    came = late(tournament)
    (theirs,) = (p for p in pairings(tournament, 1) if came.pk in (p.a_id, p.b_id))
    assert [p.due_at for p in pairings(tournament, 1)] == [begins, begins]
    assert theirs.match is not None
