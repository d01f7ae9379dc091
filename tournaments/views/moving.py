"""Where a match goes: the choices as a form, and what is done with the one that was made."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.utils import timezone
from django.utils.html import format_html
from django.utils.translation import gettext as _

from players.permissions import Actor, Refused
from players.words import person
from tournaments.actions import tables
from tournaments.forms.hall import NO_TABLE, MoveForm
from tournaments.models import Pairing
from tournaments.queries.hall import Choice, choices, misses_fixed
from tournaments.words.labels import TABLE_PURPOSES


def move_form(data: Mapping[str, Any] | None = None, *, pairing: Pairing, actor: Actor, asks: bool = False) -> MoveForm:
    """The tables a match may go to: free ones first, then places of others, then none.

    Chosen already is where one of the two has to sit; for a match that waits, the first that is free.
    """
    found = choices(pairing=pairing, actor=actor)
    free = [(str(each.number), _named(each)) for each in found if each.pairing is None]
    swaps = [(_swap_key(pairing, each), _swap_text(each)) for each in found if each.pairing is not None]
    groups: list[tuple[Any, Any]] = []
    if free:
        groups.append((_("Free tables"), free))
    if swaps:
        groups.append((_("Change places"), swaps))
    if pairing.table is not None:
        groups.append((NO_TABLE, _("No table for now: it is held until it is released or given one")))
    wished = {str(number) for _name, number in misses_fixed(pairing)}
    likely = next((key for key, _text in free if key in wished), free[0][0] if free and pairing.table is None else "")
    return MoveForm(data, choices=groups, likely=likely, asks=asks)


def move_again(data: Mapping[str, Any], refused: Refused, *, pairing: Pairing, actor: Actor) -> MoveForm:
    """The form after a refusal: with what was chosen where it can be accepted, else with what can be chosen now."""
    if refused.code == "player_busy":
        return move_form(data, pairing=pairing, actor=actor, asks=True)
    return move_form(pairing=pairing, actor=actor)


def _named(choice: Choice) -> str:
    text = _("Table {n}").format(n=choice.number)
    table = choice.table
    said = [] if table is None else [table.name, str(TABLE_PURPOSES[table.purpose].text) if table.purpose else ""]
    told = ", ".join(each for each in said if each)
    return f"{text} ({told})" if told else text


def _swap_key(pairing: Pairing, choice: Choice) -> str:
    other = choice.pairing
    return f"swap-{0 if other is None else other.match_id}-{pairing.table or 0}-{choice.number}"


def _swap_text(choice: Choice) -> str:
    other = choice.pairing
    sides = () if other is None else (other.a, other.b)
    names = " – ".join(f"\u2068{side.staff_name}\u2069" for side in sides if side is not None)
    return _("{table}: with {names}").format(table=_named(choice), names=names)


def carry_out(form: MoveForm, *, pairing: Pairing, actor: Actor) -> Pairing | Refused:
    """Do what was chosen. The form is valid: what it says is one of its choices."""
    said = form.cleaned_data["to"]
    facts: dict[str, Any] = {"match_id": pairing.match_id, "by": actor, "now": timezone.now()}
    facts["accept_busy"] = form.cleaned_data["accept"]
    if said == NO_TABLE:
        return tables.move_match(table=None, **facts)
    if not said.startswith("swap-"):
        return tables.move_match(table=int(said), **facts)
    other, own, theirs = (int(number) for number in said.split("-")[1:])
    return tables.swap_tables(with_match=other, seen=(own or None, theirs), **facts)


def moved_text(pairing: Pairing) -> str:
    """That it is done, as HTML."""
    names = format_html("{} – {}", person(pairing.a.staff_name), person(pairing.b and pairing.b.staff_name))
    if pairing.table is None:
        return format_html(
            _("{match} is held until it is released or has a table again. Both players are told."), match=names
        )
    return format_html(_("{match}: table {n} now. The players are told."), match=names, n=pairing.table)
