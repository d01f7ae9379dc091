"""The translations: what is found in code and templates, and what a translation is told."""

import gettext
from pathlib import Path

import pytest

from bin.messages import check, collect, compile_all, in_code, in_template, po_files, update

TEMPLATE = """
{% load i18n %}{# gettext('a remark') #}{% comment %}{% translate "left out" %}{% endcomment %}
<h1>{% translate "Round" %} {{ "x"|default:_("none yet") }}</h1>{% translate "May" context "month" %}
{% include "x.html" with text=_("It's open") %}
{% blocktranslate trimmed with name=entry.name %}
  {{ name }} won
  100 % of the sets
{% endblocktranslate %}
{% blocktranslate count n=left %}{{ n }} match{% plural %}{{ n }} matches{% endblocktranslate %}
"""
CODE = """
from django.utils.translation import gettext_lazy as _, ngettext, pgettext
A = _("Swiss")
B = ngettext("%(n)s set", "%(n)s sets", 3)
C = pgettext("a button", "Open")
D = f"{_('Tied')} at last"
"""


def test_messages_of_a_template() -> None:
    assert list(in_template(TEMPLATE)) == [
        ("Round", None),
        ("none yet", None),
        ("May", "month"),
        ("It's open", None),
        ("%(name)s won 100 %% of the sets", None),
        (("%(n)s match", "%(n)s matches"), None),
    ]


def test_messages_of_code() -> None:
    assert sorted(in_code(CODE), key=str) == [
        ("Open", "a button"),
        ("Swiss", None),
        ("Tied", None),
        (("%(n)s set", "%(n)s sets"), None),
    ]


@pytest.fixture
def product(tmp_path: Path) -> Path:
    """A small product with one page, one module and a Russian translation that has just been begun."""
    (tmp_path / "config").mkdir()
    (tmp_path / "templates").mkdir()
    (tmp_path / "config" / "words.py").write_text(CODE)
    (tmp_path / "templates" / "page.html").write_text('{% load i18n %}{% translate "Round" %}')
    update(tmp_path / "locale/ru/LC_MESSAGES/django.po", source=collect(tmp_path))
    return tmp_path


def fill(product: Path) -> Path:
    """Translate everything there is."""
    path = po_files(product)[0]
    text = path.read_text()
    for english, russian in (("Swiss", "Швейцарка"), ("Tied", "Ничья"), ("Open", "Открыть"), ("Round", "Тур")):
        text = text.replace(f'msgid "{english}"\nmsgstr ""', f'msgid "{english}"\nmsgstr "{russian}"')
    for number, russian in enumerate(("%(n)s сет", "%(n)s сета", "%(n)s сетов")):
        text = text.replace(f'msgstr[{number}] ""', f'msgstr[{number}] "{russian}"')
    path.write_text(text)
    return path


def test_a_new_translation_lacks_everything(product: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert check(product) == 1
    assert sorted(capsys.readouterr().out.splitlines()) == [
        "ru: missing: 'Open'",
        "ru: missing: 'Round'",
        "ru: missing: 'Swiss'",
        "ru: missing: 'Tied'",
        "ru: missing: ('%(n)s set', '%(n)s sets')",
    ]


def test_a_product_without_any_translation_is_not_a_translated_one(tmp_path: Path) -> None:
    assert check(tmp_path) == 1


def test_a_full_translation_passes_compiles_and_stays_as_it_is(
    product: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = fill(product)
    assert check(product) == 0
    assert capsys.readouterr().out == "5 messages, all translated into: ru\n"
    before = path.read_text()
    update(path, source=collect(product))
    assert path.read_text() == before
    assert "#:" not in before
    assert "Date" not in before

    compile_all(product)
    with path.with_suffix(".mo").open("rb") as file:
        russian = gettext.GNUTranslations(file)
    assert russian.gettext("Swiss") == "Швейцарка"
    assert russian.pgettext("a button", "Open") == "Открыть"
    assert [russian.ngettext("%(n)s set", "%(n)s sets", n) for n in (1, 2, 5, 11, 21)] == [
        "%(n)s сет",
        "%(n)s сета",
        "%(n)s сетов",
        "%(n)s сетов",
        "%(n)s сет",
    ]


def test_what_is_left_over_unsure_or_broken_is_told_and_an_update_drops_what_is_gone(
    product: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = fill(product)
    (product / "templates" / "page.html").write_text("")
    text = path.read_text().replace('msgid "Tied"', '#, fuzzy\nmsgid "Tied"')
    path.write_text(text.replace("%(n)s сетов", "%(count)s сетов"))
    assert check(product) == 1
    told = capsys.readouterr().out
    assert "ru: left over: 'Round'\n" in told
    assert "ru: unsure: 'Tied'\n" in told
    assert "ru: broken: ('%(n)s set', '%(n)s sets'): " in told
    update(path, source=collect(product))
    assert "Round" not in path.read_text()
    assert "Швейцарка" in path.read_text()
