"""Matches as everybody may watch them: a page for one, links to it, and the tables on the wall."""

from __future__ import annotations

import re

import pytest
from django.test import Client
from django.urls import reverse

from matches.actions import clear_result
from matches.models import Match, Way
from tests.factories import NOW, organiser
from tests.matches.games.playing import play_out
from tests.tournaments.actions.game_acts import SEED
from tests.tournaments.play import count_up, pairings, report
from tests.tournaments.views.at_table import (
    acting,
    dealt,
    do,
    first_tournament,
    headline,
    here,
    look,
    sides,
    the_game,
    watch,
    words,
)
from tournaments.actions import games
from tournaments.models import Entry, Pairing, Tournament
from tournaments.permissions import entry_token

pytestmark = pytest.mark.django_db


def test_everybody_may_watch_from_the_pairing_to_the_result() -> None:
    pairing = here()
    one, other = sides(pairing)
    names = f"{one.display_name} – {other.display_name}"
    assert headline(watch(pairing)) == names
    assert "Not begun yet." in words(watch(pairing))
    Pairing.objects.filter(pk=pairing.pk).update(way=Way.PAPER)
    assert "Played at a real table." in words(watch(pairing))
    report(pairing, (3, 1))
    assert (headline(watch(pairing)), "3–1" in words(watch(pairing))) == (names, True)


def test_who_watches_has_it_already_until_somebody_moves() -> None:
    pairing = dealt()
    address = reverse("watch", args=[first_tournament(pairing).pk, pairing.match_id])
    before = watch(pairing, part="match")
    assert Client().get(address, {"part": "match"}, headers={"If-None-Match": before["ETag"]}).status_code == 304
    do("own_move", acting(pairing), pairing, move="end", at=the_game(pairing).position)
    after = Client().get(address, {"part": "match"}, headers={"If-None-Match": before["ETag"]})
    assert (after.status_code, after["ETag"] == before["ETag"]) == (200, False)


def test_a_match_is_found_in_its_own_tournament_and_only_once_it_is_out() -> None:
    pairing = here()
    for pk, match_id in ((first_tournament(pairing).pk + 1, pairing.match_id), (first_tournament(pairing).pk, 10**12)):
        assert Client().get(reverse("watch", args=[pk, match_id])).status_code == 404
    pairing.round.published_at = None
    pairing.round.save()
    assert watch(pairing).status_code == 404


def test_matches_that_can_be_watched_are_linked_where_everybody_looks() -> None:
    pairing = dealt(size=4)
    tournament = first_tournament(pairing)
    address = reverse("watch", args=[tournament.pk, pairing.match_id])
    other = reverse("watch", args=[tournament.pk, pairings(tournament)[1].match_id])
    for name in ("tournament", "pairings"):
        html = Client().get(reverse(name, args=[tournament.pk])).content.decode()
        assert (f'href="{address}"' in html, f'href="{other}"' in html) == (True, False)
    play_out(the_game(pairing))
    count_up(tournament)
    for path in (reverse("pairings", args=[tournament.pk]), reverse("own_page", args=[entry_token(pairing.a)])):
        assert f'href="{address}"' in Client().get(path).content.decode()


def test_who_has_the_pairings_learns_that_the_first_card_lies() -> None:
    pairing = here()
    one, other = sides(pairing)
    do("own_open", one, pairing)
    do("own_ready", one, pairing)
    count_up(first_tournament(pairing))
    address = reverse("pairings", args=[first_tournament(pairing).pk])
    seen = Client().get(address)
    do("own_ready", other, pairing)
    count_up(first_tournament(pairing))
    now = Client().get(address, headers={"if-none-match": seen["ETag"]})
    link = f'href="{reverse("watch", args=[first_tournament(pairing).pk, pairing.match_id])}"'
    assert (link in seen.content.decode(), now.status_code, link in now.content.decode()) == (False, 200, True)


def test_a_result_that_was_taken_back_counts_for_nobody_who_looks() -> None:
    pairing = dealt()
    play_out(the_game(pairing))
    said = "This result was taken back. The referee enters what counts."
    before = [said in words(page) for page in (watch(pairing), look(pairing.a, pairing))]
    match = Match.objects.get()
    by = organiser(of=first_tournament(pairing))
    clear_result(match_id=match.pk, by=by, expected_version=match.version, now=NOW)
    after = [said in words(page) for page in (watch(pairing), look(pairing.a, pairing))]
    assert (before, after) == ([False, False], [True, True])


def test_a_bracket_leads_to_the_matches_that_can_be_watched() -> None:
    pairing = dealt(format="single_elimination")
    tournament = first_tournament(pairing)
    address = reverse("watch", args=[tournament.pk, pairing.match_id])
    for view in ({}, {"view": "list"}):
        assert f'href="{address}"' in Client().get(reverse("bracket", args=[tournament.pk]), view).content.decode()


# --- The wall.


def wall(tournament: Tournament, **query: str) -> list[str]:
    """The tables on the hall screen, each by its place."""
    html = Client().get(reverse("hall", args=[tournament.pk]), query).content.decode()
    return re.findall(r'<li id="wall-\d+"><p>([^<]+)</p>', html)


def test_the_wall_shows_open_games_by_table_and_no_more_than_fit() -> None:
    pairing = here(16)
    tournament = first_tournament(pairing)
    assert wall(tournament) == []
    for each in reversed(pairings(tournament)):
        games.open_here(match_id=each.match_id or 0, seed=SEED, by=organiser(of=tournament), now=NOW)
        for entry in sides(each):
            games.sit_down(
                entry=Entry.objects.get(pk=entry.pk),
                match_id=each.match_id or 0,
                words="",
                by=organiser(of=tournament),
                now=NOW,
            )
    assert wall(tournament) == [f"Set 1 · Table {n}" for n in (1, 2, 3)]
    assert wall(tournament, show="tables") == [f"Set 1 · Table {n}" for n in range(1, 7)]
    assert wall(tournament, show="standings") == []
    play_out(the_game(pairing))
    assert wall(tournament) == [f"Set 1 · Table {n}" for n in (2, 3, 4)]


def test_the_wall_is_another_one_after_every_move_and_shows_no_hand() -> None:
    pairing = dealt()
    address = reverse("hall", args=[first_tournament(pairing).pk])
    before = Client().get(address, {"part": "screen"})
    do("own_move", acting(pairing), pairing, move="end", at=the_game(pairing).position)
    after = Client().get(address, {"part": "screen"}, headers={"If-None-Match": before["ETag"]})
    assert after.status_code == 200
    html = after.content.decode()
    assert html.count('class="card"') == 2  # one main card on each side
    assert f"game/{the_game(pairing).pk}" in html


def test_the_wall_says_how_it_is_laid_out_where_a_page_that_is_open_learns_it() -> None:
    pairing = here()
    tournament = first_tournament(pairing)

    def laid_out(**query: str) -> tuple[str, str]:
        html = Client().get(reverse("hall", args=[tournament.pk]), {"part": "screen", **query}).content.decode()
        found = re.search(r'data-tables="(\w*)".* data-spread="(\d?)"', html)
        assert found is not None
        return found[1], found[2]

    assert (laid_out(), laid_out(show="tables")) == (("", ""), ("", ""))
    for entry in sides(pairing):
        do("own_open", entry, pairing)
        do("own_ready", entry, pairing)
    assert (laid_out(), laid_out(show="tables")) == (("beside", "0"), ("alone", "0"))
