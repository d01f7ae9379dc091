"""What the commands for tournament files share: reading one, and telling of its people."""

from __future__ import annotations

import html
from argparse import ArgumentParser
from collections.abc import Mapping
from pathlib import Path

from django.core.management.base import CommandError
from django.utils.html import strip_tags

from tournaments.engine.interchange import Document, Fault, read_json, read_trf
from tournaments.engine.notes import Note
from tournaments.models import Entry
from tournaments.words.faults import fault_text
from tournaments.words.reasons import note_text


def add_file(parser: ArgumentParser) -> None:
    """The one argument of these commands."""
    parser.add_argument("file", type=Path, metavar="FILE", help="a tournament as JSON, or in FIDE's report format")


def read(path: Path) -> Document:
    """The tournament in a file, of whichever format it is. Raises CommandError with line, column and reason."""
    try:
        text = path.read_bytes().decode("utf-8-sig")
    except OSError as error:
        raise CommandError(f"{path}: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise CommandError(f"{path}: not UTF-8 from byte {error.start} on") from error
    found = read_json(text) if text.lstrip().startswith(("{", "[")) else read_trf(text)
    if isinstance(found, Fault):
        raise CommandError(f"{path}:{found.line}:{found.column}: {fault_text(found)}")
    return found


def people_of(document: Document) -> Mapping[int, Entry]:
    """The entries of a document as sentences want them."""
    return {entry: Entry(pk=entry, name=person.name) for entry, person in document.people.items()}


def told(note: Note, people: Mapping[int, Entry]) -> str:
    """A note as plain text."""
    return html.unescape(strip_tags(note_text(note.code, dict(note.params), people)))
