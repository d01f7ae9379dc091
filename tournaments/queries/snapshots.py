"""A stage as the engine wants it: frozen facts from published rounds and confirmed results."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

from matches.engine import get_ruleset
from matches.models import Match
from tournaments.engine import snapshot as engine
from tournaments.engine.formats import get_format
from tournaments.models import Entry, Pairing, Stage


def options_of(*, format_key: str, stored: dict[str, Any]) -> object:
    """The format's own frozen options from what is stored; what it does not know is left out, what lacks is default."""
    chosen = get_format(format_key).Options
    known = {field.name for field in fields(chosen)}
    return chosen(**{name: value for name, value in stored.items() if name in known})


def result_of(match: Match | None) -> engine.Result | None:
    """The confirmed result of a match; None while it is open."""
    if match is None or not match.kind:
        return None
    return engine.Result(
        kind=engine.ResultKind(match.kind), sets=(match.sets_a, match.sets_b), winner=match.winner or None
    )


def engine_entry(entry: Entry) -> engine.Entry:
    """A seeded entry as the engine knows it."""
    return engine.Entry(
        id=entry.pk,
        seed=entry.seed or 0,
        status=engine.EntryStatus(entry.status),
        club=entry.club.casefold(),
        since=entry.since,
        asked=tuple((int(number), engine.Bye(kind)) for number, kind in entry.asked),
    )


def engine_pairing(pairing: Pairing) -> engine.Pairing:
    """A stored pairing with its result as the engine knows it."""
    return engine.Pairing(
        round=pairing.round.number,
        number=pairing.number,
        a=pairing.a_id,
        b=pairing.b_id,
        result=result_of(pairing.match),
        bye=engine.Bye(pairing.bye),
    )


def take_snapshot(*, stage: Stage) -> engine.Snapshot:
    """The stage now. Drafts are not in it: they have not happened. Two queries whatever the size."""
    entries = Entry.objects.filter(tournament_id=stage.tournament_id, seed__isnull=False).order_by("seed")
    pairings = (
        Pairing.objects.filter(round__stage=stage, round__published_at__isnull=False)
        .select_related("round", "match")
        .order_by("round__number", "number")
    )
    return engine.Snapshot(
        entries=tuple(engine_entry(entry) for entry in entries),
        pairings=tuple(engine_pairing(pairing) for pairing in pairings if not pairing.round.is_play_off),
        play_offs=tuple(engine_pairing(pairing) for pairing in pairings if pairing.round.is_play_off),
        options=options_of(format_key=stage.format, stored=stage.options),
        points=engine.Points(**stage.points),
        sets_to_win=get_ruleset(stage.tournament.ruleset).sets_to_win,
        seed=f"{stage.tournament.seed}/{stage.number}",
    )
