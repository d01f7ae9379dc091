"""Whole tournaments as files that can be read again, here and elsewhere."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import ClassVar

from tournaments.engine.interchange import Document, write_json, write_trf

DOCUMENT = "tournament"
"""What stands in addresses and file names for all of it, where a sheet has its own name."""


class DocumentExporter(ABC):
    """One kind of file for a whole tournament. Stateless; `key` and `media_type` are as in `Exporter`.

    `formats` are the keys of the formats it can tell; None: all.
    """

    key: ClassVar[str]
    media_type: ClassVar[str]
    formats: ClassVar[tuple[str, ...] | None] = None

    def takes(self, format_key: str) -> bool:
        """Whether a tournament of this format can be told."""
        return self.formats is None or format_key in self.formats

    @abstractmethod
    def write(self, document: Document) -> bytes:
        """The file: the same to the byte for the same tournament."""


class Json(DocumentExporter):
    """Everything: `docs/tournament-json.md`."""

    key = "json"
    media_type = "application/json"

    def write(self, document: Document) -> bytes:
        return write_json(document).encode()


class Trf(DocumentExporter):
    """FIDE's report format, for programs that know chess tournaments; set points are not in it."""

    key = "trf"
    media_type = "text/plain; charset=utf-8"
    formats = ("swiss", "round_robin")

    def write(self, document: Document) -> bytes:
        return write_trf(document).encode()
