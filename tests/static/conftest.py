"""A browser for the scripts of the pages, and the server they talk to."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Playwright
from pytest_django import Settings

from tests.services import chromium
from tests.static.scripted import Script, serving
from tests.static.table import TableHandler, TableScript

ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--disable-dev-shm-usage",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


@pytest.fixture(scope="session")
def base_url() -> None:
    """None: pages are opened by their whole address. The plugin's own fixture warns, and warnings are errors here."""


@pytest.fixture(scope="session")
def browser(playwright: Playwright) -> Iterator[Browser]:
    """A Chromium for which every test's server is called hall.test: only localhost would be a secure context."""
    names = "--host-resolver-rules=MAP hall.test 127.0.0.1"
    browser = playwright.chromium.launch(executable_path=chromium(), args=[*ARGUMENTS, names])
    yield browser
    browser.close()


@pytest.fixture
def own_names(settings: Settings) -> None:
    """Files are served under their own names."""
    settings.STORAGES = settings.STORAGES | {
        "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}
    }


@pytest.fixture
def script(own_names: None) -> Iterator[Script]:
    """The scripted server."""
    with serving(Script()) as script:
        yield script


@pytest.fixture
def table(own_names: None) -> Iterator[TableScript]:
    """A scripted server with a table."""
    with serving(TableScript(), TableHandler) as table:
        yield table
