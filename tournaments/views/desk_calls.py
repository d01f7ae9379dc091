"""Calls for a referee on the organiser's desk, and the sheet of codes that stand on the tables."""

from __future__ import annotations

from django.conf import settings
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from players.permissions import Actor, Refused
from tournaments.actions import calls
from tournaments.models import Event, RefereeCall, Tournament
from tournaments.permissions import table_code
from tournaments.queries.calls import call_at, table_numbers
from tournaments.views.access import for_event, for_tournament
from tournaments.views.desk_page import event_frame, page, refuse
from tournaments.views.desk_results import results_page
from tournaments.views.desk_staff import is_this_machine, qr_code


def _call(tournament: Tournament, actor: Actor, call_id: int) -> RefereeCall:
    """A call from this tournament, or from a table where nobody knows the match; 404 for any other."""
    call = call_at(actor=actor, event=tournament.event, call_id=call_id, tournament=tournament)
    if call is None:
        raise Http404
    return call


def _back(request: HttpRequest, tournament: Tournament, outcome: RefereeCall | Refused) -> HttpResponse:
    if isinstance(outcome, Refused):
        refuse(request, outcome, tournament=tournament)
        return results_page(request, tournament, status=outcome.status)
    return redirect("results", tournament.pk)


@require_POST
@for_tournament("answer_call")
def take(request: HttpRequest, tournament: Tournament, actor: Actor, call_id: int) -> HttpResponse:
    """The organiser goes, or with an empty `going` does not after all."""
    call = _call(tournament, actor, call_id)
    going = bool(request.POST.get("going"))
    return _back(request, tournament, calls.take_call(call_id=call.pk, going=going, by=actor, now=timezone.now()))


@require_POST
@for_tournament("answer_call")
def finish(request: HttpRequest, tournament: Tournament, actor: Actor, call_id: int) -> HttpResponse:
    """Somebody was there."""
    call = _call(tournament, actor, call_id)
    outcome = calls.finish_call(call_id=call.pk, by=actor, now=timezone.now())
    if not isinstance(outcome, Refused):
        messages.success(request, _("Done: that call is over."))
    return _back(request, tournament, outcome)


@require_safe
@for_event("show_table_codes")
def table_cards(request: HttpRequest, event: Event, actor: Actor) -> HttpResponse:
    """A card for each table, to be cut out and put there: its number, and the code that calls the referee."""
    cards = [{"number": number, "code": qr_code(table_address(event, number))} for number in table_numbers(event=event)]
    context = {"cards": cards, "only_here": is_this_machine(settings.PUBLIC_URL)}
    return page(request, "tournaments/desk/table_cards.html", {**event_frame(event=event, here="tables"), **context})


def table_address(event: Event, number: int) -> str:
    """Where the code of a table leads."""
    code = table_code(event_id=event.pk, table=number)
    return f"{settings.PUBLIC_URL}{reverse('table_call', args=[event.pk, number, code])}"
