"""What players and invited helpers are told: put down once, with the act it is about, in its transaction; then mailed.

Kinds and their parameters (`tournaments.queries.notices` knows when each is still so, `tournaments.words.notices` puts
words to it):

    registered, waiting, promoted, check_in_open     nothing
    pairing, moved, called   round (id), name (the round's, as a note), table, opponent (entry), due (ISO), bye
    called                   those of pairing, and match, called (ISO)
    reminder                 those of pairing, and at (ISO): the time the match has, wherever it was told
    report_waiting           match, opponent, until (ISO), and sets ([the reader's, the other's]) where there are any
    report_disputed          match, opponent
    report_unanswered        match
    finished                 place
    invited (to a helper)    language (the reader's, as far as it is known)
"""

from __future__ import annotations

import logging
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from smtplib import SMTPException, SMTPRecipientsRefused
from typing import Any

from django.conf import settings
from django.core.mail import EmailMessage, get_connection
from django.core.mail.backends.base import BaseEmailBackend
from django.db import transaction
from django.db.models import F, Q
from django.urls import reverse
from django.utils import translation

from tournaments.engine.snapshot import EntryStatus
from tournaments.models import Entry, Notice, Pairing, StaffLink, Stage
from tournaments.permissions import entry_token, link_token
from tournaments.queries.coming import silent_ids
from tournaments.queries.notices import PAIRING_FACTS, is_still_so, names_in_notices, pairing_facts, with_readers
from tournaments.queries.stages import round_names
from tournaments.signals import notices_told
from tournaments.words.notices import mail_text, notice_subject

log = logging.getLogger(__name__)

BATCH = 20
LEASE = timedelta(minutes=10)
"""For how long a worker has the mails it took in hand to itself: longer than a batch can take (EMAIL_TIMEOUT)."""
FIRST_PAUSE, LONGEST_PAUSE = timedelta(minutes=1), timedelta(hours=1)
GIVEN_UP_AFTER = timedelta(days=3)


def tell_player(*, entry_id: int, kind: str, key: str, now: datetime, **params: Any) -> None:
    """Tell a player something: on their own page, and by mail where they gave an address. The same key tells once."""
    tell_players(kind=kind, told={entry_id: (key, params)}, now=now)


def tell_players(*, kind: str, told: Mapping[int, tuple[str, Mapping[str, Any]]], now: datetime) -> None:
    """Tell players something at once: `told` has a key and parameters for each entry. Few queries for any number."""
    addresses = dict(Entry.objects.filter(pk__in=list(told)).values_list("pk", "player__email"))
    _tell(
        [
            Notice(
                entry_id=entry,
                kind=kind,
                key=key,
                params=dict(params),
                created_at=now,
                wants_mail=bool(addresses.get(entry)),
            )
            for entry, (key, params) in told.items()
        ]
    )


def tell_helper(*, link_id: int, kind: str, key: str, now: datetime, **params: Any) -> None:
    """Tell somebody a staff link was made for, by mail, where there is an address. The same key tells once."""
    is_addressed = StaffLink.objects.filter(pk=link_id).exclude(email="").exists()
    _tell([Notice(link_id=link_id, kind=kind, key=key, params=params, created_at=now, wants_mail=is_addressed)])


def _tell(notices: Sequence[Notice]) -> None:
    """Put them down. What was dropped before anybody read it in a mail, and is so again, is told after all."""
    for reader in ("entry_id", "link_id"):
        mine = {getattr(notice, reader): notice for notice in notices if getattr(notice, reader) is not None}
        keys = {notice.key for notice in mine.values()}
        dropped = Notice.objects.filter(**{f"{reader}__in": list(mine)}, key__in=keys, dropped_at__isnull=False)
        if mine:
            dropped.filter(mailed_at=None).update(
                dropped_at=None, created_at=notices[0].created_at, tries=0, try_at=None
            )
    Notice.objects.bulk_create(notices, ignore_conflicts=True)
    if any(notice.wants_mail for notice in notices):
        notices_told.send(sender=Notice)


# --- What follows from the course of a tournament.


def tell_check_in(*, tournament_id: int, now: datetime) -> None:
    """Check-in is open: told to everybody who plays and has not said yet that they are here."""
    waiting = Entry.objects.filter(tournament=tournament_id, status=EntryStatus.ACTIVE, checked_in_at=None)
    key = f"check_in/{tournament_id}"
    tell_players(
        kind="check_in_open", told={entry: (key, {}) for entry in waiting.values_list("pk", flat=True)}, now=now
    )


def tell_pairings(*, stage: Stage, pairings: Iterable[Pairing], now: datetime) -> None:
    """Whom each player meets, where and when, once it is published. The pairings have their round loaded.

    Who was told the same already is not told again; who was told something else of this round, that it has changed.
    """
    sides = {entry: pairing for pairing in pairings for entry in (pairing.a_id, pairing.b_id) if entry is not None}
    if not sides:
        return
    rounds = {pairing.round_id: pairing.round for pairing in sides.values()}
    titles = round_names(stage=stage, numbers=[each.number for each in rounds.values()])
    last = _last_told(list(sides), list(rounds))
    told: dict[str, dict[int, tuple[str, dict[str, Any]]]] = {"pairing": {}, "moved": {}}
    for entry, pairing in sides.items():
        facts = pairing_facts(pairing, entry_id=entry)
        before = last.get((entry, pairing.round_id))
        if before is not None and before.dropped_at is None and _facts_of(before) == facts:
            continue
        title = titles[rounds[pairing.round_id].number]
        key = f"pairing/{pairing.round_id}/{now.isoformat()}"
        kind = "pairing" if before is None or (before.mailed_at is None and before.wants_mail) else "moved"
        told[kind][entry] = (key, {**facts, "name": [title.code, dict(title.params)]})
    for kind, those in told.items():
        if those:
            tell_players(kind=kind, told=those, now=now)


def tell_called(*, stage: Stage, pairings: Iterable[Pairing], now: datetime) -> None:
    """That these matches are called to their tables, to everybody in them who has not answered that call yet.

    The pairings have their round loaded.
    """
    rows = list(pairings)
    titles = round_names(stage=stage, numbers={each.round.number for each in rows}) if rows else {}
    told: dict[int, tuple[str, dict[str, Any]]] = {}
    for pairing in rows:
        if pairing.called_at is None:
            continue
        title, since = titles[pairing.round.number], pairing.called_at.isoformat()
        more = {"name": [title.code, dict(title.params)], "match": pairing.match_id, "called": since}
        for side in silent_ids(pairing):
            facts = pairing_facts(pairing, entry_id=side)
            told[side] = (f"called/{pairing.pk}/{since}", {**facts, **more})
    if told:
        tell_players(kind="called", told=told, now=now)


def tell_reminders(*, due: Sequence[tuple[Pairing, datetime]], now: datetime) -> None:
    """That matches begin soon, to both players, with the time each has: once a player, match and time.

    The pairings have their round's stage with its tournament loaded.
    """
    keys = {pairing.pk: f"reminder/{pairing.match_id}/{at.isoformat()}" for pairing, at in due}
    there = Notice.objects.filter(key__in=keys.values(), dropped_at=None).values_list("entry", "key")
    known = set(there) if keys else set()
    told: dict[int, tuple[str, dict[str, Any]]] = {}
    for pairing, at in due:
        for entry in (pairing.a_id, pairing.b_id):
            key = keys[pairing.pk]
            if entry is None or entry in told or (entry, key) in known:
                continue
            title = round_names(stage=pairing.round.stage, numbers=[pairing.round.number])[pairing.round.number]
            facts = pairing_facts(pairing, entry_id=entry)
            told[entry] = (key, {**facts, "name": [title.code, dict(title.params)], "at": at.isoformat()})
    if told:
        tell_players(kind="reminder", told=told, now=now)


def _facts_of(notice: Notice) -> dict[str, Any]:
    return {name: notice.params.get(name) for name in PAIRING_FACTS}


def _last_told(entries: Sequence[int], rounds: Sequence[int]) -> dict[tuple[int, int], Notice]:
    """The newest notice of each entry about its pairing in a round."""
    kinds = ("pairing", "moved", "called")
    found = Notice.objects.filter(entry__in=entries, params__round__in=rounds, kind__in=kinds)
    return {(notice.entry_id or 0, notice.params["round"]): notice for notice in found.order_by("pk")}


def tell_places(*, stage: Stage, now: datetime) -> None:
    """The tournament is over: everybody's place in its last stage. One that is corrected is told anew."""
    if stage.tournament.stages.filter(number__gt=stage.number).exists():
        return
    ranks = stage.standings.values_list("entry", "rank")
    told = {entry: (f"finished/{stage.tournament_id}/{rank}", {"place": rank}) for entry, rank in ranks}
    if told:
        tell_players(kind="finished", told=told, now=now)


# --- Mail.


def mails_to_send(now: datetime) -> Q:
    """Notices whose mail is due and that no worker has in hand."""
    unsent = Q(wants_mail=True, mailed_at__isnull=True, dropped_at__isnull=True)
    return unsent & (Q(try_at__isnull=True) | Q(try_at__lte=now))


def send_mails(*, now: datetime, most: int = 200) -> int:
    """Send what waits to be told by mail, oldest first; the number of mails that left.

    Each mail is taken in hand before it is sent, so that of several workers one sends it, and asked once more whether
    what it says is still so: if not, it is dropped. When the server is away the rest stays for later; a mail that
    cannot be delivered is tried again after longer and longer pauses, and given up after three days.
    """
    sent = 0
    connection: BaseEmailBackend | None = None
    try:
        for _ in range(0, most, BATCH):
            held = _take(now)
            if not held:
                break
            if connection is None:
                connection = get_connection()
            count, is_away = _send_all(held, connection, now)
            sent += count
            if is_away:
                break
    finally:
        if connection is not None:
            _close(connection)
    return sent


def _close(connection: BaseEmailBackend) -> None:
    try:
        connection.close()
    except (OSError, SMTPException) as error:  # what was sent is sent
        log.warning("the mail server did not say goodbye: %s", error)


@transaction.atomic
def _take(now: datetime) -> list[Notice]:
    waiting = Notice.objects.select_for_update(skip_locked=True).filter(mails_to_send(now)).order_by("pk")
    ids = list(waiting.values_list("pk", flat=True)[:BATCH])
    Notice.objects.filter(pk__in=ids).update(tries=F("tries") + 1, try_at=now + LEASE)
    return with_readers(ids)


def _send_all(notices: list[Notice], connection: BaseEmailBackend, now: datetime) -> tuple[int, bool]:
    """Send mails that are in hand: how many left, and whether the server is away."""
    sent = 0
    for place, notice in enumerate(notices):
        address = _address(notice)
        try:
            if not address or not is_still_so(notice, now=now):
                _drop(notice, now)
                continue
            _mail(notice, address, connection).send()
        except SMTPRecipientsRefused as error:
            _try_later(notice, now, error)
        except (OSError, SMTPException) as error:
            _try_later(notice, now, error)
            for untouched in notices[place + 1 :]:
                _set(untouched, tries=untouched.tries - 1, try_at=None)
            return sent, True
        except ValueError as error:  # a header or an address that no mail can have
            log.warning("mail of notice %s cannot be written: %s", notice.pk, error)
            _drop(notice, now)
        except Exception as error:  # a fault of ours in one of them keeps no other waiting
            log.exception("mail of notice %s cannot be made", notice.pk)
            _try_later(notice, now, error)
        else:
            _set(notice, mailed_at=now)
            sent += 1
    return sent, False


def _address(notice: Notice) -> str:
    if notice.entry is not None:
        return notice.entry.player.email
    return "" if notice.link is None else notice.link.email


def _mail(notice: Notice, address: str, connection: BaseEmailBackend) -> EmailMessage:
    language = notice.entry.language if notice.entry is not None else notice.params.get("language", "")
    known = {code for code, _name in settings.LANGUAGES}
    with translation.override(language if language in known else settings.LANGUAGE_CODE):
        text = mail_text(notice, names_in_notices([notice]), link=_link(notice))
        # A script sends it: no machine that is away should answer.
        headers = {"Auto-Submitted": "auto-generated"}
        return EmailMessage(notice_subject(notice), text, None, [address], connection=connection, headers=headers)


def _link(notice: Notice) -> str:
    if notice.entry is not None:
        path = reverse("own_page", args=[entry_token(notice.entry)])
    else:
        path = "" if notice.link is None else reverse("staff_link", args=[link_token(notice.link)])
    return f"{settings.PUBLIC_URL}{path}"


def _drop(notice: Notice, now: datetime) -> None:
    _set(notice, dropped_at=now)


def _try_later(notice: Notice, now: datetime, error: Exception) -> None:
    if now - notice.created_at > GIVEN_UP_AFTER:
        log.warning("mail of notice %s is given up: %s", notice.pk, error)
        _drop(notice, now)
        return
    pause = min(FIRST_PAUSE * 2 ** min(notice.tries - 1, 10), LONGEST_PAUSE)
    log.warning("mail of notice %s waits %s: %s", notice.pk, pause, error)
    _set(notice, try_at=now + pause)


def _set(notice: Notice, **fields: Any) -> None:
    Notice.objects.filter(pk=notice.pk).update(**fields)
