"""The log of an event: each act beside what it was done to."""

from __future__ import annotations

import pytest

from tests.factories import make_event, make_field, make_tournament
from tests.tournaments.play import pairings, report, start
from tournaments.queries.desk import log_of
from tournaments.queries.log import log_lines

pytestmark = pytest.mark.django_db


def test_a_result_is_told_with_its_tournament_whoever_entered_it() -> None:
    event = make_event()
    for name in ("Main", "Side"):
        tournament = make_tournament(event=event, name=name)
        make_field(size=2, tournament=tournament)
        start(tournament)
        report(pairings(tournament, 1)[0], (3, 1))
    acts = list(log_of(event=event).filter(verb="enter_result"))
    assert [act.tournament for act in acts] == [None, None]  # an organiser is bound to the event alone
    told = [line.tournament.name for line in log_lines(event=event, acts=acts) if line.tournament is not None]
    assert told == ["Side", "Main"]
