"""Addresses behind a player's own link."""

from django.urls import path

from tournaments.views import calendars, me, own_deck, own_table, player, player_reports, registration

urlpatterns = [
    path("", player.own_page, name="own_page"),
    path("check-in/", player.check_in, name="own_check_in"),
    path("undo-check-in/", player.undo_check_in, name="own_undo_check_in"),
    path("matches/<int:match_id>/here/", player.here, name="own_here"),
    path("matches/<int:match_id>/coming/", player.come, name="own_coming"),
    path("matches/<int:match_id>/call/", player.call, name="own_match_call"),
    path("matches/<int:match_id>/table/", own_table.own_table, name="own_table"),
    path("matches/<int:match_id>/table/open/", own_table.own_open, name="own_open"),
    path("matches/<int:match_id>/table/ready/", own_table.own_ready, name="own_ready"),
    path("matches/<int:match_id>/table/move/", own_table.own_move, name="own_move"),
    path("matches/<int:match_id>/table/call/", own_table.own_call, name="own_call"),
    path("deck/", own_deck.own_deck, name="own_deck"),
    path("deck/change/", own_deck.own_deck_change, name="own_deck_change"),
    path("deck/own/", own_deck.own_collection, name="own_collection"),
    path("desk/", player.desk_check_in, name="own_desk"),
    path("schedule.ics", calendars.own_calendar, name="own_calendar"),
    path("link/", registration.own_link, name="own_link"),
    path("account/", me.own_claim, name="own_claim"),
    path("change/", registration.own_change, name="own_change"),
    path("withdraw/", registration.own_withdraw, name="own_withdraw"),
    path("again/", registration.own_again, name="own_again"),
    path("matches/<int:match_id>/report/", player_reports.own_report, name="own_report"),
    path("reports/<int:submission_id>/agree/", player_reports.own_agree, name="own_agree"),
    path("reports/<int:submission_id>/take-back/", player_reports.own_take_back, name="own_take_back"),
]
