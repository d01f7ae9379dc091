"""A player's own table behind their private link: they sit down, say that they are ready, and play their match."""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST, require_safe

from matches.engine import Hand, get_ruleset
from matches.engine.record import LONGEST_TEXT
from matches.live import game_topic
from matches.models import Game, Match, Way
from matches.queries.games import game_view
from matches.views.table import table_of
from players.permissions import Actor, Refused
from tournaments.actions.games import open_here, play_move, sit_down
from tournaments.live import call_topic, topic_of
from tournaments.models import Entry, Pairing, RefereeCall
from tournaments.models.tournament import State
from tournaments.permissions import entry_token, may
from tournaments.queries.calls import call_of
from tournaments.queries.games import deck_to_play, game_of, side_deck_of, way_of
from tournaments.queries.reports import is_own_closed_match, own_pairing
from tournaments.queries.time_over import is_stopped_by_time
from tournaments.views.access import for_player
from tournaments.views.calls import call_facts, press_call, seen_call
from tournaments.views.live import LivePage, answer_live
from tournaments.views.watching import set_and_place
from tournaments.words.labels import result_text
from tournaments.words.refusals import refusal_text

GAME_POSITION = "Game-Position"
"""The header by which a page knows an answer of a table from what a hotel's sign-in page says."""


@require_safe
@for_player
def own_table(request: HttpRequest, entry: Entry, actor: Actor, match_id: int) -> HttpResponseBase:
    """The table as its player sees it, from sitting down to the result."""
    return _answer(request, entry, _pairing(entry, actor, match_id), match_id)


# --- What players do there. Without a token of the session: the secret path is the whole authority, and a foreign page
# does not know it.


@csrf_exempt
@require_POST
@for_player
def own_open(request: HttpRequest, entry: Entry, actor: Actor, match_id: int) -> HttpResponseBase:
    """The player sits down: the deal is sealed."""
    _pairing(entry, actor, match_id)
    seed = secrets.token_bytes(32)
    return _done(request, entry, match_id, open_here(match_id=match_id, seed=seed, by=actor, now=timezone.now()))


@csrf_exempt
@require_POST
@for_player
def own_ready(request: HttpRequest, entry: Entry, actor: Actor, match_id: int) -> HttpResponseBase:
    """The player is ready: their side deck lies sealed, their words join the deal. What was typed stays if refused."""
    pairing = _pairing(entry, actor, match_id)
    words = request.POST.get("words", "").strip()
    outcome = sit_down(entry=entry, match_id=match_id, words=words, by=actor, now=timezone.now())
    if isinstance(outcome, Refused):
        text = refusal_text(outcome)
        return _answer(request, entry, pairing, match_id, status=outcome.status, refused=text, words=words)
    return _done(request, entry, match_id, outcome)


@csrf_exempt
@require_POST
@for_player
def own_move(request: HttpRequest, entry: Entry, actor: Actor, match_id: int) -> HttpResponseBase:
    """The player moves. To a script, which asks for `?part=game`, the table as it is now; it says why not, if not."""
    pairing = _pairing(entry, actor, match_id)
    game = game_of(match_id=match_id)
    if game is None or pairing is None:
        outcome: Game | Refused = Refused("wrong_way" if pairing else "match_void")
    else:
        outcome = play_move(
            pairing=pairing,
            game=game,
            seat=_seat(entry, pairing),
            move=request.POST.get("move", ""),
            at=request.POST.get("at", ""),
            by=actor,
            now=timezone.now(),
        )
    if "part" not in request.GET:
        return _done(request, entry, match_id, outcome)
    if isinstance(outcome, Refused):
        text = refusal_text(outcome)
        return _answer(request, entry, pairing, match_id, status=outcome.status, refused=text)
    return _answer(request, entry, pairing, match_id)


@csrf_exempt
@require_POST
@for_player
def own_call(request: HttpRequest, entry: Entry, actor: Actor, match_id: int) -> HttpResponseBase:
    """The player asks for a referee, the game goes on meanwhile; or with an empty `call` needs nobody any more."""
    return _done(request, entry, match_id, press_call(request, _pairing(entry, actor, match_id), actor))


def _done(
    request: HttpRequest, entry: Entry, match_id: int, outcome: Game | RefereeCall | Refused | None
) -> HttpResponse:
    if isinstance(outcome, Refused):
        messages.error(request, refusal_text(outcome))
    return redirect("own_table", entry_token(entry), match_id)


# --- What the page shows.


def _pairing(entry: Entry, actor: Actor, match_id: int) -> Pairing | None:
    """The player's own match; None where its round was taken back; 404 for anybody else's."""
    if not may(actor, "play_own", event=entry.tournament.event_id, tournament=entry.tournament_id):
        raise Http404
    pairing = own_pairing(entry=entry, match_id=match_id)
    if pairing is None and not is_own_closed_match(entry=entry, match_id=match_id):
        raise Http404
    return pairing


def _seat(entry: Entry, pairing: Pairing) -> int:
    return 0 if pairing.a_id == entry.pk else 1


def _answer(
    request: HttpRequest,
    entry: Entry,
    pairing: Pairing | None,
    match_id: int,
    *,
    status: int = 200,
    refused: str = "",
    words: str = "",
) -> HttpResponse:
    """The page, or its region; `refused` is why something was not done, `words` what was typed for the deal."""
    tournament = entry.tournament
    game = game_of(match_id=match_id) if pairing is not None else None
    if game is not None and pairing is not None:
        pairing.match = game.match  # read together with the game, so of the same moment
    deck = side_deck_of(entry=entry)
    call = None if pairing is None else call_of(pairing_id=pairing.pk)
    stopped = _stopped(pairing, game)
    page = LivePage(
        path=reverse("own_table", args=[entry_token(entry), match_id]),
        topics=(
            topic_of(tournament.pk),
            *(() if game is None else (game_topic(game.pk),)),
            *(() if pairing is None else (call_topic(pairing.pk),)),
        ),
        version="0" if game is None else f"{game.pk}.{game.version}",
        facts=(*_facts(entry, pairing), deck, stopped, *call_facts([call])),
        own=True,
    )
    frame = {
        "entry": entry,
        "tournament": tournament,
        "event": tournament.event,
        "token": entry_token(entry),
        "match_id": match_id,
        "home": reverse("own_page", args=[entry_token(entry)]),
        "move_at": reverse("own_move", args=[entry_token(entry), match_id]),
        "pairing": pairing,
        "refused": refused,
        "words": words,
        "call": seen_call(call, entry_id=entry.pk),
        "call_action": reverse("own_call", args=[entry_token(entry), match_id]),
    }
    answer = answer_live(
        request,
        page,
        template="tournaments/player/table.html",
        regions={"game": lambda: {**frame, **_shown(entry, pairing, game, deck, stopped)}},
        context={**frame, "demo": tournament.event.is_demo},
        status=status,
    )
    answer[GAME_POSITION] = "" if game is None else game.position
    return answer


def _stopped(pairing: Pairing | None, game: Game | None) -> str:
    """What is said where time is over and no card is played any more; "" where play goes on, or the match is over."""
    if game is None or pairing is None or pairing.match is None or not pairing.match.is_open:
        return ""
    stops = is_stopped_by_time(game, pairing, now=timezone.now())
    return refusal_text(Refused("time_is_over")) if stops else ""


def _facts(entry: Entry, pairing: Pairing | None) -> tuple[object, ...]:
    """What the page shows besides the game."""
    tournament = entry.tournament
    if pairing is None or pairing.match is None or pairing.b is None:
        return (None,)
    match = pairing.match
    return (
        *(match.version, match.kind, match.is_void, way_of(pairing), pairing.table),
        *(pairing.a.display_name, pairing.b.display_name, entry.staff_name),
        *(tournament.name, tournament.state, tournament.ruleset, tournament.lends_decks, tournament.event.name),
    )


def _shown(entry: Entry, pairing: Pairing | None, game: Game | None, deck: Hand | None, stopped: str) -> dict[str, Any]:
    """What the region shows. `step` is one of closed, decided, elsewhere, unopened, ready, waits, play and over."""
    if pairing is None or pairing.match is None or pairing.b is None:
        return {"step": "closed"}
    seat = _seat(entry, pairing)
    opponent = pairing.b if seat == 0 else pairing.a
    seen = None if game is None or game.way != Way.HERE else game_view(game=game, viewer=seat)
    frame = {"opponent": opponent.display_name, "game": seen, "result": _own_result(pairing.match, seat)}
    if seen is not None and seen.has_begun:
        names = (pairing.a.display_name, pairing.b.display_name)
        step = "over" if seen.is_over or not pairing.match.is_open else "play"
        subtitle = set_and_place(seen, pairing)
        may_move = not seen.is_over and not seen.is_stopped and not stopped
        return {
            **frame,
            "step": step,
            "stopped": stopped,
            "table": table_of(seen, names),
            "subtitle": subtitle,
            "move_url": reverse("own_move", args=[entry_token(entry), seen.game.match_id]) if may_move else "",
        }
    if not pairing.match.is_open:
        return {**frame, "step": "decided"}
    if way_of(pairing) != Way.HERE or entry.tournament.state != State.RUNNING:
        return {**frame, "step": "elsewhere", "is_watched": game is not None}
    if seen is None:
        return {**frame, "step": "unopened"}
    if seen.is_ready[seat]:
        return {**frame, "step": "waits"}
    return {**frame, "step": "ready", **_bringing(entry, deck)}


@dataclass(frozen=True, slots=True)
class _Told:
    """A result with the reader's own sets first."""

    kind: str
    sets_a: int
    sets_b: int


def _own_result(match: Match, seat: int) -> str:
    """How the match ended, as the player in this seat says it: "1–3"; "" while it is open."""
    mine, theirs = (match.sets_a, match.sets_b) if seat == 0 else (match.sets_b, match.sets_a)
    return result_text(_Told(match.kind, mine, theirs))


def _bringing(entry: Entry, own: Hand | None) -> dict[str, Any]:
    """The side deck the player will play with, and what becomes of its cards."""
    ruleset = get_ruleset(entry.tournament.ruleset)
    deck = deck_to_play(entry=entry)
    whose = "none" if deck is None else "own" if deck == own else "unfit" if own else "club"
    return {
        "deck": deck,
        "whose": whose,
        "chosen": 0 if deck is None else len(deck),
        "blind": 0 if deck is None else len(deck) - ruleset.hand_size,
        "hand_size": ruleset.hand_size,
        "hand_deal": ruleset.hand_deal,
        "longest": LONGEST_TEXT,
    }
