"""What comes next, as pages say it: when and where a match is expected, and against whom."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from django.http import HttpRequest
from django.utils import timezone
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from players.permissions import Actor, Refused
from players.words import person
from tournaments.actions import coming
from tournaments.models import Entry, Pairing
from tournaments.models.tournament import Seating, State
from tournaments.queries.coming import NotComing, is_called
from tournaments.queries.next_up import NextMatch, Side, at_tables, next_matches, round_to_begin
from tournaments.queries.public import PublicStage
from tournaments.queries.schedule import rounded
from tournaments.words.reasons import round_name

Named = Callable[[Entry], str]
"""The name of an entry as the readers of a page may see it."""


@dataclass(frozen=True, slots=True)
class ShownNext:
    """A match to come. `at` is rounded unless it `is_said` to people; `table` is only likely unless `is_place_said`.

    `a` and `b` are the two sides, `against` the reader's opponent, where there is a reader: HTML.
    """

    pk: int
    at: datetime | None
    is_said: bool
    table: int | None
    is_place_said: bool
    is_held: bool
    a: SafeString
    b: SafeString
    against: SafeString


def public_name(entry: Entry) -> str:
    """The name everybody may see."""
    return entry.display_name


def staff_name(entry: Entry) -> str:
    """The name staff see."""
    return entry.staff_name


def shown_next(
    found: NextMatch, *, name: Named, reader: int | None = None, coming_from: tuple[int, int] | None = None
) -> ShownNext:
    """A match to come in words. `reader` is the entry whose own page it is for; with `coming_from` they get there from
    that match, (round, number).
    """
    opponent = None
    if coming_from is not None:
        opponent = found.opponent_from(coming_from)
    elif reader is not None:
        opponent = found.opponent_of(reader)
    slot = found.slot
    at = slot.starts_at
    is_said = slot.has_time and slot.note != "late"  # what was told and cannot be kept is only expected
    return ShownNext(
        pk=slot.pk,
        at=at if at is None or is_said else rounded(at),
        is_said=is_said,
        table=slot.table,
        is_place_said=slot.has_place,
        is_held=slot.held_since is not None,
        a=_side(found.a, name),
        b=_side(found.b, name),
        against=SafeString("") if opponent is None else against(opponent, name),
    )


# --- Calls to a table, for staff. What is done is told as a sentence, "" where the page says enough.


@dataclass(frozen=True, slots=True)
class CalledSide:
    """One of two who are called, and what they said: here, coming or silent. `is_late`: their time is over."""

    entry: Entry
    said: str
    is_late: bool


@dataclass(frozen=True, slots=True)
class CalledMatch:
    """A match that is called, as staff see it, with the addresses of what can be done; "" for what cannot there.

    `sides` has both, and where nobody is asked to answer those who did. `is_asked`: somebody may be called again.
    """

    called_at: datetime
    sides: tuple[CalledSide, ...]
    is_asked: bool
    coming_url: str
    again_url: str
    back_url: str
    begun_url: str

    @property
    def is_late(self) -> bool:
        """Whether somebody's time to answer is over."""
        return any(side.is_late for side in self.sides)


def called_match(
    pairing: Pairing, *, late: NotComing | None, url: Callable[[str, int], str], can_begin: bool = False
) -> CalledMatch | None:
    """The call of a match; None where it is not called. `url` has the address of an act at a match.

    With `can_begin` also that of saying that the two play, where the page has no other place for it.
    """
    match_id = pairing.match_id
    if not is_called(pairing) or pairing.called_at is None or match_id is None:
        return None
    silent = () if late is None else tuple(entry.pk for entry in late.silent)
    sides = []
    for entry, here, comes in (
        (pairing.a, pairing.here_a_at, pairing.coming_a_at),
        (pairing.b, pairing.here_b_at, pairing.coming_b_at),
    ):
        if entry is not None:
            sides.append(CalledSide(entry, "here" if here else "coming" if comes else "silent", entry.pk in silent))
    tournament = pairing.round.stage.tournament
    begins = can_begin and tournament.no_show_minutes is None
    asks = tournament.call_minutes is not None
    return CalledMatch(
        called_at=pairing.called_at,
        sides=tuple(side for side in sides if asks or side.said != "silent"),
        is_asked=any(side.said == "silent" for side in sides),
        coming_url=url("coming", match_id),
        again_url=url("again", match_id),
        back_url=url("back", match_id),
        begun_url=url("begun", match_id) if begins else "",
    )


def press_coming(request: HttpRequest, pairing: Pairing, actor: Actor) -> str | Refused:
    """A player of the match comes, or with an empty `coming` does not after all."""
    said = request.POST.get("entry", "")
    sides = {str(side.pk): side for side in (pairing.a, pairing.b) if side is not None}
    if said not in sides or pairing.match_id is None:
        return Refused("no_open_match")
    comes = bool(request.POST.get("coming"))
    outcome = coming.say_coming(
        entry_id=sides[said].pk, match_id=pairing.match_id, coming=comes, by=actor, now=timezone.now()
    )
    return outcome if isinstance(outcome, Refused) else ""


def press_again(request: HttpRequest, pairing: Pairing, actor: Actor) -> str | Refused:
    """Whoever has not answered the call that the page shows, `called`, is called once more."""
    if pairing.match_id is None:
        return Refused("no_open_match")
    known = pairing.called_at
    if known is not None and request.POST.get("called", known.isoformat()) != known.isoformat():
        return ""  # somebody has called them meanwhile
    outcome = coming.call_again(match_id=pairing.match_id, called_at=known, by=actor, now=timezone.now())
    return outcome if isinstance(outcome, Refused) else _("Called again. Whoever has not answered is told.")


def press_back(pairing: Pairing, actor: Actor) -> str | Refused:
    """The match gives its table back and is held."""
    if pairing.match_id is None:
        return Refused("no_open_match")
    outcome = coming.put_back(match_id=pairing.match_id, by=actor, now=timezone.now())
    if isinstance(outcome, Refused):
        return outcome
    return _("Put back: the match waits until an organiser releases it or it is given a table. Both players are told.")


# --- The screen on the wall.

_SIZES = (1, 2, 4, 6, 12, 24)  # matches that are called; each has its own columns and letters
_ROOM = {1: 6, 2: 6, 4: 6, 6: 4, 12: 4, 24: 3}  # matches to come that find room below them
_PLAYING = 12


@dataclass(frozen=True, slots=True)
class WallQueue:
    """What a wall shows of a queue: `size` says how large, `total` how many are played, also such as are not shown.

    `alone`: there is nothing else to show, for nobody has a table of the round.
    """

    called: tuple[Pairing, ...]
    size: int
    playing: tuple[Pairing, ...]
    total: int
    ups: tuple[ShownNext, ...]
    alone: bool

    @property
    def is_shown(self) -> bool:
        return self.alone or bool(self.called)


def wall_queue(public: PublicStage, *, now: datetime) -> WallQueue | None:
    """Who is called, who plays, who is next; None where there is no such thing: before the start, and at the end.

    Where rounds get their tables together, it is those who waited for one alone.
    """
    tournament = public.tournament
    if tournament.state != State.RUNNING:
        return None
    is_queued = tournament.seating == Seating.QUEUE
    found = at_tables(stage=public.stage, now=now, most_called=_SIZES[-1])
    size = next(size for size in _SIZES if len(found.called) <= size)
    ups = next_matches(stages=[public.stage.pk], most=_ROOM[size]) if is_queued else []
    playing = found.playing if is_queued and size <= _PLAYING // 2 else ()  # who is called comes first
    return WallQueue(
        called=found.called,
        size=size,
        playing=playing[:_PLAYING],
        total=len(playing),
        ups=tuple(shown_next(each, name=public_name) for each in ups),
        alone=is_queued and bool(found.called or found.playing or ups),
    )


def wall_round(public: PublicStage, *, now: datetime) -> tuple[str, ShownNext] | None:
    """The name of the round that is to begin and when, for the wall of a tournament whose rounds begin together."""
    tournament = public.tournament
    if tournament.state != State.RUNNING or tournament.seating == Seating.QUEUE:
        return None
    current = public.current
    if current is not None and (current.clock is not None or current.told_at is not None):
        return None  # it has begun
    slot = round_to_begin(stage=public.stage, now=now)
    if slot is None:
        return None
    return round_name(public.name_of(slot.round)), shown_next(NextMatch(slot, Side(None), Side(None)), name=public_name)


def _match(side: Side, name: Named) -> SafeString:
    first, second = side.of
    return format_html("{} / {}", person(name(first)), person(name(second)))


def _side(side: Side, name: Named) -> SafeString:
    if side.entry is not None:
        return format_html("{}", person(name(side.entry)))
    if not side.of:
        return format_html("{}", _("not known yet"))
    said = _("loser of {match}") if side.loser else _("winner of {match}")
    return format_html(said, match=_match(side, name))


def against(side: Side, name: Named) -> SafeString:
    """Whom a player meets, as the end of a line: "against Ann", "against the winner of Bo – Cem"."""
    if side.entry is not None:
        return format_html(_("against {name}"), name=person(name(side.entry)))
    if not side.of:
        return format_html("{}", _("against somebody who is not known yet"))
    said = _("against the loser of {match}") if side.loser else _("against the winner of {match}")
    return format_html(said, match=_match(side, name))
