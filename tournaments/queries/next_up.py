"""What is to be played next, as the plan has it: for a player's own page, the hall screen and the referee."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import Exists, F, OuterRef, Q, QuerySet

from tournaments.engine.notes import Note
from tournaments.engine.scheduling import State
from tournaments.models import Entry, Pairing, Slot, Stage, Table, TableUse
from tournaments.queries.coming import is_called
from tournaments.queries.hall import OPEN
from tournaments.queries.stages import round_names

CALLED_FOR = timedelta(minutes=10)
"""Who was called longer ago and was not missed plays: most tables are played at without a word to anybody."""


@dataclass(frozen=True, slots=True)
class Side:
    """Who plays on one side: `entry`; else whoever comes of the match of two, `of`, where those are known.

    `place` is the match they come from, (round, number), and `loser` says that it is its loser who does.
    """

    entry: Entry | None
    of: tuple[Entry, ...] = ()
    place: tuple[int, int] | None = None
    loser: bool = False


@dataclass(frozen=True, slots=True)
class NextMatch:
    """A match that is to be played: when and where it is, as far as the plan knows.

    The slot says whether the time was told to people (`has_time`) or is only expected, and the same of its table.
    """

    slot: Slot
    a: Side
    b: Side

    def opponent_of(self, entry_id: int) -> Side:
        return self.b if self.slot.a_id == entry_id else self.a

    def opponent_from(self, place: tuple[int, int]) -> Side:
        """Whom somebody meets who comes here from the match at `place`."""
        return self.b if self.a.place == place else self.a


def _waiting() -> QuerySet[Slot]:
    """Slots of matches that are not called yet, the soonest first."""
    found = Slot.objects.filter(dropped_at=None, state=State.WAITING).select_related("a", "b")
    return found.order_by(F("starts_at").asc(nulls_last=True), "round", "number", "pk")


def next_of(*, stage: Stage, entry_id: int) -> NextMatch | None:
    """The next match of an entry that has a time or is held; None where nothing is planned. At most two queries."""
    mine = _waiting().filter(Q(a=entry_id) | Q(b=entry_id), stage=stage)
    slot = mine.filter(Q(starts_at__isnull=False) | Q(held_since__isnull=False)).first()
    return None if slot is None else _with_sides([slot])[0]


def next_of_each(*, entries: Iterable[int]) -> dict[int, NextMatch]:
    """By entry its next match that has a time, for those that have one. At most two queries."""
    ids = set(entries)
    mine = _waiting().filter(Q(a__in=ids) | Q(b__in=ids), starts_at__isnull=False) if ids else ()
    found: dict[int, NextMatch] = {}
    for each in _with_sides(list(mine)):
        for entry in {each.slot.a_id, each.slot.b_id} & ids:
            if entry is not None:
                found.setdefault(entry, each)
    return found


def called_tables(*, entries: Iterable[int]) -> dict[int, int]:
    """By entry the table it is called to, for those that are. One query."""
    ids = set(entries)
    open_now = Pairing.objects.filter(OPEN, Q(a__in=ids) | Q(b__in=ids), called_at__isnull=False, began_at=None)
    rows = open_now.filter(table__isnull=False).order_by("pk").values_list("a", "b", "table") if ids else ()
    return {entry: table for a, b, table in rows for entry in (a, b) if entry in ids and table is not None}


def after_match(*, stage: Stage, place: tuple[int, int]) -> dict[str, NextMatch]:
    """The matches a bracket sends the two of this one to: by "winner" and "loser". At most two queries."""
    feeds = {which: [*place, which] for which in ("winner", "loser")}
    near = Q()
    for feed in feeds.values():
        near |= Q(from_a=feed) | Q(from_b=feed)
    found = {}
    for each in _with_sides(list(_waiting().filter(near, stage=stage, starts_at__isnull=False))):
        for which, feed in feeds.items():
            if feed in (each.slot.from_a, each.slot.from_b):
                found[which] = each
    return found


def next_round(*, stage: Stage) -> Slot | None:
    """The first match of a round nobody is paired in yet: when that round begins. One query."""
    return _waiting().filter(stage=stage, a=None, b=None, starts_at__isnull=False).first()


def round_to_begin(*, stage: Stage, now: datetime) -> Slot | None:
    """The match a round begins with, while all that is not over begins later; None where it has no time. One query."""
    ahead = Slot.objects.filter(stage=stage, dropped_at=None, starts_at__isnull=False).exclude(state=State.OVER)
    first = ahead.order_by("starts_at", "round", "number").first()
    return first if first is not None and first.starts_at is not None and first.starts_at > now else None


def next_matches(*, stages: Iterable[int], tables: Iterable[int] = (), most: int) -> list[NextMatch]:
    """The matches of these stages that are to be called next, at `tables` where any are given. At most two queries.

    The plan may be a moment behind: what is called by now is none of them.
    """
    same = {"round__stage": OuterRef("stage"), "round__number": OuterRef("round"), "number": OuterRef("number")}
    called = Pairing.objects.filter(**same, called_at__isnull=False, table__isnull=False)
    soon = _waiting().filter(~Exists(called), stage__in=list(stages), starts_at__isnull=False, held_since=None)
    numbers = list(tables)
    if numbers:
        soon = soon.filter(table__in=numbers)
    return _with_sides(list(soon.select_related("stage__tournament")[:most]))


def _with_sides(slots: Sequence[Slot]) -> list[NextMatch]:
    feeds = {(slot.stage_id, *feed[:2]) for slot in slots for feed in (slot.from_a, slot.from_b) if feed}
    near = Q()
    for stage, number, place in feeds:
        near |= Q(stage=stage, round=number, number=place)
    found = Slot.objects.filter(near).select_related("a", "b") if feeds else ()
    known = {(each.stage_id, each.round, each.number): each for each in found}

    def side(slot: Slot, entry: Entry | None, feed: list[int | str] | None) -> Side:
        if not feed:
            return Side(entry)
        number, place, which = int(feed[0]), int(feed[1]), feed[2]
        if entry is not None:
            return Side(entry, (), (number, place), which == "loser")
        other = known.get((slot.stage_id, number, place))
        both = () if other is None or other.a is None or other.b is None else (other.a, other.b)
        return Side(None, both, (number, place), which == "loser")

    return [NextMatch(slot, side(slot, slot.a, slot.from_a), side(slot, slot.b, slot.from_b)) for slot in slots]


def names_of_rounds(*, stage: Stage, numbers: Iterable[int]) -> dict[int, Note]:
    """What rounds are called that are not out yet."""
    return round_names(stage=stage, numbers=set(numbers))


# --- What is called and what is played now.


@dataclass(frozen=True, slots=True)
class Tables:
    """The open matches of a tournament that have a table: those called a moment ago, the newest first, and the rest."""

    called: tuple[Pairing, ...]
    playing: tuple[Pairing, ...]


def at_tables(*, stage: Stage, now: datetime, most_called: int) -> Tables:
    """Who is called now and who plays, by table. One query."""
    found = Pairing.objects.filter(OPEN, round__stage=stage, table__isnull=False).select_related("a", "b", "match")
    rows = list(found.order_by("table", "round__number", "number"))
    new = [each for each in rows if _is_just_called(each, now)]
    new.sort(key=lambda each: each.called_at or now, reverse=True)
    called = new[:most_called]
    return Tables(tuple(called), tuple(each for each in rows if each not in called))


def _is_just_called(pairing: Pairing, now: datetime) -> bool:
    if not is_called(pairing) or pairing.called_at is None:
        return False
    both_are_here = pairing.here_a_at is not None and pairing.here_b_at is not None
    return not both_are_here and now - pairing.called_at < CALLED_FOR


def free_tables(*, event_id: int, among: Iterable[int] = ()) -> list[int]:
    """Tables that stand, are in order and have no match, the lowest first; of `among` where any are given."""
    wanted = set(among)
    busy = set(TableUse.objects.filter(event=event_id).values_list("number", flat=True))
    standing = Table.objects.filter(event=event_id, out_since=None).order_by("number").values_list("number", flat=True)
    return [number for number in standing if number not in busy and (not wanted or number in wanted)]
