"""Every action writes one line into the log: who did what to what, and when."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from functools import partial
from importlib import import_module
from pkgutil import walk_packages
from types import ModuleType
from typing import Any

import pytest

import tournaments.actions
from matches import actions as matches
from matches.actions import SCORE, Report
from matches.models import Match
from players import actions as players
from players.models import Act
from players.permissions import Actor, Refused, Role
from tests.factories import NOW, make_account, make_entry, make_field, make_tournament, organiser
from tests.tournaments.play import draft, pairings, play_open, publish, stage_of, start
from tournaments.actions import cuts, events, results, roster, rounds, staff
from tournaments.actions.events import EventFacts, TournamentFacts
from tournaments.models import RosterImport, Tournament

pytestmark = pytest.mark.django_db

MODULES = [
    players,
    matches,
    *(import_module(found.name) for found in walk_packages(tournaments.actions.__path__, "tournaments.actions.")),
]
PARTS = {
    "players": {"record_act", "close_demo_accounts"},
    "matches": {"create_matches", "void_matches"},
    "rounds": {"seeding_order", "drafted"},
    "staff": {"token_digest"},
    "standings": {"note_change", "stale_stages", "refresh", "note_row", "store_pairings", "open_tables"},
    "entries": {"drop_if_unused"},
    "facts": {"check_facts"},
    "holding": {
        *("hold", "hold_entry", "announce_roster", "log_roster", "mail_key", "name_key", "known_players", "set_marks"),
    },
    "imports": {"waiting_imports"},
}
"""What is no act of anybody: what actions are made of, what only reads, and the counting that follows by itself."""


@dataclass(frozen=True, slots=True)
class World:
    """A tournament and what an act needs to know of it. `do` calls an action as its organiser."""

    tournament: Tournament

    def do(self, action: Callable[..., Any], **said: Any) -> Any:
        return action(by=organiser(of=self.tournament), now=NOW, **said)

    @property
    def first(self) -> Match:
        match = pairings(self.tournament, 1)[0].match
        assert match is not None
        return Match.objects.get(pk=match.pk)


def empty() -> World:
    return World(make_tournament(seeding="rating"))


def ready() -> World:
    world = empty()
    make_field(size=4, tournament=world.tournament)
    return world


def started() -> World:
    world = ready()
    world.do(rounds.start_tournament, tournament_id=world.tournament.pk)
    return world


def running() -> World:
    world = ready()
    start(world.tournament)
    return world


def played() -> World:
    world = running()
    play_open(world.tournament)
    return world


def finished() -> World:
    world = played()
    draft(world.tournament)
    publish(world.tournament)
    play_open(world.tournament)
    world.do(rounds.finish_tournament, tournament_id=world.tournament.pk)
    return world


EVENT = EventFacts(name="MoonCon", place="", zone="UTC", starts_on=NOW.date(), ends_on=NOW.date())


def submit(world: World, action: Callable[..., Any], key: str) -> Any:
    match = world.first
    told = Report(SCORE, (3, 1) if key == "first" else (1, 3))
    return world.do(action, match_id=match.pk, report=told, key=key, expected_version=match.version)


def clear(world: World, action: Callable[..., Any]) -> Any:
    return world.do(action, match_id=world.first.pk, expected_version=world.first.version)


def of_tournament(action: Callable[..., Any]) -> Callable[[World], Any]:
    return lambda world: world.do(action, tournament_id=world.tournament.pk)


def of_stage(action: Callable[..., Any]) -> Callable[[World], Any]:
    return lambda world: world.do(action, stage_id=stage_of(world.tournament).pk)


def of_entry(action: Callable[..., Any], place: int = 0) -> Callable[[World], Any]:
    return lambda world: world.do(action, entry_id=world.tournament.entries.order_by("pk")[place].pk)


def rows(size: int) -> list[dict[str, Any]]:
    known = {"email": "", "city": "", "club": "", "rating": None}
    return [{"line": number + 1, "name": f"Imported {number}", **known} for number in range(1, size + 1)]


def prepare(world: World, size: int = 1) -> RosterImport:
    kept = world.do(
        roster.prepare_import,
        tournament_id=world.tournament.pk,
        filename="list.csv",
        rows=rows(size),
        problems=[],
        source={},
    )
    assert isinstance(kept, RosterImport)
    return kept


def with_list(size: int, *, confirmed: bool = False) -> World:
    world = empty()
    kept = prepare(world, size)
    if confirmed:
        world.do(roster.confirm_import, import_id=kept.pk)
    return world


def import_of(world: World) -> int:
    return RosterImport.objects.get(tournament=world.tournament).pk


def with_link() -> World:
    world = empty()
    make_link(world)
    return world


def make_link(world: World) -> Any:
    return world.do(
        staff.create_link,
        event_id=world.tournament.event_id,
        tournament_id=world.tournament.pk,
        role=Role.REFEREE,
        name="Marta",
        expires_at=NOW + timedelta(hours=8),
    )


def with_token() -> World:
    world = empty()
    make_token(world)
    return world


def make_token(world: World) -> Any:
    event = world.tournament.event
    return world.do(staff.create_token, account=event.owner, event_id=event.pk, name="script")


def without_one() -> World:
    world = running()
    of_entry(rounds.withdraw_entry)(world)
    return world


def demo() -> World:
    owner = make_account()
    by = Actor(role=Role.ORGANISER, name=str(owner), account=owner.pk)
    event = events.create_event(facts=EVENT, owner=owner, by=by, now=NOW, is_demo=True)
    return World(make_tournament(event=event))


def two_players() -> World:
    world = empty()
    make_entry(tournament=world.tournament, name="Anna")
    make_entry(tournament=make_tournament(event=world.tournament.event), name="Ana")
    return world


def merge(world: World) -> Any:
    keep, drop = world.tournament.event.owner.players.order_by("pk")
    return world.do(roster.merge_players, keep=keep.pk, drop=drop.pk)


def swap(world: World) -> Any:
    one, two = pairings(world.tournament)
    return world.do(rounds.swap_in_draft, round_id=one.round_id, entry=one.a_id, with_entry=two.a_id)


def link_of(world: World) -> int:
    return world.tournament.staff_links.get().pk


Case = tuple[Callable[[], World], Callable[[World], Any], list[str]]

CASES: dict[str, Case] = {
    "players.create_account": (
        empty,
        lambda w: w.do(players.create_account, email="new@example.org", password=None),
        ["create_account"],
    ),
    "players.open_house": (
        empty,
        lambda _: players.open_house(email="first@example.org", password="twenty-is-it", name="First", now=NOW),
        ["open_house"],
    ),
    "matches.submit_result": (running, lambda w: submit(w, matches.submit_result, "first"), ["enter_result"]),
    "matches.clear_result": (played, lambda w: clear(w, matches.clear_result), ["clear_result"]),
    "events.create_event": (
        empty,
        lambda w: w.do(events.create_event, facts=EVENT, owner=w.tournament.event.owner),
        ["create_event"],
    ),
    "events.edit_event": (
        empty,
        lambda w: w.do(events.edit_event, event_id=w.tournament.event_id, facts=EVENT),
        ["edit_event"],
    ),
    "events.create_tournament": (
        empty,
        lambda w: w.do(events.create_tournament, event_id=w.tournament.event_id, facts=TournamentFacts(name="Second")),
        ["create_tournament"],
    ),
    "events.edit_tournament": (
        empty,
        lambda w: w.do(events.edit_tournament, tournament_id=w.tournament.pk, facts=TournamentFacts(name="Renamed")),
        ["edit_tournament"],
    ),
    "events.remove_tournament": (empty, of_tournament(events.remove_tournament), ["remove_tournament"]),
    "events.remove_demo": (
        demo,
        lambda w: w.do(events.remove_demo, event_id=w.tournament.event_id),
        ["remove_demo"],
    ),
    # Two acts in one: a tournament is made, and its roster comes from another.
    "cuts.play_on": (
        finished,
        lambda w: w.do(cuts.play_on, tournament_id=w.tournament.pk, best=2, name="Cup", accept_tie=True),
        ["create_tournament", "play_on"],
    ),
    "results.correct_result": (played, lambda w: submit(w, results.correct_result, "other"), ["correct_result"]),
    "results.clear_result": (played, lambda w: clear(w, results.clear_result), ["clear_result"]),
    "rounds.start_tournament": (ready, of_tournament(rounds.start_tournament), ["start_tournament"]),
    "rounds.draft_rounds": (played, of_stage(rounds.draft_rounds), ["draft_rounds"]),
    "rounds.drop_drafts": (started, of_stage(rounds.drop_drafts), ["pair_again"]),
    "rounds.swap_in_draft": (started, swap, ["change_draft"]),
    "rounds.publish_rounds": (started, of_stage(rounds.publish_rounds), ["publish_rounds"]),
    "rounds.take_back_round": (running, of_stage(rounds.take_back_round), ["take_back_round"]),
    "rounds.withdraw_entry": (running, of_entry(rounds.withdraw_entry), ["withdraw_entry"]),
    "rounds.return_entry": (without_one, of_entry(rounds.return_entry), ["return_entry"]),
    "rounds.finish_tournament": (
        played,
        lambda w: w.do(rounds.finish_tournament, tournament_id=w.tournament.pk, early=True),
        ["finish_tournament"],
    ),
    "rounds.reopen_tournament": (finished, of_tournament(rounds.reopen_tournament), ["reopen_tournament"]),
    "staff.create_link": (empty, make_link, ["create_link"]),
    "staff.revoke_link": (with_link, lambda w: w.do(staff.revoke_link, link_id=link_of(w)), ["revoke_link"]),
    "staff.renew_link": (
        with_link,
        lambda w: w.do(staff.renew_link, link_id=link_of(w), expires_at=NOW + timedelta(hours=9)),
        ["renew_link"],
    ),
    "staff.create_token": (empty, make_token, ["create_token"]),
    "staff.revoke_token": (
        with_token,
        lambda w: w.do(staff.revoke_token, token_id=w.tournament.event.api_tokens.get().pk),
        ["revoke_token"],
    ),
    "check_in.open_check_in": (empty, of_tournament(roster.open_check_in), ["open_check_in"]),
    "check_in.close_check_in": (
        lambda: opened(empty()),
        of_tournament(roster.close_check_in),
        ["close_check_in"],
    ),
    "check_in.check_in": (two_players, of_entry(roster.check_in), ["check_in"]),
    "check_in.undo_check_in": (ready, of_entry(roster.undo_check_in), ["undo_check_in"]),
    "check_in.check_in_all": (two_players, of_tournament(roster.check_in_all), ["check_in_all"]),
    "entries.add_entry": (
        empty,
        lambda w: w.do(roster.add_entry, tournament_id=w.tournament.pk, name="Anna"),
        ["add_entry"],
    ),
    "entries.edit_entry": (
        two_players,
        lambda w: w.do(roster.edit_entry, entry_id=w.tournament.entries.get().pk, name="Anja"),
        ["edit_entry"],
    ),
    "entries.remove_entry": (two_players, of_entry(roster.remove_entry), ["remove_entry"]),
    "entries.set_hand_seeds": (
        ready,
        lambda w: w.do(
            roster.set_hand_seeds,
            tournament_id=w.tournament.pk,
            order=list(w.tournament.entries.order_by("-pk").values_list("pk", flat=True)),
        ),
        ["set_hand_seeds"],
    ),
    "imports.prepare_import": (empty, prepare, ["prepare_import"]),
    "imports.confirm_import": (
        partial(with_list, 1),
        lambda w: w.do(roster.confirm_import, import_id=import_of(w)),
        ["import_roster"],
    ),
    "imports.apply_import": (
        partial(with_list, 201, confirmed=True),
        lambda w: roster.apply_import(import_id=import_of(w), now=NOW),
        ["import_roster"],
    ),
    "people.merge_players": (two_players, merge, ["merge_players"]),
}


def opened(world: World) -> World:
    world.do(roster.open_check_in, tournament_id=world.tournament.pk)
    return world


def name_of(module: ModuleType) -> str:
    words = module.__name__.split(".")
    return words[0] if words[-1] == "actions" else words[-1]


def test_every_action_is_told_of_here() -> None:
    found = {
        f"{name_of(module)}.{name}"
        for module in MODULES
        for name, thing in vars(module).items()
        if inspect.isfunction(thing)
        and not name.startswith("_")
        and inspect.unwrap(thing).__module__ == module.__name__
    }
    assert found - {f"{module}.{name}" for module, names in PARTS.items() for name in names} == set(CASES)


@pytest.mark.parametrize("name", CASES)
def test_an_action_is_one_line_in_the_log(name: str) -> None:
    prepare_world, act, verbs = CASES[name]
    world = prepare_world()
    last = Act.objects.order_by("pk").last()
    outcome = act(world)
    assert not isinstance(outcome, Refused), outcome
    lines = list(Act.objects.filter(pk__gt=last.pk if last else 0).order_by("pk"))
    assert [line.verb for line in lines] == verbs
    assert {(line.at, bool(line.who), bool(line.role), "/" in line.target) for line in lines} == {
        (NOW, True, True, True)
    }
