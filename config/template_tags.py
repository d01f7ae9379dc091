"""What every template may use without loading it: the language of a name, the rows of standings, a playing card."""

import re
from collections.abc import Mapping
from html import escape
from typing import Any

from django import template
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from players.words import lang_of, person

register = template.Library()

SPECIAL_CARDS = frozenset({"D", "T1", "V12", "F24", "F36", "back"})
VALUE_CARD = re.compile(r"([+*-]?)(\d{1,2})")
FACE_OF_SIGN = {"": "m", "+": "p", "-": "n", "*": "v"}


register.filter("name_lang", lang_of)
register.filter("person", person)


@register.filter
def standing_rows(table: Mapping[str, Any]) -> SafeString:
    """The body of the component `standings.html`, which says what a row is.

    There may be a thousand rows at once for a whole hall, and a template takes several times as long for each.
    """
    return SafeString("".join(_standing_row(table.get("rows_id", table["id"]), row) for row in table["rows"]))


def _standing_row(table: str, row: Mapping[str, Any]) -> str:
    marks = " ".join(mark for mark in ("me", "cut") if row.get(mark))
    lang, name = lang_of(row["name"]), _escaped(row["name"])
    name = f'<bdi class="name" lang="{lang}">{name}</bdi>' if lang else f'<bdi class="name">{name}</bdi>'
    if row.get("href"):
        name = f'<a href="{_escaped(row["href"])}">{name}</a>'
    if (outlook := row.get("outlook")) is not None:
        said = _escaped(outlook["text"])
        name += f'<span class="vh">, </span><span class="st {outlook["state"]}">{said}</span>'
    marked = f' class="{marks}"' if marks else ""
    return (
        f'<tr role="row" id="{table}-{row["id"]}"{marked}>\n'
        f'  <td role="cell" class="rank">{_escaped(row["rank"])}</td>\n'
        f'  <th role="rowheader" scope="row" class="who">{name}</th>\n'
        f"  {''.join(map(_standing_cell, row['cells']))}"
        f'<td role="cell" class="why">{_escaped(row["why"])}</td>\n</tr>\n'
    )


def _standing_cell(cell: Mapping[str, Any]) -> str:
    looks = f"n{' key-n' if cell.get('strong') else ''}{' wide' if cell.get('wide') else ''}"
    unit = f' data-u="{_escaped(cell["unit"])}"' if cell.get("unit") else ""
    return f'<td role="cell" class="{looks}"{unit}>{_escaped(cell["text"])}</td>\n  '


def _escaped(value: object) -> str:
    """A value as HTML, as `conditional_escape` has it, without the detour for texts that are not translated yet."""
    if isinstance(value, int):
        return str(value)
    return str(value) if isinstance(value, SafeString) else escape(str(value))


@register.filter
def card_face(token: object) -> str:
    """The id of a card's symbol in `static/cards.svg`, from its token in the rules: `7`, `+3`, `-3`, `*3`, `V12`."""
    text = str(token)
    found = VALUE_CARD.fullmatch(text)
    if found is not None:
        return FACE_OF_SIGN[found[1]] + found[2]
    return text if text in SPECIAL_CARDS else "back"


@register.filter
def card_words(token: object) -> str:
    """What a card is called in the reader's language; for a screen reader and for a tooltip."""
    text = str(token)
    found = VALUE_CARD.fullmatch(text)
    if found is not None:
        words = {
            "": _("Main card %(n)s"),
            "+": _("Plus %(n)s"),
            "-": _("Minus %(n)s"),
            "*": _("Plus or minus %(n)s"),
        }[found[1]]
        return words % {"n": found[2]}
    special = {
        "D": _("Double"),
        "T1": _("Tiebreaker, plus or minus 1"),
        "V12": _("Plus or minus 1 or 2"),
        "F24": _("Flip 2 and 4"),
        "F36": _("Flip 3 and 6"),
    }
    return special.get(text, _("Card face down"))
