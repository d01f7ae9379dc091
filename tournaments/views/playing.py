"""How open matches are played, as the lists of staff show it: on paper, at the console, here, and what waits there."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol, TypeVar

from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from matches.models import Game, Way
from matches.queries.games import record_of
from players.words import person
from tournaments.models import Pairing
from tournaments.queries.games import games_of, way_of
from tournaments.words.labels import WAYS, Label

Urls = Callable[[str, int], str]
"""Where something about a match is found: console, console_open, game."""


@dataclass(frozen=True, slots=True)
class Playing:
    """How one open match is played. `mark` and `state` are its state as a shape and in words, "" where there is none;
    `since` when it is so, where that matters.

    `href` leads to its game, `open_url` is where the referee begins to enter it card by card, `change_url` where it is
    played another way as long as nobody opened it; each "" where there is nothing of the kind.
    """

    way: str
    label: Label
    mark: str
    state: SafeString | str
    since: datetime | None
    needs_word: bool
    has_begun: bool
    href: str
    open_url: str
    change_url: str

    @property
    def is_console(self) -> bool:
        return self.way == Way.CONSOLE


class HasPlaying(Protocol):
    """A row of a page that knows how its match is played."""

    @property
    def playing(self) -> Playing: ...


Row = TypeVar("Row", bound=HasPlaying)


def games_first(rows: Iterable[Row]) -> list[Row]:
    """Games that wait for the referee before anything else: somebody sits there and waits."""
    return sorted(rows, key=lambda row: not row.playing.needs_word)


def playing_at(pairings: Iterable[Pairing], *, urls: Urls) -> dict[int, Playing]:
    """Match id to how it is played."""
    by_match = {pairing.match_id: pairing for pairing in pairings if pairing.match_id is not None}
    games = games_of(match_ids=by_match)
    return {pk: _one(pairing, pk, games.get(pk), urls) for pk, pairing in by_match.items()}


def _one(pairing: Pairing, pk: int, game: Game | None, urls: Urls) -> Playing:
    way = way_of(pairing) if game is None else game.way
    mark, state, needs_word = ("", "", False) if game is None else _state(pairing, game)
    since = None if game is None else game.paused_at or game.called_at
    has_begun = game is not None and game.moves > 0
    href = "" if game is None else urls("console" if way == Way.CONSOLE else "game", pk)
    open_url = urls("console_open", pk) if way == Way.CONSOLE and game is None else ""
    change_url = urls("console", pk) if game is None else ""
    return Playing(way, WAYS[Way(way)], mark, state, since, needs_word, has_begun, href, open_url, change_url)


def _state(pairing: Pairing, game: Game) -> tuple[str, SafeString | str, bool]:
    """The state of a game as a shape and in words, and whether it waits for the referee."""
    if game.paused_at is not None:
        return "call", _("Paused"), True
    if game.called_at is not None:
        return "late", _("The referee is called"), False  # it stands in the list of calls
    if game.moves:
        return _played(game)
    waits = [
        side.staff_name
        for side, ready in ((pairing.a, game.ready_a_at), (pairing.b, game.ready_b_at))
        if side is not None and ready is None
    ]
    if game.way == Way.CONSOLE or len(waits) != 1:
        return "wait", _("No card lies yet"), False
    return "wait", format_html(_("Waits for {name}"), name=person(waits[0])), False


def _played(game: Game) -> tuple[str, SafeString | str, bool]:
    """How far the cards have come."""
    state = record_of(game)[1]
    score = f"{state.sets[0]}:{state.sets[1]}"
    if state.outcome is not None:
        return "late", _("Over at {score}: confirm it").format(score=score), game.way == Way.CONSOLE
    limit = state.terms.ruleset.max_consecutive_ties
    if limit is not None and state.ties >= limit and not state.ruled:
        return "late", _("Too many ties in a row: you decide"), True
    return "play", _("Set {n} is played, {score}").format(n=state.set_number, score=score), False
