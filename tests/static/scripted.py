"""A server that does what a test tells it: a page with a live region and an outbox, a stream, scripted answers."""

import json
import queue
import socket
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import parse_qsl, urlsplit

from django.template import engines
from django.test import RequestFactory

from config.design import design
from config.middleware import CSP

STATIC = Path(__file__).resolve().parents[2] / "static"
KINDS = {".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml", ".woff2": "font/woff2"}
PATIENCE_SECONDS = 20
QUEUE = "/r/marta/"
DESKS = {"/desk/olli/": "Olli", "/desk/marta/": "Marta"}
"""Pages of entry desks by their address, and whose they are."""

PAGE = """
{% extends "base.html" %}{% load static %}{% block title %}Page{% endblock %}
{% block main %}<h1>Page</h1>{% include "_components/outbox.html" with queue=queue only %}
{{ region }}{% endblock %}
{% block scripts %}<script type="module" src="{% static 'js/outbox.js' %}"></script>{% endblock %}
"""
DESK = """
{% extends "base.html" %}{% load static %}{% block title %}Desk{% endblock %}
{% block main %}<h1>Desk of {{ by }}</h1>{% include "_components/outbox.html" with queue=queue by=by only %}
<form id="scan" data-outbox data-label="Scanned" method="post" action="{{ queue }}scan/">
<input type="hidden" name="key"><label>Scan <input id="code" name="code" required></label>
<button class="btn">Check in</button><output data-said></output></form>
<form id="add" data-outbox data-again data-label="Walk-in" method="post" action="{{ queue }}add/#add">
<input type="hidden" name="key"><label>Name <input id="name" name="name" required></label>
<p data-asked="same_name" hidden><label>Another <input type="checkbox" name="name_again"></label></p>
<details><summary>More</summary><label>City <input id="city" name="city"></label></details>
<button class="btn">Add</button><output data-said></output></form>
<form id="rows" data-outbox method="post"><input type="hidden" name="key"><ol>{% for player in players %}<li>
<button class="btn" id="in-{{ player }}" formaction="{{ queue }}{{ player }}/"
 data-label="Check in Player {{ player }}">Check in {{ player }}</button></li>{% endfor %}</ol></form>{% endblock %}
{% block scripts %}<script type="module" src="{% static 'js/outbox.js' %}"></script>{% endblock %}
"""
AROUND = """<section id="standings" data-live="tournament/7" data-src="/region/" data-version="{version}"
 data-updated="Standings updated">{inside}</section>"""
REGION = """
<table class="grid"><tbody>{% for id, points in rows %}<tr id="row-{{ id }}"><td>{{ points }}</td></tr>{% endfor %}
</tbody></table>
<label>Find <input id="find"></label><details id="more"><summary>More</summary>{{ version }}</details>
<ol>{% for table in tables %}<li id="match-{{ table }}"><details class="open" id="open-{{ table }}">
<summary>{{ table }}</summary>
<form id="form-{{ table }}" data-outbox data-place="{{ table }}" data-label="T3 – Juhani" method="post"
 action="/result/{{ table }}/"><input type="hidden" name="key"><input type="hidden" name="version" value="4">
{% include "_components/keys.html" with name="score" winner="T3" options=scores required=True only %}
<button class="btn main">Confirm</button></form></details></li>{% endfor %}</ol>
"""

Answer = tuple[int, str, dict[str, str]]


def as_json(status: int, content: object, **headers: str) -> Answer:
    """An answer in JSON."""
    return status, json.dumps(content), {"Content-Type": "application/json", **headers}


@dataclass
class Script:
    """What the server shows and answers, and what it was sent. Change it through `tell`, so that pages hear of it."""

    rows: list[tuple[str, int]] = field(default_factory=lambda: [("a", 3), ("b", 2), ("c", 1)])
    tables: list[str] = field(default_factory=lambda: ["7", "8"])
    version: int = 1
    away: bool = False  # drops every connection
    streams_refused: bool = False
    whole: bool = False  # answers with the region itself, not with its inside
    answer: Answer = field(default_factory=lambda: as_json(201, {}))
    streams: list["queue.Queue[bytes | None]"] = field(default_factory=list)
    posts: list[dict[str, str]] = field(default_factory=list)
    news: threading.Condition = field(default_factory=threading.Condition)
    address: str = ""

    def tell(self, **changes: Any) -> None:
        """Change what is shown, and announce it on the streams."""
        for name, value in changes.items():
            setattr(self, name, value)
        self.version += 1
        data = json.dumps({"topic": "tournament/7", "version": str(self.version)})
        for stream in list(self.streams):
            stream.put(f"event: change\ndata: {data}\n\n".encode())

    def leave(self) -> None:
        """Go away: no stream, no answer."""
        self.away = True
        self.end_streams()

    def end_streams(self) -> None:
        """Close every open stream."""
        for stream in list(self.streams):
            stream.put(None)

    def noticed(self) -> None:
        """Wake whoever waits in `until`."""
        with self.news:
            self.news.notify_all()

    def until(self, look: Callable[[], bool]) -> None:
        """Wait for something the server sees; TimeoutError if it does not come."""
        with self.news:
            if not self.news.wait_for(look, timeout=PATIENCE_SECONDS):
                raise TimeoutError(f"posts {self.posts}, streams {len(self.streams)}")

    def region(self, *, whole: bool) -> str:
        """The live region, or its inside."""
        scores = [{"value": text, "text": text} for text in ("3-0", "3-1", "3-2")]
        shown = {"rows": self.rows, "tables": self.tables, "version": self.version, "scores": scores}
        inside = engines["django"].from_string(REGION).render(shown)
        return AROUND.format(version=self.version, inside=inside) if whole else inside

    def desk(self, path: str) -> str:
        """The page of an entry desk, with a dozen players to check in."""
        shown = {"queue": path, "by": DESKS[path], "players": range(1, 13)}
        return engines["django"].from_string(DESK).render(shown)

    def page(self) -> str:
        """The page around it."""
        source = PAGE.replace("{{ region }}", self.region(whole=True))
        return engines["django"].from_string(source).render({"queue": QUEUE})


class Handler(BaseHTTPRequestHandler):
    """One connection to the scripted server."""

    script: Script

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the name of the base class
        """Say nothing."""

    def reply(self, status: int, content: str | bytes = b"", headers: dict[str, str] | None = None) -> None:
        body = content.encode() if isinstance(content, str) else content
        policy = "; ".join(f"{name} {value}" for name, value in CSP.items())
        own = {"Content-Security-Policy": policy, "Content-Length": str(len(body))}
        self.send_response(status)
        for name, value in (own | (headers or {})).items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def drop(self) -> None:
        self.connection.shutdown(socket.SHUT_RDWR)

    def do_GET(self) -> None:
        path, script = urlsplit(self.path).path, self.script
        if path.startswith("/static/"):
            file = STATIC / path.removeprefix("/static/")
            self.reply(200, file.read_bytes(), {"Content-Type": KINDS[file.suffix]})
        elif script.away:
            self.drop()
        elif path == "/live/":
            self.stream()
        elif path == "/region/":
            tag = f'"{script.version}"'
            if self.headers["If-None-Match"] == tag:
                self.reply(304, headers={"ETag": tag})
            else:
                self.reply(
                    200, script.region(whole=script.whole), {"ETag": tag, "Content-Type": "text/html; charset=utf-8"}
                )
        elif path in DESKS:
            self.reply(200, script.desk(path), {"Content-Type": "text/html; charset=utf-8"})
        elif path == "/design/":
            page = design(RequestFactory().get(self.path))
            self.reply(200, page.content, {"Content-Type": "text/html; charset=utf-8"})
        else:
            self.reply(200, script.page(), {"Content-Type": "text/html; charset=utf-8"})

    def do_POST(self) -> None:
        sent = dict(parse_qsl(self.rfile.read(int(self.headers["Content-Length"])).decode()))
        if self.script.away:
            self.drop()
            return
        self.script.posts.append({**sent, "path": self.path, "accept": self.headers["Accept"]})
        self.script.noticed()
        self.reply(*self.script.answer)

    def stream(self) -> None:
        if self.script.streams_refused:
            self.reply(503)
            return
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.end_headers()
        frames: queue.Queue[bytes | None] = queue.Queue()
        self.script.streams.append(frames)
        self.script.noticed()
        frame: bytes | None = b"retry: 500\nevent: hello\ndata: {}\n\n"
        try:
            while frame is not None:
                self.wfile.write(frame)
                try:
                    frame = frames.get(timeout=0.2)
                except queue.Empty:
                    frame = b": still here\n\n"
        except OSError:
            pass  # the page has left
        finally:
            self.script.streams.remove(frames)
            self.script.noticed()


class Server(ThreadingHTTPServer):
    """A page that goes away in the middle of an answer is nothing to report."""

    daemon_threads = True

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Report only what is not the page's leaving."""
        if not isinstance(sys.exception(), OSError):
            super().handle_error(request, client_address)


S = TypeVar("S", bound=Script)


@contextmanager
def serving(script: S, handler: type[Handler] = Handler) -> Iterator[S]:
    """The server, on a free port, under a name that is no secure context, as a hall's network is none."""
    server = Server(("127.0.0.1", 0), type("Scripted", (handler,), {"script": script}))
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
    thread.start()
    script.address = f"http://hall.test:{server.server_port}"
    try:
        yield script
    finally:
        script.end_streams()
        server.shutdown()
        thread.join()
        server.server_close()
