"""Names of people as they are stored, compared and looked at twice."""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field

NAME_LENGTH = 120  # code points after cleaning; the same limit in forms, imports, API and database

REPLACEMENT = "\ufffd"  # what a wrong decoding leaves behind
_JOINERS = "\u200c\u200d"
_EMOJI_STYLE = "\ufe0f"
_SIGN_STYLES = "\ufe0e\ufe0f"  # as text, as emoji

# Letters, digits and signs that all stand for themselves: most names are made of nothing else.
_PLAIN = re.compile(r"[ -~\xa1-\xac\xae-\u02ff\u0370-\u0482\u048a-\u058f]*")
# What shows nothing although Unicode does not call it a format character: grapheme joiner, Hangul fillers, inherent
# Khmer vowels, noncharacters, and the blocks kept for more such marks.
_UNSEEN = re.compile(
    r"[\u034f\u115f\u1160\u17b4\u17b5\u2065\u3164\uffa0\ufdd0-\ufdef\ufff0-\ufff8"
    r"\U000e0080-\U000e00ff\U000e01f0-\U000e0fff]"
)
# Flags of parts of a country are spelled with tag characters; anywhere else those hide text.
_TAGS = re.compile(r"(\U0001f3f4[\U000e0030-\U000e0039\U000e0061-\U000e007a]{1,6}\U000e007f)|[\U000e0000-\U000e007f]")
_BRAILLE_BLANK = "\u2800"
# Format characters that are drawn: the number and verse signs written before digits.
_DRAWN_FORMAT = frozenset("\u0600\u0601\u0602\u0603\u0604\u0605\u06dd\u070f\u0890\u0891\u08e2\U000110bd\U000110cd")
# Scripts whose letters take another shape beside a joiner: Arabic to Mandaic and its supplements; Devanagari to
# Sinhala, Tibetan, Myanmar, Khmer and Mongolian.
_SHAPED = re.compile(r"[\u0600-\u08ff\u0900-\u0fff\u1000-\u109f\u1780-\u18af\ufb50-\ufdff\ufe70-\ufefc]")
_VIRAMA = 9  # the combining class of the sign that silences a vowel and asks for a ligature


@dataclass(frozen=True, slots=True)
class NameProblem:
    """Why a cleaned name cannot be taken. `params` are the facts for the sentence."""

    code: str
    params: dict[str, int] = field(default_factory=dict)


def clean_name(raw: str) -> str:
    """The name as it is stored: NFC, on one line, single spaces, nothing that shows nothing.

    Control and zero-width characters, direction marks, lone surrogates and noncharacters go. Joiners stay where they
    are seen: inside emoji and in scripts whose letters they shape. Cleaning twice is cleaning once, and the result is
    never longer than the NFC form of `raw`.
    """
    text = raw
    while (cleaned := _cleaned_once(text)) != text:  # taking a character out can let its neighbours compose
        text = cleaned
    return text


def _cleaned_once(text: str) -> str:
    if _PLAIN.fullmatch(text) and unicodedata.is_normalized("NFC", text):
        return " ".join(text.split())
    text = unicodedata.normalize("NFC", text)
    text = _TAGS.sub(lambda found: found[1] or "", text)
    kept: list[str] = []
    for index, char in enumerate(text):
        if char.isspace() or char == _BRAILLE_BLANK:
            kept.append(" ")
        elif _is_seen(char, kept, text[index + 1 : index + 2]):
            kept.append(char)
    return unicodedata.normalize("NFC", " ".join("".join(kept).split()))


def _is_seen(char: str, before: list[str], after: str) -> bool:
    """Whether a character shows, by itself or by what it does to the ones beside it."""
    if char in _JOINERS:
        return _joins(char, before, after)
    if _is_variation(char):
        return bool(before) and _varies(char, before[-1])
    category = unicodedata.category(char)
    if category == "Cf":
        return char in _DRAWN_FORMAT or "\U000e0020" <= char <= "\U000e007f"  # a flag's tags: the others are gone
    if category in ("Cc", "Cs"):
        return False
    return not (_UNSEEN.match(char) or ord(char) & 0xFFFE == 0xFFFE)  # each plane ends in two noncharacters


def _is_variation(char: str) -> bool:
    return "\ufe00" <= char <= "\ufe0f" or "\U000e0100" <= char <= "\U000e01ef"


def _varies(char: str, base: str) -> bool:
    """Whether a variation selector has something to choose: text or emoji of a sign, the form of an ideograph."""
    category = unicodedata.category(base)
    return category[0] in "SNP" if char in _SIGN_STYLES else category == "Lo" or category[0] == "S"


def _joins(char: str, before: list[str], after: str) -> bool:
    if not before:
        return False
    last = before[-1]
    if unicodedata.combining(last) == _VIRAMA:
        return True
    if _SHAPED.match(last) and _SHAPED.match(after):
        return True
    if char != "\u200d" or not after:
        return False
    if last == _EMOJI_STYLE and len(before) > 1:
        last = before[-2]
    return _is_pictured(last) and _is_pictured(after)


def _is_pictured(char: str) -> bool:
    """Whether a character can be part of a joined emoji: a picture, a skin tone, an arrow."""
    return unicodedata.category(char) == "So" or "\U0001f3fb" <= char <= "\U0001f3ff" or char in "\u2194\u2195"


def name_problem(cleaned: str) -> NameProblem | None:
    """Why this cleaned name cannot be taken, or None.

    name_missing: nothing in it shows. name_too_long: more than `limit` code points. name_damaged: it carries the mark
    of a wrong decoding.
    """
    if not any(unicodedata.category(char)[0] in "LNPS" for char in cleaned):
        return NameProblem("name_missing")
    if REPLACEMENT in cleaned:
        return NameProblem("name_damaged")
    if len(cleaned) > NAME_LENGTH:
        return NameProblem("name_too_long", {"length": len(cleaned), "limit": NAME_LENGTH})
    return None


def fold_name(name: str) -> str:
    """What two names share when they are the same name: letter case, width, joiners and forms of a letter fall away.

    For comparing only, never shown.
    """
    folded = clean_name(name)
    if folded.isascii():
        return folded.lower()
    while (again := _folded_once(folded)) != folded:
        folded = again
    return folded


def _folded_once(text: str) -> str:
    text = unicodedata.normalize("NFKC", text).casefold()
    text = "".join(char for char in text if char not in _JOINERS and not _is_variation(char))
    return clean_name(unicodedata.normalize("NFKC", text))


# Cyrillic and Greek letters that are drawn like a Latin one, small or large. Folding has made all letters small, so a
# letter of which only the large form looks Latin ("В", "Н") stands for what that form looks like.
_LATIN_LOOK = str.maketrans(
    {
        **dict(zip("авезікмнорстухѕјһԁԛԝӏґѵ", "abe3ikmhopctyxsjhdqwlrv", strict=True)),
        **dict(zip("αβγεζηικμνορτυχω", "abyezhikmvoptuxw", strict=True)),
        "ё": "e",
        "ї": "i",
        "0": "o",
        "1": "l",
    }
)
_WORD = re.compile(r"[^\W\d_]+")


def looks_alike(names: Sequence[str]) -> frozenset[int]:
    """Which of the names staff should look at twice: their places in `names`.

    A word that mixes Latin, Cyrillic and Greek letters, or a name that is another one's double in other letters
    ("Anna" in Latin and "Аnnа" with Cyrillic а). Equal names are no doubles. For a flag, never for a refusal.
    """
    folded = [fold_name(name) for name in names]
    doubles: dict[str, set[str]] = defaultdict(set)
    for name in folded:
        doubles[name.translate(_LATIN_LOOK)].add(name)
    return frozenset(
        place
        for place, name in enumerate(folded)
        if len(doubles[name.translate(_LATIN_LOOK)]) > 1 or any(map(_mixes_scripts, _WORD.findall(name)))
    )


def _mixes_scripts(word: str) -> bool:
    scripts = {unicodedata.name(letter, "").partition(" ")[0] for letter in word}
    return len(scripts & {"LATIN", "CYRILLIC", "GREEK"}) > 1
