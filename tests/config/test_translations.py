"""The Russian translation: nothing is left out, every placeholder is kept, and its sentences are right."""

import re
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest
from babel.messages.catalog import Message
from django.utils import translation
from django.utils.translation import ngettext, npgettext

from bin.messages import ROOT, collect, po_files, problems, read
from players.engine.names import fold_name
from tournaments.importers.roster import HEADERS
from tournaments.models import Entry
from tournaments.words.reasons import being_played, note_text, number_text, round_name

RUSSIAN = ROOT / "locale/ru/LC_MESSAGES/django.po"
PLACEHOLDER = re.compile(r"%\(\w+\)s|\{\w*\}")
# "1/8 финала" is what Russian calls a round of 16: half of the number that English names.
INSTEAD = {"{half}": "{n}"}


def messages() -> list[Message]:
    return [message for message in read(RUSSIAN) if message.id]


def placeholders(text: str) -> set[str]:
    return {INSTEAD.get(found, found) for found in PLACEHOLDER.findall(text)}


def forms(message: Message) -> list[str]:
    return [message.string] if isinstance(message.string, str) else list(message.string or ())


def test_russian_is_the_translation_there_is_and_nothing_in_it_is_missing_unsure_or_left_over() -> None:
    assert po_files(ROOT) == [RUSSIAN]
    assert list(problems(RUSSIAN, source=collect(ROOT))) == []


def test_every_placeholder_is_kept_in_every_form() -> None:
    wrong = []
    for message in messages():
        one, *several = [message.id] if isinstance(message.id, str) else message.id
        said = [placeholders(text) for text in forms(message)]
        # The first of three Russian forms is for 21 too, so it may tell the number where English says "one thing".
        wanted = [placeholders(text) for text in several] or [placeholders(one)]
        if said[1:] != wanted * (len(said) - 1) or said[0] not in (placeholders(one), *wanted):
            wrong.append(message.id)
    assert wrong == []


def test_a_counted_message_has_three_forms_and_any_other_has_one() -> None:
    assert [each.id for each in messages() if len(forms(each)) != (1 if isinstance(each.id, str) else 3)] == []


def test_no_message_stands_both_alone_and_counted() -> None:
    """The two would share one place in the catalog, and one of them would stay English."""
    alone_or_counted: Counter[tuple[str | None, str]] = Counter()
    for message in collect(ROOT):
        words = [message.id] if isinstance(message.id, str) else message.id
        alone_or_counted.update({(message.context, text) for text in words})
    assert [place for place, count in alone_or_counted.items() if count > 1] == []


def test_spaces_at_the_ends_are_kept_and_quotes_are_russian() -> None:
    def edges(text: str) -> tuple[int, int]:
        return len(text) - len(text.lstrip()), len(text) - len(text.rstrip())

    for message in messages():
        english = message.id if isinstance(message.id, str) else message.id[0]
        for text in forms(message):
            assert edges(text) == edges(english)
            assert not re.search("[“”„\"']", text)


def test_the_columns_of_a_roster_are_words_that_lists_are_imported_by() -> None:
    said = {str(each.id): forms(each)[0] for each in messages() if each.context == "column of an imported list"}
    assert said == {"Name": "Имя", "City": "Город", "Club": "Клуб", "Rating": "Рейтинг", "E-mail": "Почта"}
    meant = {"Name": "name", "City": "city", "Club": "club", "Rating": "rating", "E-mail": "email"}
    assert [text for title, text in said.items() if fold_name(text) not in HEADERS[meant[title]]] == []


COUNTED = [
    (ngettext, ("{n} player", "{n} players"), ["1 игрок", "2 игрока", "5 игроков", "11 игроков", "21 игрок"]),
    (ngettext, ("{n} point", "{n} points"), ["1 очко", "2 очка", "5 очков", "11 очков", "21 очко"]),
    (
        ngettext,
        ("%(n)s open match", "%(n)s open matches"),
        ["1 открытая партия", "2 открытые партии", "5 открытых партий", "11 открытых партий", "21 открытая партия"],
    ),
    (
        ngettext,
        ("Add %(n)s player", "Add %(n)s players"),
        ["Добавить 1 игрока", *(f"Добавить {n} игроков" for n in (2, 5, 11)), "Добавить 21 игрока"],
    ),
    (
        ngettext,
        ("Publish the bracket and call {n} table", "Publish the bracket and call {n} tables"),
        [
            f"Опубликуйте сетку и вызовите {table}"
            for table in ("1 стол", "2 стола", "5 столов", "11 столов", "21 стол")
        ],
    ),
    (
        lambda one, several, n: npgettext("beside matches won and lost", one, several, n),
        ("bye", "{n} byes"),
        ["бай", "2 бая", "5 баев", "11 баев", "бай"],
    ),
]


@pytest.mark.parametrize(("call", "words", "told"), COUNTED, ids=[words[0] for _, words, _ in COUNTED])
def test_what_is_counted_has_the_right_form(
    call: Callable[[str, str, int], str], words: tuple[str, str], told: list[str]
) -> None:
    def say(n: int) -> str:
        text = call(*words, n)
        return text % {"n": n} if "%" in text else text.format(n=n)

    with translation.override("ru"):
        assert [say(n) for n in (1, 2, 5, 11, 21)] == told


NAMES = {1: Entry(pk=1, name="Juhani"), 2: Entry(pk=2, name="T3")}
SENTENCES: list[tuple[str, dict[str, Any], str]] = [
    ("alone_on_points", {"points": 3}, "Единственный результат: 3 очка."),
    (
        "ahead_by",
        {"entry": 1, "key": "buchholz_cut_1", "mine": "30", "theirs": "27"},
        "Равенство по очкам с игроком <bdi>Juhani</bdi>; свои соперники набрали больше: 30 против 27.",
    ),
    (
        "behind_by",
        {"entry": 1, "key": "set_ratio", "mine": "3/5", "theirs": "5/8"},
        "Равенство с игроком <bdi>Juhani</bdi>, у которого доля выигранных сетов больше: 62,5 % против 60,0 %.",
    ),
    (
        "head_to_head_lost",
        {"entry": 1, "sets": "2:3"},
        "Равенство с игроком <bdi>Juhani</bdi>, за которым личная встреча: 3:2.",
    ),
    (
        "shared",
        {"entries": [1, 2], "count": 2},
        "На том же месте <bdi>Juhani</bdi> и <bdi>T3</bdi>: все показатели равны.",
    ),
    (
        "shared",
        {"entries": [1, 2], "count": 5},
        "На том же месте <bdi>Juhani</bdi>, <bdi>T3</bdi> и ещё 3 игрока: все показатели равны.",
    ),
    ("place_out_in", {"round": "round_of", "n": 16}, "Выбывание в 1/8 финала."),
    ("place_third_won", {"entry": 2, "sets": "3:1"}, "Победа в партии за третье место над игроком <bdi>T3</bdi>, 3:1."),
]


@pytest.mark.parametrize(("code", "params", "told"), SENTENCES)
def test_the_reason_for_a_place_is_told_in_russian(code: str, params: dict[str, Any], told: str) -> None:
    with translation.override("ru"):
        assert note_text(code, params, NAMES) == told


def test_rounds_are_called_as_in_a_russian_bracket() -> None:
    notes = [("round", {"n": 5}), ("round_of", {"n": 32}), ("round_of", {"n": 16}), ("quarter_finals", {})]
    notes += [("semi_finals", {}), ("third_place", {}), ("final", {}), ("losers_round", {"n": 2})]
    with translation.override("ru"):
        assert [round_name(note) for note in notes] == [
            "5-й тур",
            "1/16 финала",
            "1/8 финала",
            "Четвертьфиналы",
            "Полуфиналы",
            "Партия за третье место",
            "Финал",
            "2-й раунд нижней сетки",
        ]
        assert being_played(("round_of", {"n": 16}), planned=4) == "Идёт 1/8 финала"
        assert being_played(("round", {"n": 5}), planned=6) == "Идёт 5-й тур из 6"


def test_numbers_are_written_the_russian_way() -> None:
    with translation.override("ru"):
        assert number_text("set_ratio", "5/8") == "62,5 %"
    with translation.override("en"):
        assert number_text("set_ratio", "5/8") == "62.5 %"
