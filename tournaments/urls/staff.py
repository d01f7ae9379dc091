"""Addresses behind a helper's private link."""

from django.urls import path

from tournaments.views import staff

urlpatterns = [
    path("", staff.link, name="staff_link"),
    path("matches/<int:match_id>/result/", staff.result, name="staff_result"),
    path("matches/<int:match_id>/undo/", staff.undo, name="staff_undo"),
    path("t/<int:pk>/", staff.roster, name="staff_roster"),
    path("entries/add/", staff.walk_in, name="staff_walk_in"),
    path("entries/<int:entry_id>/check-in/", staff.check_in, name="staff_check_in"),
    path("entries/<int:entry_id>/undo-check-in/", staff.undo_check_in, name="staff_undo_check_in"),
]
