"""The plan of an event for those who organise it: how the day goes on, and what is said of single matches."""

from __future__ import annotations

from typing import Any

from django.http import Http404
from django.utils import timezone
from rest_framework.request import Request
from rest_framework.response import Response

from tournaments.actions import slots as actions
from tournaments.api.access import View, event_for
from tournaments.api.answers import named, page
from tournaments.api.bodies import FixMatchBody, WhyBody
from tournaments.api.operation import PAGE, operation
from tournaments.api.problems import done
from tournaments.api.shapes import PlanShape, PlanSlotShape, PlanSlotsPageShape
from tournaments.api.texts import plain
from tournaments.models import Event, Slot
from tournaments.queries.plan_grid import PlanRow
from tournaments.queries.plan_page import plan_page, plan_row
from tournaments.queries.schedule import Side
from tournaments.words.plan import clash_text
from tournaments.words.reasons import round_name


class ReadPlan(View):
    """The plan as a whole."""

    @operation("read_plan", "When the day ends as it looks now, and before when it cannot", answer=PlanShape)
    def get(self, request: Request, pk: int) -> Response:
        event, _actor = event_for(request, pk, "edit_plan")
        found = plan_page(event=event, now=timezone.now())
        row = {
            "made_at": None if found.plan is None else found.plan.made_at,
            "is_behind": found.is_behind,
            "ends_at": found.ends_at,
            "bound_at": found.bound_at,
            "bound_kind": "" if found.plan is None else found.plan.bound_kind,
            "without": found.without,
            "tournaments": [
                {"tournament": part.tournament.pk, "ends_at": part.ends_at, "open": part.open} for part in found.parts
            ],
            "free_tables": found.free,
            "without_referee": [
                {"starts_at": each.starts_at, "ends_at": each.ends_at, "tables": each.tables, "matches": each.matches}
                for each in found.unattended
            ],
        }
        return Response(PlanShape(row).data)


class PlanSlots(View):
    """The matches of the plan."""

    @operation(
        "list_plan", "Every match of the plan, with what was said of it", answer=PlanSlotsPageShape, parameters=PAGE
    )
    def get(self, request: Request, pk: int) -> Response:
        event, _actor = event_for(request, pk, "edit_plan")
        found = plan_page(event=event, now=timezone.now())
        return page(self, request, list(found.slots.values()), PlanSlotsPageShape, _row)


class _OneSlot(View):
    """What acts on one match have in common."""

    def held(self, request: Request, pk: int, slot_id: int) -> tuple[Event, dict[str, Any]]:
        """The event, and what every act on this match of its plan is told; 404 for any other match."""
        event, by = event_for(request, pk, "edit_plan")
        if not Slot.objects.filter(pk=slot_id, stage__tournament__event=event).exists():
            raise Http404
        return event, {"slot_id": slot_id, "by": by, "now": timezone.now()}

    def answer(self, event: Event, outcome: Any) -> Response:
        found = plan_row(event=event, slot_id=done(outcome).pk, now=timezone.now())
        if found is None:
            raise Http404
        return Response(PlanSlotShape(_row(found)).data)


class HoldMatch(_OneSlot):
    """A match is not called."""

    @operation(
        "hold_match",
        "Hold a match: it is not called and not planned; twice is once",
        description="One that has a table and has not begun gives it back, and its players are told.",
        body=WhyBody,
        answer=PlanSlotShape,
    )
    def post(self, request: Request, pk: int, slot_id: int) -> Response:
        event, told = self.held(request, pk, slot_id)
        body = WhyBody(data=request.data)
        body.is_valid(raise_exception=True)
        return self.answer(event, actions.hold_match(**told, why=body.validated_data["why"]))


class ReleaseMatch(_OneSlot):
    """A match is called again."""

    @operation("release_match", "Release a match that was held; twice is once", body=WhyBody, answer=PlanSlotShape)
    def post(self, request: Request, pk: int, slot_id: int) -> Response:
        event, told = self.held(request, pk, slot_id)
        body = WhyBody(data=request.data)
        body.is_valid(raise_exception=True)
        return self.answer(event, actions.release_match(**told, why=body.validated_data["why"]))


class FixMatch(_OneSlot):
    """When and where a match is to begin."""

    @operation(
        "fix_match",
        "Say when and where a match is to begin; null leaves it to the plan",
        description="Refused where somebody or something would be in two places at once, or rest, breaks or hours would"
        " be broken (`slot_clashes`, with both matches and why), unless `accept_clashes` is true.",
        body=FixMatchBody,
        answer=PlanSlotShape,
    )
    def post(self, request: Request, pk: int, slot_id: int) -> Response:
        event, told = self.held(request, pk, slot_id)
        body = FixMatchBody(data=request.data, context={"zone": event.tzinfo})
        body.is_valid(raise_exception=True)
        return self.answer(event, actions.fix_match(**told, **body.validated_data))


def _row(each: PlanRow) -> dict[str, Any]:
    row, slot = each.row, each.slot
    facts = (
        "stage",
        "round",
        "number",
        "state",
        "table",
        "has_place",
        "starts_at",
        "ends_at",
        "note",
        "why",
    )
    return {name: getattr(row, name) for name in facts} | {
        "id": row.pk,
        "has_time": row.is_sure,
        "tournament": row.tournament.pk,
        "round_name": round_name(row.name),
        "match": each.match,
        "a": _side(row.a),
        "b": _side(row.b),
        "other": None if each.other is None else each.other.pk,
        "held_since": slot.held_since,
        "fixed_at": slot.fixed_at,
        "fixed_table": slot.fixed_table,
        "clashes": [
            {
                "code": clash["code"],
                "other": None if clash["other"] is None else clash["other"]["slot"],
                "text": plain(clash_text(clash)),
            }
            for clash in each.clashes
        ],
    }


def _side(side: Side) -> dict[str, Any]:
    origin = side.origin
    return {
        "entry": named(side.entry, staff=True),
        "origin": origin
        and {"round": origin.on, "number": origin.place, "outcome": "loser" if origin.loser else "winner"},
    }
