"""What every template may use without loading it: the language of a name, the face and the words of a playing card."""

import re

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

register = template.Library()

CYRILLIC = re.compile(r"[Ѐ-ӿ]")
SPECIAL_CARDS = frozenset({"D", "T1", "V12", "F24", "F36", "back"})
VALUE_CARD = re.compile(r"([+*-]?)(\d{1,2})")
FACE_OF_SIGN = {"": "m", "+": "p", "-": "n", "*": "v"}


@register.filter
def name_lang(name: object) -> str:
    """`ru` for a name with Cyrillic letters, so that a screen reader pronounces it; otherwise an empty string."""
    return "ru" if CYRILLIC.search(str(name)) else ""


@register.filter
def person(name: object) -> SafeString:
    """A name for running text: kept apart from the direction of the words around it, and marked when it is Cyrillic."""
    lang = name_lang(name)
    return format_html('<bdi lang="{}">{}</bdi>', lang, name) if lang else format_html("<bdi>{}</bdi>", name)


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
