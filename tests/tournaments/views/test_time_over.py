"""The end of the time on pages: offered where it applies, entered by staff and players, said wherever a result is."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from matches.queries.games import record_of
from tests.factories import organiser
from tests.tournaments.play import count_up, pairings
from tests.tournaments.views.at_table import acting, dealt, do, look, the_game
from tests.tournaments.views.desk import Page, desk_of, page_text, result, running, said
from tests.tournaments.views.referee import match_of, page, referee, send, stored
from tournaments.actions import clocks
from tournaments.models import Pairing, RoundClock, Tournament
from tournaments.permissions import entry_token, link_token

pytestmark = pytest.mark.django_db

ON_TIME = ["time-1-0", "time-2-0", "time-2-1", "time-0-1", "time-0-2", "time-1-2"]
LEVEL = ["time-0-0", "time-1-1", "time-2-2"]


def timed(size: int = 4, *, minutes_ago: float = 55, **facts: Any) -> Tournament:
    """A tournament whose first round has fifty minutes, which began so long ago."""
    tournament = running(size, **({"round_minutes": 50} | facts))
    clocks.start_clock(
        round_id=pairings(tournament)[0].round_id,
        by=organiser(of=tournament),
        now=timezone.now() - timedelta(minutes=minutes_ago),
    )
    count_up(tournament)
    return tournament


def first(tournament: Tournament) -> Pairing:
    return pairings(tournament)[0]


def offered(shown: Any, match: int | None = None) -> list[str]:
    """What a page offers to choose on time: in every form, or in that of one match on a referee's page."""
    forms = re.findall(r'<form[^>]* action="([^"]*)"[^>]*>(.*?)</form>', shown.content.decode(), re.DOTALL)
    wanted = [form for address, form in forms if match is None or f"/matches/{match}/" in address]
    return [value for form in wanted for value in re.findall(r'name="result" value="(time-[^"]*)"', form)]


def desk_page(tournament: Tournament, name: str, *more: int) -> Page:
    return desk_of(tournament).get(reverse(name, args=[tournament.pk, *more]))


# --- A referee


def test_a_referee_is_offered_it_once_time_is_over_at_a_table_and_not_before() -> None:
    tournament = timed(minutes_ago=49)
    link, (one, other) = referee(tournament), pairings(tournament)
    assert offered(page(link)) == []
    clocks.give_time(match_id=match_of(one), seconds=600, by=organiser(of=tournament), now=timezone.now())
    RoundClock.objects.update(started_at=timezone.now() - timedelta(minutes=51))
    assert offered(page(link), match_of(other)) == ON_TIME
    assert offered(page(link), match_of(one)) == []
    assert [send(link, match_of(each), result="time-2-1").status_code for each in (other, one)] == [200, 409]
    assert [stored(match_of(each)) for each in (other, one)] == [("time", 2, 1, 1), ("", 0, 0, 0)]


def test_an_open_page_of_a_referee_is_another_one_once_time_is_over() -> None:
    tournament = timed(minutes_ago=49)
    link = referee(tournament)
    seen = page(link, part="matches")
    RoundClock.objects.update(started_at=timezone.now() - timedelta(minutes=51))
    again = Client().get(
        reverse("staff_link", args=[link_token(link)]), {"part": "matches"}, headers={"If-None-Match": seen["ETag"]}
    )
    assert (again.status_code, len(offered(again))) == (200, 2 * len(ON_TIME))


def test_what_a_referee_entered_is_said_with_how_it_ended() -> None:
    tournament = timed(allows_tie=True)
    link, match = referee(tournament), match_of(first(tournament))
    assert offered(page(link), match) == [*ON_TIME, *LEVEL]
    early = send(link, match, result="time-3-1", json=False)
    assert early.status_code == 400
    assert "Somebody has won 3 sets: enter that as a score" in page_text(early)
    done = send(link, match, result="time-1-1", json=False)
    assert "1–1, on time" in said(done)[0]
    assert "1–1, on time" in page_text(page(link))


def test_the_rule_for_level_sets_is_told_to_whoever_sends_them_all_the_same() -> None:
    tournament = timed(at_time="sudden_death", allows_tie=True)
    link, match = referee(tournament), match_of(first(tournament))
    assert offered(page(link), match) == ON_TIME
    assert "Time ran out, nobody won" not in page_text(page(link))
    assert "Level in sets? One more set decides: enter the score after it." in page_text(page(link))
    refused = send(link, match, result="time-1-1", json=False)
    assert refused.status_code == 400
    assert "one more set decides" in page_text(refused)


# --- The desk


def test_the_desk_enters_and_corrects_it() -> None:
    tournament = timed()
    pairing = first(tournament)
    address = reverse("match_result", args=[tournament.pk, pairing.match_id])
    assert offered(desk_page(tournament, "match_result", match_of(pairing))) == ON_TIME
    assert len(offered(desk_page(tournament, "results"))) == 2 * len(ON_TIME)
    assert said(desk_of(tournament).post(address, result(pairing, "time-2-1"))) == ["The result is in."]
    assert stored(match_of(pairing)) == ("time", 2, 1, 1)
    RoundClock.objects.all().delete()
    shown = desk_page(tournament, "match_result", match_of(pairing))
    assert 'value="time-2-1" checked' in shown.content.decode()
    pairing.refresh_from_db()
    desk_of(tournament).post(address, result(pairing, "time-1-2", version=1))
    assert stored(match_of(pairing)) == ("time", 1, 2, 2)
    assert "1–2, on time" in page_text(desk_page(tournament, "match_result", match_of(pairing)))


def test_a_paper_slip_says_it_with_a_letter() -> None:
    tournament = timed()
    pairing = first(tournament)
    shown = desk_page(tournament, "paper")
    assert "“t 2 1”: time was over, and the sets stood so." in page_text(shown)
    plain = {"round": pairing.round_id, "table": pairing.table, "score": "2 1", "key": "a-slip-before"}
    refused = desk_of(tournament).post(reverse("paper", args=[tournament.pk]), plain)
    assert "If time ended it, type t before the score." in page_text(refused)
    typed = {"round": pairing.round_id, "table": pairing.table, "score": "t 2 1", "key": "a-slip-of-paper"}
    desk_of(tournament).post(reverse("paper", args=[tournament.pk]), typed)
    assert stored(match_of(pairing)) == ("time", 2, 1, 1)
    assert "2–1, on time" in page_text(desk_page(tournament, "paper"))
    assert "time was over" not in page_text(desk_page(running(2), "paper"))


def test_a_slip_that_comes_too_early_is_told_so_and_what_was_typed_stays() -> None:
    tournament = timed(minutes_ago=20)
    pairing = first(tournament)
    typed = {"round": pairing.round_id, "table": pairing.table, "score": "t 2 1", "key": "a-slip-of-paper"}
    refused = desk_of(tournament).post(reverse("paper", args=[tournament.pk]), typed)
    assert refused.status_code == 400
    assert "The time of this table is not over yet" in page_text(refused)
    assert 'value="t 2 1"' in refused.content.decode()


def test_a_list_of_results_has_it_and_the_exported_pairings_bring_it_back() -> None:
    tournament = timed()
    one, other = pairings(tournament)
    text = f"Table,Result\n{one.table},t 2 1\n{other.table},0:1 t\n"
    shown = send_list(tournament, text)
    assert "2–1, on time" in page_text(shown)
    fields = {name: shown.context["form"].initial[name] for name in ("key", "rows")}
    desk_of(tournament).post(reverse("result_list_confirm", args=[tournament.pk]), fields)
    assert [stored(match_of(each)) for each in (one, other)] == [("time", 2, 1, 1), ("time", 0, 1, 1)]
    exported = desk_of(tournament).get(reverse("export", args=[tournament.pk, "pairings", "csv"]))
    kept = b"".join(exported) if exported.streaming else exported.content
    assert "2–1, on time" in kept.decode("utf-8-sig")
    assert "2 are in already" in page_text(send_list(tournament, kept))


def send_list(tournament: Tournament, text: str | bytes) -> Page:
    data = text.encode() if isinstance(text, str) else text
    file = SimpleUploadedFile("results.csv", data)
    return desk_of(tournament).post(reverse("result_list", args=[tournament.pk]), {"file": file})


# --- Players and everybody


def test_a_player_reports_it_and_the_other_one_agrees() -> None:
    tournament = timed(players_report=True)
    pairing = first(tournament)
    own = reverse("own_report", args=[entry_token(pairing.a), pairing.match_id])
    assert offered(Client().get(own)) == ON_TIME
    assert offered(Client().get(reverse("own_page", args=[entry_token(pairing.a)]))) == ON_TIME
    done = Client().post(own, {"result": "time-2-1", "key": "from-my-phone", "version": 0})
    assert said(done) == ["Reported: 2–1, on time. It counts once your opponent or the referee says the same."]
    assert pairing.b is not None
    other = Client().get(reverse("own_page", args=[entry_token(pairing.b)]))
    assert "Agree: 2–1, on time" in page_text(other)


def test_a_match_on_the_players_own_devices_waits_for_the_referee_once_its_set_is_over() -> None:
    pairing = dealt()
    tournament = pairing.round.stage.tournament
    Tournament.objects.update(round_minutes=50)
    begun = timezone.now() - timedelta(minutes=55)
    clocks.start_clock(round_id=pairing.round_id, by=organiser(of=tournament), now=begun)
    link, match = referee(tournament), match_of(pairing)
    told = "Time is over: the match ends as it stands, and the referee enters it."
    assert told not in page_text(look(pairing.a, pairing))
    assert offered(page(link)) == []
    while record_of(the_game(pairing))[1].turn is not None:
        do("own_move", acting(pairing), pairing, move="stand", at=the_game(pairing).position)
    shown = look(pairing.a, pairing)
    assert told in page_text(shown)
    assert 'value="next"' not in shown.content.decode()
    refused = do("own_move", pairing.a, pairing, part=True, move="next", at=the_game(pairing).position)
    assert (refused.status_code, told in page_text(refused)) == (409, True)
    (only,) = offered(page(link))
    a, b = record_of(the_game(pairing))[1].sets
    assert only == f"time-{a}-{b}"
    assert send(link, match, result=only).status_code == 200
    assert f"The result is in: {a}–{b}, on time" in page_text(look(pairing.a, pairing))


def test_everybody_reads_that_time_ended_it() -> None:
    tournament = timed(2)
    pairing = first(tournament)
    send(referee(tournament), match_of(pairing), result="time-2-1")
    count_up(tournament)
    for name in ("tournament", "pairings"):
        assert "2–1, on time" in page_text(Client().get(reverse(name, args=[tournament.pk])))
    bracket = timed(2, format="single_elimination")
    send(referee(bracket), match_of(first(bracket)), result="time-1-0")
    count_up(bracket)
    assert "On time" in page_text(Client().get(reverse("bracket", args=[bracket.pk])))
