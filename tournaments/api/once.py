"""Requests sent again make nothing twice, and what was changed meanwhile is not overwritten."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar

from django.http.request import RawPostDataException
from django.utils import timezone
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response

from players.permissions import Refused
from tournaments.actions.answers import act_on_what_was_seen, answer_once
from tournaments.api.auth import caller_of
from tournaments.api.problems import Problem, refuse
from tournaments.api.reading import content_tag, etags_in, key_of
from tournaments.models import Event, Tournament

_SECRET = 20  # characters of a key that nobody else can guess

Method = Callable[..., Response]
Done = TypeVar("Done")


def once(method: Method) -> Method:
    """A method of a view that makes something: with an Idempotency-Key it makes it once and answers the same again.

    Only what was done is kept; a refusal has written nothing and may be asked for anew. The key is the caller's own;
    who is nobody in particular shares them with everybody, so theirs must be long.
    """

    @wraps(method)
    def inner(view: Any, request: Request, *args: Any, **kwargs: Any) -> Response:
        if "Idempotency-Key" not in request.headers:
            return method(view, request, *args, **kwargs)
        key, caller = key_of(request), caller_of(request)
        if not caller and len(key) < _SECRET:
            raise refuse("key_guessable", status=400)

        def act() -> tuple[int, bytes]:
            answer = method(view, request, *args, **kwargs)
            return answer.status_code, JSONRenderer().render(answer.data)

        told = answer_once(caller=caller, key=key, asked=_asked(request), act=act, now=timezone.now())
        if isinstance(told, Refused):
            raise Problem(told)
        status, body = told
        return Response(json.loads(body), status=status)

    return inner


def _asked(request: Request) -> bytes:
    """What was asked for, as bytes that are the same for the same request."""
    said = f"{request.method} {request.path}\n".encode()
    try:
        return said + request.body
    except RawPostDataException:  # it was read already, to look for a token against forged forms
        if not hasattr(request.data, "lists"):
            return said + json.dumps(request.data).encode()
        parts = []
        for name, values in sorted(request.data.lists()):
            for value in values:
                if hasattr(value, "read"):
                    parts.append([name, str(value.name), hashlib.sha256(value.read()).hexdigest()])
                    value.seek(0)
                else:
                    parts.append([name, str(value)])
        return said + json.dumps(parts).encode()


def if_seen(request: Request, *, of: Event | Tournament, look: Callable[[], Any], act: Callable[[], Done]) -> Done:
    """Do something if what the sender read, whose ETag is in If-Match, is what `look` answers with now.

    Without If-Match it is done. 412 with the present ETag and answer when it has changed. While it is done nobody else
    changes the event or tournament: what `act` reads of it and its players, and leaves as it stands, stands.
    """
    seen = etags_in(request, "If-Match")
    found: dict[str, Any] = {}

    def is_same() -> bool:
        if not seen or "*" in seen:
            return True
        found["body"] = look()
        found["etag"] = f'"{content_tag(JSONRenderer().render(found["body"]))}"'
        return found["etag"] in seen

    outcome = act_on_what_was_seen(of=of, is_same=is_same, act=act)
    if isinstance(outcome, Refused) and outcome.code == "changed_since":
        raise Problem(Refused("changed_since", {"etag": found["etag"]}, status=412), now=found["body"])
    if isinstance(outcome, Refused):
        raise Problem(outcome)
    return outcome
