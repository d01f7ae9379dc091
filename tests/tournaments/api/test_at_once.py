"""At the same moment: of several who ask at once one is first, and the others are told; nothing is there twice.

Only PostgreSQL lets two writers in at all, so that is where it is proved.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any

import pytest
from django.db import connections

from matches.models import Match, Submission
from players.models import Act, Player
from tests.factories import make_entry, make_tournament
from tests.tournaments.api.asking import Api, by_link, by_token, code_of
from tests.tournaments.api.test_results import match_of, running, score, told
from tests.tournaments.at_once import one_behind_the_other
from tests.tournaments.play import count_up, meetings, pairings, play_open
from tournaments.models import Entry, Pairing, StageChange
from tournaments.permissions import entry_token

pytestmark = [pytest.mark.db, pytest.mark.django_db(transaction=True)]


def at_once(*asks: Callable[[], Any]) -> list[Any]:
    """What several get who ask in the same moment, each on a connection of its own."""

    def one(ask: Callable[[], Any]) -> Any:
        try:
            return ask()
        finally:
            connections.close_all()

    with ThreadPoolExecutor(len(asks)) as pool:
        return list(pool.map(one, asks))


def test_of_two_referees_at_once_one_is_taken_and_the_other_told_fifty_times() -> None:
    tournament = running(100)
    one, other = by_link(tournament), by_link(tournament)
    matches = [pairing.match_id for pairing in pairings(tournament, 1)]
    acts, changes = Act.objects.count(), StageChange.objects.count()
    for pk in matches:
        path = f"tournaments/{tournament.pk}/matches/{pk}/"
        first, second = at_once(
            partial(told, one, path, score(3, 1), key=f"first-told-{pk}"),
            partial(told, other, path, score(2, 3), key=f"second-told-{pk}"),
        )
        assert sorted([first.status_code, second.status_code]) == [200, 409]
        taken, refused = sorted([first, second], key=lambda answer: answer.status_code)
        assert code_of(refused) == (409, "stale_version")
        assert refused.json()["params"]["sets"] == taken.json()["sets"]
    assert len(matches) == 50
    assert Submission.objects.count() == 50
    assert Match.objects.filter(version=1).count() == 50
    assert (Act.objects.count() - acts, StageChange.objects.count() - changes) == (50, 50)


def test_retries_at_once_get_the_first_answer() -> None:
    tournament = running()
    _, path = match_of(tournament)
    referees = [by_link(tournament) for _ in range(5)]
    answers = at_once(*(partial(told, referee, path, score(3, 1)) for referee in referees))
    assert len({(answer.status_code, answer.content) for answer in answers}) == 1
    assert answers[0].status_code == 200
    assert Submission.objects.count() == 1


def test_two_semi_finals_at_once_send_both_winners_to_the_final_and_both_losers_to_the_other_match() -> None:
    for _ in range(10):
        tournament = running(4, format="single_elimination", options={"third_place": True})
        referees = by_link(tournament), by_link(tournament)
        (first, one), (second, other) = match_of(tournament, 0), match_of(tournament, 1)
        answers = at_once(
            partial(told, referees[0], one, score(3, 1), key=f"semi-final-{first}"),
            partial(told, referees[1], other, score(1, 3), key=f"semi-final-{second}"),
        )
        assert [answer.status_code for answer in answers] == [200, 200]
        at_once(partial(count_up, tournament), partial(count_up, tournament))
        assert meetings(tournament, 2) == [("Player 04", "Player 02")]
        assert meetings(tournament, 3) == [("Player 01", "Player 03")]


def test_two_organisers_who_pair_the_next_round_at_once_get_the_same_one() -> None:
    tournament = running(8)
    play_open(tournament)
    desks = [by_token(tournament) for _ in range(4)]
    path = f"tournaments/{tournament.pk}/draft/"
    answers = at_once(*(partial(desk.post, path) for desk in desks))
    assert [answer.status_code for answer in answers] == [200] * 4
    assert len({answer.content for answer in answers}) == 1
    assert Pairing.objects.filter(round__number=2).count() == 4
    assert {side for pairing in pairings(tournament, 2) for side in (pairing.a_id, pairing.b_id)} == set(
        tournament.entries.values_list("pk", flat=True)
    )


def test_one_address_entered_at_two_desks_at_once_is_one_player() -> None:
    tournament = make_tournament()
    desks = [by_token(tournament) for _ in range(5)]
    body = {"name": "Juhani", "email": "juhani@example.org"}
    path = f"tournaments/{tournament.pk}/entries/"
    answers = at_once(*(partial(desk.post, path, body) for desk in desks))
    assert sorted(answer.status_code for answer in answers) == [201, 409, 409, 409, 409]
    assert {code_of(answer)[1] for answer in answers if answer.status_code == 409} == {"already_entered"}
    assert (Entry.objects.count(), Player.objects.count()) == (1, 1)


def test_a_list_confirmed_by_several_at_once_is_brought_in_once() -> None:
    tournament = make_tournament()
    desks = [by_token(tournament) for _ in range(4)]
    path = f"tournaments/{tournament.pk}/imports/"
    rows = [{"name": f"Player {number}"} for number in range(20)]
    kept = desks[0].post(path, {"rows": rows}).json()["id"]
    answers = at_once(*(partial(desk.post, f"{path}{kept}/confirm/") for desk in desks))
    assert [(answer.status_code, answer.json()["added"]) for answer in answers] == [(200, 20)] * 4
    assert (Entry.objects.count(), Player.objects.count()) == (20, 20)
    assert Act.objects.filter(verb="import_roster", target=f"import/{kept}").count() == 1


def test_a_tournament_started_by_several_at_once_starts_once() -> None:
    tournament = make_tournament()
    desks = [by_token(tournament) for _ in range(4)]
    course = f"tournaments/{tournament.pk}/"
    desks[0].post(f"{course}imports/", {"rows": [{"name": f"Player {n}"} for n in range(8)], "apply": True})
    desks[0].post(f"{course}check-in-all/")
    answers = at_once(*(partial(desk.post, f"{course}start/") for desk in desks))
    assert [answer.status_code for answer in answers] == [200] * 4
    assert Pairing.objects.count() == 4
    answers = at_once(*(partial(desk.post, f"{course}publish/") for desk in desks))
    assert sorted(answer.status_code for answer in answers) == [200, 409, 409, 409]
    assert {code_of(answer)[1] for answer in answers if answer.status_code == 409} == {"nothing_to_publish"}
    assert Match.objects.count() == 4


def test_of_two_changes_at_once_of_different_fields_neither_is_lost() -> None:
    tournament = make_tournament()
    entry = make_entry(tournament=tournament, name="Juhani")
    desk, player = by_token(tournament), Api(f"Own {entry_token(entry)}")
    roster = f"tournaments/{tournament.pk}/entries/{entry.pk}/"
    changes: list[tuple[Api, str, dict[str, Any], dict[str, Any]]] = [
        (desk, f"events/{tournament.event_id}/", {"name": "StarCon 2028"}, {"place": "Tallinn"}),
        (desk, f"tournaments/{tournament.pk}/", {"name": "Renamed"}, {"capacity": 8}),
        (desk, roster, {"city": "Turku"}, {"club": "Paatelainen"}),
        (player, "own/", {"city": "Riga"}, {"is_shown": False}),
    ]
    for api, path, one, other in changes:
        first, second = one_behind_the_other(
            partial(api.ask, "PATCH", path, one), partial(api.ask, "PATCH", path, other)
        )
        assert (first.status_code, second.status_code) == (200, 200)
        now = api.get(path).json()
        assert {name: now[name] for name in one | other} == one | other
