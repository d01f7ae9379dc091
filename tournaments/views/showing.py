"""What is published of a stage in the shapes the components of the templates have."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, npgettext

from tournaments.engine.formats.base import Feed
from tournaments.engine.snapshot import EntryStatus, ResultKind
from tournaments.engine.stages import Outlook
from tournaments.engine.tiebreaks import get_tiebreak
from tournaments.models import Entry, Pairing
from tournaments.models.tournament import State
from tournaments.queries.names import staff_names
from tournaments.queries.public import PublicStage, ended_at, matches_of, open_matches
from tournaments.queries.rounds import PairingRow, RoundRow
from tournaments.queries.stages import BracketCell, BracketColumn, BracketSide, StandingRow
from tournaments.views.headline import points_text, standings_title
from tournaments.words.hall import place_text
from tournaments.words.labels import COLUMNS, OUTLOOKS, RESULT_KINDS, TIEBREAKS, score_text
from tournaments.words.reasons import Names, group_letter, note_text, number_text, read_note, round_name

Component = dict[str, Any]
_CROSSTABLE_MOST = 20  # entries; a wider table of everybody against everybody is read by nobody


# --- Standings.


@dataclass(frozen=True, slots=True)
class Standings:
    """Tables for the component, one for each group with its name, or one for all without.

    `cut` says who plays on, `is_incomplete` that results are missing for it.
    """

    tables: list[tuple[str, Component]]
    cut: str
    is_incomplete: bool


def standings(public: PublicStage, *, found: Collection[int] = (), staff: bool = False) -> Standings:
    """The standings as people read them; rows of entries in `found` are marked. `staff` see every name."""
    columns = _columns(public)
    names = staff_names(public.table.names.values()) if staff else public.table.names
    groups: dict[int | None, list[StandingRow]] = {}
    for row in public.table.rows:
        groups.setdefault(row.group, []).append(row)
    tables = []
    for group in sorted(groups, key=lambda group: (group is None, group)):
        title = group_title(group, is_only=len(groups) == 1)
        shown = [_standing(public, row, columns, names, row.entry.pk in found) for row in groups[group]]
        _mark_cut(public, groups[group], shown)
        table = {
            "id": f"standings-of-{group}" if group else "standings",
            "rows_id": "standings",
            "label": f"{standings_title(public)}: {title}" if title else standings_title(public),
            "columns": [column.component for column in columns],
            "rows": shown,
        }
        tables.append((title, table))
    is_incomplete = public.tournament.state != State.FINISHED and not public.is_over
    return Standings(tables, cut_text(public), is_incomplete)


@dataclass(frozen=True, slots=True)
class WallGroup:
    """What a hall screen shows of the standings: the name of a group, "" for everybody, and its lines."""

    title: str
    lines: list[Component]


def wall(public: PublicStage) -> list[WallGroup]:
    """The standings for a hall screen, group by group: place, name, points, and what is said of playing on."""
    found = []
    for title, table in standings(public).tables:
        rows = zip(table["rows"], (row["cells"][0] for row in table["rows"]), strict=True)
        found.append(WallGroup(title, [{**row, "figure": figure["text"]} for row, figure in rows]))
    return found


def group_title(group: int | None, *, is_only: bool) -> str:
    """What stands above the table of a group; "" above the only one."""
    if group is not None:
        return _("Group {letter}").format(letter=group_letter(group))
    return "" if is_only else _("In no group")


def cut_text(public: PublicStage) -> str:
    """How many play on and what is known of it; "" where nothing is said of it."""
    cut = public.tournament.cut
    if cut is None or not public.table.rows:
        return ""
    if any(row.group for row in public.table.rows):
        text = ngettext("The best {n} of each group plays on.", "The best {n} of each group play on.", cut)
    else:
        text = ngettext("The best {n} plays on.", "The best {n} play on.", cut)
    text = text.format(n=cut)
    if public.tournament.state == State.FINISHED:
        return text
    more = _("Nobody is through for good yet: “certain” is who plays on whatever comes, “out” who cannot any more.")
    return f"{text} {more}"


OUTLOOK_STATES = {
    Outlook.CERTAIN: "done",
    Outlook.POSSIBLE: "wait",
    Outlook.OUT: "gone",
    Outlook.THROUGH: "done",
    Outlook.LEVEL: "call",
}


def outlook(row: StandingRow) -> Component | None:
    """What is said of playing on, as a state: a shape and a word; None where nothing is."""
    if not row.prospect:
        return None
    return {"state": OUTLOOK_STATES[Outlook(row.prospect)], "text": str(OUTLOOKS[row.prospect])}


def _mark_cut(public: PublicStage, rows: list[StandingRow], shown: list[Component]) -> None:
    """A line below the last who would play on as the table stands; those who left are passed over."""
    cut = public.tournament.cut
    here = [place for place, row in enumerate(rows) if row.entry.status == EntryStatus.ACTIVE and row.prospect]
    if cut is not None and not public.format.has_bracket and cut < len(here):
        shown[here[cut - 1]]["cut"] = True


@dataclass(frozen=True, slots=True)
class _Column:
    key: str
    component: Component


def _columns(public: PublicStage) -> list[_Column]:
    """Points and tie-breaks; where a format decides the places, what was won. An order among the tied has no column."""
    has_ties = _has_ties(public)
    record = COLUMNS["record_ties" if has_ties else "record"]
    bye = _(" “+ bye” is a round without an opponent.") if any(row.byes for row in public.table.rows) else ""
    found = [_Column("record", {"key": "record", "text": record.text, "help": f"{record.help}{bye}"})]
    if public.format.has_bracket:
        found.append(_Column("sets", {"key": "sets", "text": COLUMNS["sets"].text, "help": COLUMNS["sets"].help}))
        return found
    points = _Column("points", {"key": "points", "text": COLUMNS["points"].text, "help": scale_text(public)})
    ranking = [key for key in public.stage.tiebreaks if not get_tiebreak(key).among_tied]
    found[0].component["wide"] = True
    return [
        points,
        *found,
        *(
            _Column(key, {"key": key, "text": TIEBREAKS[key].text, "help": TIEBREAKS[key].help, "wide": True})
            for key in ranking
        ),
    ]


def _has_ties(public: PublicStage) -> bool:
    return public.tournament.allows_tie and public.format.allows_ties


def scale_text(public: PublicStage) -> str:
    """What a match is worth."""
    points = public.stage.points
    if _has_ties(public):
        text = _("A win is worth {win}, a tied match {tie}, a loss {loss}. A bye gives {bye} and no sets.")
    else:
        text = _("A win is worth {win}, a loss {loss}. A bye gives {bye} and no sets.")
    return text.format(**points)


def _standing(public: PublicStage, row: StandingRow, columns: list[_Column], names: Names, is_found: bool) -> Component:
    values = dict(row.values)
    rank = row.rank if row.group is None else row.place or "–"
    return {
        "id": row.entry.pk,
        "rank": "–" if row.reason[0] == "still_in" else rank,
        "name": names[row.entry.pk].display_name,
        "outlook": outlook(row),
        "me": is_found,
        "cells": [_cell(public, row, values, column) for column in columns],
        "why": _why(row, names),
    }


def _why(row: StandingRow, names: Names) -> SafeString:
    code, params = row.reason
    if code == "in_group":  # the table says which group and place
        code, params = read_note(params["why"])
    reason = note_text(code, params, names)
    if row.entry.status != EntryStatus.WITHDRAWN:
        return reason
    return format_html("{} {}", reason, _("Has left the tournament."))


def _cell(public: PublicStage, row: StandingRow, values: dict[str, Any], column: _Column) -> Component:
    wide = column.component.get("wide", False)
    if column.key == "points":
        unit = ngettext(" point", " points", row.points)
        return {"text": row.points, "strong": True, "unit": unit, "wide": wide}
    if column.key == "record":
        strong = public.format.has_bracket
        return {"text": record_text(row, with_ties=_has_ties(public)), "wide": wide, "strong": strong}
    if column.key == "sets":
        return {"text": score_text(row.sets_won, row.sets_lost), "wide": True}
    return {"text": number_text(column.key, values[column.key]) if column.key in values else "", "wide": wide}


def record_text(row: StandingRow, *, with_ties: bool) -> str:
    """Matches won and lost, tied ones between them where there can be any: "2–1 + bye"."""
    parts = (row.wins, row.ties, row.losses) if with_ties else (row.wins, row.losses)
    text = "–".join(map(str, parts))
    if not row.byes:
        return text
    return text + " + " + npgettext("beside matches won and lost", "bye", "{n} byes", row.byes).format(n=row.byes)


# --- Matches.


def watch_url(public: PublicStage, pairing: Pairing | PairingRow) -> str:
    """Where everybody may watch this match."""
    return reverse("watch", args=[public.tournament.pk, pairing.match_id])


def table_text(pairing: Pairing | PairingRow) -> str:
    """Where a match is played."""
    return place_text(pairing.table)


def match_card(public: PublicStage, pairing: PairingRow, *, lead: bool = False, is_watched: bool = False) -> Component:
    """An open match for the component: its table, both names, and the points they came with."""
    points = {row.entry.pk: row.points for row in public.table.rows}
    show = bool(public.table.counted_round) and not public.format.has_bracket

    def side(entry: Entry | None) -> Component:
        note = points_text(points[entry.pk]) if show and entry is not None and entry.pk in points else ""
        return {"name": "" if entry is None else entry.display_name, "sets": "", "note": note if lead else ""}

    return {
        "id": f"match-{pairing.match_id}",
        "href": watch_url(public, pairing) if is_watched else "",
        "place": table_text(pairing),
        "state": "wait" if pairing.table is None else "play",
        "state_text": "" if pairing.table is None else _("Being played"),
        "now": lead and pairing.table is not None,
        "lead": lead,
        "sides": [side(pairing.a), side(pairing.b)],
    }


# --- Rounds.


@dataclass(frozen=True, slots=True)
class RoundPart:
    """A round as a fold: its name, what there is to say of it, its pairings."""

    round: RoundRow
    name: str
    pairings: list[PairingRow]
    is_current: bool
    is_ahead: bool  # some of its matches can be played although the round before it is not over
    done: int
    total: int

    @property
    def is_open(self) -> bool:
        return self.done < self.total

    @property
    def ended_at(self) -> datetime | None:
        return ended_at(self.round)


def round_part(public: PublicStage, round_: RoundRow) -> RoundPart:
    """One round as the templates show it, by table, byes last."""
    pairings = sorted(round_.pairings, key=lambda p: (p.table is None, p.table or 0, p.number))
    total = len(matches_of([round_]))
    return RoundPart(
        round=round_,
        name=round_name(public.name_of(round_.number)),
        pairings=pairings,
        is_current=round_ is public.current,
        is_ahead=public.format.has_bracket and round_ is not public.current,
        done=total - len(open_matches(round_)),
        total=total,
    )


# --- Brackets.

Column = tuple[BracketColumn, list[Component]]

_PARTS = {
    "winners": gettext_lazy("Winners’ bracket"),
    "losers": gettext_lazy("Losers’ bracket"),
    "final": gettext_lazy("Grand final"),
}


@dataclass(frozen=True, slots=True)
class Bracket:
    """Trees for the component, each with its title, "" for one alone; the match for third place is beside it."""

    trees: list[tuple[str, Component]]
    third_place: Component | None
    columns: list[tuple[str, list[Component]]]


def bracket(public: PublicStage, with_games: Collection[int] = ()) -> Bracket | None:
    """The bracket as it stands; None before it is published. Matches in `with_games` lead to where they are watched."""
    columns = public.bracket
    if not columns:
        return None
    numbers = _numbers(columns)
    current = public.current.number if public.current else columns[-1].number
    rounds = [(column, [_bracket_card(column, cell, columns, numbers) for cell in column.cells]) for column in columns]
    for column, cards in rounds:
        for cell, card in zip(column.cells, cards, strict=True):
            if cell.pairing is not None and cell.pairing.match_id in with_games:
                card["href"] = watch_url(public, cell.pairing)
    third = next(((column, cards) for column, cards in rounds if column.name.code == "third_place"), None)
    trees = []
    for part in dict.fromkeys(column.part for column in columns):
        its = [each for each in rounds if each[0].part == part and each is not third]
        title = str(_PARTS[part]) if part else ""
        trees.append((title, _tree(part or "bracket", title or public.tournament.name, its, current=current)))
    return Bracket(
        trees=trees,
        third_place=None if third is None else _tree("third", public.tournament.name, [third], current=third[0].number),
        columns=[(round_name(column.name), cards) for column, cards in rounds],
    )


def _tree(key: str, label: str, rounds: list[Column], *, current: int) -> Component:
    """A tree; of its rounds the one played now is shown first on a phone, or the last one before it."""
    shown = max((column.number for column, _cards in rounds if column.number <= current), default=rounds[0][0].number)
    slots = _slots(rounds)
    sizes = [len(cards) for cards in slots]
    return {
        "key": key,
        "label": label,
        "rounds": [
            {
                "title": round_name(column.name),
                "current": column.number == shown,
                "flat": sizes[place : place + 1] == [len(cards)],
                "matches": cards,
            }
            for place, ((column, _cards), cards) in enumerate(zip(rounds, slots, strict=True), start=1)
        ],
    }


def _slots(rounds: list[Column]) -> list[list[Component | None]]:
    """The cards of each round beside the match of the next round they lead to; None where a match is missing.

    A losers' bracket of a field that fills no power of two lacks matches of its first rounds.
    """
    column, cards = rounds[-1]
    places: list[tuple[int, int] | None] = [(column.number, cell.number) for cell in column.cells]
    found: list[list[Component | None]] = [list(cards)]
    for (column, cards), (after, _cards) in zip(rounds[-2::-1], rounds[:0:-1], strict=True):
        card_of = {(column.number, cell.number): card for cell, card in zip(column.cells, cards, strict=True)}
        led = {
            (after.number, cell.number): [
                feed.place for feed in cell.feeds if feed and not feed.loser and feed.place in card_of
            ]
            for cell in after.cells
        }
        if len(card_of) > sum(map(len, led.values())):  # some lead elsewhere: as they come
            places = list(card_of)
        else:
            width = max(map(len, led.values()))
            nested = [led[place] if place else [] for place in places]
            places = [place for one in nested for place in [*one, *[None] * (width - len(one))]]
        found.append([card_of[place] if place else None for place in places])
    return found[::-1]


Numbers = dict[tuple[int, int], int]


def _numbers(columns: tuple[BracketColumn, ...]) -> Numbers:
    """Matches numbered through from the first round to the final: what "winner of match 5" speaks of."""
    cells = [(column.number, cell.number) for column in columns for cell in column.cells]
    return {place: number for number, place in enumerate(cells, start=1)}


def _bracket_card(
    column: BracketColumn, cell: BracketCell, columns: tuple[BracketColumn, ...], numbers: Numbers
) -> Component:
    match = cell.pairing.match if cell.pairing else None
    number = _("Match {n}").format(n=numbers[column.number, cell.number])
    is_played = match is not None and bool(match.kind)
    is_open = match is not None and match.is_open
    state, text = ("done", "") if is_played else ("play", _("Being played")) if is_open else ("wait", _("Waits"))
    if match is not None and match.kind:
        text = _("Finished") if match.kind == ResultKind.SCORE else str(RESULT_KINDS[match.kind].text)
    if cell.a.void or cell.b.void:
        state, text = "done", ""
    waits = is_open and cell.pairing is not None and cell.pairing.table is None
    if waits:
        state, text = "wait", ""  # its place says for what
    place = f"{number} · {table_text(cell.pairing)}" if is_open and cell.pairing else number
    return {
        "id": f"place-{column.number}-{cell.number}",
        "place": place,
        "state": state,
        "state_text": text,
        "now": is_open and not waits,
        "sides": [
            _bracket_side(side, feeder, is_played=is_played, is_first=column is columns[0])
            for side, feeder in zip((cell.a, cell.b), _feeders(cell, numbers), strict=True)
        ],
    }


def _feeders(cell: BracketCell, numbers: Numbers) -> tuple[str, str]:
    """Where the two sides of a place come from, in words; "" for a side from the seeding."""

    def told(feed: Feed | None) -> str:
        if feed is None:
            return ""
        text = _("Loser of match {n}") if feed.loser else _("Winner of match {n}")
        return text.format(n=numbers[feed.place])

    one, other = cell.feeds
    return told(one), told(other)


def _bracket_side(side: BracketSide, feeder: str, *, is_played: bool, is_first: bool) -> Component:
    if side.entry is None:
        nobody = _("Bye") if is_first else _("Nobody")
        return {"tbd": nobody if side.void else feeder or _("Not known yet"), "sets": ""}
    return {
        "name": side.entry.display_name,
        "sets": "" if side.sets is None else side.sets,
        "won": is_played and side.won,
        "out": is_played and not side.won,
        "note": _("bye") if side.bye else "",
    }


# --- Everybody against everybody.


@dataclass(frozen=True, slots=True)
class CrossRow:
    """One player's line: rank, name, and against each other player the sets, own first; None where they do not meet."""

    rank: int
    entry: Entry
    cells: list[str | None]
    points: int


def crosstable(public: PublicStage) -> list[CrossRow]:
    """A table of everybody against everybody in the order of the standings; () where not all meet, or too many do."""
    rows = public.table.rows
    if not 2 < len(rows) <= _CROSSTABLE_MOST or not public.snapshot.all_play_all:
        return []
    met: dict[tuple[int, int], list[str]] = {}
    for pairing in matches_of(round_ for round_ in public.rounds if not round_.is_play_off):
        match = pairing.match
        if match is None or pairing.b_id is None:
            continue
        sets = (match.sets_a, match.sets_b) if match.kind else None
        met.setdefault((pairing.a_id, pairing.b_id), []).append(score_text(*sets) if sets else "·")
        met.setdefault((pairing.b_id, pairing.a_id), []).append(score_text(*sets[::-1]) if sets else "·")
    return [
        CrossRow(
            rank=row.rank,
            entry=row.entry,
            cells=[
                None if other is row else ", ".join(met.get((row.entry.pk, other.entry.pk), ["·"])) for other in rows
            ],
            points=row.points,
        )
        for row in rows
    ]
