"""Before the start: everything that would go wrong on one page, and the draw tried out and thrown away."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST, require_safe

from players.permissions import Actor, Refused
from tournaments.actions.trial_draw import try_draw
from tournaments.forms.rounds import StartForm
from tournaments.models import Tournament
from tournaments.queries.drafts import DraftRound
from tournaments.queries.preflight import Finding, Preflight, preflight
from tournaments.views.access import for_tournament
from tournaments.views.desk_page import page, refuse, tournament_frame
from tournaments.views.desk_words import posts
from tournaments.words.reasons import note_text

_NAMED = 40  # people that are named one by one


@require_safe
@for_tournament("start")
def show(request: HttpRequest, tournament: Tournament, actor: Actor) -> HttpResponse:
    """What there is to know before the start; after it there is nothing to check."""
    if not tournament.is_open_roster:
        return redirect("tournament_desk", tournament.pk)
    return _page(request, tournament)


@require_POST
@for_tournament("start")
def draw(request: HttpRequest, tournament: Tournament, actor: Actor) -> HttpResponse:
    """The first round as the start would draw it now, on the same page; nothing is kept of it."""
    outcome = try_draw(tournament_id=tournament.pk, by=actor, now=timezone.now())
    if not isinstance(outcome, Refused):
        return _page(request, tournament, drawn=outcome)
    refuse(request, outcome)
    tournament.refresh_from_db()
    if not tournament.is_open_roster:
        return redirect("tournament_desk", tournament.pk)
    return _page(request, tournament, status=outcome.status)


def _page(
    request: HttpRequest, tournament: Tournament, *, drawn: list[DraftRound] | None = None, status: int = 200
) -> HttpResponse:
    found = preflight(tournament=tournament, now=timezone.now())
    leaving_out = StartForm.said(entry.pk for entry in found.missing)
    shown = [_shown(finding, tournament) for finding in found.findings]
    context = {
        **tournament_frame(request=request, tournament=tournament, here="roster"),
        "title": _title(found),
        "stopping": [each for each in shown if each["stops"]],
        "knowing": [each for each in shown if not each["stops"]],
        "is_free": found.is_free,
        "start": posts(_("Start the tournament"), "start", tournament, kind="main", leaving_out=leaving_out),
        "try_draw": posts(_("Try the draw"), "trial_draw", tournament),
        "drawn": drawn,
    }
    return page(request, "tournaments/desk/preflight.html", context, status=status)


def _title(found: Preflight) -> str:
    stops = sum(1 for finding in found.findings if finding.stops)
    if stops:
        return ngettext("{n} thing is in the way", "{n} things are in the way", stops).format(n=stops)
    if not found.findings:
        return _("Nothing is in the way")
    count = len(found.findings)
    return ngettext("{n} thing to know before the start", "{n} things to know before the start", count).format(n=count)


def _shown(finding: Finding, tournament: Tournament) -> dict[str, Any]:
    """A finding as the page shows it: {title, text, people, more, link, stops}."""
    title, text, target = _WORDS[finding.code](finding)
    return {
        "title": title,
        "text": text,
        "people": finding.entries[:_NAMED],
        "more": max(0, len(finding.entries) - _NAMED),
        "link": _link(target, tournament),
        "stops": finding.stops,
    }


def _link(target: str, tournament: Tournament) -> dict[str, str]:
    """Where it is mended: {text, href}."""
    if target == "staff":
        return {"text": _("To the helpers"), "href": reverse("event_staff", args=[tournament.event_id])}
    if target == "event_hall":
        return {"text": _("Put up tables"), "href": reverse("event_hall", args=[tournament.event_id])}
    text = {"roster": _("To the roster"), "seeds": _("Seed by hand"), "tournament_settings": _("To the settings")}[
        target
    ]
    return {"text": text, "href": reverse(target, args=[tournament.pk])}


Words = tuple[str, str, str]
"""A title, a sentence and the page where it is mended."""


def _too_few(finding: Finding) -> Words:
    told = _("At least {least} players must be here, and {here} are.").format(**finding.params)
    return told, _("Check more players in, or choose another format."), "roster"


def _not_here(finding: Finding) -> Words:
    count = len(finding.entries)
    title = ngettext("{n} player is not here yet.", "{n} players are not here yet.", count).format(n=count)
    return title, _("The start leaves them out."), "roster"


def _waiting(finding: Finding) -> Words:
    count, places = len(finding.entries), finding.params["places"]
    title = ngettext("{n} player waits for a place.", "{n} players wait for a place.", count).format(n=count)
    told = ngettext("{n} place is free.", "{n} places are free.", places).format(n=places)
    return title, told if places else _("No place is free; the start leaves them out."), "roster"


def _asked(finding: Finding) -> Words:
    count = len(finding.entries)
    title = ngettext("{n} player has asked not to play round 1.", "{n} players have asked not to play round 1.", count)
    return title.format(n=count), _("They get their bye, and are in the draw from round 2 on."), "roster"


def _odd(finding: Finding) -> Words:
    title = _("{n} players would be paired, an odd number.").format(n=finding.params["here"])
    return title, _("Somebody has a bye in every round."), "roster"


def _advice(finding: Finding) -> Words:
    note = finding.note
    return (str(note_text(note.code, dict(note.params), {})) if note is not None else ""), "", "tournament_settings"


_WORDS: dict[str, Callable[[Finding], Words]] = {
    "too_few": _too_few,
    "not_here": _not_here,
    "same_name": lambda _f: (
        _("The same name more than once"),
        _("If it is one person entered twice, remove one of the entries."),
        "roster",
    ),
    "alike": lambda _f: (
        _("Names to look at twice"),
        _("Their letters are of two alphabets, or look like another name."),
        "roster",
    ),
    "no_club": lambda _f: (
        _("No club"),
        _("Others have one. Players of the same club can be kept apart only where it is known."),
        "roster",
    ),
    "seed_twice": lambda _f: (_("The same seed more than once"), _("A lot would decide between them."), "seeds"),
    "no_seed": lambda _f: (_("No seed"), _("They come behind all others, by lot."), "seeds"),
    "no_rating": lambda _f: (_("No rating"), _("They are seeded behind all others, by lot."), "roster"),
    "left_but_here": lambda _f: (
        _("Checked in, but off the roster"),
        _("They have left. If they are here after all, check them in below the roster."),
        "roster",
    ),
    "waiting": _waiting,
    "registering": lambda _f: (
        _("Registration is open"),
        _("The start closes it: whoever comes after that is a late entry."),
        "tournament_settings",
    ),
    "no_tables": lambda _f: (
        _("No table is in order"),
        _("Matches are called to tables as these come free: without one nobody is called."),
        "event_hall",
    ),
    "no_referee": lambda _f: (_("No referee has a link"), _("Only organisers can enter results."), "staff"),
    "one_confirms": lambda _f: (
        _("Nobody is there to confirm a result"),
        _("A second person has to confirm each one, and you are alone. Give a referee a link."),
        "staff",
    ),
    "odd": _odd,
    "bye_asked": _asked,
    "advice": _advice,
}
