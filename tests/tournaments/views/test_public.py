"""The public pages: each state in words, a place with its reason, a player to be found, a finish with its podium."""

from __future__ import annotations

import re
from datetime import date, timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from players.permissions import Refused
from tests.factories import NOW, make_account, make_entry, make_event, make_field, make_tournament, organiser
from tests.tournaments.play import better_seed_wins, count_up, draft, pairings, play_open, publish, report, start
from tournaments.actions import events, roster, rounds
from tournaments.actions.events import EventFacts
from tournaments.models import Tournament
from tournaments.permissions import first_organiser_token

pytestmark = pytest.mark.django_db


def page(tournament: Tournament, name: str = "tournament", **query: str) -> str:
    answer = Client().get(reverse(name, args=[tournament.pk]), query)
    assert answer.status_code == 200
    return plain(answer.content.decode())


def plain(html: str) -> str:
    """The page as a reader without JavaScript reads it: words alone, single spaces."""
    words = re.sub(r"<[^>]+>", " ", re.sub(r"</?(?:bdi|b|a)\b[^>]*>", "", html))
    return " ".join(words.split())


def headline(tournament: Tournament, name: str = "tournament") -> str:
    answer = Client().get(reverse(name, args=[tournament.pk])).content.decode()
    found = re.search(r"<h1>(.*?)</h1>", answer, re.DOTALL)
    assert found is not None
    return plain(found[1])


def swiss(size: int = 5, **facts: Any) -> Tournament:
    tournament = make_tournament(seeding="rating", **facts)
    make_field(size=size, tournament=tournament)
    return tournament


def finish(tournament: Tournament) -> None:
    done = rounds.finish_tournament(tournament_id=tournament.pk, by=organiser(of=tournament), now=NOW)
    assert not isinstance(done, Refused)
    count_up(tournament)


# --- the front page and the event


def test_the_front_page_sorts_events_by_when_they_are() -> None:
    today = timezone.now().date()
    for name, first in (("Past", -30), ("Now", 0), ("Later", 30), ("Sooner", 7)):
        event = make_event(name=name)
        facts = EventFacts(name, "", "UTC", today + timedelta(days=first), today + timedelta(days=first + 1))
        events.edit_event(event_id=event.pk, facts=facts, by=organiser(of=event), now=NOW)
    html = Client().get("/").content.decode()
    told = re.findall(r"<h2[^>]*>(.*?)</h2>|<h3><a[^>]*>(.*?)</a></h3>", html)
    assert ["".join(each) for each in told] == ["On now", "Now", "To come", "Sooner", "Later", "Past", "Past"]
    assert "Sign in" in html


def test_an_event_over_its_days_is_on_while_something_is_played() -> None:
    event = make_event(name="Long night")
    facts = EventFacts("Long night", "", "UTC", date(2020, 1, 1), date(2020, 1, 2))
    events.edit_event(event_id=event.pk, facts=facts, by=organiser(of=event), now=NOW)
    start_field(make_tournament(event=event))
    assert "On now 1–2 January 2020 1 tournament is being played Long night" in plain(
        Client().get("/").content.decode()
    )


def start_field(tournament: Tournament) -> None:
    make_field(size=4, tournament=tournament)
    start(tournament)


def test_without_any_event_the_front_page_says_so() -> None:
    assert "There is no event yet" in Client().get("/").content.decode()


def test_the_event_page_tells_each_tournaments_state() -> None:
    event = make_event()
    make_tournament(event=event, name="Open")
    start_field(make_tournament(event=event, name="Cup", format="single_elimination"))
    html = plain(Client().get(reverse("event", args=[event.pk])).content.decode())
    assert "22–23 May 2027 · Riga StarCon 2027" in html
    assert "Swiss · 0 players Taking entries Open The roster is open" in html
    assert "Single elimination · 4 players Being played Cup The semi-finals are being played" in html
    assert "4 players are in the bracket. No match of this round is finished yet." in html


def test_what_is_not_there_is_not_found() -> None:
    assert [Client().get(path).status_code for path in ("/events/9/", "/t/9/", "/t/9/standings/")] == [404] * 3


# --- the course of a tournament


def test_before_the_start_the_roster_shows_names_and_nothing_else() -> None:
    tournament = make_tournament()
    make_entry(tournament=tournament, name="Juhani", email="juhani@example.org", city="Helsinki", club="Taris")
    make_entry(tournament=tournament, name="Canderous", rating=1605)
    assert headline(tournament) == "The roster is open"
    html = page(tournament)
    assert "2 players Canderous Juhani About this tournament" in html
    assert not re.search("Helsinki|Taris|1605|example.org", html)
    roster.open_check_in(tournament_id=tournament.pk, by=organiser(of=tournament), now=NOW)
    assert headline(tournament) == "Check-in is open"


@pytest.mark.parametrize(
    ("by_themselves", "told"),
    [
        (True, "Say that you are here: on your own page, or at the entry desk."),
        (False, "Tell the entry desk that you are here."),
    ],
)
def test_while_check_in_is_open_it_says_where_players_say_that_they_are_here(by_themselves: bool, told: str) -> None:
    tournament = make_tournament(self_check_in=by_themselves)
    roster.open_check_in(tournament_id=tournament.pk, by=organiser(of=tournament), now=NOW)
    assert f"0 players are on the roster. {told}" in plain(page(tournament))


def test_a_swiss_from_its_first_round_to_its_champion() -> None:
    tournament = swiss(4)
    start(tournament)
    assert headline(tournament) == "Round 1 of 2 is being played"
    assert "No match of this round is finished yet." in page(tournament)
    first = pairings(tournament, 1)[0]
    report(first, better_seed_wins(first))
    html = page(tournament)
    assert "1 of 2 matches are finished." in html
    assert "1 result is not counted yet" in html
    count_up(tournament)
    html = page(tournament)
    assert re.search("Player 0[12] leads with 3 points.", html)
    assert "Round 1 so far: 1 of 2 results" in html
    assert "not counted" not in html
    play_open(tournament)
    assert headline(tournament) == "Round 1 of 2 is finished"
    assert "Round 2 comes next." in page(tournament)
    assert "Standings after round 1" in page(tournament)
    draft(tournament)
    publish(tournament)
    assert headline(tournament) == "Round 2 of 2 is being played"
    assert "lead with 3 points and meet now at table 1." in page(tournament)
    play_open(tournament)
    assert headline(tournament) == "Everything is played"
    finish(tournament)
    assert headline(tournament) == "Player 01 wins"
    html = page(tournament)
    assert "The podium 1 Player 01 Alone on 6 points." in html
    assert "Final standings" in html
    assert "4 players played 4 matches." in html


def test_every_place_has_its_reason() -> None:
    tournament = swiss(3, format="round_robin")
    start(tournament)
    sets = {("1", "2"): (3, 0), ("2", "3"): (3, 0), ("1", "3"): (2, 3)}
    for pairing in pairings(tournament):
        assert pairing.b is not None
        one, other = pairing.a.name[-1], pairing.b.name[-1]
        report(pairing, sets[one, other] if one < other else (sets[other, one][1], sets[other, one][0]))
    count_up(tournament)
    html = Client().get(reverse("tournament", args=[tournament.pk])).content.decode()
    assert [plain(each) for each in re.findall(r'<td role="cell" class="why">(.*?)</td>', html, re.DOTALL)] == [
        "Level with Player 02; ahead by the matches among those who are level.",
        "Level with Player 01; behind by the matches among those who are level.",
        "Level with Player 02; behind by the matches among those who are level.",
    ]


def test_every_column_opens_its_meaning() -> None:
    html = Client().get(reverse("tournament", args=[swiss_started().pk])).content.decode()
    titles = re.findall(r'popovertarget="([^"]+)">([^<]+)</button>', html)
    assert [title for _target, title in titles] == ["Points", "Won–lost", "Buchholz cut 1", "Buchholz", "Sets"]
    meanings = dict(re.findall(r'popover id="([^"]+)"><h3>[^<]+</h3>\s*<p>([^<]+)</p>', html))
    assert meanings["standings-points"] == "A win is worth 3, a loss 0. A bye gives 3 and no sets."
    assert all(meanings[target] for target, _title in titles)


def test_ties_are_told_of_where_there_can_be_any() -> None:
    tournament = swiss(4, allows_tie=True)
    start(tournament)
    report(pairings(tournament, 1)[0], (1, 1))
    count_up(tournament)
    html = page(tournament, "standings")
    assert "A win is worth 3, a tied match 1, a loss 0." in html
    assert "Won–tied–lost" in html
    assert "0–1–0" in html


def test_a_bye_stands_beside_the_matches_with_its_reason() -> None:
    tournament = swiss(5)
    start(tournament)
    play_open(tournament)
    assert "0–0 + bye" in page(tournament, "standings")
    assert "Bye: the lowest score of those with the fewest byes." in page(tournament, "pairings")


def test_a_shared_first_place_is_told_as_shared() -> None:
    tournament = make_tournament(format="round_robin", seeding="rating", tiebreaks=())
    make_field(size=3, tournament=tournament)
    start(tournament)
    for pairing in pairings(tournament):
        first = int(pairing.a.name[-1])
        second = int(pairing.b.name[-1]) if pairing.b else 0
        report(pairing, (3, 1) if (second - first) % 3 == 1 else (1, 3))
    count_up(tournament)
    finish(tournament)
    assert headline(tournament) == "Player 01, Player 02 and Player 03 share first place"
    html = page(tournament)
    assert html.count("Shared place. Shares the place with") == 3
    assert not re.search("Second is|Third is", html)


def test_a_cup_names_second_and_both_thirds() -> None:
    tournament = swiss(8, format="single_elimination")
    start(tournament)
    assert headline(tournament) == "The quarter-finals are being played"
    for _round in range(3):
        play_open(tournament)
    finish(tournament)
    assert headline(tournament, "bracket") == "Player 01 wins"
    html = page(tournament)
    assert "Second is Player 02. Third place is shared by Player 03 and Player 04." in html
    assert "3 Player 03 Shared place. Out in the semi-finals." in html
    assert "Won the final against Player 02, 3–1." in html


def test_who_is_still_in_has_no_place_yet() -> None:
    tournament = swiss(4, format="single_elimination")
    start(tournament)
    report(pairings(tournament, 1)[0], (3, 0))
    count_up(tournament)
    html = page(tournament)
    assert "Semi-finals so far: 1 of 2 results" in html
    assert "– Player 01 1–0 3–0 Still in." in html
    assert "3 Player 04 0–1 0–3 Out in the semi-finals." in html
    assert "Now at table 2 against Player 03. Still in." in page(tournament, q="02")


def test_a_cup_with_a_match_for_third_place() -> None:
    tournament = swiss(4, format="single_elimination", options={"third_place": True})
    start(tournament)
    play_open(tournament)
    tree = page(tournament, "bracket")
    assert "Match for third place" in tree
    assert "Waits Winner" not in tree
    play_open(tournament)
    finish(tournament)
    assert "Second is Player 02. Third is Player 03." in page(tournament)


# --- finding somebody


def test_a_player_is_found_by_part_of_a_name_in_any_letter_case() -> None:
    tournament = make_tournament()
    for name in ("Тень Дантуина", "Juhani", "Mission", "Canderous"):
        make_entry(tournament=tournament, name=name, here=True)
    assert "Juhani" in page(tournament, q="JUH")
    start(tournament)
    html = Client().get(reverse("tournament", args=[tournament.pk]), {"q": "дАНТ"}).content.decode()
    assert 'class="me"' in html
    assert re.search(r"Тень Дантуина Now at table \d against \w+\. Place 1\.", plain(html))
    assert "Nobody here is called “Revan”." in page(tournament, q="Revan")


def test_the_search_goes_on_in_the_regions_that_are_asked_for_later() -> None:
    tournament = swiss(4)
    start(tournament)
    address = reverse("tournament", args=[tournament.pk])
    html = Client().get(address, {"q": "Player 03"}).content.decode()
    assert f'data-src="{address}?part=standings&amp;q=Player+03"' in html
    part = Client().get(f"{address}?part=standings&q=Player+03").content.decode()
    assert part.count('class="me"') == 1


# --- pairings


def test_pairings_by_table_and_by_name() -> None:
    tournament = make_tournament(seeding="rating", first_table=11, options={"first_round": "slide"})
    make_field(size=5, tournament=tournament)
    start(tournament)
    assert re.search(
        r"Table First turn Result Second turn 11 Player 0[13] open Player 0[13]", page(tournament, "pairings")
    )
    html = page(tournament, "pairings", by="name")
    assert "Find your table Player 01 against Player 03 Table 11" in html
    assert "Player 05 Bye: the lowest score of those with the fewest byes. bye" in html


def test_each_published_round_has_its_address() -> None:
    tournament = swiss(4)
    start(tournament)
    play_open(tournament)
    draft(tournament)
    address = reverse("pairings", args=[tournament.pk])
    asked = [Client().get(address, {"round": number}).status_code for number in ("1", "2", "9", "x", "-1", "1" * 30)]
    assert asked == [200, 404, 404, 404, 404, 404]
    assert headline(tournament, "pairings") == "Round 1"
    publish(tournament)
    assert headline(tournament, "pairings") == "Round 2"


# --- everybody against everybody


def test_where_all_meet_the_standings_have_everybody_against_everybody() -> None:
    tournament = swiss(3, format="round_robin")
    start(tournament)
    report(pairings(tournament, 1)[0], (3, 2))
    count_up(tournament)
    html = page(tournament, "standings")
    assert "Everybody against everybody" in html
    assert "3–2" in html
    assert "2–3" in html
    assert "Everybody against everybody" not in page(swiss_started(), "standings")


def swiss_started() -> Tournament:
    tournament = swiss(4)
    start(tournament)
    return tournament


# --- the same words everywhere


@pytest.mark.parametrize(
    ("size", "names"),
    [
        (32, ["Round of 32", "Round of 16", "Quarter-finals", "Semi-finals", "Final"]),
        (64, ["Round of 64", "Round of 32", "Round of 16", "Quarter-finals", "Semi-finals", "Final"]),
    ],
)
def test_se_08_a_round_of_a_cup_is_called_the_same_on_every_page(size: int, names: list[str]) -> None:
    tournament = swiss(size, format="single_elimination")
    start(tournament)
    play_open(tournament)
    tree = Client().get(reverse("bracket", args=[tournament.pk])).content.decode()
    assert re.findall(r'name="bracket"[^>]*>(.*?)</label>', tree) == names
    listed = Client().get(reverse("bracket", args=[tournament.pk]), {"view": "list"}).content.decode()
    assert re.findall(r"<h3>(.*?)</h3>", listed) == names
    steps = re.findall(r"<li[^>]*>([^<]*)</li>", tree[tree.index('class="progress"') :])
    assert steps[: len(names) + 3] == ["Roster", "Check-in", *names, "Champion"]
    assert headline(tournament, "pairings") == names[1]
    assert f"{names[1]}: find your table" in page(tournament, "hall")
    assert f"{names[1]}, being played since" in page(tournament)


def test_the_bracket_is_there_for_brackets_alone() -> None:
    cup = swiss(5, format="single_elimination")
    assert "The bracket is not published yet" in page(cup, "bracket")
    start(cup)
    html = page(cup, "bracket", view="list")
    assert "Player 01 – Bye" in html
    assert "Player 01 (bye) – Winner of match 2 Match 5: Waits" in html
    assert Client().get(reverse("bracket", args=[swiss(4).pk])).status_code == 404


def test_the_hall_screen_shows_everybodys_table_and_in_the_end_the_podium() -> None:
    tournament = swiss(3)
    assert headline(tournament, "hall") == "The roster is open"
    start(tournament)
    assert headline(tournament, "hall") == "Round 1: find your table"
    assert re.search(r"Player 01 table 1 Player 02 table 1 Player 03 bye", page(tournament, "hall"))
    play_open(tournament)
    assert headline(tournament, "hall") == "Round 1 of 2 is finished"


# --- the first organiser


def test_the_first_organisers_link_works_until_there_is_an_account() -> None:
    address = reverse("welcome", args=[first_organiser_token()])
    assert Client().get(reverse("welcome", args=["x" * 32])).status_code == 404
    assert Client().get(address).status_code == 200
    client = Client()
    answer = client.post(address, {"name": "", "email": "Revan@Example.org", "password": "twenty-is-the-limit"})
    assert (answer.status_code, answer["Location"]) == (302, reverse("desk"))
    assert Client().get(address).status_code == 404


def test_an_organiser_finds_the_way_to_the_desk_and_nobody_else_does() -> None:
    tournament = swiss_started()
    address, desk = reverse("tournament", args=[tournament.pk]), reverse("tournament_desk", args=[tournament.pk])
    owner, other = Client(), Client()
    owner.force_login(tournament.event.owner)
    other.force_login(make_account())
    assert [desk in client.get(address).content.decode() for client in (owner, other, Client())] == [True, False, False]


def test_who_has_left_keeps_the_place_and_is_marked() -> None:
    tournament = swiss_started()
    entry = tournament.entries.get(name="Player 03")
    left = rounds.withdraw_entry(entry_id=entry.pk, by=organiser(of=tournament), now=NOW)
    assert not isinstance(left, Refused)
    count_up(tournament)
    assert re.search(r"Player 03 0 0–0 [^.]*\. Has left the tournament\.", page(tournament, "standings"))
