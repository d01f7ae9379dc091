"""Extra matches between players who share a place."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from matches.actions import SCORE, Report
from players.permissions import Refused
from tests.factories import NOW, organiser
from tests.tournaments.actions.running import does, entry, nobody_came, of_both, started
from tests.tournaments.play import count_up, draft, pairings, play_open, report, stage_of, table
from tournaments.actions.play_offs import drop_play_off, start_play_off
from tournaments.actions.results import clear_result, correct_result
from tournaments.actions.rounds import draft_rounds, finish_tournament, take_back_round
from tournaments.models import Pairing, Round, Tournament
from tournaments.queries.desk import next_step
from tournaments.queries.stages import round_names

pytestmark = pytest.mark.django_db


def circle(size: int = 3, **facts: Any) -> Tournament:
    """A round robin in which the first three have beaten each other round in a circle, all 3:1; the others lost."""
    tournament = started(size, format="round_robin", **facts)
    winners = {frozenset((1, 2)): 1, frozenset((2, 3)): 2, frozenset((1, 3)): 3}
    for pairing in pairings(tournament):
        assert pairing.b is not None
        both = frozenset((pairing.a.seed or 0, pairing.b.seed or 0))
        best = winners.get(both, min(both))
        report(pairing, (3, 1) if pairing.a.seed == best else (1, 3))
    count_up(tournament)
    return tournament


def play_off(tournament: Tournament, one: int, other: int) -> Any:
    ids = {"a": entry(tournament, one).pk, "b": entry(tournament, other).pk}
    return does(tournament, start_play_off, stage_id=stage_of(tournament).pk, **ids)


def win(tournament: Tournament, pairing: Pairing, seed: int) -> None:
    report(pairing, (3, 2) if pairing.a.seed == seed else (2, 3))
    count_up(tournament)


def reasons(tournament: Tournament) -> list[str]:
    return [row.reason[0] for row in stage_of(tournament).standings.order_by("order")]


def test_an_extra_match_settles_a_shared_place_and_counts_for_nothing_else() -> None:
    tournament = circle()
    assert table(tournament) == [(1, "Player 01", 3), (1, "Player 02", 3), (1, "Player 03", 3)]
    extra = play_off(tournament, 2, 3)
    assert (extra.round.is_play_off, extra.round.number, extra.table) == (True, 4, 1)
    assert (extra.match.seat_a, extra.match.allows_tie) == (extra.a.player, False)
    win(tournament, extra, 3)
    assert table(tournament) == [(1, "Player 03", 3), (2, "Player 01", 3), (2, "Player 02", 3)]
    assert reasons(tournament) == ["play_off_won", "shared", "shared"]
    win(tournament, play_off(tournament, 1, 2), 2)
    assert [name for _, name, _ in table(tournament)] == ["Player 03", "Player 02", "Player 01"]
    row = stage_of(tournament).standings.get(entry__seed=3)
    assert (row.wins, row.losses, row.sets_won) == (1, 1, 4)


def test_it_decides_before_the_lot() -> None:
    tournament = circle(tiebreaks=("head_to_head", "lot"))
    ranks = [rank for rank, _, _ in table(tournament)]
    last = table(tournament)[2][1]
    assert ranks == [1, 2, 3]
    seeds = {f"Player 0{n}": n for n in (1, 2, 3)}
    other = seeds[table(tournament)[0][1]]
    extra = play_off(tournament, seeds[last], other)
    win(tournament, extra, seeds[last])
    assert table(tournament)[0][1] == last
    assert reasons(tournament) == ["play_off_won", "play_off_lost", "lot_behind"]


def test_pressing_twice_is_one_match_and_three_have_a_round_each() -> None:
    tournament = circle()
    first = play_off(tournament, 1, 2)
    assert play_off(tournament, 2, 1) == first
    second = play_off(tournament, 2, 3)
    assert (first.round.number, second.round.number) == (4, 5)
    assert (first.table, second.table) == (1, 2)
    names = round_names(stage=stage_of(tournament), numbers=(3, 4, 5))
    assert [(note.code, dict(note.params)) for note in names.values()] == [
        ("round", {"n": 3}),
        ("play_off", {"n": 1}),
        ("play_off", {"n": 2}),
    ]


def test_those_of_other_places_share_a_round() -> None:
    tournament = started(4, format="round_robin", tiebreaks=())
    for pairing in pairings(tournament):
        seeds = {pairing.a.seed, pairing.b.seed if pairing.b else 0}
        if seeds in ({1, 2}, {3, 4}):
            nobody_came(pairing)
        else:
            report(pairing, (3, 1) if (pairing.a.seed or 0) < 3 else (1, 3))
    count_up(tournament)
    assert [rank for rank, _, _ in table(tournament)] == [1, 1, 3, 3]
    one, other = play_off(tournament, 1, 2), play_off(tournament, 3, 4)
    assert (one.round, one.number, other.round, other.number) == (one.round, 1, one.round, 2)
    assert play_off(tournament, 2, 3) == Refused("no_shared_place")
    assert play_off(tournament, 2, 2) == Refused("no_shared_place")


def test_neither_side_coming_to_it_leaves_the_place_shared_and_another_can_be_called() -> None:
    tournament = circle()
    nobody_came(play_off(tournament, 1, 2))
    count_up(tournament)
    assert [rank for rank, _, _ in table(tournament)] == [1, 1, 1]
    again = play_off(tournament, 1, 2)
    assert again.round.number == 5


def test_it_is_taken_back_until_it_is_played() -> None:
    tournament = circle()
    extra = play_off(tournament, 1, 2)
    assert does(tournament, drop_play_off, match_id=extra.match.pk) is None
    assert not Round.objects.filter(is_play_off=True).exists()
    extra.match.refresh_from_db()
    assert extra.match.is_void
    assert does(tournament, drop_play_off, match_id=extra.match.pk) == Refused(
        "match_unknown", {"match": extra.match.pk}, status=404
    )
    played = play_off(tournament, 1, 2)
    win(tournament, played, 1)
    assert does(tournament, drop_play_off, match_id=played.match.pk) == Refused("play_off_played")
    first = pairings(tournament, 1)[0].match
    assert first is not None
    assert does(tournament, drop_play_off, match_id=first.pk) == Refused("not_a_play_off")


def test_its_result_is_corrected_and_cleared_like_any_other() -> None:
    tournament = circle()
    extra = play_off(tournament, 1, 2)
    win(tournament, extra, 1)
    extra.match.refresh_from_db()
    other = Report(SCORE, (extra.match.sets_b, extra.match.sets_a))
    said = {"match_id": extra.match.pk, "report": other, "key": "other", "expected_version": extra.match.version}
    does(tournament, correct_result, **said)
    assert table(tournament)[0][1] == "Player 02"
    extra.match.refresh_from_db()
    does(tournament, clear_result, match_id=extra.match.pk, expected_version=extra.match.version)
    assert [rank for rank, _, _ in table(tournament)] == [1, 1, 1]
    first = of_both(tournament, 1, 2)
    assert first.match is not None
    cleared = does(tournament, clear_result, match_id=first.match.pk, expected_version=first.match.version)
    assert not isinstance(cleared, Refused), cleared


def test_the_tournament_waits_for_it() -> None:
    tournament = circle()
    extra = play_off(tournament, 1, 2)
    step = next_step(tournament=tournament)
    assert (step.act, step.params["round"], step.params["open"]) == ("enter_results", 4, 1)
    finish = {"tournament_id": tournament.pk}
    assert does(tournament, finish_tournament, **finish) == Refused("open_matches", {"count": 1})
    win(tournament, extra, 1)
    assert next_step(tournament=tournament).act == "finish"
    assert does(tournament, finish_tournament, **finish).state == "finished"
    assert play_off(tournament, 1, 3) == Refused("not_running")
    assert does(tournament, drop_play_off, match_id=extra.match.pk) == Refused("not_running")


def test_there_is_none_before_everything_is_played() -> None:
    tournament = started(4, options={"rounds": 2})
    assert play_off(tournament, 1, 2) == Refused("rounds_left")
    play_open(tournament)
    draft(tournament)
    assert play_off(tournament, 1, 2) == Refused("drafts_left")


def test_the_round_that_is_taken_back_is_the_last_one_of_the_format() -> None:
    tournament = started(2, options={"rounds": 1}, tiebreaks=())
    nobody_came(pairings(tournament, 1)[0])
    count_up(tournament)
    play_off(tournament, 1, 2)
    stage = {"stage_id": stage_of(tournament).pk}
    assert does(tournament, take_back_round, **stage) == Refused("round_has_results", {"round": 1})
    assert isinstance(does(tournament, draft_rounds, **stage), Refused)


@pytest.mark.parametrize("key", ["single_elimination", "double_elimination"])
def test_a_bracket_settles_a_shared_place_by_it_too(key: str) -> None:
    tournament = started(8, format=key)
    while any(p.match and p.match.is_open for p in pairings(tournament)):
        play_open(tournament)
    ranks = {name: rank for rank, name, _ in table(tournament)}
    shared = [int(name[-1]) for name, rank in ranks.items() if rank == 5]
    extra = play_off(tournament, shared[0], shared[1])
    win(tournament, extra, shared[1])
    after = {name: rank for rank, name, _ in table(tournament)}
    assert after[f"Player 0{shared[1]}"] == 5
    assert after[f"Player 0{shared[0]}"] == 6
    assert stage_of(tournament).standings.get(entry__seed=shared[1]).reason[0] == "play_off_won"
    assert play_off(tournament, 1, 2) == Refused("no_shared_place")


def test_groups_settle_a_place_shared_across_them() -> None:
    tournament = started(4, format="groups", options={"groups": 2})
    play_open(tournament)
    assert [rank for rank, _, _ in table(tournament)] == [1, 1, 3, 3]
    extra = play_off(tournament, 1, 2)
    win(tournament, extra, 2)
    assert [row[:2] for row in table(tournament)] == [
        (1, "Player 02"),
        (2, "Player 01"),
        (3, "Player 04"),
        (3, "Player 03"),
    ]


PAGES = ("", "standings/", "pairings/", "pairings/?round=4", "pairings/?by=name", "hall/")


@pytest.mark.parametrize("is_played", [False, True])
def test_every_page_and_file_has_it_by_its_name(is_played: bool) -> None:
    tournament = circle()
    extra = play_off(tournament, 1, 2)
    if is_played:
        win(tournament, extra, 1)
    client = Client()
    for page in PAGES:
        answer = client.get(f"/t/{tournament.pk}/{page}")
        assert answer.status_code == 200, page
    assert "Play-off" in client.get(f"/t/{tournament.pk}/pairings/").content.decode()
    assert ("The play-off is being played" in client.get(f"/t/{tournament.pk}/").content.decode()) is not is_played
    rounds = client.get(f"/api/tournaments/{tournament.pk}/rounds/").json()["results"]
    assert [(each["number"], each["name"], each["is_play_off"]) for each in rounds][2:] == [
        (3, "Round 3", False),
        (4, "Play-off", True),
    ]
    assert client.get(f"/api/tournaments/{tournament.pk}/standings/").status_code == 200
    client.force_login(tournament.event.owner)
    for page in ("", "results/", "roster/", "?part=now", "?part=top"):
        assert client.get(f"/desk/t/{tournament.pk}/{page}").status_code == 200, page
    desk = client.get(f"/desk/t/{tournament.pk}/").content.decode()
    assert ("Enter the last result: Play-off" in desk) is not is_played
    assert ("Play-off" in client.get(f"/desk/t/{tournament.pk}/results/").content.decode()) is is_played
    assert "Play-off" in client.get(f"/desk/t/{tournament.pk}/matches/{extra.match.pk}/result/").content.decode()


def test_a_bracket_with_one_has_every_page() -> None:
    tournament = started(4, format="single_elimination")
    while any(p.match and p.match.is_open for p in pairings(tournament)):
        play_open(tournament)
    extra = play_off(tournament, 3, 4)
    client = Client()
    for page in ("", "bracket/", "bracket/?view=list", "standings/", "pairings/", "hall/"):
        assert client.get(f"/t/{tournament.pk}/{page}").status_code == 200, page
    win(tournament, extra, 4)
    finished = finish_tournament(tournament_id=tournament.pk, by=organiser(of=tournament), now=NOW)
    assert not isinstance(finished, Refused)
    count_up(tournament)
    assert [(rank, name) for rank, name, _ in table(tournament)] == [
        (1, "Player 01"),
        (2, "Player 02"),
        (3, "Player 04"),
        (4, "Player 03"),
    ]
    assert stage_of(tournament).rounds.count() == 3
