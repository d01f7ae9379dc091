"""What a player does by their own link: looks, says that they are here, changes who they are, leaves and comes back."""

from __future__ import annotations

from typing import Any

from django.http import Http404
from django.shortcuts import get_object_or_404
from django.utils import timezone
from django.utils.translation import get_language
from rest_framework.request import Request
from rest_framework.response import Response

from tournaments.actions import registration, roster
from tournaments.actions.coming import say_coming
from tournaments.actions.presence import say_here
from tournaments.api.access import View, own_entry
from tournaments.api.answers import match_row, page
from tournaments.api.bodies import ComingBody, HereBody, OwnBody
from tournaments.api.once import if_seen
from tournaments.api.operation import IF_NONE_MATCH, IF_SEEN, PAGE, operation
from tournaments.api.problems import done
from tournaments.api.shapes import MeetingShape, MeetingsPageShape, OwnShape
from tournaments.api.texts import words
from tournaments.engine.clocks import ends_at
from tournaments.models import Entry, Notice
from tournaments.queries.notices import current_notices, names_in_notices
from tournaments.queries.own import Meeting, OwnView
from tournaments.queries.presence import due_times
from tournaments.queries.reports import own_pairing
from tournaments.queries.schedule import rounded
from tournaments.words.notices import notice_text
from tournaments.words.reasons import round_name


def _answer(entry: Entry) -> dict[str, Any]:
    """Everything one player asks about, read anew."""
    entry = Entry.objects.select_related("tournament__event", "player").get(pk=entry.pk)
    own = OwnView(entry)
    version, standing, told = own.version, own.standing, current_notices(entry=entry, now=timezone.now())
    names = names_in_notices(told)
    row = {
        "entry": entry,
        "tournament": entry.tournament_id,
        "state": own.state,
        "waiting_place": own.waiting_place or None,
        "email": entry.player.email,
        "city": entry.city,
        "club": entry.club,
        "is_shown": entry.is_shown,
        "language": entry.language,
        "current": None if own.current is None else _meeting(own.current),
        "next": _next(own),
        "asked_at": own.asked_at,
        "rank": None if standing is None else standing.rank,
        "points": None if standing is None else standing.points,
        "reason": None if standing is None else words(standing.reason[0], standing.reason[1], own.named),
        "notices": [_notice(each, notice_text(each, names)) for each in told],
        "version": version,
    }
    found: dict[str, Any] = OwnShape(row).data
    return found


def _next(own: OwnView) -> dict[str, Any] | None:
    """The next match as the shape has it; null for whoever does not play, and where nothing is planned."""
    found = own.next_match if own.state == "playing" else None
    if found is None:
        return None
    slot, side = found.slot, found.opponent_of(own.entry.pk)
    origin = None
    if side.entry is None and side.place is not None:
        number, place = side.place
        origin = {"round": number, "number": place, "outcome": "loser" if side.loser else "winner"}
    facts = {name: getattr(slot, name) for name in ("round", "number", "table", "has_place")}
    at, has_time = slot.starts_at, slot.has_time and slot.note != "late"
    return facts | {
        "has_time": has_time,
        "round_name": round_name(own.name_of_planned(slot.round)),
        "opponent": {"entry": side.entry, "origin": origin},
        "starts_at": at if at is None or has_time else rounded(at),
        "held": slot.held_since is not None,
    }


def _notice(notice: Notice, text: str) -> dict[str, Any]:
    return {"kind": notice.kind, "at": notice.created_at, "text": text, "params": notice.params}


def _meeting(meeting: Meeting) -> dict[str, Any]:
    pairing, clock = meeting.pairing, meeting.clock
    return {
        "round": pairing.round.number,
        "round_name": round_name(meeting.name),
        "table": pairing.table,
        "side": "a" if meeting.is_first else "b",
        "opponent": meeting.opponent,
        "bye": pairing.bye if meeting.opponent is None else None,
        "due_at": due_times(pairings=[pairing]).get(pairing.pk),
        "is_here": meeting.is_here,
        "opponent_is_here": meeting.opponent_is_here,
        "called_at": pairing.called_at,
        "is_coming": meeting.is_coming,
        "opponent_is_coming": meeting.opponent_is_coming,
        "outcome": meeting.outcome,
        "match": match_row(pairing.match),
        "time_ends_at": ends_at(clock.as_clock, extra=pairing.extra_seconds) if clock is not None else None,
    }


class Own(View):
    """The player the own link belongs to."""

    @operation("get_own", "Where you sit, whom you meet, how you stand", answer=OwnShape, parameters=[IF_NONE_MATCH])
    def get(self, request: Request) -> Response:
        entry, _actor = own_entry(request, "see_own")
        return Response(_answer(entry))

    @operation(
        "change_own",
        "Say anew who you are",
        description="What is left out stays. After the start consent and language alone change.",
        body=OwnBody,
        answer=OwnShape,
        parameters=[IF_SEEN],
    )
    def patch(self, request: Request) -> Response:
        entry, actor = own_entry(request, "change_own")
        body = OwnBody(data=request.data)
        body.is_valid(raise_exception=True)

        def act() -> Entry:
            held = get_object_or_404(Entry.objects.select_related("player"), pk=entry.pk)
            stands = {name: getattr(held, name) for name in ("name", "city", "club", "is_shown", "language")}
            said = {**stands, "email": held.player.email, **body.validated_data}
            return done(registration.change_own(entry_id=entry.pk, by=actor, now=timezone.now(), **said))

        if_seen(request, of=entry.tournament, look=lambda: _answer(entry), act=act)
        return Response(_answer(entry))


class Matches(View):
    """Every round of the player."""

    @operation("list_own_matches", "Your rounds, the first one first", answer=MeetingsPageShape, parameters=PAGE)
    def get(self, request: Request) -> Response:
        entry, _actor = own_entry(request, "see_own")
        return page(self, request, OwnView(entry).meetings, MeetingsPageShape, _meeting)


class CheckIn(View):
    """The player is here."""

    @operation("check_in_own", "Say that you are here", answer=OwnShape)
    def post(self, request: Request) -> Response:
        entry, actor = own_entry(request, "check_in_own")
        language = get_language() or ""
        done(roster.check_in_own(entry_id=entry.pk, language=language, by=actor, now=timezone.now()))
        return Response(_answer(entry))


class UndoCheckIn(View):
    """The player is not here after all."""

    @operation("undo_check_in_own", "Say that you are not here after all", answer=OwnShape)
    def post(self, request: Request) -> Response:
        entry, actor = own_entry(request, "check_in_own")
        done(roster.undo_check_in_own(entry_id=entry.pk, by=actor, now=timezone.now()))
        return Response(_answer(entry))


class Here(View):
    """The player sits at the table."""

    @operation("say_here", "Say that you sit at the table, or not after all", body=HereBody, answer=MeetingShape)
    def post(self, request: Request, match_id: int) -> Response:
        entry, actor = own_entry(request, "say_here")
        body = HereBody(data=request.data)
        body.is_valid(raise_exception=True)
        if own_pairing(entry=entry, match_id=match_id) is None:
            raise Http404
        said = body.validated_data["here"]
        pairing = done(say_here(entry_id=entry.pk, match_id=match_id, here=said, by=actor, now=timezone.now()))
        meeting = next(each for each in OwnView(entry).meetings if each.pairing.pk == pairing.pk)
        return Response(MeetingShape(_meeting(meeting)).data)


class Coming(View):
    """The player comes to the table."""

    @operation(
        "say_coming",
        "Say that you come to the table you are called to, or not after all",
        description="`not_called` where the match is called to no table, `has_begun` where it is played already.",
        body=ComingBody,
        answer=MeetingShape,
    )
    def post(self, request: Request, match_id: int) -> Response:
        entry, actor = own_entry(request, "say_coming")
        body = ComingBody(data=request.data)
        body.is_valid(raise_exception=True)
        if own_pairing(entry=entry, match_id=match_id) is None:
            raise Http404
        said = body.validated_data["coming"]
        pairing = done(say_coming(entry_id=entry.pk, match_id=match_id, coming=said, by=actor, now=timezone.now()))
        meeting = next(each for each in OwnView(entry).meetings if each.pairing.pk == pairing.pk)
        return Response(MeetingShape(_meeting(meeting)).data)


class Withdraw(View):
    """The player leaves."""

    @operation(
        "withdraw_own",
        "Leave the tournament",
        description="Before the start the place is free for whoever waits; later you are not paired any more.",
        answer=OwnShape,
    )
    def post(self, request: Request) -> Response:
        entry, actor = own_entry(request, "change_own")
        done(registration.withdraw_own(entry_id=entry.pk, by=actor, now=timezone.now()))
        return Response(_answer(entry))


class Again(View):
    """The player comes back."""

    @operation("register_again", "Register again, behind everybody who waits", answer=OwnShape)
    def post(self, request: Request) -> Response:
        entry, actor = own_entry(request, "change_own")
        done(registration.register_again(entry_id=entry.pk, by=actor, now=timezone.now()))
        return Response(_answer(entry))
