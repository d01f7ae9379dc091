"""From the start to the champion on the desk: one next step at a time, and what blocks it is said."""

from __future__ import annotations

from typing import Any

import pytest
from django.urls import reverse

from tests.factories import make_field, make_tournament
from tests.tournaments.play import count_up, draft, meetings, pairings, play_open, publish, report, stage_of
from tests.tournaments.views.desk import Page, desk_of, heading, page_text, running, said
from tournaments.models import Pairing, Tournament

pytestmark = pytest.mark.django_db


def press(tournament: Tournament, act: str, **fields: str) -> Page:
    return desk_of(tournament).post(reverse(act, args=[tournament.pk]), fields)


def desk(tournament: Tournament) -> Page:
    return desk_of(tournament).get(reverse("tournament_desk", args=[tournament.pk]))


def state_of(tournament: Tournament) -> str:
    tournament.refresh_from_db()
    return tournament.state


def step_of(response: Page) -> str:
    """The title of the next step."""
    return str(response.context["step"]["title"])


def swap(tournament: Tournament, number: int, entry: int, with_entry: int) -> Page:
    round_ = stage_of(tournament).rounds.get(published_at=None)
    address = reverse("swap", args=[tournament.pk, round_.pk, number])
    return desk_of(tournament).post(address, {"entry": entry, "with_entry": with_entry})


def ids_by_name(tournament: Tournament) -> dict[str, int]:
    return dict(tournament.entries.values_list("name", "pk"))


def test_a_swiss_from_the_roster_to_its_champion_by_its_next_steps() -> None:
    tournament = make_tournament(seeding="rating")
    make_field(size=4, tournament=tournament, here=False)
    roster = desk_of(tournament).get(reverse("roster", args=[tournament.pk]))
    assert step_of(roster) == "Open check-in for 4 players"
    press(tournament, "check_in_open")
    press(tournament, "check_in_all")
    press(tournament, "start", leaving_out="")
    page = desk(tournament)
    assert (heading(page), step_of(page)) == ("Round 1 is a draft", "Publish round 1 and call 2 tables")

    assert said(press(tournament, "publish")) == ["Published: everybody sees it now."]
    assert step_of(desk(tournament)) == "Enter 2 results: Round 1"
    play_open(tournament)
    page = desk(tournament)
    assert (heading(page), step_of(page)) == ("Round 1: all results are in", "Pair round 2 of 2")

    press(tournament, "draft")
    press(tournament, "publish")
    play_open(tournament)
    page = desk(tournament)
    assert (heading(page), step_of(page)) == ("Every round is played", "Finish the tournament and name the champion")

    press(tournament, "finish")
    count_up(tournament)
    page = desk(tournament)
    assert (heading(page), page.context["step"]) == ("Player 01 is the champion", None)
    winner = page.context["podium"][0]
    assert (winner.rank, winner.entry.name) == (1, "Player 01")

    assert said(press(tournament, "reopen")) == ["Open again: correct what is wrong, then finish."]
    assert state_of(tournament) == "running"


def test_a_round_robin_is_one_draft_of_all_its_rounds() -> None:
    tournament = make_tournament(format="round_robin")
    make_field(size=4, tournament=tournament)
    press(tournament, "start", leaving_out="")
    page = desk(tournament)
    assert (heading(page), step_of(page)) == ("3 rounds are a draft", "Publish 3 rounds with 6 matches")
    assert [each.round.number for each in page.context["drafts"]] == [1, 2, 3]


def test_a_bracket_is_published_once_and_follows_from_its_results() -> None:
    tournament = make_tournament(format="single_elimination", seeding="rating")
    make_field(size=4, tournament=tournament)
    press(tournament, "start", leaving_out="")
    page = desk(tournament)
    assert (heading(page), step_of(page)) == ("The bracket is a draft", "Publish the bracket and call 2 tables")
    press(tournament, "publish")
    assert heading(desk(tournament)) == "The semi-finals are being played"
    play_open(tournament)
    assert (heading(desk(tournament)), step_of(desk(tournament))) == (
        "The final is being played",
        "Enter the last result: Final",
    )
    refused = press(tournament, "take_back")
    told = ["This round follows from results by itself. Take back a result instead."]
    assert (refused.status_code, said(refused)) == (409, told)


def test_sw_10_nothing_is_paired_while_a_match_is_open_and_the_page_lists_it() -> None:
    """16 players, round 3: 7 of 8 results are in. Pairing round 4 is refused, with table, players and state."""
    tournament = running(16)
    for number in (2, 3):
        play_open(tournament)
        draft(tournament)
        publish(tournament)
        assert len(pairings(tournament, number)) == 8
    last = pairings(tournament, 3)[7]
    for pairing in pairings(tournament, 3)[:7]:
        report(pairing, (3, 0))

    refused = press(tournament, "draft")
    assert (refused.status_code, said(refused)) == (409, ["1 match has no result yet."])
    assert stage_of(tournament).rounds.count() == 3
    text = page_text(refused)
    assert last.b is not None
    assert f"8 {last.a.name} {last.b.name} No result yet" in text

    report(last, (3, 0))
    press(tournament, "draft")
    assert stage_of(tournament).rounds.get(number=4).is_draft


def test_pressing_twice_is_pressing_once() -> None:
    tournament = make_tournament()
    make_field(size=4, tournament=tournament)
    for _press in range(2):
        press(tournament, "start", leaving_out="")
    assert stage_of(tournament).rounds.count() == 1
    press(tournament, "publish")
    again = press(tournament, "publish")
    assert (again.status_code, said(again)) == (409, ["There is no draft to publish."])
    play_open(tournament)
    for _press in range(2):
        assert press(tournament, "draft").status_code == 302
    assert stage_of(tournament).rounds.count() == 2


# --- a draft


def test_a_draft_shows_points_and_why_and_nobody_else_sees_it() -> None:
    tournament = running(5)
    play_open(tournament)
    press(tournament, "draft")
    page = desk(tournament)
    (shown,) = page.context["drafts"]
    assert (shown.tables, shown.byes) == (2, 1)
    points = [each for row in shown.rows for each in row.points[: 2 if row.pairing.b_id else 1]]
    assert sorted(points) == [0, 0, 3, 3, 3]
    assert "Bye: the lowest score of those with the fewest byes." in page_text(page)
    public = desk_of(tournament).get(reverse("tournament", args=[tournament.pk]))
    assert "Round 2" not in heading(public)


def test_two_players_of_a_draft_change_places_and_the_page_says_what_it_means() -> None:
    tournament = running(4)
    play_open(tournament)
    press(tournament, "draft")
    ids, before = ids_by_name(tournament), meetings(tournament, 2)
    first, second = before[0]
    assert second is not None
    met = next(p for p in pairings(tournament, 1) if ids[first] in (p.a_id, p.b_id))
    other = met.b if met.a_id == ids[first] else met.a
    assert other is not None

    form = (
        desk_of(tournament)
        .get(reverse("swap", args=[tournament.pk, stage_of(tournament).rounds.get(number=2).pk, 1]))
        .context["form"]
    )
    assert sorted(value for value, _text in form.fields["entry"].choices) == sorted([ids[first], ids[second]])
    assert other.pk in dict(form.fields["with_entry"].choices)

    swapped = swap(tournament, 1, ids[second], other.pk)
    assert said(swapped) == [f"{second} and {other.name} have changed places."]
    page = desk(tournament)
    assert page.context["drafts"][0].by_hand == 2
    text = page_text(page)
    assert "have met before, in round 1." in text
    assert "It waits for your word on one thing:" in text

    refused = press(tournament, "publish")
    told = ["Your changes want a second look before publishing: see what is marked, then undo or allow it."]
    assert (refused.status_code, said(refused)) == (409, told)
    assert stage_of(tournament).rounds.get(number=2).is_draft

    assert said(press(tournament, "pair_again")) == ["The draft was made anew, without changes by hand."]
    assert meetings(tournament, 2) == before
    swap(tournament, 1, ids[second], other.pk)
    press(tournament, "publish", accept_warnings="on")
    assert not stage_of(tournament).rounds.get(number=2).is_draft


def test_sw_08_a_round_of_byes_alone_is_published_only_after_a_word() -> None:
    tournament = make_tournament()
    entries = make_field(size=5, tournament=tournament)
    press(tournament, "start", leaving_out="")
    round_ = stage_of(tournament).rounds.get()
    round_.pairings.all().delete()
    for number, entry in enumerate(entries, start=1):
        Pairing.objects.create(round=round_, number=number, a=entry, by_hand=True)
    page = desk(tournament)
    assert "5 players have a bye and could meet each other." in page_text(page)

    assert press(tournament, "publish").status_code == 409
    assert stage_of(tournament).rounds.get().is_draft
    press(tournament, "publish", accept_warnings="on")
    assert not stage_of(tournament).rounds.get().is_draft
    count_up(tournament)
    press(tournament, "draft")
    assert sorted(len([side for side in pair if side]) for pair in meetings(tournament, 2)) == [1, 2, 2]


@pytest.mark.parametrize(
    ("sent", "wrong"),
    [
        ({}, ["entry", "with_entry"]),
        ({"entry": "x", "with_entry": "1"}, ["entry", "with_entry"]),
        ({"with_entry": "0"}, ["entry", "with_entry"]),
    ],
)
def test_a_change_that_names_nobody_of_the_draft_changes_nothing(sent: dict[str, Any], wrong: list[str]) -> None:
    tournament = make_tournament()
    make_field(size=4, tournament=tournament)
    press(tournament, "start", leaving_out="")
    before = meetings(tournament, 1)
    round_ = stage_of(tournament).rounds.get()
    answer = desk_of(tournament).post(reverse("swap", args=[tournament.pk, round_.pk, 1]), sent)
    assert (answer.status_code, list(answer.context["form"].errors)) == (400, wrong)
    assert meetings(tournament, 1) == before
    assert desk_of(tournament).get(reverse("swap", args=[tournament.pk, round_.pk, 9])).status_code == 404


def test_a_published_round_has_no_draft_to_change() -> None:
    tournament = running(4)
    round_ = stage_of(tournament).rounds.get()
    assert desk_of(tournament).get(reverse("swap", args=[tournament.pk, round_.pk, 1])).status_code == 404


def test_a_round_is_taken_back_while_it_has_no_result() -> None:
    tournament = running(4)
    assert "Take the last round back" in page_text(desk(tournament))
    assert said(press(tournament, "take_back")) == ["Taken back: only organisers see it now."]
    assert heading(desk(tournament)) == "Round 1 is a draft"

    press(tournament, "publish")
    report(pairings(tournament, 1)[0], (3, 0))
    assert "Take the last round back" not in page_text(desk(tournament))
    refused = press(tournament, "take_back")
    assert (refused.status_code, said(refused)) == (409, ["Round 1 has results already, so it stays."])


# --- the end


def test_a_tournament_ends_early_only_when_somebody_says_so() -> None:
    tournament = running(8)
    refused = press(tournament, "finish")
    assert (refused.status_code, said(refused)) == (409, ["4 matches have no result yet."])
    play_open(tournament)
    assert "Finish before the last round?" in page_text(desk(tournament))
    refused = press(tournament, "finish")
    told = ["Not every planned round is played. You can still finish early."]
    assert (refused.status_code, said(refused)) == (409, told)
    press(tournament, "finish", early="on")
    assert state_of(tournament) == "finished"
    again = press(tournament, "reopen")
    assert again.status_code == 302
    twice = press(tournament, "reopen")
    assert (twice.status_code, said(twice)) == (409, ["The tournament is not over yet."])


def test_the_bar_gathers_rounds_when_there_are_many() -> None:
    tournament = make_tournament(format="round_robin")
    make_field(size=12, tournament=tournament)
    press(tournament, "start", leaving_out="")
    press(tournament, "publish")
    for pairing in pairings(tournament):
        if pairing.round.number < 4:
            report(pairing, (3, 0))
    count_up(tournament)
    steps = [(step["text"], step["state"]) for step in desk(tournament).context["progress"]["steps"]]
    assert steps == [
        ("Roster", "done"),
        ("Check-in", "done"),
        ("1–3", "done"),
        ("Round 4", "now"),
        ("5–11", ""),
        ("Champion", ""),
    ]
