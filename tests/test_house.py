"""The manners of the house that no linter sees: who writes, what a module says of itself, what a page may contain."""

import ast
import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
APPS = ("players", "matches", "tournaments")
WRITERS = {"actions", "models", "admin", "migrations"}

MODULES = sorted(
    path.relative_to(ROOT)
    for folder in (*APPS, "config", "bin", "bench", "tests")
    for path in (ROOT / folder).rglob("*.py")
    if "migrations" not in path.parts
)
TEMPLATES = sorted(path.relative_to(ROOT) for path in (ROOT / "templates").rglob("*.html"))
READERS = [path for path in MODULES if path.parts[0] in (*APPS, "config") and not WRITERS & {*path.parts, path.stem}]


def tree_of(path: Path) -> ast.Module:
    return ast.parse((ROOT / path).read_text())


# --- writes to the database

ALWAYS_WRITES = {
    *("bulk_create", "bulk_update", "get_or_create", "update_or_create", "create_user", "create_superuser"),
    *("acreate", "aupdate", "adelete", "asave", "abulk_create", "aget_or_create", "aupdate_or_create"),
}
QUERYSETS = {
    "objects",
    "all",
    "filter",
    "exclude",
    "order_by",
    "select_for_update",
    "select_related",
    "_default_manager",
}


def names_along(node: ast.expr) -> Iterator[str]:
    """The names of a chain of attributes and calls: `Match.objects.filter(…)` has Match, objects, filter."""
    while not isinstance(node, ast.Name):
        if isinstance(node, ast.Attribute):
            yield node.attr
            node = node.value
        elif isinstance(node, ast.Call):
            node = node.func
        elif isinstance(node, ast.Subscript):
            node = node.value
        else:
            return
    yield node.id


def is_write(call: ast.Call) -> bool:
    """Whether a call writes to the database, as far as its looks tell.

    A model's `save()` and `delete()` take no positional argument, as against a workbook's `save(file)` or a cache's
    `delete(key)`; a queryset's `update(field=…)` takes keywords alone, as against a dict's or a hash's.
    """
    if not isinstance(call.func, ast.Attribute):
        return False
    name, along = call.func.attr, set(names_along(call.func.value))
    of_queryset = bool(QUERYSETS & along) or any(each.endswith("_set") for each in along)
    if name in ALWAYS_WRITES:
        return True
    if name in ("save", "delete"):
        return not call.args and "session" not in along
    if name == "update":
        return of_queryset or (not call.args and bool(call.keywords))
    return name == "create" and of_queryset


def writes_in(tree: ast.AST) -> list[int]:
    """The lines that write."""
    return [node.lineno for node in ast.walk(tree) if isinstance(node, ast.Call) and is_write(node)]


@pytest.mark.parametrize(
    ("line", "writes"),
    [
        ("Match.objects.create(round=round)", True),
        ("Match.objects.filter(pk=1).select_for_update().update(version=2)", True),
        ("pairing.match_set.all().delete()", True),
        ("rows.update(rank=1)", True),
        ("Player.objects.get_or_create(name='Ann')", True),
        ("Account.objects.create_user(email='a@b.c')", True),
        ("match.save(update_fields=['version'])", True),
        ("entry.delete()", True),
        ("found.update(range(3))", False),
        ("facts.update({'rank': 1})", False),
        ("digest.update(b'seed')", False),
        ("workbook.save(buffer)", False),
        ("cache.delete('key')", False),
        ("request.session.save()", False),
        ("Match.objects.filter(pk=1).first()", False),
    ],
)
def test_a_write_is_told_from_what_only_looks_like_one(line: str, writes: bool) -> None:
    assert bool(writes_in(ast.parse(line))) == writes


def test_only_actions_models_and_admin_write() -> None:
    assert [f"{path}:{line}" for path in READERS for line in writes_in(tree_of(path))] == []


# --- tasks leave with the commit


def names_handed_to_on_commit(tree: ast.AST) -> tuple[set[str], set[ast.AST]]:
    """The functions that run after a commit: those named in `on_commit(…)`, and whatever is written inside its call."""
    names: set[str] = set()
    inside: set[ast.AST] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and next(names_along(node.func), "") == "on_commit":
            for argument in (*node.args, *(keyword.value for keyword in node.keywords)):
                inside |= set(ast.walk(argument))
                names |= {each.id for each in ast.walk(argument) if isinstance(each, ast.Name)}
    return names, inside


def early_dispatches(tree: ast.AST) -> list[int]:
    """The lines that hand a task to the worker before the transaction is committed."""
    names, inside = names_handed_to_on_commit(tree)
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef) and node.name in names:
            inside |= set(ast.walk(node))
    return [
        node.lineno
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute) and node.attr in ("delay", "apply_async", "send_task") and node not in inside
    ]


@pytest.mark.parametrize(
    ("source", "lines"),
    [
        ("refresh.delay(7)", [1]),
        ("def send():\n    refresh.delay(7)\nsend()", [2]),
        ("on_commit(refresh.delay)", []),
        ("transaction.on_commit(lambda: refresh.delay(7))", []),
        ("transaction.on_commit(partial(refresh.apply_async, [7]))", []),
        ("def send():\n    refresh.delay(7)\ntransaction.on_commit(send)", []),
    ],
)
def test_a_dispatch_before_the_commit_is_seen(source: str, lines: list[int]) -> None:
    assert early_dispatches(ast.parse(source)) == lines


def test_tasks_are_sent_after_the_commit_alone() -> None:
    """BJ-03: a task sent earlier may run before its rows are there, or although they never come."""
    product = [path for path in MODULES if path.parts[0] in (*APPS, "config")]
    assert [f"{path}:{line}" for path in product for line in early_dispatches(tree_of(path))] == []


def planned_ahead(tree: ast.AST) -> list[int]:
    """The lines that leave a task with the broker for later."""
    return [
        node.lineno
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and {"eta", "countdown"} & {keyword.arg for keyword in node.keywords}
    ]


def test_nothing_waits_in_the_broker_for_its_time() -> None:
    """BJ-01: a message that waits long is delivered again and again; what is due later is found in the database."""
    assert planned_ahead(ast.parse("close.apply_async([7], countdown=10800)")) == [1]
    product = [path for path in MODULES if path.parts[0] in (*APPS, "config")]
    assert [f"{path}:{line}" for path in product for line in planned_ahead(tree_of(path))] == []


# --- cases

CASE = re.compile(r"\b([A-Z]{2}-\d\d)\b|\bdef test_([a-z]{2}_\d\d)_")


NOT_YET = {
    "IE-08": "nothing is written as PDF: pages are printed by the browser",
}
"""Cases of the areas below that are no tests yet, and why."""

PROVED = {
    *("registration-checkin", "result-entry", "names-identity", "offline-sync"),
    *("background-jobs", "live-public-pages", "security-permissions", "import-export"),
}
"""Areas of which each case is a test."""


def cases() -> dict[str, str]:
    """Every case and its area."""
    lines = (ROOT / "tests" / "cases" / "faults.jsonl").read_text().splitlines()
    return {case["id"]: case["area"] for case in map(json.loads, lines)}


def cited() -> set[str]:
    """The cases tests are named after or speak of."""
    return {
        (one or other).upper().replace("_", "-")
        for path in MODULES
        if path.parts[0] == "tests" and path.stem != "test_house"
        for one, other in CASE.findall((ROOT / path).read_text())
    }


def test_every_case_a_test_is_named_after_is_one() -> None:
    assert {"RE-01", "BJ-03"} <= cited()
    assert cited() - cases().keys() == set()


def test_every_case_of_an_area_that_is_done_is_a_test() -> None:
    assert {case for case, area in cases().items() if area in PROVED} - cited() == NOT_YET.keys()


# --- modules


def test_every_module_opens_by_saying_what_it_is() -> None:
    silent = []
    for path in MODULES:
        tree = tree_of(path)
        first = (ast.get_docstring(tree) or "").split("\n\n")[0]
        if tree.body and not first.endswith((".", ":", ";", "?", "!")):
            silent.append(path)
    assert silent == []


def test_no_module_is_a_drawer_for_everything() -> None:
    assert [path for path in MODULES if {"utils", "common", "helpers"} & {*path.parts, path.stem}] == []


def imported_by(path: Path) -> set[str]:
    """The packages a module imports."""
    names: set[str] = set()
    for node in ast.walk(tree_of(path)):
        if isinstance(node, ast.Import):
            names |= {alias.name.split(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            names.add((node.module or "").split(".")[0])
    return names


def test_the_product_does_not_lean_on_its_tests() -> None:
    product = [path for path in MODULES if path.parts[0] in (*APPS, "config", "bin")]
    assert [path for path in product if imported_by(path) & {"tests", "pytest", "hypothesis"}] == []


# --- pages

INLINE = {
    "style attribute": re.compile(r"<[^>]*\sstyle\s*="),
    "handler attribute": re.compile(r"<[^>]*\son[a-z]+\s*="),
    "script in the page": re.compile(r"<script(?![^>]*\ssrc=)(?![^>]*type=[\"']application/json)"),
    "style in the page": re.compile(r"<style"),
    "javascript address": re.compile(r"[\"']javascript:"),
}


def test_a_page_brings_no_style_and_no_script_of_its_own() -> None:
    """The content security policy refuses them, so they would not work either."""
    texts = {path: (ROOT / path).read_text() for path in TEMPLATES}
    assert [(path, what) for path, text in texts.items() for what, look in INLINE.items() if look.search(text)] == []


# --- requirements


def pins(name: str) -> dict[str, str]:
    """What a lock installs, by name."""
    text = (ROOT / "requirements" / name).read_text()
    return dict(re.findall(r"^([a-z0-9._-]+)(?:\[[^\]]*\])?==([^ ;\\]+)", text, re.MULTILINE))


@pytest.mark.parametrize("name", ["base.in", "base.lock", "test.in", "test.lock", "bench.in", "bench.lock"])
def test_requirements_name_no_host(name: str) -> None:
    text = (ROOT / "requirements" / name).read_text()
    assert re.findall(r"\w+://|--(?:extra-)?index-url|--find-links|--trusted-host", text) == []


def test_the_test_lock_holds_all_of_the_base_lock() -> None:
    """So an environment for tests also runs the product, and `./bin/run` leaves it alone."""
    assert pins("base.lock").items() - pins("test.lock").items() == set()


def test_measurements_have_the_very_packages_of_the_tests() -> None:
    assert pins("test.lock").items() - pins("bench.lock").items() == set()


def test_every_requirement_is_locked() -> None:
    for name in ("base", "test", "bench"):
        lines = (ROOT / "requirements" / f"{name}.in").read_text().splitlines()
        asked = {re.split(r"[\[<>=;# ]", line)[0] for line in lines if line and line[0] not in "#-"}
        assert asked - pins(f"{name}.lock").keys() == set()
