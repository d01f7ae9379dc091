"""What players are told: once, in their language, and by mail only while it is so."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from smtplib import SMTPRecipientsRefused, SMTPServerDisconnected
from typing import Any

import pytest
from django.core import mail
from django.core.mail.backends.locmem import EmailBackend
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import translation

from players.models import Player
from players.permissions import Refused, Role
from tests.factories import NOW, make_entry, make_event, make_field, make_tournament, organiser
from tests.tournaments.play import count_up, pairings, publish, report, stage_of, start
from tournaments import tasks
from tournaments.actions import notices, roster, rounds, staff
from tournaments.actions.notices import send_mails
from tournaments.models import Entry, Notice, Pairing, StaffLink, Tournament
from tournaments.permissions import entry_token, link_token
from tournaments.queries.notices import NOTICES, current_notices, names_in_notices
from tournaments.words.labels import label_of
from tournaments.words.notices import mail_text, notice_subject, notice_text

pytestmark = [pytest.mark.django_db, pytest.mark.db]

LATER = NOW + timedelta(minutes=1)


def addressed(size: int = 4, **facts: Any) -> Tournament:
    """A tournament whose players gave addresses and are here."""
    tournament = make_tournament(seeding="rating", **facts)
    for entry in make_field(size=size, tournament=tournament):
        Player.objects.filter(pk=entry.player_id).update(email=f"p{entry.name[-1]}@example.org")
    return tournament


def kinds(entry: Entry) -> list[str]:
    return list(Notice.objects.filter(entry=entry).order_by("pk").values_list("kind", flat=True))


def sent() -> list[tuple[str, str]]:
    """To whom mails went, and about what; forgotten with this."""
    found = [(message.to[0], str(message.subject)) for message in mail.outbox]
    mail.outbox.clear()
    return found


def lines() -> list[str]:
    """The first line of each mail, by address."""
    return [message.body.splitlines()[0] for message in sorted(mail.outbox, key=lambda message: message.to)]


def take_back(tournament: Tournament) -> None:
    outcome = rounds.take_back_round(stage_id=stage_of(tournament).pk, by=organiser(of=tournament), now=NOW)
    assert not isinstance(outcome, Refused)


def test_a_published_round_tells_everybody_whom_they_meet_and_where_once() -> None:
    tournament = addressed()
    start(tournament)
    assert send_mails(now=NOW) == 4
    assert sorted(sent()) == [(f"p{n}@example.org", "Main: Round 1") for n in (1, 2, 3, 4)]
    assert send_mails(now=LATER) == 0
    first = Entry.objects.get(name="Player 01")
    notice = Notice.objects.get(entry=first)
    assert (notice.kind, notice.mailed_at, notice.dropped_at) == ("pairing", NOW, None)
    assert notice_text(notice, names_in_notices([notice])) == "Round 1: you meet \u2068Player 03\u2069 at table 1."
    assert notice_text(notice) == "Round 1: you meet your opponent at table 1."


def test_a_mail_has_the_own_link_and_speaks_the_readers_language() -> None:
    tournament = addressed(2)
    start(tournament)
    first, second = tournament.entries.order_by("pk")
    Entry.objects.filter(pk=second.pk).update(language="ru")
    assert send_mails(now=NOW) == 2
    english, russian = sorted(mail.outbox, key=lambda message: message.to)
    assert english.to == ["p1@example.org"]
    assert english.body == (
        "Round 1: you meet \u2068Player 02\u2069 at table 1.\n\n"
        "Your own page, with everything about your matches:\n"
        f"http://127.0.0.1:8000/p/{entry_token(first)}/\n\n"
        "You get this because this address was given for you in \u2068Main\u2069 at \u2068StarCon 2027\u2069.\n"
    )
    assert english.extra_headers == {"Auto-Submitted": "auto-generated"}
    assert f"/p/{entry_token(second)}/" in russian.body
    assert russian.subject == "Main: 1-й тур"


def test_names_that_are_not_shown_are_not_told_and_a_language_nobody_knows_is_the_houses() -> None:
    tournament = addressed(2)
    second = Entry.objects.get(name="Player 02")
    Entry.objects.filter(pk=second.pk).update(is_shown=False, language="tlh")
    start(tournament)
    send_mails(now=NOW)
    assert lines() == [
        f"Round 1: you meet \u2068Player {second.pk}\u2069 at table 1.",
        "Round 1: you meet \u2068Player 01\u2069 at table 1.",
    ]


def test_who_gave_no_address_is_told_on_their_page_alone() -> None:
    tournament = make_tournament(seeding="rating")
    first, _ = make_field(size=2, tournament=tournament)
    start(tournament)
    assert send_mails(now=NOW) == 0
    assert [notice.kind for notice in current_notices(entry=first, now=NOW)] == ["pairing"]


def test_a_bye_is_told() -> None:
    tournament = addressed(3)
    start(tournament)
    send_mails(now=NOW)
    last = Entry.objects.get(name="Player 03")
    assert lines()[-1] == "Round 1: you have a bye."
    assert [notice.kind for notice in current_notices(entry=last, now=NOW)] == ["pairing"]


# --- BJ-08: nothing goes out about what is no longer so.


def test_bj_08_a_pairing_that_was_taken_back_is_not_mailed() -> None:
    tournament = addressed()
    start(tournament)
    take_back(tournament)
    assert send_mails(now=LATER) == 0
    assert list(Notice.objects.values_list("dropped_at", flat=True)) == [LATER] * 4
    publish(tournament)
    assert send_mails(now=LATER) == 4
    assert {subject for _, subject in sent()} == {"Main: Round 1"}


def test_bj_08_a_match_that_is_over_is_not_mailed() -> None:
    tournament = addressed()
    start(tournament)
    report(pairings(tournament, 1)[0], (3, 1))
    assert send_mails(now=NOW) == 2
    assert sorted(to for to, _ in sent()) == ["p2@example.org", "p4@example.org"]


def test_bj_08_a_player_who_left_is_not_mailed() -> None:
    tournament = addressed()
    start(tournament)
    leaver = Entry.objects.get(name="Player 01")
    rounds.withdraw_entry(entry_id=leaver.pk, by=organiser(of=tournament), now=NOW)
    assert send_mails(now=NOW) == 3
    assert "p1@example.org" not in {to for to, _ in sent()}


def test_bj_08_a_pairing_that_moved_before_its_mail_left_is_mailed_once_as_it_is_now() -> None:
    tournament = addressed()
    start(tournament)
    swap_first_two_tables(tournament)
    assert send_mails(now=LATER) == 4
    assert {subject for _, subject in sent()} == {"Main: Round 1"}
    one = Entry.objects.get(name="Player 01")
    assert [notice.params["opponent"] for notice in current_notices(entry=one, now=LATER)] == [
        Entry.objects.get(name="Player 04").pk
    ]


def test_bj_08_a_pairing_that_moves_after_its_mail_left_is_told_as_a_change_and_the_same_again_is_not() -> None:
    tournament = addressed()
    start(tournament)
    send_mails(now=NOW)
    sent()
    swap_first_two_tables(tournament)
    assert send_mails(now=LATER) == 4
    assert sorted(sent()) == [(f"p{n}@example.org", "Main: Round 1 has changed") for n in (1, 2, 3, 4)]
    take_back(tournament)
    publish(tournament)
    assert send_mails(now=LATER) == 0
    first = Entry.objects.get(name="Player 01")
    assert kinds(first) == ["pairing", "moved"]
    text = notice_text(current_notices(entry=first, now=LATER)[0])
    assert text == "Changed: Round 1: you meet your opponent at table 2."


def swap_first_two_tables(tournament: Tournament) -> None:
    """Take the round back, let the second players of both tables change places, publish it a minute later."""
    take_back(tournament)
    by, (one, other) = organiser(of=tournament), pairings(tournament, 1)
    assert one.b_id is not None
    assert other.b_id is not None
    changed = rounds.swap_in_draft(round_id=one.round_id, entry=one.b_id, with_entry=other.b_id, by=by, now=NOW)
    assert not isinstance(changed, Refused)
    published = rounds.publish_rounds(stage_id=stage_of(tournament).pk, by=by, now=LATER, accept_warnings=True)
    assert not isinstance(published, Refused), published


def test_bj_08_a_match_put_off_is_told_again_with_its_time_at_the_venue() -> None:
    tournament = addressed(2)
    start(tournament)
    send_mails(now=NOW)
    sent()
    (pairing,) = pairings(tournament, 1)
    Pairing.objects.filter(pk=pairing.pk).update(due_at=datetime.fromisoformat("2027-05-22T13:00:00+00:00"))
    pairing = pairings(tournament, 1)[0]
    for _ in range(2):
        notices.tell_pairings(stage=stage_of(tournament), pairings=[pairing], now=LATER)
    assert send_mails(now=LATER) == 2
    assert lines()[0] == "Changed: Round 1: you meet \u2068Player 02\u2069 at table 1 at 22 May, 16:00 (Riga)."


def test_check_in_is_told_to_whoever_has_not_said_that_they_are_here_and_only_while_it_is_open() -> None:
    tournament, by = make_tournament(), None
    here = make_entry(tournament=tournament, email="here@example.org", here=True)
    away = make_entry(tournament=tournament, email="away@example.org")
    comes = make_entry(tournament=tournament, email="comes@example.org")
    by = organiser(of=tournament)
    roster.open_check_in(tournament_id=tournament.pk, by=by, now=NOW)
    roster.check_in(entry_id=comes.pk, by=by, now=NOW)
    assert (kinds(here), kinds(away), kinds(comes)) == ([], ["check_in_open"], ["check_in_open"])
    roster.close_check_in(tournament_id=tournament.pk, by=by, now=NOW)
    assert send_mails(now=NOW) == 0
    roster.undo_check_in(entry_id=comes.pk, by=by, now=NOW)
    roster.open_check_in(tournament_id=tournament.pk, by=by, now=LATER)
    assert send_mails(now=LATER) == 2
    assert sorted(sent()) == [
        ("away@example.org", "Main: check-in is open"),
        ("comes@example.org", "Main: check-in is open"),
    ]
    assert kinds(away) == ["check_in_open"]


def test_the_final_place_is_told_once_it_is_worked_out_and_anew_when_it_is_corrected() -> None:
    tournament = addressed(2, options={"rounds": 1})
    start(tournament)
    send_mails(now=NOW)
    sent()
    (pairing,) = pairings(tournament, 1)
    winner = "Player 01"
    report(pairing, (3, 1) if pairing.a.name == winner else (1, 3))
    count_up(tournament)
    by = organiser(of=tournament)
    rounds.finish_tournament(tournament_id=tournament.pk, by=by, now=NOW)
    assert send_mails(now=NOW) == 0
    count_up(tournament)
    assert send_mails(now=NOW) == 2
    assert lines() == [
        "\u2068Main\u2069 is over. Your place: 1.",
        "\u2068Main\u2069 is over. Your place: 2.",
    ]
    sent()
    rounds.reopen_tournament(tournament_id=tournament.pk, by=by, now=NOW)
    count_up(tournament)
    rounds.finish_tournament(tournament_id=tournament.pk, by=by, now=NOW)
    count_up(tournament)
    assert send_mails(now=LATER) == 0


def test_an_invited_helper_gets_their_link_by_mail_unless_it_was_revoked() -> None:
    event = make_event()
    for email in ("marta@example.org", "olli@example.org"):
        link = StaffLink.objects.create(
            event=event, role=Role.REFEREE, name="Marta", email=email, expires_at=LATER, created_at=NOW
        )
        notices.tell_helper(link_id=link.pk, kind="invited", key="invited/1", now=NOW)
    staff.revoke_link(link_id=link.pk, by=organiser(of=event), now=NOW)
    assert send_mails(now=NOW) == 1
    (message,) = mail.outbox
    kept = StaffLink.objects.get(email="marta@example.org")
    assert (message.to, message.subject) == (["marta@example.org"], "StarCon 2027: your link")
    assert message.body.splitlines()[0] == "You are asked to help at \u2068StarCon 2027\u2069. Your part: Referee."
    assert f"http://127.0.0.1:8000/s/{link_token(kept)}/" in message.body


def test_an_invitation_speaks_the_language_of_whoever_invites_and_a_new_link_that_of_whoever_renews_it() -> None:
    event = make_event()
    by = organiser(of=event)
    link = staff.create_link(
        event_id=event.pk,
        tournament_id=None,
        role=Role.REFEREE,
        name="Marta",
        email="marta@example.org",
        expires_at=LATER,
        language="ru",
        by=by,
        now=NOW,
    )
    assert send_mails(now=NOW) == 1
    staff.renew_link(link_id=link.pk, expires_at=LATER, language="en", by=by, now=NOW)
    assert send_mails(now=NOW) == 1
    first, second = mail.outbox
    with translation.override("ru"):
        part = str(label_of("role", Role.REFEREE).text)
    assert first.body.splitlines()[0].endswith(f": {part}.")
    assert second.body.splitlines()[0] == "You are asked to help at \u2068StarCon 2027\u2069. Your part: Referee."


# --- Sending.


class AwayBackend(EmailBackend):
    """A mail server that is away."""

    def send_messages(self, messages: Sequence[Any]) -> int:
        raise SMTPServerDisconnected("gone")


class PickyBackend(EmailBackend):
    """A mail server that does not know one address."""

    def send_messages(self, messages: Sequence[Any]) -> int:
        if messages[0].to == ["p1@example.org"]:
            raise SMTPRecipientsRefused({"p1@example.org": (550, b"unknown")})
        return int(super().send_messages(messages))


def test_a_mail_server_that_is_away_is_asked_again_later_and_nothing_is_lost(
    settings: Any, caplog: pytest.LogCaptureFixture
) -> None:
    tournament = addressed()
    start(tournament)
    settings.EMAIL_BACKEND = f"{__name__}.AwayBackend"
    assert send_mails(now=NOW) == 0
    first = Notice.objects.order_by("pk")[0]
    assert [record.message for record in caplog.records] == [f"mail of notice {first.pk} waits 0:01:00: gone"]
    assert list(Notice.objects.order_by("pk").values_list("tries", flat=True)) == [1, 0, 0, 0]
    settings.EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
    assert send_mails(now=NOW) == 3
    assert send_mails(now=NOW + timedelta(seconds=59)) == 0
    assert send_mails(now=NOW + timedelta(seconds=60)) == 1


def test_an_address_no_server_takes_is_tried_after_longer_and_longer_pauses_and_given_up(
    settings: Any, caplog: pytest.LogCaptureFixture
) -> None:
    settings.EMAIL_BACKEND = f"{__name__}.PickyBackend"
    tournament = addressed()
    start(tournament)
    now, tried = NOW, []
    assert send_mails(now=now) == 3
    refused = Notice.objects.get(mailed_at=None)
    while refused.dropped_at is None:
        assert refused.try_at is not None
        tried.append(int((refused.try_at - now).total_seconds() // 60))
        now = refused.try_at
        assert send_mails(now=now) == 0
        refused.refresh_from_db()
    assert tried[:8] == [1, 2, 4, 8, 16, 32, 60, 60]
    assert refused.dropped_at - NOW > timedelta(days=3)
    assert caplog.records[-1].message.startswith(f"mail of notice {refused.pk} is given up: ")


def test_a_mail_another_worker_has_in_hand_is_left_to_it_until_that_worker_must_be_dead() -> None:
    tournament = addressed(2)
    start(tournament)
    assert len(notices._take(NOW)) == 2
    assert send_mails(now=NOW + timedelta(minutes=9)) == 0
    assert send_mails(now=NOW + notices.LEASE) == 2


def test_a_notice_that_cannot_be_made_into_a_mail_keeps_no_other_waiting(caplog: pytest.LogCaptureFixture) -> None:
    start(addressed(4))
    broken = Notice.objects.order_by("pk")[0]
    Notice.objects.filter(pk=broken.pk).update(params={})
    assert send_mails(now=NOW) == 3
    assert caplog.records[0].message == f"mail of notice {broken.pk} cannot be made"
    assert Notice.objects.get(pk=broken.pk).try_at == NOW + notices.FIRST_PAUSE


def test_who_gets_every_round_at_once_is_mailed_about_the_first_alone() -> None:
    start(addressed(4, format="round_robin"))
    assert send_mails(now=NOW) == 4
    assert {subject for _, subject in sent()} == {"Main: Round 1"}


def test_the_worker_and_its_sweep_send_each_mail_once() -> None:
    start(addressed(2))
    tasks.send_mails()
    tasks.send_mails()
    assert sorted(to for to, _ in sent()) == ["p1@example.org", "p2@example.org"]


def test_a_name_with_line_breaks_or_marks_of_direction_makes_no_header() -> None:
    tournament = addressed(2)
    Tournament.objects.filter(pk=tournament.pk).update(name="Main\r\nBcc: all@example.org\u2069")
    tournament.refresh_from_db()
    start(tournament)
    assert send_mails(now=NOW) == 2
    assert mail.outbox[0].subject == "Main Bcc: all@example.org: Round 1"
    assert mail.outbox[0].message()["Bcc"] is None


def test_an_address_that_no_mail_can_have_is_dropped_and_holds_nobody_up() -> None:
    tournament = addressed(2)
    Player.objects.filter(email="p1@example.org").update(email="p1@example.org\nBcc: all@example.org")
    start(tournament)
    assert send_mails(now=NOW) == 1
    assert [to for to, _ in sent()] == ["p2@example.org"]
    assert Notice.objects.filter(dropped_at=NOW).count() == 1


def test_a_round_of_a_thousand_costs_as_many_queries_for_its_notices_as_one_of_ten() -> None:
    counts = []
    for size in (10, 200):
        tournament = make_tournament()
        make_field(size=size, tournament=tournament)
        start(tournament)
        Notice.objects.all().delete()
        rows = pairings(tournament, 1)
        with CaptureQueriesContext(
            connection,
        ) as asked:
            notices.tell_pairings(stage=stage_of(tournament), pairings=rows, now=LATER)
        assert Notice.objects.count() == size
        counts.append(sum(not query["sql"].startswith("INSERT") for query in asked))
    assert counts[0] == counts[1]


def test_every_kind_has_its_words() -> None:
    entry = make_entry(tournament=make_tournament())
    link = StaffLink.objects.create(event=make_event(), role=Role.DESK, name="Olli", expires_at=LATER, created_at=NOW)
    pairing = {"round": 1, "name": ["round", {"n": 1}], "table": None, "opponent": None, "due": None, "bye": "half"}
    params = {
        "pairing": pairing,
        "moved": {**pairing, "opponent": 0, "due": "2027-05-22T13:00:00+00:00"},
        "called": {**pairing, "table": 7, "opponent": 0, "due": None},
        "reminder": {**pairing, "table": 7, "opponent": 0, "at": "2027-05-22T13:00:00+00:00"},
        "report_waiting": {"match": 1, "sets": [1, 3], "until": "2027-05-22T13:00:00+00:00"},
        "finished": {"place": 3},
    }
    told = {}
    for kind in NOTICES:
        reader = {"link": link} if kind.key == "invited" else {"entry": entry}
        notice = Notice(kind=kind.key, params=params.get(kind.key, {}), created_at=NOW, **reader)
        assert notice_subject(notice)
        assert mail_text(notice, {}, link="https://example.org/").count("https://example.org/") == 1
        told[kind.key] = notice_text(notice)
    assert told == {
        "registered": "You are registered for \u2068Main\u2069.",
        "waiting": "Every place in \u2068Main\u2069 is taken."
        " You are on the waiting list and move up when one is free.",
        "promoted": "A place is free: you play in \u2068Main\u2069.",
        "link": "Somebody asked for your own link in \u2068Main\u2069. Here it is again.",
        "check_in_open": "Check-in is open. Say on your own page that you are here.",
        "pairing": "Round 1: you do not play, as you asked.",
        "moved": "Changed: Round 1: you meet your opponent at 22 May, 16:00 (Riga).",
        "called": "Come to table 7 now. Round 1: you meet your opponent.",
        "reminder": "Soon: Round 1: you meet your opponent at table 7 at 22 May, 16:00 (Riga).",
        "report_waiting": "Your opponent says that your match ended 1–3. Is that right?"
        " Answer by 22 May, 16:00 (Riga).",
        "report_disputed": "You and your opponent told different results. The referee decides.",
        "report_unanswered": "Nobody answered in time how your match ended. The referee decides.",
        "finished": "\u2068Main\u2069 is over. Your place: 3.",
        "invited": "You are asked to help at \u2068StarCon 2027\u2069. Your part: Entry desk.",
    }
    with translation.override("ru"):
        assert notice_subject(Notice(kind="pairing", params=pairing, entry=entry)) == "Main: 1-й тур"
