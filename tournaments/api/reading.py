"""Reading what was sent: JSON that can hurt nobody, keys, versions and tags that were seen, words of a query."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Collection
from typing import IO, Any, NoReturn

from django.conf import settings
from django.core.exceptions import RequestDataTooBig
from rest_framework.exceptions import ParseError
from rest_framework.negotiation import BaseContentNegotiation
from rest_framework.parsers import BaseParser
from rest_framework.renderers import BaseRenderer
from rest_framework.request import Request

from tournaments.api.problems import refuse

DEEPEST = 20  # levels of lists and objects; nothing we read has more than four
_UNSTORABLE = re.compile("[\x00\ud800-\udfff]")
_KEY = re.compile(r"[\w.:-]{8,80}", re.ASCII)
_VERSION = re.compile(r'(?:W/)?"?([0-9]{1,9})"?')
LAST_ID = 2**63 - 1


class JsonParser(BaseParser):
    """JSON in UTF-8, of a size and depth we can take, without what no database stores (NUL, lone surrogates)."""

    media_type = "application/json"

    def parse(self, stream: IO[Any], media_type: str | None = None, parser_context: Any = None) -> Any:
        raw = stream.read(settings.DATA_UPLOAD_MAX_MEMORY_SIZE + 1)
        if len(raw) > settings.DATA_UPLOAD_MAX_MEMORY_SIZE:
            raise RequestDataTooBig
        try:
            found = json.loads(raw.decode(), parse_constant=_not_json)
        except (ValueError, RecursionError):
            raise ParseError(code="malformed") from None
        _look_through(found)
        return found


def _not_json(word: str) -> NoReturn:
    raise ValueError(word)  # NaN and Infinity, which Python would read


def _look_through(found: Any) -> None:
    """ParseError unless everything in it can be stored and written back."""
    waiting = [(found, 0)]
    while waiting:
        each, depth = waiting.pop()
        if depth > DEEPEST or (isinstance(each, str) and _UNSTORABLE.search(each)):
            raise ParseError(code="malformed")
        if isinstance(each, dict):
            waiting += [(part, depth + 1) for pair in each.items() for part in pair]
        elif isinstance(each, list):
            waiting += [(part, depth + 1) for part in each]


class OneAnswer(BaseContentNegotiation):
    """There is one way we answer: whatever a client says it accepts, it gets that."""

    def select_parser(self, request: Request, parsers: Any) -> Any:
        kind = (request.content_type or "").partition(";")[0].strip().casefold()
        return next((parser for parser in parsers if parser.media_type == kind), None)

    def select_renderer(
        self, request: Request, renderers: Any, format_suffix: str | None = None
    ) -> tuple[BaseRenderer, str]:
        return renderers[0], renderers[0].media_type


def key_of(request: Request) -> str:
    """The key a result came with, from Idempotency-Key. Refused when there is none, or one we could not keep."""
    said = request.headers.get("Idempotency-Key", "").strip().strip('"')
    if not said:
        raise refuse("key_missing", status=400)
    if not _KEY.fullmatch(said):
        raise refuse("key_malformed", status=400)
    return said


def version_of(request: Request, body: int | None) -> tuple[int, bool]:
    """The version of the match the sender saw, and whether If-Match said it (it goes before the body)."""
    said = request.headers.get("If-Match", "").strip()
    if said and said != "*":
        found = _VERSION.fullmatch(said)
        if found is None:
            raise refuse("version_malformed", status=400)
        return int(found[1]), True
    if body is None:
        raise refuse("version_missing", status=428)
    return body, False


def content_tag(content: bytes) -> str:
    """What an ETag is of an answer that has no version: the same for the same content."""
    return hashlib.sha256(content).hexdigest()[:32]


def etags_in(request: Request, header: str) -> set[str]:
    """The ETags a header names, strong or weak."""
    return {tag.strip().removeprefix("W/") for tag in request.headers.get(header, "").split(",")} - {""}


def check_query(request: Request, known: Collection[str]) -> None:
    """Refuse a query with words nobody reads here: a filter that is misspelt must not answer with everything."""
    unknown = sorted(set(request.query_params) - set(known))
    if unknown:
        raise refuse("query_unknown", status=400, names=unknown[:10], known=sorted(known))


def number_in(request: Request, name: str) -> int | None:
    """A whole number of the query, None when it is not there."""
    said = request.query_params.get(name)
    if said is None:
        return None
    if re.fullmatch("[0-9]{1,18}", said) is None:
        raise refuse("query_malformed", status=400, name=name)
    return int(said)


def yes_in(request: Request, name: str) -> bool | None:
    """A yes or no of the query, None when it is not there."""
    said = request.query_params.get(name)
    if said is None:
        return None
    if said.casefold() not in ("1", "true", "0", "false"):
        raise refuse("query_malformed", status=400, name=name)
    return said.casefold() in ("1", "true")


def choice_in(request: Request, name: str, choices: Collection[str]) -> str | None:
    """One of several words of the query, None when it is not there."""
    said = request.query_params.get(name)
    if said is not None and said not in choices:
        raise refuse("query_malformed", status=400, name=name, choices=sorted(choices))
    return said
