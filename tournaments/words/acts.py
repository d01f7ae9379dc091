"""A sentence for every act in the log: what was done, and what it changed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext, pgettext_lazy

from matches.actions import SCORE, TIME
from players.words import person
from tournaments.words.hall import numbers_text
from tournaments.words.hours import WRITTEN_ACTS as OF_HOURS
from tournaments.words.hours import wall_text
from tournaments.words.labels import RESULT_KINDS, ended_text, label_of, option_label, option_value_label
from tournaments.words.plan import place_in_stage

if TYPE_CHECKING:  # known to the type stubs alone
    from django.utils.functional import _StrPromise as Lazy

    from tournaments.queries.log import LogLine

Facts = Mapping[str, Any]

_TEXTS: Final[Mapping[str, Lazy]] = {
    # the event
    "create_event": _("Made the event."),
    "edit_event": _("Changed the event."),
    "remove_demo": _("Removed the demo event."),
    "create_link": _("Made a link for {what}."),
    "edit_link": _("Changed where and when {what} helps."),
    "renew_link": _("Gave {what} a new link."),
    "revoke_link": _("Closed the link of {what}."),
    "create_token": _("Made the token {what}."),
    "revoke_token": _("Closed the token {what}."),
    "accept_invitation": _("Became an organiser by the invitation of {what}."),
    "remove_organiser": _("Took {what} out of the organisers."),
    "leave_event": _("{what} organises this event no more."),
    "hand_over": _("Handed the event over to {what}."),
    # the hall
    "add_room": _("Added the room {what}."),
    "rename_room": _("Renamed the room {what}."),
    "remove_room": _("Removed the room {what}."),
    "edit_table": _("Changed {what}."),
    "take_table_out": _("Took {what} out of use."),
    "bring_table_back": _("Brought {what} back into use."),
    "remove_table": _("Removed {what}."),
    # the plan
    "release_match": _("Released {what}: it is planned and called again."),
    "stop_search": _("Stopped the search for a better plan."),
    "drop_better_plan": _("Went back to the usual plan from the better one that was found."),
    # the tournament
    "create_tournament": _("Made the tournament {what}."),
    "edit_tournament": _("Changed the settings of {what}."),
    "edit_play": _("Changed how matches of {what} are played."),
    "import_tournament": _("Brought {what} in from a file."),
    "play_on": _("Made {what} of the first places of another tournament."),
    "remove_tournament": _("Removed the tournament {what}."),
    "start_tournament": _("Started the tournament: its roster is frozen."),
    "finish_tournament": _("Finished the tournament."),
    "reopen_tournament": _("Reopened the tournament."),
    # the roster
    "open_check_in": _("Opened check-in."),
    "check_in": _("Checked in {what}."),
    "undo_check_in": _("Took back the check-in of {what}."),
    "add_entry": _("Put {what} on the roster."),
    "claim_entry": _("{what} was added to the player’s account."),
    "edit_entry": _("Changed what is said of {what}."),
    "remove_entry": _("Took {what} off the roster."),
    "merge_players": _("Made two players one: {what}."),
    "set_hand_seeds": _("Seeded by hand."),
    "prepare_import": _("Read the list {what}."),
    "confirm_import": _("Sent the list {what} to the roster."),
    "refuse_import": _("The list {what} came too late: the tournament had started."),
    "register": _("{what} registered."),
    "register_again": _("{what} registered again."),
    "change_own": _("{what} changed what is said of them."),
    "promote_entry": _("{what} moved up from the waiting list."),
    "renew_entry_link": _("Gave {what} a new link of their own."),
    "withdraw_entry": _("{what} left the tournament."),
    "return_entry": _("{what} came back."),
    "disqualify_entry": _("Disqualified {what}."),
    "reinstate_entry": _("Took back the disqualification of {what}."),
    "late_entry": _("Let {what} in after the start."),
    "say_here": _("{what} said that they are at the table."),
    "unsay_here": _("{what} took back that they are at the table."),
    "say_coming": _("Said that {what} comes to the table."),
    "unsay_coming": _("Took back that {what} comes to the table."),
    "call_again": _("Called {what} to the table again."),
    "say_begun": _("Said that {what} has begun."),
    "unsay_begun": _("Took back that {what} has begun."),
    "set_asked_byes": _("Changed the rounds {what} does not play in."),
    # games
    "choose_way": _("Changed how {what} is played."),
    "open_game": _("Opened the game of {what}."),
    "pause_game": _("Paused the game of {what}."),
    "resume_game": _("Let the game of {what} go on."),
    "call_referee": _("Called the referee to {what}."),
    "take_call": _("Went to {what}, where the referee was called."),
    "untake_call": _("Did not go to {what} after all, where the referee was called."),
    "finish_call": _("Was at {what}, where the referee was called."),
    "take_back_call": _("Took back the call for the referee to {what}."),
    "concede_for": _("Gave {what} up for one side."),
    "rule_game": _("Decided after ties at {what}."),
    # rounds
    "change_draft": _("Let two players of the draft change places."),
    "start_play_off": _("Called a play-off: {what}."),
    "drop_play_off": _("Took a play-off back."),
}

_CHANGED: Final[Mapping[str, Lazy]] = {
    "name": pgettext_lazy("of a person", "Name"),
    "place": _("Place"),
    "zone": _("Time zone"),
    "starts_on": _("First day"),
    "ends_on": _("Last day"),
    "tables": _("Tables"),
    "here_from": _("Here from"),
    "here_until": _("Here until"),
    "city": _("City"),
    "club": _("Club"),
    "rating": _("Rating"),
    "is_shown": _("Name shown to everybody"),
    "ruleset": _("Rules of the game"),
    "allows_tie": _("Ties"),
    "seeding": _("Seeding"),
    "first_table": _("First table"),
    "format": _("Format"),
    "options": _("Options"),
    "tiebreaks": _("Tie-breaks"),
    "points": _("Points"),
    "registration": _("Registration"),
    "registration_opens_at": _("Registration opens"),
    "registration_closes_at": _("Registration closes"),
    "capacity": _("Places"),
    "promotes_late": _("The waiting list moves up after registration has closed"),
    "self_check_in": _("Players check themselves in by their own link"),
    "no_show_minutes": _("Minutes an absent player is waited for"),
    "rest_minutes": _("Minutes of rest between two matches"),
    "starts_at": _("Start"),
    "seating": _("How matches come to tables"),
    "match_minutes": _("Minutes for a match"),
    "call_minutes": _("Minutes to answer a call"),
    "round_minutes": _("Minutes for a round"),
    "at_time": _("When time is over"),
    "cut": _("How many play on"),
    "players_report": _("Players report their own results"),
    "report_minutes": _("Minutes to answer a report"),
    "unanswered": _("A report nobody answers"),
    "second_confirms": _("A second person confirms each result"),
}
"""Facts an act may have changed, by the names they have in the log."""

_INSTANTS: Final = ("registration_opens_at", "registration_closes_at", "starts_at", "here_from", "here_until")

_POINTS: Final[Mapping[str, Lazy]] = {"win": _("A win"), "tie": _("A tie"), "loss": _("A loss"), "bye": _("A bye")}


def act_text(*, verb: str, what: str, before: Facts, after: Facts) -> SafeString:
    """What was done, as HTML; `what` it was done to is a name, escaped unless it is HTML already.

    A verb nobody knows any more, from an old log, stands as it is.
    """
    if (write := _WRITTEN.get(verb)) is not None:
        return write(what, before, after)
    if (text := _TEXTS.get(verb)) is not None:
        return format_html(str(text), what=what)
    return format_html("{}", verb)


def target_text(line: LogLine) -> SafeString:
    """What an act was done to, by name; as the log itself remembers it where it is gone."""
    if line.pairing is not None:
        pairing, other = line.pairing, line.pairing.b
        told = person(pairing.a.staff_name)
        if other is not None:
            told = format_html("{} – {}", told, person(other.staff_name))
        if pairing.table is not None:
            told = format_html(str(_("table {table} ({players})")), table=pairing.table, players=told)
        return told
    if line.entry is not None:
        return person(line.entry.staff_name)
    for there in (line.link, line.token, line.roster_import):
        if there is not None:
            return person(str(there))
    act = line.act
    kind, _slash, number = act.target.partition("/")
    if kind == "table":
        return format_html(str(_("table {n}")), n=number)
    if kind == "slot" and "round" in act.after:
        return format_html("{}", place_in_stage(act.after["round"], act.after["number"]))
    known = act.after.get("name") or act.before.get("name") or act.after.get("filename") or ""
    if not known and line.tournament is not None:
        known = line.tournament.name
    return person(known or act.target)


def changes(*, before: Facts, after: Facts) -> list[tuple[str, str, str]]:
    """What an act changed, as (what, from, to) in words; only facts that have a name and were known before."""
    return [
        (str(label), _fact(key, before), _fact(key, after))
        for key, label in _CHANGED.items()
        if key in before and key in after and before[key] != after[key]
    ]


def has_words(verb: str) -> bool:
    """Whether an act of this kind is told in words of its own."""
    return verb in _WRITTEN or verb in _TEXTS


def _fact(key: str, facts: Facts) -> str:
    """One fact as it was at the time; a key of ours is told by its label."""
    value = facts[key]
    if key in _INSTANTS and value:
        return f"{str(value)[:16].replace('T', ' ')} UTC"
    if key in ("format", "ruleset", "seeding", "unanswered", "at_time", "seating"):
        return _labelled(partial(label_of, key, value), value)
    if key == "tables":
        return numbers_text(value) or "—"
    if key == "tiebreaks":
        return ", ".join(_labelled(partial(label_of, "tiebreak", each), each) for each in value) or "—"
    if key == "points":
        return _listed((_labelled(partial(_POINTS.__getitem__, name), name), each) for name, each in value.items())
    if key == "options":
        return _listed(_option(facts.get("format", ""), name, each) for name, each in value.items())
    return _value(value)


def _option(format_key: str, name: str, value: Any) -> tuple[str, Any]:
    """An option of a format and its value in words."""
    if isinstance(value, str):
        value = _labelled(partial(option_value_label, format_key, name, value), value)
    return _labelled(partial(option_label, format_key, name), name), value


def _labelled(find: Callable[[], object], key: str) -> str:
    """What a key is called; one nobody knows any more, from an old log, stands as it is."""
    try:
        return str(find())
    except KeyError:
        return key


def _listed(facts: Iterable[tuple[str, Any]]) -> str:
    return ", ".join(f"{name}: {_value(value)}" for name, value in facts) or "—"


def _value(value: Any) -> str:
    if isinstance(value, bool):
        return str(_("yes") if value else _("no"))
    return "—" if value in (None, "") else str(value)


def _result(facts: Facts) -> str:
    if facts["kind"] not in (SCORE, TIME):
        return str(RESULT_KINDS[facts["kind"]].text)
    return ended_text(facts["kind"], *facts["sets"])


def _enter_result(what: str, before: Facts, after: Facts) -> SafeString:
    return format_html(str(_("Entered {what}: {result}.")), what=what, result=_result(after))


def _correct_result(what: str, before: Facts, after: Facts) -> SafeString:
    text = _("Corrected {what}: {result} instead of {old}.")
    return format_html(str(text), what=what, result=_result(after), old=_result(before))


def _clear_result(what: str, before: Facts, after: Facts) -> SafeString:
    return format_html(str(_("Took back {what}: {result}.")), what=what, result=_result(before))


def _reported(facts: Facts) -> str:
    """A result that waited, as far as its facts were kept."""
    return _result(facts) if facts.get("kind") else "—"


def _report_result(what: str, before: Facts, after: Facts) -> SafeString:
    if after.get("disputed"):
        text = _("Reported {what}: {result}. Others say otherwise.")
    elif after.get("seat"):
        text = _("Reported {what}: {result}. The other player has not answered yet.")
    else:
        text = _("Entered {what}: {result}. A second person has to confirm it.")
    return format_html(str(text), what=what, result=_reported(after))


def _take_back_report(what: str, before: Facts, after: Facts) -> SafeString:
    return format_html(str(_("Took back a report of {what}: {result}.")), what=what, result=_reported(before))


def _agree_result(what: str, before: Facts, after: Facts) -> SafeString:
    text = _("{what}: {result}, as both say: {names}.")
    return format_html(str(text), what=what, result=_result(after), names=_reporters(after))


def _confirm_report(what: str, before: Facts, after: Facts) -> SafeString:
    text = _("Confirmed {what}: {result}, reported by {names}.")
    return format_html(str(text), what=what, result=_result(after), names=_reporters(after))


def _confirm_unanswered(what: str, before: Facts, after: Facts) -> SafeString:
    text = _("{what}: {result}, reported by {names}; nobody answered in time.")
    return format_html(str(text), what=what, result=_result(after), names=_reporters(after))


def _reporters(facts: Facts) -> SafeString:
    return format_html_join(", ", "<bdi>{}</bdi>", ((name,) for name in facts.get("reports", ())))


def _check_in_all(what: str, before: Facts, after: Facts) -> SafeString:
    count = len(after["entries"])
    return format_html(ngettext("Checked in {n} player.", "Checked in {n} players.", count), n=count)


def _close_check_in(what: str, before: Facts, after: Facts) -> SafeString:
    count = len(after.get("entries", ()))
    if not count:
        return format_html("{}", _("Closed check-in."))
    text = ngettext(
        "Closed check-in and let go {n} player who was not here.",
        "Closed check-in and let go {n} players who were not here.",
        count,
    )
    return format_html(text, n=count)


def _import_roster(what: str, before: Facts, after: Facts) -> SafeString:
    count = after["added"]
    text = ngettext("Brought {n} player in from {what}.", "Brought {n} players in from {what}.", count)
    return format_html(text, n=count, what=what)


def _replace_entry(what: str, before: Facts, after: Facts) -> SafeString:
    return format_html(str(_("{new} plays in the place of {old}.")), new=after["name"], old=before["name"])


def _undo_replacement(what: str, before: Facts, after: Facts) -> SafeString:
    return format_html(str(_("{old} has the place back that {new} had.")), old=after["name"], new=before["name"])


def _remove_late_entry(what: str, before: Facts, after: Facts) -> SafeString:
    return format_html(str(_("Took {name} out again, who had come late.")), name=before["name"])


def _add_tables(what: str, before: Facts, after: Facts) -> SafeString:
    text = ngettext("Put up table {tables}.", "Put up tables {tables}.", len(after["numbers"]))
    return format_html(text, tables=numbers_text(after["numbers"]))


def _fix_table(what: str, before: Facts, after: Facts) -> SafeString:
    if after["table"] is None:
        return format_html(str(_("{what} may sit anywhere.")), what=what)
    return format_html(str(_("{what} always sits at table {n}.")), what=what, n=after["table"])


def _hold_match(what: str, before: Facts, after: Facts) -> SafeString:
    if before.get("table") is None:
        return format_html(str(_("Held {what}: it is not called until it is released.")), what=what)
    text = _("Held {what}, which gave table {n} back: it is not called until it is released.")
    return format_html(str(text), what=what, n=before["table"])


def _fix_match(what: str, before: Facts, after: Facts) -> SafeString:
    when, table = after["begins"], after["table"]
    if when is None and table is None:
        return format_html(str(_("Left it to the plan when and where {what} is played.")), what=what)
    if when is None:
        text = _("Fixed {what}: table {n}.")
    elif table is None:
        text = _("Fixed {what}: {time}.")
    else:
        text = _("Fixed {what}: {time}, table {n}.")
    told = format_html(str(text), what=what, time="" if when is None else when[:16].replace("T", " "), n=table)
    return format_html("{} {}", told, _("Something else was in the way.")) if after.get("clashes") else told


def _ask_for_search(what: str, before: Facts, after: Facts) -> SafeString:
    count = after["seconds"]
    text = ngettext("Looked for a better plan, {n} second.", "Looked for a better plan, {n} seconds.", count)
    return format_html(text, n=count)


def _keep_better_plan(what: str, before: Facts, after: Facts) -> SafeString:
    told = [str(_("The day goes by a better plan that was found."))]
    if after["ends"] != before["ends"]:
        ends = {"new": wall_text(after["ends"]), "old": wall_text(before["ends"])}
        told.append(str(_("It ends {new} instead of {old}.")).format(**ends))
    if after["without"] != before["without"]:
        without = {"new": after["without"], "old": before["without"]}
        told.append(str(_("Without a place: {new} instead of {old}.")).format(**without))
    return format_html("{}", " ".join(told))


def _move_match(what: str, before: Facts, after: Facts) -> SafeString:
    old, new = before["table"], after["table"]
    if new is None:
        held = _("Took {what} off table {old}: it is held until it is released or has a table again.")
        waits = _("Took {what} off table {old}: it waits for a table.")
        return format_html(str(held if after.get("held") else waits), what=what, old=old)
    if old is None:
        return format_html(str(_("Gave {what} table {new}.")), what=what, new=new)
    return format_html(str(_("Moved {what} from table {old} to table {new}.")), what=what, old=old, new=new)


def _call_match(what: str, before: Facts, after: Facts) -> SafeString:
    return format_html(str(_("Called {what} to table {n}.")), what=what, n=after["table"])


def _swap_tables(what: str, before: Facts, after: Facts) -> SafeString:
    names = format_html_join(" – ", "{}", ((person(name),) for name in after["with"]))
    old, new = ("–" if facts["table"] is None else facts["table"] for facts in (before, after))
    text = _("{what} and {others} changed tables: {old} and {new}.")
    return format_html(str(text), what=what, others=names, old=old, new=new)


def _extend_clock(what: str, before: Facts, after: Facts) -> SafeString:
    count = after["minutes"]
    text = ngettext("Gave round {n} {count} minute more.", "Gave round {n} {count} minutes more.", count)
    return format_html(text, n=after["round"], count=count)


def _give_time(what: str, before: Facts, after: Facts) -> SafeString:
    count = after["seconds"] // 60
    if not count:
        return format_html(str(_("Took the extra time of {what} back.")), what=what)
    text = ngettext("Gave {what} {count} minute of extra time.", "Gave {what} {count} minutes of extra time.", count)
    return format_html(text, what=what, count=count)


def _of_round(text: Lazy) -> Callable[[str, Facts, Facts], SafeString]:
    """A sentence about the round of an act."""
    return lambda _what, _before, after: format_html(str(text), n=after["round"])


def _of_rounds(one: Lazy, several: Lazy) -> Callable[[str, Facts, Facts], SafeString]:
    """A sentence about the rounds an act names."""

    def write(what: str, before: Facts, after: Facts) -> SafeString:
        numbers = after.get("rounds") or [after.get("round", before.get("round", "?"))]
        if len(numbers) == 1:
            return format_html(str(one), n=numbers[0])
        return format_html(str(several), first=numbers[0], last=numbers[-1])

    return write


_WRITTEN: Final[Mapping[str, Callable[[str, Facts, Facts], SafeString]]] = {
    **OF_HOURS,
    "enter_result": _enter_result,
    "correct_result": _correct_result,
    "clear_result": _clear_result,
    "report_result": _report_result,
    "take_back_report": _take_back_report,
    "agree_result": _agree_result,
    "confirm_report": _confirm_report,
    "confirm_unanswered": _confirm_unanswered,
    "check_in_all": _check_in_all,
    "close_check_in": _close_check_in,
    "replace_entry": _replace_entry,
    "undo_replacement": _undo_replacement,
    "remove_late_entry": _remove_late_entry,
    "import_roster": _import_roster,
    "add_tables": _add_tables,
    "fix_table": _fix_table,
    "hold_match": _hold_match,
    "fix_match": _fix_match,
    "ask_for_search": _ask_for_search,
    "keep_better_plan": _keep_better_plan,
    "move_match": _move_match,
    "call_match": _call_match,
    "swap_tables": _swap_tables,
    "start_clock": _of_round(_("Started the clock of round {n}.")),
    "pause_clock": _of_round(_("Paused the clock of round {n}.")),
    "resume_clock": _of_round(_("Let the clock of round {n} go on.")),
    "reset_clock": _of_round(_("Took the clock of round {n} away.")),
    "extend_clock": _extend_clock,
    "give_time": _give_time,
    "draft_rounds": _of_rounds(_("Paired round {n}."), _("Paired rounds {first} to {last}.")),
    "pair_again": _of_rounds(_("Paired round {n} again."), _("Paired rounds {first} to {last} again.")),
    "publish_rounds": _of_rounds(_("Published round {n}."), _("Published rounds {first} to {last}.")),
    "take_back_round": _of_rounds(_("Took back round {n}."), _("Took back rounds {first} to {last}.")),
}
