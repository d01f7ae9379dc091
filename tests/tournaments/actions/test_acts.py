"""Every action writes one line into the log: who did what to what, and when."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial
from importlib import import_module
from pkgutil import walk_packages
from types import ModuleType
from typing import Any

import pytest

import tournaments.actions
from matches import actions as matches
from matches.actions import DOUBLE_NO_SHOW, SCORE, Report
from matches.models import Match, Submission
from players import actions as players
from players.actions import mailed, passkeys, two_step
from players.models import Account, Act
from players.permissions import Actor, Refused, Role
from tests.factories import NOW, make_account, make_entry, make_field, make_tournament, organiser
from tests.players.proofs import SoftKey, add_key, code_at, enable
from tests.tournaments.actions.game_acts import GAME_CASES, GAME_PARTS
from tests.tournaments.organising import invite
from tests.tournaments.play import draft, pairings, play_open, publish, stage_of, start
from tournaments.actions import (
    asked_byes,
    calls,
    clocks,
    cuts,
    events,
    hall,
    interchange,
    latecomers,
    organisers,
    play_offs,
    presence,
    registration,
    replacements,
    reports,
    results,
    roster,
    rounds,
    staff,
    tables,
)
from tournaments.actions.events import EventFacts, TournamentFacts
from tournaments.actions.result_lists import Told, enter_results
from tournaments.engine.formats.swiss import SwissOptions
from tournaments.engine.interchange import Document, Person
from tournaments.engine.snapshot import Entry as Seat
from tournaments.engine.snapshot import Snapshot
from tournaments.models import Pairing, RefereeCall, Room, RosterImport, Table, Tournament
from tournaments.permissions import actor_of_entry, entry_token

pytestmark = pytest.mark.django_db

DOCUMENT = Document(
    name="Cup",
    format="swiss",
    tiebreaks=(),
    stage=Snapshot((Seat(1, 1), Seat(2, 2)), options=SwissOptions()),
    people={1: Person("Ann"), 2: Person("Bo")},
)

MODULES = [
    *(import_module(found.name) for found in walk_packages(players.__path__, "players.actions.")),
    *(import_module(found.name) for found in walk_packages(matches.__path__, "matches.actions.")),
    *(import_module(found.name) for found in walk_packages(tournaments.actions.__path__, "tournaments.actions.")),
]
PARTS = {
    "players": {
        *("record_act", "close_demo_accounts", "make_host", "own_actor", "attempt", "forget_attempts", "waiting_links"),
        *("ask_for_link", "mail_link", "new_salt", "totp_secret", "totp_address", "check_code"),
        *("begin_passkey", "begin_sign_in", "use_passkey"),
    },
    "matches": {
        *("create_matches", "void_matches", "change_seat", "judge", "digest_of", "facts_of", "refused_as"),
        *("not_takeable", "again", "put_down", "set_result", "outcome_of", "is_same_person", "bring_results"),
    },
    "reports": {"unanswered"},
    "rounds": {"seeding_order", "drafted", "lock_stage", "drafts_of", "pair_drafts_again"},
    "staff": {"token_digest"},
    "standings": {"note_change", "stale_stages", "refresh", "note_row", "store_pairings", "open_tables"},
    "tables": {
        *("hold_hall", "settle_tables", "leave_table", "take_table_again", "free_tables"),
    },
    "entries": {"drop_if_unused", "new_entry", "new_player", "entry_of", "twins_of", "free_key", "give_address"},
    "places": {"take_place", "fill_places", "tell_promoted"},
    "presence": {"announce_missing"},
    "calls": {"follow_game", "end_calls"},
    "throttle": {"seconds_to_wait"},
    "answers": {"answer_once", "forget_answers", "act_on_what_was_seen"},
    "notices": {
        *("tell_player", "tell_players", "tell_helper", "tell_check_in", "tell_pairings", "tell_places"),
        *("mails_to_send", "send_mails"),
    },
    "facts": {"check_facts"},
    "holding": {
        *("hold", "hold_entry", "announce_roster", "log_roster", "mail_key", "name_key", "known_players", "set_marks"),
    },
    "imports": {"waiting_imports"},
    "trial_draw": {"try_draw"},  # nothing is kept of it
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


def timed() -> World:
    """The first round is played, and has a time."""
    world = running()
    Tournament.objects.filter(pk=world.tournament.pk).update(round_minutes=50)
    return world


def of_round(action: Callable[..., Any], **said: Any) -> Callable[[World], Any]:
    """What is done to the clock of the first round."""
    return lambda world: world.do(action, round_id=pairings(world.tournament, 1)[0].round_id, **said)


def on_time() -> World:
    """Its clock runs."""
    world = timed()
    of_round(clocks.start_clock)(world)
    return world


def paused() -> World:
    """Its clock stands."""
    world = on_time()
    of_round(clocks.pause_clock)(world)
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


def calling() -> World:
    world = running()
    world.do(calls.call_to_match, match_id=world.first.pk)
    return world


def of_call(action: Callable[..., Any]) -> Callable[[World], Any]:
    return lambda world: world.do(action, call_id=RefereeCall.objects.get().pk)


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


def of_account(action: Callable[..., Any], *, coded: bool = False, **said: Any) -> Callable[[World], Any]:
    """An act of the owner's account on itself; `coded` with a code of its authenticator app."""

    def act(world: World) -> Any:
        account = world.tournament.event.owner
        code = {"code": code_at(account, NOW)} if coded else {}
        return action(account_id=account.pk, now=NOW, **said, **code)

    return act


def use_mailed_link(_world: World) -> Any:
    link = mailed.ask_for_link(email="new@example.org", next_path="", language="en", place="127.0.0.1", now=NOW)
    assert not isinstance(link, Refused)
    return mailed.use_link(link_id=link.pk, now=NOW)


def with_two_step() -> World:
    world = empty()
    enable(world.tournament.event.owner)
    world.tournament.event.owner.refresh_from_db()
    return world


def with_passkey() -> World:
    world = empty()
    add_key(world.tournament.event.owner, SoftKey())
    return world


def invited() -> World:
    world = empty()
    invite(world.tournament.event)
    make_account(email="second@example.org")
    return world


def accept(world: World) -> Any:
    account = Account.objects.get(email="second@example.org")
    return organisers.accept_invitation(link_id=world.tournament.event.staff_links.get().pk, account=account, now=NOW)


def with_two() -> World:
    world = invited()
    accept(world)
    return world


def second_of(world: World) -> Actor:
    event = world.tournament.event
    account = event.memberships.exclude(account=event.owner).get().account
    return Actor(role=Role.ORGANISER, name=str(account), account=account.pk, event=event.pk)


def of_second(action: Callable[..., Any]) -> Callable[[World], Any]:
    return lambda world: world.do(action, event_id=world.tournament.event_id, account_id=second_of(world).account)


Case = tuple[Callable[[], World], Callable[[World], Any], list[str]]


def in_hall() -> World:
    """Its event has a room and tables, the matches sit at the first two."""
    world = running()
    world.do(hall.add_room, event_id=world.tournament.event_id, name="Hall A")
    world.do(hall.add_tables, event_id=world.tournament.event_id, numbers=range(1, 6))
    return world


def out_of_order() -> World:
    world = in_hall()
    of_table(hall.take_table_out)(world)
    return world


def of_event(action: Callable[..., Any], **said: Any) -> Callable[[World], Any]:
    return lambda world: world.do(action, event_id=world.tournament.event_id, **said)


def of_room(action: Callable[..., Any], **said: Any) -> Callable[[World], Any]:
    return lambda world: world.do(action, room_id=Room.objects.get(event=world.tournament.event_id).pk, **said)


def of_table(action: Callable[..., Any], **said: Any) -> Callable[[World], Any]:
    """What is done to a table nobody sits at."""

    def act(world: World) -> Any:
        return world.do(action, table_id=Table.objects.get(event=world.tournament.event_id, number=5).pk, **said)

    return act


def swap_places(world: World) -> Any:
    one, other = pairings(world.tournament, 1)
    return world.do(tables.swap_tables, match_id=one.match_id, with_match=other.match_id)


CASES: dict[str, Case] = {
    "hall.add_room": (empty, of_event(hall.add_room, name="Hall A"), ["add_room"]),
    "hall.rename_room": (in_hall, of_room(hall.rename_room, name="Hall B"), ["rename_room"]),
    "hall.remove_room": (in_hall, of_room(hall.remove_room), ["remove_room"]),
    "hall.add_tables": (empty, of_event(hall.add_tables, numbers=(5, 6, 7, 11)), ["add_tables"]),
    "hall.edit_table": (
        in_hall,
        of_table(hall.edit_table, name="Stage", purpose="stream", room_id=None),
        ["edit_table"],
    ),
    "hall.take_table_out": (in_hall, of_table(hall.take_table_out), ["take_table_out"]),
    "hall.bring_table_back": (out_of_order, of_table(hall.bring_table_back), ["bring_table_back"]),
    "hall.remove_table": (in_hall, of_table(hall.remove_table), ["remove_table"]),
    "hall.fix_table": (
        running,
        lambda world: world.do(hall.fix_table, entry_id=world.tournament.entries.order_by("pk")[0].pk, table=3),
        ["fix_table"],
    ),
    "tables.move_match": (
        running,
        lambda world: world.do(tables.move_match, match_id=world.first.pk, table=7),
        ["move_match"],
    ),
    "tables.swap_tables": (running, swap_places, ["swap_tables"]),
    "registration.register": (registered, lambda w: sign_up(w, "Ben"), ["register"]),
    "registration.change_own": (registered, by_last(registration.change_own, **WHO), ["change_own"]),
    "registration.withdraw_own": (registered, by_last(registration.withdraw_own), ["withdraw_entry"]),
    "registration.register_again": (
        partial(registered, left=True),
        by_last(registration.register_again),
        ["register_again"],
    ),
    "registration.renew_entry_link": (registered, of_entry(registration.renew_entry_link), ["renew_entry_link"]),
    "places.give_place": (partial(registered, capacity=1), of_entry(roster.give_place, 1), ["promote_entry"]),
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
    "matches.report_result": (running, partial(wait_for_another, action=matches.report_result), ["report_result"]),
    "matches.confirm_report": (reporting, of_report(matches.confirm_report), ["confirm_report"]),
    "matches.take_back_report": (
        waiting_for_another,
        lambda w: w.do(matches.take_back_report, submission_id=Submission.objects.get().pk),
        ["take_back_report"],
    ),
    "result_lists.enter_results": (running, enter_list, ["enter_result"]),
    "results.enter_result": (running, lambda w: submit(w, results.enter_result, "first"), ["enter_result"]),
    "reports.report_own": (reporting, lambda w: report_own(w, "b"), ["agree_result"]),
    "reports.agree_own": (reporting, of_report(reports.agree_own, "b"), ["confirm_report"]),
    "reports.take_back_own": (reporting, of_report(reports.take_back_own, "a"), ["take_back_report"]),
    "reports.settle_unanswered": (
        partial(reporting, unanswered="confirm", report_minutes=1, at=NOW - timedelta(minutes=1)),
        lambda w: reports.settle_unanswered(submission_id=Submission.objects.get().pk, now=NOW),
        ["confirm_unanswered"],
    ),
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
    "interchange.import_tournament": (
        empty,
        lambda w: w.do(
            interchange.import_tournament, event_id=w.tournament.event_id, document=DOCUMENT, ruleset="standard/1"
        ),
        ["import_tournament"],
    ),
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
    "rounds.disqualify_entry": (running, of_entry(rounds.disqualify_entry), ["disqualify_entry"]),
    "rounds.reinstate_entry": (
        lambda: after(running(), of_entry(rounds.disqualify_entry)),
        of_entry(rounds.reinstate_entry),
        ["reinstate_entry"],
    ),
    "latecomers.late_entry": (running, come_late, ["late_entry"]),
    "latecomers.let_in": (
        lambda: after(after(running(), come_late), of_entry(replace, 4)),
        of_entry(latecomers.let_in, 4),
        ["late_entry"],
    ),
    "latecomers.remove_late_entry": (
        lambda: after(running(), come_late),
        of_entry(latecomers.remove_late_entry, 4),
        ["remove_late_entry"],
    ),
    "replacements.replace_entry": (running, of_entry(replace), ["replace_entry"]),
    "replacements.replace_by": (
        lambda: after(running(), of_entry(replace)),
        lambda w: w.do(replacements.replace_by, entry_id=entry_at(w, 1), by_entry=entry_at(w, 0)),
        ["replace_entry"],
    ),
    "replacements.undo_replacement": (
        lambda: after(running(), of_entry(replace)),
        of_entry(replacements.undo_replacement, 4),
        ["undo_replacement"],
    ),
    "asked_byes.set_asked_byes": (
        running,
        lambda w: w.do(asked_byes.set_asked_byes, entry_id=entry_at(w, 0), asked=[(2, "half")]),
        ["set_asked_byes"],
    ),
    "play_offs.start_play_off": (level, play_off, ["start_play_off"]),
    "play_offs.drop_play_off": (
        lambda: after(level(), play_off),
        lambda w: w.do(play_offs.drop_play_off, match_id=pairings(w.tournament)[-1].match_id),
        ["drop_play_off"],
    ),
    "rounds.finish_tournament": (
        played,
        lambda w: w.do(rounds.finish_tournament, tournament_id=w.tournament.pk, early=True),
        ["finish_tournament"],
    ),
    "rounds.reopen_tournament": (finished, of_tournament(rounds.reopen_tournament), ["reopen_tournament"]),
    "players.register_account": (
        empty,
        lambda _: players.register_account(email="new@example.org", password="twenty-is-it", name="", now=NOW),
        ["create_account"],
    ),
    "players.set_password": (empty, of_account(players.set_password, password="twenty-is-it"), ["set_password"]),
    "players.rename_account": (empty, of_account(players.rename_account, name="Marta"), ["rename_account"]),
    # Two acts in one: an account is made, and its address is proved.
    "players.use_link": (empty, use_mailed_link, ["create_account", "prove_address"]),
    "players.enable_two_step": (
        empty,
        lambda w: enable(w.tournament.event.owner, ago=timedelta()),
        ["enable_two_step"],
    ),
    "players.disable_two_step": (
        with_two_step,
        of_account(two_step.disable_two_step, coded=True),
        ["disable_two_step"],
    ),
    "players.renew_recovery_codes": (
        with_two_step,
        of_account(two_step.renew_recovery_codes, coded=True),
        ["renew_recovery_codes"],
    ),
    "players.add_passkey": (empty, lambda w: add_key(w.tournament.event.owner, SoftKey()), ["add_passkey"]),
    "players.remove_passkey": (
        with_passkey,
        lambda w: passkeys.remove_passkey(
            account_id=w.tournament.event.owner_id, passkey_id=w.tournament.event.owner.passkeys.get().pk, now=NOW
        ),
        ["remove_passkey"],
    ),
    "organisers.accept_invitation": (invited, accept, ["accept_invitation"]),
    "organisers.remove_organiser": (with_two, of_second(organisers.remove_organiser), ["remove_organiser"]),
    "organisers.hand_over": (with_two, of_second(organisers.hand_over), ["hand_over"]),
    "organisers.leave_event": (
        with_two,
        lambda w: organisers.leave_event(event_id=w.tournament.event_id, by=second_of(w), now=NOW),
        ["leave_event"],
    ),
    "claims.claim_entry": (
        two_players,
        lambda w: w.do(roster.claim_entry, entry_id=w.tournament.entries.get().pk, email="anna@example.org"),
        ["claim_entry"],
    ),
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
    "scanning.check_in_scanned": (
        two_players,
        lambda w: w.do(roster.check_in_scanned, tournament=w.tournament, code=entry_token(w.tournament.entries.get())),
        ["check_in"],
    ),
    "check_in.check_in_after_all": (two_players, of_entry(roster.check_in_after_all), ["check_in"]),
    "check_in.check_in_own": (lambda: opened(two_players()), of_entry(roster.check_in_own), ["check_in"]),
    "check_in.undo_check_in_own": (
        lambda: opened(ready()),
        of_entry(roster.undo_check_in_own),
        ["undo_check_in"],
    ),
    "clocks.start_clock": (timed, of_round(clocks.start_clock), ["start_clock"]),
    "clocks.pause_clock": (on_time, of_round(clocks.pause_clock), ["pause_clock"]),
    "clocks.resume_clock": (paused, of_round(clocks.resume_clock), ["resume_clock"]),
    "clocks.extend_clock": (on_time, of_round(clocks.extend_clock, minutes=5, expected_version=1), ["extend_clock"]),
    "clocks.reset_clock": (on_time, of_round(clocks.reset_clock), ["reset_clock"]),
    "clocks.give_time": (timed, lambda w: w.do(clocks.give_time, match_id=w.first.pk, seconds=180), ["give_time"]),
    "calls.call_to_match": (running, lambda w: w.do(calls.call_to_match, match_id=w.first.pk), ["call_referee"]),
    "calls.call_to_table": (
        running,
        lambda w: w.do(calls.call_to_table, event_id=w.tournament.event_id, table=99),
        ["call_referee"],
    ),
    "calls.take_call": (calling, of_call(calls.take_call), ["take_call"]),
    "calls.finish_call": (calling, of_call(calls.finish_call), ["finish_call"]),
    "calls.take_back_call": (calling, of_call(calls.take_back_call), ["take_back_call"]),
    "presence.say_here": (running, sit_down, ["say_here"]),
    "presence.say_begun": (
        running,
        lambda w: w.do(presence.say_begun, match_id=w.first.pk),
        ["say_begun"],
    ),
    "presence.confirm_no_show": (
        one_missing,
        lambda w: w.do(presence.confirm_no_show, match_id=w.first.pk, expected_version=0),
        ["enter_result"],
    ),
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
    return words[0] if words[0] in ("matches", "players") or words[-1] == "actions" else words[-1]


def test_every_action_is_told_of_here() -> None:
    found = {
        f"{name_of(module)}.{name}"
        for module in MODULES
        for name, thing in vars(module).items()
        if inspect.isfunction(thing)
        and not name.startswith("_")
        and inspect.unwrap(thing).__module__ == module.__name__
    }
    parts = {f"{module}.{name}" for told in (PARTS, GAME_PARTS) for module, names in told.items() for name in names}
    assert found - parts == {*CASES, *GAME_CASES}


@pytest.mark.parametrize("name", [*CASES, *GAME_CASES])
def test_an_action_is_one_line_in_the_log(name: str) -> None:
    prepare_world, act, verbs = (CASES | GAME_CASES)[name]
    world: Any = prepare_world()
    last = Act.objects.order_by("pk").last()
    outcome = act(world)
    assert not isinstance(outcome, Refused), outcome
    lines = list(Act.objects.filter(pk__gt=last.pk if last else 0).order_by("pk"))
    assert [line.verb for line in lines] == verbs
    assert {(line.at, bool(line.who), bool(line.role), "/" in line.target) for line in lines} == {
        (NOW, True, True, True)
    }
