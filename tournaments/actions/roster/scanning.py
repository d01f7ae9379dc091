"""A player's own link as a scanner types it at the desk: whoever it is of is checked in."""

from __future__ import annotations

import re
from datetime import datetime

from players.permissions import Actor, Refused
from tournaments.actions.roster.check_in import check_in_after_all
from tournaments.models import Entry, Tournament
from tournaments.permissions import may, read_entry

_TOKEN = re.compile(r"[0-9]{1,18}-[0-9a-f]{32}")
_AS_LATIN = str.maketrans("фисвуа", "abcdef")
"""What a scanner's keys are while the keyboard is Russian, as far as a token needs them."""
_SHOWN = 80


def check_in_scanned(*, code: str, tournament: Tournament, by: Actor, now: datetime, key: str = "") -> Entry | Refused:
    """Check in whoever this is the own link of, as a whole address or its secret part alone.

    It may be of another tournament of the same event, where the helper may check in there too. Refusals: code_unknown
    (code), code_elsewhere (tournament), and those of `check_in_after_all`.
    """
    found = _TOKEN.search(code.lower().translate(_AS_LATIN))
    entry = read_entry(found[0]) if found is not None else None
    if entry is None or entry.tournament.event_id != tournament.event_id:
        return Refused("code_unknown", {"code": " ".join(code.split())[:_SHOWN] or "–"}, status=400)
    if not may(by, "check_in", event=tournament.event_id, tournament=entry.tournament_id):
        return Refused("code_elsewhere", {"tournament": entry.tournament.name})
    return check_in_after_all(entry_id=entry.pk, by=by, now=now, key=key)
