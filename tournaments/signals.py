"""Facts that travel within tournaments, from the actions to whatever the worker has to do about them."""

from django.dispatch import Signal

stage_changed = Signal()
"""Sent inside the transaction with `stage` (a Stage id) and `what` (a short code)."""

notices_told = Signal()
"""Sent inside the transaction when somebody was told something that goes out by mail."""

import_confirmed = Signal()
"""Sent inside the transaction with `roster_import` (a RosterImport id) when a long list waits to be applied."""

plan_asked = Signal()
"""Sent inside the transaction with `event` (an Event id) when its plan has to be made anew."""

search_asked = Signal()
"""Sent inside the transaction with `search` (a PlanSearch id) when somebody wants a better plan looked for."""
