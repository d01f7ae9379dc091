"""Games of a tournament's matches: how each is played, by whom, and with which side decks."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from matches.engine import CLUB_DECK, Hand, check_side_deck, get_ruleset
from matches.models import Game, SideDeck
from matches.queries.games import OpenRecord, open_record
from tournaments.models import Entry, Pairing, Tournament
from tournaments.models.tournament import DecksOpen, State


def way_of(pairing: Pairing) -> str:
    """How this match is played: its own way or the tournament's. The pairing carries its round's stage's tournament."""
    return pairing.way or pairing.round.stage.tournament.way


def game_of(*, match_id: int) -> Game | None:
    """The game of a match, with its match."""
    return Game.objects.select_related("match").filter(match_id=match_id).first()


def games_of(*, match_ids: Iterable[int]) -> dict[int, Game]:
    """Match id to its game, for those that have one. One query."""
    return {game.match_id: game for game in Game.objects.filter(match__in=list(match_ids)) if game.match_id is not None}


def open_pairing(*, match_id: int) -> Pairing | None:
    """The published pairing of a match, with entries, match, stage, tournament and event."""
    return (
        Pairing.objects.select_related("a", "b", "match__game", "round__stage__tournament__event")
        .filter(match_id=match_id, round__published_at__isnull=False)
        .first()
    )


def deck_occasion(tournament: Tournament) -> str:
    """What side decks of a tournament are kept for."""
    return f"tournament/{tournament.pk}"


COLLECTION = "collection"
"""What the cards a player owns are kept for."""


def collection_of(*, entry: Entry) -> Hand:
    """The cards a player says they own; empty where they say nothing of it."""
    found = SideDeck.objects.filter(player=entry.player_id, occasion=COLLECTION).first()
    return () if found is None else tuple(found.cards)


def side_deck_of(*, entry: Entry) -> Hand | None:
    """The side deck a player has chosen for the tournament, finished or not; None where they have chosen none."""
    found = SideDeck.objects.filter(player=entry.player_id, occasion=deck_occasion(entry.tournament)).first()
    return None if found is None else tuple(found.cards)


def deck_to_play(*, entry: Entry) -> Hand | None:
    """What a player plays with: their own side deck where the ruleset takes it, else the club's, or None."""
    deck = side_deck_of(entry=entry)
    if deck is not None and check_side_deck(get_ruleset(entry.tournament.ruleset), deck) is None:
        return deck
    return CLUB_DECK if entry.tournament.lends_decks else None


def decks_are_sealed(*, tournament: Tournament, now: datetime) -> bool:
    """Whether the time to change side decks is over."""
    return tournament.decks_due_at is not None and tournament.decks_due_at <= now


def decks_are_open(tournament: Tournament) -> bool:
    """Whether the side decks of matches that are over may be seen by everybody."""
    return tournament.decks_open == DecksOpen.MATCH or tournament.state == State.FINISHED


def record_for_all(*, pairing: Pairing, game: Game) -> OpenRecord:
    """The record of a match as everybody may have it. The pairing carries entries, tournament and event."""
    tournament = pairing.round.stage.tournament
    tags = (("Event", tournament.event.name), ("Tournament", tournament.name), ("Match", str(pairing.match_id)))
    people = tuple(zip("AB", (pairing.a.display_name, pairing.b.display_name if pairing.b else ""), strict=True))
    return open_record(game=game, decks_open=decks_are_open(tournament), tags=(*tags, *people))


def open_tables(*, tournament_id: int, most: int) -> list[Pairing]:
    """Published pairings whose game is being played, the first ones by table, each with entries, match and game."""
    found = (
        Pairing.objects.select_related("a", "b", "match__game")
        .filter(
            round__stage__tournament=tournament_id,
            round__published_at__isnull=False,
            match__kind="",
            match__game__moves__gt=0,
            match__game__over_at__isnull=True,
        )
        .order_by("table", "pk")
    )
    return list(found[:most]) if most else []


def matches_with_games(*, tournament_id: int) -> frozenset[int]:
    """Matches of a tournament in which cards were dealt, by id: they can be watched, or looked at again."""
    games = Game.objects.filter(match__pairing__round__stage__tournament=tournament_id, moves__gt=0)
    return frozenset(games.values_list("match_id", flat=True))
