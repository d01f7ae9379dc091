"""Calls for a referee that are open: where, since when, and who goes."""

from __future__ import annotations

from django.db.models import Max, Q, QuerySet

from matches.models import Game
from players.permissions import Actor
from tournaments.models import Entry, Event, Pairing, RefereeCall, Table, Tournament
from tournaments.models.roster import ON_ROSTER
from tournaments.models.tournament import State
from tournaments.permissions import may

MOST_CARDS = 500


def _open() -> QuerySet[RefereeCall]:
    """Open calls with their match, the oldest first."""
    return (
        RefereeCall.objects.filter(over_at__isnull=True)
        .select_related("entry", "pairing__a", "pairing__b", "pairing__match", "pairing__round__stage__tournament")
        .order_by("called_at", "pk")
    )


def open_calls(*, event: Event, tournament: Tournament | None, tables: frozenset[int]) -> list[RefereeCall]:
    """Open calls from these tables (empty: all), the oldest first. One query.

    With `tournament` those from its matches, and those from tables where nobody knows the match.
    """
    found = _open().filter(event=event)
    if tournament is not None:
        found = found.filter(Q(pairing__isnull=True) | Q(pairing__round__stage__tournament=tournament))
    return [call for call in found if not tables or call.place in tables]


def call_of(*, pairing_id: int) -> RefereeCall | None:
    """The open call from this match; None where there is none. One query."""
    return _open().filter(pairing=pairing_id).first()


def call_from(*, event_id: int, table: int) -> RefereeCall | None:
    """The open call from this table, that of a match before one without. One query."""
    found = _open().filter(Q(table=table) | Q(pairing__table=table), event=event_id)
    here = [call for call in found if call.place == table]
    return min(here, key=lambda call: call.pairing is None, default=None)


def call_at(*, actor: Actor, event: Event, call_id: int, tournament: Tournament | None = None) -> RefereeCall | None:
    """A call the actor may answer, open or over; with `tournament` only what `open_calls` has of it. None for others.

    A call from a table where nobody knows the match is everybody's who is at that table.
    """
    call = (
        RefereeCall.objects.select_related("entry", "pairing__a", "pairing__b", "pairing__round__stage__tournament")
        .filter(pk=call_id, event=event)
        .first()
    )
    if call is None:
        return None
    of = actor.tournament if call.pairing is None else call.pairing.round.stage.tournament_id
    if tournament is not None and call.pairing is not None and of != tournament.pk:
        return None
    return call if may(actor, "answer_call", event=event.pk, tournament=of, table=call.place) else None


def match_at(*, event_id: int, table: int) -> int | None:
    """The one match that is played at this table; None where there is none, or several have its number."""
    found = Pairing.objects.filter(
        table=table,
        match__kind="",
        match__is_void=False,
        round__published_at__isnull=False,
        round__stage__tournament__event=event_id,
        round__stage__tournament__state=State.RUNNING,
    ).values_list("match_id", flat=True)[:2]
    ids = list(found)
    return ids[0] if len(ids) == 1 else None


def is_being_played(*, event_id: int) -> bool:
    """Whether a tournament of the event runs."""
    return Tournament.objects.filter(event=event_id, state=State.RUNNING).exists()


def is_by_clock(*, match_id: int | None) -> bool:
    """Whether it was the clock of a game that called the referee to this match: it stands until somebody comes."""
    game = Game.objects.filter(match=match_id, called_at__isnull=False).first() if match_id else None
    return game is not None and game.paused_at == game.called_at


def calling_game(*, match_id: int) -> int | None:
    """The game on its players' devices in which a call for the referee is open, by id."""
    return Game.objects.filter(match=match_id, called_at__isnull=False).values_list("pk", flat=True).first()


def table_numbers(*, event: Event) -> list[int]:
    """The tables a sheet of codes is made for: those of the hall; where it has none, as many as the event may need."""
    known = list(Table.objects.filter(event=event).order_by("number").values_list("number", flat=True))
    if known:
        return known[:MOST_CARDS]
    used = Pairing.objects.filter(round__stage__tournament__event=event).aggregate(most=Max("table"))["most"] or 0
    players = Entry.objects.filter(ON_ROSTER, tournament__event=event).count()
    return list(range(1, min(MOST_CARDS, max(used, players // 2, 1)) + 1))
