"""What every key of the house is called, and in one line what it means."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Protocol

from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext, pgettext_lazy

from matches.models import OnTimeout, Way
from players.permissions import Role
from tournaments.engine.snapshot import EntryStatus, ResultKind
from tournaments.engine.stages import Outlook
from tournaments.models.hall import Purpose
from tournaments.models.roster import WAITING
from tournaments.models.tournament import AtTime, DecksOpen, Seating, Seeding, State, Unanswered

if TYPE_CHECKING:  # known to the type stubs alone
    from django.utils.functional import _StrPromise as Lazy


@dataclass(frozen=True, slots=True)
class Label:
    """A key in words: `text` is its name, `help` one sentence for somebody who meets it the first time."""

    text: Lazy
    help: Lazy | str = ""

    def __str__(self) -> str:
        return str(self.text)


FORMATS: Final[Mapping[str, Label]] = {
    "swiss": Label(
        _("Swiss"),
        _("Everybody plays every round, against somebody with about as many points, and nobody is out."),
    ),
    "round_robin": Label(_("Round robin"), _("Everybody meets everybody. Fair and long: for small fields.")),
    "groups": Label(
        _("Groups"), _("Several round robins side by side; the best of each group come first in the standings.")
    ),
    "single_elimination": Label(
        _("Single elimination"), _("Who loses is out, and the last one standing wins the cup.")
    ),
    "double_elimination": Label(
        _("Double elimination"), _("Who loses once goes on in the losers’ bracket; who loses twice is out.")
    ),
}

_OPTIONS: Final[Mapping[tuple[str, str], Label]] = {
    ("swiss", "rounds"): Label(_("Rounds"), _("Empty: as many as it takes to leave one player unbeaten.")),
    ("swiss", "until_unbeaten"): Label(
        _("Until one is unbeaten"), _("Ends with the first round that leaves at most one player without a loss.")
    ),
    ("swiss", "clubs_apart"): Label(
        _("Keep clubs apart"), _("Players of one club do not meet where others have as many points.")
    ),
    ("swiss", "late_rounds"): Label(
        _("Rounds before a late entry"), _("What whoever comes late gets for each round they missed.")
    ),
    ("swiss", "unplayed"): Label(
        _("Byes and missed rounds in tie-breaks"), _("Which edition of the FIDE rules (C.07, article 16) counts them.")
    ),
    ("swiss", "percent_floor"): Label(
        _("Least percentage of an opponent"), _("In percentages of opponents nobody counts for less than this.")
    ),
    ("swiss", "percent_byes"): Label(_("Byes in percentages"), _("A bye is never an opponent.")),
    ("swiss", "first_round"): Label(_("First round"), _("Later rounds always follow the points.")),
    ("round_robin", "twice"): Label(
        _("Everybody meets twice"), _("The second time whoever had the second turn has the first.")
    ),
    ("round_robin", "withdrawn"): Label(
        _("Matches of whoever leaves"), _("What becomes of them in the standings; everything is back if they return.")
    ),
    ("groups", "groups"): Label(_("Groups"), _("How many; there are at least two players in each.")),
    ("groups", "twice"): Label(
        _("Everybody meets twice"), _("The second time whoever had the second turn has the first.")
    ),
    ("groups", "withdrawn"): Label(
        _("Matches of whoever leaves"), _("What becomes of them in the standings; everything is back if they return.")
    ),
    ("double_elimination", "grand_final"): Label(
        _("Grand final"), _("The winner of the winners’ bracket meets the winner of the losers’ bracket.")
    ),
    ("single_elimination", "third_place"): Label(
        _("Match for third place"), _("The losers of the semi-finals meet; without it they share third place.")
    ),
}

_OPTION_VALUES: Final[Mapping[tuple[str, str, str], Lazy]] = {
    ("round_robin", "withdrawn", "half"): _("Annulled if fewer than half were played"),
    ("round_robin", "withdrawn", "forfeit"): _("Those played stand, the rest are walkovers"),
    ("groups", "withdrawn", "half"): _("Annulled if fewer than half were played"),
    ("groups", "withdrawn", "forfeit"): _("Those played stand, the rest are walkovers"),
    ("double_elimination", "grand_final", "reset"): _("Played again if the one who had lost once wins it"),
    ("double_elimination", "grand_final", "single"): _("One final, whoever wins it"),
    ("double_elimination", "grand_final", "none"): _("None: the winners’ bracket alone decides"),
    ("swiss", "first_round", "random"): _("By lot"),
    ("swiss", "late_rounds", "loss"): _("Nothing"),
    ("swiss", "late_rounds", "tie"): _("As many points as for a tie"),
    ("swiss", "late_rounds", "bye"): _("As many points as for a bye"),
    ("swiss", "unplayed", "2026"): _("March 2026"),
    ("swiss", "unplayed", "2023"): _("2023 and 2024"),
    ("swiss", "percent_floor", "1/3"): _("One third"),
    ("swiss", "percent_floor", "1/4"): _("One quarter"),
    ("swiss", "percent_floor", "0"): _("None"),
    ("swiss", "percent_byes", "win"): _("A clean win"),
    ("swiss", "percent_byes", "none"): _("Left out"),
    ("swiss", "first_round", "slide"): _("By seeding: the upper half meets the lower half"),
}

TIEBREAKS: Final[Mapping[str, Label]] = {
    "buchholz_cut_1": Label(
        _("Buchholz cut 1"),
        _("The points of all your opponents together, the weakest left out. Whoever met stronger opponents is higher."),
    ),
    "buchholz": Label(
        _("Buchholz"),
        _("The points of all your opponents together. Whoever met stronger opponents is higher."),
    ),
    "buchholz_cut_2": Label(
        _("Buchholz cut 2"), _("The points of all your opponents together, the two weakest left out.")
    ),
    "buchholz_median": Label(
        _("Median Buchholz"),
        _("The points of all your opponents together, the weakest and the strongest left out."),
    ),
    "head_to_head": Label(
        _("Head-to-head"),
        _("The matches among those who are level, if they have all met: their points, then their sets."),
    ),
    "set_difference": Label(
        pgettext_lazy("sets won minus sets lost", "Sets"), _("Sets won minus sets lost, in all matches.")
    ),
    "sets_won": Label(_("Sets won"), _("Sets won, in all matches.")),
    "set_ratio": Label(_("Share of sets"), _("How many of all the sets you played you won.")),
    "sonneborn_berger": Label(
        _("Sonneborn-Berger"),
        _("For each opponent, their points times what you earned against them: strong ones beaten count most."),
    ),
    "wins": Label(_("Wins"), _("Matches won; a bye counts as one where it gives as many points.")),
    "wins_as_second": Label(_("Wins as second"), _("Matches won when the other side had the first turn.")),
    "times_opening": Label(
        _("Times opening"), _("Matches played with the first turn: whoever opened more often had it harder.")
    ),
    "progressive": Label(
        _("Progressive score"), _("Your points after each round, added up: early points count longest.")
    ),
    "koya": Label(_("Koya"), _("Points made against those who have at least half of what they could have.")),
    "opponents_match_wins": Label(
        _("Opponents’ match wins"), _("The share of match points your opponents made, on average.")
    ),
    "set_wins": Label(_("Set wins"), _("The share of sets you won; a bye counts as a clean win.")),
    "opponents_set_wins": Label(_("Opponents’ set wins"), _("The share of sets your opponents won, on average.")),
    "lot": Label(_("Lot"), _("Drawn from a number that is stored, so that anybody can draw it again.")),
}

RULESETS: Final[Mapping[str, Label]] = {
    "standard": Label(
        _("Standard"), _("As the cantina plays it: gold cards, ten cards in a side deck, nine cards make you stand.")
    ),
    "senate": Label(_("Republic Senate"), _("Like standard, but nine cards win the set, and nobody plays for stakes.")),
    "gold": Label(
        _("Gold"), _("The shorter sheet: nine cards win the set, and a side deck may have as few as four cards.")
    ),
    "table": Label(
        _("Pazaak Table"), _("With a Dealer: an endless main deck, a new hand each set, priced cards and wagers.")
    ),
    "kotor": Label(_("First video game"), _("No gold cards, and the same side opens every set.")),
    "tsl": Label(_("Second video game"), _("Gold cards, and nine cards win the set.")),
}

SEEDINGS: Final[Mapping[str, Label]] = {
    Seeding.RANDOM: Label(_("By lot"), _("Drawn from a number that is stored, so that anybody can draw it again.")),
    Seeding.RATING: Label(
        _("By rating"), _("The best are kept apart as long as possible; those without a rating come last.")
    ),
    Seeding.HAND: Label(_("By hand"), _("In your order; those without a place come last, by lot.")),
}

UNANSWERED: Final[Mapping[str, Label]] = {
    Unanswered.REFEREE: Label(_("goes to the referee"), _("Who hears both players and decides.")),
    Unanswered.CONFIRM: Label(_("counts"), _("Whoever says nothing agrees.")),
}
"""What becomes of a player's report the other player does not answer in time."""

AT_TIME: Final[Mapping[str, Label]] = {
    AtTime.FINISH_SET: Label(
        _("finish the set"),
        _("The set on the table is played to its end; another one only where no tie can stand."),
    ),
    AtTime.SUDDEN_DEATH: Label(
        _("sudden death"), _("The set on the table is played to its end; level then, the next set decides.")
    ),
    AtTime.TIE: Label(_("the sets as they stand"), _("No more cards: level in sets is a tied match.")),
}
"""What happens at a table when the time of the round is over."""

SEATINGS: Final[Mapping[str, Label]] = {
    Seating.ROUNDS: Label(_("Round by round"), _("A round gets its tables together and is played by all at once.")),
    Seating.QUEUE: Label(
        _("As tables come free"),
        _("The next match that can be played is called to the next free table; nobody waits for a whole round."),
    ),
}
"""How matches come to tables."""

WAYS: Final[Mapping[str, Label]] = {
    Way.PAPER: Label(_("On paper"), _("Real cards on a table; somebody enters the score afterwards.")),
    Way.CONSOLE: Label(
        _("With the referee’s console"),
        _("Real cards on a table; the referee enters every card with one tap, and everybody can look on."),
    ),
    Way.HERE: Label(
        _("On the players’ own devices"), _("Each behind a private link; the cards are dealt here, for all to check.")
    ),
}
"""How a match is played."""

TIMEOUTS: Final[Mapping[str, Label]] = {
    OnTimeout.STAND: Label(_("The player stands"), _("With what lies there, as if they had said so.")),
    OnTimeout.LOSE_SET: Label(_("The player loses the set"), _("The match goes on with the next one.")),
    OnTimeout.CALL: Label(_("The referee is called"), _("The game pauses until they let it go on.")),
}
"""What becomes of a player whose time is over."""

DECKS_OPEN: Final[Mapping[str, Label]] = {
    DecksOpen.MATCH: Label(_("After each match"), _("Everybody can look at both hands then, and check the deal.")),
    DecksOpen.EVENT: Label(_("After the tournament"), _("Nobody learns what an opponent of a later round brings.")),
}
"""When side decks and hands may be seen by everybody."""

STATES: Final[Mapping[str, Label]] = {
    State.ROSTER: Label(_("Taking entries"), _("Players are being put on the roster.")),
    State.CHECK_IN: Label(_("Check-in is open"), _("Players say at the desk that they are here.")),
    State.RUNNING: Label(_("Being played"), _("The roster is closed, and rounds are played.")),
    State.FINISHED: Label(_("Finished"), _("All is played, and the places stand.")),
}

ROLES: Final[Mapping[str, Label]] = {
    Role.ORGANISER: Label(_("Organiser"), _("Runs the event and may do everything in it.")),
    Role.REFEREE: Label(_("Referee"), _("Sees the open matches and enters results.")),
    Role.DESK: Label(_("Entry desk"), _("Checks players in and adds those who come on the day.")),
    Role.DEALER: Label(_("Dealer"), _("Keeps stakes and draws the cards.")),
    Role.PLAYER: Label(_("Player"), _("Plays in a tournament.")),
    Role.SCREEN: Label(_("Hall screen"), _("Shows public pages on the wall.")),
    Role.PUBLIC: Label(_("Public"), _("Everybody: sees what is published.")),
    Role.SYSTEM: Label(_("Cantina"), _("What follows by itself.")),
}

RESULT_KINDS: Final[Mapping[str, Label]] = {
    ResultKind.SCORE: Label(_("Played"), _("Played to the end.")),
    ResultKind.TIME: Label(_("On time"), _("The time of the round was over: the sets stand as they were.")),
    ResultKind.WALKOVER: Label(_("Walkover"), _("The other side did not come.")),
    ResultKind.FORFEIT: Label(
        _("Forfeit"), _("The other side gave up during the match, or the referee gave the match to this one.")
    ),
    ResultKind.DOUBLE_NO_SHOW: Label(_("Neither came"), _("Both sides stayed away, and both lose.")),
}

ENTRY_STATUSES: Final[Mapping[str, Label]] = {
    WAITING: Label(pgettext_lazy("of a player", "Waiting"), _("Gets the next place that is free.")),
    EntryStatus.ACTIVE: Label(_("Playing")),
    EntryStatus.WITHDRAWN: Label(_("Left"), _("Not paired any more; results and place stay.")),
    EntryStatus.DISQUALIFIED: Label(_("Disqualified"), _("Not paired any more.")),
}

TABLE_PURPOSES: Final[Mapping[str, Label]] = {
    Purpose.PLAIN: Label(_("Any match")),
    Purpose.FEATURE: Label(_("Feature table"), _("Where people look on: for the first match of a round.")),
    Purpose.STREAM: Label(_("Stream table"), _("Where the camera is: for the first match of a round.")),
}

COLUMNS: Final[Mapping[str, Label]] = {
    "points": Label(_("Points")),
    "record": Label(pgettext_lazy("column of matches", "Won–lost"), _("Matches won and lost.")),
    "record_ties": Label(pgettext_lazy("column of matches", "Won–tied–lost"), _("Matches won, tied and lost.")),
    "sets": Label(pgettext_lazy("sets won and sets lost", "Sets"), _("Sets won and sets lost, in all matches.")),
}
"""Columns of a table of standings besides its tie-breaks."""

OUTLOOKS: Final[Mapping[str, Label]] = {
    Outlook.CERTAIN: Label(_("certain to play on"), _("Plays on whatever the missing results.")),
    Outlook.POSSIBLE: Label(_("may play on"), _("Still open, or only tie-breaks would tell.")),
    Outlook.OUT: Label(_("out"), _("Cannot play on any more, or has left.")),
    Outlook.THROUGH: Label(_("plays on"), _("Is among the best who play on.")),
    Outlook.LEVEL: Label(_("level at the line"), _("Shares the last place that plays on: somebody has to decide.")),
}
"""What is said of playing on with the best."""

OWN_OUTLOOKS: Final[Mapping[str, Lazy]] = {
    Outlook.CERTAIN: _("You play on, whatever the missing results."),
    Outlook.POSSIBLE: _("You can still play on."),
    Outlook.OUT: _("You cannot play on any more."),
    Outlook.THROUGH: _("You play on."),
    Outlook.LEVEL: _("You share the last place that plays on: somebody has to decide."),
}
"""The same to the player themselves."""

EXPORTERS: Final[Mapping[str, Label]] = {
    "csv": Label(_("CSV"), _("Plain text, for any program.")),
    "json": Label(_("JSON"), _("Everything needed to rebuild the tournament, here or elsewhere.")),
    "trf": Label(_("TRF"), _("FIDE’s report format, for programs that know chess tournaments.")),
    "xlsx": Label(_("Excel"), _("A workbook, in which fractions and names stay exactly as they are.")),
}

_TABLES: Final[Mapping[str, Mapping[str, Label]]] = {
    "format": FORMATS,
    "tiebreak": TIEBREAKS,
    "ruleset": RULESETS,
    "seeding": SEEDINGS,
    "unanswered": UNANSWERED,
    "at_time": AT_TIME,
    "seating": SEATINGS,
    "way": WAYS,
    "state": STATES,
    "role": ROLES,
    "purpose": TABLE_PURPOSES,
    "result": RESULT_KINDS,
    "status": ENTRY_STATUSES,
    "exporter": EXPORTERS,
    "outlook": OUTLOOKS,
}


def label_of(kind: str, key: str) -> Label:
    """The label of a stored key: kind is format, tiebreak, ruleset, seeding, unanswered, at_time, seating, way,
    state, role, purpose, result, status, exporter or outlook.

    A ruleset's key may carry its version ("standard/1"). Raises KeyError for a key without words.
    """
    return _TABLES[kind][key.partition("/")[0]]


def option_label(format_key: str, option: str) -> Label:
    """What one option of a format is called, and what it does. Raises KeyError where it has no words."""
    return _OPTIONS[format_key, option]


def option_value_label(format_key: str, option: str, value: str) -> Lazy:
    """What one value of an option of texts is called. Raises KeyError where it has no words."""
    return _OPTION_VALUES[format_key, option, value]


def score_text(first: int | str, second: int | str) -> str:
    """The sets of both sides as people write them: "3–1"."""
    return pgettext("score", "{first}–{second}").format(first=first, second=second)


class Ended(Protocol):
    """What says how a match ended: the match itself, a report of it, or a row of it."""

    @property
    def kind(self) -> str: ...
    @property
    def sets_a(self) -> int: ...
    @property
    def sets_b(self) -> int: ...


def result_text(match: Ended) -> str:
    """How a match ended, or was reported to have ended, seat a first: "3–1", "2–1, on time", "3–0, walkover"; ""
    while it is open.
    """
    return ended_text(match.kind, match.sets_a, match.sets_b) if match.kind else ""


def ended_text(kind: str, first: int, second: int) -> str:
    """The same for a kind of result and the sets of both sides: "3–1", "2–1, on time"."""
    score = score_text(first, second)
    if kind == ResultKind.SCORE:
        return score
    told = str(RESULT_KINDS[kind])
    return told if kind == ResultKind.DOUBLE_NO_SHOW else f"{score}, {told[0].lower()}{told[1:]}"
