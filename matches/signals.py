"""The facts that travel up from a match: its result changed, or what waits to become it."""

from django.dispatch import Signal

game_begun = Signal()
"""Sent inside the transaction with `match` when the first card of a game lies."""

game_needs_staff = Signal()
"""Sent inside the transaction with `match` and `now` when a game begins or ceases to wait for the referee's word."""

referee_called = Signal()
"""Sent inside the transaction with `match`, `by`, `now` and `is_called` when a game calls the referee, or no longer."""

result_changed = Signal()
"""Sent inside the transaction with `match` (a Match) whenever its confirmed result is set, replaced or cleared."""

report_changed = Signal()
"""Sent inside the transaction with `match` and `now` when a report begins or ceases to wait and no result changes."""
