"""`manage.py pazaak`: scenarios, a match in the terminal, replays, proofs and simulations."""

from __future__ import annotations

import json
from collections.abc import Iterable
from io import StringIO
from pathlib import Path
from random import Random

import pytest
from django.core.management import CommandError, call_command

from matches.engine import Record, Ruleset, get_ruleset, parse_record, replay, verify, with_overrides
from matches.engine.bots import make_policy
from matches.engine.bots.original import DECKS
from matches.management.terminal import Terminal
from tests.matches.engine.table import PLAIN_DECK

TESTS = Path(__file__).parents[2]
CASES = TESTS / "cases" / "pazaak.json"
GOLDEN = TESTS / "matches" / "engine" / "golden"


def run(*arguments: object) -> list[str]:
    out = StringIO()
    call_command("pazaak", *(str(argument) for argument in arguments), stdout=out)
    return out.getvalue().splitlines()


def run_to_exit(*arguments: object) -> tuple[list[str], int]:
    out = StringIO()
    with pytest.raises(SystemExit) as left:
        call_command("pazaak", *(str(argument) for argument in arguments), stdout=out)
    assert isinstance(left.value.code, int)
    return out.getvalue().splitlines(), left.value.code


# ------------------------------------------------------------------------------------------------ check


def scenario_file(path: Path, *scenarios: object, schema: str = "pazaak-scenarios/1") -> Path:
    path.write_text(json.dumps({"schema": schema, "scenarios": scenarios}))
    return path


def test_check_passes_all_the_cases() -> None:
    count = len(json.loads(CASES.read_text())["scenarios"])
    assert run("check", CASES) == [f"{count} passed, 0 failed"]


def test_check_prints_each_difference_and_fails(tmp_path: Path) -> None:
    scenarios = {scenario["id"]: scenario for scenario in json.loads(CASES.read_text())["scenarios"]}
    wrong = {**scenarios["S52"], "expect": {"turn": "A", "totals": {"B": 14, "A": 11}}}
    told = {**scenarios["S05"], "expect": {**scenarios["S05"]["expect"], "illegal_code": "bad_value"}}
    lines, code = run_to_exit("check", scenario_file(tmp_path / "x.json", wrong, told, {"id": "Z"}), CASES)
    assert lines == [
        "x.json S52: turn: expected A, found B",
        "x.json S52: totals/A: expected 11, found 10",
        "x.json S05: (illegal_code: expected bad_value, found hand_card_limit)",
        "x.json Z: no scenario: KeyError('expect')",
        f"{1 + len(scenarios)} passed, 2 failed",
    ]
    assert code == 1


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"schema": "x"}', '{"schema": "pazaak-scenarios/1"}'])
def test_check_fails_a_file_that_holds_no_scenarios(tmp_path: Path, text: str) -> None:
    path = tmp_path / "x.json"
    path.write_text(text)
    lines, code = run_to_exit("check", path)
    assert (lines[-1], code) == ("0 passed, 1 failed", 1)
    assert lines[0].startswith(f"{path}: ")


def test_check_fails_a_scenario_that_is_none(tmp_path: Path) -> None:
    lines, _ = run_to_exit("check", scenario_file(tmp_path / "x.json", 5))
    assert lines[-1] == "0 passed, 1 failed"


# ------------------------------------------------------------------------------------------------ play


def at_table(
    typed: Iterable[str], *, policy: str = "original", ruleset: Ruleset | None = None
) -> tuple[list[str], str | None]:
    """A match with these lines typed one after another: what was shown, and the record."""
    rules = ruleset or get_ruleset("kotor")
    deck = DECKS["2"]
    shown: list[str] = []
    lines = iter(typed)
    terminal = Terminal(
        ruleset=rules,
        side_decks=(deck, deck),
        policy=make_policy(policy, ruleset=rules, below=Random(1).randrange, side_deck=deck),
        seed=bytes(32),
        words="hello there",
        say=shown.append,
        ask=lambda prompt: next(lines),
    )
    return shown, terminal.play()


def always(text: str) -> Iterable[str]:
    while True:
        yield text


def test_a_match_is_played_to_the_end_and_its_record_verifies() -> None:
    shown, written = at_table(always("stand"))
    assert written is not None
    record = parse_record(written)
    assert isinstance(record, Record)
    assert verify(record) == ()
    assert record.tags == (("B", "original"),)
    assert shown[-1] == f"seed: {'00' * 32}"
    assert shown[-2] == "B wins the match (sets)"


def test_what_is_typed_wrong_is_asked_again() -> None:
    shown, written = at_table(["dance", "+9", "*6", "7", "forfeit"])
    assert written is not None
    assert shown[1] == shown[5] == shown[6]  # the help, for what is no move at all
    assert shown[7:9] == ["*6: card_not_in_hand", "7: already_drawn"]


def test_an_empty_line_leaves_the_table() -> None:
    assert at_table([""])[1] is None


def test_its_reasons_do_not_tell_its_hand() -> None:
    shown, _ = at_table(["why", "end", "why", "forfeit"], policy="look_ahead")
    assert "it has not chosen anything yet" in shown
    assert [line for line in shown if "% to win the match" in line] == ["end: best_chance, 52.7 % to win the match"]


def test_too_many_ties_are_ruled_to_go_on_and_an_outside_source_is_overridden() -> None:
    ruleset = with_overrides(get_ruleset("table"), {"max_consecutive_ties": 1, "sets_to_win": 30})
    shown, written = at_table(always("stand"), policy="stand_at:1", ruleset=ruleset)
    assert written is not None
    assert "ruling next" in written
    assert '[Option draw_source "engine_rng"]' in written
    assert any("tied" in line for line in shown)


def test_a_refused_side_deck_is_not_played_with() -> None:
    terminal = Terminal(
        ruleset=get_ruleset("kotor"),
        side_decks=(PLAIN_DECK, PLAIN_DECK[:9]),
        policy=make_policy("original", ruleset=get_ruleset("kotor"), below=Random(1).randrange),
        seed=bytes(32),
        words="",
        say=len,
        ask=str,
    )
    with pytest.raises(ValueError, match="bad_size"):
        terminal.play()


def test_the_command_plays_and_writes_the_record(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "match.pazaak"
    monkeypatch.setattr("sys.stdin", StringIO("end\nstand\nforfeit\n"))
    lines = run("play", "--policy", "original", "--deck", "0", "--words", "mine", "--record", path)
    assert lines[-1] == f"record written to {path}"
    record = parse_record(path.read_text())
    assert isinstance(record, Record)
    assert verify(record) == ()
    monkeypatch.setattr("sys.stdin", StringIO(""))
    path.unlink()
    run("play", "--policy", "original", "--record", path)
    assert not path.exists()


# ------------------------------------------------------------------------------------------------ replay, verify


def test_replay_shows_every_move_and_how_sets_ended() -> None:
    lines = run("replay", GOLDEN / "tiebreaker.pazaak")
    assert lines[:4] == [
        "   1  open A (T1 *4 F24 V12) (*1 D V12 F24)",
        "      A   0 [] (*4 V12 T1 F24)   B   0 [] (*1 V12 D F24)",
        "   2  A 2",
        "      A   2 [2] (*4 V12 T1 F24)   B   0 [] (*1 V12 D F24)",
    ]
    assert "      set 1: A wins by tiebreaker, 20:20; sets 1:0" in lines
    assert lines[-1] == "      A wins the match (sets)"


def test_replay_stops_where_it_is_told() -> None:
    assert len(run("replay", GOLDEN / "tsl.pazaak", "--upto", 1)) == 2


def test_replay_names_the_move_that_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "bad.pazaak"
    path.write_text('[Pazaak "1"]\n[Ruleset "kotor/1"]\nopen A (?) (?)\nB 5 end\n')
    with pytest.raises(CommandError, match="move 2, 5, is refused: not_your_turn"):
        run("replay", path)
    path.write_text('[Pazaak "1"]\n[Ruleset "kotor/1"]\n[SideDeckA "D"]\n')
    with pytest.raises(CommandError, match="the match cannot begin: bad_size"):
        run("replay", path)


def test_a_file_that_is_no_record_is_refused_at_its_place(tmp_path: Path) -> None:
    path = tmp_path / "bad.pazaak"
    path.write_text('[Pazaak "1"]\n[Ruleset "kotor/1"]\nA 11\n')
    with pytest.raises(CommandError, match="line 3, column 3: bad_value"):
        run("replay", path)
    with pytest.raises(CommandError, match="No such file"):
        run("verify", tmp_path / "none.pazaak")
    path.write_bytes(b"\xff")
    with pytest.raises(CommandError, match="utf-8"):
        run("verify", path)


def test_verify_says_that_all_follows_or_what_does_not(tmp_path: Path) -> None:
    assert run("verify", GOLDEN / "tsl.pazaak") == ["everything dealt follows from the seed"]
    assert run_to_exit("verify", GOLDEN / "table.pazaak") == (["not_from_a_seed"], 1)
    forged = tmp_path / "forged.pazaak"
    forged.write_text((GOLDEN / "tsl.pazaak").read_text().partition("\n\n")[0] + "\n\nopen A (*4 V12 D F24) (?)\n")
    lines, code = run_to_exit("verify", forged)
    assert (lines, code) == (["move 1, open A (*4 V12 D F24) (?): dealt_otherwise"], 1)
    record = parse_record(forged.read_text())
    assert isinstance(record, Record)
    assert replay(record)


# ------------------------------------------------------------------------------------------------ simulate


def test_simulate_tells_shares_and_means_with_their_intervals() -> None:
    policies = ("--policy", "original", "--policy", "stand_at:17")
    asked = ("simulate", *policies, "--decks", "0", "none", "--games", 40, "--seed", 3)
    lines, again = run(*asked), run(*asked)
    assert lines[:-1] == again[:-1]
    assert [line[:18].strip() for line in lines] == [
        "matches",
        "A wins",
        "B wins",
        "tied sets",
        "opener wins a set",
        "opener loses a set",
        "nine-card fills",
        "sets a match",
        "turns a match",
        "turns a set",
        "hand cards a match",
        "matches a second",
    ]
    assert lines[0].split()[1] == "40"


class Screen(StringIO):
    """A stream that says a person watches it."""

    def isatty(self) -> bool:
        return True


def test_a_bar_shows_how_far_it_has_come_where_somebody_watches() -> None:
    screen = Screen()
    call_command("pazaak", "simulate", "--games", "2", stdout=StringIO(), stderr=screen)
    assert "[###############...............] 1/2" in screen.getvalue()
    assert "[##############################] 2/2" in screen.getvalue()


def test_simulate_takes_options_and_tokens() -> None:
    deck = " ".join(PLAIN_DECK)
    options = ("--option", "main_deck=infinite", "--option", "sets_to_win=1")
    lines = run("simulate", "--games", 5, *options, "--decks", deck, deck)
    assert lines[0].split() == ["matches", "5"]


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("--ruleset", "sabacc"), "no ruleset sabacc"),
        (("--option", "sets_to_win=0"), "option_out_of_range"),
        (("--policy", "original"), "name two policies"),
        (("--policy", "han", "--policy", "lando"), "no policy han"),
        (("--policy", "stand_at:x", "--policy", "original"), "no policy stand_at:x"),
        (("--decks", "+1", "none"), "bad_size"),
        (("--games", "0"), "at least 1"),
    ],
)
def test_what_cannot_be_simulated_is_refused(arguments: tuple[str, ...], told: str) -> None:
    with pytest.raises(CommandError, match=told):
        run("simulate", *arguments)


def test_play_needs_side_decks() -> None:
    with pytest.raises(CommandError, match="needs side decks"):
        run("play", "--deck", "none")
