"""Who may do what: the table of roles and acts, and the private links helpers come by."""

from __future__ import annotations

import hmac
from collections.abc import Iterable
from datetime import datetime

from players.models import Account
from players.permissions import PUBLIC, Actor, Role, mac
from tournaments.models import Entry, Event, Membership, StaffLink

_STAFF = frozenset({Role.ORGANISER})
_DOOR = frozenset({Role.ORGANISER, Role.DESK})
_TABLE = frozenset({Role.ORGANISER, Role.REFEREE})
_ALL = frozenset(Role) - {Role.SYSTEM}
_AT_A_TABLE = frozenset(
    {
        *("enter_result", "undo_own_result", "confirm_report", "say_begun", "run_game", "give_time"),
        *("answer_call", "call_players"),
    }
)
"""Acts at a table: a referee may be bound to some tables."""

_OF_ALL_TABLES = frozenset({"run_clock"})
"""Acts for all tables at once: not for a referee who is bound to some."""

ACTS: dict[str, frozenset[Role]] = {
    # the event
    "edit_event": _STAFF,
    "edit_hall": _STAFF,
    "edit_plan": _STAFF,
    "manage_staff": _STAFF,
    "hand_over": _STAFF,
    "manage_tokens": _STAFF,
    "see_log": _STAFF,
    "remove_demo": _STAFF,
    "create_tournament": _STAFF,
    # the tournament
    "edit_tournament": _STAFF,
    "edit_play": _STAFF,
    "see_desk": _STAFF,
    "see_roster": _DOOR,
    "see_addresses": _STAFF,
    "edit_roster": _DOOR,
    "import_roster": _DOOR,
    "check_in": _DOOR,
    "show_own_link": _DOOR,
    "merge_players": _STAFF,
    "start": _STAFF,
    "withdraw": _STAFF,
    "change_field": _STAFF,
    "play_off": _STAFF,
    "see_draft": _STAFF,
    "draft": _STAFF,
    "change_draft": _STAFF,
    "publish": _STAFF,
    "finish": _STAFF,
    # the table
    "see_open_matches": _TABLE,
    "enter_result": _TABLE,
    "undo_own_result": _TABLE,
    "confirm_report": _TABLE,
    "say_begun": _TABLE,
    "run_game": _TABLE,
    "answer_call": _TABLE,
    "call_players": _TABLE,
    "give_time": _TABLE,
    "run_clock": _TABLE,
    "move_match": _TABLE,
    "correct_result": _STAFF,
    "see_names": _DOOR | _TABLE,
    # a player's own page
    "report_own_result": frozenset({Role.PLAYER}),
    "see_own": frozenset({Role.PLAYER}),
    "change_own": frozenset({Role.PLAYER}),
    "check_in_own": frozenset({Role.PLAYER}),
    "say_here": frozenset({Role.PLAYER}),
    "say_coming": frozenset({Role.PLAYER}),
    "play_own": frozenset({Role.PLAYER}),
    "call_own": frozenset({Role.PLAYER}),
    # the hall
    "see_public": _ALL,
    "show_table_codes": _STAFF,
}
"""Every act and the roles that may do it. A dealer, a player and a screen see what the public sees until an issue of
stakes, own links or hall screens gives them more: a new act is a line here."""


def may(actor: Actor, act: str, *, event: int, tournament: int | None = None, table: int | None = None) -> bool:
    """Whether the actor may do this act on this very object; the role alone is never enough.

    An actor bound to an event, a tournament or tables may touch nothing outside of them.
    """
    if actor.role not in ACTS[act]:
        return False
    if actor.role in (Role.PUBLIC, Role.SYSTEM):
        return True
    if actor.event != event:
        return False
    if actor.tournament is not None and actor.tournament != tournament:
        return False
    if actor.tables and act in _OF_ALL_TABLES:
        return False
    return not (actor.tables and act in _AT_A_TABLE and table not in actor.tables)


def may_move(actor: Actor, *, event: int, tournament: int, tables: Iterable[int | None]) -> bool:
    """Whether the actor may change who sits at these tables; None is a match that waits for one, which is anybody's."""
    is_theirs = not actor.tables or all(table is None or table in actor.tables for table in tables)
    return is_theirs and may(actor, "move_match", event=event, tournament=tournament)


def organiser_of(*, account: Account, event: Event) -> Actor:
    """The signed-in account as an actor in this event: its organiser, or one of the public."""
    if (
        not account.is_active
        or not Membership.objects.filter(event=event, account=account, role=Role.ORGANISER).exists()
    ):
        return PUBLIC
    return Actor(role=Role.ORGANISER, name=str(account), account=account.pk, event=event.pk)


# --- Private links. Nothing is stored of them but the version.


def link_token(link: StaffLink) -> str:
    """The secret part of a helper's address. Raising the link's version makes it another one."""
    return f"{link.pk}-{mac(f'staff-{link.role}', link.pk, link.version)}"


def read_link(token: str, *, now: datetime) -> StaffLink | None:
    """The link a token opens, if it is genuine, not revoked and not expired."""
    number, _, said = token.partition("-")
    if not (number.isascii() and number.isdigit() and len(number) < 19):
        return None
    link = StaffLink.objects.select_related("event", "tournament").filter(pk=int(number)).first()
    if link is None or not hmac.compare_digest(said.encode(), link_token(link).partition("-")[2].encode()):
        return None
    if link.revoked_at is not None or link.expires_at <= now:
        return None
    return link


def actor_of_link(link: StaffLink) -> Actor:
    """The helper a link stands for, bound to its event, its tournament and its tables.

    An invitation gives nobody a role: the account that accepts it gets one.
    """
    return Actor(
        role=Role.PUBLIC if link.role == Role.ORGANISER else Role(link.role),
        name=link.name,
        link=link.pk,
        event=link.event_id,
        tournament=link.tournament_id,
        tables=frozenset(link.tables),
    )


def entry_token(entry: Entry) -> str:
    """The secret part of a player's own address in one tournament. Raising the link version makes it another."""
    return f"{entry.pk}-{mac('entry', entry.pk, entry.link_version)}"


def read_entry(token: str) -> Entry | None:
    """The entry a player's own link opens, with its tournament and event, if the link is genuine and the newest."""
    number, _, said = token.partition("-")
    if not (number.isascii() and number.isdigit() and len(number) < 19):
        return None
    entry = Entry.objects.select_related("tournament__event", "player").filter(pk=int(number)).first()
    if entry is None or not hmac.compare_digest(said.encode(), entry_token(entry).partition("-")[2].encode()):
        return None
    return entry


def actor_of_entry(entry: Entry) -> Actor:
    """The player an own link stands for, bound to this entry."""
    return Actor(
        role=Role.PLAYER,
        name=entry.name,
        entry=entry.pk,
        event=entry.tournament.event_id,
        tournament=entry.tournament_id,
    )


def table_code(*, event_id: int, table: int) -> str:
    """The secret part of a table's address: short, for it stands on paper; who has it may call the referee there."""
    return mac("table", event_id, table)[:12]


def is_table_code(code: str, *, event_id: int, table: int) -> bool:
    """Whether this is the code of that table."""
    return hmac.compare_digest(code.encode(errors="replace"), table_code(event_id=event_id, table=table).encode())


def actor_at_table(*, event_id: int) -> Actor:
    """Whoever holds a table's code: nobody in particular, in this event."""
    return Actor(role=Role.PUBLIC, event=event_id)


def first_organiser_token() -> str:
    """The one-time word of the first start: good until the first organiser has an account (the demo's is none)."""
    return mac("first-organiser", 0, 1)
