"""Players of a tournament in play, on the desk: late, expelled, replaced, sitting out, playing a tie off."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.html import format_html
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_POST

from players.permissions import Actor, Refused
from players.words import person
from tournaments.actions import asked_byes, latecomers, play_offs, replacements, rounds
from tournaments.engine.formats import get_format
from tournaments.forms.players import AskedByesForm, NewcomerForm, OnRosterForm, PlayOffForm
from tournaments.forms.rounds import WhyForm
from tournaments.models import Entry, Pairing, Tournament
from tournaments.models.roster import GONE
from tournaments.queries import ties
from tournaments.queries.course import course_of
from tournaments.queries.desk import current_stage
from tournaments.queries.snapshots import take_snapshot
from tournaments.views.access import for_tournament
from tournaments.views.desk_page import page, refuse, tournament_frame
from tournaments.views.desk_roster import entry_of, entry_page
from tournaments.views.desk_words import posts
from tournaments.views.in_play import in_play

_ROUNDS_SHOWN = 30  # rounds to come that can be asked about on one page

_ACTS: Mapping[str, tuple[Callable[..., Entry | Refused | None], Promise]] = {
    "withdraw": (
        rounds.withdraw_entry,
        gettext_lazy("{name} has left and is not paired any more. An open match stays open: enter how it ended."),
    ),
    "return": (rounds.return_entry, gettext_lazy("{name} is paired again from the next round on.")),
    "disqualify": (
        rounds.disqualify_entry,
        gettext_lazy("{name} is disqualified. An open match stays open: enter how it ended."),
    ),
    "reinstate": (rounds.reinstate_entry, gettext_lazy("{name} is in again, and paired from the next round on.")),
    "let_in": (latecomers.let_in, gettext_lazy("{name} is in.")),
    "take_out": (latecomers.remove_late_entry, gettext_lazy("{name} is out again.")),
    "undo_replacement": (replacements.undo_replacement, gettext_lazy("{name} has the place no more.")),
}


@require_POST
@for_tournament("change_field")
def act(request: HttpRequest, tournament: Tournament, actor: Actor, entry_id: int) -> HttpResponse:
    """One of the acts that are possible for a player now."""
    entry = entry_of(tournament, entry_id)
    offered = in_play(tournament=tournament, entry=entry, data=request.POST)
    if offered.form is None or not offered.form.is_valid():
        return entry_page(request, tournament, entry, offered=offered, status=400)
    chosen, told = _ACTS[offered.form.cleaned_data["act"]]
    name = person(entry.staff_name)
    outcome = chosen(entry_id=entry.pk, by=actor, now=timezone.now(), why=offered.form.cleaned_data["why"])
    if isinstance(outcome, Refused):
        refuse(request, outcome, tournament=tournament)
        return entry_page(request, tournament, entry, offered=offered, status=outcome.status)
    messages.success(request, format_html(str(told), name=name))
    return _to_roster(tournament, entry.pk)


def _to_roster(tournament: Tournament, entry: int) -> HttpResponse:
    return redirect(reverse("roster", args=[tournament.pk]) + f"#entry-{entry}")


@for_tournament("change_field")
def late(request: HttpRequest, tournament: Tournament, actor: Actor) -> HttpResponse:
    """A player who comes after the start."""

    def new(**said: Any) -> Entry | Refused:
        return latecomers.late_entry(tournament_id=tournament.pk, by=actor, now=timezone.now(), **said)

    def known(*, entry: int, why: str) -> Entry | Refused:
        return latecomers.let_in(entry_id=entry, by=actor, now=timezone.now(), why=why)

    return _newcomer(request, tournament, None, new=new, known=known)


@for_tournament("change_field")
def replace(request: HttpRequest, tournament: Tournament, actor: Actor, entry_id: int) -> HttpResponse:
    """Somebody else plays in the place of a player who has played nothing."""
    leaving = entry_of(tournament, entry_id)

    def new(**said: Any) -> Entry | Refused:
        return replacements.replace_entry(entry_id=leaving.pk, by=actor, now=timezone.now(), **said)

    def known(*, entry: int, why: str) -> Entry | Refused:
        return replacements.replace_by(entry_id=leaving.pk, by_entry=entry, by=actor, now=timezone.now(), why=why)

    return _newcomer(request, tournament, leaving, new=new, known=known)


def _newcomer(
    request: HttpRequest,
    tournament: Tournament,
    leaving: Entry | None,
    *,
    new: Callable[..., Entry | Refused],
    known: Callable[..., Entry | Refused],
) -> HttpResponse:
    """Who comes: somebody new, or somebody on the roster who does not play."""
    idle = list(tournament.entries.filter(seed=None).exclude(GONE).order_by("pk"))
    is_known = "entry" in request.POST
    there = OnRosterForm(request.POST if is_known else None, entries=idle)
    form = NewcomerForm(request.POST if request.method == "POST" and not is_known else None)
    chosen = there if is_known else form
    status = 200
    if request.method == "POST":
        if chosen.is_valid():
            outcome = known(**there.cleaned_data) if is_known else new(**form.said())
            if not isinstance(outcome, Refused):
                return _came(request, tournament, leaving, outcome)
            chosen.refuse(outcome)
            status = outcome.status
        else:
            status = 400
    frame = tournament_frame(request=request, tournament=tournament, here="roster")
    context = {**frame, "form": form, "there": there if idle else None, "leaving": leaving}
    return page(request, "tournaments/desk/newcomer.html", context, status=status)


def _came(request: HttpRequest, tournament: Tournament, leaving: Entry | None, entry: Entry) -> HttpResponse:
    told = _("{name} is in.") if leaving is None else _("{name} plays in the place of {other}.")
    other = person(leaving.staff_name) if leaving is not None else ""
    messages.success(request, format_html(told, name=person(entry.staff_name), other=other))
    return _to_roster(tournament, entry.pk)


@for_tournament("change_field")
def byes(request: HttpRequest, tournament: Tournament, actor: Actor, entry_id: int) -> HttpResponse:
    """Rounds a player does not want to play in."""
    entry = entry_of(tournament, entry_id)
    stage = current_stage(tournament=tournament)
    chosen = get_format(stage.format)
    if not chosen.gives_asked_byes:
        raise Http404
    if tournament.is_open_roster:
        numbers = range(1, len(course_of(stage=stage).rounds) + 1)
    else:
        snapshot = take_snapshot(stage=stage)
        numbers = range(snapshot.last_round + 1, chosen.rounds_at_most(snapshot) + 1)
    form = AskedByesForm(
        request.POST if request.method == "POST" else None, entry=entry, rounds=numbers[:_ROUNDS_SHOWN]
    )
    status = 200
    if request.method == "POST":
        status = 400
        if form.is_valid():
            outcome = asked_byes.set_asked_byes(
                entry_id=entry.pk, asked=form.asked(), by=actor, now=timezone.now(), why=form.cleaned_data["why"]
            )
            if not isinstance(outcome, Refused):
                messages.success(request, _("Saved."))
                return redirect("entry_edit", tournament.pk, entry.pk)
            refuse(request, outcome, tournament=tournament)
            status = outcome.status
    frame = tournament_frame(request=request, tournament=tournament, here="roster")
    return page(request, "tournaments/desk/byes.html", {**frame, "form": form, "entry": entry}, status=status)


@for_tournament("play_off")
def settle(request: HttpRequest, tournament: Tournament, actor: Actor) -> HttpResponse:
    """Places that are shared, and the extra matches that settle them."""
    stage = current_stage(tournament=tournament)
    shared = ties.places_to_settle(stage=stage)
    asked = request.POST.get("place", "") if request.method == "POST" else ""
    forms = [
        (each, PlayOffForm(request.POST if str(each.place) == asked else None, entries=each.entries, place=each.place))
        for each in shared
    ]
    status = 200
    if request.method == "POST":
        form = next((form for _each, form in forms if form.is_bound), None)
        if form is None:  # nobody shares that place any more
            refuse(request, Refused("no_shared_place"))
            status = 409
        elif not form.is_valid():
            status = 400
        else:
            outcome = play_offs.start_play_off(stage_id=stage.pk, by=actor, now=timezone.now(), **form.cleaned_data)
            if not isinstance(outcome, Refused):
                told = _("The play-off of {a} and {b} is called.")
                first, second = person(outcome.a.staff_name), person(outcome.b.staff_name if outcome.b else "")
                messages.success(request, format_html(told, a=first, b=second))
                return redirect("play_offs", tournament.pk)
            refuse(request, outcome, tournament=tournament)
            status = outcome.status
    frame = tournament_frame(request=request, tournament=tournament, here="now")
    called = [(each, _drop(tournament, each.match_id)) for each in ties.play_offs(stage=stage)]
    return page(request, "tournaments/desk/play_offs.html", {**frame, "shared": forms, "called": called}, status=status)


def _drop(tournament: Tournament, match_id: int | None) -> dict[str, Any]:
    act = posts(_("Take it back"), "play_offs", tournament, kind="link")
    return {**act, "url": reverse("play_off_drop", args=[tournament.pk, match_id])}


@require_POST
@for_tournament("play_off")
def drop(request: HttpRequest, tournament: Tournament, actor: Actor, match_id: int) -> HttpResponse:
    """An extra match without a result is taken back."""
    if not Pairing.objects.filter(match=match_id, round__stage__tournament=tournament).exists():
        raise Http404
    form = WhyForm(request.POST)
    why = str(form.cleaned_data["why"]) if form.is_valid() else ""
    outcome = play_offs.drop_play_off(match_id=match_id, by=actor, now=timezone.now(), why=why)
    if isinstance(outcome, Refused):
        refuse(request, outcome, tournament=tournament)
    else:
        messages.success(request, _("The play-off is taken back: the place is shared again."))
    return redirect("play_offs", tournament.pk)
