"""The floor the pazaak bench compares with: the barest loop that plays the same matches.

It keeps two totals and two counts, checks nothing, remembers nothing: stand at 17 or on the ninth card, no hand
cards, a fresh deck of forty for each set, first to three, the opener alternates.
"""

from __future__ import annotations

from collections.abc import Callable

_WHOLE = [value for value in range(1, 11) for _ in range(4)]


def play(random: Callable[[], float], first: int) -> int:
    """One match, opened by side `first`; the side that won, 0 or 1. `random` gives numbers from 0 up to 1."""
    won = [0, 0]
    while won[0] < 3 and won[1] < 3:
        deck, left = _WHOLE[:], 40
        total, count, stood, side = [0, 0], [0, 0], [False, False], first
        while True:
            at = int(random() * left)
            left -= 1
            card, deck[at] = deck[at], deck[left]
            total[side] += card
            count[side] += 1
            if total[side] > 20:
                won[1 - side] += 1
                break
            if total[side] >= 17 or count[side] == 9:
                stood[side] = True
            if stood[0] and stood[1]:
                if total[0] != total[1]:
                    won[0 if total[0] > total[1] else 1] += 1
                break
            if not stood[1 - side]:
                side = 1 - side
        first = 1 - first
    return 0 if won[0] > won[1] else 1
