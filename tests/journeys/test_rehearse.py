"""`manage.py rehearse` against the running product: whole events over HTTP, from several referees at once."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.journeys.launched import ROOT, Launched, environment

pytestmark = pytest.mark.journey


def rehearse(*words: str, **settings: str) -> tuple[int, str]:
    """Exit code and last words of a rehearsal."""
    done = subprocess.run(
        [sys.executable, "manage.py", "rehearse", *words],
        cwd=ROOT,
        env=environment(**settings),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    return done.returncode, done.stdout


def test_a_swiss_of_sixteen_goes_from_the_list_to_the_champion(demo_server: Launched) -> None:
    code, said = rehearse("--players", "16", DATA=str(demo_server.data))
    assert code == 0, said
    lines = [line.strip() for line in said.splitlines()]
    assert lines[0] == f"swiss, 16 players, seed 1, at {demo_server.url}"
    assert [line for line in lines if line.startswith("round")] == [
        f"round {number}: 8 matches" for number in range(1, 5)
    ]
    assert "result to visible: 32, p50 " in said
    assert lines[-1].startswith("All is right. Champion: ")


def test_a_cup_of_eight_needs_no_database_and_no_data_folder_of_the_server(
    demo_server: Launched, tmp_path: Path
) -> None:
    code, said = rehearse(
        *("--players", "8", "--format", "single_elimination", "--referees", "2", "--seed", "2"),
        *("--url", demo_server.url, "--token", demo_server.demo["organiser"]["token"]),
        DATA=str(tmp_path / "elsewhere"),
        DATABASE_URL="postgresql://nobody@127.0.0.1:9/nothing",
    )
    assert code == 0, said
    assert said.count("matches\n") == 3
    assert said.splitlines()[-1].startswith("All is right. Champion: ")
    assert not list(tmp_path.rglob("*.sqlite3"))


def test_what_is_not_right_is_said_and_is_no_success(demo_server: Launched, tmp_path: Path) -> None:
    code, said = rehearse("--url", demo_server.url, "--token", "cantina_of_nobody", DATA=str(tmp_path))
    assert (code, said.splitlines()[-1]) == (
        1,
        "CommandError: Not right: POST events/: 401 in place of 201. This token is not known here, or was revoked.",
    )
    code, said = rehearse(DATA=str(tmp_path))
    assert (code, said.strip()) == (
        1,
        f"CommandError: There is no demo in {tmp_path}/demo.json: say --url and --token.",
    )
