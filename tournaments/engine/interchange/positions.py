"""Where in a JSON text a value stands."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

_SPACE = re.compile(r"[ \t\n\r]*")
_DECODER = json.JSONDecoder()


def position_of(text: str, path: tuple[str | int, ...]) -> tuple[int, int]:
    """Line and column, from 1, of the value at `path` in a text that is JSON; of the last part there is of the path."""
    place = _skip(text, 0)
    for step in path:
        found = next((start for key, start in _children(text, place) if key == step), None)
        if found is None:
            break
        place = found
    before = text[:place]
    return before.count("\n") + 1, place - (before.rfind("\n") + 1) + 1


def _skip(text: str, place: int) -> int:
    """The next place that is no space."""
    matched = _SPACE.match(text, place)
    return matched.end() if matched else place


def _children(text: str, place: int) -> Iterator[tuple[str | int, int]]:
    """Key or index of every value in the object or list that begins here, and where the value begins."""
    opening, number = text[place], 0
    if opening not in "{[":
        return
    place = _skip(text, place + 1)
    while text[place] not in "}]":
        key: str | int = number
        if opening == "{":
            key, place = _DECODER.raw_decode(text, place)
            place = _skip(text, _skip(text, place) + 1)
        yield key, place
        number += 1
        _, place = _DECODER.raw_decode(text, place)
        place = _skip(text, place)
        if text[place] == ",":
            place = _skip(text, place + 1)
