"""Halls in a few words, and the tournaments a planner is measured by: matches take a slot, players rest for one."""

from __future__ import annotations

from dataclasses import replace

from tournaments.engine.formats import get_format
from tournaments.engine.scheduling import Fixtures, Hall, Match, Plan, Table
from tournaments.engine.snapshot import Entry, Snapshot

MINUTE = 60


def at(clock: str) -> int:
    """Seconds from midnight."""
    hours, minutes = clock.split(":")
    return int(hours) * 3600 + int(minutes) * MINUTE


def clock(seconds: int) -> str:
    return f"{seconds // 3600}:{seconds % 3600 // MINUTE:02}"


def match(key: str, players: str = "", *, minutes: int = 30, **more: object) -> Match:
    """`match("1", "Ann Bob")`."""
    return Match(key=key, length=minutes * MINUTE, players=tuple(players.split()), **more)  # type: ignore[arg-type]


def tables(*keys: str) -> tuple[Table, ...]:
    return tuple(Table(key=key, order=order) for order, key in enumerate(keys))


def places(found: Plan) -> list[str]:
    """Every place as `match table start`."""
    return [f"{place.match} {place.table} {clock(place.start)}" for place in found.assignments]


SLOT = 1800
SEVEN = {
    "double_64": 30,
    "double_256": 38,
    "single_128": 16,
    "groups_8x4": 6,
    "groups_4x8": 14,
    "groups_2x16": 29,
    "all_32_on_16": 61,
}
"""The slots in which each can be over, and no plan can do it in less."""

TABLES = {"double_64": 8, "double_256": 32, "single_128": 16, "groups_8x4": 8, "groups_4x8": 8, "groups_2x16": 16}
TABLES |= {"all_32_on_16": 16, "all_32_on_8": 8}


def hall_of(name: str, cameras: int = 0) -> Hall:
    """The tables of a case, the first of them with a camera."""
    made = (Table(key=str(n), order=n, tags=frozenset({"camera"} if n < cameras else ())) for n in range(TABLES[name]))
    return Hall(tables=tuple(made), rest=SLOT)


def matches_of(name: str) -> tuple[Match, ...]:
    """The matches of a case; a double elimination with the final that may follow the final."""
    kind, size = name.split("_")[:2]
    if kind == "single":
        return _stage("single_elimination", int(size))
    if kind == "double":
        found = _stage("double_elimination", int(size))
        last = found[-1]
        return (*found, replace(last, key="again", feeds=(last.key,), order=(last.order[0] + 1, 1)))
    groups, each = (1, int(size)) if kind == "all" else map(int, size.split("x"))
    return tuple(match for group in range(groups) for match in _stage("round_robin", each, f"{group}-"))


def with_cameras(matches: tuple[Match, ...]) -> tuple[Match, ...]:
    """The last 15 % must be played before a camera."""
    first = len(matches) - max(1, len(matches) * 15 // 100)
    return tuple(replace(m, tags=frozenset({"camera"})) if at >= first else m for at, m in enumerate(matches))


def _stage(key: str, size: int, prefix: str = "") -> tuple[Match, ...]:
    chosen = get_format(key)
    stage = Snapshot(tuple(Entry(seed, seed) for seed in range(1, size + 1)), options=chosen.Options())
    fixtures = Fixtures(stage=f"{prefix}{key}", length=SLOT, tournament=prefix, person=f"{prefix}{{}}".format)
    return fixtures.of(chosen, stage)
