"""Calls for a referee: one of a match or a table, whoever calls; one who goes; over with the result at the latest."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from matches.actions import games as match_games
from matches.models import Game
from players.models import Act
from players.permissions import Actor, Refused, Role
from tests.factories import NOW, make_event, make_field, make_tournament, organiser
from tests.tournaments.actions.game_acts import of_game, paused, seated
from tests.tournaments.at_once import one_behind_the_other
from tests.tournaments.play import pairings, play_open, report, start
from tournaments.actions import calls, rounds
from tournaments.models import Entry, Pairing, RefereeCall, Tournament
from tournaments.permissions import actor_at_table, actor_of_entry

pytestmark = pytest.mark.django_db
LATER = NOW + timedelta(minutes=4)


def running(**facts: Any) -> Tournament:
    tournament = make_tournament(seeding="rating", **facts)
    make_field(size=4, tournament=tournament)
    start(tournament)
    return tournament


def first(tournament: Tournament) -> Pairing:
    return pairings(tournament, 1)[0]


def player(entry: Entry | None) -> Actor:
    assert entry is not None
    return actor_of_entry(Entry.objects.select_related("tournament").get(pk=entry.pk))


def referee(tournament: Tournament, name: str = "Marta", link: int | None = None) -> Actor:
    """A referee by name; two of one name have links of their own."""
    return Actor(role=Role.REFEREE, name=name, link=link or len(name), event=tournament.event_id)


def call(pairing: Pairing, *, by: Actor | None = None) -> RefereeCall:
    made = calls.call_to_match(match_id=pairing.match_id or 0, by=by or player(pairing.a), now=NOW)
    assert isinstance(made, RefereeCall), made
    return made


def from_table(tournament: Tournament, table: int) -> RefereeCall | Refused:
    event_id = tournament.event_id
    return calls.call_to_table(event_id=event_id, table=table, by=actor_at_table(event_id=event_id), now=NOW)


def again(row: RefereeCall) -> RefereeCall:
    return RefereeCall.objects.get(pk=row.pk)


def code_of(outcome: object) -> str:
    assert isinstance(outcome, Refused), outcome
    return outcome.code


def verbs() -> list[str]:
    """What the log has of calls, the newest last."""
    known = ("call_referee", "take_call", "untake_call", "finish_call", "take_back_call")
    return list(Act.objects.filter(verb__in=known).order_by("pk").values_list("verb", flat=True))


# --- one call


def test_both_players_and_the_code_of_their_table_make_one_call() -> None:
    pairing = first(running())
    made = call(pairing)
    assert (made.place, made.entry_id, made.called_at, made.over_at) == (pairing.table, pairing.a_id, NOW, None)
    assert call(pairing, by=player(pairing.b)).pk == made.pk
    assert from_table(pairing.round.stage.tournament, pairing.table or 0) == made
    assert verbs() == ["call_referee"]


def test_a_table_where_nobody_plays_calls_as_well_and_the_match_that_comes_takes_the_call_over() -> None:
    tournament = running()
    made = from_table(tournament, 9)
    assert isinstance(made, RefereeCall)
    assert (made.place, made.pairing, made.entry) == (9, None, None)
    assert from_table(tournament, 9) == made
    pairing = first(tournament)
    Pairing.objects.filter(pk=pairing.pk).update(table=9)
    assert call(pairing).pk == made.pk
    assert again(made).pairing == pairing


def test_where_two_matches_have_one_number_each_has_its_own_call() -> None:
    event = make_event()
    one, other = first(running(event=event)), first(running(event=event))
    Pairing.objects.filter(pk__in=[one.pk, other.pk]).update(table=5)
    calling = [call(one), call(other)]
    assert [each.place for each in calling] == [5, 5]
    assert RefereeCall.objects.count() == 2
    both = from_table(one.round.stage.tournament, 5)
    assert both == calling[0]  # that of a table: nobody knows which of the two sits there


def test_a_call_goes_with_its_match_to_another_table_and_leaves_the_number_free() -> None:
    tournament = running()
    moved, other = pairings(tournament, 1)
    made = call(moved)
    Pairing.objects.filter(pk=other.pk).update(table=20)
    Pairing.objects.filter(pk=moved.pk).update(table=21)
    Pairing.objects.filter(pk=other.pk).update(table=moved.table)
    second = call(other)
    assert second.pk != made.pk
    assert (again(made).place, second.place) == (21, moved.table)


def test_nobody_is_called_where_nothing_is_played() -> None:
    tournament = running()
    pairing = first(tournament)
    report(pairing, (3, 1))
    assert (
        code_of(calls.call_to_match(match_id=pairing.match_id or 0, by=player(pairing.a), now=NOW)) == "no_open_match"
    )
    play_open(tournament)
    rounds.finish_tournament(tournament_id=tournament.pk, early=True, by=organiser(of=tournament), now=NOW)
    assert code_of(from_table(tournament, 1)) == "nothing_runs"
    assert code_of(from_table(make_tournament(), 1)) == "nothing_runs"
    assert RefereeCall.objects.count() == 0


# --- who goes


def test_the_first_goes_and_the_second_is_told_who() -> None:
    tournament = running()
    made = call(first(tournament))
    taken = calls.take_call(call_id=made.pk, by=referee(tournament), now=LATER)
    assert isinstance(taken, RefereeCall)
    assert (taken.taken_by, taken.taken_at) == ("Marta", LATER)
    assert calls.take_call(call_id=made.pk, by=referee(tournament), now=LATER + timedelta(minutes=1)) == taken
    told = calls.take_call(call_id=made.pk, by=referee(tournament, "Olli"), now=LATER)
    assert told == Refused("call_taken", {"by": "Marta"})
    assert (
        code_of(calls.take_call(call_id=made.pk, going=False, by=referee(tournament, "Olli"), now=LATER))
        == "call_taken"
    )
    assert verbs() == ["call_referee", "take_call"]


def test_two_of_the_same_name_are_two() -> None:
    tournament = running()
    made = call(first(tournament))
    calls.take_call(call_id=made.pk, by=referee(tournament, "Marta", 1), now=LATER)
    told = calls.take_call(call_id=made.pk, by=referee(tournament, "Marta", 2), now=LATER)
    assert told == Refused("call_taken", {"by": "Marta"})


def test_who_cannot_go_after_all_leaves_it_to_another() -> None:
    tournament = running()
    made = call(first(tournament))
    for going in (False, True, False):
        calls.take_call(call_id=made.pk, going=going, by=referee(tournament), now=LATER)
    assert (again(made).taken_by, again(made).taken_at) == ("", None)
    taken = calls.take_call(call_id=made.pk, by=referee(tournament, "Olli"), now=LATER)
    assert isinstance(taken, RefereeCall)
    assert taken.taken_by == "Olli"
    assert verbs() == ["call_referee", "take_call", "untake_call", "take_call"]


def test_a_call_that_is_done_is_done_once_and_nobody_goes_any_more() -> None:
    tournament = running()
    made = call(first(tournament))
    for now in (LATER, LATER + timedelta(minutes=1)):
        done = calls.finish_call(call_id=made.pk, by=referee(tournament), now=now)
        assert isinstance(done, RefereeCall)
        assert done.over_at == LATER
    assert code_of(calls.take_call(call_id=made.pk, by=referee(tournament), now=LATER)) == "call_over"
    assert verbs() == ["call_referee", "finish_call"]
    assert call(first(tournament)).pk != made.pk


@pytest.mark.parametrize("act", [calls.take_call, calls.finish_call, calls.take_back_call])
def test_a_call_there_is_not_is_not_found(act: Any) -> None:
    assert act(call_id=1, by=referee(running()), now=NOW) == Refused("call_unknown", status=404)


# --- taken back, and over by itself


def test_who_called_takes_it_back_and_nobody_else() -> None:
    tournament = running()
    pairing = first(tournament)
    made = call(pairing)
    for by in (player(pairing.b), actor_at_table(event_id=tournament.event_id)):
        assert code_of(calls.take_back_call(call_id=made.pk, by=by, now=LATER)) == "call_not_yours"
    for _twice in range(2):
        back = calls.take_back_call(call_id=made.pk, by=player(pairing.a), now=LATER)
        assert isinstance(back, RefereeCall)
        assert back.over_at == LATER
    assert verbs() == ["call_referee", "take_back_call"]


def test_a_call_by_the_code_of_a_table_is_taken_back_by_whoever_sits_there() -> None:
    tournament = running()
    pairing = first(tournament)
    for by in (player(pairing.b), actor_at_table(event_id=tournament.event_id)):
        made = from_table(tournament, pairing.table or 0)
        assert isinstance(made, RefereeCall)
        assert isinstance(calls.take_back_call(call_id=made.pk, by=by, now=LATER), RefereeCall)
        assert again(made).over_at == LATER


def test_a_result_ends_the_call_of_its_match_and_no_other() -> None:
    tournament = running()
    here, there = (call(pairing) for pairing in pairings(tournament, 1))
    report(first(tournament), (3, 1))
    assert again(here).over_at is not None
    assert again(there).over_at is None


# --- games on their players' devices


def the_call() -> RefereeCall | None:
    return RefereeCall.objects.filter(over_at=None).first()


def test_a_call_in_a_game_and_one_from_the_own_page_are_the_same() -> None:
    tournament = seated()
    pairing = first(tournament)
    made = call(pairing)
    assert Game.objects.get().called_at == NOW
    assert verbs() == ["call_referee"]
    of_game(match_games.call_referee)(tournament)
    assert the_call() == made
    calls.finish_call(call_id=made.pk, by=referee(tournament), now=LATER)
    assert (Game.objects.get().called_at, the_call()) == (None, None)
    assert verbs() == ["call_referee", "finish_call"]
    of_game(match_games.call_referee)(tournament)
    found = the_call()
    assert found is not None
    assert (found.pairing, found.place) == (pairing, pairing.table)
    of_game(match_games.resume_game)(tournament)
    assert the_call() is None


def test_a_pause_is_no_answer_and_what_was_called_before_the_game_stays() -> None:
    tournament = seated()
    made = call(first(tournament))
    Game.objects.update(called_at=None)  # as when it was opened after the call
    of_game(match_games.pause_game)(tournament)
    assert the_call() == made
    assert Game.objects.get().called_at is None


def test_the_clock_calls_and_only_staff_end_that() -> None:
    tournament = seated()
    game = Game.objects.get()
    Game.objects.update(on_timeout="call", turn_seconds=30, turn_at=NOW)
    match_games.enforce_clock(game_id=game.pk, now=LATER)
    found = the_call()
    assert found is not None
    assert (found.entry, found.called_at) == (None, LATER)
    assert (
        code_of(calls.take_back_call(call_id=found.pk, by=player(first(tournament).a), now=LATER)) == "call_not_yours"
    )
    calls.finish_call(call_id=found.pk, by=referee(tournament), now=LATER)
    game.refresh_from_db()
    assert (game.called_at, game.paused_at, the_call()) == (None, LATER, None)


def test_a_word_that_ends_the_game_ends_the_call() -> None:
    tournament = paused()
    call(first(tournament))
    of_game(match_games.concede_for, seat=0)(tournament)
    assert the_call() is None


# --- at once


@pytest.mark.db
@pytest.mark.django_db(transaction=True)
def test_two_referees_press_at_once_and_the_second_is_told_who_goes() -> None:
    tournament = running()
    made = call(first(tournament))
    marta, olli = one_behind_the_other(
        lambda: calls.take_call(call_id=made.pk, by=referee(tournament), now=LATER),
        lambda: calls.take_call(call_id=made.pk, by=referee(tournament, "Olli"), now=LATER),
    )
    assert isinstance(marta, RefereeCall)
    assert olli == Refused("call_taken", {"by": "Marta"})
    assert again(made).taken_by == "Marta"


@pytest.mark.db
@pytest.mark.django_db(transaction=True)
def test_both_players_call_at_once_and_it_is_one_call() -> None:
    pairing = first(running())
    one, other = one_behind_the_other(lambda: call(pairing), lambda: call(pairing, by=player(pairing.b)))
    assert one.pk == other.pk
    assert RefereeCall.objects.count() == 1
    assert Act.objects.filter(verb="call_referee", target=f"match/{pairing.match_id}").count() == 1


@pytest.mark.db
@pytest.mark.django_db(transaction=True)
def test_a_table_calls_twice_at_once_and_it_is_one_call() -> None:
    tournament = running()
    one, other = one_behind_the_other(lambda: from_table(tournament, 9), lambda: from_table(tournament, 9))
    assert one == other
    assert RefereeCall.objects.count() == 1


@pytest.mark.db
@pytest.mark.django_db(transaction=True)
def test_a_result_and_a_call_at_once_leave_nobody_called() -> None:
    pairing = first(running())
    _told, asked = one_behind_the_other(
        lambda: report(pairing, (3, 1)),
        lambda: calls.call_to_match(match_id=pairing.match_id or 0, by=player(pairing.a), now=LATER),
    )
    assert code_of(asked) == "no_open_match"
    assert the_call() is None
