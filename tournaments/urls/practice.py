"""Addresses of practice; a game's is private."""

from django.urls import path

from tournaments.views import practice

urlpatterns = [
    path("", practice.practice, name="practice"),
    path("<str:token>/", practice.table, name="practice_table"),
    path("<str:token>/move/", practice.move, name="practice_move"),
    path("<str:token>/replay/", practice.replay, name="practice_replay"),
    path("<str:token>/record/", practice.record, name="practice_record"),
    path("<str:token>/deal/", practice.deal, name="practice_deal"),
    path("<str:token>/guided/", practice.table, {"guided": True}, name="guided_table"),
    path("<str:token>/guided/move/", practice.move, {"guided": True}, name="guided_move"),
]
