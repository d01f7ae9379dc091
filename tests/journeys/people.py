"""Whoever comes to a tournament in a journey: readers of both languages on phone and desk, and the organiser's API."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import partial
from typing import Any
from urllib.request import Request, urlopen

from django.utils.translation import gettext, ngettext, override, pgettext
from playwright.sync_api import Browser, Locator, Page, expect

from tests.journeys.conftest import DESKTOP, PHONE, page_of
from tests.journeys.launched import Launched
from tournaments.words.labels import score_text

# What steers a page or names a part of it, without names of people and things, which are in nobody's language.
ENGLISH = """() => [...document.querySelectorAll("h1, h2, h3, button, a.btn, label, legend, summary, nav a, th, .st")]
  .filter(element => element.checkVisibility() && !element.lang)
  .map(element => element.cloneNode(true))
  .map(copy => { copy.querySelectorAll("bdi, .name, code, svg, select").forEach(part => part.remove()); return copy; })
  .map(copy => copy.textContent.replace(/Cantina|Excel|CSV|JSON|TRF|StarCon|Demo|\\S+@\\S+/g, "").trim())
  .filter(text => /[A-Za-z]{3}/.test(text))"""
FILLED = """() => [...document.querySelectorAll("main .btn.main")]
  .filter(element => element.checkVisibility()).map(element => element.textContent.trim())"""


class Organiser:
    """The demo's organiser, who does by the API what the journey is not about."""

    def __init__(self, copy: Launched) -> None:
        self.copy = copy
        event = next(each for each in self.ask("events/")["results"] if each["is_demo"])
        self.event, self.name = event["id"], event["name"]

    def ask(self, path: str, body: dict[str, Any] | None = None, *, method: str | None = None, key: str = "") -> Any:
        """What the API answers to a question, or with a body to an act. With a `key` the act is done once."""
        headers = {
            "Authorization": f"Bearer {self.copy.demo['organiser']['token']}",
            "Content-Type": "application/json",
        }
        if key:
            headers["Idempotency-Key"] = key
        data = None if body is None else json.dumps(body).encode()
        request = Request(f"{self.copy.url}/api/{path}", data, headers, method=method)  # noqa: S310
        with urlopen(request, timeout=20) as answer:  # noqa: S310
            return json.loads(answer.read() or b"null")

    def tournament(self, **facts: Any) -> int:
        """A new tournament in the demo's event; its id."""
        made: int = self.ask(f"events/{self.event}/tournaments/", facts)["id"]
        return made

    def enter(self, tournament: int, *names: str, **facts: Any) -> list[int]:
        """Put these on the roster; their entries' ids."""
        return [self.ask(f"tournaments/{tournament}/entries/", {"name": name, **facts})["id"] for name in names]

    def begin(self, tournament: int, desk: str) -> dict[int, list[tuple[str, str]]]:
        """Start with everybody and publish; by table the two who play there, first side first: name and own link."""
        for act in ("check-in-all", "start", "publish"):
            self.ask(f"tournaments/{tournament}/{act}/", {})
        rows = self.ask(f"tournaments/{tournament}/open-matches/")["results"]
        return {
            row["table"]: [(side["name"], self.own_link(desk, side["id"])) for side in (row["a"], row["b"])]
            for row in rows
        }

    def own_link(self, desk: str, entry: int) -> str:
        """The path of a player's own page, as the entry desk shows it."""
        _status, page = self.copy.get(path_of(f"{desk}entries/{entry}/link/"))
        return str(re.findall(r"/p/[\w-]+/", page)[0])

    def helper(self, tournament: int, role: str, name: str) -> str:
        """The address of a new helper's link."""
        facts = {"role": role, "name": name, "tournament": tournament, "hours": 8}
        return self.copy.url + path_of(self.ask(f"events/{self.event}/staff-links/", facts)["url"])

    def here(self, tournament: int) -> list[str]:
        """The names of those who are checked in."""
        rows = self.ask(f"tournaments/{tournament}/entries/")["results"]
        return [row["name"] for row in rows if row["checked_in_at"]]


def path_of(url: str) -> str:
    """An address without its host."""
    return re.sub(r"^https?://[^/]+", "", url)


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody at a page, who reads one language at one width and looks at every page they come to."""

    page: Page
    url: str
    language: str
    width: int

    def says(self, text: str, *, context: str = "", **facts: Any) -> str:
        """A text of the product in this person's language."""
        with override(self.language):
            found = pgettext(context, text) if context else gettext(text)
            return found % facts if "%(" in found else found.format(**facts)

    def counts(self, one: str, many: str, **facts: Any) -> str:
        """The same of a text that counts `n`."""
        with override(self.language):
            return ngettext(one, many, facts["n"]) % facts

    def score(self, a: int, b: int) -> str:
        """A score as this person reads it."""
        with override(self.language):
            return score_text(a, b)

    def go(self, address: str) -> None:
        """Open a page, by its path or its whole address."""
        self.page.goto(self.url + path_of(address))
        self.look()

    def look(self) -> None:
        """Nothing scrolls sideways, one act at most comes first, and nothing that steers is in another language."""
        assert self.page.evaluate("document.documentElement.scrollWidth") <= self.width, self.page.url
        filled = self.page.evaluate(FILLED)
        assert len(filled) <= 1, f"{self.page.url}: {filled}"
        if self.language != "en":
            english = self.page.evaluate(ENGLISH)
            assert english == [], f"{self.page.url}: {english}"

    def headline(self, text: str, **facts: Any) -> None:
        """The page has come to say this, and looks right."""
        self.named(self.says(text, **facts))

    def named(self, text: str) -> None:
        """The headline is this very text, and the page looks right."""
        expect(self.page.get_by_role("heading", level=1)).to_have_text(text)
        self.look()

    def button(self, text: str, **facts: Any) -> Locator:
        """The button of this name."""
        return self.page.get_by_role("button", name=self.says(text, **facts), exact=True)

    def press(self, text: str, **facts: Any) -> None:
        """Press the button of this name."""
        self.button(text, **facts).click()

    def follow(self, text: str) -> None:
        """Follow the link of this name."""
        self.page.locator("main").get_by_role("link", name=self.says(text), exact=True).click()

    def fill(self, label: str, value: str) -> None:
        """Type into the field of this label."""
        self.field(label).fill(value)

    def field(self, label: str) -> Locator:
        """The field of this label."""
        return self.page.get_by_label(self.says(label))

    def sees(self, text: str, **facts: Any) -> None:
        """The page says this somewhere."""
        self.reads(self.says(text, **facts))

    def begins(self, text: str, **facts: Any) -> None:
        """The page says this as far as the `time` in it, which the journey does not know."""
        self.reads(self.says(text, **facts, time="\0").partition("\0")[0].strip())

    def reads(self, text: str) -> None:
        """The page has these very words."""
        expect(self.page.locator("main")).to_contain_text(text)


class Crowd:
    """People of one language and width at one running copy; with `named`, it is asked by a name, as passkeys want."""

    def __init__(self, browser: Browser, copy: Launched, *, language: str, width: int, crowd: ExitStack) -> None:
        self.copy, self.language, self.width = copy, language, width
        size = PHONE if width == PHONE["viewport"]["width"] else DESKTOP
        self._open = partial(page_of, browser)
        self._options = {**size, "locale": {"en": "en-GB", "ru": "ru-RU"}[language]}
        self._crowd = crowd

    def person(self, *, state: Any = None, named: bool = False) -> Person:
        """Somebody new, in a browser of their own; `state` is what it remembers."""
        options = self._options if state is None else {**self._options, "storage_state": state}
        page = self._crowd.enter_context(self._open(options))
        url = f"http://localhost:{self.copy.port}" if named else self.copy.url
        return Person(page, url, self.language, self.width)


@contextmanager
def crowd_of(browser: Browser, copy: Launched, *, language: str, width: int) -> Iterator[Crowd]:
    """A crowd that goes home afterwards; what went wrong in any browser fails the journey."""
    with ExitStack() as crowd:
        yield Crowd(browser, copy, language=language, width=width, crowd=crowd)
