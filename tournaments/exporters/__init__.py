"""The files a tournament can be taken away in. A new kind is a class in a file here and a line in EXPORTERS."""

from __future__ import annotations

from tournaments.exporters.base import Exporter
from tournaments.exporters.csv import Csv
from tournaments.exporters.workbook import Workbook

EXPORTERS: tuple[Exporter, ...] = (Csv(), Workbook())


def get_exporter(key: str) -> Exporter:
    """The exporter with this key. Raises KeyError for a key nobody has."""
    for candidate in EXPORTERS:
        if candidate.key == key:
            return candidate
    raise KeyError(key)
