"""What every template may use without loading it: the language of a name, the face and the words of a playing card."""

import re

from django import template
from django.utils.translation import gettext as _

from tournaments.words.reasons import lang_of, person

register = template.Library()

SPECIAL_CARDS = frozenset({"D", "T1", "V12", "F24", "F36", "back"})
VALUE_CARD = re.compile(r"([+*-]?)(\d{1,2})")
FACE_OF_SIGN = {"": "m", "+": "p", "-": "n", "*": "v"}


register.filter("name_lang", lang_of)
register.filter("person", person)


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
