"""Pairing large fields over many rounds: nobody meets twice, and at most one has a bye."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from tournaments.engine.pairing import Contender, pair_round


@pytest.mark.parametrize("size", [64, 127, 256, 512])
def test_pf_01_nine_rounds_of_a_large_field_have_no_rematch_and_one_bye_at_most(size: int) -> None:
    rng = random.Random(f"scale {size}")
    field = {number: Contender(id=number, seed=number) for number in range(1, size + 1)}
    for number in range(1, 10):
        paired = pair_round(list(field.values()), seed="scale", number=number)
        assert [pair for pair in paired.pairs if pair[1] in field[pair[0]].met] == []
        assert (paired.bye is None) is (size % 2 == 0)
        assert 2 * len(paired.pairs) + size % 2 == size
        for a, b in paired.pairs:
            winner = rng.choice((a, b))
            for one, other in ((a, b), (b, a)):
                met = {**field[one].met, other: number}
                field[one] = replace(field[one], points=field[one].points + 3 * (one == winner), met=met)
        if paired.bye is not None:
            lucky = field[paired.bye]
            assert lucky.byes == 0
            field[paired.bye] = replace(lucky, points=lucky.points + 3, byes=1)
