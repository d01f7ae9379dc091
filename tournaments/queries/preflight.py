"""What would go wrong if the tournament started now: looked for before the start, nothing changed by looking."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from django.db.models import Q

from players.engine.names import fold_name, looks_alike
from players.permissions import Role
from tournaments.engine.formats import get_format
from tournaments.engine.notes import Note
from tournaments.engine.snapshot import EntryStatus
from tournaments.models import Entry, Membership, StaffLink, Stage, Tournament
from tournaments.models.roster import GONE
from tournaments.models.tournament import Seeding
from tournaments.queries.hall import lacks_tables
from tournaments.queries.registration import Window, places_left, waiting_list, window_of
from tournaments.queries.snapshots import options_of


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing to know before the start. `stops` where the start would be refused; `note` is the format's own word.

    `code` is one of too_few, not_here, same_name, alike, no_club, seed_twice, no_seed, no_rating, left_but_here,
    waiting, registering, no_tables, no_referee, one_confirms, odd, bye_asked, advice; `params` are plain facts for the
    sentence.
    """

    code: str
    entries: tuple[Entry, ...] = ()
    params: dict[str, Any] = field(default_factory=dict)
    stops: bool = False
    note: Note | None = None


@dataclass(frozen=True, slots=True)
class Preflight:
    """All findings, those that stop the start first, and who would be left out."""

    findings: tuple[Finding, ...]
    missing: tuple[Entry, ...]

    @property
    def is_free(self) -> bool:
        return not any(finding.stops for finding in self.findings)


def preflight(*, tournament: Tournament, now: datetime) -> Preflight:
    """Everything there is to know before this tournament starts."""
    entries = list(tournament.entries.filter(status=EntryStatus.ACTIVE).order_by("pk"))
    here = [entry for entry in entries if entry.checked_in_at is not None]
    missing = tuple(entry for entry in entries if entry.checked_in_at is None)
    stage = tournament.stages.get(number=1)
    found = [
        *_players(stage, entries, here, missing),
        *_seeding(tournament, here),
        *_door(tournament, now),
        *([Finding("no_tables")] if lacks_tables(tournament=tournament) else []),
        *_people(tournament, now),
        *_rounds(stage, here),
    ]
    return Preflight(tuple(sorted(found, key=lambda finding: not finding.stops)), missing)


def _players(stage: Stage, entries: list[Entry], here: list[Entry], missing: tuple[Entry, ...]) -> Iterator[Finding]:
    least = get_format(stage.format).least_entries
    if len(here) < least:
        yield Finding("too_few", params={"least": least, "here": len(here)}, stops=True)
    if missing:
        yield Finding("not_here", missing)
    if twins := _shared(entries, lambda entry: fold_name(entry.name)):
        yield Finding("same_name", twins)
    if alike := looks_alike([entry.name for entry in entries]):
        yield Finding("alike", tuple(entries[place] for place in sorted(alike)))
    without = tuple(entry for entry in here if not entry.club)
    if without and len(without) < len(here):  # where nobody has a club, none is asked for
        yield Finding("no_club", without)


def _shared(entries: Iterable[Entry], of: Callable[[Entry], object]) -> tuple[Entry, ...]:
    """Entries that have this in common with another one, side by side."""
    groups: dict[object, list[Entry]] = defaultdict(list)
    for entry in entries:
        groups[of(entry)].append(entry)
    return tuple(entry for group in groups.values() if len(group) > 1 for entry in group)


def _seeding(tournament: Tournament, here: list[Entry]) -> Iterator[Finding]:
    """What lots would decide although seeds were to come from elsewhere."""
    if tournament.seeding == Seeding.HAND:
        placed = [entry for entry in here if entry.hand_seed is not None]
        if twice := _shared(placed, lambda entry: entry.hand_seed):
            yield Finding("seed_twice", twice)
        if without := tuple(entry for entry in here if entry.hand_seed is None):
            yield Finding("no_seed", without)
    if tournament.seeding == Seeding.RATING and (without := tuple(entry for entry in here if entry.rating is None)):
        yield Finding("no_rating", without)


def _door(tournament: Tournament, now: datetime) -> Iterator[Finding]:
    if left := tuple(tournament.entries.filter(GONE, checked_in_at__isnull=False).order_by("pk")):
        yield Finding("left_but_here", left)
    waiting, places = tuple(waiting_list(tournament=tournament)), places_left(tournament=tournament)
    if waiting:
        yield Finding("waiting", waiting, {"places": places or 0})
    if window_of(tournament=tournament, now=now) is Window.OPEN:
        yield Finding("registering")


def _people(tournament: Tournament, now: datetime) -> Iterator[Finding]:
    links = StaffLink.objects.filter(Q(tournament=tournament) | Q(tournament=None), event=tournament.event_id)
    referees = links.filter(role=Role.REFEREE, revoked_at__isnull=True, expires_at__gt=now).count()
    organisers = Membership.objects.filter(event=tournament.event_id, role=Role.ORGANISER).count()
    if tournament.second_confirms and referees + organisers < 2:
        yield Finding("one_confirms")
    elif not referees:
        yield Finding("no_referee")


def _rounds(stage: Stage, here: list[Entry]) -> Iterator[Finding]:
    chosen = get_format(stage.format)
    if asked := tuple(entry for entry in here if any(number == 1 for number, _ in entry.asked)):
        yield Finding("bye_asked", asked)
    if (len(here) - len(asked)) % 2 and len(here) > 1 and not chosen.has_bracket:
        yield Finding("odd", params={"here": len(here) - len(asked)})
    options = options_of(format_key=stage.format, stored=stage.options)
    for note in chosen.advice(len(here), options):
        yield Finding("advice", note=note)
