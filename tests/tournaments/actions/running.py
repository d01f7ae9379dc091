"""A tournament in play and what can happen to its players, as the stories of these tests need it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from matches.actions import DOUBLE_NO_SHOW, Report, submit_result
from tests.factories import NOW, make_field, make_tournament, organiser
from tests.tournaments.play import count_up, pairings, start
from tournaments.models import Entry, Pairing, Tournament


def started(size: int = 4, **facts: Any) -> Tournament:
    """Players 01, 02 … seeded in this order; the first draft is published and counted."""
    tournament = make_tournament(seeding="rating", **facts)
    make_field(size=size, tournament=tournament)
    start(tournament)
    tournament.refresh_from_db()
    return tournament


def does(tournament: Tournament, act: Callable[..., Any], **said: Any) -> Any:
    """An act of the organiser, then the count."""
    outcome = act(by=organiser(of=tournament), now=NOW, **said)
    count_up(tournament)
    return outcome


def entry(tournament: Tournament, seed: int) -> Entry:
    return tournament.entries.get(seed=seed)


def seats(tournament: Tournament, number: int) -> list[tuple[int | None, int | None]]:
    """A round as pairs of seeds; None is a bye."""
    return [(p.a.seed, p.b.seed if p.b else None) for p in pairings(tournament, number)]


def of_both(tournament: Tournament, one: int, other: int) -> Pairing:
    """The pairing of two seeds."""
    return next(p for p in pairings(tournament) if {p.a.seed, p.b.seed if p.b else None} == {one, other})


def nobody_came(pairing: Pairing) -> None:
    """Neither side came to a match."""
    assert pairing.match is not None
    tournament = pairing.round.stage.tournament
    submit_result(
        match_id=pairing.match.pk,
        report=Report(DOUBLE_NO_SHOW),
        by=organiser(of=tournament),
        key=f"nobody-{pairing.match.pk}",
        expected_version=pairing.match.version,
        now=NOW,
    )
