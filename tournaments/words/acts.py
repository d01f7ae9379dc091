"""A sentence for every act in the log: what was done, and what it changed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext, pgettext_lazy

from matches.actions import SCORE
from tournaments.words.labels import RESULT_KINDS, label_of, option_label, option_value_label, score_text

if TYPE_CHECKING:  # known to the type stubs alone
    from django.utils.functional import _StrPromise as Lazy

Facts = Mapping[str, Any]

_TEXTS: Final[Mapping[str, Lazy]] = {
    # the event
    "create_event": _("Made the event."),
    "edit_event": _("Changed the event."),
    "remove_demo": _("Removed the demo event."),
    "create_link": _("Made a link for {what}."),
    "renew_link": _("Gave {what} a new link."),
    "revoke_link": _("Closed the link of {what}."),
    "create_token": _("Made the token {what}."),
    "revoke_token": _("Closed the token {what}."),
    # the tournament
    "create_tournament": _("Made the tournament {what}."),
    "edit_tournament": _("Changed the settings of {what}."),
    "play_on": _("Made {what} of the first places of another tournament."),
    "remove_tournament": _("Removed the tournament {what}."),
    "start_tournament": _("Started the tournament: its roster is frozen."),
    "finish_tournament": _("Finished the tournament."),
    "reopen_tournament": _("Reopened the tournament."),
    # the roster
    "open_check_in": _("Opened check-in."),
    "close_check_in": _("Closed check-in."),
    "check_in": _("Checked in {what}."),
    "undo_check_in": _("Took back the check-in of {what}."),
    "add_entry": _("Put {what} on the roster."),
    "edit_entry": _("Changed what is said of {what}."),
    "remove_entry": _("Took {what} off the roster."),
    "merge_players": _("Made two players one: {what}."),
    "set_hand_seeds": _("Seeded by hand."),
    "prepare_import": _("Read the list {what}."),
    "confirm_import": _("Sent the list {what} to the roster."),
    "refuse_import": _("The list {what} came too late: the tournament had started."),
    "withdraw_entry": _("{what} left the tournament."),
    "return_entry": _("{what} came back."),
    # rounds
    "change_draft": _("Let two players of the draft change places."),
}

_CHANGED: Final[Mapping[str, Lazy]] = {
    "name": pgettext_lazy("of a person", "Name"),
    "place": _("Place"),
    "zone": _("Time zone"),
    "starts_on": _("First day"),
    "ends_on": _("Last day"),
    "city": _("City"),
    "club": _("Club"),
    "rating": _("Rating"),
    "ruleset": _("Rules of the game"),
    "allows_tie": _("Ties"),
    "seeding": _("Seeding"),
    "first_table": _("First table"),
    "format": _("Format"),
    "options": _("Options"),
    "tiebreaks": _("Tie-breaks"),
    "points": _("Points"),
}
"""Facts an act may have changed, by the names they have in the log."""

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
    if key in ("format", "ruleset", "seeding"):
        return _labelled(partial(label_of, key, value), value)
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
    if facts["kind"] != SCORE:
        return str(RESULT_KINDS[facts["kind"]].text)
    first, second = facts["sets"]
    return score_text(first, second)


def _enter_result(what: str, before: Facts, after: Facts) -> SafeString:
    return format_html(str(_("Entered {what}: {result}.")), what=what, result=_result(after))


def _correct_result(what: str, before: Facts, after: Facts) -> SafeString:
    text = _("Corrected {what}: {result} instead of {old}.")
    return format_html(str(text), what=what, result=_result(after), old=_result(before))


def _clear_result(what: str, before: Facts, after: Facts) -> SafeString:
    return format_html(str(_("Took back {what}: {result}.")), what=what, result=_result(before))


def _check_in_all(what: str, before: Facts, after: Facts) -> SafeString:
    count = len(after["entries"])
    return format_html(ngettext("Checked in {n} player.", "Checked in {n} players.", count), n=count)


def _import_roster(what: str, before: Facts, after: Facts) -> SafeString:
    count = after["added"]
    text = ngettext("Brought {n} player in from {what}.", "Brought {n} players in from {what}.", count)
    return format_html(text, n=count, what=what)


def _of_rounds(one: Lazy, several: Lazy) -> Callable[[str, Facts, Facts], SafeString]:
    """A sentence about the rounds an act names."""

    def write(what: str, before: Facts, after: Facts) -> SafeString:
        numbers = after.get("rounds") or [after.get("round", before.get("round", "?"))]
        if len(numbers) == 1:
            return format_html(str(one), n=numbers[0])
        return format_html(str(several), first=numbers[0], last=numbers[-1])

    return write


_WRITTEN: Final[Mapping[str, Callable[[str, Facts, Facts], SafeString]]] = {
    "enter_result": _enter_result,
    "correct_result": _correct_result,
    "clear_result": _clear_result,
    "check_in_all": _check_in_all,
    "import_roster": _import_roster,
    "draft_rounds": _of_rounds(_("Paired round {n}."), _("Paired rounds {first} to {last}.")),
    "pair_again": _of_rounds(_("Paired round {n} again."), _("Paired rounds {first} to {last} again.")),
    "publish_rounds": _of_rounds(_("Published round {n}."), _("Published rounds {first} to {last}.")),
    "take_back_round": _of_rounds(_("Took back round {n}."), _("Took back rounds {first} to {last}.")),
}
