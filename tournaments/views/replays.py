"""Matches that were played through the engine, for everybody: move by move, as text, and their deal to be checked."""

from __future__ import annotations

import json
from dataclasses import dataclass

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from matches.engine import Record
from matches.engine.notation import format_record
from matches.engine.rulesets import options_of
from matches.models import Game
from matches.queries.games import OpenRecord
from matches.queries.replays import Replay
from matches.views.replay import replay_page
from tournaments.models import Pairing
from tournaments.queries.games import open_pairing, record_for_all

VERIFIER = settings.BASE_DIR / "docs" / "verify_deal.py"


@dataclass(frozen=True, slots=True)
class Played:
    """A match with its game, and the record of it everybody may have."""

    pairing: Pairing
    game: Game
    opened: OpenRecord

    @property
    def called(self) -> tuple[str, str]:
        """The names of both sides, as everybody may see them."""
        b = self.pairing.b
        return self.pairing.a.display_name, "" if b is None else b.display_name


def _played(pk: int, match_id: int) -> Played:
    """The match, if it is one of this tournament, was played through the engine and is over."""
    pairing = open_pairing(match_id=match_id)
    if pairing is None or pairing.match is None or pairing.round.stage.tournament_id != pk:
        raise Http404
    game: Game | None = getattr(pairing.match, "game", None)
    if game is None or game.over_at is None:
        raise Http404
    return Played(pairing, game, record_for_all(pairing=pairing, game=game))


@require_safe
def replay(request: HttpRequest, pk: int, match_id: int) -> HttpResponse:
    """The match at one position, `?at=` moves after its beginning, with a link to each other one."""
    played = _played(pk, match_id)
    asked = request.GET.get("at", "")
    at = int(asked) if asked.isascii() and asked.isdigit() and len(asked) < 7 else None
    shown = replay_page(Replay(played.opened, at=at), played.called)
    return render(request, "tournaments/public/replay.html", {**_frame(played), "replay": shown})


@require_safe
def record(request: HttpRequest, pk: int, match_id: int) -> HttpResponse:
    """The record as text, in the notation of `docs/notation.md`."""
    played = _played(pk, match_id)
    response = HttpResponse(format_record(played.opened.record), content_type="text/plain; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="match-{match_id}.pazaak"'
    return response


@require_safe
def deal(request: HttpRequest, pk: int, match_id: int) -> HttpResponse:
    """Check the deal: the page works every draw out again from the seed, in the reader's own browser."""
    played = _played(pk, match_id)
    shown = played.opened.record
    if shown.deal is None:
        raise Http404
    return render(request, "tournaments/public/deal.html", {**_frame(played), **deal_context(shown)})


def deal_context(record: Record) -> dict[str, object]:
    """What `matches/_deal.html` shows of a record that was dealt from a seed."""
    return {"deal": record.deal, "text": format_record(record), "options": json.dumps(options_of(record.ruleset))}


@require_safe
def verifier(request: HttpRequest) -> HttpResponse:
    """The program of one file that checks a record, to be run elsewhere."""
    response = HttpResponse(VERIFIER.read_bytes(), content_type="text/x-python; charset=utf-8")
    response["Content-Disposition"] = 'attachment; filename="verify_deal.py"'
    return response


def _frame(played: Played) -> dict[str, object]:
    tournament = played.pairing.round.stage.tournament
    return {
        "pairing": played.pairing,
        "match": played.pairing.match,
        "game": played.game,
        "tournament": tournament,
        "event": tournament.event,
        "is_whole": played.opened.is_whole,
        "called": played.called,
        "demo": tournament.event.is_demo,
    }
