"""My events: every entry under an account's proved address, and an entry without an address added to it."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from players.permissions import Actor, Refused
from players.views import ask_to_sign_in, sign_in_path
from tournaments.actions import roster
from tournaments.models import Entry
from tournaments.models.tournament import State
from tournaments.permissions import entry_token
from tournaments.queries.me import entries_of
from tournaments.queries.next_up import called_tables, next_of_each
from tournaments.views.access import for_player
from tournaments.views.coming import public_name, shown_next
from tournaments.words.refusals import refusal_text


@require_safe
def my_events(request: HttpRequest) -> HttpResponseBase:
    """Where I play and played, each with my own page."""
    if not request.user.is_authenticated:
        return ask_to_sign_in(request)
    found = entries_of(account=request.user)
    playing = [each.entry.pk for each in found if each.entry.tournament.state == State.RUNNING]
    called, soon = called_tables(entries=playing), next_of_each(entries=playing)
    rows = [
        {
            "entry": each.entry,
            "rank": each.rank,
            "token": entry_token(each.entry),
            "table": called.get(each.entry.pk),
            "up": shown_next(soon[each.entry.pk], name=public_name) if each.entry.pk in soon else None,
        }
        for each in found
    ]
    return _own(render(request, "tournaments/me.html", {"here": "me", "account": request.user, "rows": rows}))


def _own(response: HttpResponse) -> HttpResponse:
    response["Cache-Control"] = "private, no-store"
    return response


@for_player
def own_claim(request: HttpRequest, entry: Entry, actor: Actor) -> HttpResponseBase:
    """Add this entry to the account that is signed in."""
    token, user = entry_token(entry), request.user
    here = reverse("own_claim", args=[token])
    context = {
        "entry": entry,
        "tournament": entry.tournament,
        "event": entry.tournament.event,
        "demo": entry.tournament.event.is_demo,
        "token": token,
        "sign_in": sign_in_path(here),
        "here": here,
        "refused": "",
        "is_mine": user.is_authenticated and entry.player.email == user.email,
    }
    status = 200
    if request.method == "POST":
        if not user.is_authenticated:
            return ask_to_sign_in(request)
        if user.verified_at is not None:
            outcome = roster.claim_entry(entry_id=entry.pk, email=user.email, by=actor, now=timezone.now())
            if not isinstance(outcome, Refused):
                messages.success(request, _("It is among your events now."))
                return redirect("my_events")
            context["refused"], status = refusal_text(outcome), outcome.status
    return _own(render(request, "tournaments/player/claim.html", context, status=status))
