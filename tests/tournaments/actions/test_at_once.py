"""Two act in the same moment: the second is told what the first has done, and nothing is half true."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
import redis
from django.db import transaction
from django.test import Client
from django.urls import reverse

from matches.actions import SCORE, Report, submit_result
from matches.models import Match, Submission
from players.permissions import Refused
from tests.factories import NOW, make_entry, make_field, make_tournament, organiser
from tests.tournaments.at_once import one_behind_the_other
from tests.tournaments.play import draft, pairings, play_open, publish, report, stage_of, start
from tournaments.actions import events, results, rounds, standings
from tournaments.models import Event, Pairing, StageChange, Tournament

pytestmark = [pytest.mark.db, pytest.mark.django_db(transaction=True)]

Act = Callable[..., Any]


def running(size: int = 4, form: str = "swiss") -> Tournament:
    tournament = make_tournament(seeding="rating", format=form)
    make_field(size=size, tournament=tournament)
    start(tournament)
    return tournament


def by_organiser(act: Act, tournament: Tournament, **facts: Any) -> Act:
    """An act of the tournament's organiser, to be done when it is called."""
    return partial(act, by=organiser(of=tournament), now=NOW, **facts)


def of_tournament(act: Act, tournament: Tournament, **facts: Any) -> Act:
    return by_organiser(act, tournament, tournament_id=tournament.pk, **facts)


def of_stage(act: Act, tournament: Tournament) -> Act:
    return by_organiser(act, tournament, stage_id=stage_of(tournament).pk)


def finish(tournament: Tournament) -> Act:
    return of_tournament(rounds.finish_tournament, tournament, early=True)


def count(tournament: Tournament) -> Act:
    return partial(standings.refresh, stage_id=stage_of(tournament).pk, now=NOW)


def first_match(tournament: Tournament) -> Match:
    return Match.objects.get(pairing=pairings(tournament, 1)[0])


def clear(tournament: Tournament) -> Act:
    match = first_match(tournament)
    return by_organiser(results.clear_result, tournament, match_id=match.pk, expected_version=match.version)


def correct(tournament: Tournament, sets: tuple[int, int]) -> Act:
    match = first_match(tournament)
    told = {"match_id": match.pk, "report": Report(SCORE, sets), "key": "the-correction"}
    return by_organiser(results.correct_result, tournament, expected_version=match.version, **told)


def tell(tournament: Tournament) -> Act:
    told = {"match_id": first_match(tournament).pk, "report": Report(SCORE, (3, 1)), "key": "told-too-late"}
    return by_organiser(submit_result, tournament, expected_version=0, **told)


# --- while it finishes


def test_re_14_a_result_is_not_taken_back_while_the_tournament_finishes() -> None:
    tournament = running(2)
    play_open(tournament)
    _, cleared = one_behind_the_other(finish(tournament), clear(tournament))
    assert cleared == Refused("not_running")
    assert first_match(tournament).kind == SCORE


def test_re_14_a_result_is_not_corrected_while_the_tournament_finishes() -> None:
    tournament = running(2)
    play_open(tournament)
    _, corrected = one_behind_the_other(finish(tournament), correct(tournament, (0, 3)))
    assert corrected == Refused("not_running")
    assert Submission.objects.count() == 1


@pytest.mark.parametrize("act", [rounds.draft_rounds, rounds.take_back_round], ids=["draft", "take back"])
def test_nothing_is_paired_or_taken_back_while_the_tournament_finishes(act: Act) -> None:
    tournament = running(3)
    play_open(tournament)
    _, outcome = one_behind_the_other(finish(tournament), of_stage(act, tournament))
    assert outcome == Refused("not_running")
    assert Pairing.objects.filter(round__number=2).count() == 0


def test_nobody_leaves_while_the_tournament_finishes() -> None:
    tournament = running()
    play_open(tournament)
    entry = tournament.entries.order_by("pk")[0]
    _, left = one_behind_the_other(
        finish(tournament), by_organiser(rounds.withdraw_entry, tournament, entry_id=entry.pk)
    )
    assert left == Refused("not_running")
    assert tournament.entries.filter(status="active").count() == 4


def test_a_bracket_that_is_finished_early_grows_no_more_matches() -> None:
    tournament = running(4, "single_elimination")
    for pairing in pairings(tournament, 1):
        report(pairing, (3, 1))
    one_behind_the_other(finish(tournament), count(tournament))
    assert Match.objects.filter(kind="").count() == 0


# --- rounds


def test_re_13_a_round_is_not_taken_back_over_a_result_that_is_just_coming_in() -> None:
    tournament = running()
    _, taken = one_behind_the_other(tell(tournament), of_stage(rounds.take_back_round, tournament))
    assert taken == Refused("round_has_results", {"round": 1})
    match = first_match(tournament)
    assert (match.kind, match.is_void, match.version) == (SCORE, False, 1)


def test_re_13_a_result_for_a_round_that_is_just_taken_back_finds_a_closed_door() -> None:
    tournament = running()
    match = first_match(tournament)
    _, told = one_behind_the_other(of_stage(rounds.take_back_round, tournament), tell(tournament))
    assert told == Refused("match_void", {"match": match.pk})
    assert Submission.objects.count() == 0


def test_re_13_a_result_cleared_in_a_round_that_is_just_taken_back_is_unknown() -> None:
    tournament = running()
    match = first_match(tournament)
    _, cleared = one_behind_the_other(of_stage(rounds.take_back_round, tournament), clear(tournament))
    assert cleared == Refused("match_unknown", {"match": match.pk}, status=404)


def test_a_round_is_taken_back_right_behind_its_only_result() -> None:
    tournament = running()
    report(pairings(tournament, 1)[0], (3, 1))
    _, taken = one_behind_the_other(clear(tournament), of_stage(rounds.take_back_round, tournament))
    assert not isinstance(taken, Refused), taken
    assert Match.objects.filter(is_void=True).count() == 2


def test_two_who_publish_or_take_back_at_once_do_it_once() -> None:
    tournament = running()
    back = of_stage(rounds.take_back_round, tournament)
    assert one_behind_the_other(back, back)[1] == Refused("nothing_published")
    out = of_stage(rounds.publish_rounds, tournament)
    assert one_behind_the_other(out, out)[1] == Refused("nothing_to_publish")
    assert Match.objects.filter(is_void=False).count() == 2


def test_players_are_not_swapped_in_a_draft_that_is_just_made_anew() -> None:
    tournament = running()
    play_open(tournament)
    draft(tournament)
    one, two = pairings(tournament, 2)
    swap = {"round_id": one.round_id, "entry": one.a_id, "with_entry": two.a_id}
    _, swapped = one_behind_the_other(
        of_stage(rounds.drop_drafts, tournament), by_organiser(rounds.swap_in_draft, tournament, **swap)
    )
    assert swapped == Refused("round_unknown", status=404)
    assert [pairing.by_hand for pairing in pairings(tournament, 2)] == [False, False]


def test_a_player_who_leaves_while_the_round_is_published_is_in_it() -> None:
    tournament = running()
    play_open(tournament)
    draft(tournament)
    entry = tournament.entries.order_by("pk")[0]
    leave = by_organiser(rounds.withdraw_entry, tournament, entry_id=entry.pk)
    one_behind_the_other(of_stage(rounds.publish_rounds, tournament), leave)
    paired = {side for pairing in pairings(tournament, 2) for side in (pairing.a_id, pairing.b_id)}
    assert paired == set(tournament.entries.values_list("pk", flat=True))
    assert Match.objects.filter(kind="").count() == 2


def test_a_round_is_not_published_from_a_result_that_is_just_corrected() -> None:
    tournament = running()
    play_open(tournament)
    draft(tournament)
    _, published = one_behind_the_other(correct(tournament, (0, 3)), of_stage(rounds.publish_rounds, tournament))
    assert published == Refused("nothing_to_publish")
    draft(tournament)
    publish(tournament)
    assert Match.objects.filter(kind="").count() == 2


def test_a_round_is_paired_without_whoever_is_just_leaving() -> None:
    tournament = running(5)
    play_open(tournament)
    entry = tournament.entries.order_by("pk")[0]
    leave = by_organiser(rounds.withdraw_entry, tournament, entry_id=entry.pk)
    one_behind_the_other(leave, of_stage(rounds.draft_rounds, tournament))
    assert entry.pk not in {side for pairing in pairings(tournament, 2) for side in (pairing.a_id, pairing.b_id)}
    assert len(pairings(tournament, 2)) == 2


def test_whoever_leaves_while_a_round_is_paired_is_taken_out_of_the_draft() -> None:
    tournament = running(5)
    play_open(tournament)
    entry = tournament.entries.order_by("pk")[0]
    leave = by_organiser(rounds.withdraw_entry, tournament, entry_id=entry.pk)
    drafted, left = one_behind_the_other(of_stage(rounds.draft_rounds, tournament), leave)
    assert ([round_.number for round_ in drafted], left.status) == ([2], "withdrawn")
    assert entry.pk not in {side for pairing in pairings(tournament, 2) for side in (pairing.a_id, pairing.b_id)}
    assert len(pairings(tournament, 2)) == 2


def test_bj_06_a_pairing_that_dies_half_way_leaves_no_lock_and_no_half_round(empty_redis: redis.Redis) -> None:
    tournament = running(8)
    play_open(tournament)
    pair = of_stage(rounds.draft_rounds, tournament)

    def dies() -> None:
        with transaction.atomic():
            pair()
            empty_redis.flushall()
            transaction.set_rollback(True)

    dies()
    assert Pairing.objects.filter(round__number=2).count() == 0
    (drafted,) = pair()
    assert (drafted.number, drafted.pairings.count()) == (2, 4)


def test_bj_06_who_pairs_second_gets_the_first_ones_round_though_redis_forgot_everything(
    empty_redis: redis.Redis,
) -> None:
    tournament = running(8)
    play_open(tournament)
    pair = of_stage(rounds.draft_rounds, tournament)

    def pair_and_forget() -> Any:
        made = pair()
        empty_redis.flushall()
        return made

    first, second = one_behind_the_other(pair_and_forget, pair)
    assert [round_.pk for round_ in first] == [round_.pk for round_ in second]
    assert Pairing.objects.filter(round__number=2).count() == 4


# --- what is removed


def remove(tournament: Tournament) -> Act:
    return of_tournament(events.remove_tournament, tournament)


def remove_demo(tournament: Tournament) -> Act:
    Event.objects.filter(pk=tournament.event_id).update(is_demo=True)
    return by_organiser(events.remove_demo, tournament, event_id=tournament.event_id)


def unknown(tournament: Tournament) -> Refused:
    return Refused("tournament_unknown", {"tournament": tournament.pk}, status=404)


@pytest.mark.parametrize(
    "act",
    [
        events.remove_tournament,
        rounds.start_tournament,
        rounds.finish_tournament,
        rounds.reopen_tournament,
        partial(events.edit_tournament, facts=events.TournamentFacts(name="Other")),
    ],
    ids=["remove", "start", "finish", "reopen", "edit"],
)
def test_what_is_asked_of_a_tournament_that_is_just_removed_is_told(act: Act) -> None:
    tournament = make_tournament()
    gone = unknown(tournament)
    assert one_behind_the_other(remove(tournament), of_tournament(act, tournament)) == (None, gone)


def test_a_remove_button_pressed_twice_leads_to_a_page_that_is_not_there() -> None:
    tournament = make_tournament()
    client = Client()
    client.force_login(tournament.event.owner)
    press = partial(client.post, reverse("tournament_remove", args=[tournament.pk]))
    assert one_behind_the_other(remove(tournament), press)[1].status_code == 404


def test_a_tournament_is_removed_while_it_is_counted() -> None:
    tournament = make_tournament()
    make_entry(tournament=tournament)
    assert one_behind_the_other(count(tournament), remove(tournament))[1] is None
    other = make_tournament()
    make_entry(tournament=other)
    _, counted = one_behind_the_other(remove(other), count(other))
    assert counted is None
    assert StageChange.objects.count() == 0


def test_a_demo_is_removed_while_a_result_comes_in() -> None:
    tournament = running()
    assert one_behind_the_other(tell(tournament), remove_demo(tournament))[1] is None
    assert (Event.objects.count(), Match.objects.count(), Submission.objects.count()) == (0, 0, 0)


def test_a_demo_is_removed_while_a_bracket_is_counted() -> None:
    tournament = running(4, "single_elimination")
    for pairing in pairings(tournament, 1):
        report(pairing, (3, 1))
    assert one_behind_the_other(count(tournament), remove_demo(tournament))[1] is None
    assert (Event.objects.count(), Match.objects.count()) == (0, 0)


def test_a_result_for_a_demo_that_is_just_removed_finds_no_match() -> None:
    tournament = running()
    pk = first_match(tournament).pk
    _, told = one_behind_the_other(remove_demo(tournament), tell(tournament))
    assert told == Refused("match_unknown", {"match": pk}, status=404)


def test_a_demo_removed_by_two_is_gone_once() -> None:
    tournament = running()
    remove_it = remove_demo(tournament)
    assert one_behind_the_other(remove_it, remove_it) == (None, Refused("event_unknown", status=404))
