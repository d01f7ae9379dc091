"""Reports that need a second word: two players who agree, differ, change their minds, or never answer."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from django.db import connections

from matches.actions import (
    DOUBLE_NO_SHOW,
    FORFEIT,
    SCORE,
    TIME,
    WALKOVER,
    Report,
    confirm_report,
    report_result,
    submit_result,
    take_back_report,
    void_matches,
)
from matches.models import Match, Submission
from matches.signals import report_changed, result_changed
from players.models import Act
from players.permissions import Actor, Refused, Role
from tests.factories import NOW
from tests.matches.test_actions import MARTA, OLLI, make_match, sheet, stored

JUHANI = Actor(role=Role.PLAYER, name="Juhani", entry=1)
MISSION = Actor(role=Role.PLAYER, name="Mission", entry=2)
PLAYERS = {"a": JUHANI, "b": MISSION}
ORGANISER = Actor(role=Role.ORGANISER, name="Carth", account=7)

OPEN = ("", 0, 0, "", 0)


def tell(
    match: Match,
    seat: str,
    report: Report | tuple[int, int],
    *,
    by: Actor | None = None,
    key: str = "",
    version: int = 0,
) -> Submission | Refused:
    return report_result(
        match_id=match.pk,
        report=report if isinstance(report, Report) else Report(SCORE, report),
        seat=seat,
        by=by or PLAYERS.get(seat, MARTA),
        key=key or f"{seat}-{match.pk}-{match.submissions.count()}",
        expected_version=version,
        now=NOW,
    )


def waiting(match: Match) -> list[tuple[str, int, int]]:
    rows = match.submissions.filter(is_waiting=True).order_by("number")
    return list(rows.values_list("seat", "sets_a", "sets_b"))


def told(match: Match) -> list[tuple[str, str]]:
    return list(Act.objects.filter(target=f"match/{match.pk}").order_by("pk").values_list("verb", "who"))


def said(outcome: Submission | Refused) -> Submission:
    assert isinstance(outcome, Submission), outcome
    return outcome


class Heard:
    """The signals sent while it listens, in order."""

    def __enter__(self) -> list[str]:
        self._heard: list[str] = []
        result_changed.connect(self._result)
        report_changed.connect(self._report)
        return self._heard

    def _result(self, **_: Any) -> None:
        self._heard.append("result")

    def _report(self, **_: Any) -> None:
        self._heard.append("report")

    def __exit__(self, *_: object) -> None:
        result_changed.disconnect(self._result)
        report_changed.disconnect(self._report)


@pytest.mark.django_db
def test_re_07_two_who_say_different_things_are_a_dispute_and_nothing_counts() -> None:
    match = make_match()
    with Heard() as heard:
        tell(match, "a", (3, 1))
        tell(match, "b", (1, 3))
    assert heard == ["report", "report"]
    assert stored(match) == OPEN
    assert waiting(match) == [("a", 3, 1), ("b", 1, 3)]
    assert told(match) == [("report_result", "Juhani"), ("report_result", "Mission")]


@pytest.mark.django_db
def test_re_07_the_ruling_of_staff_is_final_and_keeps_what_was_said() -> None:
    match = make_match()
    tell(match, "a", (3, 1))
    tell(match, "b", (1, 3))
    submit_result(match_id=match.pk, report=Report(SCORE, (3, 2)), by=MARTA, key="ruling", expected_version=0, now=NOW)
    assert stored(match) == (SCORE, 3, 2, "a", 1)
    assert waiting(match) == []
    rows = match.submissions.order_by("number").values_list("by_name", "sets_a", "sets_b", "is_confirmed")
    assert list(rows) == [("Juhani", 3, 1, False), ("Mission", 1, 3, False), ("Marta", 3, 2, True)]
    late = tell(match, "b", (1, 3), key="late")
    assert late == Refused("stale_version", {"kind": SCORE, "sets": [3, 2], "winner": "a", "version": 1, "by": "Marta"})


@pytest.mark.django_db
def test_re_07_two_who_say_the_same_have_confirmed_it_in_one_act_with_one_signal() -> None:
    match = make_match()
    tell(match, "a", (3, 2))
    with Heard() as heard:
        newest = said(tell(match, "b", (3, 2)))
    assert heard == ["result"]
    assert (newest.is_confirmed, newest.seat, newest.by_name) == (True, "b", "Mission")
    assert stored(match) == (SCORE, 3, 2, "a", 1)
    assert waiting(match) == []
    assert told(match) == [("report_result", "Juhani"), ("agree_result", "Mission")]
    assert Act.objects.get(verb="agree_result").after["reports"] == ["Juhani", "Mission"]


@pytest.mark.django_db
def test_sets_told_one_by_one_agree_with_the_same_sets_told_as_a_score() -> None:
    match = make_match()
    tell(match, "a", Report(SCORE, by_set=sheet((20, 18), (19, 19), (20, 17), (15, 20), (20, 12))))
    tell(match, "b", (3, 1))
    assert stored(match) == (SCORE, 3, 1, "a", 1)


@pytest.mark.django_db
def test_a_tie_is_the_same_tie_whoever_says_that_time_was_over() -> None:
    match = make_match(allows_tie=True)
    tell(match, "a", (1, 1))
    tell(match, "b", Report(TIME, (1, 1)))
    assert stored(match) == (TIME, 1, 1, "", 1)
    other = make_match(allows_tie=True)
    tell(other, "a", Report(TIME, (1, 1)))
    tell(other, "b", Report(TIME, (1, 0)))
    assert (stored(other), waiting(other)) == (OPEN, [("a", 1, 1), ("b", 1, 0)])


@pytest.mark.django_db
def test_re_07_one_alone_is_reported_and_does_not_count() -> None:
    match = make_match()
    only = said(tell(match, "b", (1, 3)))
    assert (only.is_waiting, only.is_confirmed, only.seat) == (True, False, "b")
    assert stored(match) == OPEN


@pytest.mark.django_db
def test_a_newer_report_of_the_same_player_takes_the_place_of_the_older_one() -> None:
    match = make_match()
    tell(match, "a", (3, 1))
    tell(match, "b", (1, 3))
    tell(match, "b", (2, 3))
    assert waiting(match) == [("a", 3, 1), ("b", 2, 3)]
    assert match.submissions.count() == 3
    tell(match, "b", (3, 1))
    assert stored(match) == (SCORE, 3, 1, "a", 1)


@pytest.mark.django_db
def test_of_01_the_same_report_sent_twice_is_one_whatever_came_between() -> None:
    match = make_match()
    first = tell(match, "a", (3, 1), key="phone")
    assert tell(match, "a", (3, 1), key="phone") == first
    tell(match, "a", (3, 2), key="newer")
    assert tell(match, "a", (3, 1), key="phone") == first
    assert waiting(match) == [("a", 3, 2)]
    tell(match, "b", (3, 2))
    assert tell(match, "a", (3, 1), key="phone") == first
    assert tell(match, "a", (3, 0), key="phone") == Refused("key_reused")
    assert tell(match, "b", (3, 1), key="phone") == Refused("key_reused")
    assert stored(match) == (SCORE, 3, 2, "a", 1)


@pytest.mark.django_db
def test_of_03_a_report_that_comes_after_the_ruling_changes_nothing() -> None:
    match = make_match()
    submit_result(
        match_id=match.pk, report=Report(SCORE, (0, 3)), by=ORGANISER, key="ruling", expected_version=0, now=NOW
    )
    late = tell(match, "a", (3, 0))
    assert isinstance(late, Refused)
    assert (late.code, late.params["sets"], late.params["by"]) == ("stale_version", [0, 3], "Carth")
    seen = tell(match, "a", (3, 0), version=1)
    assert isinstance(seen, Refused)
    assert seen.code == "already_decided"
    assert stored(match) == (SCORE, 0, 3, "b", 1)


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("report", "code"),
    [
        (Report(SCORE, (4, 1)), "too_many_sets"),
        (Report(SCORE, (2, 1)), "not_decided"),
        (Report(SCORE, (3, 1), winner="b"), "winner_contradicts_score"),
        (Report(WALKOVER, winner="a"), "not_yours_to_say"),
        (Report(WALKOVER, winner="b"), "not_yours_to_say"),
        (Report(FORFEIT, winner="a"), "not_yours_to_say"),
        (Report(DOUBLE_NO_SHOW), "not_yours_to_say"),
    ],
)
def test_a_player_tells_a_score_that_can_be_and_nothing_of_the_other(report: Report, code: str) -> None:
    match = make_match()
    outcome = tell(match, "a", report)
    assert isinstance(outcome, Refused)
    assert (outcome.code, outcome.status) == (code, 400)
    assert not match.submissions.exists()


@pytest.mark.django_db
def test_a_player_may_give_up_and_the_other_agrees() -> None:
    match = make_match()
    given_up = said(tell(match, "a", Report(FORFEIT, (2, 0), winner="b")))
    assert stored(match) == OPEN
    said(confirm_report(submission_id=given_up.pk, by=MISSION, seat="b", now=NOW))
    assert stored(match) == (FORFEIT, 2, 3, "b", 1)


@pytest.mark.django_db
def test_agreeing_twice_is_agreeing_once() -> None:
    match = make_match()
    report = said(tell(match, "a", (3, 1)))
    with Heard() as heard:
        for _ in range(2):
            outcome = said(confirm_report(submission_id=report.pk, by=MISSION, seat="b", now=NOW))
            assert (outcome.pk, outcome.is_confirmed, outcome.is_waiting) == (report.pk, True, False)
    assert heard == ["result"]
    assert stored(match) == (SCORE, 3, 1, "a", 1)
    assert told(match) == [("report_result", "Juhani"), ("confirm_report", "Mission")]
    assert Act.objects.get(verb="confirm_report").after["reports"] == ["Juhani"]


@pytest.mark.django_db
def test_a_referee_takes_one_of_two_reports_by_one_press() -> None:
    match = make_match()
    tell(match, "a", (3, 1))
    right = said(tell(match, "b", (1, 3)))
    said(confirm_report(submission_id=right.pk, by=MARTA, now=NOW))
    assert stored(match) == (SCORE, 1, 3, "b", 1)
    assert waiting(match) == []


@pytest.mark.django_db
def test_nobody_is_their_own_second_person() -> None:
    match = make_match()
    own = said(tell(match, "a", (3, 1)))
    assert confirm_report(submission_id=own.pk, by=JUHANI, seat="a", now=NOW) == Refused("same_person")
    entered = said(tell(match, "", (3, 2), by=MARTA))
    assert confirm_report(submission_id=entered.pk, by=MARTA, now=NOW) == Refused("same_person")
    assert (stored(match), waiting(match)) == (OPEN, [("a", 3, 1), ("", 3, 2)])


@pytest.mark.django_db
def test_an_organiser_is_the_same_person_by_session_and_by_token() -> None:
    match = make_match()
    entered = said(tell(match, "", (3, 2), by=ORGANISER))
    by_token = Actor(role=Role.ORGANISER, name="Carth", account=7, event=3)
    assert confirm_report(submission_id=entered.pk, by=by_token, now=NOW) == Refused("same_person")
    said(confirm_report(submission_id=entered.pk, by=Actor(role=Role.ORGANISER, name="Bastila", account=8), now=NOW))
    assert stored(match) == (SCORE, 3, 2, "a", 1)


@pytest.mark.django_db
def test_what_staff_entered_counts_when_another_of_them_enters_the_same() -> None:
    match = make_match()
    tell(match, "", (3, 1), by=MARTA)
    tell(match, "", (3, 0), by=OLLI)
    assert (stored(match), waiting(match)) == (OPEN, [("", 3, 0)])
    tell(match, "", (3, 0), by=OLLI)
    assert (stored(match), waiting(match)) == (OPEN, [("", 3, 0)])
    tell(match, "", (3, 0), by=MARTA)
    assert stored(match) == (SCORE, 3, 0, "a", 1)


@pytest.mark.django_db
def test_a_player_is_the_second_person_for_what_staff_entered() -> None:
    match = make_match()
    tell(match, "", (3, 1), by=MARTA)
    tell(match, "b", (3, 1))
    assert stored(match) == (SCORE, 3, 1, "a", 1)


@pytest.mark.django_db
def test_two_players_do_not_overrule_what_staff_entered_until_that_is_taken_back() -> None:
    match = make_match()
    entered = said(tell(match, "", (1, 3), by=MARTA))
    tell(match, "a", (3, 1))
    tell(match, "b", (3, 1))
    assert stored(match) == OPEN
    with Heard() as heard:
        take_back_report(submission_id=entered.pk, by=MARTA, now=NOW)
    assert heard == ["result"]
    assert stored(match) == (SCORE, 3, 1, "a", 1)
    assert told(match)[-2:] == [("take_back_report", "Marta"), ("agree_result", "Marta")]


@pytest.mark.django_db
def test_a_report_is_taken_back_by_whoever_made_it_and_twice_is_once() -> None:
    match = make_match()
    own = said(tell(match, "a", (3, 1)))
    assert take_back_report(submission_id=own.pk, by=MISSION, seat="b", now=NOW) == Refused("not_your_report")
    assert take_back_report(submission_id=own.pk, by=MARTA, now=NOW) == Refused("not_your_report")
    with Heard() as heard:
        for _ in range(2):
            assert said(take_back_report(submission_id=own.pk, by=JUHANI, seat="a", now=NOW)).is_waiting is False
    assert heard == ["report"]
    assert told(match) == [("report_result", "Juhani"), ("take_back_report", "Juhani")]
    assert confirm_report(submission_id=own.pk, by=MISSION, seat="b", now=NOW) == Refused("report_gone")
    assert stored(match) == OPEN


@pytest.mark.django_db
def test_what_counts_is_not_taken_back_as_a_report() -> None:
    match = make_match()
    own = said(tell(match, "a", (3, 1)))
    confirm_report(submission_id=own.pk, by=MISSION, seat="b", now=NOW)
    outcome = take_back_report(submission_id=own.pk, by=JUHANI, seat="a", now=NOW)
    assert isinstance(outcome, Refused)
    assert outcome.code == "already_decided"


@pytest.mark.django_db
def test_a_report_that_lost_is_confirmed_too_late() -> None:
    match = make_match()
    lost = said(tell(match, "a", (3, 1)))
    won = said(tell(match, "b", (1, 3)))
    confirm_report(submission_id=won.pk, by=MARTA, now=NOW)
    outcome = confirm_report(submission_id=lost.pk, by=OLLI, now=NOW)
    assert isinstance(outcome, Refused)
    assert (outcome.code, outcome.params["sets"]) == ("already_decided", [1, 3])


@pytest.mark.django_db
def test_re_13_a_match_whose_pairing_was_taken_back_takes_no_report_and_no_confirmation() -> None:
    match = make_match()
    report = said(tell(match, "a", (3, 1)))
    void_matches(match_ids=[match.pk])
    assert waiting(match) == []
    assert tell(match, "b", (3, 1)) == Refused("match_void", {"match": match.pk})
    assert confirm_report(submission_id=report.pk, by=MISSION, seat="b", now=NOW) == Refused(
        "match_void", {"match": match.pk}
    )


@pytest.mark.django_db
def test_what_is_not_there_is_said_to_be_not_there() -> None:
    unknown = Refused("report_unknown", status=404)
    assert confirm_report(submission_id=987654, by=MARTA, now=NOW) == unknown
    assert take_back_report(submission_id=987654, by=MARTA, now=NOW) == unknown
    outcome = report_result(
        match_id=987654, report=Report(SCORE, (3, 0)), seat="a", by=JUHANI, key="k", expected_version=0, now=NOW
    )
    assert outcome == Refused("match_unknown", {"match": 987654}, status=404)


@pytest.mark.db
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(("of_b", "confirmed"), [((3, 1), 1), ((1, 3), 0)])
def test_re_07_both_report_in_the_same_instant(of_b: tuple[int, int], confirmed: int) -> None:
    for _ in range(10):
        match = make_match()
        sets = {"a": (3, 1), "b": of_b}

        def send(seat: str, match: Match = match, sets: dict[str, tuple[int, int]] = sets) -> bool:
            try:
                return said(tell(match, seat, sets[seat], key=f"{seat}-{match.pk}")).is_confirmed
            finally:
                connections.close_all()

        with ThreadPoolExecutor(2) as pool:
            outcomes = list(pool.map(send, sets))
        assert sum(outcomes) == confirmed
        assert match.submissions.filter(is_confirmed=True).count() == confirmed
        assert match.submissions.filter(is_waiting=True).count() == (0 if confirmed else 2)
        assert stored(match) == ((SCORE, 3, 1, "a", 1) if confirmed else OPEN)
        assert Act.objects.filter(target=f"match/{match.pk}", verb="agree_result").count() == confirmed


@pytest.mark.db
@pytest.mark.django_db(transaction=True)
def test_confirming_and_taking_back_at_once_leaves_one_of_both() -> None:
    for _ in range(5):
        match = make_match()
        report = said(tell(match, "a", (3, 1)))

        def confirm(pk: int = report.pk) -> str:
            try:
                outcome = confirm_report(submission_id=pk, by=MISSION, seat="b", now=NOW)
            finally:
                connections.close_all()
            return outcome.code if isinstance(outcome, Refused) else "done"

        def take_back(pk: int = report.pk) -> str:
            try:
                outcome = take_back_report(submission_id=pk, by=JUHANI, seat="a", now=NOW)
            finally:
                connections.close_all()
            return outcome.code if isinstance(outcome, Refused) else "done"

        with ThreadPoolExecutor(2) as pool:
            ways = pool.submit(confirm), pool.submit(take_back)
            outcomes = [each.result() for each in ways]
        counts = match.submissions.filter(is_confirmed=True).count()
        assert (outcomes, counts) in ((["done", "already_decided"], 1), (["report_gone", "done"], 0))
        assert waiting(match) == []
