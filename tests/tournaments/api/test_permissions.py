"""Every operation, asked for by everybody: each gets what is theirs, and nothing else is written."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.utils import timezone

from matches.actions import SCORE, Report, report_result
from matches.models import Submission
from players.models import Act
from players.permissions import Actor, Role
from tests.factories import make_account, make_entry, make_event, make_field, make_tournament, organiser
from tests.tournaments.api.asking import Api, by_link, by_session, by_stranger, by_token, code_of
from tests.tournaments.play import draft, pairings, play_open, start
from tournaments.actions import staff
from tournaments.models import ApiToken, StaffLink, Tournament
from tournaments.urls.api import urlpatterns

pytestmark = pytest.mark.django_db

PUBLIC = {
    "get events/",
    "get events/<int:pk>/",
    "get events/<int:pk>/tournaments/",
    "get tournaments/<int:pk>/exports/",
    "get tournaments/<int:pk>/exports/<str:sheet>/<str:kind>/",
    "get tournaments/<int:pk>/",
    "get tournaments/<int:pk>/rounds/",
    "get tournaments/<int:pk>/pairings/",
    "get tournaments/<int:pk>/standings/",
    "get tournaments/<int:pk>/bracket/",
    "get tournaments/<int:pk>/matches/<int:match_id>/",
}
REFEREES = {
    "get tournaments/<int:pk>/open-matches/",
    "put tournaments/<int:pk>/matches/<int:match_id>/result/",
    "post tournaments/<int:pk>/matches/<int:match_id>/result/",
    "post tournaments/<int:pk>/matches/<int:match_id>/undo/",
    "get tournaments/<int:pk>/reports/",
    "post tournaments/<int:pk>/reports/<int:submission_id>/confirm/",
    "post tournaments/<int:pk>/reports/<int:submission_id>/take-back/",
}
ENTRY_DESKS = {
    "get tournaments/<int:pk>/entries/",
    "post tournaments/<int:pk>/entries/",
    "get tournaments/<int:pk>/entries/<int:entry_id>/",
    "patch tournaments/<int:pk>/entries/<int:entry_id>/",
    "delete tournaments/<int:pk>/entries/<int:entry_id>/",
    "put tournaments/<int:pk>/seeds/",
    "post tournaments/<int:pk>/close-check-in/",
    "get tournaments/<int:pk>/imports/",
    "post tournaments/<int:pk>/entries/<int:entry_id>/check-in/",
    "post tournaments/<int:pk>/entries/<int:entry_id>/undo-check-in/",
    "post tournaments/<int:pk>/imports/",
    "get tournaments/<int:pk>/imports/<int:import_id>/",
    "post tournaments/<int:pk>/imports/<int:import_id>/confirm/",
    "post tournaments/<int:pk>/open-check-in/",
    "post tournaments/<int:pk>/check-in-all/",
}
ACCOUNTS = {"post events/"}
FOR_EVERYBODY = {"post tournaments/<int:pk>/register/"}
"""What anybody may do; test_registration has it."""
OF_NO_EVENT = {"get me/", "get schema/", "get docs/"}
"""Addresses that tell who the caller is, or what the API is; test_reading has them."""


def operations() -> list[str]:
    """Every method of every address but a player's own, as "get events/"."""
    return [each for each in every_operation() if " own/" not in each]


def own_operations() -> list[str]:
    """What a player does by their own link."""
    return [each for each in every_operation() if " own/" in each]


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


def everything_written(tournament: Tournament) -> tuple[int, ...]:
    return (
        Act.objects.filter(event=tournament.event_id).count(),
        Submission.objects.count(),
        tournament.event.tournaments.count(),
        tournament.event.staff_links.count(),
        tournament.entries.count(),
        tournament.imports.count(),
    )


BODIES: dict[str, dict[str, Any]] = {
    "post events/": {"name": "StarCon", "zone": "UTC", "starts_on": "2027-05-22"},
    "post events/<int:pk>/tournaments/": {"name": "Second"},
    "post events/<int:pk>/tournaments/import/": {"text": "012 Cup\n001    1      Ann\n001    2      Bo\n"},
    "post events/<int:pk>/tokens/": {"name": "score board"},
    "post tournaments/<int:pk>/swap/": {"round": 1, "entry": 1, "with_entry": 2},
    "post tournaments/<int:pk>/play-on/": {"name": "Cup", "best": 2},
    "put tournaments/<int:pk>/seeds/": {"order": []},
    "post events/<int:pk>/staff-links/": {"name": "Marta", "role": "referee"},
    "patch tournaments/<int:pk>/": {"name": "Renamed"},
    "post tournaments/<int:pk>/entries/": {"name": "Juhani"},
    "post tournaments/<int:pk>/entries/<int:entry_id>/merge/": {"other": 0},
    "post tournaments/<int:pk>/imports/": {"rows": [{"name": "Juhani"}]},
}


def body_of(operation: str) -> dict[str, Any]:
    if operation.endswith(("/result/", "/correct/")):
        return {"kind": "score", "sets": [3, 1], "version": 0}
    return BODIES.get(operation, {"version": 0} if operation.endswith("/clear/") else {})


def ask(api: Api, operation: str, of: Tournament) -> Any:
    method, path = asked(operation, of)
    key = "of-an-operation-" + re.sub("[^a-z]+", "-", operation)
    return api.ask(method, path, None if method == "GET" else body_of(operation), Idempotency_Key=key)


def outcome(answer: Any) -> int | str:
    """The code of a problem, else the status."""
    return code_of(answer)[1] if answer.status_code >= 400 else int(answer.status_code)


def all_asked(api: Api, tournament: Tournament) -> dict[str, int | str]:
    """What becomes of every operation, one after the other; for those who may do nothing that changes another."""
    return {each: outcome(ask(api, each, tournament)) for each in operations() if each not in FOR_EVERYBODY}


def test_nobody_in_particular_reads_what_is_public_and_does_nothing() -> None:
    tournament = running()
    before = everything_written(tournament)
    expected = {
        each: 200 if each in PUBLIC else "not_authenticated" for each in operations() if each not in FOR_EVERYBODY
    }
    assert all_asked(Api(), tournament) == expected
    assert everything_written(tournament) == before
    answer = Api().post(f"tournaments/{tournament.pk}/publish/")
    assert (answer.status_code, answer["WWW-Authenticate"]) == (401, 'Bearer realm="Cantina"')


def test_an_organiser_of_another_event_finds_nothing() -> None:
    tournament = running()
    stranger = by_stranger()
    before = everything_written(tournament)
    expected = {
        each: 200 if each in PUBLIC else 201 if each in ACCOUNTS else "not_found"
        for each in operations()
        if each not in FOR_EVERYBODY
    }
    assert all_asked(stranger, tournament) == expected
    assert everything_written(tournament) == before


def test_a_helper_of_another_tournament_finds_nothing() -> None:
    tournament = running()
    elsewhere = by_link(make_tournament(event=tournament.event))
    before = everything_written(tournament)
    expected = {
        each: 200 if each in PUBLIC else "not_allowed" if " events/" in each else "not_found"
        for each in operations()
        if each not in FOR_EVERYBODY
    }
    assert all_asked(elsewhere, tournament) == expected
    assert everything_written(tournament) == before


def test_a_revoked_token_opens_not_even_what_is_public() -> None:
    tournament = running()
    api = by_token(tournament)
    token = ApiToken.objects.get(account=tournament.event.owner, event=None)
    staff.revoke_token(token_id=token.pk, by=organiser(of=tournament), now=timezone.now())
    assert set(all_asked(api, tournament).values()) == {"token_refused"}


@pytest.mark.parametrize(
    ("role", "theirs"), [(Role.REFEREE, REFEREES), (Role.DESK, ENTRY_DESKS)], ids=["referee", "entry desk"]
)
def test_a_helper_does_what_their_link_is_for(role: Role, theirs: set[str]) -> None:
    tournament = running()
    helper = by_link(tournament, role=role)
    before = everything_written(tournament)
    others = [each for each in operations() if each not in theirs | PUBLIC | FOR_EVERYBODY]
    assert {outcome(ask(helper, each, tournament)) for each in others} == {"not_allowed"}
    assert everything_written(tournament) == before
    assert {ask(helper, each, tournament).status_code for each in PUBLIC} == {200}
    for operation in theirs:
        assert ask(helper, operation, tournament).status_code not in (401, 403, 404), operation


@pytest.mark.parametrize("operation", operations())
def test_the_organiser_is_refused_only_by_the_state_of_things(operation: str) -> None:
    tournament = running()
    answer = ask(by_token(tournament), operation, tournament)
    assert answer.status_code not in (401, 403, 404), answer.content


def test_a_revoked_link_and_one_that_ran_out_open_nothing() -> None:
    tournament = running()
    revoked, over = by_link(tournament), by_link(tournament)
    _, first, second = tournament.event.staff_links.order_by("pk")
    staff.revoke_link(link_id=first.pk, by=organiser(of=tournament), now=timezone.now())
    StaffLink.objects.filter(pk=second.pk).update(expires_at=timezone.now())
    for api in (revoked, over):
        assert code_of(api.get(f"tournaments/{tournament.pk}/open-matches/")) == (401, "link_refused")


def test_a_token_of_an_account_that_was_closed_is_refused() -> None:
    tournament = running()
    api = by_token(tournament)
    tournament.event.owner.is_active = False
    tournament.event.owner.save()
    assert code_of(api.get("me/")) == (401, "token_refused")


def test_a_token_bound_to_an_event_reaches_only_that_event() -> None:
    tournament = running()
    other = make_tournament(event=make_event(owner=tournament.event.owner))
    api = by_token(tournament, bound=True)
    assert api.get("me/").json()["event"] == tournament.event_id
    assert api.get(f"events/{tournament.event_id}/staff-links/").status_code == 200
    assert [event["id"] for event in api.rows("events/?mine=1")] == [tournament.event_id]
    assert code_of(api.get(f"events/{other.event_id}/staff-links/")) == (404, "not_found")
    assert code_of(api.post(f"tournaments/{other.pk}/check-in-all/")) == (404, "not_found")
    assert code_of(api.post("events/", BODIES["post events/"])) == (403, "token_is_bound")


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


def test_what_belongs_to_another_tournament_is_not_found_below_this_one() -> None:
    mine, theirs = running(), running()
    api = by_token(mine)
    entry, match = theirs.entries.order_by("pk")[0].pk, pairings(theirs)[0].match_id
    kept = theirs.imports.order_by("pk")[0].pk
    before = everything_written(theirs)
    for path in (
        f"entries/{entry}/check-in/",
        f"entries/{entry}/undo-check-in/",
        f"imports/{kept}/confirm/",
        f"matches/{match}/clear/",
    ):
        assert code_of(api.post(f"tournaments/{mine.pk}/{path}")) == (404, "not_found")
    for verb in ("result", "correct"):
        body = {"kind": "score", "sets": [3, 1], "version": 0}
        answer = api.post(f"tournaments/{mine.pk}/matches/{match}/{verb}/", body, Idempotency_Key="foreign-1")
        assert code_of(answer) == (404, "not_found")
    link = theirs.event.staff_links.get()
    assert code_of(api.post(f"events/{mine.event_id}/staff-links/{link.pk}/revoke/")) == (404, "not_found")
    answer = api.post(f"events/{mine.event_id}/staff-links/", {"role": "desk", "name": "X", "tournament": theirs.pk})
    assert code_of(answer) == (404, "not_found")
    assert everything_written(theirs)[1:3] == before[1:3]
    assert theirs.event.staff_links.get().revoked_at is None


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


@pytest.mark.parametrize("act", ["publish", "finish", "reopen", "start", "take-back"])
def test_reading_an_act_does_not_do_it(act: str) -> None:
    tournament = running()
    api = by_token(tournament)
    before = everything_written(tournament)
    assert code_of(api.get(f"tournaments/{tournament.pk}/{act}/")) == (405, "method_not_allowed")
    override = api.get(f"tournaments/{tournament.pk}/{act}/?_method=POST", X_HTTP_Method_Override="POST")
    assert override.status_code == 405
    assert everything_written(tournament) == before


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
