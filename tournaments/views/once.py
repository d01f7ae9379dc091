"""Forms of the desk that make something: sent twice, by a double click or a bad network, they make it once."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from typing import Any, cast
from uuid import uuid4

from django.http import HttpRequest
from django.utils import timezone

from players.models import Account
from tournaments.actions.answers import answer_once
from tournaments.views.scan import KEY


def form_key(request: HttpRequest) -> str:
    """The key a form carries in its field `key`: the one it came with when it is shown again, else a new one."""
    said = request.POST.get("key", "")
    return said if KEY.fullmatch(said) else str(uuid4())


def signed_in(request: HttpRequest) -> Account:
    """The account behind a page of the desk, which nobody else sees."""
    return cast("Account", request.user)


def made_once(request: HttpRequest, account: Account, act: Callable[[], dict[str, Any]]) -> dict[str, Any]:
    """Do what a form asks for, and what it made: ids and words. The same form with the same in it made it already.

    With something else in it, it is another one: whoever goes back and types another name gets that as well. A form
    without a key that could be one is done each time.
    """
    key = request.POST.get("key", "")
    if not KEY.fullmatch(key):
        return act()
    typed = sorted((name, values) for name, values in request.POST.lists() if name != "csrfmiddlewaretoken")
    asked = json.dumps([request.path, typed]).encode()

    def answered() -> tuple[int, bytes]:
        return 201, json.dumps(act()).encode()

    told = answer_once(
        caller=f"form/{account.pk}",
        key=f"{key}:{hashlib.sha256(asked).hexdigest()}",
        asked=asked,
        act=answered,
        now=timezone.now(),
    )
    # What was asked is part of the key, so nothing else can have been asked under it.
    _status, body = cast("tuple[int, bytes]", told)
    made: dict[str, Any] = json.loads(body)
    return made
