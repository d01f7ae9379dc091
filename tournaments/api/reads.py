"""What a stage shows: rounds, pairings, standings and the bracket, each with the version it is of."""

from __future__ import annotations

from functools import partial
from typing import Any

from django.db.models import Q
from rest_framework.request import Request
from rest_framework.response import Response

from players.permissions import Actor
from tournaments.api.access import View, tournament_for
from tournaments.api.answers import (
    clock_row,
    match_row,
    named,
    page,
    pairing_row,
    sees_drafts,
    sees_names,
    unchanged,
    with_etag,
)
from tournaments.api.operation import ENTRY, IF_NONE_MATCH, OPEN, PAGE, ROUND, operation
from tournaments.api.reading import number_in, yes_in
from tournaments.api.shapes import BracketShape, PairingsPageShape, RoundsPageShape, RoundsShape, StandingsPageShape
from tournaments.api.texts import decimal_text, names_in, words
from tournaments.models import Pairing, Stage
from tournaments.models.tournament import State
from tournaments.queries.desk import current_stage
from tournaments.queries.names import staff_names
from tournaments.queries.stages import (
    BracketCell,
    BracketSide,
    StandingRow,
    StandingsTable,
    bracket_columns,
    round_names,
    rounds_of,
    stage_version,
    standings_table,
)
from tournaments.words.labels import label_of
from tournaments.words.reasons import group_letter, round_name


def _stage_for(request: Request, pk: int) -> tuple[Stage, Actor]:
    tournament, actor = tournament_for(request, pk, "see_public")
    return current_stage(tournament=tournament), actor


def rounds_answer(stage: Stage, actor: Actor) -> dict[str, Any]:
    """The rounds the actor may see."""
    body = {"version": stage_version(stage), "results": round_rows(stage, actor)}
    found: dict[str, Any] = RoundsShape(body).data
    return found


def round_rows(stage: Stage, actor: Actor) -> list[dict[str, Any]]:
    """A row for each round the actor may see, in order."""
    rounds = rounds_of(stage=stage, drafts=sees_drafts(stage, actor))
    titles = round_names(stage=stage, numbers=[each.number for each in rounds])
    notes = [params for each in rounds if each.is_draft for _code, params in each.notes]
    names = names_in(stage.tournament, notes)
    rows = []
    for each in rounds:
        matches = [pairing.match for pairing in each.pairings.all() if pairing.match is not None]
        rows.append(
            {
                "number": each.number,
                "name": round_name(titles[each.number]),
                "is_draft": each.is_draft,
                "is_play_off": each.is_play_off,
                "published_at": each.published_at,
                "pairings": len(each.pairings.all()),
                "open": sum(match.is_open for match in matches),
                "notes": [words(code, params, names) for code, params in each.notes] if each.is_draft else [],
                "clock": clock_row(getattr(each, "clock", None)),
            }
        )
    return rows


class Rounds(View):
    """The rounds of a tournament."""

    @operation(
        "list_rounds",
        "The rounds; drafts for organisers only",
        answer=RoundsPageShape,
        parameters=[*PAGE, IF_NONE_MATCH],
    )
    def get(self, request: Request, pk: int) -> Response:
        stage, actor = _stage_for(request, pk)
        version, same = unchanged(request, stage, actor)
        if same is not None:
            return same
        answer = page(self, request, round_rows(stage, actor), RoundsPageShape, lambda row: row, version=version)
        return with_etag(answer, version, stage=stage, actor=actor)


class Pairings(View):
    """Who meets whom."""

    @operation(
        "list_pairings",
        "The pairings; drafts for organisers only",
        answer=PairingsPageShape,
        parameters=[ROUND, ENTRY, OPEN, *PAGE, IF_NONE_MATCH],
    )
    def get(self, request: Request, pk: int) -> Response:
        stage, actor = _stage_for(request, pk)
        version, same = unchanged(request, stage, actor)
        if same is not None:
            return same
        found = Pairing.objects.filter(round__stage=stage).select_related("a", "b", "match", "round")
        if not sees_drafts(stage, actor):
            found = found.filter(round__published_at__isnull=False)
        if (number := number_in(request, "round")) is not None:
            found = found.filter(round__number=number)
        if (entry := number_in(request, "entry")) is not None:
            found = found.filter(Q(a=entry) | Q(b=entry))
        if (is_open := yes_in(request, "open")) is not None:
            waiting = Q(match__kind="", match__is_void=False)
            found = found.filter(waiting) if is_open else found.exclude(waiting)
        found = found.order_by("round__number", "number")
        row = partial(pairing_row, staff=sees_names(stage, actor))
        answer = page(self, request, found, PairingsPageShape, row, version=version)
        return with_etag(answer, version, stage=stage, actor=actor)


class Standings(View):
    """The ranking."""

    @operation("get_standings", "The standings, and why", answer=StandingsPageShape, parameters=[*PAGE, IF_NONE_MATCH])
    def get(self, request: Request, pk: int) -> Response:
        stage, actor = _stage_for(request, pk)
        version, same = unchanged(request, stage, actor)
        if same is not None:
            return same
        table, staff = standings_table(stage=stage), sees_names(stage, actor)
        counted = table.counted_round
        answer = page(
            self,
            request,
            table.rows,
            StandingsPageShape,
            lambda row: _standing(table, row, staff=staff),
            version=version,
            round=counted,
            round_name=round_name(round_names(stage=stage, numbers=[counted])[counted]) if counted else "",
            open=table.counted_open,
            behind=table.behind,
            is_final=stage.tournament.state == State.FINISHED and not table.behind,
            refreshed_at=table.refreshed_at,
        )
        return with_etag(answer, version, stage=stage, actor=actor)


def _standing(table: StandingsTable, row: StandingRow, *, staff: bool) -> dict[str, Any]:
    code, params = row.reason
    numbers = ("rank", "shared", "points", "wins", "ties", "losses", "byes", "sets_won", "sets_lost")
    return {name: getattr(row, name) for name in numbers} | {
        "entry": named(row.entry, staff=staff),
        "values": [
            {"key": key, "name": label_of("tiebreak", key).text, "exact": str(value), "decimal": decimal_text(value)}
            for key, value in row.values
        ],
        "reason": words(code, params, staff_names(table.names.values()) if staff else table.names),
        "group": None if row.group is None else group_letter(row.group),
        "place": row.place,
        "prospect": row.prospect,
    }


class Bracket(View):
    """The bracket."""

    @operation("get_bracket", "The bracket", answer=BracketShape, parameters=[IF_NONE_MATCH])
    def get(self, request: Request, pk: int) -> Response:
        stage, actor = _stage_for(request, pk)
        version, same = unchanged(request, stage, actor)
        if same is not None:
            return same
        columns = [
            {
                "number": column.number,
                "name": round_name(column.name),
                "part": column.part,
                "matches": [_cell(cell, staff=sees_names(stage, actor)) for cell in column.cells],
            }
            for column in bracket_columns(stage=stage)
        ]
        answer = Response(BracketShape({"version": version, "rounds": columns}).data)
        return with_etag(answer, version, stage=stage, actor=actor)


def _cell(cell: BracketCell, *, staff: bool) -> dict[str, Any]:
    return {
        "number": cell.number,
        "a": _side(cell.a, staff=staff),
        "b": _side(cell.b, staff=staff),
        "table": None if cell.pairing is None else cell.pairing.table,
        "match": None if cell.pairing is None else match_row(cell.pairing.match),
    }


def _side(side: BracketSide, *, staff: bool) -> dict[str, Any]:
    facts = {"void": side.void, "bye": side.bye, "sets": side.sets, "won": side.won}
    return {"entry": named(side.entry, staff=staff), **facts}
