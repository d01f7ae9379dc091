"""What an organiser or a referee does on pages, done by a script."""

from __future__ import annotations

import csv
from io import StringIO
from typing import Any

import pytest

from players.models import Act
from players.permissions import Role
from tests.factories import make_account, make_entry, make_event, make_field, make_tournament
from tests.tournaments.api.asking import Api, by_link, by_token, code_of
from tests.tournaments.play import count_up, pairings, play_open, start
from tournaments.models import Event, Tournament

pytestmark = pytest.mark.django_db


def running(size: int = 4, **facts: Any) -> Tournament:
    tournament = make_tournament(seeding="rating", **facts)
    make_field(size=size, tournament=tournament)
    start(tournament)
    return tournament


def test_an_event_is_changed_and_what_is_left_out_stays() -> None:
    event = make_event()
    api, path = by_token(event), f"events/{event.pk}/"
    changed = api.ask("PATCH", path, {"name": "StarCon 2028", "starts_on": "2027-05-21"}).json()
    assert (changed["name"], changed["place"], changed["zone"]) == ("StarCon 2028", "Riga", "Europe/Riga")
    assert (changed["starts_on"], changed["ends_on"]) == ("2027-05-21", "2027-05-23")
    refused = api.ask("PATCH", path, {"ends_on": "2027-05-20"})
    assert code_of(refused) == (400, "invalid")
    assert [each["pointer"] for each in refused.json()["errors"]] == ["/ends_on"]
    assert code_of(api.ask("PATCH", path, ["name"])) == (400, "invalid")


def test_only_a_demo_event_is_removed_as_a_whole() -> None:
    event = make_event()
    api = by_token(event)
    assert code_of(api.post(f"events/{event.pk}/remove-demo/")) == (409, "not_a_demo")
    Event.objects.filter(pk=event.pk).update(is_demo=True)
    assert api.post(f"events/{event.pk}/remove-demo/").status_code == 204
    assert Event.objects.count() == 0


def test_tournaments_of_an_event_are_listed_page_by_page() -> None:
    event = make_event()
    made = [make_tournament(event=event, name=f"T{number}") for number in range(3)]
    page = Api().get(f"events/{event.pk}/tournaments/?page_size=2").json()
    assert (page["count"], [each["id"] for each in page["results"]]) == (3, [made[0].pk, made[1].pk])
    assert Api().rows(f"events/{event.pk}/tournaments/?page_size=2")[2]["name"] == "T2"


def test_a_tournament_goes_until_it_starts() -> None:
    tournament = make_tournament()
    api = by_token(tournament)
    assert api.ask("DELETE", f"tournaments/{tournament.pk}/").status_code == 204
    assert code_of(api.get(f"tournaments/{tournament.pk}/")) == (404, "not_found")
    started = running()
    refused = by_token(started).ask("DELETE", f"tournaments/{started.pk}/")
    assert code_of(refused) == (409, "tournament_has_started")


def test_a_player_is_changed_and_taken_off() -> None:
    tournament = make_tournament()
    entry = make_entry(tournament=tournament, name="Juhani", email="juhani@example.org", city="Turku", rating=1500)
    api, path = by_token(tournament), f"tournaments/{tournament.pk}/entries/{entry.pk}/"
    changed = api.ask("PATCH", path, {"name": "Juhani O.", "rating": None}).json()
    assert (changed["name"], changed["city"], changed["rating"]) == ("Juhani O.", "Turku", None)
    entry.refresh_from_db()
    assert entry.player.email == "juhani@example.org"
    assert code_of(api.ask("PATCH", path, {"email": "nowhere"})) == (400, "email_invalid")
    assert api.get(path).json() == changed
    assert api.ask("DELETE", path).status_code == 204
    assert code_of(api.get(path)) == (404, "not_found")


def test_after_the_start_a_name_can_still_be_put_right_and_nothing_that_was_drawn_from() -> None:
    tournament = running()
    entry = tournament.entries.order_by("pk")[0]
    api, path = by_token(tournament), f"tournaments/{tournament.pk}/entries/{entry.pk}/"
    assert api.ask("PATCH", path, {"name": "Right"}).json()["name"] == "Right"
    assert code_of(api.ask("PATCH", path, {"rating": 1})) == (409, "roster_is_frozen")
    assert code_of(api.ask("DELETE", path)) == (409, "roster_is_frozen")


def test_a_player_leaves_and_is_back() -> None:
    tournament = running()
    entry = tournament.entries.order_by("pk")[0]
    api, path = by_token(tournament), f"tournaments/{tournament.pk}/entries/{entry.pk}/"
    assert api.post(f"{path}withdraw/", {"why": "ill"}).json()["status"] == "withdrawn"
    assert Act.objects.get(verb="withdraw_entry").why == "ill"
    assert code_of(api.post(f"{path}withdraw/")) == (409, "already_withdrawn")
    assert api.post(f"{path}return/").json()["status"] == "active"
    assert code_of(api.post(f"{path}return/")) == (409, "not_withdrawn")


def test_the_roster_is_asked_by_name_presence_and_status() -> None:
    tournament = make_tournament()
    names = ("Анна", "Annika", "Juhani")
    made = [make_entry(tournament=tournament, name=name, here=name != "Juhani") for name in names]
    api, path = by_token(tournament), f"tournaments/{tournament.pk}/entries/"
    assert [each["name"] for each in api.rows(f"{path}?name=анн")] == ["Анна"]
    assert [each["name"] for each in api.rows(f"{path}?here=0")] == ["Juhani"]
    assert [each["id"] for each in api.rows(f"{path}?here=true&name=ANN")] == [made[1].pk]
    assert api.rows(f"{path}?status=withdrawn") == []
    assert len(api.rows(f"{path}?status=active")) == 3


def test_seeds_are_set_by_hand() -> None:
    tournament = make_tournament(seeding="hand")
    first, second, third = (entry.pk for entry in make_field(size=3, tournament=tournament))
    api, path = by_token(tournament), f"tournaments/{tournament.pk}/seeds/"
    assert api.ask("PUT", path, {"order": [third, first]}).json() == {"order": [third, first]}
    seeds = {row["id"]: row["hand_seed"] for row in api.rows(f"tournaments/{tournament.pk}/entries/")}
    assert seeds == {first: 2, second: None, third: 1}
    assert code_of(api.ask("PUT", path, {"order": [first, first]})) == (400, "entry_twice")
    foreign = make_entry(tournament=make_tournament()).pk
    assert code_of(api.ask("PUT", path, {"order": [foreign]})) == (404, "entry_unknown")


def test_check_in_is_opened_and_closed() -> None:
    tournament = make_tournament()
    desk, path = by_link(tournament, role=Role.DESK), f"tournaments/{tournament.pk}/"
    assert desk.post(f"{path}open-check-in/").json()["state"] == "check_in"
    assert desk.post(f"{path}close-check-in/").json()["state"] == "roster"


def test_two_of_a_draft_change_places() -> None:
    tournament = make_tournament(seeding="rating")
    make_field(size=4, tournament=tournament)
    api, path = by_token(tournament), f"tournaments/{tournament.pk}/"
    api.post(f"{path}start/", {"leaving_out": []})
    before = api.rows(f"{path}pairings/")
    one, other = before[0]["b"]["id"], before[1]["b"]["id"]
    body = {"round": 1, "entry": one, "with_entry": other}
    assert api.post(f"{path}swap/", body).json()["results"][0]["is_draft"] is True
    after = api.rows(f"{path}pairings/")
    assert [row["b"]["id"] for row in after] == [other, one]
    assert code_of(api.post(f"{path}swap/", {**body, "round": 9})) == (404, "not_found")
    assert code_of(api.post(f"{path}swap/", {**body, "with_entry": one})) == (400, "same_pairing")
    assert code_of(api.post(f"{path}swap/", {**body, "entry": 987654})) == (400, "not_in_round")
    api.post(f"{path}publish/", {"accept_warnings": True})
    assert code_of(api.post(f"{path}swap/", body)) == (409, "already_published")


def test_the_best_play_on() -> None:
    tournament = running(4, options={"rounds": 1})
    api, path = by_token(tournament), f"tournaments/{tournament.pk}/"
    body = {"name": "Cup", "best": 2, "accept_tie": True}
    assert code_of(api.post(f"{path}play-on/", body)) == (409, "not_finished")
    play_open(tournament)
    count_up(tournament)
    api.post(f"{path}finish/", {"early": True})
    count_up(tournament)
    cup = api.post(f"{path}play-on/", body)
    assert cup.status_code == 201
    assert (cup.json()["name"], cup.json()["format"], cup.json()["players"]) == ("Cup", "single_elimination", 2)


def test_a_referee_takes_their_own_result_back_and_nobody_elses() -> None:
    tournament = running()
    pairing = pairings(tournament)[0]
    path = f"tournaments/{tournament.pk}/matches/{pairing.match_id}/"
    mine, other = by_link(tournament), by_link(tournament)
    mine.ask("PUT", f"{path}result/", {"kind": "score", "sets": [3, 1], "version": 0}, Idempotency_Key="mine-1234")
    assert code_of(other.post(f"{path}undo/", {"version": 1})) == (409, "not_your_result")
    assert code_of(mine.post(f"{path}undo/", {})) == (428, "version_missing")
    assert code_of(mine.post(f"{path}undo/", {}, If_Match='"0"')) == (412, "stale_version")
    undone = mine.post(f"{path}undo/", {}, If_Match='"1"')
    assert (undone.status_code, undone.json()["kind"], undone["ETag"]) == (200, "", '"2"')
    assert code_of(mine.post(f"{path}undo/", {"version": 2})) == (409, "nothing_to_clear")
    elsewhere = by_link(tournament, tables=((pairing.table or 0) + 1,))
    assert code_of(elsewhere.post(f"{path}undo/", {"version": 2})) == (404, "not_found")


def test_pairings_are_asked_by_player_and_by_what_is_open() -> None:
    tournament = running(5)
    first = pairings(tournament)[0]
    path = f"tournaments/{tournament.pk}/pairings/"
    assert [row["a"]["id"] for row in Api().rows(f"{path}?entry={first.b_id}")] == [first.a_id]
    assert len(Api().rows(f"{path}?open=1")) == 2
    assert [row["b"] for row in Api().rows(f"{path}?open=0")] == [None]


def test_the_log_is_told_in_words_and_by_tournament_and_verb() -> None:
    event = make_event()
    one, other = make_tournament(event=event, name="Main"), make_tournament(event=event, name="Side")
    make_entry(tournament=one, name="<b>Juhani</b>")
    api, path = by_token(event), f"events/{event.pk}/log/"
    newest = api.rows(f"{path}?tournament={one.pk}")
    assert [each["verb"] for each in newest] == ["add_entry", "create_tournament"]
    assert newest[0]["text"] == "Put \u2068<b>Juhani</b>\u2069 on the roster."
    assert [each["tournament"] for each in api.rows(f"{path}?verb=create_tournament")] == [other.pk, one.pk]
    page = api.get(f"{path}?page_size=2").json()
    assert (page["count"], len(page["results"])) == (Act.objects.filter(event=event.pk).count(), 2)


def test_a_link_is_shown_and_renewed() -> None:
    tournament = make_tournament()
    api, path = by_token(tournament), f"events/{tournament.event_id}/staff-links/"
    made = api.post(path, {"role": "referee", "name": "Marta"}).json()
    assert api.get(f"{path}{made['id']}/").json() == made
    renewed = api.post(f"{path}{made['id']}/renew/").json()
    assert renewed["token"] != made["token"]
    assert code_of(Api(f"Link {made['token']}").get("me/")) == (401, "link_refused")
    assert Api(f"Link {renewed['token']}").get("me/").json()["name"] == "Marta"
    over = api.post(f"{path}{made['id']}/renew/", {"expires_at": "2020-01-01T00:00:00Z"})
    assert code_of(over) == (400, "link_would_be_over")


def test_a_token_is_made_shown_once_and_revoked() -> None:
    event = make_event(owner=make_account(name="Ann"))
    api, path = by_token(event), f"events/{event.pk}/tokens/"
    made = api.post(path, {"name": "score board"}).json()
    secret = made.pop("token")
    board = Api(f"Bearer {secret}")
    assert board.get("me/").json()["event"] == event.pk
    assert (made["account"], made["hint"]) == ("Ann", secret[8:14])
    assert api.rows(path)[-1] == made
    assert secret.encode() not in api.get(path).content
    assert api.post(f"{path}{made['id']}/revoke/").json()["revoked_at"] is not None
    assert code_of(board.get("me/")) == (401, "token_refused")


def test_files_are_listed_and_taken_away_by_those_who_may_have_them() -> None:
    tournament = make_tournament()
    make_entry(tournament=tournament, name="Juhani", email="juhani@example.org", here=True)
    make_field(size=3, tournament=tournament)
    start(tournament)
    path = f"tournaments/{tournament.pk}/exports/"
    whole = [("tournament", "json"), ("tournament", "trf")]
    public = [(each["sheet"], each["kind"]) for each in Api().get(path).json()["results"]]
    sheets = [(sheet, kind) for sheet in ("standings", "pairings", "schedule") for kind in ("csv", "xlsx")]
    assert public == [*sheets, *whole]
    listed = by_token(tournament).get(path).json()["results"]
    assert [(each["sheet"], each["kind"]) for each in listed][6:] == [("roster", "csv"), ("roster", "xlsx"), *whole]
    assert listed[0]["url"] == f"http://127.0.0.1:8000/api/{path}standings/csv/"
    roster = by_token(tournament).get(f"{path}roster/csv/")
    assert roster["Content-Disposition"] == f'attachment; filename="tournament-{tournament.pk}-roster.csv"'
    assert roster["Cache-Control"] == "private, no-store"
    rows = list(csv.reader(StringIO(roster.content.decode("utf-8-sig")), delimiter=";"))
    assert "juhani@example.org" in rows[1]
    assert Api().get(f"{path}pairings/csv/").status_code == 200
    for other in (by_link(tournament, role=Role.DESK), by_link(tournament)):
        assert code_of(other.get(f"{path}roster/csv/")) == (403, "not_allowed")
        assert len(other.get(path).json()["results"]) == 8
    assert code_of(Api().get(f"{path}roster/csv/")) == (401, "not_authenticated")
    for nothing in ("standings/pdf/", "secrets/csv/"):
        assert code_of(by_token(tournament).get(path + nothing)) == (404, "not_found")


def test_lists_that_were_read_are_listed() -> None:
    tournament = make_tournament()
    api, path = by_token(tournament), f"tournaments/{tournament.pk}/imports/"
    made = [api.post(path, {"rows": [{"name": name}]}).json()["id"] for name in ("A", "B")]
    assert [each["id"] for each in api.rows(path)] == made[::-1]


def test_rounds_come_in_pages() -> None:
    tournament = make_tournament(format="round_robin")
    make_field(size=6, tournament=tournament)
    by = by_token(tournament)
    by.post(f"tournaments/{tournament.pk}/start/", {"leaving_out": []})
    by.post(f"tournaments/{tournament.pk}/publish/")
    page = Api().get(f"tournaments/{tournament.pk}/rounds/?page_size=2").json()
    assert (page["count"], [each["number"] for each in page["results"]]) == (5, [1, 2])
    assert [each["number"] for each in Api().rows(f"tournaments/{tournament.pk}/rounds/?page_size=2")] == [
        1,
        2,
        3,
        4,
        5,
    ]
