"""What templates of the organisers' plan say: who plays under the names staff see, and what is wrong where."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.timezone import localtime

from tournaments.models import Event
from tournaments.queries.plan_grid import PlanRow
from tournaments.queries.plan_page import PlanPage, Waiting
from tournaments.queries.schedule import ScheduleRow, Side
from tournaments.words import plan as words
from tournaments.words.hall import numbers_text
from tournaments.words.schedule import clock_text, day_text

register = template.Library()


@register.filter
def staff_side(shown: Side) -> SafeString:
    """Who plays, or where they come from."""
    return words.staff_side(shown)


@register.filter
def both(row: ScheduleRow) -> SafeString:
    """The two who play."""
    return words.both_sides(row.a, row.b)


@register.filter
def wall(instant: datetime, event: Event) -> SafeString:
    """A time on a page that says whose clocks it is by: "14:20"."""
    there = localtime(instant, event.tzinfo).isoformat(timespec="seconds")
    return format_html('<time datetime="{}">{}</time>', there, clock_text(instant, event.tzinfo))


@register.filter
def wall_day(instant: datetime, event: Event) -> str:
    """The day of the venue's calendar, as a heading: "Saturday, 22 May"."""
    return day_text(localtime(instant, event.tzinfo).date())


@register.filter
def place_name(row: ScheduleRow) -> str:
    """Which match it is: "Quarter-finals, match 27"."""
    return words.place_in_stage(row.name, row.label or row.number)


@register.filter
def misfit(row: PlanRow) -> SafeString:
    """Why a match has no place."""
    return words.misfit_text(row.row.why, other="" if row.other is None else _named(row.other))


def _named(row: ScheduleRow) -> SafeString:
    known = row.a.entry is not None and row.b.entry is not None
    return both(row) if known else format_html("{}", place_name(row))


@register.filter
def plan_note(row: ScheduleRow) -> str:
    """What the plan says of a place that breaks a promise."""
    return str(words.NOTES[row.note]) if row.note in words.NOTES else ""


@register.filter
def clash(found: Mapping[str, Any]) -> SafeString:
    """One thing that is in the way of a match."""
    return words.clash_text(found)


@register.filter
def bound(kind: str) -> str:
    """What holds up the earliest end there can be."""
    return str(words.BOUNDS.get(kind, ""))


@register.filter
def waits(row: Waiting) -> SafeString:
    """What a match waits for."""
    return words.waits_text(row.why, table=row.table)


@register.filter
def planned(page: PlanPage, pk: int) -> PlanRow | None:
    """A match with what people decided of it."""
    return page.slots.get(pk)


@register.filter
def numbers(tables: Iterable[int]) -> str:
    """Numbers of tables, runs gathered: "1–8, 12"."""
    return numbers_text(tables)
