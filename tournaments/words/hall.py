"""Tables in words: where a match is played, and many numbers at once."""

from __future__ import annotations

from collections.abc import Iterable

from django.utils.translation import gettext as _


def place_text(number: int | None) -> str:
    """Where a match is played: "Table 7", or that it waits for a table."""
    return _("Waits for a table") if number is None else _("Table {n}").format(n=number)


def numbers_text(numbers: Iterable[int]) -> str:
    """Numbers of tables in order, runs gathered: "1–8, 12"."""
    runs: list[list[int]] = []
    for number in numbers:
        if runs and number == runs[-1][-1] + 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    return ", ".join(str(run[0]) if len(run) == 1 else f"{run[0]}–{run[-1]}" for run in runs)
