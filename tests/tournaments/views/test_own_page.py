"""A player's own page: what it says in every state, what can be done there, and that it is nobody else's."""

from __future__ import annotations

import re
from datetime import timedelta
from html import unescape
from typing import Any

import pytest
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse

from matches.actions import WALKOVER, Report, submit_result
from players.models import Act
from players.permissions import Role
from tests.factories import NOW, make_entry, make_event, make_field, make_tournament, organiser
from tests.tournaments.play import count_up, draft, pairings, play_open, publish, report, start
from tests.tournaments.views.referee import link_for
from tournaments.actions import registration, roster, rounds
from tournaments.models import Entry, Pairing, StaffLink, Standing, Tournament
from tournaments.permissions import entry_token, link_token
from tournaments.views.helper import COOKIE

pytestmark = pytest.mark.django_db


def token(entry: Entry) -> str:
    return entry_token(Entry.objects.get(pk=entry.pk))


def visit(entry: Entry, *, client: Client | None = None, **query: str) -> HttpResponse:
    answer = (client or Client()).get(reverse("own_page", args=[token(entry)]), query)
    assert isinstance(answer, HttpResponse)
    return answer


def words(answer: HttpResponse) -> str:
    """The text of a page, tags and doubled spaces gone."""
    assert answer.status_code == 200
    main = answer.content.decode().partition("<main")[2].partition("</main>")[0]
    return re.sub(r"\s+", " ", unescape(re.sub(r"<template.*?</template>|<[^>]+>", " ", main, flags=re.DOTALL))).strip()


def headline(entry: Entry) -> str:
    found = re.search(r"<h1>(.*?)</h1>", visit(entry).content.decode(), re.DOTALL)
    assert found is not None
    return unescape(re.sub(r"<[^>]+>", "", found[1])).strip()


def do(act: str, entry: Entry, *args: int, client: Client | None = None, **fields: str) -> HttpResponse:
    answer = (client or Client(enforce_csrf_checks=True)).post(reverse(act, args=[token(entry), *args]), fields)
    assert isinstance(answer, HttpResponse)
    return answer


def open_check_in(tournament: Tournament) -> None:
    roster.open_check_in(tournament_id=tournament.pk, by=organiser(of=tournament), now=NOW)


def running(size: int = 4, **facts: Any) -> tuple[Tournament, list[Entry]]:
    tournament = make_tournament(seeding="rating", **facts)
    entries = make_field(size=size, tournament=tournament)
    start(tournament)
    return tournament, entries


def test_before_the_start_it_says_where_the_player_stands() -> None:
    tournament = make_tournament(registration=True, capacity=2)
    ann, ben = (make_entry(tournament=tournament, name=name) for name in ("Ann", "Ben"))
    waiting = make_entry(tournament=tournament, name="Cem")
    Entry.objects.filter(pk=waiting.pk).update(status="waiting", waiting_since=NOW)
    assert headline(ann) == "You are registered"
    assert "Check-in is not open yet." in words(visit(ann))
    assert headline(waiting) == "You are number 1 on the waiting list"
    open_check_in(tournament)
    assert headline(ann) == "Check-in is open"
    do("own_check_in", ann)
    assert headline(ann) == "You are checked in"
    roster.close_check_in(tournament_id=tournament.pk, missing=roster.DROP, by=organiser(of=tournament), now=NOW)
    assert headline(ben) == "You do not play"
    assert "go to the entry desk" in words(visit(ben))


def test_a_call_says_where_whom_and_who_opens() -> None:
    tournament, entries = running()
    pairing = pairings(tournament)[0]
    assert headline(entries[0]) == f"Go to table {pairing.table}"
    first, second = words(visit(pairing.a)), words(visit(pairing.b or pairing.a))
    assert f"Table {pairing.table} When now against Player" in first
    assert "You open the first set." in first
    assert "Your opponent opens the first set." in second
    Pairing.objects.filter(pk=pairing.pk).update(due_at=NOW + timedelta(hours=1))
    html = visit(pairing.a).content.decode()
    assert 'data-zone="Europe/Riga"' in html
    assert ">Sat 14:00</time>" in html


def test_it_says_how_the_player_stands_and_why_and_what_they_played() -> None:
    tournament, _entries = running(5)
    play_open(tournament, lambda _pairing: (3, 1))
    draft(tournament)
    publish(tournament)
    one, other, sitting = (pairing.a for pairing in pairings(tournament, 1))
    rank = Standing.objects.get(entry=one).rank
    first = words(visit(one))
    assert "Not all results of this round are in: this can still change." in first
    met = Pairing.objects.get(a=one, round__number=1).b
    assert met is not None
    assert f"Round 1 {met.name} Won 3–1" in first
    assert "3 points. Level on points with" in " ".join(words(visit(each)) for each in (one, other))
    assert f"You are number {rank} of 5" in first
    assert "Round 1 Bye" in words(visit(sitting))


def test_it_says_whether_the_player_can_still_play_on() -> None:
    tournament, entries = running(4, format="round_robin", cut=1)
    best, _second, _third, last = entries
    assert "You can still play on. The best 1 plays on." in words(visit(best))
    play_open(tournament)
    assert "You play on, whatever the missing results. The best 1 plays on." in words(visit(best))
    assert "You cannot play on any more. The best 1 plays on." in words(visit(last))
    rounds.finish_tournament(tournament_id=tournament.pk, by=organiser(of=tournament), now=NOW)
    count_up(tournament)
    assert "You play on. The best 1 plays on." in words(visit(best))
    assert "You cannot play on any more. The best 1 plays on." in words(visit(last))


def filled(entry: Entry) -> list[str]:
    """The filled buttons of the page, and what opens like one."""
    html = visit(entry).content.decode()
    buttons = re.findall(r'<(button|summary)[^>]*class="btn main[^>]*>(.*?)</\1>', html, re.DOTALL)
    return [re.sub(r"<[^>]+>", "", button).strip() for _tag, button in buttons]


def test_one_act_comes_first_and_is_the_only_filled_button() -> None:
    tournament, entries = running(2, no_show_minutes=5, players_report=True)
    one, other = entries
    match = pairings(tournament)[0].match
    assert match is not None
    assert filled(one) == ["I am at the table"]
    do("own_here", one, match.pk, here="1")
    assert filled(one) == ["Report your result"]
    do("own_report", one, match.pk, result="3-1", version="0", key="0123456789abcdef")
    assert filled(one) == []
    assert filled(other) == ["Agree: 3–1"]


def test_sets_are_told_from_the_players_own_side() -> None:
    tournament, _entries = running()
    pairing = pairings(tournament)[0]
    report(pairing, (1, 3))
    assert "Lost 1–3" in words(visit(pairing.a))
    assert pairing.b is not None
    assert "Won 3–1" in words(visit(pairing.b))
    other = pairings(tournament)[1]
    submit_result(
        match_id=other.match_id or 0,
        report=Report(kind=WALKOVER, winner="b"),
        by=organiser(of=tournament),
        key="walkover",
        expected_version=0,
        now=NOW,
    )
    assert "Lost Walkover" in words(visit(other.a))


def test_nobody_waits_for_a_round_after_the_last_one() -> None:
    tournament, _entries = running(5, options={"rounds": 1})
    sitting = next(each for each in pairings(tournament, 1) if each.b is None).a
    assert headline(sitting) == "You have a bye"
    assert "Your next match appears here" not in words(visit(sitting))
    play_open(tournament, lambda _pairing: (3, 0))
    played = pairings(tournament, 1)[0].a
    assert headline(played) == "Your matches are played"
    assert "The places stand as soon as the organiser closes the tournament." in words(visit(played))
    Tournament.objects.filter(pk=tournament.pk).update(cut=2)  # then the best play on
    assert headline(played) == "Wait for the next round"


def test_a_bye_a_pause_and_the_end() -> None:
    tournament, _entries = running(5)
    sitting = next(each for each in pairings(tournament, 1) if each.b is None).a
    assert headline(sitting) == "You have a bye"
    play_open(tournament, lambda _pairing: (3, 0))
    played = pairings(tournament, 1)[0].a
    assert headline(played) == "Wait for the next round"
    rounds.finish_tournament(tournament_id=tournament.pk, early=True, by=organiser(of=tournament), now=NOW)
    count_up(tournament)
    place = Standing.objects.get(entry=played).rank
    assert headline(played) == f"Your place: {place} of 5"
    assert place in (1, 2)


def test_whoever_left_was_left_out_or_disqualified_is_told() -> None:
    tournament = make_tournament(seeding="rating")
    entries = make_field(size=4, tournament=tournament)
    late = make_entry(tournament=tournament, name="Late")
    start(tournament)
    by = organiser(of=tournament)
    assert headline(late) == "It started without you"
    rounds.disqualify_entry(entry_id=entries[0].pk, by=by, now=NOW)
    assert headline(entries[0]) == "You are disqualified"
    assert 'class="ticket"' not in visit(entries[0]).content.decode()
    play_open(tournament)
    registration.withdraw_own(entry_id=entries[1].pk, by=by, now=NOW)
    assert headline(entries[1]) == "You have left the tournament"


def test_out_of_a_bracket_and_still_in() -> None:
    tournament, _entries = running(format="single_elimination")
    pairing = pairings(tournament)[0]
    report(pairing, (3, 0))
    count_up(tournament)
    assert headline(pairing.a) == "Wait for your next opponent"
    assert pairing.b is not None
    assert headline(pairing.b) == "Your matches are played"


def test_a_player_checks_in_once_and_takes_it_back() -> None:
    tournament = make_tournament()
    entry = make_entry(tournament=tournament, name="Ann")
    open_check_in(tournament)
    for _twice in range(2):
        answer = do("own_check_in", entry)
        assert (answer.status_code, answer["Location"]) == (302, reverse("own_page", args=[token(entry)]))
    act = Act.objects.get(verb="check_in")
    assert (act.role, act.who, act.target) == (Role.PLAYER, "Ann", f"entry/{entry.pk}")
    do("own_undo_check_in", entry)
    entry.refresh_from_db()
    assert entry.checked_in_at is None


def test_where_the_desk_checks_in_there_is_no_button_and_no_way() -> None:
    tournament = make_tournament(self_check_in=False)
    entry = make_entry(tournament=tournament, name="Ann")
    open_check_in(tournament)
    assert reverse("own_check_in", args=[token(entry)]) not in visit(entry).content.decode()
    assert "Tell the entry desk that you are here." in words(visit(entry))
    client = Client()
    do("own_check_in", entry, client=client)
    assert "Here players check in at the entry desk." in words(visit(entry, client=client))
    entry.refresh_from_db()
    assert entry.checked_in_at is None


def test_a_player_says_that_they_sit_at_the_table() -> None:
    tournament, _entries = running(no_show_minutes=10)
    pairing = pairings(tournament)[0]
    assert "I am at the table" in words(visit(pairing.a))
    for _twice in range(2):
        assert do("own_here", pairing.a, pairing.match_id or 0, here="1").status_code == 302
    assert "You are at the table" in words(visit(pairing.a))
    assert pairing.b is not None
    assert "Your opponent is at the table." in words(visit(pairing.b))
    assert Act.objects.filter(verb="say_here").count() == 1
    do("own_here", pairing.a, pairing.match_id or 0)
    assert "I am at the table" in words(visit(pairing.a))
    assert do("own_here", pairing.a, pairings(tournament)[1].match_id or 0, here="1").status_code == 404
    report(pairing, (3, 1))
    client = Client()
    do("own_here", pairing.a, pairing.match_id or 0, client=client, here="1")
    assert "There is no match of yours that waits to be played." in words(visit(pairing.a, client=client))


def test_where_nobody_is_waited_for_there_is_no_such_button() -> None:
    tournament, _entries = running()
    assert "I am at the table" not in words(visit(pairings(tournament)[0].a))


def test_the_report_form_is_there_where_players_report() -> None:
    tournament, _entries = running(players_report=True)
    pairing = pairings(tournament)[0]
    address = reverse("own_report", args=[token(pairing.a), pairing.match_id])
    assert f'action="{address}"' in visit(pairing.a).content.decode()
    report(pairing, (3, 0))
    assert f'action="{address}"' not in visit(pairing.a).content.decode()


def test_what_the_player_was_told_newest_first() -> None:
    _tournament, entries = running()
    told = words(visit(entries[0])).partition("What you were told")[2]
    assert "Round 1: you meet" in told


def test_a_name_nobody_may_see_is_not_told_to_the_opponent() -> None:
    tournament, _entries = running()
    pairing = pairings(tournament)[0]
    assert pairing.b is not None
    Entry.objects.filter(pk=pairing.b.pk).update(name="Secret", is_shown=False)
    assert "Secret" not in visit(pairing.a).content.decode()
    assert f"Player {pairing.b.pk}" in words(visit(pairing.a))
    assert "Secret" in words(visit(pairing.b))


def test_it_is_kept_by_nobody_and_found_by_no_robot() -> None:
    entry = make_entry(tournament=make_tournament(), name="Ann")
    answer = visit(entry)
    assert (answer["Cache-Control"], answer["X-Robots-Tag"]) == ("private, no-store", "noindex")
    assert answer["Referrer-Policy"] == "same-origin"
    assert '<meta name="robots" content="noindex">' in answer.content.decode()
    part = visit(entry, part="now")
    assert part["Cache-Control"] == "private, no-store"


def test_a_forged_or_replaced_link_opens_nothing() -> None:
    entry = make_entry(tournament=make_tournament(), name="Ann")
    address = reverse("own_page", args=[token(entry)])
    assert Client().get(address[:-2] + "0/").status_code == 404
    registration.renew_entry_link(entry_id=entry.pk, by=organiser(of=entry.tournament), now=NOW)
    assert Client().get(address).status_code == 404
    assert Client().get(reverse("own_page", args=[token(entry)])).status_code == 200
    for act in ("own_check_in", "own_undo_check_in", "own_desk"):
        assert Client().get(reverse(act, args=[token(entry)])).status_code == 405


def test_regions_keep_themselves_fresh_and_cost_nothing_while_nothing_changed() -> None:
    tournament = make_tournament()
    entry = make_entry(tournament=tournament, name="Ann")
    first = visit(entry, part="now")
    again = Client().get(
        reverse("own_page", args=[token(entry)]), {"part": "now"}, headers={"If-None-Match": first["ETag"]}
    )
    assert again.status_code == 304
    open_check_in(tournament)
    changed = Client().get(
        reverse("own_page", args=[token(entry)]), {"part": "now"}, headers={"If-None-Match": first["ETag"]}
    )
    assert changed.status_code == 200
    assert visit(entry, part="nothing").status_code == 404


def test_it_costs_as_many_queries_in_the_last_round_of_a_large_field_as_in_the_first_of_a_small_one(
    django_assert_max_num_queries: Any,
) -> None:
    _small, entries = running(4, no_show_minutes=10, players_report=True)
    large, many = running(16, no_show_minutes=10, players_report=True)
    for _round in range(3):
        play_open(large)
        draft(large)
        publish(large)
    counts = []
    for entry in (entries[0], many[0]):
        visit(entry)  # names of rounds are kept for all readers
        with django_assert_max_num_queries(20) as asked:
            visit(entry)
        counts.append(len(asked.captured_queries))
    assert counts == [16, 17]  # one more for whoever the reason of the place speaks of


# --- the desk phone that scans an own link


def desk_phone(tournament: Tournament, *, name: str = "Olli", role: Role = Role.DESK) -> tuple[Client, StaffLink]:
    """A browser in which a helper has opened their own link."""
    link = link_for(tournament.event, tournament=tournament, role=role, name=name)
    client = Client()
    client.get(reverse("staff_link", args=[link_token(link)]))
    return client, link


def bar(entry: Entry, client: Client) -> str:
    """What the desk's bar says on the page of this player; "" where there is none."""
    html = visit(entry, client=client).content.decode()
    return html.partition('aria-labelledby="desk-title"')[2].partition("</section>")[0]


def test_a_helpers_phone_that_opens_an_own_link_checks_in_under_the_helpers_name() -> None:
    tournament = make_tournament()
    entry = make_entry(tournament=tournament, name="Ann")
    open_check_in(tournament)
    client, link = desk_phone(tournament)
    cookie = client.cookies[COOKIE]
    assert (cookie["httponly"], cookie["samesite"], cookie["path"]) == (True, "Lax", "/p/")
    assert "Check in as <bdi>Olli</bdi>" in bar(entry, client)
    assert "I am here" not in words(visit(entry, client=client))
    do("own_desk", entry, client=client, here="1")
    assert "Here since" in bar(entry, client)
    act = Act.objects.get(verb="check_in")
    assert (act.role, act.who, act.link) == (Role.DESK, "Olli", link.pk)
    do("own_desk", entry, client=client)
    entry.refresh_from_db()
    assert entry.checked_in_at is None


def test_anybody_else_has_no_such_bar_and_no_such_way() -> None:
    tournament = make_tournament()
    entry = make_entry(tournament=tournament, name="Ann")
    open_check_in(tournament)
    elsewhere, _link = desk_phone(make_tournament(event=tournament.event))
    referee, _link = desk_phone(tournament, role=Role.REFEREE)
    forged = Client()
    forged.cookies[COOKIE] = "1-0123456789abcdef0123456789abcdef"
    for client in (Client(), elsewhere, referee, forged):
        assert bar(entry, client) == ""
        do("own_desk", entry, client=client, here="1")
        assert "signed in for no entry desk" in words(visit(entry, client=client))
    entry.refresh_from_db()
    assert entry.checked_in_at is None


def test_a_closed_link_is_good_for_nothing_from_that_moment() -> None:
    tournament = make_tournament()
    entry = make_entry(tournament=tournament, name="Ann")
    client, link = desk_phone(tournament)
    assert bar(entry, client) != ""
    StaffLink.objects.filter(pk=link.pk).update(revoked_at=NOW)
    assert bar(entry, client) == ""


def test_the_next_helper_who_opens_their_link_has_the_phone() -> None:
    tournament = make_tournament()
    entry = make_entry(tournament=tournament, name="Ann")
    client, _link = desk_phone(tournament)
    other = link_for(tournament.event, tournament=tournament, role=Role.DESK, name="Marta")
    client.get(reverse("staff_link", args=[link_token(other)]))
    assert "Check in as <bdi>Marta</bdi>" in bar(entry, client)


def test_a_foreign_page_cannot_press_the_helpers_button() -> None:
    tournament = make_tournament()
    entry = make_entry(tournament=tournament, name="Ann")
    client, _link = desk_phone(tournament)
    strict = Client(enforce_csrf_checks=True)
    strict.cookies = client.cookies
    assert do("own_desk", entry, client=strict, here="1").status_code == 403


def test_an_organiser_who_is_signed_in_has_the_bar_too() -> None:
    event = make_event()
    tournament = make_tournament(event=event)
    entry = make_entry(tournament=tournament, name="Ann")
    client = Client()
    client.force_login(event.owner)
    assert "Check in as <bdi>organiser</bdi>" in bar(entry, client)
    do("own_desk", entry, client=client, here="1")
    assert Act.objects.get(verb="check_in").account == event.owner_id


def test_the_bar_brings_back_whoever_was_dropped_and_sends_whoever_waits_to_the_roster() -> None:
    tournament = make_tournament()
    gone, waiting = (make_entry(tournament=tournament, name=name) for name in ("Gone", "Waiting"))
    Entry.objects.filter(pk=gone.pk).update(status="withdrawn")
    Entry.objects.filter(pk=waiting.pk).update(status="waiting", waiting_since=NOW)
    client, _link = desk_phone(tournament)
    assert "they have a place again" in bar(gone, client)
    do("own_desk", gone, client=client, here="1")
    gone.refresh_from_db()
    assert gone.status == "active"
    assert gone.checked_in_at is not None
    assert "give them one on the roster first" in bar(waiting, client)
    do("own_desk", waiting, client=client, here="1")
    assert "still waits for a place" in words(visit(waiting, client=client))


def test_after_the_start_the_desk_has_nothing_to_do_there() -> None:
    tournament, entries = running()
    client, _link = desk_phone(tournament)
    assert bar(entries[0], client) == ""
    do("own_desk", entries[0], client=client)
    assert "The tournament has started" in words(visit(entries[0], client=client))
