"""The check of a deal in the reader's browser: its own SHA-256 and HMAC, and every draw worked out again."""

from __future__ import annotations

import hashlib
import hmac
import json
from dataclasses import replace
from random import Random
from typing import Any

import pytest
from playwright.sync_api import Page

from matches.engine import RULESETS, Draw, OpenSet, Record, Ruleset, options_of
from matches.engine.notation import format_record
from matches.engine.rulesets.base import DrawSource
from tests.matches.engine.test_dealing import dealt
from tests.static.scripted import Script

pytestmark = pytest.mark.journey

RULES = [ruleset for ruleset in RULESETS if ruleset.draw_source is not DrawSource.EXTERNAL]


def run(page: Page, script: Script, body: str, said: object) -> Any:
    """What a function of the module says, in a page without a secure context."""
    page.goto(script.address)
    return page.evaluate(f"async (said) => {{ const deal = await import('/static/js/deal.js'); {body} }}", said)


def test_the_sums_are_those_of_the_standard(page: Page, script: Script) -> None:
    rng = Random(20)
    texts = [rng.randbytes(size) for size in (0, 1, 3, 55, 56, 63, 64, 65, 119, 120, 1000)]
    keys = [rng.randbytes(size) for size in (1, 32, 63, 64, 65, 200)]
    found = run(
        page,
        script,
        "const hex = (b) => [...b].map((n) => n.toString(16).padStart(2, '0')).join('');"
        "return [said[0].map((t) => hex(deal.sha256(Uint8Array.from(t)))),"
        " said[1].map((k) => hex(deal.hmac(Uint8Array.from(k), Uint8Array.from(said[0][5]))))]",
        [[list(text) for text in texts], [list(key) for key in keys]],
    )
    assert found == [
        [hashlib.sha256(text).hexdigest() for text in texts],
        [hmac.digest(key, texts[5], "sha256").hex() for key in keys],
    ]


def checked(page: Page, script: Script, records: list[Record]) -> list[list[dict[str, Any]]]:
    said = [[format_record(record), options_of(record.ruleset)] for record in records]
    found: list[list[dict[str, Any]]] = run(
        page,
        script,
        "return said.map(([text, options]) => deal.check(text, options).found)",
        json.loads(json.dumps(said)),
    )
    return found


def test_every_dealt_match_is_found_to_follow_from_its_seed(page: Page, script: Script) -> None:
    records = [dealt(ruleset, Random(seed)) for ruleset in RULES for seed in range(8)]
    assert checked(page, script, records) == [[]] * len(records)


@pytest.mark.parametrize("ruleset", RULES, ids=lambda ruleset: ruleset.name)
def test_a_changed_card_or_hand_is_noticed(page: Page, script: Script, ruleset: Ruleset) -> None:
    record = dealt(ruleset, Random(3))
    moves = list(record.moves)
    at = next(at for at, move in enumerate(moves) if isinstance(move, Draw))
    drawn = moves[at]
    assert isinstance(drawn, Draw)
    moves[at] = Draw(drawn.seat, drawn.value % 10 + 1)
    opening = moves[0]
    assert isinstance(opening, OpenSet)
    assert opening.hands is not None
    swapped = replace(opening, hands=(opening.hands[1], opening.hands[0]))
    other_draw = replace(record, moves=tuple(moves))
    other_hand = replace(record, moves=(swapped, *record.moves[1:]))
    kinds = [{each["kind"] for each in found} for found in checked(page, script, [other_draw, other_hand])]
    assert (kinds[0], "hand" in kinds[1]) == ({"draw"}, True)
