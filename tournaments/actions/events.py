"""Events and the tournaments in them: made, changed, and the demo removed."""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db import transaction
from django.db.models import Q

from matches.engine import get_ruleset
from matches.models import Game, Match, Submission, Way
from players.actions import close_demo_accounts, record_act
from players.models import Account, Player
from players.permissions import Actor, Refused, Role
from tournaments.actions.expected import expect_players
from tournaments.actions.games import can_be_played_here
from tournaments.actions.plans import ask_for_plan
from tournaments.actions.roster.holding import hold
from tournaments.actions.roster.places import fill_places
from tournaments.engine.formats import get_format
from tournaments.models import Event, Membership, Pairing, Stage, Tournament
from tournaments.models.tournament import AtTime, Seating, Seeding, Unanswered
from tournaments.signals import stage_changed

DEMO_LOGINS = Path(settings.DATA) / "demo.json"
POINTS = {"win": 3, "tie": 1, "loss": 0, "bye": 3}

LASTING = (
    "name",
    "first_table",
    "self_check_in",
    "players_report",
    "report_minutes",
    "unanswered",
    "second_confirms",
    "no_show_minutes",
    "cut",
    "starts_at",
    "seating",
    "match_minutes",
    "call_minutes",
    "round_minutes",
    "at_time",
)
"""Settings that can change at any time."""

UNTIL_THE_START = (
    "allows_tie",
    "seeding",
    "registration",
    "registration_opens_at",
    "registration_closes_at",
    "capacity",
    "promotes_late",
)
"""Settings of a tournament that can change until it starts, beside its ruleset and those of its stage."""


@dataclass(frozen=True, slots=True)
class EventFacts:
    """What an organiser says of an event. `zone` is an IANA name, `rest_minutes` the least between two matches."""

    name: str
    place: str
    zone: str
    starts_on: date
    ends_on: date
    rest_minutes: int = 5


@dataclass(frozen=True, slots=True)
class TournamentFacts:
    """What an organiser says of a tournament; only the name has no default.

    `tiebreaks` None takes the format's own chain. `options` are the format's, by field name. The rest is as the model
    has it.
    """

    name: str
    ruleset: str = "standard"
    format: str = "swiss"
    options: Mapping[str, Any] = field(default_factory=dict)
    tiebreaks: tuple[str, ...] | None = None
    points: Mapping[str, int] = field(default_factory=lambda: dict(POINTS))
    allows_tie: bool = False
    seeding: str = Seeding.RANDOM
    first_table: int = 1
    registration: bool = False
    registration_opens_at: datetime | None = None
    registration_closes_at: datetime | None = None
    capacity: int | None = None
    promotes_late: bool = False
    self_check_in: bool = True
    players_report: bool = False
    report_minutes: int = 10
    unanswered: str = Unanswered.REFEREE
    second_confirms: bool = False
    no_show_minutes: int | None = None
    cut: int | None = None
    starts_at: datetime | None = None
    seating: str = Seating.ROUNDS
    match_minutes: int = 20
    call_minutes: int | None = 3
    round_minutes: int | None = None
    at_time: str = AtTime.FINISH_SET

    @property
    def ends_tied_without_ties(self) -> bool:
        """Whether time is to end matches tied where none can be."""
        return self.at_time == AtTime.TIE and not (self.allows_tie and get_format(self.format).allows_ties)


@transaction.atomic
def create_event(*, facts: EventFacts, owner: Account, by: Actor, now: datetime, is_demo: bool = False) -> Event:
    """A new event; its owner is its first organiser."""
    event = Event.objects.create(
        name=facts.name,
        place=facts.place,
        zone=facts.zone,
        starts_on=facts.starts_on,
        ends_on=facts.ends_on,
        rest_minutes=facts.rest_minutes,
        owner=owner,
        is_demo=is_demo,
        created_at=now,
    )
    Membership.objects.create(event=event, account=owner, role=Role.ORGANISER)
    record_act(
        verb="create_event", target=f"event/{event.pk}", by=by, now=now, event=event.pk, after={"name": event.name}
    )
    return event


@transaction.atomic
def edit_event(*, event_id: int, facts: EventFacts, by: Actor, now: datetime) -> Event:
    """Change what is said of an event. What is so already is no act."""
    # Without its key: whoever adds a tournament holds the plan, which we ask for last, and then looks at this row.
    event = Event.objects.select_for_update(no_key=True).get(pk=event_id)
    before = _event_row(event)
    event.name, event.place, event.zone = facts.name, facts.place, facts.zone
    event.starts_on, event.ends_on, event.rest_minutes = facts.starts_on, facts.ends_on, facts.rest_minutes
    after = _event_row(event)
    if after == before:
        return event
    event.save(update_fields=list(after))
    record_act(
        verb="edit_event",
        target=f"event/{event.pk}",
        by=by,
        now=now,
        event=event.pk,
        before=before,
        after=after,
    )
    ask_for_plan(event_id=event.pk)
    return event


def _event_row(event: Event) -> dict[str, Any]:
    return {
        "name": event.name,
        "place": event.place,
        "zone": event.zone,
        "starts_on": event.starts_on.isoformat(),
        "ends_on": event.ends_on.isoformat(),
        "rest_minutes": event.rest_minutes,
    }


@transaction.atomic
def create_tournament(*, event_id: int, facts: TournamentFacts, by: Actor, now: datetime, seed: str = "") -> Tournament:
    """A new tournament with its first stage, in state roster. `seed` is drawn unless given."""
    tournament = Tournament.objects.create(
        event_id=event_id,
        ruleset=get_ruleset(facts.ruleset).key,
        seed=seed or secrets.token_hex(16),
        created_at=now,
        **{name: getattr(facts, name) for name in LASTING + UNTIL_THE_START},
    )
    stage = Stage.objects.create(
        tournament=tournament,
        format=facts.format,
        options=dict(facts.options),
        tiebreaks=list(_tiebreaks(facts)),
        points=dict(facts.points),
    )
    record_act(
        verb="create_tournament",
        target=f"tournament/{tournament.pk}",
        by=by,
        now=now,
        event=event_id,
        tournament=tournament.pk,
        after=_tournament_row(tournament, stage),
    )
    ask_for_plan(event_id=event_id)
    return tournament


def _tiebreaks(facts: TournamentFacts) -> tuple[str, ...]:
    return get_format(facts.format).default_tiebreaks if facts.tiebreaks is None else facts.tiebreaks


@transaction.atomic
def edit_tournament(*, tournament_id: int, facts: TournamentFacts, by: Actor, now: datetime) -> Tournament | Refused:
    """Change a tournament's settings. Everything until the start; after it those in `LASTING` only.

    A place more, or registration that is open again, is given to whoever waits. What is so already is no act.
    Refusals: tournament_unknown, settings_are_frozen, draws_from_outside (400: its matches are played here),
    no_ties_at_time (400).
    """
    tournament = hold(tournament_id=tournament_id, frozen_too=True)
    if isinstance(tournament, Refused):
        return tournament
    if tournament.way == Way.HERE and not can_be_played_here(facts.ruleset):
        return Refused("draws_from_outside", status=400)
    if facts.ends_tied_without_ties:
        return Refused("no_ties_at_time", status=400)
    stage = tournament.stages.get(number=1)
    before = _tournament_row(tournament, stage)
    changed = [*LASTING]
    _set(tournament, facts, LASTING)
    if tournament.is_open_roster:
        tournament.ruleset = get_ruleset(facts.ruleset).key
        _set(tournament, facts, UNTIL_THE_START)
        changed += ["ruleset", *UNTIL_THE_START]
        stage.format, stage.options = facts.format, dict(facts.options)
        stage.tiebreaks, stage.points = list(_tiebreaks(facts)), dict(facts.points)
        stage.save(update_fields=["format", "options", "tiebreaks", "points"])
    elif _frozen_part(_facts_row(facts)) != _frozen_part(before):
        return Refused("settings_are_frozen")
    tournament.save(update_fields=changed)
    fill_places(tournament=tournament, now=now)
    after = _tournament_row(tournament, stage)
    if after == before:
        return tournament
    stage_changed.send(sender=Stage, stage=stage.pk, what="settings")
    if after["starts_at"] != before["starts_at"]:
        for held in tournament.stages.select_for_update(no_key=True).order_by("pk"):
            expect_players(stage=held, now=now)
    record_act(
        verb="edit_tournament",
        target=f"tournament/{tournament.pk}",
        by=by,
        now=now,
        event=tournament.event_id,
        tournament=tournament.pk,
        before=before,
        after=after,
    )
    ask_for_plan(event_id=tournament.event_id)
    return tournament


def _set(tournament: Tournament, facts: TournamentFacts, names: Iterable[str]) -> None:
    for name in names:
        setattr(tournament, name, getattr(facts, name))


def _tournament_row(tournament: Tournament, stage: Stage) -> dict[str, Any]:
    return {
        **_settings_row(tournament),
        "ruleset": tournament.ruleset,
        "format": stage.format,
        "options": stage.options,
        "tiebreaks": stage.tiebreaks,
        "points": stage.points,
    }


def _facts_row(facts: TournamentFacts) -> dict[str, Any]:
    return {
        **_settings_row(facts),
        "ruleset": get_ruleset(facts.ruleset).key,
        "format": facts.format,
        "options": dict(facts.options),
        "tiebreaks": list(_tiebreaks(facts)),
        "points": dict(facts.points),
    }


def _settings_row(said: Tournament | TournamentFacts) -> dict[str, Any]:
    """Settings as the log keeps them: instants in ISO form, UTC."""
    row = {name: getattr(said, name) for name in LASTING + UNTIL_THE_START}
    return {
        name: value.astimezone(UTC).isoformat() if isinstance(value, datetime) else value for name, value in row.items()
    }


def _frozen_part(row: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in row.items() if name not in LASTING}


@transaction.atomic
def remove_tournament(*, tournament_id: int, by: Actor, now: datetime) -> Refused | None:
    """Remove a tournament that has not started. Refusals: tournament_unknown, tournament_has_started."""
    tournament = hold(tournament_id=tournament_id, frozen_too=True)
    if isinstance(tournament, Refused):
        return tournament
    if not tournament.is_open_roster:
        return Refused("tournament_has_started")
    # Nobody counts while what they count goes: they would hold the stage and wait for its changes, and we the reverse.
    list(tournament.stages.select_for_update().order_by("pk"))
    record_act(
        verb="remove_tournament",
        target=f"tournament/{tournament.pk}",
        by=by,
        now=now,
        event=tournament.event_id,
        tournament=tournament.pk,
        before={"name": tournament.name, "entries": tournament.entries.count()},
    )
    tournament.delete()
    ask_for_plan(event_id=tournament.event_id)
    return None


@transaction.atomic
def remove_demo(*, event_id: int, by: Actor, now: datetime) -> Refused | None:
    """Remove a demo event with everything in it: tournaments, matches, players only it knew, and with
    the last demo event the demo accounts. The log keeps what was done. Refusals: event_unknown, not_a_demo.
    """
    event = Event.objects.select_for_update().filter(pk=event_id).first()
    if event is None:
        return Refused("event_unknown", status=404)
    if not event.is_demo:
        return Refused("not_a_demo")
    # In the order in which everybody else takes them, so that a result, a start or a count that is on its way is done
    # before, or finds nothing afterwards.
    list(Tournament.objects.select_for_update().filter(event=event).order_by("pk"))
    here = Match.objects.filter(pairing__round__stage__tournament__event=event).values("pk")
    list(Match.objects.select_for_update().filter(pk__in=here).order_by("pk"))
    list(Stage.objects.select_for_update().filter(tournament__event=event).order_by("pk"))
    matches = list(Match.objects.filter(pairing__round__stage__tournament__event=event).values_list("pk", flat=True))
    sat = Q(seat_a__entries__tournament__event=event) | Q(seat_b__entries__tournament__event=event)
    voided = list(Match.objects.filter(sat, is_void=True, pairing__isnull=True).values_list("pk", flat=True).distinct())
    known = Q(entries__tournament__event=event) | Q(matches_a__in=voided) | Q(matches_b__in=voided)
    players = list(Player.objects.filter(known).values_list("pk", flat=True).distinct())
    Pairing.objects.filter(round__stage__tournament__event=event).delete()
    Submission.objects.filter(match_id__in=matches + voided).delete()
    Game.objects.filter(match_id__in=matches + voided).delete()
    Match.objects.filter(pk__in=matches + voided).delete()
    record_act(
        verb="remove_demo", target=f"event/{event.pk}", by=by, now=now, event=event.pk, before={"name": event.name}
    )
    event.delete()
    unused = Player.objects.filter(entries__isnull=True, matches_a__isnull=True, matches_b__isnull=True)
    unused.filter(pk__in=players).delete()
    if not Event.objects.filter(is_demo=True).exists():
        in_use = Membership.objects.values_list("account", flat=True)
        close_demo_accounts(keep=in_use, by=by, now=now)
        if not Account.objects.filter(is_demo=True, is_active=True).exists():
            # Logins that open nothing any more are not to be printed at the next start.
            transaction.on_commit(lambda: DEMO_LOGINS.unlink(missing_ok=True))
    return None
