"""Numbers of tables as people type them: "1-8, 12"."""

from __future__ import annotations

import re

from django import forms
from django.utils.translation import gettext as _

MOST_TABLES = 500
_TABLES = re.compile(r"([0-9]{1,4})(?:-([0-9]{1,4}))?")


def read_tables(typed: str) -> tuple[int, ...]:
    """The tables somebody names, in order; () where nothing is typed. ValidationError for what is no number of one."""
    found: set[int] = set()
    joined = re.sub(r"\s*[-–]\s*", "-", typed)
    for part in re.split(r"[,;\s]+", joined.strip(" ,;")):
        if not part:
            continue
        said = _TABLES.fullmatch(part)
        if said is None:
            raise forms.ValidationError(_("Name tables by their numbers, for example 1-8, 12."))
        first, last = int(said[1]), int(said[2] or said[1])
        if not 0 < first <= last or last - first >= MOST_TABLES:
            raise forms.ValidationError(_("There are no tables %(part)s."), params={"part": part})
        found.update(range(first, last + 1))
    return tuple(sorted(found))
