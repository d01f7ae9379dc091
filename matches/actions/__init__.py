"""Results of matches: reported, confirmed once, corrected by a newer one, never overwritten."""

from matches.actions.brought import Brought, bring_results
from matches.actions.judging import DOUBLE_NO_SHOW, FORFEIT, KINDS, SCORE, SEATS, TIME, WALKOVER, Report
from matches.actions.reports import confirm_report, report_result, take_back_report
from matches.actions.results import change_seat, clear_result, create_matches, submit_result, void_matches

__all__ = [
    "DOUBLE_NO_SHOW",
    "FORFEIT",
    "KINDS",
    "SCORE",
    "SEATS",
    "TIME",
    "WALKOVER",
    "Brought",
    "Report",
    "bring_results",
    "change_seat",
    "clear_result",
    "confirm_report",
    "create_matches",
    "report_result",
    "submit_result",
    "take_back_report",
    "void_matches",
]
