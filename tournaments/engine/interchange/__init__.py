"""Tournaments as text: our own JSON, and FIDE's report format. Reading gives a document or the first fault."""

from tournaments.engine.interchange.document import Document, Fault, Person
from tournaments.engine.interchange.json_text import read_json, write_json
from tournaments.engine.interchange.trf_reader import read_trf
from tournaments.engine.interchange.trf_writer import write_trf

__all__ = ["Document", "Fault", "Person", "read_json", "read_trf", "write_json", "write_trf"]
