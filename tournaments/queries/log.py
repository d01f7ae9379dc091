"""The log of an event as people read it: each act with what it was done to, as far as that is still there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from players.models import Act
from tournaments.models import ApiToken, Entry, Event, Pairing, RosterImport, Round, StaffLink, Tournament


@dataclass(frozen=True, slots=True)
class LogLine:
    """One act. What it was done to is one of these, or nothing when it is gone or was the event itself."""

    act: Act
    tournament: Tournament | None = None
    entry: Entry | None = None
    pairing: Pairing | None = None
    round: Round | None = None
    link: StaffLink | None = None
    token: ApiToken | None = None
    roster_import: RosterImport | None = None


def log_lines(*, event: Event, acts: Sequence[Act]) -> list[LogLine]:
    """The acts with what they were done to: a handful of queries for a whole page of them."""
    targets = [_parse(act.target) for act in acts]
    here = {tournament.pk: tournament for tournament in event.tournaments.all()}

    def ids(kind: str) -> set[int]:
        return {number for found, number in targets if found == kind}

    entries = Entry.objects.filter(pk__in=ids("entry"), tournament__event=event).in_bulk()
    matches = Pairing.objects.filter(match_id__in=ids("match"), round__stage__tournament__event=event)
    pairings = {pairing.match_id: pairing for pairing in matches.select_related("a", "b", "round__stage")}
    rounds = Round.objects.filter(pk__in=ids("round"), stage__tournament__event=event).in_bulk()
    links = event.staff_links.filter(pk__in=ids("link")).in_bulk()
    tokens = event.api_tokens.filter(pk__in=ids("token")).in_bulk()
    imports = RosterImport.objects.filter(pk__in=ids("import"), tournament__event=event).in_bulk()

    def tournament_of(act: Act, kind: str, number: int) -> Tournament | None:
        """Whoever enters results of a whole event is bound to no tournament: there the match knows it."""
        if kind == "match" and number in pairings:
            return here.get(pairings[number].round.stage.tournament_id)
        return here.get(act.tournament or (number if kind == "tournament" else 0))

    return [
        LogLine(
            act=act,
            tournament=tournament_of(act, kind, number),
            entry=entries.get(number) if kind == "entry" else None,
            pairing=pairings.get(number) if kind == "match" else None,
            round=rounds.get(number) if kind == "round" else None,
            link=links.get(number) if kind == "link" else None,
            token=tokens.get(number) if kind == "token" else None,
            roster_import=imports.get(number) if kind == "import" else None,
        )
        for act, (kind, number) in zip(acts, targets, strict=True)
    ]


def _parse(target: str) -> tuple[str, int]:
    kind, _, number = target.partition("/")
    return kind, int(number) if number.isdigit() else 0
