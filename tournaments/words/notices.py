"""What people are told, in the reader's language: a line for their page, and the mail around it."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, tzinfo
from typing import Any

from babel.dates import get_timezone_location
from django.conf import settings
from django.utils.formats import date_format
from django.utils.timezone import localtime
from django.utils.translation import get_language, to_locale
from django.utils.translation import gettext as _

from matches.actions import SCORE
from tournaments.engine.snapshot import Bye
from tournaments.models import Entry, Event, Notice, Tournament
from tournaments.models.tournament import Seating
from tournaments.words.labels import ended_text, label_of
from tournaments.words.reasons import Named, round_name

_FIRST, _LAST = "\u2068", "\u2069"
_NOBODY: Mapping[int, Named] = {}


def notice_text(notice: Notice, names: Mapping[int, Named] = _NOBODY) -> str:
    """The sentence of a notice, as plain text. A name keeps the direction of its letters to itself.

    The notice has its entry with tournament and event loaded, or its link with its event. `names` are the players it
    may speak of by entry id, under the names its reader may see; without one the sentence says "your opponent".
    """
    if notice.entry is not None:
        return _to_player(notice, notice.entry, names)
    return _to_helper(notice)


def notice_subject(notice: Notice) -> str:
    """The subject of a notice's mail: one line, without anything that only steers how letters run."""
    if notice.entry is not None:
        about, said = notice.entry.tournament.name, _subject(notice)
    else:
        about, said = _event_of(notice).name, _("your link")
    text = _("{about}: {said}").format(about=about, said=said)
    return " ".join(text.replace(_FIRST, "").replace(_LAST, "").split())


def mail_text(notice: Notice, names: Mapping[int, Named], *, link: str) -> str:
    """The whole mail of a notice, as plain text; `link` is the reader's own address."""
    text = notice_text(notice, names)
    if notice.entry is not None:
        where = _("Your own page, with everything about your matches:")
        event = notice.entry.tournament.event
        why = _("You get this because this address was given for you in {tournament} at {event}.").format(
            tournament=_name(notice.entry.tournament.name), event=_name(event.name)
        )
    else:
        where = _("Your link:")
        why = _("The link is yours alone: whoever has it can do what you can.")
    return f"{text}\n\n{where}\n{link}\n\n{why}\n"


def _name(name: object) -> str:
    return f"{_FIRST}{name}{_LAST}"


def _event_of(notice: Notice) -> Event:
    if notice.entry is not None:
        return notice.entry.tournament.event
    if notice.link is None:
        raise ValueError(f"notice {notice.pk} has no reader")
    return notice.link.event


def _subject(notice: Notice) -> str:
    said = notice.params
    if notice.kind == "pairing":
        return round_name(said["name"])
    if notice.kind == "moved":
        return _("{round} has changed").format(round=round_name(said["name"]))
    if notice.kind == "called":
        return _("you are called to table {table}").format(table=said["table"])
    return {
        "registered": _("you are registered"),
        "waiting": _("you are on the waiting list"),
        "promoted": _("you have a place"),
        "link": _("your own link"),
        "check_in_open": _("check-in is open"),
        "reminder": _("your match begins soon"),
        "report_waiting": _("is this result right?"),
        "report_disputed": _("two different results"),
        "report_unanswered": _("the referee decides"),
        "finished": _("the final standings"),
    }[notice.kind]


def _to_player(notice: Notice, entry: Entry, names: Mapping[int, Named]) -> str:
    said, tournament = notice.params, entry.tournament
    if notice.kind in ("pairing", "moved"):
        text = _meeting(said, tournament, names)
        return _("Changed: {text}").format(text=text) if notice.kind == "moved" else text
    if notice.kind == "called":
        return _called(said, tournament.event, names)
    if notice.kind == "reminder":
        text = _meeting({**said, "due": said["at"]}, tournament, names)
        return _("Soon: {text}").format(text=text)
    if notice.kind == "check_in_open":
        if tournament.self_check_in:
            return _("Check-in is open. Say on your own page that you are here.")
        return _("Check-in is open. Tell the entry desk that you are here.")
    if notice.kind == "report_waiting":
        return _reported(said, tournament.event, names)
    if notice.kind == "report_disputed":
        return _("You and {opponent} told different results. The referee decides.").format(
            opponent=_opponent(said, names)
        )
    if notice.kind == "report_unanswered":
        return _("Nobody answered in time how your match ended. The referee decides.")
    if notice.kind == "finished":
        return _("{tournament} is over. Your place: {place}.").format(
            tournament=_name(tournament.name), place=said["place"]
        )
    text = {
        "registered": _("You are registered for {tournament}."),
        "waiting": _("Every place in {tournament} is taken. You are on the waiting list and move up when one is free."),
        "promoted": _("A place is free: you play in {tournament}."),
        "link": _("Somebody asked for your own link in {tournament}. Here it is again."),
    }[notice.kind]
    return text.format(tournament=_name(tournament.name))


def _opponent(said: Mapping[str, Any], names: Mapping[int, Named]) -> str:
    found = names.get(said.get("opponent") or 0)
    return _("your opponent") if found is None else _name(found.display_name)


def _called(said: Mapping[str, Any], event: Event, names: Mapping[int, Named]) -> str:
    parts = {"round": round_name(said["name"]), "opponent": _opponent(said, names), "table": said["table"]}
    if said["due"] is None:
        return _("Come to table {table} now. {round}: you meet {opponent}.").format(**parts)
    parts["time"] = time_text(said["due"], event)
    return _("Come to table {table} now. {round}: you meet {opponent}. Called: {time}.").format(**parts)


def _meeting(said: Mapping[str, Any], tournament: Tournament, names: Mapping[int, Named]) -> str:
    round_ = round_name(said["name"])
    if said["opponent"] is None:
        if said["bye"] == Bye.GIVEN:
            return _("{round}: you have a bye.").format(round=round_)
        return _("{round}: you do not play, as you asked.").format(round=round_)
    parts = {"round": round_, "opponent": _opponent(said, names), "table": said["table"]}
    if said["due"] is None:
        if said["table"] is None and tournament.seating == Seating.QUEUE:
            return _("{round}: you meet {opponent}. You will be called to a table.").format(**parts)
        if said["table"] is None:
            return _("{round}: you meet {opponent}. You wait for a table.").format(**parts)
        return _("{round}: you meet {opponent} at table {table}.").format(**parts)
    parts["time"] = time_text(said["due"], tournament.event)
    if said["table"] is None:
        return _("{round}: you meet {opponent} at {time}.").format(**parts)
    return _("{round}: you meet {opponent} at table {table} at {time}.").format(**parts)


def _reported(said: Mapping[str, Any], event: Event, names: Mapping[int, Named]) -> str:
    opponent = _opponent(said, names)
    parts: dict[str, Any] = {"opponent": opponent[0].upper() + opponent[1:]}
    if said.get("sets"):
        parts["score"] = ended_text(said.get("ended", SCORE), *said["sets"])
    if said.get("until"):
        parts["time"] = time_text(said["until"], event)
    if "score" in parts and "time" in parts:
        return _("{opponent} says that your match ended {score}. Is that right? Answer by {time}.").format(**parts)
    if "score" in parts:
        return _("{opponent} says that your match ended {score}. Is that right?").format(**parts)
    if "time" in parts:
        return _("{opponent} told how your match ended. Is that right? Answer by {time}.").format(**parts)
    return _("{opponent} told how your match ended. Is that right?").format(**parts)


def time_text(instant: str, event: Event) -> str:
    """An instant in ISO form by the clocks of the venue, with the city they are of: "14:20 (Riga)"."""
    zone: tzinfo = event.tzinfo
    there = localtime(datetime.fromisoformat(instant), zone)
    text = f"{there:%H:%M}"
    if event.starts_on != event.ends_on or there.date() != event.starts_on:
        text = f"{date_format(there, 'j E')}, {text}"
    city = get_timezone_location(
        event.zone, locale=to_locale(get_language() or settings.LANGUAGE_CODE), return_city=True
    )
    return f"{text} ({city})"


def _to_helper(notice: Notice) -> str:
    link, event = notice.link, _event_of(notice)
    if notice.kind != "invited" or link is None:
        raise KeyError(notice.kind)
    return _("You are asked to help at {event}. Your part: {role}.").format(
        event=_name(event.name), role=label_of("role", link.role).text
    )
