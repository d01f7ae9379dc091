"""What is the same for a whole hall is written by one reader; the others wait for it."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from uuid import uuid4

from django.test import RequestFactory

from tournaments.views import live

READERS = 40


def test_pf_03_of_many_readers_who_come_at_once_one_writes_the_page() -> None:
    together, written, key = Barrier(READERS), [], f"answer:{uuid4()}"

    def write() -> str:
        written.append(1)
        return "<p>Standings</p>"

    def read(_number: int) -> bytes:
        together.wait(timeout=30)
        return live._shared(RequestFactory().get("/"), key, write).content

    with ThreadPoolExecutor(READERS) as hall:
        answers = list(hall.map(read, range(READERS)))
    assert answers == [b"<p>Standings</p>"] * READERS
    assert len(written) == 1
