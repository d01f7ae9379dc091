"""The product started by its launcher, for tests that look at it from outside."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from typing import Any, TypeVar

from bin.embedded import free_port
from tests.services import SETTINGS

ROOT = Path(__file__).resolve().parents[2]
LAUNCHER = (sys.executable, "-m", "bin.launch")
PATIENCE_SECONDS = 120
Found = TypeVar("Found")


def until(look: Callable[[], Found], *, saying: str) -> Found:
    """What `look` gives, as soon as it is something; TimeoutError, saying what was awaited, if that takes too long."""
    deadline = time.monotonic() + PATIENCE_SECONDS
    while not (found := look()):
        if time.monotonic() > deadline:
            raise TimeoutError(saying)
        time.sleep(0.05)
    return found


def processes() -> dict[int, tuple[int, str]]:
    """Every process that runs, by id: its parent and its command line. Ended ones that wait for their parent do not."""
    proc = Path("/proc")
    if not (proc / "self" / "stat").exists():  # not a Linux
        listed = subprocess.run(
            ["ps", "-A", "-o", "pid=,ppid=,stat=,args="], capture_output=True, text=True, check=True
        )
        rows = [line.split(None, 3) for line in listed.stdout.splitlines()]
        return {int(pid): (int(parent), " ".join(args)) for pid, parent, state, *args in rows if state[0] != "Z"}
    found = {}
    for folder in proc.glob("[0-9]*"):
        with suppress(OSError):  # it ended while we looked
            state, parent = (folder / "stat").read_text().rpartition(")")[2].split()[:2]
            words = (folder / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace").strip()
            if state != "Z":
                found[int(folder.name)] = (int(parent), words)
    return found


@dataclass(kw_only=True)
class Launched:
    """One running copy."""

    process: "subprocess.Popen[str]"
    data: Path
    port: int
    output: Path

    @property
    def url(self) -> str:
        """Where it serves, without a slash at the end."""
        return f"http://127.0.0.1:{self.port}"

    @property
    def said(self) -> str:
        """What the launcher has written to its terminal so far."""
        return self.output.read_text()

    @property
    def demo(self) -> dict[str, Any]:
        """The ways into the demo: `organiser` with email, password and token, `referee` and `desk` with a url."""
        found: dict[str, Any] = json.loads((self.data / "demo.json").read_text())
        return found

    def get(self, path: str) -> tuple[int, str]:
        """Status and text of a page; status 0 while nobody listens."""
        connection = HTTPConnection("127.0.0.1", self.port, timeout=10)
        try:
            connection.request("GET", path)
            with connection.getresponse() as answer:
                return answer.status, answer.read().decode()
        except (HTTPException, OSError):
            return 0, ""
        finally:
            connection.close()

    def family(self) -> dict[int, str]:
        """Everything the launcher started, and what that started, by process id."""
        everybody = processes()
        found: dict[int, str] = {}
        parents = {self.process.pid}
        while parents:
            children = {pid: args for pid, (parent, args) in everybody.items() if parent in parents}
            found |= children
            parents = set(children)
        return found

    def child(self, words: str) -> int:
        """The one child of the launcher itself whose command line has these words; 0 while there is none."""
        children = [pid for pid, (parent, args) in processes().items() if parent == self.process.pid and words in args]
        return children[0] if len(children) == 1 else 0

    def stop(self, number: int = signal.SIGINT) -> int:
        """Ask it to stop, as Ctrl-C does; its exit code."""
        self.process.send_signal(number)
        return self.process.wait(PATIENCE_SECONDS)


def environment(**settings: str) -> dict[str, str]:
    """Our own environment with these settings of the product and no others."""
    return {name: value for name, value in os.environ.items() if name not in SETTINGS.split()} | settings


@contextmanager
def launched(
    data: Path, *, command: Sequence[str] = LAUNCHER, root: Path = ROOT, port: int | None = None, **settings: str
) -> Iterator[Launched]:
    """A copy on this data folder, on a free port unless told; serving when handed over, and stopped afterwards."""
    port = port or free_port()
    data.parent.mkdir(parents=True, exist_ok=True)
    output = data.with_name(f"{data.name}-terminal.txt")
    with output.open("w") as terminal:
        process = subprocess.Popen(
            command,
            cwd=root,
            env=environment(DATA=str(data), PORT=str(port), **settings),
            stdout=terminal,
            stderr=subprocess.STDOUT,
            text=True,
        )
    copy = Launched(process=process, data=data, port=port, output=output)
    try:
        until(lambda: "Stop:" in copy.said or process.poll() is not None, saying="the launcher's greeting")
        if process.poll() is not None:
            raise RuntimeError(f"the launcher ended with {process.returncode}:\n{copy.said}")
        yield copy
    finally:
        if process.poll() is None:
            copy.stop()


def refused(data: Path, **settings: str) -> tuple[int, str]:
    """Exit code and last words of a copy that should not start."""
    done = subprocess.run(
        LAUNCHER,
        cwd=ROOT,
        env=environment(DATA=str(data), **settings),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=PATIENCE_SECONDS,
        check=False,
    )
    return done.returncode, done.stdout
