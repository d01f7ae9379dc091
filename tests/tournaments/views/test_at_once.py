"""Every button pressed twice in the same instant: it happens once, and the second press is told what the first did."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import partial
from typing import Any
from uuid import uuid4

import pytest
from django.test import Client
from django.urls import reverse

from matches.models import Match, Submission
from players.models import Act
from players.permissions import Role
from tests.factories import NOW, make_entry, make_event, make_field, make_tournament, organiser
from tests.tournaments.at_once import one_behind_the_other
from tests.tournaments.play import count_up, pairings, play_open
from tests.tournaments.views.desk import Page, page_text, result, running, said, signed_in
from tests.tournaments.views.referee import link_for, match_of
from tests.tournaments.views.referee import send as told_by
from tests.tournaments.views.test_desk_result_list import fields_of
from tests.tournaments.views.test_desk_result_list import send as bring
from tests.tournaments.views.test_player_reports import reporting, side
from tests.tournaments.views.test_player_reports import tell as reports
from tournaments.actions import roster
from tournaments.models import Entry, Event, Pairing, RosterImport, Round, Tournament
from tournaments.permissions import entry_token

pytestmark = [pytest.mark.db, pytest.mark.django_db(transaction=True)]


class Desk:
    """The organiser's desk, with a hand that presses everything twice."""

    def __init__(self, event: Event) -> None:
        self.owner = event.owner

    def press(self, button: str, /, *args: int, **fields: Any) -> tuple[int, int, list[str], int]:
        """Status of both answers, what the second was told, and how many lines the log got."""
        address, known = reverse(button, args=args), Act.objects.count()
        tabs = signed_in(self.owner), signed_in(self.owner)
        first, second = one_behind_the_other(*(partial(tab.post, address, fields) for tab in tabs))
        if second.status_code == 302:
            assert second.headers["Location"] == first.headers["Location"]
        return first.status_code, second.status_code, said(second), Act.objects.count() - known


DONE_ONCE: tuple[int, int, list[str], int] = (302, 302, [], 1)
"""Both presses lead to the page that shows what was done; the log has it once."""


def once(*told: str) -> tuple[int, int, list[str], int]:
    """Done once, and the second press is told the same as the first."""
    return (302, 302, list(told), 1)


def refused(told: str, *, status: int = 409) -> tuple[int, int, list[str], int]:
    """Done once, and the second press is told why not again."""
    return (302, status, [told], 1)


def test_an_event_made_twice_is_one_event() -> None:
    event = make_event()
    desk = Desk(event)
    facts = {"name": "StarCon 2028", "starts_on": "2028-05-20", "zone": "Riga", "key": str(uuid4())}
    assert desk.press("event_new", **facts) == DONE_ONCE
    assert Event.objects.filter(name="StarCon 2028").count() == 1


def test_from_the_roster_to_the_first_round_every_press_counts_once() -> None:
    tournament = make_tournament(seeding="rating")
    desk, pk = Desk(tournament.event), tournament.pk
    added = desk.press("entry_add", pk, name="Ann", email="ann@example.org")
    assert (added[0], added[1], added[3]) == (302, 409, 1)
    row = {"email": "", "city": "", "club": "", "rating": None}
    kept = roster.prepare_import(
        tournament_id=pk,
        filename="list.csv",
        rows=[{"line": n, "name": f"Player {n}", **row} for n in range(2, 9)],
        problems=[],
        source={},
        by=organiser(of=tournament),
        now=NOW,
    )
    assert isinstance(kept, RosterImport)
    assert desk.press("import_confirm", pk, kept.pk) == DONE_ONCE
    assert Entry.objects.count() == 8
    assert desk.press("check_in_open", pk) == DONE_ONCE
    ann = Entry.objects.get(name="Ann")
    assert desk.press("entry_check_in", pk, ann.pk) == DONE_ONCE
    assert desk.press("entry_undo_check_in", pk, ann.pk) == DONE_ONCE
    assert desk.press("check_in_all", pk) == once("0 players were checked in.")
    assert desk.press("start", pk) == DONE_ONCE
    assert desk.press("publish", pk) == refused("There is no draft to publish.")
    assert (Round.objects.count(), Pairing.objects.count(), Match.objects.count()) == (1, 4, 4)


def test_results_told_twice_count_once() -> None:
    tournament = running(4)
    desk, pk = Desk(tournament.event), tournament.pk
    first, second = pairings(tournament, 1)
    assert desk.press("match_result", pk, match_of(first), **result(first, "3-1")) == once("The result is in.")
    slip = {"round": second.round_id, "table": second.table, "score": "2 3", "key": str(uuid4())}
    assert desk.press("paper", pk, **slip) == DONE_ONCE
    assert Submission.objects.count() == 2
    fix = result(first, "1-3")
    assert desk.press("match_result", pk, match_of(first), **fix)[3] == 1
    assert Submission.objects.count() == 3
    version = Match.objects.get(pk=match_of(first)).version
    cleared = desk.press("match_clear", pk, match_of(first), version=version)
    assert (cleared[0], cleared[3]) == (302, 1)
    assert Match.objects.get(pk=match_of(first)).version == version + 1


def test_a_list_of_results_confirmed_twice_is_entered_once() -> None:
    tournament = running(4)
    fields = fields_of(bring(tournament, "Table;Result\n1;3:1\n2;1:3\n"))
    pressed = Desk(tournament.event).press("result_list_confirm", tournament.pk, **fields)
    assert pressed == (302, 302, ["2 results of the list are in."], 2)
    assert Submission.objects.count() == 2


def test_the_course_moves_on_once_a_press() -> None:
    tournament = running(4)
    desk, pk = Desk(tournament.event), tournament.pk
    play_open(tournament)
    entry = tournament.entries.order_by("pk")[0]
    left = desk.press("withdraw", pk, entry.pk)
    assert (left[0], left[3]) == (302, 1)
    returned = desk.press("return_entry", pk, entry.pk)
    assert (returned[0], returned[3]) == (302, 1)
    assert desk.press("draft", pk) == DONE_ONCE
    assert desk.press("publish", pk) == refused("There is no draft to publish.")
    assert [round_.number for round_ in Round.objects.order_by("number")] == [1, 2]
    *back, told, lines = desk.press("take_back", pk)
    assert (back, lines) == ([302, 409], 1)
    # Who waited for the same locks is told to look again, who came after them what is so now.
    assert told in (
        ["Something has changed while you were looking. Look again."],
        ["Round 1 has results already, so it stays."],
    )
    assert desk.press("publish", pk) == refused("There is no draft to publish.")
    play_open(tournament)
    assert desk.press("finish", pk) == DONE_ONCE
    assert desk.press("reopen", pk) == refused("The tournament is not over yet.")
    assert Tournament.objects.get(pk=pk).state == "running"


def test_whatever_happens_to_a_player_happens_once_a_press() -> None:
    tournament = running(4)
    desk, pk = Desk(tournament.event), tournament.pk
    one, two, *_ = (entry.pk for entry in tournament.entries.order_by("pk"))
    event = {"name": "StarCon", "starts_on": "2027-05-22", "ends_on": "", "place": "Riga", "zone": "Riga"}
    presses = {
        "the event": desk.press("event_edit", tournament.event_id, **event),
        "seen as another": desk.press("entry_edit", pk, one, name="Ann", email="", city="Riga", club="", rating="2000"),
        "disqualified": desk.press("entry_act", pk, two, act="disqualify", why=""),
        "reinstated": desk.press("entry_act", pk, two, act="reinstate", why=""),
        "sits out": desk.press("entry_byes", pk, one, **{"round-2": "half", "why": ""}),
        "late": desk.press("entry_late", pk, name="Late", email="late@example.org", why=""),
    }
    assert {what: (first, lines) for what, (first, _second, _told, lines) in presses.items()} == dict.fromkeys(
        presses, (302, 1)
    )
    assert tournament.entries.count() == 5
    assert Entry.objects.get(pk=one).asked == [[2, "half"]]


def test_a_link_is_replaced_once_and_both_presses_show_the_new_one() -> None:
    tournament = make_tournament()
    desk, event = Desk(tournament.event), tournament.event_id
    helper, player = link_for(tournament.event), make_entry(tournament=tournament)
    told = "Marta has a new link; the old one works no more."
    assert desk.press("link_renew", event, helper.pk, seen=helper.version) == once(told)
    assert desk.press("link_revoke", event, helper.pk)[3] == 1
    assert desk.press("link_renew", event, helper.pk, seen=helper.version) == once(told)  # from a page that is older
    assert desk.press("entry_link_new", tournament.pk, player.pk, seen=player.link_version)[3] == 1
    helper.refresh_from_db()
    player.refresh_from_db()
    assert (helper.version, helper.revoked_at, player.link_version) == (4, None, 2)
    page = signed_in(tournament.event.owner).get(reverse("link_show", args=[event, helper.pk]))
    assert '<input type="hidden" name="seen" value="4">' in page.content.decode()


def test_a_player_at_their_own_page_does_each_thing_once() -> None:
    tournament = make_tournament(registration=True)
    by = organiser(of=tournament)
    address = reverse("register", args=[tournament.pk])
    form = {"key": "of-this-very-form", "name": "Ann", "is_shown": "yes", "language": "en", "website": ""}

    def lines(press: Callable[[], Page], other: Callable[[], Page]) -> tuple[list[int], int]:
        known = Act.objects.count()
        answers = one_behind_the_other(press, other)
        return [answer.status_code for answer in answers], Act.objects.count() - known

    registers = partial(Client().post, address, form), partial(Client().post, address, form)
    assert lines(*registers) == ([302, 302], 1)
    ann = tournament.entries.get()
    change = {"name": "Ann", "city": "Riga", "club": "", "email": "", "is_shown": "no", "language": "ru"}
    roster.open_check_in(tournament_id=tournament.pk, by=by, now=NOW)
    told = {
        button: lines(own(button, ann, **fields), own(button, ann, **fields))
        for button, fields in (
            ("own_change", change),
            ("own_check_in", {}),
            ("own_undo_check_in", {}),
            ("own_withdraw", {}),
        )
    }
    assert told == dict.fromkeys(told, ([302, 302], 1))
    ann.refresh_from_db()
    assert (ann.city, ann.is_shown, ann.is_gone) == ("Riga", False, True)


def test_a_report_agreed_to_twice_counts_once_and_one_taken_back_twice_is_gone_once() -> None:
    tournament = reporting(4)
    first, second = pairings(tournament, 1)
    reports(first, "a", "3-1")
    reports(second, "a", "3-1")
    one, other = Submission.objects.order_by("pk")
    agree = partial(Client().post, reverse("own_agree", args=[entry_token(side(first, "b")), one.pk]))
    back = partial(Client().post, reverse("own_take_back", args=[entry_token(side(second, "a")), other.pk]))
    known = Act.objects.count()
    for press in (agree, back):
        assert [answer.status_code for answer in one_behind_the_other(press, press)] == [302, 302]
    assert Act.objects.count() - known == 2
    assert [(m.kind, m.version) for m in Match.objects.order_by("pk")] == [("score", 1), ("", 0)]


def test_re_01_two_referees_with_different_scores_one_counts_and_the_other_reads_it() -> None:
    tournament = running(4)
    match = match_of(pairings(tournament, 1)[0])
    marta, ivan = link_for(tournament.event, name="Marta"), link_for(tournament.event, name="Иван")
    first, second = one_behind_the_other(
        partial(told_by, marta, match, result="3-1"), partial(told_by, ivan, match, result="2-3")
    )
    assert (first.status_code, second.status_code) == (200, 409)
    told = json.loads(second.content)
    assert told["code"] == "stale_version"
    assert told["detail"] == (
        "This match has changed while you were looking: its result is now 3–1, entered by \u2068Marta\u2069."
    )
    assert Submission.objects.count() == 1


def test_two_players_who_tell_the_same_in_the_same_instant_have_agreed() -> None:
    tournament = reporting(4)
    pairing = pairings(tournament, 1)[0]
    first, second = one_behind_the_other(partial(reports, pairing, "a", "3-1"), partial(reports, pairing, "b", "3-1"))
    assert (first.status_code, second.status_code) == (302, 302)
    found = Match.objects.get(pk=match_of(pairing))
    assert (found.kind, found.sets_a, found.sets_b, found.version) == ("score", 3, 1, 1)
    assert Submission.objects.filter(is_confirmed=True).count() == 1


def own(button: str, entry: Entry, /, **fields: str) -> Callable[[], Page]:
    """A press on a player's own page, from a browser of its own."""
    return partial(Client().post, reverse(button, args=[entry_token(entry)]), fields)


def test_rc_05_a_player_who_checks_in_while_it_starts_is_told_it_is_closed() -> None:
    tournament = make_tournament(seeding="rating")
    make_field(size=4, tournament=tournament)
    roster.open_check_in(tournament_id=tournament.pk, by=organiser(of=tournament), now=NOW)
    late = make_entry(tournament=tournament, name="Late")
    starts = partial(
        signed_in(tournament.event.owner).post, reverse("start", args=[tournament.pk]), {"leaving_out": late.pk}
    )
    started, checked_in = one_behind_the_other(starts, own("own_check_in", late))
    assert (started.status_code, said(checked_in)) == (
        302,
        ["The tournament has started, so its roster stays as it is."],
    )
    late.refresh_from_db()
    assert (late.checked_in_at, late.seed) == (None, None)
    assert tournament.entries.filter(seed__isnull=False).count() == 4


def test_rc_05_a_start_behind_somebody_who_checks_in_is_told_the_roster_has_changed() -> None:
    tournament = make_tournament(seeding="rating")
    make_field(size=4, tournament=tournament)
    roster.open_check_in(tournament_id=tournament.pk, by=organiser(of=tournament), now=NOW)
    late = make_entry(tournament=tournament, name="Late")
    starts = partial(
        signed_in(tournament.event.owner).post, reverse("start", args=[tournament.pk]), {"leaving_out": late.pk}
    )
    checked_in, started = one_behind_the_other(own("own_check_in", late), starts)
    assert (checked_in.status_code, started.status_code) == (302, 409)
    assert "nobody is left out now" in page_text(started)
    assert Round.objects.count() == 0


def test_a_player_and_the_desk_check_in_at_once_and_it_is_one_line() -> None:
    tournament = make_tournament()
    entry = make_entry(tournament=tournament)
    roster.open_check_in(tournament_id=tournament.pk, by=organiser(of=tournament), now=NOW)
    known = Act.objects.count()
    desk = partial(signed_in(tournament.event.owner).post, reverse("entry_check_in", args=[tournament.pk, entry.pk]))
    known = Act.objects.count()
    one, other = one_behind_the_other(own("own_check_in", entry), desk)
    assert (one.status_code, other.status_code, Act.objects.count() - known) == (302, 302, 1)


def test_a_semi_final_corrected_while_the_final_is_told_leaves_one_of_both() -> None:
    tournament = running(4, format="single_elimination")
    play_open(tournament)
    semi, final = pairings(tournament, 1)[0], pairings(tournament, 2)[0]
    desk, referee = signed_in(tournament.event.owner), link_for(tournament.event, role=Role.REFEREE)
    fix = partial(desk.post, reverse("match_result", args=[tournament.pk, semi.match_id]), result(semi, "1-3"))
    told, fixed = one_behind_the_other(partial(told_by, referee, match_of(final)), fix)
    assert (told.status_code, fixed.status_code) == (200, 409)
    assert "The next match of these players has a result already." in page_text(fixed)
    count_up(tournament)
    assert [p.match_id for p in pairings(tournament, 2)] == [final.match_id]
    assert side(semi, "a").pk in {final.a_id, final.b_id}
