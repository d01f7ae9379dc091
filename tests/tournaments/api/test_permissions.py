"""What a role comes to within what it may do: its tables, its event, its drafts; the matrix has who may do what."""

from __future__ import annotations

from typing import Any

import pytest
from django.utils import timezone

from matches.actions import SCORE, Report, report_result
from matches.models import Submission
from players.permissions import Actor, Role
from tests.factories import make_account, make_entry, make_event, make_field, make_tournament, organiser
from tests.tournaments.api.asking import Api, by_link, by_session, by_stranger, by_token, code_of
from tests.tournaments.play import draft, pairings, play_open, start
from tournaments.actions import staff
from tournaments.models import StaffLink, Tournament
from tournaments.urls.api import urlpatterns

pytestmark = pytest.mark.django_db

OF_NO_EVENT = {"get me/", "get schema/", "get docs/"}
"""Addresses that tell who the caller is, or what the API is; test_reading has them."""


OF_AN_ACCOUNT = {"post invitations/accept/", "get me/entries/", "post me/entries/"}
"""What an account does about itself; test_organisers and test_mine have it."""


def operations() -> list[str]:
    """Every method of every address but those about whoever asks, as "get events/"."""
    return [each for each in every_operation() if " own/" not in each and each not in OF_AN_ACCOUNT]


def every_operation() -> list[str]:
    found = []
    for pattern in urlpatterns[:-1]:
        view: Any = pattern.callback
        methods = [name for name in ("get", "post", "put", "patch", "delete") if hasattr(view.cls, name)]
        found += [f"{method} {pattern.pattern}" for method in methods]
    return [each for each in found if each not in OF_NO_EVENT]


def asked(operation: str, of: Tournament) -> tuple[str, str]:
    """The method and the address of an operation for this tournament and what is in it."""
    method, path = operation.split(" ")
    match = pairings(of)[0].match
    ids = {
        "entry_id": of.entries.order_by("pk")[0].pk,
        "import_id": of.imports.order_by("pk")[0].pk,
        "match_id": match.pk if match else 0,
    }
    ids["submission_id"] = Submission.objects.filter(match=match, seat="").order_by("pk")[0].pk
    ids["link_id"] = of.event.staff_links.order_by("pk")[0].pk
    ids["account_id"] = of.event.owner_id
    ids["token_id"] = of.event.api_tokens.order_by("pk")[0].pk
    path = path.replace("<str:sheet>", "standings").replace("<str:kind>", "csv")
    ids["pk"] = of.event_id if path.startswith("events/") else of.pk
    for name, value in ids.items():
        path = path.replace(f"<int:{name}>", str(value))
    return method.upper(), path


def running() -> Tournament:
    """A tournament in its first round."""
    tournament = make_tournament()
    make_field(size=4, tournament=tournament)
    start(tournament)
    now = timezone.now()
    report_result(
        match_id=pairings(tournament)[0].match_id or 0,
        report=Report(SCORE, (3, 1)),
        seat="",
        by=Actor(role=Role.REFEREE, name="Somebody else", link=0),
        key=f"waits-{tournament.pk}",
        expected_version=0,
        now=now,
    )
    StaffLink.objects.create(event=tournament.event, name="Olli", role=Role.DESK, expires_at=now, created_at=now)
    staff.create_token(
        account=tournament.event.owner,
        event_id=tournament.event_id,
        name="script",
        by=organiser(of=tournament),
        now=now,
    )
    return tournament


def test_a_token_bound_to_an_event_reaches_only_that_event() -> None:
    tournament = running()
    other = make_tournament(event=make_event(owner=tournament.event.owner))
    api = by_token(tournament, bound=True)
    assert api.get("me/").json()["event"] == tournament.event_id
    assert api.get(f"events/{tournament.event_id}/staff-links/").status_code == 200
    assert [event["id"] for event in api.rows("events/?mine=1")] == [tournament.event_id]
    assert code_of(api.get(f"events/{other.event_id}/staff-links/")) == (404, "not_found")
    assert code_of(api.post(f"tournaments/{other.pk}/check-in-all/")) == (404, "not_found")
    assert code_of(api.post("events/", {"name": "StarCon", "zone": "UTC", "starts_on": "2027-05-22"})) == (
        403,
        "token_is_bound",
    )


def test_a_referee_of_some_tables_enters_nothing_at_another() -> None:
    tournament = running()
    here, there = pairings(tournament)
    referee = by_link(tournament, tables=(here.table or 0,))
    assert [row["table"] for row in referee.rows(f"tournaments/{tournament.pk}/open-matches/")] == [here.table]
    body = {"kind": "score", "sets": [3, 0], "version": 0}
    path = f"tournaments/{tournament.pk}/matches/"
    assert code_of(referee.ask("PUT", f"{path}{there.match_id}/result/", body, Idempotency_Key="tables-there")) == (
        404,
        "not_found",
    )
    assert referee.ask("PUT", f"{path}{here.match_id}/result/", body, Idempotency_Key="tables-here").status_code == 200
    assert Submission.objects.filter(is_confirmed=True).count() == 1


def test_a_link_for_a_tournament_of_another_event_is_not_made() -> None:
    mine, theirs = make_tournament(), make_tournament()
    path = f"events/{mine.event_id}/staff-links/"
    answer = by_token(mine).post(path, {"role": "desk", "name": "X", "tournament": theirs.pk})
    assert code_of(answer) == (404, "not_found")
    assert StaffLink.objects.count() == 0


def test_a_start_that_names_players_of_another_tournament_does_nothing_at_all() -> None:
    mine, theirs = make_tournament(), make_tournament()
    make_field(size=4, tournament=mine)
    absent = make_entry(tournament=mine)
    foreign = make_entry(tournament=theirs)
    path = f"tournaments/{mine.pk}/start/"
    for said in ([absent.pk, foreign.pk], [foreign.pk]):
        answer = by_token(mine).post(path, {"leaving_out": said})
        assert code_of(answer) == (409, "roster_changed")
        assert answer.json()["params"] == {"entries": [absent.pk]}
    mine.refresh_from_db()
    assert mine.state == "roster"


def test_a_session_needs_its_token_against_forged_forms() -> None:
    tournament = running()
    api = by_session(tournament)
    path = f"tournaments/{tournament.pk}/take-back/"
    assert code_of(api.post(path)) == (403, "permission_denied")
    assert tournament.stages.get().rounds.get().published_at is not None
    api.client.cookies["csrftoken"] = "f" * 32
    assert api.post(path, X_CSRFToken="f" * 32).status_code == 200
    assert tournament.stages.get().rounds.get().published_at is None


def test_a_draft_is_seen_by_organisers_alone() -> None:
    tournament = running()
    play_open(tournament)
    draft(tournament)
    path = f"tournaments/{tournament.pk}/"
    for outsider in (Api(), by_link(tournament), by_link(tournament, role=Role.DESK), by_stranger()):
        assert [each["number"] for each in outsider.get(f"{path}rounds/").json()["results"]] == [1]
        assert {each["round"] for each in outsider.rows(f"{path}pairings/")} == {1}
        assert outsider.rows(f"{path}pairings/?round=2") == []
        assert outsider.get(path).json()["next"] is None
    inside = by_token(tournament)
    assert [each["is_draft"] for each in inside.get(f"{path}rounds/").json()["results"]] == [False, True]
    assert len(inside.rows(f"{path}pairings/?round=2")) == 2
    assert inside.get(path).json()["next"]["act"] == "publish"
    assert inside.get(f"{path}pairings/")["ETag"] != Api().get(f"{path}pairings/")["ETag"]


def test_no_address_of_anybody_is_ever_told_to_outsiders() -> None:
    tournament = make_tournament(event=make_event(owner=make_account(email="secret-organiser@example.org")))
    make_entry(tournament=tournament, name="Juhani", email="secret-player@example.org", here=True)
    make_field(size=3, tournament=tournament)
    start(tournament)
    play_open(tournament)
    path = f"tournaments/{tournament.pk}/"
    match = pairings(tournament)[0].match_id
    outsiders = (Api(), by_link(tournament), by_link(tournament, role=Role.DESK))
    for outsider in outsiders:
        reads = ("", "rounds/", "pairings/", "standings/", "bracket/", "entries/", f"matches/{match}/")
        told = b"".join(outsider.get(path + each).content for each in reads)
        told += outsider.get(f"events/{tournament.event_id}/").content + outsider.get("events/").content
        assert b"secret-" not in told
    body = {"kind": "score", "sets": [3, 1], "version": 0}
    late = by_link(tournament).post(f"{path}matches/{match}/result/", body, Idempotency_Key="addresses-1")
    assert code_of(late) == (409, "stale_version")
    assert late.json()["params"]["by"] == "an organiser"
    assert b"secret-" not in late.content


def test_links_are_shown_to_organisers_with_their_secret_until_they_are_revoked() -> None:
    tournament = running()
    api = by_token(tournament)
    path = f"events/{tournament.event_id}/staff-links/"
    body = {"role": "referee", "name": "Marta", "tournament": tournament.pk, "tables": [2, 1, 2]}
    made = api.post(path, body).json()
    assert (made["role"], made["tournament"], made["tables"]) == ("referee", tournament.pk, [1, 2])
    assert made["url"] == f"http://127.0.0.1:8000/s/{made['token']}/"
    assert api.get(path).json()["results"][1:] == [made]
    helper = Api(f"Link {made['token']}")
    assert helper.get("me/").json() == {
        "role": "referee",
        "name": "Marta",
        "event": tournament.event_id,
        "tournament": tournament.pk,
        "tables": [1, 2],
        "entry": None,
        "expires_at": made["expires_at"],
    }
    revoked = api.post(f"{path}{made['id']}/revoke/").json()
    assert (revoked["token"], revoked["url"]) == (None, None)
    assert code_of(helper.get("me/")) == (401, "link_refused")
    late = api.post(path, {**body, "expires_at": "2020-01-01T00:00:00Z"})
    assert code_of(late) == (400, "link_would_be_over")
