"""Practice against a policy, without an account and without a trace in any tournament; and a guided first game."""

from __future__ import annotations

import secrets
from http import HTTPStatus
from typing import Any

from axes.helpers import get_client_ip_address
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from matches.actions.games import GameTerms, make_move, open_practice, rule_game
from matches.engine import CLUB_DECK
from matches.engine.notation import format_record
from matches.live import game_topic
from matches.models import Game, Way
from matches.permissions import practice_token, read_practice
from matches.queries.games import GameView, OpenRecord, advice, game_view, open_record
from matches.queries.replays import Replay
from matches.views.replay import replay_page
from matches.views.table import table_of
from matches.words import POLICIES, coach_text, move_text, why_text
from players.permissions import PUBLIC, Actor, Refused, Role
from tournaments.actions.throttle import seconds_to_wait
from tournaments.forms.practice import PracticeForm
from tournaments.views.live import LivePage, answer_live
from tournaments.views.own_table import GAME_POSITION
from tournaments.views.replays import deal_context
from tournaments.words.refusals import refusal_text

FIRST_GAME = {"ruleset": "standard", "policy": "stand_at:16"}
_PLAYER = Actor(role=Role.PUBLIC)


@require_http_methods(["GET", "HEAD", "POST"])
@csrf_exempt  # nobody is signed in here, and there is nothing to do in anybody's name
def practice(request: HttpRequest) -> HttpResponse:
    """Choose the rules and the opponent, and sit down; or play a first game that is explained."""
    form = PracticeForm(request.POST if request.method == "POST" else None)
    refused = ""
    if request.method == "POST":
        address, now = get_client_ip_address(request) or "", timezone.now()
        if wait := seconds_to_wait(kind="practice", address=address, now=now):
            refused = refusal_text(Refused("practised_too_often", {"minutes": -(-wait // 60)}))
            context = {"form": form, "refused": refused}
            answer = render(request, "tournaments/practice/choose.html", context, status=HTTPStatus.TOO_MANY_REQUESTS)
            answer["Retry-After"] = str(wait)
            return answer
        is_guided = "guided" in request.POST
        if is_guided or form.is_valid():
            said = FIRST_GAME if is_guided else form.cleaned_data
            game = _opened(said["ruleset"], said["policy"], request.POST.get("words", "")[:200])
            if isinstance(game, Game):
                return redirect("guided_table" if is_guided else "practice_table", practice_token(game))
            refused = refusal_text(game)
    context = {"form": form, "refused": refused}
    return render(request, "tournaments/practice/choose.html", context, status=400 if form.errors or refused else 200)


def _opened(ruleset: str, policy: str, words: str) -> Game | Refused:
    return open_practice(
        ruleset=ruleset,
        policy=policy,
        terms=GameTerms(Way.HERE, (CLUB_DECK, CLUB_DECK)),
        words=words,
        seed=secrets.token_bytes(32),
        now=timezone.now(),
    )


@require_safe
def table(request: HttpRequest, token: str, *, guided: bool = False) -> HttpResponse:
    """The table; guided, with what the rules say at this moment and what one might do."""
    return _answer(request, _game(token), guided=guided)


@csrf_exempt  # the secret address is the authority
@require_POST
def move(request: HttpRequest, token: str, *, guided: bool = False) -> HttpResponse:
    """A move; the policy has answered it when this answers. To a script the table comes alone."""
    game, said = _game(token), request.POST.get("move", "")
    if said == "again":  # too many ties, and no referee here
        outcome = rule_game(game_id=game.pk, winner=None, by=PUBLIC, now=timezone.now())
    else:
        at = request.POST.get("at", "")
        outcome = make_move(game_id=game.pk, seat=0, move=said, at=at, by=_PLAYER, now=timezone.now())
    if isinstance(outcome, Refused):
        return _answer(request, _game(token), guided=guided, refused=refusal_text(outcome), status=outcome.status)
    if "part" in request.GET:
        return _answer(request, outcome, guided=guided)
    return redirect("guided_table" if guided else "practice_table", token)


@require_safe
def replay(request: HttpRequest, token: str) -> HttpResponse:
    """The game once more, move by move, with the opponent's reasons. 404 until it is over: its hand is in it."""
    game = _game(token)
    if game.over_at is None:
        raise Http404
    asked = request.GET.get("at", "")
    at = int(asked) if asked.isascii() and asked.isdigit() and len(asked) < 7 else None
    opened = open_record(game=game, decks_open=True)
    shown = replay_page(Replay(opened, at=at, policy=game.policy), (_("Guest"), _name(game)))
    return render(request, "tournaments/practice/replay.html", {"replay": shown, "game": game, "token": token})


@require_safe
def record(request: HttpRequest, token: str) -> HttpResponse:
    """The record as text. 404 until the game is over."""
    response = HttpResponse(format_record(_over(token).record), content_type="text/plain; charset=utf-8")
    response["Content-Disposition"] = 'attachment; filename="practice.pazaak"'
    return response


@require_safe
def deal(request: HttpRequest, token: str) -> HttpResponse:
    """Check the deal in one's own browser. 404 until the game is over."""
    opened = _over(token)
    called = (_("Guest"), _name(_game(token)))
    context = {**deal_context(opened.record), "called": called, "is_whole": opened.is_whole, "token": token}
    return render(request, "tournaments/practice/deal.html", context)


def _over(token: str) -> OpenRecord:
    game = _game(token)
    if game.over_at is None:
        raise Http404
    return open_record(game=game, decks_open=True)


def _game(token: str) -> Game:
    game = read_practice(token)
    if game is None:
        raise Http404
    return game


def _name(game: Game) -> str:
    return str(POLICIES[game.policy.partition(":")[0]][0])


def _answer(request: HttpRequest, game: Game, *, guided: bool, refused: str = "", status: int = 200) -> HttpResponse:
    token = practice_token(game)
    seen = game_view(game=game, viewer=0)
    way = "guided" if guided else "practice"
    page = LivePage(
        path=reverse(f"{way}_table", args=[token]),
        topics=(game_topic(game.pk),),
        version=f"{game.pk}.{game.version}",
        own=True,
    )
    context = {"game": seen, "token": token, "guided": guided, "refused": refused, "name": _name(game)}

    def shown() -> dict[str, Any]:
        move_url = "" if seen.is_over else reverse(f"{way}_move", args=[token])
        number = len(seen.table.results) + (0 if seen.is_over or seen.is_between else 1)
        subtitle = _("Set {n} · against {name}").format(n=number, name=_name(game))
        told = _coach(seen) if guided else {}
        table = table_of(seen, (_("You"), _name(game)))
        return {**context, "table": table, "move_url": move_url, "subtitle": subtitle, **told}

    answer = answer_live(
        request,
        page,
        template="tournaments/practice/table.html",
        regions={"game": shown},
        context=context,
        status=status,
    )
    answer[GAME_POSITION] = game.position
    return answer


def _coach(seen: GameView) -> dict[str, str]:
    """What a guided game says now: the rule that matters, and what a good player might do."""
    best = advice(seen)
    return {
        "rule": coach_text(seen.table),
        "advice": move_text(seen.table, best.move) if best is not None else "",
        "because": why_text(best.why.code, best.why.chances) if best is not None else "",
    }
