"""What typing from paper slips asks: which rounds are played, and which match a slip is of."""

from __future__ import annotations

from matches.models import Submission
from tournaments.models import Pairing, Round, Stage


def rounds_on_paper(*, stage: Stage) -> tuple[list[Round], frozenset[int]]:
    """Published rounds of a stage, those with open matches first, each group in order; and the ids of the open ones."""
    published = list(stage.rounds.filter(published_at__isnull=False).order_by("number"))
    waiting = Pairing.objects.filter(round__in=published, match__kind="", match__is_void=False)
    open_ones = frozenset(waiting.values_list("round", flat=True))
    return sorted(published, key=lambda round_: round_.pk not in open_ones), open_ones


def pairing_of_slip(*, stage: Stage, round_id: int, table: int, key: str) -> Pairing | None:
    """The match at this table in this round: the one sent under this key before, else the open one, else the newest.

    A table of a bracket may see several matches of one round, one after the other.
    """
    found = list(
        Pairing.objects.filter(
            round=round_id, round__stage=stage, round__published_at__isnull=False, table=table, match__is_void=False
        )
        .select_related("a", "b", "match", "round__stage__tournament")
        .order_by("-match_id")
    )
    sent = Submission.objects.filter(key=key).values_list("match_id", flat=True).first()
    wanted = [pairing for pairing in found if pairing.match_id == sent]
    still_open = [pairing for pairing in found if pairing.match is not None and pairing.match.is_open]
    return next(iter([*wanted, *still_open, *found]), None)
