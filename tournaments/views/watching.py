"""Matches as everybody may watch them: a page for one match, and the open tables for the screen on the wall."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from matches.engine import Onlooker, Phase
from matches.live import game_topic
from matches.models import Game
from matches.queries.games import GameView, game_view
from matches.views.table import Table, table_of
from tournaments.live import topic_of
from tournaments.models import Pairing
from tournaments.queries.games import open_pairing, open_tables, way_of
from tournaments.queries.stages import round_names
from tournaments.views.live import LivePage, answer_live
from tournaments.words.reasons import round_name


def set_and_place(seen: GameView, pairing: Pairing) -> str:
    """Which set it is and where: "Set 4 · Table 5"."""
    view = seen.table
    number = len(view.results) + (view.phase is Phase.OPEN)
    parts = [_("Set {n}").format(n=max(1, number))]
    if pairing.table is not None:
        parts.append(_("Table {n}").format(n=pairing.table))
    return " · ".join(parts)


@require_safe
def watch(request: HttpRequest, pk: int, match_id: int) -> HttpResponse:
    """One match as it is played, hands face down; without a game who meets whom and how it ended."""
    pairing = open_pairing(match_id=match_id)
    if pairing is None or pairing.round.stage.tournament_id != pk:
        raise Http404
    tournament = pairing.round.stage.tournament
    game = _game_of(pairing)
    page = LivePage(
        path=request.path,
        topics=(topic_of(pk), *(() if game is None else (game_topic(game.pk),))),
        version="0" if game is None else f"{game.pk}.{game.version}",
        facts=_facts(pairing),
    )
    frame = {"pairing": pairing, "tournament": tournament, "event": tournament.event, "match": pairing.match}
    return answer_live(
        request,
        page,
        template="tournaments/public/watch.html",
        regions={"match": lambda: {**frame, **_shown(pairing, game)}},
        context=lambda: {**frame, "round": _round_name(pairing), "demo": tournament.event.is_demo},
    )


def _game_of(pairing: Pairing) -> Game | None:
    """The game of a match, that knows its match without being asked for it."""
    match = pairing.match
    game: Game | None = getattr(match, "game", None)
    if game is not None:
        game.match = match
    return game


def _facts(pairing: Pairing) -> tuple[object, ...]:
    match, tournament = pairing.match, pairing.round.stage.tournament
    if match is None or pairing.b is None:
        raise Http404
    return (
        *(match.version, match.kind, match.is_void, way_of(pairing), pairing.table),
        *(pairing.a.display_name, pairing.b.display_name),
        *(tournament.name, tournament.state, tournament.event.name),
    )


def _shown(pairing: Pairing, game: Game | None) -> dict[str, Any]:
    if game is None or pairing.b is None:
        return {"table": None, "way": way_of(pairing)}
    seen = game_view(game=game, viewer=Onlooker.SPECTATOR)
    return {
        "table": table_of(seen, (pairing.a.display_name, pairing.b.display_name)) if seen.has_begun else None,
        "game": seen,
        "way": game.way,
        "subtitle": set_and_place(seen, pairing),
    }


def _round_name(pairing: Pairing) -> str:
    number = pairing.round.number
    return round_name(round_names(stage=pairing.round.stage, numbers=[number])[number])


# --- The screen on the wall.


@dataclass(frozen=True, slots=True)
class WallTable:
    """A table on the wall: where it is, and what lies there."""

    pairing: Pairing
    place: str
    table: Table


class Wall:
    """The open games of a tournament a wall has room for, the first ones by table."""

    def __init__(self, tournament_id: int, *, most: int) -> None:
        self._pairings = open_tables(tournament_id=tournament_id, most=most)

    @property
    def topics(self) -> tuple[str, ...]:
        return tuple(game_topic(game.pk) for game in self._games)

    @property
    def facts(self) -> tuple[object, ...]:
        """What changes with every move."""
        return tuple((game.pk, game.version) for game in self._games)

    @property
    def _games(self) -> list[Game]:
        return [game for pairing in self._pairings if (game := _game_of(pairing)) is not None]

    @cached_property
    def tables(self) -> list[WallTable]:
        """The tables, hands face down."""
        return [
            WallTable(pairing, set_and_place(seen, pairing), table_of(seen, (pairing.a.display_name, name_b)))
            for pairing, game in zip(self._pairings, self._games, strict=True)
            for seen in [game_view(game=game, viewer=Onlooker.SPECTATOR)]
            for name_b in ["" if pairing.b is None else pairing.b.display_name]
        ]
