"""Counts the statements of one result: `python -m bench.queries 7` says those until it is answered and until it counts.

It works beside a copy that runs on the same data, and tells the API a result of the tournament that is still open.
"""

import json
import logging
import sys
from pathlib import Path

import django


def main(tournament: int) -> tuple[int, int]:
    """How many. The rows of the standings count as one, for SQLite takes them by the sixty."""
    # Django has to be set up before anything of ours is imported.
    from django.conf import settings
    from django.db import connection
    from django.test import Client
    from django.test.utils import CaptureQueriesContext
    from django.utils import timezone

    from tournaments.actions.standings import refresh
    from tournaments.models import Pairing

    logging.disable(logging.WARNING)  # we speak to no Redis
    demo = json.loads((Path(settings.DATA) / "demo.json").read_text())
    caller = Client(SERVER_NAME="127.0.0.1", headers={"Authorization": f"Bearer {demo['organiser']['token']}"})
    pairing = Pairing.objects.filter(round__stage__tournament=tournament, match__kind="").earliest("pk")
    path = f"/api/tournaments/{tournament}/matches/{pairing.match_id}/result/"
    body = {"kind": "score", "sets": [3, 1], "version": 0}
    with CaptureQueriesContext(connection) as told:
        answer = caller.put(
            path, body, "application/json", headers={"Idempotency-Key": f"the-queries-of-match-{pairing.match_id}"}
        )
    if answer.status_code != 200:
        raise RuntimeError(f"{answer.status_code}: {answer.content.decode()}")
    with CaptureQueriesContext(connection) as counted:
        refresh(stage_id=pairing.round.stage_id, now=timezone.now())
    batches = sum('INSERT INTO "tournaments_standing"' in query["sql"] for query in counted)
    return len(told), len(counted) - batches + 1


if __name__ == "__main__":
    django.setup()
    print(*main(int(sys.argv[1])))
