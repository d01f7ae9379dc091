"""A policy that takes any legal move, all alike: it finds what thinking players never try."""

from __future__ import annotations

from typing import ClassVar

from matches.engine.bots.base import Below, Choice, Policy, Why, own_and_other
from matches.engine.views import View


class RandomLegal(Policy):
    """Every legal move is equally likely; `below` is where the choice comes from."""

    key: ClassVar[str] = "random"

    def __init__(self, below: Below) -> None:
        self._below = below

    def choose(self, view: View) -> Choice:
        own_and_other(view)
        return Choice(view.moves[self._below(len(view.moves))], Why("by_lot"))
