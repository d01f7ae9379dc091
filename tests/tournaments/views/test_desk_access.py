"""Who may open the desk: the event's organisers and nobody else, whatever the address."""

from __future__ import annotations

from datetime import timedelta
from typing import Any, cast
from urllib.parse import quote

import pytest
from django.test import Client
from django.urls import URLPattern, URLResolver, reverse
from django.utils import timezone

from matches.models import Submission
from players.models import Act
from players.permissions import Role
from tests.factories import NOW, make_event, make_field, make_tournament, organiser
from tests.tournaments.organising import second_organiser
from tests.tournaments.play import draft, pairings, play_open
from tests.tournaments.views.desk import desk_of, running, stranger
from tournaments.actions import roster, staff
from tournaments.models import RosterImport, Tournament
from tournaments.urls import desk as desk_urls

pytestmark = pytest.mark.django_db

PATTERNS = cast("list[URLPattern | URLResolver]", desk_urls.urlpatterns)
POSTED = {
    *("remove_demo", "link_new", "link_revoke", "link_renew", "token_new", "token_revoke"),
    *("organiser_remove", "hand_over", "leave_event"),
    *("tournament_remove", "entry_add", "entry_remove", "entry_check_in", "entry_undo_check_in"),
    *("entry_check_in_after_all", "roster_scan", "report_confirm", "report_take_back"),
    *("entry_link_new", "entry_place"),
    *("entry_act", "play_off_drop"),
    *("withdraw", "return_entry", "check_in_open", "check_in_all", "import_confirm"),
    *("start", "draft", "pair_again", "publish", "take_back", "finish", "reopen", "match_clear"),
}
"""Addresses that only take what is sent to them."""


def names_of(patterns: list[URLPattern | URLResolver]) -> list[str]:
    """The names of all addresses below some patterns."""
    found = []
    for each in patterns:
        found += names_of(each.url_patterns) if isinstance(each, URLResolver) else [str(each.name)]
    return found


NAMES = [name for name in names_of(PATTERNS) if name not in ("desk", "event_new")]


class Place:
    """A tournament in its second round, a draft, with one thing of every kind in its event."""

    def __init__(self) -> None:
        self.tournament: Tournament = running(4)
        play_open(self.tournament)
        draft(self.tournament)
        event, by = self.tournament.event, organiser(of=self.tournament)
        self.event = event
        drafted = self.tournament.stages.get().rounds.get(published_at=None)
        link = staff.create_link(
            event_id=event.pk,
            tournament_id=None,
            role=Role.REFEREE,
            name="Marta",
            expires_at=timezone.now() + timedelta(days=1),
            by=by,
            now=NOW,
        )
        token, _secret = staff.create_token(account=event.owner, event_id=event.pk, name="board", by=by, now=NOW)
        waiting = make_tournament(event=event, name="Open")
        kept = roster.prepare_import(
            tournament_id=waiting.pk, filename="x.csv", rows=[], problems=[], source={}, by=by, now=NOW
        )
        assert isinstance(kept, RosterImport)
        kept.tournament = self.tournament
        kept.save()
        self.ids: dict[str, int] = {
            "entry_id": self.tournament.entries.order_by("pk")[0].pk,
            "match_id": pairings(self.tournament, 1)[0].match_id or 0,
            "round_id": drafted.pk,
            "number": 1,
            "link_id": link.pk,
            "token_id": token.pk,
            "import_id": kept.pk,
            "account_id": second_organiser(event).pk,
            "submission_id": Submission.objects.filter(match__pairing__round__stage__tournament=self.tournament)[0].pk,
        }

    def address(self, name: str) -> str:
        pattern = next(each for each in flat(PATTERNS) if each.name == name)
        wanted = set(pattern.pattern.converters)
        of_event = name.startswith(("event_", "link_", "token_", "remove_demo", "tournament_new"))
        of_event = of_event or name in ("organiser_remove", "hand_over", "leave_event")
        kwargs: dict[str, Any] = {key: self.ids[key] for key in wanted if key != "pk"}
        return reverse(name, kwargs={"pk": self.event.pk if of_event else self.tournament.pk, **kwargs})


def flat(patterns: list[URLPattern | URLResolver]) -> list[URLPattern]:
    found: list[URLPattern] = []
    for each in patterns:
        found += flat(each.url_patterns) if isinstance(each, URLResolver) else [each]
    return found


@pytest.fixture
def place() -> Place:
    return Place()


@pytest.mark.parametrize("name", NAMES)
def test_an_address_is_the_organisers_alone(place: Place, name: str) -> None:
    address = place.address(name)
    known = Act.objects.count()
    method = "post" if name in POSTED else "get"

    other = getattr(stranger(), method)(address)
    assert other.status_code == 404

    asked = getattr(Client(), method)(address)
    if method == "get":
        assert (asked.status_code, asked.headers["Location"][:14]) == (302, "/sign-in/?next")
    else:
        assert (asked.status_code, b'name="password"' in asked.content) == (401, True)
    assert Act.objects.count() == known + 1  # the stranger's own account

    own = getattr(desk_of(place.event), method)(address)
    assert own.status_code in (200, 302, 400, 409) if method == "post" or name != "seeds" else own.status_code == 404
    if method == "post":
        assert desk_of(place.event).get(address).status_code == 405


@pytest.mark.parametrize("name", ["desk", "event_new"])
def test_the_first_pages_ask_who_is_there(name: str) -> None:
    asked = Client().get(reverse(name))
    assert (asked.status_code, asked.headers["Location"]) == (302, f"/sign-in/?next={quote(reverse(name), safe='')}")


def test_ids_below_are_looked_up_below_what_was_checked(place: Place) -> None:
    """An own address with somebody else's entry, match, link, token or list: not there, and nothing written."""
    theirs = Place()
    client = desk_of(place.event)
    known = Act.objects.count()
    for name in NAMES:
        pattern = next(each for each in flat(PATTERNS) if each.name == name)
        nested = [key for key in pattern.pattern.converters if key not in ("pk", "number")]
        if not nested:
            continue
        kept = dict(place.ids)
        place.ids |= {key: theirs.ids[key] for key in nested}
        address = place.address(name)
        place.ids = kept
        answer = client.post(address) if name in POSTED else client.get(address)
        assert (name, answer.status_code) == (name, 404)
    assert Act.objects.count() == known


def test_the_same_organisers_other_tournament_is_another_place() -> None:
    event = make_event()
    one, other = make_tournament(event=event, name="One"), make_tournament(event=event, name="Other")
    entry = make_field(size=2, tournament=other, here=False)[0]
    answer = desk_of(event).post(reverse("entry_check_in", args=[one.pk, entry.pk]))
    entry.refresh_from_db()
    assert (answer.status_code, entry.checked_in_at) == (404, None)


def test_pages_of_the_desk_are_kept_by_nobody(place: Place) -> None:
    client = desk_of(place.event)
    for name in NAMES:
        if name in POSTED or name == "seeds":
            continue
        answer = client.get(place.address(name))
        if answer.status_code == 200:
            assert (name, answer.headers["Cache-Control"]) == (name, "private, no-store")
