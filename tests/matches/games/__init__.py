"""Matches through the engine."""
