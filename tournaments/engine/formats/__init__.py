"""The formats a stage can be run in. A new one is a file here and a line in FORMATS."""

from __future__ import annotations

from tournaments.engine.formats.base import Format
from tournaments.engine.formats.double_elimination import DoubleElimination
from tournaments.engine.formats.groups import Groups
from tournaments.engine.formats.round_robin import RoundRobin
from tournaments.engine.formats.single_elimination import SingleElimination
from tournaments.engine.formats.swiss import Swiss

FORMATS: tuple[Format, ...] = (Swiss(), RoundRobin(), Groups(), SingleElimination(), DoubleElimination())


def get_format(key: str) -> Format:
    """The format with this key. Raises KeyError for a key nobody has."""
    for candidate in FORMATS:
        if candidate.key == key:
            return candidate
    raise KeyError(key)
