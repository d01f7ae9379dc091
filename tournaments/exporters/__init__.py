"""The files a tournament can be taken away in. A new kind is a class in a file here and a line in a tuple below."""

from __future__ import annotations

from tournaments.exporters.base import Exporter
from tournaments.exporters.csv import Csv
from tournaments.exporters.documents import DocumentExporter, Json, Trf
from tournaments.exporters.workbook import Workbook

EXPORTERS: tuple[Exporter, ...] = (Csv(), Workbook())
"""Those for sheets: standings, pairings, the roster."""

DOCUMENT_EXPORTERS: tuple[DocumentExporter, ...] = (Json(), Trf())
"""Those for a tournament as a whole."""


def get_exporter(key: str) -> Exporter:
    """The exporter with this key. Raises KeyError for a key nobody has."""
    for candidate in EXPORTERS:
        if candidate.key == key:
            return candidate
    raise KeyError(key)


def get_document_exporter(key: str, *, format_key: str) -> DocumentExporter:
    """The exporter of whole tournaments with this key. Raises KeyError where nobody has it, or not for this format."""
    for candidate in DOCUMENT_EXPORTERS:
        if candidate.key == key and candidate.takes(format_key):
            return candidate
    raise KeyError(key)
