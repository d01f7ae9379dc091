"""Everything that went wrong, as RFC 9457 says it: a type and a code for programs, words in the reader's language."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from http import HTTPStatus
from typing import Any, TypeVar

from django.core.exceptions import PermissionDenied, RequestDataTooBig, SuspiciousOperation
from django.http import Http404
from django.utils.translation import gettext_lazy
from rest_framework import exceptions
from rest_framework.response import Response

from players.permissions import Refused
from tournaments.api.texts import names_in, words
from tournaments.models import Tournament
from tournaments.words.refusals import refusal_text

MEDIA_TYPE = "application/problem+json"
TYPE = "urn:cantina:problem:"
"""What the `type` of a problem begins with; its code follows."""

Done = TypeVar("Done")

_TITLES = {
    400: gettext_lazy("This cannot be"),
    401: gettext_lazy("Who is asking?"),
    403: gettext_lazy("Not yours to do"),
    404: gettext_lazy("Nothing here"),
    405: gettext_lazy("Not done this way"),
    409: gettext_lazy("Not as things stand"),
    412: gettext_lazy("It has changed meanwhile"),
    413: gettext_lazy("Too large"),
    415: gettext_lazy("Not readable here"),
    422: gettext_lazy("Used before"),
    428: gettext_lazy("Say what you saw"),
}
_OWN_WORDS = {
    "invalid": gettext_lazy("What was sent does not fit. See `errors` for each field."),
    "not_found": gettext_lazy("There is nothing at this address, or nothing you may see."),
    "not_allowed": gettext_lazy("This is for other helpers of the event."),
    "not_authenticated": gettext_lazy("Say who you are: send a token, a helper's link or a player's own, or sign in."),
    "too_large": gettext_lazy("The request is too large."),
    "malformed": gettext_lazy("The request cannot be read."),
    "token_is_bound": gettext_lazy("This token belongs to one event and cannot make another one."),
    "token_of_one_event": gettext_lazy("This token is for one event, and this is about your account: sign in for it."),
    "address_not_proved": gettext_lazy("Prove your address first: sign in once by a link that is mailed to you."),
    "link_would_be_over": gettext_lazy("A link that has run out already opens nothing."),
    "key_missing": gettext_lazy(
        "A result needs a key of its own in Idempotency-Key: sent twice it is still one result."
    ),
    "key_malformed": gettext_lazy("Idempotency-Key has to be 8 to 80 letters, digits or signs of - _ . :"),
    "version_missing": gettext_lazy("Name the version of the match you saw, in If-Match or as `version`."),
    "version_malformed": gettext_lazy("If-Match has to carry the version of the match, a whole number."),
    "query_unknown": gettext_lazy("Nothing is known here by the names in `names`. What is, stands in `known`."),
    "query_malformed": gettext_lazy("What `name` says in the query cannot be read."),
    "key_guessable": gettext_lazy("Without a token or a link, Idempotency-Key has to have 20 characters or more."),
    "not_your_result": gettext_lazy("The result that stands is not yours to take back. Ask an organiser."),
    "asked_too_often": gettext_lazy("Too much was asked from this network just now. Try again in a few minutes."),
    "pairing_changed": gettext_lazy("Other players meet in this match than you say. Look at the pairings again."),
}


class Problem(Exception):  # noqa: N818  a problem is what RFC 9457 calls it
    """A refusal on its way out of a view.

    `within` is the tournament whose entries it speaks of, `more` what else the answer tells.
    """

    def __init__(self, refused: Refused, *, within: Tournament | None = None, **more: Any) -> None:
        super().__init__(refused.code)
        self.refused = refused
        self.within = within
        self.more = more


def refuse(code: str, *, status: int, **params: Any) -> Problem:
    """A problem of the API's own."""
    return Problem(Refused(code, params, status=status))


def done(outcome: Done | Refused, *, within: Tournament | None = None) -> Done:
    """What an action gave back; its refusal becomes the answer."""
    if isinstance(outcome, Refused):
        raise Problem(outcome, within=within)
    return outcome


def problem(exception: Exception, context: Mapping[str, Any]) -> Response | None:
    """The answer for an exception of a view (REST_FRAMEWORK's EXCEPTION_HANDLER); None for what is a fault of ours."""
    if isinstance(exception, Problem):
        return _of_refusal(exception)
    if isinstance(exception, Http404):
        return _answer(404, "not_found")
    if isinstance(exception, PermissionDenied):
        return _answer(403, "not_allowed")
    if isinstance(exception, RequestDataTooBig):
        return _answer(413, "too_large")
    if isinstance(exception, SuspiciousOperation):
        return _answer(400, "malformed")
    if isinstance(exception, exceptions.ValidationError):
        return _answer(400, "invalid", errors=list(_errors(exception.get_full_details(), "")))
    if isinstance(exception, exceptions.APIException):
        return _of_framework(exception)
    return None


def _of_refusal(found: Problem) -> Response:
    refused, more = found.refused, dict(found.more)
    names = names_in(found.within, [refused.params]) if found.within is not None else {}
    detail = str(_OWN_WORDS[refused.code]) if refused.code in _OWN_WORDS else refusal_text(refused, names=names)
    if notes := refused.params.get("notes"):
        more["notes"] = [words(code, params, names) for code, params in notes]
    return _answer(refused.status, refused.code, detail=detail, params=refused.params, **more)


def _of_framework(exception: exceptions.APIException) -> Response:
    code = str(getattr(exception.detail, "code", exception.default_code))
    detail = "" if code in _OWN_WORDS else str(exception.detail)
    response = _answer(exception.status_code, code, detail=detail)
    if header := getattr(exception, "auth_header", None):
        response["WWW-Authenticate"] = header
    return response


def _answer(status: int, code: str, *, detail: str = "", **more: Any) -> Response:
    body = {
        "type": f"{TYPE}{code}",
        "title": str(_TITLES.get(status, HTTPStatus(status).phrase)),
        "status": status,
        "detail": detail or str(_OWN_WORDS[code]),
        "code": code,
        "params": {},
    }
    return Response(body | more, status=status, content_type=MEDIA_TYPE)


def _errors(details: Any, pointer: str) -> Iterator[dict[str, str]]:
    """Each thing that is wrong with the body, with a JSON pointer to where it stands."""
    if isinstance(details, Mapping) and details.keys() == {"message", "code"} and isinstance(details["message"], str):
        yield {"pointer": pointer, "code": str(details["code"]), "detail": details["message"]}
    elif isinstance(details, Mapping):
        for name, found in details.items():
            yield from _errors(found, pointer if name == "non_field_errors" else f"{pointer}/{name}")
    elif isinstance(details, list):
        for place, found in enumerate(details):
            is_word = isinstance(found, Mapping) and found.keys() == {"message", "code"}
            yield from _errors(found, pointer if is_word else f"{pointer}/{place}")
