"""Sentences as the API tells them: beside their code and facts, without markup."""

from __future__ import annotations

import html
import re
from collections.abc import Iterable, Mapping
from decimal import Decimal
from fractions import Fraction
from typing import Any

from tournaments.models import Entry, Tournament
from tournaments.words.reasons import note_text

_BDI = re.compile(r"<bdi[^>]*>")


def words(code: str, params: Mapping[str, Any], names: Mapping[int, Entry]) -> dict[str, Any]:
    """A note for a program and for a person. In the sentence a name keeps the direction of its letters to itself."""
    text = _BDI.sub("\u2068", str(note_text(code, params, names))).replace("</bdi>", "\u2069")
    return {"code": code, "params": dict(params), "text": html.unescape(text)}


def names_in(tournament: Tournament, facts: Iterable[Mapping[str, Any]]) -> dict[int, Entry]:
    """The entries of a tournament that notes or refusals with these parameters speak of."""
    found: dict[int, Entry] = tournament.entries.in_bulk({entry for params in facts for entry in _named(params)})
    return found


def _named(params: Mapping[str, Any]) -> set[int]:
    found = {params[name] for name in ("entry", "a", "b") if isinstance(params.get(name), int)}
    for _code, facts in params.get("notes", ()):
        found |= _named(facts)
    return found.union(params.get("entries", ()))


def decimal_text(value: Fraction) -> str:
    """A fraction rounded to four places, half to even: exact arithmetic, no float."""
    return str(Decimal(round(value * 10_000)).scaleb(-4))
