"""The one fact that travels up from a match: its result changed."""

from django.dispatch import Signal

result_changed = Signal()
"""Sent inside the transaction with `match` (a Match) whenever its confirmed result is set, replaced or cleared."""
