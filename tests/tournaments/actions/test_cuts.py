"""Playing on with the best of a finished tournament."""

from __future__ import annotations

from functools import partial
from typing import Any

import pytest

from players.permissions import Refused
from tests.factories import NOW, make_field, make_tournament, organiser
from tests.tournaments.at_once import one_behind_the_other
from tests.tournaments.play import (
    better_seed_wins,
    count_up,
    draft,
    meetings,
    pairings,
    play_open,
    publish,
    report,
    start,
    table,
)
from tournaments.actions import cuts, rounds
from tournaments.models import Pairing, Tournament

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


# --- After groups.


def grouped(size: int, groups: int, **facts: Any) -> Tournament:
    """Groups played to the end, every match won by the better seed."""
    tournament = make_tournament(seeding="rating", format="groups", options={"groups": groups}, **facts)
    make_field(size=size, tournament=tournament)
    start(tournament)
    play_open(tournament)
    rounds.finish_tournament(tournament_id=tournament.pk, by=organiser(of=tournament), now=NOW)
    count_up(tournament)
    return tournament


def came_from(source: Tournament, cup: Tournament) -> dict[str, tuple[int, int]]:
    """Group and place of everybody in the cup, by name."""
    rows = source.stages.get().standings.select_related("entry")
    found = {row.entry.name: (row.group or 0, row.place or 0) for row in rows}
    return {entry.name: found[entry.name] for entry in cup.entries.all()}


def first_round(source: Tournament, best: int) -> list[tuple[tuple[int, int], tuple[int, int]]]:
    """The first round of the cup from the top, each side as (group, place)."""
    cup = cut(source, best)
    assert isinstance(cup, Tournament)
    start(cup)
    of = came_from(source, cup)
    return [(of[a], of[b or ""]) for a, b in meetings(cup, 1)]


def test_gp_01_four_groups_of_which_two_play_on_meet_again_only_in_the_final() -> None:
    met = first_round(grouped(16, 4), 2)
    assert [sorted(place for _group, place in pair) for pair in met] == [[1, 2]] * 4
    assert all(one[0] != other[0] for one, other in met)
    for half in (met[:2], met[2:]):
        assert sorted(group for pair in half for group, _place in pair) == [1, 2, 3, 4]


def test_gp_01_four_groups_of_which_four_play_on_have_one_in_each_quarter() -> None:
    met = first_round(grouped(16, 4), 4)
    for quarter in range(0, 8, 2):
        both = met[quarter : quarter + 2]
        assert sorted(group for pair in both for group, _place in pair) == [1, 2, 3, 4]


def test_gp_01_two_groups_of_which_four_play_on_do_not_meet_inside_a_group_at_first() -> None:
    met = first_round(grouped(8, 2), 4)
    assert all(one[0] != other[0] for one, other in met)
    for half in (met[:2], met[2:]):
        assert sorted(group for pair in half for group, _place in pair) == [1, 1, 2, 2]


def test_gp_01_winners_of_groups_keep_the_better_seeds() -> None:
    source = grouped(16, 4)
    cup = cut(source, 2)
    assert isinstance(cup, Tournament)
    of = came_from(source, cup)
    places = [of[entry.name][1] for entry in cup.entries.order_by("hand_seed")]
    assert places == [1, 1, 1, 1, 2, 2, 2, 2]


def test_a_tie_at_the_line_of_a_group_is_told_by_name() -> None:
    source = make_tournament(seeding="rating", format="groups", options={"groups": 2}, tiebreaks=())
    make_field(size=6, tournament=source)
    start(source)
    circle = {frozenset(("Player 01", "Player 04")): "Player 01", frozenset(("Player 04", "Player 05")): "Player 04"}
    circle[frozenset(("Player 01", "Player 05"))] = "Player 05"

    def score(pairing: Pairing) -> tuple[int, int]:
        assert pairing.b is not None
        winner = circle.get(frozenset((pairing.a.name, pairing.b.name)))
        return better_seed_wins(pairing) if winner is None else (3, 1) if pairing.a.name == winner else (1, 3)

    play_open(source, score)
    rounds.finish_tournament(tournament_id=source.pk, by=organiser(of=source), now=NOW)
    count_up(source)
    outcome = cut(source, 2)
    assert isinstance(outcome, Refused)
    level = source.entries.filter(pk__in=outcome.params["entries"]).order_by("name")
    assert (outcome.code, [entry.name for entry in level]) == ("tie_at_cut", ["Player 01", "Player 04", "Player 05"])
    assert isinstance(cut(source, 2, accept_tie=True), Tournament)


def test_whoever_left_a_group_is_passed_over() -> None:
    source = grouped(6, 2)
    rounds.reopen_tournament(tournament_id=source.pk, by=organiser(of=source), now=NOW)
    gone = source.entries.get(name="Player 01")
    rounds.withdraw_entry(entry_id=gone.pk, by=organiser(of=source), now=NOW)
    rounds.finish_tournament(tournament_id=source.pk, by=organiser(of=source), now=NOW)
    count_up(source)
    cup = cut(source, 1)
    assert isinstance(cup, Tournament)
    assert sorted(entry.name for entry in cup.entries.all()) == ["Player 02", "Player 04"]
    too_many = cut(source, 4)
    assert too_many == Refused("too_few_players", {"least": 4, "here": 3}, status=400)


def test_the_cup_has_no_cut_of_its_own() -> None:
    cup = cut(grouped(6, 2, cut=1), 1)
    assert isinstance(cup, Tournament)
    assert cup.cut is None


# --- What is said of playing on while a stage runs.


def said(tournament: Tournament) -> dict[str, str]:
    rows = tournament.stages.get().standings.select_related("entry")
    return {row.entry.name[-2:]: row.prospect for row in rows}


def test_gp_03_while_a_match_of_the_groups_is_open_there_is_no_match_of_those_who_play_on() -> None:
    source = make_tournament(seeding="rating", format="groups", options={"groups": 2})
    make_field(size=8, tournament=source)
    start(source)
    for pairing in pairings(source)[:-1]:
        report(pairing, better_seed_wins(pairing))
    count_up(source)
    assert cut(source, 2) == Refused("not_finished")
    assert [each.name for each in source.event.tournaments.all()] == [source.name]


def test_gp_04_nobody_is_through_before_the_stage_is_closed() -> None:
    """Of a round robin of five the best two play on; the best has won three of four, the last has lost all."""
    tournament = make_tournament(seeding="rating", format="round_robin", cut=2)
    make_field(size=5, tournament=tournament)
    start(tournament)
    seen: list[set[str]] = []
    for pairing in pairings(tournament):
        report(pairing, better_seed_wins(pairing))
        count_up(tournament)
        seen.append(set(said(tournament).values()))
    assert all(words <= {"certain", "possible", "out"} for words in seen)
    assert said(tournament) == {"01": "certain", "02": "certain", "03": "out", "04": "out", "05": "out"}
    rounds.finish_tournament(tournament_id=tournament.pk, by=organiser(of=tournament), now=NOW)
    count_up(tournament)
    assert said(tournament) == {"01": "through", "02": "through", "03": "out", "04": "out", "05": "out"}
    rounds.reopen_tournament(tournament_id=tournament.pk, by=organiser(of=tournament), now=NOW)
    count_up(tournament)
    assert set(said(tournament).values()) == {"certain", "out"}


def test_gp_04_certain_stays_certain_and_out_stays_out_whatever_comes() -> None:
    tournament = make_tournament(seeding="rating", format="swiss", options={"rounds": 4}, cut=3)
    make_field(size=8, tournament=tournament)
    start(tournament)
    settled: dict[str, str] = {}
    for number in range(1, 5):
        for pairing in pairings(tournament, number):
            report(pairing, (3, 0) if (pairing.a.seed or 0) % 3 else (0, 3))
            count_up(tournament)
            now = said(tournament)
            assert settled.items() <= now.items()
            settled = {name: word for name, word in now.items() if word != "possible"}
        if number < 4:
            draft(tournament)
            publish(tournament)
    rounds.finish_tournament(tournament_id=tournament.pk, by=organiser(of=tournament), now=NOW)
    count_up(tournament)
    final = said(tournament)
    ended = {"certain": "through", "out": "out"}
    assert {name: ended[word] for name, word in settled.items()}.items() <= final.items()
    assert settled != {}


def test_gp_04_whoever_has_left_makes_room_and_takes_nobodys_place() -> None:
    tournament = make_tournament(seeding="rating", format="round_robin", cut=1)
    make_field(size=4, tournament=tournament)
    start(tournament)
    play_open(tournament)
    assert said(tournament) == {"01": "certain", "02": "out", "03": "out", "04": "out"}
    gone = tournament.entries.get(name="Player 01")
    rounds.withdraw_entry(entry_id=gone.pk, by=organiser(of=tournament), now=NOW)
    count_up(tournament)
    assert said(tournament) == {"01": "out", "02": "possible", "03": "out", "04": "out"}
    rounds.finish_tournament(tournament_id=tournament.pk, by=organiser(of=tournament), now=NOW)
    count_up(tournament)
    assert said(tournament) == {"01": "out", "02": "through", "03": "out", "04": "out"}


def test_without_a_cut_nothing_is_said() -> None:
    tournament = finished(4)
    assert set(said(tournament).values()) == {""}
