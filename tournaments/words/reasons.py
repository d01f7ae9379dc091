"""Sentences for what the engine says: why a place, why a pairing, what a draft lacks, what a round is called."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Final, Protocol

from django.utils.formats import get_format
from django.utils.html import conditional_escape, format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from players.words import person
from tournaments.engine.notes import Note
from tournaments.words.labels import score_text

if TYPE_CHECKING:  # known to the type stubs alone
    from django.utils.functional import _StrPromise as Lazy


class Named(Protocol):
    """Somebody a sentence speaks of, under the name its reader may see."""

    @property
    def display_name(self) -> str: ...


Names = Mapping[int, Named]
Params = Mapping[str, Any]
StoredNote = Note | Sequence[Any]

_PERCENTAGES = frozenset({"set_ratio", "opponents_match_wins", "set_wins", "opponents_set_wins"})
_RATIO_DIGITS = 4  # decimals of a percentage that are tried to tell two apart


def read_note(note: StoredNote) -> tuple[str, dict[str, Any]]:
    """The code and the parameters of a note, as the engine makes it or as it is stored: [code, {params}]."""
    if isinstance(note, Note):
        return note.code, dict(note.params)
    code, params = note
    return str(code), dict(params)


def _say(text: str, **parts: object) -> SafeString:
    """A sentence as HTML, everything put into it escaped."""
    return format_html(text, **parts) if parts else conditional_escape(text)


def _listed(names: Sequence[SafeString]) -> SafeString:
    return format_html_join(", ", "{}", ((name,) for name in names))


def people(names: Sequence[SafeString]) -> SafeString:
    """Several names as one: "A", "A and B", "A, B and C"."""
    if len(names) < 2:
        return names[0] if names else SafeString("")
    first = _listed(names[:-1])
    return _say(_("{names} and {last}"), names=first, last=names[-1])


def read_exact(value: Fraction | int | str) -> Fraction:
    """A value as it is stored, "n" or "n/d". Most are whole, and those are read several times as fast as a fraction."""
    if isinstance(value, Fraction):
        return value
    return Fraction(value if isinstance(value, str) and "/" in value else int(value))


def number_text(key: str, value: Fraction | str) -> str:
    """A value of a tie-break as it stands in a column: whole, signed for a difference, a percentage for a share."""
    exact = read_exact(value)
    if key in _PERCENTAGES:
        return _percent(exact, 1)
    over, under = exact.numerator, exact.denominator
    sign = "−" if over < 0 else "+" if over > 0 and key == "set_difference" else ""
    return f"{sign}{abs(over)}" if under == 1 else f"{sign}{abs(over)}/{under}"


def _percent(share: Fraction, digits: int) -> str:
    scaled = round(share * 100 * 10**digits)
    whole, rest = divmod(scaled, 10**digits)
    return f"{whole}{get_format('DECIMAL_SEPARATOR')}{rest:0{digits}} %"


def _two_numbers(key: str, one: str, other: str) -> tuple[str, str]:
    """Two values of a tie-break beside each other, told apart where their short forms are alike."""
    if key not in _PERCENTAGES:
        return number_text(key, one), number_text(key, other)
    a, b = read_exact(one), read_exact(other)
    digits = next((d for d in range(1, _RATIO_DIGITS) if _percent(a, d) != _percent(b, d)), _RATIO_DIGITS)
    return _percent(a, digits), _percent(b, digits)


def _score(sets: str, *, turned: bool = False) -> str:
    """A score of the engine, "3:2", as people write it; turned, from the other side."""
    mine, _colon, theirs = sets.partition(":")
    return score_text(theirs, mine) if turned else score_text(mine, theirs)


# --- Rounds.


def _numbers(params: Params) -> dict[str, Any]:
    """The numbers in the name of a round: `n`, and of a round of 16 its 8 matches, by which Russian calls it."""
    return {**params, "half": params["n"] // 2} if "n" in params else dict(params)


def round_name(note: StoredNote) -> str:
    """What a round is called, the same on every page, slip and export: "Round 5", "Quarter-finals", "Final"."""
    code, params = read_note(note)
    return {
        "round": _("Round {n}"),
        "round_of": _("Round of {n}"),
        "quarter_finals": _("Quarter-finals"),
        "semi_finals": _("Semi-finals"),
        "third_place": _("Match for third place"),
        "final": _("Final"),
        "winners_round": _("Winners’ round {n}"),
        "winners_semi_finals": _("Winners’ semi-finals"),
        "winners_final": _("Winners’ final"),
        "losers_round": _("Losers’ round {n}"),
        "losers_final": _("Losers’ final"),
        "grand_final": _("Grand final"),
        "grand_final_reset": _("Second grand final"),
        "play_off": _("Play-off {n}") if params.get("n", 1) > 1 else _("Play-off"),
    }[code].format(**_numbers(params))


def after_round(note: StoredNote) -> str:
    """The standings a round ends with, as a title."""
    code, params = read_note(note)
    return {
        "round": _("Standings after round {n}"),
        "round_of": _("Standings after the round of {n}"),
        "quarter_finals": _("Standings after the quarter-finals"),
        "semi_finals": _("Standings after the semi-finals"),
        "third_place": _("Standings after the match for third place"),
        "final": _("Standings after the final"),
        "winners_round": _("Standings after winners’ round {n}"),
        "winners_semi_finals": _("Standings after the winners’ semi-finals"),
        "winners_final": _("Standings after the winners’ final"),
        "losers_round": _("Standings after losers’ round {n}"),
        "losers_final": _("Standings after the losers’ final"),
        "grand_final": _("Standings after the grand final"),
        "grand_final_reset": _("Standings after the second grand final"),
        "play_off": _("Standings after the play-off"),
    }[code].format(**_numbers(params))


def being_played(note: StoredNote, *, planned: int) -> str:
    """The headline while a round is played; `planned` is how many rounds there are."""
    code, params = read_note(note)
    return {
        "round": _("Round {n} of {planned} is being played"),
        "round_of": _("The round of {n} is being played"),
        "quarter_finals": _("The quarter-finals are being played"),
        "semi_finals": _("The semi-finals are being played"),
        "third_place": _("The match for third place is being played"),
        "final": _("The final is being played"),
        "winners_round": _("Winners’ round {n} is being played"),
        "winners_semi_finals": _("The winners’ semi-finals are being played"),
        "winners_final": _("The winners’ final is being played"),
        "losers_round": _("Losers’ round {n} is being played"),
        "losers_final": _("The losers’ final is being played"),
        "grand_final": _("The grand final is being played"),
        "grand_final_reset": _("The second grand final is being played"),
        "play_off": _("The play-off is being played"),
    }[code].format(planned=planned, **_numbers(params))


def is_finished(note: StoredNote, *, planned: int) -> str:
    """The headline between two rounds."""
    code, params = read_note(note)
    return {
        "round": _("Round {n} of {planned} is finished"),
        "round_of": _("The round of {n} is finished"),
        "quarter_finals": _("The quarter-finals are finished"),
        "semi_finals": _("The semi-finals are finished"),
        "third_place": _("The match for third place is finished"),
        "final": _("The final is finished"),
        "winners_round": _("Winners’ round {n} is finished"),
        "winners_semi_finals": _("The winners’ semi-finals are finished"),
        "winners_final": _("The winners’ final is finished"),
        "losers_round": _("Losers’ round {n} is finished"),
        "losers_final": _("The losers’ final is finished"),
        "grand_final": _("The grand final is finished"),
        "grand_final_reset": _("The second grand final is finished"),
        "play_off": _("The play-off is finished"),
    }[code].format(planned=planned, **_numbers(params))


def _in_round(code: str, params: Params) -> str:
    """Where somebody went out, as the end of a sentence."""
    return {
        "round_of": _("Out in the round of {n}."),
        "quarter_finals": _("Out in the quarter-finals."),
        "semi_finals": _("Out in the semi-finals."),
        "third_place": _("Out in the match for third place."),
        "final": _("Out in the final."),
        "winners_round": _("Out in the winners’ bracket, round {n}."),
        "winners_semi_finals": _("Out in the winners’ semi-finals."),
        "winners_final": _("Out in the winners’ final."),
        "losers_round": _("Out in the losers’ bracket, round {n}."),
        "losers_final": _("Out in the losers’ final."),
        "grand_final": _("Out in the grand final."),
        "grand_final_reset": _("Out in the second grand final."),
    }[code].format(**_numbers(params))


# --- Places.

_AHEAD: Final[Mapping[str, Lazy]] = {
    "buchholz_cut_1": gettext_lazy("Level on points with {name}; own opponents scored more, {mine} to {theirs}."),
    "buchholz": gettext_lazy("Level with {name}; with the weakest opponent counted too, it is {mine} to {theirs}."),
    "buchholz_cut_2": gettext_lazy("Level with {name}; own opponents but two scored more, {mine} to {theirs}."),
    "buchholz_median": gettext_lazy("Level with {name}; own middle opponents scored more, {mine} to {theirs}."),
    "set_difference": gettext_lazy("Level with {name} in all but sets: {mine} to {theirs}."),
    "sets_won": gettext_lazy("Level with {name}, and won more sets: {mine} to {theirs}."),
    "set_ratio": gettext_lazy("Level with {name}, and won more of the sets: {mine} to {theirs}."),
    "sonneborn_berger": gettext_lazy("Level with {name}, and beat stronger ones: Sonneborn-Berger {mine} to {theirs}."),
    "wins": gettext_lazy("Level with {name}, and won more matches: {mine} to {theirs}."),
    "wins_as_second": gettext_lazy("Level with {name}, and won more matches as second: {mine} to {theirs}."),
    "times_opening": gettext_lazy("Level with {name}, and opened more matches: {mine} to {theirs}."),
    "progressive": gettext_lazy("Level with {name}, and made points earlier: progressive score {mine} to {theirs}."),
    "koya": gettext_lazy("Level with {name}, and made more points against the strong: {mine} to {theirs}."),
    "opponents_match_wins": gettext_lazy("Level with {name}; own opponents won more, {mine} to {theirs}."),
    "set_wins": gettext_lazy("Level with {name}, and won more of the sets: {mine} to {theirs}."),
    "opponents_set_wins": gettext_lazy("Level with {name}; own opponents won more sets, {mine} to {theirs}."),
}
_BEHIND: Final[Mapping[str, Lazy]] = {
    "buchholz_cut_1": gettext_lazy("Level on points with {name}, whose opponents scored more: {theirs} to {mine}."),
    "buchholz": gettext_lazy("Level with {name}; with the weakest opponent counted too, it is {mine} to {theirs}."),
    "buchholz_cut_2": gettext_lazy("Level with {name}, whose opponents but two scored more: {theirs} to {mine}."),
    "buchholz_median": gettext_lazy("Level with {name}, whose middle opponents scored more: {theirs} to {mine}."),
    "set_difference": gettext_lazy("Level with {name} in all but sets: {mine} to {theirs}."),
    "sets_won": gettext_lazy("Level with {name}, who won more sets: {theirs} to {mine}."),
    "set_ratio": gettext_lazy("Level with {name}, who won more of the sets: {theirs} to {mine}."),
    "sonneborn_berger": gettext_lazy("Level with {name}, who beat stronger ones: Sonneborn-Berger {theirs} to {mine}."),
    "wins": gettext_lazy("Level with {name}, who won more matches: {theirs} to {mine}."),
    "wins_as_second": gettext_lazy("Level with {name}, who won more matches as second: {theirs} to {mine}."),
    "times_opening": gettext_lazy("Level with {name}, who opened more matches: {theirs} to {mine}."),
    "progressive": gettext_lazy("Level with {name}, who made points earlier: progressive score {theirs} to {mine}."),
    "koya": gettext_lazy("Level with {name}, who made more points against the strong: {theirs} to {mine}."),
    "opponents_match_wins": gettext_lazy("Level with {name}, whose opponents won more: {theirs} to {mine}."),
    "set_wins": gettext_lazy("Level with {name}, who won more of the sets: {theirs} to {mine}."),
    "opponents_set_wins": gettext_lazy("Level with {name}, whose opponents won more sets: {theirs} to {mine}."),
}
TIEBREAK_SENTENCES: Final = frozenset(_AHEAD)
"""Tie-breaks that have a sentence of their own; those that order the tied by their meetings need none."""


def _by_tiebreak(sentences: Mapping[str, Lazy]) -> Callable[[Params, Names], SafeString]:
    def write(params: Params, names: Names) -> SafeString:
        mine, theirs = _two_numbers(params["key"], params["mine"], params["theirs"])
        return _say(str(sentences[params["key"]]), name=_name(params, names), mine=mine, theirs=theirs)

    return write


def _name(params: Params, names: Names, key: str = "entry") -> SafeString:
    return _known(params[key], names)


def _known(entry: int, names: Names) -> SafeString:
    found = names.get(entry)
    return person(found.display_name) if found is not None else SafeString("—")


def _alone(params: Params, names: Names) -> SafeString:
    points = params["points"]
    return _say(ngettext("Alone on {points} point.", "Alone on {points} points.", points), points=points)


def _shared(params: Params, names: Names) -> SafeString:
    named = [_known(entry, names) for entry in params["entries"]]
    left = params["count"] - len(named)
    if left:
        text = ngettext(
            "Shares the place with {names} and {n} other: level in everything.",
            "Shares the place with {names} and {n} others: level in everything.",
            left,
        )
        return _say(text, names=_listed(named), n=left)
    return _say(_("Shares the place with {names}: level in everything."), names=people(named))


def _still_in(params: Params, names: Names) -> SafeString:
    texts = {1: _("Still in."), 2: _("Can still be second."), 3: _("Can still be third.")}
    return _say(texts[params["best"]])


def group_letter(number: int) -> str:
    """The name of a group by its number from 1: A, B, … Z, AA …"""
    letters = ""
    while number:
        number, rest = divmod(number - 1, 26)
        letters = chr(ord("A") + rest) + letters
    return letters


def _in_group(params: Params, names: Names) -> SafeString:
    """Of a pairing, the group it is in; of a place, that in the group and the reason for it."""
    group = group_letter(params["group"])
    if "place" not in params:
        return _say(_("Group {group}."), group=group)
    where = _say(_("{place}. in group {group}."), place=params["place"], group=group)
    return format_html("{} {}", where, note_text(*read_note(params["why"]), names))


def _unopposed(params: Params, names: Names) -> SafeString:
    if params["round"] == "third_place":
        return _say(_("Nobody was left to meet for third place."))
    if params["round"] == "losers_final":
        return _say(_("Nobody was left to meet for second place."))
    return _say(_("Nobody was left to meet in the final."))


def _with_score(text: Lazy, *, turned: bool = False) -> Callable[[Params, Names], SafeString]:
    """A sentence about one match of two; `turned` tells its score from the other's side."""

    def write(params: Params, names: Names) -> SafeString:
        return _say(str(text), name=_name(params, names), score=_score(params["sets"], turned=turned))

    return write


# --- Everything in one table.


def _plain(text: Lazy) -> Callable[[Params, Names], SafeString]:
    """A sentence whose parameters are put in as they are, {name} and {other} being the people it speaks of."""

    def write(params: Params, names: Names) -> SafeString:
        said = dict(params)
        for key, place in (("entry", "name"), ("a", "name"), ("b", "other")):
            if key in params:
                said[place] = _name(params, names, key)
        return _say(str(text), **said)

    return write


def _extra_byes(params: Params, names: Names) -> SafeString:
    count = params["count"]
    text = ngettext("{count} player has a bye.", "{count} players have a bye and could meet each other.", count)
    return _say(text, count=count)


def _rematches_certain(params: Params, names: Names) -> SafeString:
    text = ngettext(
        "Only {most} round can do without a rematch, and {rounds} are planned.",
        "Only {most} rounds can do without a rematch, and {rounds} are planned.",
        params["most"],
    )
    return _say(text, **params)


def _tables_short(params: Params, names: Names) -> SafeString:
    count = params["count"]
    text = ngettext("{count} match finds no table and waits.", "{count} matches find no table and wait.", count)
    return _say(text, count=count)


_SENTENCES: Final[Mapping[str, Callable[[Params, Names], SafeString]]] = {
    # why a place
    "alone_on_points": _alone,
    "ahead_by": _by_tiebreak(_AHEAD),
    "behind_by": _by_tiebreak(_BEHIND),
    "head_to_head_won": _with_score(gettext_lazy("Level with {name}, but won their match {score}.")),
    "head_to_head_lost": _with_score(gettext_lazy("Level with {name}, who won their match {score}."), turned=True),
    "mini_league_ahead": _plain(gettext_lazy("Level with {name}; ahead by the matches among those who are level.")),
    "mini_league_behind": _plain(gettext_lazy("Level with {name}; behind by the matches among those who are level.")),
    "play_off_won": _plain(gettext_lazy("Level with {name}, but won their play-off.")),
    "play_off_lost": _plain(gettext_lazy("Level with {name}, who won their play-off.")),
    "lot_ahead": _plain(gettext_lazy("Level with {name} in everything; the lot decided.")),
    "lot_behind": _plain(gettext_lazy("Level with {name} in everything; the lot decided.")),
    "shared": _shared,
    "level_nothing_played": _plain(gettext_lazy("Nothing is played yet.")),
    "place_final_won": _with_score(gettext_lazy("Won the final against {name}, {score}.")),
    "place_final_lost": _with_score(gettext_lazy("Lost the final to {name}, {score}.")),
    "place_third_won": _with_score(gettext_lazy("Won the match for third place against {name}, {score}.")),
    "place_third_lost": _with_score(gettext_lazy("Lost the match for third place to {name}, {score}.")),
    "place_losers_final_won": _with_score(gettext_lazy("Won the losers’ final against {name}, {score}.")),
    "place_losers_final_lost": _with_score(gettext_lazy("Lost the losers’ final to {name}, {score}.")),
    "place_unopposed": _unopposed,
    "place_out_in": lambda params, names: _say(_in_round(params["round"], params)),
    "still_in": _still_in,
    "not_in_bracket": _plain(gettext_lazy("Came after the bracket was drawn.")),
    "in_group": _in_group,
    "in_no_group": _plain(gettext_lazy("Came after the groups were drawn.")),
    "annulled": _plain(gettext_lazy("Left before half of the matches were played: those do not count.")),
    "disqualified": _plain(gettext_lazy("Disqualified.")),
    # why a pairing
    "floated": _plain(gettext_lazy("{name}, on {points} points, meets somebody on {to}.")),
    "bye_lowest": _plain(gettext_lazy("Bye: the lowest score of those with the fewest byes.")),
    "bye_lowest_possible": _plain(gettext_lazy("Bye: the lowest score that leaves everybody else a new opponent.")),
    "bye_alone": _plain(gettext_lazy("Bye: nobody else is left.")),
    "bye_asked": _plain(gettext_lazy("Bye: asked not to play this round.")),
    "bye_seeded": _plain(gettext_lazy("Bye: the best seeds begin a round later.")),
    # what a draft has against it, or good to know of it
    "rematch": _plain(gettext_lazy("{name} and {other} have met before, in round {round}.")),
    "rematch_unavoidable": _plain(
        gettext_lazy("{name} and {other} meet again, after round {round}: this round cannot do without a rematch.")
    ),
    "second_bye_unavoidable": _plain(gettext_lazy("{name} has a bye again: nobody who is left has had fewer.")),
    "nobody_plays": _plain(gettext_lazy("Nobody plays this round: all others asked for a bye.")),
    "bye_again": _plain(gettext_lazy("{name} has had a bye before.")),
    "extra_byes": _extra_byes,
    "left_out": _plain(gettext_lazy("{name} meets nobody and has no bye.")),
    "not_in_stage": _plain(gettext_lazy("{name} is not among those who started.")),
    "not_active": _plain(gettext_lazy("{name} has left the tournament.")),
    "self": _plain(gettext_lazy("{name} is paired with nobody else than {name}.")),
    "paired_twice": _plain(gettext_lazy("{name} is paired twice.")),
    "tables_short": _tables_short,
    "no_tables": _plain(
        gettext_lazy("No table is in order, and matches are called to tables as these come free: nobody is called.")
    ),
    "fixed_seat_missed": _plain(gettext_lazy("{name} always sits at table {table}, but does not this time.")),
    # what to know of a format before the start
    "round_robin_instead": _plain(
        gettext_lazy("In {rounds} rounds {entries} players could all meet each other: a round robin would do that.")
    ),
    "rematches_certain": _rematches_certain,
    "rounds_too_few": _plain(gettext_lazy("{rounds} rounds may leave several players unbeaten; {needed} leave one.")),
    "fewer_groups": _plain(gettext_lazy("There are players for {groups} groups only.")),
    "no_third_place": _plain(gettext_lazy("With {entries} players there is no match for third place.")),
}


def has_words(code: str) -> bool:
    """Whether a note of this code is told in words of its own."""
    return code in _SENTENCES


def note_text(code: str, params: Params, names: Names) -> SafeString:
    """The sentence for a note of the engine, as HTML with every name escaped. `names` are entries by id.

    A code nobody knows any more, from a note stored long ago, says nothing.
    """
    write = _SENTENCES.get(code)
    return write(params, names) if write is not None else SafeString("")
