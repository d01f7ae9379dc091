"""Typing results from paper slips: table, score, Enter, and the next one."""

from __future__ import annotations

import uuid
from dataclasses import replace
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.translation import gettext as _

from matches.models import Submission
from players.permissions import Actor, Refused
from tournaments.actions import results
from tournaments.forms.paper import PaperForm
from tournaments.models import Pairing, Stage, Tournament
from tournaments.queries import desk
from tournaments.queries.paper import pairing_of_slip, rounds_on_paper
from tournaments.queries.stages import round_names
from tournaments.queries.tables import entered
from tournaments.queries.time_over import is_time_over
from tournaments.views.access import for_tournament
from tournaments.views.desk_page import page, tournament_frame
from tournaments.views.said import shown_on_desk
from tournaments.words.reasons import round_name
from tournaments.words.refusals import refusal_text


@for_tournament("enter_result")
def paper(request: HttpRequest, tournament: Tournament, actor: Actor) -> HttpResponse:
    """One line to type into, and what was entered so far, each with a way back."""
    stage = desk.current_stage(tournament=tournament)
    found, still_open = rounds_on_paper(stage=stage)
    names = round_names(stage=stage, numbers=[round_.number for round_ in found])
    rounds = [(round_.pk, round_name(names[round_.number])) for round_ in found]
    if request.method != "POST":
        return _page(request, tournament, actor, PaperForm(rounds=rounds, still_open=still_open))
    form = PaperForm(request.POST, rounds=rounds, still_open=still_open)
    if not form.is_valid():
        return _page(request, tournament, actor, form.again(), status=400)
    refusal = _enter(stage, actor, form)
    if refusal is not None:
        form.add_error(*refusal)
        return _page(request, tournament, actor, form.again(), status=400)
    return redirect("paper", tournament.pk)


def _enter(stage: Stage, actor: Actor, form: PaperForm) -> tuple[str, str] | None:
    """Enter what was typed; the field that is wrong and why, where it could not be."""
    said = form.cleaned_data
    pairing = pairing_of_slip(stage=stage, round_id=said["round"], table=said["table"], key=said["key"])
    if pairing is None or pairing.match is None:
        return "table", _("Nobody plays at table {table} in this round.").format(table=said["table"])
    outcome = _submit(pairing, actor, form, said["key"])
    if isinstance(outcome, Refused) and outcome.code == "key_reused":
        # The browser went back to a line that was sent, and another was typed over it.
        outcome = _submit(pairing, actor, form, str(uuid.uuid4()))
    if not isinstance(outcome, Refused):
        return None
    is_of_table = outcome.code in ("already_decided", "stale_version", "match_void")
    told = f"{_named(pairing)} {refusal_text(outcome)}"
    if outcome.code == "not_decided" and is_time_over(pairing, now=timezone.now()):
        told = f"{told} {_('If time ended it, type t before the score.')}"
    return "table" if is_of_table else "score", told


def _submit(pairing: Pairing, actor: Actor, form: PaperForm, key: str) -> Submission | Refused:
    match = pairing.match
    if match is None:
        return Refused("match_unknown", status=404)
    return results.enter_result(
        match_id=match.pk,
        report=form.cleaned_data["score"],
        by=actor,
        key=key,
        expected_version=match.version,
        now=timezone.now(),
    )


def _named(pairing: Pairing) -> str:
    """Who plays there, as plain text; each name keeps the direction of its letters to itself."""
    sides = [side.staff_name for side in (pairing.a, pairing.b) if side is not None]
    return " – ".join(f"\u2068{name}\u2069" for name in sides) + "."


def _page(
    request: HttpRequest, tournament: Tournament, actor: Actor, form: PaperForm, *, status: int = 200
) -> HttpResponse:
    waiting = desk.open_pairings(event=tournament.event, tournament=tournament, tables=frozenset())
    said = shown_on_desk(waiting, actor=actor, tournament_id=tournament.pk)
    own = [
        (pairing, each)
        for pairing in waiting
        if pairing.match_id in said
        for each in said[pairing.match_id].said
        if each.is_mine
    ]
    context: dict[str, Any] = {
        **tournament_frame(request=request, tournament=tournament, here="results"),
        "form": form,
        "open": waiting,
        "unconfirmed": own,
        "entered": entered(actor=replace(actor, tournament=tournament.pk), event=tournament.event),
    }
    return page(request, "tournaments/desk/paper.html", context, status=status)
