"""What acts begin with: tournaments at every point of their course, and acts that take more than a line."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from matches import actions as matches
from matches.actions import DOUBLE_NO_SHOW, SCORE, Report
from matches.models import Match, Submission
from players.permissions import Actor, Refused, Role
from tests.factories import NOW, make_account, make_entry, make_field, make_tournament, organiser
from tests.tournaments.play import draft, pairings, play_open, publish, stage_of, start
from tournaments.actions import (
    events,
    latecomers,
    play_offs,
    presence,
    registration,
    replacements,
    reports,
    roster,
    rounds,
    staff,
)
from tournaments.actions.events import EventFacts
from tournaments.actions.result_lists import Told, enter_results
from tournaments.engine.formats.swiss import SwissOptions
from tournaments.engine.interchange import Document, Person
from tournaments.engine.snapshot import Entry as Seat
from tournaments.engine.snapshot import Snapshot
from tournaments.models import Pairing, RosterImport, Tournament
from tournaments.permissions import actor_of_entry

DOCUMENT = Document(
    name="Cup",
    format="swiss",
    tiebreaks=(),
    stage=Snapshot((Seat(1, 1), Seat(2, 2)), options=SwissOptions()),
    people={1: Person("Ann"), 2: Person("Bo")},
)


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


def enter_list(world: World) -> Any:
    told = [Told(2, world.first.pk, 0, Report(SCORE, (3, 1)))]
    return world.do(enter_results, tournament_id=world.tournament.pk, told=told, key="of-this-list")


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


def reporting(*, at: datetime = NOW, **facts: Any) -> World:
    """A tournament whose players report, where the first of a match has done so."""
    world = World(make_tournament(seeding="rating", players_report=True, **facts))
    make_field(size=4, tournament=world.tournament)
    start(world.tournament)
    report_own(world, "a", at)
    return world


def report_own(world: World, seat: str, now: datetime = NOW) -> Any:
    pairing = pairings(world.tournament, 1)[0]
    entry = pairing.a if seat == "a" else pairing.b
    assert entry is not None
    return reports.report_own(
        entry_id=entry.pk,
        match_id=world.first.pk,
        report=Report(SCORE, (3, 1)),
        by=actor_of_entry(entry),
        key=f"of-{seat}",
        expected_version=0,
        now=now,
    )


def of_report(action: Callable[..., Any], seat: str = "") -> Callable[[World], Any]:
    """An act on the report that waits, by the player of a seat or else by the organiser."""

    def act(world: World) -> Any:
        report = Submission.objects.get(is_waiting=True)
        if not seat:
            return world.do(action, submission_id=report.pk)
        pairing = pairings(world.tournament, 1)[0]
        entry = pairing.a if seat == "a" else pairing.b
        assert entry is not None
        return action(entry_id=entry.pk, submission_id=report.pk, by=actor_of_entry(entry), now=NOW)

    return act


def wait_for_another(world: World, *, action: Callable[..., Any]) -> Any:
    told = {"match_id": world.first.pk, "report": Report(SCORE, (3, 1)), "key": "waits", "expected_version": 0}
    return world.do(action, seat="", **told)


def waiting_for_another() -> World:
    world = running()
    wait_for_another(world, action=matches.report_result)
    return world


def sit_down(world: World) -> Any:
    pairing = pairings(world.tournament, 1)[0]
    return world.do(presence.say_here, entry_id=pairing.a_id, match_id=pairing.match_id)


def one_missing() -> World:
    """A running tournament where one side of the first match sits there and the other's time is over."""
    world = running()
    sit_down(world)
    Tournament.objects.filter(pk=world.tournament.pk).update(no_show_minutes=10)
    Pairing.objects.filter(pk=pairings(world.tournament, 1)[0].pk).update(due_at=NOW - timedelta(minutes=10))
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


def after(world: World, act: Callable[[World], Any]) -> World:
    outcome = act(world)
    assert not isinstance(outcome, Refused), outcome
    return world


def entry_at(world: World, place: int) -> int:
    return int(world.tournament.entries.order_by("pk")[place].pk)


def come_late(world: World) -> Any:
    return world.do(latecomers.late_entry, tournament_id=world.tournament.pk, name="Late")


def replace(*, entry_id: int, by: Actor, now: datetime) -> Any:
    return replacements.replace_entry(entry_id=entry_id, name="Instead", by=by, now=now)


def registered(*, capacity: int | None = None, left: bool = False) -> World:
    """Somebody who registered: the only one, or who waits for the one place there is, or has left."""
    world = World(make_tournament(registration=True, capacity=capacity))
    for name in ["Early"] * (capacity or 0) + ["Anna"]:
        sign_up(world, name)
    if left:
        by_last(registration.withdraw_own)(world)
    return world


def sign_up(world: World, name: str) -> Any:
    said: dict[str, Any] = {"is_shown": True, "language": "en", "key": f"the-key-of-{name}"}
    return registration.register(tournament_id=world.tournament.pk, name=name, now=NOW, **said)


def by_last(action: Callable[..., Any], **said: Any) -> Callable[[World], Any]:
    """An act of the player who came last."""

    def act(world: World) -> Any:
        entry = world.tournament.entries.order_by("-pk")[0]
        return action(entry_id=entry.pk, by=actor_of_entry(entry), now=NOW, **said)

    return act


WHO = {"name": "Ana", "email": "", "city": "", "club": "", "is_shown": False, "language": "ru"}


def level() -> World:
    """Two who met and neither came."""
    world = World(make_tournament(format="round_robin", seeding="rating"))
    make_field(size=2, tournament=world.tournament)
    start(world.tournament)
    nobody = Report(DOUBLE_NO_SHOW)
    world.do(matches.submit_result, match_id=world.first.pk, report=nobody, key="nobody", expected_version=0)
    return world


def play_off(world: World) -> Any:
    one, other = (entry_at(world, place) for place in (0, 1))
    return world.do(play_offs.start_play_off, stage_id=stage_of(world.tournament).pk, a=one, b=other)


Case = tuple[Callable[[], World], Callable[[World], Any], list[str]]


def of_event(action: Callable[..., Any], **said: Any) -> Callable[[World], Any]:
    return lambda world: world.do(action, event_id=world.tournament.event_id, **said)


def opened(world: World) -> World:
    world.do(roster.open_check_in, tournament_id=world.tournament.pk)
    return world
