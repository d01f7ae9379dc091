"""Lists of players from files: whatever a spreadsheet saves, read into rows and problems, nothing stored."""

from tournaments.importers.base import ImportedRow, ImportProblem, Reading, Source
from tournaments.importers.roster import read_roster, read_rows
from tournaments.importers.table import ENCODINGS

__all__ = ["ENCODINGS", "ImportProblem", "ImportedRow", "Reading", "Source", "read_roster", "read_rows"]
