"""What would be wrong with a place said by hand: against everything that is planned, called or being played."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime
from typing import Any

from django.utils.timezone import localtime

from tournaments.engine import scheduling
from tournaments.engine.scheduling import Assignment, Clash, Plan, State
from tournaments.models import Break, Entry, Event, StaffLink, Tournament
from tournaments.queries.plan_facts import PlanFacts
from tournaments.queries.schedule import ScheduleRow, rows_of

Found = dict[str, Any]
"""One thing that is wrong: `code` (one of CLASHES), `other` (the other match as `match_facts` has it, or None),
`is_later` (that one comes after), `moves` (it is only planned, and gives way), `who` (a name, a table's number or a
break's name; "" for none)."""

_OF_FEEDS = frozenset({"before_feed", "feed_unrested"})
_OF_TABLES = frozenset({"table_out", "table_closed", "table_unfit"})


def clashes_of(*, facts: PlanFacts, key: str, start: int | None, table: str | None) -> tuple[Clash, ...]:
    """What is wrong with a match there and then; () where nothing is. KeyError for a match that is not planned.

    Without a start it is asked where the plan would put it at that table, so that only the table can be wrong.
    """
    matches = {match.key: match for match in facts.matches}
    free = replace(matches[key], start=None, table=None, held=False)
    said = replace(free, start=start, table=table)
    others = [match for match in facts.matches if match.key != key]
    base = scheduling.plan(matches=[*others, free if start is not None else said], hall=facts.hall, now=facts.now)
    begins = _start(base, key, facts.now) if start is None else start
    own = Assignment(match=key, table=table, start=begins, end=begins + said.length, players=said.players)
    places = [*(each for each in base.assignments if each.match != key), own]
    found = scheduling.clashes(matches=[*others, said], hall=facts.hall, places=places, moved=key)
    return tuple(clash for clash in found if start is not None or clash.code in _OF_TABLES)


def _start(base: Plan, key: str, now: int) -> int:
    place = base.get(key)
    return now if place is None else place.start


def promised_clashes(*, event: Event, facts: PlanFacts, keys: Iterable[str]) -> dict[str, list[Found]]:
    """By key what is wrong with places that were said by hand and that the plan could not keep: those alone can be.

    `keys` are matches of the facts that wait.
    """
    wanted = set(keys)
    if not wanted:
        return {}
    base = scheduling.plan(matches=facts.matches, hall=facts.hall, now=facts.now)
    found = {}
    for match in facts.matches:
        if match.key not in wanted or (match.start is None and match.table is None):
            continue
        place = base.get(match.key)
        begins = match.start if match.start is not None else facts.now if place is None else place.start
        own = Assignment(match=match.key, table=match.table, start=begins, end=begins + match.length)
        places = [*(each for each in base.assignments if each.match != match.key), own]
        wrong = scheduling.clashes(matches=facts.matches, hall=facts.hall, places=places, moved=match.key)
        if match.start is None:
            wrong = tuple(clash for clash in wrong if clash.code in _OF_TABLES)
        told = told_clashes(event=event, facts=facts, key=match.key, clashes=wrong)
        if stays := [clash for clash in told if not clash["moves"]]:
            found[match.key] = stays
    return found


def told_clashes(*, event: Event, facts: PlanFacts, key: str, clashes: Iterable[Clash]) -> list[Found]:
    """Clashes of one match with what they speak of by name, each only once.

    A match that is only planned gives its table away and waits for those that feed it: that is none.
    """
    free = {match.key for match in facts.matches if match.state is State.WAITING and match.start is None}
    found = {(clash.code, _other(clash, key), clash.who): clash for clash in clashes if not _follows(clash, key, free)}
    if not found:
        return []
    others = _rows(facts, event, {other for _code, other, _who in found if other})
    names = _names(event, {(_kind(clash), clash.who) for clash in found.values()})
    return [
        {
            "code": clash.code,
            "other": match_facts(others[other], event) if other in others else None,
            "is_later": clash.other == key,
            "moves": other in free and clash.code not in _OF_FEEDS,
            "who": names.get((_kind(clash), clash.who), clash.who),
        }
        for (_code, other, _who), clash in found.items()
        if not other or other in others
    ]


def _follows(clash: Clash, key: str, free: set[str]) -> bool:
    """Whether the plan clears this away by itself."""
    if _other(clash, key) not in free:
        return False
    return clash.code == "table_twice" or (clash.code in _OF_FEEDS and clash.other == key)


def _other(clash: Clash, key: str) -> str:
    return clash.other if clash.match == key else clash.match


def _kind(clash: Clash) -> str:
    """What `who` of a clash is the key of: player, referee, break; else "" (a table, or nothing)."""
    if clash.code == "in_break":
        return "break"
    kind = clash.code.partition("_")[0]
    return kind if kind in ("player", "referee") else ""


def _rows(facts: PlanFacts, event: Event, keys: set[str]) -> dict[str, ScheduleRow]:
    """The rows of matches, by their keys."""
    places = {facts.places[key]: key for key in keys}
    stages = {stage for stage, _round, _number in places}
    tournaments = Tournament.objects.filter(event=event, stages__in=stages).distinct()
    rows = rows_of(tournaments=list(tournaments)) if places else []
    return {key: row for row in rows if (key := places.get((row.stage, row.round, row.number))) is not None}


def match_facts(row: ScheduleRow, event: Event) -> Found:
    """A match as sentences speak of it (`words.plan.match_text`): plain texts and numbers.

    Times are by the clocks of the venue with their offset, ISO 8601, rounded where they are only expected.
    """
    sides = [None if side.entry is None else side.entry.staff_name for side in row.sides]
    return {
        "slot": row.pk,
        "sides": sides,
        "round": [row.name.code, dict(row.name.params)],
        "number": row.label or row.number,
        "table": row.table,
        "starts_at": None if row.starts_at is None else there(row.starts_at, event),
        "is_said": row.is_sure,
    }


def there(instant: datetime, event: Event) -> str:
    """An instant by the clocks of the venue with their offset."""
    return localtime(instant, event.tzinfo).isoformat(timespec="minutes")


def _names(event: Event, asked: set[tuple[str, str]]) -> dict[tuple[str, str], str]:
    """What players, breaks and referees are called, by what they are and their keys."""
    kinds = {kind: [int(who) for each, who in asked if each == kind and who.isdigit()] for kind, _who in asked}
    found: dict[tuple[str, str], str] = {}
    for entry in Entry.objects.filter(tournament__event=event, player__in=kinds.get("player", ())):
        found["player", str(entry.player_id)] = entry.staff_name
    for row in Break.objects.filter(event=event, pk__in=kinds.get("break", ())):
        found["break", str(row.pk)] = row.name
    for link in StaffLink.objects.filter(event=event, pk__in=kinds.get("referee", ())):
        found["referee", str(link.pk)] = link.name
    return found
