"""Whatever a page does a program does: every page that takes a form has its operations, or says why it has none."""

from __future__ import annotations

import ast
import inspect
import textwrap
from typing import Any

import pytest
from django.urls import URLPattern, URLResolver

from tests.tournaments.api.test_schema import schema
from tournaments.urls import desk, player, practice, public, staff

pytestmark = pytest.mark.django_db

OPERATIONS: dict[str, tuple[str, ...]] = {
    # an event, and who runs it
    "event_new": ("create_event",),
    "event_edit": ("change_event",),
    "remove_demo": ("remove_demo",),
    "tournament_new": ("create_tournament",),
    "tournament_new_file": ("import_tournament",),
    "tables_add": ("add_tables",),
    "room_add": ("add_room",),
    "room": ("rename_room",),
    "room_remove": ("remove_room",),
    "hall_table": ("change_table",),
    "table_out": ("take_table_out",),
    "table_back": ("bring_table_back",),
    "table_remove": ("remove_table",),
    "plan_slot": ("fix_match",),
    "slot_hold": ("hold_match",),
    "slot_release": ("release_match",),
    "plan_search_ask": ("search_better_plan",),
    "plan_search_stop": ("stop_plan_search",),
    "plan_search_drop": ("drop_better_plan",),
    "match_move": ("move_match", "swap_tables"),
    "staff_move": ("move_match", "swap_tables"),
    "entry_table": ("fix_table",),
    "opening_add": ("open_hall",),
    "opening": ("change_opening",),
    "opening_remove": ("remove_opening",),
    "break_add": ("add_break",),
    "break_edit": ("change_break",),
    "break_remove": ("remove_break",),
    "round_times": ("set_round_times",),
    "shift_plan": ("shift_plan",),
    "link_new": ("create_staff_link",),
    "link_revoke": ("revoke_staff_link",),
    "link_edit": ("change_staff_link",),
    "link_renew": ("renew_staff_link",),
    "organiser_remove": ("remove_organiser",),
    "hand_over": ("hand_over",),
    "leave_event": ("leave_event",),
    "invitation_accept": ("accept_invitation",),
    "token_new": ("create_token",),
    "token_revoke": ("revoke_token",),
    # a tournament and its roster
    "tournament_settings": ("change_tournament",),
    "tournament_remove": ("remove_tournament",),
    "entry_add": ("add_entry",),
    "entry_edit": ("change_entry",),
    "entry_remove": ("remove_entry",),
    "entry_merge": ("merge_players",),
    "entry_link_new": ("renew_own_link",),
    "entry_place": ("give_place",),
    "entry_check_in": ("check_in",),
    "entry_undo_check_in": ("undo_check_in",),
    "entry_check_in_after_all": ("check_in_after_all",),
    "roster_scan": ("check_in_scanned",),
    "check_in_open": ("open_check_in",),
    "check_in_close": ("close_check_in",),
    "check_in_all": ("check_in_all",),
    "seeds": ("set_seeds",),
    "import_new": ("import_roster",),
    "import_confirm": ("confirm_import",),
    # players while it runs
    "withdraw": ("withdraw_entry",),
    "return_entry": ("return_entry",),
    "entry_act": (
        *("withdraw_entry", "return_entry", "disqualify_entry", "reinstate_entry"),
        *("let_in", "remove_late_entry", "undo_replacement"),
    ),
    "entry_replace": ("replace_entry", "replace_by"),
    "entry_late": ("late_entry", "let_in"),
    "entry_byes": ("set_asked_byes",),
    # its course
    "trial_draw": ("try_draw",),
    "start": ("start_tournament",),
    "draft": ("draft_rounds",),
    "pair_again": ("pair_again",),
    "swap": ("swap_in_draft",),
    "publish": ("publish_rounds",),
    "take_back": ("take_back_round",),
    "clock": ("start_clock", "pause_clock", "resume_clock", "extend_clock", "reset_clock"),
    "finish": ("finish_tournament",),
    "reopen": ("reopen_tournament",),
    "play_offs": ("start_play_off",),
    "play_off_drop": ("drop_play_off",),
    "play_on": ("play_on",),
    # results
    "match_result": ("submit_result", "correct_result"),
    "match_no_show": ("confirm_no_show",),
    "match_coming": ("mark_coming",),
    "match_again": ("call_again",),
    "match_back": ("put_back",),
    "call_take": ("take_call",),
    "call_finish": ("finish_call",),
    "match_clear": ("clear_result",),
    "paper": ("submit_result",),
    "result_list": ("enter_results",),
    "result_list_confirm": ("enter_results",),
    "report_confirm": ("confirm_report",),
    "report_take_back": ("take_back_report",),
    # play
    "play_settings": ("change_play",),
    "match_way": ("choose_way",),
    "match_console_open": ("open_game",),
    "match_console_move": ("make_move", "undo_move", "confirm_game"),
    "match_game_act": ("pause_game", "resume_game", "concede_for", "rule_game"),
    "practice": ("open_practice",),
    "practice_move": ("move_in_practice",),
    "guided_move": ("move_in_practice",),
    "match_time": ("give_time",),
    # behind a helper's link
    "staff_clock": ("start_clock", "pause_clock", "resume_clock", "extend_clock", "reset_clock"),
    "staff_time": ("give_time",),
    "staff_way": ("choose_way",),
    "staff_console_open": ("open_game",),
    "staff_console_move": ("make_move", "undo_move", "confirm_game"),
    "staff_game_act": ("pause_game", "resume_game", "concede_for", "rule_game"),
    "staff_result": ("submit_result",),
    "staff_undo": ("undo_result",),
    "staff_confirm": ("confirm_report",),
    "staff_take_back": ("take_back_report",),
    "staff_begun": ("say_begun",),
    "staff_no_show": ("confirm_no_show",),
    "staff_coming": ("mark_coming",),
    "staff_again": ("call_again",),
    "staff_back": ("put_back",),
    "staff_call_take": ("take_call",),
    "staff_call_finish": ("finish_call",),
    "staff_walk_in": ("add_entry",),
    "staff_entry_place": ("give_place",),
    "staff_check_in": ("check_in",),
    "staff_undo_check_in": ("undo_check_in",),
    "staff_check_in_after_all": ("check_in_after_all",),
    "staff_scan": ("check_in_scanned",),
    # a player's own
    "own_open": ("open_game",),
    "own_ready": ("get_ready",),
    "own_move": ("make_move",),
    "own_call": ("call_referee_own", "take_back_call_own"),
    "own_match_call": ("call_referee_own", "take_back_call_own"),
    "table_call": ("call_referee_at_table", "take_back_call_at_table"),
    "own_deck_change": ("save_own_side_deck",),
    "own_collection": ("save_own_collection",),
    "register": ("register",),
    "own_check_in": ("check_in_own",),
    "own_undo_check_in": ("undo_check_in_own",),
    "own_here": ("say_here",),
    "own_coming": ("say_coming",),
    "own_desk": ("check_in_after_all", "undo_check_in"),
    "own_claim": ("claim_entry",),
    "own_change": ("change_own",),
    "own_withdraw": ("withdraw_own",),
    "own_again": ("register_again",),
    "own_report": ("report_own_result",),
    "own_agree": ("agree_own",),
    "own_take_back": ("take_back_own",),
}
"""The page that takes a form, and the operations that do the same."""

IN_A_BROWSER_ALONE = {"invitation_account", "welcome"}
"""Pages where somebody makes an account with a password; docs/api.md tells of them."""


def takes_forms(pattern: URLPattern) -> bool:
    """Whether the view behind an address does something when it is sent a form."""
    view: Any = inspect.unwrap(pattern.callback)
    tree = ast.parse(textwrap.dedent(inspect.getsource(view)))
    names = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    attributes = {node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
    return "require_POST" in names or "method" in attributes


def addresses(patterns: list[Any]) -> list[URLPattern]:
    found: list[URLPattern] = []
    for each in patterns:
        found += addresses(each.url_patterns) if isinstance(each, URLResolver) else [each]
    return found


def test_every_page_that_takes_a_form_has_its_operations() -> None:
    rooms = (desk, player, practice, public, staff)
    pages = addresses([each for room in rooms for each in room.urlpatterns])
    taking = {str(each.name) for each in pages if takes_forms(each)}
    assert taking - IN_A_BROWSER_ALONE - set(OPERATIONS) == set()
    known = {operation["operationId"] for methods in schema()["paths"].values() for operation in methods.values()}
    assert {name for names in OPERATIONS.values() for name in names} - known == set()
    assert set(OPERATIONS) - {str(each.name) for each in pages} == set()
