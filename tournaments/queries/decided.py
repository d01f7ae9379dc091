"""Results as the desk looks through them: what is decided, who entered it, and what may still be taken back."""

from __future__ import annotations

from collections.abc import Iterable

from django.db.models import Prefetch

from matches.models import Submission
from players.engine import fold_name
from tournaments.engine.formats import get_format
from tournaments.models import Pairing, Round, Stage, Tournament


def decided_pairings(*, tournament: Tournament) -> list[Pairing]:
    """Matches with a result, the newest round first; each match has its confirmed submission in `confirmed`."""
    confirmed = Prefetch("match__submissions", Submission.objects.filter(is_confirmed=True), to_attr="confirmed")
    found = (
        Pairing.objects.filter(round__stage__tournament=tournament, match__isnull=False, match__is_void=False)
        .exclude(match__kind="")
        .select_related("a", "b", "match", "round__stage")
        .prefetch_related(confirmed)
        .order_by("-round__number", "table", "number")
    )
    return list(found)


def like(pairings: Iterable[Pairing], *, text: str) -> list[Pairing]:
    """Those of a table's number or of somebody's name, in any letter case; all for an empty text."""
    wanted = fold_name(text)
    if not wanted:
        return list(pairings)
    return [pairing for pairing in pairings if str(pairing.table) == wanted or _has_name(pairing, wanted)]


def _has_name(pairing: Pairing, wanted: str) -> bool:
    return any(side is not None and wanted in fold_name(side.staff_name) for side in (pairing.a, pairing.b))


def round_to_take_back(*, stage: Stage) -> Round | None:
    """The last published round, while it waits for a look and has no result yet."""
    last = stage.rounds.filter(published_at__isnull=False, is_play_off=False).order_by("-number").first()
    if last is None or not get_format(stage.format).needs_draft(last.number):
        return None
    return None if last.pairings.filter(match__isnull=False).exclude(match__kind="").exists() else last
