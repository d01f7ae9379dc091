"""A stage as it travels: a document anybody may have, with the names everybody sees and no address."""

from __future__ import annotations

from dataclasses import replace

from tournaments.engine.interchange import Document, Person
from tournaments.engine.snapshot import Pairing
from tournaments.models import Entry, Stage
from tournaments.queries.snapshots import take_snapshot


def document_of(*, stage: Stage) -> Document:
    """Everything needed to rebuild the stage as it is published, without drafts. Entries are known by their seeds."""
    found = take_snapshot(stage=stage)
    entries = {entry.pk: entry for entry in Entry.objects.filter(pk__in=found.by_id)}
    seeds = {entry.id: entry.seed for entry in found.entries}

    def by_seed(pairing: Pairing) -> Pairing:
        return replace(pairing, a=seeds[pairing.a], b=None if pairing.b is None else seeds[pairing.b])

    return Document(
        name=stage.tournament.name,
        format=stage.format,
        tiebreaks=tuple(stage.tiebreaks),
        stage=replace(
            found,
            entries=tuple(replace(entry, id=entry.seed, club=entries[entry.id].club) for entry in found.entries),
            pairings=tuple(map(by_seed, found.pairings)),
            play_offs=tuple(map(by_seed, found.play_offs)),
        ),
        people={seeds[number]: Person(entry.display_name, entry.rating) for number, entry in entries.items()},
        ruleset=stage.tournament.ruleset,
    )
