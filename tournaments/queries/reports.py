"""What was reported of open matches and waits for somebody's word: by one, by both differently, or by staff."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta

from matches.models import Match, Submission
from tournaments.models import Entry, Pairing, Tournament
from tournaments.models.tournament import Unanswered

REPORTED = "reported"  # one player said how it ended, the other has time to answer
UNANSWERED = "unanswered"  # and did not answer in time
DISPUTED = "disputed"  # reports that differ
SECOND = "second"  # one of staff said how it ended, a second person has to agree
STATES = (DISPUTED, UNANSWERED, SECOND, REPORTED)


@dataclass(frozen=True, slots=True)
class Waiting:
    """The reports of one open match: those of side a, side b and staff, in this order.

    `due_at` is when the time of the other player to answer ends, where there is one.
    """

    pairing: Pairing
    reports: tuple[Submission, ...]
    state: str
    due_at: datetime | None

    @property
    def needs_word(self) -> bool:
        """Whether staff have to look."""
        return self.state != REPORTED


def due_at(submission: Submission, tournament: Tournament) -> datetime:
    """When the other player's time to answer this report ends."""
    return submission.at + timedelta(minutes=tournament.report_minutes)


def counts_unanswered(tournament: Tournament) -> bool:
    """Whether a report nobody answers in time counts: never where a second person has to confirm each result."""
    return tournament.unanswered == Unanswered.CONFIRM and not tournament.second_confirms


def waiting_reports(*, pairings: Iterable[Pairing], now: datetime) -> dict[int, Waiting]:
    """Match id to what waits there, for those of these pairings where something does. One query.

    The pairings carry their round's stage with its tournament.
    """
    by_match = {pairing.match_id: pairing for pairing in pairings if pairing.match_id is not None}
    found: dict[int, list[Submission]] = {}
    rows = Submission.objects.filter(match__in=by_match, is_waiting=True)
    for submission in sorted(rows, key=lambda each: (each.seat or "c", each.number)):
        found.setdefault(submission.match_id, []).append(submission)
    return {pk: _waiting(by_match[pk], tuple(reports), now) for pk, reports in found.items()}


def reports_to_look_at(*, pairings: Iterable[Pairing], now: datetime) -> int:
    """Of how many of these pairings staff have to look at what was reported."""
    with_tournament = Pairing.objects.select_related("round__stage__tournament").filter(
        pk__in=[pairing.pk for pairing in pairings]
    )
    return sum(each.needs_word for each in waiting_reports(pairings=with_tournament, now=now).values())


def _waiting(pairing: Pairing, reports: tuple[Submission, ...], now: datetime) -> Waiting:
    if len(reports) > 1:
        return Waiting(pairing, reports, DISPUTED, None)
    only = reports[0]
    if not only.seat:
        return Waiting(pairing, reports, SECOND, None)
    due = due_at(only, pairing.round.stage.tournament)
    return Waiting(pairing, reports, UNANSWERED if due <= now else REPORTED, due)


def own_pairing(*, entry: Entry, match_id: int) -> Pairing | None:
    """The published pairing of this match if the entry plays in it, with its stage and tournament; else None."""
    found = Pairing.objects.select_related("a", "b", "match", "round__clock", "round__stage__tournament__event").filter(
        match_id=match_id, round__published_at__isnull=False
    )
    pairing = found.first()
    return pairing if pairing is not None and entry.pk in (pairing.a_id, pairing.b_id) else None


def is_own_closed_match(*, entry: Entry, match_id: int) -> bool:
    """Whether a match is one the entry's player had, whose round was taken back."""
    seats = {"seat_a": entry.player_id}, {"seat_b": entry.player_id}
    return any(Match.objects.filter(pk=match_id, is_void=True, **seat).exists() for seat in seats)


def seat_of(*, entry: Entry, pairing: Pairing) -> str:
    """The side of the match the entry sits at."""
    return "a" if pairing.a_id == entry.pk else "b"


def side_that_counts(pairing: Pairing) -> Entry | None:
    """The player whose own report became the result; None where staff entered it or there is none."""
    found = Submission.objects.filter(match=pairing.match_id, is_confirmed=True).first()
    return None if found is None else {"a": pairing.a, "b": pairing.b}.get(found.seat)
