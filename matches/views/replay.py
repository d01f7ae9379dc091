"""What the template of a replay shows: the table at one position, the moves around it, and why a policy made one."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from matches.queries.replays import Replay
from matches.views.table import side_context
from matches.words import match_text, set_text, step_text, why_text
from players.words import person


@dataclass(frozen=True, slots=True)
class Line:
    """One move in the list: its position, what it was, and whether the table shows it."""

    at: int
    text: SafeString
    is_here: bool


@dataclass(frozen=True, slots=True)
class SetLines:
    """The moves of one set and, once it is over, how it ended."""

    number: int
    lines: tuple[Line, ...]
    ended: SafeString | str
    has_here: bool


@dataclass(frozen=True, slots=True)
class ReplayPage:
    """A replay for `matches/_replay.html`. `back` and `on` are positions to go to, None at the ends."""

    headline: SafeString | str
    boards: tuple[dict[str, Any], ...]
    hands: tuple[tuple[str, ...] | None, ...]
    sets: tuple[SetLines, ...]
    why: str
    outcome: SafeString
    at: int
    last: int
    back: int | None
    on: int | None


def replay_page(replay: Replay, called: tuple[object, object]) -> ReplayPage:
    """The replay in words. `called` are the two names by seat, as their reader may see them, not escaped yet."""
    names = (person(called[0]), person(called[1]))
    step, table = replay.step, replay.table
    lines = [
        (each.set_number, Line(each.number, step_text(each.move, each.after, names), each.number == replay.at))
        for each in replay.steps
    ]
    results = replay.steps[-1].after.results if replay.steps else ()

    def sets() -> Iterator[SetLines]:
        for number, group in groupby(lines, key=lambda pair: pair[0]):
            told = tuple(line for _number, line in group)
            ended: SafeString | str = ""
            if not number:
                ended = _("Before the first card")
            elif number <= len(results):
                ended = set_text(results[number - 1], number, names, None)
            yield SetLines(number, told, ended, any(line.is_here for line in told))

    return ReplayPage(
        headline=step_text(step.move, step.after, names) if step else _("Before the first card"),
        boards=tuple(side_context(table, seat, called[seat], begun=bool(replay.at)) for seat in (0, 1)),
        hands=tuple(side.hand for side in table.sides),
        sets=tuple(sets()),
        why=why_text(replay.why.code, replay.why.chances) if replay.why else "",
        outcome=match_text(table, names),
        at=replay.at,
        last=replay.last,
        back=replay.at - 1 if replay.at else None,
        on=replay.at + 1 if replay.at < replay.last else None,
    )
