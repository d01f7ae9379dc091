"""Keeping what was typed when a session ran out, and showing it again."""

from __future__ import annotations

from typing import Any

from django.core import signing
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

_HELD_SALT = "players.held"
_HELD_AGE = 60 * 60  # seconds a typed form is kept while somebody signs in
_SECRETS = frozenset({"password", "step_code", "credential"})
_HELD_SIZE = 100_000  # characters; a longer form is an import, and its file cannot be kept anyway

_FIELDS = {
    "result": _("Result"),
    "loser_sets": _("Sets won by the one who gave up"),
    "why": _("Why"),
    "name": pgettext_lazy("of a person", "Name"),
    "email": _("Address"),
    "city": _("City"),
    "club": _("Club"),
    "rating": _("Rating"),
    "place": _("Place"),
    "zone": _("Time zone"),
    "starts_on": _("First day"),
    "ends_on": _("Last day"),
    "tables": _("Tables"),
}
"""Fields people type into, by their name in the form: what they are called when they are shown again."""
_VALUES = {
    "walkover_a": _("The first player wins, the other did not come"),
    "walkover_b": _("The second player wins, the other did not come"),
    "forfeit_a": _("The first player wins, the other gave up"),
    "forfeit_b": _("The second player wins, the other gave up"),
    "double_no_show": _("Neither came"),
}


def hold(request: HttpRequest) -> str:
    """What was posted, signed, so that it can be shown again after signing in; "" when there is nothing to keep.

    A form with a secret is not kept; of the forms of signing in only the form that is kept inside them.
    """
    if request.method != "POST":
        return ""
    if not _SECRETS.isdisjoint(request.POST):
        return request.POST.get("held", "")
    fields = [
        (name, value) for name, values in request.POST.lists() if name != "csrfmiddlewaretoken" for value in values
    ]
    held = signing.dumps({"path": request.get_full_path(), "fields": fields}, salt=_HELD_SALT, compress=True)
    return held if len(held) <= _HELD_SIZE else ""


def read_held(text: str) -> dict[str, Any] | None:
    """What `hold` kept; None for what is too old or was never kept here."""
    try:
        found = signing.loads(text, salt=_HELD_SALT, max_age=_HELD_AGE)
    except signing.BadSignature:
        return None
    return found if isinstance(found, dict) else None


def show_held(request: HttpRequest, held: dict[str, Any], *, status: int = 200) -> HttpResponse:
    """What was typed, to be looked at and sent again with one button."""
    typed = [(_FIELDS[name], _VALUES.get(value, value)) for name, value in held["fields"] if value and name in _FIELDS]
    return render(request, "players/held.html", {"held": held, "typed": typed}, status=status)
