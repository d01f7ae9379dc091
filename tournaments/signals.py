"""Facts that travel within tournaments, from the actions to whatever the worker has to do about them."""

from django.dispatch import Signal

stage_changed = Signal()
"""Sent inside the transaction with `stage` (a Stage id) and `what` (a short code)."""

notices_told = Signal()
"""Sent inside the transaction when somebody was told something that goes out by mail."""

import_confirmed = Signal()
"""Sent inside the transaction with `roster_import` (a RosterImport id) when a long list waits to be applied."""
