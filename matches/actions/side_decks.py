"""Side decks brought to an occasion: saved as often as their player likes, whole or half built."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import datetime

from matches.engine.cards import HAND_ORDER, in_order
from matches.models import SideDeck
from players.permissions import Refused

MOST_CARDS = 200
"""More than any ruleset lets in: a deck may be too large while it is built, and a collection is larger."""


def save_side_deck(*, player_id: int, occasion: str, cards: Sequence[str], now: datetime) -> SideDeck | Refused:
    """Keep what a player has chosen, in the order of `CARDS`. Whether a ruleset takes it is asked when it is used.

    Saved twice, the last one stays. Refusals (400): unknown_card (card), too_many_cards (most).
    """
    unknown = next((token for token in cards if token not in HAND_ORDER), None)
    if unknown is not None:
        return Refused("unknown_card", {"card": unknown}, status=400)
    if len(cards) > MOST_CARDS:
        return Refused("too_many_cards", {"most": MOST_CARDS}, status=400)
    deck, _made = SideDeck.objects.update_or_create(
        player_id=player_id, occasion=occasion, defaults={"cards": list(in_order(tuple(cards))), "saved_at": now}
    )
    return deck


def hand_over_side_decks(*, of: int, to: int, occasions: Collection[str] | None = None) -> None:
    """Side decks of one player, all or those for some occasions, are another's from now on; the last one saved stays.

    The caller holds both players.
    """
    moved = SideDeck.objects.filter(player=of)
    if occasions is not None:
        moved = moved.filter(occasion__in=occasions)
    kept = {deck.occasion: deck for deck in SideDeck.objects.filter(player=to)}
    for deck in moved:
        there = kept.get(deck.occasion)
        if there is not None and there.saved_at > deck.saved_at:
            deck.delete()
            continue
        if there is not None:
            there.delete()
        deck.player_id = to
        deck.save(update_fields=["player"])
