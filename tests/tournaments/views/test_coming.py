"""Calls to a table on pages: the player's banner, the wall, the referee's day and the desk; and what comes next."""

from __future__ import annotations

import re
from datetime import datetime, timedelta
from html import unescape
from typing import Any

import pytest
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from players.models import Account, Player
from tests.factories import make_account, make_entry, make_field, make_tournament
from tests.tournaments.halls import put_up
from tests.tournaments.play import pairings, play_open, stage_of, start
from tests.tournaments.views.desk import desk_of, text_of
from tests.tournaments.views.referee import link_for, page, referee
from tournaments.models import Entry, Pairing, Slot, StaffLink, Stage, TableUse, Tournament
from tournaments.models.tournament import Seating
from tournaments.permissions import entry_token, link_token
from tournaments.queries.schedule import rounded
from tournaments.templatetags.cantina import venue_time

pytestmark = pytest.mark.django_db


def text(answer: Any) -> str:
    """What the page says, tags and doubled spaces gone."""
    assert answer.status_code in (200, 409), answer.status_code
    main = answer.content.decode().partition("<main")[2].partition(">")[2].partition("</main>")[0]
    return re.sub(r"\s+", " ", unescape(re.sub(r"<[^>]+>", " ", main))).strip()


def own(entry: Entry | None) -> HttpResponse:
    assert entry is not None
    answer = Client().get(reverse("own_page", args=[entry_token(Entry.objects.get(pk=entry.pk))]))
    assert isinstance(answer, HttpResponse)
    return answer


def wall(tournament: Tournament) -> str:
    return text(Client().get(reverse("hall", args=[tournament.pk])))


def come(entry: Entry, match: int | None, said: str = "1") -> HttpResponse:
    address = reverse("own_coming", args=[entry_token(Entry.objects.get(pk=entry.pk)), match])
    answer = Client(enforce_csrf_checks=True).post(address, {"coming": said})
    assert isinstance(answer, HttpResponse)
    return answer


def in_queue(size: int = 4, *, names: tuple[str, ...] = (), form: str = "swiss") -> Tournament:
    """A tournament of the queue in a hall with the tables 7, 8 and 9; nobody is called yet."""
    tournament = make_tournament(seeding="rating", format=form)
    Tournament.objects.filter(pk=tournament.pk).update(seating=Seating.QUEUE)
    put_up(tournament, (7, 8, 9))
    for place, name in enumerate(names):
        make_entry(tournament=tournament, name=name, rating=2000 - place, here=True)
    if not names:
        make_field(size=size, tournament=tournament)
    start(tournament)
    Pairing.objects.filter(round__stage__tournament=tournament).update(table=None)
    tournament.refresh_from_db()
    return tournament


def call(tournament: Tournament, number: int = 0, *, table: int = 7, minutes: float = 1, **facts: Any) -> Pairing:
    """A match that was called so many minutes ago, with both sides loaded."""
    pairing = pairings(tournament, 1)[number]
    at = timezone.now() - timedelta(minutes=minutes)
    Pairing.objects.filter(pk=pairing.pk).update(table=table, called_at=at, due_at=at, **facts)
    TableUse.objects.create(event=tournament.event, number=table, pairing=pairing)
    return pairings(tournament, 1)[number]


def plan(tournament: Tournament, pairing: Pairing | None = None, **facts: Any) -> Slot:
    """The slot of a match, or with a round and number of one to come."""
    place = {"round": 1, "number": pairing.number, "a": pairing.a, "b": pairing.b} if pairing is not None else {}
    return Slot.objects.create(stage=stage_of(tournament), **{"changed_at": timezone.now(), **place, **facts})


def at(hour: int, minute: int) -> datetime:
    """An instant of the first day by the clocks of Riga, which are three hours ahead."""
    return datetime.fromisoformat(f"2027-05-22T{hour - 3:02}:{minute:02}:00+00:00")


# --- the player's own page


def test_whoever_is_called_reads_it_first_and_answers_with_one_press() -> None:
    tournament = in_queue()
    pairing = call(tournament)
    assert pairing.b is not None
    shown = text(own(pairing.a))
    assert shown.startswith(f"Main · Round 1 Table 7 now: you play {pairing.b.name} I’m coming Called at")
    html = own(pairing.a).content.decode()
    assert pairing.called_at is not None
    assert f'data-called="{pairing.match_id}/{int(pairing.called_at.timestamp())}"' in html
    assert re.findall(r'class="btn main[^>]*>([^<]*)<', html) == ["I’m coming"]
    for _twice in range(2):
        assert come(pairing.a, pairing.match_id).status_code == 302
    shown = text(own(pairing.a))
    assert "Go to table 7" in shown
    assert "You said that you come Not after all" in shown
    assert "data-called=" not in own(pairing.a).content.decode()
    assert "Your opponent comes." in text(own(pairing.b))
    come(pairing.a, pairing.match_id, "")
    assert "Table 7 now" in text(own(pairing.a))


def test_where_nobody_is_asked_the_call_says_no_more_than_when_it_was() -> None:
    tournament = in_queue()
    Tournament.objects.update(call_minutes=None)
    pairing = call(tournament, minutes=90)
    plan(tournament, pairing, state="called")
    shown = text(own(pairing.a))
    assert "I’m coming Called at" in shown
    assert "Without an answer" not in shown
    desk = text(desk_of(tournament).get(reverse("results", args=[tournament.pk])))
    staff = text(page(referee(tournament)))
    for each in (desk, staff):
        assert "answer" not in each
        assert "Put back and hold" in each
        assert "Call again" in each
    come(pairing.a, pairing.match_id)
    assert f"{pairing.a.name} comes" in text(page(referee(tournament)))


def test_a_round_that_comes_out_with_tables_rings_on_the_pages_of_its_players_too() -> None:
    tournament = make_tournament(seeding="rating", no_show_minutes=10)
    make_field(size=3, tournament=tournament)
    put_up(tournament, (7,))
    start(tournament)
    pairing, bye = pairings(tournament, 1)
    assert pairing.b is not None
    rings = (
        f'data-called="{pairing.match_id}/7" data-called-title="Table 7" data-called-text="You play {pairing.b.name}."'
    )
    assert rings in own(pairing.a).content.decode()
    Client().post(reverse("own_here", args=[entry_token(pairing.a), pairing.match_id]), {"here": "1"})
    pages = [own(each).content.decode() for each in (pairing.a, pairing.b, bye.a)]
    assert [page.count("data-called=") for page in pages] == [0, 1, 0]


def test_a_match_nobody_is_called_to_or_of_somebody_else_is_not_answered() -> None:
    tournament = in_queue()
    one, other = pairings(tournament, 1)
    answer = Client().post(reverse("own_coming", args=[entry_token(one.a), one.match_id]), {"coming": "1"}, follow=True)
    assert "This match is not called to a table now: look again." in text(answer)
    assert come(one.a, other.match_id).status_code == 404


def test_who_waits_in_the_queue_reads_when_they_are_expected_to_play_and_that_it_is_only_expected() -> None:
    tournament = in_queue()
    pairing = pairings(tournament, 1)[0]
    assert pairing.b is not None
    slot = plan(tournament, pairing, starts_at=at(14, 22), table=8)
    shown = text(own(pairing.a))
    assert "You will be called Your table stands here as soon as it is your turn." in shown
    assert f"Probably table 8 About Sat 14:20 against {pairing.b.name}" in shown
    Slot.objects.filter(pk=slot.pk).update(has_time=True, has_place=True)
    assert f"Table 8 When Sat 14:22 against {pairing.b.name}" in text(own(pairing.a))
    Slot.objects.filter(pk=slot.pk).update(note="late")  # what was told cannot be kept: it is only expected
    assert f"Table 8 About Sat 14:20 against {pairing.b.name}" in text(own(pairing.a))
    Slot.objects.filter(pk=slot.pk).update(starts_at=None, held_since=timezone.now())
    held = "You will be called Your match is held by the organiser. Your table stands here as soon as it is your turn."
    assert f"{held} Table – When – against {pairing.b.name}" in (shown := text(own(pairing.a)))
    assert shown.count("held by the organiser") == 1
    Slot.objects.all().delete()
    assert f"Table – When – against {pairing.b.name}" in text(own(pairing.a))


def test_in_a_bracket_it_says_where_a_win_leads_and_against_whom() -> None:
    tournament = in_queue(form="single_elimination")
    one, other = pairings(tournament, 1)
    call(tournament)
    plan(tournament, one, state="called")
    plan(tournament, other, starts_at=at(14, 0))
    feeds: dict[str, Any] = {"from_a": [1, one.number, "winner"], "from_b": [1, other.number, "winner"]}
    final = plan(tournament, round=2, number=1, starts_at=at(15, 1), table=7, **feeds)
    assert other.b is not None
    expected = f"about Sat 15:00 · probably table 7 against the winner of {other.a.name} / {other.b.name}"
    assert f"If you win {expected}" in text(own(one.a))
    Slot.objects.filter(pk=final.pk).update(a=one.a)
    Pairing.objects.filter(pk=one.pk).update(table=None, called_at=None)
    Slot.objects.filter(number=one.number, round=1).update(state="over")
    assert f"Next {expected}" in text(own(one.a))


def test_of_several_open_matches_the_one_that_is_called_is_the_one_to_play() -> None:
    tournament = in_queue(form="round_robin")
    entry = pairings(tournament, 1)[0].a
    mine = [each for each in pairings(tournament) if entry.pk in (each.a_id, each.b_id)]
    assert len(mine) == 3
    plan(tournament, round=3, number=mine[2].number, a=entry, starts_at=at(14, 0))
    assert "Waits for a table" not in text(own(entry)).partition("Your matches")[0]
    now = timezone.now()
    Pairing.objects.filter(pk=mine[1].pk).update(table=9, called_at=now)
    assert "Table 9 now: you play" in text(own(entry))


# --- the screen on the wall


def test_the_wall_says_who_is_called_then_who_plays_then_who_is_next() -> None:
    tournament = in_queue(8)
    first, second, third, fourth = pairings(tournament, 1)
    call(tournament, 0, table=7)
    call(tournament, 1, table=8, minutes=30)
    call(tournament, 2, table=9, began_at=timezone.now())
    plan(tournament, fourth, starts_at=at(14, 18))
    names = [f"{each.a.name} – {each.b.name}" for each in (first, second, third, fourth) if each.b is not None]
    shown = wall(tournament)
    assert shown.startswith("StarCon 2027 · Main Called now")
    expected = f"table 7 {names[0]} Being played table 8 {names[1]} table 9 {names[2]}"
    assert f"{expected} Next about Sat 14:20 {names[3]}" in shown
    assert "find your table" not in shown


def test_the_wall_hides_the_name_of_whoever_is_not_shown() -> None:
    tournament = in_queue(names=("Revan", "Ann", "Ben", "Cem"))
    Entry.objects.filter(name="Revan").update(is_shown=False)
    hidden = Entry.objects.get(name="Revan")
    one, other = pairings(tournament, 1)
    number = next(place for place, each in enumerate((one, other)) if hidden.pk in (each.a_id, each.b_id))
    mine = (one, other)[number]
    opponent = mine.b if mine.a_id == hidden.pk else mine.a
    assert opponent is not None
    call(tournament, number)
    plan(tournament, mine, state="called")
    plan(tournament, round=2, number=1, starts_at=at(15, 0), from_a=[1, mine.number, "winner"], b=opponent)
    pages = [wall(tournament), text(own(opponent)), text(own((one, other)[1 - number].a))]
    assert all("Revan" not in shown for shown in pages)
    assert f"Player {hidden.pk}" in pages[0]
    assert f"Table 7 now: you play Player {hidden.pk}" in pages[1]


def test_a_wall_of_rounds_shows_those_who_waited_for_a_table_above_everybodys_table() -> None:
    tournament = in_queue(8)
    Tournament.objects.filter(pk=tournament.pk).update(seating=Seating.ROUNDS)
    pairing = call(tournament, 0)
    assert pairing.b is not None
    shown = wall(tournament)
    assert f"table 7 {pairing.a.name} – {pairing.b.name}" in shown
    assert "Round 1: find your table" in shown


# --- the referee and the desk


def press(link: StaffLink, act: str, match: int | None, **said: Any) -> HttpResponse:
    address = reverse(f"staff_{act}", args=[link_token(link), match])
    answer = Client(enforce_csrf_checks=True).post(address, said, follow=True)
    assert isinstance(answer, HttpResponse)
    return answer


def test_the_referee_reads_who_does_not_answer_and_says_that_they_come_after_all() -> None:
    tournament = in_queue()
    pairing = call(tournament, minutes=4)
    assert pairing.b is not None
    come(pairing.b, pairing.match_id)
    link = referee(tournament)
    shown = text(page(link))
    assert shown.index("Late or missing") < shown.index(f"{pairing.a.name} does not answer")
    assert re.search(r"No answer since [^·]+ · Round 1", shown)
    assert f"{pairing.b.name} comes" in shown
    shown = text(press(link, "coming", pairing.match_id, entry=pairing.a_id, coming="1"))
    assert f"{pairing.a.name} comes" in shown
    assert "does not answer" not in shown
    shown = text(press(link, "coming", pairing.match_id, entry=pairing.a_id, coming=""))
    assert f"{pairing.a.name} does not answer" in shown
    other = pairings(tournament, 1)[1]
    assert "no match of yours" in text(press(link, "coming", pairing.match_id, entry=other.a_id, coming="1"))


def test_the_referee_says_that_they_play_though_nobody_pressed_anything() -> None:
    tournament = in_queue()
    pairing = call(tournament, minutes=4)
    link = referee(tournament)
    assert "They play" in text(page(link))
    shown = text(press(link, "begun", pairing.match_id, begun="1"))
    assert "does not answer" not in shown
    assert "They play" not in shown


def test_a_match_that_waits_for_a_table_is_not_said_to_be_played() -> None:
    tournament = in_queue(form="single_elimination")
    call(tournament, table=7)
    for name in ("tournament", "bracket"):
        html = Client().get(reverse(name, args=[tournament.pk])).content.decode()
        cards = [text_of(card) for card in re.findall(r'(?s)<article class="match.*?</article>', html)]
        told = [("Waits for a table" in card, "Being played" in card) for card in cards]
        assert told[:2] == [(False, True), (True, False)]


def test_the_referee_calls_again_once_and_puts_the_match_back() -> None:
    tournament = in_queue()
    pairing = call(tournament, minutes=4)
    plan(tournament, pairing, state="called")
    link = referee(tournament)
    assert pairing.called_at is not None
    seen = pairing.called_at.isoformat()
    told = "Called again. Whoever has not answered is told."
    assert told in text(press(link, "again", pairing.match_id, called=seen))
    assert told not in text(press(link, "again", pairing.match_id, called=seen))
    assert "does not answer" not in text(page(link))
    shown = text(press(link, "back", pairing.match_id))
    told = "Put back: the match waits until an organiser releases it or it is given a table. Both players are told."
    assert told in shown
    back = pairings(tournament, 1)[0]
    assert (back.table, back.called_at) == (None, None)
    desk = desk_of(tournament)
    on_desk = [desk.get(reverse(name, args=[tournament.pk])) for name in ("tournament_desk", "results")]
    for each in (page(link), *on_desk):
        assert (text(each).count("On hold"), text(each).count("Waits for a table")) == (1, 1)
    assert "not called to a table" in text(press(link, "again", pairing.match_id))


def test_a_referee_sees_what_is_next_at_their_tables_and_which_of_those_are_free() -> None:
    tournament = in_queue()
    one, other = pairings(tournament, 1)
    call(tournament, 0, table=7)
    plan(tournament, other, starts_at=at(14, 18), table=8)
    assert other.b is not None
    mine = text(page(link_for(tournament.event, tournament=tournament, tables=(7, 8))))
    assert f"Next Free: table 8 {other.a.name} – {other.b.name} about Sat 14:20 · probably table 8" in mine
    assert one.a.name in mine
    elsewhere = text(page(link_for(tournament.event, tournament=tournament, tables=(9,))))
    assert "Free: table 9" in elsewhere
    assert other.a.name not in elsewhere.partition("Waits for a table")[0]


def test_a_referee_of_other_tables_answers_for_nobody() -> None:
    tournament = in_queue()
    pairing = call(tournament)
    link = link_for(tournament.event, tournament=tournament, tables=(8,))
    for act in ("coming", "again", "back"):
        assert press(link, act, pairing.match_id, entry=pairing.a_id, coming="1").status_code == 404


def test_the_referees_page_is_another_one_from_the_moment_an_answer_is_late() -> None:
    tournament = in_queue()
    pairing = call(tournament, minutes=2)
    link = referee(tournament)
    tag = page(link, part="matches")["ETag"]
    assert page(link, part="matches")["ETag"] == tag
    Pairing.objects.filter(pk=pairing.pk).update(called_at=timezone.now() - timedelta(minutes=3))
    assert page(link, part="matches")["ETag"] != tag


def test_the_organiser_reads_and_does_the_same_on_the_desk() -> None:
    tournament = in_queue()
    pairing = call(tournament, minutes=4)
    plan(tournament, pairing, state="called")
    desk = desk_of(tournament)

    def done(act: str, **said: Any) -> str:
        return text(desk.post(reverse(f"match_{act}", args=[tournament.pk, pairing.match_id]), said, follow=True))

    shown = text(desk.get(reverse("results", args=[tournament.pk])))
    assert shown.index("Needs your word") < shown.index(f"{pairing.a.name} does not answer")
    assert f"{pairing.a.name} comes" in done("coming", entry=pairing.a_id, coming="1")
    assert "Called again." in done("again")
    assert "Put back" in done("back")
    assert "not called to a table" in done("coming", entry=pairing.a_id, coming="1")


def test_the_desk_of_the_tournament_says_it_from_the_moment_an_answer_is_late() -> None:
    tournament = in_queue()
    pairing = call(tournament, minutes=2)
    desk, address = desk_of(tournament), reverse("tournament_desk", args=[tournament.pk])
    assert "No answer to the call" not in text(desk.get(address))
    tag = desk.get(address, {"part": "now"})["ETag"]
    assert desk.get(address, {"part": "now"}, headers={"If-None-Match": tag}).status_code == 304
    Pairing.objects.filter(pk=pairing.pk).update(called_at=timezone.now() - timedelta(minutes=3))
    assert desk.get(address, {"part": "now"}, headers={"If-None-Match": tag}).status_code == 200
    shown = text(desk.get(address))
    assert "1 call without an answer" in shown
    assert "No answer to the call" in shown


def test_the_page_of_all_my_events_says_where_i_play_next_in_each() -> None:
    tournament = in_queue()
    pairing = pairings(tournament, 1)[0]
    account = make_account(email="anna@example.org")
    Account.objects.filter(pk=account.pk).update(verified_at=timezone.now())
    Player.objects.filter(pk=pairing.a.player_id).update(email="anna@example.org")
    client = Client()
    client.force_login(account, backend="django.contrib.auth.backends.ModelBackend")
    plan(tournament, pairing, starts_at=at(14, 22), table=8)
    assert "about Sat 14:20 · probably table 8" in text(client.get(reverse("my_events")))
    call(tournament, table=7)
    assert "Table 7 now" in text(client.get(reverse("my_events")))


def test_a_wall_where_a_whole_hall_is_called_at_once_shows_them_all_and_less_of_the_rest() -> None:
    tournament = in_queue(20)
    for number, pairing in enumerate(pairings(tournament, 1)):
        call(tournament, number, table=101 + number)
        plan(tournament, pairing, round=2, starts_at=at(14, number))
    html = Client().get(reverse("hall", args=[tournament.pk])).content.decode()
    assert (html.count('id="called-'), html.count('id="next-'), "Being played" in html) == (10, 4, False)


def test_a_wall_before_the_start_says_when_it_is() -> None:
    tournament = make_tournament(starts_at=at(14, 0))
    assert "Starts Sat 22 May, 14:00, Riga" in wall(tournament)


def test_the_desk_lists_open_matches_by_table_and_those_without_one_last() -> None:
    tournament = in_queue(8)
    call(tournament, 1, table=9)
    call(tournament, 2, table=7)
    answer = desk_of(tournament.event).get(reverse("tournament_desk", args=[tournament.pk]))
    assert [pairing.table for pairing in answer.context["open"]] == [7, 9, None, None]
    assert "Open at tables 7, 9." in text(answer)


def test_who_is_called_is_not_next_on_the_wall_while_the_plan_is_a_moment_behind() -> None:
    tournament = in_queue()
    for pairing in pairings(tournament, 1):
        plan(tournament, pairing, starts_at=at(14, 20))
    called, waits = call(tournament, 0), pairings(tournament, 1)[1]
    html = Client().get(reverse("hall", args=[tournament.pk])).content.decode()
    assert re.findall(r'id="(called|next)-(\d+)"', html) == [
        ("called", str(called.match_id)),
        ("next", str(Slot.objects.get(number=waits.number).pk)),
    ]


def test_a_wall_of_rounds_says_when_the_round_begins_and_of_the_next_one_about_when() -> None:
    tournament = make_tournament(seeding="rating", format="swiss", options={"rounds": 2})
    make_field(size=4, tournament=tournament)
    put_up(tournament, (1, 2))
    begins, later = timezone.now() + timedelta(minutes=40), timezone.now() + timedelta(minutes=90)

    def told(instant: datetime) -> str:
        return text_of(venue_time(instant, tournament.event))

    start(tournament)
    for pairing in pairings(tournament, 1):
        plan(tournament, pairing, starts_at=begins, has_time=True, state="called")
        plan(tournament, round=2, number=pairing.number, starts_at=later)
    assert f"Round 1: find your table Round 1 begins: {told(begins)} 0 of 2 results are in" in wall(tournament)
    Slot.objects.filter(round=1).update(starts_at=timezone.now(), state="playing")
    Stage.objects.update(version=1000)  # as the plan does that says so
    assert "begins" not in wall(tournament)
    play_open(tournament)
    Slot.objects.filter(round=1).update(state="over")
    assert f"Round 2 begins about {told(rounded(later))}" in wall(tournament)
