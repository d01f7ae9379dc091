"""The app's name and what it connects at start."""

from django.apps import AppConfig


class PlayersConfig(AppConfig):
    """The app `players`."""

    name = "players"

    def ready(self) -> None:
        # Connecting the receivers is what importing them does; it needs the models, so it waits until here.
        from players import receivers  # noqa: F401
