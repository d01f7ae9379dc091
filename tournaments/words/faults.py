"""A sentence for every fault of a tournament file: what is wrong at the place that is named beside it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from django.utils.translation import gettext_lazy as _

from tournaments.engine.interchange import Fault

if TYPE_CHECKING:  # known to the type stubs alone
    from django.utils.functional import _StrPromise as Lazy

_TEXTS: Final[Mapping[str, Lazy]] = {
    "not_json": _("This is not JSON: %(what)s."),
    "too_deep": _("This is nested too deep to be a tournament."),
    "wrong_type": _("Something else stands here than there should: %(expected)s."),
    "missing_field": _("The field “%(field)s” is missing."),
    "unknown_field": _("There is no field “%(field)s”."),
    "unknown_value": _("“%(value)s” is not possible here."),
    "unknown_version": _("Version %(value)s of this format is not known."),
    "no_entries": _("There are no players."),
    "repeated": _("%(value)s is there twice."),
    "seeds_not_in_order": _("Players are not in the order of their seeds 1, 2, 3 …"),
    "unknown_entry": _("There is no player %(entry)s, or nothing of this round with them."),
    "twice_in_round": _("Player %(entry)s is paired twice in this round."),
    "impossible_result": _("A match cannot end like that."),
    "not_a_number": _("“%(value)s” is not a number."),
    "unknown_result": _("“%(value)s” is no result."),
    "sides_differ": _("Player %(opponent)s tells this match otherwise."),
    "not_text": _("This is not text in UTF-8 from byte %(byte)s on."),
    "too_many": _("There are more than %(most)s of these."),
    "not_a_name": _("This cannot be a name: it is empty, too long, or damaged."),
    "not_of_format": _("This pairing is not possible in this format."),
}


def placed_fault_text(fault: Fault) -> str:
    """What is wrong, with its place."""
    told = _("Line %(line)s, column %(column)s: %(what)s Nothing was imported.")
    return str(told) % {"line": fault.line, "column": fault.column, "what": fault_text(fault)}


def fault_text(fault: Fault) -> str:
    """What is wrong. Raises KeyError for a code without words."""
    return str(_TEXTS[fault.code]) % dict(fault.params)
