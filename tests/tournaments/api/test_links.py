"""What staff do for one player by the API: their own link, another one, a place, and checked in by it."""

from __future__ import annotations

from typing import Any

import pytest

from players.models import Act
from players.permissions import Role
from tests.factories import make_entry, make_event, make_field, make_tournament
from tests.tournaments.api.asking import Api, by_link, by_stranger, by_token, code_of
from tournaments.actions import registration
from tournaments.models import Entry, Tournament
from tournaments.permissions import entry_token

pytestmark = pytest.mark.django_db


def path_of(entry: Entry) -> str:
    return f"tournaments/{entry.tournament_id}/entries/{entry.pk}/"


def waiting(tournament: Tournament) -> Entry:
    """Somebody who registered after the only place was gone."""
    for name in ("First", "Second"):
        entry = registration.register(
            tournament_id=tournament.pk,
            name=name,
            is_shown=True,
            language="en",
            key=f"of-the-form-{name}",
            now=tournament.created_at,
        )
    assert isinstance(entry, Entry)
    return entry


def test_a_players_own_link_is_shown_to_staff_again_and_drawn_as_a_code() -> None:
    entry = make_entry(tournament=make_tournament(), name="Juhani")
    tournament, token = entry.tournament, entry_token(entry)
    for api in (by_token(tournament), by_link(tournament, role=Role.DESK)):
        assert api.get(f"{path_of(entry)}own-link/").json() == {
            "id": entry.pk,
            "name": "Juhani",
            "token": token,
            "url": f"http://127.0.0.1:8000/p/{token}/",
        }
        drawn = api.get(f"{path_of(entry)}own-link/qr/")
        assert (drawn["Content-Type"], drawn.content[:5]) == ("image/svg+xml", b"<?xml")
    assert Api(f"Own {token}").get("own/").json()["id"] == entry.pk


def test_nobody_else_is_shown_it() -> None:
    entry = make_entry(tournament=make_tournament())
    other = make_entry(tournament=make_tournament(event=entry.tournament.event))
    expected: list[tuple[Api, tuple[int, str]]] = [
        (Api(), (401, "not_authenticated")),
        (by_stranger(), (404, "not_found")),
        (by_link(entry.tournament), (403, "not_allowed")),
        (by_link(other.tournament, role=Role.DESK), (404, "not_found")),
        (Api(f"Own {entry_token(other)}"), (404, "not_found")),
    ]
    for api, told in expected:
        for each in ("own-link/", "own-link/qr/"):
            assert code_of(api.get(path_of(entry) + each)) == told
        for each in ("own-link/renew/", "give-place/", "after-all/"):
            assert code_of(api.post(path_of(entry) + each)) == told
    foreign = f"tournaments/{other.tournament_id}/entries/{entry.pk}/own-link/"
    assert code_of(by_token(entry.tournament).get(foreign)) == (404, "not_found")
    assert (entry.link_version, Act.objects.filter(verb="renew_entry_link").count()) == (1, 0)


def test_a_new_link_closes_the_old_one_and_the_same_request_makes_one() -> None:
    entry = make_entry(tournament=make_tournament())
    api, old = by_token(entry.tournament), entry_token(entry)
    first, again = (api.post(f"{path_of(entry)}own-link/renew/", Idempotency_Key="once-renewed") for _ in range(2))
    assert (first.status_code, first.content) == (200, again.content)
    assert code_of(Api(f"Own {old}").get("own/")) == (401, "link_refused")
    assert Api(f"Own {first.json()['token']}").get("own/").json()["id"] == entry.pk
    assert Act.objects.filter(verb="renew_entry_link").count() == 1


def test_somebody_who_waits_is_given_a_place_by_hand() -> None:
    entry = waiting(make_tournament(registration=True, capacity=1))
    desk = by_link(entry.tournament, role=Role.DESK)
    assert code_of(desk.post(f"{path_of(entry)}check-in/")) == (409, "no_place_yet")
    for _twice in range(2):
        assert desk.post(f"{path_of(entry)}give-place/").json()["status"] == "active"
    assert Act.objects.filter(verb="promote_entry").count() == 1


def test_a_player_who_was_dropped_when_check_in_closed_comes_after_all() -> None:
    tournament = make_tournament()
    here, late, later = make_field(size=3, tournament=tournament, here=False)
    desk, path = by_link(tournament, role=Role.DESK), f"tournaments/{tournament.pk}/"
    desk.post(f"{path}open-check-in/")
    desk.post(f"{path_of(here)}check-in/")
    closed = desk.post(f"{path}close-check-in/", {"missing": "drop", "named": [late.pk]}).json()
    assert (closed["state"], closed["players"]) == ("roster", 2)
    assert code_of(desk.post(f"{path_of(late)}check-in/")) == (409, "already_withdrawn")
    back = desk.post(f"{path_of(late)}after-all/").json()
    assert (back["status"], back["checked_in_at"] is None) == ("active", False)
    assert [each["id"] for each in desk.rows(f"{path}entries/?here=0")] == [later.pk]
    assert code_of(desk.post(f"{path}close-check-in/", {"missing": "shoot"})) == (400, "invalid")


def test_a_scanned_link_checks_in_whoever_it_is_of() -> None:
    tournament = make_tournament()
    entry, foreign = make_entry(tournament=tournament), make_entry(tournament=make_tournament())
    elsewhere = make_entry(tournament=make_tournament(event=tournament.event, name="Side"))
    desk, path = by_link(tournament, role=Role.DESK), f"tournaments/{tournament.pk}/scan/"

    def scanned(of: Entry, api: Api = desk, **headers: str) -> Any:
        return api.post(path, {"code": f"https://desk.example/p/{entry_token(of)}/"}, **headers)

    assert scanned(entry).json()["checked_in_at"] is not None
    assert code_of(scanned(foreign)) == (400, "code_unknown")
    assert code_of(scanned(elsewhere)) == (409, "code_elsewhere")
    assert scanned(elsewhere, by_token(tournament)).json()["id"] == elsewhere.pk
    # Sent late a second time it does not undo what was done in between.
    scanned(entry, Idempotency_Key="scanned-once")
    desk.post(f"{path_of(entry)}undo-check-in/")
    scanned(entry, Idempotency_Key="scanned-once")
    entry.refresh_from_db()
    assert entry.checked_in_at is None


def test_nobody_is_checked_in_by_an_event_that_is_not_theirs() -> None:
    entry = make_entry(tournament=make_tournament())
    stranger = by_token(make_event())
    answer = stranger.post(f"tournaments/{entry.tournament_id}/scan/", {"code": entry_token(entry)})
    assert code_of(answer) == (404, "not_found")
