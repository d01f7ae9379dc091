"""Addresses of files to take away."""

from django.urls import path

from tournaments.views import exports

urlpatterns = [
    path("t/<int:pk>/export/<str:sheet>.<str:kind>", exports.public_file, name="export"),
    path("desk/t/<int:pk>/export/roster.<str:kind>", exports.roster_file, name="export_roster"),
]
