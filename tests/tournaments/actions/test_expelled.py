"""Players who are expelled, and matches nobody played: what stands, what counts, what travels."""

from __future__ import annotations

import pytest

from matches.actions import FORFEIT, Report, submit_result
from players.permissions import Refused
from tests.factories import NOW, organiser
from tests.tournaments.actions.running import does, entry, nobody_came, started
from tests.tournaments.play import count_up, draft, pairings, play_open, publish, report, stage_of, table
from tournaments.actions.results import clear_result
from tournaments.actions.rounds import disqualify_entry, reinstate_entry, withdraw_entry
from tournaments.engine.formats import FORMATS
from tournaments.engine.interchange import read_json, write_json
from tournaments.engine.interchange.document import Document, Person
from tournaments.engine.snapshot import ResultKind
from tournaments.models import Standing, Tournament
from tournaments.queries.snapshots import take_snapshot

pytestmark = pytest.mark.django_db


def next_round(tournament: Tournament) -> None:
    draft(tournament)
    publish(tournament)


def test_ff_04_who_is_expelled_is_in_no_place_and_in_no_further_round_and_what_was_played_stands() -> None:
    tournament = started(6, options={"rounds": 5})
    for number in range(1, 5):
        play_open(tournament)
        if number < 4:
            next_round(tournament)
    assert table(tournament)[0][1] == "Player 01"
    before = {name: scored for _, name, scored in table(tournament)}
    played = [(p.round.number, p.a_id, p.b_id, p.match.winner if p.match else "") for p in pairings(tournament)]
    met = {frozenset((p.a_id, p.b_id)) for p in pairings(tournament)}
    does(tournament, disqualify_entry, entry_id=entry(tournament, 1).pk, why="Marked cards")
    after = table(tournament)
    assert after[-1] == (6, "Player 01", 12)
    assert {name: scored for _, name, scored in after} == before
    assert Standing.objects.get(entry__seed=1).reason == ["disqualified", {}]
    assert [(p.round.number, p.a_id, p.b_id, p.match.winner if p.match else "") for p in pairings(tournament)] == played
    next_round(tournament)
    named = {side for p in pairings(tournament, 5) for side in (p.a_id, p.b_id)}
    assert entry(tournament, 1).pk not in named
    meets_anew = {frozenset((p.a_id, p.b_id)) for p in pairings(tournament, 5) if p.b_id is not None}
    assert not meets_anew & met  # those who met are still known to have met


def test_ff_04_reinstated_the_player_has_the_place_again() -> None:
    tournament = started(6, options={"rounds": 5})
    play_open(tournament)
    before = table(tournament)
    gone = entry(tournament, 1)
    does(tournament, disqualify_entry, entry_id=gone.pk)
    draft(tournament)
    assert gone.pk not in {side for p in pairings(tournament, 2) for side in (p.a_id, p.b_id)}
    does(tournament, reinstate_entry, entry_id=gone.pk)
    assert table(tournament) == before
    assert gone.pk in {side for p in pairings(tournament, 2) for side in (p.a_id, p.b_id)}


@pytest.mark.parametrize("key", [each.key for each in FORMATS])
def test_in_every_format_who_is_expelled_comes_after_everybody_else(key: str) -> None:
    tournament = started(4, format=key)
    play_open(tournament)
    does(tournament, disqualify_entry, entry_id=entry(tournament, 1).pk)
    assert table(tournament)[-1][1] == "Player 01"
    assert Standing.objects.get(entry__seed=1).reason[0] in ("disqualified", "annulled")


def test_each_of_it_is_done_once() -> None:
    tournament = started(4)
    about = entry(tournament, 1)
    assert does(tournament, reinstate_entry, entry_id=about.pk) == Refused("not_disqualified")
    does(tournament, withdraw_entry, entry_id=about.pk)
    assert does(tournament, disqualify_entry, entry_id=about.pk).status == "disqualified"
    assert does(tournament, disqualify_entry, entry_id=about.pk) == Refused("already_disqualified")
    assert does(tournament, withdraw_entry, entry_id=about.pk) == Refused("already_withdrawn")
    unknown = Refused("entry_unknown", {"entry": 0}, status=404)
    assert does(tournament, disqualify_entry, entry_id=0) == unknown
    assert does(tournament, reinstate_entry, entry_id=0) == unknown


def test_ff_01_a_forfeit_is_a_fact_of_its_own_and_travels_as_one() -> None:
    tournament = started(8, options={"rounds": 3})
    forfeit, cleared, normal, absent = pairings(tournament, 1)
    by = organiser(of=tournament)
    assert forfeit.match is not None
    assert cleared.match is not None
    given_up = Report(FORFEIT, sets=(1, 0), winner="a")
    submit_result(match_id=forfeit.match.pk, report=given_up, by=by, key="given-up", expected_version=0, now=NOW)
    report(cleared, (3, 1))
    clear_result(match_id=cleared.match.pk, by=by, expected_version=1, now=NOW)
    report(normal, (3, 0))
    nobody_came(absent)
    count_up(tournament)
    stage = take_snapshot(stage=stage_of(tournament))
    kinds = [pairing.result.kind if pairing.result else None for pairing in stage.rounds[1]]
    assert kinds == [ResultKind.FORFEIT, None, ResultKind.SCORE, ResultKind.DOUBLE_NO_SHOW]
    people = {each.pk: Person(each.name, each.rating) for each in tournament.entries.all()}
    document = Document("Main", "swiss", ("buchholz",), stage, people, ruleset=tournament.ruleset)
    text = write_json(document)
    assert read_json(text) == document
    assert write_json(document) == text
    assert '"result": {"kind": "forfeit"' in text
    won = {row.entry_id: (row.wins, row.losses) for row in Standing.objects.filter(stage__tournament=tournament)}
    assert (won[forfeit.a_id], won[cleared.a_id], won[absent.a_id]) == ((1, 0), (0, 0), (0, 1))
