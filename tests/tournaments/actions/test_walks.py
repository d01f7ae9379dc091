"""Random walks over a stored tournament: whatever an organiser does in any order, there is a way to its end."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import pytest

from matches.actions import DOUBLE_NO_SHOW, SCORE, WALKOVER, Report, submit_result
from matches.models import Match
from players.models import Act
from players.permissions import Refused
from tests.factories import NOW, make_field, make_tournament, organiser
from tests.tournaments.play import count_up, pairings, stage_of, start
from tournaments.actions import latecomers, play_offs, replacements, results, rounds
from tournaments.actions.asked_byes import set_asked_byes
from tournaments.engine.formats import FORMATS, get_format
from tournaments.engine.standings import rank
from tournaments.models import Entry, Tournament
from tournaments.models.tournament import State
from tournaments.queries.desk import next_step
from tournaments.queries.snapshots import take_snapshot
from tournaments.queries.ties import places_to_settle

pytestmark = pytest.mark.django_db


class Desk:
    """An organiser who does what comes to mind. A refusal is an answer like any other."""

    def __init__(self, key: str, seed: str) -> None:
        self.rng = random.Random(seed)
        self.tournament: Tournament = make_tournament(seeding="rating", format=key, seed=seed)
        make_field(size=self.rng.randint(5, 7), tournament=self.tournament)
        start(self.tournament)
        self.number = 0

    def do(self, act: Callable[..., Any], **said: Any) -> Any:
        outcome = act(by=organiser(of=self.tournament), now=NOW, **said)
        count_up(self.tournament)
        return outcome

    def anybody(self) -> Entry:
        return self.rng.choice(list(self.tournament.entries.order_by("pk")))

    def match(self, *, is_open: bool) -> Match | None:
        found = [p.match for p in pairings(self.tournament) if p.match is not None and p.match.is_open is is_open]
        return self.rng.choice(found) if found else None

    def report(self) -> Report:
        kind = self.rng.choices((SCORE, WALKOVER, DOUBLE_NO_SHOW), weights=(14, 2, 1))[0]
        if kind == DOUBLE_NO_SHOW:
            return Report(DOUBLE_NO_SHOW)
        lost, wins_a = self.rng.randint(0, 2), self.rng.random() < 0.5
        if kind == WALKOVER:
            return Report(WALKOVER, winner="a" if wins_a else "b")
        return Report(SCORE, (3, lost) if wins_a else (lost, 3))

    def tell(self, match: Match, act: Callable[..., Any]) -> None:
        self.number += 1
        said = {"key": f"told-{self.number}", "expected_version": match.version}
        self.do(act, match_id=match.pk, report=self.report(), **said)

    # What comes to mind.

    def enter(self) -> None:
        if (match := self.match(is_open=True)) is not None:
            self.tell(match, submit_result)

    def correct(self) -> None:
        if (match := self.match(is_open=False)) is not None:
            self.tell(match, results.correct_result)

    def clear(self) -> None:
        if (match := self.match(is_open=False)) is not None:
            self.do(results.clear_result, match_id=match.pk, expected_version=match.version)

    def withdraw(self) -> None:
        self.do(rounds.withdraw_entry, entry_id=self.anybody().pk)

    def come_back(self) -> None:
        for act in (rounds.return_entry, rounds.reinstate_entry):
            self.do(act, entry_id=self.anybody().pk)

    def disqualify(self) -> None:
        self.do(rounds.disqualify_entry, entry_id=self.anybody().pk)

    def come_late(self) -> None:
        self.number += 1
        if self.tournament.entries.count() < 12:
            self.do(latecomers.late_entry, tournament_id=self.tournament.pk, name=f"Late {self.number}")

    def let_in(self) -> None:
        self.do(latecomers.let_in, entry_id=self.anybody().pk)

    def take_out(self) -> None:
        late = Act.objects.filter(verb="late_entry", tournament=self.tournament.pk).order_by("-pk").first()
        if late is not None:
            self.do(latecomers.remove_late_entry, entry_id=int(late.target.partition("/")[2]))

    def replace(self) -> None:
        self.number += 1
        if self.tournament.entries.count() < 12:
            self.do(replacements.replace_entry, entry_id=self.anybody().pk, name=f"Instead {self.number}")
        else:
            self.do(replacements.replace_by, entry_id=self.anybody().pk, by_entry=self.anybody().pk)

    def give_back(self) -> None:
        self.do(replacements.undo_replacement, entry_id=self.anybody().pk)

    def ask_for_a_bye(self) -> None:
        self.do(set_asked_byes, entry_id=self.anybody().pk, asked=[(self.rng.randint(1, 4), "half")])

    def take_back(self) -> None:
        self.do(rounds.take_back_round, stage_id=stage_of(self.tournament).pk)

    def play_off(self) -> None:
        for shared in places_to_settle(stage=stage_of(self.tournament)):
            one, other = (entry.pk for entry in shared.entries[:2])
            self.do(play_offs.start_play_off, stage_id=stage_of(self.tournament).pk, a=one, b=other)

    def go_on(self) -> Any:
        """The next step the desk names, whatever it is but the end."""
        stage, step = stage_of(self.tournament), next_step(tournament=self.tournament)
        if step.act == "enter_results":
            return self.enter()
        if step.act == "draft":
            return self.do(rounds.draft_rounds, stage_id=stage.pk)
        if step.act == "publish":
            return self.do(rounds.publish_rounds, stage_id=stage.pk, accept_warnings=True)
        return None


HAPPENS: tuple[tuple[Callable[[Desk], Any], int], ...] = (
    (Desk.go_on, 12),
    (Desk.enter, 10),
    (Desk.correct, 2),
    (Desk.clear, 2),
    (Desk.withdraw, 1),
    (Desk.disqualify, 1),
    (Desk.come_back, 3),
    (Desk.come_late, 1),
    (Desk.let_in, 1),
    (Desk.take_out, 1),
    (Desk.replace, 1),
    (Desk.give_back, 1),
    (Desk.ask_for_a_bye, 1),
    (Desk.take_back, 1),
    (Desk.play_off, 1),
)


def is_whole(desk: Desk) -> None:
    """Seeds have no gaps, seats are those of the entries, a bracket is made of its sides, standings are a recount."""
    seeds = [entry.seed for entry in desk.tournament.entries.filter(seed__isnull=False).order_by("seed")]
    assert seeds == list(range(1, len(seeds) + 1))
    for pairing in pairings(desk.tournament):
        if pairing.match is not None:
            assert pairing.b is not None
            assert (pairing.match.seat_a_id, pairing.match.seat_b_id) == (pairing.a.player_id, pairing.b.player_id)
            assert not pairing.match.is_void
    stage = stage_of(desk.tournament)
    snapshot, chosen = take_snapshot(stage=stage), get_format(stage.format)
    for pairings_of_round in snapshot.rounds.values():
        named = [side for p in pairings_of_round for side in (p.a, p.b) if side is not None]
        assert len(named) == len(set(named))
    for column in chosen.bracket(snapshot):
        for place in column.matches:
            if place.pairing is not None:
                assert {place.pairing.a, place.pairing.b} == {place.a.entry, place.b.entry}
    stored = [(row.rank, row.entry_id, row.points) for row in stage.standings.order_by("order")]
    counted = rank(snapshot, stage.format, tuple(stage.tiebreaks))
    assert stored == [(row.rank, row.entry, row.record.points) for row in counted]


def to_the_end(desk: Desk) -> None:
    """From here the next steps the desk names lead to the finish."""
    for _ in range(200):
        if next_step(tournament=desk.tournament).act == "finish":
            break
        outcome = desk.go_on()
        assert not isinstance(outcome, Refused), outcome
    finished = desk.do(rounds.finish_tournament, tournament_id=desk.tournament.pk)
    assert not isinstance(finished, Refused), finished
    assert finished.state == State.FINISHED


@pytest.mark.parametrize("key", [each.key for each in FORMATS])
@pytest.mark.parametrize(
    ("walks", "steps"),
    [pytest.param(1, 60, id="ordinary"), pytest.param(8, 150, id="long", marks=pytest.mark.long)],
)
def test_whatever_happens_at_the_desk_there_is_a_way_on(key: str, walks: int, steps: int) -> None:
    for walk in range(walks):
        desk = Desk(key, f"walk {walk}")
        for step in range(steps):
            happens = desk.rng.choices([each for each, _ in HAPPENS], weights=[weight for _, weight in HAPPENS])[0]
            happens(desk)
            desk.tournament.refresh_from_db()
            if step % 4 == 0:
                is_whole(desk)
        to_the_end(desk)
        is_whole(desk)
