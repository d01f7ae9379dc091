"""The referee's console: one tap an entry, nothing twice, nothing of other tables, a way back, a result."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from matches.models import Game, Match, Way
from players.permissions import Role
from tests.factories import make_event
from tests.tournaments.play import report
from tests.tournaments.views.at_console import (
    MATCH_TO_A,
    at_console,
    enter,
    game_of,
    look,
    press,
)
from tests.tournaments.views.desk import desk_of, stranger, text_of
from tests.tournaments.views.referee import first, link_for, match_of, page, referee, running, stored, undo
from tournaments.models import Pairing
from tournaments.permissions import link_token

pytestmark = pytest.mark.django_db

PLACES = ("console", "game")
PRESSES = ("way", "console_open", "console_move", "game_act")


def keys(html: str, form: str) -> list[str]:
    """The entries the keys of a form send, those that cannot be pressed left out."""
    found = re.search(rf'<form[^>]*id="{form}".*?</form>', html, re.DOTALL)
    return [] if found is None else re.findall(r'name="move" value="([^"]+)"(?![^>]*disabled)', found[0])


def headline(html: str) -> str:
    found = re.search(r"data-headline>(.*?)</h1>", html, re.DOTALL)
    assert found is not None
    return text_of(found[1])


# --- whose it is


@pytest.mark.parametrize("name", [*PLACES, *PRESSES])
def test_a_match_of_other_tables_is_not_there(name: str) -> None:
    tournament, pairing = at_console(8)
    own = referee(tournament, tables=(pairing.table or 0,))
    other = referee(tournament, tables=(7,))
    elsewhere = link_for(make_event())
    ask = look if name in PLACES else press
    assert ask(own, name, match_of(pairing)).status_code != 404
    assert {ask(link, name, match_of(pairing)).status_code for link in (other, elsewhere)} == {404}


@pytest.mark.parametrize("role", [Role.DESK, Role.SCREEN])
def test_other_helpers_run_no_games(role: Role) -> None:
    tournament, pairing = at_console()
    link = referee(tournament, role=role)
    assert [look(link, name, match_of(pairing)).status_code for name in PLACES] == [404, 404]
    assert [press(link, name, match_of(pairing)).status_code for name in PRESSES] == [404] * 4


def test_on_the_desk_it_is_for_the_organiser_and_for_this_tournament() -> None:
    tournament, pairing = at_console()
    address = reverse("match_console", args=[tournament.pk, pairing.match_id])
    assert desk_of(tournament).get(address).status_code == 200
    assert stranger().get(address).status_code == 404
    other = running(2)
    assert desk_of(other).get(reverse("match_console", args=[other.pk, pairing.match_id])).status_code == 404


# --- from paper to the console


def test_a_match_on_paper_goes_to_the_console_in_two_presses() -> None:
    tournament = running(2)
    link, pairing = referee(tournament), first(tournament)
    match = match_of(pairing)
    address = reverse("staff_console", args=[link_token(link), match])
    assert f'href="{address}"' in page(link).content.decode()
    assert "How it is played: On paper." in text_of(look(link, "console", match).content.decode())
    assert press(link, "way", match, way="console").headers["Location"] == address
    assert "Enter card by card" in look(link, "console", match).content.decode()
    assert press(link, "console_open", match).headers["Location"] == address
    assert headline(look(link, "console", match).content.decode()) == "Who opens?"


def test_a_way_that_is_none_or_not_possible_is_refused() -> None:
    tournament = running(2, ruleset="table/1")
    link, match = referee(tournament), match_of(first(tournament))
    refused = press(link, "way", match, way="by-telepathy")
    assert refused.status_code == 400
    assert "Choose one of the ways a match can be played." in refused.content.decode()
    refused = press(link, "way", match, way="here")
    assert refused.status_code == 400
    assert "Under these rules the cards come from a real deck" in refused.content.decode()
    html = look(link, "console", match).content.decode()
    assert re.findall(r'name="way" value="(\w+)"', html) == ["console"]
    assert "these rules take every card from outside" in html


def test_a_table_where_cards_lie_keeps_its_way() -> None:
    tournament, pairing = at_console()
    link = referee(tournament)
    enter(link, pairing, "open A")
    refused = press(link, "way", match_of(pairing), way="paper")
    assert (refused.status_code, game_of(pairing).way) == (409, Way.CONSOLE)
    assert "Cards lie on this table already" in refused.content.decode()


def test_an_opened_table_without_cards_goes_back_to_paper() -> None:
    tournament, pairing = at_console()
    press(referee(tournament), "way", match_of(pairing), way="paper")
    assert not Game.objects.exists()
    assert Pairing.objects.get(pk=pairing.pk).way == Way.PAPER


# --- entering


def test_the_keys_are_what_can_come_and_the_console_says_what_happened() -> None:
    tournament, pairing = at_console()
    link = referee(tournament)
    assert keys(look(link, "console", match_of(pairing)).content.decode(), "open-form") == ["open A", "open B"]
    html = enter(link, pairing, "open A").content.decode()
    assert headline(html) == "Player 02 draws"
    assert keys(html, "draw-form") == [f"A {value}" for value in range(1, 11)]
    html = enter(link, pairing, "A 7").content.decode()
    assert headline(html) == "Player 02 has 7"
    assert keys(html, "act-form") == ["A end", "A stand"]
    assert re.findall(r'id="sign-(\w+)"', html) == ["plus", "minus", "plusminus", "special"]
    assert 'value="A *3=-3"' in html
    assert 'value="A F24"' in html
    html = enter(link, pairing, "A *3=-3").content.decode()
    assert "Player 02 plays −3, makes 4" in text_of(html)
    assert "sign-plus" not in html  # one hand card a turn
    html = enter(link, pairing, "A end", "B 10", "B end", "A 10", "A +6").content.decode()
    assert "Player 02 plays +6, makes 20. Player 02 stands at 20" in text_of(html)
    assert headline(html) == "Player 01 draws"
    html = enter(link, pairing, "B 9", "B end").content.decode()
    assert headline(html) == "Player 01 draws"
    html = enter(link, pairing, "B 5").content.decode()
    assert headline(html) == "Player 01 has 24, too much"
    assert keys(html, "act-form") == ["B end"]
    assert "Bust at 24" in html
    html = enter(link, pairing, "B end").content.decode()
    assert headline(html) == "Set 1 goes to Player 02: a bust at 24"
    assert keys(html, "open-form") == ["open A", "open B"]


def test_a_ruleset_without_gold_cards_offers_none() -> None:
    tournament, pairing = at_console(ruleset="table/1")
    html = enter(referee(tournament), pairing, "open A", "A 7").content.decode()
    assert re.findall(r'id="sign-(\w+)"', html) == ["plus", "minus", "plusminus"]


def test_an_entry_sent_twice_is_one_and_a_stale_one_shows_the_table_as_it_is() -> None:
    tournament, pairing = at_console()
    link, match = referee(tournament), match_of(pairing)
    twice = [press(link, "console_move", match, part=True, move="open A", at="0.0") for _press in range(2)]
    assert [(each.status_code, each.headers["Game-Position"]) for each in twice] == [(200, "0.1")] * 2
    stale = press(link, "console_move", match, part=True, move="open B", at="0.0")
    assert (stale.status_code, stale.headers["Game-Position"]) == (409, "0.1")
    html = stale.content.decode()
    assert "data-refused><p>The table has moved on since then. Look at it as it is now.</p>" in html
    assert headline(html) == "Player 02 draws"
    assert game_of(pairing).moves == 1


def test_an_undo_sent_twice_takes_one_entry_back() -> None:
    tournament, pairing = at_console()
    link, match = referee(tournament), match_of(pairing)
    enter(link, pairing, "open A", "A 7")
    for _press in range(2):
        answer = press(link, "console_move", match, part=True, move="undo", at="0.2")
        assert (answer.status_code, answer.headers["Game-Position"]) == (200, "1.1")
    assert keys(answer.content.decode(), "undo-form") == ["undo"]


@pytest.mark.parametrize(
    ("move", "status"), [("", 400), ("A 11", 400), ("B 7", 409), ("A stand", 409), ("confirm", 409)]
)
def test_what_cannot_be_is_refused_in_words(move: str, status: int) -> None:
    tournament, pairing = at_console()
    link = referee(tournament)
    enter(link, pairing, "open A")
    answer = press(link, "console_move", match_of(pairing), move=move, at="0.1")
    assert answer.status_code == status
    assert "data-refused" in answer.content.decode()
    assert game_of(pairing).moves == 1


def test_every_entry_of_a_console_goes_to_one_address_so_that_one_at_a_time_waits_to_be_sent() -> None:
    tournament, pairing = at_console()
    link = referee(tournament)
    enter(link, pairing, "open A", "A 7")
    html = look(link, "console", match_of(pairing)).content.decode()
    address = reverse("staff_console_move", args=[link_token(link), pairing.match_id])
    assert f'data-play="{address}"' in html
    assert set(re.findall(r'action="([^"]+)" data-move', html)) == {address}
    assert set(re.findall(r'name="at" value="([^"]+)"', html)) == {"0.2"}


def test_without_script_an_entry_comes_back_to_the_console() -> None:
    tournament, pairing = at_console()
    link = referee(tournament)
    answer = press(link, "console_move", match_of(pairing), move="open A", at="0.0")
    assert answer.headers["Location"] == reverse("staff_console", args=[link_token(link), pairing.match_id])


# --- hands


def hands(a: str, b: str, opener: str = "A") -> dict[str, Any]:
    """The form of an opening with hands: cards by blanks."""
    sides = {"a": a.split(), "b": b.split()}
    fields = {f"{side}{place}": token for side, cards in sides.items() for place, token in enumerate(cards, start=1)}
    return {"move": "hands", "opener": opener, **fields}


def test_hands_the_players_show_are_kept_to_the_staff() -> None:
    tournament, pairing = at_console()
    link, match = referee(tournament), match_of(pairing)
    answer = press(link, "console_move", match, at="0.0", **hands("+1 -2 *3 D", ""))
    assert answer.status_code == 302
    assert "open A (+1 -2 *3 D) (?)" in game_of(pairing).record
    html = enter(link, pairing, "A 7").content.decode()
    assert sorted(keys(html, "card-form")) == ["A *3=+3", "A *3=-3", "A +1", "A -2", "A D"]
    assert "sign-plus" not in html
    public = Client().get(reverse("watch", args=[tournament.pk, match])).content.decode()
    assert "4 cards in hand" in public
    assert "p1" not in re.findall(r"cards\.svg#(\w+)", public)


def test_half_a_hand_is_asked_for_again_with_what_was_chosen() -> None:
    tournament, pairing = at_console()
    answer = press(referee(tournament), "console_move", match_of(pairing), at="0.0", **hands("+1 -2", "", "B"))
    html = answer.content.decode()
    assert answer.status_code == 400
    assert "Name all 4 cards of a hand, or none of them." in html
    assert len(re.findall(r'<option value="[+-][12]" selected>', html)) == 2
    assert '<details class="fold plain" id="hands" open>' in html
    assert game_of(pairing).moves == 0


# --- the end


def test_the_result_is_entered_and_undone_like_any_other() -> None:
    tournament, pairing = at_console()
    link, match = referee(tournament), match_of(pairing)
    html = enter(link, pairing, *MATCH_TO_A).content.decode()
    assert "Enter 3:0 for Player 02" in text_of(html)
    assert stored(match) == ("", 0, 0, 0)
    assert "Over at 3:0: confirm it" in page(link).content.decode()
    html = enter(link, pairing, "undo", "B end", "B 4", "B stand").content.decode()
    assert keys(html, "confirm-form") == ["confirm"]
    html = enter(link, pairing, "confirm", "confirm").content.decode()
    assert "The result is in." in html
    assert stored(match) == ("score", 3, 0, 1)
    assert "Undo" in page(link).content.decode()
    assert undo(link, match, version=1).status_code == 200
    assert stored(match) == ("", 0, 0, 2)
    enter(link, pairing, "confirm")
    assert stored(match) == ("score", 3, 0, 3)


def test_a_result_seen_at_another_position_is_not_confirmed() -> None:
    tournament, pairing = at_console()
    link, match = referee(tournament), match_of(pairing)
    enter(link, pairing, *MATCH_TO_A)
    at = game_of(pairing).position
    enter(link, pairing, "undo", "B forfeit")
    assert press(link, "console_move", match, part=True, move="confirm", at=at).status_code == 409
    assert stored(match)[0] == ""


def test_somebody_gives_up_and_it_can_be_taken_back() -> None:
    tournament, pairing = at_console()
    link = referee(tournament)
    html = enter(link, pairing, "open A", "A 7", "B forfeit").content.decode()
    assert headline(html) == "The match goes to Player 02: the other side gave up"
    assert "Enter that Player 02 wins" in text_of(html)
    html = enter(link, pairing, "undo").content.decode()
    assert headline(html) == "Player 02 has 7"
    enter(link, pairing, "B forfeit", "confirm")
    found = Match.objects.get(pk=match_of(pairing))
    assert (found.kind, found.winner) == ("forfeit", "a")


def test_too_many_ties_are_for_the_referee_to_decide() -> None:
    tournament, pairing = at_console()
    link, game = referee(tournament), game_of(pairing)
    ruled = game.record.replace('[Ruleset "standard/1"]\n', '[Ruleset "standard/1"]\n[Option max_consecutive_ties 1]\n')
    Game.objects.filter(pk=game.pk).update(record=ruled)
    tie = ("open A", "A 10", "A end", "B 10", "B end", "A 8", "A stand", "B 8", "B stand")
    html = enter(link, pairing, *tie).content.decode()
    assert headline(html) == "Too many ties in a row: you decide"
    assert keys(html, "ruling-form") == ["ruling next", "ruling A", "ruling B"]
    assert "Needs your word" in page(link).content.decode()
    html = enter(link, pairing, "ruling next").content.decode()
    assert keys(html, "open-form") == ["open A", "open B"]
    html = enter(link, pairing, "undo", "ruling B").content.decode()
    assert "Enter that Player 01 wins" in text_of(html)


def test_where_a_second_person_confirms_the_console_waits_for_one() -> None:
    tournament, pairing = at_console(second_confirms=True)
    link, match = referee(tournament), match_of(pairing)
    html = enter(link, pairing, *MATCH_TO_A, "confirm").content.decode()
    assert "Noted. It counts once a second person confirms it." in html
    assert stored(match) == ("", 0, 0, 0)
    other = referee(tournament, name="Olli")
    waiting = pairing.match.submissions.get() if pairing.match else None
    assert waiting is not None
    Client().post(reverse("staff_confirm", args=[link_token(other), waiting.pk]))
    assert stored(match) == ("score", 3, 0, 1)


def test_a_result_on_paper_ends_the_game_and_the_pages_say_so() -> None:
    tournament, pairing = at_console()
    link, match = referee(tournament), match_of(pairing)
    enter(link, pairing, "open A", "A 7")
    assert "A result entered here ends it." in page(link).content.decode()
    assert "it ends what is entered here." in look(link, "console", match).content.decode()
    report(pairing, (1, 3))
    answer = enter(link, pairing, "A end")
    assert answer.status_code == 409
    told = text_of(answer.content.decode())
    assert "This match has its result already" in told
    assert "A result was entered elsewhere, and that ended what was entered here." in told
    assert stored(match) == ("score", 1, 3, 1)


def test_the_organiser_enters_on_the_desk() -> None:
    tournament, pairing = at_console()
    desk, args = desk_of(tournament), [tournament.pk, pairing.match_id]
    for move in MATCH_TO_A:
        answer = desk.post(reverse("match_console_move", args=args), {"move": move, "at": game_of(pairing).position})
        assert answer.status_code == 302
    page_ = desk.get(reverse("match_console", args=args))
    assert page_.content.decode().count("csrfmiddlewaretoken") >= 2
    desk.post(reverse("match_console_move", args=args), {"move": "confirm", "at": game_of(pairing).position})
    assert stored(match_of(pairing)) == ("score", 3, 0, 1)


def test_a_match_whose_round_was_taken_back_is_closed() -> None:
    tournament, pairing = at_console()
    link, match = referee(tournament), match_of(pairing)
    desk_of(tournament).post(reverse("take_back", args=[tournament.pk]))
    html = look(link, "console", match).content.decode()
    assert "This match is closed" in html
    assert press(link, "console_move", match, move="open A", at="0.0").status_code == 409
