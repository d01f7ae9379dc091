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
    return None if match is None else _result(match.kind, match.sets_a, match.sets_b, match.winner)


def _result(kind: str | None, sets_a: int, sets_b: int, winner: str) -> engine.Result | None:
    if not kind:
        return None
    return engine.Result(kind=engine.ResultKind(kind), sets=(sets_a, sets_b), winner=winner or None)


def _entry(pk: int, seed: int | None, status: str, club: str, since: int, asked: list[list[Any]]) -> engine.Entry:
    """A seeded entry as the engine knows it."""
    return engine.Entry(
        id=pk,
        seed=seed or 0,
        status=engine.EntryStatus(status),
        club=club.casefold(),
        since=since,
        asked=tuple((int(number), engine.Bye(kind)) for number, kind in asked),
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
    """The stage now. Drafts are not in it: they have not happened. Two queries whatever the size.

    Plain rows in place of models: this is read for many pages and after every result, and models of everything ever
    paired take several times as long.
    """
    entries = (
        Entry.objects.filter(tournament_id=stage.tournament_id, seed__isnull=False)
        .order_by("seed")
        .values_list("pk", "seed", "status", "club", "since", "asked")
    )
    published = (
        Pairing.objects.filter(round__stage=stage, round__published_at__isnull=False)
        .order_by("round__number", "number")
        .values_list(
            *("round__is_play_off", "round__number", "number", "a_id", "b_id", "bye"),
            *("match__kind", "match__sets_a", "match__sets_b", "match__winner"),
        )
    )
    pairings: list[engine.Pairing] = []
    play_offs: list[engine.Pairing] = []
    for is_play_off, round_, number, a, b, bye, *ended in published:
        pairing = engine.Pairing(round=round_, number=number, a=a, b=b, result=_result(*ended), bye=engine.Bye(bye))
        (play_offs if is_play_off else pairings).append(pairing)
    return engine.Snapshot(
        entries=tuple(_entry(*row) for row in entries),
        pairings=tuple(pairings),
        play_offs=tuple(play_offs),
        options=options_of(format_key=stage.format, stored=stage.options),
        points=engine.Points(**stage.points),
        sets_to_win=get_ruleset(stage.tournament.ruleset).sets_to_win,
        seed=stage.seed or f"{stage.tournament.seed}/{stage.number}",
    )
