"""Pazaak in the shell: check scenarios, play against a policy, replay, verify and simulate matches."""

from __future__ import annotations

import argparse
import json
import secrets
import time
from collections.abc import Iterable, Iterator
from math import sqrt
from pathlib import Path
from random import Random
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from matches.engine import (
    RULESETS,
    BadText,
    Hand,
    Onlooker,
    Record,
    Refusal,
    Ruleset,
    apply,
    check_side_deck,
    get_ruleset,
    new_match,
    parse_record,
    verify,
    view,
    with_overrides,
)
from matches.engine.bots import POLICIES, Policy, make_policy
from matches.engine.bots.original import DECKS
from matches.engine.notation import word_of
from matches.engine.scenarios import SCHEMA, check_scenario
from matches.engine.simulate import Tally, simulate
from matches.management.terminal import Terminal, lines_of

_BAR = 30
_SURE = 1.96
"""Standard deviations of a 95 % interval."""


class Command(BaseCommand):
    """`manage.py pazaak check|play|replay|verify|simulate`: thin doors to `matches.engine`; no database is opened."""

    help = "Pazaak: check scenarios, play, replay and verify records, simulate matches."
    requires_system_checks = []

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        acts = parser.add_subparsers(dest="act", required=True)
        check = acts.add_parser("check", help="play scenario files through the engine and print every difference")
        check.add_argument("files", nargs="+", type=Path, metavar="FILE")
        check.set_defaults(do=self._check_scenarios)

        play = acts.add_parser("play", help="a match in the terminal against a policy; you are side A")
        play.add_argument("--policy", default="look_ahead", help=_one_of(POLICIES))
        play.add_argument("--deck", default="2", help="both side decks: 0, 2, 3, or tokens such as '+1 -2 *3 …'")
        play.add_argument("--words", default="", help="words of your own, mixed into the deal")
        play.add_argument("--record", type=Path, metavar="FILE", help="write the record of the match there")
        play.set_defaults(do=self._play)

        shown = acts.add_parser("replay", help="show a recorded match, move by move")
        shown.add_argument("record", type=Path, metavar="RECORD")
        shown.add_argument("--upto", type=int, metavar="N", help="only the first N moves")
        shown.set_defaults(do=self._replay)

        proof = acts.add_parser("verify", help="recompute everything that was dealt in a recorded match")
        proof.add_argument("record", type=Path, metavar="RECORD")
        proof.set_defaults(do=self._verify)

        many = acts.add_parser("simulate", help="many matches between two policies")
        names = f"once for side A, once for side B: {_one_of(POLICIES)}; stand_at:15 stands at 15"
        many.add_argument("--policy", action="append", metavar="NAME", help=names)
        decks = "side decks of A and B: 0, 2, 3, none, or tokens in quotes"
        many.add_argument("--decks", nargs=2, default=["none", "none"], metavar=("A", "B"), help=decks)
        many.add_argument("--games", type=_count, default=1_000, help="matches to play")
        many.add_argument("--seed", type=int, default=1)
        many.set_defaults(do=self._simulate)

        for chosen in (play, many):
            chosen.add_argument("--ruleset", default="kotor", help=_one_of(ruleset.name for ruleset in RULESETS))
            chosen.add_argument("--option", action="append", default=[], metavar="NAME=VALUE", help="changes an option")

    def handle(self, *args: Any, **options: Any) -> None:
        options["do"](options)

    # -------------------------------------------------------------------------------------------- scenarios

    def _check_scenarios(self, options: dict[str, Any]) -> None:
        passed = failed = 0
        for path in options["files"]:
            for name, differences in _checked(path):
                for difference in differences:
                    self.stdout.write(f"{name}: {difference}")
                if any(not difference.startswith("(") for difference in differences):
                    failed += 1
                else:
                    passed += 1
        self.stdout.write(f"{passed} passed, {failed} failed")
        if failed:
            raise SystemExit(1)

    # -------------------------------------------------------------------------------------------- one match

    def _play(self, options: dict[str, Any]) -> None:
        ruleset = _ruleset(options)
        deck = _deck(options["deck"], ruleset)
        if deck is None:
            raise CommandError("a match needs side decks")
        terminal = Terminal(
            ruleset=ruleset,
            side_decks=(deck, deck),
            policy=_policy(options["policy"], ruleset, deck, secrets.SystemRandom()),
            seed=secrets.token_bytes(32),
            words=options["words"],
            say=self.stdout.write,
            ask=_ask,
        )
        record = terminal.play()
        if options["record"] and record is not None:
            options["record"].write_text(record)
            self.stdout.write(f"record written to {options['record']}")

    def _replay(self, options: dict[str, Any]) -> None:
        record = _record(options["record"])
        state = new_match(record.ruleset, record.side_decks)
        if isinstance(state, Refusal):
            raise CommandError(f"the match cannot begin: {state.code} {dict(state.params)}")
        for number, move in enumerate(record.moves[: options["upto"]], start=1):
            after = apply(state, move)
            if isinstance(after, Refusal):
                raise CommandError(f"move {number}, {word_of(move)}, is refused: {after.code}")
            self.stdout.write(f"{number:4}  {_who(move)}{word_of(move)}")
            for line in lines_of(view(state, Onlooker.REFEREE), view(after, Onlooker.REFEREE)):
                self.stdout.write(f"      {line}")
            state = after

    def _verify(self, options: dict[str, Any]) -> None:
        record = _record(options["record"])
        found = verify(record)
        for refusal in found:
            params = dict(refusal.params)
            move = params.get("move")
            place = f"move {move + 1}, {word_of(record.moves[move])}: " if isinstance(move, int) else ""
            self.stdout.write(f"{place}{refusal.code}")
        if found:
            raise SystemExit(1)
        self.stdout.write("everything dealt follows from the seed")

    # -------------------------------------------------------------------------------------------- many matches

    def _simulate(self, options: dict[str, Any]) -> None:
        ruleset = _ruleset(options)
        names = options["policy"] or ["original", "original"]
        if len(names) != 2:
            raise CommandError("name two policies: --policy for side A and --policy for side B")
        decks = (_deck(options["decks"][0], ruleset), _deck(options["decks"][1], ruleset))
        rng = Random(options["seed"])  # noqa: S311  # to be repeated, not to be secret
        policies = (_policy(names[0], ruleset, decks[0], rng), _policy(names[1], ruleset, decks[1], rng))
        tally, start = Tally(), time.perf_counter()
        step = max(1, options["games"] // 200)
        for tally in simulate(ruleset, policies, matches=options["games"], rng=rng, side_decks=decks):
            if self.stderr.isatty() and (tally.matches % step == 0 or tally.matches == options["games"]):
                self.stderr.write(_bar(tally.matches, options["games"]), ending="")
        spent = time.perf_counter() - start
        for line in _report(tally, spent):
            self.stdout.write(line)


# ------------------------------------------------------------------------------------------------ what was asked


def _one_of(names: Iterable[str]) -> str:
    return "one of " + ", ".join(names)


def _count(text: str) -> int:
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError("at least 1")
    return number


def _ruleset(options: dict[str, Any]) -> Ruleset:
    overrides: dict[str, object] = {}
    for text in options["option"]:
        name, _, value = text.partition("=")
        try:
            overrides[name] = json.loads(value)
        except json.JSONDecodeError:
            overrides[name] = value
    try:
        return with_overrides(get_ruleset(options["ruleset"]), overrides)
    except KeyError:
        raise CommandError(f"no ruleset {options['ruleset']}: {_one_of(r.name for r in RULESETS)}") from None
    except ValueError as error:
        raise CommandError(f"these options cannot be: {error}") from None


def _deck(text: str, ruleset: Ruleset) -> Hand | None:
    if text == "none":
        return None
    deck = DECKS.get(text) or tuple(text.split())
    refusal = check_side_deck(ruleset, deck)
    if refusal is not None:
        raise CommandError(f"side deck '{text}': {refusal.code} {dict(refusal.params)}")
    return deck


def _policy(name: str, ruleset: Ruleset, deck: Hand | None, rng: Random) -> Policy:
    try:
        return make_policy(name, ruleset=ruleset, below=rng.randrange, side_deck=deck)
    except (KeyError, ValueError):
        raise CommandError(f"no policy {name}: {_one_of(POLICIES)}") from None


def _record(path: Path) -> Record:
    try:
        record = parse_record(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        raise CommandError(f"{path}: {error}") from None
    if isinstance(record, BadText):
        raise CommandError(f"{path}, line {record.line}, column {record.column}: {record.code}")
    return record


def _checked(path: Path) -> Iterator[tuple[str, list[str]]]:
    """Each scenario of a file with its differences as text; those in brackets are only told and fail nothing."""
    try:
        cases = json.loads(path.read_text(encoding="utf-8"))
        if cases["schema"] != SCHEMA:
            yield str(path), [f"schema {cases['schema']}, not {SCHEMA}"]
            return
        scenarios = list(cases["scenarios"])
    except (OSError, ValueError, KeyError, TypeError) as error:
        yield str(path), [f"no scenario file: {error!r}"]
        return
    for number, scenario in enumerate(scenarios, start=1):
        name = f"{path.name} {scenario.get('id', number)}" if isinstance(scenario, dict) else f"{path.name} {number}"
        try:
            found = check_scenario(scenario)
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            yield name, [f"no scenario: {error!r}"]
            continue
        texts = [f"{each.key}: expected {each.expected}, found {each.found}" for each in found]
        yield name, [text if each.matters else f"({text})" for text, each in zip(texts, found, strict=True)]


def _ask(prompt: str) -> str:
    """What is typed; an empty text at the end of input."""
    try:
        return input(prompt)
    except EOFError:
        return ""


def _who(move: object) -> str:
    seat = getattr(move, "seat", None)
    return "" if seat is None else f"{'AB'[seat]} "


# ------------------------------------------------------------------------------------------------ figures


def _report(tally: Tally, seconds: float) -> Iterator[str]:
    """Shares and means with their 95 % intervals."""
    matches, sets = tally.matches, tally.sets
    yield f"matches            {matches:>10}"
    yield f"A wins             {_share(tally.a_wins, matches)}"
    yield f"B wins             {_share(tally.b_wins, matches)}"
    yield f"tied sets          {_share(tally.ties, sets)}"
    yield f"opener wins a set  {_share(tally.opener_wins, sets)}"
    yield f"opener loses a set {_share(tally.opener_losses, sets)}"
    yield f"nine-card fills    {_share(tally.nines, sets)}"
    yield f"sets a match       {sets / matches:10.3f} {_spread(tally.sets_squared, sets, matches)}"
    yield f"turns a match      {tally.turns / matches:10.2f} {_spread(tally.turns_squared, tally.turns, matches)}"
    yield f"turns a set        {tally.turns / sets:10.3f}"
    yield f"hand cards a match {tally.cards / matches:10.3f} {_spread(tally.cards_squared, tally.cards, matches)}"
    yield f"matches a second   {matches / seconds:10.0f}"


def _share(part: int, whole: int) -> str:
    """A share in per cent with its Wilson interval, which is right for rare things too."""
    share, weight = part / whole, _SURE**2 / whole
    middle = (share + weight / 2) / (1 + weight)
    reach = _SURE * sqrt(share * (1 - share) / whole + weight / (4 * whole)) / (1 + weight)
    low, high = max(0.0, middle - reach), min(1.0, middle + reach)
    return f"{100 * share:10.3f} %  ({100 * low:.3f} to {100 * high:.3f})"


def _spread(squares: int, total: int, count: int) -> str:
    """The 95 % interval of a mean, from the sum and the sum of squares."""
    variance = max(0.0, squares / count - (total / count) ** 2)
    reach = _SURE * sqrt(variance / count)
    return f"   ({total / count - reach:.3f} to {total / count + reach:.3f})"


def _bar(done: int, whole: int) -> str:
    """How far it has come, on the line it stands on; a full one leaves the line."""
    filled = _BAR * done // whole
    return f"\r[{'#' * filled}{'.' * (_BAR - filled)}] {done}/{whole}" + ("\n" if done == whole else "")
