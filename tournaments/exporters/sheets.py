"""What of a tournament goes into a file: its standings, its pairings, its schedule, its roster."""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Iterator, Mapping
from datetime import datetime
from typing import Final

from django.utils.timezone import localtime
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from tournaments.engine.walltime import offset_text
from tournaments.exporters.base import Cell, Sheet
from tournaments.models import Event, Tournament
from tournaments.models.roster import ON_ROSTER
from tournaments.queries.public import PublicStage
from tournaments.queries.rounds import PairingRow
from tournaments.queries.schedule import ScheduleRow, rows_of
from tournaments.queries.stages import StandingRow
from tournaments.words.labels import COLUMNS, OUTLOOKS, TIEBREAKS, result_text
from tournaments.words.reasons import group_letter, note_text, round_name
from tournaments.words.schedule import STATES as SCHEDULE_STATES
from tournaments.words.schedule import side_text, why_text

_NAME_MARKS = re.compile(r"</?bdi[^>]*>")


def standings_sheet(public: PublicStage) -> Sheet:
    """The standings as they were last worked out, with every number they rest on and the reason for each place.

    Where the format decides the places, there are no points and no tie-breaks.
    """
    points = [] if public.format.has_bracket else [str(COLUMNS["points"])]
    chain = [] if public.format.has_bracket else list(public.table.tiebreaks)
    record = [_("Won"), _("Tied"), _("Lost"), _("Byes"), _("Sets won"), _("Sets lost")]
    tiebreaks = [str(TIEBREAKS[key]) for key in chain]

    groups = [_("Group"), _("Place in the group")] if any(row.group for row in public.table.rows) else []
    cut = [_("Plays on")] if any(row.prospect for row in public.table.rows) else []

    def cells(row: StandingRow) -> Iterator[Cell]:
        yield row.rank
        yield from (["" if row.group is None else group_letter(row.group), row.place] if groups else [])
        yield row.entry.display_name
        yield from [row.points] if points else []
        yield from (row.wins, row.ties, row.losses, row.byes, row.sets_won, row.sets_lost)
        values = dict(row.values)  # somebody disqualified has none
        yield from (values.get(key) for key in chain)
        yield from [str(OUTLOOKS[row.prospect]) if row.prospect else ""] if cut else []
        yield _sentence(row, public)

    return Sheet(
        title=_("Standings"),
        columns=(_("Rank"), *groups, _("Player"), *points, *record, *tiebreaks, *cut, _("Why this place")),
        rows=tuple(tuple(cells(row)) for row in public.table.rows),
    )


def _sentence(row: StandingRow, public: PublicStage) -> str:
    """The reason for a place as plain text."""
    code, params = row.reason
    return html.unescape(_NAME_MARKS.sub("", note_text(code, params, public.table.names)))


def pairings_sheet(public: PublicStage) -> Sheet:
    """Every published round with its results. In a result the sets of the player named first come first."""
    return Sheet(
        title=_("Pairings"),
        columns=(_("Round"), _("Table"), _("First player"), _("Second player"), _("Result")),
        rows=tuple(
            (round_name(public.name_of(round_.number)), *_meeting(pairing))
            for round_ in public.rounds
            for pairing in round_.pairings
        ),
    )


def _meeting(pairing: PairingRow) -> tuple[Cell, ...]:
    if pairing.b is None:
        return (None, pairing.a.display_name, "", _("Bye"))
    result = result_text(pairing.match) if pairing.match is not None else ""
    return (pairing.table, pairing.a.display_name, pairing.b.display_name, result)


def schedule_sheet(public: PublicStage) -> Sheet:
    """Every match of the plan by time, by the clocks of the venue; what has no time says why and comes last."""
    event = public.event
    return Sheet(
        title=_("Schedule"),
        columns=(
            _("Round"),
            _("Number"),
            _("Table"),
            _("Starts"),
            _("Ends"),
            _("Time zone"),
            _("First player"),
            _("Second player"),
            _("State"),
            _("Note"),
        ),
        rows=tuple(
            (
                round_name(row.name),
                row.number,
                row.table,
                _moment(row.starts_at, event),
                _moment(row.ends_at, event),
                "" if row.starts_at is None else f"{event.zone}, {offset_text(row.starts_at, event.tzinfo)}",
                side_text(row.a),
                side_text(row.b),
                str(SCHEDULE_STATES[row.state]),
                _schedule_note(row),
            )
            for row in rows_of(tournaments=[public.tournament])
            if not row.is_dropped
        ),
    )


def _schedule_note(row: ScheduleRow) -> str:
    if row.starts_at is None:
        return "" if row.is_over else why_text(row)
    return "" if row.is_sure else _("About this time: it moves with the matches before it.")


PUBLIC_SHEETS: Final[Mapping[str, Callable[[PublicStage], Sheet]]] = {
    "standings": standings_sheet,
    "pairings": pairings_sheet,
    "schedule": schedule_sheet,
}
"""The sheets everybody may have. A draft is in none of them."""


def roster_sheet(tournament: Tournament) -> Sheet:
    """The roster with its addresses, for organisers: a list that can be imported again, here or in another tournament.

    So names stand as they were given, in the order of the roster: what tells same names apart is the city, the club and
    the address beside them, as it was in the list they came from.
    """
    entries = tournament.entries.filter(ON_ROSTER).select_related("player").order_by("pk")
    return Sheet(
        title=_("Roster"),
        # Every translation of the first five has to be a word that lists are imported by.
        columns=(
            pgettext("column of an imported list", "Name"),
            pgettext("column of an imported list", "City"),
            pgettext("column of an imported list", "Club"),
            pgettext("column of an imported list", "Rating"),
            pgettext("column of an imported list", "E-mail"),
            _("Checked in"),
        ),
        rows=tuple(
            (
                entry.name,
                entry.city,
                entry.club,
                entry.rating,
                entry.player.email,
                _moment(entry.checked_in_at, tournament.event),
            )
            for entry in entries
        ),
    )


def _moment(instant: datetime | None, event: Event) -> str:
    """An instant by the clocks of the venue: "2027-05-22 14:20"."""
    return "" if instant is None else f"{localtime(instant, event.tzinfo):%Y-%m-%d %H:%M}"
