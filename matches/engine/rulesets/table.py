"""The Pazaak Table with its Dealer: endless main deck, priced cards, wagers in escrow, a cut of the pot."""

from __future__ import annotations

from typing import Final

from matches.engine.rulesets.base import (
    DrawSource,
    FirstPlayerFirst,
    HandDeal,
    MainDeck,
    NinthCard,
    Ruleset,
    WagerMode,
)

TABLE: Final = Ruleset(
    key="table/1",
    main_deck=MainDeck.INFINITE,
    hand_deal=HandDeal.PER_SET,
    special_cards=frozenset(),
    ninth_card=NinthCard.AUTO_WIN,
    first_player_first=FirstPlayerFirst.RANDOM,
    wager_mode=WagerMode.REQUIRED,
    wager_min=200_000,
    wager_min_exclusive=True,
    card_prices=(("plus", 5_000), ("minus", 5_000), ("plusminus", 20_000)),
    dealer_cut_percent=15,
    draw_source=DrawSource.EXTERNAL,
)
