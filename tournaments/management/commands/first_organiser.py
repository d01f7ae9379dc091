"""Print the one-time link by which the first organiser makes their account."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand
from django.urls import reverse

from players.models import Account
from tournaments.permissions import first_organiser_token


class Command(BaseCommand):
    """`manage.py first_organiser`: one line, or nothing when there is a first organiser already."""

    help = "Print the one-time link for the first organiser, as long as there is none."

    def handle(self, *args: Any, **options: Any) -> None:
        if not Account.objects.filter(is_first=True).exists():
            self.stdout.write(settings.PUBLIC_URL + reverse("welcome", args=[first_organiser_token()]))
