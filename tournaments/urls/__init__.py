"""Addresses of tournaments: the public pages, the helpers' links, the organiser's desk, the API."""

from django.urls import include, path

from tournaments.views import api_script, health, me

urlpatterns = [
    path("", include("tournaments.urls.public")),
    path("", include("tournaments.urls.exports")),
    path("s/<str:token>/", include("tournaments.urls.staff")),
    path("p/<str:token>/", include("tournaments.urls.player")),
    path("practice/", include("tournaments.urls.practice")),
    path("health/", health.show, name="health"),
    path("me/", me.my_events, name="my_events"),
    path("desk/", include("tournaments.urls.desk")),
    path("api/script/", api_script.show, name="api_script"),
    path("api/script/client.py", api_script.program, name="api_client"),
    path("api/", include("tournaments.urls.api")),
]
