"""One person under two names: found by name in the organiser's other tournaments, and made one player."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from players.models import Player
from tests.factories import make_account, make_entry, make_event, make_tournament
from tests.tournaments.views.desk import Page, desk_of, page_text, said, stranger
from tournaments.models import Entry

pytestmark = pytest.mark.django_db


def at(entry: Entry) -> str:
    return reverse("entry_merge", args=[entry.tournament_id, entry.pk])


def send(entry: Entry, other: Entry | int | str) -> Page:
    return desk_of(entry.tournament).post(at(entry), {"other": other.pk if isinstance(other, Entry) else other})


def two_of_one() -> tuple[Entry, Entry]:
    """One person in two tournaments of one event, under two names."""
    event = make_event()
    mine = make_entry(tournament=make_tournament(event=event, name="Main"), name="Sergei Kuznetsov", city="Riga")
    return mine, make_entry(tournament=make_tournament(event=event, name="Side"), name="Sergei K.")


def offered(entry: Entry, **query: str) -> list[str]:
    return [each.name for each in desk_of(entry.tournament).get(at(entry), query).context["found"]]


def test_people_are_offered_who_share_a_word_of_the_name_and_others_are_looked_for() -> None:
    mine, other = two_of_one()
    make_entry(tournament=other.tournament, name="Olli")
    make_entry(tournament=mine.tournament, name="Sergei Two")  # in one tournament with him: somebody else
    make_entry(tournament=make_tournament(), name="Sergei Elsewhere")  # another organiser's
    assert offered(mine) == ["Sergei K."]
    assert offered(mine, q="oll") == ["Olli"]
    page = desk_of(mine.tournament).get(at(mine), {"q": "nobody"})
    assert "Nobody of this name" in page_text(page)


def test_na_01_two_become_one_player_and_keep_their_names() -> None:
    mine, other = two_of_one()
    edit = reverse("entry_edit", args=[mine.tournament_id, mine.pk])
    assert at(mine) in desk_of(mine.tournament).get(edit).content.decode()
    answer = send(mine, other)
    assert said(answer) == ["Sergei Kuznetsov and Sergei K. are one player now."]
    assert answer.headers["Location"] == edit
    assert list(Entry.objects.order_by("pk").values_list("player", "name")) == [
        (mine.player_id, "Sergei Kuznetsov"),
        (mine.player_id, "Sergei K."),
    ]
    assert send(mine, other).status_code == 400  # they are one already
    assert Player.objects.count() == 1


def test_nobody_chosen_or_somebody_in_the_same_tournament_changes_nothing() -> None:
    mine, other = two_of_one()
    here = make_entry(tournament=mine.tournament, name="Sergei")
    answer = send(mine, "")
    assert (answer.status_code, "Choose who it is." in page_text(answer)) == (400, True)
    refused = send(mine, here)
    assert (refused.status_code, said(refused)) == (
        409,
        ["Both play in the same tournament, so they are two people there."],
    )
    assert {mine.player_id, other.player_id, here.player_id} == set(Player.objects.values_list("pk", flat=True))


def test_sp_01_somebody_elses_player_is_not_there() -> None:
    mine, other = two_of_one()
    theirs = make_entry(tournament=make_tournament(event=make_event(owner=make_account())))
    assert send(mine, theirs).status_code == 404
    assert send(mine, 2**63 - 1).status_code == 404
    assert send(mine, 2**63).status_code == 400
    asked = [client.post(at(mine), {"other": other.pk}).status_code for client in (stranger(), Client())]
    assert asked == [404, 401]
    assert Player.objects.count() == 3
