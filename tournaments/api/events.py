"""Events and the tournaments in them, and who the caller is."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

from django.conf import settings
from django.db.models import Q, QuerySet
from django.shortcuts import get_object_or_404
from django.utils import timezone
from rest_framework.request import Request
from rest_framework.response import Response

from players.permissions import Actor, Role
from tournaments.actions import events as actions
from tournaments.api.access import View, account_of, event_for, tournament_for
from tournaments.api.answers import page
from tournaments.api.bodies import EventBody, NewTournamentBody, TournamentBody
from tournaments.api.once import if_seen
from tournaments.api.operation import IF_SEEN, MINE, PAGE, operation
from tournaments.api.problems import done, refuse
from tournaments.api.reading import yes_in
from tournaments.api.shapes import CallerShape, EventShape, EventsPageShape, TournamentShape, TournamentsPageShape
from tournaments.api.texts import names_in, words
from tournaments.engine.snapshot import EntryStatus
from tournaments.models import ApiToken, Entry, Event, StaffLink, Tournament
from tournaments.permissions import actor_of_entry, may
from tournaments.queries.desk import current_stage, events_of, next_step
from tournaments.queries.stages import stage_version


def _page_url(shown: Event | Tournament) -> str:
    return f"{settings.PUBLIC_URL}{shown.get_absolute_url()}"


def _event_row(event: Event) -> dict[str, Any]:
    facts = ("id", "name", "place", "zone", "starts_on", "ends_on", "is_demo")
    return {name: getattr(event, name) for name in facts} | {"url": _page_url(event)}


def _line(tournament: Tournament, format_key: str) -> dict[str, Any]:
    return {
        "id": tournament.pk,
        "name": tournament.name,
        "format": format_key,
        "state": tournament.state,
        "url": _page_url(tournament),
    }


def _line_of(tournament: Tournament) -> dict[str, Any]:
    """A line of a tournament whose stages are loaded."""
    return _line(tournament, max(tournament.stages.all(), key=lambda stage: stage.number).format)


def event_answer(event: Event) -> dict[str, Any]:
    """An event with its tournaments."""
    tournaments = event.tournaments.prefetch_related("stages").order_by("pk")
    lines = [_line_of(each) for each in tournaments]
    found: dict[str, Any] = EventShape(
        _event_row(event) | {"rest_minutes": event.rest_minutes, "tournaments": lines}
    ).data
    return found


def tournament_answer(tournament: Tournament, actor: Actor) -> dict[str, Any]:
    """A tournament as it stands, with the organiser's next step where they ask."""
    stage = current_stage(tournament=tournament)
    plays = Q(status=EntryStatus.ACTIVE) if tournament.is_open_roster else Q(seed__isnull=False)
    is_desk = may(actor, "see_desk", event=tournament.event_id, tournament=tournament.pk)
    row = _line(tournament, stage.format) | {
        "event": tournament.event_id,
        "ruleset": tournament.ruleset,
        "options": stage.options,
        "tiebreaks": stage.tiebreaks,
        "points": stage.points,
        **{name: getattr(tournament, name) for name in actions.LASTING + actions.UNTIL_THE_START},
        "players": tournament.entries.filter(plays).count(),
        "started_at": tournament.started_at,
        "finished_at": tournament.finished_at,
        "version": stage_version(stage),
        "next": _next_row(tournament) if is_desk else None,
    }
    found: dict[str, Any] = TournamentShape(row).data
    return found


def _next_row(tournament: Tournament) -> dict[str, Any]:
    step = next_step(tournament=tournament)
    names = names_in(tournament, [blocker.params for blocker in step.blockers])
    blockers = [words(each.code, each.params, names) | {"stops": each.stops} for each in step.blockers]
    return {"act": step.act, "params": step.params, "blockers": blockers}


class Caller(View):
    """Who the token, link or session stands for."""

    @operation("whoami", "Who you are", answer=CallerShape)
    def get(self, request: Request) -> Response:
        who = request.auth
        if isinstance(who, StaffLink):
            row = {
                "role": who.role,
                "name": who.name,
                "event": who.event_id,
                "tournament": who.tournament_id,
                "tables": who.tables,
                "expires_at": who.expires_at,
                "entry": None,
            }
        elif isinstance(who, Entry):
            actor = actor_of_entry(who)
            row = {"role": actor.role, "name": actor.name, "event": actor.event, "tournament": actor.tournament}
            row |= {"tables": [], "expires_at": None, "entry": who.pk}
        else:
            account = account_of(request)
            bound = who.event_id if isinstance(who, ApiToken) else None
            row = {"role": "account", "name": str(account), "event": bound, "tournament": None, "tables": []}
            row |= {"expires_at": None, "entry": None}
        return Response(CallerShape(row).data)


class Events(View):
    """All events."""

    @operation("list_events", "Events, the newest first", answer=EventsPageShape, parameters=[*PAGE, MINE])
    def get(self, request: Request) -> Response:
        found: QuerySet[Event] = Event.objects.order_by("-starts_on", "-pk")
        if yes_in(request, "mine"):
            found = events_of(account=account_of(request))
            if isinstance(request.auth, ApiToken) and request.auth.event_id is not None:
                found = found.filter(pk=request.auth.event_id)
        return page(self, request, found, EventsPageShape, _event_row)

    @operation("create_event", "Make an event", body=EventBody, answer=EventShape, status=201)
    def post(self, request: Request) -> Response:
        account = account_of(request)
        if isinstance(request.auth, ApiToken) and request.auth.event_id is not None:
            raise refuse("token_is_bound", status=403)
        if not account.is_host:
            raise refuse("not_a_host", status=403)
        body = EventBody(data=request.data)
        body.is_valid(raise_exception=True)
        by = Actor(role=Role.ORGANISER, name=str(account), account=account.pk)
        event = actions.create_event(facts=body.facts(), owner=account, by=by, now=timezone.now())
        return Response(event_answer(event), status=201)


class OneEvent(View):
    """One event."""

    @operation("get_event", "An event with its tournaments", answer=EventShape)
    def get(self, request: Request, pk: int) -> Response:
        event, _actor = event_for(request, pk, "see_public")
        return Response(event_answer(event))

    @operation(
        "change_event",
        "Change an event",
        description="What is left out stays.",
        body=EventBody,
        answer=EventShape,
        parameters=[IF_SEEN],
    )
    def patch(self, request: Request, pk: int) -> Response:
        event, actor = event_for(request, pk, "edit_event")

        def act() -> Event:
            held = get_object_or_404(Event, pk=event.pk)
            stands = {each.name: getattr(held, each.name) for each in fields(actions.EventFacts)}
            body = EventBody(data=stands | request.data if isinstance(request.data, dict) else request.data)
            body.is_valid(raise_exception=True)
            return actions.edit_event(event_id=event.pk, facts=body.facts(), by=actor, now=timezone.now())

        def look() -> dict[str, Any]:
            return event_answer(Event.objects.get(pk=event.pk))

        return Response(event_answer(if_seen(request, of=event, look=look, act=act)))


class RemoveDemo(View):
    """A demo event goes."""

    @operation(
        "remove_demo",
        "Remove a demo event with everything in it",
        answer=None,
        status=204,
    )
    def post(self, request: Request, pk: int) -> Response:
        event, actor = event_for(request, pk, "remove_demo")
        done(actions.remove_demo(event_id=event.pk, by=actor, now=timezone.now()))
        return Response(status=204)


class Tournaments(View):
    """The tournaments of an event."""

    @operation("list_tournaments", "Tournaments of an event", answer=TournamentsPageShape, parameters=PAGE)
    def get(self, request: Request, pk: int) -> Response:
        event, _actor = event_for(request, pk, "see_public")
        found = event.tournaments.prefetch_related("stages").order_by("pk")
        return page(self, request, found, TournamentsPageShape, _line_of)

    @operation("create_tournament", "Make a tournament", body=NewTournamentBody, answer=TournamentShape, status=201)
    def post(self, request: Request, pk: int) -> Response:
        event, actor = event_for(request, pk, "create_tournament")
        body = NewTournamentBody(data=request.data, context={"zone": event.tzinfo})
        body.is_valid(raise_exception=True)
        made = actions.create_tournament(
            event_id=event.pk,
            facts=body.facts(),
            by=actor,
            now=timezone.now(),
            seed=body.validated_data.get("seed", ""),
        )
        return Response(tournament_answer(made, actor), status=201)


class OneTournament(View):
    """One tournament and its settings."""

    @operation("get_tournament", "A tournament", answer=TournamentShape)
    def get(self, request: Request, pk: int) -> Response:
        tournament, actor = tournament_for(request, pk, "see_public")
        return Response(tournament_answer(tournament, actor))

    @operation(
        "change_tournament",
        "Change the settings",
        description="Everything until the start; after it name, tables and times, check-in and how results are told."
        " What is left out stays.",
        body=TournamentBody,
        answer=TournamentShape,
        parameters=[IF_SEEN],
    )
    def patch(self, request: Request, pk: int) -> Response:
        tournament, actor = tournament_for(request, pk, "edit_tournament")
        body = TournamentBody(data=request.data, partial=True, context={"zone": tournament.event.tzinfo})
        body.is_valid(raise_exception=True)

        def act() -> Tournament:
            held = get_object_or_404(Tournament, pk=tournament.pk)
            facts = body.facts(of=held, stage=current_stage(tournament=held))
            return done(actions.edit_tournament(tournament_id=tournament.pk, facts=facts, by=actor, now=timezone.now()))

        changed = if_seen(request, of=tournament, look=lambda: self._now(tournament, actor), act=act)
        return Response(tournament_answer(changed, actor))

    @operation(
        "remove_tournament",
        "Remove a tournament that has not started",
        answer=None,
        status=204,
        parameters=[IF_SEEN],
    )
    def delete(self, request: Request, pk: int) -> Response:
        tournament, actor = tournament_for(request, pk, "edit_tournament")

        def act() -> None:
            done(actions.remove_tournament(tournament_id=tournament.pk, by=actor, now=timezone.now()))

        if_seen(request, of=tournament, look=lambda: self._now(tournament, actor), act=act)
        return Response(status=204)

    @staticmethod
    def _now(tournament: Tournament, actor: Actor) -> dict[str, Any]:
        return tournament_answer(Tournament.objects.select_related("event").get(pk=tournament.pk), actor)
