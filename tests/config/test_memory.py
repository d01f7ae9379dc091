"""What web and worker do not read at their start: libraries that few of them ever need, and that none gives back."""

import os
import subprocess
import sys

import pytest

SELDOM = {"openpyxl", "numpy", "fido2", "segno", "icalendar"}  # workbooks, passkeys, QR codes, calendars
WEB = "import config.wsgi"
WORKER = "from config.celery import app; app.loader.import_default_modules()"


@pytest.mark.parametrize(
    ("start", "unread"),
    [
        (WEB, SELDOM | {"psycopg"}),
        (WORKER, SELDOM | {"psycopg", "cryptography.fernet", "rest_framework.views", "tournaments.urls"}),
    ],
    ids=["web", "worker"],
)
def test_what_is_seldom_needed_is_read_when_it_is(start: str, unread: set[str], tmp_path: object) -> None:
    said = subprocess.run(
        [
            sys.executable,
            "-W",
            "ignore",
            "-c",
            f"{start}; import sys; print(*(name for name, module in sys.modules.items() if module))",
        ],
        env=os.environ
        | {"DATA": str(tmp_path), "DATABASE_URL": "", "DJANGO_SETTINGS_MODULE": "config.settings"}
        | {"CELERY_SKIP_CHECKS": "1"},
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    ).stdout
    read = set(said.split())
    assert {"tournaments.models", "celery"} <= read
    assert read & unread == set()
