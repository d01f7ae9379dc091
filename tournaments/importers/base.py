"""What reading a list comes to: its rows, its problems, and what kind of file it was."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Any

BYTES_LIMIT = 5_000_000
ROWS_LIMIT = 10_000
COLUMNS_LIMIT = 100
SHOWN = 60  # how much of somebody's text is said back


@dataclass(frozen=True, slots=True)
class ImportedRow:
    """One player of a list. `line` is where the row begins in the file, counted from 1."""

    line: int
    name: str
    email: str = ""
    city: str = ""
    club: str = ""
    rating: int | None = None


@dataclass(frozen=True, slots=True)
class ImportProblem:
    """Why a row, or with line 0 the whole file, cannot be taken. `params` are plain facts for the sentence."""

    line: int
    code: str
    params: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Source:
    """What the file turned out to be, shown above the preview.

    `encoding` is one of ENCODINGS, "" for a workbook; `separator` is ";", ",", a tab or "" for one column; `sheet` is
    the name of a workbook's sheet. `columns` are the headers that were understood, by what they hold (name, email,
    city, club, rating), `ignored` those that were not.
    """

    encoding: str = ""
    separator: str = ""
    sheet: str = ""
    columns: dict[str, str] = field(default_factory=dict)
    ignored: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Reading:
    """A list as it was read. It can be imported when it has rows and no problems."""

    rows: tuple[ImportedRow, ...] = ()
    problems: tuple[ImportProblem, ...] = ()
    source: Source = field(default_factory=Source)

    def facts(self) -> dict[str, Any]:
        """Rows, problems and source as plain facts, the way `prepare_import` keeps them."""
        return {
            "rows": [asdict(row) for row in self.rows],
            "problems": [asdict(problem) for problem in self.problems],
            "source": asdict(self.source) | {"ignored": list(self.source.ignored)},
        }


@dataclass(frozen=True, slots=True)
class Table:
    """Cells as text with the line each row begins at; rows without any text are left out."""

    rows: tuple[tuple[int, tuple[str, ...]], ...]
    encoding: str = ""
    separator: str = ""
    sheet: str = ""


class UnreadableError(Exception):
    """A file that is no list at all. `problem` says why."""

    def __init__(self, code: str, *, line: int = 0, **params: Any) -> None:
        super().__init__(code)
        self.problem = ImportProblem(line, code, params)
