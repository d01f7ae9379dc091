"""Calls to a table: who answers, who does not, what is told of it, and reminders of what begins soon."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.core import mail

from matches.actions import SCORE, Report
from players.models import Act
from players.permissions import Actor, Refused, Role
from tests.factories import NOW, make_entry, make_field, make_tournament, organiser
from tests.tournaments.halls import LATER, act, put_up
from tests.tournaments.play import publish, report, stage_of, start
from tournaments.actions import coming, presence, reports, results, rounds, tables
from tournaments.actions.notices import send_mails, tell_called
from tournaments.models import Entry, Notice, Pairing, RoundTime, Slot, Tournament
from tournaments.models.tournament import Seating
from tournaments.permissions import actor_of_entry
from tournaments.queries.coming import newly_silent, not_coming, unanswered_calls
from tournaments.queries.notices import current_notices, names_in_notices
from tournaments.words.notices import notice_text

pytestmark = [pytest.mark.django_db, pytest.mark.db]


def after(minutes: float) -> datetime:
    return LATER + timedelta(minutes=minutes)


def in_queue(size: int = 4, *, addressed: bool = False, **facts: Any) -> Tournament:
    """A tournament of the queue in a hall of three tables whose first round is out; nobody is called yet."""
    tournament = make_tournament(seeding="rating", **facts)
    Tournament.objects.filter(pk=tournament.pk).update(seating=Seating.QUEUE)
    put_up(tournament, (7, 8, 9))
    if addressed:
        for n in range(1, size + 1):
            make_entry(
                tournament=tournament, name=f"Player {n:02}", email=f"p{n}@example.org", rating=2001 - n, here=True
            )
    else:
        make_field(size=size, tournament=tournament)
    start(tournament)
    Pairing.objects.filter(round__stage__tournament=tournament).update(table=None)
    tournament.refresh_from_db()
    return tournament


def first(tournament: Tournament, number: int = 0) -> Pairing:
    found = Pairing.objects.select_related("a", "b", "match", "round__stage__tournament__event")
    return found.filter(round__stage__tournament=tournament).order_by("round__number", "number")[number]


def call(tournament: Tournament, table: int = 7, number: int = 0) -> Pairing:
    """Call a match of the round to this table."""
    called = act(tables.move_match, tournament, match_id=first(tournament, number).match_id, table=table)
    assert not isinstance(called, Refused), called
    return first(tournament, number)


def answer(pairing: Pairing, side: str, at: datetime, *, comes: bool = True) -> Pairing | Refused:
    entry = pairing.a if side == "a" else pairing.b
    assert entry is not None
    by = actor_of_entry(Entry.objects.select_related("tournament").get(pk=entry.pk))
    return coming.say_coming(entry_id=entry.pk, match_id=pairing.match_id or 0, coming=comes, by=by, now=at)


def referee(tournament: Tournament) -> Actor:
    return Actor(role=Role.REFEREE, name="Marta", link=7, event=tournament.event_id)


def silent(tournament: Tournament, at: datetime, *, reported: Sequence[int] = ()) -> list[list[str]]:
    """Whoever does not answer, match by match."""
    rows = Pairing.objects.select_related("a", "b", "match", "round__stage__tournament").order_by("pk")
    found = not_coming(pairings=rows.filter(round__stage__tournament=tournament), reported=reported, now=at)
    return [[entry.name for entry in each.silent] for each in found.values()]


def told(entry: Entry | None, at: datetime = LATER) -> list[str]:
    """What a player reads on their page of what is still so, the newest first."""
    assert entry is not None
    found = current_notices(entry=Entry.objects.get(pk=entry.pk), now=at)
    names = names_in_notices(found)
    return [notice_text(notice, names).replace("\u2068", "").replace("\u2069", "") for notice in found]


def other(pairing: Pairing) -> str:
    """The name of the second side."""
    assert pairing.b is not None
    return pairing.b.name


def addresses(pairing: Pairing) -> list[str]:
    """Where the two get their mails."""
    return sorted(f"p{int(name[-2:])}@example.org" for name in (pairing.a.name, other(pairing)))


def sent() -> list[tuple[str, str]]:
    """Who got which mail, and the box is empty again."""
    found = sorted((message.to[0], str(message.subject)) for message in mail.outbox)
    mail.outbox.clear()
    return found


# --- the call and its answers


def test_who_waits_in_the_queue_is_told_that_they_will_be_called_and_then_where() -> None:
    tournament = in_queue()
    waiting = first(tournament)
    assert told(waiting.a) == [f"Round 1: you meet {other(waiting)}. You will be called to a table."]
    pairing = call(tournament)
    assert (pairing.table, pairing.called_at, pairing.due_at) == (7, LATER, LATER)
    assert told(pairing.a) == [
        f"Come to table 7 now. Round 1: you meet {other(pairing)}. Called: 22 May, 13:20 (Riga)."
    ]


def test_a_match_with_a_time_of_its_own_that_gets_a_table_before_it_is_not_called_yet() -> None:
    tournament = in_queue()
    Pairing.objects.filter(pk=first(tournament).pk).update(due_at=after(90))
    pairing = call(tournament)
    assert (pairing.table, pairing.called_at, pairing.due_at) == (7, None, after(90))
    assert told(pairing.a) == [f"Changed: Round 1: you meet {other(pairing)} at table 7 at 22 May, 14:50 (Riga)."]


def test_a_player_says_that_they_come_once_and_takes_it_back() -> None:
    tournament = in_queue()
    pairing = call(tournament)
    for minute in (1, 2):
        assert answer(pairing, "a", after(minute)) == pairing
    assert first(tournament).coming_a_at == after(1)
    line = Act.objects.latest("pk")
    assert (line.verb, line.target, line.at) == ("say_coming", f"entry/{pairing.a_id}", after(1))
    answer(pairing, "a", after(3), comes=False)
    assert first(tournament).coming_a_at is None
    assert Act.objects.filter(verb__in=("say_coming", "unsay_coming")).count() == 2


def test_a_referee_says_it_for_a_player_who_told_them() -> None:
    tournament = in_queue()
    pairing = call(tournament)
    coming.say_coming(entry_id=pairing.b_id or 0, match_id=pairing.match_id or 0, by=referee(tournament), now=after(1))
    line = Act.objects.latest("pk")
    assert (first(tournament).coming_b_at, line.who, line.target) == (after(1), "Marta", f"entry/{pairing.b_id}")


def test_nobody_answers_a_call_that_there_is_not() -> None:
    tournament = in_queue()
    pairing = first(tournament)
    assert answer(pairing, "a", after(1)) == Refused("not_called")
    assert act(coming.call_again, tournament, match_id=pairing.match_id) == Refused("not_called")
    call(tournament)
    stranger = first(tournament, 1).a
    by = referee(tournament)
    refused = coming.say_coming(entry_id=stranger.pk, match_id=pairing.match_id or 0, by=by, now=after(1))
    assert refused == Refused("no_open_match")
    presence.say_begun(match_id=pairing.match_id or 0, by=by, now=after(1))
    assert answer(pairing, "a", after(2)) == Refused("has_begun")
    report(pairing, (3, 1))
    assert answer(pairing, "a", after(3)) == Refused("no_open_match")


def test_whoever_sits_at_the_table_has_answered() -> None:
    tournament = in_queue()
    pairing = call(tournament)
    entry = Entry.objects.select_related("tournament").get(pk=pairing.a_id)
    by = actor_of_entry(entry)
    presence.say_here(entry_id=entry.pk, match_id=pairing.match_id or 0, by=by, now=after(1))
    seen = first(tournament)
    assert (seen.here_a_at, seen.coming_a_at, seen.coming_b_at) == (after(1), after(1), None)


def test_whoever_comes_still_comes_to_another_table_and_is_called_anew_after_none() -> None:
    tournament = in_queue()
    pairing = call(tournament)
    answer(pairing, "a", after(1))
    act(tables.move_match, tournament, match_id=pairing.match_id, table=8, now=after(2))
    moved = first(tournament)
    assert (moved.table, moved.called_at, moved.coming_a_at) == (8, LATER, after(1))
    assert told(moved.a)[0] == f"Changed: Round 1: you meet {other(moved)} at table 8 at 22 May, 13:20 (Riga)."
    act(tables.move_match, tournament, match_id=pairing.match_id, table=None, now=after(3))
    back = first(tournament)
    assert (back.table, back.called_at, back.due_at, back.coming_a_at) == (None, None, None, None)
    assert told(back.a)[0] == f"Changed: Round 1: you meet {other(back)}. You will be called to a table."
    act(tables.move_match, tournament, match_id=pairing.match_id, table=9, now=after(4))
    assert first(tournament).called_at == after(4)


def test_a_round_that_is_taken_back_and_comes_out_again_knows_nothing_of_its_calls() -> None:
    tournament = in_queue()
    pairing = call(tournament)
    presence.say_begun(match_id=pairing.match_id or 0, by=referee(tournament), now=after(1))
    answer(first(tournament), "a", after(1))
    act(rounds.take_back_round, tournament, stage_id=stage_of(tournament).pk)
    publish(tournament)
    again = first(tournament)
    known = (again.table, again.called_at, again.coming_a_at, again.here_a_at, again.began_at, again.due_at)
    assert known == (None, None, None, None, None, None)


# --- who does not answer


def test_after_the_time_of_the_tournament_the_referee_is_told_who_does_not_answer() -> None:
    tournament = in_queue()  # three minutes
    pairing = call(tournament)
    assert pairing.b is not None
    assert silent(tournament, after(2.9)) == []
    assert silent(tournament, after(3)) == [[pairing.a.name, pairing.b.name]]
    answer(pairing, "b", after(4))
    assert silent(tournament, after(4)) == [[pairing.a.name]]
    assert silent(tournament, after(4), reported=[pairing.match_id or 0]) == []
    presence.say_begun(match_id=pairing.match_id or 0, by=referee(tournament), now=after(5))
    assert silent(tournament, after(5)) == []


def test_whose_result_is_taken_back_answers_no_call_any_more() -> None:
    tournament = in_queue()
    pairing = call(tournament)
    report(pairing, (3, 1))
    cleared = act(results.clear_result, tournament, match_id=pairing.match_id, expected_version=1, now=after(9))
    assert not isinstance(cleared, Refused), cleared
    assert (first(tournament).table, first(tournament).called_at) == (7, None)
    assert silent(tournament, after(10)) == []


def test_pages_are_told_once_when_the_time_to_answer_is_over() -> None:
    tournament = in_queue()
    call(tournament)
    moment = timedelta(seconds=15)
    assert newly_silent(now=after(2.9), within=moment) == []
    assert newly_silent(now=after(3), within=moment) == [tournament.pk]
    assert newly_silent(now=after(3) + moment, within=moment) == []


def test_where_nobody_is_asked_nobody_is_silent() -> None:
    tournament = in_queue(call_minutes=None)
    pairing = call(tournament)
    moment = timedelta(seconds=15)
    assert silent(tournament, after(600)) == []
    assert newly_silent(now=after(3), within=moment) == []
    assert unanswered_calls(tournament=tournament, now=after(600)) == []
    answer(pairing, "a", after(1))
    assert first(tournament).coming_a_at == after(1)


def test_whoever_has_not_answered_is_called_again_with_new_time_and_nobody_else() -> None:
    tournament = in_queue(addressed=True)
    pairing = call(tournament)
    send_mails(now=LATER)
    answer(pairing, "b", after(1))
    mail.outbox.clear()
    for _twice in range(2):  # both have seen the first call
        act(coming.call_again, tournament, match_id=pairing.match_id, called_at=LATER, now=after(5))
    again = first(tournament)
    assert (again.called_at, again.due_at, again.coming_b_at) == (after(5), after(5), after(1))
    assert (silent(tournament, after(7)), silent(tournament, after(8))) == ([], [[pairing.a.name]])
    send_mails(now=after(5))
    silent_one = [address for address in addresses(again) if address[1:].startswith(str(int(again.a.name[-2:])))]
    assert sent() == [(silent_one[0], "Main: you are called to table 7")]
    assert Act.objects.filter(verb="call_again").count() == 1


def test_a_match_that_is_put_back_gives_its_table_away_and_is_held() -> None:
    tournament = in_queue()
    pairing = call(tournament)
    assert act(coming.put_back, tournament, match_id=pairing.match_id) == Refused("not_planned_yet")
    slot = Slot.objects.create(
        stage=stage_of(tournament), round=1, number=pairing.number, state="called", changed_at=NOW
    )
    act(coming.put_back, tournament, match_id=pairing.match_id, now=after(4))
    slot.refresh_from_db()
    back = first(tournament)
    assert (slot.held_since, back.table, back.called_at) == (after(4), None, None)


# --- BJ-08: mails of a call go out while it is so.


@pytest.mark.parametrize("what", ["moved", "put off", "taken back", "begun", "over", "comes", "sits there", "left"])
def test_bj_08_a_call_is_mailed_only_while_it_is_so(what: str) -> None:
    tournament = in_queue(addressed=True)
    send_mails(now=LATER)
    mail.outbox.clear()
    pairing = call(tournament)
    match = pairing.match_id or 0
    one = Entry.objects.select_related("tournament").get(pk=pairing.a_id)
    own: dict[str, Any] = {"entry_id": one.pk, "match_id": match, "by": actor_of_entry(one), "now": after(1)}
    if what == "moved":
        act(tables.move_match, tournament, match_id=match, table=8, now=after(1))
    elif what == "put off":
        act(tables.move_match, tournament, match_id=match, table=None, now=after(1))
    elif what == "taken back":
        act(rounds.take_back_round, tournament, stage_id=stage_of(tournament).pk)
    elif what == "begun":
        presence.say_begun(match_id=match, by=referee(tournament), now=after(1))
    elif what == "over":
        report(pairing, (3, 1))
    elif what == "comes":
        coming.say_coming(**own)
    elif what == "sits there":
        presence.say_here(**own)
    else:
        act(rounds.withdraw_entry, tournament, entry_id=one.pk)
    send_mails(now=after(1))
    called = [to for to, subject in sent() if subject == "Main: you are called to table 7"]
    the_other = f"p{int(other(pairing)[-2:])}@example.org"
    assert called == ([the_other] if what in ("comes", "sits there", "left") else [])


def test_a_call_nobody_answered_is_mailed_to_both_and_a_report_needs_no_call() -> None:
    tournament = in_queue(addressed=True, players_report=True)
    send_mails(now=LATER)
    mail.outbox.clear()
    pairing = call(tournament)
    tell_called(stage=pairing.round.stage, pairings=[pairing], now=LATER)  # told twice is told once
    send_mails(now=LATER)
    subject = "Main: you are called to table 7"
    assert sent() == [(address, subject) for address in addresses(pairing)]
    by = actor_of_entry(Entry.objects.select_related("tournament").get(pk=pairing.a_id))
    reported = reports.report_own(
        entry_id=pairing.a_id,
        match_id=pairing.match_id or 0,
        report=Report(SCORE, (3, 1)),
        by=by,
        key="told-by-a-player",
        expected_version=0,
        now=after(1),
    )
    assert not isinstance(reported, Refused), reported
    assert silent(tournament, after(5), reported=[pairing.match_id or 0]) == []


# --- BJ-08: reminders.


AT_TWO = NOW + timedelta(hours=4)


def timed(**facts: Any) -> Tournament:
    """Four matches at their tables, all of eight players with an address, to begin at 14:00."""
    tournament = make_tournament(seeding="rating", **facts)
    for n in range(1, 9):
        make_entry(tournament=tournament, name=f"Player {n:02}", email=f"p{n}@example.org", rating=2001 - n, here=True)
    start(tournament)
    Pairing.objects.filter(round__stage__tournament=tournament).update(due_at=AT_TWO)
    send_mails(now=NOW)
    mail.outbox.clear()
    return tournament


def minutes_before(time: datetime, minutes: float) -> datetime:
    return time - timedelta(minutes=minutes)


def reminded(at: datetime) -> list[str]:
    """Whom the sweep and the mails of this moment remind."""
    coming.remind(now=at)
    send_mails(now=at)
    return [to for to, subject in sent() if subject == "Main: your match begins soon"]


def test_bj_08_nobody_is_reminded_of_a_match_that_was_moved_cancelled_played_or_whose_player_left() -> None:
    tournament = timed()
    moved, cancelled, finished, dropped = (first(tournament, number) for number in range(4))
    Pairing.objects.filter(pk=moved.pk).update(due_at=AT_TWO + timedelta(hours=2))
    Slot.objects.create(
        stage=stage_of(tournament), round=1, number=cancelled.number, held_since=NOW, changed_at=NOW, fixed_at=AT_TWO
    )
    report(finished, (3, 1))
    act(rounds.withdraw_entry, tournament, entry_id=dropped.a_id)
    assert reminded(minutes_before(AT_TWO, 15)) == []
    later = AT_TWO + timedelta(hours=2)
    assert reminded(minutes_before(later, 16)) == []
    assert reminded(minutes_before(later, 15)) == addresses(moved)
    for minute in (15, 10, 1, -1):
        assert reminded(minutes_before(later, minute)) == []
    assert Notice.objects.filter(kind="reminder", mailed_at__isnull=False).count() == 2


def test_bj_08_what_changes_between_the_sweep_and_the_mail_is_not_sent_and_is_told_at_its_new_time() -> None:
    tournament = timed()
    pairing = first(tournament)
    soon = minutes_before(AT_TWO, 15)
    coming.remind(now=soon)
    Pairing.objects.filter(pk=pairing.pk).update(due_at=AT_TWO + timedelta(hours=2))
    send_mails(now=soon)
    assert not {to for to, _subject in sent()} & set(addresses(pairing))
    assert reminded(AT_TWO + timedelta(minutes=106)) == addresses(pairing)


def test_a_reminder_says_whom_where_and_when_by_the_clocks_of_the_venue() -> None:
    tournament = timed()
    coming.remind(now=minutes_before(AT_TWO, 15))
    line = f"Soon: Round 1: you meet {other(first(tournament))} at table 1 at 22 May, 17:00 (Riga)."
    assert told(first(tournament).a, minutes_before(AT_TWO, 14))[0] == line


@pytest.mark.parametrize("how", ["the match", "the round"])
def test_a_time_that_is_set_in_the_plan_is_reminded_of_like_any(how: str) -> None:
    tournament = timed()
    Pairing.objects.filter(round__stage__tournament=tournament).update(due_at=None)
    pairing, stage = first(tournament), stage_of(tournament)
    if how == "the match":
        Slot.objects.create(stage=stage, round=1, number=pairing.number, fixed_at=AT_TWO, changed_at=NOW)
        expected = addresses(pairing)
    else:
        RoundTime.objects.create(stage=stage, number=1, starts_at=AT_TWO)
        expected = [f"p{n}@example.org" for n in range(1, 9)]
    assert reminded(minutes_before(AT_TWO, 15)) == expected
    assert reminded(minutes_before(AT_TWO, 14)) == []


def test_whoever_is_called_or_plays_already_needs_no_reminder() -> None:
    tournament = timed()
    called, begun, here, waiting = (first(tournament, number) for number in range(4))
    soon = minutes_before(AT_TWO, 15)
    Pairing.objects.filter(pk=called.pk).update(called_at=soon)
    presence.say_begun(match_id=begun.match_id or 0, by=organiser(of=tournament), now=soon)
    Pairing.objects.filter(pk=here.pk).update(here_a_at=soon, here_b_at=soon)
    assert reminded(soon) == addresses(waiting)
