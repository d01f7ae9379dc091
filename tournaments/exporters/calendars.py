"""What is in the calendars of an event, a tournament, a table and a player."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC

from django.conf import settings
from django.urls import reverse
from django.utils.translation import gettext as _

from tournaments.exporters.ical import Appointment, Calendar, Status
from tournaments.models import Entry, Event
from tournaments.queries.schedule import Glimpse, ScheduleRow, rows_of, where_tables_are
from tournaments.words.reasons import round_name
from tournaments.words.schedule import side_text, state_of, table_text


def event_calendar(seen: Glimpse) -> Calendar:
    """Every match of an event, and the start of each tournament that has not begun."""
    rows = rows_of(tournaments=seen.tournaments)
    return _calendar(seen.event, seen.event.name, [*_starts(seen), *_matches(seen, rows)])


def tournament_calendar(seen: Glimpse) -> Calendar:
    """Every match of a tournament, and its start as long as it has not begun."""
    rows = rows_of(tournaments=seen.tournaments)
    name = f"{seen.tournaments[0].name} · {seen.event.name}"
    return _calendar(seen.event, name, [*_starts(seen), *_matches(seen, rows)])


def table_calendar(seen: Glimpse, table: int) -> Calendar:
    """Every match of an event at one table; a match that moves away is no longer in it."""
    rows = [row for row in rows_of(tournaments=seen.tournaments) if row.table == table]
    name = f"{_('Table {n}').format(n=table)} · {seen.event.name}"
    return _calendar(seen.event, name, _matches(seen, rows))


def own_calendar(seen: Glimpse, entry: Entry) -> Calendar:
    """The matches of one player as far as it is known that they play, under the names their own page has."""
    rows = rows_of(tournaments=seen.tournaments, entry=entry.pk)
    return _calendar(seen.event, f"{entry.staff_name} · {seen.event.name}", _matches(seen, rows, own=entry))


def _calendar(event: Event, name: str, appointments: list[Appointment]) -> Calendar:
    return Calendar(name=name, zone=event.zone, appointments=appointments)


def _starts(seen: Glimpse) -> list[Appointment]:
    return [
        Appointment(
            uid=_uid(seen.event, f"start-{each.pk}"),
            starts_at=each.starts_at,
            ends_at=None,
            summary=_("Start: {tournament}").format(tournament=each.name),
            location=seen.event.place,
            url=f"{settings.PUBLIC_URL}{each.get_absolute_url()}",
            status=Status.CONFIRMED,
            sequence=seen.asked,
            changed_at=seen.planned_at or seen.event.created_at,
        )
        for each in seen.tournaments
        if each.is_open_roster and each.starts_at is not None
    ]


def _matches(seen: Glimpse, rows: list[ScheduleRow], *, own: Entry | None = None) -> list[Appointment]:
    """What has a time, in order of time. What is dropped stays, as called off."""
    where = where_tables_are(event=seen.event)
    with_tournament = len(seen.tournaments) > 1
    return [
        _match(seen.event, row, where, with_tournament=with_tournament, own=own)
        for row in rows
        if row.starts_at is not None
    ]


def _match(
    event: Event, row: ScheduleRow, where: Mapping[int, str], *, with_tournament: bool, own: Entry | None
) -> Appointment:
    assert row.starts_at is not None  # noqa: S101 - of rows with a time alone
    what = f"{row.tournament.name}, {round_name(row.name)}" if with_tournament else round_name(row.name)
    names = [own.staff_name if own is not None and side.entry == own else side_text(side) for side in row.sides]
    status = Status.CONFIRMED if row.is_sure else Status.TENTATIVE
    return Appointment(
        uid=_uid(event, f"match-{row.stage}-{row.round}-{row.number}"),
        starts_at=row.starts_at,
        ends_at=row.ends_at,
        summary=what if row.is_open_on_both_sides else f"{' – '.join(names)} ({what})",
        location=", ".join(part for part in (*_place(row, where), event.place) if part),
        description="\n".join(_described(row)),
        url=f"{settings.PUBLIC_URL}{reverse('schedule', args=[row.tournament.pk])}#slot-{row.pk}",
        status=Status.CANCELLED if row.is_dropped else status,
        sequence=row.sequence,
        changed_at=row.changed_at,
        is_own=own is not None,
    )


def _place(row: ScheduleRow, where: Mapping[int, str]) -> tuple[str, ...]:
    if row.table is None:
        return ()
    return table_text(row.table, is_sure=row.has_place), where.get(row.table, "")


def _described(row: ScheduleRow) -> list[str]:
    lines = [f"{row.tournament.name}, {round_name(row.name)}"]
    if row.is_dropped:
        return [*lines, _("Will not be played.")]
    if text := state_of(row)[1]:
        lines.append(text)
    if not row.is_sure:
        lines.append(_("About this time: it moves with the matches before it."))
    return lines


def _uid(event: Event, what: str) -> str:
    """An id that no time, table or name changes, and that no other installation has."""
    return f"{what}@event-{event.pk}-{event.created_at.astimezone(UTC):%Y%m%dT%H%M%S}.cantina"
