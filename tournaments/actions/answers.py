"""Answers of the API: the same key gets the first one, and what somebody read is not overwritten unseen."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, TypeVar

from django.conf import settings
from django.db import IntegrityError, transaction

from players.permissions import Refused
from tournaments.models import Event, FirstAnswer, Tournament

if TYPE_CHECKING:
    from cryptography.fernet import Fernet

KEPT_FOR = timedelta(hours=24)

Done = TypeVar("Done")


def answer_once(
    *, caller: str, key: str, asked: bytes, act: Callable[[], tuple[int, bytes]], now: datetime
) -> tuple[int, bytes] | Refused:
    """Do what was asked and keep its answer (status and body), or give the one that was kept for this caller's key.

    The key is written in the same transaction as what was done: both are there, or neither. Of several who ask at once
    one acts, the others wait for its answer. When `act` raises, nothing is kept and it can be tried again.
    Refusals: key_taken (422), when something else was asked under the key.
    """
    hidden, digest = hashlib.sha256(key.encode()).hexdigest(), hashlib.sha256(asked).hexdigest()
    with transaction.atomic():
        FirstAnswer.objects.filter(caller=caller, key=hidden, created_at__lt=now - KEPT_FOR).delete()
        kept = FirstAnswer.objects.filter(caller=caller, key=hidden).first()
        if kept is None:
            try:
                with transaction.atomic():
                    mine = FirstAnswer.objects.create(
                        caller=caller, key=hidden, digest=digest, status=0, body=b"", created_at=now
                    )
            except IntegrityError:  # somebody was first while we looked; they are done now
                kept = FirstAnswer.objects.get(caller=caller, key=hidden)
            else:
                mine.status, body = act()
                mine.body = _box(key).encrypt(body)
                mine.save(update_fields=["status", "body"])
                return mine.status, body
    if kept.digest != digest:
        return Refused("key_taken", status=422)
    return kept.status, _box(key).decrypt(bytes(kept.body))


def _box(key: str) -> Fernet:
    """What an answer is kept in: it takes the sender's key and the server's to open it."""
    from cryptography.fernet import Fernet  # 6 MB that the worker, which keeps no answers, does without

    said = hashlib.sha256(f"first-answer:{settings.SECRET_KEY}:{key}".encode()).digest()
    return Fernet(base64.urlsafe_b64encode(said))


def forget_answers(*, now: datetime) -> None:
    """Let go of answers nobody can ask for any more."""
    FirstAnswer.objects.filter(created_at__lt=now - KEPT_FOR).delete()


def act_on_what_was_seen(
    *, of: Event | Tournament, is_same: Callable[[], bool], act: Callable[[], Done]
) -> Done | Refused:
    """Do something if `is_same` still says, once nobody else can change the event or tournament, that nothing changed.

    Refusals: changed_since (412).
    """
    with transaction.atomic():
        type(of)._default_manager.select_for_update(of=("self",)).filter(pk=of.pk).first()
        return act() if is_same() else Refused("changed_since", status=412)
