"""The one act that moves everything planned together, when the day runs late or early.

What has begun or is over keeps its times, and the hall its hours: whoever shifts is told first what then does not fit.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db import models, transaction
from django.db.models import F

from players.actions import record_act
from players.permissions import Actor, Refused
from tournaments.actions.expected import expect_players
from tournaments.actions.hours import refuse_order
from tournaments.actions.plans import ask_for_plan
from tournaments.actions.tables import hold_hall
from tournaments.engine import scheduling
from tournaments.engine.scheduling.hours import tidy
from tournaments.models import Break, Event, RoundTime, Slot, Stage, Tournament
from tournaments.queries.hours import Planned, planned, version_of
from tournaments.queries.plan_facts import PlanFacts, instant, plan_facts
from tournaments.signals import stage_changed

MOST_MINUTES = 24 * 60
"""Nothing is shifted further at once."""

_TIMES: dict[str, tuple[type[models.Model], tuple[str, ...]]] = {
    "round": (RoundTime, ("starts_at",)),
    "break": (Break, ("starts_at", "ends_at")),
    "match": (Slot, ("fixed_at",)),
    "tournament": (Tournament, ("starts_at",)),
}
"""Where the times of each kind of `Planned` are."""


@dataclass(frozen=True, slots=True)
class Shifted:
    """What a shift moved, by kind. `version` stands for the times as they are now, `since` for what was said.

    Shifted by `-minutes` since `back_since` everything is where it was.
    """

    minutes: int
    since: datetime
    rounds: int
    breaks: int
    matches: int
    tournaments: int
    version: str

    @property
    def back_since(self) -> datetime:
        return self.since + timedelta(minutes=self.minutes)


@transaction.atomic
def shift_plan(
    *,
    event_id: int,
    minutes: int,
    since: datetime,
    tournament_id: int | None = None,
    expected: str | None = None,
    accept_late: bool = False,
    by: Actor,
    now: datetime,
) -> Shifted | Refused:
    """Everything planned at `since` or later begins `minutes` later (less than 0: earlier): rounds, breaks, matches
    with a fixed start, tournaments. With `tournament_id` only what is that tournament's alone.

    `expected` are the times that were seen (`version_of`): pressed twice, or by two at once, it is done once.
    Refusals: tournament_unknown (404), shift_too_far (most, 400), plan_changed, nothing_to_shift, shift_overtakes (at):
    something that stays would be passed, round_begins_too_early (round, other), and unless that is accepted
    closes_before_the_end (matches, closes_at): so many lose their place, or fall behind a closing time.
    """
    stages = _hold(event_id)
    event = hold_hall(event_id=event_id)
    if tournament_id is not None and not event.tournaments.filter(pk=tournament_id).exists():
        return Refused("tournament_unknown", status=404)
    if not 0 < abs(minutes) <= MOST_MINUTES:
        return Refused("shift_too_far", {"most": MOST_MINUTES}, status=400)
    everything = planned(event=event, now=now)
    if expected is not None and version_of(everything) != expected:
        return Refused("plan_changed")
    ours = [each for each in everything if tournament_id in (None, _of(each))]
    moving = [each for each in ours if each.at >= since and not each.has_begun]
    if not moving:
        return Refused("nothing_to_shift")
    by_how_much = timedelta(minutes=minutes)
    stays = [each.at for each in ours if each.at < since and not each.has_begun]
    if stays and max(stays) >= since + by_how_much:
        return Refused("shift_overtakes", {"at": max(stays).astimezone(event.tzinfo).isoformat()})
    refusal = _refuse_rounds(moving, everything, by_how_much)
    if refusal is not None:
        return refusal
    refusal = _shift(event, moving, by_how_much, accept_late=accept_late, now=now)
    if refusal is not None:
        return refusal
    counts = Counter(each.kind for each in moving)
    shifted = Shifted(
        minutes=minutes,
        since=since,
        rounds=counts["round"],
        breaks=counts["break"],
        matches=counts["match"],
        tournaments=counts["tournament"],
        version=version_of(planned(event=event, now=now)),
    )
    record_act(
        verb="shift_plan",
        target=f"event/{event_id}" if tournament_id is None else f"tournament/{tournament_id}",
        by=by,
        now=now,
        event=event_id,
        tournament=tournament_id,
        after={"minutes": minutes, "since": since.astimezone(event.tzinfo).isoformat(), **dict(counts)},
    )
    _tell(stages, moving, now)
    ask_for_plan(event_id=event_id)
    return shifted


def _of(each: Planned) -> int | None:
    return None if each.tournament is None else each.tournament.pk


def _hold(event_id: int) -> list[int]:
    """Hold what is moved before the hall, in the order everybody takes them: tournaments with a start, then stages."""
    starting = Tournament.objects.select_for_update(no_key=True).filter(event=event_id, starts_at__isnull=False)
    list(starting.order_by("pk"))
    stages = Stage.objects.select_for_update(no_key=True, of=("self",)).filter(tournament__event=event_id)
    return [stage.pk for stage in stages.order_by("pk")]


def _tell(stages: Iterable[int], moving: Iterable[Planned], now: datetime) -> None:
    """Who is expected at another time is told, and pages that say when a tournament starts follow."""
    starting = {each.pk for each in moving if each.kind == "tournament"}
    for stage in Stage.objects.select_related("tournament").filter(pk__in=list(stages)).order_by("pk"):
        expect_players(stage=stage, now=now)
        if stage.tournament_id in starting:
            stage_changed.send(sender=Stage, stage=stage.pk, what="shift_plan")


def _refuse_rounds(moving: Iterable[Planned], everything: Iterable[Planned], by: timedelta) -> Refused | None:
    """Why the rounds of a stage could not come one after the other any more: some of them have begun and stay."""
    gone = {each.pk for each in moving if each.kind == "round"}
    times: dict[int, dict[int, datetime]] = {}
    for each in everything:
        if each.stage is not None and each.round is not None and each.kind == "round":
            times.setdefault(each.stage, {})[each.round] = each.at + by if each.pk in gone else each.at
    for stage in Stage.objects.select_related("tournament").filter(pk__in=times).order_by("pk"):
        refusal = refuse_order(times[stage.pk], stage=stage)
        if refusal is not None:
            return refusal
    return None


def _shift(
    event: Event, moving: Iterable[Planned], by: timedelta, *, accept_late: bool, now: datetime
) -> Refused | None:
    """Write the times down, unless the plan made of them is refused for its end."""
    before = None if accept_late else _plan(event, now)
    with transaction.atomic():
        for kind, (model, names) in _TIMES.items():
            pks = [each.pk for each in moving if each.kind == kind]
            model._default_manager.filter(pk__in=pks).update(**{name: F(name) + by for name in names})
        if before is None:
            return None
        refusal = _refuse_end(event, before, _plan(event, now))
        if refusal is not None:
            transaction.set_rollback(True)
        return refusal


@dataclass(frozen=True, slots=True)
class _Planned:
    """A plan with what it was made from."""

    facts: PlanFacts
    plan: scheduling.Plan


def _plan(event: Event, now: datetime) -> _Planned:
    facts = plan_facts(event_id=event.pk, now=now)
    return _Planned(facts, scheduling.plan(matches=facts.matches, hall=facts.hall, now=facts.now))


def _refuse_end(event: Event, before: _Planned, after: _Planned) -> Refused | None:
    """What had a place and has none now, or has it only once the hall has closed and opened again."""
    openings = tidy(before.facts.hall.hours)
    starts = [opening.start for opening in openings]
    late: list[int] = []
    for assignment in before.plan.assignments:
        if assignment.state is not scheduling.State.WAITING:
            continue
        place = bisect_right(starts, assignment.start) - 1
        then = after.plan.get(assignment.match)
        if then is None or bisect_right(starts, then.start) - 1 > place:
            late.append(place)
    if not late:
        return None
    closes = instant(openings[min(late)].end) if openings and min(late) >= 0 else None
    told = None if closes is None else closes.astimezone(event.tzinfo).isoformat()
    return Refused("closes_before_the_end", {"matches": len(late), "closes_at": told})
