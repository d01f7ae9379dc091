"""Make the demo event: one tournament finished, one running, one open, with logins nobody else has."""

from __future__ import annotations

import hashlib
import json
import os
import secrets
from datetime import datetime, time, timedelta
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

from django.conf import settings
from django.core.management.base import BaseCommand
from django.db import transaction
from django.urls import reverse
from django.utils import timezone

from matches.actions import SCORE, WALKOVER, Report, submit_result
from players.actions import create_account
from players.models import Account
from players.permissions import Actor, Refused, Role
from tournaments.actions import events, roster, rounds, staff, standings
from tournaments.models import Event, Tournament
from tournaments.permissions import link_token
from tournaments.queries.desk import current_stage, open_pairings

ROUND = timedelta(minutes=40)
ZONE = ZoneInfo("Europe/Helsinki")

FIELD = (
    ("Тень Дантуина", "Москва", "Кантина", 1705),
    ("Последний падаван", "Тула", "", 1620),
    ("Juhani", "Helsinki", "Тарис", 1640),
    ("Kaija 🃏", "Riga", "Кантина", 1580),
    ("Мандалорец №3", "Казань", "Ондерон", 1705),
    ("Mission", "Riga", "Тарис", 1490),
    ("Капитан «Чёрного Ястреба»", "Helsinki", "Тарис", 1450),
    ("Obi-2", "Tampere", "", 1510),
    ("Скиталец", "Москва", "Ондерон", 1620),
    ("Скиталец", "Казань", "Ондерон", 1500),
    ("Леди Малак", "Тверь", "", 1560),
    ("Pazaak Kid", "Riga", "Кантина", 1390),
    ("Рыжая с Тариса", "Тула", "Тарис", 1580),
)


class Command(BaseCommand):
    """`manage.py demo`: once per data folder; does nothing where there is an account already."""

    help = "Make the demo event and DATA/demo.json with its logins, once."

    def handle(self, *args: Any, **options: Any) -> None:
        with transaction.atomic():
            if Account.objects.exists():
                return
            logins = _build(timezone.now())
            # The file is written last and before the commit: there is never a demo whose logins nobody knows.
            _write_private(events.DEMO_LOGINS, logins)


def _write_private(path: Path, content: dict[str, Any]) -> None:
    temporary = path.with_suffix(".new")
    temporary.unlink(missing_ok=True)
    descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "w") as file:
        json.dump(content, file, ensure_ascii=False, indent=1)
    temporary.replace(path)


def _build(now: datetime) -> dict[str, Any]:
    password = secrets.token_urlsafe(9)
    account = create_account(email="organiser@demo.example.org", password=password, name="Demo", now=now, is_demo=True)
    by = Actor(role=Role.ORGANISER, name=str(account), account=account.pk)
    today = now.astimezone(ZONE).date()
    morning = now - timedelta(hours=4)  # the demo is in its afternoon, whenever it is made
    tomorrow = datetime.combine(today + timedelta(days=1), time(11), tzinfo=ZONE)
    facts = events.EventFacts(
        name="StarCon", place="The cantina", zone=ZONE.key, starts_on=today, ends_on=today + timedelta(days=1)
    )
    event = events.create_event(facts=facts, owner=account, by=by, now=now, is_demo=True)
    _finished_swiss(event, by, morning)
    cup = _running_cup(event, by, now - timedelta(minutes=50))
    _open_round_robin(event, by, now, starts_at=tomorrow)
    _, token = staff.create_token(account=account, event_id=None, name="Demo", by=by, now=now)
    expires = now + timedelta(days=30)
    referee = staff.create_link(
        event_id=event.pk,
        tournament_id=cup.pk,
        role=Role.REFEREE,
        name="Marta",
        here_from=morning.replace(minute=0, second=0, microsecond=0),
        here_until=(now + timedelta(hours=6)).replace(minute=0, second=0, microsecond=0),
        expires_at=expires,
        by=by,
        now=now,
    )
    desk = staff.create_link(
        event_id=event.pk, tournament_id=None, role=Role.DESK, name="Olli", expires_at=expires, by=by, now=now
    )
    address = settings.PUBLIC_URL
    return {
        "url": address,
        "organiser": {"email": account.email, "password": password, "token": token},
        "referee": {"name": referee.name, "url": address + reverse("staff_link", args=[link_token(referee)])},
        "desk": {"name": desk.name, "url": address + reverse("staff_link", args=[link_token(desk)])},
    }


def _tournament(
    event: Event, by: Actor, now: datetime, *, name: str, form: str, players: int, **chosen: Any
) -> Tournament:
    facts = events.TournamentFacts(name=name, format=form, **chosen)
    made = events.create_tournament(event_id=event.pk, facts=facts, by=by, now=now, seed=f"demo-{form}")
    for name_, city, club, rating in FIELD[:players]:
        roster.add_entry(
            tournament_id=made.pk, name=name_, city=city, club=club, rating=rating, by=by, now=now, name_again=True
        )
    roster.open_check_in(tournament_id=made.pk, by=by, now=now)
    return made


def _start(tournament: Tournament, by: Actor, now: datetime) -> None:
    roster.check_in_all(tournament_id=tournament.pk, by=by, now=now)
    started = rounds.start_tournament(tournament_id=tournament.pk, by=by, now=now)
    if isinstance(started, Refused):
        raise RuntimeError(started.code)
    rounds.publish_rounds(stage_id=current_stage(tournament=tournament).pk, by=by, now=now)


def _play(tournament: Tournament, by: Actor, now: datetime, *, leave_open: int = 0) -> None:
    """Report what is open, all but the last `leave_open` matches, as lots drawn from the names decide."""
    waiting = open_pairings(event=tournament.event, tournament=tournament, tables=frozenset())
    for pairing in waiting[: len(waiting) - leave_open]:
        if pairing.b is None or pairing.match_id is None:
            continue
        lot = hashlib.sha256(f"{pairing.a.name}{pairing.a.city}|{pairing.b.name}{pairing.b.city}".encode()).digest()
        sets = [(3, 0), (3, 1), (3, 2), (3, 2), (2, 3), (2, 3), (1, 3), (0, 3)][lot[0] % 8]
        report = Report(SCORE, sets) if lot[1] % 16 else Report(WALKOVER, winner="a")
        key = f"demo-{tournament.pk}-{pairing.match_id}"
        submit_result(match_id=pairing.match_id, report=report, by=by, key=key, expected_version=0, now=now)
    standings.refresh(stage_id=current_stage(tournament=tournament).pk, now=now)


def _finished_swiss(event: Event, by: Actor, now: datetime) -> None:
    chosen = {"seeding": "rating", "starts_at": now, "match_minutes": 30}
    swiss = _tournament(event, by, now, name="Swiss, main event", form="swiss", players=13, **chosen)
    _start(swiss, by, now)
    stage = current_stage(tournament=swiss)
    _play(swiss, by, now := now + ROUND)
    while not isinstance(rounds.draft_rounds(stage_id=stage.pk, by=by, now=now), Refused):
        rounds.publish_rounds(stage_id=stage.pk, by=by, now=now, accept_warnings=True)
        _play(swiss, by, now := now + ROUND)
    rounds.finish_tournament(tournament_id=swiss.pk, by=by, now=now)
    standings.refresh(stage_id=stage.pk, now=now)


def _running_cup(event: Event, by: Actor, now: datetime) -> Tournament:
    chosen = {"seeding": "rating", "starts_at": now, "match_minutes": 30}
    cup = _tournament(event, by, now, name="Cup", form="single_elimination", players=8, **chosen)
    _start(cup, by, now)
    _play(cup, by, now := now + ROUND)
    _play(cup, by, now, leave_open=1)
    return cup


def _open_round_robin(event: Event, by: Actor, now: datetime, *, starts_at: datetime) -> None:
    late = _tournament(event, by, now, name="Sunday open", form="round_robin", players=6, starts_at=starts_at)
    for entry in late.entries.order_by("pk")[:4]:
        roster.check_in(entry_id=entry.pk, by=by, now=now)
