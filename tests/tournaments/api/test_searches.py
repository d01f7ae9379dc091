"""The search for a better plan by the API, as the desk has it."""

from __future__ import annotations

from typing import Any

import pytest

from tests.factories import NOW
from tests.tournaments.api.asking import by_token, code_of
from tests.tournaments.solving import begun, crowded, finished, solver
from tournaments.models import Event, PlanSearch, Slot

pytestmark = pytest.mark.django_db


def ask(event: Event, act: str = "", body: Any = None, *, is_there: bool = True, method: str = "POST") -> Any:
    with solver(is_there=is_there):
        return by_token(event).ask(method, f"events/{event.pk}/plan/search/{act}", body)


def test_a_script_asks_follows_and_stops() -> None:
    event = crowded()
    none = ask(event, method="GET", is_there=False).json()
    assert none == {"has_solver": False, "is_followed": False, "seconds_left": 0, "search": None}
    answer = ask(event, body={"seconds": 15})
    assert (answer.status_code, answer.json()["seconds_left"], answer.json()["search"]["outcome"]) == (202, 15, "")
    assert ask(event, body={"seconds": 30}).json() == answer.json()
    stopped = ask(event, "stop/").json()
    assert (stopped["search"]["outcome"], stopped["seconds_left"]) == ("stopped", 0)
    assert code_of(ask(event, "stop/")) == (409, "no_search")
    assert PlanSearch.objects.count() == 1


def test_refusals_have_their_codes() -> None:
    event = crowded()
    assert code_of(ask(event, body={"seconds": 3})) == (400, "invalid")
    refused = ask(event, body={"seconds": 20}, is_there=False)
    assert (code_of(refused), refused.json()["params"]) == ((409, "no_solver"), {"act": "./bin/setup --improve"})


def test_what_was_found_is_read_and_dropped() -> None:
    event = crowded()
    finished(event, 30, 30, 40)
    read = ask(event, method="GET").json()
    assert read["is_followed"]
    assert {name: read["search"][name] for name in ("before_at", "found_at", "bound_at", "outcome", "is_best")} == {
        "before_at": "2027-05-22T12:40:00Z",
        "found_at": "2027-05-22T12:20:00Z",
        "bound_at": "2027-05-22T11:40:00Z",
        "outcome": "better",
        "is_best": False,
    }
    assert [ask(event, "drop/").json()["is_followed"] for _ in range(2)] == [False, False]
    assert Slot.objects.filter(wanted_at__isnull=False).count() == 0


def test_one_event_knows_nothing_of_the_search_of_another() -> None:
    one, other = crowded(), crowded()
    begun(one)
    assert ask(other, method="GET").json()["search"] is None
    assert by_token(other).get(f"events/{one.pk}/plan/search/").status_code == 404
    assert PlanSearch.objects.get().asked_at == NOW
