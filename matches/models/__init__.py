"""Matches, what was reported of them, and how they were played card by card."""

from matches.models.game import Game, OnTimeout, SideDeck, Way
from matches.models.match import Match, Submission

__all__ = ["Game", "Match", "OnTimeout", "SideDeck", "Submission", "Way"]
