"""The schedule in words: who plays or where they come from, how far a match is, why it has no time."""

from __future__ import annotations

from datetime import date, datetime, tzinfo
from typing import TYPE_CHECKING, Final, Protocol

from babel.dates import format_date
from django.conf import settings
from django.utils.timezone import localtime
from django.utils.translation import get_language, gettext_lazy, to_locale
from django.utils.translation import gettext as _

from tournaments.engine.walltime import comes_twice, offset_text
from tournaments.words.labels import Ended, result_text
from tournaments.words.reasons import Named, StoredNote, round_name

if TYPE_CHECKING:  # known to the type stubs alone
    from collections.abc import Mapping

    from django.utils.functional import _StrPromise as Lazy


class Origin(Protocol):
    """The match somebody comes of, as `queries.schedule` has it."""

    @property
    def number(self) -> int | None: ...
    @property
    def round(self) -> StoredNote: ...
    @property
    def place(self) -> int: ...
    @property
    def loser(self) -> bool: ...


class Side(Protocol):
    """One side of a planned match."""

    @property
    def entry(self) -> Named | None: ...
    @property
    def origin(self) -> Origin | None: ...


class Planned(Protocol):
    """A match of the plan."""

    @property
    def state(self) -> str: ...
    @property
    def is_held(self) -> bool: ...
    @property
    def has_time(self) -> bool: ...
    @property
    def note(self) -> str: ...
    @property
    def why(self) -> str: ...
    @property
    def result(self) -> Ended | None: ...


def side_text(side: Side) -> str:
    """Who plays: a name, "Winner of match 5", or that nobody knows yet."""
    if side.entry is not None:
        return side.entry.display_name
    if side.origin is None:
        return _("Not known yet")
    return _origin_text(side.origin)


def _origin_text(origin: Origin) -> str:
    if origin.number is not None:
        text = _("Loser of match {n}") if origin.loser else _("Winner of match {n}")
        return text.format(n=origin.number)
    text = _("Loser of match {n}, {round}") if origin.loser else _("Winner of match {n}, {round}")
    return text.format(n=origin.place, round=round_name(origin.round))


def state_of(match: Planned) -> tuple[str, str]:
    """How far a match is, as a shape and words; ("", "") for one that is simply to come."""
    if match.state == "over":
        return "done", (result_text(match.result) if match.result is not None else "") or _("Finished")
    if match.state == "playing":
        return "play", _("Being played")
    if match.state == "called":
        return "call", _("Called")
    if match.is_held:
        return "held", _("On hold")
    if match.note == "late" and match.has_time:
        return "late", _("Later than planned")
    return "", ""


STATES: Final[Mapping[str, Lazy]] = {
    "waiting": gettext_lazy("Planned"),
    "called": gettext_lazy("Called"),
    "playing": gettext_lazy("Being played"),
    "over": gettext_lazy("Finished"),
}
"""How far a match is, as a column of a file says it."""

_NO_TIME: Final = gettext_lazy("No time is found for it yet.")
_WHY: Final[Mapping[str, Lazy]] = {
    "held": gettext_lazy("The organisers hold it back for now."),
    "in_circle": gettext_lazy("Waits for a match that has no time yet."),
    "waits_for": gettext_lazy("Waits for a match that has no time yet."),
    "no_table": gettext_lazy("No table is free for it yet."),
    "tables_out": gettext_lazy("No table is free for it yet."),
    "table_closes": gettext_lazy("No table is free for it yet."),
    "no_referee": gettext_lazy("No referee is free for it yet."),
    "too_long": gettext_lazy("Does not fit into the hours of the hall."),
    "hall_closes": gettext_lazy("Does not fit into the hours of the hall."),
    "no_room": gettext_lazy("Does not fit into the hours of the hall."),
}


def why_text(match: Planned) -> str:
    """Why a match has no time, as everybody may know it: nothing is said of anybody's own hours."""
    return str(_WHY.get("held" if match.is_held else match.why, _NO_TIME))


def clock_text(instant: datetime, zone: tzinfo) -> str:
    """What the clocks of the venue show: "14:20", and "02:30 UTC+2" in an hour that comes twice."""
    text = f"{localtime(instant, zone):%H:%M}"
    return f"{text} {offset_text(instant, zone)}" if comes_twice(instant, zone) else text


def day_text(day: date) -> str:
    """A day as a heading: "Saturday, 22 May"."""
    locale = to_locale(get_language() or settings.LANGUAGE_CODE)
    text = format_date(day, "EEEE, d MMMM", locale=locale)
    return text[:1].upper() + text[1:]


def table_text(number: int, *, is_sure: bool) -> str:
    """Where a match is played, or will be as it looks now."""
    return (_("Table {n}") if is_sure else _("probably table {n}")).format(n=number)
