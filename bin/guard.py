"""A small process that outlives its owner by seconds: whatever the owner started is stopped when the owner is gone.

The owner may end in any way, `kill -9` included: the pipe between the two closes, and that is all the guard waits for.
"""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Collection
from contextlib import suppress
from pathlib import Path

PATIENCE_SECONDS = 10


class Guard:
    """The owner's end. Children must lead a process group of their own (`start_new_session=True`)."""

    def __init__(self, *, keep: Collection[int] = ()) -> None:
        """`keep` are descriptors the guard holds open for as long as it works, such as a lock's."""
        self._process = subprocess.Popen(
            [sys.executable, "-I", "-S", Path(__file__)], stdin=subprocess.PIPE, pass_fds=keep, start_new_session=True
        )

    def watch(self, group: int) -> None:
        """Stop this process group when the owner is gone."""
        self._tell(f"+{group}\n")

    def forget(self, group: int) -> None:
        """The owner has seen this group end."""
        self._tell(f"-{group}\n")

    def _tell(self, line: str) -> None:
        if self._process.stdin:
            with suppress(BrokenPipeError):  # somebody ended the guard; the owner still stops its children itself
                os.write(self._process.stdin.fileno(), line.encode())

    def close(self) -> None:
        """Let the guard stop what is left, and wait for that."""
        if self._process.stdin:
            self._process.stdin.close()
        self._process.wait()


def signal_group(group: int, number: int) -> bool:
    """Whether the group was there to get the signal."""
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(group, number)
        return True
    return False


def stop_groups(groups: Collection[int]) -> None:
    """Ask the groups to end, and end what has not after a while."""
    left = [group for group in groups if signal_group(group, signal.SIGTERM)]
    deadline = time.monotonic() + PATIENCE_SECONDS
    while left and time.monotonic() < deadline:
        time.sleep(0.05)
        left = [group for group in left if signal_group(group, 0)]
    for group in left:
        signal_group(group, signal.SIGKILL)


def main() -> None:
    """Remember what the owner says until it is gone, then stop it all."""
    groups: set[int] = set()
    for line in sys.stdin:
        change = groups.add if line[0] == "+" else groups.discard
        change(int(line[1:]))
    stop_groups(groups)


if __name__ == "__main__":
    main()
