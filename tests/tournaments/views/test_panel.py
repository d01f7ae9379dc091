"""The referee's panel of a match that is played here, and what the lists of staff say of games."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from matches.actions.games import call_referee, pause_game
from matches.engine import Draw, End, Stand, with_overrides
from matches.engine.notation import format_record
from matches.models import Game, Match, Way
from matches.queries.games import record_of
from tests.factories import NOW, organiser
from tests.tournaments.play import report
from tests.tournaments.views.at_console import (
    SEED,
    at_console,
    enter,
    game_of,
    look,
    played_here,
    press,
)
from tests.tournaments.views.desk import desk_of, page_text, said, text_of
from tests.tournaments.views.referee import first, match_of, page, referee, running, stored
from tournaments.actions.games import PlayFacts, choose_way, edit_play, open_here, sit_down
from tournaments.models import Entry, Pairing
from tournaments.permissions import link_token

pytestmark = pytest.mark.django_db


# --- a match played here


def test_the_panel_shows_what_a_spectator_sees() -> None:
    tournament, pairing = played_here()
    html = look(referee(tournament), "game", match_of(pairing)).content.decode()
    assert html.count("4 cards in hand") == 2
    assert 'class="hand"' not in html
    assert "data-move" not in html


def test_the_referee_pauses_and_lets_go_on() -> None:
    tournament, pairing = played_here()
    link, match = referee(tournament), match_of(pairing)
    for _press in range(2):
        assert press(link, "game_act", match, do="pause").status_code == 302
    assert game_of(pairing).paused_at is not None
    assert "Needs your word" in page(link).content.decode()
    assert "Paused since" in text_of(page(link).content.decode())
    desk = desk_of(tournament).get(reverse("results", args=[tournament.pk])).content.decode()
    assert "Paused since" in text_of(desk)
    press(link, "game_act", match, do="resume")
    assert game_of(pairing).paused_at is None
    assert "Needs your word" not in page(link).content.decode()


def test_a_call_comes_first_with_since_when_and_is_answered() -> None:
    tournament, pairing = played_here(8)
    link, match = referee(tournament), match_of(pairing)
    before = page(link)["Cache-Control"]
    call_referee(game_id=game_of(pairing).pk, by=organiser(of=tournament), now=NOW + timedelta(minutes=7))
    html = page(link).content.decode()
    assert before == "private, no-store"
    assert html.index(">Called<") < html.index(">Open<")
    assert "Needs your word" not in html
    assert "Calls since Sat 13:07" in text_of(html)
    assert html.count(reverse("staff_game", args=[link_token(link), match])) == 2  # beside the call, and in its place
    panel = look(link, "game", match).content.decode()
    assert "The referee is called since Sat 13:07" in text_of(panel)
    press(link, "game_act", match, do="resume")
    assert game_of(pairing).called_at is None
    assert ">Called<" not in page(link).content.decode()


def test_a_call_makes_the_lists_of_staff_fresh() -> None:
    tournament, pairing = played_here()
    link = referee(tournament)
    address = reverse("staff_link", args=[link_token(link)])
    tag = Client().get(address, {"part": "matches"})["ETag"]
    call_referee(game_id=game_of(pairing).pk, by=organiser(of=tournament), now=NOW)
    assert Client().get(address, {"part": "matches"}, headers={"If-None-Match": tag}).status_code == 200
    tag = Client().get(address, {"part": "matches"})["ETag"]
    assert Client().get(address, {"part": "matches"}, headers={"If-None-Match": tag}).status_code == 304


def test_an_absent_player_loses_by_the_referees_word_and_the_question_names_what_happens() -> None:
    tournament, pairing = played_here()
    link, match = referee(tournament), match_of(pairing)
    told = text_of(look(link, "game", match).content.decode())
    assert "Give up for Player 01? The match ends now and Player 02 wins it, whatever the score." in told
    assert press(link, "game_act", match, do="concede_b").status_code == 302
    found = Match.objects.get(pk=match)
    assert (found.kind, found.winner) == ("forfeit", "a")
    assert press(link, "game_act", match, do="concede_b").status_code == 409
    assert "The result is in:" in look(link, "game", match).content.decode()


def test_a_word_that_is_none_changes_nothing() -> None:
    tournament, pairing = played_here()
    link, match = referee(tournament), match_of(pairing)
    assert press(link, "game_act", match, do="shuffle").status_code == 400
    assert press(link, "game_act", match, do="rule_a").status_code == 409
    assert stored(match)[0] == ""


def tied(pairing: Pairing) -> None:
    """Its first set is a tie, and one is too many."""
    game = game_of(pairing)
    record, state = record_of(game)
    a = state.opener or 0
    b = 1 - a
    moves = (record.moves[0], Draw(a, 10), End(a), Draw(b, 10), End(b), Draw(a, 8), Stand(a), Draw(b, 8), Stand(b))
    ruleset = with_overrides(record.ruleset, {"max_consecutive_ties": 1})
    text = format_record(replace(record, ruleset=ruleset, moves=moves))
    Game.objects.filter(pk=game.pk).update(record=text, moves=len(moves))


def test_after_too_many_ties_the_referee_lets_another_set_be_dealt_or_names_the_winner() -> None:
    tournament, pairing = played_here()
    link, match = referee(tournament), match_of(pairing)
    tied(pairing)
    assert "Too many ties in a row: you decide" in page(link).content.decode()
    html = look(link, "game", match).content.decode()
    assert re.findall(r'name="do" value="(rule_\w+)"', html) == ["rule_next", "rule_a", "rule_b"]
    assert press(link, "game_act", match, do="rule_next").status_code == 302
    state = record_of(game_of(pairing))[1]
    assert (state.set_number, state.drawn, state.ties) == (2, True, 1)
    tied(pairing)
    assert press(link, "game_act", match, do="rule_b").status_code == 302
    found = Match.objects.get(pk=match)
    assert (found.kind, found.winner) == ("forfeit", "b")
    assert pairing.b is not None
    told = text_of(look(link, "game", match).content.decode())
    assert f"The referee gives the match to {pairing.b.staff_name}" in told


def test_a_paused_game_ended_on_paper_says_so() -> None:
    tournament, pairing = played_here()
    link, match = referee(tournament), match_of(pairing)
    pause_game(game_id=game_of(pairing).pk, by=organiser(of=tournament), now=NOW)
    report(pairing, (3, 2))
    told = text_of(look(link, "game", match).content.decode())
    assert "A result was entered, and that ended the game:" in told
    assert press(link, "game_act", match, do="resume").status_code == 409


def test_before_both_are_ready_the_panel_says_who_is_not_and_the_way_can_change() -> None:
    tournament = running(2)
    pairing, by = first(tournament), organiser(of=tournament)
    desk, args = desk_of(tournament), [tournament.pk, pairing.match_id]
    choose_way(match_id=match_of(pairing), way=Way.HERE, by=by, now=NOW)
    open_here(match_id=match_of(pairing), seed=SEED, by=by, now=NOW)
    sit_down(
        entry=Entry.objects.select_related("tournament").get(pk=pairing.a_id),
        match_id=match_of(pairing),
        words="",
        by=by,
        now=NOW,
    )
    told = page_text(desk.get(reverse("match_game", args=args)))
    assert "Player 02 Ready Player 01 Not ready yet" in told
    assert "Waits for Player 01" in page_text(desk.get(reverse("results", args=[tournament.pk])))
    refused = desk.post(reverse("match_way", args=args), {"way": "nonsense"})
    assert (refused.status_code, said(refused)) == (400, ["Choose one of the ways a match can be played."])
    assert desk.post(reverse("match_way", args=args), {"way": "paper"}).status_code == 302
    assert not Game.objects.exists()


def test_a_match_that_was_opened_before_the_tournament_changed_its_way_can_follow() -> None:
    tournament = running(2)
    pairing, by = first(tournament), organiser(of=tournament)
    edit_play(tournament_id=tournament.pk, facts=PlayFacts(way=Way.HERE), by=by, now=NOW)
    open_here(match_id=match_of(pairing), seed=SEED, by=by, now=NOW)
    edit_play(tournament_id=tournament.pk, facts=PlayFacts(way=Way.PAPER), by=by, now=NOW)
    link = referee(tournament)
    assert "On the players’ own devices" in page(link).content.decode()
    press(link, "way", match_of(pairing), way="paper")
    assert not Game.objects.exists()
    assert "On paper" in page(link).content.decode()


def test_nobody_is_missing_where_cards_lie() -> None:
    tournament, pairing = at_console(no_show_minutes=5)
    ago = timezone.now() - timedelta(minutes=30)
    Pairing.objects.filter(pk=pairing.pk).update(here_a_at=ago, due_at=ago)
    link = referee(tournament)
    assert "Walkover for Player 02" in text_of(page(link).content.decode())
    enter(link, pairing, "open A")
    assert "Walkover for Player 02" not in text_of(page(link).content.decode())
