"""The table of roles and acts, and the private links."""

from __future__ import annotations

import ast
from datetime import timedelta
from pathlib import Path

import pytest

from players.permissions import PUBLIC, Actor, Role
from tests.factories import NOW, make_account, make_event, make_tournament, organiser
from tournaments.actions import staff
from tournaments.permissions import ACTS, actor_of_link, link_token, may, organiser_of, read_link

EVENT, OTHER = 1, 2


ROOT = Path(__file__).resolve().parents[2]
ASKING = {
    *("for_event", "for_tournament"),  # decorators of pages
    *("event_for", "tournament_for", "own_entry", "_told", "at_the_table"),  # what operations of the API begin with
    *("may", "pairing_at"),
}


def acts_asked_for(*folders: str) -> set[str]:
    """Every act some page or operation asks permission for: the texts given to whatever asks."""
    found: set[str] = set()
    for folder in folders:
        for path in (ROOT / "tournaments" / folder).rglob("*.py"):
            for node in ast.walk(ast.parse(path.read_text())):
                if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ASKING:
                    given = [*node.args, *(keyword.value for keyword in node.keywords)]
                    found |= {str(each.value) for each in given if isinstance(each, ast.Constant)}
    return found


def test_every_act_of_the_table_is_asked_for_and_no_other() -> None:
    assert acts_asked_for("views", "api") == set(ACTS)


def test_every_act_can_be_done_by_the_api() -> None:
    assert set(ACTS) - acts_asked_for("api") == set()


OWN = {act for act, roles in ACTS.items() if roles == {Role.PLAYER}}
"""What nobody does but a player, about themselves."""


def test_every_act_but_a_players_own_is_open_to_the_organiser_and_none_but_looking_to_the_public() -> None:
    assert {act for act, roles in ACTS.items() if Role.ORGANISER not in roles} == OWN
    assert {act for act, roles in ACTS.items() if Role.PUBLIC in roles} == {"see_public"}


@pytest.mark.parametrize("act", sorted(set(ACTS) - OWN - {"see_public"}))
def test_sp_01_an_organiser_of_one_event_may_do_nothing_in_another(act: str) -> None:
    actor = Actor(role=Role.ORGANISER, event=EVENT)
    assert may(actor, act, event=EVENT) is True
    assert may(actor, act, event=OTHER) is False


def test_sp_01_a_referee_is_bound_to_the_tournament_and_the_tables_of_the_link() -> None:
    actor = Actor(role=Role.REFEREE, event=EVENT, tournament=7, tables=frozenset({4, 5}))
    assert may(actor, "enter_result", event=EVENT, tournament=7, table=4) is True
    assert may(actor, "enter_result", event=EVENT, tournament=7, table=6) is False
    assert may(actor, "enter_result", event=EVENT, tournament=7, table=None) is False
    assert may(actor, "enter_result", event=EVENT, tournament=8, table=4) is False
    assert may(actor, "correct_result", event=EVENT, tournament=7, table=4) is False
    assert may(actor, "check_in", event=EVENT, tournament=7) is False


def test_a_referee_confirms_reports_at_the_tables_of_the_link_and_none_of_a_players_own() -> None:
    actor = Actor(role=Role.REFEREE, event=EVENT, tournament=7, tables=frozenset({4}))
    assert may(actor, "confirm_report", event=EVENT, tournament=7, table=4) is True
    assert may(actor, "confirm_report", event=EVENT, tournament=7, table=5) is False
    assert may(actor, "report_own_result", event=EVENT, tournament=7, table=4) is False


def test_the_clock_of_a_round_is_for_who_has_all_its_tables_and_extra_time_for_who_has_the_table() -> None:
    whole = Actor(role=Role.REFEREE, event=EVENT, tournament=7)
    bound = Actor(role=Role.REFEREE, event=EVENT, tournament=7, tables=frozenset({4}))
    assert [may(each, "run_clock", event=EVENT, tournament=7) for each in (whole, bound)] == [True, False]
    assert may(whole, "run_clock", event=EVENT, tournament=8) is False
    assert [may(bound, "give_time", event=EVENT, tournament=7, table=table) for table in (4, 5)] == [True, False]
    assert (
        may(Actor(role=Role.PLAYER, event=EVENT, tournament=7, entry=1), "give_time", event=EVENT, tournament=7)
        is False
    )


def test_a_player_reports_in_their_own_tournament_alone() -> None:
    actor = Actor(role=Role.PLAYER, event=EVENT, tournament=7, entry=1)
    assert may(actor, "report_own_result", event=EVENT, tournament=7) is True
    assert may(actor, "report_own_result", event=EVENT, tournament=8) is False
    assert may(actor, "enter_result", event=EVENT, tournament=7, table=1) is False


def test_the_entry_desk_checks_in_and_enters_no_results() -> None:
    actor = Actor(role=Role.DESK, event=EVENT)
    assert may(actor, "check_in", event=EVENT, tournament=7) is True
    assert may(actor, "enter_result", event=EVENT, tournament=7, table=1) is False


@pytest.mark.django_db
def test_a_link_is_shown_again_and_closed_by_its_version() -> None:
    tournament = make_tournament()
    by = organiser(of=tournament)
    link = staff.create_link(
        event_id=tournament.event_id,
        tournament_id=tournament.pk,
        role=Role.REFEREE,
        name="Marta",
        tables=[5, 4],
        expires_at=NOW + timedelta(hours=8),
        by=by,
        now=NOW,
    )
    token = link_token(link)
    assert token == link_token(link)
    assert read_link(token, now=NOW) == link
    assert actor_of_link(link) == Actor(
        role=Role.REFEREE,
        name="Marta",
        link=link.pk,
        event=tournament.event_id,
        tournament=tournament.pk,
        tables=frozenset({4, 5}),
    )
    assert read_link(token, now=NOW + timedelta(hours=8)) is None
    staff.revoke_link(link_id=link.pk, by=by, now=NOW)
    assert read_link(token, now=NOW) is None
    renewed = staff.renew_link(link_id=link.pk, expires_at=NOW + timedelta(hours=9), by=by, now=NOW)
    assert read_link(token, now=NOW) is None
    assert read_link(link_token(renewed), now=NOW) == renewed


@pytest.mark.django_db
@pytest.mark.parametrize("token", ["", "1", "1-", "-abc", "x-y", "1-ж", "99999999999999999999-ab", "١-ab", "1\x00-ab"])
def test_sp_02_a_forged_link_opens_nothing(token: str) -> None:
    assert read_link(token, now=NOW) is None


@pytest.mark.django_db
def test_an_account_is_an_organiser_only_where_it_is_a_member() -> None:
    event = make_event()
    assert organiser_of(account=event.owner, event=event).role == Role.ORGANISER
    assert organiser_of(account=make_account(), event=event) == PUBLIC
    event.owner.is_active = False
    assert organiser_of(account=event.owner, event=event) == PUBLIC
