"""A referee's word on what others reported: one press confirms it, another takes a report of their own back."""

from __future__ import annotations

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponseBase, JsonResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.html import format_html
from django.utils.translation import gettext as _
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST

from matches import actions as match_actions
from matches.models import Submission
from players.permissions import Actor, Refused
from tournaments.models import Pairing, StaffLink
from tournaments.queries.tables import is_closed_match, pairing_at
from tournaments.views.access import for_link
from tournaments.views.device import taken, wants_json
from tournaments.views.helper import home_of
from tournaments.views.staff import match_words, refuse


def _reported_at(link: StaffLink, actor: Actor, submission_id: int) -> Pairing | Refused:
    """The pairing of a report at a table of the link; 404 for any other. Its round may have been taken back."""
    match_id = Submission.objects.filter(pk=submission_id).values_list("match_id", flat=True).first()
    if match_id is None:
        raise Http404
    pairing = pairing_at(actor=actor, event=link.event, match_id=match_id, act="confirm_report")
    if pairing is None and is_closed_match(actor=actor, event=link.event, match_id=match_id):
        return Refused("match_void", {"match": match_id})
    if pairing is None:
        raise Http404
    return pairing


# Without a token of the session, as results are: the secret path is the whole authority here.
@csrf_exempt
@require_POST
@for_link
def confirm(request: HttpRequest, link: StaffLink, actor: Actor, submission_id: int) -> HttpResponseBase:
    """A waiting report is right."""
    pairing = _reported_at(link, actor, submission_id)
    if isinstance(pairing, Refused):
        return refuse(request, link, actor, pairing)
    outcome = match_actions.confirm_report(submission_id=submission_id, by=actor, now=timezone.now())
    if isinstance(outcome, Refused):
        return refuse(request, link, actor, outcome)
    if wants_json(request):
        return JsonResponse(taken(outcome))
    if pairing.match is not None:
        pairing.match.refresh_from_db()
    messages.success(request, format_html(_("Taken: {match}."), match=match_words(pairing)))
    return redirect(home_of(link))


@csrf_exempt
@require_POST
@for_link
def take_back(request: HttpRequest, link: StaffLink, actor: Actor, submission_id: int) -> HttpResponseBase:
    """A report of the referee's own that waits is taken back."""
    pairing = _reported_at(link, actor, submission_id)
    if isinstance(pairing, Refused):
        return refuse(request, link, actor, pairing)
    outcome = match_actions.take_back_report(submission_id=submission_id, by=actor, now=timezone.now())
    if isinstance(outcome, Refused):
        return refuse(request, link, actor, outcome)
    if wants_json(request):
        return JsonResponse(taken(outcome))
    names = match_words(pairing, bare=True)
    messages.success(request, format_html(_("Taken back: your report of {match}."), match=names))
    return redirect(home_of(link))
