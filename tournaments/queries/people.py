"""Who may be the same person as a player: entries of an organiser's other tournaments, found by name."""

from __future__ import annotations

from players.engine import fold_name
from players.models import Account
from players.permissions import Role
from tournaments.models import Entry, Tournament


def others_like(*, entry: Entry, account: Account, like: str = "") -> list[Entry]:
    """Entries of other players in tournaments this account runs and the player of `entry` is not in.

    With `like` those who have it in their name, in any letter case; without, those who share a word of it. The newest
    event first. Whoever plays in one tournament with the player is somebody else, and is left out.
    """
    theirs = Tournament.objects.filter(entries__player=entry.player_id)
    run = Entry.objects.filter(
        tournament__event__memberships__account=account, tournament__event__memberships__role=Role.ORGANISER
    )
    found = run.exclude(player=entry.player_id).exclude(player__entries__tournament__in=theirs)
    found = found.select_related("tournament__event", "player").order_by("-tournament__event__starts_on", "-pk")
    wanted = fold_name(like)
    if wanted:
        return [each for each in found if wanted in fold_name(each.name)]
    words = _words(entry.name)
    return [each for each in found if words & _words(each.name)]


def _words(name: str) -> set[str]:
    return set(fold_name(name).split())
