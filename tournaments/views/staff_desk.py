"""The entry desk's page behind a helper's private link: the roster to check players in from, and walk-ins."""

from __future__ import annotations

from dataclasses import asdict
from html import unescape
from http import HTTPStatus
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase, JsonResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.html import strip_tags
from django.utils.translation import get_language
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST, require_safe

from players.permissions import Actor, Refused
from tournaments.actions import roster as roster_actions
from tournaments.forms.roster import WalkInForm
from tournaments.models import Entry, StaffLink, Tournament
from tournaments.permissions import link_token, may
from tournaments.queries.public import event_stages
from tournaments.views.access import for_link
from tournaments.views.desk_list import RosterAddresses, back_to_list, roster_list, walk_in_form
from tournaments.views.desk_roster import added_text
from tournaments.views.device import problem, wants_json
from tournaments.views.helper import home_of, kept_by_nobody
from tournaments.views.scan import KEY, plain_text, scan_field, scanned_text, wrong_scan
from tournaments.words.refusals import refusal_text


def desk_page(request: HttpRequest, link: StaffLink) -> HttpResponse:
    """The roster to check in from; with several tournaments, a choice of them first."""
    if link.tournament is not None:
        return _roster_page(request, link, link.tournament)
    tournaments = [each.tournament for each in event_stages(event=link.event)]
    if len(tournaments) == 1:
        return _roster_page(request, link, tournaments[0])
    tournaments.sort(key=lambda each: not each.is_open_roster)
    context = {"link": link, "event": link.event, "token": link_token(link), "tournaments": tournaments}
    return kept_by_nobody(render(request, "tournaments/staff/desk.html", {**context, "demo": link.event.is_demo}))


def _tournament(link: StaffLink, actor: Actor, pk: int, act: str) -> Tournament:
    """A tournament the link is good for; 404 for any other."""
    found = get_object_or_404(Tournament.objects.select_related("event__owner"), pk=pk, event_id=link.event_id)
    if not may(actor, act, event=link.event_id, tournament=found.pk):
        raise Http404
    return found


def _entry(link: StaffLink, actor: Actor, entry_id: int) -> Entry:
    """An entry of a tournament the link is good for; 404 for any other."""
    found = get_object_or_404(
        Entry.objects.select_related("tournament__event__owner"), pk=entry_id, tournament__event_id=link.event_id
    )
    if not may(actor, "check_in", event=link.event_id, tournament=found.tournament_id):
        raise Http404
    return found


def _roster_path(link: StaffLink, tournament: Tournament) -> str:
    return reverse("staff_roster", args=[link_token(link), tournament.pk])


def _addresses(link: StaffLink, tournament: Tournament) -> RosterAddresses:
    token = link_token(link)
    return RosterAddresses(
        page=_roster_path(link, tournament),
        add=f"{reverse('staff_walk_in', args=[token])}?tournament={tournament.pk}",
        check_in=lambda entry: reverse("staff_check_in", args=[token, entry]),
        undo_check_in=lambda entry: reverse("staff_undo_check_in", args=[token, entry]),
        after_all=lambda entry: reverse("staff_check_in_after_all", args=[token, entry]),
        scan=reverse("staff_scan", args=[token, tournament.pk]),
        outbox=True,
        entry=lambda entry: reverse("staff_entry_link", args=[token, entry]),
        place=lambda entry: reverse("staff_entry_place", args=[token, entry]),
    )


@require_safe
@for_link
def roster(request: HttpRequest, link: StaffLink, actor: Actor, pk: int) -> HttpResponseBase:
    """The roster of one tournament, for a desk that serves several."""
    return _roster_page(request, link, _tournament(link, actor, pk, "see_roster"))


def _roster_page(
    request: HttpRequest,
    link: StaffLink,
    tournament: Tournament,
    *,
    refused: str = "",
    walk_in: WalkInForm | None = None,
    scanned: dict[str, Any] | None = None,
    status: int = 200,
) -> HttpResponse:
    shown = roster_list(request=request, tournament=tournament, at=_addresses(link, tournament))
    etag = f'"{shown.version}-{get_language()}"'
    is_part = request.GET.get("part") == "roster"
    if is_part and etag in request.headers.get("If-None-Match", ""):
        answer = HttpResponse(status=304)
    else:
        context = {
            "link": link,
            "event": tournament.event,
            "home": home_of(link),
            "tournament": tournament,
            "demo": tournament.event.is_demo,
            "roster": shown,
            "walk_in": None if is_part else walk_in or walk_in_form(tournament=tournament),
            "refused": refused,
            "scanned": scanned or scan_field(request),
        }
        template = "tournaments/_roster.html" if is_part else "tournaments/staff/roster.html"
        answer = render(request, template, context, status=status)
    if is_part:
        answer["ETag"] = etag
    return kept_by_nobody(answer)


@csrf_exempt
@require_POST
@for_link
def check_in(request: HttpRequest, link: StaffLink, actor: Actor, entry_id: int) -> HttpResponseBase:
    """Somebody is here. A device that keeps what it could not send asks for JSON, as it does for results."""
    entry = _entry(link, actor, entry_id)
    outcome = roster_actions.check_in(entry_id=entry.pk, by=actor, now=timezone.now(), key=_key(request))
    return _back_to_roster(request, link, entry, outcome)


@csrf_exempt
@require_POST
@for_link
def check_in_after_all(request: HttpRequest, link: StaffLink, actor: Actor, entry_id: int) -> HttpResponseBase:
    """Somebody is here who had left or was dropped."""
    entry = _entry(link, actor, entry_id)
    outcome = roster_actions.check_in_after_all(entry_id=entry.pk, by=actor, now=timezone.now(), key=_key(request))
    return _back_to_roster(request, link, entry, outcome)


@csrf_exempt
@require_POST
@for_link
def undo_check_in(request: HttpRequest, link: StaffLink, actor: Actor, entry_id: int) -> HttpResponseBase:
    """Somebody was not here after all."""
    entry = _entry(link, actor, entry_id)
    outcome = roster_actions.undo_check_in(entry_id=entry.pk, by=actor, now=timezone.now(), key=_key(request))
    return _back_to_roster(request, link, entry, outcome)


def _key(request: HttpRequest) -> str:
    """The key a device names what it sends by; "" where there is none that could be one."""
    said = request.POST.get("key", "")
    return said if KEY.fullmatch(said) else ""


def _back_to_roster(request: HttpRequest, link: StaffLink, entry: Entry, outcome: Entry | Refused) -> HttpResponse:
    if isinstance(outcome, Refused):
        text = refusal_text(outcome)
        if wants_json(request):
            return problem(outcome.code, text, outcome.status)
        return _roster_page(request, link, entry.tournament, refused=text, status=outcome.status)
    if wants_json(request):
        return JsonResponse(_here(outcome))
    return redirect(back_to_list(request=request, page=_roster_path(link, entry.tournament), entry=entry.pk))


def _here(entry: Entry) -> dict[str, Any]:
    """Whether somebody is here, for a device."""
    return {"entry": entry.pk, "name": entry.staff_name, "here": entry.checked_in_at is not None}


@csrf_exempt
@require_POST
@for_link
def scan(request: HttpRequest, link: StaffLink, actor: Actor, pk: int) -> HttpResponseBase:
    """Somebody shows their own link to a scanner that types it: they are here."""
    tournament, code = _tournament(link, actor, pk, "check_in"), request.POST.get("code", "")
    outcome = roster_actions.check_in_scanned(
        code=code, tournament=tournament, by=actor, now=timezone.now(), key=_key(request)
    )
    if isinstance(outcome, Refused):
        text = refusal_text(outcome)
        if wants_json(request):
            return problem(outcome.code, text, outcome.status)
        return _roster_page(request, link, tournament, scanned=wrong_scan(code, text), status=outcome.status)
    if wants_json(request):
        return JsonResponse({**_here(outcome), "said": plain_text(outcome, tournament)})
    messages.success(request, scanned_text(outcome, tournament))
    return redirect(_roster_path(link, tournament) + "?scan=1#scan")


@csrf_exempt
@require_POST
@for_link
def walk_in(request: HttpRequest, link: StaffLink, actor: Actor) -> HttpResponseBase:
    """Somebody who stands at the desk is put on the roster. A device that keeps what was typed asks for JSON."""
    asked = request.GET.get("tournament", "")
    pk = int(asked) if asked.isascii() and asked.isdigit() and len(asked) < 19 else 0
    tournament = _tournament(link, actor, pk or link.tournament_id or 0, "edit_roster")
    form = WalkInForm(request.POST)
    if not form.is_valid():
        if wants_json(request):
            text = " ".join(str(error) for errors in form.errors.values() for error in errors)
            return problem("invalid", text, HTTPStatus.BAD_REQUEST)
        return _roster_page(request, link, tournament, walk_in=form, status=HTTPStatus.BAD_REQUEST)
    said = form.cleaned_data
    outcome = roster_actions.add_entry(
        tournament_id=tournament.pk,
        **asdict(form.facts),
        here=said["here"],
        name_again=said["name_again"],
        by=actor,
        now=timezone.now(),
        key=_key(request),
    )
    if isinstance(outcome, Refused):
        if wants_json(request):
            return problem(outcome.code, refusal_text(outcome), outcome.status)
        form.refuse(outcome)
        return _roster_page(request, link, tournament, walk_in=form, status=outcome.status)
    if wants_json(request):
        return JsonResponse({**_here(outcome), "said": unescape(strip_tags(added_text(outcome)))})
    messages.success(request, added_text(outcome))
    return redirect(back_to_list(request=request, page=_roster_path(link, tournament)) + "#add")
