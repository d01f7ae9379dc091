"""Lists brought into a roster: looked at first, then applied once, all or nothing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.core.cache import cache
from django.db import transaction

from players.engine.names import clean_name, fold_name
from players.models import Player
from players.permissions import Actor, Refused, Role
from tournaments.actions.roster.facts import EntryFacts
from tournaments.actions.roster.holding import (
    announce_roster,
    hold,
    known_players,
    log_roster,
    mail_key,
    name_key,
    set_marks,
)
from tournaments.models import Entry, RosterImport, Tournament
from tournaments.models.roster import GONE, ImportState
from tournaments.queries.imports import progress_key
from tournaments.queries.registration import places_left
from tournaments.signals import import_confirmed

AT_ONCE = 200  # rows applied while the page waits; a longer list goes to the worker
_STEP = 200  # rows between two reports of progress
_PROGRESS_SECONDS = 3600


@dataclass(frozen=True, slots=True)
class _Newcomer:
    """A row that is not on the roster yet. `player` is None when nobody known has its address."""

    line: int
    facts: EntryFacts
    key: str
    player: Player | None


def _newcomers(
    tournament: Tournament, rows: Sequence[Mapping[str, Any]], *, keep: bool = False
) -> tuple[list[_Newcomer], list[tuple[int, Entry]]]:
    """The rows that would be added now, and the lines of those who are there already: by key, or as the player with
    that address.
    """
    entries = list(tournament.entries.all())
    keys, players = {entry.key: entry for entry in entries}, {entry.player_id: entry for entry in entries}
    known = known_players(tournament=tournament, emails=[row["email"] for row in rows], keep=keep)
    seen: Counter[str] = Counter()
    found, there = [], []
    for row in rows:
        facts = EntryFacts(
            name=row["name"], email=row["email"], city=row["city"], club=row["club"], rating=row["rating"]
        )
        if facts.email:
            key = mail_key(facts.email)
        else:
            folded = fold_name(facts.name)
            seen[folded] += 1
            key = name_key(folded, seen[folded])
        player = known.get(facts.email)
        entry = keys.get(key) or (None if player is None else players.get(player.pk))
        if entry is None:
            found.append(_Newcomer(row["line"], facts, key, player))
        else:
            there.append((row["line"], entry))
    return found, there


@transaction.atomic
def prepare_import(
    *,
    tournament_id: int,
    filename: str,
    rows: Sequence[Mapping[str, Any]],
    problems: Sequence[Mapping[str, Any]],
    source: Mapping[str, Any],
    by: Actor,
    now: datetime,
) -> RosterImport | Refused:
    """Keep a list that was read, to be looked at before anything is done with it.

    `rows` have line, name, email, city, club and rating as `check_facts` leaves them; `problems` have line, code and
    params. `added` and `already_there` are what applying it now would do; `source["over"]` is how many there would be
    beyond the places, `source["same_names"]` gets the lines of new rows whose name somebody else on the list or the
    roster has, and `source["placeless"]` the line, entry and status of those there already who wait or have left.
    Refusals: tournament_unknown, roster_is_frozen.
    """
    tournament = hold(tournament_id=tournament_id)
    if isinstance(tournament, Refused):
        return tournament
    new, there = _newcomers(tournament, rows)
    names = Counter(fold_name(name) for name in tournament.entries.exclude(GONE).values_list("name", flat=True))
    names.update(fold_name(row.facts.name) for row in new)
    kept = RosterImport.objects.create(
        tournament=tournament,
        filename=clean_name(filename)[:200],
        source={
            **source,
            "over": _over(tournament, len(new)),
            "placeless": [{"line": line, "entry": e.pk, "status": e.status} for line, e in there if _has_no_place(e)],
            "same_names": [row.line for row in new if names[fold_name(row.facts.name)] > 1],
        },
        rows=[dict(row) for row in rows],
        problems=[dict(problem) for problem in problems],
        added=len(new),
        already_there=len(rows) - len(new),
        by_name=by.name[:254],
        created_at=now,
    )
    after = {"filename": kept.filename, "rows": len(rows), "problems": len(problems)}
    log_roster(verb="prepare_import", tournament=tournament, target=f"import/{kept.pk}", by=by, now=now, after=after)
    return kept


def _has_no_place(entry: Entry) -> bool:
    return entry.is_waiting or entry.is_gone


def _over(tournament: Tournament, new: int) -> int:
    left = places_left(tournament=tournament)
    return 0 if left is None else max(0, new - left)


@transaction.atomic
def confirm_import(*, import_id: int, by: Actor, now: datetime) -> RosterImport | Refused:
    """Bring a list that was looked at into the roster: a short one at once, a long one by the worker.

    Confirming twice confirms once. Refusals: import_unknown, roster_is_frozen, import_has_problems (count),
    import_is_empty.
    """
    held = _hold_import(import_id)
    if isinstance(held, Refused):
        return held
    tournament, kept = held
    if kept.state != ImportState.PREVIEW:
        return kept
    if not tournament.is_open_roster:
        return Refused("roster_is_frozen", {"state": tournament.state})
    if kept.problems:
        return Refused("import_has_problems", {"count": len(kept.problems)})
    if not kept.rows:
        return Refused("import_is_empty")
    kept.by_name = by.name[:254]
    if len(kept.rows) <= AT_ONCE:
        return _apply(tournament, kept, by, now)
    kept.state = ImportState.WAITING
    kept.save(update_fields=["state", "by_name"])
    after = {"rows": len(kept.rows)}
    log_roster(verb="confirm_import", tournament=tournament, target=f"import/{kept.pk}", by=by, now=now, after=after)
    import_confirmed.send(sender=RosterImport, roster_import=kept.pk)
    return kept


def _hold_import(import_id: int) -> tuple[Tournament, RosterImport] | Refused:
    tournament_id = RosterImport.objects.filter(pk=import_id).values_list("tournament_id", flat=True).first()
    tournament = None if tournament_id is None else hold(tournament_id=tournament_id, frozen_too=True)
    kept = RosterImport.objects.filter(pk=import_id).first()
    if tournament is None or isinstance(tournament, Refused) or kept is None:
        return Refused("import_unknown", {"import": import_id}, status=404)
    return tournament, kept


@transaction.atomic
def apply_import(*, import_id: int, now: datetime) -> RosterImport | Refused:
    """Apply a confirmed list that waits; one that does not wait is left as it is, so a second delivery does nothing.

    When the roster was frozen meanwhile the list is refused, with the reason among its problems.
    Refusals: import_unknown.
    """
    held = _hold_import(import_id)
    if isinstance(held, Refused):
        return held
    tournament, kept = held
    if kept.state != ImportState.WAITING:
        return kept
    by = Actor(role=Role.SYSTEM, name=kept.by_name)
    if tournament.is_open_roster:
        return _apply(tournament, kept, by, now)
    kept.state, kept.done_at, kept.added, kept.already_there = ImportState.REFUSED, now, 0, 0
    kept.problems = [{"line": 0, "code": "roster_is_frozen", "params": {"state": tournament.state}}]
    kept.save(update_fields=["state", "done_at", "added", "already_there", "problems"])
    log_roster(verb="refuse_import", tournament=tournament, target=f"import/{kept.pk}", by=by, now=now)
    return kept


def waiting_imports() -> list[int]:
    """Confirmed lists that nobody has applied yet, oldest first."""
    return list(RosterImport.objects.filter(state=ImportState.WAITING).order_by("pk").values_list("pk", flat=True))


def _apply(tournament: Tournament, kept: RosterImport, by: Actor, now: datetime) -> RosterImport:
    """Add everybody who is not there. The caller holds the tournament, whose roster is open."""
    (new, _there), total = _newcomers(tournament, kept.rows, keep=True), len(kept.rows)
    done = kept.already_there = total - len(new)
    kept.added = len(new)
    for step in _steps(new):
        cache.set(progress_key(kept.pk), [done, total], _PROGRESS_SECONDS)
        players = _players(tournament, step)
        Entry.objects.bulk_create(
            Entry(
                tournament=tournament,
                player=player,
                name=row.facts.name,
                city=row.facts.city,
                club=row.facts.club,
                rating=row.facts.rating,
                key=row.key,
                created_at=now,
            )
            for row, player in zip(step, players, strict=True)
        )
        done += len(step)
    set_marks(tournament=tournament)
    kept.state, kept.done_at = ImportState.DONE, now
    kept.save(update_fields=["state", "done_at", "added", "already_there", "by_name"])
    cache.set(progress_key(kept.pk), [total, total], _PROGRESS_SECONDS)
    after = {"filename": kept.filename, "added": kept.added, "already_there": kept.already_there}
    log_roster(verb="import_roster", tournament=tournament, target=f"import/{kept.pk}", by=by, now=now, after=after)
    announce_roster(tournament=tournament)
    return kept


def _steps(rows: Sequence[_Newcomer]) -> Iterator[Sequence[_Newcomer]]:
    for start in range(0, len(rows), _STEP):
        yield rows[start : start + _STEP]


def _players(tournament: Tournament, rows: Sequence[_Newcomer]) -> list[Player]:
    """The player of each row: the known one under the newest name, or a new one."""
    owner = tournament.event.owner
    renamed = []
    for row in rows:
        if row.player is not None and row.player.name != row.facts.name:
            row.player.name = row.facts.name
            renamed.append(row.player)
    Player.objects.bulk_update(renamed, ["name"])
    unknown = [row.facts for row in rows if row.player is None]
    made = Player.objects.bulk_create(Player(owner=owner, name=facts.name) for facts in unknown if not facts.email)
    # Another tournament of the same owner may be making some of these very players: whoever comes first makes them.
    addressed = [Player(owner=owner, name=facts.name, email=facts.email) for facts in unknown if facts.email]
    Player.objects.bulk_create(addressed, ignore_conflicts=True)
    by_email = {p.email: p for p in Player.objects.filter(owner=owner, email__in=[p.email for p in addressed])}
    nameless = iter(made)
    return [row.player or (by_email[row.facts.email] if row.facts.email else next(nameless)) for row in rows]
