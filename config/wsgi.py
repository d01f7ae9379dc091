"""The door for pages and API."""

import gc
import os
import sys
from collections.abc import Mapping
from typing import Any

from django.core.handlers.wsgi import WSGIRequest
from django.core.wsgi import get_wsgi_application
from django.db import connection
from django.urls import resolve
from django.utils.http import parse_header_parameters

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

# REST framework reads PostgreSQL's driver wherever it is installed: ten megabytes for nothing beside SQLite. So while
# everything is loaded there is none, in Python's own way to say so.
hides_driver = connection.vendor == "sqlite" and "psycopg" not in sys.modules
if hides_driver:
    sys.modules["psycopg"] = None  # type: ignore[assignment]


class Utf8Request(WSGIRequest):
    """A request that is read as UTF-8, whatever it says it is written in.

    Django would follow it: some of Python's encodings are none of text, which ends the request before any handler of
    errors is there, and some give back characters that no database and no page can hold. A form that says so is refused
    by `config.unreadable.only_utf8`.
    """

    def _set_content_type_params(self, meta: Mapping[str, Any]) -> None:
        self.content_type, self.content_params = parse_header_parameters(meta.get("CONTENT_TYPE", ""))


application = get_wsgi_application()
application.request_class = Utf8Request

# Everything is read before the first request; and what is there by now stays for good, so the collector need not look
# through all of it after every big page, which was a third of the page's time.
resolve("/")
if hides_driver:
    del sys.modules["psycopg"]
gc.collect()
gc.freeze()
