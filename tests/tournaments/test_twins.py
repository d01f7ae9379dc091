"""What there can be only one of: the database itself refuses its twin, whoever is second and however fast."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.db import IntegrityError, models, transaction

from matches.models import Submission
from players.models import Account, Passkey, Player
from tests.factories import NOW, make_entry, make_tournament, organiser
from tests.tournaments.play import pairings, play_open, stage_of, start
from tournaments.actions import roster
from tournaments.models import (
    ApiToken,
    Entry,
    FirstAnswer,
    HallPlan,
    Membership,
    Notice,
    Opening,
    Pairing,
    PlanSearch,
    RefereeCall,
    Room,
    RosterImport,
    Round,
    RoundTime,
    Slot,
    Stage,
    Standing,
    Table,
    TableUse,
    Tournament,
)

pytestmark = [pytest.mark.db, pytest.mark.django_db]


@pytest.fixture
def played() -> Tournament:
    """A tournament with one of everything that can be only once."""
    tournament = make_tournament()
    for name in ("ann", "bo"):
        make_entry(tournament=tournament, name=name, email=f"{name}@example.org", here=True)
    start(tournament)
    play_open(tournament)
    Notice.objects.create(entry=Entry.objects.all()[0], kind="pairing", key="pairing/of-this-story", created_at=NOW)
    FirstAnswer.objects.create(caller="token/1", key="k", digest="d", status=200, body=b"", created_at=NOW)
    ApiToken.objects.create(account=tournament.event.owner, name="board", digest="d" * 64, hint="dddd", created_at=NOW)
    in_hall(tournament)
    Passkey.objects.create(
        account=tournament.event.owner,
        key="k" * 43,
        credential=b"p",
        host="cantina.example",
        name="phone",
        created_at=NOW,
    )
    return tournament


def in_hall(tournament: Tournament) -> None:
    """What its hall can have only once: a table of a number, a match at it, a plan, a slot of a match."""
    event, stage, later = tournament.event, stage_of(tournament), NOW + timedelta(hours=1)
    Room.objects.create(event=event, name="Cellar")
    Table.objects.create(event=event, number=7)
    TableUse.objects.create(event=event, number=7, pairing=Pairing.objects.all()[0])
    RefereeCall.objects.create(event=event, table=7, called_at=NOW)
    Opening.objects.create(event=event, opens_at=NOW, closes_at=later)
    RoundTime.objects.create(stage=stage, number=1, starts_at=NOW)
    PlanSearch.objects.create(event=event, seconds=10, asked_at=NOW)
    HallPlan.objects.get_or_create(event=event)
    Slot.objects.get_or_create(stage=stage, round=1, number=1, defaults={"changed_at": NOW})


ONLY_ONCE: tuple[type[models.Model], ...] = (
    *(Account, Player, Membership, ApiToken, FirstAnswer, Notice),
    *(Entry, Stage, Round, Pairing, Standing, Submission, Passkey),
    *(Room, Table, TableUse, RefereeCall, Opening, RoundTime, HallPlan, Slot, PlanSearch),
)


@pytest.mark.parametrize("model", ONLY_ONCE, ids=lambda model: model.__name__)
def test_bj_10_a_twin_is_refused_by_the_database(played: Tournament, model: type[models.Model]) -> None:
    one = model._default_manager.order_by("-pk")[0]
    before = model._default_manager.count()
    one.pk = None
    with pytest.raises(IntegrityError), transaction.atomic():
        one.save(force_insert=True)
    assert model._default_manager.count() == before


def test_bj_10_who_comes_second_gets_what_the_first_has_made(played: Tournament) -> None:
    by = organiser(of=played)
    other = make_tournament(event=played.event, name="Other")
    rows = [{"line": 2, "name": "Ann", "email": "ann@example.org", "city": "", "club": "", "rating": None}]
    kept = [
        roster.prepare_import(
            tournament_id=other.pk, filename="a.csv", rows=rows, problems=[], source={}, by=by, now=NOW
        )
        for _ in range(2)
    ]
    for each in kept:
        assert isinstance(each, RosterImport)
        roster.confirm_import(import_id=each.pk, by=by, now=NOW)
    assert other.entries.count() == 1
    assert other.entries.get().player == Player.objects.get(email="ann@example.org")
    assert len(pairings(played)) == 1
