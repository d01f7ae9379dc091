"""A match played on its pages: sitting down, ready, every move, and what each reader may see of it."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from config.template_tags import card_face
from matches.actions import games as match_games
from matches.engine import CLUB_DECK, Onlooker
from matches.models import Game, Match, Way
from matches.queries.games import game_view, record_of, runs_out_at
from players.permissions import Refused
from tests.factories import NOW, make_entry, make_tournament, organiser
from tests.matches.games.playing import again, play, play_out
from tests.tournaments.play import count_up, pairings, report
from tests.tournaments.views.at_table import (
    acting,
    at,
    buttons,
    dealt,
    do,
    first_tournament,
    headline,
    here,
    look,
    sides,
    the_game,
    waiting,
    watch,
    words,
)
from tournaments.actions import games
from tournaments.models import Entry, Pairing, Tournament
from tournaments.permissions import entry_token

pytestmark = pytest.mark.django_db


# --- Sitting down.


def test_from_a_free_table_to_the_first_card() -> None:
    pairing = here()
    one, other = sides(pairing)
    page = look(one, pairing)
    assert headline(page) == "The table is free"
    assert do("own_open", one, pairing)["Location"] == at("own_table", one, pairing)
    game = the_game(pairing)
    assert (len(game.seed), game.way, game.moves) == (64, "here", 0)
    page = look(one, pairing)
    deal = record_of(game)[0].deal
    assert deal is not None
    assert headline(page) == "Are you ready?"
    assert deal.commitment in words(page)
    assert game.seed not in page.content.decode()
    assert "The club’s side deck You have built none" in words(page)
    assert "10 chosen 6 removed blind 4 in hand" in words(page)
    assert page.content.decode().count('class="faces small-cards"') == 1
    do("own_ready", one, pairing, words="the ebon hawk")
    assert headline(look(one, pairing)) == f"Waiting for {other.display_name}"
    assert f"{one.display_name} is ready and waits for you." in words(look(other, pairing))
    do("own_ready", other, pairing)
    assert headline(look(acting(pairing), pairing)).startswith("Your turn: you drew ")
    assert headline(look(waiting(pairing), pairing)) == f"{acting(pairing).display_name} is to play"
    told = record_of(the_game(pairing))[0].deal
    assert told is not None
    assert told.words == ("the ebon hawk", "")


def test_sitting_down_twice_is_once() -> None:
    pairing = here()
    one, other = sides(pairing)
    do("own_open", one, pairing)
    game = the_game(pairing)
    do("own_open", other, pairing)
    do("own_ready", one, pairing, words="first")
    do("own_ready", one, pairing, words="second")
    told = record_of(the_game(pairing))[0].deal
    assert the_game(pairing).pk == game.pk
    assert told is not None
    assert told.words == ("first", "")


def test_an_own_deck_is_played_and_one_that_is_not_finished_says_so() -> None:
    pairing = here()
    one, other = sides(pairing)
    deck = ("+1", "+2", "+3", "-1", "-2", "-3", "*1", "*2", "*3", "*4")
    for entry, cards in ((one, deck), (other, deck[:3])):
        games.save_own_deck(entry=entry, cards=cards, by=organiser(of=first_tournament(pairing)), now=NOW)
    do("own_open", one, pairing)
    assert "Your side deck 10 chosen" in words(look(one, pairing))
    assert "Your own is not finished or not allowed here" in words(look(other, pairing))
    for entry in sides(pairing):
        do("own_ready", entry, pairing)
    assert record_of(the_game(pairing))[0].side_decks == (deck, CLUB_DECK)


def test_without_a_deck_and_without_the_clubs_nobody_is_ready() -> None:
    pairing = here(lends_decks=False)
    one, _other = sides(pairing)
    do("own_open", one, pairing)
    assert "I am ready" not in words(look(one, pairing))
    refused = do("own_ready", one, pairing)
    assert refused.status_code == 409
    assert "You have no side deck that these rules take" in words(refused)


def test_words_that_are_too_long_stay_as_typed() -> None:
    pairing = here()
    one, _other = sides(pairing)
    do("own_open", one, pairing)
    refused = do("own_ready", one, pairing, words="x" * 501)
    assert refused.status_code == 400
    assert "500 letters and signs are the most" in words(refused)
    assert f'value="{"x" * 501}"' in refused.content.decode()


# --- Moves.


def test_a_move_without_a_script_leads_back_to_the_table() -> None:
    pairing = dealt()
    mover = acting(pairing)
    position = the_game(pairing).position
    assert buttons(look(mover, pairing))[-3:] == ["end", "stand", "forfeit"]
    answer = do("own_move", mover, pairing, move="end", at=position)
    assert (answer.status_code, answer["Location"]) == (302, at("own_table", mover, pairing))
    assert acting(pairing) != mover
    assert buttons(look(mover, pairing)) == ["forfeit"]


def test_a_refused_move_without_a_script_is_told_on_the_table() -> None:
    pairing = dealt()
    client = Client(enforce_csrf_checks=True)
    answer = client.post(at("own_move", waiting(pairing), pairing), {"move": "end", "at": the_game(pairing).position})
    assert answer.status_code == 302
    assert "It is the other side’s turn." in words(client.get(answer["Location"]))  # type: ignore[arg-type]


def test_a_script_gets_the_table_as_it_is_now() -> None:
    pairing = dealt()
    mover, position = acting(pairing), the_game(pairing).position
    answer = do("own_move", mover, pairing, part=True, move="end", at=position)
    fresh = look(mover, pairing, part="game")
    assert answer.status_code == 200
    assert answer.content == fresh.content
    assert (answer["ETag"], answer["Game-Position"]) == (fresh["ETag"], the_game(pairing).position)
    assert answer["Cache-Control"] == "private, no-store"


def test_the_same_move_twice_is_one_and_another_for_that_position_is_told_where_the_table_is() -> None:
    pairing = dealt()
    mover, position = acting(pairing), the_game(pairing).position
    for _ in range(2):
        assert do("own_move", mover, pairing, part=True, move="end", at=position).status_code == 200
    moves = the_game(pairing).moves
    late = do("own_move", mover, pairing, part=True, move="stand", at=position)
    assert (late.status_code, late["Game-Position"]) == (409, the_game(pairing).position)
    assert "ETag" not in late
    assert "The table has moved on since then." in words(late)
    assert headline(late) == headline(look(mover, pairing))
    assert the_game(pairing).moves == moves


@pytest.mark.parametrize("move", ["", "7", "D7", "open A", "A stand", "<script>", "🎲", "x" * 5000])
def test_what_is_no_move_is_refused_and_the_table_stays(move: str) -> None:
    pairing = dealt()
    game = the_game(pairing)
    answer = do("own_move", acting(pairing), pairing, part=True, move=move, at=game.position)
    assert answer.status_code == 400
    assert "This is no move." in words(answer)
    assert the_game(pairing).version == game.version


def test_a_hand_is_nobody_elses() -> None:
    pairing = dealt()
    hands = [side.hand for side in record_of(the_game(pairing))[1].sides]
    for entry, own in zip(sides(pairing), hands, strict=True):
        html = look(entry, pairing).content.decode()
        shown = html.partition('<div class="hand"')[2].partition('<div class="below"')[0]
        assert [card_face(token) for token in own] == re.findall(r"cards[^#\"]*\.svg#(\w+)", shown)
    seen = watch(pairing).content.decode()
    assert 'class="hand"' not in seen
    assert seen.count("#back") == 8
    assert buttons(watch(pairing)) == []


# --- The end.


def test_giving_up_names_what_happens_and_ends_the_match() -> None:
    pairing = dealt()
    one, other = sides(pairing)
    assert f"The match ends now and {other.display_name} wins it" in words(look(one, pairing))
    do("own_move", one, pairing, move="forfeit", at=the_game(pairing).position)
    assert headline(look(one, pairing)) == "You lose: the match was given up"
    assert headline(look(other, pairing)) == "You win: your opponent gave up"
    match = Match.objects.get(pairing=pairing)
    assert (match.kind, match.winner) == ("forfeit", "b")


def test_a_match_played_out_is_its_result() -> None:
    pairing = dealt()
    game = play_out(the_game(pairing))
    count_up(first_tournament(pairing))
    match = Match.objects.get(pairing=pairing)
    winner, loser = sides(pairing) if match.winner == "a" else sides(pairing)[::-1]
    high, low = max(match.sets_a, match.sets_b), min(match.sets_a, match.sets_b)
    page = look(winner, pairing)
    assert headline(page) == f"You win {high}:{low}"
    assert headline(look(loser, pairing)) == f"You lose {low}:{high}"
    assert buttons(page) == []
    assert game.over_at is not None
    for answer in (page, watch(pairing)):
        links = set(re.findall(r'href="(/t/[^"]+)"', answer.content.decode()))
        assert {
            reverse(name, args=[first_tournament(pairing).pk, pairing.match_id]) for name in ("replay", "deal")
        } <= links


def test_the_next_set_is_dealt_when_somebody_asks() -> None:
    pairing = dealt()
    game = the_game(pairing)
    for _ in range(60):
        state = record_of(again(game))[1]
        if state.turn is None:
            break
        played = play(game, "stand" if state.sides[state.turn].total >= 17 else "end")
        assert not isinstance(played, Refused), played
    one, _other = sides(pairing)
    assert buttons(look(one, pairing)) == ["next", "forfeit"]
    do("own_move", one, pairing, move="next", at=the_game(pairing).position)
    assert "Set 2 · Table 1" in words(look(one, pairing))


# --- The referee.


def test_the_referee_is_called_and_a_paused_game_offers_no_move() -> None:
    pairing = dealt()
    mover = acting(pairing)
    do("own_call", mover, pairing)
    assert the_game(pairing).called_at is not None
    assert re.search(r"The referee is called since .* Take the call back The game goes on", words(look(mover, pairing)))
    assert "Take the call back" not in words(look(waiting(pairing), pairing))
    match_games.pause_game(game_id=the_game(pairing).pk, by=organiser(of=first_tournament(pairing)), now=NOW)
    page = look(mover, pairing)
    assert (headline(page), buttons(page)) == ("The referee has paused the game", [])
    refused = do("own_move", mover, pairing, part=True, move="end", at=the_game(pairing).position)
    assert (refused.status_code, "The referee has paused the game." in words(refused)) == (409, True)


def test_time_that_is_over_calls_the_referee_and_says_whose_it_was() -> None:
    pairing = dealt(turn_seconds=30, on_timeout="call")
    mover, other = acting(pairing), waiting(pairing)
    match_games.enforce_clock(game_id=the_game(pairing).pk, now=timezone.now() + timedelta(minutes=1))
    assert headline(look(mover, pairing)) == "Your time is over: the referee is called"
    assert headline(look(other, pairing)) == f"The time of {mover.display_name} is over: the referee is called"
    assert buttons(look(mover, pairing)) == []


def test_the_cards_that_settled_who_opens_lie_on_the_table_as_long_as_its_first_set_lasts() -> None:
    pairing = dealt()
    one, other = sides(pairing)
    first, second = game_view(game=the_game(pairing), viewer=Onlooker.SPECTATOR).high_cards[-1]

    def turned(page: HttpResponse) -> list[str]:
        shown = page.content.decode().partition("<ul data-turned>")[2].partition("</ul>")[0]
        return re.findall(r'aria-label="Main card (\d+)"', shown)

    assert turned(look(one, pairing)) == turned(watch(pairing)) == [str(first), str(second)]
    assert turned(look(other, pairing)) == [str(second), str(first)]
    assert f"high card {max(first, second)} to {min(first, second)}" in words(watch(pairing))
    play_out(the_game(pairing))
    assert turned(look(one, pairing)) == []


def test_without_a_script_the_clock_says_when_the_turn_is_over() -> None:
    pairing = dealt(turn_seconds=60)
    over = runs_out_at(the_game(pairing))
    assert over is not None
    there = over.astimezone(first_tournament(pairing).event.tzinfo)
    for entry in sides(pairing):
        assert f"until {there:%H:%M:%S}" in words(look(entry, pairing))
    assert f"until {there:%H:%M:%S}" in words(watch(pairing))


def test_a_result_from_elsewhere_ends_the_table_where_it_is() -> None:
    pairing = dealt()
    report(pairing, (3, 1))
    one, other = sides(pairing)
    page = look(one, pairing)
    assert (headline(page), buttons(page)) == ("This match is decided: the table stays as it was", [])
    assert "The result is in: 3–1" in words(page)
    assert "The result is in: 1–3" in words(look(other, pairing))


# --- Whose page it is.


def test_it_is_nobody_elses_page() -> None:
    pairing = here(4)
    stranger = pairings(first_tournament(pairing))[1].a
    for name in ("own_table", "own_open", "own_ready", "own_move", "own_call"):
        address = at(name, stranger, pairing)
        for path in (address, address.replace("/p/", "/p/9")):
            answer = Client().get(path) if name == "own_table" else Client().post(path)
            assert answer.status_code == 404
    assert not Game.objects.exists()


@pytest.mark.parametrize("way", [Way.PAPER, Way.CONSOLE])
def test_a_match_that_is_not_played_here_says_so(way: Way) -> None:
    pairing = here()
    Pairing.objects.filter(pk=pairing.pk).update(way=way)
    one, _other = sides(pairing)
    assert headline(look(one, pairing)) == "This match is not played on this page"
    client = Client(enforce_csrf_checks=True)
    answer = client.post(at("own_open", one, pairing))
    assert "This match is not played that way" in words(client.get(answer["Location"]))  # type: ignore[arg-type]
    assert do("own_move", one, pairing, part=True, move="end", at="0.0").status_code == 409


def test_a_match_whose_round_was_taken_back_says_so() -> None:
    pairing = here()
    one, _other = sides(pairing)
    address = at("own_table", one, pairing)
    Match.objects.filter(pairing=pairing).update(is_void=True)
    Pairing.objects.filter(pk=pairing.pk).delete()
    assert headline(look(one, pairing)) == "This match is closed"
    answer = Client(enforce_csrf_checks=True).post(f"{address}move/?part=game", {"move": "end", "at": "0.2"})
    assert (answer.status_code, "its round was taken back" in answer.content.decode()) == (409, True)


def test_a_match_decided_before_anybody_sat_down_says_how() -> None:
    pairing = here()
    report(pairing, (3, 1))
    one, other = sides(pairing)
    page = look(one, pairing)
    assert (headline(page), f"Against {other.display_name} : 3–1." in words(page)) == ("The match is decided", True)
    assert f"Against {one.display_name} : 1–3." in words(look(other, pairing))


# --- A player's own page.


def test_the_own_page_leads_to_the_side_deck_before_the_start_and_while_they_play() -> None:
    pairing = here()
    tournament, one = first_tournament(pairing), pairing.a
    waiting_one = make_entry(tournament=make_tournament(event=tournament.event, name="Later"))
    Tournament.objects.update(way=Way.HERE)

    def leads(entry: Entry) -> bool:
        page = Client().get(reverse("own_page", args=[entry_token(entry)])).content.decode()
        return f'href="{reverse("own_deck", args=[entry_token(entry)])}"' in page

    assert (leads(one), leads(waiting_one)) == (True, True)
    Tournament.objects.update(way=Way.PAPER)
    assert (leads(one), leads(waiting_one)) == (False, False)
    Pairing.objects.filter(pk=pairing.pk).update(way=Way.HERE)
    assert leads(one)
    Tournament.objects.update(decks_due_at=timezone.now())
    page = Client().get(reverse("own_page", args=[entry_token(one)])).content.decode()
    assert "Side decks are sealed." in page


def test_the_own_page_leads_to_the_table_and_asks_for_no_report() -> None:
    pairing = here(players_report=True)
    own = Client().get(reverse("own_page", args=[entry_token(pairing.a)])).content.decode()
    address = at("own_table", pairing.a, pairing)
    assert f'<a class="btn main big" href="{address}">Play now</a>' in own
    assert 'name="result"' not in own
    Pairing.objects.filter(pk=pairing.pk).update(way=Way.PAPER)
    own = Client().get(reverse("own_page", args=[entry_token(pairing.a)])).content.decode()
    assert address not in own
    assert 'name="result"' in own
