"""The ground under the tests themselves: the engines that were asked for, and nothing of the clone's own."""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest
from django.conf import settings
from django.core.cache import cache
from django.db import connection

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.db
@pytest.mark.django_db
def test_the_database_is_the_one_that_was_asked_for(pytestconfig: pytest.Config) -> None:
    assert connection.vendor == ("postgresql" if pytestconfig.getoption("postgres") else "sqlite")
    with connection.cursor() as cursor:
        cursor.execute("SELECT 20 + 3")
        assert cursor.fetchone() == (23,)


def nested_run(*arguments: str | Path, **variables: str) -> tuple[int, list[str]]:
    """Exit code and output of another test run."""
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-c", ROOT / "pyproject.toml", *arguments],
        cwd=ROOT,
        env=os.environ | variables,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    return done.returncode, done.stdout.splitlines()


def test_a_run_without_its_journeys_says_so_in_its_last_line_and_has_not_passed(tmp_path: Path) -> None:
    (tmp_path / "test_both.py").write_text("def test_journey(browser): ...\ndef test_other(): ...\n")
    code, lines = nested_run(tmp_path / "test_both.py", PATH=str(tmp_path), CHROMIUM="")
    assert code == 1
    assert lines[-2].startswith("1 passed, 1 deselected")
    assert lines[-1].startswith(
        "Journeys did NOT run (1 left out): there is no Chromium. On Debian or Ubuntu: apt-get install "
    )


def test_an_unknown_option_is_refused(tmp_path: Path) -> None:
    code, lines = nested_run(tmp_path, "--dril")
    assert code == 4
    assert "error: unrecognized arguments: --dril" in lines[1]


def test_redis_is_there_and_empty() -> None:
    assert cache.get("seen") is None
    cache.set("seen", 23)
    assert cache.get("seen") == 23


def test_everything_is_written_to_a_folder_of_this_run() -> None:
    assert Path(settings.DATA).is_relative_to(Path(tempfile.gettempdir()).resolve())
    queue, cached = settings.REDIS_URL, settings.CACHE_URL
    assert queue == os.environ["REDIS_URL"]
    assert cached == queue.removesuffix("/0") + "/1"


def test_sqlite_maps_nothing_and_a_thread_keeps_its_connection() -> None:
    """With the file mapped and connections coming and going, results answered with success were lost."""
    assert "mmap_size" not in str(settings.SQLITE_OPTIONS["init_command"])
    assert settings.DATABASES["default"]["CONN_MAX_AGE"] is None
