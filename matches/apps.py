"""The app's name and what it connects at start."""

from django.apps import AppConfig


class MatchesConfig(AppConfig):
    name = "matches"
