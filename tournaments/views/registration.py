"""What players do about their own entry: the public page to register, and the pages behind their own link."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from axes.helpers import get_client_ip_address
from django.conf import settings
from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST, require_safe

from players.permissions import Actor, Refused
from tournaments.actions import registration as actions
from tournaments.actions.registration import LinkMailed
from tournaments.actions.throttle import seconds_to_wait
from tournaments.forms.registration import OwnForm, RegisterForm
from tournaments.models import Entry, Tournament
from tournaments.permissions import entry_token
from tournaments.queries.registration import registration_of, waiting_place
from tournaments.views.access import for_player
from tournaments.views.desk_staff import is_this_machine, qr_code
from tournaments.words.refusals import refusal_text

TOO_MANY = 429


def register(request: HttpRequest, pk: int) -> HttpResponse:
    """Where players register themselves, and why they cannot just now."""
    tournament = get_object_or_404(Tournament.objects.select_related("event"), pk=pk)
    if request.method != "POST":
        return _register_page(request, tournament, RegisterForm())
    now = timezone.now()
    form = RegisterForm(request.POST)
    if wait := seconds_to_wait(kind="register", address=get_client_ip_address(request) or "", now=now):
        form.refuse(Refused("too_often", {"minutes": -(-wait // 60)}, status=TOO_MANY))
        answer = _register_page(request, tournament, form, status=TOO_MANY)
        answer["Retry-After"] = str(wait)
        return answer
    if not form.is_valid():
        return _register_page(request, tournament, form, status=400)
    outcome = actions.register(tournament_id=tournament.pk, key=form.cleaned_data["key"], now=now, **form.said())
    if isinstance(outcome, LinkMailed):
        return _register_page(request, tournament, None, mailed=form.facts.email)
    if isinstance(outcome, Refused):
        form.refuse(outcome)
        return _register_page(request, tournament, form, status=outcome.status)
    return redirect("own_link", entry_token(outcome))


def _register_page(
    request: HttpRequest, tournament: Tournament, form: RegisterForm | None, *, mailed: str = "", status: int = 200
) -> HttpResponse:
    context = {
        "tournament": tournament,
        "event": tournament.event,
        "demo": tournament.event.is_demo,
        "registration": registration_of(tournament=tournament, now=timezone.now()),
        "form": form,
        "mailed": mailed,
    }
    return _own(render(request, "tournaments/public/register.html", context, status=status))


def _own(response: HttpResponse) -> HttpResponse:
    """Nobody keeps a copy: the form has a key of its own, and a private link is nobody else's."""
    response["Cache-Control"] = "private, no-store"
    return response


# --- Behind a player's own link. Without a token of the session: the secret path is the whole authority, as it is for
# helpers, and a foreign page does not know it.


def link_context(entry: Entry) -> dict[str, Any]:
    """A player's own address in words and as a code."""
    address = settings.PUBLIC_URL + reverse("own_page", args=[entry_token(entry)])
    return {"address": address, "code": qr_code(address), "only_here": is_this_machine(settings.PUBLIC_URL)}


def _page(
    request: HttpRequest, entry: Entry, template: str, context: Mapping[str, Any], *, status: int = 200
) -> HttpResponse:
    frame = {
        "entry": entry,
        "tournament": entry.tournament,
        "event": entry.tournament.event,
        "demo": entry.tournament.event.is_demo,
        "token": entry_token(entry),
    }
    return _own(render(request, f"tournaments/own/{template}.html", {**frame, **context}, status=status))


def _home(entry: Entry) -> HttpResponse:
    return redirect("own_page", entry_token(entry))


@require_safe
@for_player
def own_link(request: HttpRequest, entry: Entry, actor: Actor) -> HttpResponseBase:
    """The link to keep, right after somebody registered and whenever they want it on another phone."""
    return _page(request, entry, "link", {**link_context(entry), "place": waiting_place(entry=entry)})


@csrf_exempt
@for_player
def own_change(request: HttpRequest, entry: Entry, actor: Actor) -> HttpResponseBase:
    """What a player has said of themselves, and the way out."""
    if request.method != "POST":
        return _page(request, entry, "change", {"form": OwnForm.of(entry)})
    form = OwnForm.of(entry, request.POST)
    if not form.is_valid():
        return _page(request, entry, "change", {"form": form}, status=400)
    outcome = actions.change_own(entry_id=entry.pk, by=actor, now=timezone.now(), **form.said())
    if isinstance(outcome, Refused):
        form.refuse(outcome)
        return _page(request, entry, "change", {"form": form}, status=outcome.status)
    messages.success(request, _("Saved."))
    return _home(outcome)


@csrf_exempt
@for_player
def own_withdraw(request: HttpRequest, entry: Entry, actor: Actor) -> HttpResponseBase:
    """Leaving, asked about first."""
    if request.method != "POST":
        return _page(request, entry, "withdraw", {"refused": ""})
    outcome = actions.withdraw_own(entry_id=entry.pk, by=actor, now=timezone.now())
    if isinstance(outcome, Refused):
        return _page(request, entry, "withdraw", {"refused": refusal_text(outcome)}, status=outcome.status)
    messages.success(request, _("You have left the tournament. Thank you for saying so."))
    return _home(outcome)


@csrf_exempt
@require_POST
@for_player
def own_again(request: HttpRequest, entry: Entry, actor: Actor) -> HttpResponseBase:
    """Somebody who left before the start registers again."""
    outcome = actions.register_again(entry_id=entry.pk, by=actor, now=timezone.now())
    if isinstance(outcome, Refused):
        messages.error(request, refusal_text(outcome))
        return _home(entry)
    return redirect("own_link", entry_token(outcome))
