"""Addresses everybody may open."""

from django.urls import path

from tournaments.views import calendars, public, registration, replays, schedule, table_code, watching

urlpatterns = [
    path("", public.home, name="home"),
    path("events/<int:pk>/", public.event, name="event"),
    path("events/<int:pk>/schedule/", schedule.event_schedule, name="event_schedule"),
    path("events/<int:pk>/schedule/paper/", schedule.event_schedule_paper, name="event_schedule_paper"),
    path("events/<int:pk>/schedule.ics", calendars.event_calendar, name="event_calendar"),
    path("events/<int:pk>/tables/<int:number>/schedule.ics", calendars.table_calendar, name="table_calendar"),
    path("e/<int:pk>/tables/<int:number>/<str:code>/", table_code.table_call, name="table_call"),
    path("t/<int:pk>/", public.tournament, name="tournament"),
    path("t/<int:pk>/register/", registration.register, name="register"),
    path("t/<int:pk>/pairings/", public.pairings, name="pairings"),
    path("t/<int:pk>/standings/", public.standings, name="standings"),
    path("t/<int:pk>/bracket/", public.bracket, name="bracket"),
    path("t/<int:pk>/schedule/", schedule.schedule, name="schedule"),
    path("t/<int:pk>/schedule/paper/", schedule.schedule_paper, name="schedule_paper"),
    path("t/<int:pk>/schedule.ics", calendars.calendar, name="calendar"),
    path("t/<int:pk>/hall/", public.hall, name="hall"),
    path("t/<int:pk>/matches/<int:match_id>/", watching.watch, name="watch"),
    path("t/<int:pk>/matches/<int:match_id>/replay/", replays.replay, name="replay"),
    path("t/<int:pk>/matches/<int:match_id>/record/", replays.record, name="record"),
    path("t/<int:pk>/matches/<int:match_id>/deal/", replays.deal, name="deal"),
    path("verify_deal.py", replays.verifier, name="verifier"),
    path("welcome/<str:token>/", public.welcome, name="welcome"),
]
