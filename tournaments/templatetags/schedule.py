"""What templates of the schedule say: times that are sure or only expected, who plays, addresses of calendars."""

from __future__ import annotations

from datetime import date, datetime

from django import template
from django.conf import settings
from django.urls import reverse
from django.utils.html import conditional_escape, format_html
from django.utils.safestring import SafeString
from django.utils.timezone import localtime
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from players.words import lang_of
from tournaments.models import Event
from tournaments.queries.schedule import ScheduleRow, Side
from tournaments.words import schedule as words

register = template.Library()


@register.simple_tag
def at_time(instant: datetime, event: Event, *, is_sure: bool = True) -> SafeString:
    """A time of a day that is named already, on a page that says by whose clocks: "14:20", or "about 14:20"."""
    there = localtime(instant, event.tzinfo).isoformat(timespec="seconds")
    shown = format_html('<time datetime="{}">{}</time>', there, words.clock_text(instant, event.tzinfo))
    return shown if is_sure else SafeString(conditional_escape(_("about {time}")).replace("{time}", shown))


@register.filter
def day_name(day: date) -> str:
    """A day as a heading: "Saturday, 22 May"."""
    return words.day_text(day)


@register.filter
def players(row: ScheduleRow) -> SafeString:
    """Who plays, or where they come from: "Ann – Winner of match 5"."""
    if row.is_open_on_both_sides:
        return _side(row.a)
    return format_html("{} – {}", _side(row.a), _side(row.b))


def _side(shown: Side) -> SafeString:
    if shown.entry is None:
        return format_html('<span class="tbd">{}</span>', words.side_text(shown))
    lang = lang_of(shown.entry)
    marked = format_html(' lang="{}"', lang) if lang else ""
    return format_html('<bdi class="name"{}>{}</bdi>', marked, shown.entry)


@register.filter
def match_state(row: ScheduleRow) -> SafeString:
    """How far a match is, as a shape and a word; nothing for one that is to come."""
    shape, text = words.state_of(row)
    return format_html('<span class="st {}">{}</span>', shape, text) if text else SafeString("")


@register.filter
def why_no_time(row: ScheduleRow) -> str:
    """Why a match has no time."""
    return words.why_text(row)


@register.filter
def planned_table(row: ScheduleRow) -> str:
    """Where a match is played, or will be as it looks now; "" where nobody knows."""
    return "" if row.table is None else words.table_text(row.table, is_sure=row.has_place)


@register.simple_tag
def calendar(name: str, *args: int | str) -> str:
    """The address of a calendar as other machines ask for it, in the language of this page."""
    return f"{settings.PUBLIC_URL}{reverse(name, args=args)}?lang={get_language()}"


@register.filter
def webcal(address: str) -> str:
    """The same for programs that keep a calendar and come again: "webcal://"."""
    return f"webcal://{address.partition('://')[2]}"
