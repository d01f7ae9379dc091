"""A match played on its pages, as tests need one: sat down to, looked at, moved in and watched."""

from __future__ import annotations

import re
from html import unescape
from typing import Any

from django.http import HttpResponse
from django.test import Client
from django.urls import reverse

from matches.models import Game, Way
from matches.queries.games import record_of
from tests.factories import NOW, organiser
from tests.tournaments.actions.game_acts import SEED
from tests.tournaments.play import pairings
from tests.tournaments.views.referee import running
from tournaments.actions import games
from tournaments.models import Entry, Pairing, Tournament
from tournaments.permissions import entry_token


def here(size: int = 2, *, format: str = "swiss", **facts: Any) -> Pairing:  # noqa: A002 - the name of the field
    """The first pairing of a running tournament whose matches are played here."""
    tournament = running(size, format=format)
    Tournament.objects.filter(pk=tournament.pk).update(way=Way.HERE, **facts)
    return first(tournament)


def first(tournament: Tournament) -> Pairing:
    found = pairings(tournament)[0]
    return Pairing.objects.select_related("a", "b", "match", "round__stage__tournament__event").get(pk=found.pk)


def sides(pairing: Pairing) -> tuple[Entry, Entry]:
    assert pairing.b is not None
    return pairing.a, pairing.b


def at(name: str, entry: Entry, pairing: Pairing) -> str:
    fresh = Entry.objects.get(pk=entry.pk)
    return reverse(name, args=[entry_token(fresh), pairing.match_id])


def look(entry: Entry, pairing: Pairing, *, status: int = 200, **query: str) -> HttpResponse:
    answer = Client().get(at("own_table", entry, pairing), query)
    assert isinstance(answer, HttpResponse)
    assert answer.status_code == status
    return answer


def do(act: str, entry: Entry, pairing: Pairing, *, part: bool = False, **fields: str) -> HttpResponse:
    """What a player presses; as a script does it with `part`."""
    address = at(act, entry, pairing) + ("?part=game" if part else "")
    answer = Client(enforce_csrf_checks=True).post(address, fields)
    assert isinstance(answer, HttpResponse)
    return answer


def words(answer: HttpResponse) -> str:
    """The text of a page or a region, tags and doubled spaces gone."""
    html = answer.content.decode()
    main = html.partition("<main")[2].partition("</main>")[0] or html
    return re.sub(r"\s+", " ", unescape(re.sub(r"<template.*?</template>|<[^>]+>", " ", main, flags=re.DOTALL))).strip()


def headline(answer: HttpResponse) -> str:
    found = re.search(r"<h1[^>]*>(.*?)</h1>", answer.content.decode(), re.DOTALL)
    assert found is not None
    return unescape(re.sub(r"<[^>]+>", "", found[1])).strip()


def buttons(answer: HttpResponse) -> list[str]:
    """What the moves on a page send, in their order."""
    return re.findall(r'name="move" value="([^"]*)"', answer.content.decode())


def the_game(pairing: Pairing) -> Game:
    return Game.objects.select_related("match").get(match=pairing.match_id)


def dealt(**facts: Any) -> Pairing:
    """A match both sat down to by their pages."""
    pairing = here(**facts)
    for entry in sides(pairing):
        do("own_open", entry, pairing)
    game = the_game(pairing)  # a known deal
    Game.objects.filter(pk=game.pk).delete()
    games.open_here(match_id=pairing.match_id or 0, seed=SEED, by=organiser(of=first_tournament(pairing)), now=NOW)
    for entry in sides(pairing):
        do("own_ready", entry, pairing, words="")
    return pairing


def first_tournament(pairing: Pairing) -> Tournament:
    return pairing.round.stage.tournament


def acting(pairing: Pairing) -> Entry:
    """Whoever is to act."""
    turn = record_of(the_game(pairing))[1].turn
    assert turn is not None
    return sides(pairing)[turn]


def waiting(pairing: Pairing) -> Entry:
    """The other one."""
    return next(entry for entry in sides(pairing) if entry != acting(pairing))


def watch(pairing: Pairing, **query: str) -> HttpResponse:
    answer = Client().get(reverse("watch", args=[first_tournament(pairing).pk, pairing.match_id]), query)
    assert isinstance(answer, HttpResponse)
    return answer
