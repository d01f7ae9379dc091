"""Somebody else in the place of a player who has played nothing."""

from __future__ import annotations

from typing import Any

import pytest

from matches.actions import report_result
from matches.actions.judging import Report
from players.models import Player
from players.permissions import Actor, Refused, Role
from tests.factories import NOW, make_entry, make_field, make_tournament, organiser
from tests.tournaments.actions.running import does, entry, seats, started
from tests.tournaments.actions.test_queue import called, of, queued
from tests.tournaments.halls import LATER
from tests.tournaments.halls import act as later
from tests.tournaments.play import draft, pairings, play_open, publish, report, start, table
from tournaments.actions.coming import say_coming
from tournaments.actions.presence import say_here
from tournaments.actions.replacements import replace_by, replace_entry, undo_replacement
from tournaments.actions.results import clear_result
from tournaments.actions.rounds import start_tournament, take_back_round, withdraw_entry
from tournaments.engine.formats import FORMATS
from tournaments.models import Entry, Notice, Tournament

pytestmark = pytest.mark.django_db

every_format = pytest.mark.parametrize("key", [each.key for each in FORMATS])
PLAYED = Refused("entry_has_played")


def instead_of(tournament: Tournament, leaving: Entry, name: str = "Instead", **said: Any) -> Any:
    return does(tournament, replace_entry, entry_id=leaving.pk, name=name, **said)


@every_format
def test_the_newcomer_has_the_seed_the_pairings_and_the_open_match(key: str) -> None:
    tournament = started(4, format=key)
    before = [seats(tournament, number) for number in (1, 2, 3)]
    leaving = entry(tournament, 3)
    match = next(p.match for p in pairings(tournament, 1) if leaving.pk in (p.a_id, p.b_id))
    came = instead_of(tournament, leaving)
    assert (came.seed, came.since, came.status, came.checked_in_at) == (3, 1, "active", NOW)
    assert [seats(tournament, number) for number in (1, 2, 3)] == before
    assert match is not None
    version = match.version
    match.refresh_from_db()
    assert came.player in (match.seat_a, match.seat_b)
    assert leaving.player not in (match.seat_a, match.seat_b)
    assert match.version == version + 1
    leaving.refresh_from_db()
    assert (leaving.seed, leaving.status) == (None, "active")
    assert "Instead" in [name for _, name, _ in table(tournament)]


def test_whoever_comes_into_a_called_match_is_called_and_nobody_has_answered_for_them() -> None:
    tournament = queued(4, (1,), format="single_elimination")
    called(tournament)
    first = of(tournament, 1, 4)
    leaving, other = first.a, first.b
    assert other is not None
    for each in (leaving, other):
        does(tournament, say_coming, entry_id=each.pk, match_id=first.match_id)
    does(tournament, say_here, entry_id=leaving.pk, match_id=first.match_id)
    came = later(replace_entry, tournament, entry_id=leaving.pk, name="Instead")
    first.refresh_from_db()
    assert (first.a_id, first.called_at, first.coming_a_at, first.here_a_at) == (came.pk, NOW, None, None)
    assert first.coming_b_at == NOW
    told = Notice.objects.filter(created_at=LATER).order_by("pk")
    assert [(each.entry_id, each.kind, each.params["opponent"]) for each in told] == [
        (came.pk, "called", other.pk),
        (other.pk, "moved", came.pk),
    ]


@every_format
def test_the_place_goes_back_in_one_press_and_the_newcomer_is_forgotten(key: str) -> None:
    tournament = started(4, format=key)
    leaving, people, rows = entry(tournament, 3), Player.objects.count(), table(tournament)
    came = instead_of(tournament, leaving)
    assert does(tournament, undo_replacement, entry_id=came.pk) == leaving
    leaving.refresh_from_db()
    assert (leaving.seed, tournament.entries.count(), Player.objects.count()) == (3, 4, people)
    assert table(tournament) == rows
    assert does(tournament, undo_replacement, entry_id=leaving.pk) == Refused("not_a_replacement")


@every_format
def test_whoever_has_a_result_keeps_the_place(key: str) -> None:
    tournament = started(4, format=key)
    first = pairings(tournament, 1)[0]
    report(first, (3, 0))
    assert instead_of(tournament, first.a) == PLAYED
    assert tournament.entries.count() == 4
    assert first.match is not None
    first.match.refresh_from_db()
    by = organiser(of=tournament)
    clear_result(match_id=first.match.pk, by=by, expected_version=first.match.version, now=NOW)
    assert instead_of(tournament, first.a).seed == first.a.seed


def test_a_report_that_waits_for_a_second_word_is_something_played() -> None:
    tournament = started(4, players_report=True)
    first = pairings(tournament, 1)[0]
    assert first.match is not None
    by = Actor(role=Role.PLAYER, name="x", entry=first.a_id, event=tournament.event_id, tournament=tournament.pk)
    told = Report("score", (3, 1))
    waits = report_result(match_id=first.match.pk, report=told, by=by, seat="a", key="own", expected_version=0, now=NOW)
    assert not isinstance(waits, Refused)
    assert instead_of(tournament, first.a) == PLAYED


def test_whoever_has_left_is_replaced_and_a_draft_is_paired_with_the_newcomer() -> None:
    tournament = make_tournament(seeding="rating")
    make_field(size=4, tournament=tournament)
    start_tournament(tournament_id=tournament.pk, by=organiser(of=tournament), now=NOW)
    leaving = entry(tournament, 2)
    does(tournament, withdraw_entry, entry_id=leaving.pk)
    assert sorted(seed for pair in seats(tournament, 1) for seed in pair if seed) == [1, 3, 4]
    came = instead_of(tournament, leaving)
    assert sorted(seed for pair in seats(tournament, 1) for seed in pair if seed) == [1, 2, 3, 4]
    assert does(tournament, undo_replacement, entry_id=came.pk).status == "withdrawn"
    assert sorted(seed for pair in seats(tournament, 1) for seed in pair if seed) == [1, 3, 4]


def test_a_bye_moves_with_the_place() -> None:
    tournament = started(3, format="single_elimination")
    came = instead_of(tournament, entry(tournament, 1))
    assert seats(tournament, 1) == [(1, None), (2, 3)]
    play_open(tournament)
    assert pairings(tournament, 2)[0].a == came


def test_somebody_on_the_roster_who_does_not_play_can_have_the_place() -> None:
    tournament = make_tournament(seeding="rating")
    make_field(size=4, tournament=tournament)
    waiting = make_entry(tournament=tournament, name="Standby")
    start(tournament)
    leaving = entry(tournament, 4)
    came = does(tournament, replace_by, entry_id=leaving.pk, by_entry=waiting.pk)
    assert (came.pk, came.seed) == (waiting.pk, 4)
    assert does(tournament, replace_by, entry_id=came.pk, by_entry=entry(tournament, 1).pk) == Refused(
        "already_playing"
    )
    assert does(tournament, replace_by, entry_id=came.pk, by_entry=0) == Refused(
        "entry_unknown", {"entry": 0}, status=404
    )
    assert does(tournament, replace_by, entry_id=leaving.pk, by_entry=came.pk) == Refused("not_playing")
    assert does(tournament, undo_replacement, entry_id=waiting.pk) == leaving
    waiting.refresh_from_db()
    assert (waiting.seed, waiting.status) == (None, "active")


def test_the_place_of_a_replacement_can_be_given_on_and_comes_back_step_by_step() -> None:
    tournament = started(4)
    one = entry(tournament, 2)
    two = instead_of(tournament, one, "Two")
    three = instead_of(tournament, two, "Three")
    assert does(tournament, undo_replacement, entry_id=three.pk) == two
    assert does(tournament, undo_replacement, entry_id=two.pk) == one


def test_once_the_newcomer_has_played_the_place_is_theirs() -> None:
    tournament = started(4)
    came = instead_of(tournament, entry(tournament, 2))
    play_open(tournament)
    assert does(tournament, undo_replacement, entry_id=came.pk) == PLAYED
    draft(tournament)
    publish(tournament)
    assert does(tournament, undo_replacement, entry_id=came.pk) == PLAYED


def test_a_match_that_was_taken_back_keeps_the_newcomer_known() -> None:
    tournament = started(4)
    came = instead_of(tournament, entry(tournament, 2))
    does(tournament, take_back_round, stage_id=tournament.stages.get().pk)
    assert does(tournament, undo_replacement, entry_id=came.pk).name == "Player 02"
    assert not tournament.entries.filter(pk=came.pk).exists()
    assert Player.objects.filter(pk=came.player_id).exists()


def test_nobody_is_replaced_before_the_start_or_by_a_name_that_cannot_be() -> None:
    tournament = make_tournament()
    made = make_entry(tournament=tournament)
    assert instead_of(tournament, made) == Refused("not_running")
    assert instead_of(tournament, made, "") == Refused("name_missing", status=400)
    unknown = Refused("entry_unknown", {"entry": 0}, status=404)
    for act, said in ((replace_entry, {"name": "X"}), (replace_by, {"by_entry": made.pk}), (undo_replacement, {})):
        assert does(tournament, act, entry_id=0, **said) == unknown


def test_a_name_that_is_there_is_asked_about_and_nothing_moves() -> None:
    tournament = started(4)
    before = pairings(tournament, 1)
    outcome = instead_of(tournament, entry(tournament, 2), "Player 01")
    assert outcome == Refused("same_name", {"name": "Player 01", "entries": [entry(tournament, 1).pk]})
    assert [p.b.name for p in pairings(tournament, 1) if p.b] == [p.b.name for p in before if p.b]
