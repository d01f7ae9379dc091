"""Names: cleaned the same way everywhere, refused when nothing shows, told from their doubles."""

import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from players.engine.names import NAME_LENGTH, NameProblem, clean_name, fold_name, looks_alike, name_problem

FAMILY = "\U0001f468\u200d\U0001f469\u200d\U0001f467"
RAINBOW_FLAG = "\U0001f3f3\ufe0f\u200d\U0001f308"
WIZARD_IN_BROWN = "\U0001f9d9\U0001f3fe\u200d\u2642\ufe0f"
SCOTLAND = "\U0001f3f4\U000e0067\U000e0062\U000e0073\U000e0063\U000e0074\U000e007f"


@pytest.mark.parametrize(
    ("raw", "cleaned"),
    [
        ("Скиталец", "Скиталец"),
        ("  spaced   out  ", "spaced out"),
        ("Two\r\nLines", "Two Lines"),
        ("tab\tand\x0bfeed\x0c\u2028end", "tab and feed end"),
        ("no\u00a0break\u3000wide\u2800blank", "no break wide blank"),
        ("E\u0301tienne", "\u00c9tienne"),
        ("И\u0306ода", "Йода"),
        ("An\u200bna", "Anna"),
        ("\ufeffAnna\u2060", "Anna"),
        ("soft\u00adhyphen", "softhyphen"),
        ("\u202evatsuG", "vatsuG"),
        ("a\u2066b\u2069\u200fc\u061c", "abc"),
        ("nul\x00 bell\x07\x7f", "nul bell"),
        ("\ud800half", "half"),
        ("non\ufffe\ufdd0\U0001fffecharacter", "noncharacter"),
        ("filler\u3164\u115f\u1160\uffa0", "filler"),
        ("tag\U000e0041\U000e0042ged", "tagged"),
        ("a\ufe0f", "a"),
        ("\ufe0fa", "a"),
        ("A\u034f\u030a", "\u00c5"),  # what stood between a letter and its mark is gone: they compose
    ],
)
def test_what_does_not_show_goes_and_spaces_are_single(raw: str, cleaned: str) -> None:
    assert clean_name(raw) == cleaned


@pytest.mark.parametrize(
    "name",
    [
        FAMILY,
        RAINBOW_FLAG,
        WIZARD_IN_BROWN,
        SCOTLAND,
        "Kaija \U0001f0cf",
        "1\ufe0f\u20e3",  # a keycap
        "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645",  # Persian: the letters beside the joiner take other shapes
        "\u0d28\u0d4d\u200d",  # Malayalam: a chillu letter at the end of a word
        "\u09b0\u200d\u09cd\u09af",  # Bengali: ra with ya-phala
        "\u0dc1\u0dca\u200d\u0dbb\u0dd3",  # Sinhala: Sri
        "\u845b\U000e0100",  # an ideograph in the form its bearer writes
        "李雷",
        "بلال",
        "<b>Bold</b>",
        "=2+3",
    ],
)
def test_what_shows_stays(name: str) -> None:
    assert clean_name(name) == name


@pytest.mark.parametrize(
    ("raw", "cleaned"),
    [
        ("A\u200dnna", "Anna"),
        ("Ан\u200cна", "Анна"),
        ("\u200dAnna", "Anna"),
        (FAMILY + "\u200d", FAMILY),
        ("A\u200d\U0001f467", "A\U0001f467"),
        ("\u0645\u200c\u200c\u0645", "\u0645\u200c\u0645"),
    ],
)
def test_a_joiner_that_joins_nothing_goes(raw: str, cleaned: str) -> None:
    assert clean_name(raw) == cleaned


@given(st.text(max_size=40))
@settings(max_examples=300)
def test_cleaning_twice_is_cleaning_once(raw: str) -> None:
    cleaned = clean_name(raw)
    assert clean_name(cleaned) == cleaned
    assert unicodedata.is_normalized("NFC", cleaned)
    assert len(cleaned) <= len(unicodedata.normalize("NFC", raw))


ODD = (
    "aЯ \u200b\u200c\u200d\ufe0f\u0301\u034f\u094d\u0915\u0645\u2800\ufdfa"
    "\U0001f468\U0001f3fb\U0001f3f4\U000e0067\U000e007f"
)


@given(st.text(alphabet=ODD, max_size=12))
@settings(max_examples=500)
def test_cleaning_and_folding_settle_whatever_stands_side_by_side(raw: str) -> None:
    cleaned, folded = clean_name(raw), fold_name(raw)
    assert clean_name(cleaned) == cleaned
    assert fold_name(folded) == folded == fold_name(cleaned)


@pytest.mark.parametrize("raw", ["", "   ", "\u200b", "\u202e\u2066", "\u3164", "\u2800", "\u0301", "\x00", "\ufe0f"])
def test_a_name_of_which_nothing_shows_is_missing(raw: str) -> None:
    assert name_problem(clean_name(raw)) == NameProblem("name_missing")


def test_the_limit_counts_code_points_after_cleaning() -> None:
    assert name_problem(clean_name("  " + "e\u0301" * NAME_LENGTH + "\u200b ")) is None
    assert name_problem("x" * (NAME_LENGTH + 1)) == NameProblem("name_too_long", {"length": 121, "limit": 120})
    assert name_problem("a" + "\u0301" * 60) is None  # sixty marks on one letter are pages' business


def test_a_name_that_was_decoded_wrongly_is_not_taken() -> None:
    assert name_problem("Ск\ufffdталец") == NameProblem("name_damaged")


@pytest.mark.parametrize("name", ["Étienne", "🐙", "№3", "T3", "=2+3", "Ёлкин, Пётр"])
def test_a_name_that_shows_is_taken(name: str) -> None:
    assert name_problem(name) is None


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Étienne", "E\u0301TIENNE"),
        ("Straße", "STRASSE"),
        ("Йода", "и\u0306ОДА"),
        ("Ａｎｎａ", "anna"),
        ("An\u200bna", "Anna"),
        ("\u0645\u06cc\u200c\u062e", "\u0645\u06cc\u062e"),
        ("ﬁn", "Fin"),
    ],
)
def test_same_names_fold_to_one(one: str, other: str) -> None:
    assert fold_name(one) == fold_name(other)


@pytest.mark.parametrize(("one", "other"), [("Пётр", "Петр"), ("Anna", "Аnnа"), ("Anna", "Anna 2")])
def test_other_names_fold_to_others(one: str, other: str) -> None:
    assert fold_name(one) != fold_name(other)


def test_staff_are_shown_doubles_and_words_of_mixed_letters() -> None:
    names = [
        "cop",  # Latin
        "сор",  # the same in Cyrillic
        "Cop",  # the first one again: no double
        "Sереda",  # two alphabets in one word
        "Дроид HK",  # two alphabets in two words
        "Вуки-в-галошах",
        "Obi-2",
    ]
    assert looks_alike(names) == frozenset({0, 1, 2, 3})
    assert looks_alike(["cop", "Cop", "Скиталец"]) == frozenset()
