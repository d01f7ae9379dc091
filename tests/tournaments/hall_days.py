"""A random day in a hall: somebody does what comes to mind, a worker follows, and nothing may ever be wrong."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable
from datetime import datetime, timedelta
from typing import Any

from django.db.models import Q, QuerySet

from matches.actions import DOUBLE_NO_SHOW, FORFEIT, SCORE, WALKOVER, Report
from matches.models import Match
from players.permissions import Refused
from tests.factories import NOW, make_event, make_field, make_tournament, organiser
from tests.tournaments.halls import put_up
from tests.tournaments.play import stage_of, start
from tournaments.actions import hall, latecomers, plans, queue, results, rounds, shifts, slots, standings, tables
from tournaments.engine import scheduling
from tournaments.engine.formats import get_format
from tournaments.models import Break, HallPlan, Pairing, Slot, Stage, Table, TableUse, Tournament
from tournaments.models.tournament import Seating, State
from tournaments.queries.hall import open_in, rivals
from tournaments.queries.plan_facts import PlanFacts, instant, plan_facts
from tournaments.queries.snapshots import take_snapshot

REST = timedelta(minutes=5)
LONG = timedelta(hours=1)  # no match is expected to take so long
PLAYED = (SCORE, FORFEIT)  # whoever sat at a table has a right to rest

Forms = tuple[tuple[str, Seating], ...]
Seats = dict[int, int | None]


class Day:
    """An event of one or two tournaments that share players, in a hall of few tables with gaps."""

    def __init__(self, forms: Forms, seed: str) -> None:
        self.rng, self.now, self.number, self.done = random.Random(seed), NOW, 0, set[str]()
        self.event = make_event()
        put_up(self.event, sorted(self.rng.sample(range(2, 12), self.rng.randint(3, 6))))
        self.tournaments = []
        for number, (form, seating) in enumerate(forms):
            tournament = make_tournament(
                event=self.event, name=f"{number}", seeding="rating", format=form, seating=seating, seed=seed
            )
            make_field(size=self.rng.randint(4, 7), tournament=tournament)
            self.tournaments.append(tournament)
        self._share()
        self.pause = NOW + timedelta(minutes=120), NOW + timedelta(minutes=140)
        Break.objects.create(event=self.event, starts_at=self.pause[0], ends_at=self.pause[1])
        for tournament in self.tournaments:
            start(tournament)
        self.moved: set[int] = set()
        self.deck: list[Callable[[Day], None]] = []
        self.worker()

    def _share(self) -> None:
        """Two players are in all tournaments."""
        first, *others = self.tournaments
        for name in ("Player 01", "Player 03"):
            for other in others:
                other.entries.filter(name=name).update(player=first.entries.get(name=name).player_id)

    # What comes to mind.

    def step(self) -> None:
        """Some time, an act, and mostly the worker behind it."""
        self.now += timedelta(seconds=self.rng.choice((10, 60, 120, 240, 420, 900)))
        before = self.seats()
        self.moved.clear()
        if not self.deck:
            self.deck = [each for each, often in HAPPENS for _ in range(often)]
            self.rng.shuffle(self.deck)
        self.deck.pop()(self)
        self.stays(before)
        self.holds_always()
        if self.rng.random() < 0.85:
            self.worker()

    def do(self, act: Callable[..., Any], tournament: Tournament, **said: Any) -> Any:
        """An act of the organiser; a refusal is an answer like any other."""
        outcome = act(by=organiser(of=tournament), now=self.now, **said)
        if not isinstance(outcome, Refused):
            self.done.add(act.__name__)
        return outcome

    def tournament(self) -> Tournament:
        return self.rng.choice(self.tournaments)

    def pick(self, found: Iterable[Pairing]) -> Pairing | None:
        rows = list(found)
        return self.rng.choice(rows) if rows else None

    def open(self) -> QuerySet[Pairing]:
        facts = ("match", "a", "b", "round__stage__tournament")
        return open_in(event_id=self.event.pk).select_related(*facts).order_by("pk")

    def decided(self) -> Pairing | None:
        found = Pairing.objects.filter(round__stage__tournament__event=self.event).exclude(match__kind="")
        found = found.filter(match__is_void=False)
        return self.pick(found.select_related("match", "round__stage__tournament").order_by("-match__decided_at")[:6])

    def report(self) -> Report:
        kind = self.rng.choices((SCORE, FORFEIT, WALKOVER, DOUBLE_NO_SHOW), weights=(14, 2, 2, 1))[0]
        wins_a, lost = self.rng.random() < 0.5, self.rng.randint(0, 2)
        if kind == DOUBLE_NO_SHOW:
            return Report(DOUBLE_NO_SHOW)
        if kind in (WALKOVER, FORFEIT):
            return Report(kind, winner="a" if wins_a else "b")
        return Report(SCORE, (3, lost) if wins_a else (lost, 3))

    def tell(self, act: Callable[..., Any], pairing: Pairing | None, report: Report) -> None:
        if pairing is None or pairing.match is None:
            return
        self.number += 1
        said = {
            "report": report,
            "key": f"told-{self.event.pk}-{self.number}",
            "expected_version": pairing.match.version,
        }
        self.do(act, pairing.round.stage.tournament, match_id=pairing.match_id, **said)

    def play(self) -> None:
        """A match that sits at a table ends."""
        self.tell(results.enter_result, self.pick(self.open().filter(table_use__isnull=False)), self.report())

    def give_up(self) -> None:
        """Somebody does not come, wherever their match is."""
        self.tell(results.enter_result, self.pick(self.open()), Report(WALKOVER, winner=self.rng.choice("ab")))

    def correct(self) -> None:
        self.tell(results.correct_result, self.decided(), self.report())

    def clear(self) -> None:
        pairing = self.decided()
        if pairing is not None and pairing.match is not None:
            self.moved.add(pairing.pk)
            said = {"match_id": pairing.match_id, "expected_version": pairing.match.version}
            self.do(results.clear_result, pairing.round.stage.tournament, **said)

    def anybody(self, act: Callable[..., Any]) -> None:
        tournament = self.tournament()
        self.do(act, tournament, entry_id=self.rng.choice(list(tournament.entries.order_by("pk"))).pk)

    def leave(self) -> None:
        self.anybody(self.rng.choice((rounds.withdraw_entry, rounds.disqualify_entry)))

    def come_back(self) -> None:
        for act in (rounds.return_entry, rounds.reinstate_entry):
            self.anybody(act)

    def come_late(self) -> None:
        self.number += 1
        tournament = self.tournament()
        if tournament.entries.count() < 9:
            played = Pairing.objects.filter(round__stage__tournament=tournament)
            self.moved |= set(played.values_list("pk", flat=True))
            self.do(latecomers.late_entry, tournament, tournament_id=tournament.pk, name=f"Late {self.number}")

    def break_table(self) -> None:
        table = self.rng.choice(list(Table.objects.filter(event=self.event).order_by("pk")))
        act = hall.take_table_out if table.out_since is None else hall.bring_table_back
        self.do(act, self.tournaments[0], table_id=table.pk)

    def move(self) -> None:
        pairing = self.pick(self.open())
        if pairing is not None:
            self.moved.add(pairing.pk)
            standing = Table.objects.filter(event=self.event).order_by("number").values_list("number", flat=True)
            table = self.rng.choice([*(number for number in standing if not rivals(pairing, number)), None])
            self.do(tables.move_match, pairing.round.stage.tournament, match_id=pairing.match_id, table=table)

    def swap(self) -> None:
        one, other = self.pick(self.open()), self.pick(self.open())
        if one is not None and other is not None:
            self.moved |= {one.pk, other.pk}
            said = {"match_id": one.match_id, "with_match": other.match_id}
            self.do(tables.swap_tables, one.round.stage.tournament, **said)

    def hold(self) -> None:
        """Hold a match or let it go, most of all one that waits."""
        found = list(self.slots())
        if not found:
            return
        slot = self.rng.choice([each for each in found if each.held_since is not None] or found)
        act = slots.hold_match if slot.held_since is None else slots.release_match
        there = Pairing.objects.filter(round__stage=slot.stage_id, round__number=slot.round, number=slot.number)
        self.moved |= set(there.values_list("pk", flat=True))
        self.do(act, slot.stage.tournament, slot_id=slot.pk)

    def fix(self) -> None:
        """Say when and where a match is to begin, or leave that to the plan again."""
        found = list(self.slots())
        fixed = [each for each in found if each.fixed_at is not None or each.fixed_table is not None]
        if not found:
            return
        slot, at, table = self.rng.choice(fixed or found), None, None
        if not fixed:
            at = self.now + timedelta(minutes=self.rng.randint(0, 40))
            standing = Table.objects.filter(event=self.event).order_by("number").values_list("number", flat=True)
            table = self.rng.choice([None, *standing])
        said = {"starts_at": at, "table": table, "accept_clashes": True}
        self.do(slots.fix_match, slot.stage.tournament, slot_id=slot.pk, **said)

    def go_on(self) -> None:
        """The next rounds of whoever can have them; the last press finishes."""
        for tournament in self.tournaments:
            stage = stage_of(tournament)
            drafted = self.do(rounds.draft_rounds, tournament, stage_id=stage.pk)
            if self.rng.random() < 0.7:
                self.do(rounds.publish_rounds, tournament, stage_id=stage.pk, accept_warnings=True)
            if drafted == Refused("nothing_to_pair") and self.rng.random() < 0.3:
                self.do(rounds.finish_tournament, tournament, tournament_id=tournament.pk)

    def reopen(self) -> None:
        tournament = self.tournament()
        self.do(rounds.reopen_tournament, tournament, tournament_id=tournament.pk)

    def take_back(self) -> None:
        stage = stage_of(self.tournament())
        self.moved |= set(Pairing.objects.filter(round__stage=stage).values_list("pk", flat=True))
        self.do(rounds.take_back_round, stage.tournament, stage_id=stage.pk)

    def run_late(self) -> None:
        """Everything that is still to come is moved: the break, and matches with a fixed start."""
        said = {"minutes": self.rng.choice((-5, 10, 20)), "since": self.now, "accept_late": True}
        self.do(shifts.shift_plan, self.tournament(), event_id=self.event.pk, **said)
        self.pause = Break.objects.filter(event=self.event).values_list("starts_at", "ends_at")[0]

    # The worker, and what is true behind it.

    def worker(self) -> None:
        """What the worker does after a commit: sometimes twice."""
        for again in range(self.rng.choice((1, 1, 1, 2))):
            self.now += timedelta(seconds=5 * again)
            before = self.seats()
            for stage in standings.stale_stages():
                standings.refresh(stage_id=stage, now=self.now)
            self.call()
            plans.replan(event_id=self.event.pk, now=self.now)
            self.stays(before)
        self.holds_always()
        facts = plan_facts(event_id=self.event.pk, now=self.now)
        self.nothing_waits(facts)
        known = HallPlan.objects.get(event=self.event)
        assert known.made == known.asked
        if known.made_at == self.now:
            self.plan_is_right(facts)
            if self.rng.random() < 0.3:
                self.plans_again()
        else:  # nothing has changed, and no time has passed to speak of
            assert known.made_at is not None
            assert self.now - known.made_at <= timedelta(minutes=1)

    def seats(self) -> Seats:
        """The open matches, and where each is."""
        return dict(self.open().values_list("pk", "table"))

    def stays(self, before: Seats) -> None:
        """Whoever had a table has it still, unless an act was about them."""
        kept = {pk: table for pk, table in self.seats().items() if before.get(pk) is not None and pk not in self.moved}
        assert kept == {pk: before[pk] for pk in kept}

    def holds_always(self) -> None:
        """Tables are taken by open matches that say so, and of those from queues no player has two."""
        uses = list(
            TableUse.objects.filter(event=self.event).select_related("pairing__match", "pairing__a", "pairing__b")
        )
        assert [use.number for use in uses] == [use.pairing.table for use in uses]
        assert {use.pairing_id for use in uses} <= set(self.seats())
        queues = [each.pk for each in self.tournaments if each.seating == Seating.QUEUE]
        people = [p for use in uses if use.pairing.a.tournament_id in queues for p in players_of(use.pairing)]
        assert sorted(people) == sorted(set(people))

    def call(self) -> None:
        """The worker calls; whoever is called can come, to a table that is free and in order."""
        sitting = {p for each in self.open().filter(table_use__isnull=False) for p in players_of(each)}
        taken = set(TableUse.objects.filter(event=self.event).values_list("number", flat=True))
        ended = self.ended()
        called = queue.call_matches(event_id=self.event.pk, now=self.now)
        rows = list(self.open().filter(match__in=called))
        assert len(rows) == len(called)
        in_order = set(Table.objects.filter(event=self.event, out_since=None).values_list("number", flat=True))
        numbers = [each.table for each in rows]
        assert set(numbers) <= in_order - taken
        assert len(set(numbers)) == len(numbers)
        people = [player for each in rows for player in players_of(each)]
        assert len(set(people)) == len(people)
        assert sitting.isdisjoint(people)
        assert [p for p in people if p in ended and self.now - ended[p] < REST] == []
        assert rows == [] or not self.pause[0] <= self.now < self.pause[1]
        for each in rows:
            assert (each.called_at, each.due_at) == (self.now, self.now)
            assert is_fed(each)
            assert self.may_be_called(each)

    def ended(self) -> dict[int, datetime]:
        """When each player's last match at a table ended."""
        found: dict[int, datetime] = {}
        played = Match.objects.filter(pairing__round__stage__tournament__event=self.event, kind__in=PLAYED)
        for match in played.order_by("decided_at"):
            for player in (match.seat_a_id, match.seat_b_id):
                if player is not None and match.decided_at is not None:
                    found[player] = match.decided_at
        return found

    def slots(self) -> QuerySet[Slot]:
        return Slot.objects.filter(stage__tournament__event=self.event, dropped_at=None).order_by("pk")

    def may_be_called(self, pairing: Pairing) -> bool:
        """Whether nobody holds a match or said that it begins later or at another table."""
        place = {"stage": pairing.round.stage_id, "round": pairing.round.number, "number": pairing.number}
        slot = Slot.objects.filter(**place).first()
        if slot is None:
            return True
        is_later = slot.fixed_at is not None and slot.fixed_at > self.now
        is_elsewhere = slot.fixed_table is not None and slot.fixed_table != pairing.table
        return slot.held_since is None and not is_later and not is_elsewhere

    def nothing_waits(self, facts: PlanFacts) -> None:
        """Behind the worker no match waits that could be played at a table that is free, by its word and by ours."""
        told = scheduling.calls(matches=facts.for_calls(), hall=facts.hall, now=facts.now)
        without = set(self.open().filter(table=None).values_list("pk", flat=True))
        assert [call for call in told if facts.pairings[call.match] in without] == []
        taken = set(TableUse.objects.filter(event=self.event).values_list("number", flat=True))
        is_full = not Table.objects.filter(event=self.event, out_since=None).exclude(number__in=taken).exists()
        kept = self.slots().filter(Q(fixed_at__gt=self.now) | Q(fixed_table__isnull=False)).exists()
        if is_full or kept or self.pause[0] - LONG < self.now < self.pause[1]:
            return
        busy = {p for each in self.open().filter(table_use__isnull=False) for p in players_of(each)}
        busy |= {player for player, at in self.ended().items() if self.now - at < REST}
        waiting = self.open().filter(table=None, round__stage__tournament__state=State.RUNNING)
        playable = [p for p in waiting if busy.isdisjoint(players_of(p)) and self.may_be_called(p) and is_fed(p)]
        assert playable == []

    def plan_is_right(self, facts: PlanFacts) -> None:
        """The plan breaks no rule, and the slots are what it says now; what is only expected to three minutes."""
        made = scheduling.plan(matches=facts.matches, hall=facts.hall, now=facts.now)
        assert scheduling.clashes(matches=facts.matches, hall=facts.hall, places=made.assignments) == ()
        stored = {(slot.stage_id, slot.round, slot.number): slot for slot in self.slots()}
        planned = {facts.places[match.key]: match for match in facts.matches}
        running = {place for place, slot in stored.items() if place in planned or self.runs(slot.stage_id)}
        assert running == set(planned)
        for place, match in planned.items():
            slot, at = stored[place], made.get(match.key)
            assert (slot.starts_at is None) is (at is None)
            assert slot.state == match.state
            if at is None or slot.starts_at is None:
                assert slot.why != "", (slot, match)
                continue
            off = slot.starts_at - instant(at.start - at.start % 60)
            assert abs(off) < plans.STEADY if not slot.has_time else off == timedelta()
            assert slot.table == (None if at.table is None else int(at.table))
            assert match.state is not scheduling.State.WAITING or self.now - slot.starts_at < plans.STEADY
        self.slots_agree(stored)

    def runs(self, stage_id: int) -> bool:
        return Tournament.objects.get(stages=stage_id).state == State.RUNNING

    def slots_agree(self, stored: dict[tuple[int, int, int], Slot]) -> None:
        """A slot is where its match is; nobody is in the slot of a match that is not out, unless a bracket says so."""
        sits = dict(TableUse.objects.filter(event=self.event).values_list("pairing", "number"))
        published = Pairing.objects.filter(round__stage__tournament__event=self.event, b__isnull=False)
        places = set()
        for each in published.filter(round__published_at__isnull=False).select_related("match", "round"):
            place = (each.round.stage_id, each.round.number, each.number)
            places.add(place)
            slot = stored[place]
            assert (slot.a_id, slot.b_id) == (each.a_id, each.b_id)
            assert each.match is not None
            if each.match.kind:
                assert slot.state == "over"
            elif each.pk in sits:
                assert (slot.state in ("called", "playing"), slot.table, slot.has_place) == (True, each.table, True)
            else:
                is_told = each.table is not None or slot.fixed_table is not None
                assert (slot.state, slot.has_place) == ("waiting", is_told)
        brackets = [
            s.pk for s in Stage.objects.filter(tournament__event=self.event) if get_format(s.format).has_bracket
        ]
        unknown = [slot for place, slot in stored.items() if place not in places and place[0] not in brackets]
        assert [(slot.a_id, slot.b_id) for slot in unknown] == [(None, None)] * len(unknown)

    def plans_again(self) -> None:
        """Planned from the same facts once more, nothing is written."""
        before, versions = list(Slot.objects.order_by("pk").values()), list(Stage.objects.values_list("pk", "version"))
        HallPlan.objects.filter(event=self.event).update(made_at=None)
        plans.replan(event_id=self.event.pk, now=self.now)
        assert list(Slot.objects.order_by("pk").values()) == before
        assert list(Stage.objects.values_list("pk", "version")) == versions
        assert HallPlan.objects.get(event=self.event).made_at == self.now


HAPPENS: tuple[tuple[Callable[[Day], None], int], ...] = (
    (Day.play, 14),
    (Day.go_on, 6),
    (Day.give_up, 1),
    (Day.correct, 2),
    (Day.clear, 2),
    (Day.leave, 1),
    (Day.come_back, 2),
    (Day.come_late, 1),
    (Day.break_table, 3),
    (Day.move, 2),
    (Day.swap, 2),
    (Day.hold, 3),
    (Day.fix, 2),
    (Day.run_late, 2),
    (Day.reopen, 1),
    (Day.take_back, 1),
)
"""What happens, and how often among as many steps as all of them together."""

STEPS = sum(often for _, often in HAPPENS)


def players_of(pairing: Pairing) -> list[int]:
    return [side.player_id for side in (pairing.a, pairing.b) if side is not None]


def is_fed(pairing: Pairing) -> bool:
    """Whether all that has to be over before a match is: what feeds it in a bracket, else in rounds the one before."""
    stage = pairing.round.stage
    chosen = get_format(stage.format)
    if chosen.has_bracket:
        columns = chosen.bracket(take_snapshot(stage=stage))
        places = {(each.round, each.number): each for column in columns for each in column.matches}
        place = places[pairing.round.number, pairing.number]
        return all(feed is None or places[feed.place].winner is not None for feed in (place.from_a, place.from_b))
    if stage.tournament.seating == Seating.QUEUE:
        return True
    return (
        not open_in(event_id=stage.tournament.event_id)
        .filter(round__stage=stage, round__number=pairing.round.number - 1)
        .exists()
    )
