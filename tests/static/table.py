"""A scripted server with a table: what lies on it is as a record says, what becomes of a move is as a test says."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from http import HTTPStatus
from urllib.parse import parse_qsl, urlsplit

from django.template import engines
from django.template.loader import render_to_string

from matches.engine import Record
from matches.engine.notation import parse_record
from matches.models import Game, OnTimeout, Way
from matches.queries.games import game_view
from matches.views.table import table_of
from tests.static.scripted import Answer, Handler, Script

DEALT = """[Pazaak "1"]
[Ruleset "standard/1"]

1. open A (+1 -2 *3 +4) (?)
A 9
"""
THEIRS = f"{DEALT.strip()} end\nB 7\n"
MINE = f"{THEIRS.strip()} end\nA 5\n"
STOOD = f"{DEALT.strip()} stand\nB 7\n"
BETWEEN = f"{DEALT.strip()} stand\nB 10 stand\n"
NEXT = f"{BETWEEN.strip()}\n2. open\nB 6\n"

PAGE = """
{% extends "base.html" %}{% load static %}{% block title %}Table{% endblock %}{% block body %}phone game{% endblock %}
{% block head %}<link rel="stylesheet" href="{% static 'css/play.css' %}">{% endblock %}
{% block main %}{% include "matches/_play.html" %}{{ region }}{% include "matches/_manner.html" %}
<label>Note <input id="note"></label>{% endblock %}
{% block scripts %}<script type="module" src="{% static 'js/play.js' %}"></script>{% endblock %}
"""
AROUND = """<div data-live="tournament/7" data-src="/region/" data-version="{version}" data-updated="" data-spread="0"
 data-game>{refused}{inside}</div>"""
REFUSED = '<div class="notice" data-refused><p>{}</p></div>'


@dataclass
class TableScript(Script):
    """What lies on the table, for seat A. `after` is what a move leads to, `refusal` why none counts.

    `ends_in` is when the turn's time is over, in seconds from now by a clock that is `ahead` of everybody's.
    """

    record: str = DEALT
    after: str = THEIRS
    refusal: str = ""
    ends_in: float | None = None
    ahead: float = 0
    asked: int = 0
    scripted: Answer | None = None
    opened_at: datetime = field(default_factory=lambda: datetime.now(UTC))

    @property
    def position(self) -> str:
        return f"0.{len(self._parsed.moves)}"

    @property
    def _parsed(self) -> Record:
        found = parse_record(self.record)
        assert isinstance(found, Record), found
        return found

    @property
    def now(self) -> datetime:
        """By the server's clock."""
        return datetime.now(UTC) + timedelta(seconds=self.ahead)

    def table_region(self, *, refused: str = "") -> str:
        """The region as the product writes it."""
        seconds = None if self.ends_in is None else 60
        until = self.opened_at + timedelta(seconds=self.ahead + (self.ends_in or 0))
        game = Game(
            way=Way.HERE,
            record=self.record,
            moves=len(self._parsed.moves),
            turn_seconds=seconds,
            turn_at=None if seconds is None else until - timedelta(seconds=seconds),
            on_timeout=OnTimeout.STAND,
        )
        shown = {
            "table": table_of(game_view(game=game, viewer=0), ("Atton", "Brianna")),
            "move_url": "/move/",
            "subtitle": "Set 1",
        }
        inside = render_to_string("matches/_table.html", shown)
        told = REFUSED.format(refused) if refused else ""
        return AROUND.format(version=self.version, inside=inside, refused=told)

    def page(self) -> str:
        source = PAGE.replace("{{ region }}", self.table_region())
        return engines["django"].from_string(source).render({"move_at": "/move/"})

    def moved(self, record: str) -> None:
        """Somebody moves, and pages hear of it."""
        self.tell(record=record)


class TableHandler(Handler):
    """One connection to it."""

    script: TableScript

    def date_time_string(self, timestamp: float | None = None) -> str:
        """The server's own clock in the header Date."""
        return super().date_time_string(self.script.now.timestamp())

    def do_GET(self) -> None:  # noqa: N802 - the name of the base class
        script = self.script
        if urlsplit(self.path).path != "/region/" or script.away:
            super().do_GET()
            return
        script.asked += 1
        script.noticed()
        tag = f'"{script.version}"'
        if self.headers["If-None-Match"] == tag:
            self.reply(304, headers={"ETag": tag})
        else:
            self.reply(200, script.table_region(), {"ETag": tag, "Content-Type": "text/html; charset=utf-8"})

    def do_POST(self) -> None:  # noqa: N802 - the name of the base class
        script = self.script
        sent = dict(parse_qsl(self.rfile.read(int(self.headers["Content-Length"])).decode()))
        if script.away:
            self.drop()
            return
        script.posts.append({**sent, "path": self.path, "accept": self.headers["Accept"]})
        script.noticed()
        if script.scripted is not None:
            self.reply(*script.scripted)
            return
        headers = {"Content-Type": "text/html; charset=utf-8", "Game-Position": script.position}
        if "part=game" not in self.path:
            self.reply(302, headers={"Location": "/table/"})
        elif script.refusal:
            self.reply(HTTPStatus.CONFLICT, script.table_region(refused=script.refusal), headers)
        else:
            if sent["at"] == script.position:  # the same move twice is one
                script.moved(script.after)
            headers |= {"Game-Position": script.position, "ETag": f'"{script.version}"'}
            self.reply(200, script.table_region(), headers)
