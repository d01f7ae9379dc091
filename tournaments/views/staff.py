"""Pages behind a helper's private link: what it opens, and a referee who enters results."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from http import HTTPStatus
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.html import format_html
from django.utils.translation import gettext as _
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST, require_safe

from matches.models import Match
from players.permissions import Actor, Refused, Role
from players.words import person
from tournaments.actions import results
from tournaments.forms.clocks import ExtraTimeForm
from tournaments.forms.results import ClearForm, ResultForm
from tournaments.live import calls_topic, topic_of
from tournaments.models import Pairing, StaffLink
from tournaments.models.tournament import Seating, State
from tournaments.permissions import link_token, may
from tournaments.queries.calls import open_calls
from tournaments.queries.coming import held_ids, not_coming
from tournaments.queries.desk import open_pairings
from tournaments.queries.hall import waiting_for_table
from tournaments.queries.next_up import free_tables, next_matches
from tournaments.queries.presence import NoShow, due_times, no_shows
from tournaments.queries.public import PublicStage, event_stages
from tournaments.queries.stages import round_names
from tournaments.queries.tables import entered, is_closed_match, pairing_at
from tournaments.queries.time_over import MatchTime, ended_by_time, match_times
from tournaments.views.access import for_link
from tournaments.views.calls import CallRow, call_facts, call_rows
from tournaments.views.clocks import ClockDesk, ShownClock, clock_desks, time_at_table
from tournaments.views.coming import CalledMatch, ShownNext, called_match, shown_next, staff_name
from tournaments.views.device import problem, taken, wants_json
from tournaments.views.helper import home_of, kept_by_nobody, remember_helper
from tournaments.views.invitations import invitation, screens
from tournaments.views.live import LivePage, answer_live
from tournaments.views.playing import Playing, Urls, games_first, playing_at
from tournaments.views.said import Shown, in_order_of_need, shown_to_helper, without_addresses
from tournaments.views.staff_desk import desk_page
from tournaments.words.labels import result_text
from tournaments.words.reasons import round_name
from tournaments.words.refusals import refusal_text

_NEXT = 5  # matches of the queue
_FORMS = 40  # open matches that carry their form on the page; with more, each has a page of its own


@require_safe
@for_link
def link(request: HttpRequest, link: StaffLink, actor: Actor) -> HttpResponseBase:
    """Where a link leads: a referee to the open matches, the entry desk to the roster, a screen to what it shows, an
    invited organiser to the invitation.
    """
    if actor.role is Role.REFEREE:
        return _referee_page(request, link, actor)
    if actor.role is Role.DESK:
        answer = desk_page(request, link)
        remember_helper(request, answer, link)
        return answer
    if actor.role is Role.SCREEN:
        return screens(request, link)
    if link.role == Role.ORGANISER:
        return invitation(request, link)
    raise Http404


# --- The referee.


@dataclass(frozen=True, slots=True)
class OpenMatch:
    """A match that waits for its result. `form` is None where there are too many to carry one each.

    `said` is what was reported of it and waits for somebody's word, `no_show` who did not come in time, `playing` how
    it is played, `due_at` when the two should sit there, where that is known; `is_due`: that time has come. `called` is
    the call to its table that is not over; `is_held`: it gets no table until an organiser releases it.
    """

    pairing: Pairing
    playing: Playing
    round: str
    due_at: datetime | None
    is_due: bool
    form: ResultForm | None
    is_opened: bool
    said: Shown | None
    no_show: NoShow | None
    called: CalledMatch | None
    is_held: bool

    @property
    def needs_word(self) -> bool:
        return self.playing.needs_word or (self.said is not None and self.said.needs_word)

    @property
    def is_silent(self) -> bool:
        """Whether somebody has not answered the call in time."""
        return self.called is not None and self.called.is_late

    @property
    def is_late(self) -> bool:
        """Whether all there is to say is that somebody has not come, or does not answer."""
        return (self.no_show is not None or self.is_silent) and not self.needs_word


def _stages(link: StaffLink) -> list[PublicStage]:
    """The stages a link is about."""
    found = event_stages(event=link.event)
    return [each for each in found if link.tournament_id in (None, each.tournament.pk)]


def _referee_page(
    request: HttpRequest,
    link: StaffLink,
    actor: Actor,
    *,
    refused: str = "",
    again: ResultForm | None = None,
    status: int = 200,
) -> HttpResponse:
    """A referee's day in the order of need: who is called, what waits for a word, who is late, what is open; below
    that what this referee entered. `again` is a form that was refused.
    """
    stages = _stages(link)
    day = _Day(link, actor, stages, again)
    page = LivePage(
        path=home_of(link),
        topics=(calls_topic(link.event_id), *(topic_of(each.tournament.pk) for each in stages)),
        version="-".join(f"{each.tournament.pk}.{each.version}" for each in stages) or "0",
        facts=(link.name, link.tables, link.event.name, *day.facts, *call_facts(day.calls)),
        own=True,
    )

    def matches() -> dict[str, Any]:
        return {
            "link": link,
            "event": link.event,
            "token": link_token(link),
            "calls": day.call_rows(),
            "asking": day.asking,
            "late": day.late,
            "open": day.open,
            "waiting": day.waiting,
            "ups": day.ups,
            "free": day.free,
            "entered": entered(actor=actor, event=link.event),
            "several": link.tournament_id is None and len(stages) > 1,
        }

    def top() -> dict[str, Any]:
        waits = len(day.asking) + len(day.late)
        counts = {"calls": len(day.calls), "waits": waits, "open": len(day.open)}
        return {"link": link, "event": link.event, **counts, **day.clocks()}

    return answer_live(
        request,
        page,
        template="tournaments/staff/referee.html",
        regions={"top": top, "matches": matches},
        context={"link": link, "event": link.event, "home": page.path, "demo": link.event.is_demo, "refused": refused},
        status=status,
    )


class _Day:
    """What a referee has to do at their tables, each fact read once.

    `no_shows` are matches where somebody did not come in time, `silent` those where somebody does not answer the call,
    `ended` those whose time is over.
    """

    def __init__(self, link: StaffLink, actor: Actor, stages: list[PublicStage], again: ResultForm | None) -> None:
        self.now = timezone.now()
        self.calls = open_calls(event=link.event, tournament=link.tournament, tables=actor.tables)
        self.pairings = open_pairings(event=link.event, tournament=link.tournament, tables=actor.tables)
        self.no_shows = no_shows(pairings=self.pairings, reported=(), now=self.now)
        self.silent = not_coming(pairings=self.pairings, reported=(), now=self.now)
        # Who has all tables finds them among the open matches.
        self.waiting = waiting_for_table(event=link.event, tournament=link.tournament) if actor.tables else []
        self.ended = ended_by_time(pairings=self.pairings, now=self.now)
        self._again = again
        self._stages = {each.stage.pk: each for each in stages}
        self._link, self._actor = link, actor

    def call_rows(self) -> list[CallRow]:
        """The calls, with the ways to answer them."""
        token = link_token(self._link)
        return call_rows(
            self.calls,
            actor=self._actor,
            now=self.now,
            url=lambda act, pk: reverse(f"staff_call_{act}", args=[token, pk]),
            game_url=lambda pk: reverse("staff_game", args=[token, pk]),
        )

    @property
    def facts(self) -> tuple[object, ...]:
        """What there is to ask as time goes by, without anything being done."""
        return sorted(self.no_shows), sorted(self.silent), self.ended

    @cached_property
    def _queued(self) -> list[int]:
        """The stages whose matches come to tables from the queue."""
        rows = self._stages.values()
        queued = [each for each in rows if each.tournament.seating == Seating.QUEUE]
        return [each.stage.pk for each in queued if each.tournament.state == State.RUNNING]

    @property
    def ups(self) -> list[ShownNext]:
        """What is to be called next to these tables."""
        if not self._queued:
            return []
        found = next_matches(stages=self._queued, tables=self._actor.tables, most=_NEXT)
        return [shown_next(each, name=staff_name) for each in found]

    @property
    def free(self) -> list[int]:
        """Which of these tables are free."""
        waits = self._queued or self.waiting or any(pairing.table is None for pairing in self.pairings)
        return free_tables(event_id=self._link.event_id, among=self._actor.tables) if waits else []

    def clocks(self) -> dict[str, Any]:
        """The clocks of rounds: `desks` are those this referee may run, `clocks` those to look at."""
        desks: list[ClockDesk] = []
        clocks: list[ShownClock] = []
        for each in self._stages.values():
            tournament = each.tournament
            waiting = [pairing for pairing in self.pairings if pairing.round.stage_id == each.stage.pk]
            numbers, whose = {one.round.number for one in waiting}, f"\u2068{tournament}\u2069 · "
            several = len(self._stages) > 1
            names = {n: (whose if several else "") + round_name(each.name_of(n)) for n in numbers}
            to = reverse("staff_clock", args=[link_token(self._link), tournament.pk])
            found = clock_desks(waiting, tournament=tournament, names=names, to=to)
            if may(self._actor, "run_clock", event=self._link.event_id, tournament=tournament.pk):
                desks += found
            else:
                clocks += [desk.shown for desk in found if desk.shown is not None]
        return {"desks": desks, "clocks": clocks}

    @property
    def asking(self) -> list[OpenMatch]:
        """What waits for a word: games that stand still first."""
        return games_first(in_order_of_need(each for each in self._matches if each.needs_word))

    @property
    def late(self) -> list[OpenMatch]:
        """Where somebody has not come."""
        return [each for each in self._matches if each.is_late]

    @property
    def open(self) -> list[OpenMatch]:
        """All other open matches."""
        return [each for each in self._matches if not each.needs_word and not each.is_late]

    @cached_property
    def _matches(self) -> list[OpenMatch]:
        carries, token = len(self.pairings) <= _FORMS, link_token(self._link)
        said = shown_to_helper(self.pairings, actor=self._actor, token=token)
        playing = playing_at(self.pairings, urls=_game_urls(token))
        due = due_times(pairings=self.pairings)
        held = held_ids(pairings=self.pairings)

        def url(act: str, pk: int) -> str:
            return reverse(f"staff_{act}", args=[token, pk])

        times = match_times(pairings=self.pairings, now=self.now) if carries else {}
        found = []
        for pairing in self.pairings:
            match = pairing.match
            if match is None:
                continue
            form = self._form(match, carries, times.get(match.pk))
            name = round_name(self._stages[pairing.round.stage_id].name_of(pairing.round.number))
            told, at = said.get(match.pk), due.get(pairing.pk)
            is_told = told is not None or playing[match.pk].has_begun  # they sit there
            found.append(
                OpenMatch(
                    pairing=pairing,
                    playing=playing[match.pk],
                    round=name,
                    due_at=at,
                    is_due=at is not None and at <= self.now,
                    form=form,
                    is_opened=form is not None and form is self._again,
                    said=told,
                    no_show=self.no_shows.get(match.pk) if told is None else None,
                    called=None
                    if is_told
                    else called_match(pairing, late=self.silent.get(match.pk), url=url, can_begin=True),
                    is_held=pairing.pk in held,
                )
            )
        return found

    def _form(self, match: Match, carries: bool, time: MatchTime | None) -> ResultForm | None:
        if self._again is not None and self._again.match.pk == match.pk:
            return self._again
        return ResultForm(match=match, time=time) if carries else None


def _game_urls(token: str) -> Urls:
    """Where the games of a referee's matches are."""
    return lambda name, pk: reverse(f"staff_{name}", args=[token, pk])


# Without a token of the session: the secret path is the whole authority here, a foreign page does not know it, and a
# phone that slept for hours still sends what its referee entered.
@csrf_exempt
@for_link
def result(request: HttpRequest, link: StaffLink, actor: Actor, match_id: int) -> HttpResponseBase:
    """A page to enter one result (GET), and where results are sent (POST).

    A device that keeps what it could not send asks for JSON: 200 with what was taken, or a problem (RFC 9457).
    """
    pairing = pairing_at(actor=actor, event=link.event, match_id=match_id, act="enter_result")
    if pairing is None or pairing.match is None:
        if request.method == "POST" and is_closed_match(actor=actor, event=link.event, match_id=match_id):
            return refuse(request, link, actor, Refused("match_void", {"match": match_id}))
        raise Http404
    if request.method != "POST":
        return match_page(request, link, pairing, ResultForm.at(pairing, pairing.match, now=timezone.now()))
    form = ResultForm.at(pairing, pairing.match, request.POST, now=timezone.now())
    if not form.is_valid():
        return _refuse_form(request, link, actor, form)
    outcome = results.enter_result(
        match_id=match_id,
        report=form.report(),
        by=actor,
        key=form.cleaned_data["key"],
        expected_version=form.cleaned_data["version"],
        now=timezone.now(),
    )
    if isinstance(outcome, Refused):
        return refuse(request, link, actor, outcome, pairing=pairing, form=form)
    if wants_json(request):
        return JsonResponse(taken(outcome))
    pairing.match.refresh_from_db()
    if outcome.is_waiting:
        told = _("Noted: {match}, {result}. It counts once a second person confirms it.")
        names = match_words(pairing, bare=True)
        messages.success(request, format_html(told, match=names, result=result_text(outcome)))
    else:
        messages.success(request, format_html(_("Taken: {match}."), match=match_words(pairing)))
    return redirect(home_of(link))


def match_page(
    request: HttpRequest,
    link: StaffLink,
    pairing: Pairing,
    form: ResultForm,
    *,
    time: ExtraTimeForm | None = None,
    status: int = 200,
) -> HttpResponse:
    """The page of one match. `time` is a form for extra time that was refused."""
    names = round_names(stage=pairing.round.stage, numbers=[pairing.round.number])
    name, tournament = round_name(names[pairing.round.number]), pairing.round.stage.tournament
    to = reverse("staff_time", args=[link_token(link), form.match.pk])
    context = {
        **time_at_table(pairing, tournament=tournament, name=name, to=to, form=time),
        "link": link,
        "event": link.event,
        "home": home_of(link),
        "token": link_token(link),
        "pairing": pairing,
        "round": name,
        "form": form,
        "demo": link.event.is_demo,
        "playing": playing_at([pairing], urls=_game_urls(link_token(link))).get(form.match.pk),
    }
    return kept_by_nobody(render(request, "tournaments/staff/match.html", context, status=status))


@csrf_exempt  # as above
@require_POST
@for_link
def undo(request: HttpRequest, link: StaffLink, actor: Actor, match_id: int) -> HttpResponseBase:
    """A referee takes a result of their own back."""
    pairing = pairing_at(actor=actor, event=link.event, match_id=match_id, act="undo_own_result")
    form = ClearForm(request.POST)
    if pairing is None or pairing.match is None:
        raise Http404
    if not form.is_valid():
        return refuse(request, link, actor, Refused("changed_meanwhile"))
    is_own = any(each.submission.match_id == match_id for each in entered(actor=actor, event=link.event))
    if not is_own and pairing.match.kind:
        if pairing.match.version == form.cleaned_data["version"]:
            raise Http404  # somebody else's result, as it stands: nothing of theirs to undo
        return refuse(request, link, actor, Refused("changed_meanwhile"))
    outcome = results.clear_result(
        match_id=match_id, by=actor, expected_version=form.cleaned_data["version"], now=timezone.now()
    )
    if isinstance(outcome, Refused):
        return refuse(request, link, actor, outcome)
    if wants_json(request):
        return JsonResponse({"match": outcome.pk, "version": outcome.version})
    messages.success(
        request, format_html(_("Taken back: {match} is open again."), match=match_words(pairing, bare=True))
    )
    return redirect(home_of(link))


def match_words(pairing: Pairing, *, bare: bool = False) -> str:
    """Both names, with the result between them unless `bare`."""
    middle = "–" if bare or pairing.match is None else result_text(pairing.match)
    return format_html("{} {} {}", person(pairing.a.staff_name), middle, person(pairing.b and pairing.b.staff_name))


# --- How a referee is told that something was not done.


def refuse(
    request: HttpRequest,
    link: StaffLink,
    actor: Actor,
    refused: Refused,
    *,
    pairing: Pairing | None = None,
    form: ResultForm | None = None,
) -> HttpResponse:
    """The refusal as a problem, or the page as it is now with what was entered kept."""
    text = refusal_text(without_addresses(refused))
    if wants_json(request):
        return problem(refused.code, text, refused.status)
    if pairing is None or pairing.match is None or form is None:
        return _referee_page(request, link, actor, refused=text, status=refused.status)
    pairing.match.refresh_from_db()
    told = _("You entered: {names}, {result}.").format(names=_isolated(pairing), result=form.words)
    kept = form.again() if pairing.match.is_open else None
    shown = text if kept is not None else f"{text} {told}"
    return _referee_page(request, link, actor, refused=shown, again=kept, status=refused.status)


def _refuse_form(request: HttpRequest, link: StaffLink, actor: Actor, form: ResultForm) -> HttpResponse:
    """What was sent cannot be read as a result."""
    text = " ".join(str(error) for errors in form.errors.values() for error in errors)
    if wants_json(request):
        return problem("invalid", text, HTTPStatus.BAD_REQUEST)
    return _referee_page(request, link, actor, refused=text, again=form.again(), status=HTTPStatus.BAD_REQUEST)


def _isolated(pairing: Pairing) -> str:
    sides = [side.staff_name for side in (pairing.a, pairing.b) if side is not None]
    return " – ".join(f"\u2068{name}\u2069" for name in sides)
