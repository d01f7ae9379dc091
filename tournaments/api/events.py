"""Events and the tournaments in them, and who the caller is."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.db.models import QuerySet
from django.utils import timezone
from rest_framework.request import Request
from rest_framework.response import Response

from players.permissions import Actor, Role
from tournaments.actions import events as actions
from tournaments.api.access import View, account_of, event_for, tournament_for
from tournaments.api.answers import page
from tournaments.api.bodies import EventBody, NewTournamentBody, TournamentBody
from tournaments.api.operation import MINE, PAGE, operation
from tournaments.api.problems import done, refuse
from tournaments.api.shapes import CallerShape, EventShape, EventsPageShape, TournamentShape
from tournaments.api.texts import names_in, words
from tournaments.models import ApiToken, Event, StaffLink, Tournament
from tournaments.permissions import may
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


def _event_answer(event: Event) -> dict[str, Any]:
    tournaments = event.tournaments.prefetch_related("stages").order_by("pk")
    lines = [_line(each, max(each.stages.all(), key=lambda stage: stage.number).format) for each in tournaments]
    found: dict[str, Any] = EventShape(_event_row(event) | {"tournaments": lines}).data
    return found


def tournament_answer(tournament: Tournament, actor: Actor) -> dict[str, Any]:
    """A tournament as it stands, with the organiser's next step where they ask."""
    stage = current_stage(tournament=tournament)
    entries = tournament.entries.all() if tournament.is_open_roster else tournament.entries.filter(seed__isnull=False)
    is_desk = may(actor, "see_desk", event=tournament.event_id, tournament=tournament.pk)
    row = _line(tournament, stage.format) | {
        "event": tournament.event_id,
        "ruleset": tournament.ruleset,
        "options": stage.options,
        "tiebreaks": stage.tiebreaks,
        "points": stage.points,
        "allows_tie": tournament.allows_tie,
        "seeding": tournament.seeding,
        "first_table": tournament.first_table,
        "players": entries.count(),
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
            }
        else:
            account = account_of(request)
            bound = who.event_id if isinstance(who, ApiToken) else None
            row = {"role": "account", "name": str(account), "event": bound, "tournament": None, "tables": []}
            row["expires_at"] = None
        return Response(CallerShape(row).data)


class Events(View):
    """All events."""

    @operation("list_events", "Events, the newest first", answer=EventsPageShape, parameters=[*PAGE, MINE])
    def get(self, request: Request) -> Response:
        found: QuerySet[Event] = Event.objects.order_by("-starts_on", "-pk")
        if request.query_params.get("mine", "").casefold() in ("1", "true"):
            found = events_of(account=account_of(request))
            if isinstance(request.auth, ApiToken) and request.auth.event_id is not None:
                found = found.filter(pk=request.auth.event_id)
        return page(self, request, found, EventsPageShape, _event_row)

    @operation("create_event", "Make an event", body=EventBody, answer=EventShape, status=201)
    def post(self, request: Request) -> Response:
        account = account_of(request)
        if isinstance(request.auth, ApiToken) and request.auth.event_id is not None:
            raise refuse("token_is_bound", status=403)
        body = EventBody(data=request.data)
        body.is_valid(raise_exception=True)
        by = Actor(role=Role.ORGANISER, name=str(account), account=account.pk)
        event = actions.create_event(facts=body.facts(), owner=account, by=by, now=timezone.now())
        return Response(_event_answer(event), status=201)


class OneEvent(View):
    """One event."""

    @operation("get_event", "An event with its tournaments", answer=EventShape)
    def get(self, request: Request, pk: int) -> Response:
        event, _actor = event_for(request, pk, "see_public")
        return Response(_event_answer(event))


class Tournaments(View):
    """The tournaments of an event; they are listed with it."""

    @operation("create_tournament", "Make a tournament", body=NewTournamentBody, answer=TournamentShape, status=201)
    def post(self, request: Request, pk: int) -> Response:
        event, actor = event_for(request, pk, "create_tournament")
        body = NewTournamentBody(data=request.data)
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
        description="Everything until the start, after it the name and the first table. What is left out stays.",
        body=TournamentBody,
        answer=TournamentShape,
    )
    def patch(self, request: Request, pk: int) -> Response:
        tournament, actor = tournament_for(request, pk, "edit_tournament")
        body = TournamentBody(data=request.data, partial=True)
        body.is_valid(raise_exception=True)
        facts = body.facts(of=tournament, stage=current_stage(tournament=tournament))
        changed = done(actions.edit_tournament(tournament_id=tournament.pk, facts=facts, by=actor, now=timezone.now()))
        return Response(tournament_answer(changed, actor))
