"""A player's own page, behind their private link: where, whom, when, and how they stand."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.html import format_html
from django.utils.translation import get_language, ngettext
from django.utils.translation import gettext as _
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST, require_safe

from matches.models import Way
from players.permissions import Actor, Refused, Role
from players.words import person
from tournaments.actions import coming, presence, roster
from tournaments.engine.stages import Outlook
from tournaments.live import call_topic, topic_of
from tournaments.models import Entry, Pairing, RefereeCall
from tournaments.models.tournament import State
from tournaments.permissions import entry_token, may
from tournaments.queries.calls import call_of
from tournaments.queries.games import decks_are_sealed
from tournaments.queries.hall import place_of
from tournaments.queries.next_up import NextMatch, Side
from tournaments.queries.own import OwnView
from tournaments.queries.registration import window_of
from tournaments.queries.reports import is_own_closed_match, own_pairing
from tournaments.queries.time_over import ended_by_time
from tournaments.views.access import for_player
from tournaments.views.calls import call_facts, press_call, seen_call
from tournaments.views.clocks import ShownClock, table_clock
from tournaments.views.coming import ShownNext, public_name, shown_next
from tournaments.views.helper import helper_at
from tournaments.views.live import LivePage, answer_live
from tournaments.views.player_reports import OwnReport, report_context
from tournaments.views.showing import OUTLOOK_STATES
from tournaments.words.labels import OWN_OUTLOOKS
from tournaments.words.notices import notice_text
from tournaments.words.reasons import after_round, round_name
from tournaments.words.refusals import refusal_text


@require_safe
@for_player
def own_page(request: HttpRequest, entry: Entry, actor: Actor) -> HttpResponseBase:
    """Everything one player asks about, on one screen of a phone. On a helper's phone also the desk's check-in."""
    own = OwnView(entry)
    helper = helper_at(request, own.tournament)
    window = window_of(tournament=own.tournament, now=timezone.now())
    sealed = decks_are_sealed(tournament=own.tournament, now=timezone.now())
    report = cache(lambda: _report(own))
    current = own.current
    call = None if current is None else call_of(pairing_id=current.pairing.pk)
    page = LivePage(
        path=reverse("own_page", args=[entry_token(entry)]),
        topics=(topic_of(own.tournament.pk), *(() if current is None else (call_topic(current.pairing.pk),))),
        version=own.version,
        facts=(*_facts(own), *_ended(own), window, helper, sealed, *call_facts([call])),
        own=True,
    )
    frame = {
        "own": own,
        "entry": entry,
        "tournament": own.tournament,
        "event": own.event,
        "token": entry_token(entry),
        "helper": helper,
        "window": window,
    }
    return answer_live(
        request,
        page,
        template="tournaments/player/page.html",
        regions={
            "now": lambda: {
                **frame,
                "outlook": _outlook(own),
                "next": _next(own, report()["report"]),
                "plays_here": _plays_here(own),
                "builds_deck": _builds_deck(own),
                "decks_are_sealed": sealed,
                "clock": _clock(own),
                "call": seen_call(call, entry_id=entry.pk),
                "stands": _stands(own),
                "soon": _soon(own),
                "is_held": _is_held(own),
                "ups": _ups(own),
            },
            "result": lambda: {**frame, **report(), "next": _next(own, report()["report"])},
            "more": lambda: {**frame, **_more(own)},
        },
        context={**frame, **_desk(request, own, helper), "home": page.path, "demo": own.event.is_demo},
    )


def _stands(own: OwnView) -> str:
    """Where the table of the current match is to be found: its name and its room, "" where nothing is said of them."""
    table = None if own.current is None else own.current.pairing.table
    return "" if table is None else ", ".join(place_of(event_id=own.event.pk, number=table))


def _ended(own: OwnView) -> list[int]:
    """The current match, once its time is over."""
    if own.current is None:
        return []
    return ended_by_time(pairings=[own.current.pairing], now=timezone.now())


def _is_held(own: OwnView) -> bool:
    """Whether the current match waits because somebody holds it."""
    current, found = own.current, own.next_match
    if current is None or found is None or current.pairing.table is not None or found.slot.held_since is None:
        return False
    return (found.slot.round, found.slot.number) == (current.pairing.round.number, current.pairing.number)


def _soon(own: OwnView) -> ShownNext | None:
    """Where and when the current match is expected while it waits for its call; None where it is held or unknown."""
    current, found = own.current, own.next_match
    if current is None or found is None or current.pairing.table is not None or found.slot.held_since is not None:
        return None
    if (found.slot.round, found.slot.number) != (current.pairing.round.number, current.pairing.number):
        return None
    return shown_next(found, name=public_name)


def _ups(own: OwnView) -> list[tuple[str, ShownNext]]:
    """What the player plays after what they play now, each with the words before it; nothing where none is planned."""
    if own.state != "playing":
        return []
    current, found = own.current, own.next_match
    if _soon(own) is not None or _is_held(own):
        return []
    if found is not None:
        is_current = current is not None and current.pairing.table is None
        said = _("Next") if current is None or is_current else _("After that")
        return [(said, shown_next(found, name=public_name, reader=own.entry.pk))]
    if own.next_round is not None:
        up = shown_next(NextMatch(own.next_round, Side(None), Side(None)), name=public_name)
        return [(round_name(own.name_of_planned(own.next_round.round)), replace(up, table=None))]
    if current is None:
        return []
    place, then = (current.pairing.round.number, current.pairing.number), own.after_current
    words = {"winner": _("If you win"), "loser": _("If you lose")}
    return [
        (said, shown_next(then[which], name=public_name, coming_from=place))
        for which, said in words.items()
        if which in then
    ]


def _facts(own: OwnView) -> tuple[object, ...]:
    """What the page shows besides what moves the stage on."""
    entry, tournament = own.entry, own.tournament
    return (
        *(entry.name, entry.mark, entry.is_shown, entry.status, entry.checked_in_at),
        *(tournament.name, tournament.state, tournament.self_check_in, tournament.no_show_minutes),
        *(
            tournament.players_report,
            tournament.report_minutes,
            tournament.unanswered,
            tournament.second_confirms,
            tournament.cut,
        ),
        *(own.event.name, tournament.way, tournament.decks_due_at, tournament.seating, tournament.call_minutes),
    )


def _report(own: OwnView) -> dict[str, Any]:
    current = own.current
    if current is None:
        return {"report": None}
    current.pairing.round.stage.tournament = own.tournament
    return report_context(own.entry, current.pairing)


def _next(own: OwnView, report: OwnReport | None) -> str:
    """The act that comes first at the current match, the page's one filled button: agree, come, play, here, report."""
    current = own.current
    if current is None or (report is not None and report.asks):
        return "agree"
    if current.asks_to_come and not (report is not None and report.is_told):
        return "come"
    if _plays_here(own):
        return "play"
    is_asked = own.tournament.no_show_minutes and current.pairing.table is not None
    waits = is_asked and current.pairing.began_at is None and not current.is_here
    return "here" if waits and not (report is not None and report.is_told) else "report"


def _plays_here(own: OwnView) -> bool:
    """Whether the current match is played on its players' devices."""
    current = own.current
    return current is not None and (current.pairing.way or own.tournament.way) == Way.HERE


def _clock(own: OwnView) -> ShownClock | None:
    """The clock of the current match, with what its table has more."""
    current = own.current
    if current is None:
        return None
    return table_clock(current.pairing, name=round_name(current.name), tournament=own.tournament)


def _builds_deck(own: OwnView) -> bool:
    """Whether the player may still need a side deck here: before the start too, as long as they play."""
    if own.tournament.way != Way.HERE and not _plays_here(own):
        return False
    return own.state in ("waiting", "registered", "checking_in", "here") or (own.state == "playing" and not own.is_out)


def _more(own: OwnView) -> dict[str, Any]:
    standing, stage = own.standing, own.stage
    return {
        "standing": standing,
        "outlook": _outlook(own),
        "after": _after(own) if standing is not None and stage.counted_round else "",
        "meetings": own.meetings,
        "told": [(notice, notice_text(notice, own.opponents_told)) for notice in own.notices],
        "may_leave": own.state in ("waiting", "registered", "checking_in", "here", "playing"),
    }


def _outlook(own: OwnView) -> dict[str, str] | None:
    """What the player is told of playing on, as a state, and how many do; None where nothing is said."""
    standing, cut = own.standing, own.tournament.cut
    if standing is None or not standing.prospect or cut is None:
        return None
    if standing.group is None:
        many = ngettext("The best {n} plays on.", "The best {n} play on.", cut)
    else:
        many = ngettext("The best {n} of each group plays on.", "The best {n} of each group play on.", cut)
    known = Outlook(standing.prospect)
    return {"state": OUTLOOK_STATES[known], "text": f"{OWN_OUTLOOKS[known]} {many.format(n=cut)}"}


def _after(own: OwnView) -> str:
    """What the place includes."""
    if own.tournament.state == State.FINISHED:
        return _("Final standings")
    if own.stage.counted_open:
        return _("Not all results of this round are in: this can still change.")
    return after_round(own.name_of(own.stage.counted_round))


# --- What players do there. Without a token of the session: the secret path is the whole authority, and a foreign page
# does not know it.


def _home(request: HttpRequest, entry: Entry, outcome: Entry | Pairing | RefereeCall | Refused | None) -> HttpResponse:
    if isinstance(outcome, Refused):
        messages.error(request, refusal_text(outcome))
    return redirect("own_page", entry_token(entry))


@csrf_exempt
@require_POST
@for_player
def check_in(request: HttpRequest, entry: Entry, actor: Actor) -> HttpResponseBase:
    """The player is here."""
    if not may(actor, "check_in_own", event=entry.tournament.event_id, tournament=entry.tournament_id):
        raise Http404
    language = get_language() or ""
    outcome = roster.check_in_own(entry_id=entry.pk, language=language, by=actor, now=timezone.now())
    return _home(request, entry, outcome)


@csrf_exempt
@require_POST
@for_player
def undo_check_in(request: HttpRequest, entry: Entry, actor: Actor) -> HttpResponseBase:
    """The player is not here after all."""
    if not may(actor, "check_in_own", event=entry.tournament.event_id, tournament=entry.tournament_id):
        raise Http404
    return _home(request, entry, roster.undo_check_in_own(entry_id=entry.pk, by=actor, now=timezone.now()))


@csrf_exempt
@require_POST
@for_player
def here(request: HttpRequest, entry: Entry, actor: Actor, match_id: int) -> HttpResponseBase:
    """The player sits at the table of their match, or with an empty `here` does not after all."""
    if not may(actor, "say_here", event=entry.tournament.event_id, tournament=entry.tournament_id):
        raise Http404
    if own_pairing(entry=entry, match_id=match_id) is None and not is_own_closed_match(entry=entry, match_id=match_id):
        raise Http404
    is_here = bool(request.POST.get("here"))
    outcome = presence.say_here(entry_id=entry.pk, match_id=match_id, here=is_here, by=actor, now=timezone.now())
    return _home(request, entry, outcome)


@csrf_exempt
@require_POST
@for_player
def come(request: HttpRequest, entry: Entry, actor: Actor, match_id: int) -> HttpResponseBase:
    """The player comes to the table they are called to, or with an empty `coming` does not after all."""
    if not may(actor, "say_coming", event=entry.tournament.event_id, tournament=entry.tournament_id):
        raise Http404
    if own_pairing(entry=entry, match_id=match_id) is None and not is_own_closed_match(entry=entry, match_id=match_id):
        raise Http404
    comes = bool(request.POST.get("coming"))
    outcome = coming.say_coming(entry_id=entry.pk, match_id=match_id, coming=comes, by=actor, now=timezone.now())
    return _home(request, entry, outcome)


@csrf_exempt
@require_POST
@for_player
def call(request: HttpRequest, entry: Entry, actor: Actor, match_id: int) -> HttpResponseBase:
    """The player calls the referee to their table, or with an empty `call` needs nobody any more."""
    if not may(actor, "call_own", event=entry.tournament.event_id, tournament=entry.tournament_id):
        raise Http404
    pairing = own_pairing(entry=entry, match_id=match_id)
    if pairing is None and not is_own_closed_match(entry=entry, match_id=match_id):
        raise Http404
    return _home(request, entry, press_call(request, pairing, actor))


# --- The desk's check-in on a helper's own phone. The browser is the authority, so this has the session's token.


def _desk(request: HttpRequest, own: OwnView, helper: Actor | None) -> dict[str, Any]:
    """What the bar of the desk says. Nothing once the tournament has started."""
    if helper is None or not own.tournament.is_open_roster:
        return {"desk": None}
    name = _("organiser") if helper.role is Role.ORGANISER else helper.name
    return {"desk": {"name": name, "is_here": own.entry.checked_in_at is not None}}


@require_POST
@for_player
def desk_check_in(request: HttpRequest, entry: Entry, actor: Actor) -> HttpResponseBase:
    """A helper whose phone this is checks the player in, or (with an empty `here`) takes it back."""
    helper = helper_at(request, entry.tournament)
    if helper is None:
        return _home(request, entry, Refused("no_helper"))
    if request.POST.get("here"):
        outcome = roster.check_in_after_all(entry_id=entry.pk, by=helper, now=timezone.now())
        told = _("{name} is checked in.")
    else:
        outcome = roster.undo_check_in(entry_id=entry.pk, by=helper, now=timezone.now())
        told = _("{name} is not checked in any more.")
    if not isinstance(outcome, Refused):
        messages.success(request, format_html(told, name=person(outcome.staff_name)))
    return _home(request, entry, outcome)
