"""Two players who turn out to be one person."""

from __future__ import annotations

from datetime import datetime

from django.db import transaction

from matches.actions.side_decks import hand_over_side_decks
from matches.models import Match
from players.actions import record_act
from players.models import Player
from players.permissions import Actor, Refused, Role
from tournaments.actions.roster.holding import announce_roster
from tournaments.models import Entry, Tournament


@transaction.atomic
def merge_players(*, keep: int, drop: int, by: Actor, now: datetime) -> Player | Refused:
    """Make two players one: everything of `drop` is `keep`'s from now on, and `drop` is gone.

    Only for an organiser of every event either of them plays in. Names on rosters stay as they are; an address of
    `drop` is kept when `keep` has none. Refusals: not_an_organiser, player_unknown, same_player,
    both_in_one_tournament (tournaments), changed_meanwhile.
    """
    if by.role is not Role.ORGANISER or by.account is None:
        return Refused("not_an_organiser", status=403)
    if keep == drop:
        return Refused("same_player", status=400)
    tournaments = _tournaments_of(drop)
    # Tournaments before players, as when somebody is added to a roster.
    held = list(Tournament.objects.select_for_update().filter(pk__in=tournaments).order_by("pk"))
    people = {
        player.pk: player for player in Player.objects.select_for_update().filter(pk__in=(keep, drop)).order_by("pk")
    }
    for wanted in (keep, drop):
        if wanted not in people or not _is_theirs(people[wanted], by.account):
            return Refused("player_unknown", {"player": wanted}, status=404)
    if _tournaments_of(drop) != tournaments:
        return Refused("changed_meanwhile")
    if both := sorted(_tournaments_of(keep) & tournaments):
        return Refused("both_in_one_tournament", {"tournaments": both})
    kept, dropped = people[keep], people[drop]
    moved = sorted(dropped.entries.values_list("pk", flat=True))
    Entry.objects.filter(player=dropped).update(player=kept)
    Match.objects.filter(seat_a=dropped).update(seat_a=kept)
    Match.objects.filter(seat_b=dropped).update(seat_b=kept)
    hand_over_side_decks(of=drop, to=keep)
    dropped.delete()
    if not kept.email and dropped.email:
        kept.email = dropped.email
        kept.save(update_fields=["email"])
    record_act(
        verb="merge_players",
        target=f"player/{keep}",
        by=by,
        now=now,
        before={"player": drop, "name": dropped.name, "entries": moved},
        after={"name": kept.name},
    )
    for tournament in held:
        announce_roster(tournament=tournament)
    return kept


def _tournaments_of(player: int) -> set[int]:
    return set(Entry.objects.filter(player_id=player).values_list("tournament_id", flat=True))


def _is_theirs(player: Player, account: int) -> bool:
    """Whether an account runs every event the player is in; of one who is in none, whether it owns them."""
    events = set(player.entries.values_list("tournament__event_id", flat=True))
    if not events:
        return player.owner_id == account
    run = player.entries.filter(
        tournament__event__memberships__account_id=account, tournament__event__memberships__role=Role.ORGANISER
    )
    return events == set(run.values_list("tournament__event_id", flat=True))
