"""A player's own link as a scanner types it at the desk: whoever it is of is checked in."""

from __future__ import annotations

import re
from typing import Any

from django.http import HttpRequest
from django.utils import timezone
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from players.permissions import Actor, Refused
from tournaments.actions import roster
from tournaments.models import Entry, Tournament
from tournaments.permissions import may, read_entry
from tournaments.words.reasons import person

KEY = re.compile(r"[\w.:-]{8,80}", re.ASCII)
_TOKEN = re.compile(r"[0-9]{1,18}-[0-9a-f]{32}")
_AS_LATIN = str.maketrans("фисвуа", "abcdef")
"""What a scanner's keys are while the keyboard is Russian, as far as a token needs them."""
_SHOWN = 80


def check_in_scanned(*, code: str, tournament: Tournament, by: Actor, key: str = "") -> Entry | Refused:
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
    return roster.check_in_after_all(entry_id=entry.pk, by=by, now=timezone.now(), key=key)


def scanned_text(entry: Entry, tournament: Tournament) -> SafeString:
    """Who is here, and where when that is another tournament than the one on the page."""
    name = person(entry.staff_name)
    if entry.tournament_id == tournament.pk:
        return format_html(_("{name} is here."), name=name)
    return format_html(_("{name} is here, in {tournament}."), name=name, tournament=person(entry.tournament.name))


def plain_text(entry: Entry, tournament: Tournament) -> str:
    """The same for a device, which shows it as text."""
    name = f"\u2068{entry.staff_name}\u2069"
    if entry.tournament_id == tournament.pk:
        return _("{name} is here.").format(name=name)
    return _("{name} is here, in {tournament}.").format(name=name, tournament=f"\u2068{entry.tournament.name}\u2069")


def scan_field(request: HttpRequest) -> dict[str, Any] | None:
    """What the field shows: empty and in focus right after something was scanned, else nothing in particular."""
    return {"code": "", "said": "", "wrong": False} if "scan" in request.GET else None


def wrong_scan(code: str, text: str) -> dict[str, Any]:
    """What the field shows after a code that was not taken: itself, and why."""
    return {"code": code[:500], "said": text, "wrong": True}
