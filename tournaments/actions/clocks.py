"""The clock of a round: started together for all tables, paused, given more time, and extra time for one table.

The end of the time changes nothing by itself: pages say what the tournament's rule is, people say how a match ended.
"""

from __future__ import annotations

from datetime import datetime, timedelta

from django.db import transaction

from players.actions import record_act
from players.permissions import Actor, Refused
from tournaments.engine.clocks import stood
from tournaments.live import announce, topic_of
from tournaments.models import Pairing, Round, RoundClock, Stage
from tournaments.models.tournament import State
from tournaments.queries.time_over import newly_over
from tournaments.signals import stage_changed

_MOMENT = timedelta(seconds=15)  # a few sweeps: one that is late still finds what came to its end
_MOST_MS = 7 * 86_400_000  # milliseconds of pauses that are kept: a column holds three times as many


@transaction.atomic
def start_clock(*, round_id: int, by: Actor, now: datetime) -> RoundClock | Refused:
    """Start the clock of a published round, as long as the tournament says. Starting twice starts once.

    Refusals: round_unknown, round_not_published, not_running, no_round_time, round_is_played.
    """
    held = _hold(round_id)
    if isinstance(held, Refused):
        return held
    if (running := _clock_of(held)) is not None:
        return running
    minutes = held.stage.tournament.round_minutes
    if minutes is None:
        return Refused("no_round_time")
    if not held.pairings.filter(match__kind="", match__is_void=False).exists():
        return Refused("round_is_played", {"round": held.number})
    clock = RoundClock.objects.create(round=held, seconds=minutes * 60, started_at=now, version=1)
    _finish("start_clock", held, by, now, after={"seconds": clock.seconds})
    return clock


@transaction.atomic
def pause_clock(*, round_id: int, by: Actor, now: datetime) -> RoundClock | Refused:
    """Let the clock stand; again, it stands since the first time.

    Refusals: round_unknown, round_not_published, not_running, clock_not_started.
    """
    found = _hold_clock(round_id)
    if isinstance(found, Refused) or found.paused_at is not None:
        return found
    found.paused_at = now
    return _save("pause_clock", found, by, now)


@transaction.atomic
def resume_clock(*, round_id: int, by: Actor, now: datetime) -> RoundClock | Refused:
    """Let a clock that stands go on; one that runs, runs on. Refusals: as `pause_clock`."""
    found = _hold_clock(round_id)
    if isinstance(found, Refused) or found.paused_at is None:
        return found
    found.paused_ms = max(0, stood(found.as_clock, now=now))
    if found.paused_ms > _MOST_MS:  # forgotten for weeks: as if it had begun so much later
        found.started_at += timedelta(milliseconds=found.paused_ms)
        found.paused_ms = 0
    found.paused_at = None
    return _save("resume_clock", found, by, now)


@transaction.atomic
def extend_clock(
    *, round_id: int, minutes: int, expected_version: int, by: Actor, now: datetime
) -> RoundClock | Refused:
    """Give the whole round so many minutes more, also when its time is over.

    `expected_version` is that of the clock that was seen: pressed twice, or by two at once, it is done once.
    Refusals: as `pause_clock`, and clock_changed.
    """
    found = _hold_clock(round_id)
    if isinstance(found, Refused):
        return found
    if found.version != expected_version:
        return Refused("clock_changed")
    found.seconds += minutes * 60
    return _save("extend_clock", found, by, now, minutes=minutes)


@transaction.atomic
def reset_clock(*, round_id: int, by: Actor, now: datetime) -> Round | Refused:
    """Take the clock away, as if it had never been started. Extra time of tables stays. Twice is once.

    Refusals: round_unknown, round_not_published, not_running.
    """
    held = _hold(round_id)
    if isinstance(held, Refused):
        return held
    clock = _clock_of(held)
    if clock is not None:
        clock.delete()
        _finish("reset_clock", held, by, now, before={"seconds": clock.seconds})
    return held


@transaction.atomic
def give_time(*, match_id: int, seconds: int, by: Actor, now: datetime) -> Pairing | Refused:
    """Say how many seconds the table of an open match has beyond its round; 0 takes them back. Twice is once.

    Refusals: no_open_match, not_running, no_round_time.
    """
    round_id = Pairing.objects.filter(match=match_id).values_list("round", flat=True).first()
    held = _hold(round_id) if round_id is not None else Refused("no_open_match")
    if isinstance(held, Refused):
        return Refused("no_open_match") if held.code in ("round_unknown", "round_not_published") else held
    pairing = held.pairings.select_related("a", "b", "match").filter(match=match_id).first()
    if pairing is None or pairing.match is None or not pairing.match.is_open:
        return Refused("no_open_match")
    if held.stage.tournament.round_minutes is None and _clock_of(held) is None:
        return Refused("no_round_time")
    pairing.round = held
    before = pairing.extra_seconds
    if before == seconds:
        return pairing
    pairing.extra_seconds = seconds
    pairing.save(update_fields=["extra_seconds"])
    _finish(
        "give_time", held, by, now, target=f"match/{match_id}", before={"seconds": before}, after={"seconds": seconds}
    )
    return pairing


def announce_time_over(*, now: datetime) -> None:
    """Tell open pages where the time of a table ended a moment ago: a match may end on time there from now on.

    Safe to run often and twice.
    """
    for tournament_id in newly_over(now=now, within=_MOMENT):
        announce(topic_of(tournament_id), f"time-{now:%H%M%S}")


def _hold(round_id: int) -> Round | Refused:
    """Lock a published round of a tournament that is played; what is decided by is read after that."""
    held = Round.objects.select_for_update(no_key=True).filter(pk=round_id).first()
    if held is None:
        return Refused("round_unknown", status=404)
    if held.is_draft:
        return Refused("round_not_published")
    if held.stage.tournament.state != State.RUNNING:
        return Refused("not_running")
    return held


def _clock_of(held: Round) -> RoundClock | None:
    return RoundClock.objects.filter(round=held).first()


def _hold_clock(round_id: int) -> RoundClock | Refused:
    held = _hold(round_id)
    if isinstance(held, Refused):
        return held
    clock = _clock_of(held)
    if clock is None:
        return Refused("clock_not_started")
    clock.round = held
    return clock


def _save(verb: str, clock: RoundClock, by: Actor, now: datetime, **facts: object) -> RoundClock:
    clock.version += 1
    clock.save(update_fields=["seconds", "started_at", "paused_at", "paused_ms", "version"])
    _finish(verb, clock.round, by, now, after={"seconds": clock.seconds, **facts})
    return clock


def _finish(
    verb: str,
    held: Round,
    by: Actor,
    now: datetime,
    *,
    target: str = "",
    before: dict[str, object] | None = None,
    after: dict[str, object] | None = None,
) -> None:
    """One line in the log, and the version of every page that shows the round."""
    tournament = held.stage.tournament
    record_act(
        verb=verb,
        target=target or f"round/{held.pk}",
        by=by,
        now=now,
        event=tournament.event_id,
        tournament=tournament.pk,
        before=before or {},
        after={"round": held.number, **(after or {})},
    )
    stage_changed.send(sender=Stage, stage=held.stage_id, what="clock")
