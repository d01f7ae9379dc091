"""Organisers are invited, taken in once, let go; an event handed over takes its players along."""

from __future__ import annotations

from datetime import timedelta
from functools import partial

import pytest

from matches.models import Match
from players.models import Account, Act, Player
from players.permissions import PUBLIC, Actor, Refused, Role
from tests.factories import NOW, make_account, make_entry, make_event, make_field, make_tournament, organiser
from tests.tournaments.at_once import one_behind_the_other
from tests.tournaments.organising import invite, second_organiser
from tests.tournaments.play import play_open, start
from tournaments.actions import organisers, roster, staff
from tournaments.models import Entry, Event, Membership, Notice, StaffLink, Tournament
from tournaments.permissions import actor_of_link, may, organiser_of

pytestmark = pytest.mark.django_db


def accept(link: StaffLink, account: Account) -> Event | Refused:
    return organisers.accept_invitation(link_id=link.pk, account=account, now=NOW)


def hand_over(event: Event, to: Account, *, by: Actor | None = None) -> Event | Refused:
    return organisers.hand_over(event_id=event.pk, account_id=to.pk, by=by or organiser(of=event), now=NOW)


def actor_of(account: Account, event: Event) -> Actor:
    return Actor(role=Role.ORGANISER, name=str(account), account=account.pk, event=event.pk)


# --- invited


def test_an_invitation_makes_one_organiser_who_may_make_events() -> None:
    event, guest = make_event(), make_account()
    Account.objects.filter(pk=guest.pk).update(is_host=False)
    link = invite(event)
    assert accept(link, guest) == event
    assert accept(link, guest) == event
    guest.refresh_from_db()
    assert (organiser_of(account=guest, event=event).role, guest.is_host) == (Role.ORGANISER, True)
    assert accept(link, make_account()) == Refused("invitation_used")
    assert Act.objects.filter(verb="accept_invitation", event=event.pk, link=link.pk).count() == 1


def test_an_organiser_does_not_use_an_invitation_up() -> None:
    event, guest = make_event(), make_account()
    link = invite(event)
    assert accept(link, event.owner) == Refused("already_organiser")
    assert accept(link, guest) == event


def test_a_closed_or_old_invitation_and_a_helpers_link_take_nobody_in() -> None:
    event, guest = make_event(), make_account()
    closed, old, referee = invite(event), invite(event, now=NOW - timedelta(days=1)), invite(event, role=Role.REFEREE)
    staff.revoke_link(link_id=closed.pk, by=organiser(of=event), now=NOW)
    assert [accept(link, guest) for link in (closed, old, referee)] == [Refused("invitation_over")] * 3
    assert Membership.objects.filter(account=guest).count() == 0


def test_an_invitation_by_itself_may_do_nothing() -> None:
    event = make_event()
    actor = actor_of_link(invite(event))
    assert (actor.role, may(actor, "manage_staff", event=event.pk), may(actor, "see_desk", event=event.pk)) == (
        Role.PUBLIC,
        False,
        False,
    )


def test_an_invitation_is_for_the_whole_event_and_a_new_one_is_for_somebody_else() -> None:
    tournament = make_tournament()
    event = tournament.event
    link = invite(event, tournament_id=tournament.pk, tables=(1, 2))
    assert (link.tournament_id, link.tables) == (None, [])
    accept(link, make_account())
    renewed = staff.renew_link(link_id=link.pk, expires_at=NOW + timedelta(days=2), by=organiser(of=event), now=NOW)
    assert (renewed.accepted_by, accept(renewed, make_account())) == (None, event)
    assert event.memberships.count() == 3


def test_an_address_gets_each_new_link_by_mail_once() -> None:
    event = make_event()
    link = invite(event, email="marta@example.org")
    invite(event)
    staff.renew_link(link_id=link.pk, expires_at=NOW + timedelta(days=2), by=organiser(of=event), now=NOW)
    told = Notice.objects.order_by("pk").values_list("link", "kind", "key", "wants_mail")
    assert list(told) == [(link.pk, "invited", "invited/1", True), (link.pk, "invited", "invited/2", True)]


@pytest.mark.db
@pytest.mark.django_db(transaction=True)
def test_an_invitation_accepted_by_two_at_once_takes_one_in() -> None:
    event = make_event()
    link, one, two = invite(event), make_account(), make_account()
    assert one_behind_the_other(partial(accept, link, one), partial(accept, link, two)) == (
        event,
        Refused("invitation_used"),
    )
    assert set(event.memberships.values_list("account", flat=True)) == {event.owner_id, one.pk}


@pytest.mark.db
@pytest.mark.django_db(transaction=True)
def test_an_invitation_that_is_just_closed_takes_nobody_in() -> None:
    event = make_event()
    link, guest = invite(event), make_account()
    close = partial(staff.revoke_link, link_id=link.pk, by=organiser(of=event), now=NOW)
    assert one_behind_the_other(close, partial(accept, link, guest))[1] == Refused("invitation_over")


# --- let go


def test_an_organiser_is_taken_out_or_leaves_and_the_owner_stays() -> None:
    event = make_event()
    one, two = second_organiser(event), second_organiser(event)
    out = partial(organisers.remove_organiser, event_id=event.pk, now=NOW)
    assert out(account_id=event.owner_id, by=actor_of(one, event)) == Refused("owner_stays")
    assert out(account_id=one.pk, by=organiser(of=event)) == one
    assert out(account_id=one.pk, by=organiser(of=event)) == Refused("organiser_unknown", status=404)
    assert out(account_id=make_account().pk, by=organiser(of=event)) == Refused("organiser_unknown", status=404)
    leave = partial(organisers.leave_event, event_id=event.pk, now=NOW)
    assert leave(by=organiser(of=event)) == Refused("owner_stays")
    assert leave(by=actor_of(two, event)) == two
    assert [organiser_of(account=each, event=event) for each in (one, two)] == [PUBLIC, PUBLIC]
    assert organiser_of(account=event.owner, event=event).role == Role.ORGANISER


# --- handed over


def test_a_player_of_this_event_alone_changes_owner_with_everything_they_played() -> None:
    tournament = make_tournament()
    event, old = tournament.event, tournament.event.owner
    make_field(size=2, tournament=tournament)
    start(tournament)
    play_open(tournament)
    before = set(Match.objects.values_list("pk", "seat_a", "seat_b"))
    heir = second_organiser(event)
    assert isinstance(hand_over(event, heir), Event)
    event.refresh_from_db()
    assert (event.owner, old.players.count(), heir.players.count()) == (heir, 0, 2)
    assert set(Match.objects.values_list("pk", "seat_a", "seat_b")) == before
    assert organiser_of(account=old, event=event).role == Role.ORGANISER


def test_a_player_of_two_events_is_copied_and_each_event_keeps_its_matches() -> None:
    tournament = make_tournament()
    event, old = tournament.event, tournament.event.owner
    elsewhere = make_tournament(event=make_event(owner=old))
    for each in (tournament, elsewhere):
        make_entry(tournament=each, name="Anna", email="anna@example.org", here=True)
        make_entry(tournament=each, name=f"Rival {each.pk}", here=True)
        start(each)
        play_open(each)
    original = Player.objects.get(email="anna@example.org")
    heir = second_organiser(event)
    hand_over(event, heir)
    copy = heir.players.get(email="anna@example.org")
    assert (copy.name, copy != original) == ("Anna", True)
    assert (copy.entries.get().tournament, original.entries.get().tournament) == (tournament, elsewhere)
    for player, where in ((copy, tournament), (original, elsewhere)):
        match = Match.objects.get(pairing__round__stage__tournament=where)
        assert player.pk in (match.seat_a_id, match.seat_b_id)
    assert original.owner == old
    assert set(heir.players.values_list("name", flat=True)) == {"Anna", f"Rival {tournament.pk}"}


def test_somebody_the_heir_knows_by_address_is_that_player() -> None:
    event = make_event()
    tournament = make_tournament(event=event)
    heir = second_organiser(event)
    make_entry(tournament=make_tournament(event=make_event(owner=heir)), name="Ann", email="anna@example.org")
    known = heir.players.get()
    theirs = Player.objects.create(owner=event.owner, name="Anna", email="anna@example.org")
    entry = Entry.objects.create(
        tournament=tournament, player=theirs, name="Anna", key="mail:anna@example.org", created_at=NOW
    )
    hand_over(event, heir)
    entry.refresh_from_db()
    assert (entry.player, entry.name, Player.objects.filter(pk=theirs.pk).exists()) == (known, "Anna", False)


def test_two_players_who_would_become_one_in_a_tournament_are_named_before_anything_changes() -> None:
    event = make_event()
    tournament = make_tournament(event=event)
    heir = second_organiser(event)
    for owner, key in ((event.owner, "mail:anna@example.org"), (heir, "name:anna#1")):
        player = Player.objects.create(owner=owner, name="Anna", email="anna@example.org")
        Entry.objects.create(tournament=tournament, player=player, name="Anna", key=key, created_at=NOW)
    assert hand_over(event, heir) == Refused("both_in_one_tournament", {"tournaments": [tournament.pk]})
    event.refresh_from_db()
    assert (event.owner != heir, heir.players.count()) == (True, 1)


def test_only_the_owner_hands_over_and_only_to_an_organiser_of_the_event() -> None:
    event = make_event()
    one, two, stranger = second_organiser(event), second_organiser(event), make_account()
    assert hand_over(event, two, by=actor_of(one, event)) == Refused("not_the_owner", status=403)
    assert hand_over(event, stranger) == Refused("organiser_unknown", status=404)
    Account.objects.filter(pk=two.pk).update(is_active=False)
    assert hand_over(event, two) == Refused("organiser_unknown", status=404)
    assert hand_over(event, event.owner) == event
    assert Act.objects.filter(verb="hand_over").count() == 0


@pytest.mark.db
@pytest.mark.django_db(transaction=True)
def test_an_event_handed_over_to_two_at_once_is_the_first_ones() -> None:
    event = make_event()
    one, two = second_organiser(event), second_organiser(event)
    _, late = one_behind_the_other(partial(hand_over, event, one), partial(hand_over, event, two))
    assert late == Refused("not_the_owner", status=403)
    event.refresh_from_db()
    assert event.owner == one


@pytest.mark.db
@pytest.mark.django_db(transaction=True)
def test_a_player_added_while_the_event_is_handed_over_is_the_new_owners() -> None:
    tournament = make_tournament()
    heir = second_organiser(tournament.event)
    add = partial(roster.add_entry, tournament_id=tournament.pk, name="Anna", by=organiser(of=tournament), now=NOW)
    one_behind_the_other(partial(hand_over, tournament.event, heir), add)
    assert Tournament.objects.get(pk=tournament.pk).entries.get().player.owner == heir


@pytest.mark.db
@pytest.mark.django_db(transaction=True)
def test_an_heir_who_is_just_taken_out_gets_nothing() -> None:
    event = make_event()
    heir = second_organiser(event)
    out = partial(organisers.remove_organiser, event_id=event.pk, account_id=heir.pk, by=organiser(of=event), now=NOW)
    _, handed = one_behind_the_other(out, partial(hand_over, event, heir))
    assert handed == Refused("organiser_unknown", status=404)
