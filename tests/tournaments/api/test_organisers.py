"""Who runs an event, by the API: invited by a link, taken in once, taken out, gone, and whose it is."""

from __future__ import annotations

from typing import Any

import pytest

from players.models import Account, Act
from tests.factories import make_account, make_event, make_tournament, organiser
from tests.tournaments.api.asking import Api, by_link, by_stranger, by_token, code_of
from tests.tournaments.organising import second_organiser
from tournaments.actions import staff
from tournaments.models import Event, Notice, StaffLink

pytestmark = pytest.mark.django_db

INVITED = {"role": "organiser", "name": "Marta", "email": "marta@example.org", "expires_at": "2099-05-24T20:00:00Z"}


def script_of(account: Account) -> Api:
    """Somebody's script for all of their events."""
    return by_token(make_event(owner=account))


def invite(event: Event) -> dict[str, Any]:
    made: dict[str, Any] = by_token(event).post(f"events/{event.pk}/staff-links/", INVITED).json()
    return made


def accept(api: Api, token: str) -> Any:
    return api.post("invitations/accept/", {"token": token})


def test_an_organiser_is_invited_by_mail_and_taken_in_once() -> None:
    event, marta = make_event(), make_account(email="marta@example.org", name="Marta")
    made = invite(event)
    assert (made["role"], made["email"], made["accepted_by"]) == ("organiser", "marta@example.org", None)
    assert [(each.kind, each.link_id) for each in Notice.objects.exclude(link=None)] == [("invited", made["id"])]

    script, path = script_of(marta), f"events/{event.pk}/"
    assert code_of(script.get(f"{path}organisers/")) == (404, "not_found")
    for _twice in range(2):
        assert accept(script, made["token"]).json()["id"] == event.pk
    told = script.get(f"{path}organisers/").json()
    assert [(each["id"], each["name"], each["owns"], each["is_you"]) for each in told["results"]] == [
        (event.owner_id, str(event.owner), True, False),
        (marta.pk, "Marta", False, True),
    ]
    assert by_token(event).get(f"{path}staff-links/{made['id']}/").json()["accepted_by"] == "Marta"
    assert Act.objects.filter(verb="accept_invitation").count() == 1
    assert code_of(accept(script_of(make_account()), made["token"])) == (409, "invitation_used")


def test_an_invitation_that_is_none_was_closed_or_is_over_takes_nobody_in() -> None:
    event = make_event()
    tournament, script = make_tournament(event=event), script_of(make_account())
    referee = by_link(tournament).headers["Authorization"].removeprefix("Link ")
    made = invite(event)
    by_token(event).post(f"events/{event.pk}/staff-links/{made['id']}/revoke/")
    for token in ("", "x"):
        assert accept(script, token).status_code == (404 if token else 400)
    for token in (referee, made["token"]):
        assert code_of(accept(script, token)) == (404, "not_found")
    renewed = by_token(event).post(
        f"events/{event.pk}/staff-links/{made['id']}/renew/", {"expires_at": "2099-05-24T20:00:00Z"}
    )
    assert code_of(accept(script, made["token"])) == (404, "not_found")
    assert event.memberships.count() == 1
    assert accept(script, renewed.json()["token"]).status_code == 200
    assert code_of(accept(by_token(event), renewed.json()["token"])) == (409, "invitation_used")


def test_an_invitation_is_for_accounts_and_whoever_organises_already_needs_none() -> None:
    event = make_event()
    token = invite(event)["token"]
    assert code_of(accept(Api(), token)) == (401, "not_authenticated")
    assert code_of(accept(Api(f"Link {token}"), token)) == (403, "not_allowed")
    bound = by_token(make_event(), bound=True)
    assert code_of(accept(bound, token)) == (403, "token_of_one_event")
    assert code_of(accept(by_token(event), token)) == (409, "already_organiser")
    assert StaffLink.objects.get().accepted_by is None


def test_an_organiser_is_taken_out_and_their_token_opens_nothing_any_more() -> None:
    event = make_event()
    other = second_organiser(event)
    theirs, path = script_of(other), f"events/{event.pk}/organisers/"
    assert theirs.get(path).status_code == 200
    assert code_of(by_stranger().post(f"{path}{other.pk}/remove/")) == (404, "not_found")
    assert by_token(event).post(f"{path}{other.pk}/remove/").status_code == 204
    assert code_of(theirs.get(path)) == (404, "not_found")
    assert code_of(by_token(event).post(f"{path}{other.pk}/remove/")) == (404, "not_found")
    assert code_of(by_token(event).post(f"{path}{event.owner_id}/remove/")) == (409, "owner_stays")


def test_an_organiser_leaves_and_the_owner_hands_over_first() -> None:
    event = make_event()
    other = second_organiser(event)
    mine, theirs, path = by_token(event), script_of(other), f"events/{event.pk}/"
    assert code_of(mine.post(f"{path}leave/")) == (409, "owner_stays")
    assert code_of(theirs.post(f"{path}organisers/{other.pk}/hand-over/")) == (403, "not_the_owner")
    assert code_of(mine.post(f"{path}organisers/{make_account().pk}/hand-over/")) == (404, "not_found")
    for expected in (200, 403):
        assert mine.post(f"{path}organisers/{other.pk}/hand-over/").status_code == expected
    assert Event.objects.get(pk=event.pk).owner == other
    assert mine.post(f"{path}leave/").status_code == 204
    assert code_of(mine.post(f"{path}leave/")) == (404, "not_found")
    assert [each["id"] for each in theirs.rows(f"{path}organisers/")] == [other.pk]


def test_a_helpers_link_is_drawn_as_a_code_until_it_is_closed() -> None:
    event = make_event()
    api, path = by_token(event), f"events/{event.pk}/staff-links/{invite(event)['id']}/"
    drawn = api.get(f"{path}qr/")
    assert (drawn.status_code, drawn["Content-Type"], drawn["Cache-Control"]) == (
        200,
        "image/svg+xml",
        "private, no-store",
    )
    assert drawn.content.startswith(b"<?xml")
    assert b"<svg" in drawn.content
    staff.revoke_link(link_id=StaffLink.objects.get().pk, by=organiser(of=event), now=event.created_at)
    assert code_of(api.get(f"{path}qr/")) == (404, "not_found")
