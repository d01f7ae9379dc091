"""Calls for a referee: made by players and from tables, answered by whoever may go there."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.http import Http404
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.utils import timezone
from rest_framework.request import Request
from rest_framework.response import Response

from players.permissions import Actor, Refused
from tournaments.actions import calls as actions
from tournaments.api.access import View, event_for, own_entry, tournament_for
from tournaments.api.answers import page
from tournaments.api.bodies import GoingBody, TableCodeBody
from tournaments.api.often import too_often
from tournaments.api.operation import PAGE, operation
from tournaments.api.problems import done, refuse
from tournaments.api.results import without_address
from tournaments.api.shapes import CallShape, CallsPageShape, TableCodesPageShape
from tournaments.models import Event, Pairing, RefereeCall
from tournaments.permissions import actor_at_table, is_table_code, table_code
from tournaments.queries.calls import call_at, call_from, call_of, open_calls, table_numbers
from tournaments.queries.reports import is_own_closed_match, own_pairing


def _row(call: RefereeCall, actor: Actor) -> dict[str, Any]:
    return {
        "id": call.pk,
        "table": call.place,
        "match": None if call.pairing is None else call.pairing.match_id,
        "entry": call.entry_id,
        "called_at": call.called_at,
        "taken_by": without_address({"by": call.taken_by}, actor)["by"],
        "taken_at": call.taken_at,
        "over_at": call.over_at,
    }


def _answer(outcome: RefereeCall | Refused, actor: Actor) -> Response:
    if isinstance(outcome, Refused):
        outcome = Refused(outcome.code, without_address(outcome.params, actor), outcome.status)
    return Response(CallShape(_row(done(outcome), actor)).data)


# --- A player.


def _own(request: Request, match_id: int) -> tuple[Pairing, Actor]:
    """A match of the player whose link asks; one whose round was taken back is told of, any other is not there."""
    entry, actor = own_entry(request, "call_own")
    pairing = own_pairing(entry=entry, match_id=match_id)
    if pairing is None and is_own_closed_match(entry=entry, match_id=match_id):
        raise refuse("match_void", status=409, match=match_id)
    if pairing is None:
        raise Http404
    return pairing, actor


class OwnCall(View):
    """A player calls the referee."""

    @operation(
        "call_referee_own",
        "Call a referee to your match",
        description="However it is played. Twice is one call; a game on your devices goes on meanwhile. The call is"
        " over by itself once the match has its result.",
        answer=CallShape,
    )
    def post(self, request: Request, match_id: int) -> Response:
        _pairing, actor = _own(request, match_id)
        return _answer(actions.call_to_match(match_id=match_id, by=actor, now=timezone.now()), actor)


class TakeBackOwnCall(View):
    """A player needs nobody any more."""

    @operation(
        "take_back_call_own",
        "Take your call for a referee back",
        description="`call_not_yours` where the other player called, or the clock of the game.",
        answer=CallShape,
    )
    def post(self, request: Request, match_id: int) -> Response:
        pairing, actor = _own(request, match_id)
        call = call_of(pairing_id=pairing.pk)
        if call is None:
            raise refuse("call_over", status=409)
        return _answer(actions.take_back_call(call_id=call.pk, by=actor, now=timezone.now()), actor)


# --- Whoever sits at a table and has its code.


def _table(request: Request, pk: int, number: int) -> tuple[Event, Actor]:
    """The event of a table whose code was sent; 404 for another code."""
    event = get_object_or_404(Event, pk=pk)
    if number == 0:
        raise Http404
    body = TableCodeBody(data=request.data)
    body.is_valid(raise_exception=True)
    if not is_table_code(body.validated_data["code"], event_id=pk, table=number):
        raise Http404
    return event, actor_at_table(event_id=event.pk)


class TableCall(View):
    """Somebody at a table calls the referee."""

    @operation(
        "call_referee_at_table",
        "Call a referee with the code of a table",
        description="Nobody has to say who they are: the code stands on the table. Twice is one call.",
        body=TableCodeBody,
        answer=CallShape,
        makes=False,
    )
    def post(self, request: Request, pk: int, number: int) -> Response:
        event, actor = _table(request, pk, number)
        if (wait := too_often(request, "table-call")) is not None:
            return wait
        return _answer(actions.call_to_table(event_id=event.pk, table=number, by=actor, now=timezone.now()), actor)


class TakeBackTableCall(View):
    """Somebody at a table needs nobody any more."""

    @operation(
        "take_back_call_at_table",
        "Take a call back with the code of the table",
        description="`call_not_yours` where a player called by their own link, or the clock of the game.",
        body=TableCodeBody,
        answer=CallShape,
        makes=False,
    )
    def post(self, request: Request, pk: int, number: int) -> Response:
        event, actor = _table(request, pk, number)
        call = call_from(event_id=event.pk, table=number)
        if call is None:
            raise refuse("call_over", status=409)
        return _answer(actions.take_back_call(call_id=call.pk, by=actor, now=timezone.now()), actor)


class TableCodes(View):
    """The codes that stand on the tables."""

    @operation(
        "list_table_codes",
        "The codes of the tables, to be printed",
        description="Where the hall has no tables, as many as the event may need.",
        answer=TableCodesPageShape,
        parameters=PAGE,
    )
    def get(self, request: Request, pk: int) -> Response:
        event, _actor = event_for(request, pk, "show_table_codes")

        def row(number: int) -> dict[str, Any]:
            code = table_code(event_id=event.pk, table=number)
            address = reverse("table_call", args=[event.pk, number, code])
            return {"table": number, "code": code, "url": f"{settings.PUBLIC_URL}{address}"}

        return page(self, request, table_numbers(event=event), TableCodesPageShape, row)


# --- Whoever goes.


class Calls(View):
    """Who is called."""

    @operation(
        "list_calls",
        "Open calls for a referee at your tables",
        description="Those from matches of this tournament, and those from tables where nobody knows the match.",
        answer=CallsPageShape,
        parameters=PAGE,
    )
    def get(self, request: Request, pk: int) -> Response:
        tournament, actor = tournament_for(request, pk, "answer_call")
        found = open_calls(event=tournament.event, tournament=tournament, tables=actor.tables)
        return page(self, request, found, CallsPageShape, lambda call: _row(call, actor))


def _call(request: Request, pk: int, call_id: int) -> tuple[RefereeCall, Actor]:
    """A call from a table of whoever asks; 404 for any other."""
    tournament, actor = tournament_for(request, pk, "answer_call")
    call = call_at(actor=actor, event=tournament.event, call_id=call_id, tournament=tournament)
    if call is None:
        raise Http404
    return call, actor


class TakeCall(View):
    """A referee goes."""

    @operation(
        "take_call",
        "Say that you go there, or do not after all",
        description="`call_taken` where somebody else goes already: `by`.",
        body=GoingBody,
        answer=CallShape,
    )
    def post(self, request: Request, pk: int, call_id: int) -> Response:
        call, actor = _call(request, pk, call_id)
        body = GoingBody(data=request.data)
        body.is_valid(raise_exception=True)
        going = body.validated_data["going"]
        return _answer(actions.take_call(call_id=call.pk, going=going, by=actor, now=timezone.now()), actor)


class FinishCall(View):
    """Somebody was there."""

    @operation("finish_call", "Say that a call is over", description="Twice is once.", answer=CallShape)
    def post(self, request: Request, pk: int, call_id: int) -> Response:
        call, actor = _call(request, pk, call_id)
        return _answer(actions.finish_call(call_id=call.pk, by=actor, now=timezone.now()), actor)
