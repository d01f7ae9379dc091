"""What the matrix is asked in: three tournaments of two events in the same state, and everybody who asks."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from http.cookies import SimpleCookie
from typing import Any

from django.test import Client
from django.utils import timezone

from matches.actions import SCORE, Report, report_result
from matches.actions.games import GameTerms, concede_for, make_move, open_practice
from matches.engine import CLUB_DECK
from matches.models import Way
from players.actions import create_account
from players.models import Account, Passkey
from players.permissions import PUBLIC, Actor, Refused, Role
from tests.factories import NOW, make_account, make_entry, make_event, make_field, make_tournament, organiser
from tests.tournaments.organising import second_organiser
from tests.tournaments.play import pairings, start
from tournaments.actions import hall, hours, plans, registration, rounds, staff
from tournaments.actions.calls import call_to_match
from tournaments.actions.games import PlayFacts, edit_play, open_here, sit_down
from tournaments.models import ApiToken, Entry, Event, Slot, StaffLink, Tournament
from tournaments.permissions import actor_of_entry, entry_token, link_token

HELPERS = {"referee": Role.REFEREE, "desk": Role.DESK, "screen": Role.SCREEN, "invitation": Role.ORGANISER}
"""Everybody who comes by a link of the staff page, and what such a link is for."""


REPLAYS = ("/replay/", "/record/", "/deal/")
"""What the addresses of matches and practice end with that are there once a game is over."""


class Place:
    """A tournament whose first round is played, with one thing of every kind in it.

    Beside it one that is a bracket and has a draft, one that has not started and is seeded by hand, and one whose match
    was played here and is over.
    """

    def __init__(self, event: Event, name: str) -> None:
        self.event = event
        self.tournament: Tournament = make_tournament(
            event=event, name=name, seeding="rating", players_report=True, self_check_in=True
        )
        make_field(size=4, tournament=self.tournament)
        absent = make_entry(tournament=self.tournament, name="Absent")
        start(self.tournament)
        pairing = pairings(self.tournament, 1)[0]
        assert pairing.match is not None
        assert pairing.b is not None
        self.player: Entry = pairing.b
        reported = report_result(
            match_id=pairing.match.pk,
            report=Report(SCORE, (3, 1)),
            seat="a",
            by=actor_of_entry(Entry.objects.select_related("tournament").get(pk=pairing.a_id)),
            key=f"waits-{self.tournament.pk}",
            expected_version=0,
            now=timezone.now(),
        )
        assert not isinstance(reported, Refused), reported
        token = ApiToken.objects.filter(event=event).first() or self.token("board", event=event)[0]
        link = event.staff_links.filter(name="Olli").first() or self.link(Role.DESK, name="Olli")
        self.seeded = make_tournament(event=event, name=f"{name}, seeded", seeding="hand")
        self.drafted = make_tournament(event=event, name=f"{name}, drafted", format="single_elimination")
        make_field(size=2, tournament=self.drafted)
        rounds.start_tournament(tournament_id=self.drafted.pk, by=organiser(of=event), now=NOW)
        self.ids: dict[str, int] = {
            "entry_id": self.player.pk,
            "match_id": pairing.match.pk,
            "submission_id": reported.pk,
            "import_id": self.tournament.imports.order_by("pk")[0].pk,
            "round_id": self.drafted.stages.get().rounds.get().pk,
            "number": 1,
            "link_id": link.pk,
            "token_id": token.pk,
            "absent": absent.pk,
        }
        called = call_to_match(match_id=pairing.match.pk, by=self.by_player, now=timezone.now())
        assert not isinstance(called, Refused), called
        self.ids["call_id"] = called.pk
        another = pairings(self.tournament, 1)[1]
        assert another.match is not None
        by = actor_of_entry(Entry.objects.select_related("tournament").get(pk=another.a_id))
        theirs = report_result(
            match_id=another.match.pk,
            report=Report(SCORE, (3, 1)),
            seat="a",
            by=by,
            key=f"beside-{self.tournament.pk}",
            expected_version=0,
            now=timezone.now(),
        )
        assert not isinstance(theirs, Refused), theirs
        self.played = self._played_here(f"{name}, played")
        self.beside = {"match_id": another.match.pk, "submission_id": theirs.pk}

    def _played_here(self, name: str) -> Tournament:
        """A tournament of two whose match was dealt here and given up."""
        tournament = make_tournament(event=self.event, name=name, seeding="rating")
        make_field(size=2, tournament=tournament)
        start(tournament)
        by = organiser(of=self.event)
        edit_play(tournament_id=tournament.pk, facts=PlayFacts(way=Way.HERE), by=by, now=NOW)
        self.over = pairings(tournament, 1)[0].match_id or 0
        game = open_here(match_id=self.over, seed=bytes(32), by=by, now=NOW)
        assert not isinstance(game, Refused), game
        for entry in Entry.objects.select_related("tournament").filter(tournament=tournament):
            sit_down(entry=entry, match_id=self.over, words="", by=by, now=NOW)
        ended = concede_for(game_id=game.pk, seat=0, by=by, now=NOW)
        assert not isinstance(ended, Refused), ended
        return tournament

    def ids_of(self, path: str) -> dict[str, int]:
        """What the numbers of an address are about here: a replay needs a match that was played here."""
        is_replay = path.endswith(REPLAYS) and "practice/" not in path
        return {**self.ids, "match_id": self.over} if is_replay else self.ids

    @property
    def by_player(self) -> Actor:
        return actor_of_entry(Entry.objects.select_related("tournament").get(pk=self.player.pk))

    def pk_of(self, path: str) -> int:
        """Whom `pk` of an address is about: the event, or the tournament that is where it makes sense."""
        if "events/" in path or path.startswith("e/"):
            return self.event.pk
        if "<int:round_id>" in path or path.startswith("t/<int:pk>/bracket/"):
            return self.drafted.pk
        if path.endswith(REPLAYS):
            return self.played.pk
        if path.startswith("desk/t/<int:pk>/seeds/") or "/<int:pk>/check/" in path:
            return self.seeded.pk
        return self.tournament.pk

    def link(self, role: Role, *, name: str = "Marta", hours: int = 8) -> StaffLink:
        now = timezone.now()
        return staff.create_link(
            event_id=self.event.pk,
            tournament_id=self.tournament.pk,
            role=role,
            name=name,
            expires_at=now + timedelta(hours=hours),
            by=organiser(of=self.event),
            now=now,
        )

    def token(self, name: str, *, event: Event | None = None, account: Account | None = None) -> tuple[ApiToken, str]:
        return staff.create_token(
            account=account or self.event.owner,
            event_id=event.pk if event else None,
            name=name,
            by=organiser(of=self.event),
            now=NOW,
        )


@dataclass(frozen=True, slots=True)
class Caller:
    """Somebody who asks: by a browser that is signed in, or with what stands in Authorization."""

    name: str
    session: str = ""
    headers: Mapping[str, str] = field(default_factory=dict)

    def ask(self, method: str, address: str, *, language: str = "en") -> Any:
        """One request with an empty form, or an empty object for the API."""
        is_api = address.startswith("/api/")
        client = Client(raise_request_exception=False)
        client.cookies = SimpleCookie({"sessionid": self.session} if self.session else {})
        headers = {"Accept-Language": language, **self.headers}
        if is_api and method != "GET":
            headers["Idempotency-Key"] = "of-the-matrix-and-of-nobody-else"
        data = b"{}" if is_api and method != "GET" else b""
        kind = "application/json" if is_api else "application/x-www-form-urlencoded"
        return client.generic(method, address, data, content_type=kind, headers=headers)


PAGE_ROLES = {"organiser": "owner", "fellow": "fellow", "account": "account", "host": "host", "stranger": "stranger"}
OPERATION_ROLES = {
    **PAGE_ROLES,
    "token": "owner",
    "bound token": "bound",
    "stranger's token": "stranger",
    **{name: name for name in (*HELPERS, "player")},
}
"""Who somebody is at home."""
ABROAD = {"owner": "stranger", "fellow": "stranger", "bound": "stranger", "stranger": "owner"}
"""Who somebody of home, and its stranger, is in the foreign event."""


def role_in(caller: str, place: str, *, is_api: bool) -> str:
    """Who somebody is where."""
    role = (OPERATION_ROLES if is_api else PAGE_ROLES).get(caller, "nobody")
    is_by_link = is_api and caller in (*HELPERS, "player")
    if place == "sister" and is_by_link and caller != "invitation":
        return "of another tournament"
    if place == "foreign":
        return "of another tournament" if is_by_link else ABROAD.get(role, role)
    return role


class World:
    """Home, its sister in the same event, and a foreign tournament in the event of somebody else."""

    def __init__(self) -> None:
        event = make_event()
        self.home, self.sister = Place(event, "Main"), Place(event, "Side")
        self.foreign = Place(make_event(name="SunCon"), "Elsewhere")
        self.places = {"home": self.home, "sister": self.sister, "foreign": self.foreign}
        for place in (self.home, self.foreign):
            self._furnish(place.event)
            plans.replan(event_id=place.event.pk, now=timezone.now())
        for place in self.places.values():
            place.ids["slot_id"] = Slot.objects.filter(stage__tournament=place.tournament).order_by("pk")[0].pk
            place.ids["table_id"] = place.event.tables.get(number=8).pk
            place.ids["room_id"] = place.event.rooms.get().pk
            place.ids["opening_id"] = place.event.openings.get().pk
            place.ids["break_id"] = place.event.breaks.get().pk
            place.ids["stage_id"] = place.tournament.stages.get().pk
        self.fellow = second_organiser(event)
        fellow_elsewhere = second_organiser(self.foreign.event)
        for place in self.places.values():
            is_foreign = place is self.foreign
            place.ids["account_id"] = fellow_elsewhere.pk if is_foreign else self.fellow.pk
            passkey = Passkey.objects.create(
                account=place.event.owner,
                name="Phone",
                key=f"key {place.tournament.pk}",
                credential=b"",
                created_at=NOW,
            )
            place.ids["passkey_id"] = passkey.pk
        self.links = {
            **{name: link_token(self.home.link(role)) for name, role in HELPERS.items()},
            **{f"elsewhere {name}": link_token(self.foreign.link(role)) for name, role in HELPERS.items()},
        }
        self.closed = {}
        for name, role in HELPERS.items():
            over = self.home.link(role)
            StaffLink.objects.filter(pk=over.pk).update(expires_at=timezone.now())
            revoked, renewed = self.home.link(role), self.home.link(role)
            by, now = organiser(of=event), timezone.now()
            self.closed[f"expired {name}"] = link_token(over)
            self.closed[f"renewed {name}"] = link_token(renewed)
            staff.renew_link(link_id=renewed.pk, expires_at=now + timedelta(hours=1), by=by, now=now)
            staff.revoke_link(link_id=revoked.pk, by=by, now=now)
            self.closed[f"revoked {name}"] = link_token(StaffLink.objects.get(pk=revoked.pk))
        self.own = entry_token(self.home.player)
        self.own_elsewhere = entry_token(self.foreign.player)
        absent = Entry.objects.select_related("tournament__event").get(pk=self.home.ids["absent"])
        self.own_renewed = entry_token(absent)
        registration.renew_entry_link(entry_id=absent.pk, by=organiser(of=event), now=NOW)
        self.closed["renewed player"] = self.own_renewed
        practice = open_practice(
            ruleset="standard",
            policy="stand_at:16",
            terms=GameTerms(Way.HERE, (CLUB_DECK, CLUB_DECK)),
            words="",
            seed=bytes(32),
            now=timezone.now(),
        )
        assert not isinstance(practice, Refused), practice
        self.practice = practice
        finished = open_practice(
            ruleset="standard",
            policy="stand_at:16",
            terms=GameTerms(Way.HERE, (CLUB_DECK, CLUB_DECK)),
            words="",
            seed=bytes(32),
            now=timezone.now(),
        )
        assert not isinstance(finished, Refused), finished
        make_move(game_id=finished.pk, seat=0, move="forfeit", at=finished.position, by=PUBLIC, now=timezone.now())
        self.practice_over = finished
        self.callers = {each.name: each for each in (*self._signed_in(), *self._by_authorization())}

    def _furnish(self, event: Event) -> None:
        """A room, tables for every match and one more, and a day with a break."""
        by = organiser(of=event)
        hall.add_room(event_id=event.pk, name="Hall A", by=by, now=NOW)
        hall.add_tables(event_id=event.pk, numbers=range(1, 9), by=by, now=NOW)
        day = NOW.replace(hour=0)
        opens, closes = day + timedelta(hours=6), day + timedelta(hours=20)
        hours.open_hall(event_id=event.pk, opens_at=opens, closes_at=closes, by=by, now=NOW)
        noon, one = day + timedelta(hours=9), day + timedelta(hours=10)
        hours.add_break(event_id=event.pk, name="Lunch", starts_at=noon, ends_at=one, by=by, now=NOW)

    def _signed_in(self) -> list[Caller]:
        player = create_account(email="player@example.org", password=None, now=NOW, is_host=False)
        accounts = {
            "account": player,
            "host": make_account(),
            "stranger": self.foreign.event.owner,
            "organiser": self.home.event.owner,
            "fellow": self.fellow,
        }
        return [Caller("nobody"), *(Caller(name, session=session_of(account)) for name, account in accounts.items())]

    def _by_authorization(self) -> list[Caller]:
        closed_account = make_account()
        said = {
            "token": f"Bearer {self.home.token('all')[1]}",
            "bound token": f"Bearer {self.home.token('bound', event=self.home.event)[1]}",
            "stranger's token": f"Bearer {self.foreign.token('stranger')[1]}",
            **{name: f"Link {self.links[name]}" for name in HELPERS},
            "player": f"Own {self.own}",
            "closed account": f"Bearer {self.home.token('closed', account=closed_account)[1]}",
            **{name: f"{'Own' if 'player' in name else 'Link'} {token}" for name, token in self.closed.items()},
        }
        closed_account.is_active = False
        closed_account.save()
        revoked, secret = self.home.token("revoked")
        staff.revoke_token(token_id=revoked.pk, by=organiser(of=self.home.event), now=NOW)
        said["revoked token"] = f"Bearer {secret}"
        return [Caller(name, headers={"Authorization": text}) for name, text in said.items()]


def session_of(account: Account) -> str:
    """The session of a browser this account signed in at a moment ago."""
    client = Client()
    client.force_login(account, backend="django.contrib.auth.backends.ModelBackend")
    session = client.session
    session["proved_at"] = timezone.now().isoformat()
    session.save()
    return str(session.session_key)
