"""What can happen to the players of a tournament in play: late, expelled, replaced, sitting out, playing a tie off."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.utils import timezone
from rest_framework.request import Request
from rest_framework.response import Response

from players.permissions import Refused
from tournaments.actions import rounds
from tournaments.actions.asked_byes import set_asked_byes
from tournaments.actions.latecomers import late_entry, let_in, remove_late_entry
from tournaments.actions.play_offs import drop_play_off, start_play_off
from tournaments.actions.replacements import replace_by, replace_entry, undo_replacement
from tournaments.api.access import View, entry_for, pairing_for, tournament_for
from tournaments.api.answers import pairing_row
from tournaments.api.bodies import AskedByesBody, Body, NewcomerBody, PlayOffBody, SeatBody, WhyBody
from tournaments.api.operation import operation
from tournaments.api.problems import done
from tournaments.api.shapes import EntryShape, PairingShape
from tournaments.models import Entry, Pairing
from tournaments.queries.desk import current_stage


def _said(body: Body) -> dict[str, Any]:
    body.is_valid(raise_exception=True)
    found: dict[str, Any] = body.validated_data
    return found


def _about(
    request: Request, pk: int, entry_id: int, body: Body, act: Callable[..., Entry | Refused], **more: Any
) -> dict[str, Any]:
    """One act on an entry of this tournament, and the entry it leaves us with."""
    tournament, actor = tournament_for(request, pk, "change_field")
    entry = entry_for(tournament, entry_id)
    outcome = act(entry_id=entry.pk, by=actor, now=timezone.now(), **_said(body), **more)
    found: dict[str, Any] = EntryShape(done(outcome, within=tournament)).data
    return found


class LateEntries(View):
    """Players who come after the start."""

    @operation(
        "late_entry",
        "Let somebody new in after the start",
        description="In a Swiss from the next round on; in a round robin against whoever is free in each round; in a"
        " bracket in the place of a bye nobody has played from. Where there is no place, replace somebody.",
        body=NewcomerBody,
        answer=EntryShape,
        status=201,
    )
    def post(self, request: Request, pk: int) -> Response:
        tournament, actor = tournament_for(request, pk, "change_field")
        said = _said(NewcomerBody(data=request.data))
        outcome = late_entry(tournament_id=tournament.pk, by=actor, now=timezone.now(), **said)
        return Response(EntryShape(done(outcome, within=tournament)).data, status=201)


class LetIn(View):
    """Somebody on the roster who did not play does now."""

    @operation("let_in", "Let a player in who was left out at the start", body=WhyBody, answer=EntryShape)
    def post(self, request: Request, pk: int, entry_id: int) -> Response:
        return Response(_about(request, pk, entry_id, WhyBody(data=request.data), let_in))


class TakeOut(View):
    """Somebody who came late is taken out again."""

    @operation(
        "remove_late_entry",
        "Take a player out again who came late",
        description="While they have no result, as if they had never been let in.",
        body=WhyBody,
        answer=None,
        status=204,
    )
    def post(self, request: Request, pk: int, entry_id: int) -> Response:
        tournament, actor = tournament_for(request, pk, "change_field")
        entry, said = entry_for(tournament, entry_id), _said(WhyBody(data=request.data))
        outcome = remove_late_entry(entry_id=entry.pk, by=actor, now=timezone.now(), **said)
        done(outcome, within=tournament)
        return Response(status=204)


class Disqualify(View):
    """A player is expelled."""

    @operation(
        "disqualify_entry",
        "Disqualify a player",
        description="In no place and not paired again. What they played stands, for their opponents too.",
        body=WhyBody,
        answer=EntryShape,
    )
    def post(self, request: Request, pk: int, entry_id: int) -> Response:
        return Response(_about(request, pk, entry_id, WhyBody(data=request.data), rounds.disqualify_entry))


class Reinstate(View):
    """A disqualification is taken back."""

    @operation("reinstate_entry", "Take a disqualification back", body=WhyBody, answer=EntryShape)
    def post(self, request: Request, pk: int, entry_id: int) -> Response:
        return Response(_about(request, pk, entry_id, WhyBody(data=request.data), rounds.reinstate_entry))


class Replace(View):
    """Somebody new plays in the place of a player who has played nothing."""

    @operation(
        "replace_entry",
        "Let somebody new have the place of a player without a result",
        body=NewcomerBody,
        answer=EntryShape,
        status=201,
    )
    def post(self, request: Request, pk: int, entry_id: int) -> Response:
        return Response(_about(request, pk, entry_id, NewcomerBody(data=request.data), replace_entry), status=201)


class ReplaceBy(View):
    """Somebody on the roster plays in the place of a player who has played nothing."""

    @operation(
        "replace_by",
        "Let somebody on the roster have the place of a player without a result",
        body=SeatBody,
        answer=EntryShape,
    )
    def post(self, request: Request, pk: int, entry_id: int) -> Response:
        def act(*, entry: int, **said: Any) -> Entry | Refused:
            return replace_by(by_entry=entry, **said)

        return Response(_about(request, pk, entry_id, SeatBody(data=request.data), act))


class UndoReplacement(View):
    """The place goes back to whom it was taken from."""

    @operation("undo_replacement", "Give a place back to whom it was taken from", body=WhyBody, answer=EntryShape)
    def post(self, request: Request, pk: int, entry_id: int) -> Response:
        return Response(_about(request, pk, entry_id, WhyBody(data=request.data), undo_replacement))


class AskedByes(View):
    """Rounds a player does not want to play in."""

    @operation(
        "set_asked_byes",
        "Say in which rounds to come a player does not play",
        description="The whole list: what is left out is asked for no more. Rounds that are published stay.",
        body=AskedByesBody,
        answer=EntryShape,
    )
    def put(self, request: Request, pk: int, entry_id: int) -> Response:
        def act(*, asked: list[dict[str, Any]], **said: Any) -> Entry | Refused:
            return set_asked_byes(asked=[(each["round"], each["bye"]) for each in asked], **said)

        return Response(_about(request, pk, entry_id, AskedByesBody(data=request.data), act))


def _row(pairing: Pairing) -> dict[str, Any]:
    found = Pairing.objects.select_related("a", "b", "round", "match").get(pk=pairing.pk)
    row: dict[str, Any] = PairingShape(pairing_row(found, staff=True)).data
    return row


class PlayOffs(View):
    """Extra matches between players who share a place."""

    @operation(
        "start_play_off",
        "Let two who share a place meet once more",
        description="Once everything is played. Somebody has to win it, and it counts for nothing but their order.",
        body=PlayOffBody,
        answer=PairingShape,
        status=201,
    )
    def post(self, request: Request, pk: int) -> Response:
        tournament, actor = tournament_for(request, pk, "play_off")
        said = _said(PlayOffBody(data=request.data))
        stage = current_stage(tournament=tournament)
        outcome = start_play_off(stage_id=stage.pk, by=actor, now=timezone.now(), **said)
        return Response(_row(done(outcome, within=tournament)), status=201)


class DropPlayOff(View):
    """An extra match is taken back."""

    @operation("drop_play_off", "Take a play-off back that has no result", body=WhyBody, answer=None, status=204)
    def post(self, request: Request, pk: int, match_id: int) -> Response:
        tournament, actor = tournament_for(request, pk, "play_off")
        match = pairing_for(tournament, match_id).match_id
        said = _said(WhyBody(data=request.data))
        done(drop_play_off(match_id=match or 0, by=actor, now=timezone.now(), **said), within=tournament)
        return Response(status=204)
