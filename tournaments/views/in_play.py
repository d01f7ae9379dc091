"""What can happen to a player while the tournament is played, in words, as far as it is possible now."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.urls import reverse
from django.utils.translation import gettext as _

from tournaments.engine.formats import get_format
from tournaments.engine.snapshot import EntryStatus
from tournaments.forms.players import ActForm
from tournaments.models import Entry, Pairing, Tournament
from tournaments.models.tournament import State
from tournaments.queries.desk import current_stage
from tournaments.queries.seats import came_late, replaced_by

Link = dict[str, str]


@dataclass(frozen=True, slots=True)
class InPlay:
    """A form of the acts there are, where there are any, and links to those that need a page of their own."""

    form: ActForm | None
    to: str
    links: list[Link]


def in_play(*, tournament: Tournament, entry: Entry, data: Any = None) -> InPlay:
    """What can be done about a player now."""
    acts = _acts(entry) if tournament.state == State.RUNNING else []
    return InPlay(
        form=ActForm(data, acts=acts) if acts else None,
        to=reverse("entry_act", args=[tournament.pk, entry.pk]),
        links=_links(tournament, entry),
    )


def _acts(entry: Entry) -> list[tuple[str, str]]:
    if entry.seed is None:
        return [("let_in", _("Comes in now, if there is a place: the draft is paired again"))]
    found = {
        EntryStatus.ACTIVE: [("withdraw", _("Leaves: keeps results and place, and is not paired any more"))],
        EntryStatus.WITHDRAWN: [("return", _("Is back: paired again from the next round on"))],
        EntryStatus.DISQUALIFIED: [("reinstate", _("The disqualification is taken back"))],
    }[EntryStatus(entry.status)]
    if entry.status != EntryStatus.DISQUALIFIED:
        found.append(("disqualify", _("Is disqualified: in no place; what was played stands for the opponents")))
    if not _has_result(entry):
        if came_late(entry=entry) is not None:
            found.append(("take_out", _("Is taken out again, as if they had not come late")))
        if (line := replaced_by(entry=entry)) is not None:
            text = _("The place goes back to {name}").format(name=f"\u2068{line.before['name']}\u2069")
            found.append(("undo_replacement", text))
    return found


def _has_result(entry: Entry) -> bool:
    decided = Pairing.objects.filter(match__isnull=False).exclude(match__kind="")
    return decided.filter(a=entry).exists() or decided.filter(b=entry).exists()


def _links(tournament: Tournament, entry: Entry) -> list[Link]:
    found = []
    is_running = tournament.state == State.RUNNING
    if is_running and entry.seed is not None and not _has_result(entry):
        href = reverse("entry_replace", args=[tournament.pk, entry.pk])
        found.append({"text": _("Somebody else plays in this place"), "href": href})
    can_ask = get_format(current_stage(tournament=tournament).format).gives_asked_byes
    if can_ask and (tournament.is_open_roster or (is_running and entry.seed is not None)):
        href = reverse("entry_byes", args=[tournament.pk, entry.pk])
        found.append({"text": _("Rounds this player does not play in"), "href": href})
    return found
