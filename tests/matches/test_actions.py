"""Results of matches: what is accepted, what is refused and why, and what stays in the record."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from django.db import connection, connections, transaction

from matches.actions import (
    DOUBLE_NO_SHOW,
    FORFEIT,
    SCORE,
    WALKOVER,
    Report,
    clear_result,
    create_matches,
    submit_result,
    void_matches,
)
from matches.engine import Reason, SetScore
from matches.models import Match, Submission
from matches.signals import result_changed
from players.models import Act, Player
from players.permissions import Actor, Refused, Role
from tests.factories import NOW, make_account

MARTA = Actor(role=Role.REFEREE, name="Marta", link=1)
OLLI = Actor(role=Role.REFEREE, name="Olli", link=2)


def make_match(*, allows_tie: bool = False) -> Match:
    owner = make_account()
    a, b = (Player.objects.create(owner=owner, name=name) for name in ("Juhani", "Mission"))
    return create_matches(seats=[(a, b)], ruleset="standard/1", allows_tie=allows_tie)[0]


def submit(
    match: Match, report: Report, *, key: str = "k1", version: int = 0, by: Actor = MARTA, **more: Any
) -> Submission | Refused:
    return submit_result(match_id=match.pk, report=report, by=by, key=key, expected_version=version, now=NOW, **more)


def sheet(*totals: tuple[int, int]) -> tuple[SetScore, ...]:
    """Sets as a slip of paper has them: totals, from which all else follows."""
    return tuple(SetScore(pair) for pair in totals)


def stored(match: Match) -> tuple[str, int, int, str, int]:
    match.refresh_from_db()
    return match.kind, match.sets_a, match.sets_b, match.winner, match.version


@pytest.mark.django_db
@pytest.mark.parametrize(("sets", "winner"), [((3, 0), "a"), ((3, 1), "a"), ((3, 2), "a"), ((0, 3), "b")])
def test_re_04_a_score_that_can_be_is_stored_with_its_winner(sets: tuple[int, int], winner: str) -> None:
    match = make_match()
    assert isinstance(submit(match, Report(SCORE, sets)), Submission)
    assert stored(match) == (SCORE, *sets, winner, 1)


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("report", "code"),
    [
        (Report(SCORE, (3, 3)), "both_won"),
        (Report(SCORE, (4, 1)), "too_many_sets"),
        (Report(SCORE, (2, 1)), "not_decided"),
        (Report(SCORE, (2, 0)), "not_decided"),
        (Report(SCORE, (2, 2)), "not_decided"),
        (Report(SCORE, (-1, 3)), "negative"),
        (Report(SCORE, (3, 1), winner="b"), "winner_contradicts_score"),
        (Report(SCORE), "score_missing"),
        (Report(WALKOVER), "winner_missing"),
        (Report(WALKOVER, winner="c"), "winner_unknown"),
        (Report(FORFEIT, (1, 3), winner="a"), "score_impossible"),
        (Report("no result"), "kind_unknown"),
    ],
)
def test_re_04_a_score_that_cannot_be_is_refused_with_the_reason(report: Report, code: str) -> None:
    match = make_match()
    outcome = submit(match, report)
    assert isinstance(outcome, Refused)
    assert (outcome.code, outcome.status) == (code, 400)
    assert stored(match) == ("", 0, 0, "", 0)
    assert not match.submissions.exists()


@pytest.mark.django_db
def test_re_04_sets_told_one_by_one_count_without_the_tied_ones() -> None:
    match = make_match()
    told = Report(SCORE, by_set=sheet((20, 18), (19, 19), (20, 17), (15, 20), (20, 12)))
    submission = submit(match, told)
    assert isinstance(submission, Submission)
    assert submission.totals == [[20, 18], [19, 19], [20, 17], [15, 20], [20, 12]]
    assert stored(match) == (SCORE, 3, 1, "a", 1)


@pytest.mark.django_db
def test_the_way_a_set_ended_is_kept_where_it_was_told() -> None:
    match = make_match()
    by_set = (*sheet((20, 18), (20, 17)), SetScore((12, 19), Reason.TIMEOUT, 0))
    submission = submit(match, Report(SCORE, by_set=by_set))
    assert isinstance(submission, Submission)
    submission.refresh_from_db()
    assert submission.totals == [[20, 18], [20, 17], [12, 19, "timeout", "a"]]
    assert stored(match) == (SCORE, 3, 0, "a", 1)


@pytest.mark.django_db
def test_a_tie_is_a_result_only_where_the_match_allows_it() -> None:
    match = make_match(allows_tie=True)
    submit(match, Report(SCORE, (2, 2)))
    assert stored(match) == (SCORE, 2, 2, "", 1)


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("report", "expected"),
    [
        (Report(WALKOVER, winner="b"), (WALKOVER, 0, 3, "b", 1)),
        (Report(WALKOVER, (1, 2), winner="a"), (WALKOVER, 3, 0, "a", 1)),
        (Report(FORFEIT, (1, 2), winner="a"), (FORFEIT, 3, 2, "a", 1)),
        (Report(FORFEIT, winner="b"), (FORFEIT, 0, 3, "b", 1)),
        (Report(DOUBLE_NO_SHOW), (DOUBLE_NO_SHOW, 0, 0, "", 1)),
    ],
)
def test_what_was_not_played_to_the_end_is_a_kind_and_not_a_score(report: Report, expected: tuple[Any, ...]) -> None:
    match = make_match()
    submit(match, report)
    assert stored(match) == expected


@pytest.mark.django_db
def test_re_01_a_stale_version_is_told_the_stored_result_and_who_entered_it() -> None:
    match = make_match()
    submit(match, Report(SCORE, (3, 1)), key="marta")
    outcome = submit(match, Report(SCORE, (2, 3)), key="olli", by=OLLI)
    assert outcome == Refused(
        "stale_version", {"kind": SCORE, "sets": [3, 1], "winner": "a", "version": 1, "by": "Marta"}
    )
    assert stored(match) == (SCORE, 3, 1, "a", 1)


@pytest.mark.django_db
def test_re_01_a_decided_match_is_not_decided_again_without_correcting() -> None:
    match = make_match()
    submit(match, Report(SCORE, (3, 1)))
    outcome = submit(match, Report(SCORE, (3, 0)), key="k2", version=1)
    assert isinstance(outcome, Refused)
    assert outcome.code == "already_decided"


@pytest.mark.django_db
def test_of_01_the_same_key_is_one_submission_and_gets_the_first_answer_again() -> None:
    match = make_match()
    first = submit(match, Report(SCORE, (3, 1)))
    heard: list[int] = []

    def hear(match: Match, **_: Any) -> None:
        heard.append(match.pk)

    result_changed.connect(hear)
    try:
        answers = [submit(match, Report(SCORE, (3, 1))) for _ in range(5)]
    finally:
        result_changed.disconnect(hear)
    assert answers == [first] * 5
    assert heard == []
    assert match.submissions.count() == 1
    assert Act.objects.filter(target=f"match/{match.pk}").count() == 1


@pytest.mark.django_db
def test_a_key_that_says_something_else_is_refused() -> None:
    match = make_match()
    submit(match, Report(SCORE, (3, 1)))
    assert submit(match, Report(SCORE, (3, 2))) == Refused("key_reused")
    assert submit(make_match(), Report(SCORE, (3, 1))) == Refused("key_reused")


@pytest.mark.django_db
def test_a_correction_is_a_new_submission_and_the_old_one_stays() -> None:
    match = make_match()
    submit(match, Report(SCORE, (3, 1)))
    submit(match, Report(SCORE, (1, 3)), key="k2", version=1, correct=True)
    assert stored(match) == (SCORE, 1, 3, "b", 2)
    told = match.submissions.order_by("number").values_list("number", "sets_a", "sets_b", "is_confirmed")
    assert list(told) == [(1, 3, 1, False), (2, 1, 3, True)]
    acts = Act.objects.filter(target=f"match/{match.pk}").order_by("pk").values_list("verb", "who")
    assert list(acts) == [("enter_result", "Marta"), ("correct_result", "Marta")]


@pytest.mark.django_db
def test_re_06_clearing_opens_the_match_again_and_keeps_what_was_said() -> None:
    match = make_match()
    submit(match, Report(SCORE, (3, 1)))
    clear_result(match_id=match.pk, by=MARTA, expected_version=1, now=NOW)
    assert stored(match) == ("", 0, 0, "", 2)
    assert match.submissions.count() == 1
    assert clear_result(match_id=match.pk, by=MARTA, expected_version=2, now=NOW) == Refused("nothing_to_clear")


@pytest.mark.django_db
def test_re_13_a_match_whose_pairing_was_taken_back_takes_no_result() -> None:
    match = make_match()
    void_matches(match_ids=[match.pk])
    outcome = submit(match, Report(SCORE, (3, 0)))
    assert outcome == Refused("match_void", {"match": match.pk})


@pytest.mark.django_db
def test_a_match_that_is_not_there_is_said_to_be_not_there() -> None:
    outcome = submit_result(
        match_id=987654, report=Report(SCORE, (3, 0)), by=MARTA, key="k", expected_version=0, now=NOW
    )
    assert outcome == Refused("match_unknown", {"match": 987654}, status=404)


@pytest.mark.django_db
def test_what_is_rolled_back_leaves_nothing_behind() -> None:
    match = make_match()
    with transaction.atomic():
        submit(match, Report(SCORE, (3, 0)))
        transaction.set_rollback(True)
    assert stored(match) == ("", 0, 0, "", 0)
    assert not match.submissions.exists()
    assert not Act.objects.filter(target=f"match/{match.pk}").exists()


@pytest.mark.db
@pytest.mark.django_db(transaction=True)
def test_re_01_of_two_referees_at_once_one_is_first_and_the_other_is_told() -> None:
    for _ in range(10):
        match = make_match()
        reports = {"marta": (Report(SCORE, (3, 1)), MARTA), "olli": (Report(SCORE, (2, 3)), OLLI)}

        def send(who: str, match: Match = match, reports: dict[str, tuple[Report, Actor]] = reports) -> str:
            report, by = reports[who]
            try:
                outcome = submit(match, report, key=f"{who}-{match.pk}", by=by)
            finally:
                connections.close_all()
            return outcome.code if isinstance(outcome, Refused) else "accepted"

        with ThreadPoolExecutor(2) as pool:
            outcomes = list(pool.map(send, reports))
        assert sorted(outcomes) == ["accepted", "stale_version"]
        assert match.submissions.filter(is_confirmed=True).count() == 1
        assert Act.objects.filter(target=f"match/{match.pk}").count() == 1


@pytest.mark.db
@pytest.mark.django_db(transaction=True)
def test_of_01_the_same_key_twice_at_once_is_one_submission() -> None:
    match = make_match()

    def send(_: int) -> int:
        try:
            outcome = submit(match, Report(SCORE, (3, 2)))
        finally:
            connections.close_all()
        assert isinstance(outcome, Submission)
        return outcome.pk

    with ThreadPoolExecutor(4) as pool:
        answers = set(pool.map(send, range(8)))
    assert len(answers) == 1
    assert match.submissions.count() == 1


@pytest.mark.db
@pytest.mark.django_db
@pytest.mark.parametrize("change", ["UPDATE players_act SET who = 'nobody'", "DELETE FROM players_act"])
def test_the_log_refuses_to_be_changed(change: str) -> None:
    make_account()
    with pytest.raises(Exception, match="append-only"), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(change)
    assert Act.objects.filter(verb="create_account").exists()
