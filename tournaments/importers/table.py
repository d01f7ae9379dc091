"""Text files with separators: bytes in any of the usual encodings to rows of cells."""

from __future__ import annotations

import codecs
import csv
import io
import re
from collections.abc import Callable

from tournaments.importers.base import COLUMNS_LIMIT, ROWS_LIMIT, Table, UnreadableError

UTF_8 = "UTF-8"
UTF_16 = "UTF-16"
WINDOWS_1251 = "Windows-1251"
WINDOWS_1252 = "Windows-1252"
ENCODINGS = (UTF_8, UTF_16, WINDOWS_1251, WINDOWS_1252)
"""What a file may be said to be encoded in; all but the last are found out."""

_UTF_16_MARKS = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
SEPARATORS = (";", ",", "\t")
_ONE_COLUMN = "\x1f"  # stands in for a separator where there is none: no text that passes has it
_CONTROLS = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")
_CONTROLS_SHARE = 50  # text has fewer than one control character in so many
_WORD = re.compile(r"[^\W\d_]+")
# Words as Russian, Ukrainian and Belarusian write them. Other 8-bit encodings read as Windows-1251 give words that mix
# alphabets ("Zoл" for "Zoë") or letter cases ("уЛЙФБМЕГ" for a name in KOI8).
_CYRILLIC_WORD = re.compile(r"[А-ЯЁІЇЄҐЎа-яёіїєґў][а-яёіїєґў]+|[а-яёіїєґў]")
_CAPITALS = re.compile(r"[А-ЯЁІЇЄҐЎ]+")  # "ИВАНОВ" speaks neither way: "иванов" in KOI8 gives such words too
_SAID_SEPARATOR = re.compile(r'"?sep=([;,\t])"?\r?\n?', re.IGNORECASE)  # spreadsheets' own first line
# Exports put an apostrophe before what a spreadsheet would take for a formula; reading takes it away again.
_GUARD = re.compile(r"\A'(?='*[=+\-@\t\r\n＝＋－＠])")


def read_table(*, data: bytes, encoding: str = "", known_headers: Callable[[list[str]], int]) -> Table:
    """The cells of a text file, with the line each row begins at.

    `encoding` is found out unless one of ENCODINGS is given. The separator is the one under which `known_headers`
    counts most of the first row's cells. Line breaks may be LF, CRLF or CR, and stand inside quotes.
    Raises UnreadableError: empty, encoding_unclear, not_a_table, quotes_broken (line), too_many_rows, too_many_columns
    (limit).
    """
    text, encoding = _decode(data, encoding)
    if not text.strip():
        raise UnreadableError("empty")
    if "\x00" in text or len(_CONTROLS.findall(text)) * _CONTROLS_SHARE > len(text):
        raise UnreadableError("not_a_table")
    text = text.replace(_ONE_COLUMN, "")
    skipped = 0
    if said := _SAID_SEPARATOR.match(text):
        text, skipped, separator = text[said.end() :], 1, said[1]
    else:
        separator = _separator(text, known_headers)
    return Table(rows=_rows(text, separator, skipped), encoding=encoding, separator=separator)


def _decode(data: bytes, encoding: str) -> tuple[str, str]:
    """The text and the name of its encoding. Nothing is ever replaced: what cannot be read is refused."""
    try:
        if encoding:
            found, codec = encoding, {UTF_8: "utf-8-sig", UTF_16: _utf_16(data)}.get(encoding, encoding)
        elif data.startswith(_UTF_16_MARKS) or b"\x00" in data[:200]:
            found, codec = UTF_16, _utf_16(data)
        elif _is_utf_8(data):
            found, codec = UTF_8, "utf-8-sig"
        else:
            found, codec = WINDOWS_1251, WINDOWS_1251
        text = data.decode(codec)
    except UnicodeDecodeError:
        # Zero bytes that are no UTF-16 are in pictures and programs, not in lists.
        raise UnreadableError("not_a_table" if b"\x00" in data and not encoding else "encoding_unclear") from None
    if not encoding and found == WINDOWS_1251 and not _reads_as_russian(data, text):
        raise UnreadableError("encoding_unclear")
    return text, found


def _is_utf_8(data: bytes) -> bool:
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    return True


def _utf_16(data: bytes) -> str:
    """The codec of UTF-16 bytes: their byte order mark says it, else where the zero halves of plain letters stand."""
    if data.startswith(_UTF_16_MARKS):
        return "utf-16"
    return "utf-16-be" if data[::2].count(0) > data[1::2].count(0) else "utf-16-le"


def _reads_as_russian(data: bytes, text: str) -> bool:
    words = [word for word in _WORD.findall(text) if not word.isascii()]
    if not words:  # dashes and quotes only: they are the same in both Windows encodings or the file is refused
        return text == data.decode(WINDOWS_1252, errors="replace")
    good = sum(1 for word in words if _CYRILLIC_WORD.fullmatch(word))
    capitals = sum(1 for word in words if len(word) > 1 and _CAPITALS.fullmatch(word))
    return good > 0 and (len(words) - good - capitals) * 10 <= good


def _separator(text: str, known_headers: Callable[[list[str]], int]) -> str:
    """The separator under which the first row makes most sense: known headers count first, then cells."""
    best, found = (0, 1), ""
    for separator in SEPARATORS:
        first = _first_row(text, separator)
        worth = (known_headers(first), len(first))
        if len(first) > 1 and worth > best:
            best, found = worth, separator
    return found


def _first_row(text: str, separator: str) -> list[str]:
    try:
        reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator)
        return next((cells for cells in reader if any(cell.strip() for cell in cells)), [])
    except csv.Error:
        return []


def _rows(text: str, separator: str, skipped: int) -> tuple[tuple[int, tuple[str, ...]], ...]:
    # newline="" leaves line breaks inside quotes as they are, and still counts LF, CRLF and CR as one line each.
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator or _ONE_COLUMN, strict=True)
    rows: list[tuple[int, tuple[str, ...]]] = []
    begins = skipped + 1
    try:
        for cells in reader:
            if any(cell.strip() for cell in cells):
                rows.append((begins, tuple(_GUARD.sub("", cell) for cell in cells)))
            if len(cells) > COLUMNS_LIMIT:
                raise UnreadableError("too_many_columns", limit=COLUMNS_LIMIT)
            if len(rows) > ROWS_LIMIT + 1:
                raise UnreadableError("too_many_rows", limit=ROWS_LIMIT)
            begins = skipped + reader.line_num + 1
    except csv.Error:
        raise UnreadableError("quotes_broken", line=begins) from None
    return tuple(rows)
