"""The state of a tournament and its one next step in words, with the acts that move it on or clear what blocks it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from django.urls import reverse
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from players.words import person
from tournaments.engine.pairing import ERRORS
from tournaments.forms.rounds import StartForm
from tournaments.models import Entry, Stage, Tournament
from tournaments.models.tournament import Seating, State
from tournaments.queries.course import Course
from tournaments.queries.desk import Blocker, NextStep
from tournaments.queries.stages import standings_table
from tournaments.words.labels import STATES
from tournaments.words.reasons import Names, being_played, note_text, people, round_name

Component = dict[str, Any]
"""What a component of the design takes."""

_NAMED = 12  # people or tables that are named one by one
_STEPS = 9  # rounds that have a step each in the bar; more are gathered


# --- The headline.


def state_of(*, tournament: Tournament, stage: Stage, step: NextStep, course: Course) -> dict[str, Any]:
    """The state as a headline and a sentence: {title, lede}."""
    if tournament.state == State.FINISHED:
        return {"title": champion_line(stage), "lede": ""}
    if tournament.state != State.RUNNING:
        label, lede = STATES[tournament.state], ""
        if tournament.state == State.CHECK_IN and tournament.self_check_in:
            lede = _("Players say that they are here: on their own page, or at the desk.")
        return {"title": label.text, "lede": lede or label.help}
    if step.act == "publish":
        return {
            "title": _draft_title(step, course),
            "lede": _("Nobody but the organisers sees it. Look, change what you must, then publish."),
        }
    if step.act == "enter_results":
        return {"title": being_played(course.name_of(step.params["round"]), planned=len(course.rounds)), "lede": ""}
    if step.act == "draft":
        last = course.name_of(step.params["round"] - 1)
        return {"title": _("{round}: all results are in").format(round=round_name(last)), "lede": ""}
    return {"title": _("Every round is played"), "lede": ""}


def champion_line(stage: Stage) -> SafeString:
    """Who won, as a headline."""
    winners = [person(row.entry.staff_name) for row in standings_table(stage=stage).rows if row.rank == 1]
    if not winners:
        return SafeString(_("The tournament is over"))
    text = _("{names} is the champion") if len(winners) == 1 else _("{names} share the first place")
    return format_html(text, names=people(winners))


def _draft_title(step: NextStep, course: Course) -> str:
    if step.params["rounds"] > 1:
        return _("{rounds} rounds are a draft").format(rounds=step.params["rounds"])
    name = course.name_of(step.params["round"])
    if name.code != "round":
        return _("The bracket is a draft")
    return _("{round} is a draft").format(round=round_name(name))


# --- The bar.


def progress_of(*, tournament: Tournament, course: Course) -> Component:
    """The way from the roster to the champion as the bar shows it: {label, steps}."""
    at = {State.ROSTER: "roster", State.CHECK_IN: "check_in", State.FINISHED: "champion"}.get(
        State(tournament.state), "rounds"
    )
    order = ["roster", "check_in", "rounds", "champion"]
    steps = [{"text": _("Roster"), "key": "roster"}, {"text": _("Check-in"), "key": "check_in"}]
    rounds = _round_steps(course)
    last = {"text": _("Champion"), "key": "champion"}

    def state(key: str) -> str:
        return "now" if key == at else "done" if order.index(key) < order.index(at) else ""

    return {
        "label": _("The way to the champion"),
        "steps": [
            *({"text": step["text"], "state": state(step["key"])} for step in steps),
            *rounds,
            {"text": last["text"], "state": state("champion") or ("now" if course.now > len(course.rounds) else "")},
        ],
    }


def _round_steps(course: Course) -> list[Component]:
    numbers = range(1, len(course.rounds) + 1)
    if len(course.rounds) <= _STEPS:
        return [{"text": _short(course, number), "state": _round_state(course, number)} for number in numbers]
    before, after = [n for n in numbers if n < course.now], [n for n in numbers if n > course.now]
    return [
        *([{"text": _span(before), "state": "done"}] if before else []),
        *([{"text": _short(course, course.now), "state": "now"}] if course.now in numbers else []),
        *([{"text": _span(after), "state": ""}] if after else []),
    ]


def _round_state(course: Course, number: int) -> str:
    return "done" if number < course.now else "now" if number == course.now else ""


def _span(numbers: Sequence[int]) -> str:
    return str(numbers[0]) if len(numbers) == 1 else f"{numbers[0]}–{numbers[-1]}"


def _short(course: Course, number: int) -> str:
    """The name of a round; where rounds only have numbers, the number alone except for the present one."""
    name = course.name_of(number)
    return str(number) if name.code == "round" and number != course.now else round_name(name)


# --- The next step.


def step_of(*, tournament: Tournament, step: NextStep, course: Course, names: Names) -> Component | None:
    """The one next step as its component shows it; None when all is done."""
    write = _STEPS_OF.get(step.act)
    return {"id": "next-step", **write(tournament, step, course, names)} if write is not None else None


def _add_players(tournament: Tournament, step: NextStep, course: Course, names: Names) -> Component:
    least, have = step.params["least"], step.params["have"]
    told = ngettext("{n} player is there.", "{n} players are there.", have).format(n=have) if have else ""
    return {
        "title": _("Put players on the roster, at least {n}").format(n=least),
        "act": {"text": _("Import a list"), "kind": "main", "href": reverse("import_new", args=[tournament.pk])},
        "note": told,
    }


def _open_check_in(tournament: Tournament, step: NextStep, course: Course, names: Names) -> Component:
    players = step.params["players"]
    return {
        "title": ngettext("Open check-in for {n} player", "Open check-in for {n} players", players).format(n=players),
        "act": posts(_("Open check-in"), "check_in_open", tournament, kind="main"),
        "note": _("Players can still be added and removed after that, until the start."),
    }


def _start(tournament: Tournament, step: NextStep, course: Course, names: Names) -> Component:
    players = step.params["players"]
    leaving_out = {"leaving_out": StartForm.said(step.params["missing"])}
    starts = posts(_("Start the tournament"), "start", tournament, kind="main", **leaving_out)
    all_in = posts(_("All are here"), "check_in_all", tournament)
    blocks = []
    for blocker in step.blockers:
        if blocker.code == "too_few_here":
            title = _("At least {least} players must be here, and {here} are.").format(**blocker.params)
            blocks.append({"title": title, "acts": [all_in]})
        elif blocker.code == "not_here" and blocker.stops:
            without = posts(_("Start without them"), "start", tournament, **leaving_out)
            see = {"text": _("See them"), "href": reverse("roster", args=[tournament.pk]) + "#roster"}
            count = blocker.params["count"]
            title = ngettext("{n} player is not here yet.", "{n} players are not here yet.", count).format(n=count)
            blocks.append({"title": title, "text": _named(blocker.entries), "acts": [see, all_in, without]})
        elif blocker.code == "no_tables":
            anyway = posts(_("Start all the same"), "start", tournament, **leaving_out)
            blocks.append(_no_tables(tournament, blocker, *([] if blocks else [anyway])))
    return {
        "title": ngettext(
            "Start with {n} player and pair the first round", "Start with {n} players and pair the first round", players
        ).format(n=players),
        "act": starts,
        "blocks": blocks,
        "waits": _waits(len(blocks)),
        "note": _good_to_know(step.blockers, names),
    }


def _named(entries: Sequence[Entry]) -> SafeString:
    told = [person(entry.staff_name) for entry in entries[:_NAMED]]
    if more := len(entries) - len(told):
        told.append(SafeString(ngettext("{n} more", "{n} more", more).format(n=more)))
    return format_html("{}.", people(told))


def _draft(tournament: Tournament, step: NextStep, course: Course, names: Names) -> Component:
    name = course.name_of(step.params["round"])
    if name.code == "round":
        title = _("Pair round {n} of {planned}").format(n=step.params["round"], planned=len(course.rounds))
    else:
        title = _("Pair the next round: {round}").format(round=round_name(name))
    return {"title": title, "act": posts(_("Pair it"), "draft", tournament, kind="main")}


def _publish(tournament: Tournament, step: NextStep, course: Course, names: Names) -> Component:
    tables, rounds = step.params["tables"], step.params["rounds"]
    name = course.name_of(step.params["round"])
    if rounds > 1:
        title = _("Publish {rounds} rounds with {n} matches").format(rounds=rounds, n=tables)
    elif tournament.seating == Seating.QUEUE:  # tables are called one by one, each when it is free
        told = (
            ngettext("Publish round {round} with {n} match", "Publish round {round} with {n} matches", tables)
            if name.code == "round"
            else ngettext("Publish the bracket with {n} match", "Publish the bracket with {n} matches", tables)
        )
        title = told.format(round=step.params["round"], n=tables)
    elif name.code == "round":
        title = ngettext(
            "Publish round {round} and call {n} table", "Publish round {round} and call {n} tables", tables
        ).format(round=step.params["round"], n=tables)
    else:
        title = ngettext(
            "Publish the bracket and call {n} table", "Publish the bracket and call {n} tables", tables
        ).format(n=tables)
    stopping = [blocker for blocker in step.blockers if blocker.stops]
    blocks = []
    if stopping:
        reasons = format_html_join(" ", "{}", ((note_text(b.code, b.params, names),) for b in stopping))
        acts = [posts(_("Pair again, without the changes"), "pair_again", tournament, kind="main")]
        if not any(blocker.code in ERRORS for blocker in stopping):
            acts.append(posts(_("Publish all the same"), "publish", tournament, accept_warnings="on"))
        blocks.append({"title": reasons, "acts": acts})
    for blocker in step.blockers:
        if blocker.code == "no_tables":
            anyway = posts(_("Publish all the same"), "publish", tournament)
            blocks.append(_no_tables(tournament, blocker, *([] if blocks else [anyway])))
    return {
        "title": title,
        "act": posts(_("Publish"), "publish", tournament, kind="main"),
        "blocks": blocks,
        "waits": _waits(len(blocks)),
        "note": _good_to_know(step.blockers, names),
    }


def _no_tables(tournament: Tournament, blocker: Blocker, *otherwise: Component) -> Component:
    """Nobody can be called: tables are put up, or it is done all the same where nothing else is in the way."""
    up = {"text": _("Put up tables"), "kind": "main", "href": reverse("event_hall", args=[tournament.event_id])}
    return {"title": note_text(blocker.code, blocker.params, {}), "acts": [up, *otherwise]}


def _enter_results(tournament: Tournament, step: NextStep, course: Course, names: Names) -> Component:
    count = step.params["open"]
    name = course.name_of(step.params["round"])
    tables = [str(n) for n in sorted(p.table for each in step.blockers for p in each.pairings if p.table is not None)]
    told = ngettext("Open at table {tables}.", "Open at tables {tables}.", len(tables))
    return {
        "title": ngettext("Enter the last result: {round}", "Enter {n} results: {round}", count).format(
            n=count, round=round_name(name)
        ),
        "act": {"text": _("Enter results"), "kind": "main", "href": reverse("results", args=[tournament.pk])},
        "note": _nobody_called(tournament, step.blockers)
        or (told.format(tables=", ".join(tables)) if 0 < len(tables) <= _NAMED else ""),
    }


def _nobody_called(tournament: Tournament, blockers: Sequence[Blocker]) -> SafeString:
    """That there is no table to call anybody to, and where one is put up; empty where there is."""
    told = [note_text(each.code, each.params, {}) for each in blockers if each.code == "no_tables"]
    if not told:
        return SafeString("")
    href = reverse("event_hall", args=[tournament.event_id])
    return format_html('{} <a href="{}">{}</a>', told[0], href, _("Put up tables"))


def _finish(tournament: Tournament, step: NextStep, course: Course, names: Names) -> Component:
    return {
        "title": _("Finish the tournament and name the champion"),
        "act": posts(_("Finish"), "finish", tournament, kind="main"),
        "note": _("A result can still be corrected after that: reopen the tournament, correct it, finish again."),
    }


def posts(text: str, url: str, tournament: Tournament, *, kind: str = "", **fields: str) -> Component:
    """An act that posts to an address of this tournament."""
    return {"text": text, "kind": kind, "url": reverse(url, args=[tournament.pk]), "fields": fields}


def _waits(blocks: int) -> str:
    if not blocks:
        return ""
    return ngettext("It waits for your word on one thing:", "It waits for your word on {n} things:", blocks).format(
        n=blocks
    )


def _good_to_know(blockers: Sequence[Blocker], names: Names) -> SafeString:
    """What is not in the way, as one paragraph; empty when there is nothing."""
    told = [
        note_text(b.code, b.params, names) for b in blockers if not b.stops and b.code not in ("not_here", "no_tables")
    ]
    if not any(told):
        return SafeString("")
    return format_html(_("Not in the way: {}"), format_html_join(" ", "{}", ((each,) for each in told if each)))


_STEPS_OF: dict[str, Callable[[Tournament, NextStep, Course, Names], Component]] = {
    "add_players": _add_players,
    "open_check_in": _open_check_in,
    "start": _start,
    "draft": _draft,
    "publish": _publish,
    "enter_results": _enter_results,
    "finish": _finish,
}
