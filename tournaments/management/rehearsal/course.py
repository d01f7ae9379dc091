"""The course of a rehearsal: from a list of people to a champion, as an organiser with three helpers would go it."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

from tournaments.management.rehearsal.asking import Caller, Clock, WentWrongError
from tournaments.management.rehearsal.fates import Fates, Twist
from tournaments.management.rehearsal.people import roster
from tournaments.management.rehearsal.table import Line, Meeting, Table
from tournaments.management.rehearsal.telling import Job, Referee
from tournaments.management.rehearsal.watching import Watch

FORMATS = ("swiss", "round_robin", "single_elimination")
LEAST_PLAYERS = 4
ABSENT = 2  # on the list, and never there
PATIENCE_SECONDS = 60
SETTLE_SECONDS = 0.05


@dataclass(frozen=True, slots=True)
class Plan:
    """What to rehearse, where, and as whom."""

    url: str
    token: str
    players: int
    format: str
    referees: int
    seed: int


class Rehearsal:
    """One run. `say` gets a line for whoever watches."""

    def __init__(self, plan: Plan, *, say: Callable[[str], object]) -> None:
        self.plan, self.say, self.clock = plan, say, Clock()
        self.organiser = self._caller(f"Bearer {plan.token}")
        self.public = self._caller("")
        self.fates = Fates(seed=plan.seed, somebody_wins=plan.format == "single_elimination")
        self.meetings: list[Meeting] = []
        self.told: Counter[Twist] = Counter()
        self.path = ""
        self.event = 0
        self.players: dict[int, int] = {}  # entry id to place on the list
        self.absent: list[int] = []
        self.bound: set[int] = set()  # tables of the first referee, where there are several
        self.champion = ""

    def run(self) -> None:
        """Play it through. WentWrongError as soon as anything is not as it should be."""
        self._make()
        self._enter()
        self._check_in()
        self._start()
        self._look_twice()
        self._play()
        self._finish()

    def _caller(self, authorization: str) -> Caller:
        return Caller(url=self.plan.url, authorization=authorization, clock=self.clock)

    def _post(self, path: str, body: Any = None, *, expect: int = 200, code: str = "") -> Any:
        """An act of the organiser; with `code`, one that has to be refused with it."""
        answer = self.organiser.ask("POST", f"{self.path}{path}", {} if body is None else body, expect=expect)
        if code and answer.body["code"] != code:
            raise WentWrongError(f"{path} was refused with {answer.body['code']} in place of {code}")
        return answer.body

    def _tournament(self) -> Any:
        return self.organiser.get(self.path)

    # --- Before the start.

    def _make(self) -> None:
        plan = self.plan
        facts = {"name": f"Rehearsal {plan.seed}", "zone": "Europe/Riga", "starts_on": "2027-05-22"}
        self.event = self._post("events/", facts, expect=201)["id"]
        facts = {"name": f"{plan.players} players", "format": plan.format, "seed": f"rehearsal {plan.seed}"}
        facts["seeding"] = "rating"
        made = self._post(f"events/{self.event}/tournaments/", facts, expect=201)
        self.path = f"tournaments/{made['id']}/"

    def _enter(self) -> None:
        rows = roster(size=self.plan.players - 1 + ABSENT, seed=self.plan.seed)
        kept = self._post("imports/", {"rows": rows, "filename": "rehearsal"}, expect=201)
        if (kept["state"], kept["added"], kept["problems"]) != ("preview", len(rows), []):
            raise WentWrongError(f"the list was read as {kept['added']} players with {kept['problems']}")
        self._post(f"imports/{kept['id']}/confirm/")
        self._until(lambda: self.organiser.get(f"{self.path}imports/{kept['id']}/")["state"] == "done", "the import")
        again = self._post("imports/", {"rows": rows, "apply": True}, expect=201)
        if (again["added"], again["already_there"]) != (0, len(rows)):
            raise WentWrongError(f"the same list again added {again['added']} players")
        walk_in = {"name": rows[0]["name"]}
        self._post("entries/", walk_in, expect=409, code="same_name")
        self._post("entries/", walk_in | {"name_again": True}, expect=201)
        entries = self.organiser.rows(f"{self.path}entries/")
        names = [row["name"] for row in rows] + [walk_in["name"]]
        if [entry["name"] for entry in entries] != names:
            raise WentWrongError("the roster is not the list")
        ids = [entry["id"] for entry in entries]
        self.absent = ids[self.plan.players - 1 : -1]
        self.players = {entry: place for place, entry in enumerate(ids) if entry not in self.absent}
        self.say(f"{len(ids)} on the roster, {len(set(names))} different names")

    def _check_in(self) -> None:
        self._post("open-check-in/")
        first, second = list(self.players)[:2]
        for entry, verb, is_here in (
            (first, "check-in", True),
            (second, "check-in", True),
            (first, "undo-check-in", False),
            (first, "undo-check-in", False),
            (first, "check-in", True),
        ):
            if (self._post(f"entries/{entry}/{verb}/")["checked_in_at"] is not None) is not is_here:
                raise WentWrongError(f"{verb} did not do what it says")
        count = self._post("check-in-all/")["count"]
        if count != self.plan.players + ABSENT - 2:
            raise WentWrongError(f"checking everybody in touched {count}")
        for entry in self.absent:
            self._post(f"entries/{entry}/undo-check-in/")

    def _start(self) -> None:
        refused = self._post("start/", expect=409, code="roster_changed")
        if refused["params"]["entries"] != self.absent:
            raise WentWrongError(f"the start would leave out {refused['params']['entries']}")
        for _ in range(2):
            started = self._post("start/", {"leaving_out": self.absent})
            if (started["state"], started["players"]) != ("running", self.plan.players):
                raise WentWrongError(f"started with {started['players']} players")
        self._expect_hidden(1)

    def _look_twice(self) -> None:
        """Publish, take the last round back, pair and publish it again: a result from the first look lands nowhere."""
        self._post("publish/")
        seen = next(row for row in reversed(self.public.rows(f"{self.path}pairings/")) if row["match"] is not None)
        self._post("take-back/", {"why": "a rehearsal"})
        self._expect_hidden(seen["round"])
        self._post("pair-again/")
        self._post("publish/")
        late = self.organiser.ask(
            "PUT",
            f"{self.path}matches/{seen['match']['id']}/result/",
            {"kind": "score", "sets": [3, 0], "version": 0},
            expect=409,
            Idempotency_Key=f"{self._run_name()}-void",
        )
        if late.body["code"] != "match_void":
            raise WentWrongError(f"a result of a match taken back was refused with {late.body['code']}")
        self._post("draft/", expect=409, code="open_matches")

    def _expect_hidden(self, number: int) -> None:
        """A draft is there for the organiser, and for nobody else."""
        if self.public.rows(f"{self.path}pairings/?round={number}"):
            raise WentWrongError(f"the draft of round {number} is public")
        if number in [each["number"] for each in self.public.get(f"{self.path}rounds/")["results"]]:
            raise WentWrongError(f"round {number} is public before it is published")
        if not self.organiser.rows(f"{self.path}pairings/?round={number}"):
            raise WentWrongError(f"there is no draft of round {number}")

    # --- Rounds.

    def _run_name(self) -> str:
        return f"rehearsal-{self.plan.seed}-{self.path.split('/')[1]}"

    def _play(self) -> None:
        referees = self._referees()
        watch = Watch(caller=self._caller(""), path=self.path, clock=self.clock)
        watch.start()
        try:
            while (step := self._next()) != "finish":
                if step == "draft":
                    self._draft()
                elif step == "enter_results":
                    self._play_round(referees, watch)
                else:
                    raise WentWrongError(f"the next step is to {step}")
        finally:
            watch.stop()
            for referee in referees:
                referee.close()

    def _next(self) -> str:
        self._until(lambda: self.public.get(f"{self.path}standings/?page_size=1")["behind"] == 0, "the standings")
        return str(self._tournament()["next"]["act"])

    def _draft(self) -> None:
        number = self._post("draft/")["results"][-1]["number"]
        self._expect_hidden(number)
        self._post("publish/")

    def _referees(self) -> list[Referee]:
        """A link for each; the first of several is bound to the lower half of the tables."""
        half = list(range(1, max(2, self.plan.players // 4 + 1)))
        tokens = []
        for number in range(self.plan.referees):
            is_bound = self.plan.referees > 1 and number == 0
            body = {"role": "referee", "name": f"Referee {number + 1}", "tournament": int(self.path.split("/")[1])}
            body["tables"] = half if is_bound else []
            link = self.organiser.ask("POST", f"events/{self.event}/staff-links/", body, expect=201).body
            tokens.append(link["token"])
        self.bound = set(half) if self.plan.referees > 1 else set()
        return [
            Referee(
                device=self._caller(f"Link {token}"),
                other=self._caller(f"Link {tokens[-1]}"),
                organiser=self._caller(f"Bearer {self.plan.token}"),
                path=self.path,
                run=self._run_name(),
            )
            for token in tokens
        ]

    def _play_round(self, referees: list[Referee], watch: Watch) -> None:
        jobs = self._jobs()
        lists: list[list[Job]] = [[] for _ in referees]
        free = range(1, len(referees)) if self.bound else range(len(referees))
        for job in jobs:
            is_first = job.table in self.bound
            lists[0 if is_first else free[job.table % len(free)]].append(job)
        with ThreadPoolExecutor(len(referees)) as pool:
            for done in [pool.submit(referee.work, mine, watch) for referee, mine in zip(referees, lists, strict=True)]:
                done.result()
        watch.wait()

    def _jobs(self) -> list[Job]:
        """The open matches of the first round that has any, with what will come of them; noted down as played."""
        rows = self.public.rows(f"{self.path}pairings/")
        number = min(row["round"] for row in rows if row["match"] is not None and not row["match"]["kind"])
        rows = [row for row in rows if row["round"] == number]
        self._check_round(number, rows)
        jobs = []
        for row in rows:
            a = row["a"]["id"]
            if row["b"] is None:
                self.meetings.append(Meeting(number, self.players[a], None, None))
                continue
            b = row["b"]["id"]
            fate = self.fates.of(self.players[a], self.players[b], round_number=number)
            self.told[fate.twist] += 1
            self.meetings.append(Meeting(number, self.players[a], self.players[b], fate.result))
            played = (self._played(self.players[a]), self._played(self.players[b]))
            jobs.append(Job(row["match"]["id"], row["table"], a, b, played, fate))
        self.say(f"round {number}: {len(jobs)} matches")
        return jobs

    def _played(self, player: int) -> int:
        return sum(1 for each in self.meetings if each.b is not None and player in (each.a, each.b))

    def _check_round(self, number: int, rows: list[dict[str, Any]]) -> None:
        """Nobody twice in a round, at a table of their own, and never against the same one again."""
        sides = [side["id"] for row in rows for side in (row["a"], row["b"]) if side is not None]
        tables = [row["table"] for row in rows if row["b"] is not None]
        if len(set(sides)) != len(sides) or not set(sides) <= set(self.players) or len(set(tables)) != len(tables):
            raise WentWrongError(f"round {number} has somebody or a table twice, or somebody who is not playing")
        if self.plan.format == "swiss" and set(sides) != set(self.players):
            raise WentWrongError(f"round {number} leaves somebody out")
        met = {frozenset((each.a, each.b)) for each in self.meetings}
        again = [row for row in rows if row["b"] and frozenset((self._place(row["a"]), self._place(row["b"]))) in met]
        byes = {each.a for each in self.meetings if each.b is None}
        if again or any(row["b"] is None and self._place(row["a"]) in byes for row in rows):
            raise WentWrongError(f"round {number} has a rematch or a second bye")

    def _place(self, side: dict[str, Any]) -> int:
        return self.players[side["id"]]

    # --- The end.

    def _finish(self) -> None:
        for _ in range(2):
            if self._post("finish/")["state"] != "finished":
                raise WentWrongError("it did not finish")
        self._until(lambda: self.public.get(f"{self.path}standings/?page_size=1")["is_final"], "the final standings")
        table = Table(players=self.players.values(), meetings=self.meetings)
        kinds = {"swiss": table.swiss, "round_robin": table.round_robin, "single_elimination": table.elimination}
        expected = kinds[self.plan.format]()
        rows = self.public.rows(f"{self.path}standings/")
        ranks = [row["rank"] for row in rows]
        if ranks != sorted(ranks) or {self._place(row["entry"]) for row in rows} != expected.keys():
            raise WentWrongError("the final table is not in the order of its places, or not of those who played")
        for row in rows:
            compare(row, expected[self._place(row["entry"])])
        self.champion = rows[0]["entry"]["name"]

    def _until(self, look: Callable[[], bool], what: str) -> None:
        deadline = time.monotonic() + PATIENCE_SECONDS
        while not look():
            if time.monotonic() > deadline:
                raise WentWrongError(f"{what} did not come within {PATIENCE_SECONDS} s; does the worker run?")
            time.sleep(SETTLE_SECONDS)


def compare(row: dict[str, Any], line: Line) -> None:
    """A row of the server's final table against our own."""
    theirs = tuple(row[name] for name in ("rank", "points", "wins", "losses", "byes", "sets_won", "sets_lost"))
    ours = (line.rank, line.points, line.wins, line.losses, line.byes, line.sets_won, line.sets_lost)
    values = tuple(each["exact"] for each in row["values"])
    if (theirs, values) != (ours, tuple(map(str, line.values))) or row["ties"]:
        raise WentWrongError(
            f"{row['entry']['name']} stands with {theirs} {values}, and should with {ours} {line.values}"
        )
    if not row["reason"]["text"]:
        raise WentWrongError(f"{row['entry']['name']} is not told why they are in place {row['rank']}")
