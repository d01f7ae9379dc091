"""A sentence for every refusal: what was not done, why, and what to do now, in the reader's language."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from html import unescape
from typing import TYPE_CHECKING, Any, Final

from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from matches.actions import DOUBLE_NO_SHOW, FORFEIT, SCORE, TIME, WALKOVER
from matches.words import REFUSALS as OF_GAMES
from players.permissions import Refused
from players.words import REFUSALS as OF_ACCOUNTS
from tournaments.engine.interchange import Fault
from tournaments.words.faults import placed_fault_text
from tournaments.words.hours import REFUSALS as OF_HOURS
from tournaments.words.hours import WRITTEN_REFUSALS as WRITTEN_OF_HOURS
from tournaments.words.labels import ended_text
from tournaments.words.plan import clash_text
from tournaments.words.reasons import Names

if TYPE_CHECKING:  # known to the type stubs alone
    from django.utils.functional import _StrPromise as Lazy


_TEXTS: Final[dict[str, Lazy]] = {
    **OF_ACCOUNTS,
    **OF_GAMES,
    **OF_HOURS,
    # games of a tournament
    "deck_missing": _("You have no side deck that these rules take, and the club lends none here. Build one first."),
    "way_unknown": _("Choose one of the ways a match can be played."),
    "decks_sealed": _("Side decks are sealed: the time to change them is over."),
    # results
    "match_unknown": _("There is no such match here."),
    "match_void": _("This match is closed: its round was taken back. Look at the new pairings."),
    "key_reused": _(
        "Something else was sent under the same mark before. Open the match again and enter the result there."
    ),
    "kind_unknown": _("A match does not end like that. Choose a score or one of the other ways."),
    "winner_missing": _("Say who wins by it."),
    "winner_unknown": _("The one who wins by it is not in this match."),
    "winner_contradicts_score": _("The winner you named did not win by this score."),
    "score_malformed": _("A score is two whole numbers, for example 3–1."),
    "score_missing": _("Say the score."),
    "score_impossible": _("This cannot be: the one who gave up had won fewer than %(sets_to_win)s sets."),
    "negative": _("Nobody wins fewer than no sets."),
    "too_many_sets": _("This cannot be: a match ends with set %(sets_to_win)s won."),
    "both_won": _("Both cannot have %(sets_to_win)s sets: a match ends as soon as one side has them."),
    "not_cut_short": _(
        "Somebody has won %(sets_to_win)s sets: enter that as a score, whatever the clock said by then."
    ),
    "level_at_time": _("Level in sets is no result here: one more set decides. Enter the score after it."),
    "stands_otherwise": _("The cards of this match lie here: it ends as it stands there, %(a)s–%(b)s."),
    "time_is_over": _("Time is over: the match ends as it stands, and the referee enters it."),
    "time_not_over": _("The time of this table is not over yet, so no match ends on time there."),
    "not_decided": _(
        "Nobody has won %(sets_to_win)s sets yet. If somebody gave up, choose that under “Not played to the end”."
    ),
    "sets_contradict_score": _("Set by set it comes to %(a)s–%(b)s, and not to the score you named."),
    "set_malformed": _("Set %(set)s: say both totals as whole numbers."),
    "set_after_end": _("Set %(set)s cannot be: the match was over before it."),
    "total_impossible": _("Set %(set)s: nobody can come to %(total)s."),
    "both_bust": _("Set %(set)s: both cannot be over 20, for the first to go over ends the set."),
    "reason_not_in_rules": _("Set %(set)s: by the rules of this match no set ends like that."),
    "reason_contradicts_totals": _("Set %(set)s: with these totals it cannot have ended like that."),
    "set_winner_missing": _("Set %(set)s: say who won it, the totals do not tell."),
    "set_winner_contradicts_totals": _("Set %(set)s: by its totals the one you named did not win it."),
    "not_yours_to_say": _("You can report the score, or that you gave up. For anything else ask the referee."),
    "report_unknown": _("There is no such report here."),
    "report_gone": _("This report was changed or taken back meanwhile. Look at what is said now."),
    "same_person": _("You reported this yourself: somebody else has to confirm it."),
    "not_your_report": _("Only whoever reported this can take it back."),
    "reports_closed": _("Players do not report results in this tournament. Tell the referee."),
    "why_missing": _("In this tournament a second person confirms each result. Say why you decide alone."),
    "nothing_to_clear": _("This match is open already."),
    "later_result": _("The next match of these players has a result already. Take that one back first."),
    "later_round_published": _(
        "Round %(round)s is published and was paired from this result. Correct the result, or take that round back."
    ),
    # who runs an event
    "invitation_over": _("This invitation is closed, or its time is over. Ask for another one."),
    "invitation_used": _("Somebody has accepted this invitation already. Ask for another one."),
    "already_organiser": _(
        "You are an organiser of this event already; the invitation is still good for somebody else."
    ),
    "owner_stays": _("The event is theirs: it must be handed over first."),
    "organiser_unknown": _("This account is no organiser of this event."),
    "not_the_owner": _("Only the owner can hand the event over."),
    "not_a_host": _("This account may not make events. Whoever organises one here can invite it."),
    # a player as typed or listed
    "name_missing": _("The name is missing."),
    "name_damaged": _("The name is damaged: the file was read in the wrong encoding before it came here."),
    "name_too_long": _("The name has %(length)s characters; %(limit)s is the most."),
    "email_invalid": _("This is no address: %(value)s"),
    "city_too_long": _("The city has %(length)s characters; %(limit)s is the most."),
    "club_too_long": _("The club has %(length)s characters; %(limit)s is the most."),
    "city_damaged": _("The city is damaged: the file was read in the wrong encoding before it came here."),
    "club_damaged": _("The club is damaged: the file was read in the wrong encoding before it came here."),
    "rating_invalid": _("The rating is no whole number from 0 to %(limit)s: %(value)s"),
    # the roster
    "already_entered": _("Whoever has this address is on the roster already: %(name)s."),
    "same_name": _("Somebody called %(name)s is on the roster already. If this is another person, say so below."),
    "name_registered": _(
        "Somebody called %(name)s is on the list already. If that is you, open your own link: it is in your mail, and"
        " the desk can show it again. If you are another person, say so below."
    ),
    "entry_has_address": _("This entry has an address already. If it is not yours any more, ask the organisers."),
    "address_taken": _("Another player of theirs has this address already: %(value)s"),
    "entry_unknown": _("This player is not on the roster any more."),
    "entry_twice": _("A player can have one place only."),
    "roster_is_frozen": _("The tournament has started, so its roster stays as it is."),
    "tournament_unknown": _("There is no such tournament here."),
    # lists
    "import_unknown": _("There is no such list here."),
    "import_has_problems": _("Nothing was imported: the list still has rows that cannot be read."),
    "import_is_empty": _("There is nobody on this list."),
    "too_large": _("The file is larger than %(megabytes)s MB. A list of players is not: is it the right one?"),
    "empty": _("The file is empty."),
    "encoding_unclear": _(
        "It is not clear how the letters of this file are written. Choose the encoding below and send it again."
    ),
    "not_a_table": _("This is no table. Save the list as CSV or as an Excel workbook (.xlsx)."),
    "old_workbook": _("This workbook is of the old kind. Save it as .xlsx or as CSV."),
    "workbook_broken": _("This workbook cannot be opened. Save it again, or save it as CSV."),
    "quotes_broken": _("A quotation mark opens here and is never closed."),
    "too_many_rows": _("The list has more than %(limit)s rows."),
    "too_many_columns": _("The list has more than %(limit)s columns."),
    "no_name_column": _("No column holds names. Its title should be “Name”. Found: %(columns)s."),
    "no_rows": _("The file has a first row with titles and nobody below it."),
    "too_many_cells": _(
        "This row has %(cells)s cells, and the first row %(columns)s: is a separator missing its quotes?"
    ),
    "address_twice": _("Line %(first)s has this address already: %(value)s"),
    # lists of results
    "no_score_column": _("No column holds results. Its title should be “Result”. Found: %(columns)s."),
    "no_match_columns": _(
        "No column says which match it is: “Table”, or “First player” and “Second player”. Found: %(columns)s."
    ),
    "no_match_said": _("This row does not say which match it is: a table, or both players, are missing."),
    "no_match_of_number": _("No match here has this number: %(value)s"),
    "no_such_meeting": _("No published match is like this: look at the round, the table and the names."),
    "ambiguous_match": _("This is not clear: several matches may be meant. Say the round and the table."),
    "result_twice": _("Line %(first)s is of the same match already."),
    "score_unreadable": _("This is no result: %(value)s"),
    "decided_otherwise": _(
        "This match has another result already: %(result)s. If the list is right, correct it there."
    ),
    "list_refused": _("Nothing was entered: something on the list cannot be."),
    # people
    "not_an_organiser": _("Only an organiser may do this."),
    "player_unknown": _("There is no such player among yours."),
    "same_player": _("These are the same player already."),
    "both_in_one_tournament": _("Both play in the same tournament, so they are two people there."),
    "changed_meanwhile": _("Something has changed while you were looking. Look again."),
    # the course
    "not_running": _("The tournament is not being played now."),
    "finished": _("The tournament is over. Reopen it to change something."),
    "standings_behind": _("The last results are not counted yet. Try again in a moment."),
    "not_finished": _("The tournament is not over yet."),
    "tournament_has_started": _("A tournament that has started stays: its results belong to its players."),
    "settings_are_frozen": _("The tournament has started: its rules, seeding and registration stay as they are."),
    "too_few_players": _("At least %(least)s players must be checked in, and %(here)s are."),
    "nothing_to_pair": _("There is nothing to pair: every round is made."),
    "nothing_to_drop": _("There is no draft to pair again."),
    "nothing_to_publish": _("There is no draft to publish."),
    "nothing_published": _("No round is published that could be taken back."),
    "already_published": _("Round %(round)s is published: take it back to change it."),
    "round_unknown": _("There is no such round here."),
    "round_has_results": _("Round %(round)s has results already, so it stays."),
    "follows_by_itself": _("This round follows from results by itself. Take back a result instead."),
    "not_in_round": _("One of them is not in this round."),
    "same_pairing": _("These two meet each other already: choose somebody from another table."),
    "draft_broken": _("The draft cannot be published as it stands: see what is marked, or pair again."),
    "draft_has_warnings": _(
        "Your changes want a second look before publishing: see what is marked, then undo or allow it."
    ),
    "drafts_left": _("A draft is still there. Publish it before you finish."),
    "rounds_left": _("Not every planned round is played. You can still finish early."),
    # the clock of a round
    "no_round_time": _("The settings of the tournament say no time for a round."),
    "round_not_published": _("This round is a draft: publish it first."),
    "round_is_played": _("Every match of round %(round)s has its result."),
    "clock_not_started": _("The clock of this round is not started."),
    "clock_changed": _("Somebody has changed the clock meanwhile. Look at it, then press again."),
    "no_ties_at_time": _("The sets can stand only where a match may end tied: allow that first, or choose another."),
    # registration
    "registration_off": _("Nobody can register here now: the organisers put players on the roster."),
    "registration_not_yet": _("Registration is not open yet."),
    "registration_closed": _("Registration is closed. Ask at the desk whether there is still a place."),
    "link_mailed": _("Whoever has this address is on the list: their own link was mailed to them."),
    "address_elsewhere": _("Somebody else here has this address already."),
    "too_often": _("Too many people have registered from this network just now. Try again in %(minutes)s minutes."),
    "practised_too_often": _(
        "Very many games of practice were opened from this network just now. Try again in %(minutes)s minutes."
    ),
    # check-in and presence
    "check_in_not_open": _("Check-in is not open now."),
    "check_in_at_desk": _("Here players check in at the entry desk."),
    "code_unknown": _("This is nobody’s link in this tournament: %(code)s"),
    "code_elsewhere": _("This link is good for another tournament: %(tournament)s."),
    "no_helper": _("This device is signed in for no entry desk any more. Open your own link first, then scan again."),
    "no_open_match": _("There is no match of yours that waits to be played."),
    "not_called": _("This match is not called to a table now: look again."),
    "not_planned_yet": _("The plan does not know this match yet. Try again in a moment."),
    "has_begun": _("They play already: nobody is waited for."),
    "call_unknown": _("There is no such call here."),
    "call_over": _("This call is over already."),
    "call_taken": _("%(by)s goes there already."),
    "call_not_yours": _("The referee was not called from here, so the call stays."),
    "nothing_runs": _("No tournament is being played here now."),
    "called_too_often": _(
        "The referee has been called from this network very often. Try again in %(minutes)s minutes."
    ),
    "no_show_gone": _("Nobody is missing there any more: look again."),
    "no_place_yet": _("This player still waits for a place. Give them one first."),
    "already_withdrawn": _("This player has left already."),
    "not_withdrawn": _("This player has not left."),
    "already_disqualified": _("This player is disqualified already."),
    "not_disqualified": _("This player is not disqualified."),
    # who comes late, who takes whose place
    "already_playing": _("This player is in the tournament already."),
    "not_playing": _("This player is not in the tournament."),
    "no_place_for_late": _(
        "There is no free place any more. Whoever comes now can only replace a player who has not played yet."
    ),
    "key_taken": _("Something else was sent under this Idempotency-Key. Use a new key for a new request."),
    "changed_since": _("It has changed since you read it. Read it again, and decide anew."),
    "no_round_left": _("Every planned round is made, so nobody can join any more."),
    "not_late": _("This player was there from the start: let them leave instead."),
    "entry_has_played": _(
        "This player has a result or a report already. Take it back first, or let them leave instead."
    ),
    "entry_is_paired": _("Others are paired around this player already: let them leave instead."),
    "not_a_replacement": _("This player did not take the place of somebody who could have it back."),
    # rounds not to be played in
    "no_asked_byes": _("In this format nobody can ask for a bye."),
    "bye_kind_unknown": _("A bye can be asked for with the points of a win, of a tie or of a loss."),
    "bye_twice": _("Round %(round)s is named twice."),
    # extra matches
    "no_shared_place": _("These two do not share a place, so there is nothing to decide between them."),
    "not_a_play_off": _("This match is no play-off."),
    "play_off_played": _("This play-off has a result already. Take it back first."),
    # tables
    "match_is_over": _("This match has its result: it needs no table any more."),
    "same_match": _("Choose another match: this one cannot change places with itself."),
    "table_unknown": _("There is no table %(table)s in this hall."),
    "table_gone": _("This table stands in the hall no more."),
    "table_out": _("Table %(table)s is out of use. Choose another one."),
    "table_taken": _("Table %(table)s is taken: another match sits there by now. Choose another one."),
    "table_in_use": _("A match sits at table %(table)s. Move it, or wait for its result; then the table can go."),
    # the plan
    "slot_unknown": _("There is no such match in the plan."),
    "slot_gone": _("This match will not be played: it is in the plan no more."),
    "match_has_begun": _("They play already, so this match cannot be held."),
    "match_has_table": _("This match has table %(table)s already. Move it, if it is to be played elsewhere."),
    "seconds_out_of_range": _("A search takes %(least)s to %(most)s seconds."),
    "no_solver": _("A search needs a solver, which is not installed here. It is installed by %(act)s."),
    "nothing_to_plan": _("Nothing is left to be planned."),
    "best_already": _("There is nothing to look for: the plan ends as early as any can, and every match has a place."),
    "no_search": _("No better plan is looked for now."),
    "starts_in_past": _("This time is over already. Say one that is to come."),
    "tables_there": _("These tables stand in the hall already."),
    "room_unknown": _("There is no such room here."),
    "room_there": _("There is a room called %(name)s already."),
    # the event
    "event_unknown": _("There is no such event here."),
    "not_a_demo": _("Only a demo event can be removed as a whole."),
    "token_unknown": _("There is no such token here."),
}


_UNKNOWN: Final[Lazy] = _("This was not done.")
_KINDS: Final[dict[str, Lazy]] = {
    WALKOVER: _("a walkover"),
    FORFEIT: _("a forfeit"),
    DOUBLE_NO_SHOW: _("neither side came"),
}


def _result(params: Mapping[str, Any]) -> str:
    """The result a match has, as the middle of a sentence."""
    if params["kind"] in (SCORE, TIME):
        return ended_text(params["kind"], *params["sets"])
    return str(_KINDS[params["kind"]])


def _stale_version(params: Mapping[str, Any], names: Names) -> str:
    if not params.get("kind"):
        return str(_("This match has changed while you were looking, and has no result now. Look again, then send."))
    told = str(_("This match has changed while you were looking: its result is now %(result)s, entered by %(by)s."))
    return told % {"result": _result(params), "by": _isolated(params["by"])}


def _already_decided(params: Mapping[str, Any], names: Names) -> str:
    told = str(_("This match has a result already: %(result)s, entered by %(by)s. A wrong one has to be corrected."))
    return told % {"result": _result(params), "by": _isolated(params["by"])}


def _open_matches(params: Mapping[str, Any], names: Names) -> str:
    count = params.get("count", len(params.get("matches", ())))
    return ngettext("%(count)s match has no result yet.", "%(count)s matches have no result yet.", count) % {
        "count": count
    }


def _roster_changed(params: Mapping[str, Any], names: Names) -> str:
    missing = [_isolated(names[entry].display_name) for entry in params["entries"] if entry in names]
    if not params["entries"]:
        return str(_("The roster has changed while you were looking: nobody is left out now. Look again, then start."))
    told = str(
        _("The roster has changed while you were looking. Left out would be: %(names)s. Look again, then start.")
    )
    return told % {"names": ", ".join(missing) or len(params["entries"])}


def _bye_round(params: Mapping[str, Any], names: Names) -> str:
    if params["first"] > params["last"]:
        return str(_("Every round is made already, so no bye can be asked for."))
    return str(_("A bye can be asked for from round %(first)s to round %(last)s.")) % params


def _tie_at_cut(params: Mapping[str, Any], names: Names) -> str:
    tied = [_isolated(names[entry].display_name) for entry in params["entries"] if entry in names]
    told = str(
        _("The last place that plays on is shared by %(names)s. Say that the order of the table decides, or take more.")
    )
    return told % {"names": ", ".join(tied)}


def _slot_clashes(params: Mapping[str, Any], names: Names) -> str:
    told = [unescape(clash_text(clash, name=_isolated)) for clash in params["clashes"]]
    return " ".join([str(_("Something is in the way.")), *told])


def _player_busy(params: Mapping[str, Any], names: Names) -> str:
    text = _("%(player)s sits at table %(table)s now: %(with)s. They would be called to two tables at once.")
    both = " – ".join(map(_isolated, params["with"]))
    return str(text) % {"player": _isolated(params["player"]), "table": params["table"], "with": both}


def _said_name(code: str, key: str = "name") -> Callable[[Mapping[str, Any], Names], str]:
    """A sentence with a name among its parameters."""

    def write(params: Mapping[str, Any], names: Names) -> str:
        return str(_TEXTS[code]) % {key: _isolated(params[key])}

    return write


def _file_fault(params: Mapping[str, Any], names: Names) -> str:
    return placed_fault_text(Fault.of(params["line"], params["column"], params["fault"], **params["params"]))


def _no_name_column(params: Mapping[str, Any], names: Names) -> str:
    return str(_TEXTS["no_name_column"]) % {"columns": ", ".join(map(_isolated, params["columns"]))}


def _isolated(text: str) -> str:
    """Somebody's text within ours: the direction of its letters ends where it ends."""
    return f"\u2068{text}\u2069"


_WRITTEN: Final[dict[str, Callable[[Mapping[str, Any], Names], str]]] = {
    **WRITTEN_OF_HOURS,
    "stale_version": _stale_version,
    "already_decided": _already_decided,
    "open_matches": _open_matches,
    "roster_changed": _roster_changed,
    "tie_at_cut": _tie_at_cut,
    "slot_clashes": _slot_clashes,
    "player_busy": _player_busy,
    "bye_round": _bye_round,
    "already_entered": _said_name("already_entered"),
    "same_name": _said_name("same_name"),
    "name_registered": _said_name("name_registered"),
    "room_there": _said_name("room_there"),
    "call_taken": _said_name("call_taken", "by"),
    "no_name_column": _no_name_column,
    "file_fault": _file_fault,
}
"""Sentences that need more than their parameters put in."""


def has_words(code: str) -> bool:
    """Whether a refusal of this code is told in words of its own."""
    return code in _TEXTS or code in _WRITTEN


def refusal_text(refused: Refused, names: Names | None = None) -> str:
    """The sentence for a refusal, plain text. `names` are entries it may speak of, by id.

    A name in it stands between marks that keep the direction of its letters to itself.
    """
    if (write := _WRITTEN.get(refused.code)) is not None:
        return write(refused.params, names or {})
    return str(_TEXTS.get(refused.code, _UNKNOWN)) % refused.params
