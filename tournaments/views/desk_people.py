"""One person under two names: an organiser says so, and both are one player from then on."""

from __future__ import annotations

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils import timezone
from django.utils.html import format_html
from django.utils.translation import gettext as _

from players.permissions import Actor, Refused
from players.words import person
from tournaments.actions import roster
from tournaments.forms.people import MergeForm
from tournaments.models import Entry, Tournament
from tournaments.permissions import may
from tournaments.queries.people import others_like
from tournaments.views.access import actor_in, for_tournament
from tournaments.views.desk_page import event_frame, page, refuse
from tournaments.views.desk_roster import entry_of
from tournaments.views.once import signed_in

_SHOWN = 50  # people to choose from; beyond it somebody is looked for by name
_LONGEST = 200


@for_tournament("merge_players")
def merge(request: HttpRequest, tournament: Tournament, actor: Actor, entry_id: int) -> HttpResponse:
    """Who else this player is, found by name in the organiser's other tournaments."""
    entry = entry_of(tournament, entry_id)
    if request.method != "POST":
        return _show(request, entry, MergeForm())
    form = MergeForm(request.POST)
    if not form.is_valid():
        return _show(request, entry, form, status=400)
    other = _theirs(request, form.cleaned_data["other"])
    outcome = roster.merge_players(keep=entry.player_id, drop=other.player_id, by=actor, now=timezone.now())
    if isinstance(outcome, Refused):
        refuse(request, outcome)
        return _show(request, entry, form, status=outcome.status)
    told = _("{name} and {other} are one player now.")
    messages.success(request, format_html(told, name=person(entry.staff_name), other=person(other.staff_name)))
    return redirect("entry_edit", tournament.pk, entry.pk)


def _theirs(request: HttpRequest, entry_id: int) -> Entry:
    """An entry of a tournament where the reader may do this too; 404 for any other."""
    other = get_object_or_404(Entry.objects.select_related("tournament__event", "player"), pk=entry_id)
    where = other.tournament
    if not may(actor_in(request, where.event), "merge_players", event=where.event_id, tournament=where.pk):
        raise Http404
    return other


def _show(request: HttpRequest, entry: Entry, form: MergeForm, *, status: int = 200) -> HttpResponse:
    like = request.GET.get("q", "")[:_LONGEST]
    found = others_like(entry=entry, account=signed_in(request), like=like)
    context = {
        **event_frame(event=entry.tournament.event, here="roster"),
        "tournament": entry.tournament,
        "entry": entry,
        "form": form,
        "like": like,
        "found": found[:_SHOWN],
        "more": max(0, len(found) - _SHOWN),
    }
    return page(request, "tournaments/desk/merge.html", context, status=status)
