"""The hall on the desk and behind a referee's link: tables put up, matches moved, who waits."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from tests.factories import make_entry, make_event, make_tournament
from tests.tournaments.halls import at, out, put_up
from tests.tournaments.play import pairings, report
from tests.tournaments.views.desk import desk_of, page_text, running, said, text_of
from tests.tournaments.views.referee import page as referee_page
from tests.tournaments.views.referee import referee
from tournaments.models import Pairing, Room, StaffLink, StageChange, Table, Tournament
from tournaments.permissions import entry_token, link_token

pytestmark = pytest.mark.django_db


def in_hall(size: int, numbers: tuple[int, ...]) -> Tournament:
    """A tournament whose event has these tables, with its first round out."""
    event = make_event()
    put_up(event, numbers)
    return running(size, event=event)


def move(of: Tournament, pairing: Pairing, to: str = "", *, method: str = "post") -> Any:
    where = reverse("match_move", args=[of.pk, pairing.match_id])
    return getattr(desk_of(of), method)(where, {"to": to} if method == "post" else {})


def staff_move(link: StaffLink, pairing: Pairing, to: str | None = None) -> Any:
    where = reverse("staff_move", args=[link_token(link), pairing.match_id])
    return Client().get(where) if to is None else Client().post(where, {"to": to})


def offered(answer: Any) -> list[str]:
    """The choices of a form, a group's one after the other."""
    found = []
    for value, label in answer.context["form"].fields["to"].choices:
        found += [str(text) for _key, text in label] if isinstance(label, list) else [str(label)] * bool(value)
    return [each.replace("\u2068", "").replace("\u2069", "") for each in found]


# --- the hall


def test_tables_are_put_up_in_a_room_and_what_is_typed_wrong_stays() -> None:
    event = make_event()
    client, hall = desk_of(event), reverse("event_hall", args=[event.pk])
    assert "Without tables here every match gets a number" in page_text(client.get(hall))
    assert client.post(reverse("room_add", args=[event.pk]), {"name": "Hall A"}).status_code == 302
    room = Room.objects.get(event=event)
    add = reverse("tables_add", args=[event.pk])
    assert client.post(add, {"numbers": "5-8, 11", "room": room.pk}).status_code == 302
    assert list(event.tables.order_by("number").values_list("number", "room")) == [
        (number, room.pk) for number in (5, 6, 7, 8, 11)
    ]
    wrong = client.post(add, {"numbers": "eight"})
    assert (wrong.status_code, wrong.context["tables_form"]["numbers"].value()) == (400, "eight")
    assert "Name tables by their numbers" in page_text(wrong)
    again = client.post(add, {"numbers": "5"})
    assert (again.status_code, said(again)) == (409, ["These tables stand in the hall already."])
    assert client.post(reverse("room_add", args=[event.pk]), {"name": "Hall A"}).status_code == 409
    assert client.post(reverse("room", args=[event.pk, room.pk]), {"name": "Hall B"}).status_code == 302
    assert "Hall B" in page_text(client.get(hall))
    assert client.post(reverse("room_remove", args=[event.pk, room.pk])).status_code == 302
    assert "All tables" in page_text(client.get(hall))


def test_a_table_is_changed_put_out_of_order_and_removed_when_free() -> None:
    tournament = in_hall(4, (1, 2, 3))
    event = tournament.event
    client = desk_of(event)
    table = Table.objects.get(event=event, number=1)

    def press(name: str) -> Any:
        return client.post(reverse(name, args=[event.pk, table.pk]), {"name": "Stage", "purpose": "feature"})

    assert press("hall_table").status_code == 302
    table.refresh_from_db()
    assert (table.name, table.purpose) == ("Stage", "feature")
    wrong = client.post(reverse("hall_table", args=[event.pk, table.pk]), {"name": "x", "purpose": "throne"})
    assert (wrong.status_code, wrong.context["form"]["name"].value()) == (400, "x")
    assert press("table_out").status_code == 302
    shown = page_text(client.get(reverse("event_hall", args=[event.pk])))
    assert "Out of use since" in shown
    assert "Move the match" in shown
    refused = press("table_remove")
    assert (refused.status_code, said(refused)[0][:26]) == (409, "A match sits at table 1. M")
    assert press("table_back").status_code == 302
    report(pairings(tournament, 1)[0], (3, 1))
    assert press("table_remove").status_code == 302
    assert not Table.objects.filter(pk=table.pk).exists()


def test_tables_and_rooms_of_another_event_are_not_there() -> None:
    event, other = make_event(), make_event()
    (table,) = put_up(other, (1,))
    client = desk_of(event)
    for name in ("table_out", "table_back", "table_remove", "hall_table"):
        assert client.post(reverse(name, args=[event.pk, table.pk])).status_code == 404
        assert client.post(reverse(name, args=[other.pk, table.pk])).status_code == 404


# --- moves


def test_a_match_goes_to_a_free_table_or_changes_places_and_its_players_read_it() -> None:
    tournament = in_hall(4, (1, 2, 3))
    first, second = pairings(tournament, 1)
    names = f"{second.a.name} – {second.b.name if second.b else ''}"
    page = move(tournament, first, method="get")
    none = "No table for now: it is held until it is released or given one"
    assert offered(page) == ["Table 3", f"Table 2: with {names}", none]
    assert move(tournament, first, "3").status_code == 302
    assert at(first) == (3, True)
    own = Client().get(reverse("own_page", args=[entry_token(first.a)]))
    assert "Go to table 3" in page_text(own)
    swap = f"swap-{second.match_id}-3-2"
    assert move(tournament, first, swap).status_code == 302
    assert (at(first), at(second)) == ((2, True), (3, True))
    assert move(tournament, first, swap).status_code == 400  # what was seen is no more
    assert (at(first), at(second)) == ((2, True), (3, True))
    assert move(tournament, first, "none").status_code == 302
    own = Client().get(reverse("own_page", args=[entry_token(first.a)]))
    assert "You wait for a table" in page_text(own)
    assert move(tournament, first, "99").status_code == 400


def test_every_page_says_that_a_match_waits_for_a_table() -> None:
    tournament = in_hall(6, (1, 2))
    waiting = pairings(tournament, 1)[2]
    pages: list[Any] = [
        desk_of(tournament).get(reverse(name, args=[tournament.pk]))
        for name in ("results", "tournament", "hall", "tournament_desk")
    ]
    pages.append(desk_of(tournament).get(reverse("pairings", args=[tournament.pk]) + "?by=name"))
    pages.append(desk_of(tournament).get(reverse("event_hall", args=[tournament.event_id])))
    pages.append(move(tournament, waiting, method="get"))
    pages.append(Client().get(reverse("own_page", args=[entry_token(waiting.a)])))
    pages.append(referee_page(referee(tournament)))
    for page in pages:
        text = text_of(page.content.decode()).lower()
        assert (page.status_code, "wait" in text and "for a table" in text) == (200, True), text
        assert "table none" not in text
        assert "none –" not in text


def test_who_sits_at_the_wrong_table_is_told_to_the_desk() -> None:
    tournament = in_hall(4, (1, 2, 3))
    first = pairings(tournament, 1)[0]
    fix = reverse("entry_table", args=[tournament.pk, first.a_id])
    assert desk_of(tournament).post(fix, {"table": "3"}).status_code == 302
    told = f"{first.a.name} has to sit at table 3"
    assert told in page_text(desk_of(tournament).get(reverse("results", args=[tournament.pk])))
    move(tournament, first, "3")
    assert told not in page_text(desk_of(tournament).get(reverse("results", args=[tournament.pk])))
    wrong = desk_of(tournament).post(fix, {"table": "0"})
    assert (wrong.status_code, wrong.context["fixed"]["table"].value()) == (400, "0")
    refused = desk_of(tournament).post(fix, {"table": "9"})
    assert (refused.status_code, said(refused)) == (400, ["There is no table 9 in this hall."])
    elsewhere = make_entry(tournament=make_tournament())
    assert desk_of(tournament).post(reverse("entry_table", args=[tournament.pk, elsewhere.pk])).status_code == 404


# --- a referee


def test_a_referee_of_some_tables_gives_those_and_no_others() -> None:
    tournament = in_hall(6, (1, 2))
    put_up(tournament, (3, 4))
    first, second, waiting = pairings(tournament, 1)
    link = referee(tournament, tables=(1, 3))
    assert [each.pk for each in referee_page(link).context["waiting"]] == [waiting.pk]  # type: ignore[attr-defined]
    assert staff_move(link, second).status_code == 404
    names = f"{first.a.name} – {first.b.name if first.b else ''}"
    assert offered(staff_move(link, waiting)) == ["Table 3", f"Table 1: with {names}"]
    assert staff_move(link, waiting, "4").status_code == 400
    assert staff_move(link, waiting, "3").status_code == 302
    assert at(waiting) == (3, True)


def test_a_referee_is_told_when_the_table_went_to_another_match() -> None:
    tournament = in_hall(4, (1, 2, 3))
    first, second = pairings(tournament, 1)
    link = referee(tournament)
    staff_move(link, second, "3")
    gone = staff_move(link, first, "3")
    assert gone.status_code == 400
    assert "This table is not free any more" in page_text(gone)
    assert (at(first), at(second)) == ((1, True), (3, True))
    out(tournament, 2)
    assert offered(staff_move(link, first))[0].startswith("Table 3: with")


def test_a_player_reads_what_their_table_is_called_and_where_it_stands() -> None:
    tournament = in_hall(4, (1, 2))
    event, first = tournament.event, pairings(tournament, 1)[0]
    client, own = desk_of(event), reverse("own_page", args=[entry_token(first.a)])
    client.post(reverse("room_add", args=[event.pk]), {"name": "Hall A"})
    room, table = Room.objects.get(event=event), Table.objects.get(event=event, number=1)
    client.post(reverse("hall_table", args=[event.pk, table.pk]), {"name": "Stage", "room": room.pk})
    assert "Table 1 Stage, Hall A When" in page_text(Client().get(own))
    client.post(reverse("room", args=[event.pk, room.pk]), {"name": "Hall B"})
    assert "Table 1 Stage, Hall B When" in page_text(Client().get(own))
    assert StageChange.objects.filter(what="hall").count() == 2  # open pages fetch it anew
