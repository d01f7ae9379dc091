"""A draft changed by hand: two players change places."""

from __future__ import annotations

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.html import format_html
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from players.permissions import Actor, Refused
from players.words import person
from tournaments.actions import rounds
from tournaments.forms.rounds import SwapForm
from tournaments.models import Tournament
from tournaments.queries import desk
from tournaments.queries.drafts import DraftRound, DraftRow, draft_rounds
from tournaments.views.access import for_tournament
from tournaments.views.desk_page import page, refuse, tournament_frame
from tournaments.words.hall import place_text


@for_tournament("change_draft")
def swap(request: HttpRequest, tournament: Tournament, actor: Actor, round_id: int, number: int) -> HttpResponse:
    """One of the two of a pairing changes places with somebody else of the draft."""
    draft, row = _find(tournament, round_id, number)
    sides = _sides(row)
    others = [
        (entry, _side_text(_place(other), name, points))
        for other in draft.rows
        if other is not row
        for entry, name, points in _sides(other)
    ]
    form = SwapForm(
        request.POST if request.method == "POST" else None,
        entries=[(entry, name) for entry, name, _points in sides],
        others=others,
    )
    if request.method != "POST":
        return _swap_page(request, tournament, form, draft, row)
    if not form.is_valid():
        return _swap_page(request, tournament, form, draft, row, status=400)
    said = form.cleaned_data
    outcome = rounds.swap_in_draft(
        round_id=draft.round.pk, entry=said["entry"], with_entry=said["with_entry"], by=actor, now=timezone.now()
    )
    if isinstance(outcome, Refused):
        refuse(request, outcome, tournament=tournament)
        return _swap_page(request, tournament, form, draft, row, status=outcome.status)
    names = {entry: name for each in draft.rows for entry, name, _points in _sides(each)}
    first, second = person(names[said["entry"]]), person(names[said["with_entry"]])
    messages.success(request, format_html(_("{first} and {second} have changed places."), first=first, second=second))
    return redirect("tournament_desk", tournament.pk)


def _find(tournament: Tournament, round_id: int, number: int) -> tuple[DraftRound, DraftRow]:
    """A pairing of a draft of this tournament; 404 for anything else."""
    for draft in draft_rounds(stage=desk.current_stage(tournament=tournament)):
        if draft.round.pk == round_id:
            for row in draft.rows:
                if row.pairing.number == number:
                    return draft, row
    raise Http404


def _sides(row: DraftRow) -> list[tuple[int, str, int]]:
    """Entry, name and points of each side of a pairing."""
    pairing = row.pairing
    sides = [(pairing.a_id, pairing.a.staff_name, row.points[0])]
    if pairing.b is not None:
        sides.append((pairing.b.pk, pairing.b.staff_name, row.points[1]))
    return sides


def _side_text(place: str, name: str, points: int) -> str:
    text = ngettext("{table}: {name}, {points} point", "{table}: {name}, {points} points", points)
    return text.format(table=place, name=name, points=points)


def _place(row: DraftRow) -> str:
    if row.pairing.b_id is None:
        return _("Bye")
    return place_text(row.pairing.table)


def _swap_page(
    request: HttpRequest, tournament: Tournament, form: SwapForm, draft: DraftRound, row: DraftRow, *, status: int = 200
) -> HttpResponse:
    frame = tournament_frame(request=request, tournament=tournament, here="now")
    context = {**frame, "form": form, "draft": draft, "row": row, "place": _place(row)}
    return page(request, "tournaments/desk/swap.html", context, status=status)
