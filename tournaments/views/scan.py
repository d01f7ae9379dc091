"""What the desk says once a scanner has typed a player's own link."""

from __future__ import annotations

import re
from typing import Any

from django.http import HttpRequest
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from players.words import person
from tournaments.models import Entry, Tournament

KEY = re.compile(r"[\w.:-]{8,80}", re.ASCII)


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
