"""The app's name and what it connects at start."""

from django.apps import AppConfig


class TournamentsConfig(AppConfig):
    """The app `tournaments`."""

    name = "tournaments"

    def ready(self) -> None:
        # Connecting the receivers is what importing them does; it needs the models, so it waits until here.
        from tournaments import receivers  # noqa: F401
