"""Play: how matches of a tournament are played, and a match through the engine, by its players and by staff."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from django.http import Http404
from django.utils import timezone
from rest_framework.request import Request
from rest_framework.response import Response

from matches.actions import games as match_actions
from matches.engine import Onlooker, Viewer
from matches.engine.notation import format_record
from matches.models import Game, Way
from matches.queries.games import game_view
from players.permissions import Actor, Refused
from tournaments.actions import games as actions
from tournaments.api.access import View, pairing_for, tournament_for
from tournaments.api.answers import named
from tournaments.api.bodies import AtBody, ConcedeBody, MoveBody, PlayBody, ReadyBody, RuleBody, WayBody
from tournaments.api.bodies.base import Body
from tournaments.api.once import if_seen
from tournaments.api.operation import AT, IF_NONE_MATCH, IF_SEEN, operation
from tournaments.api.problems import Problem, done, refuse
from tournaments.api.reading import content_tag, etags_in, number_in
from tournaments.api.results import at_the_table, without_address
from tournaments.api.shapes import GameShape, PlayShape, RecordShape
from tournaments.api.tables import record_row, step_row, table_row, unopened
from tournaments.models import Entry, Pairing, Tournament
from tournaments.permissions import may
from tournaments.queries.games import game_of, open_pairing, record_for_all, way_of
from tournaments.queries.reports import is_own_closed_match, own_pairing

FACTS = ("way", "turn_seconds", "match_seconds", "on_timeout", "decks_due_at", "decks_open", "lends_decks")
SEEN_TWICE = "The same for the same position is done once, however often it comes; for a position that is past it is"
OLD = f"{SEEN_TWICE} refused (position_moved), with the present table in `now`."


class Play(View):
    """How matches of a tournament are played."""

    @operation("get_play", "How matches are played", answer=PlayShape)
    def get(self, request: Request, pk: int) -> Response:
        tournament, _actor = tournament_for(request, pk, "see_public")
        return Response(_play_row(tournament))

    @operation(
        "change_play",
        "Say how matches are played from now on",
        description="What is left out stays. Games that were opened keep their terms.",
        body=PlayBody,
        answer=PlayShape,
        parameters=[IF_SEEN],
    )
    def patch(self, request: Request, pk: int) -> Response:
        tournament, actor = tournament_for(request, pk, "edit_play")
        body = PlayBody(data=request.data, context={"zone": tournament.event.tzinfo})
        body.is_valid(raise_exception=True)

        def present() -> Tournament:
            return Tournament.objects.get(pk=tournament.pk)

        def act() -> Tournament:
            stands = {name: getattr(present(), name) for name in FACTS}
            facts = actions.PlayFacts(**{**stands, **body.validated_data})
            return done(actions.edit_play(tournament_id=tournament.pk, facts=facts, by=actor, now=timezone.now()))

        changed = if_seen(request, of=tournament, look=lambda: _play_row(present()), act=act)
        return Response(_play_row(changed))


def _play_row(tournament: Tournament) -> dict[str, Any]:
    row: dict[str, Any] = PlayShape({name: getattr(tournament, name) for name in FACTS}).data
    return row


# --- One match, as whoever asks may know it.


@dataclass(frozen=True, slots=True)
class Place:
    """Whoever asks at one match: what they see of it, and whether they are told every name."""

    pairing: Pairing
    actor: Actor
    viewer: Viewer
    is_staff: bool

    @property
    def match_id(self) -> int:
        return self.pairing.match_id or 0

    @property
    def seat(self) -> int | None:
        """The player's own; None for staff."""
        return self.viewer if isinstance(self.viewer, int) else None

    def game(self) -> Game | None:
        """The game as it is now, if it was opened."""
        game = game_of(match_id=self.match_id)
        if game is not None:
            self.pairing.match = game.match
        return game

    def row(self, game: Game | None) -> dict[str, Any]:
        """The answer: the table, and whose it is."""
        return self.told(unopened() if game is None else table_row(game_view(game=game, viewer=self.viewer)), game)

    def told(self, table: dict[str, Any], game: Game | None) -> dict[str, Any]:
        """A table with whose it is."""
        pairing = self.pairing
        row: dict[str, Any] = GameShape(
            {
                **table,
                "match": self.match_id,
                "way": way_of(pairing) if game is None else game.way,
                "ruleset": pairing.round.stage.tournament.ruleset if pairing.match is None else pairing.match.ruleset,
                "a": named(pairing.a, staff=self.is_staff),
                "b": named(pairing.b, staff=self.is_staff),
            }
        ).data
        return row

    def etag(self, game: Game) -> str:
        """The same for the same reader as long as neither the game nor what stands around it has changed."""
        pairing, match = self.pairing, game.match
        people = [named(each, staff=self.is_staff) for each in (pairing.a, pairing.b)]
        names = [each and each.display_name for each in people]
        facts = (str(self.viewer), match and (match.version, match.kind), *names)
        return f'"{game.pk}.{game.version}-{content_tag(repr(facts).encode())[:16]}"'

    def answer(self, game: Game) -> Response:
        """The table as it is now."""
        return Response(self.row(game), headers={"ETag": self.etag(game)})


def _looking(request: Request, pk: int, match_id: int) -> Place:
    """Anybody at a match of this tournament: its players at their seat, its staff as referees, all others look on."""
    tournament, actor = tournament_for(request, pk, "see_public")
    pairing = pairing_for(tournament, match_id)
    viewer: Viewer = Onlooker.SPECTATOR
    within = {"event": tournament.event_id, "tournament": tournament.pk}
    if isinstance(request.auth, Entry) and may(actor, "play_own", **within):
        viewer = next((seat for seat in (0, 1) if _sits(pairing, seat, request.auth)), viewer)
    elif may(actor, "run_game", table=pairing.table, **within):
        viewer = Onlooker.REFEREE
    return Place(pairing, actor, viewer, may(actor, "see_names", **within))


def _sits(pairing: Pairing, seat: int, entry: Entry) -> bool:
    return entry.pk == (pairing.a_id, pairing.b_id)[seat]


def _acting(request: Request, pk: int, match_id: int, *acts: str) -> Place:
    """A player at their own match, or staff at one of their tables, who may do one of these acts."""
    tournament, actor = tournament_for(request, pk, *acts)
    if not isinstance(request.auth, Entry):
        return Place(at_the_table(tournament, match_id, actor, "run_game"), actor, Onlooker.REFEREE, is_staff=True)
    entry = request.auth
    pairing = own_pairing(entry=entry, match_id=match_id)
    if pairing is None and is_own_closed_match(entry=entry, match_id=match_id):
        raise refuse("match_void", status=409, match=match_id)
    if pairing is None:
        raise Http404
    return Place(pairing, actor, 0 if _sits(pairing, 0, entry) else 1, is_staff=False)


def _done(place: Place, outcome: Game | Refused) -> Response:
    """The table after an act; what was refused tells the position that stands, and an old one the table as well."""
    if isinstance(outcome, Game) and outcome.over_at is None:
        place.pairing.match = outcome.match  # as it was under the lock: nothing to read again
        return place.answer(outcome)
    game = place.game()
    if isinstance(outcome, Refused):
        more: dict[str, Any] = {} if game is None else {"position": game.position}
        if outcome.code == "position_moved":
            more["now"] = place.row(game)
        told = Refused(outcome.code, without_address(outcome.params, place.actor), status=outcome.status)
        raise Problem(told, within=place.pairing.round.stage.tournament, **more)
    return place.answer(outcome if game is None else game)


def _game(place: Place) -> Game:
    """The game of a match; refused while nobody opened it."""
    game = place.game()
    if game is None:
        raise refuse("wrong_way", status=409)
    return game


class OneGame(View):
    """The table of a match."""

    @operation(
        "get_game",
        "The table of a match, as you may know it",
        description="A player sees their own hand and the moves they may make; a referee whatever was entered of a real"
        " table; everybody what lies there.",
        answer=GameShape,
        parameters=[AT, IF_NONE_MATCH],
    )
    def get(self, request: Request, pk: int, match_id: int) -> Response:
        at = number_in(request, "at")
        place = _looking(request, pk, match_id)
        game = place.game()
        if at is not None:
            return Response(_step(place, game, at))
        if game is None:
            return Response(place.row(None))
        etag = place.etag(game)
        if etag in etags_in(request, "If-None-Match"):
            return Response(status=304, headers={"ETag": etag})
        return place.answer(game)


def _step(place: Place, game: Game | None, at: int) -> dict[str, Any]:
    pairing = open_pairing(match_id=place.match_id)
    if game is None or game.over_at is None or pairing is None:
        raise refuse("not_over", status=409)
    seen = game_view(game=game, viewer=Onlooker.SPECTATOR)
    return place.told(step_row(seen, record_for_all(pairing=pairing, game=game), at=at), game)


class Record(View):
    """The record of a match."""

    @operation(
        "get_record",
        "What was played, in the notation",
        description="Without hands and side decks until all may see them. Once the match is over the seed is in it, and"
        " every draw can be checked.",
        answer=RecordShape,
    )
    def get(self, request: Request, pk: int, match_id: int) -> Response:
        place = _looking(request, pk, match_id)
        game, pairing = place.game(), open_pairing(match_id=match_id)
        if game is None or pairing is None or not game.moves:
            raise Http404
        opened = record_for_all(pairing=pairing, game=game)
        row = record_row(opened, format_record(opened.record), is_over=game.over_at is not None)
        return Response(RecordShape(row).data)


class ChooseWay(View):
    """How one match is played."""

    @operation("choose_way", "Have one match played another way", body=WayBody, answer=GameShape)
    def post(self, request: Request, pk: int, match_id: int) -> Response:
        place = _acting(request, pk, match_id, "run_game")
        way = _read(WayBody, request)["way"]
        outcome = actions.choose_way(match_id=match_id, way=way, by=place.actor, now=timezone.now())
        if isinstance(outcome, Refused):
            return _done(place, outcome)
        place.pairing.way = outcome.way
        return Response(place.row(place.game()))


def _read(body: type[Body], request: Request) -> dict[str, Any]:
    said = body(data=request.data)
    said.is_valid(raise_exception=True)
    found: dict[str, Any] = said.validated_data
    return found


# --- What players do, and what a referee enters of a real table.


class Open(View):
    """Somebody sits down."""

    @operation(
        "open_game",
        "Sit down to a match: its deal is sealed",
        description="A player or staff of a match that is played here; staff of one that is entered card by card."
        " Twice is once.",
        answer=GameShape,
        makes=True,
    )
    def post(self, request: Request, pk: int, match_id: int) -> Response:
        place = _acting(request, pk, match_id, "run_game", "play_own")
        is_console = place.seat is None and way_of(place.pairing) == Way.CONSOLE
        sit = actions.open_console if is_console else actions.open_here
        seed = secrets.token_bytes(32)
        return _done(place, sit(match_id=match_id, seed=seed, by=place.actor, now=timezone.now()))


class Ready(View):
    """A player is ready."""

    @operation(
        "get_ready",
        "Say that you are ready; your words join the deal",
        description="Your side deck lies sealed from now on. Once both are ready the first set is dealt.",
        body=ReadyBody,
        answer=GameShape,
        makes=True,
    )
    def post(self, request: Request, pk: int, match_id: int) -> Response:
        place = _acting(request, pk, match_id, "play_own")
        entry = place.pairing.b if place.seat else place.pairing.a
        if entry is None:
            raise Http404
        entry.tournament = place.pairing.round.stage.tournament
        words = _read(ReadyBody, request)["words"]
        outcome = actions.sit_down(entry=entry, match_id=match_id, words=words, by=place.actor, now=timezone.now())
        return _done(place, outcome)


class Moves(View):
    """A move."""

    @operation(
        "make_move",
        "Move; or enter what happens at a real table",
        description=f"{OLD} A player says a move of theirs, `next` for the next set; a referee what `moves` lists, such"
        " as `A 7`, `B +3`, `A stand`, `open`.",
        body=MoveBody,
        answer=GameShape,
        makes=True,
    )
    def post(self, request: Request, pk: int, match_id: int) -> Response:
        place = _acting(request, pk, match_id, "run_game", "play_own")
        said = {**_read(MoveBody, request), "by": place.actor, "now": timezone.now()}
        game = _game(place)
        if place.seat is None:
            return _done(place, match_actions.enter_move(game_id=game.pk, **said))
        return _done(place, actions.play_move(pairing=place.pairing, game=game, seat=place.seat, **said))


class Call(View):
    """A player asks for a referee."""

    @operation("call_referee", "Ask for a referee; the game goes on", answer=GameShape)
    def post(self, request: Request, pk: int, match_id: int) -> Response:
        place = _acting(request, pk, match_id, "play_own")
        game = _game(place)
        return _done(place, match_actions.call_referee(game_id=game.pk, by=place.actor, now=timezone.now()))


# --- What staff do.


class UndoMove(View):
    """The last entry of a real table goes."""

    @operation("undo_move", "Take the last entry back", description=OLD, body=AtBody, answer=GameShape, makes=True)
    def post(self, request: Request, pk: int, match_id: int) -> Response:
        place = _acting(request, pk, match_id, "run_game")
        at, game = _read(AtBody, request)["at"], _game(place)
        return _done(place, match_actions.undo_move(game_id=game.pk, at=at, by=place.actor, now=timezone.now()))


class Confirm(View):
    """What was entered is the result."""

    @operation(
        "confirm_game",
        "Say that what was entered is right: it is the result",
        body=AtBody,
        answer=GameShape,
        makes=True,
    )
    def post(self, request: Request, pk: int, match_id: int) -> Response:
        place = _acting(request, pk, match_id, "run_game")
        at = _read(AtBody, request)["at"]
        return _done(place, actions.confirm_console(match_id=match_id, at=at, by=place.actor, now=timezone.now()))


def _word(place: Place, act: Callable[..., Game | Refused], **said: Any) -> Response:
    """A referee's word at a game that is played here."""
    game, now = _game(place), timezone.now()
    if game.way != Way.HERE:
        return _done(place, Refused("wrong_way"))
    return _done(place, act(game_id=game.pk, by=place.actor, now=now, **said))


class Pause(View):
    """The game stops."""

    @operation("pause_game", "Stop a game and its clock", answer=GameShape)
    def post(self, request: Request, pk: int, match_id: int) -> Response:
        return _word(_acting(request, pk, match_id, "run_game"), match_actions.pause_game)


class Resume(View):
    """The game goes on."""

    @operation("resume_game", "Let a game go on; a call for the referee is answered", answer=GameShape)
    def post(self, request: Request, pk: int, match_id: int) -> Response:
        return _word(_acting(request, pk, match_id, "run_game"), match_actions.resume_game)


class Concede(View):
    """Somebody does not come, or gives up by word of mouth."""

    @operation("concede_for", "End a game for a player who gives up", body=ConcedeBody, answer=GameShape, makes=True)
    def post(self, request: Request, pk: int, match_id: int) -> Response:
        place = _acting(request, pk, match_id, "run_game")
        said = _read(ConcedeBody, request)
        return _word(place, match_actions.concede_for, seat="ab".index(said["seat"]), why=said["why"])


class Rule(View):
    """Too many ties in a row."""

    @operation("rule_game", "Decide after too many ties in a row", body=RuleBody, answer=GameShape, makes=True)
    def post(self, request: Request, pk: int, match_id: int) -> Response:
        place = _acting(request, pk, match_id, "run_game")
        said = _read(RuleBody, request)
        winner = None if said["winner"] is None else "ab".index(said["winner"])
        return _word(place, match_actions.rule_game, winner=winner, why=said["why"])
