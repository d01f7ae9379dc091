"""Where helpers are and when: said when a link is made, said anew at any time, and no lock for anybody."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from players.models import Act
from players.permissions import Role
from tests.factories import NOW, make_event, organiser
from tests.tournaments.api.asking import by_token
from tests.tournaments.views.desk import Page, desk_of, page_text, said
from tournaments.actions import staff
from tournaments.models import Event, StaffLink
from tournaments.permissions import link_token
from tournaments.words.acts import changes

pytestmark = pytest.mark.django_db

TEN, TWO = datetime(2027, 5, 22, 7, tzinfo=UTC), datetime(2027, 5, 22, 11, tzinfo=UTC)  # Riga: +3
HOURS = {"here_from": "2027-05-22T10:00", "here_until": "2027-05-22T14:00"}


def new_link(event: Event, **more: Any) -> Page:
    sent = {"name": "Marta", "role": "referee", "expires_on": "2099-05-24", **more}
    return desk_of(event).post(reverse("link_new", args=[event.pk]), sent)


def edit(link: StaffLink, **sent: Any) -> Page:
    return desk_of(link.event).post(reverse("link_edit", args=[link.event_id, link.pk]), sent)


def told(link: StaffLink) -> list[bool]:
    """Whether the list of helpers and the page of the link say when and where Marta is."""
    link.refresh_from_db()
    client = desk_of(link.event)
    pages = (reverse("event_staff", args=[link.event_id]), reverse("link_show", args=[link.event_id, link.pk]))
    texts = [page_text(client.get(page)) for page in pages]
    return ["Referee · tables 1–3 · here from Sat 10:00 to Sat 14:00" in text for text in texts]


def place(link: StaffLink) -> tuple[Any, ...]:
    link.refresh_from_db()
    return link.tables, link.here_from, link.here_until


def test_a_referee_has_tables_and_hours_and_the_link_opens_at_any_time() -> None:
    new_link(make_event(), tables="1-3", **HOURS)
    link = StaffLink.objects.get()
    assert place(link) == ([1, 2, 3], TEN, TWO)
    assert told(link) == [True, True]
    assert Client().get(reverse("staff_link", args=[link_token(link)])).status_code == 200  # it is not 2027 yet


def test_both_hours_are_optional() -> None:
    event = make_event()
    new_link(event, here_from=HOURS["here_from"])
    new_link(event, here_until=HOURS["here_until"])
    new_link(event)
    text = page_text(desk_of(event).get(reverse("event_staff", args=[event.pk])))
    assert (text.count("here from Sat 10:00"), text.count("here until Sat 14:00"), text.count("· here")) == (1, 1, 2)


def test_an_invitation_has_neither() -> None:
    event = make_event()
    new_link(event, role="organiser", tables="1-3", **HOURS)
    link = StaffLink.objects.get()
    assert place(link) == ([], None, None)
    page = desk_of(event).get(reverse("link_show", args=[event.pk, link.pk]))
    assert "Change the hours" not in page_text(page)
    edit(link, tables="4", **HOURS)
    assert place(link) == ([], None, None)


@pytest.mark.parametrize(
    ("wrong", "errors"),
    [
        (
            {"here_from": HOURS["here_until"], "here_until": HOURS["here_from"]},
            {"here_until": "That is before they come."},
        ),
        (
            {"here_from": HOURS["here_from"], "here_until": HOURS["here_from"]},
            {"here_until": "That is before they come."},
        ),
        ({"here_from": "ten"}, {"here_from": "Enter a valid date/time."}),
        (
            {"here_until": "2027-03-28T03:30"},
            {"here_until": "The clocks go forward then: there is no 03:30. Did you mean 04:30?"},
        ),
        ({"tables": "9-3"}, {"tables": "There are no tables 9-3."}),
    ],
)
def test_what_cannot_be_is_said_and_stays_typed(wrong: dict[str, str], errors: dict[str, str]) -> None:
    event = make_event()
    new_link(event)
    link = StaffLink.objects.get()
    for answer, form in ((new_link(event, **wrong), "link_form"), (edit(link, **wrong), "form")):
        assert (answer.status_code, answer.context[form].errors) == (400, {key: [text] for key, text in errors.items()})
        html = answer.content.decode()
        assert all(f'value="{typed}"' in html for typed in wrong.values())
    assert (place(link), StaffLink.objects.count()) == (([], None, None), 1)


def test_tables_and_hours_are_said_anew_and_the_address_stays() -> None:
    new_link(make_event())
    link = StaffLink.objects.get()
    address = link_token(link)
    assert said(edit(link, tables="1-3", **HOURS)) == ["Saved."]
    assert (place(link), told(link), link_token(link)) == (([1, 2, 3], TEN, TWO), [True, True], address)
    act = Act.objects.get(verb="edit_link")
    assert changes(before=act.before, after=act.after) == [
        ("Tables", "—", "1–3"),
        ("Here from", "—", "2027-05-22 07:00 UTC"),
        ("Here until", "—", "2027-05-22 11:00 UTC"),
    ]
    edit(link, tables="1-3", **HOURS)
    assert Act.objects.filter(verb="edit_link").count() == 1
    form = desk_of(link.event).get(reverse("link_show", args=[link.event_id, link.pk])).context["form"]
    assert (form["tables"].value(), f"{form['here_from'].value():%H:%M}") == ("1–3", "10:00")
    edit(link, tables="", here_from="", here_until="")
    assert place(link) == ([], None, None)


def test_the_entry_desk_has_hours_and_no_tables() -> None:
    new_link(make_event(), role="desk")
    link = StaffLink.objects.get()
    page = desk_of(link.event).get(reverse("link_show", args=[link.event_id, link.pk]))
    assert ("Change the hours" in page_text(page), list(page.context["form"].fields)) == (
        True,
        ["here_from", "here_until"],
    )
    edit(link, tables="1-3", **HOURS)
    assert place(link) == ([], TEN, TWO)


def test_a_new_address_keeps_tables_and_hours() -> None:
    new_link(make_event(), tables="1-3", **HOURS)
    link = StaffLink.objects.get()
    desk_of(link.event).post(reverse("link_renew", args=[link.event_id, link.pk]))
    assert (place(link), link.version) == (([1, 2, 3], TEN, TWO), 2)


def test_a_program_says_the_same_and_what_it_leaves_out_stays() -> None:
    event = make_event()
    api, path = by_token(event), f"events/{event.pk}/staff-links/"
    hours = {"here_from": "2027-05-22T10:00:00", "here_until": "2027-05-22T14:00:00+03:00"}
    made = api.post(path, {"name": "Marta", "role": "referee", "tables": [3, 1, 2], **hours}).json()
    names = ("tables", "here_from", "here_until")
    expected = {"tables": [1, 2, 3], "here_from": "2027-05-22T07:00:00Z", "here_until": "2027-05-22T11:00:00Z"}
    assert {name: made[name] for name in names} == expected
    seen = api.get(f"{path}{made['id']}/")
    later = {"here_until": "2027-05-22T15:00:00+03:00"}
    changed = api.ask("PATCH", f"{path}{made['id']}/", later, If_Match=seen["ETag"])
    assert {name: changed.json()[name] for name in names} == {**expected, "here_until": "2027-05-22T12:00:00Z"}
    stale = api.ask("PATCH", f"{path}{made['id']}/", {"tables": []}, If_Match=seen["ETag"])
    assert (stale.status_code, stale.json()["code"]) == (412, "changed_since")
    for method, where, sent in (
        ("PATCH", f"{path}{made['id']}/", {"here_until": "2027-05-22T10:00:00+03:00"}),
        ("POST", path, {"name": "Olli", "role": "desk", "here_from": TWO.isoformat(), "here_until": TEN.isoformat()}),
    ):
        wrong = api.ask(method, where, sent)
        assert (wrong.status_code, wrong.json()["errors"][0]["pointer"]) == (400, "/here_until")
    freed = api.ask("PATCH", f"{path}{made['id']}/", {"tables": [], "here_from": None, "here_until": None}).json()
    assert {name: freed[name] for name in names} == {"tables": [], "here_from": None, "here_until": None}


def test_a_link_of_another_event_is_none_here() -> None:
    event, other = make_event(), make_event()
    link = staff.create_link(
        event_id=other.pk,
        tournament_id=None,
        role=Role.DESK,
        name="Olli",
        expires_at=NOW,
        by=organiser(of=other),
        now=NOW,
    )
    answer = desk_of(event).post(reverse("link_edit", args=[event.pk, link.pk]), HOURS)
    assert answer.status_code == 404
    assert by_token(event).ask("PATCH", f"events/{event.pk}/staff-links/{link.pk}/", {"tables": []}).status_code == 404
