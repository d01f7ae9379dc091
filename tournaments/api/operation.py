"""How an operation is told of in the schema: its name, what it takes and answers; all else is a problem."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers

from tournaments.api.once import once
from tournaments.api.problems import MEDIA_TYPE
from tournaments.api.shapes import ProblemShape

Method = TypeVar("Method", bound=Callable[..., Any])

KEY = OpenApiParameter(
    "Idempotency-Key",
    str,
    OpenApiParameter.HEADER,
    required=True,
    description="Made by the sender, new for each result. Sent again with the same body it gets the first answer.",
)
IF_MATCH = OpenApiParameter(
    "If-Match",
    str,
    OpenApiParameter.HEADER,
    description='The version of the match the sender saw, like `"3"`; in place of `version` in the body.',
)
IF_SEEN = OpenApiParameter(
    "If-Match",
    str,
    OpenApiParameter.HEADER,
    description="The ETag of the answer this change was made from: 412 when it has changed since.",
)
ONCE = OpenApiParameter(
    "Idempotency-Key",
    str,
    OpenApiParameter.HEADER,
    description="Made by the sender, new for each request: sent again within a day, the same request gets the first"
    " answer and makes nothing new.",
)
IF_NONE_MATCH = OpenApiParameter(
    "If-None-Match",
    str,
    OpenApiParameter.HEADER,
    description="The ETag of an earlier answer: 304 when nothing changed.",
)
PAGE = [
    OpenApiParameter("page", int, description="From 1 up."),
    OpenApiParameter("page_size", int, description="At most 500; 100 unless said."),
]
ROUND = OpenApiParameter("round", int, description="Only this round.")
TOURNAMENT = OpenApiParameter("tournament", int, description="Only of this tournament.")
VERB = OpenApiParameter("verb", str, description="Only acts of this kind.")
OPEN = OpenApiParameter("open", bool, description="Only those with a match that waits for its result, or without.")
ENTRY = OpenApiParameter("entry", int, description="Only those of this player.")
NAME = OpenApiParameter("name", str, description="Only those with this in their name, in any letter case.")
STATUS = OpenApiParameter("status", str, description="Only those with this status.")
HERE = OpenApiParameter("here", bool, description="Only those who are checked in, or are not.")
AT = OpenApiParameter(
    "at", int, description="Once the game is over: the table so many moves after its beginning, with what was played."
)
MINE = OpenApiParameter("mine", bool, description="Only the events you organise.")


_ROOMS = {
    "events": "Events and tournaments",
    "roster": "Players",
    "hall": "The hall",
    "hours": "The hall",
    "plan": "The hall",
    "searches": "The hall",
    "entries": "Players",
    "players": "Players",
    "registration": "Players",
    "checks": "Course",
    "rounds": "Course",
    "clocks": "Course",
    "links": "Players",
    "results": "Results",
    "presence": "Results",
    "calls": "Results",
    "reports": "Results",
    "reads": "What everybody sees",
    "schedule": "What everybody sees",
    "games": "Play",
    "practice": "Play",
    "positions": "Play",
    "own": "A player's own",
    "decks": "A player's own",
    "mine": "A player's own",
    "staff": "Helpers and tokens",
    "organisers": "Helpers and tokens",
    "log": "Log and files",
    "exports": "Log and files",
    "interchange": "Log and files",
}
"""Under which heading the documentation has the operations of a module; its own name where it has none."""


def operation(
    name: str,
    summary: str,
    *,
    answer: type[serializers.BaseSerializer[Any]] | serializers.BaseSerializer[Any] | dict[Any, Any] | None,
    body: Any = None,
    status: int = 200,
    parameters: Sequence[OpenApiParameter] = (),
    description: str = "",
    makes: bool | None = None,
) -> Callable[[Method], Method]:
    """Describe a method of a view. `body` is a shape, or one for each media type; `answer` None is an empty answer, a
    dict has one for each status and media type.

    What `makes` something (all that answers with 201, unless it says otherwise) takes an Idempotency-Key. Words of the
    query that are no parameter are refused.
    """
    is_once = status == 201 if makes is None else makes

    def describe(method: Method) -> Method:
        told = list(parameters)
        if is_once:
            told.append(ONCE)
        described: Any = extend_schema(
            operation_id=name,
            tags=[_tag(method)],
            summary=summary,
            description=description or summary,
            request=body,
            parameters=told,
            responses={
                **(answer if isinstance(answer, dict) else {status: answer}),
                ("default", MEDIA_TYPE): ProblemShape,
            },
        )(once(method) if is_once else method)
        described.query = frozenset(each.name for each in told if each.location == OpenApiParameter.QUERY)
        found: Method = described
        return found

    return describe


def _tag(method: Callable[..., Any]) -> str:
    module = method.__module__.rpartition(".")[2]
    return _ROOMS.get(module, module.replace("_", " ").capitalize())
