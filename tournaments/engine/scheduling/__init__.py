"""Who plays where and when: plans a hall, says what to call next, follows the day, and measures itself by a bound.

`improve` is in a module of its own, because it needs an extra package.
"""

from tournaments.engine.scheduling.checking import CLASHES, Clash, clashes
from tournaments.engine.scheduling.facts import (
    MISFITS,
    NOTES,
    Assignment,
    Bound,
    Break,
    Hall,
    Match,
    Misfit,
    Person,
    Plan,
    Referee,
    State,
    Table,
    Window,
)
from tournaments.engine.scheduling.fixtures import Fixtures, key_of
from tournaments.engine.scheduling.lengths import estimate_length, estimate_spread, expected_end
from tournaments.engine.scheduling.moves import RoundTables, Shifted, seat_round, shift
from tournaments.engine.scheduling.planner import Call, calls, next_call, plan

__all__ = [
    "CLASHES",
    "MISFITS",
    "NOTES",
    "Assignment",
    "Bound",
    "Break",
    "Call",
    "Clash",
    "Fixtures",
    "Hall",
    "Match",
    "Misfit",
    "Person",
    "Plan",
    "Referee",
    "RoundTables",
    "Shifted",
    "State",
    "Table",
    "Window",
    "calls",
    "clashes",
    "estimate_length",
    "estimate_spread",
    "expected_end",
    "key_of",
    "next_call",
    "plan",
    "seat_round",
    "shift",
]
