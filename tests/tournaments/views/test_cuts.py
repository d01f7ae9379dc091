"""Playing on, as pages and the API tell it: who is certain, a table for each group, byes by name."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from tests.factories import NOW, make_field, make_tournament, organiser
from tests.tournaments.play import better_seed_wins, count_up, meetings, pairings, play_open, report, start
from tests.tournaments.views.desk import desk_of, page_text, running, said, stranger
from tournaments.actions import cuts, rounds
from tournaments.models import Tournament

pytestmark = pytest.mark.django_db


def grouped(size: int = 8, **facts: Any) -> Tournament:
    """Two groups, the best two of each play on; every match but the last one is played."""
    tournament = running(size, format="groups", options={"groups": 2}, cut=2, **facts)
    for pairing in pairings(tournament)[:-1]:
        report(pairing, better_seed_wins(pairing))
    count_up(tournament)
    return tournament


def finished(tournament: Tournament) -> Tournament:
    play_open(tournament)
    rounds.finish_tournament(tournament_id=tournament.pk, by=organiser(of=tournament), now=NOW)
    count_up(tournament)
    return tournament


def text_at(name: str, tournament: Tournament, query: str = "", client: Client | None = None) -> str:
    answer = (client or Client()).get(reverse(name, args=[tournament.pk]) + query)
    assert answer.status_code == 200
    return page_text(answer)


def asked(tournament: Tournament, path: str) -> Any:
    return Client().get(f"/api/tournaments/{tournament.pk}/{path}/").json()


@pytest.mark.parametrize(
    ("name", "query"), [("standings", ""), ("tournament", ""), ("hall", "?show=standings"), ("desk_standings", "")]
)
def test_each_group_has_a_table_and_says_who_is_certain(name: str, query: str) -> None:
    tournament = grouped()
    text = text_at(name, tournament, query, desk_of(tournament))
    assert re.search(r"Group A .*Player 01 ?,? certain to play on.*Group B .*Player 02 ?,? may play on", text)
    assert re.search(r"Player 08 ?,? out", text)
    if name != "hall":
        assert "Results incomplete The best 2 of each group play on." in text
    done = text_at(name, finished(tournament), query, desk_of(tournament))
    assert re.search(r"Player 01 ?,? plays on", done)
    assert "certain" not in done
    assert "incomplete" not in done


def test_the_desk_shows_the_names_it_knows_and_only_to_organisers() -> None:
    tournament = grouped()
    tournament.entries.filter(name="Player 01").update(is_shown=False)
    assert "Player 01" not in text_at("standings", tournament)
    assert "Player 01" in text_at("desk_standings", tournament, "", desk_of(tournament))
    assert stranger().get(reverse("desk_standings", args=[tournament.pk])).status_code == 404
    address = reverse("desk_standings", args=[tournament.pk]) + "?part=standings"
    answer = desk_of(tournament).get(address)
    again = desk_of(tournament).get(address, headers={"If-None-Match": answer["ETag"]})
    assert (answer.status_code, again.status_code) == (200, 304)


def test_queries_do_not_grow_with_players_or_groups() -> None:
    counts = []
    for size in (6, 20):
        tournament = grouped(size)
        with CaptureQueriesContext(
            connection,
        ) as seen:
            text_at("standings", tournament)
        counts.append(len(seen))
    assert counts[0] == counts[1]


def test_the_api_tells_group_place_and_prospect() -> None:
    tournament = grouped()
    rows = asked(tournament, "standings")["results"]
    first, last = rows[0], rows[-1]
    assert (first["group"], first["place"], first["prospect"]) == ("A", 1, "certain")
    assert {row["prospect"] for row in rows} <= {"certain", "possible", "out"}
    assert (last["place"], last["prospect"]) == (4, "out")
    assert Client().get(f"/api/tournaments/{tournament.pk}/").json()["cut"] == 2
    plain = asked(running(4), "standings")["results"][0]
    assert (plain["group"], plain["place"], plain["prospect"]) == (None, None, "")


def test_the_api_tells_the_part_of_a_bracket() -> None:
    parts = [column["part"] for column in asked(running(4, format="double_elimination"), "bracket")["rounds"]]
    assert sorted(set(parts)) == ["final", "losers", "winners"]
    assert {column["part"] for column in asked(running(4, format="single_elimination"), "bracket")["rounds"]} == {""}


def cup_of_six() -> Tournament:
    """The best three of each of two groups, drawn."""
    source = finished(grouped(10))
    cup = cuts.play_on(tournament_id=source.pk, best=3, name="Cup", by=organiser(of=source), now=NOW)
    assert isinstance(cup, Tournament)
    start(cup)
    return cup


def test_gp_06_seeds_with_a_bye_stand_by_name_in_the_second_round() -> None:
    cup = cup_of_six()
    first, second = cup.entries.get(seed=1).name, cup.entries.get(seed=2).name
    text = text_at("bracket", cup, "?view=list")
    assert f"{first} (bye) – Winner of match 2" in text
    assert f"{second} (bye) – Winner of match 4" in text
    tree = text_at("bracket", cup)
    assert f"{first} bye Winner of match 2" in tree
    columns = asked(cup, "bracket")["rounds"]
    sides = [match["a"] for match in columns[1]["matches"]]
    assert [(side["entry"]["name"], side["bye"]) for side in sides] == [(first, True), (second, True)]
    assert [match["b"]["bye"] for match in columns[1]["matches"]] == [False, False]


def test_gp_06_qualifiers_are_in_the_order_of_the_standings() -> None:
    source = finished(grouped(10))
    rows = source.stages.get().standings.select_related("entry").order_by("order")
    order = [row.entry.name for row in rows if (row.place or 9) <= 3]
    page = desk_of(source).post(reverse("play_on", args=[source.pk]), {"best": 3, "look": "on"})
    shown = re.findall(r'id="seeded-\d+".*?<bdi[^>]*>(.*?)</bdi>', page.content.decode(), re.DOTALL)
    assert page.status_code == 200
    assert [sorted(shown[tier : tier + 2]) for tier in (0, 2, 4)] == [sorted(order[t : t + 2]) for t in (0, 2, 4)]
    assert shown[:2] == order[:2]
    assert source.event.tournaments.count() == 1


def test_the_desk_shows_by_name_who_is_level_at_the_line() -> None:
    tournament = running(4, format="swiss", options={"rounds": 1}, tiebreaks=(), cut=3)
    finished(tournament)
    client, address = desk_of(tournament), reverse("play_on", args=[tournament.pk])
    text = page_text(client.get(address))
    assert "A place at the line is shared" in text
    assert re.search(r"Player 03 Place 3 Player 04 Place 3", text)
    refused = client.post(address, {"name": "Cup", "best": 3})
    assert (refused.status_code, len(said(refused))) == (409, 1)
    assert client.post(address, {"name": "Cup", "best": 3, "accept_tie": "on"}).status_code == 302
    assert client.post(address, {"name": "", "best": 3}).status_code == 400
    assert client.post(address, {"name": "Cup", "best": ""}).status_code == 400


def test_of_groups_one_each_may_play_on() -> None:
    source = finished(grouped())
    answer = desk_of(source).post(reverse("play_on", args=[source.pk]), {"name": "Final", "best": 1})
    cup = source.event.tournaments.get(name="Final")
    assert (answer.status_code, cup.entries.count()) == (302, 2)
    start(cup)
    assert {*meetings(cup, 1)[0]} == {"Player 01", "Player 02"}


def test_the_size_of_the_cut_is_a_setting_that_can_change_any_time() -> None:
    tournament = running(4)
    client, address = desk_of(tournament), reverse("tournament_settings", args=[tournament.pk])
    assert "The best … go on" in page_text(client.get(address))
    assert client.post(address, {"name": "Main", "cut": "2"}).status_code == 302
    count_up(tournament)
    assert {row["prospect"] for row in asked(tournament, "standings")["results"]} == {"possible"}
    assert client.post(address, {"name": "Main", "cut": "0"}).status_code == 400


def test_a_losers_bracket_that_lacks_matches_keeps_its_lines_straight() -> None:
    tournament = make_tournament(format="double_elimination", seeding="rating")
    make_field(size=9, tournament=tournament)
    start(tournament)
    html = Client().get(reverse("bracket", args=[tournament.pk])).content.decode()
    losers = html[html.index("Losers’ round 1") : html.index("Losers’ round 2")]
    assert losers.count("<li></li>") == 1
    assert losers.count("<article") == 1
