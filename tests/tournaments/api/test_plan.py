"""The plan by the API: read as a whole and match by match, and what is said of single matches."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest
from django.utils import timezone

from tests.tournaments.api.asking import by_link, by_token, code_of
from tests.tournaments.views.test_desk_plan import busy_elsewhere, day, plan, slot_of
from tournaments.models import Tournament

pytestmark = pytest.mark.django_db


def address(of: Tournament, rest: str = "") -> str:
    return f"events/{of.event_id}/plan/{rest}"


def test_the_plan_is_read_as_a_whole_and_match_by_match() -> None:
    tournament = day()
    api = by_token(tournament)
    whole = api.get(address(tournament)).json()
    assert (whole["is_behind"], whole["bound_kind"], whole["without"]) == (False, "path", 0)
    assert whole["free_tables"] == [1, 2]
    assert whole["tournaments"] == [{"tournament": tournament.pk, "ends_at": whole["ends_at"], "open": 3}]
    rows = api.rows(address(tournament, "slots/"))
    assert [(row["round_name"], row["number"], row["state"], row["has_time"]) for row in rows] == [
        ("Semi-finals", 1, "waiting", False),
        ("Semi-finals", 2, "waiting", False),
        ("Final", 1, "waiting", False),
    ]
    assert rows[0]["a"]["entry"]["name"] == "Player 01"
    assert rows[2]["a"] == {"entry": None, "origin": {"round": 1, "number": 1, "outcome": "winner"}}
    assert [row["match"] is None for row in rows] == [False, False, True]
    for link in (by_link(tournament), by_link(tournament, tables=(1,))):
        assert code_of(link.get(address(tournament))) == (403, "not_allowed")


def test_a_match_is_held_released_and_fixed() -> None:
    tournament = day(numbers=(1, 2, 3))
    api, final = by_token(tournament), slot_of(tournament, 2, 1)
    where = address(tournament, f"slots/{final.pk}/")
    held = api.post(f"{where}hold/", {"why": "Cameras"}).json()
    assert (held["id"], held["held_since"] is not None) == (final.pk, True)
    assert api.post(f"{where}release/").json()["held_since"] is None
    early = (timezone.now() + timedelta(minutes=5)).replace(second=0, microsecond=0)
    said = {"starts_at": early.isoformat(), "table": 3}
    refused = api.post(f"{where}fix/", said)
    assert code_of(refused) == (409, "slot_clashes")
    clashes = refused.json()["params"]["clashes"]
    first, second = (slot_of(tournament, 1, number) for number in (1, 2))
    assert [(each["code"], each["other"]["slot"]) for each in clashes] == [
        ("before_feed", first.pk),
        ("before_feed", second.pk),
    ]
    assert "Player 01" in refused.json()["detail"]
    assert "Player 02" in refused.json()["detail"]
    fixed = api.post(f"{where}fix/", {**said, "accept_clashes": True}).json()
    assert (fixed["fixed_table"], datetime.fromisoformat(fixed["fixed_at"])) == (3, early)
    plan(tournament.event, after=10)
    last = api.rows(address(tournament, "slots/"))[2]
    assert (last["note"], [each["code"] for each in last["clashes"]]) == ("late", ["before_feed", "before_feed"])
    assert api.post(f"{where}fix/", {"starts_at": None, "table": None}).json()["fixed_at"] is None
    other = day()
    assert api.post(address(tournament, f"slots/{slot_of(other, 1, 1).pk}/hold/")).status_code == 404


def test_st_01_a_second_table_for_somebody_who_sits_elsewhere_has_to_be_accepted() -> None:
    side, match = busy_elsewhere()
    api, where = by_token(side), f"tournaments/{side.pk}/matches/{match.match_id}/table/"
    refused = api.post(where, {"table": 2})
    assert (code_of(refused), refused.json()["params"]["table"]) == ((409, "player_busy"), 1)
    assert api.post(where, {"table": 2, "accept_busy": True}).json()["table"] == 2
