"""Hours in words: when the hall is open, breaks and the times of rounds, what was shifted and what refuses it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import date, datetime
from typing import TYPE_CHECKING, Any, Final, Protocol

from django.utils.formats import date_format
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from players.words import person
from tournaments.words.plan import place_in_stage
from tournaments.words.reasons import StoredNote, round_name
from tournaments.words.schedule import clock_text

if TYPE_CHECKING:  # known to the type stubs alone
    from django.utils.functional import _StrPromise as Lazy

    from tournaments.models import Event, Tournament

Facts = Mapping[str, Any]

_AT_ONCE = 3  # things a choice names

REFUSALS: Final[Mapping[str, Lazy]] = {
    "opening_unknown": gettext_lazy("There are no such hours of the hall here."),
    "break_unknown": gettext_lazy("There is no such break here."),
    "ends_before_it_begins": gettext_lazy("The end has to be after the beginning."),
    "longer_than_a_day": gettext_lazy("This is longer than a day. Say the hours of each day by themselves."),
    "break_there": gettext_lazy("There is such a break already."),
    "round_begins_too_early": gettext_lazy("Round %(round)s has to begin after round %(other)s."),
    "shift_too_far": gettext_lazy("Say by how many minutes: at least 1, at most %(most)s."),
    "plan_changed": gettext_lazy("The times have changed while you were looking. Look at them, then shift."),
    "nothing_to_shift": gettext_lazy("Nothing is planned from then on that has not begun."),
}
"""Sentences of refusals that need their parameters alone."""


def wall_text(wall: str) -> str:
    """A time of the venue as the log keeps it: "22 May, 10:00"."""
    there = datetime.fromisoformat(wall)
    return f"{date_format(there, 'j E')}, {there:%H:%M}"


def span_text(starts: str, ends: str) -> str:
    """From when to when, with the day it begins on: "22 May, 18:00–02:00"."""
    return f"{wall_text(starts)}–{datetime.fromisoformat(ends):%H:%M}"


def _outside(params: Facts, names: object) -> str:
    first, last = (date_format(date.fromisoformat(params[key]), "j E") for key in ("first", "last"))
    if first == last:
        return _("The event is on {day}, and this on another day.").format(day=first)
    return _("The event is from {first} to {last}, and this on another day.").format(first=first, last=last)


def _open_already(params: Facts, names: object) -> str:
    when = span_text(params["opens_at"], params["closes_at"])
    return _("The hall is open then already: {when}. Change those hours, or say others.").format(when=when)


def _overtakes(params: Facts, names: object) -> str:
    text = _("Something stays at {when} and would be passed: shift from an earlier time on, or by less.")
    return text.format(when=wall_text(params["at"]))


def _closes(params: Facts, names: object) -> str:
    count, closes = params["matches"], params["closes_at"]
    if closes is None:
        text = ngettext("{n} match would have no place then.", "{n} matches would have no place then.", count)
        return text.format(n=count)
    text = ngettext(
        "{n} match would not be over before the hall closes on {when}.",
        "{n} matches would not be over before the hall closes on {when}.",
        count,
    )
    return text.format(n=count, when=wall_text(closes))


WRITTEN_REFUSALS: Final[Mapping[str, Callable[[Facts, Any], str]]] = {
    "outside_the_event": _outside,
    "open_already": _open_already,
    "shift_overtakes": _overtakes,
    "closes_before_the_end": _closes,
}
"""Sentences of refusals that need more than their parameters put in."""


# --- What is planned.


class Planned(Protocol):
    """Something that has a time, as `queries.hours.Planned` has it."""

    @property
    def kind(self) -> str: ...
    @property
    def at(self) -> datetime: ...
    @property
    def name(self) -> str: ...
    @property
    def number(self) -> int | None: ...
    @property
    def tournament(self) -> Tournament | None: ...


def moment_text(planned: Sequence[Planned], names: Sequence[StoredNote | None], *, event: Event) -> str:
    """One time and what is planned for it, as a choice: "Sat 10:50: round 2". `names` are those of rounds."""
    at = planned[0].at.astimezone(event.tzinfo)
    clock = clock_text(at, event.tzinfo)
    if not event.starts_on <= at.date() <= event.ends_on:
        clock = f"{date_format(at, 'j E')}, {clock}"
    elif event.starts_on != event.ends_on:
        clock = f"{date_format(at, 'D')} {clock}"
    texts = list(dict.fromkeys(_planned_text(each, name) for each, name in zip(planned, names, strict=True)))
    if len(texts) > _AT_ONCE:
        more = len(texts) - _AT_ONCE
        texts = [*texts[:_AT_ONCE], ngettext("{n} more", "{n} more", more).format(n=more)]
    return f"{clock}: {', '.join(texts)}"


def _planned_text(each: Planned, name: StoredNote | None) -> str:
    if each.kind == "break":
        return isolated(each.name) if each.name else _("Break")
    tournament = "" if each.tournament is None else isolated(each.tournament.name)
    if each.kind == "tournament" or name is None:
        return _("start of {tournament}").format(tournament=tournament)
    told = round_name(name) if each.number is None else place_in_stage(name, each.number)
    return f"{told} ({tournament})"


def isolated(text: str) -> str:
    """Somebody's text within ours: the direction of its letters ends where it ends."""
    return f"\u2068{text}\u2069"


# --- The log.


def _hours(facts: Facts) -> str:
    return span_text(facts["opens_at"], facts["closes_at"])


def _open_hall(what: str, before: Facts, after: Facts) -> SafeString:
    return format_html(_("Opened the hall: {when}."), when=_hours(after))


def _change_opening(what: str, before: Facts, after: Facts) -> SafeString:
    return format_html(
        _("Changed the hours of the hall: {when} instead of {old}."), when=_hours(after), old=_hours(before)
    )


def _remove_opening(what: str, before: Facts, after: Facts) -> SafeString:
    return format_html(_("Took hours of the hall away: {when}."), when=_hours(before))


def _break(facts: Facts) -> SafeString:
    """A break with its name, where it has one, and its time."""
    when = span_text(facts["starts_at"], facts["ends_at"])
    return format_html("{}, {}", person(facts["name"]), when) if facts["name"] else format_html("{}", when)


def _add_break(what: str, before: Facts, after: Facts) -> SafeString:
    return format_html(_("Added a break: {what}."), what=_break(after))


def _change_break(what: str, before: Facts, after: Facts) -> SafeString:
    return format_html(_("Changed a break: {what} instead of {old}."), what=_break(after), old=_break(before))


def _remove_break(what: str, before: Facts, after: Facts) -> SafeString:
    return format_html(_("Took a break away: {what}."), what=_break(before))


def _round_times(what: str, before: Facts, after: Facts) -> SafeString:
    told = "; ".join(
        _("round {n}: {when}").format(n=number, when="—" if at is None else wall_text(at))
        for number, at in sorted(after["times"].items(), key=lambda item: int(item[0]))
    )
    return format_html(_("Set when rounds begin: {times}."), times=told)


def _shift_plan(what: str, before: Facts, after: Facts) -> SafeString:
    return format_html("{}", shifted_text(after["minutes"], since=wall_text(after["since"])))


WRITTEN_ACTS: Final[Mapping[str, Callable[[str, Facts, Facts], SafeString]]] = {
    "open_hall": _open_hall,
    "change_opening": _change_opening,
    "remove_opening": _remove_opening,
    "add_break": _add_break,
    "change_break": _change_break,
    "remove_break": _remove_break,
    "set_round_times": _round_times,
    "shift_plan": _shift_plan,
}
"""What the log says of these acts."""


# --- Shifts.


class Counts(Protocol):
    """What a shift moved, as `actions.shifts.Shifted` has it."""

    @property
    def minutes(self) -> int: ...
    @property
    def rounds(self) -> int: ...
    @property
    def breaks(self) -> int: ...
    @property
    def matches(self) -> int: ...
    @property
    def tournaments(self) -> int: ...


def shifted_text(minutes: int, *, since: str) -> str:
    """What was shifted by how much: "Everything from 14:20 on is 35 minutes later."."""
    count = abs(minutes)
    if minutes < 0:
        text = ngettext(
            "Shifted what was planned from {when} on: {n} minute earlier.",
            "Shifted what was planned from {when} on: {n} minutes earlier.",
            count,
        )
    else:
        text = ngettext(
            "Shifted what was planned from {when} on: {n} minute later.",
            "Shifted what was planned from {when} on: {n} minutes later.",
            count,
        )
    return text.format(when=since, n=count)


def moved_text(shifted: Counts) -> str:
    """What a shift moved: "35 minutes later: 2 rounds, 1 break"."""
    parts = [
        (shifted.rounds, ngettext("{n} round", "{n} rounds", shifted.rounds)),
        (shifted.breaks, ngettext("{n} break", "{n} breaks", shifted.breaks)),
        (shifted.matches, ngettext("{n} match", "{n} matches", shifted.matches)),
        (shifted.tournaments, ngettext("{n} start of a tournament", "{n} starts of tournaments", shifted.tournaments)),
    ]
    told = ", ".join(text.format(n=count) for count, text in parts if count)
    return f"{by_text(shifted.minutes)}: {told}."


def by_text(minutes: int) -> str:
    """How far and which way, as the beginning of a sentence: "35 minutes later"."""
    count = abs(minutes)
    if minutes < 0:
        return ngettext("{n} minute earlier", "{n} minutes earlier", count).format(n=count)
    return ngettext("{n} minute later", "{n} minutes later", count).format(n=count)


def back_text(minutes: int) -> str:
    """The button that takes a shift back."""
    count = abs(minutes)
    if minutes < 0:
        return ngettext("Shift it back: {n} minute later", "Shift it back: {n} minutes later", count).format(n=count)
    return ngettext("Shift it back: {n} minute earlier", "Shift it back: {n} minutes earlier", count).format(n=count)
