"""What staff do for one player: show their own link again, replace it, give them a place."""

from __future__ import annotations

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.html import format_html
from django.utils.translation import gettext as _
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST, require_safe

from players.permissions import Actor, Refused
from players.words import person
from tournaments.actions import registration, roster
from tournaments.forms.staff import SeenForm
from tournaments.models import Entry, StaffLink, Tournament
from tournaments.permissions import link_token, may
from tournaments.views.access import for_link, for_tournament
from tournaments.views.desk_page import event_frame, page, refuse
from tournaments.views.desk_roster import entry_of, roster_page
from tournaments.views.registration import link_context
from tournaments.words.refusals import refusal_text

# --- On the organiser's desk.


@require_safe
@for_tournament("show_own_link")
def entry_link(request: HttpRequest, tournament: Tournament, actor: Actor, entry_id: int) -> HttpResponse:
    """A player's own link as an address and as a code."""
    entry = entry_of(tournament, entry_id)
    context = {
        **event_frame(event=tournament.event, here="roster"),
        **link_context(entry),
        "tournament": tournament,
        "entry": entry,
    }
    return page(request, "tournaments/desk/entry_link.html", context)


@require_POST
@for_tournament("show_own_link")
def entry_link_new(request: HttpRequest, tournament: Tournament, actor: Actor, entry_id: int) -> HttpResponse:
    """A player gets another link; the old one closes."""
    entry = entry_of(tournament, entry_id)
    seen = SeenForm.version_in(request.POST)
    outcome = registration.renew_entry_link(entry_id=entry.pk, by=actor, now=timezone.now(), seen=seen)
    if isinstance(outcome, Refused):
        raise Http404
    messages.success(
        request, format_html(_("{name} has a new link; the old one works no more."), name=person(outcome.staff_name))
    )
    return redirect("entry_link", tournament.pk, entry.pk)


@require_POST
@for_tournament("edit_roster")
def entry_place(request: HttpRequest, tournament: Tournament, actor: Actor, entry_id: int) -> HttpResponse:
    """Somebody who waits gets a place."""
    entry = entry_of(tournament, entry_id)
    outcome = roster.give_place(entry_id=entry.pk, by=actor, now=timezone.now())
    if isinstance(outcome, Refused):
        refuse(request, outcome)
        tournament.refresh_from_db()
        return roster_page(request, tournament, status=outcome.status)
    messages.success(request, format_html(_("{name} has a place now."), name=person(outcome.staff_name)))
    return redirect(reverse("roster", args=[tournament.pk]) + "#waiting")


# --- Behind a helper's link.


def _entry(link: StaffLink, actor: Actor, entry_id: int, act: str) -> Entry:
    """An entry of a tournament the link is good for; 404 for any other."""
    found = get_object_or_404(
        Entry.objects.select_related("tournament__event", "player"), pk=entry_id, tournament__event_id=link.event_id
    )
    if not may(actor, act, event=link.event_id, tournament=found.tournament_id):
        raise Http404
    return found


@require_safe
@for_link
def staff_entry_link(request: HttpRequest, link: StaffLink, actor: Actor, entry_id: int) -> HttpResponseBase:
    """A player's own link, to be scanned from the desk's screen."""
    entry = _entry(link, actor, entry_id, "show_own_link")
    context = {
        **link_context(entry),
        "link": link,
        "event": link.event,
        "home": reverse("staff_link", args=[link_token(link)]),
        "demo": link.event.is_demo,
        "tournament": entry.tournament,
        "entry": entry,
        "back": reverse("staff_roster", args=[link_token(link), entry.tournament_id]) + f"#entry-{entry.pk}",
    }
    answer = render(request, "tournaments/staff/entry_link.html", context)
    answer["Cache-Control"] = "private, no-store"
    return answer


@csrf_exempt  # the secret path is the whole authority
@require_POST
@for_link
def staff_entry_place(request: HttpRequest, link: StaffLink, actor: Actor, entry_id: int) -> HttpResponseBase:
    """Somebody who waits and stands at the desk gets a place."""
    entry = _entry(link, actor, entry_id, "edit_roster")
    outcome = roster.give_place(entry_id=entry.pk, by=actor, now=timezone.now())
    if isinstance(outcome, Refused):
        messages.error(request, refusal_text(outcome))
    else:
        messages.success(request, format_html(_("{name} has a place now."), name=person(outcome.staff_name)))
    return redirect(reverse("staff_roster", args=[link_token(link), entry.tournament_id]) + "#waiting")
