"""Random walks: hundreds of things that happen at a desk, in any order, and what stays true after each of them."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, field, replace

import pytest

from tests.tournaments.engine.test_laws import any_result, every_format
from tournaments.engine.formats.base import Format
from tournaments.engine.snapshot import Bye, Entry, EntryStatus, Pairing, Result, Snapshot
from tournaments.engine.standings import Row, rank


@dataclass
class Desk:
    """A stage, and somebody who does things to it. `past` is where undo goes back to."""

    chosen: Format
    stage: Snapshot
    rng: random.Random
    past: list[Snapshot] = field(default_factory=list)

    def standings(self, stage: Snapshot | None = None) -> tuple[Row, ...]:
        return rank(stage or self.stage, self.chosen.key, self.chosen.default_tiebreaks)

    def publish(self) -> None:
        """Everything that can be paired now, as results bring it about."""
        while planned := self.chosen.pair(self.stage):
            made = (Pairing(r.number, p.number, p.a, p.b, bye=p.bye) for r in planned for p in r.pairings)
            self.stage = replace(self.stage, pairings=(*self.stage.pairings, *made))

    def put(self, pairing: Pairing, result: Result | None) -> None:
        """A result entered, corrected or cleared: whatever rests on it is taken back and made anew."""
        gone = {pairing, *self.chosen.dependents(self.stage, pairing)}
        left = tuple(p for p in self.stage.pairings if p not in gone)
        self.stage = replace(self.stage, pairings=(*left, replace(pairing, result=result)))

    def change(self, entry: Entry) -> None:
        """An entry as it is now, in the place of the one with its id."""
        self.stage = replace(self.stage, entries=tuple(entry if e.id == entry.id else e for e in self.stage.entries))

    def anybody(self) -> Entry:
        return self.rng.choice(self.stage.entries)

    # What can happen.

    def enter(self) -> None:
        if waiting := list(self.stage.open_pairings()):
            self.put(self.rng.choice(waiting), any_result(self.rng, self.chosen.allows_ties))

    def correct(self) -> None:
        if played := [p for p in self.stage.pairings if p.result]:
            self.put(self.rng.choice(played), any_result(self.rng, self.chosen.allows_ties))

    def clear(self) -> None:
        if played := [p for p in self.stage.pairings if p.result]:
            self.put(self.rng.choice(played), None)

    def withdraw(self) -> None:
        self.change(replace(self.anybody(), status=EntryStatus.WITHDRAWN))

    def disqualify(self) -> None:
        self.change(replace(self.anybody(), status=EntryStatus.DISQUALIFIED))

    def come_back(self) -> None:
        if gone := [e for e in self.stage.entries if e.status is not EntryStatus.ACTIVE]:
            self.change(replace(self.rng.choice(gone), status=EntryStatus.ACTIVE))

    def come_late(self) -> None:
        if len(self.stage.entries) < 16:
            number = len(self.stage.entries) + 1
            late = Entry(500 + number, number, since=self.stage.last_round + 1)
            self.stage = replace(self.stage, entries=(*self.stage.entries, late))

    def ask_for_a_bye(self) -> None:
        self.change(replace(self.anybody(), asked=((self.stage.last_round + 1, Bye.HALF),)))

    def undo(self) -> None:
        if self.past:
            self.stage = self.past.pop()


EVENTS: tuple[tuple[Callable[[Desk], None], int], ...] = (
    (Desk.enter, 12),
    (Desk.correct, 3),
    (Desk.clear, 2),
    (Desk.withdraw, 1),
    (Desk.disqualify, 1),
    (Desk.come_back, 3),
    (Desk.come_late, 1),
    (Desk.ask_for_a_bye, 1),
    (Desk.undo, 2),
)


def desk(tested: Format, seed: str, options: object = None) -> Desk:
    rng = random.Random(seed)
    entries = tuple(Entry(100 + place, place) for place in range(1, rng.randint(4, 11) + 1))
    return Desk(tested, Snapshot(entries, options=options or tested.Options(), seed=seed), rng)


def is_whole(walked: Desk) -> None:
    """What holds in every state: nobody is paired twice in a round, sides follow from results, standings from facts."""
    stage, chosen = walked.stage, walked.chosen
    for pairings in stage.rounds.values():
        named = [side for p in pairings for side in (p.a, p.b) if side is not None]
        assert len(named) == len(set(named))
        assert len({p.number for p in pairings}) == len(pairings)
    for column in chosen.bracket(stage):
        for match in column.matches:
            if match.pairing is not None:
                assert {match.pairing.a, match.pairing.b} == {match.a.entry, match.b.entry}
    rows = walked.standings()
    assert sorted(row.entry for row in rows) == sorted(stage.by_id)
    shuffled = list(stage.pairings)
    walked.rng.shuffle(shuffled)
    assert walked.standings(replace(stage, pairings=tuple(shuffled), entries=stage.entries[::-1])) == rows


def to_the_end(walked: Desk) -> None:
    """From here the stage can be played to its end."""
    for _ in range(1000):
        walked.publish()
        waiting = next(walked.stage.open_pairings(), None)
        if waiting is None:
            break
        walked.put(waiting, any_result(walked.rng, walked.chosen.allows_ties))
    assert not list(walked.stage.open_pairings())
    assert walked.chosen.pair(walked.stage) == ()


@every_format
@pytest.mark.parametrize("walks", [pytest.param(1, id="ordinary"), pytest.param(30, id="long", marks=pytest.mark.long)])
def test_three_hundred_things_happen_and_every_state_is_whole_and_has_a_way_on(tested: Format, walks: int) -> None:
    for walk in range(walks):
        walked = desk(tested, f"walk {walk}")
        walked.publish()
        for step in range(300):
            before = walked.stage
            happens = walked.rng.choices(EVENTS, weights=[weight for _, weight in EVENTS])[0][0]
            happens(walked)
            if happens is not Desk.undo:
                walked.past.append(before)
            walked.publish()
            if step % 5 == 0:
                is_whole(walked)
        to_the_end(walked)
        is_whole(walked)


@every_format
def test_a_wrong_entry_corrected_is_the_right_entry_at_once(tested: Format) -> None:
    for number in range(12):
        walked = desk(tested, f"wrong {number}")
        walked.publish()
        for _ in range(walked.rng.randint(0, 14)):
            walked.enter()
            walked.publish()
        waiting = list(walked.stage.open_pairings())
        if not waiting:
            continue
        pairing = walked.rng.choice(waiting)
        right = any_result(walked.rng, tested.allows_ties)
        wrong = Result(right.kind, right.sets[::-1], {"a": "b", "b": "a", None: None}[right.winner])
        before = walked.stage
        walked.put(pairing, right)
        at_once = walked.stage
        walked.stage = before
        walked.put(pairing, wrong)
        if tested.has_bracket:
            walked.publish()
        entered = next(p for p in walked.stage.pairings if (p.round, p.number) == (pairing.round, pairing.number))
        walked.put(entered, right)
        assert set(walked.stage.pairings) == set(at_once.pairings)
        assert walked.standings() == walked.standings(at_once)


@every_format
def test_undo_brings_back_the_very_same_standings(tested: Format) -> None:
    walked = desk(tested, "undo")
    walked.publish()
    for _ in range(8):
        walked.enter()
    stage, rows = walked.stage, walked.standings()
    for happens in (Desk.withdraw, Desk.disqualify, Desk.correct, Desk.clear, Desk.come_late):
        walked.past.append(walked.stage)
        happens(walked)
        walked.undo()
        assert (walked.stage, walked.standings()) == (stage, rows)
