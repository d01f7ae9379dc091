"""What one player asks about: where they sit, whom they meet and when, how they stand and what they played."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from typing import Any

from django.core.cache import cache
from django.db.models import Exists, Max, OuterRef, Q

from matches.models import Game
from tournaments.engine.formats import get_format
from tournaments.engine.notes import Note
from tournaments.engine.snapshot import EntryStatus
from tournaments.models import Entry, Notice, Pairing, RoundClock, Stage, Standing
from tournaments.models.tournament import State
from tournaments.queries.desk import current_stage
from tournaments.queries.notices import NOTICES, names_in_notices
from tournaments.queries.presence import asked_times
from tournaments.queries.registration import waiting_place
from tournaments.queries.snapshots import take_snapshot
from tournaments.queries.stages import round_names, stage_version

_NOTICES = 10
_KEPT_SECONDS = 60  # names of rounds, for everybody who asks after the same change


@dataclass(frozen=True, slots=True)
class Meeting:
    """One round of a player, from their side. `opponent` None: they had none, and `pairing.bye` says why."""

    pairing: Pairing
    name: Note
    opponent: Entry | None
    is_first: bool  # they open the first set

    @property
    def clock(self) -> RoundClock | None:
        """The clock of the round, once it is started."""
        found: RoundClock | None = getattr(self.pairing.round, "clock", None)
        return found

    @property
    def is_open(self) -> bool:
        return self.pairing.match is not None and self.pairing.match.is_open

    @property
    def sets(self) -> tuple[int, int] | None:
        """Sets won and lost; None where no result is in."""
        match = self.pairing.match
        if match is None or not match.kind:
            return None
        return (match.sets_a, match.sets_b) if self.is_first else (match.sets_b, match.sets_a)

    @property
    def outcome(self) -> str:
        """How it ended for this player: "won", "lost", "tied" or "none" (neither came); "" while it is open."""
        match = self.pairing.match
        if match is None or not match.kind:
            return ""
        if match.winner:
            return "won" if (match.winner == "a") is self.is_first else "lost"
        return "tied" if match.sets_a or match.sets_b else "none"

    @property
    def is_here(self) -> bool:
        """Whether the player said that they sit at the table."""
        return (self.pairing.here_a_at if self.is_first else self.pairing.here_b_at) is not None

    @property
    def opponent_is_here(self) -> bool:
        return (self.pairing.here_b_at if self.is_first else self.pairing.here_a_at) is not None


class OwnView:
    """One entry as its own player may see it. Each fact is read once, when it is first asked for: few queries.

    Ask for `version` before anything else: what is read after it is as new as it or newer.
    """

    def __init__(self, entry: Entry) -> None:
        self.entry = entry
        self.tournament = entry.tournament
        self.event = entry.tournament.event

    @cached_property
    def stage(self) -> Stage:
        return current_stage(tournament=self.tournament)

    @cached_property
    def version(self) -> str:
        return stage_version(self.stage)

    @property
    def state(self) -> str:
        """What the player is to the tournament.

        One of waiting, gone, registered, checking_in, here, left_out, withdrawn, disqualified, playing and finished.
        """
        entry, tournament = self.entry, self.tournament
        if tournament.is_open_roster:
            if entry.is_waiting or entry.is_gone:
                return "waiting" if entry.is_waiting else "gone"
            if entry.checked_in_at is not None:
                return "here"
            return "checking_in" if tournament.state == State.CHECK_IN else "registered"
        if entry.seed is None:
            return "left_out"
        if entry.status in (EntryStatus.WITHDRAWN, EntryStatus.DISQUALIFIED):
            return str(entry.status)
        return "finished" if tournament.state == State.FINISHED else "playing"

    @cached_property
    def waiting_place(self) -> int:
        return waiting_place(entry=self.entry)

    @cached_property
    def meetings(self) -> list[Meeting]:
        """Every published round of the player, the first one first; `pairing.has_game`: cards were dealt there."""
        rows = list(
            Pairing.objects.filter(
                Q(a=self.entry) | Q(b=self.entry), round__stage=self.stage, round__published_at__isnull=False
            )
            .select_related("a", "b", "match", "round__clock")
            .annotate(has_game=Exists(Game.objects.filter(match=OuterRef("match"), moves__gt=0)))
            .order_by("round__number")
        )
        for pairing in rows:
            pairing.round.stage = self.stage
        return [self._meeting(pairing) for pairing in rows]

    def _meeting(self, pairing: Pairing) -> Meeting:
        is_first = pairing.a_id == self.entry.pk
        name = self.name_of(pairing.round.number)
        return Meeting(pairing, name, pairing.b if is_first else pairing.a, is_first)

    def name_of(self, number: int) -> Note:
        """The name of a round that is out."""
        return self._round_names.get(number, Note.of("round", n=number))

    @cached_property
    def _round_names(self) -> dict[int, Note]:
        """The names of the rounds that are out. Worked out once for all who ask after the same change."""
        key = f"round-names:{self.stage.pk}:{self.version}"
        kept: dict[int, Note] | None = cache.get(key)
        if kept is None:
            published = self.stage.rounds.filter(published_at__isnull=False)
            kept = round_names(stage=self.stage, numbers=published.values_list("number", flat=True))
            cache.set(key, kept, _KEPT_SECONDS)
        return kept

    @property
    def current(self) -> Meeting | None:
        """The match to play now: the earliest that waits for its result."""
        return next((each for each in self.meetings if each.is_open), None)

    @property
    def has_bracket(self) -> bool:
        """Whether who loses is out, so that the next match follows from others' results."""
        return get_format(self.stage.format).has_bracket

    @property
    def is_out(self) -> bool:
        """Whether the player has nothing more to play in a bracket."""
        return self.has_bracket and self.standing is not None and self.standing.reason[0] != "still_in"

    @cached_property
    def is_last_round(self) -> bool:
        """Whether the newest round is the last one there will be. Never in a bracket, nor where the best play on."""
        if self.has_bracket or self.tournament.cut is not None:
            return False
        out = self.stage.rounds.filter(published_at__isnull=False, is_play_off=False).aggregate(last=Max("number"))
        return (out["last"] or 0) >= self._planned

    @property
    def _planned(self) -> int:
        """How many rounds there will be. Worked out once for all who ask after the same change."""
        key = f"rounds-planned:{self.stage.pk}:{self.version}"
        kept: int | None = cache.get(key)
        if kept is None:
            kept = get_format(self.stage.format).rounds_planned(take_snapshot(stage=self.stage))
            cache.set(key, kept, _KEPT_SECONDS)
        return kept

    @property
    def free_round(self) -> Meeting | None:
        """The newest round when the player has nobody to meet in it."""
        last = self.meetings[-1] if self.meetings else None
        return last if last is not None and last.opponent is None and self.current is None else None

    @cached_property
    def asked_at(self) -> datetime | None:
        """When the referee is asked about whoever is still missing at the current match."""
        current = self.current
        if current is None or self.tournament.no_show_minutes is None:
            return None
        return asked_times(pairings=[current.pairing]).get(current.pairing.pk)

    @cached_property
    def standing(self) -> Standing | None:
        """The place as it was last worked out."""
        return Standing.objects.filter(stage=self.stage, entry=self.entry).first()

    @cached_property
    def ranked(self) -> int:
        """How many have a place."""
        return Standing.objects.filter(stage=self.stage).count()

    @cached_property
    def named(self) -> dict[int, Entry]:
        """Whoever the reason of the place speaks of."""
        standing = self.standing
        ids = _ids_in(standing.reason) if standing is not None else set()
        return {each.pk: each for each in Entry.objects.filter(pk__in=ids)} if ids else {}

    @cached_property
    def notices(self) -> list[Notice]:
        """What the player was told, the newest first."""
        found = Notice.objects.filter(
            entry=self.entry, dropped_at__isnull=True, kind__in=[kind.key for kind in NOTICES]
        ).order_by("-pk")[:_NOTICES]
        told = list(found)
        for notice in told:
            notice.entry = self.entry
        return told

    @cached_property
    def opponents_told(self) -> dict[int, Entry]:
        """Whoever the notices speak of."""
        return names_in_notices(self.notices)


def _ids_in(reason: Any) -> set[int]:
    """Ids of entries in the stored reason of a place, and in a reason within it."""
    found: set[int] = set()
    for key, value in reason[1].items():
        if key == "entry":
            found.add(value)
        elif key == "entries":
            found |= set(value)
        elif key == "why":
            found |= _ids_in(value)
    return found
