"""What one player asks about: where they sit, whom they meet and when, how they stand and what they played."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cached_property
from typing import Any

from django.core.cache import cache
from django.db.models import Exists, Max, OuterRef, Q

from matches.models import Game
from tournaments.engine.formats import get_format
from tournaments.engine.notes import Note
from tournaments.engine.snapshot import EntryStatus
from tournaments.models import Entry, Notice, Pairing, RoundClock, Slot, Stage, Standing
from tournaments.models.tournament import Seating, State
from tournaments.queries.coming import is_called, planned_times
from tournaments.queries.desk import current_stage
from tournaments.queries.next_up import NextMatch, after_match, names_of_rounds, next_of, next_round
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

    @property
    def is_called(self) -> bool:
        """Whether it is called to the table it has, and nobody said yet that it is played."""
        return self.is_open and is_called(self.pairing)

    @property
    def is_coming(self) -> bool:
        """Whether the player said that they come to the table."""
        return (self.pairing.coming_a_at if self.is_first else self.pairing.coming_b_at) is not None

    @property
    def opponent_is_coming(self) -> bool:
        return (self.pairing.coming_b_at if self.is_first else self.pairing.coming_a_at) is not None

    @property
    def has_cards(self) -> bool:
        """Whether cards were dealt there."""
        return bool(getattr(self.pairing, "has_game", False))

    @property
    def asks_to_come(self) -> bool:
        """Whether it is called and the player has not answered. Where cards lie they sit there."""
        return self.is_called and not self.is_coming and not self.is_here and not self.has_cards

    @property
    def is_sent(self) -> bool:
        """Whether its round sent the two to a table, and nobody said yet that they sit or play there."""
        pairing = self.pairing
        is_there = self.is_here or self.has_cards or pairing.began_at is not None
        return self.is_open and pairing.table is not None and pairing.called_at is None and not is_there

    @property
    def answers_by(self) -> datetime | None:
        """When the referee is told of whoever has not answered the call; None where nobody is asked."""
        at, minutes = self.pairing.called_at, self.pairing.round.stage.tournament.call_minutes
        return None if at is None or minutes is None else at + timedelta(minutes=minutes)


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

    @cached_property
    def current(self) -> Meeting | None:
        """The match to play now: of those that wait for their result the one that was called, else the earliest.

        Where matches come from the queue the one with a table, and while none has one that which is planned first.
        """
        waiting = [each for each in self.meetings if each.is_open]
        if len(waiting) < 2:
            return waiting[0] if waiting else None
        planned = self.next_match if self.is_queued and all(each.pairing.table is None for each in waiting) else None
        soonest = None if planned is None else (planned.slot.round, planned.slot.number)

        def order(each: Meeting) -> tuple[bool, bool, bool]:
            place = (each.pairing.round.number, each.pairing.number)
            return not each.is_called, self.is_queued and each.pairing.table is None, place != soonest

        return min(waiting, key=order)

    @property
    def is_queued(self) -> bool:
        """Whether matches come to tables from the queue."""
        return self.tournament.seating == Seating.QUEUE

    @cached_property
    def next_match(self) -> NextMatch | None:
        """The next match of the player that is not called yet, as it is planned; None where nothing is."""
        return next_of(stage=self.stage, entry_id=self.entry.pk)

    @cached_property
    def next_round(self) -> Slot | None:
        """When the next round begins in which nobody is paired yet, and this player will be; None where none will."""
        if self.state != "playing" or self.has_bracket or self.current is not None or self.is_last_round:
            return None
        return next_round(stage=self.stage)

    @cached_property
    def after_current(self) -> dict[str, NextMatch]:
        """Where the current match of a bracket leads: by "winner" and "loser", as far as it is planned."""
        current = self.current
        if current is None or not self.has_bracket or current.pairing.round.is_play_off:
            return {}
        return after_match(stage=self.stage, place=(current.pairing.round.number, current.pairing.number))

    def name_of_planned(self, number: int) -> Note:
        """The name of a round that may not be out yet."""
        known = self._round_names.get(number)
        return known if known is not None else names_of_rounds(stage=self.stage, numbers=[number])[number]

    @cached_property
    def planned_at(self) -> datetime | None:
        """The time the current match has, where people were told one and it is not called."""
        current = self.current
        return None if current is None else planned_times(pairings=[current.pairing]).get(current.pairing.pk)

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
