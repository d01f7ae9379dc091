"""The Celery app: tasks are thin and live in the apps; a beat job sweeps whatever a lost message left behind."""

import os

from celery import Celery

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

app = Celery("cantina")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
