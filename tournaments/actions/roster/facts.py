"""What is said of a player on a roster, cleaned and checked the same way from a form, a list or the API."""

from __future__ import annotations

import re
from dataclasses import dataclass

from django.core.exceptions import ValidationError
from django.core.validators import validate_email

from players.engine.names import NAME_LENGTH, REPLACEMENT, clean_name, name_problem
from players.permissions import Refused

RATING_LIMIT = 9999
_ADDRESS_LENGTH = 254
_SHOWN = 60  # how much of a refused value is said back
_WHOLE = re.compile(r"[0-9]{1,4}")


@dataclass(frozen=True, slots=True)
class EntryFacts:
    """A player as staff or a list describes them. `email` is case-folded and "" when unknown, like city and club."""

    name: str
    email: str = ""
    city: str = ""
    club: str = ""
    rating: int | None = None


def check_facts(
    *, name: str, email: str = "", city: str = "", club: str = "", rating: str | int | None = None
) -> tuple[EntryFacts, list[Refused]]:
    """The facts as they are stored, and everything that is wrong with them.

    Each code begins with the fact it is about. Refusals: name_missing, name_damaged, name_too_long (length, limit),
    email_invalid (value), city_too_long and club_too_long (length, limit), city_damaged and club_damaged (value),
    rating_invalid (value, limit).
    """
    facts = EntryFacts(
        name=clean_name(name),
        email=clean_name(email).casefold(),
        city=clean_name(city),
        club=clean_name(club),
        rating=_rating(rating),
    )
    wrong = []
    if problem := name_problem(facts.name):
        wrong.append(Refused(problem.code, dict(problem.params), status=400))
    if facts.email and not _is_address(facts.email):
        wrong.append(Refused("email_invalid", {"value": facts.email[:_SHOWN]}, status=400))
    for what, value in (("city", facts.city), ("club", facts.club)):
        if len(value) > NAME_LENGTH:
            wrong.append(Refused(f"{what}_too_long", {"length": len(value), "limit": NAME_LENGTH}, status=400))
        if REPLACEMENT in value:
            wrong.append(Refused(f"{what}_damaged", {"value": value[:_SHOWN]}, status=400))
    if facts.rating is None and (said := clean_name(str(rating if rating is not None else ""))):
        wrong.append(Refused("rating_invalid", {"value": said[:_SHOWN], "limit": RATING_LIMIT}, status=400))
    return facts, wrong


def _is_address(email: str) -> bool:
    try:
        validate_email(email)
    except ValidationError:
        return False
    return len(email) <= _ADDRESS_LENGTH


def _rating(said: str | int | None) -> int | None:
    """The rating as a whole number; None when there is none, or it is none."""
    text = clean_name(str(said)) if said is not None else ""
    return int(text) if _WHOLE.fullmatch(text) else None
