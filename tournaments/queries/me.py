"""Every entry of somebody who has an account, in all events of the house."""

from __future__ import annotations

from dataclasses import dataclass

from players.models import Account
from tournaments.models import Entry, Standing
from tournaments.models.tournament import State


@dataclass(frozen=True, slots=True)
class OwnEntry:
    """An entry, and its place where its tournament is over."""

    entry: Entry
    rank: int | None


def entries_of(*, account: Account) -> list[OwnEntry]:
    """The entries of players under the account's address, the newest event first.

    By the proved address alone, never by name; none while it is not proved.
    """
    if account.verified_at is None:
        return []
    found = Entry.objects.filter(player__email=account.email).select_related("tournament__event", "player")
    entries = list(found.order_by("-tournament__event__starts_on", "-tournament_id"))
    over = [entry.pk for entry in entries if entry.tournament.state == State.FINISHED]
    ranks = dict(Standing.objects.filter(entry__in=over).order_by("stage__number").values_list("entry", "rank"))
    return [OwnEntry(entry, ranks.get(entry.pk)) for entry in entries]


def account_of(*, entry: Entry) -> Account | None:
    """The account an entry is shown to: the one that has proved its player's address."""
    if not entry.player.email:
        return None
    return Account.objects.filter(email=entry.player.email, verified_at__isnull=False, is_active=True).first()
