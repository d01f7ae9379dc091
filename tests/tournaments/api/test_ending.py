"""Ending, reopening, publishing, removing: the organiser's alone, by no detour, and a refusal tells nothing hidden."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from players.models import Act
from players.permissions import Role
from tests.factories import make_account
from tests.tournaments.api.asking import Api, by_link, by_session, by_stranger, by_token
from tests.tournaments.play import play_open
from tests.tournaments.views.desk import running, signed_in
from tournaments.models import Round, Tournament
from tournaments.permissions import entry_token

pytestmark = pytest.mark.django_db

ACTS = ("publish", "finish", "reopen", "take-back", "start", "draft")
BUTTONS = ("publish", "finish", "reopen", "take_back", "start", "draft", "tournament_remove")


def written(tournament: Tournament) -> tuple[Any, ...]:
    """Whatever an act could have changed."""
    state = list(Tournament.objects.filter(pk=tournament.pk).values_list("state", "finished_at"))
    return state, list(Round.objects.order_by("pk").values_list("pk", "published_at")), Act.objects.count()


def own_link(tournament: Tournament) -> Api:
    return Api(f"Own {entry_token(tournament.entries.order_by('pk')[0])}")


def test_sp_04_who_may_not_is_told_so_and_nothing_changes() -> None:
    tournament = running(4)
    play_open(tournament)
    callers = {
        "nobody": (Api(), 401),
        "player": (own_link(tournament), 403),
        "referee": (by_link(tournament), 403),
        "entry desk": (by_link(tournament, role=Role.DESK), 403),
        "organiser of another event": (by_stranger(), 404),
    }
    before = written(tournament)
    for who, (api, status) in callers.items():
        for act in ACTS:
            answer = api.post(f"tournaments/{tournament.pk}/{act}/")
            assert (who, act, answer.status_code) == (who, act, status)
        assert (who, api.ask("DELETE", f"tournaments/{tournament.pk}/").status_code in (status, 405)) == (who, True)
    assert written(tournament) == before


def test_sp_04_a_refusal_is_the_same_whether_a_tournament_is_there_or_not() -> None:
    tournament = running(4)
    stranger = by_stranger()
    for act in ACTS:
        hidden, missing = (stranger.post(f"tournaments/{pk}/{act}/") for pk in (tournament.pk, 987654))
        assert (hidden.status_code, hidden.json()) == (missing.status_code, missing.json())


def test_sp_04_a_detour_is_no_way_in() -> None:
    tournament = running(4)
    organiser = by_token(tournament)
    before = written(tournament)
    for act in ACTS:
        path = f"tournaments/{tournament.pk}/{act}/"
        for method in ("GET", "HEAD", "PUT", "PATCH", "DELETE"):
            assert organiser.ask(method, path).status_code == 405
        assert organiser.get(f"{path}?_method=POST", X_HTTP_Method_Override="POST").status_code == 405
        assert by_session(tournament).post(path).status_code == 403
    owner = Client(enforce_csrf_checks=True)
    owner.force_login(tournament.event.owner, backend="django.contrib.auth.backends.ModelBackend")
    for button in BUTTONS:
        address = reverse(button, args=[tournament.pk])
        assert (owner.get(address).status_code, owner.post(address).status_code) == (405, 403)
        assert signed_in(make_account()).post(address).status_code == 404
    assert written(tournament)[:2] == before[:2]
