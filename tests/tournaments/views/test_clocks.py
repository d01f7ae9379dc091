"""The clock of a round on every page that shows it, and where it is run from: the desk and a referee's link."""

from __future__ import annotations

import re
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from django.utils.timezone import localtime

from tests.factories import make_field, make_tournament, organiser
from tests.tournaments.play import count_up, pairings, report, start
from tests.tournaments.views.desk import Page, desk_of, page_text, said, text_of
from tests.tournaments.views.referee import match_of, page, referee, running
from tournaments.actions import clocks
from tournaments.models import Event, Pairing, RoundClock, Tournament
from tournaments.permissions import entry_token, link_token

pytestmark = pytest.mark.django_db

RULE = "When time is over: finish the set."
OVER = "Time: finish the set. The set on the table is played to its end; another one only where no tie can stand."


def timed(**facts: Any) -> Tournament:
    return running(4, **{"round_minutes": 50, **facts})


def clock_of(tournament: Tournament, *, minutes_ago: float = 10) -> RoundClock:
    """The clock of the first round, started so long ago."""
    started = clocks.start_clock(
        round_id=pairings(tournament)[0].round_id,
        by=organiser(of=tournament),
        now=timezone.now() - timedelta(minutes=minutes_ago),
    )
    assert isinstance(started, RoundClock)
    count_up(tournament)
    return started


def wall(instant: datetime, event: Event) -> str:
    return f"{localtime(instant, event.tzinfo):%H:%M}"


def pages(tournament: Tournament) -> dict[str, str]:
    """What everybody's pages say: public ones, the first table's own, a referee's and the desk's."""
    first, link = pairings(tournament)[0], referee(tournament)
    pk = tournament.pk
    return {
        **{name: page_text(Client().get(reverse(name, args=[pk]))) for name in ("tournament", "pairings", "hall")},
        "wall": page_text(Client().get(reverse("hall", args=[pk]), {"show": "standings"})),
        "own": page_text(Client().get(reverse("own_page", args=[entry_token(first.a)]))),
        "referee": text_of(page(link).content.decode()),
        "desk": page_text(desk_of(tournament).get(reverse("tournament_desk", args=[pk]))),
    }


def counted(response: Page) -> list[str]:
    """The instants clocks of a page run down to."""
    return re.findall(r'data-until="([^"]+)"', response.content.decode())


def test_without_a_clock_no_page_speaks_of_time() -> None:
    assert {name for name, text in pages(running(4)).items() if "When time is over" in text} == set()


def test_every_page_says_until_when_and_what_then() -> None:
    tournament = timed()
    assert [name for name, text in pages(tournament).items() if "Start the clock" in text] == ["referee", "desk"]
    clock = clock_of(tournament)
    until = wall(clock.started_at + timedelta(minutes=50), tournament.event)
    for text in pages(tournament).values():
        assert f"until {until} Round 1: until" in text  # to be read from afar, then with its day
        assert RULE in text
        assert OVER not in text


def test_lp_12_a_table_with_extra_time_has_its_own_end_and_all_others_that_of_the_round() -> None:
    tournament = timed()
    clock = clock_of(tournament)
    first, second = pairings(tournament)
    clocks.give_time(match_id=match_of(first), seconds=180, by=organiser(of=tournament), now=timezone.now())
    count_up(tournament)
    end = clock.started_at + timedelta(minutes=50)
    own = [Client().get(reverse("own_page", args=[entry_token(each.a)])) for each in (first, second)]
    assert [counted(each) for each in own] == [[(end + timedelta(minutes=3)).isoformat()], [end.isoformat()]]
    assert ["3 minutes more at this table" in page_text(each) for each in own] == [True, False]
    for name in ("hall", "pairings"):
        shown = Client().get(reverse(name, args=[tournament.pk]))
        assert counted(shown) == [end.isoformat()]
        assert f"Table {first.table}: 3 min more, until" in page_text(shown)


def test_once_time_is_over_everybody_is_told_the_rule() -> None:
    tournament = timed()
    clock_of(tournament, minutes_ago=55)
    for text in pages(tournament).values():
        assert OVER in text


@pytest.mark.parametrize(
    ("at_time", "words"),
    [
        (
            "sudden_death",
            "Time: sudden death. The set on the table is played to its end; level then, the next set decides.",
        ),
        ("tie", "Time: the sets as they stand. No more cards: level in sets is a tied match."),
    ],
)
def test_the_rule_is_the_tournaments(at_time: str, words: str) -> None:
    tournament = timed(at_time=at_time, allows_tie=True)
    clock_of(tournament, minutes_ago=51)
    assert words in page_text(Client().get(reverse("hall", args=[tournament.pk])))


def test_a_round_whose_results_are_in_has_no_clock_any_more() -> None:
    tournament = timed()
    clock_of(tournament)
    for pairing in pairings(tournament):
        report(pairing, (3, 1))
    count_up(tournament)
    assert {name for name, text in pages(tournament).items() if "When time is over" in text} == set()


# --- Running it.


def press(tournament: Tournament, act: str, *, version: int | None = None) -> Page:
    fields = {"act": act, "round": pairings(tournament)[0].round_id}
    if version is not None:
        fields["version"] = version
    return desk_of(tournament).post(reverse("clock", args=[tournament.pk]), fields)


def test_the_desk_runs_the_clock() -> None:
    tournament = timed()
    for act, version in (("start", None), ("pause", None)):
        assert press(tournament, act, version=version).status_code == 302
    shown = page_text(desk_of(tournament).get(reverse("tournament_desk", args=[tournament.pk])))
    assert "50:00 Round 1: the clock stands since" in shown
    assert "Go on" in shown
    assert press(tournament, "resume").status_code == 302
    assert press(tournament, "extend", version=3).status_code == 302
    again = press(tournament, "extend", version=3)
    assert (again.status_code, said(again)) == (
        409,
        ["Somebody has changed the clock meanwhile. Look at it, then press again."],
    )
    assert RoundClock.objects.get().seconds == 55 * 60
    assert press(tournament, "reset").status_code == 302
    assert RoundClock.objects.count() == 0


def test_the_clock_of_another_tournament_is_not_there() -> None:
    tournament, other = timed(), timed()
    fields = {"act": "start", "round": pairings(other)[0].round_id}
    assert desk_of(tournament).post(reverse("clock", args=[tournament.pk]), fields).status_code == 404
    link = referee(tournament)
    for pk, status in ((tournament.pk, 404), (other.pk, 404)):
        address = reverse("staff_clock", args=[link_token(link), pk])
        assert Client().post(address, fields).status_code == status
    assert RoundClock.objects.count() == 0


def test_a_referee_of_all_tables_runs_it_and_one_of_some_only_looks() -> None:
    tournament = timed()
    fields = {"act": "start", "round": pairings(tournament)[0].round_id}
    whole, bound = referee(tournament), referee(tournament, tables=(1,))
    addresses = [reverse("staff_clock", args=[link_token(each), tournament.pk]) for each in (bound, whole)]
    assert [Client().post(address, fields).status_code for address in addresses] == [404, 302]
    texts = [text_of(page(each).content.decode()) for each in (bound, whole)]
    assert [RULE in text for text in texts] == [True, True]
    assert ["Pause" in text for text in texts] == [False, True]


def test_extra_time_is_given_from_the_page_of_a_match_and_what_is_typed_wrong_stays() -> None:
    tournament = timed()
    pairing = pairings(tournament)[0]
    link = referee(tournament, tables=(pairing.table or 0,))
    places = (
        (Client(), reverse("staff_time", args=[link_token(link), match_of(pairing)])),
        (desk_of(tournament), reverse("match_time", args=[tournament.pk, match_of(pairing)])),
    )
    for minutes, (browser, address) in zip((3, 4), places, strict=True):
        wrong = browser.post(address, {"minutes": "61"})
        assert wrong.status_code == 400
        assert 'value="61"' in wrong.content.decode()
        assert "less than or equal to 60" in page_text(wrong)
        assert browser.post(address, {"minutes": minutes}, follow=True).status_code == 200
        assert Pairing.objects.get(pk=pairing.pk).extra_seconds == minutes * 60
    elsewhere = pairings(tournament)[1]
    address = reverse("staff_time", args=[link_token(link), match_of(elsewhere)])
    assert Client().post(address, {"minutes": 3}).status_code == 404


# --- What is settled for it.


def settle(tournament: Tournament, **fields: Any) -> Page:
    usual = {"name": "Main", "format": "swiss", "ruleset": "standard/1", "round_minutes": 40, "at_time": "tie"}
    address = reverse("tournament_settings", args=[tournament.pk])
    return desk_of(tournament).post(address, usual | fields)


def test_sets_can_stand_only_where_a_match_may_end_tied() -> None:
    words = "The sets can stand only where a match may end tied: allow that first, or choose another."
    tournament = make_tournament()
    for fields in ({}, {"allows_tie": "on", "format": "single_elimination"}):
        refused = settle(tournament, **fields)
        assert refused.status_code == 400
        assert words in page_text(refused)
        assert 'value="40"' in refused.content.decode()
    assert settle(tournament, allows_tie="on").status_code == 302
    tournament.refresh_from_db()
    assert (tournament.round_minutes, tournament.at_time) == (40, "tie")


def test_time_can_be_settled_after_the_start_too() -> None:
    tournament = make_tournament()
    make_field(size=4, tournament=tournament)
    start(tournament)
    refused = settle(tournament)
    assert (refused.status_code, "The sets can stand only where" in page_text(refused)) == (400, True)
    assert settle(tournament, at_time="sudden_death").status_code == 302
    tournament.refresh_from_db()
    assert (tournament.round_minutes, tournament.at_time) == (40, "sudden_death")
