"""Results on the desk: open matches first, nothing impossible, nothing twice, and a mistake set right."""

from __future__ import annotations

from datetime import timedelta
from uuid import uuid4

import pytest
from django.urls import reverse
from django.utils import timezone

from matches.models import Match, Submission
from tests.factories import NOW, make_event, make_tournament, organiser
from tests.tournaments.play import draft, pairings, play_open, publish, report, stage_of
from tests.tournaments.views.desk import Page, desk_of, heading, page_text, result, running, said
from tournaments.actions import rounds
from tournaments.models import Pairing, Tournament

pytestmark = pytest.mark.django_db


def send(tournament: Tournament, pairing: Pairing, sent: dict[str, object]) -> Page:
    return desk_of(tournament).post(reverse("match_result", args=[tournament.pk, pairing.match_id]), sent)


def results(tournament: Tournament, query: str = "") -> Page:
    return desk_of(tournament).get(reverse("results", args=[tournament.pk]) + query)


def match_of(pairing: Pairing) -> Match:
    return Match.objects.get(pk=pairing.match_id or 0)


def facts(pairing: Pairing) -> tuple[str, int, int, str]:
    match = match_of(pairing)
    return match.kind, match.sets_a, match.sets_b, match.winner


@pytest.mark.parametrize(
    ("chosen", "lost", "stored"),
    [
        ("3-0", "", ("score", 3, 0, "a")),
        ("3-1", "", ("score", 3, 1, "a")),
        ("3–2", "", ("score", 3, 2, "a")),
        ("0:3", "", ("score", 0, 3, "b")),
        ("walkover_a", "", ("walkover", 3, 0, "a")),
        ("walkover_b", "2", ("walkover", 0, 3, "b")),
        ("forfeit_a", "", ("forfeit", 3, 0, "a")),
        ("forfeit_b", "2", ("forfeit", 2, 3, "b")),
        ("double_no_show", "", ("double_no_show", 0, 0, "")),
    ],
)
def test_re_04_every_way_a_match_ends(chosen: str, lost: str, stored: tuple[str, int, int, str]) -> None:
    tournament = running(2)
    (pairing,) = pairings(tournament)
    answer = send(tournament, pairing, result(pairing, chosen, loser_sets=lost))
    assert (answer.status_code, said(answer)) == (302, ["The result is in."])
    assert facts(pairing) == stored


@pytest.mark.parametrize(
    ("chosen", "lost", "told"),
    [
        ("3-3", "", "Both cannot have 3 sets: a match ends as soon as one side has them."),
        ("4-1", "", "This cannot be: a match ends with set 3 won."),
        ("2-1", "", "Nobody has won 3 sets yet. If somebody gave up, choose that under “Not played to the end”."),
        ("2-2", "", "Nobody has won 3 sets yet. If somebody gave up, choose that under “Not played to the end”."),
        ("-1-3", "", "Nobody wins fewer than no sets."),
        ("forfeit_a", "3", "This cannot be: the one who gave up had won fewer than 3 sets."),
    ],
)
def test_re_04_what_cannot_be_is_refused_with_the_reason_and_stays_chosen(chosen: str, lost: str, told: str) -> None:
    tournament = running(2)
    (pairing,) = pairings(tournament)
    answer = send(tournament, pairing, result(pairing, chosen, loser_sets=lost))
    assert (answer.status_code, said(answer), facts(pairing)) == (400, [told], ("", 0, 0, ""))
    assert answer.context["form"].chosen == chosen


@pytest.mark.parametrize(
    ("sent", "wrong"),
    [
        ({"result": ""}, "result"),
        ({"result": "3-x"}, "result"),
        ({"result": "3"}, "result"),
        ({"result": "walkover"}, "result"),
        ({"loser_sets": "x", "result": "forfeit_a"}, "loser_sets"),
        ({"key": "short"}, "key"),
        ({"version": "now"}, "version"),
        ({"version": "-1"}, "version"),
    ],
)
def test_re_04_what_is_no_result_at_all_is_said_beside_its_field(sent: dict[str, str], wrong: str) -> None:
    tournament = running(2)
    (pairing,) = pairings(tournament)
    answer = send(tournament, pairing, {**result(pairing, "3-0"), **sent})
    assert (answer.status_code, list(answer.context["form"].errors)) == (400, [wrong])
    assert Submission.objects.count() == 0


def test_a_tie_is_offered_only_where_time_may_run_out() -> None:
    strict, timed = running(2), running(2, allows_tie=True)
    for tournament, ties in ((strict, []), (timed, ["0-0", "1-1", "2-2"])):
        (pairing,) = pairings(tournament)
        page = desk_of(tournament).get(reverse("match_result", args=[tournament.pk, pairing.match_id]))
        assert [key.value for key in page.context["form"].ties] == ties
    (pairing,) = pairings(timed)
    send(timed, pairing, result(pairing, "1-1"))
    assert facts(pairing) == ("score", 1, 1, "")


def test_the_same_form_twice_is_one_result() -> None:
    tournament = running(2)
    (pairing,) = pairings(tournament)
    form = result(pairing, "3-0")
    assert [send(tournament, pairing, form).status_code for _ in range(2)] == [302, 302]
    assert Submission.objects.count() == 1
    other = send(tournament, pairing, {**form, "result": "0-3"})
    assert (other.status_code, facts(pairing)) == (409, ("score", 3, 0, "a"))


def test_a_stale_form_is_told_what_changed_and_what_was_chosen_is_kept() -> None:
    tournament = running(2)
    (pairing,) = pairings(tournament)
    form = result(pairing, "0-3")
    report(pairing, (3, 1))
    answer = send(tournament, pairing, form)
    by = str(tournament.event.owner)
    told = f"This match has changed while you were looking: its result is now 3–1, entered by \u2068{by}\u2069."
    assert (answer.status_code, said(answer)) == (409, [told])
    assert facts(pairing) == ("score", 3, 1, "a")
    again = answer.context["form"]
    assert (again.chosen, again["version"].value()) == ("0-3", 1)
    sent = {"result": "0-3", "key": again["key"].value(), "version": "1"}
    assert (send(tournament, pairing, sent).status_code, facts(pairing)) == (302, ("score", 0, 3, "b"))


def test_the_list_has_open_matches_first_and_who_entered_each_result() -> None:
    tournament = running(4)
    first, second = pairings(tournament)
    page = results(tournament)
    assert (heading(page), [row.pairing.pk for row in page.context["open"]]) == ("Results", [first.pk, second.pk])
    report(first, (3, 1))
    page = results(tournament)
    text = page_text(page)
    assert text.index("1 open match") < text.rindex("Round 1")
    assert f"by {tournament.event.owner}" in text
    found = results(tournament, f"?q={first.a.name}")
    assert (len(found.context["open"]), [len(rows) for _number, rows in found.context["decided"]]) == (0, [1])
    assert len(results(tournament, "?q=2").context["open"]) == 1


def test_many_open_matches_are_a_list_of_links() -> None:
    tournament = running(84)
    page = results(tournament)
    assert (len(page.context["open"]), {row.form for row in page.context["open"]}) == (42, {None})
    for name in ("match_result", "match_move"):
        links = [reverse(name, args=[tournament.pk, row.pairing.match_id]) for row in page.context["open"]]
        assert [page.content.decode().count(f'"{link}"') for link in links] == [1] * 42


def test_a_result_of_the_current_round_is_corrected_and_taken_back() -> None:
    tournament = running(4)
    first, _second = pairings(tournament)
    report(first, (3, 1))
    page = desk_of(tournament).get(reverse("match_result", args=[tournament.pk, first.match_id]))
    assert (page.context["form"].chosen, "It stands 3–1." in page_text(page)) == ("3-1", True)
    send(tournament, first, result(first, "1-3"))
    assert facts(first) == ("score", 1, 3, "b")
    assert [s.is_confirmed for s in Submission.objects.order_by("number")] == [False, True]

    clear = reverse("match_clear", args=[tournament.pk, first.match_id])
    stale = desk_of(tournament).post(clear, {"version": "1"})
    assert (stale.status_code, facts(first)) == (409, ("score", 1, 3, "b"))
    answer = desk_of(tournament).post(clear, {"version": "2", "why": "wrong table"})
    assert said(answer) == ["The result is taken back: the match is open again."]
    assert (facts(first), match_of(first).submissions.count()) == (("", 0, 0, ""), 2)
    assert desk_of(tournament).post(clear, {"version": "x"}).status_code == 400


def test_what_a_later_round_rests_on_stays_and_the_page_says_why() -> None:
    tournament = running(4, format="single_elimination")
    play_open(tournament)
    semi = pairings(tournament, 1)[0]
    (final,) = pairings(tournament, 2)
    report(final, (3, 0))
    answer = send(tournament, semi, result(semi, "0-3" if facts(semi)[3] == "a" else "3-0"))
    told = ["The next match of these players has a result already. Take that one back first."]
    assert (answer.status_code, said(answer)) == (409, told)


def test_re_14_a_match_of_a_finished_tournament_is_closed() -> None:
    tournament = running(2)
    (pairing,) = pairings(tournament)
    play_open(tournament)
    rounds.finish_tournament(tournament_id=tournament.pk, by=organiser(of=tournament), now=NOW)
    before = facts(pairing)
    answer = send(tournament, pairing, result(pairing, "0-3"))
    assert (answer.status_code, said(answer)) == (409, ["The tournament is not being played now."])
    clear = reverse("match_clear", args=[tournament.pk, pairing.match_id])
    assert desk_of(tournament).post(clear, {"version": "1"}).status_code == 409
    assert facts(pairing) == before
    page = desk_of(tournament).get(reverse("match_result", args=[tournament.pk, pairing.match_id]))
    assert "Reopen it to correct a result." in page_text(page)


def test_re_14_a_match_whose_round_was_taken_back_is_closed() -> None:
    tournament = running(4)
    pairing = pairings(tournament)[0]
    form = result(pairing, "3-0")
    rounds.take_back_round(stage_id=stage_of(tournament).pk, by=organiser(of=tournament), now=NOW)
    answer = send(tournament, pairing, form)
    told = ["This match is closed: its round was taken back. Look at the new pairings."]
    assert (answer.status_code, said(answer), facts(pairing)) == (409, told, ("", 0, 0, ""))


def test_re_14_a_final_whose_players_are_not_known_is_no_match_yet() -> None:
    tournament = running(4, format="single_elimination")
    report(pairings(tournament, 1)[0], (3, 0))
    highest = Match.objects.latest("pk").pk
    sent = {"result": "3-0", "key": str(uuid4()), "version": "0"}
    answer = desk_of(tournament).post(reverse("match_result", args=[tournament.pk, highest + 1]), sent)
    assert (answer.status_code, Submission.objects.count()) == (404, 1)


def test_a_match_of_another_tournament_of_the_same_event_is_not_here() -> None:
    event = make_event()
    here, there = make_tournament(event=event), running(2, event=event)
    (pairing,) = pairings(there)
    address = reverse("match_result", args=[here.pk, pairing.match_id])
    assert desk_of(event).post(address, result(pairing, "3-0")).status_code == 404
    assert facts(pairing) == ("", 0, 0, "")


def test_a_result_of_an_earlier_round_changes_points_and_not_published_pairings() -> None:
    tournament = running(4)
    play_open(tournament)
    draft(tournament)
    publish(tournament)
    before = [(p.a_id, p.b_id) for p in pairings(tournament, 2)]
    first = pairings(tournament, 1)[0]
    send(tournament, first, result(first, "0-3" if facts(first)[3] == "a" else "3-0"))
    assert [(p.a_id, p.b_id) for p in pairings(tournament, 2)] == before


# --- who did not come


def missing(tournament: Tournament) -> Pairing:
    """A table where side a has sat for twenty minutes, and ten were the limit."""
    pairing, long_ago = pairings(tournament)[0], timezone.now() - timedelta(minutes=20)
    Pairing.objects.filter(pk=pairing.pk).update(due_at=long_ago, here_a_at=long_ago)
    return pairing


def no_show(tournament: Tournament, pairing: Pairing, version: str) -> Page:
    address = reverse("match_no_show", args=[tournament.pk, pairing.match_id])
    return desk_of(tournament).post(address, {"version": version})


def test_ff_05_the_organiser_is_asked_about_whoever_is_missing_and_confirms_with_one_press() -> None:
    tournament = running(4, no_show_minutes=10)
    pairing = missing(tournament)
    assert pairing.b is not None
    shown = page_text(results(tournament))
    assert shown.index("Needs your word") < shown.index(f"{pairing.b.name} has not come. {pairing.a.name} is at")
    assert f"Walkover for {pairing.a.name}" in shown
    for _twice in range(2):
        answer = no_show(tournament, pairing, "0")
        assert (answer.status_code, said(answer)) == (302, ["The result is in."])
    assert facts(pairing) == ("walkover", 3, 0, "a")
    assert "Needs your word" not in page_text(results(tournament))


def test_a_proposal_that_is_over_is_no_result() -> None:
    tournament = running(4, no_show_minutes=10)
    pairing = missing(tournament)
    Pairing.objects.filter(pk=pairing.pk).update(here_b_at=NOW)
    answer = no_show(tournament, pairing, "0")
    assert answer.status_code == 409
    assert said(answer) == ["Nobody is missing there any more: look again."]
    assert facts(pairing) == ("", 0, 0, "")
    for version in ("", "x"):
        assert no_show(tournament, pairing, version).status_code == 409
    assert no_show(running(2), pairing, "0").status_code == 404


def test_open_results_are_others_from_the_moment_somebody_is_missing() -> None:
    tournament = running(4, no_show_minutes=10)
    pairing = missing(tournament)
    Pairing.objects.filter(pk=pairing.pk).update(due_at=timezone.now())
    tag = results(tournament, "?part=results")["ETag"]
    again = desk_of(tournament).get(
        reverse("results", args=[tournament.pk]), {"part": "results"}, headers={"If-None-Match": tag}
    )
    assert again.status_code == 304
    Pairing.objects.filter(pk=pairing.pk).update(due_at=timezone.now() - timedelta(minutes=20))
    assert results(tournament, "?part=results")["ETag"] == f'{tag[:-1]}-{pairing.match_id}"'
    assert f'data-version="{tag[1:-1]}-{pairing.match_id}"' in results(tournament).content.decode()
