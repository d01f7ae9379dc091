"""Games before a referee, as stories need them: a console that is open, a match played here, entries and presses."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse
from django.test import Client
from django.urls import reverse

from matches.models import Game, Way
from tests.factories import NOW, organiser
from tests.tournaments.views.referee import first, match_of, running
from tournaments.actions.games import PlayFacts, edit_play, open_console, open_here, sit_down
from tournaments.models import Entry, Pairing, StaffLink, Tournament
from tournaments.permissions import link_token

SEED = bytes(range(32))
SET_TO_A = ("A 10", "A end", "B 10", "B end", "A 10", "B 5", "B stand")
MATCH_TO_A = ("open A", *SET_TO_A, "open", *SET_TO_A, "open", *SET_TO_A)
"""A reaches 20 three times, which stands by itself; B stands at 15."""


def at_console(size: int = 2, **facts: Any) -> tuple[Tournament, Pairing]:
    """A running tournament by the referee's console, and its first match with the console open."""
    tournament, pairing = _running(size, Way.CONSOLE, **facts)
    opened = open_console(match_id=match_of(pairing), seed=SEED, by=organiser(of=tournament), now=NOW)
    assert isinstance(opened, Game), opened
    return tournament, pairing


def played_here(size: int = 2, **facts: Any) -> tuple[Tournament, Pairing]:
    """A running tournament played on phones, and its first match with the first set dealt."""
    tournament, pairing = _running(size, Way.HERE, **facts)
    by = organiser(of=tournament)
    opened = open_here(match_id=match_of(pairing), seed=SEED, by=by, now=NOW)
    assert isinstance(opened, Game), opened
    sides = [pk for pk in (pairing.a_id, pairing.b_id) if pk is not None]
    for entry in Entry.objects.select_related("tournament").filter(pk__in=sides):
        sat = sit_down(entry=entry, match_id=match_of(pairing), words="", by=by, now=NOW)
        assert isinstance(sat, Game), sat
    return tournament, pairing


def _running(size: int, way: Way, **facts: Any) -> tuple[Tournament, Pairing]:
    tournament = running(size, **facts)
    edited = edit_play(tournament_id=tournament.pk, facts=PlayFacts(way=way), by=organiser(of=tournament), now=NOW)
    assert isinstance(edited, Tournament), edited
    return tournament, first(tournament)


def game_of(pairing: Pairing) -> Game:
    """The game of a match as it is now."""
    return Game.objects.get(match=match_of(pairing))


def look(link: StaffLink, name: str, match: int) -> HttpResponse:
    """A page of a match behind a referee's link: "console" or "game"."""
    answer = Client().get(reverse(f"staff_{name}", args=[link_token(link), match]))
    assert isinstance(answer, HttpResponse)
    return answer


def press(link: StaffLink, name: str, match: int, *, part: bool = False, **fields: str) -> HttpResponse:
    """A form sent behind a referee's link; `part`: by a script, which wants the region alone."""
    address = reverse(f"staff_{name}", args=[link_token(link), match])
    answer = Client(enforce_csrf_checks=True).post(f"{address}?part=game" if part else address, fields)
    assert isinstance(answer, HttpResponse)
    return answer


def enter(link: StaffLink, pairing: Pairing, *moves: str) -> HttpResponse:
    """Entries one after another, each for the position that stands; the answer to the last one."""
    answer = HttpResponse()
    for move in moves:
        at = game_of(pairing).position
        answer = press(link, "console_move", match_of(pairing), part=True, move=move, at=at)
    return answer
