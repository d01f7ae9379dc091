"""Sentences as the API tells them: beside their code and facts, without markup."""

from __future__ import annotations

import html
import re
from collections.abc import Iterable, Mapping
from decimal import Decimal
from fractions import Fraction
from typing import Any

from tournaments.models import Tournament
from tournaments.queries.names import StaffName, staff_names
from tournaments.words.reasons import Names, note_text

_BDI = re.compile(r"<bdi[^>]*>")


def words(code: str, params: Mapping[str, Any], names: Names) -> dict[str, Any]:
    """A note for a program and for a person."""
    return {"code": code, "params": dict(params), "text": plain(note_text(code, params, names))}


def plain(sentence: str) -> str:
    """A sentence of a page without its markup; a name in it keeps the direction of its letters to itself."""
    return html.unescape(_BDI.sub("\u2068", str(sentence)).replace("</bdi>", "\u2069"))


def names_in(tournament: Tournament, facts: Iterable[Mapping[str, Any]]) -> dict[int, StaffName]:
    """Whom notes or refusals with these parameters speak of, for those who run the tournament: no others get any."""
    return staff_names(tournament.entries.filter(pk__in={entry for params in facts for entry in _named(params)}))


def _named(params: Mapping[str, Any]) -> set[int]:
    found = {params[name] for name in ("entry", "a", "b") if isinstance(params.get(name), int)}
    for _code, facts in params.get("notes", ()):
        found |= _named(facts)
    return found.union(params.get("entries", ()))


def decimal_text(value: Fraction) -> str:
    """A fraction rounded to four places, half to even: exact arithmetic, no float."""
    return str(Decimal(round(value * 10_000)).scaleb(-4))
