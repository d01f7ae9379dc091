"""Results on the desk: the open matches first, then what is decided, each correctable."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from matches import actions as match_actions
from matches.models import Submission
from players.permissions import Actor, Refused
from tournaments.actions import presence, results
from tournaments.forms.clocks import ExtraTimeForm
from tournaments.forms.results import WHY_LENGTH, ClearForm, ResultForm, VersionForm, WhyForm
from tournaments.live import calls_topic
from tournaments.models import Pairing, RefereeCall, Tournament
from tournaments.queries import decided, desk
from tournaments.queries.calls import open_calls
from tournaments.queries.coming import NotComing, held_ids, not_coming
from tournaments.queries.hall import misses_fixed
from tournaments.queries.presence import NoShow, no_shows
from tournaments.queries.stages import round_names
from tournaments.queries.tables import is_closed_match, pairing_at
from tournaments.queries.time_over import ended_by_time, match_times
from tournaments.views.access import actor_in, for_tournament
from tournaments.views.calls import CallRow, call_facts, call_rows
from tournaments.views.clocks import time_at_table
from tournaments.views.coming import CalledMatch, called_match
from tournaments.views.desk_page import (
    is_unchanged,
    not_modified,
    page,
    part,
    part_version,
    refuse,
    tournament_frame,
)
from tournaments.views.playing import Playing, Urls, games_first, playing_at
from tournaments.views.said import Shown, in_order_of_need, shown_on_desk
from tournaments.words.reasons import round_name

_FORMS = 40  # open matches that carry their form on the page; with more, each has a page of its own


@dataclass(frozen=True, slots=True)
class OpenRow:
    """An open match, with its form where there are not too many.

    `said` is what was reported of it and waits for somebody's word, `no_show` who did not come in time, `playing` how
    it is played, `called` the call to its table that is not over; `is_held`: it gets no table until it is released.
    """

    pairing: Pairing
    playing: Playing
    form: ResultForm | None
    said: Shown | None
    no_show: NoShow | None
    called: CalledMatch | None
    is_held: bool

    @property
    def is_silent(self) -> bool:
        """Whether somebody has not answered the call in time."""
        return self.called is not None and self.called.is_late

    @property
    def misses(self) -> tuple[tuple[str, int], ...]:
        """Who of the two has to sit at another table, and at which."""
        return misses_fixed(self.pairing)

    @property
    def needs_word(self) -> bool:
        is_asked = self.no_show is not None or (self.said is not None and self.said.needs_word)
        return is_asked or self.is_silent or self.playing.needs_word


@require_safe
@for_tournament("see_desk")
def show(request: HttpRequest, tournament: Tournament, actor: Actor) -> HttpResponseBase:
    """All results of a tournament."""
    wanted = request.GET.get("part")
    if wanted is None:
        return results_page(request, tournament)
    version = part_version(desk.current_stage(tournament=tournament))
    if wanted != "top":
        waiting = _waiting(tournament)
        version = _version(version, _missing(waiting), _ended(waiting), _silent(waiting), _calls(tournament))
    if is_unchanged(request, version=version):
        return not_modified(version)
    template = "tournaments/desk/_top.html" if wanted == "top" else "tournaments/desk/_results.html"
    return part(request, template, _context(request, tournament), version=version)


def results_page(request: HttpRequest, tournament: Tournament, *, status: int = 200) -> HttpResponse:
    """The page of results, also when something was just refused."""
    return page(request, "tournaments/desk/results.html", _context(request, tournament), status=status)


def _context(request: HttpRequest, tournament: Tournament) -> dict[str, Any]:
    frame = tournament_frame(request=request, tournament=tournament, here="results")
    like = request.GET.get("q", "")[:200]
    everything = _waiting(tournament)
    missing, silent, waiting = _missing(everything), _silent(everything), decided.like(everything, text=like)
    done = decided.like(decided.decided_pairings(tournament=tournament), text=like)
    by_round = [(number, list(rows)) for number, rows in groupby(done, key=lambda pairing: pairing.round.number)]
    numbers = {pairing.round.number for pairing in (*waiting, *done)}
    actor, called = actor_in(request, tournament.event), _calls(tournament)
    rows = _open_rows(waiting, missing, silent, actor, tournament)
    return {
        **frame,
        "like": like,
        "results_version": _version(frame["version"], missing, _ended(everything), silent, called),
        "calls_topic": calls_topic(tournament.event_id),
        "calls": _call_rows(called, actor, tournament),
        "open": [row for row in rows if not row.needs_word],
        "asking": games_first(in_order_of_need(row for row in rows if row.needs_word)),
        "decided": by_round,
        "round_names": round_names(stage=frame["stage"], numbers=numbers),
        "src": f"{reverse('results', args=[tournament.pk])}?part=results&q=",
    }


def _waiting(tournament: Tournament) -> list[Pairing]:
    return desk.open_pairings(event=tournament.event, tournament=tournament, tables=frozenset())


def _missing(waiting: list[Pairing]) -> dict[int, NoShow]:
    return no_shows(pairings=waiting, reported=(), now=timezone.now())


def _silent(waiting: list[Pairing]) -> dict[int, NotComing]:
    return not_coming(pairings=waiting, reported=(), now=timezone.now())


def _ended(waiting: list[Pairing]) -> list[int]:
    return ended_by_time(pairings=waiting, now=timezone.now())


def _calls(tournament: Tournament) -> list[RefereeCall]:
    return open_calls(event=tournament.event, tournament=tournament, tables=frozenset())


def _call_rows(calls: list[RefereeCall], actor: Actor, tournament: Tournament) -> list[CallRow]:
    return call_rows(
        calls,
        actor=actor,
        now=timezone.now(),
        url=lambda act, pk: reverse(f"call_{act}", args=[tournament.pk, pk]),
        game_url=lambda pk: reverse("match_game", args=[tournament.pk, pk]),
    )


def _version(
    version: str,
    missing: dict[int, NoShow],
    ended: list[int],
    silent: dict[int, NotComing],
    calls: list[RefereeCall],
) -> str:
    """The version of the results: somebody is asked about, and matches may end, as time goes by, without anything being
    done, and calls for a referee are nothing the standings know of.
    """
    facts = repr((ended, sorted(silent), call_facts(calls))).encode()
    said = hashlib.blake2b(facts, digest_size=6).hexdigest() if ended or silent or calls else ""
    return "-".join([version, *map(str, sorted(missing)), *([said] if said else [])])


def _open_rows(
    waiting: list[Pairing],
    missing: dict[int, NoShow],
    silent: dict[int, NotComing],
    actor: Actor,
    tournament: Tournament,
) -> list[OpenRow]:
    has_forms = len(waiting) <= _FORMS
    said = shown_on_desk(waiting, actor=actor, tournament_id=tournament.pk)
    playing = playing_at(waiting, urls=_game_urls(tournament))
    times = match_times(pairings=waiting, now=timezone.now()) if has_forms else {}
    held = held_ids(pairings=waiting)

    def url(act: str, pk: int) -> str:
        return reverse(f"match_{act}", args=[tournament.pk, pk])

    return [
        OpenRow(
            pairing,
            playing[match.pk],
            ResultForm(match=match, time=times.get(match.pk)) if has_forms else None,
            said.get(match.pk),
            missing.get(match.pk) if match.pk not in said else None,
            None
            if match.pk in said or playing[match.pk].has_begun  # they sit there
            else called_match(pairing, late=silent.get(match.pk), url=url),
            pairing.pk in held,
        )
        for pairing in waiting
        if (match := pairing.match) is not None
    ]


def _game_urls(tournament: Tournament) -> Urls:
    """Where the games of matches are on the desk."""
    return lambda name, pk: reverse(f"match_{name}", args=[tournament.pk, pk])


@for_tournament("correct_result")
def match_result(request: HttpRequest, tournament: Tournament, actor: Actor, match_id: int) -> HttpResponse:
    """The result of one match: entered while it is open, corrected once it is decided."""
    pairing = pairing_here(tournament, actor, match_id)
    if pairing is None or (match := pairing.match) is None:
        return closed_match(request, tournament, actor, match_id)
    if request.method != "POST":
        return match_page(request, tournament, pairing, ResultForm.at(pairing, match, now=timezone.now()))
    form = ResultForm.at(pairing, match, request.POST, now=timezone.now())
    if not form.is_valid():
        return match_page(request, tournament, pairing, form, status=400)
    said, why = form.cleaned_data, request.POST.get("why", "")[:WHY_LENGTH]
    facts = {"report": form.report(), "by": actor, "key": said["key"], "now": timezone.now(), "why": why}
    if match.kind:
        outcome = results.correct_result(match_id=match.pk, expected_version=said["version"], **facts)
    else:
        outcome = results.enter_result(match_id=match.pk, expected_version=said["version"], **facts)
    if isinstance(outcome, Refused):
        refuse(request, outcome, tournament=tournament)
        match.refresh_from_db()
        return match_page(request, tournament, pairing, form.again(), status=outcome.status)
    if outcome.is_waiting:
        messages.success(request, _("Noted. It counts once a second person confirms it."))
    else:
        messages.success(request, _("The result is in."))
    return redirect("results", tournament.pk)


def pairing_here(tournament: Tournament, actor: Actor, match_id: int) -> Pairing | None:
    """The pairing of a published match of this tournament, of no other one the actor runs."""
    here = replace(actor, tournament=tournament.pk)
    return pairing_at(actor=here, event=tournament.event, match_id=match_id, act="correct_result")


def closed_match(request: HttpRequest, tournament: Tournament, actor: Actor, match_id: int) -> HttpResponse:
    """A match whose round was taken back says so; any other number is no match of this tournament."""
    here = replace(actor, tournament=tournament.pk)
    if not is_closed_match(actor=here, event=tournament.event, match_id=match_id):
        raise Http404
    refused = Refused("match_void", {"match": match_id})
    refuse(request, refused)
    return results_page(request, tournament, status=refused.status)


def match_page(
    request: HttpRequest,
    tournament: Tournament,
    pairing: Pairing,
    form: ResultForm,
    *,
    time: ExtraTimeForm | None = None,
    status: int = 200,
) -> HttpResponse:
    """The page of one match, also when something was just refused. `time` is a form that was."""
    frame = tournament_frame(request=request, tournament=tournament, here="results")
    number = pairing.round.number
    name = round_names(stage=frame["stage"], numbers=[number])[number]
    to = reverse("match_time", args=[tournament.pk, form.match.pk])
    context = {
        **frame,
        **time_at_table(pairing, tournament=tournament, name=round_name(name), to=to, form=time),
        "pairing": pairing,
        "form": form,
        "playing": None if form.match.kind else playing_at([pairing], urls=_game_urls(tournament))[form.match.pk],
        "round_name": name,
        "clear": ClearForm(initial={"version": form.match.version}) if form.match.kind else None,
        "why": WhyForm(initial={"why": request.POST.get("why", "")}) if tournament.second_confirms else None,
        "history": list(form.match.submissions.order_by("-number")),
    }
    return page(request, "tournaments/desk/match.html", context, status=status)


@require_POST
@for_tournament("correct_result")
def no_show(request: HttpRequest, tournament: Tournament, actor: Actor, match_id: int) -> HttpResponse:
    """Whoever is proposed as missing did not come: the other one wins by a walkover."""
    if pairing_here(tournament, actor, match_id) is None:
        return closed_match(request, tournament, actor, match_id)
    form = VersionForm(request.POST)
    outcome = (
        presence.confirm_no_show(
            match_id=match_id, expected_version=form.cleaned_data["version"], by=actor, now=timezone.now()
        )
        if form.is_valid()
        else Refused("changed_meanwhile")
    )
    if isinstance(outcome, Refused):
        refuse(request, outcome, tournament=tournament)
        return results_page(request, tournament, status=outcome.status)
    if outcome.is_waiting:
        messages.success(request, _("Noted. It counts once a second person confirms it."))
    else:
        messages.success(request, _("The result is in."))
    return redirect("results", tournament.pk)


@require_POST
@for_tournament("correct_result")
def clear(request: HttpRequest, tournament: Tournament, actor: Actor, match_id: int) -> HttpResponse:
    """A result is taken back: the match is open again."""
    pairing = pairing_here(tournament, actor, match_id)
    if pairing is None or (match := pairing.match) is None:
        return closed_match(request, tournament, actor, match_id)
    form = ClearForm(request.POST)
    if not form.is_valid():
        return match_page(request, tournament, pairing, ResultForm.at(pairing, match, now=timezone.now()), status=400)
    said = form.cleaned_data
    outcome = results.clear_result(
        match_id=match.pk, by=actor, expected_version=said["version"], now=timezone.now(), why=said["why"]
    )
    if isinstance(outcome, Refused):
        refuse(request, outcome, tournament=tournament)
        match.refresh_from_db()
        again = ResultForm.at(pairing, match, now=timezone.now())
        return match_page(request, tournament, pairing, again, status=outcome.status)
    messages.success(request, _("The result is taken back: the match is open again."))
    return _back(request, tournament)


def _back(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """To the page it was pressed on."""
    return redirect("paper" if request.POST.get("from") == "paper" else "results", tournament.pk)


@require_POST
@for_tournament("confirm_report")
def confirm_report(request: HttpRequest, tournament: Tournament, actor: Actor, submission_id: int) -> HttpResponse:
    """A waiting report is right."""
    if not _is_report_here(tournament, actor, submission_id):
        raise Http404
    outcome = match_actions.confirm_report(submission_id=submission_id, by=actor, now=timezone.now())
    if isinstance(outcome, Refused):
        refuse(request, outcome, tournament=tournament)
        return results_page(request, tournament, status=outcome.status)
    messages.success(request, _("The result is in."))
    return redirect("results", tournament.pk)


@require_POST
@for_tournament("confirm_report")
def take_back_report(request: HttpRequest, tournament: Tournament, actor: Actor, submission_id: int) -> HttpResponse:
    """A report of the organiser's own that waits is taken back."""
    if not _is_report_here(tournament, actor, submission_id):
        raise Http404
    outcome = match_actions.take_back_report(submission_id=submission_id, by=actor, now=timezone.now())
    if isinstance(outcome, Refused):
        refuse(request, outcome, tournament=tournament)
        return results_page(request, tournament, status=outcome.status)
    messages.success(request, _("The report is taken back."))
    return _back(request, tournament)


def _is_report_here(tournament: Tournament, actor: Actor, submission_id: int) -> bool:
    """Whether a report is of a match of this tournament, its round taken back or not."""
    match_id = Submission.objects.filter(pk=submission_id).values_list("match_id", flat=True).first()
    if match_id is None:
        return False
    here = replace(actor, tournament=tournament.pk)
    is_closed = is_closed_match(actor=here, event=tournament.event, match_id=match_id)
    return is_closed or pairing_here(tournament, actor, match_id) is not None
