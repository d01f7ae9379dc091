"""The translations: collects every message of code and templates, brings `locale/` up to date, checks it, compiles it.

    python -m bin.messages update [LANGUAGE …]   add what is new, drop what is gone, keep what is translated
    python -m bin.messages check                 say what is missing, unsure, left over or broken, and exit 1 for it
    python -m bin.messages compile               write the .mo files that Django reads

The .po files carry no line numbers and no dates, and are sorted, so that a change shows what changed and no more.
"""

import ast
import io
import re
import sys
from collections.abc import Iterator
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po
from django.conf import settings
from django.utils.translation.template import templatize

ROOT = Path(__file__).resolve().parent.parent
CODE = ("config", "players", "matches", "tournaments")

# The calls that translate, and what their first arguments are: a context, a singular, a plural.
CALLS = {
    "_": "s",
    "gettext": "s",
    "gettext_lazy": "s",
    "gettext_noop": "s",
    "ngettext": "sp",
    "ngettext_lazy": "sp",
    "pgettext": "cs",
    "pgettext_lazy": "cs",
    "npgettext": "csp",
    "npgettext_lazy": "csp",
}
# What Django's `templatize` makes of a template: one such call for every message, and filling around them.
STRING = r"""u?("(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*')"""
CALL = re.compile(rf"\b(_|gettext|ngettext|pgettext|npgettext)\({STRING}(?:,\s*{STRING})?(?:,\s*{STRING})?")

Found = tuple[str | tuple[str, ...], str | None]  # the message, with its plural, and its context


def message_of(call: str, words: list[str]) -> Found:
    """The message a call translates, given the strings it is called with."""
    by_role = dict(zip(CALLS[call], words, strict=False))
    message = (by_role["s"], by_role["p"]) if "p" in by_role else by_role["s"]
    return message, by_role.get("c")


def in_code(source: str) -> Iterator[Found]:
    """The messages of a Python module, those inside f-strings too."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Call):
            name = getattr(node.func, "id", getattr(node.func, "attr", ""))
            words = [each.value for each in node.args if isinstance(each, ast.Constant) and isinstance(each.value, str)]
            if len(words) >= len(CALLS.get(name, "")) > 0:
                yield message_of(name, words)


def in_template(source: str) -> Iterator[Found]:
    """The messages of a template."""
    for call in CALL.finditer(templatize(source)):
        name, *texts = call.groups()
        yield message_of(name, [str(ast.literal_eval(text)) for text in texts if text is not None])


def collect(root: Path) -> Catalog:
    """Every message of the product below `root`."""
    catalog = Catalog(fuzzy=False)
    for folder in CODE:
        for path in sorted((root / folder).rglob("*.py")):
            if "migrations" not in path.parts:
                for message, context in in_code(path.read_text()):
                    catalog.add(message, context=context)
    for path in sorted((root / "templates").rglob("*")):
        if path.is_file():
            for message, context in in_template(path.read_text()):
                catalog.add(message, context=context)
    return catalog


def po_files(root: Path) -> list[Path]:
    """The translations there are."""
    return sorted((root / "locale").glob("*/LC_MESSAGES/django.po"))


def read(path: Path) -> Catalog:
    """A translation as it stands, for the language its folder names."""
    with path.open("rb") as file:
        return read_po(file, locale=path.parts[-3])


def update(path: Path, *, source: Catalog) -> None:
    """Bring one translation up to date; a file that is not there yet starts empty."""
    catalog = read(path) if path.exists() else Catalog(locale=path.parts[-3])
    catalog.update(source, no_fuzzy_matching=True)
    header = [
        f"Language: {catalog.locale_identifier}",
        "MIME-Version: 1.0",
        "Content-Type: text/plain; charset=utf-8",
        "Content-Transfer-Encoding: 8bit",
        f"Plural-Forms: {catalog.plural_forms}",
    ]
    text = io.BytesIO()
    write_po(text, catalog, no_location=True, omit_header=True, sort_output=True, ignore_obsolete=True, width=0)
    lines = ['msgid ""', 'msgstr ""', *(f'"{line}\\n"' for line in header)]
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("\n".join(lines) + "\n\n" + text.getvalue().decode().strip() + "\n")


def problems(path: Path, *, source: Catalog) -> Iterator[str]:
    """What one translation lacks, a line each."""
    catalog = read(path)
    wanted = {(message.context, message.id) for message in source if message.id}
    for message in sorted((message for message in catalog if message.id), key=str):
        place = (message.context, message.id)
        texts = [message.string] if isinstance(message.string, str) else list(message.string or [""])
        if place not in wanted:
            yield f"left over: {message.id!r}"
            continue
        wanted.discard(place)
        if message.fuzzy:
            yield f"unsure: {message.id!r}"
        elif not all(texts):
            yield f"missing: {message.id!r}"
        for error in message.check(catalog):
            yield f"broken: {message.id!r}: {error}"
    for _, words in sorted(wanted, key=str):
        yield f"missing: {words!r}"


def compile_all(root: Path) -> None:
    """Write the .mo files, each at once or not at all."""
    for path in po_files(root):
        draft = path.with_suffix(".mo.new")
        with draft.open("wb") as file:
            write_mo(file, read(path))
        draft.replace(path.with_suffix(".mo"))


def check(root: Path) -> int:
    """Print what is wrong; 1 if anything is."""
    source, files = collect(root), po_files(root)
    found = [f"{path.parts[-3]}: {line}" for path in files for line in problems(path, source=source)]
    languages = ", ".join(path.parts[-3] for path in files)
    print("\n".join(found) or f"{len(source)} messages, all translated into: {languages or 'no language'}")
    return 1 if found or not files else 0


def main(arguments: list[str]) -> int:
    """The exit code of one of the three verbs."""
    settings.configure()  # Django's template reader asks for some; the product's own are not needed
    match arguments:
        case ["compile"]:
            compile_all(ROOT)
        case ["check"]:
            return check(ROOT)
        case ["update", *languages]:
            source = collect(ROOT)
            new = [ROOT / "locale" / language / "LC_MESSAGES" / "django.po" for language in languages]
            for path in sorted({*po_files(ROOT), *new}):
                update(path, source=source)
        case _:
            print(__doc__)
            return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
