"""What every act on a roster does first and last: hold the tournament, tell same names apart, say that it changed."""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any

from players.actions import record_act
from players.engine.names import fold_name
from players.models import Player
from players.permissions import Actor, Refused, Role
from tournaments.models import Entry, Membership, Stage, Tournament
from tournaments.signals import stage_changed

_FOLDED_LENGTH = 200  # a folded name can be many times longer than the name; a key has room for 300


def hold(*, tournament_id: int, frozen_too: bool = False) -> Tournament | Refused:
    """Lock the tournament for the rest of the transaction, while its roster is open (or whatever its state).

    Its event is read when it is asked for, after the lock: it may just have been handed over.
    Refusals: tournament_unknown, roster_is_frozen (state).
    """
    tournament = Tournament.objects.select_for_update().filter(pk=tournament_id).first()
    if tournament is None:
        return Refused("tournament_unknown", {"tournament": tournament_id}, status=404)
    if not frozen_too and not tournament.is_open_roster:
        return Refused("roster_is_frozen", {"state": tournament.state})
    return tournament


def hold_entry(*, entry_id: int, frozen_too: bool = False) -> tuple[Tournament, Entry] | Refused:
    """Lock the tournament of an entry and read the entry after that.

    Refusals: entry_unknown, roster_is_frozen (state).
    """
    tournament_id = Entry.objects.filter(pk=entry_id).values_list("tournament_id", flat=True).first()
    tournament = None if tournament_id is None else hold(tournament_id=tournament_id, frozen_too=frozen_too)
    if isinstance(tournament, Refused):
        return tournament
    entry = Entry.objects.select_related("player").filter(pk=entry_id).first()
    if tournament is None or entry is None:
        return Refused("entry_unknown", {"entry": entry_id}, status=404)
    return tournament, entry


def announce_roster(*, tournament: Tournament) -> None:
    """Let open pages of the tournament know that its roster is another one."""
    for stage_id in tournament.stages.values_list("pk", flat=True):
        stage_changed.send(sender=Stage, stage=stage_id, what="roster")


def log_roster(
    *,
    verb: str,
    tournament: Tournament,
    by: Actor,
    now: datetime,
    target: str = "",
    before: dict[str, Any] | None = None,
    after: dict[str, Any] | None = None,
) -> None:
    """One line in the log about this tournament's roster."""
    record_act(
        verb=verb,
        target=target or f"tournament/{tournament.pk}",
        by=by,
        now=now,
        event=tournament.event_id,
        tournament=tournament.pk,
        before=before,
        after=after,
    )


# --- Who is who.


def mail_key(email: str) -> str:
    """The key of an entry that has an address."""
    return f"mail:{email}"


def name_key(folded: str, occurrence: int) -> str:
    """The key of an entry without an address: its folded name and which of that name it is."""
    if len(folded) > _FOLDED_LENGTH:
        folded = hashlib.sha256(folded.encode()).hexdigest()
    return f"name:{folded}#{occurrence}"


def known_players(*, tournament: Tournament, emails: Iterable[str], keep: bool = False) -> dict[str, Player]:
    """Players of this event's organisers by address; the owner's own player goes before a fellow organiser's.

    With `keep` nobody can merge or forget them until the transaction ends.
    """
    organisers = Membership.objects.filter(event_id=tournament.event_id, role=Role.ORGANISER).values("account")
    owner = tournament.event.owner_id
    found = Player.objects.filter(owner__in=organisers, email__in={email for email in emails if email}).order_by("pk")
    if keep:
        found = found.select_for_update(no_key=True)
    return {player.email: player for player in sorted(found, key=lambda p: (p.owner_id == owner, -p.pk))}


# --- Same names.


def set_marks(*, tournament: Tournament) -> None:
    """Give same names what tells them apart: the city, else the club, else their number; every other name nothing.

    Whoever left before the start is told apart from nobody.
    """
    by_name: dict[tuple[bool, str], list[Entry]] = defaultdict(list)
    shown = ("name", "city", "club", "mark", "tournament", "status", "seed")
    for entry in tournament.entries.only(*shown).order_by("pk"):
        by_name[entry.is_gone, fold_name(entry.name)].append(entry)
    changed = []
    for (is_gone, _name), twins in by_name.items():
        for entry, mark in zip(twins, [""] * len(twins) if is_gone else _marks(twins), strict=True):
            if entry.mark != mark:
                entry.mark = mark
                changed.append(entry)
    Entry.objects.bulk_update(changed, ["mark"])


def _marks(twins: Sequence[Entry]) -> list[str]:
    if len(twins) == 1:
        return [""]
    for marks in ([entry.city for entry in twins], [entry.club for entry in twins]):
        if all(marks) and len({fold_name(mark) for mark in marks}) == len(marks):
            return marks
    return [f"#{number}" for number in range(1, len(twins) + 1)]
