"""Who runs an event: invited, taken in, gone, and whose it is."""

from __future__ import annotations

from datetime import datetime

from django.db import transaction
from django.db.models import Q

from matches.models import Match
from players.actions import make_host, record_act
from players.models import Account, Player
from players.permissions import Actor, Refused, Role
from tournaments.actions.roster.entries import drop_if_unused
from tournaments.models import Entry, Event, Membership, StaffLink, Tournament


@transaction.atomic
def accept_invitation(*, link_id: int, account: Account, now: datetime) -> Event | Refused:
    """Make the account an organiser by an invitation, which is used up by it. The same account twice is once.

    Refusals: invitation_over, invitation_used, already_organiser.
    """
    link = (
        StaffLink.objects.select_for_update(of=("self",))
        .select_related("event")
        .filter(pk=link_id, role=Role.ORGANISER)
        .first()
    )
    if link is None or link.revoked_at is not None or link.expires_at <= now:
        return Refused("invitation_over")
    if link.accepted_by_id is not None:
        return link.event if link.accepted_by_id == account.pk else Refused("invitation_used")
    if Membership.objects.filter(event=link.event, account=account).exists():
        return Refused("already_organiser")
    Membership.objects.create(event=link.event, account=account, role=Role.ORGANISER)
    link.accepted_by = account
    link.save(update_fields=["accepted_by"])
    by = Actor(role=Role.ORGANISER, name=str(account), account=account.pk, link=link.pk, event=link.event_id)
    make_host(account_id=account.pk)
    record_act(verb="accept_invitation", target=f"link/{link.pk}", by=by, now=now)
    return link.event


def remove_organiser(*, event_id: int, account_id: int, by: Actor, now: datetime) -> Account | Refused:
    """Somebody runs this event no more; their links to it as an organiser and their tokens open nothing from then on.

    Refusals: event_unknown, owner_stays, organiser_unknown.
    """
    return _take_out("remove_organiser", event_id, account_id, by, now)


def leave_event(*, event_id: int, by: Actor, now: datetime) -> Account | Refused:
    """The organiser who asks runs this event no more. Refusals: as `remove_organiser`."""
    return _take_out("leave_event", event_id, by.account or 0, by, now)


@transaction.atomic
def _take_out(verb: str, event_id: int, account_id: int, by: Actor, now: datetime) -> Account | Refused:
    event = Event.objects.select_for_update().filter(pk=event_id).first()
    if event is None:
        return Refused("event_unknown", status=404)
    if event.owner_id == account_id:
        return Refused("owner_stays")
    member = event.memberships.select_related("account").filter(account_id=account_id, role=Role.ORGANISER).first()
    if member is None:
        return Refused("organiser_unknown", status=404)
    account = member.account
    member.delete()
    record_act(
        verb=verb,
        target=f"account/{account.pk}",
        by=by,
        now=now,
        event=event.pk,
        before={"name": str(account)},
    )
    return account


@transaction.atomic
def hand_over(*, event_id: int, account_id: int, by: Actor, now: datetime) -> Event | Refused:
    """Make another organiser the owner of an event, who answers for its players' data from then on.

    Players of the old owner in this event go with it. One who plays in no other event changes owner. One who does stays
    the old owner's there, and this event gets a copy, under the same name and address. Where the new owner knows
    somebody by that address already, this event's entries and matches are theirs.
    Handing over to the owner changes nothing. Refusals: event_unknown, not_the_owner, organiser_unknown,
    both_in_one_tournament (tournaments).
    """
    event = Event.objects.select_for_update().filter(pk=event_id).first()
    if event is None:
        return Refused("event_unknown", status=404)
    if event.owner_id != by.account:
        return Refused("not_the_owner", status=403)
    heir = event.memberships.filter(account_id=account_id, role=Role.ORGANISER, account__is_active=True).first()
    if heir is None:
        return Refused("organiser_unknown", status=404)
    old, new = event.owner, heir.account
    if old == new:
        return event
    # Tournaments before players, as when somebody is added to a roster.
    list(Tournament.objects.select_for_update().filter(event=event).order_by("pk"))
    here = Entry.objects.filter(tournament__event=event, player__owner=old)
    going = list(Player.objects.select_for_update().filter(pk__in=here.values("player")).order_by("pk"))
    known = {
        player.email: player
        for player in Player.objects.select_for_update()
        .filter(owner=new, email__in={player.email for player in going if player.email})
        .order_by("pk")
    }
    for player in going:
        if there := known.get(player.email):
            both = Tournament.objects.filter(event=event, entries__player=player).filter(entries__player=there)
            if clash := sorted(both.values_list("pk", flat=True)):
                return Refused("both_in_one_tournament", {"tournaments": clash})
    for player in going:
        _hand_over_player(player, event, new, known.get(player.email))
    event.owner = new
    event.save(update_fields=["owner"])
    record_act(
        verb="hand_over",
        target=f"event/{event.pk}",
        by=by,
        now=now,
        event=event.pk,
        before={"name": str(old)},
        after={"name": str(new), "account": new.pk},
    )
    return event


def _hand_over_player(player: Player, event: Event, new: Account, known: Player | None) -> None:
    elsewhere = player.entries.exclude(tournament__event=event).exists()
    if known is None and not elsewhere:
        player.owner = new
        player.save(update_fields=["owner"])
        return
    theirs = known or Player.objects.create(owner=new, name=player.name, email=player.email)
    Entry.objects.filter(player=player, tournament__event=event).update(player=theirs)
    # A match that was taken back has no pairing any more: it goes along where there is no doubt whose it was.
    which = Q(pairing__round__stage__tournament__event=event) if elsewhere else Q()
    for seat in ("seat_a", "seat_b"):
        seated = Match.objects.filter(which, **{seat: player}).values_list("pk", flat=True)
        Match.objects.filter(pk__in=list(seated)).update(**{seat: theirs})
    drop_if_unused(player)
