"""Somebody else in the place of a player who has played nothing: the seat moves, each keeps their own entry."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import Any

from django.db import transaction

from matches.actions import change_seat
from matches.models import Game, Match
from players.actions import record_act
from players.permissions import Actor, Refused
from tournaments.actions.notices import tell_called, tell_pairings
from tournaments.actions.roster.entries import drop_if_unused, new_entry
from tournaments.actions.roster.facts import check_facts
from tournaments.actions.roster.holding import hold_entry, set_marks
from tournaments.actions.rounds import lock_stage, pair_drafts_again
from tournaments.engine.snapshot import EntryStatus
from tournaments.models import Entry, Pairing, Stage, Tournament
from tournaments.models.tournament import State
from tournaments.queries.desk import current_stage
from tournaments.queries.seats import replaced_by
from tournaments.signals import stage_changed


@transaction.atomic
def replace_entry(
    *,
    entry_id: int,
    name: str,
    email: str = "",
    city: str = "",
    club: str = "",
    rating: str | int | None = None,
    name_again: bool = False,
    by: Actor,
    now: datetime,
    why: str = "",
) -> Entry | Refused:
    """Let somebody new play in the place of an entry without a result: its seed, its pairings, its open matches.

    The new entry is returned; the one replaced stays on the roster and does not play.
    Refusals: those of `check_facts` and of `new_entry`, entry_unknown, not_running, not_playing, entry_has_played,
    changed_meanwhile.
    """
    facts, wrong = check_facts(name=name, email=email, city=city, club=club, rating=rating)
    if wrong:
        return wrong[0]
    held = _hold_seat(entry_id)
    if isinstance(held, Refused):
        return held
    tournament, leaving, stage = held
    coming = new_entry(tournament=tournament, facts=facts, name_again=name_again, here_at=now, now=now)
    if isinstance(coming, Refused):
        return coming
    _move(leaving, coming, stage, status=EntryStatus.ACTIVE, now=now)
    set_marks(tournament=tournament)
    _log("replace_entry", coming, leaving, stage, by=by, now=now, why=why, was=None)
    coming.refresh_from_db(fields=["mark"])
    return coming


@transaction.atomic
def replace_by(*, entry_id: int, by_entry: int, by: Actor, now: datetime, why: str = "") -> Entry | Refused:
    """Let somebody who is on the roster and does not play have the place of an entry without a result.

    Refusals: entry_unknown, not_running, not_playing, already_playing, entry_has_played, changed_meanwhile.
    """
    held = _hold_seat(entry_id)
    if isinstance(held, Refused):
        return held
    tournament, leaving, stage = held
    coming = tournament.entries.select_related("player").filter(pk=by_entry).first()
    if coming is None:
        return Refused("entry_unknown", {"entry": by_entry}, status=404)
    if coming.seed is not None:
        return Refused("already_playing")
    was = coming.status
    _move(leaving, coming, stage, status=EntryStatus.ACTIVE, now=now)
    _log("replace_entry", coming, leaving, stage, by=by, now=now, why=why, was=was)
    return coming


@transaction.atomic
def undo_replacement(*, entry_id: int, by: Actor, now: datetime, why: str = "") -> Entry | Refused:
    """Give the place back to whom it was taken from; the entry that had it is as it was before, or gone.

    The one who plays again is returned. Refusals: entry_unknown, not_running, not_playing, not_a_replacement,
    entry_has_played, changed_meanwhile.
    """
    held = _hold_seat(entry_id)
    if isinstance(held, Refused):
        return held
    tournament, coming, stage = held
    line = replaced_by(entry=coming)
    leaving = None if line is None else tournament.entries.filter(pk=line.before["entry"], seed__isnull=True).first()
    if line is None or leaving is None:
        return Refused("not_a_replacement")
    was = line.after["was"]
    _move(coming, leaving, stage, status=leaving.status, now=now)
    _log("undo_replacement", leaving, coming, stage, by=by, now=now, why=why, was=was)
    if was is None:
        coming.delete()
        drop_if_unused(coming.player)
        set_marks(tournament=tournament)
    else:
        coming.status = was
        coming.save(update_fields=["status"])
    return leaving


def _hold_seat(entry_id: int) -> tuple[Tournament, Entry, Stage] | Refused:
    """Lock the tournament, the open matches of an entry and the stage, in this order."""
    held = hold_entry(entry_id=entry_id, frozen_too=True)
    if isinstance(held, Refused):
        return held
    tournament, entry = held
    if tournament.state != State.RUNNING:
        return Refused("not_running")
    if entry.seed is None:
        return Refused("not_playing")
    locked = [pairing.match_id for pairing in _seated(entry)]
    list(Match.objects.select_for_update().filter(pk__in=[pk for pk in locked if pk is not None]).order_by("pk"))
    stage = lock_stage(current_stage(tournament=tournament).pk)
    seated = _seated(entry)
    if [pairing.match_id for pairing in seated] != locked:
        return Refused("changed_meanwhile")
    if _has_played(seated):
        return Refused("entry_has_played")
    return tournament, entry, stage


def _seated(entry: Entry) -> list[Pairing]:
    """Every pairing an entry sits in, drafts too."""
    found = Pairing.objects.filter(round__stage__tournament=entry.tournament_id).select_related("match")
    return sorted((*found.filter(a=entry), *found.filter(b=entry)), key=lambda pairing: pairing.match_id or 0)


def _has_played(seated: Iterable[Pairing]) -> bool:
    """Whether anything was said about a match, a result or a report that waits for a second word, or cards lie."""
    matches = [pairing.match for pairing in seated if pairing.match is not None]
    said = any(match.kind or match.submissions.filter(is_waiting=True).exists() for match in matches)
    return said or Game.objects.filter(match__in=matches, moves__gt=0).exists()


def _move(leaving: Entry, coming: Entry, stage: Stage, *, status: str, now: datetime) -> None:
    """Seed, pairings and open matches of one entry are the other's from now on. The caller holds them."""
    for pairing in _seated(leaving):
        seat = "a" if pairing.a_id == leaving.pk else "b"
        setattr(pairing, seat, coming)
        said = [f"here_{seat}_at", f"coming_{seat}_at"]
        for name in said:
            setattr(pairing, name, None)
        pairing.save(update_fields=[seat, *said])
        if pairing.match_id is not None:
            change_seat(match_id=pairing.match_id, seat=seat, player=coming.player)
    seated = Pairing.objects.filter(round__published_at__isnull=False, round__stage=stage).select_related("round")
    theirs = [*seated.filter(a=coming), *seated.filter(b=coming)]
    tell_called(stage=stage, pairings=theirs, now=now)
    tell_pairings(stage=stage, pairings=theirs, now=now)
    seed, leaving.seed = leaving.seed, None
    leaving.save(update_fields=["seed"])
    coming.seed, coming.since, coming.status = seed, leaving.since, status
    coming.checked_in_at = coming.checked_in_at or now
    coming.save(update_fields=["seed", "since", "status", "checked_in_at"])
    if leaving.status != coming.status:
        pair_drafts_again(stage, now)


def _log(
    verb: str, playing: Entry, replaced: Entry, stage: Stage, *, by: Actor, now: datetime, why: str, was: str | None
) -> None:
    stage_changed.send(sender=Stage, stage=stage.pk, what=verb)
    before: dict[str, Any] = {"entry": replaced.pk, "name": replaced.name}
    record_act(
        verb=verb,
        target=f"entry/{playing.pk}",
        by=by,
        now=now,
        event=stage.tournament.event_id,
        tournament=stage.tournament_id,
        before=before,
        after={"name": playing.name, "was": was},
        why=why,
    )
