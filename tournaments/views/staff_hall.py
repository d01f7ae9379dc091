"""A referee and tables: a match gets one, goes to another one, or changes places."""

from __future__ import annotations

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.views.decorators.csrf import csrf_exempt

from players.permissions import Actor, Refused
from tournaments.forms.hall import MoveForm
from tournaments.models import Pairing, StaffLink
from tournaments.permissions import link_token, may_move
from tournaments.queries.hall import misses_fixed
from tournaments.queries.stages import round_names
from tournaments.queries.tables import is_closed_match, pairing_at
from tournaments.views.access import for_link
from tournaments.views.helper import home_of, kept_by_nobody
from tournaments.views.moving import carry_out, move_again, move_form, moved_text
from tournaments.views.staff import refuse
from tournaments.words.reasons import round_name
from tournaments.words.refusals import refusal_text


# Without a token of the session, as results are: the secret path is the whole authority here.
@csrf_exempt
@for_link
def move(request: HttpRequest, link: StaffLink, actor: Actor, match_id: int) -> HttpResponseBase:
    """A match at one of the referee's tables, or one that waits for a table."""
    pairing = pairing_at(actor=actor, event=link.event, match_id=match_id, act="move_match")
    if pairing is None or pairing.match is None:
        if request.method == "POST" and is_closed_match(actor=actor, event=link.event, match_id=match_id):
            return refuse(request, link, actor, Refused("match_void", {"match": match_id}))
        raise Http404
    where = {"event": link.event_id, "tournament": pairing.round.stage.tournament_id}
    if not may_move(actor, tables=(pairing.table,), **where):
        raise Http404
    if request.method != "POST":
        return _page(request, link, pairing, move_form(pairing=pairing, actor=actor))
    form = move_form(request.POST, pairing=pairing, actor=actor)
    if not form.is_valid():
        return _page(request, link, pairing, form, status=400)
    outcome = carry_out(form, pairing=pairing, actor=actor)
    if isinstance(outcome, Refused):
        again = move_again(request.POST, outcome, pairing=pairing, actor=actor)
        return _page(request, link, pairing, again, refused=refusal_text(outcome), status=outcome.status)
    messages.success(request, moved_text(outcome))
    return redirect(home_of(link))


def _page(
    request: HttpRequest, link: StaffLink, pairing: Pairing, form: MoveForm, *, refused: str = "", status: int = 200
) -> HttpResponse:
    number = pairing.round.number
    context = {
        "link": link,
        "event": link.event,
        "home": home_of(link),
        "token": link_token(link),
        "demo": link.event.is_demo,
        "pairing": pairing,
        "round": round_name(round_names(stage=pairing.round.stage, numbers=[number])[number]),
        "misses": misses_fixed(pairing),
        "form": form,
        "refused": refused,
    }
    return kept_by_nobody(render(request, "tournaments/staff/move.html", context, status=status))
