"""Games begun: opened with a sealed deal, the players ready, the first set dealt; and practice against a policy."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db import transaction

from matches.actions.games.held import hold, read
from matches.engine import Hand, Record, Refusal, SeedDeal, commitment, get_ruleset, new_match, with_overrides
from matches.engine.bots import POLICIES
from matches.engine.notation import format_record
from matches.engine.record import LONGEST_TEXT, is_text
from matches.engine.rulesets.base import DrawSource
from matches.models import Game, Match, OnTimeout, Way
from players.actions import record_act
from players.permissions import Actor, Refused

PRACTICE_KEPT = timedelta(days=1)
MOST_PRACTICE = 5_000
"""Games against policies at a time: more is somebody's script, and this is a tournament's server."""


@dataclass(frozen=True, slots=True)
class GameTerms:
    """How a game is played: the way, the side decks of both seats where they are known now, the clocks in seconds."""

    way: Way
    side_decks: tuple[Hand | None, Hand | None] = (None, None)
    turn_seconds: int | None = None
    match_seconds: int | None = None
    on_timeout: OnTimeout = OnTimeout.STAND


@transaction.atomic
def open_game(*, match_id: int, terms: GameTerms, seed: bytes, by: Actor, now: datetime) -> Game | Refused:
    """Open the game of a match: its deal is sealed and nothing is dealt yet. Opened again, it is the same game.

    `seed` are 32 random bytes, used where the engine deals. A game that has not begun takes other terms, under a new
    deal; `way` alone decides whether they differ. Refusals: match_unknown (404), match_void, match_decided,
    draws_from_outside (400), game_begun (another way was chosen and cards lie), and those of `check_side_deck` (400).
    """
    match = Match.objects.select_for_update().filter(pk=match_id).first()
    if match is None:
        return Refused("match_unknown", {"match": match_id}, status=404)
    if match.is_void:
        return Refused("match_void", {"match": match.pk})
    game = Game.objects.select_for_update().filter(match=match).first()
    if game is not None and (game.way == terms.way or match.kind):
        return game
    if match.kind:
        return Refused("match_decided", {"match": match.pk, "sets": [match.sets_a, match.sets_b]})
    if game is not None and game.moves:
        return Refused("game_begun")
    record = _record(match.ruleset, terms, seed)
    if isinstance(record, Refused):
        return record
    if game is not None:
        game.delete()
    game = _create(record, terms, seed, now, match=match)
    record_act(verb="open_game", target=f"match/{match.pk}", by=by, now=now, after={"way": terms.way})
    return game


@transaction.atomic
def open_practice(
    *, ruleset: str, policy: str, terms: GameTerms, words: str, seed: bytes, now: datetime
) -> Game | Refused:
    """Open a game against a policy and deal its first set; the player sits in seat A.

    Where the rules take their cards from outside, the engine deals all the same. Refusals: practice_full (429), and
    (400) ruleset_unknown, policy_unknown, and those of `check_side_deck`.
    """
    if not _is_policy(policy):
        return Refused("policy_unknown", status=400)
    if Game.objects.filter(match__isnull=True).count() >= MOST_PRACTICE:
        return Refused("practice_full", status=429)
    record = _record(ruleset, terms, seed, words=(words, ""), deals_always=True)
    if isinstance(record, Refused):
        return record
    game = _create(record, terms, seed, now, policy=policy, ready_a_at=now, ready_b_at=now)
    held = read(game)
    held.deal(opening=True)
    held.save(now=now)
    return game


def _is_policy(name: str) -> bool:
    """Whether a policy has this name, with an argument it understands."""
    key, _colon, argument = name.partition(":")
    return key in POLICIES and (not argument or (argument.isascii() and argument.isdigit() and len(argument) < 3))


def _create(record: Record, terms: GameTerms, seed: bytes, now: datetime, **more: object) -> Game:
    return Game.objects.create(
        way=terms.way,
        record=format_record(record),
        seed=seed.hex() if record.deal is not None else "",
        turn_seconds=terms.turn_seconds,
        match_seconds=terms.match_seconds,
        on_timeout=terms.on_timeout,
        created_at=now,
        **more,
    )


def _record(
    ruleset_key: str, terms: GameTerms, seed: bytes, words: tuple[str, str] = ("", ""), *, deals_always: bool = False
) -> Record | Refused:
    """The record before the first set: the decks checked, the deal sealed where the engine deals."""
    try:
        ruleset = get_ruleset(ruleset_key)
    except KeyError:
        return Refused("ruleset_unknown", status=400)
    deal = None
    if terms.way == Way.HERE:
        if ruleset.draw_source is DrawSource.EXTERNAL:
            if not deals_always:
                return Refused("draws_from_outside", status=400)
            ruleset = with_overrides(ruleset, {"draw_source": DrawSource.ENGINE_RNG.value})
        deal = SeedDeal(commitment(seed), words)
    start = new_match(ruleset, terms.side_decks)
    if isinstance(start, Refusal):
        return Refused(start.code, dict(start.params), status=400)
    return Record(ruleset, side_decks=terms.side_decks, deal=deal)


@transaction.atomic
def get_ready(*, game_id: int, seat: int, side_deck: Hand, words: str, now: datetime) -> Game | Refused:
    """A player is ready: their side deck lies sealed and their words are added to the deal. Once both are, it is dealt.

    What a player who was ready brought and said stays. Refusals: those of `hold`, wrong_way, words_too_long (400), and
    those of `check_side_deck` (400).
    """
    held = hold(game_id)
    if isinstance(held, Refused):
        return held
    game = held.game
    if (game.ready_a_at, game.ready_b_at)[seat] is not None:
        return game
    if not is_text(words):
        return Refused("words_too_long", {"most": LONGEST_TEXT}, status=400)
    deal, decks = held.record.deal, held.record.side_decks
    if deal is None:
        return Refused("wrong_way")
    said = (words, deal.words[1]) if seat == 0 else (deal.words[0], words)
    decks = (side_deck, decks[1]) if seat == 0 else (decks[0], side_deck)
    start = new_match(held.record.ruleset, decks)
    if isinstance(start, Refusal):
        return Refused(start.code, dict(start.params), status=400)
    held.state = start
    held.record = Record(held.record.ruleset, side_decks=decks, deal=SeedDeal(deal.commitment, said))
    if seat == 0:
        game.ready_a_at = now
    else:
        game.ready_b_at = now
    if game.ready_a_at and game.ready_b_at:
        held.deal(opening=True)
        held.restart_clock(mover=None, now=now)
    return held.save(now=now)


def drop_practice(*, now: datetime) -> None:
    """Let go of practice nobody has opened for a day."""
    Game.objects.filter(match__isnull=True, created_at__lt=now - PRACTICE_KEPT).delete()
