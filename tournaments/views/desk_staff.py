"""Who helps at an event: organisers by their accounts, others by personal links, scripts by tokens."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from players.permissions import Actor, Refused, Role
from players.words import person
from tournaments.actions import organisers, staff
from tournaments.forms.staff import LinkForm, PlaceForm, SeenForm, TokenForm, link_end
from tournaments.models import ApiToken, Event, StaffLink
from tournaments.permissions import link_token
from tournaments.views.access import for_event
from tournaments.views.desk_page import event_frame, page, refuse, tell_twice
from tournaments.views.once import form_key, made_once, signed_in
from tournaments.words.hall import numbers_text

_AT_LEAST = timedelta(days=1)
"""A link that is renewed when its event is long over works for a day."""


@require_safe
@for_event("manage_staff")
def show(request: HttpRequest, event: Event, actor: Actor) -> HttpResponse:
    """Every link and token of an event."""
    return _staff_page(request, event)


def _staff_page(
    request: HttpRequest,
    event: Event,
    *,
    link_form: LinkForm | None = None,
    token_form: TokenForm | None = None,
    status: int = 200,
) -> HttpResponse:
    now = timezone.now()
    links = list(event.staff_links.select_related("tournament", "accepted_by").order_by("revoked_at", "name", "pk"))
    context = {
        **event_frame(event=event, here="staff"),
        "organisers": _organisers(request, event),
        "links": [(link, numbers_text(link.tables), _link_state(link, now)) for link in links],
        "tokens": event.api_tokens.select_related("account").order_by("revoked_at", "pk"),
        "link_form": link_form or LinkForm(event=event),
        "token_form": token_form or TokenForm(),
        "once": form_key(request),
    }
    return page(request, "tournaments/desk/staff.html", context, status=status)


def _organisers(request: HttpRequest, event: Event) -> list[dict[str, Any]]:
    """Who runs the event, the owner first, each with what the reader may do about it."""
    rows = []
    for member in event.memberships.filter(role=Role.ORGANISER).select_related("account").order_by("pk"):
        account = member.account
        is_own, owns = account.pk == request.user.pk, account.pk == event.owner_id
        out = {"text": _("Remove"), "url": reverse("organiser_remove", args=[event.pk, account.pk])}
        if is_own:
            out = {"text": _("Leave"), "url": reverse("leave_event", args=[event.pk])}
        heir = {"text": _("Hand it over"), "url": reverse("hand_over", args=[event.pk, account.pk])}
        rows.append(
            {
                "account": account,
                "is_own": is_own,
                "owns": owns,
                "out": None if owns else {**out, "kind": "main"},
                "heir": {**heir, "kind": "main"} if request.user.pk == event.owner_id and not owns else None,
            }
        )
    return sorted(rows, key=lambda row: not row["owns"])


def _link_state(link: StaffLink, now: datetime) -> str:
    """One of "works", "revoked", "accepted" and "over"."""
    if link.revoked_at is not None:
        return "revoked"
    if link.accepted_by_id is not None:
        return "accepted"
    return "works" if link.expires_at > now else "over"


@require_POST
@for_event("manage_staff")
def link_new(request: HttpRequest, event: Event, actor: Actor) -> HttpResponse:
    """A new link, shown at once."""
    form = LinkForm(request.POST, event=event)
    if not form.is_valid():
        return _staff_page(request, event, link_form=form, status=400)
    said = form.cleaned_data

    def act() -> dict[str, Any]:
        link = staff.create_link(
            event_id=event.pk,
            tournament_id=said["tournament"].pk if said["tournament"] else None,
            role=Role(said["role"]),
            name=said["name"],
            tables=said["tables"],
            here_from=said["here_from"],
            here_until=said["here_until"],
            email=said["email"],
            expires_at=form.expires_at,
            language=get_language() or "",
            by=actor,
            now=timezone.now(),
        )
        return {"link": link.pk}

    made = made_once(request, signed_in(request), act)
    tell_twice(request, form)
    return redirect("link_show", event.pk, made["link"])


@require_safe
@for_event("manage_staff")
def link_show(request: HttpRequest, event: Event, actor: Actor, link_id: int) -> HttpResponse:
    """A link as an address and as a code for a phone's camera."""
    return _link_page(request, event, _link_of(event, link_id))


def _link_page(
    request: HttpRequest, event: Event, link: StaffLink, *, form: PlaceForm | None = None, status: int = 200
) -> HttpResponse:
    state = _link_state(link, timezone.now())
    context = {
        **event_frame(event=event, here="staff"),
        "link": link,
        "tables": numbers_text(link.tables),
        "state": state,
        "form": None if link.role == Role.ORGANISER else form or PlaceForm.of(link),
    }
    if state == "works":
        address = settings.PUBLIC_URL + reverse("staff_link", args=[link_token(link)])
        context |= {"address": address, "code": qr_code(address), "only_here": is_this_machine(settings.PUBLIC_URL)}
    return page(request, "tournaments/desk/link.html", context, status=status)


@require_POST
@for_event("manage_staff")
def link_edit(request: HttpRequest, event: Event, actor: Actor, link_id: int) -> HttpResponse:
    """Where and when somebody helps, said anew. Of an invitation there is nothing to say."""
    link = _link_of(event, link_id)
    form = PlaceForm.of(link, request.POST)
    if not form.is_valid():
        return _link_page(request, event, link, form=form, status=400)
    said = form.cleaned_data
    staff.edit_link(
        link_id=link.pk,
        tables=said.get("tables", ()),
        here_from=said["here_from"],
        here_until=said["here_until"],
        by=actor,
        now=timezone.now(),
    )
    messages.success(request, _("Saved."))
    tell_twice(request, form)
    return redirect("link_show", event.pk, link.pk)


def is_this_machine(url: str) -> bool:
    """Whether an address leads nowhere but to the machine it is opened on: a phone cannot follow it."""
    host = urlsplit(url).hostname or ""
    return host == "localhost" or host == "::1" or host.startswith("127.")


def qr_code(address: str) -> SafeString:
    """An address as a QR code: an SVG without styles of its own."""
    import segno  # 2 MB that few pages need

    return mark_safe(segno.make(address, error="m").svg_inline(omitsize=True, border=2))  # noqa: S308 (drawn by segno)


def _link_of(event: Event, link_id: int) -> StaffLink:
    return get_object_or_404(StaffLink.objects.select_related("tournament", "event"), pk=link_id, event=event)


@require_POST
@for_event("manage_staff")
def link_revoke(request: HttpRequest, event: Event, actor: Actor, link_id: int) -> HttpResponse:
    """A link closes: whoever holds it is outside."""
    link = staff.revoke_link(link_id=_link_of(event, link_id).pk, by=actor, now=timezone.now())
    messages.success(request, format_html(_("The link of {name} works no more."), name=person(link.name)))
    return redirect("event_staff", event.pk)


@require_POST
@for_event("manage_staff")
def link_renew(request: HttpRequest, event: Event, actor: Actor, link_id: int) -> HttpResponse:
    """A helper gets a new address; the old one closes."""
    now = timezone.now()
    link = staff.renew_link(
        link_id=_link_of(event, link_id).pk,
        expires_at=max(link_end(event=event), now + _AT_LEAST),
        language=get_language() or "",
        by=actor,
        now=now,
        seen=SeenForm.version_in(request.POST),
    )
    messages.success(
        request, format_html(_("{name} has a new link; the old one works no more."), name=person(link.name))
    )
    return redirect("link_show", event.pk, link.pk)


@require_POST
@for_event("manage_staff")
def organiser_remove(request: HttpRequest, event: Event, actor: Actor, account_id: int) -> HttpResponse:
    """A fellow organiser is one no more."""
    outcome = organisers.remove_organiser(event_id=event.pk, account_id=account_id, by=actor, now=timezone.now())
    if isinstance(outcome, Refused):
        refuse(request, outcome)
        return _staff_page(request, event, status=outcome.status)
    messages.success(request, format_html(_("{name} organises this event no more."), name=person(str(outcome))))
    return redirect("desk") if outcome.pk == request.user.pk else redirect("event_staff", event.pk)


@require_POST
@for_event("manage_staff")
def leave(request: HttpRequest, event: Event, actor: Actor) -> HttpResponse:
    """The reader organises this event no more."""
    outcome = organisers.leave_event(event_id=event.pk, by=actor, now=timezone.now())
    if isinstance(outcome, Refused):
        refuse(request, outcome)
        return _staff_page(request, event, status=outcome.status)
    messages.success(request, format_html(_("You do not organise {event} any more."), event=person(event.name)))
    return redirect("desk")


@require_POST
@for_event("hand_over")
def hand_over(request: HttpRequest, event: Event, actor: Actor, account_id: int) -> HttpResponse:
    """The event, and what is known of its players, is another organiser's."""
    outcome = organisers.hand_over(event_id=event.pk, account_id=account_id, by=actor, now=timezone.now())
    if isinstance(outcome, Refused):
        refuse(request, outcome)
        return _staff_page(request, event, status=outcome.status)
    messages.success(request, format_html(_("The event is {name}’s now."), name=person(str(outcome.owner))))
    return redirect("event_staff", event.pk)


@require_POST
@for_event("manage_tokens")
def token_new(request: HttpRequest, event: Event, actor: Actor) -> HttpResponse:
    """A new token; its secret is on this one page and nowhere else. The same form sent again shows it again."""
    form = TokenForm(request.POST)
    if not form.is_valid():
        return _staff_page(request, event, token_form=form, status=400)
    account, name = signed_in(request), form.cleaned_data["name"]

    def act() -> dict[str, Any]:
        token, secret = staff.create_token(account=account, event_id=event.pk, name=name, by=actor, now=timezone.now())
        return {"name": token.name, "secret": secret}

    made = made_once(request, account, act)
    context = {**event_frame(event=event, here="staff"), "name": made["name"], "secret": made["secret"]}
    return page(request, "tournaments/desk/token.html", context)


@require_POST
@for_event("manage_tokens")
def token_revoke(request: HttpRequest, event: Event, actor: Actor, token_id: int) -> HttpResponse:
    """A token closes."""
    token = get_object_or_404(ApiToken, pk=token_id, event=event)
    outcome = staff.revoke_token(token_id=token.pk, by=actor, now=timezone.now())
    if isinstance(outcome, Refused):
        refuse(request, outcome)
        return _staff_page(request, event, status=outcome.status)
    messages.success(request, format_html(_("The token {name} works no more."), name=person(outcome.name)))
    return redirect("event_staff", event.pk)
