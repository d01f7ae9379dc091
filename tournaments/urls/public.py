"""Addresses everybody may open."""

from django.urls import path

from tournaments.views import public, registration

urlpatterns = [
    path("", public.home, name="home"),
    path("events/<int:pk>/", public.event, name="event"),
    path("t/<int:pk>/", public.tournament, name="tournament"),
    path("t/<int:pk>/register/", registration.register, name="register"),
    path("t/<int:pk>/pairings/", public.pairings, name="pairings"),
    path("t/<int:pk>/standings/", public.standings, name="standings"),
    path("t/<int:pk>/bracket/", public.bracket, name="bracket"),
    path("t/<int:pk>/hall/", public.hall, name="hall"),
    path("welcome/<str:token>/", public.welcome, name="welcome"),
]
