"""The app's name and what it connects at start."""

from django.apps import AppConfig


class MatchesConfig(AppConfig):
    """The app `matches`."""

    name = "matches"
