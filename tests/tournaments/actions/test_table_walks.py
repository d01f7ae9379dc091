"""Random days in a hall: whatever happens in any order, nobody shares a table and nobody is moved but by an act."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest

from matches.actions import SCORE, Report
from players.models import Act
from tests.factories import NOW, make_event, make_field, make_tournament, organiser
from tests.tournaments.halls import put_up
from tests.tournaments.play import count_up, stage_of, start
from tournaments.actions import hall, latecomers, results, rounds, tables
from tournaments.models import Pairing, Table, TableUse, Tournament
from tournaments.queries.hall import open_in, rivals

pytestmark = pytest.mark.django_db


class Day:
    """Two tournaments in a hall of few tables, and somebody who does what comes to mind."""

    def __init__(self, forms: tuple[str, str], seed: str) -> None:
        self.rng, self.now, self.moved = random.Random(seed), NOW, set[int]()
        self.event = make_event()
        put_up(self.event, (2, 3, 5, 8))
        self.tournaments = [
            make_tournament(event=self.event, name=form, seeding="rating", format=form, seed=seed) for form in forms
        ]
        for tournament in self.tournaments:
            make_field(size=self.rng.randint(4, 7), tournament=tournament)
            start(tournament)

    def do(self, act: Callable[..., Any], tournament: Tournament, **said: Any) -> Any:
        self.now += timedelta(minutes=1)
        return act(by=organiser(of=tournament), now=self.now, **said)

    def step(self) -> None:
        tournament = self.rng.choice(self.tournaments)
        acts = (self.report, self.clear, self.move, self.swap, self.break_, self.round, self.late)
        self.rng.choices(acts, weights=(4, 2, 4, 4, 2, 3, 1))[0](tournament)
        for each in self.tournaments:
            count_up(each)

    def one(self, tournament: Tournament, *, is_open: bool) -> Pairing | None:
        found = Pairing.objects.filter(round__stage__tournament=tournament, match__is_void=False).select_related(
            "match"
        )
        rows = [p for p in found.order_by("pk") if p.match is not None and p.match.is_open is is_open]
        return self.rng.choice(rows) if rows else None

    def report(self, tournament: Tournament) -> None:
        pairing = self.one(tournament, is_open=True)
        if pairing is not None and pairing.match is not None:
            told = Report(SCORE, self.rng.choice(((3, 1), (1, 3))))
            match, version = pairing.match_id, pairing.match.version
            self.do(
                results.enter_result,
                tournament,
                match_id=match,
                report=told,
                key=f"{self.now}",
                expected_version=version,
            )

    def clear(self, tournament: Tournament) -> None:
        pairing = self.one(tournament, is_open=False)
        if pairing is not None and pairing.match is not None:
            version = pairing.match.version
            self.do(results.clear_result, tournament, match_id=pairing.match_id, expected_version=version)

    def move(self, tournament: Tournament) -> None:
        pairing = self.one(tournament, is_open=True)
        if pairing is not None:
            self.moved.add(pairing.pk)
            free = [number for number in (2, 3, 5, 8) if not rivals(pairing, number)]
            table = self.rng.choice([*free, *free, None, 9])
            self.do(tables.move_match, tournament, match_id=pairing.match_id, table=table)

    def swap(self, tournament: Tournament) -> None:
        pair = [self.one(each, is_open=True) for each in (tournament, self.rng.choice(self.tournaments))]
        one, other = pair
        if one is not None and other is not None:
            self.moved |= {one.pk, other.pk}
            self.do(tables.swap_tables, tournament, match_id=one.match_id, with_match=other.match_id)

    def break_(self, tournament: Tournament) -> None:
        table = self.rng.choice(list(Table.objects.order_by("pk")))
        act = hall.take_table_out if table.out_since is None else hall.bring_table_back
        self.do(act, tournament, table_id=table.pk)

    def round(self, tournament: Tournament) -> None:
        for act in (rounds.draft_rounds, rounds.publish_rounds):
            self.do(act, tournament, stage_id=stage_of(tournament).pk)

    def late(self, tournament: Tournament) -> None:
        self.do(latecomers.late_entry, tournament, tournament_id=tournament.pk, name=f"Late {self.now}")

    def seated(self) -> dict[int, int | None]:
        """The open matches by their id, and where each is; the ones put anew count as new."""
        return {p.match_id or 0: p.table for p in open_in(event_id=self.event.pk)}


FORMS = (("single_elimination", "round_robin"), ("swiss", "double_elimination"), ("groups", "swiss"))


@pytest.mark.parametrize("forms", FORMS, ids="-".join)
def test_nobody_shares_a_table_and_nobody_is_moved_but_by_an_act(forms: tuple[str, str]) -> None:
    day = Day(forms, "-".join(forms))
    for _ in range(50):
        before = day.seated()
        day.moved.clear()
        day.step()
        open_now = list(open_in(event_id=day.event.pk).select_related("round__stage__tournament"))
        moved = {p.match_id for p in open_now if p.pk in day.moved}
        assert {m: t for m, t in day.seated().items() if m in before and m not in moved} == {
            m: t for m, t in before.items() if m in day.seated() and m not in moved
        }
        uses = {use.pairing_id: use.number for use in TableUse.objects.filter(event=day.event)}
        seats = Counter(p.table for p in open_now if p.table is not None)
        assert set(uses.values()) == set(seats)
        assert uses == {p.pk: p.table for p in open_now if p.pk in uses}
        assert [rivals(p, p.table) for p in open_now if p.table is not None] == [[]] * seats.total()
        assert set(seats) <= {2, 3, 5, 8}
    done = set(Act.objects.filter(event=day.event.pk).values_list("verb", flat=True))
    assert done >= {"enter_result", "clear_result", "move_match", "swap_tables", "take_table_out"}
