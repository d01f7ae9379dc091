"""Playing on with the best of a finished tournament."""

from __future__ import annotations

from functools import partial

import pytest

from players.permissions import Refused
from tests.factories import NOW, make_field, make_tournament, organiser
from tests.tournaments.at_once import one_behind_the_other
from tests.tournaments.play import (
    better_seed_wins,
    count_up,
    meetings,
    pairings,
    play_open,
    report,
    start,
    table,
)
from tournaments.actions import cuts, rounds
from tournaments.models import Tournament

pytestmark = pytest.mark.django_db


def finished(size: int) -> Tournament:
    tournament = make_tournament(seeding="rating", format="round_robin")
    make_field(size=size, tournament=tournament)
    start(tournament)
    play_open(tournament)
    rounds.finish_tournament(tournament_id=tournament.pk, by=organiser(of=tournament), now=NOW)
    count_up(tournament)
    return tournament


def cut(tournament: Tournament, best: int, **more: bool) -> Tournament | Refused:
    return cuts.play_on(
        tournament_id=tournament.pk, best=best, name="Cup", by=organiser(of=tournament), now=NOW, **more
    )


def test_tb_07_the_best_four_are_seeded_as_everybody_saw_them() -> None:
    tournament = finished(6)
    shown = [name for _, name, _ in table(tournament)]
    cup = cut(tournament, 4)
    assert isinstance(cup, Tournament)
    start(cup)
    assert meetings(cup, 1) == [(shown[0], shown[3]), (shown[1], shown[2])]
    players = {entry.name: entry.player_id for entry in tournament.entries.all()}
    assert {entry.name: entry.player_id for entry in cup.entries.all()} == {name: players[name] for name in shown[:4]}


def test_a_tournament_that_still_runs_has_no_best_yet() -> None:
    tournament = make_tournament()
    make_field(size=4, tournament=tournament)
    start(tournament)
    assert cut(tournament, 2) == Refused("not_finished")


def test_a_tie_at_the_cut_is_shown_and_wants_a_word() -> None:
    tournament = make_tournament(seeding="rating", format="swiss", options={"rounds": 1}, tiebreaks=())
    make_field(size=4, tournament=tournament)
    start(tournament)
    play_open(tournament)
    rounds.finish_tournament(tournament_id=tournament.pk, by=organiser(of=tournament), now=NOW)
    count_up(tournament)
    assert [rank for rank, _, _ in table(tournament)] == [1, 1, 3, 3]
    tied = sorted(row.entry_id for row in tournament.stages.get().standings.filter(rank=3))
    outcome = cut(tournament, 3)
    assert isinstance(outcome, Refused)
    assert (outcome.code, sorted(outcome.params["entries"])) == ("tie_at_cut", tied)
    assert isinstance(cut(tournament, 3, accept_tie=True), Tournament)


def test_more_than_there_are_cannot_play_on() -> None:
    outcome = cut(finished(3), 4)
    assert outcome == Refused("too_few_players", {"least": 4, "here": 3}, status=400)


def test_the_table_the_cut_was_made_from_does_not_change() -> None:
    tournament = finished(4)
    before = table(tournament)
    cup = cut(tournament, 2)
    assert isinstance(cup, Tournament)
    start(cup)
    play_open(cup)
    assert table(tournament) == before
    assert [name for _, name, _ in table(cup)] == [name for _, name, _ in before[:2]]


@pytest.mark.db
@pytest.mark.django_db(transaction=True)
def test_playing_on_twice_at_once_makes_one_cup() -> None:
    tournament = finished(4)
    first, second = one_behind_the_other(partial(cut, tournament, 2), partial(cut, tournament, 2))
    assert isinstance(first, Tournament)
    assert second == first
    assert Tournament.objects.filter(name="Cup").count() == 1
    assert isinstance(another := cut(tournament, 3), Tournament)
    assert another != first


def test_nobody_plays_on_from_standings_that_lack_a_result() -> None:
    tournament = make_tournament(seeding="rating", format="round_robin")
    make_field(size=3, tournament=tournament)
    start(tournament)
    for pairing in pairings(tournament):
        if pairing.match_id is not None:
            report(pairing, better_seed_wins(pairing))
    rounds.finish_tournament(tournament_id=tournament.pk, by=organiser(of=tournament), now=NOW)
    assert cut(tournament, 2) == Refused("standings_behind")
    count_up(tournament)
    assert isinstance(cut(tournament, 2), Tournament)
