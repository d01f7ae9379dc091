"""Games of a tournament: how they are played, who sits down, and the side decks brought to them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any

from django.db import transaction

from matches.actions import Report
from matches.actions.games import GameTerms, confirm_game, get_ready, make_move, open_game
from matches.actions.games.held import result_key
from matches.actions.side_decks import save_side_deck
from matches.engine import Hand, get_ruleset
from matches.engine.rulesets.base import DrawSource
from matches.models import Game, Match, OnTimeout, SideDeck, Way
from matches.queries.games import record_of
from players.actions import record_act
from players.models import Player
from players.permissions import Actor, Refused
from tournaments.actions.results import enter_result
from tournaments.models import Entry, Pairing, Stage, Tournament
from tournaments.models.tournament import DecksOpen, State
from tournaments.queries.games import (
    COLLECTION,
    deck_occasion,
    deck_to_play,
    decks_are_sealed,
    game_of,
    open_pairing,
    side_deck_of,
    way_of,
)
from tournaments.queries.time_over import is_stopped_by_time
from tournaments.signals import stage_changed


@dataclass(frozen=True, slots=True)
class PlayFacts:
    """What an organiser says of how matches are played; fields are as the Tournament has them."""

    way: str = Way.PAPER
    turn_seconds: int | None = None
    match_seconds: int | None = None
    on_timeout: str = OnTimeout.STAND
    decks_due_at: datetime | None = None
    decks_open: str = DecksOpen.MATCH
    lends_decks: bool = True


@transaction.atomic
def edit_play(*, tournament_id: int, facts: PlayFacts, by: Actor, now: datetime) -> Tournament | Refused:
    """Say how matches are played from now on; games that were opened keep their terms.

    Refusals: tournament_unknown (404), draws_from_outside (400).
    """
    tournament = Tournament.objects.select_for_update().filter(pk=tournament_id).first()
    if tournament is None:
        return Refused("tournament_unknown", status=404)
    if facts.way == Way.HERE and not can_be_played_here(tournament.ruleset):
        return Refused("draws_from_outside", status=400)
    told = asdict(facts)
    before = {name: getattr(tournament, name) for name in told}
    if before == told:
        return tournament
    for name, value in told.items():
        setattr(tournament, name, value)
    tournament.save(update_fields=list(told))
    record_act(
        verb="edit_play",
        target=f"tournament/{tournament.pk}",
        by=by,
        now=now,
        event=tournament.event_id,
        tournament=tournament.pk,
        before=_plain(before),
        after=_plain(told),
    )
    for stage_id in Stage.objects.filter(tournament=tournament).values_list("pk", flat=True):
        stage_changed.send(sender=Stage, stage=stage_id, what="settings")
    return tournament


def _plain(row: dict[str, Any]) -> dict[str, Any]:
    return {name: value.isoformat() if isinstance(value, datetime) else value for name, value in row.items()}


def can_be_played_here(ruleset: str) -> bool:
    """Whether the engine may deal under this ruleset: some take their cards from outside."""
    return get_ruleset(ruleset).draw_source is not DrawSource.EXTERNAL


@transaction.atomic
def choose_way(*, match_id: int, way: str, by: Actor, now: datetime) -> Pairing | Refused:
    """Say how one match is played, as long as no card lies; a game that was opened and not begun goes.

    Refusals: no_open_match, not_running, draws_from_outside (400), game_begun.
    """
    pairing = _hold(match_id)
    if isinstance(pairing, Refused):
        return pairing
    if way == Way.HERE and not can_be_played_here(pairing.round.stage.tournament.ruleset):
        return Refused("draws_from_outside", status=400)
    game = Game.objects.select_for_update().filter(match=match_id).first()
    before = way_of(pairing) if game is None else game.way
    if before == way:
        return pairing
    if game is not None and game.moves:
        return Refused("game_begun")
    if game is not None:
        game.delete()
    pairing.way = way
    pairing.save(update_fields=["way"])
    tournament = pairing.round.stage.tournament
    record_act(
        verb="choose_way",
        target=f"match/{match_id}",
        by=by,
        now=now,
        event=tournament.event_id,
        tournament=tournament.pk,
        before={"way": before},
        after={"way": way},
    )
    stage_changed.send(sender=Stage, stage=pairing.round.stage_id, what="way")
    return pairing


def _hold(match_id: int) -> Pairing | Refused:
    """Lock the match; its published pairing, where the match is open and the tournament runs."""
    Match.objects.select_for_update().filter(pk=match_id).first()
    pairing = open_pairing(match_id=match_id)
    if pairing is None or pairing.match is None or not pairing.match.is_open:
        return Refused("no_open_match")
    return pairing if pairing.round.stage.tournament.state == State.RUNNING else Refused("not_running")


def open_here(*, match_id: int, seed: bytes, by: Actor, now: datetime) -> Game | Refused:
    """A player or the referee opens the game of a match that is played here: its deal is sealed. Twice is once.

    Refusals: no_open_match, not_running, wrong_way, and those of `matches.actions.games.open_game`.
    """
    return _open(match_id, Way.HERE, seed, by, now)


def open_console(*, match_id: int, seed: bytes, by: Actor, now: datetime) -> Game | Refused:
    """The referee begins to enter a real table card by card. Twice is once. Refusals as for `open_here`."""
    return _open(match_id, Way.CONSOLE, seed, by, now)


@transaction.atomic
def _open(match_id: int, way: Way, seed: bytes, by: Actor, now: datetime) -> Game | Refused:
    pairing = _hold(match_id)
    if isinstance(pairing, Refused):
        return pairing
    if way_of(pairing) != way:
        return Refused("wrong_way")
    tournament = pairing.round.stage.tournament
    terms = GameTerms(way)
    if way == Way.HERE:
        terms = GameTerms(
            way,
            turn_seconds=tournament.turn_seconds,
            match_seconds=tournament.match_seconds,
            on_timeout=OnTimeout(tournament.on_timeout),
        )
    game = open_game(match_id=match_id, terms=terms, seed=seed, by=by, now=now)
    if isinstance(game, Game) and game.created_at == now:
        stage_changed.send(sender=Stage, stage=pairing.round.stage_id, what="game")
    return game


@transaction.atomic
def confirm_console(*, match_id: int, at: str, by: Actor, now: datetime) -> Game | Refused:
    """The referee says that what was entered of a real table is right: it is the result. Pressed twice, it counts once.

    `at` is the position they saw. Where the tournament asks for a second person, the result waits for one.
    Refusals: no_open_match, wrong_way, position_moved, not_over, and those of `matches.actions.games.confirm_game`.
    """
    Match.objects.select_for_update().filter(pk=match_id).first()
    pairing = open_pairing(match_id=match_id)
    game = game_of(match_id=match_id)
    if pairing is None:
        return Refused("no_open_match")
    if game is None or game.match is None:
        return Refused("wrong_way")
    if at != game.position:
        return Refused("position_moved", {"position": game.position})
    is_alone = not pairing.round.stage.tournament.second_confirms or bool(game.match.kind)
    if is_alone or game.way != Way.CONSOLE or game.over_at is None:
        return confirm_game(game_id=game.pk, by=by, now=now)
    outcome = enter_result(
        match_id=match_id,
        report=Report.of_game(record_of(game)[1]),
        by=by,
        key=f"{result_key(game)}{game.position}/{game.match.version}",
        expected_version=game.match.version,
        now=now,
    )
    return outcome if isinstance(outcome, Refused) else game


def sit_down(*, entry: Entry, match_id: int, words: str, by: Actor, now: datetime) -> Game | Refused:
    """A player is ready at their match that is played here: their side deck is sealed, their words join the deal.

    Refusals: no_open_match, not_running, wrong_way (nobody opened it), deck_missing, and those of
    `matches.actions.games.get_ready`.
    """
    with transaction.atomic():
        pairing = _hold(match_id)
        if isinstance(pairing, Refused):
            return pairing
        game = Game.objects.filter(match=match_id, way=Way.HERE).first()
        if game is None or entry.pk not in (pairing.a_id, pairing.b_id):
            return Refused("wrong_way")
        deck = deck_to_play(entry=entry)
        if deck is None:
            return Refused("deck_missing")
        seat = 0 if pairing.a_id == entry.pk else 1
        return get_ready(game_id=game.pk, seat=seat, side_deck=deck, words=words, now=now)


def play_move(
    *, pairing: Pairing, game: Game, seat: int, move: str, at: str, by: Actor, now: datetime
) -> Game | Refused:
    """A player moves in their match that is played here.

    Once time is over and the match can end as it lies, nothing more is played: the referee ends it, or a player gives
    up. The pairing has its round's clock and its stage's tournament loaded.
    Refusals: time_is_over, and those of `matches.actions.games.make_move`.
    """
    is_new = at == game.position and move != "forfeit"
    if is_new and pairing.match is not None and pairing.match.is_open and is_stopped_by_time(game, pairing, now=now):
        return Refused("time_is_over")
    return make_move(game_id=game.pk, seat=seat, move=move, at=at, by=by, now=now)


@transaction.atomic
def save_own_deck(*, entry: Entry, cards: Sequence[str], by: Actor, now: datetime) -> SideDeck | Refused:
    """A player saves the side deck they bring to the tournament, finished or not.

    Games they already sat down to keep the one they brought. It is nobody else's business: the log has no line of it.
    Refusals: decks_sealed, changed_meanwhile, and those of `save_side_deck`.
    """
    return change_own_deck(entry=entry, change=lambda _before: cards, by=by, now=now)


@transaction.atomic
def change_own_deck(
    *, entry: Entry, change: Callable[[Hand], Sequence[str]], by: Actor, now: datetime
) -> SideDeck | Refused:
    """A player makes of their side deck what `change` makes of it. Two changes at once are one after the other.

    Otherwise as `save_own_deck`.
    """
    if decks_are_sealed(tournament=entry.tournament, now=now):
        return Refused("decks_sealed")
    held = _hold_player(entry)
    if held is None:
        return Refused("changed_meanwhile")
    cards = change(side_deck_of(entry=held) or ())
    return save_side_deck(player_id=held.player_id, occasion=deck_occasion(held.tournament), cards=cards, now=now)


def _hold_player(entry: Entry) -> Entry | None:
    """Lock the player of an entry, so that nobody makes them one with somebody else; the entry as it is now.

    None where somebody just has.
    """
    found = Entry.objects.select_related("tournament").filter(pk=entry.pk).first()
    if found is None or not Player.objects.select_for_update(no_key=True).filter(pk=found.player_id).exists():
        return None
    return found


@transaction.atomic
def save_collection(*, entry: Entry, cards: Sequence[str], by: Actor, now: datetime) -> SideDeck | Refused:
    """A player says which cards they own, so that side decks are built from those.

    Refusals: changed_meanwhile, and those of `save_side_deck`.
    """
    held = _hold_player(entry)
    if held is None:
        return Refused("changed_meanwhile")
    return save_side_deck(player_id=held.player_id, occasion=COLLECTION, cards=cards, now=now)
