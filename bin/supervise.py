"""Keeps a few programs running: starts them, starts anew what dies, and stops them all in order."""

import signal
import subprocess
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from bin.embedded import end_of
from bin.guard import Guard, signal_group

FIRST_PAUSE_SECONDS = 0.5  # before a dead child is started again; doubled each time
DEATHS_A_MINUTE = 5
STOP_SECONDS = 10  # what a child gets to end by itself
TICK_SECONDS = 0.1


class StopAskedError(Exception):
    """Somebody asked to stop while something was still on its way."""


class GaveUpError(Exception):
    """Something does not work and trying again will not help; the message says what."""


@dataclass(eq=False, kw_only=True)
class Child:
    """A program to keep running. `start` starts it in a session of its own."""

    name: str
    start: Callable[[], "subprocess.Popen[bytes]"]
    log: Path
    process: "subprocess.Popen[bytes] | None" = None
    deaths: list[float] = field(default_factory=list)
    due: float = 0

    def died(self, *, now: float) -> float:
        """Note a death; the pause in seconds before the next start. GaveUpError if it dies too often."""
        self.process = None
        self.deaths = [*(at for at in self.deaths if at > now - 60), now]
        if len(self.deaths) > DEATHS_A_MINUTE:
            raise GaveUpError(
                f"{self.name} died {len(self.deaths)} times within a minute. {self.log} ends:\n{end_of(self.log)}"
            )
        pause: float = FIRST_PAUSE_SECONDS * 2 ** (len(self.deaths) - 1)
        self.due = now + pause
        return pause


def logged(command: Sequence[str], *, log: Path) -> "subprocess.Popen[bytes]":
    """Start a program whose words go to `log`, in a session of its own: the terminal's Ctrl-C is for us alone."""
    with log.open("ab") as file:
        return subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=file, stderr=file, start_new_session=True)


class Supervisor:
    """The children of this process, oldest first, under a guard that stops them should we be killed."""

    def __init__(self, *, say: Callable[[str], None], keep: Sequence[int] = ()) -> None:
        """`keep` are descriptors that stay open until the last child has ended."""
        self._say = say
        self._children: list[Child] = []
        self._guard = Guard(keep=keep)
        self._asked = 0
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            # `nohup` leaves the hang-up ignored, and means it.
            if number != signal.SIGHUP or signal.getsignal(number) != signal.SIG_IGN:
                signal.signal(number, self._ask)

    def _ask(self, *_: object) -> None:
        self._asked += 1

    def tick(self) -> None:
        """Let a moment pass. StopAskedError once somebody asked to stop."""
        if self._asked:
            raise StopAskedError
        time.sleep(TICK_SECONDS)

    def run(self, *commands: Sequence[str], log: Path) -> None:
        """Run programs side by side to their ends. GaveUpError if one fails."""
        processes = [logged(command, log=log) for command in commands]
        for process in processes:
            self._guard.watch(process.pid)
        try:
            while None in (codes := [process.poll() for process in processes]) and not any(codes):
                self.tick()
        finally:
            for process in processes:
                self._end(process)
        for command, code in zip(commands, codes, strict=True):
            if code:
                raise GaveUpError(f"`{' '.join(command[1:])}` failed. {log} ends:\n{end_of(log)}")

    def add(self, child: Child) -> None:
        """Start a child and keep it running."""
        self._children.append(child)
        self._start(child)

    def _start(self, child: Child) -> None:
        child.process = child.start()
        self._guard.watch(child.process.pid)

    def look_after(self) -> None:
        """Start again what has died, once its pause is over."""
        now = time.monotonic()
        for child in self._children:
            if child.process is None:
                if now >= child.due:
                    self._start(child)
            elif (code := child.process.poll()) is not None:
                self._end(child.process)
                pause = child.died(now=now)
                how = f"by signal {-code}" if code < 0 else f"with code {code}"
                self._say(f"{child.name} ended {how}; starting it again in {pause:g} s")

    def _end(self, process: "subprocess.Popen[bytes]") -> None:
        """End a process and whatever it left behind in its group."""
        if process.poll() is None:
            process.terminate()
            deadline = time.monotonic() + STOP_SECONDS
            asked = self._asked
            while process.poll() is None and time.monotonic() < deadline and self._asked == asked:
                time.sleep(0.02)
        signal_group(process.pid, signal.SIGKILL)
        process.wait()
        self._guard.forget(process.pid)

    def stop(self) -> None:
        """Stop all children, the newest first. Asking once more while they stop ends the one that dawdles."""
        for child in reversed(self._children):
            if child.process is not None:
                self._end(child.process)
                child.process = None
        self._guard.close()
