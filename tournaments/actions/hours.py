"""When the hall is open, when nobody plays, and when rounds begin, as an organiser sets it.

The plan follows: whatever is changed here, it is asked for anew. Times are kept to the minute.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

from django.db import transaction

from players.actions import record_act
from players.engine import clean_name
from players.permissions import Actor, Refused
from tournaments.actions.expected import expect_players
from tournaments.actions.plans import ask_for_plan
from tournaments.actions.tables import hold_hall
from tournaments.engine.formats import get_format
from tournaments.models import Break, Event, Opening, RoundTime, Stage
from tournaments.queries.hours import has_round, played_rounds

_DAY = timedelta(days=1)


# --- When the hall is open.


@transaction.atomic
def open_hall(*, event_id: int, opens_at: datetime, closes_at: datetime, by: Actor, now: datetime) -> Opening | Refused:
    """The hall is open from one instant to another, also beyond midnight. Without any opening it never closes.

    Refusals: ends_before_it_begins, longer_than_a_day, outside_the_event (first, last), open_already (opens_at,
    closes_at).
    """
    event = hold_hall(event_id=event_id)
    opening = Opening(event=event, opens_at=_minute(opens_at), closes_at=_minute(closes_at))
    refusal = _refuse_opening(event, opening)
    if refusal is not None:
        return refusal
    opening.save()
    _finish("open_hall", f"opening/{opening.pk}", event, by, now, after=_hours(event, opening))
    return opening


@transaction.atomic
def change_opening(
    *, opening_id: int, opens_at: datetime, closes_at: datetime, by: Actor, now: datetime
) -> Opening | Refused:
    """Other hours for an opening. Refusals: opening_unknown (404), and those of `open_hall`."""
    opening = _hold_opening(opening_id)
    if isinstance(opening, Refused):
        return opening
    event = opening.event
    before = _hours(event, opening)
    opening.opens_at, opening.closes_at = _minute(opens_at), _minute(closes_at)
    if _hours(event, opening) == before:
        return opening
    refusal = _refuse_opening(event, opening)
    if refusal is not None:
        return refusal
    opening.save(update_fields=["opens_at", "closes_at"])
    _finish("change_opening", f"opening/{opening.pk}", event, by, now, before=before, after=_hours(event, opening))
    return opening


@transaction.atomic
def remove_opening(*, opening_id: int, by: Actor, now: datetime) -> Refused | None:
    """The hall is not open then. Refusals: opening_unknown (404)."""
    opening = _hold_opening(opening_id)
    if isinstance(opening, Refused):
        return opening
    event = opening.event
    _finish("remove_opening", f"opening/{opening.pk}", event, by, now, before=_hours(event, opening))
    opening.delete()
    return None


def _hold_opening(opening_id: int) -> Opening | Refused:
    event_id = Opening.objects.filter(pk=opening_id).values_list("event", flat=True).first()
    if event_id is not None:
        hold_hall(event_id=event_id)
    found = Opening.objects.select_related("event").filter(pk=opening_id).first()
    return found or Refused("opening_unknown", {"opening": opening_id}, status=404)


def _refuse_opening(event: Event, opening: Opening) -> Refused | None:
    """Why the hall cannot be open then. One that begins where another ends goes on from it."""
    refusal = _refuse_span(event, opening.opens_at, opening.closes_at)
    if refusal is not None:
        return refusal
    others = Opening.objects.filter(event=event, opens_at__lt=opening.closes_at, closes_at__gt=opening.opens_at)
    other = others.exclude(pk=opening.pk).order_by("opens_at").first()
    return None if other is None else Refused("open_already", _hours(event, other))


# --- Breaks.


@transaction.atomic
def add_break(
    *,
    event_id: int,
    tournament_id: int | None = None,
    name: str = "",
    starts_at: datetime,
    ends_at: datetime,
    by: Actor,
    now: datetime,
) -> Break | Refused:
    """Nobody plays then, in one tournament or (None) in all of the event.

    Refusals: tournament_unknown (404), ends_before_it_begins, longer_than_a_day, outside_the_event (first, last),
    break_there.
    """
    event = hold_hall(event_id=event_id)
    pause = Break(event=event)
    refusal = _set_break(event, pause, tournament_id, name, starts_at, ends_at)
    if refusal is not None:
        return refusal
    pause.save()
    _finish_break("add_break", pause, by, now, after=_facts(pause))
    return pause


@transaction.atomic
def change_break(
    *,
    break_id: int,
    tournament_id: int | None = None,
    name: str = "",
    starts_at: datetime,
    ends_at: datetime,
    by: Actor,
    now: datetime,
) -> Break | Refused:
    """Another time, name or tournament for a break. Refusals: break_unknown (404), and those of `add_break`."""
    pause = _hold_break(break_id)
    if isinstance(pause, Refused):
        return pause
    before = _facts(pause)
    refusal = _set_break(pause.event, pause, tournament_id, name, starts_at, ends_at, before=before)
    if refusal is not None:
        return refusal
    if _facts(pause) == before:
        return pause
    pause.save(update_fields=["tournament", "name", "starts_at", "ends_at"])
    _finish_break("change_break", pause, by, now, before=before, after=_facts(pause))
    return pause


@transaction.atomic
def remove_break(*, break_id: int, by: Actor, now: datetime) -> Refused | None:
    """A break is none any more. Refusals: break_unknown (404)."""
    pause = _hold_break(break_id)
    if isinstance(pause, Refused):
        return pause
    _finish_break("remove_break", pause, by, now, before=_facts(pause))
    pause.delete()
    return None


def _hold_break(break_id: int) -> Break | Refused:
    event_id = Break.objects.filter(pk=break_id).values_list("event", flat=True).first()
    if event_id is not None:
        hold_hall(event_id=event_id)
    found = Break.objects.select_related("event", "tournament").filter(pk=break_id).first()
    return found or Refused("break_unknown", {"break": break_id}, status=404)


def _set_break(
    event: Event,
    pause: Break,
    tournament_id: int | None,
    name: str,
    starts_at: datetime,
    ends_at: datetime,
    *,
    before: Mapping[str, Any] | None = None,
) -> Refused | None:
    """Put the facts to a break, unless they cannot be. A shift may have moved one out of the days: it can keep that."""
    tournament = None if tournament_id is None else event.tournaments.filter(pk=tournament_id).first()
    if tournament_id is not None and tournament is None:
        return Refused("tournament_unknown", status=404)
    pause.tournament, pause.name = tournament, clean_name(name)
    pause.starts_at, pause.ends_at = _minute(starts_at), _minute(ends_at)
    told = _facts(pause)
    if before is not None and all(before[key] == told[key] for key in ("starts_at", "ends_at")):
        return None
    refusal = _refuse_span(event, pause.starts_at, pause.ends_at)
    if refusal is not None:
        return refusal
    same = Break.objects.filter(
        event=event, tournament=tournament, starts_at=pause.starts_at, ends_at=pause.ends_at
    ).exclude(pk=pause.pk)
    return Refused("break_there") if same.exists() else None


def _facts(pause: Break) -> dict[str, Any]:
    return {
        "name": pause.name,
        "tournament": pause.tournament_id,
        "starts_at": _wall(pause.event, pause.starts_at),
        "ends_at": _wall(pause.event, pause.ends_at),
    }


def _finish_break(verb: str, pause: Break, by: Actor, now: datetime, **facts: dict[str, Any]) -> None:
    _finish(verb, f"break/{pause.pk}", pause.event, by, now, tournament=pause.tournament_id, **facts)


# --- Rounds.


@transaction.atomic
def set_round_times(
    *, stage_id: int, times: Mapping[int, datetime | None], by: Actor, now: datetime
) -> dict[int, datetime] | Refused:
    """Say when rounds are to begin, paired or not; None: when the one before is over. Rounds not named stay.

    The answer is every time of the stage by the number of the round. Where two rounds may be played side by side (in a
    bracket) they may begin together.
    Refusals: tournament_unknown (404), round_unknown (round, 404), round_is_played (round), outside_the_event (first,
    last), round_begins_too_early (round, other): rounds begin one after the other.
    """
    held = Stage.objects.select_for_update(no_key=True).filter(pk=stage_id).first()
    if held is None:
        return Refused("tournament_unknown", status=404)
    event = hold_hall(event_id=held.tournament.event_id)
    stage = Stage.objects.select_related("tournament__event").get(pk=stage_id)
    before = dict(stage.round_times.values_list("number", "starts_at"))
    wanted = {number: None if at is None else _minute(at) for number, at in times.items()}
    changed = {number: at for number, at in wanted.items() if at != before.get(number)}
    if not changed:
        return before
    played = played_rounds(stage=stage)
    for number, at in sorted(changed.items()):
        if at is not None and not has_round(stage=stage, number=number):
            return Refused("round_unknown", {"round": number}, status=404)
        if number in played:
            return Refused("round_is_played", {"round": number})
        if at is not None and not _is_within(event, at):
            return _outside(event)
    after = {number: at for number, at in (before | changed).items() if at is not None}
    refusal = refuse_order(after, stage=stage)
    if refusal is not None:
        return refusal
    gone = [number for number, at in changed.items() if at is None]
    RoundTime.objects.filter(stage=stage, number__in=gone).delete()
    for number in sorted(changed.keys() - set(gone)):
        RoundTime.objects.update_or_create(stage=stage, number=number, defaults={"starts_at": after[number]})
    expect_players(stage=stage, now=now)
    _finish(
        "set_round_times",
        f"tournament/{stage.tournament_id}",
        event,
        by,
        now,
        tournament=stage.tournament_id,
        before={"times": {str(number): _wall(event, before.get(number)) for number in sorted(changed)}},
        after={"times": {str(number): _wall(event, at) for number, at in sorted(changed.items())}},
    )
    return dict(sorted(after.items()))


def refuse_order(times: Mapping[int, datetime], *, stage: Stage) -> Refused | None:
    """Why rounds cannot begin like that: each begins after the one before, in a bracket at the same time at most."""
    side_by_side = get_format(stage.format).has_bracket
    earlier: tuple[int, datetime] | None = None
    for number, at in sorted(times.items()):
        if earlier is not None and (at < earlier[1] or (at == earlier[1] and not side_by_side)):
            return Refused("round_begins_too_early", {"round": number, "other": earlier[0]})
        earlier = number, at
    return None


# --- What all of them have in common.


def _minute(at: datetime) -> datetime:
    return at.replace(second=0, microsecond=0)


def _refuse_span(event: Event, starts_at: datetime, ends_at: datetime) -> Refused | None:
    """Why something cannot last from one instant to another."""
    if ends_at <= starts_at:
        return Refused("ends_before_it_begins", status=400)
    starts, ends = (at.astimezone(event.tzinfo).replace(tzinfo=None) for at in (starts_at, ends_at))
    if ends - starts > _DAY:  # by the clocks of the venue: the night they go back is as long as any
        return Refused("longer_than_a_day", status=400)
    return None if _is_within(event, starts_at) else _outside(event)


def _is_within(event: Event, at: datetime) -> bool:
    """Whether something may begin then: on a day of the event, or in the night after its last."""
    return event.starts_on <= at.astimezone(event.tzinfo).date() <= event.ends_on + _DAY


def _outside(event: Event) -> Refused:
    days = {"first": event.starts_on.isoformat(), "last": event.ends_on.isoformat()}
    return Refused("outside_the_event", days, status=400)


def _wall(event: Event, at: datetime | None) -> str | None:
    """An instant as it is told: by the clocks of the venue, with their offset."""
    return None if at is None else at.astimezone(event.tzinfo).isoformat()


def _hours(event: Event, opening: Opening) -> dict[str, Any]:
    return {"opens_at": _wall(event, opening.opens_at), "closes_at": _wall(event, opening.closes_at)}


def _finish(
    verb: str,
    target: str,
    event: Event,
    by: Actor,
    now: datetime,
    *,
    tournament: int | None = None,
    before: dict[str, Any] | None = None,
    after: dict[str, Any] | None = None,
) -> None:
    record_act(
        verb=verb,
        target=target,
        by=by,
        now=now,
        event=event.pk,
        tournament=tournament,
        before=before,
        after=after,
    )
    ask_for_plan(event_id=event.pk)
