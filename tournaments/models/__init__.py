"""Events and the tournaments in them, who takes part, how stages run, who helps."""

from tournaments.models.answer import FirstAnswer
from tournaments.models.event import Event, Membership
from tournaments.models.hall import Purpose, RefereeCall, Room, RoundClock, Table, TableUse
from tournaments.models.notice import Notice
from tournaments.models.plan import Break, HallPlan, Opening, PlanSearch, RoundTime, Slot
from tournaments.models.roster import Entry, RosterImport
from tournaments.models.staff import ApiToken, StaffLink
from tournaments.models.stage import Pairing, Round, Stage, StageChange, Standing
from tournaments.models.tournament import Tournament

__all__ = [
    "ApiToken",
    "Break",
    "Entry",
    "Event",
    "FirstAnswer",
    "HallPlan",
    "Membership",
    "Notice",
    "Opening",
    "Pairing",
    "PlanSearch",
    "Purpose",
    "RefereeCall",
    "Room",
    "RosterImport",
    "Round",
    "RoundClock",
    "RoundTime",
    "Slot",
    "StaffLink",
    "Stage",
    "StageChange",
    "Standing",
    "Table",
    "TableUse",
    "Tournament",
]
