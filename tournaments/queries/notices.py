"""What is told to people, kind by kind: whether it is still so, and the names its sentence speaks of."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime

from matches.models import Submission
from tournaments.engine.snapshot import EntryStatus
from tournaments.models import Entry, Notice, Pairing, Round, Standing
from tournaments.models.roster import WAITING
from tournaments.models.tournament import State
from tournaments.queries.coming import is_held, planned_times, silent_ids


@dataclass(frozen=True, slots=True)
class NoticeKind:
    """One kind of notice. `is_still_so` asks the database whether what it says is so now: it is called just before a
    mail goes out, with the notice's entry (or link), tournament and event loaded.
    """

    key: str
    is_still_so: Callable[[Notice, datetime], bool]


def _plays(notice: Notice, now: datetime) -> bool:
    entry = notice.entry
    return entry is not None and entry.status == EntryStatus.ACTIVE and entry.tournament.state != State.FINISHED


def _waits(notice: Notice, now: datetime) -> bool:
    entry = notice.entry
    return entry is not None and entry.status == WAITING and entry.tournament.is_open_roster


def _may_check_in(notice: Notice, now: datetime) -> bool:
    entry = notice.entry
    return (
        entry is not None
        and entry.status == EntryStatus.ACTIVE
        and entry.checked_in_at is None
        and entry.tournament.state == State.CHECK_IN
    )


def _is_to_be_played(notice: Notice, now: datetime) -> bool:
    """Whether the player still sits there: the same round, table, opponent and time, published and without a result."""
    if not _plays(notice, now) or notice.entry_id is None:
        return False
    said = notice.params
    pairing = _pairing(notice.entry_id, round=said["round"])
    if pairing is None or (pairing.match is not None and not pairing.match.is_open):
        return False
    if pairing.match is None and _is_over(pairing.round):
        return False
    return pairing_facts(pairing, entry_id=notice.entry_id) == {name: said.get(name) for name in PAIRING_FACTS}


def _is_called(notice: Notice, now: datetime) -> bool:
    """Whether the player is still called to that table by that call, and has not answered."""
    if notice.entry_id is None or not _is_to_be_played(notice, now):
        return False
    pairing = _pairing(notice.entry_id, round=notice.params["round"])
    if pairing is None or pairing.called_at is None or pairing.called_at.isoformat() != notice.params["called"]:
        return False
    return notice.entry_id in silent_ids(pairing)


def _begins_soon(notice: Notice, now: datetime) -> bool:
    """Whether the match is still to begin at that time, with both players, and nobody has called it or sits there."""
    if notice.entry_id is None or not _is_to_be_played(notice, now):
        return False
    pairing = _pairing(notice.entry_id, round=notice.params["round"])
    at = None if pairing is None else planned_times(pairings=[pairing]).get(pairing.pk)
    if pairing is None or at is None or at <= now or at.isoformat() != notice.params["at"]:
        return False
    sides = (pairing.a, pairing.b)
    is_early = pairing.began_at is None and pairing.here_a_at is None and pairing.here_b_at is None
    return is_early and not is_held(pairing) and all(each and each.status == EntryStatus.ACTIVE for each in sides)


PAIRING_FACTS = ("round", "table", "opponent", "due", "bye")


def pairing_facts(pairing: Pairing, *, entry_id: int) -> dict[str, int | str | None]:
    """What a player is told of a pairing: the ids of round and opponent, the table, the instant, the kind of bye."""
    opponent = pairing.b_id if pairing.a_id == entry_id else pairing.a_id
    return {
        "round": pairing.round_id,
        "table": pairing.table,
        "opponent": opponent,
        "due": None if pairing.due_at is None else pairing.due_at.isoformat(),
        "bye": str(pairing.bye) if pairing.b_id is None else None,
    }


def _pairing(entry_id: int, **where: int) -> Pairing | None:
    """The published pairing of an entry in a round (`round=`) or of a match (`match=`)."""
    both = Pairing.objects.select_related("a", "b", "match", "round")
    found = both.filter(round__published_at__isnull=False, **where)
    return found.filter(a=entry_id).first() or found.filter(b=entry_id).first()


def _is_over(round_: Round) -> bool:
    """Whether a later round is out: who has a bye has no result that would say so."""
    return Round.objects.filter(
        stage=round_.stage_id, number__gt=round_.number, published_at__isnull=False, is_play_off=False
    ).exists()


def _seats_that_reported(notice: Notice) -> tuple[str, set[str]]:
    """The reader's seat ("" when the match is not theirs or not open), and the seats whose reports wait."""
    match_id = notice.params.get("match")
    pairing = None if match_id is None or notice.entry_id is None else _pairing(notice.entry_id, match=match_id)
    if pairing is None or pairing.match is None or not pairing.match.is_open:
        return "", set()
    mine = "a" if pairing.a_id == notice.entry_id else "b"
    return mine, set(Submission.objects.filter(match=match_id, is_waiting=True).values_list("seat", flat=True))


def _waits_for_my_word(notice: Notice, now: datetime) -> bool:
    mine, seats = _seats_that_reported(notice)
    return bool(mine) and mine not in seats and bool(seats & {"a", "b"})


def _is_disputed(notice: Notice, now: datetime) -> bool:
    mine, seats = _seats_that_reported(notice)
    return bool(mine) and {"a", "b"} <= seats


def _waits_for_the_referee(notice: Notice, now: datetime) -> bool:
    mine, seats = _seats_that_reported(notice)
    return bool(mine) and bool(seats & {"a", "b"})


def _is_the_place(notice: Notice, now: datetime) -> bool:
    entry = notice.entry
    if entry is None or entry.tournament.state != State.FINISHED:
        return False
    rank = Standing.objects.filter(entry=entry).order_by("-stage__number").values_list("rank", flat=True).first()
    return bool(rank == notice.params["place"])


def _is_invited(notice: Notice, now: datetime) -> bool:
    link = notice.link
    return link is not None and link.revoked_at is None and link.accepted_by_id is None and link.expires_at > now


NOTICES: tuple[NoticeKind, ...] = (
    NoticeKind("registered", _plays),
    NoticeKind("waiting", _waits),
    NoticeKind("promoted", _plays),
    NoticeKind("link", lambda notice, now: notice.entry is not None),
    NoticeKind("check_in_open", _may_check_in),
    NoticeKind("pairing", _is_to_be_played),
    NoticeKind("moved", _is_to_be_played),
    NoticeKind("called", _is_called),
    NoticeKind("reminder", _begins_soon),
    NoticeKind("report_waiting", _waits_for_my_word),
    NoticeKind("report_disputed", _is_disputed),
    NoticeKind("report_unanswered", _waits_for_the_referee),
    NoticeKind("finished", _is_the_place),
    NoticeKind("invited", _is_invited),
)
"""Every kind. A new one is a line here and its sentence in `tournaments.words.notices`."""

_BY_KEY = {kind.key: kind for kind in NOTICES}


def is_still_so(notice: Notice, *, now: datetime) -> bool:
    """Whether what a notice says is so now; never for a kind nobody knows (any more)."""
    kind = _BY_KEY.get(notice.kind)
    return kind is not None and kind.is_still_so(notice, now)


def with_readers(notices: Iterable[int]) -> list[Notice]:
    """Notices by id, oldest first, with everything their sentences and their being so are asked of."""
    readers = ("entry__player", "entry__tournament__event", "link__event")
    return list(Notice.objects.select_related(*readers).filter(pk__in=notices).order_by("pk"))


def current_notices(*, entry: Entry, now: datetime) -> list[Notice]:
    """What an entry was told and what is still so, the newest first: for the player's own page."""
    told = Notice.objects.filter(entry=entry, dropped_at__isnull=True).order_by("-pk")
    found = with_readers(told.values_list("pk", flat=True)[:_ON_A_PAGE])
    return [notice for notice in reversed(found) if is_still_so(notice, now=now)]


_ON_A_PAGE = 30


def names_in_notices(notices: Iterable[Notice]) -> dict[int, Entry]:
    """The opponents that notices speak of, by entry id."""
    ids = {notice.params.get("opponent") for notice in notices} - {None}
    return {entry.pk: entry for entry in Entry.objects.filter(pk__in=ids)} if ids else {}
