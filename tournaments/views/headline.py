"""The state of a tournament in words: its headline, the sentence below it, the bar of steps, the podium."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import takewhile

from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from players.words import person
from tournaments.models import Entry
from tournaments.models.tournament import State
from tournaments.queries.public import PublicStage, matches_of, open_matches
from tournaments.queries.stages import StandingRow
from tournaments.words.reasons import after_round, being_played, is_finished, people, round_name

_NAMED = 3  # people named in a sentence; more are counted
_PODIUM = 3
_STEPS = 9  # rounds shown one by one in the bar


@dataclass(frozen=True, slots=True)
class Headline:
    """`title` says where the tournament stands, `lede` what is going on, `steps` are as the component has them."""

    title: SafeString
    lede: SafeString
    steps: list[dict[str, str]]
    players: int


def headline_of(public: PublicStage) -> Headline:
    """The words for a tournament's state, the same on every page that tells it."""
    title, sentences = _told(public)
    players = len(public.roster if public.tournament.is_open_roster else public.snapshot.entries)
    return Headline(title, _joined(sentences), _steps(public), players)


def _joined(sentences: list[SafeString]) -> SafeString:
    return format_html_join(" ", "{}", ((sentence,) for sentence in sentences if sentence))


def _told(public: PublicStage) -> tuple[SafeString, list[SafeString]]:
    state = public.tournament.state
    if state == State.FINISHED:
        return _winner(public), [_runners_up(public), _played(public)]
    if state == State.RUNNING:
        return _running(public)
    players = len(public.roster)
    many = _text(ngettext("{n} player is on the roster.", "{n} players are on the roster.", players), n=players)
    if state == State.CHECK_IN:
        where = _("Tell the entry desk that you are here.")
        if public.tournament.self_check_in:
            where = _("Say that you are here: on your own page, or at the entry desk.")
        return _text(_("Check-in is open")), [many, _text(where)]
    return _text(_("The roster is open")), [many, _text(_("Whoever is checked in when it starts, plays."))]


def _running(public: PublicStage) -> tuple[SafeString, list[SafeString]]:
    current = public.current
    if not public.rounds:
        return _text(_("The first round is being paired")), [_field(public)]
    if current is None:
        if public.is_over:
            close = _text(_("The places stand as soon as the organiser closes the tournament."))
            return _text(_("Everything is played")), [_leaders(public), close]
        last = public.snapshot.last_round
        coming = _text(_("{round} comes next."), round=round_name(public.name_of(last + 1)))
        title = is_finished(public.name_of(last), planned=public.planned)
        return _text("{}", title), [_leaders(public), coming]
    title = being_played(public.name_of(current.number), planned=public.planned)
    leading = _still_in(public) if public.format.has_bracket else _leaders(public)
    if current.is_play_off and public.format.has_bracket:
        leading = SafeString("")
    return _text("{}", title), [leading, _progress(public)]


def _field(public: PublicStage) -> SafeString:
    players = len(public.snapshot.entries)
    return _text(ngettext("{n} player has started.", "{n} players have started.", players), n=players)


def _progress(public: PublicStage) -> SafeString:
    """How far the round is that is played now."""
    if public.current is None:
        return SafeString("")
    total = len(matches_of([public.current]))
    done = total - len(open_matches(public.current))
    if not done:
        return _text(_("No match of this round is finished yet."))
    text = ngettext("{done} of {total} match is finished.", "{done} of {total} matches are finished.", total)
    return _text(text, done=done, total=total)


def _leaders(public: PublicStage) -> SafeString:
    """Who leads on points, and whether two who do meet now."""
    rows = public.table.rows
    if not rows or not public.table.counted_round or not rows[0].points:
        return SafeString("")
    points = rows[0].points
    leaders = [row.entry for row in takewhile(lambda row: row.points == points, rows)]
    if len(leaders) > _NAMED:
        text = ngettext("{n} players lead with {points} point.", "{n} players lead with {points} points.", points)
        return _text(text, n=len(leaders), points=points)
    names = people([person(entry.display_name) for entry in leaders])
    if len(leaders) == 1:
        text = ngettext("{names} leads with {points} point.", "{names} leads with {points} points.", points)
        return _text(text, names=names, points=points)
    table = _common_table(public, leaders)
    if table is not None:
        text = ngettext(
            "{names} lead with {points} point and meet now at table {table}.",
            "{names} lead with {points} points and meet now at table {table}.",
            points,
        )
        return _text(text, names=names, points=points, table=table)
    text = ngettext("{names} lead with {points} point.", "{names} lead with {points} points.", points)
    return _text(text, names=names, points=points)


def _common_table(public: PublicStage, leaders: list[Entry]) -> int | None:
    """The table at which two leaders meet now."""
    if len(leaders) != 2:
        return None
    ids = {entry.pk for entry in leaders}
    return next((p.table for p in public.to_play if {p.a_id, p.b_id} == ids), None)


def _still_in(public: PublicStage) -> SafeString:
    total = len(public.snapshot.entries)
    out = sum(1 for row in public.table.rows if row.reason[0] != "still_in")
    if not out:
        return _text(ngettext("{n} player is in the bracket.", "{n} players are in the bracket.", total), n=total)
    left = total - out
    return _text(ngettext("{n} of {total} is still in.", "{n} of {total} are still in.", left), n=left, total=total)


def _winner(public: PublicStage) -> SafeString:
    first = [row.entry for row in public.table.rows if row.rank == 1]
    if not first:
        return _text(_("Nobody won"))
    if len(first) > _NAMED:
        return _text(
            ngettext("{n} player shares first place", "{n} players share first place", len(first)), n=len(first)
        )
    names = people([person(entry.display_name) for entry in first])
    return _text(_("{names} share first place") if len(first) > 1 else _("{names} wins"), names=names)


def _runners_up(public: PublicStage) -> SafeString:
    """Who is second and third, as far as a place was given."""
    told = []
    alone = {2: _("Second is {names}."), 3: _("Third is {names}.")}
    shared = {2: _("Second place is shared by {names}."), 3: _("Third place is shared by {names}.")}
    for place in (2, 3):
        there = [row.entry for row in public.table.rows if row.rank == place]
        if there and len(there) <= _NAMED:
            names = people([person(entry.display_name) for entry in there])
            told.append(_text((shared if len(there) > 1 else alone)[place], names=names))
    return _joined(told)


def _played(public: PublicStage) -> SafeString:
    players, matches = len(public.snapshot.entries), len(matches_of(public.rounds))
    first = _text(ngettext("{n} player", "{n} players", players), n=players)
    text = ngettext("{players} played {n} match.", "{players} played {n} matches.", matches)
    return _text(text, players=first, n=matches)


def _text(text: str, *args: object, **parts: object) -> SafeString:
    return format_html(text, *args, **parts) if args or parts else format_html("{}", text)


# --- The bar of steps.


def _steps(public: PublicStage) -> list[dict[str, str]]:
    state = public.tournament.state
    steps = [
        {"text": _("Roster"), "state": "now" if state == State.ROSTER else "done"},
        {"text": _("Check-in"), "state": {State.ROSTER: "", State.CHECK_IN: "now"}.get(State(state), "done")},
        *(_rounds(public) if public.snapshot.entries else [{"text": _("Rounds"), "state": ""}]),
    ]
    return [*steps, {"text": _("Champion"), "state": "now" if state == State.FINISHED else ""}]


def _rounds(public: PublicStage) -> list[dict[str, str]]:
    now = _round_now(public)
    numbers = range(1, public.planned + 1)
    if len(numbers) > _STEPS:
        shown = min(max(now, 1), public.planned)
        text = _("Round {n} of {planned}").format(n=shown, planned=public.planned)
        return [{"text": text, "state": "done" if now > public.planned else "now"}]
    return [_step(public, number, now) for number in numbers]


def _step(public: PublicStage, number: int, now: int) -> dict[str, str]:
    name = public.name_of(number)
    short = str(number) if name.code == "round" and number != now else round_name(name)
    return {"text": short, "state": "done" if number < now else "now" if number == now else ""}


def _round_now(public: PublicStage) -> int:
    """The round that is played or comes next; one more than planned when nothing is left."""
    if public.tournament.state == State.FINISHED or public.is_over:
        return public.planned + 1
    if public.current is not None:
        return public.current.number
    return min(public.snapshot.last_round + 1, public.planned)


# --- The standings' title, and who stands on the podium.


def standings_title(public: PublicStage) -> str:
    """What the standings include: the round they end with, or how far it is."""
    table = public.table
    if not table.counted_round or not table.rows:
        return _("Standings")
    if public.tournament.state == State.FINISHED and not public.uncounted:
        return _("Final standings")
    if not table.counted_open:
        return after_round(public.name_of(table.counted_round))
    counted = [round_ for round_ in public.rounds if round_.number <= table.counted_round]
    if any(open_matches(round_) for round_ in counted[:-1]):
        total = len(matches_of(counted))
        return _("So far: {done} of {total} results").format(done=total - table.counted_open, total=total)
    total = len(matches_of(counted[-1:]))
    name = round_name(public.name_of(table.counted_round))
    return _("{round} so far: {done} of {total} results").format(
        round=name, done=total - table.counted_open, total=total
    )


@dataclass(frozen=True, slots=True)
class Place:
    """A place of the podium and everybody who has it."""

    rank: int
    rows: tuple[StandingRow, ...]

    @property
    def shared(self) -> bool:
        return len(self.rows) > 1


def podium(public: PublicStage) -> list[Place]:
    """The first three places of a finished tournament; a shared place is shared, and the one below it is left out."""
    if public.tournament.state != State.FINISHED:
        return []
    rows = [row for row in public.table.rows if row.rank <= _PODIUM]
    ranks = sorted({row.rank for row in rows})
    return [Place(rank, tuple(row for row in rows if row.rank == rank)) for rank in ranks]


def points_text(points: int) -> str:
    """Points with their unit."""
    return ngettext("{n} point", "{n} points", points).format(n=points)
