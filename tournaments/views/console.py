"""A match through the engine as staff run it: the console for real cards, and the panel of a match played here."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.middleware.csrf import get_token
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.translation import gettext as _

from matches.actions.games import concede_for, enter_move, pause_game, resume_game, rule_game, undo_move
from matches.engine import Onlooker, get_ruleset
from matches.live import game_topic
from matches.models import Game, Way
from matches.queries.games import game_view
from matches.views.console import console_of
from matches.views.table import table_of
from players.permissions import Actor, Refused
from tournaments.actions.games import choose_way, confirm_console, open_console
from tournaments.forms.games import HandsForm, WayForm, ways_of
from tournaments.live import topic_of
from tournaments.models import Event, Pairing
from tournaments.models.tournament import State
from tournaments.queries.games import game_of, way_of
from tournaments.views.live import LivePage, answer_live
from tournaments.views.own_table import GAME_POSITION
from tournaments.views.said import without_addresses
from tournaments.views.watching import set_and_place
from tournaments.words.labels import WAYS
from tournaments.words.refusals import refusal_text

UNDO, CONFIRM, HANDS = "undo", "confirm", "hands"
"""What the console sends besides moves: the last entry is taken back, the result is right, a set opens with hands."""


@dataclass(frozen=True, slots=True)
class Door:
    """How somebody of staff comes to one match: by a link or at the desk.

    `pairing` is None where its round was taken back. `urls` finds way, console, console_open, console_move, game and
    game_act of the match, `home` is the list they came from. `refuse` shows that list with a refusal. `has_session`:
    forms need the session's token; behind a link the secret path is the whole authority.
    """

    event: Event
    actor: Actor
    match_id: int
    pairing: Pairing | None
    urls: Callable[[str], str]
    home: str
    home_text: str
    result_url: str
    refuse: Callable[[Refused], HttpResponse]
    has_session: bool

    def frame(self, request: HttpRequest) -> dict[str, Any]:
        """What both pages show around their table."""
        names = ("way", "console", "console_open", "console_move", "game", "game_act")
        return {
            "event": self.event,
            "demo": self.event.is_demo,
            "pairing": self.pairing,
            "match_id": self.match_id,
            "home": self.home,
            "home_text": self.home_text,
            "result_url": self.result_url,
            "urls": {name: self.urls(name) for name in names},
            # Regions are rendered without the request.
            "csrf_token": get_token(request) if self.has_session else "",
            "csrf": self.has_session,
        }


# --- How the match is played.


def choose(request: HttpRequest, door: Door) -> HttpResponse:
    """One match is played another way than the others, as long as no card lies."""
    form = WayForm(request.POST)
    if not form.is_valid():
        return door.refuse(Refused("way_unknown", status=400))
    way = form.cleaned_data["way"]
    outcome = choose_way(match_id=door.match_id, way=way, by=door.actor, now=timezone.now())
    if isinstance(outcome, Refused):
        return door.refuse(outcome)
    messages.success(request, _("Noted: this match is played another way."))
    return redirect(door.urls("console") if way == Way.CONSOLE else f"{door.home}#open-{door.match_id}")


# --- The console.


def open_(request: HttpRequest, door: Door) -> HttpResponse:
    """The referee begins to enter a real table card by card."""
    seed = secrets.token_bytes(32)
    outcome = open_console(match_id=door.match_id, seed=seed, by=door.actor, now=timezone.now())
    if isinstance(outcome, Refused):
        return console_page(request, door, refused=outcome)
    return redirect(door.urls("console"))


def enter(request: HttpRequest, door: Door) -> HttpResponse:
    """One entry. To a script, which asks for `?part=game`, the console as it is now; it says why not, if not."""
    game = game_of(match_id=door.match_id)
    form = None
    if game is None or door.pairing is None:
        outcome: Game | Refused = Refused("wrong_way" if door.pairing else "match_void")
    else:
        move, at = request.POST.get("move", ""), request.POST.get("at", "")
        if move == HANDS:
            form = HandsForm(request.POST, ruleset=_ruleset(door.pairing))
            if not form.is_valid():
                return console_page(request, door, form=form)
            move = form.move
        outcome = _entered(door, game, move, at)
    if isinstance(outcome, Refused):
        return console_page(request, door, refused=outcome, form=form)
    if "part" in request.GET:
        return console_page(request, door)
    return redirect(door.urls("console"))


def _entered(door: Door, game: Game, move: str, at: str) -> Game | Refused:
    by, now = door.actor, timezone.now()
    if move == CONFIRM:
        return confirm_console(match_id=door.match_id, at=at, by=by, now=now)
    if move == UNDO:
        return undo_move(game_id=game.pk, at=at, by=by, now=now)
    return enter_move(game_id=game.pk, move=move, at=at, by=by, now=now)


def console_page(
    request: HttpRequest, door: Door, *, refused: Refused | None = None, form: HandsForm | None = None
) -> HttpResponse:
    """The console, or its region; `refused` is why something was not done, `form` an opening that is typed."""
    game = _fresh_game(door)
    frame = door.frame(request)
    status = refused.status if refused else HTTPStatus.BAD_REQUEST if form is not None and form.errors else 200
    text = refusal_text(without_addresses(refused)) if refused else ""
    answer = answer_live(
        request,
        _live(door, game, "console"),
        template="tournaments/console/console.html",
        regions={"game": lambda: {**frame, "refused": text, **_console(door, game, form)}},
        context=frame,
        status=status,
    )
    answer[GAME_POSITION] = "" if game is None else game.position
    return answer


def _fresh_game(door: Door) -> Game | None:
    game = game_of(match_id=door.match_id) if door.pairing is not None else None
    if door.pairing is not None and door.pairing.match is not None:
        if game is None:
            door.pairing.match.refresh_from_db()
        else:
            door.pairing.match = game.match  # read together with the game, so of the same moment
    return game


def _live(door: Door, game: Game | None, place: str) -> LivePage:
    pairing = door.pairing
    facts: tuple[object, ...] = (None,)
    topics: tuple[str, ...] = ()
    if pairing is not None and pairing.match is not None:
        match, tournament = pairing.match, pairing.round.stage.tournament
        topics = (topic_of(tournament.pk), *(() if game is None else (game_topic(game.pk),)))
        facts = (
            *(match.version, match.kind, match.is_void, way_of(pairing), pairing.table, tournament.state),
            *(pairing.a.staff_name, pairing.b and pairing.b.staff_name, tournament.name, door.event.name),
            match.submissions.filter(is_waiting=True).count(),
        )
    version = "0" if game is None else f"{game.pk}.{game.version}"
    return LivePage(path=door.urls(place), topics=topics, version=version, facts=facts, own=True)


def _console(door: Door, game: Game | None, form: HandsForm | None) -> dict[str, Any]:
    """What the region shows. `step` is one of closed, decided, entered, elsewhere, unopened, noted, play and over."""
    pairing = door.pairing
    if pairing is None or pairing.match is None or pairing.b is None:
        return {"step": "closed"}
    match = pairing.match
    frame: dict[str, Any] = {"match": match, "way": WAYS[Way(way_of(pairing) if game is None else game.way)]}
    seen = None
    if game is not None and game.way == Way.CONSOLE:
        seen = console_of(game, (pairing.a.staff_name, pairing.b.staff_name))
        frame |= {"console": seen}
    if not match.is_open:
        is_ours = seen is not None and seen.is_over and match.winner == "ab"[seen.view.outcome.winner]  # type: ignore[union-attr]  # a match that is over has an outcome
        return {**frame, "step": "entered" if is_ours else "decided"}
    if seen is not None:
        is_noted = seen.is_over and match.submissions.filter(is_waiting=True, seat="").exists()
        hands = form or HandsForm(ruleset=_ruleset(pairing)) if seen.openings and seen.shows_hands else None
        step = "noted" if is_noted else "over" if seen.is_over else "play"
        others = {} if seen.can_undo else _others(pairing, game)
        return {**frame, "step": step, "hands": hands, "is_typed": form is not None, **others}
    tournament = pairing.round.stage.tournament
    if game is None and way_of(pairing) == Way.CONSOLE and tournament.state == State.RUNNING:
        return {**frame, "step": "unopened", **_others(pairing, game)}
    can_change = tournament.state == State.RUNNING and not (game is not None and game.moves)
    others = _others(pairing, game) if can_change else {}
    return {**frame, "step": "elsewhere", "is_here": game is not None, **others}


def _others(pairing: Pairing, game: Game | None) -> dict[str, Any]:
    """The ways the match could be played instead; `no_here`: these rules take their cards from outside."""
    now, ways = way_of(pairing) if game is None else game.way, ways_of(pairing.round.stage.tournament.ruleset)
    return {"others": [(way, WAYS[way]) for way in ways if way != now], "no_here": Way.HERE not in ways}


def _ruleset(pairing: Pairing) -> Any:
    return get_ruleset(pairing.match.ruleset if pairing.match else pairing.round.stage.tournament.ruleset)


# --- The panel of a match that is played here.

ACTS: dict[str, Callable[..., Game | Refused]] = {
    "pause": pause_game,
    "resume": resume_game,
    "concede_a": lambda **said: concede_for(seat=0, **said),
    "concede_b": lambda **said: concede_for(seat=1, **said),
    "rule_next": lambda **said: rule_game(winner=None, **said),
    "rule_a": lambda **said: rule_game(winner=0, **said),
    "rule_b": lambda **said: rule_game(winner=1, **said),
}
"""What a referee does at a game that is played here, by the word the panel sends."""


def act(request: HttpRequest, door: Door) -> HttpResponse:
    """The referee's word at a game that is played here."""
    game = game_of(match_id=door.match_id)
    chosen = ACTS.get(request.POST.get("do", ""))
    if game is None or door.pairing is None or game.way != Way.HERE:
        return panel_page(request, door, refused=Refused("wrong_way" if door.pairing else "match_void"))
    if chosen is None:
        return panel_page(request, door, refused=Refused("move_unreadable", status=400))
    outcome = chosen(game_id=game.pk, by=door.actor, now=timezone.now())
    if isinstance(outcome, Refused):
        return panel_page(request, door, refused=outcome)
    return redirect(door.urls("game"))


def panel_page(request: HttpRequest, door: Door, *, refused: Refused | None = None) -> HttpResponse:
    """The panel, or its region."""
    game = _fresh_game(door)
    frame = door.frame(request)
    text = refusal_text(without_addresses(refused)) if refused else ""
    return answer_live(
        request,
        _live(door, game, "game"),
        template="tournaments/console/panel.html",
        regions={"panel": lambda: {**frame, "refused": text, **_panel(door, game)}},
        context=frame,
        status=refused.status if refused else 200,
    )


def _panel(door: Door, game: Game | None) -> dict[str, Any]:
    """What the region shows. `step` is one of closed, decided, elsewhere, waits and play."""
    pairing = door.pairing
    if pairing is None or pairing.match is None or pairing.b is None:
        return {"step": "closed"}
    frame: dict[str, Any] = {"match": pairing.match, "game": game, "a": pairing.a.staff_name, "b": pairing.b.staff_name}
    if game is None or game.way != Way.HERE:
        step = "elsewhere" if pairing.match.is_open else "decided"
        return {**frame, "step": step, "way": WAYS[Way(way_of(pairing) if game is None else game.way)]}
    seen = game_view(game=game, viewer=Onlooker.SPECTATOR)
    frame |= {"seen": seen, "is_over": seen.is_over}
    if seen.has_begun:
        frame |= {
            "table": table_of(seen, (pairing.a.staff_name, pairing.b.staff_name)),
            "is_ruling": seen.table.ruling_due,
            "subtitle": set_and_place(seen, pairing),
        }
    if not pairing.match.is_open:
        return {**frame, "step": "decided"}
    return {**frame, "step": "play"} if seen.has_begun else {**frame, "step": "waits", **_others(pairing, game)}
