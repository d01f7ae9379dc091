"""The roster on the desk: who is on it, who is here, and in what order they are seeded by hand."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST, require_safe

from players.permissions import Actor, Refused
from players.words import person
from tournaments.actions import roster
from tournaments.forms.hall import FixedTableForm
from tournaments.forms.roster import CloseCheckInForm, EntryForm, SeedsForm, WalkInForm
from tournaments.models import Entry, Tournament
from tournaments.models.roster import ON_ROSTER
from tournaments.models.tournament import Seeding
from tournaments.queries import desk
from tournaments.queries.me import account_of
from tournaments.views.access import for_tournament
from tournaments.views.desk_list import RosterAddresses, back_to_list, roster_list, walk_in_form
from tournaments.views.desk_page import (
    is_unchanged,
    not_modified,
    page,
    part,
    part_version,
    refuse,
    tournament_frame,
)
from tournaments.views.desk_words import posts
from tournaments.views.in_play import InPlay, in_play
from tournaments.views.scan import scan_field, scanned_text, wrong_scan
from tournaments.words.refusals import refusal_text


def addresses(tournament: Tournament) -> RosterAddresses:
    """Where the organiser's own list sends its acts."""

    def of_entry(name: str) -> Callable[[int], str]:
        return lambda entry: reverse(name, args=[tournament.pk, entry])

    return RosterAddresses(
        page=reverse("roster", args=[tournament.pk]),
        add=reverse("entry_add", args=[tournament.pk]),
        check_in=of_entry("entry_check_in"),
        undo_check_in=of_entry("entry_undo_check_in"),
        imports=reverse("import_new", args=[tournament.pk]),
        entry=of_entry("entry_edit"),
        place=of_entry("entry_place"),
        after_all=of_entry("entry_check_in_after_all"),
        scan=reverse("roster_scan", args=[tournament.pk]),
        withdraw=of_entry("withdraw"),
        return_entry=of_entry("return_entry"),
    )


@require_safe
@for_tournament("see_roster")
def show(request: HttpRequest, tournament: Tournament, actor: Actor) -> HttpResponseBase:
    """The roster as a list to check in from."""
    wanted = request.GET.get("part")
    if wanted is None:
        return roster_page(request, tournament)
    version = part_version(desk.current_stage(tournament=tournament))
    if is_unchanged(request, version=version):
        return not_modified(version)
    template = "tournaments/desk/_top.html" if wanted == "top" else "tournaments/_roster.html"
    return part(request, template, _context(request, tournament), version=version)


def roster_page(
    request: HttpRequest,
    tournament: Tournament,
    *,
    walk_in: WalkInForm | None = None,
    scanned: dict[str, Any] | None = None,
    status: int = 200,
) -> HttpResponse:
    """The page of the roster, also when something was just refused."""
    context = {
        **_context(request, tournament),
        "walk_in": walk_in or walk_in_form(tournament=tournament),
        "scanned": scanned or scan_field(request),
    }
    return page(request, "tournaments/desk/roster.html", context, status=status)


def _context(request: HttpRequest, tournament: Tournament) -> dict[str, Any]:
    return {
        **tournament_frame(request=request, tournament=tournament, here="roster"),
        "roster": roster_list(request=request, tournament=tournament, at=addresses(tournament)),
        "by_hand": tournament.seeding == Seeding.HAND,
        "all_in": posts(_("Check all in"), "check_in_all", tournament, kind="link"),
    }


def entry_of(tournament: Tournament, entry_id: int) -> Entry:
    """An entry of this tournament; 404 for any other."""
    return get_object_or_404(Entry.objects.select_related("player", "tournament"), pk=entry_id, tournament=tournament)


@require_POST
@for_tournament("edit_roster")
def add(request: HttpRequest, tournament: Tournament, actor: Actor) -> HttpResponse:
    """Somebody is put on the roster by hand."""
    form = WalkInForm(request.POST)
    if not form.is_valid():
        return roster_page(request, tournament, walk_in=form, status=400)
    facts, said = form.facts, form.cleaned_data
    outcome = roster.add_entry(
        tournament_id=tournament.pk,
        name=facts.name,
        email=facts.email,
        city=facts.city,
        club=facts.club,
        rating=facts.rating,
        here=said["here"],
        name_again=said["name_again"],
        by=actor,
        now=timezone.now(),
    )
    if isinstance(outcome, Refused):
        form.refuse(outcome)
        return roster_page(request, tournament, walk_in=form, status=outcome.status)
    messages.success(request, added_text(outcome))
    return redirect(back_to_list(request=request, page=reverse("roster", args=[tournament.pk])) + "#add")


def added_text(entry: Entry) -> SafeString:
    """Who was put on the roster, and how many there are by now where that is more than the places."""
    told = format_html(_("{name} is on the roster."), name=person(entry.staff_name))
    capacity = entry.tournament.capacity
    over = 0 if capacity is None else len(desk.roster(tournament=entry.tournament)) - capacity
    if over <= 0:
        return told
    text = ngettext(
        "That is {n} player more than there are places.", "That is {n} players more than there are places.", over
    )
    return format_html("{} {}", told, text.format(n=over))


@for_tournament("edit_roster")
def edit(request: HttpRequest, tournament: Tournament, actor: Actor, entry_id: int) -> HttpResponse:
    """What is known of a player here."""
    entry = entry_of(tournament, entry_id)
    if request.method != "POST":
        return entry_page(request, tournament, entry, EntryForm.of(entry))
    form = EntryForm.of(entry, request.POST)
    if not form.is_valid():
        return entry_page(request, tournament, entry, form, status=400)
    facts = form.facts
    outcome = roster.edit_entry(
        entry_id=entry.pk,
        name=facts.name,
        email=facts.email,
        city=facts.city,
        club=facts.club,
        rating=facts.rating,
        by=actor,
        now=timezone.now(),
    )
    if isinstance(outcome, Refused):
        form.refuse(outcome)
        return entry_page(request, tournament, entry, form, status=outcome.status)
    messages.success(request, _("Saved."))
    return redirect(reverse("roster", args=[tournament.pk]) + f"#entry-{entry.pk}")


def entry_page(
    request: HttpRequest,
    tournament: Tournament,
    entry: Entry,
    form: EntryForm | None = None,
    *,
    offered: InPlay | None = None,
    fixed: FixedTableForm | None = None,
    status: int = 200,
) -> HttpResponse:
    """The page of one player, also when something was just refused: with what was typed in any of its forms."""
    frame = tournament_frame(request=request, tournament=tournament, here="roster")
    address = reverse("entry_remove", args=[tournament.pk, entry.pk])
    remove = {"text": _("Take off the roster"), "kind": "main", "url": address}
    context = {**frame, "entry": entry, "form": form or EntryForm.of(entry), "remove": remove}
    context["account"] = account_of(entry=entry)
    context["fixed"] = fixed or FixedTableForm(table=entry.fixed_table)
    context["in_play"] = offered or in_play(tournament=tournament, entry=entry)
    return page(request, "tournaments/desk/entry.html", context, status=status)


@require_POST
@for_tournament("edit_roster")
def remove(request: HttpRequest, tournament: Tournament, actor: Actor, entry_id: int) -> HttpResponse:
    """Somebody is taken off the roster."""
    entry = entry_of(tournament, entry_id)
    outcome = roster.remove_entry(entry_id=entry.pk, by=actor, now=timezone.now())
    if isinstance(outcome, Refused):
        refuse(request, outcome)
        return roster_page(request, tournament, status=outcome.status)
    messages.success(request, format_html(_("{name} is off the roster."), name=person(entry.staff_name)))
    return redirect("roster", tournament.pk)


@require_POST
@for_tournament("check_in")
def check_in(request: HttpRequest, tournament: Tournament, actor: Actor, entry_id: int) -> HttpResponse:
    """Somebody is here."""
    entry = entry_of(tournament, entry_id)
    outcome = roster.check_in(entry_id=entry.pk, by=actor, now=timezone.now())
    return _back(request, tournament, entry.pk, outcome)


@require_POST
@for_tournament("check_in")
def undo_check_in(request: HttpRequest, tournament: Tournament, actor: Actor, entry_id: int) -> HttpResponse:
    """Somebody was not here after all."""
    entry = entry_of(tournament, entry_id)
    outcome = roster.undo_check_in(entry_id=entry.pk, by=actor, now=timezone.now())
    return _back(request, tournament, entry.pk, outcome)


def _back(request: HttpRequest, tournament: Tournament, entry: int, outcome: Entry | Refused) -> HttpResponse:
    if isinstance(outcome, Refused):
        refuse(request, outcome)
        return roster_page(request, tournament, status=outcome.status)
    return redirect(back_to_list(request=request, page=reverse("roster", args=[tournament.pk]), entry=entry))


@require_POST
@for_tournament("check_in")
def check_in_after_all(request: HttpRequest, tournament: Tournament, actor: Actor, entry_id: int) -> HttpResponse:
    """Somebody is here who had left or was dropped."""
    entry = entry_of(tournament, entry_id)
    outcome = roster.check_in_after_all(entry_id=entry.pk, by=actor, now=timezone.now())
    return _back(request, tournament, entry.pk, outcome)


@require_POST
@for_tournament("check_in")
def scan(request: HttpRequest, tournament: Tournament, actor: Actor) -> HttpResponse:
    """Somebody shows their own link to a scanner that types it: they are here."""
    code = request.POST.get("code", "")
    outcome = roster.check_in_scanned(code=code, tournament=tournament, by=actor, now=timezone.now())
    if isinstance(outcome, Refused):
        scanned = wrong_scan(code, refusal_text(outcome))
        return roster_page(request, tournament, scanned=scanned, status=outcome.status)
    messages.success(request, scanned_text(outcome, tournament))
    return redirect(reverse("roster", args=[tournament.pk]) + "?scan=1#scan")


@require_POST
@for_tournament("check_in")
def check_in_open(request: HttpRequest, tournament: Tournament, actor: Actor) -> HttpResponse:
    """Players can be checked in now."""
    outcome = roster.open_check_in(tournament_id=tournament.pk, by=actor, now=timezone.now())
    return _back_to_roster(request, tournament, outcome)


@for_tournament("check_in")
def check_in_close(request: HttpRequest, tournament: Tournament, actor: Actor) -> HttpResponse:
    """Who is missing, and what becomes of them: kept on the roster, or dropped. Then back to collecting players."""
    missing = desk.missing(tournament=tournament)
    if request.method != "POST":
        frame = tournament_frame(request=request, tournament=tournament, here="roster")
        return page(request, "tournaments/desk/check_in_close.html", {**frame, "missing": missing})
    form = CloseCheckInForm(request.POST)
    if not form.is_valid():
        raise Http404
    outcome = roster.close_check_in(
        tournament_id=tournament.pk,
        missing=form.cleaned_data["missing"] or roster.KEEP,
        named=form.cleaned_data["named"],
        by=actor,
        now=timezone.now(),
    )
    if isinstance(outcome, Tournament):
        messages.success(request, _closed_text(tournament, missing))
    return _back_to_roster(request, tournament, outcome)


def _closed_text(tournament: Tournament, missing: Sequence[Entry]) -> str:
    """That check-in is closed, and how many of those who were missing were let go."""
    ids = [entry.pk for entry in missing]
    left = sum(1 for entry in desk.gone(tournament=tournament) if entry.pk in ids)
    if not left:
        return _("Check-in is closed.")
    text = ngettext("Check-in is closed. {n} player was let go.", "Check-in is closed. {n} players were let go.", left)
    return text.format(n=left)


@require_POST
@for_tournament("check_in")
def check_in_all(request: HttpRequest, tournament: Tournament, actor: Actor) -> HttpResponse:
    """Everybody is here."""
    outcome = roster.check_in_all(tournament_id=tournament.pk, by=actor, now=timezone.now())
    if isinstance(outcome, int):
        told = ngettext("%(n)s player was checked in.", "%(n)s players were checked in.", outcome)
        messages.success(request, told % {"n": outcome})
    return _back_to_roster(request, tournament, outcome)


def _back_to_roster(request: HttpRequest, tournament: Tournament, outcome: Tournament | int | Refused) -> HttpResponse:
    if isinstance(outcome, Refused):
        refuse(request, outcome)
        return roster_page(request, tournament, status=outcome.status)
    return redirect("roster", tournament.pk)


@for_tournament("edit_tournament")
def seeds(request: HttpRequest, tournament: Tournament, actor: Actor) -> HttpResponse:
    """The seeding order by hand, while the tournament asks for one."""
    if tournament.seeding != Seeding.HAND:
        raise Http404
    entries = sorted(tournament.entries.filter(ON_ROSTER), key=lambda e: (e.hand_seed is None, e.hand_seed or 0, e.pk))
    if request.method != "POST":
        return _seeds_page(request, tournament, SeedsForm(entries=entries))
    form = SeedsForm(request.POST, entries=entries)
    if not form.is_valid():
        return _seeds_page(request, tournament, form, status=400)
    outcome = roster.set_hand_seeds(tournament_id=tournament.pk, order=form.order(), by=actor, now=timezone.now())
    if isinstance(outcome, Refused):
        refuse(request, outcome)
        return _seeds_page(request, tournament, form, status=outcome.status)
    messages.success(request, _("The order is kept."))
    return redirect("roster", tournament.pk)


def _seeds_page(request: HttpRequest, tournament: Tournament, form: SeedsForm, *, status: int = 200) -> HttpResponse:
    context = {**tournament_frame(request=request, tournament=tournament, here="roster"), "form": form}
    return page(request, "tournaments/desk/seeds.html", context, status=status)
