"""What templates of tournaments say in words: notes of the engine, labels of keys, times at the venue, names."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from datetime import datetime
from functools import cache

from babel.dates import format_date, get_day_names, get_timezone_location
from django import template
from django.conf import settings
from django.urls import reverse
from django.utils.formats import date_format
from django.utils.html import conditional_escape, format_html
from django.utils.safestring import SafeString
from django.utils.timezone import localtime
from django.utils.translation import get_language, to_locale
from django.utils.translation import gettext as _

from players.words import lang_of
from tournaments.engine.walltime import comes_twice, offset_text
from tournaments.models import Event
from tournaments.queries.rounds import PairingRow
from tournaments.words import labels, reasons
from tournaments.words.hall import place_text

register = template.Library()


@register.filter
def note(stored: reasons.StoredNote | None, names: reasons.Names) -> SafeString:
    """The sentence for a note, as it is stored or as the engine makes it: `{{ row.reason|note:table.names }}`."""
    if not stored:
        return SafeString("")
    code, params = reasons.read_note(stored)
    return reasons.note_text(code, params, names)


@register.filter
def round_name(stored: reasons.StoredNote) -> str:
    """What a round is called: `{{ column.name|round_name }}`."""
    return reasons.round_name(stored)


@register.filter
def group_letter(number: int) -> str:
    """What a group is called, by its number from 1: `{{ row.group|group_letter }}`."""
    return reasons.group_letter(number)


@register.filter
def label(key: str, kind: str) -> str:
    """What a stored key is called: `{{ stage.format|label:"format" }}`."""
    return str(labels.label_of(kind, key).text)


@register.filter
def venue_time(instant: datetime | None, event: Event) -> SafeString:
    """An instant by the clocks of the venue: "14:20"; with its weekday where the event has several days.

    The element carries the venue's zone and city, so that a page may add it for a reader who is elsewhere. Of a time
    that comes twice, for the clocks go back, it is said how far it is from UTC.
    """
    if instant is None:
        return SafeString("")
    there = localtime(instant, event.tzinfo)
    text = _clock_text(there, event)
    if not event.starts_on <= there.date() <= event.ends_on:
        text = f"{date_format(there, 'j E')}, {text}"
    elif event.starts_on != event.ends_on:
        text = f"{get_day_names('abbreviated', locale=_locale())[there.weekday()]} {text}"
    return _time(there, event, text, format_html(' data-city="{}"', zone_name(event.zone)))


@register.filter
def venue_day(instant: datetime | None, event: Event) -> SafeString:
    """An instant somebody may plan a journey by: "Sat 24 Oct, 11:00, Berlin".

    The element carries words for what a reader's own clock shows then, who is elsewhere.
    """
    if instant is None:
        return SafeString("")
    there = localtime(instant, event.tzinfo)
    day = format_date(there, "EEE d MMM", locale=_locale())
    text = f"{day}, {_clock_text(there, event)}, {zone_name(event.zone)}"
    return _time(there, event, text, format_html(' data-yours="{}"', _("{time} your time")))


def _clock_text(there: datetime, event: Event) -> str:
    text = f"{there:%H:%M}"
    return f"{text} ({offset_text(there, event.tzinfo)})" if comes_twice(there, event.tzinfo) else text


def _time(there: datetime, event: Event, text: str, elsewhere: SafeString) -> SafeString:
    """The element of an instant at the venue; `elsewhere` is what a reader elsewhere has to be told yet."""
    return format_html(
        '<time datetime="{}" data-zone="{}"{}>{}</time>',
        there.isoformat(timespec="seconds"),
        event.zone,
        elsewhere,
        text,
    )


@register.filter
def venue_clock(instant: datetime, event: Event) -> str:
    """An instant of today by the clocks of the venue, to the second: "14:20:05"."""
    return f"{localtime(instant, event.tzinfo):%H:%M:%S}"


@register.filter
def name(person: object) -> SafeString:
    """A name on its own, as the component shows it; in running text use `person`."""
    return format_html('<bdi class="name"{}>{}</bdi>', _lang(person), person)


def _lang(person: object) -> SafeString:
    lang = lang_of(person)
    return format_html(' lang="{}"', lang) if lang else SafeString("")


@register.simple_tag(takes_context=True)
def live(context: template.Context, region: str, updated: str) -> SafeString:
    """The attributes that make an element a live region of a LivePage: `<section {% live "standings" words %}>`."""
    page = context["live"]
    return format_html(
        'data-live="{}" data-src="{}" data-version="{}" data-updated="{}"',
        " ".join(page.topics),
        page.src(region),
        page.tag,
        updated,
    )


@register.filter
def zone_name(zone: str) -> str:
    """A zone as people say it in the reader's language: "Riga", or "Рига", of "Europe/Riga"."""
    return _city(zone, _locale())


@cache
def _city(zone: str, locale: str) -> str:
    return get_timezone_location(zone, locale=locale, return_city=True)


def _locale() -> str:
    """The reader's language as Babel calls it. Django's own names of days are those at the start of a sentence."""
    return to_locale(get_language() or settings.LANGUAGE_CODE)


@register.filter
def result(match: labels.Ended) -> str:
    """How a match ended: "3–1", "3–0, walkover"; "" while it is open."""
    return labels.result_text(match)


@register.simple_tag
def pairing_lines(
    pairings: Iterable[PairingRow],
    names: reasons.Names,
    people: Mapping[int, SafeString],
    with_games: Collection[int | None] = (),
) -> SafeString:
    """The pairings of a round as items of a list, a line each: the two and how it ended, or where they sit.

    `people` are the names of all entries as HTML, by id; `with_games` are matches that can be looked at. There may be
    thousands of lines on a page, and a template takes several times as long for each.
    """
    told: dict[tuple[str, int, int], str] = {}
    return SafeString("".join(_pairing_line(pairing, names, people, told, with_games) for pairing in pairings))


def _pairing_line(
    pairing: PairingRow,
    names: reasons.Names,
    people: Mapping[int, str],
    told: dict[tuple[str, int, int], str],
    with_games: Collection[int | None],
) -> str:
    a, match = people[pairing.a_id], pairing.match
    if pairing.b_id is None:
        why = note(pairing.why, names) if pairing.why else conditional_escape(_("Bye"))
        said = f'<span>{a}<br><span class="soft small">{why}</span></span>'
    else:
        b = people[pairing.b_id]
        if match is not None and match.kind:
            a, b = (f"<b>{name}</b>" if match.winner == side else name for side, name in (("a", a), ("b", b)))
            key = (match.kind, match.sets_a, match.sets_b)
            if key not in told:
                told[key] = f"<b>{conditional_escape(labels.result_text(match))}</b>"
            ended = _linked(pairing, told[key], with_games)
        else:
            place = place_text(pairing.table)
            ended = f'<span class="st play">{_linked(pairing, conditional_escape(place), with_games)}</span>'
        said = f"<span>{a} – {b}</span>{ended}"
    return f'<li id="pairing-{pairing.pk}">{said}</li>\n'


def _linked(pairing: PairingRow, html: str, with_games: Collection[int | None]) -> str:
    """The same as a link to where the match can be looked at, where it can."""
    if pairing.match_id not in with_games:
        return html
    return f'<a href="{reverse("watch", args=[pairing.a.tournament_id, pairing.match_id])}">{html}</a>'


@register.simple_tag
def score(first: int, second: int) -> str:
    """The sets of both sides: `{% score match.sets_a match.sets_b %}`."""
    return labels.score_text(first, second)


@register.filter
def place(number: int | None) -> str:
    """Where a match is played: `{{ pairing.table|place }}`."""
    return place_text(number)


@register.filter
def table_ranges(tables: list[int]) -> str:
    """Table numbers as people say them: "tables 4 to 10, 12"."""
    runs: list[list[int]] = []
    for table in sorted(tables):
        if runs and table == runs[-1][-1] + 1:
            runs[-1].append(table)
        else:
            runs.append([table])
    said = [str(run[0]) if len(run) == 1 else _("{first} to {last}").format(first=run[0], last=run[-1]) for run in runs]
    text = _("table {tables}") if len(tables) == 1 else _("tables {tables}")
    return text.format(tables=", ".join(said))


@register.filter
def days(event: Event) -> str:
    """The days of an event: "22 May 2027", "22–23 May 2027", "30 May – 1 June 2027"."""
    first, last = event.starts_on, event.ends_on
    end = date_format(last, "j E Y")
    if first == last:
        return end
    if (first.year, first.month) == (last.year, last.month):
        return f"{first.day}–{end}"
    start = date_format(first, "j E" if first.year == last.year else "j E Y")
    return f"{start} – {end}"
