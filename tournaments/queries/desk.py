"""What the organiser's desk shows: the state, the one next step, and what it waits for."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

from django.db.models import F, QuerySet

from matches.models import Submission
from players.engine import fold_name
from players.models import Account, Act
from players.permissions import Actor, Role
from tournaments.engine.formats import get_format
from tournaments.engine.snapshot import EntryStatus
from tournaments.models import Entry, Event, Pairing, Round, Stage, Tournament
from tournaments.models.roster import GONE, ON_ROSTER
from tournaments.models.tournament import Seating, State
from tournaments.queries.hall import find_tables, hall_of, lacks_tables
from tournaments.queries.snapshots import engine_pairing as as_engine
from tournaments.queries.snapshots import take_snapshot


@dataclass(frozen=True, slots=True)
class Blocker:
    """One thing the next step waits for, or (with `stops` False) something to know before it.

    `code` is put into words at the edge with `params`; `entries` and `pairings` are what it speaks of.
    """

    code: str
    params: dict[str, Any] = field(default_factory=dict)
    entries: tuple[Entry, ...] = ()
    pairings: tuple[Pairing, ...] = ()
    stops: bool = True


@dataclass(frozen=True, slots=True)
class NextStep:
    """The single act that moves a tournament on.

    `act` is one of: add_players, open_check_in, start, draft, publish, enter_results, finish, none.
    """

    act: str
    params: dict[str, Any] = field(default_factory=dict)
    blockers: tuple[Blocker, ...] = ()

    @property
    def is_free(self) -> bool:
        return not any(blocker.stops for blocker in self.blockers)


def events_of(*, account: Account) -> QuerySet[Event]:
    """The events an account organises, newest first."""
    return Event.objects.filter(memberships__account=account, memberships__role=Role.ORGANISER).order_by(
        "-starts_on", "-pk"
    )


def roster(*, tournament: Tournament, like: str = "", as_of: datetime | None = None) -> list[Entry]:
    """Everybody who has a place: the missing first while check-in is open, else in the order of the roster.

    With `like` only those who have it in their name, in any script and letter case. With `as_of` the missing are those
    who were missing then: a list that is being worked through keeps its order.
    """
    entries = list(tournament.entries.filter(ON_ROSTER).order_by("pk"))
    if wanted := fold_name(like):
        entries = [entry for entry in entries if wanted in fold_name(entry.staff_name)]
    if tournament.state == State.CHECK_IN:
        entries.sort(key=lambda entry: not _was_missing(entry, as_of))
    return entries


def gone(*, tournament: Tournament) -> list[Entry]:
    """Everybody who left before the start, or was dropped when check-in closed, in the order of the roster."""
    return list(tournament.entries.filter(GONE).order_by("pk"))


def missing(*, tournament: Tournament) -> list[Entry]:
    """Everybody who has a place and is not here, in the order of the roster."""
    return list(tournament.entries.filter(status=EntryStatus.ACTIVE, checked_in_at=None).order_by("pk"))


def _was_missing(entry: Entry, as_of: datetime | None) -> bool:
    return entry.checked_in_at is None or (as_of is not None and entry.checked_in_at > as_of)


def current_stage(*, tournament: Tournament) -> Stage:
    """The stage that is played, or was last."""
    return Stage.objects.select_related("tournament__event").filter(tournament=tournament).order_by("-number")[0]


def next_step(*, tournament: Tournament) -> NextStep:
    """What moves the tournament on now, and what blocks it."""
    stage = current_stage(tournament=tournament)
    if tournament.state == State.FINISHED:
        return NextStep("none")
    if tournament.state == State.RUNNING:
        return _with_tables(_running(stage), tournament)
    entries = list(tournament.entries.filter(status=EntryStatus.ACTIVE).order_by("pk"))
    least = get_format(stage.format).least_entries
    if len(entries) < least:
        return NextStep("add_players", {"least": least, "have": len(entries)})
    if tournament.state == State.ROSTER and any(entry.checked_in_at is None for entry in entries):
        return NextStep("open_check_in", {"players": len(entries)})
    return _with_tables(_start(stage, entries, least), tournament)


def _with_tables(step: NextStep, tournament: Tournament) -> NextStep:
    """The same step, and what there is to say where it is to call people and there is no table to call them to."""
    if step.act not in ("start", "publish", "enter_results") or not lacks_tables(tournament=tournament):
        return step
    return replace(step, blockers=(*step.blockers, Blocker("no_tables", stops=False)))


def _start(stage: Stage, entries: list[Entry], least: int) -> NextStep:
    here = [entry for entry in entries if entry.checked_in_at is not None]
    missing = tuple(entry for entry in entries if entry.checked_in_at is None)
    blockers = []
    if len(here) < least:
        blockers.append(Blocker("too_few_here", {"least": least, "here": len(here)}))
    if missing:
        blockers.append(Blocker("not_here", {"count": len(missing)}, entries=missing, stops=len(here) >= least))
    chosen = get_format(stage.format)
    options = take_snapshot(stage=stage).options
    blockers += [Blocker(note.code, dict(note.params), stops=False) for note in chosen.advice(len(here), options)]
    return NextStep("start", {"players": len(here), "missing": [entry.pk for entry in missing]}, tuple(blockers))


def _running(stage: Stage) -> NextStep:
    chosen, snapshot = get_format(stage.format), take_snapshot(stage=stage)
    drafts = list(stage.rounds.filter(published_at__isnull=True).order_by("number"))
    if drafts:
        blockers = tuple(blocker for round_ in drafts for blocker in draft_blockers(round_=round_))
        params = {"round": drafts[0].number, "rounds": len(drafts), "tables": sum(_tables(round_) for round_ in drafts)}
        return NextStep("publish", params, blockers)
    waiting = tuple(
        Pairing.objects.filter(
            round__stage=stage, round__published_at__isnull=False, match__kind="", match__is_void=False
        )
        .select_related("a", "b", "round__clock", "match")
        .order_by("round__number", "number")
    )
    if waiting:
        params = {"round": waiting[0].round.number, "open": len(waiting), "rounds": chosen.rounds_planned(snapshot)}
        return NextStep("enter_results", params, (Blocker("open_matches", {"count": len(waiting)}, pairings=waiting),))
    if chosen.is_over(snapshot):
        return NextStep("finish")
    return NextStep("draft", {"round": snapshot.last_round + 1, "rounds": chosen.rounds_planned(snapshot)})


def _tables(round_: Round) -> int:
    return round_.pairings.filter(b__isnull=False).count()


def draft_blockers(*, round_: Round) -> tuple[Blocker, ...]:
    """What there is to say of a draft: what wants a word before it is published, what is good to know.

    A draft as the format made it wants no word: what the format could not avoid it says in its own notes.
    """
    rows = round_.pairings.select_related("round", "a", "b", "match").order_by("number")
    snapshot, stored = take_snapshot(stage=round_.stage), tuple(as_engine(row) for row in rows)
    judged = get_format(round_.stage.format).judge(snapshot, round_.number, stored)
    found = [Blocker(note.code, dict(note.params)) for note in judged]
    found += [Blocker(code, params, stops=False) for code, params in round_.notes]
    return (*found, *_about_tables(list(rows), round_.stage.tournament))


def _about_tables(rows: list[Pairing], tournament: Tournament) -> list[Blocker]:
    """Who would find no table if the draft were published now, and who would not sit where they have to.

    Where tables come from the queue nobody does, and everybody is called to theirs.
    """
    if tournament.seating == Seating.QUEUE:
        return []
    find_tables(pairings=rows, hall=hall_of(tournament=tournament))
    waiting = sum(1 for row in rows if row.b_id is not None and row.table is None)
    found = [Blocker("tables_short", {"count": waiting}, stops=False)] if waiting else []
    for row in rows:
        for side in (row.a, row.b) if row.b is not None else ():
            if side is not None and side.fixed_table not in (None, row.table):
                params = {"entry": side.pk, "table": side.fixed_table}
                found.append(Blocker("fixed_seat_missed", params, stops=False))
    return found


def log_of(*, event: Event) -> QuerySet[Act]:
    """Everything done in an event, newest first."""
    return Act.objects.filter(event=event.pk).order_by("-pk")


def open_pairings(*, event: Event, tournament: Tournament | None, tables: frozenset[int]) -> list[Pairing]:
    """Matches that wait for a result at these tables (empty: all), in the order of round and table."""
    found = (
        Pairing.objects.filter(
            round__stage__tournament__event=event,
            round__stage__tournament__state=State.RUNNING,
            round__published_at__isnull=False,
            match__kind="",
            match__is_void=False,
        )
        .select_related("a", "b", "match", "round__clock", "round__stage__tournament")
        .order_by("round__stage__tournament_id", "round__number", F("table").asc(nulls_last=True), "number")
    )
    if tournament is not None:
        found = found.filter(round__stage__tournament=tournament)
    if tables:
        found = found.filter(table__in=tables)
    return list(found)


def entered_by(*, actor: Actor, event: Event) -> list[Submission]:
    """Confirmed results the actor entered in this event, the newest first: what they may still undo. At most 20."""
    found = Submission.objects.filter(
        is_confirmed=True,
        by_account=actor.account,
        by_link=actor.link,
        match__pairing__round__stage__tournament__event=event,
    ).select_related("match__pairing__a", "match__pairing__b", "match__pairing__round__stage__tournament")
    if actor.tournament is not None:
        found = found.filter(match__pairing__round__stage__tournament=actor.tournament)
    return list(found.order_by("-pk")[:20])
