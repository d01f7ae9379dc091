"""Makes a Swiss in its seventh round beside a copy that runs on the same data: `python -m bench.field 128` says its id.

Results go in by the actions themselves, so that nobody waits for a thousand requests.
"""

import json
import logging
import random
import sys
from pathlib import Path

import django

ROUND = 7


def main(size: int) -> int:
    """The tournament's id; it belongs to the organiser of the demo."""
    # Django has to be set up before anything of ours is imported.
    from django.conf import settings

    from players.models import Account
    from tests.factories import make_event, make_field, make_tournament
    from tests.tournaments.play import draft, play_open, publish, start

    logging.disable(logging.WARNING)  # we speak to no Redis: the copy's own sweep counts what is left to count
    demo = Path(settings.DATA) / "demo.json"
    owner = Account.objects.get(email=json.loads(demo.read_text())["organiser"]["email"])
    tournament = make_tournament(event=make_event(owner=owner), name=f"{size} players", seeding="rating")
    make_field(size=size, tournament=tournament)
    rng = random.Random(size)
    start(tournament)
    for _ in range(1, ROUND):
        play_open(tournament, lambda _pairing: rng.choice(((3, 0), (3, 1), (3, 2), (2, 3), (1, 3), (0, 3))))
        draft(tournament)
        publish(tournament)
    return tournament.pk


if __name__ == "__main__":
    django.setup()
    print(main(int(sys.argv[1])))
