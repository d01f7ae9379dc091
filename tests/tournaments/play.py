"""Playing a tournament through its actions, as stories need it: start, report, count, publish."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

from matches.actions import SCORE, Report, submit_result
from players.permissions import Refused
from tests.factories import NOW, organiser
from tournaments.actions import rounds, standings
from tournaments.models import Entry, Pairing, Stage, Standing, Tournament

Sets = tuple[int, int]


def stage_of(tournament: Tournament) -> Stage:
    return Stage.objects.select_related("tournament").get(tournament=tournament, number=1)


def count_up(tournament: Tournament, *, now: datetime = NOW) -> Stage:
    """What the worker does after a commit."""
    standings.refresh(stage_id=stage_of(tournament).pk, now=now)
    return stage_of(tournament)


def start(tournament: Tournament) -> Stage:
    """Start with whoever is checked in, publish the first draft, count."""
    started = rounds.start_tournament(tournament_id=tournament.pk, by=organiser(of=tournament), now=NOW)
    assert not isinstance(started, Refused), started
    return publish(tournament)


def publish(tournament: Tournament) -> Stage:
    published = rounds.publish_rounds(stage_id=stage_of(tournament).pk, by=organiser(of=tournament), now=NOW)
    assert not isinstance(published, Refused), published
    return count_up(tournament)


def draft(tournament: Tournament) -> Stage:
    drafted = rounds.draft_rounds(stage_id=stage_of(tournament).pk, by=organiser(of=tournament), now=NOW)
    assert not isinstance(drafted, Refused), drafted
    return stage_of(tournament)


def pairings(tournament: Tournament, number: int | None = None) -> list[Pairing]:
    found = Pairing.objects.filter(round__stage__tournament=tournament).select_related("a", "b", "match", "round")
    if number is not None:
        found = found.filter(round__number=number)
    return list(found.order_by("round__number", "number"))


def report(pairing: Pairing, sets: Sets, *, now: datetime = NOW) -> None:
    """A result of this pairing by the organiser; the sets are those of side a and side b."""
    assert pairing.match is not None
    pairing.match.refresh_from_db()
    outcome = submit_result(
        match_id=pairing.match.pk,
        report=Report(SCORE, sets),
        by=organiser(of=pairing.round.stage.tournament),
        key=f"{pairing.match.pk}-{pairing.match.version}",
        expected_version=pairing.match.version,
        now=now,
    )
    assert not isinstance(outcome, Refused), outcome


def better_seed_wins(pairing: Pairing) -> Sets:
    """Every match 3:1 for the better seed."""
    assert pairing.b is not None
    return (3, 1) if (pairing.a.seed or 0) < (pairing.b.seed or 0) else (1, 3)


def play_open(tournament: Tournament, score: Callable[[Pairing], Sets] = better_seed_wins) -> Stage:
    """Report every open match, then count."""
    for pairing in pairings(tournament):
        if pairing.match is not None and pairing.match.is_open:
            report(pairing, score(pairing))
    return count_up(tournament)


def meetings(tournament: Tournament, number: int) -> list[tuple[str, str | None]]:
    """A round as pairs of names; None is a bye."""
    return [(p.a.name, p.b.name if p.b else None) for p in pairings(tournament, number)]


def table(tournament: Tournament) -> list[tuple[int, str, int]]:
    """The stored standings as (rank, name, points)."""
    rows = Standing.objects.filter(stage__tournament=tournament).select_related("entry").order_by("order")
    return [(row.rank, row.entry.name, row.points) for row in rows]


def seeded(tournament: Tournament) -> list[str]:
    entries = Entry.objects.filter(tournament=tournament, seed__isnull=False).order_by("seed")
    return [entry.name for entry in entries]
