"""How an operation is told of in the schema: its name, what it takes and answers; all else is a problem."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers

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
MINE = OpenApiParameter("mine", bool, description="Only the events you organise.")


def operation(
    name: str,
    summary: str,
    *,
    answer: type[serializers.BaseSerializer[Any]] | serializers.BaseSerializer[Any] | None,
    body: Any = None,
    status: int = 200,
    parameters: Sequence[OpenApiParameter] = (),
    description: str = "",
) -> Callable[[Method], Method]:
    """Describe a method of a view. `body` is a shape, or one for each media type; `answer` None is an empty answer."""

    def describe(method: Method) -> Method:
        described: Method = extend_schema(
            operation_id=name,
            summary=summary,
            description=description or summary,
            request=body,
            parameters=list(parameters),
            responses={status: answer, ("default", MEDIA_TYPE): ProblemShape},
        )(method)
        return described

    return describe
