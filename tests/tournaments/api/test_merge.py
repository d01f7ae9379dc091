"""Two entries of one person: an organiser says so, of players of their own and of nobody else's."""

from __future__ import annotations

import pytest

from players.models import Player
from tests.factories import make_account, make_entry, make_event, make_tournament
from tests.tournaments.api.asking import by_token, code_of
from tournaments.models import Entry

pytestmark = pytest.mark.django_db


def path_of(entry: Entry) -> str:
    return f"tournaments/{entry.tournament_id}/entries/{entry.pk}/merge/"


def test_na_01_two_entries_become_one_players_and_keep_their_names() -> None:
    event = make_event()
    keep = make_entry(tournament=make_tournament(event=event, name="Main"), name="Sergei K.")
    drop = make_entry(tournament=make_tournament(event=event, name="Side"), name="Sergey")
    answer = by_token(event).post(path_of(keep), {"other": drop.pk})
    assert (answer.status_code, answer.json()["name"]) == (200, "Sergei K.")
    assert list(Entry.objects.order_by("pk").values_list("player", "name")) == [
        (keep.player_id, "Sergei K."),
        (keep.player_id, "Sergey"),
    ]
    assert list(Player.objects.values_list("pk", flat=True)) == [keep.player_id]


def test_na_01_two_of_one_name_in_one_tournament_stay_two() -> None:
    tournament = make_tournament()
    one, other = (make_entry(tournament=tournament, name="Иван Петров", email=f"{n}@example.org") for n in (1, 2))
    answer = by_token(tournament).post(path_of(one), {"other": other.pk})
    assert code_of(answer) == (409, "both_in_one_tournament")
    assert Player.objects.count() == 2


def test_sp_01_somebody_elses_player_is_not_there() -> None:
    mine, theirs = make_entry(tournament=make_tournament()), make_entry(tournament=make_tournament())
    answer = by_token(mine.tournament).post(path_of(mine), {"other": theirs.pk})
    assert code_of(answer) == (404, "not_found")
    assert Player.objects.count() == 2


def test_sp_01_a_token_of_one_event_joins_nobody_of_another() -> None:
    owner = make_account()
    here, there = (make_entry(tournament=make_tournament(event=make_event(owner=owner))) for _ in range(2))
    bound, free = (by_token(here.tournament, bound=is_bound) for is_bound in (True, False))
    assert code_of(bound.post(path_of(here), {"other": there.pk})) == (404, "not_found")
    assert free.post(path_of(here), {"other": there.pk}).status_code == 200
    assert Player.objects.count() == 1
