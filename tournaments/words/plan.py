"""Sentences for the plan of a hall: why a match has no place, what is wrong with one, what holds up the end."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Final, Protocol

from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from players.words import person
from tournaments.words.reasons import StoredNote, round_name
from tournaments.words.schedule import side_text

if TYPE_CHECKING:  # known to the type stubs alone
    from django.utils.functional import _StrPromise as Lazy

BOUNDS: Final[Mapping[str, Lazy]] = {
    "running": gettext_lazy("what is being played now"),
    "path": gettext_lazy("matches that wait for each other, up to the final"),
    "load": gettext_lazy("as many matches as there are, on all tables"),
    "tables": gettext_lazy("matches that only some of the tables can have"),
    "player": gettext_lazy("the matches of one player, one after the other, with the rests between them"),
    "stretch": gettext_lazy("matches that can begin late only and have others after them"),
    "search": gettext_lazy("a search has shown that no plan ends earlier"),
}
"""What holds up the earliest end there can be, by `Bound.kind`: the end of a sentence."""

MISFITS: Final[Mapping[str, Lazy]] = {
    "held": gettext_lazy("Held: it is not called until somebody releases it."),
    "in_circle": gettext_lazy("It waits, by way of others, for itself."),
    "waits_for": gettext_lazy("It waits for {other}, which has no place."),
    "no_table": gettext_lazy("No table of the hall has what it needs."),
    "tables_out": gettext_lazy("The tables it could have are out of use."),
    "no_referee": gettext_lazy("No referee can go to its tables."),
    "too_long": gettext_lazy("It takes longer than the hall is open at a time."),
    "hall_closes": gettext_lazy("The hall closes before it could be over."),
    "table_closes": gettext_lazy("Its table closes before it could be over."),
    "player_leaves": gettext_lazy("One of its players has to leave before it could be over."),
    "no_room": gettext_lazy("Other matches fill the time that is left."),
}
"""Why a match has no place."""

NOTES: Final[Mapping[str, Lazy]] = {
    "late": gettext_lazy("Late: it cannot begin when it was to."),
    "moved": gettext_lazy("Its table is out of use: the plan proposes another one. It is moved by you."),
}
"""What a plan says of a place that breaks a promise."""

CLASHES: Final[Mapping[str, Lazy]] = {
    "table_twice": gettext_lazy("Table {who} has {other}, and too little time between."),
    "player_twice": gettext_lazy("{who} plays in {other} then."),
    "player_unrested": gettext_lazy("{who} has too little rest between this match and {other}."),
    "referee_twice": gettext_lazy("{who} is at {other} then."),
    "before_feed": gettext_lazy("{other} has to be over first."),
    "feed_unrested": gettext_lazy("Whoever comes from {other} has too little rest."),
    "too_early": gettext_lazy("It may not begin so early."),
    "too_short": gettext_lazy("It has less time than it takes."),
    "hall_closed": gettext_lazy("The hall is closed then."),
    "in_break": gettext_lazy("It reaches into a break: {who}."),
    "table_closed": gettext_lazy("Table {who} is closed then."),
    "table_unfit": gettext_lazy("Table {who} is kept for other matches."),
    "table_out": gettext_lazy("Table {who} is out of use."),
    "player_away": gettext_lazy("{who} is not there then."),
    "referee_away": gettext_lazy("The referee {who} is not there then."),
}
"""What is wrong with a place that was said by hand."""

_LATER: Final[Mapping[str, Lazy]] = {
    "before_feed": gettext_lazy("{other} waits for this match, and is to begin before it is over."),
    "feed_unrested": gettext_lazy("Whoever goes on to {other} has too little rest."),
}
"""The same where the other match is the one that comes after."""

Namer = Callable[[str], str]


def misfit_text(code: str, *, other: SafeString | str = "") -> SafeString:
    """Why a match has no place, as HTML; `other` is the match it waits for, in words."""
    text = MISFITS.get(code)
    return SafeString("") if text is None else format_html(str(text), other=other or _("another match"))


def clash_text(clash: Mapping[str, Any], *, name: Namer = person) -> SafeString:
    """What is wrong with a place: a sentence that names the other match, and when and where it is.

    `clash` is one of `queries.slot_clashes`; `name` writes a name.
    """
    code, other = clash["code"], clash["other"]
    text = _LATER.get(code, CLASHES[code]) if clash["is_later"] else CLASHES[code]
    who = clash["who"] if code.startswith("table_") else name(clash["who"])
    told = "" if other is None else match_text(other, name=name)
    said = format_html(str(text), who=who, other=told)
    return format_html("{} {}", said, _("It is only planned there, and would move.")) if clash["moves"] else said


def match_text(match: Mapping[str, Any], *, name: Namer = person) -> SafeString:
    """A match in a sentence: "Ann – Bo (table 3, 14:20)", "Final (about 15:00)"."""
    if None in match["sides"]:
        told: str = place_in_stage(match["round"], match["number"])
    else:
        told = format_html("{} – {}", *(name(side) for side in match["sides"]))
    facts = [] if match["table"] is None else [_("table {n}").format(n=match["table"])]
    if match["starts_at"]:
        time = match["starts_at"][11:16]
        facts.append(time if match["is_said"] else _("about {time}").format(time=time))
    return format_html("{} ({})", told, ", ".join(facts)) if facts else format_html("{}", told)


class Seat(Protocol):
    """One side of a planned match, with the name staff see."""

    @property
    def entry(self) -> Any: ...
    @property
    def origin(self) -> Any: ...


def staff_side(shown: Seat) -> SafeString:
    """Who plays, under the name staff see, or where they come from."""
    if shown.entry is None:
        return format_html('<span class="tbd">{}</span>', side_text(shown))
    return person(shown.entry.staff_name)


def both_sides(a: Seat, b: Seat) -> SafeString:
    """The two who play."""
    return format_html("{} – {}", staff_side(a), staff_side(b))


def place_in_stage(round_: StoredNote, number: int) -> str:
    """Which match it is: "Quarter-finals, match 3"."""
    return _("{round}, match {n}").format(round=round_name(round_), n=number)


_WAITS: Final[Mapping[str, Lazy]] = {
    "held": gettext_lazy("Held"),
    "playing": gettext_lazy("One of them plays at table {n}"),
    "rest": gettext_lazy("They rest"),
    "fixed": gettext_lazy("Waits for its time"),
    "later": gettext_lazy("The tournament begins later"),
    "table": gettext_lazy("Waits for a table"),
}


def waits_text(why: str, *, table: int | None = None) -> SafeString:
    """What a match waits for that has no table yet."""
    return format_html(str(_WAITS[why]), n=table)
