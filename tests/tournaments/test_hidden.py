"""Nothing hidden leaves the server: what A, a spectator and everybody else get does not depend on it by a single byte.

At random moments of random matches every channel is read twice: as it is, and with another hand and side deck for B and
another seed. Whatever differs would be a trace of them.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from random import Random
from typing import Any

import pytest
from django.core.cache import cache
from django.test import Client

from matches.engine import OpenSet, Phase, Play, Record, view
from matches.engine.notation import format_record, word_of
from matches.models import Game, Way
from matches.queries.games import record_of
from tests.factories import make_field, make_tournament
from tests.matches.engine.strategies import any_side_deck
from tests.tournaments.actions.game_acts import do, match_id
from tests.tournaments.api.asking import Api, by_link, by_stranger, by_token
from tests.tournaments.play import pairings, start
from tournaments.actions import games
from tournaments.models import Entry, Tournament
from tournaments.permissions import entry_token

pytestmark = pytest.mark.django_db

ALICE, BOB = 0, 1
HIGH_CARDS = re.compile(rb'high card \d+ to \d+|<ul data-turned>.*?</ul>|"high_cards":[\[\]\d,]*', re.DOTALL)
Authorization = str
NOBODY: Authorization = ""


@dataclass(frozen=True, slots=True)
class Sitting:
    """A match that is being played here, and the addresses of everything that shows it to anybody but B."""

    tournament: Tournament
    seats: tuple[Entry, Entry]
    staff: tuple[Authorization, ...]
    """The organiser, the referee of the table, and the organiser of another event."""

    @property
    def match(self) -> int:
        return match_id(self.tournament)

    def own(self, seat: int) -> str:
        return f"/p/{entry_token(self.seats[seat])}/"

    def channels(self) -> Iterator[tuple[str, Authorization]]:
        """Every address but B's own, and who asks for it."""
        yield from ((page, NOBODY) for page in self.pages())
        api, match = f"/api/tournaments/{self.tournament.pk}/", f"matches/{self.match}/"
        own = f"Own {entry_token(self.seats[ALICE])}"
        for who in (NOBODY, own, *self.staff):
            yield from ((f"{api}{match}{part}", who) for part in ("game/", "record/"))
        yield from ((f"{api}{part}", NOBODY) for part in (f"{match}game/?at=1", match, "", "play/", "pairings/"))
        yield from ((f"{api}{part}", self.staff[1]) for part in ("standings/", "open-matches/"))
        for part in ("", "matches/", f"{match}reports/", "side-deck/", "collection/"):
            yield f"/api/own/{part}", own
        yield from ((f"/api/events/{self.tournament.event_id}/{part}", self.staff[0]) for part in ("", "log/"))

    def pages(self) -> Iterator[str]:
        tournament, match = f"/t/{self.tournament.pk}/", self.match
        for part in ("", "?part=game"):
            yield f"{self.own(ALICE)}matches/{match}/table/{part}"
        for part in ("", "?part=match"):
            yield f"{tournament}matches/{match}/{part}"
        yield from (f"{tournament}matches/{match}/{page}/" for page in ("replay", "record", "deal"))
        yield from (self.own(ALICE), f"{self.own(ALICE)}deck/", f"{self.own(ALICE)}schedule.ics", tournament)
        yield from (f"{tournament}{page}/" for page in ("pairings", "standings", "hall", "schedule"))
        referee = f"/s/{self.staff[1].partition(' ')[2]}/matches/{match}/"
        yield from (f"{referee}{page}" for page in ("game/", "game/?part=panel", "console/"))

    def move(self, seat: int, move: str, at: str) -> Any:
        said = {"move": move, "at": at}
        return Client().post(f"{self.own(seat)}matches/{self.match}/table/move/?part=game", said)

    def move_by_api(self, seat: int, move: str, at: str) -> Any:
        path = f"tournaments/{self.tournament.pk}/matches/{self.match}/game/moves/"
        return Api(f"Own {entry_token(self.seats[seat])}").post(path, {"move": move, "at": at})


def sitting(rng: Random, ruleset: str) -> Sitting:
    tournament = make_tournament(seeding="rating", ruleset=ruleset)
    make_field(size=2, tournament=tournament)
    start(tournament)
    Tournament.objects.filter(pk=tournament.pk).update(way=Way.HERE)
    pairing = pairings(tournament)[0]
    entries = Entry.objects.select_related("tournament").in_bulk([pairing.a_id, pairing.b_id or 0])
    seats = (entries[pairing.a_id], entries[pairing.b_id or 0])
    staff = tuple(api.headers["Authorization"] for api in (by_token(tournament), by_link(tournament), by_stranger()))
    found = Sitting(tournament, seats, staff)
    do(tournament, games.open_here, match_id=found.match, seed=rng.randbytes(32))
    for entry in seats:
        deck = any_side_deck(record_of(Game.objects.get())[0].ruleset, rng)
        do(tournament, games.save_own_deck, entry=entry, cards=deck)
        do(tournament, games.sit_down, entry=entry, match_id=found.match, words="")
    return found


def with_other_secrets(record: Record, rng: Random) -> Record:
    """The same as A knows it: other cards B has not played, in hand and side deck."""
    decks = record.side_decks
    openings = [at for at, move in enumerate(record.moves) if isinstance(move, OpenSet)]
    moves = list(record.moves)
    for at, until in zip(openings, [*openings[1:], len(moves)], strict=True):
        opening = moves[at]
        assert isinstance(opening, OpenSet)
        if opening.hands is None or opening.hands[BOB] is None:
            continue
        last = len(moves) if record.ruleset.hand_deal == "per_match" else until
        shown = [move.token for move in moves[at:last] if isinstance(move, Play) and move.seat == BOB]
        others = [card for card in any_side_deck(record.ruleset, rng) if card not in shown]
        hand = (*shown, *others, *others, *others, *others)[: record.ruleset.hand_size]
        moves[at] = replace(opening, hands=(opening.hands[ALICE], hand))
    return replace(record, moves=tuple(moves), side_decks=(decks[ALICE], None))


def read(sitting: Sitting) -> dict[tuple[str, Authorization], tuple[int, bytes]]:
    cache.clear()  # a page that is kept would be the same for that reason alone
    client = Client()
    answers = {
        (address, who): client.get(address, headers={"Authorization": who} if who else {})
        for address, who in sitting.channels()
    }
    # The cards that settled who opens are for all to see, and follow from the seed that is changed here.
    return {asked: (got.status_code, HIGH_CARDS.sub(b"", got.content)) for asked, got in answers.items()}


@pytest.mark.parametrize(("ruleset", "seed"), [("standard", 1), ("senate", 2), ("tsl", 3)])
def test_no_byte_depends_on_what_is_hidden(ruleset: str, seed: int, caplog: pytest.LogCaptureFixture) -> None:
    rng = Random(seed)
    table = sitting(rng, ruleset)
    secret = Game.objects.get().seed
    with caplog.at_level(logging.DEBUG):
        for step in range(200):
            game = Game.objects.get()
            record, state = record_of(game)
            if state.phase is Phase.OVER:
                break
            if step % 12 == 0:
                told = read(table)
                other = format_record(with_other_secrets(record, rng))
                Game.objects.update(record=other, seed=rng.randbytes(32).hex())
                assert read(table) == told
                Game.objects.update(record=game.record, seed=game.seed)
                assert {status for status, _body in told.values()} == {200, 404, 409}
            seat = state.turn if state.turn is not None else ALICE
            for move in (table.move, table.move_by_api):
                refused = move(ALICE, "-6" if rng.random() < 0.5 else "D", "9.9")
                assert refused.status_code in (400, 409)
                assert game.seed.encode() not in refused.content
            plays = view(state, seat).moves
            word = word_of(rng.choice(plays)) if plays else "next"
            how = rng.choice([table.move, table.move_by_api])
            assert how(seat, word, game.position).status_code == 200
    assert secret not in caplog.text
    assert Game.objects.get().over_at is not None


def practice_channels(token: str, position: str) -> dict[str, tuple[int, bytes]]:
    """What whoever practises is told: pages, operations, and refusals of either."""
    cache.clear()
    page, operation = f"/practice/{token}/", f"/api/practice/{token}/"
    reads = (page, f"{page}?part=game", f"{page}guided/", f"{page}replay/", operation, f"{operation}record/")
    answers = {address: Client().get(address) for address in reads}
    for said in ({"move": "fly", "at": position}, {"move": "D", "at": position}, {"move": "end", "at": "9.9"}):
        answers[f"page {said}"] = Client().post(f"{page}move/?part=game", said)
        answers[f"operation {said}"] = Api().post(f"practice/{token}/moves/", said)
    return {address: (got.status_code, HIGH_CARDS.sub(b"", got.content)) for address, got in answers.items()}


@pytest.mark.parametrize(("policy", "seed"), [("original", 4), ("look_ahead", 5)])
def test_no_byte_of_practice_depends_on_what_the_policy_holds(policy: str, seed: int) -> None:
    rng = Random(seed)
    opened = Api().post("practice/", {"ruleset": "standard", "policy": policy, "words": ""}).json()
    token, told = opened["token"], opened
    for step in range(100):
        game = Game.objects.get()
        assert game.seed not in str(told)
        if step % 8 == 0:
            seen = practice_channels(token, game.position)
            other = format_record(with_other_secrets(record_of(game)[0], rng))
            Game.objects.update(record=other, seed=rng.randbytes(32).hex())
            assert practice_channels(token, game.position) == seen
            Game.objects.update(record=game.record, seed=game.seed)
            assert {status for status, _body in seen.values()} == {200, 400, 404, 409}
        move = rng.choice(told["moves"])["move"]
        told = Api().post(f"practice/{token}/moves/", {"move": move, "at": game.position}).json()
        if told["state"] == "over":
            break
    assert Game.objects.get().over_at is not None
