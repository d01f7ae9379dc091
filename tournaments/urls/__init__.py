"""Addresses of tournaments: the public pages, the helpers' links, the organiser's desk, the API."""

from django.urls import include, path

urlpatterns = [
    path("", include("tournaments.urls.public")),
    path("", include("tournaments.urls.exports")),
    path("s/<str:token>/", include("tournaments.urls.staff")),
    path("desk/", include("tournaments.urls.desk")),
    path("api/", include("tournaments.urls.api")),
]
