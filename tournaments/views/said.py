"""What was reported of an open match, as pages of staff show it: side by side, each taken by one press."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Protocol, TypeVar

from django.urls import reverse
from django.utils import timezone
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from matches.actions.reports import is_same_person
from matches.models import Submission
from players.permissions import Actor, Refused
from players.words import person
from tournaments.models import Pairing
from tournaments.queries.reports import DISPUTED, REPORTED, STATES, UNANSWERED, Waiting, waiting_reports
from tournaments.words.labels import result_text


@dataclass(frozen=True, slots=True)
class Said:
    """One report: who said what, and where it is confirmed, or taken back by whoever made it."""

    submission: Submission
    who: SafeString
    result: str
    is_mine: bool
    url: str


@dataclass(frozen=True, slots=True)
class Shown:
    """What waits at one match. `mark` and `state` are its state as a shape and in words."""

    waiting: Waiting
    mark: str
    state: str
    said: tuple[Said, ...]

    @property
    def needs_word(self) -> bool:
        return self.waiting.needs_word


class HasSaid(Protocol):
    """A row of a page that knows what was reported of its match."""

    @property
    def said(self) -> Shown | None: ...


Row = TypeVar("Row", bound=HasSaid)


def in_order_of_need(rows: Iterable[Row]) -> list[Row]:
    """Reports that differ first, then those nobody answered, then those a second person has to confirm."""
    return sorted(rows, key=lambda row: STATES.index(row.said.waiting.state) if row.said is not None else len(STATES))


def shown_to_helper(pairings: Iterable[Pairing], *, actor: Actor, token: str) -> dict[int, Shown]:
    """Match id to what waits there, for the page behind a helper's link."""

    def name(submission: Submission) -> str:
        return by_helper_or_organiser(submission.by_name)

    return _shown(pairings, actor, name, lambda act, pk: reverse(f"staff_{act}", args=[token, pk]))


def shown_on_desk(pairings: Iterable[Pairing], *, actor: Actor, tournament_id: int) -> dict[int, Shown]:
    """Match id to what waits there, for the organiser's desk."""
    return _shown(
        pairings,
        actor,
        lambda submission: submission.by_name,
        lambda act, pk: reverse(f"report_{act}", args=[tournament_id, pk]),
    )


def _shown(
    pairings: Iterable[Pairing], actor: Actor, name: Callable[[Submission], str], url: Callable[[str, int], str]
) -> dict[int, Shown]:
    found = waiting_reports(pairings=pairings, now=timezone.now())
    return {pk: _one(waiting, actor, name, url) for pk, waiting in found.items()}


def _one(waiting: Waiting, actor: Actor, name: Callable[[Submission], str], url: Callable[[str, int], str]) -> Shown:
    said = []
    for each in waiting.reports:
        is_mine = is_same_person(each, by=actor, seat="")
        act = "take_back" if is_mine else "confirm"
        who = person(_reporter(waiting.pairing, each, name))
        said.append(Said(each, who, result_text(each), is_mine, url(act, each.pk)))
    mark, state = _state(waiting)
    return Shown(waiting, mark, state, tuple(said))


def _reporter(pairing: Pairing, submission: Submission, name: Callable[[Submission], str]) -> str:
    """Who reported: a player as staff name them, or one of staff."""
    sides = {"a": pairing.a, "b": pairing.b}
    side = sides.get(submission.seat)
    return name(submission) if side is None else side.staff_name


def _state(waiting: Waiting) -> tuple[str, str]:
    if waiting.state == DISPUTED:
        return "late", _("Reports differ")
    if waiting.state == UNANSWERED:
        return "late", _("Not answered in time")
    if waiting.state == REPORTED:
        return "call", _("Reported by one player")
    return "call", _("Waits for a second person")


def by_helper_or_organiser(name: str) -> str:
    """An organiser who has given no name is known to other organisers by address, and to helpers as an organiser."""
    return _("an organiser") if "@" in name else name


def without_addresses(refused: Refused) -> Refused:
    """A refusal as a helper or a player may read it: see `by_helper_or_organiser`."""
    if "@" not in str(refused.params.get("by", "")):
        return refused
    return Refused(refused.code, {**refused.params, "by": _("an organiser")}, refused.status)
