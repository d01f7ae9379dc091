"""A tournament from a file becomes one of an event: its players, rounds and results as they were."""

from __future__ import annotations

import secrets
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import asdict
from datetime import datetime

from django.db import transaction

from matches.actions import Brought, bring_results, create_matches
from matches.engine import get_ruleset
from players.actions import record_act
from players.engine import clean_name, fold_name
from players.models import Player
from players.permissions import Actor
from tournaments.actions.plans import ask_for_plan
from tournaments.actions.roster.holding import name_key, set_marks
from tournaments.actions.tables import hold_hall, settle_tables
from tournaments.engine.formats import get_format
from tournaments.engine.interchange import Document
from tournaments.engine.snapshot import Pairing as Meeting
from tournaments.engine.snapshot import Snapshot
from tournaments.engine.tables import Want, give_tables
from tournaments.models import Entry, Event, Pairing, Round, Stage, Tournament
from tournaments.models.tournament import Seeding, State
from tournaments.queries.hall import hall_of
from tournaments.signals import stage_changed

_BATCH = 500


@transaction.atomic
def import_tournament(*, event_id: int, document: Document, ruleset: str, by: Actor, now: datetime) -> Tournament:
    """A new tournament as the document has it, which a reader of such files has checked; all of it or nothing.

    It is finished where everything is played, else it runs on from there. `ruleset` holds where the document names
    none. Players are new ones: a file knows nobody's address. Open matches get the first tables that are free.
    """
    event = Event.objects.select_related("owner").get(pk=event_id)
    found = document.stage
    waiting = any(pairing.is_open for pairing in (*found.pairings, *found.play_offs))
    is_over = bool(found.pairings) and not waiting and get_format(document.format).is_over(found)
    tournament = Tournament.objects.create(
        event=event,
        name=clean_name(document.name),
        ruleset=get_ruleset(document.ruleset or ruleset).key,
        allows_tie=any(pairing.is_tie for pairing in found.pairings),
        seeding=Seeding.HAND,
        seed=secrets.token_hex(16),
        state=State.FINISHED if is_over else State.RUNNING,
        started_at=now,
        finished_at=now if is_over else None,
        created_at=now,
    )
    stage = Stage.objects.create(
        tournament=tournament,
        format=document.format,
        options=asdict(found.options),  # type: ignore[call-overload]  # every format's options are a dataclass
        tiebreaks=list(document.tiebreaks),
        points=asdict(found.points),
        seed=found.seed,
    )
    entries = _bring_entries(tournament, event, document, now)
    hold_hall(event_id=event.pk)
    tables = _tables(tournament, (*found.pairings, *found.play_offs))
    for meetings, is_play_off in ((found.pairings, False), (found.play_offs, True)):
        _bring_rounds(stage, meetings, entries, tables, by, now, is_play_off=is_play_off)
    settle_tables(stage=stage)
    stage_changed.send(sender=Stage, stage=stage.pk, what="imported")
    record_act(
        verb="import_tournament",
        target=f"tournament/{tournament.pk}",
        by=by,
        now=now,
        event=event.pk,
        tournament=tournament.pk,
        after={"name": tournament.name, "entries": len(entries), "pairings": len(found.pairings)},
    )
    ask_for_plan(event_id=event.pk)
    return tournament


def _bring_entries(tournament: Tournament, event: Event, document: Document, now: datetime) -> Mapping[int, Entry]:
    """Everybody in the document, by their id there."""
    found: Snapshot = document.stage
    names = {entry.id: clean_name(document.people[entry.id].name) for entry in found.by_seed}
    players = Player.objects.bulk_create(
        (Player(owner=event.owner, name=name) for name in names.values()), batch_size=_BATCH
    )
    seen: Counter[str] = Counter()
    entries = []
    for entry, player in zip(found.by_seed, players, strict=True):
        folded = fold_name(names[entry.id])
        seen[folded] += 1
        entries.append(
            Entry(
                tournament=tournament,
                player=player,
                name=names[entry.id],
                club=clean_name(entry.club),
                rating=document.people[entry.id].rating,
                key=name_key(folded, seen[folded]),
                hand_seed=entry.seed,
                seed=entry.seed,
                checked_in_at=now,
                status=entry.status,
                since=entry.since,
                asked=[[number, str(bye)] for number, bye in entry.asked],
                created_at=now,
            )
        )
    made = Entry.objects.bulk_create(entries, batch_size=_BATCH)
    set_marks(tournament=tournament)
    return {entry.id: one for entry, one in zip(found.by_seed, made, strict=True)}


def _tables(tournament: Tournament, meetings: Iterable[Meeting]) -> Mapping[Meeting, int | None]:
    """A table for each match that is still to be played, in order of rounds."""
    waiting = sorted((each for each in meetings if each.is_open), key=lambda each: (each.round, each.number))
    return dict(zip(waiting, give_tables([Want() for _ in waiting], hall_of(tournament=tournament)), strict=True))


def _bring_rounds(
    stage: Stage,
    meetings: Iterable[Meeting],
    entries: Mapping[int, Entry],
    tables: Mapping[Meeting, int | None],
    by: Actor,
    now: datetime,
    *,
    is_play_off: bool,
) -> None:
    ordered = sorted(meetings, key=lambda each: (each.round, each.number))
    rounds = {
        number: Round.objects.create(stage=stage, number=number, made_at=now, published_at=now, is_play_off=is_play_off)
        for number in sorted({meeting.round for meeting in ordered})
    }
    played = [meeting for meeting in ordered if meeting.b is not None]
    matches = create_matches(
        seats=[(entries[each.a].player, entries[each.b].player) for each in played if each.b is not None],
        ruleset=stage.tournament.ruleset,
        allows_tie=stage.tournament.allows_tie and get_format(stage.format).allows_ties and not is_play_off,
    )
    match_of = dict(zip(played, matches, strict=True))
    Pairing.objects.bulk_create(
        (
            Pairing(
                round=rounds[meeting.round],
                number=meeting.number,
                a=entries[meeting.a],
                b=None if meeting.b is None else entries[meeting.b],
                bye=meeting.bye,
                table=tables.get(meeting),
                match=match_of.get(meeting),
            )
            for meeting in ordered
        ),
        batch_size=_BATCH,
    )
    results = [
        (match_of[each], Brought(each.result.kind, each.result.sets, each.result.winner or ""))
        for each in played
        if each.result is not None
    ]
    bring_results(results=results, by=by, now=now)
