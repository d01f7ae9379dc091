"""Searches for a better plan as they are shown: how far one is, what it found, and whether that is followed."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from django.db.models import QuerySet

from tournaments.engine.scheduling import State
from tournaments.engine.scheduling.improve import has_solver
from tournaments.models import Event, HallPlan, PlanSearch, Slot


@dataclass(frozen=True, slots=True)
class SearchPage:
    """The plan of an event and the last search for a better one.

    `is_followed`: the day goes by a better plan that was found. `is_waiting`: there is something left to plan.
    """

    plan: HallPlan | None
    search: PlanSearch | None
    is_followed: bool
    is_waiting: bool
    has_solver: bool

    @property
    def is_running(self) -> bool:
        """Whether a search goes on."""
        return self.search is not None and self.search.over_at is None

    @property
    def is_best(self) -> bool:
        """Whether the plan is known to be the best there is."""
        return self.plan is not None and is_best(self.plan)

    @property
    def version(self) -> str:
        """Another one whenever anything of it has changed."""
        search = self.search
        told: list[object] = [int(flag) for flag in (self.is_followed, self.is_waiting, self.is_best, self.has_solver)]
        if search is not None:
            seen = search.over_at or search.seen_at or search.asked_at
            told += [search.pk, int(search.stop_at is not None), int(search.over_at is not None), seen.timestamp()]
        return "-".join(map(str, told))

    def seconds_left(self, *, now: datetime) -> int:
        """How much longer the search that goes on may take."""
        search = self.search
        if search is None or search.over_at is not None:
            return 0
        if search.begun_at is None:
            return search.seconds
        return max(0, search.seconds - int((now - search.begun_at).total_seconds()))


def is_best(plan: HallPlan) -> bool:
    """Whether no plan can be better: it ends as early as any can, and every match has a place."""
    return plan.ends_at is not None and plan.bound_at is not None and plan.ends_at <= plan.bound_at and not plan.without


def is_followed(*, event_id: int) -> bool:
    """Whether what is left of the day goes by a better plan that was found."""
    return _waiting(event_id).filter(wanted_at__isnull=False).exists()


def is_waiting(*, event_id: int) -> bool:
    """Whether something is left to be planned."""
    return _waiting(event_id).exists()


def _waiting(event_id: int) -> QuerySet[Slot]:
    return Slot.objects.filter(stage__tournament__event=event_id, state=State.WAITING, dropped_at__isnull=True)


def search_page(*, event: Event) -> SearchPage:
    """What is known of better plans of an event."""
    return SearchPage(
        plan=HallPlan.objects.filter(event=event).first(),
        search=PlanSearch.objects.filter(event=event).order_by("-pk").first(),
        is_followed=is_followed(event_id=event.pk),
        is_waiting=is_waiting(event_id=event.pk),
        has_solver=has_solver(),
    )
