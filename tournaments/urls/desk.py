"""Addresses of the organiser's desk, all below desk/."""

from django.urls import include, path

from tournaments.views import (
    desk_cuts,
    desk_draft,
    desk_events,
    desk_import,
    desk_log,
    desk_results,
    desk_roster,
    desk_rounds,
    desk_staff,
    desk_tournaments,
)

_event = [
    path("", desk_events.show, name="event_desk"),
    path("edit/", desk_events.edit, name="event_edit"),
    path("remove-demo/", desk_events.remove_demo, name="remove_demo"),
    path("log/", desk_log.show, name="event_log"),
    path("tournaments/new/", desk_tournaments.new, name="tournament_new"),
    path("staff/", desk_staff.show, name="event_staff"),
    path("staff/links/new/", desk_staff.link_new, name="link_new"),
    path("staff/links/<int:link_id>/", desk_staff.link_show, name="link_show"),
    path("staff/links/<int:link_id>/revoke/", desk_staff.link_revoke, name="link_revoke"),
    path("staff/links/<int:link_id>/renew/", desk_staff.link_renew, name="link_renew"),
    path("staff/tokens/new/", desk_staff.token_new, name="token_new"),
    path("staff/tokens/<int:token_id>/revoke/", desk_staff.token_revoke, name="token_revoke"),
]

_tournament = [
    path("", desk_tournaments.show, name="tournament_desk"),
    path("settings/", desk_tournaments.settings, name="tournament_settings"),
    path("remove/", desk_tournaments.remove, name="tournament_remove"),
    # who is on the roster
    path("roster/", desk_roster.show, name="roster"),
    path("entries/add/", desk_roster.add, name="entry_add"),
    path("entries/<int:entry_id>/", desk_roster.edit, name="entry_edit"),
    path("entries/<int:entry_id>/remove/", desk_roster.remove, name="entry_remove"),
    path("entries/<int:entry_id>/check-in/", desk_roster.check_in, name="entry_check_in"),
    path("entries/<int:entry_id>/undo-check-in/", desk_roster.undo_check_in, name="entry_undo_check_in"),
    path("entries/<int:entry_id>/withdraw/", desk_rounds.withdraw, name="withdraw"),
    path("entries/<int:entry_id>/return/", desk_rounds.return_entry, name="return_entry"),
    path("check-in/open/", desk_roster.check_in_open, name="check_in_open"),
    path("check-in/close/", desk_roster.check_in_close, name="check_in_close"),
    path("check-in/all/", desk_roster.check_in_all, name="check_in_all"),
    path("seeds/", desk_roster.seeds, name="seeds"),
    path("import/", desk_import.new, name="import_new"),
    path("import/<int:import_id>/", desk_import.show, name="import_show"),
    path("import/<int:import_id>/confirm/", desk_import.confirm, name="import_confirm"),
    # its course
    path("start/", desk_rounds.start, name="start"),
    path("draft/", desk_rounds.draft, name="draft"),
    path("draft/again/", desk_rounds.pair_again, name="pair_again"),
    path("draft/<int:round_id>/<int:number>/", desk_draft.swap, name="swap"),
    path("publish/", desk_rounds.publish, name="publish"),
    path("take-back/", desk_rounds.take_back, name="take_back"),
    path("finish/", desk_rounds.finish, name="finish"),
    path("reopen/", desk_rounds.reopen, name="reopen"),
    path("play-on/", desk_cuts.play_on, name="play_on"),
    # results
    path("results/", desk_results.show, name="results"),
    path("matches/<int:match_id>/result/", desk_results.match_result, name="match_result"),
    path("matches/<int:match_id>/clear/", desk_results.clear, name="match_clear"),
]

urlpatterns = [
    path("", desk_events.home, name="desk"),
    path("events/new/", desk_events.new, name="event_new"),
    path("events/<int:pk>/", include(_event)),
    path("t/<int:pk>/", include(_tournament)),
]
