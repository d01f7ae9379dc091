"""Checks that everything dealt in a recorded match follows from its seed. Python 3.10 or later, nothing else needed.

Usage: python verify_deal.py RECORD

RECORD is a match in the notation of `notation.md`, with its seed revealed. The program recomputes, as `dealing.md`
says, the commitment, who opened where that is by lot, both hands and every main card, and names each difference with
its line. It knows nothing of the rest of the rules. Exit code 0: all follows from the seed. 1: something does not.
2: the file cannot be checked (no record, or cards that were entered from outside).
"""

import hashlib
import hmac
import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, TypeVar

Card = TypeVar("Card", int, str)

HAND_CARDS = [sign + str(n) for sign in "+-*" for n in range(1, 7)] + ["V12", "T1", "D", "F24", "F36"]

# The options that matter for dealing, in which a preset differs from these.
USUAL: dict[str, Any] = {
    "main_deck": "finite40_shared",
    "main_deck_reshuffle": "per_set",
    "hand_deal": "per_match",
    "hand_size": 4,
    "first_player_first": "high_card",
    "first_player_next": "winner",
}
PRESETS: dict[str, dict[str, Any]] = {
    "standard/1": {},
    "senate/1": {},
    "gold/1": {},
    "table/1": {"main_deck": "infinite", "hand_deal": "per_set", "first_player_first": "random"},
    "kotor/1": {
        "main_deck_reshuffle": "when_exhausted",
        "first_player_first": "player_a",
        "first_player_next": "same",
    },
    "tsl/1": {"main_deck_reshuffle": "when_exhausted", "first_player_first": "random"},
}


class CannotCheckError(Exception):
    """The file is no record of a match dealt from a revealed seed."""


# The scheme of dealing.md ------------------------------------------------------------------------------------------


def match_key(seed: bytes, words: tuple[str, str]) -> bytes:
    """The key of the match: the seed bound to what the players added."""
    message = b"pazaak-deal/1"
    for each in words:
        text = each.encode("utf-8")
        message += len(text).to_bytes(4, "big") + text
    return hmac.new(seed, message, hashlib.sha256).digest()


def words_of(key: bytes, label: str) -> Iterator[int]:
    """The stream of a label: 32-bit words, eight from each block."""
    number = 0
    while True:
        block = hmac.new(key, label.encode("ascii") + b"\0" + number.to_bytes(4, "big"), hashlib.sha256).digest()
        for at in range(0, 32, 4):
            yield int.from_bytes(block[at : at + 4], "big")
        number += 1


def below(words: Iterator[int], limit: int) -> int:
    """The next number under `limit`; words past the last whole multiple are skipped."""
    fair = 2**32 - 2**32 % limit
    while True:
        word = next(words)
        if word < fair:
            return word % limit


def shuffled(key: bytes, label: str, items: list[Card], count: int) -> list[Card]:
    """The first `count` of the items, shuffled from the front."""
    words, pool = words_of(key, label), list(items)
    for at in range(min(count, len(pool) - 1)):
        other = at + below(words, len(pool) - at)
        pool[at], pool[other] = pool[other], pool[at]
    return pool[:count]


def whole_deck(key: bytes, label: str) -> list[int]:
    """Forty main cards in the order they are drawn."""
    return shuffled(key, label, [value for value in range(1, 11) for _ in range(4)], 40)


def higher_card(key: bytes) -> str:
    """Who turns the higher card."""
    number = 1
    while True:
        deck = whole_deck(key, f"high-card/{number}")
        for a, b in zip(deck[::2], deck[1::2], strict=True):
            if a != b:
                return "A" if a > b else "B"
        number += 1


def side_deck_in_order(cards: list[str]) -> list[str]:
    """The side deck in the order hands are dealt from."""
    return sorted(cards, key=HAND_CARDS.index)


# The record --------------------------------------------------------------------------------------------------------


def read(text: str) -> tuple[dict[str, Any], dict[str, Any], list[tuple[int, list[str]]]]:
    """The tags, the options, and the lines of moves as (line number, words)."""
    tags: dict[str, Any] = {}
    options: dict[str, Any] = {}
    moves: list[tuple[int, list[str]]] = []
    for number, raw in enumerate(text.removeprefix("\ufeff").split("\n"), start=1):
        line = raw.strip()
        if line.startswith("["):
            found = re.fullmatch(r"\[([A-Za-z0-9]+) (.*)\]", line)
            if not found:
                raise CannotCheckError(f"line {number}: not a tag")
            name, value = found.groups()
            where = tags
            if name == "Option":
                name, _, value = value.partition(" ")
                where = options
            if name in where:
                raise CannotCheckError(f"line {number}: said twice")
            try:
                where[name] = json.loads(value)
            except ValueError:
                raise CannotCheckError(f"line {number}: not a value") from None
        else:
            words = re.findall(r"\([^()]*\)|\S+", line.partition(";")[0])
            if words:
                moves.append((number, words))
    if tags.get("Pazaak") != "1":
        raise CannotCheckError("not a record of a pazaak match, version 1")
    if tags.get("Ruleset") not in PRESETS:
        raise CannotCheckError("unknown ruleset")
    if "Commitment" not in tags:
        raise CannotCheckError("draws and hands were entered from outside: there is no seed to check them by")
    if "Seed" not in tags:
        raise CannotCheckError("the seed is not revealed")
    return tags, {**USUAL, **PRESETS[tags["Ruleset"]], **options}, moves


def opening_of(words: list[str]) -> tuple[str | None, list[list[str] | None] | None]:
    """What an opening says: the opener or None, and the hands or None."""
    words = words[words.index("open") + 1 :]
    opener = words.pop(0) if words and words[0] in ("A", "B") else None
    hands = [None if word == "(?)" else word[1:-1].split() for word in words]
    return opener, hands or None


def differences(text: str) -> Iterator[str]:
    """Every line that does not follow from the seed, as text."""
    tags, options, moves = read(text)
    seed = bytes.fromhex(tags["Seed"])
    if hashlib.sha256(seed).hexdigest() != tags["Commitment"]:
        yield "the seed is not the one committed to"
    key = match_key(seed, (tags.get("WordsA", ""), tags.get("WordsB", "")))
    decks = [tags[name].split() if name in tags else None for name in ("SideDeckA", "SideDeckB")]
    each, endless = options["main_deck"] == "finite40_each", options["main_deck"] == "infinite"
    sets = 0
    drawn = {"A": 0, "B": 0}  # main cards in the match, by side
    in_set = {"A": 0, "B": 0}  # main cards in the open set, by side
    for number, words in moves:
        if "open" in words:
            sets += 1
            in_set = {"A": 0, "B": 0}
            opener, hands = opening_of(words)
            yield from opening_differences(key, options, sets, number, opener)
            if hands:
                yield from hand_differences(key, options, decks, sets, number, hands)
            continue
        if words[0] == "ruling" or words[1:] == ["forfeit"]:
            continue
        if words[0] not in ("A", "B") or not sets:
            raise CannotCheckError(f"line {number}: not a move of an open set")
        side = words[0]
        for word in words[1:]:
            if not word.isdigit():
                continue
            so_far = drawn[side] if each else drawn["A"] + drawn["B"]
            here = in_set[side] if each else in_set["A"] + in_set["B"]
            label = f"deck/{side}/" if each else "deck/"
            if endless:
                due = 1 + below(words_of(key, f"draw/{so_far + 1}"), 10)
            elif options["main_deck_reshuffle"] == "per_set":
                due = whole_deck(key, label + str(sets))[here]
            else:
                due = whole_deck(key, label + str(so_far // 40 + 1))[so_far % 40]
            if due != int(word):
                yield f"line {number}: {side} drew {word}, the seed gives {due}"
            drawn[side] += 1
            in_set[side] += 1


def opening_differences(
    key: bytes, options: dict[str, Any], sets: int, number: int, opener: str | None
) -> Iterator[str]:
    """Openers that are by lot; who opens by an earlier set's result is for the rules to say."""
    if sets == 1:
        rule = options["first_player_first"]
        if rule == "agreed":
            return
        if rule == "player_a":
            due, opener = "A", opener or "A"
        else:
            due = higher_card(key) if rule == "high_card" else lot(key, 1)
    elif options["first_player_next"] == "random":
        due = lot(key, sets)
    else:
        return
    if opener != due:
        yield f"line {number}: {opener or 'nobody'} opened, the seed gives {due}"


def lot(key: bytes, sets: int) -> str:
    """Who opens a set by lot."""
    return "AB"[below(words_of(key, f"opener/{sets}"), 2)]


def hand_differences(
    key: bytes,
    options: dict[str, Any],
    decks: list[list[str] | None],
    sets: int,
    number: int,
    hands: list[list[str] | None],
) -> Iterator[str]:
    """Hands that are not the ones dealt from a known side deck."""
    for side, deck, hand in zip("AB", decks, hands, strict=True):
        if deck is None:
            continue
        label = f"hand/{side}/{sets}" if options["hand_deal"] == "per_set" else f"hand/{side}"
        due = shuffled(key, label, side_deck_in_order(deck), options["hand_size"])
        if hand is None or sorted(hand) != sorted(due):
            dealt = "unknown" if hand is None else " ".join(hand)
            yield f"line {number}: the hand of {side} is {dealt}, the seed gives {' '.join(due)}"


def main(arguments: list[str]) -> int:
    """The exit code."""
    if len(arguments) != 1:
        print(__doc__)
        return 2
    try:
        found = list(differences(Path(arguments[0]).read_text(encoding="utf-8")))
    except (CannotCheckError, OSError, ValueError, KeyError, IndexError) as error:
        print(f"cannot be checked: {error}")
        return 2
    for line in found:
        print(line)
    told = "1 difference" if len(found) == 1 else f"{len(found)} differences"
    print(told if found else "everything dealt follows from the seed")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
