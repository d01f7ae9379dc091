"""Fixtures of journeys: the running product, with the demo or empty, and pages of a real browser on desk and phone."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from playwright.sync_api import Browser, ConsoleMessage, Page

from tests.journeys.launched import Launched, launched
from tests.services import chromium

FLAGS = (
    "--no-sandbox --disable-gpu --disable-quic --disable-dev-shm-usage --no-first-run --disable-background-networking"
    " --disable-component-update --disable-sync"
)
DESKTOP: dict[str, Any] = {"viewport": {"width": 1280, "height": 800}}
PHONE: dict[str, Any] = {
    "viewport": {"width": 390, "height": 844},
    "device_scale_factor": 2,
    "is_mobile": True,
    "has_touch": True,
}


@pytest.fixture(scope="session")
def demo_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Launched]:
    """The product as a first `./bin/run` leaves it: with the demo event."""
    with launched(tmp_path_factory.mktemp("demo") / "data") as copy:
        yield copy


@pytest.fixture(scope="session")
def empty_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Launched]:
    """The product started with DEMO=0; `said` has the link for the first organiser."""
    with launched(tmp_path_factory.mktemp("empty") / "data", DEMO="0") as copy:
        yield copy


@pytest.fixture(scope="session")
def browser_type_launch_args() -> dict[str, Any]:
    """The system's Chromium, not one that Playwright would download."""
    os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "true"  # Playwright keeps an event loop in our thread
    return {"executable_path": chromium(), "args": FLAGS.split(), "headless": True}


@contextmanager
def page_of(browser: Browser, options: dict[str, Any]) -> Iterator[Page]:
    """A page of a fresh visitor. A script that fails and a blocked resource fail the journey."""
    context = browser.new_context(**options)
    page = context.new_page()
    complaints: list[str] = []

    def on_console(message: ConsoleMessage) -> None:
        # That an answer was 4xx or 5xx is told there too, and is the journey's to judge.
        if message.type == "error" and not message.text.startswith("Failed to load resource"):
            complaints.append(message.text)

    page.on("console", on_console)
    page.on("pageerror", lambda error: complaints.append(str(error)))
    yield page
    context.close()
    assert complaints == []


@pytest.fixture
def desktop(browser: Browser) -> Iterator[Page]:
    """A page 1280 wide."""
    with page_of(browser, DESKTOP) as page:
        yield page


@pytest.fixture
def phone(browser: Browser) -> Iterator[Page]:
    """A page 390 wide, touched."""
    with page_of(browser, PHONE) as page:
        yield page
