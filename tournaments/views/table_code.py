"""The page behind the code on a table: whoever sits there calls the referee, without any link of their own."""

from __future__ import annotations

from axes.helpers import get_client_ip_address
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils import timezone
from django.views.decorators.csrf import csrf_exempt

from players.permissions import Refused
from tournaments.actions.calls import call_to_table, take_back_call
from tournaments.actions.throttle import seconds_to_wait
from tournaments.live import calls_topic
from tournaments.models import Event, RefereeCall
from tournaments.permissions import actor_at_table, is_table_code
from tournaments.queries.calls import call_from
from tournaments.views.calls import call_facts, seen_call
from tournaments.views.live import LivePage, answer_live
from tournaments.words.refusals import refusal_text

TOO_MANY = 429


# Without a token of the session: the secret path is the whole authority, and a foreign page does not know it.
@csrf_exempt
def table_call(request: HttpRequest, pk: int, number: int, code: str) -> HttpResponse:
    """What is called at a table (GET); a call, or with an empty `call` taking it back (POST)."""
    if not is_table_code(code, event_id=pk, table=number):
        raise Http404
    event = get_object_or_404(Event, pk=pk)
    if request.method != "POST":
        return _page(request, event, number)
    outcome = _call(request, event, number) if request.POST.get("call", "1") else _take_back(event, number)
    if isinstance(outcome, Refused) and outcome.status == TOO_MANY:
        answer = _page(request, event, number, refused=outcome)
        answer["Retry-After"] = str(outcome.params["seconds"])
        return answer
    if isinstance(outcome, Refused):
        messages.error(request, refusal_text(outcome))
    return redirect("table_call", pk, number, code)


def _call(request: HttpRequest, event: Event, number: int) -> RefereeCall | Refused:
    now = timezone.now()
    if wait := seconds_to_wait(kind="table-call", address=get_client_ip_address(request) or "", now=now):
        return Refused("called_too_often", {"minutes": -(-wait // 60), "seconds": wait}, status=TOO_MANY)
    return call_to_table(event_id=event.pk, table=number, by=actor_at_table(event_id=event.pk), now=now)


def _take_back(event: Event, number: int) -> RefereeCall | Refused | None:
    call = call_from(event_id=event.pk, table=number)
    if call is None:
        return None
    return take_back_call(call_id=call.pk, by=actor_at_table(event_id=event.pk), now=timezone.now())


def _page(request: HttpRequest, event: Event, number: int, *, refused: Refused | None = None) -> HttpResponse:
    call = call_from(event_id=event.pk, table=number)
    page = LivePage(
        path=request.path,
        topics=(calls_topic(event.pk),),
        version="0" if call is None else str(call.pk),
        facts=(event.name, *call_facts([call])),
        own=True,
    )
    frame = {"event": event, "number": number, "action": request.path}
    answer = answer_live(
        request,
        page,
        template="tournaments/public/table_call.html",
        regions={"call": lambda: {**frame, "call": seen_call(call, entry_id=None)}},
        context={**frame, "demo": event.is_demo, "refused": refusal_text(refused) if refused else ""},
        status=refused.status if refused else 200,
    )
    answer["X-Robots-Tag"] = "noindex"
    return answer
