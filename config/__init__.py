"""The Django project: one settings file, the doors to the web, and the Celery app."""

from config.celery import app as celery_app

__all__ = ["celery_app"]
