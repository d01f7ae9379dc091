"""Addresses of the API."""

from django.urls import path, re_path

from tournaments.api import events, reads, results, roster, rounds, schema, staff
from tournaments.api.access import Nothing

urlpatterns = [
    path("schema/", schema.Schema.as_view(), name="api_schema"),
    path("docs/", schema.Docs.as_view(), name="api_docs"),
    path("me/", events.Caller.as_view()),
    path("events/", events.Events.as_view()),
    path("events/<int:pk>/", events.OneEvent.as_view()),
    path("events/<int:pk>/tournaments/", events.Tournaments.as_view()),
    path("events/<int:pk>/staff-links/", staff.StaffLinks.as_view()),
    path("events/<int:pk>/staff-links/<int:link_id>/revoke/", staff.RevokeStaffLink.as_view()),
    path("tournaments/<int:pk>/", events.OneTournament.as_view()),
    path("tournaments/<int:pk>/entries/", roster.Entries.as_view()),
    path("tournaments/<int:pk>/entries/<int:entry_id>/check-in/", roster.CheckIn.as_view()),
    path("tournaments/<int:pk>/entries/<int:entry_id>/undo-check-in/", roster.UndoCheckIn.as_view()),
    path("tournaments/<int:pk>/entries/<int:entry_id>/merge/", roster.Merge.as_view()),
    path("tournaments/<int:pk>/imports/", roster.Imports.as_view()),
    path("tournaments/<int:pk>/imports/<int:import_id>/", roster.OneImport.as_view()),
    path("tournaments/<int:pk>/imports/<int:import_id>/confirm/", roster.ConfirmImport.as_view()),
    path("tournaments/<int:pk>/open-check-in/", roster.OpenCheckIn.as_view()),
    path("tournaments/<int:pk>/check-in-all/", roster.CheckInAll.as_view()),
    path("tournaments/<int:pk>/start/", rounds.Start.as_view()),
    path("tournaments/<int:pk>/draft/", rounds.Draft.as_view()),
    path("tournaments/<int:pk>/pair-again/", rounds.PairAgain.as_view()),
    path("tournaments/<int:pk>/publish/", rounds.Publish.as_view()),
    path("tournaments/<int:pk>/take-back/", rounds.TakeBack.as_view()),
    path("tournaments/<int:pk>/finish/", rounds.Finish.as_view()),
    path("tournaments/<int:pk>/reopen/", rounds.Reopen.as_view()),
    path("tournaments/<int:pk>/rounds/", reads.Rounds.as_view()),
    path("tournaments/<int:pk>/pairings/", reads.Pairings.as_view()),
    path("tournaments/<int:pk>/standings/", reads.Standings.as_view()),
    path("tournaments/<int:pk>/bracket/", reads.Bracket.as_view()),
    path("tournaments/<int:pk>/open-matches/", results.OpenMatches.as_view()),
    path("tournaments/<int:pk>/matches/<int:match_id>/", results.OneMatch.as_view()),
    path("tournaments/<int:pk>/matches/<int:match_id>/result/", results.Result.as_view()),
    path("tournaments/<int:pk>/matches/<int:match_id>/correct/", results.Correct.as_view()),
    path("tournaments/<int:pk>/matches/<int:match_id>/clear/", results.Clear.as_view()),
    re_path("", Nothing.as_view()),
]
