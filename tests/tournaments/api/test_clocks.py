"""The clock of a round by the API: run by organisers and referees of all tables, seen by everybody."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

import pytest
from django.utils import timezone

from tests.factories import NOW, make_tournament, organiser
from tests.tournaments.api.asking import Api, by_link, by_token, code_of
from tests.tournaments.play import pairings
from tests.tournaments.views.referee import running
from tournaments.actions import clocks
from tournaments.models import Entry, Pairing, RoundClock, Tournament
from tournaments.permissions import entry_token

pytestmark = pytest.mark.django_db


def timed() -> Tournament:
    return running(4, round_minutes=50)


def run(api: Api, tournament: Tournament, act: str, body: dict[str, Any] | None = None, *, number: int = 1) -> Any:
    return api.post(f"tournaments/{tournament.pk}/rounds/{number}/clock/{act}/", body or {})


def shown(tournament: Tournament) -> Any:
    """The clock of the first round as anybody is told it."""
    return Api().rows(f"tournaments/{tournament.pk}/rounds/")[0]["clock"]


def own(entry: Entry) -> Api:
    return Api(f"Own {entry_token(entry)}")


def test_a_referee_of_all_tables_runs_the_clock_and_everybody_sees_it() -> None:
    tournament = timed()
    referee = by_link(tournament)
    assert shown(tournament) is None
    for _twice in range(2):
        started = run(referee, tournament, "start").json()
    assert shown(tournament) == started
    begun, ends = (datetime.fromisoformat(started[name]) for name in ("started_at", "ends_at"))
    assert (ends - begun, started["version"], started["left_ms"]) == (timedelta(minutes=50), 1, None)
    stands = run(referee, tournament, "pause").json()
    assert (stands["ends_at"], 2_990_000 < stands["left_ms"] <= 3_000_000, stands["version"]) == (None, True, 2)
    assert run(referee, tournament, "resume").json()["paused_at"] is None
    more = run(referee, tournament, "extend", {"minutes": 5, "version": 3})
    assert (more.status_code, more.json()["seconds"], more.json()["version"]) == (200, 3300, 4)
    assert code_of(run(referee, tournament, "extend", {"minutes": 5, "version": 3})) == (409, "clock_changed")
    assert run(referee, tournament, "reset").status_code == 204
    assert shown(tournament) is None


def test_a_referee_of_some_tables_gives_them_time_and_runs_no_clock() -> None:
    tournament = timed()
    first, second = pairings(tournament)
    referee = by_link(tournament, tables=(first.table or 0,))
    assert code_of(run(referee, tournament, "start")) == (403, "not_allowed")
    path = f"tournaments/{tournament.pk}/matches/"
    given = referee.ask("PUT", f"{path}{first.match_id}/extra-time/", {"minutes": 3})
    assert (given.status_code, given.json()["extra_seconds"]) == (200, 180)
    assert referee.ask("PUT", f"{path}{second.match_id}/extra-time/", {"minutes": 3}).status_code == 404
    wrong = referee.ask("PUT", f"{path}{first.match_id}/extra-time/", {"minutes": 61})
    assert wrong.json()["errors"][0]["pointer"] == "/minutes"
    assert list(Pairing.objects.order_by("pk").values_list("extra_seconds", flat=True)) == [180, 0]


def test_a_player_is_told_when_time_is_over_at_their_table() -> None:
    tournament = timed()
    first, second = pairings(tournament)
    assert [each["time_ends_at"] for each in own(first.a).rows("own/matches/")] == [None]
    by = organiser(of=tournament)
    clocks.start_clock(round_id=first.round_id, by=by, now=NOW)
    clocks.give_time(match_id=first.match_id or 0, seconds=180, by=by, now=NOW)
    told = [own(each.a).rows("own/matches/")[0]["time_ends_at"] for each in (first, second)]
    ends = [NOW + timedelta(minutes=53), NOW + timedelta(minutes=50)]
    assert [datetime.fromisoformat(each) for each in told] == ends


def test_a_round_that_is_none_has_no_clock() -> None:
    tournament = timed()
    assert run(by_token(tournament), tournament, "start", number=2).status_code == 404
    assert RoundClock.objects.count() == 0


def test_sets_can_stand_at_the_end_only_where_a_match_may_end_tied() -> None:
    tournament = make_tournament()
    api, path = by_token(tournament), f"tournaments/{tournament.pk}/"
    wrong = api.ask("PATCH", path, {"at_time": "tie", "round_minutes": 50})
    assert (wrong.status_code, wrong.json()["errors"][0]["pointer"]) == (400, "/at_time")
    right = api.ask("PATCH", path, {"at_time": "tie", "round_minutes": 50, "allows_tie": True})
    assert (right.json()["at_time"], right.json()["round_minutes"]) == ("tie", 50)
    assert code_of(api.ask("PATCH", path, {"format": "single_elimination"})) == (400, "invalid")


# --- A match that time ends


def told(api: Api, tournament: Tournament, pairing: Pairing, sets: list[int], key: str = "told-once") -> Any:
    body = {"kind": "time", "sets": sets, "version": 0}
    path = f"tournaments/{tournament.pk}/matches/{pairing.match_id}/result/"
    return api.ask("PUT", path, body, Idempotency_Key=key)


def test_a_match_ends_on_time_once_its_time_is_over() -> None:
    tournament = timed()
    one, other = pairings(tournament)
    referee = by_link(tournament)
    assert code_of(told(referee, tournament, one, [2, 1])) == (409, "time_not_over")
    begun = timezone.now() - timedelta(minutes=51)
    clocks.start_clock(round_id=one.round_id, by=organiser(of=tournament), now=begun)
    assert code_of(told(referee, tournament, one, [1, 1])) == (400, "level_at_time")
    assert code_of(told(referee, tournament, one, [3, 1])) == (400, "not_cut_short")
    taken = told(referee, tournament, one, [2, 1])
    found = taken.json()
    assert (taken.status_code, found["kind"], found["sets"], found["winner"]) == (200, "time", [2, 1], "a")
    assert told(referee, tournament, one, [2, 1]).content == taken.content
    listed = {"results": [{"match": other.match_id, "kind": "time", "sets": [0, 1], "version": 0}]}
    many = by_token(tournament).ask(
        "POST", f"tournaments/{tournament.pk}/results/", listed, Idempotency_Key="a-whole-list"
    )
    assert (many.status_code, many.json()) == (200, {"count": 1})
    rows = Api().rows(f"tournaments/{tournament.pk}/pairings/")
    assert [(row["match"]["kind"], row["match"]["sets"]) for row in rows] == [("time", [2, 1]), ("time", [0, 1])]


def test_where_rounds_have_no_time_no_match_ends_by_it() -> None:
    tournament = running(2)
    (pairing,) = pairings(tournament)
    assert code_of(told(by_link(tournament), tournament, pairing, [2, 1])) == (409, "no_round_time")


def test_a_player_reports_an_end_on_time() -> None:
    tournament = running(2, round_minutes=50, players_report=True)
    (pairing,) = pairings(tournament)
    clocks.start_clock(
        round_id=pairing.round_id, by=organiser(of=tournament), now=timezone.now() - timedelta(minutes=51)
    )
    body = {"kind": "time", "sets": [2, 1], "version": 0}
    answer = own(pairing.a).ask("POST", f"own/matches/{pairing.match_id}/reports/", body, Idempotency_Key="my-own-word")
    assert (answer.status_code, answer.json()["kind"], answer.json()["waits"]) == (200, "time", True)
