"""The clock of a round as pages show it: until when, what is left, and what happens at its end."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.utils import timezone
from django.utils.timezone import localtime

from players.permissions import Actor, Refused
from tournaments.actions import clocks as actions
from tournaments.engine.clocks import Clock, clock_text, ends_at, time_left
from tournaments.forms.clocks import STEP, ClockForm, ExtraTimeForm
from tournaments.models import Pairing, Round, Tournament
from tournaments.queries.public import PublicStage, open_matches
from tournaments.queries.rounds import RoundRow
from tournaments.words.labels import AT_TIME
from tournaments.words.reasons import round_name


@dataclass(frozen=True, slots=True)
class ShownClock:
    """A clock at one moment. `until` is None while it stands, and `at` is that by the hall's clock: "14:50"; `left` is
    what it shows: "38:42", "+2:10" after its end.

    `rule` and `rule_help` say what happens at the end; `extra` are the tables that have more time, each with its own
    end; `minutes` what this one table has more.
    """

    name: str
    until: datetime | None
    at: str
    paused_at: datetime | None
    left: str
    is_over: bool
    rule: str
    rule_help: str
    extra: tuple[tuple[int | None, int, datetime | None], ...] = ()
    minutes: int = 0


def shown_clock(
    clock: Clock,
    *,
    tournament: Tournament,
    name: str,
    seconds: int = 0,
    extra: Iterable[tuple[int | None, int]] = (),
) -> ShownClock:
    """The clock as it is now, for a table with so many `seconds` more. `extra` are tables and their seconds."""
    left = time_left(clock, now=timezone.now(), extra=seconds)
    rule = AT_TIME[tournament.at_time]
    until = ends_at(clock, extra=seconds)
    return ShownClock(
        name=name,
        until=until,
        at=f"{localtime(until, tournament.event.tzinfo):%H:%M}" if until is not None else "",
        paused_at=clock.paused_at,
        left=clock_text(left),
        is_over=left <= 0,
        rule=str(rule.text),
        rule_help=str(rule.help),
        extra=tuple((table, more // 60, ends_at(clock, extra=more)) for table, more in extra),
        minutes=seconds // 60,
    )


def round_clock(public: PublicStage, round_: RoundRow | None) -> ShownClock | None:
    """The clock of a round for everybody; None where it has none, or all its results are in."""
    if round_ is None or round_.clock is None or not (waiting := open_matches(round_)):
        return None
    extra = [(pairing.table, pairing.extra_seconds) for pairing in waiting if pairing.extra_seconds]
    name = round_name(public.name_of(round_.number))
    return shown_clock(round_.clock, tournament=public.tournament, name=name, extra=extra)


def table_clock(pairing: Pairing, *, name: str, tournament: Tournament) -> ShownClock | None:
    """The clock of one table, with what it has more; None until it is started."""
    clock = getattr(pairing.round, "clock", None)
    if clock is None:
        return None
    return shown_clock(clock.as_clock, tournament=tournament, name=name, seconds=pairing.extra_seconds)


# --- Whoever may run it.


def press(said: Any, *, tournament: Tournament, by: Actor) -> object:
    """What was pressed beside a clock of this tournament is done. `Refused` where it was not: round_unknown (404) where
    the round is another tournament's, else as the actions say.
    """
    form = ClockForm(said)
    if not form.is_valid():
        return Refused("changed_meanwhile")
    asked, now = form.cleaned_data, timezone.now()
    if not Round.objects.filter(pk=asked["round"], stage__tournament=tournament).exists():
        return Refused("round_unknown", status=404)
    if asked["act"] == "extend":
        seen = asked["version"] or 0
        return actions.extend_clock(round_id=asked["round"], minutes=STEP, expected_version=seen, by=by, now=now)
    act = {
        "start": actions.start_clock,
        "pause": actions.pause_clock,
        "resume": actions.resume_clock,
        "reset": actions.reset_clock,
    }[asked["act"]]
    return act(round_id=asked["round"], by=by, now=now)


@dataclass(frozen=True, slots=True)
class ClockDesk:
    """The clock of one round for whoever may start it: `shown` is None until then.

    `to` is where a press is sent, `version` that of the clock, `step` the minutes a press gives.
    """

    tournament: Tournament
    round_id: int
    name: str
    shown: ShownClock | None
    version: int
    to: str
    step: int = STEP


def clock_desks(
    pairings: Iterable[Pairing], *, tournament: Tournament, names: dict[int, str], to: str
) -> list[ClockDesk]:
    """A clock for each round that is played: those that run, and the earliest one, to be started.

    `pairings` wait for their result, in the order of their rounds; `names` are those of the rounds, by number.
    """
    rounds: dict[int, Round] = {}
    extra: dict[int, list[tuple[int | None, int]]] = {}
    for pairing in pairings:
        rounds.setdefault(pairing.round_id, pairing.round)
        if pairing.extra_seconds:
            extra.setdefault(pairing.round_id, []).append((pairing.table, pairing.extra_seconds))
    found = []
    for place, (pk, round_) in enumerate(rounds.items()):
        clock = getattr(round_, "clock", None)
        if clock is None and (place or tournament.round_minutes is None):
            continue
        name = names[round_.number]
        shown = clock and shown_clock(clock.as_clock, tournament=tournament, name=name, extra=extra.get(pk, ()))
        found.append(ClockDesk(tournament, pk, name, shown, clock.version if clock else 0, to))
    return found


def time_at_table(
    pairing: Pairing, *, tournament: Tournament, name: str, to: str, form: ExtraTimeForm | None = None
) -> dict[str, Any]:
    """What the page of an open match has of time: its clock, and the form for extra time; empty where there is none."""
    clock = table_clock(pairing, name=name, tournament=tournament)
    if pairing.match is None or not pairing.match.is_open or (clock is None and tournament.round_minutes is None):
        return {}
    form = form or ExtraTimeForm(seconds=pairing.extra_seconds, match=pairing.match.pk)
    return {"clock": clock, "time": form, "time_to": to}
