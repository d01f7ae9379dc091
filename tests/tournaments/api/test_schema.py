"""The schema tells of every operation without a doubt, and its page runs nothing but our own files."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from django.contrib.staticfiles import finders
from django.core.management import call_command
from django.test import Client
from drf_spectacular.drainage import GENERATOR_STATS
from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.validation import validate_schema

from tests.tournaments.api.test_permissions import every_operation

pytestmark = pytest.mark.django_db


def schema() -> dict[str, Any]:
    generator: Any = SchemaGenerator
    found: dict[str, Any] = generator().get_schema(request=None, public=True)
    return found


def test_the_schema_is_made_without_a_warning_and_is_valid() -> None:
    GENERATOR_STATS.reset()
    found = schema()
    assert not GENERATOR_STATS
    validate: Any = validate_schema
    validate(found)


def test_the_command_that_checks_it_finds_nothing(tmp_path: Path) -> None:
    call_command("spectacular", validate=True, fail_on_warn=True, file=str(tmp_path / "schema.yml"))
    assert (tmp_path / "schema.yml").read_text().startswith("openapi: 3.")


def test_every_operation_stands_under_a_heading() -> None:
    headings = [operation["tags"] for methods in schema()["paths"].values() for operation in methods.values()]
    assert all(len(tags) == 1 and tags[0][0].isupper() for tags in headings)


def test_every_operation_is_in_the_schema_under_a_name_of_its_own() -> None:
    found = schema()["paths"]
    told = {f"{method} {path.removeprefix('/api/')}" for path, methods in found.items() for method in methods}
    known = {re.sub(r"<\w+:(\w+)>", r"{\1}", each).replace("{pk}", "{id}") for each in {*every_operation(), "get me/"}}
    assert told == known
    names = [operation["operationId"] for methods in found.values() for operation in methods.values()]
    assert len(names) == len(set(names))


def test_whatever_an_operation_refuses_is_a_problem() -> None:
    for methods in schema()["paths"].values():
        for operation in methods.values():
            assert list(operation["responses"]["default"]["content"]) == ["application/problem+json"]


@pytest.mark.parametrize("query", ["", "?format=json", "?lang=ru", "?lang=klingon", "?format=xml", "?version=9"])
def test_the_schema_is_served(client: Client, query: str) -> None:
    answer = client.get(f"/api/schema/{query}")
    assert answer.status_code == (404 if query == "?format=xml" else 200)


def test_the_page_has_no_script_or_style_but_files_of_ours(client: Client) -> None:
    answer = client.get("/api/docs/")
    page = answer.content.decode()
    assert answer["Content-Security-Policy"].startswith("default-src 'self'; script-src 'self'; style-src 'self';")
    assert re.findall(r"<script(?! src=\")|<style|\sstyle=|\son\w+=|javascript:", page) == []
    files = re.findall(r'(?:src|href)="([^"]+)"', page)
    files.remove("/api/script/")  # a link to the page beside it
    own_script = [each for each in files if "script" in each and not each.startswith("/static/")]
    assert own_script == ["/api/docs/?script="]
    assert all(finders.find(each.removeprefix("/static/")) for each in files if each not in own_script)
    script = client.get("/api/docs/?script=")
    assert (script.status_code, script["Content-Type"]) == (200, "application/javascript")
    assert b'url: "/api/schema/"' in script.content
