"""Addresses behind a helper's private link."""

from django.urls import path

from tournaments.views import (
    invitations,
    own_links,
    staff,
    staff_calls,
    staff_clocks,
    staff_desk,
    staff_games,
    staff_hall,
    staff_presence,
    staff_reports,
)

urlpatterns = [
    path("", staff.link, name="staff_link"),
    path("accept/", invitations.accept, name="invitation_accept"),
    path("account/", invitations.new_account, name="invitation_account"),
    path("matches/<int:match_id>/result/", staff.result, name="staff_result"),
    path("matches/<int:match_id>/undo/", staff.undo, name="staff_undo"),
    path("reports/<int:submission_id>/confirm/", staff_reports.confirm, name="staff_confirm"),
    path("reports/<int:submission_id>/take-back/", staff_reports.take_back, name="staff_take_back"),
    path("matches/<int:match_id>/begun/", staff_presence.begun, name="staff_begun"),
    path("matches/<int:match_id>/no-show/", staff_presence.no_show, name="staff_no_show"),
    path("calls/<int:call_id>/take/", staff_calls.take, name="staff_call_take"),
    path("calls/<int:call_id>/finish/", staff_calls.finish, name="staff_call_finish"),
    path("matches/<int:match_id>/move/", staff_hall.move, name="staff_move"),
    path("matches/<int:match_id>/time/", staff_clocks.extra_time, name="staff_time"),
    path("t/<int:pk>/clock/", staff_clocks.run, name="staff_clock"),
    path("matches/<int:match_id>/way/", staff_games.way, name="staff_way"),
    path("matches/<int:match_id>/console/", staff_games.console, name="staff_console"),
    path("matches/<int:match_id>/console/open/", staff_games.open_, name="staff_console_open"),
    path("matches/<int:match_id>/console/move/", staff_games.move, name="staff_console_move"),
    path("matches/<int:match_id>/game/", staff_games.panel, name="staff_game"),
    path("matches/<int:match_id>/game/act/", staff_games.act, name="staff_game_act"),
    path("t/<int:pk>/", staff_desk.roster, name="staff_roster"),
    path("entries/add/", staff_desk.walk_in, name="staff_walk_in"),
    path("entries/<int:entry_id>/link/", own_links.staff_entry_link, name="staff_entry_link"),
    path("entries/<int:entry_id>/place/", own_links.staff_entry_place, name="staff_entry_place"),
    path("entries/<int:entry_id>/check-in/", staff_desk.check_in, name="staff_check_in"),
    path("entries/<int:entry_id>/undo-check-in/", staff_desk.undo_check_in, name="staff_undo_check_in"),
    path("entries/<int:entry_id>/after-all/", staff_desk.check_in_after_all, name="staff_check_in_after_all"),
    path("t/<int:pk>/scan/", staff_desk.scan, name="staff_scan"),
]
