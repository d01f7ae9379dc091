"""What the pages load: within its size, with its licence, unchanged, and complete."""

import hashlib
import re
from pathlib import Path

import pytest
from django.test import RequestFactory
from django.utils.translation import override
from pytest_django import Settings

from config.design import GOLD_CARDS, MAIN_CARDS, SIDE_CARDS, design
from config.template_tags import card_face, card_words
from players.words import lang_of, person

STATIC = Path(__file__).resolve().parents[2] / "static"


def test_vendored_files_are_as_they_came() -> None:
    vendor = STATIC / "vendor"
    listed = {name: digest for digest, name in re.findall(r"(\w+)  (.+)", (vendor / "SHA256SUMS").read_text())}
    there = {path.name for path in vendor.iterdir()} - {"SHA256SUMS"}
    assert listed == {name: hashlib.sha256((vendor / name).read_bytes()).hexdigest() for name in there}


def test_the_stylesheet_and_the_type_stay_small() -> None:
    assert (STATIC / "css/style.css").stat().st_size < 25_000
    assert (STATIC / "css/play.css").stat().st_size < 10_000
    assert sum(path.stat().st_size for path in (STATIC / "fonts").glob("*.woff2")) < 60_000


def test_every_card_has_its_own_face_and_words() -> None:
    drawn = set(re.findall(r'<symbol id="([^"]+)"', (STATIC / "cards.svg").read_text()))
    tokens = [*MAIN_CARDS, *SIDE_CARDS, *GOLD_CARDS, "back"]
    assert {card_face(token) for token in tokens} == drawn
    with override("en"):
        assert len({card_words(token) for token in tokens}) == len(tokens) == 34


@pytest.mark.parametrize(
    ("token", "face", "words"),
    [("-3", "n3", "Minus 3"), ("*6", "v6", "Plus or minus 6"), ("?", "back", "Card face down")],
)
def test_a_card_is_named_as_the_rules_name_it(token: str, face: str, words: str) -> None:
    with override("en"):
        assert (card_face(token), card_words(token)) == (face, words)


def test_a_name_keeps_its_direction_and_its_language() -> None:
    assert (lang_of("Тень Дантуина"), lang_of("Juhani")) == ("ru", "")
    assert person("Щит <b>") == '<bdi lang="ru">Щит &lt;b&gt;</bdi>'
    assert person("T3") == "<bdi>T3</bdi>"


def test_the_design_page_shows_every_face_in_both_themes(rf: RequestFactory, settings: Settings) -> None:
    settings.STORAGES = settings.STORAGES | {
        "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}
    }
    page = design(rf.get("/design/")).content.decode()
    for token in (*MAIN_CARDS, *SIDE_CARDS, *GOLD_CARDS, "back"):
        assert page.count(f'cards.svg#{card_face(token)}"') >= 2
