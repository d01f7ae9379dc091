"""Check-in: once is once, a mis-tap is taken back, and nobody checks in after the start."""

from datetime import timedelta
from functools import partial
from typing import Any

import pytest

from players.models import Act
from players.permissions import Refused
from tests.factories import NOW, make_entry, make_field, make_tournament, organiser
from tests.tournaments.at_once import one_behind_the_other
from tests.tournaments.play import pairings
from tournaments.actions import roster
from tournaments.actions.rounds import start_tournament
from tournaments.models import Entry, StageChange, Tournament
from tournaments.permissions import actor_of_entry

pytestmark = [pytest.mark.django_db, pytest.mark.db]

LATER = NOW + timedelta(minutes=5)


def test_opening_and_closing_twice_is_once() -> None:
    tournament = make_tournament()
    by = organiser(of=tournament)
    for act in (roster.open_check_in, roster.open_check_in):
        opened = act(tournament_id=tournament.pk, by=by, now=NOW)
        assert isinstance(opened, Tournament)
        assert opened.state == "check_in"
    for act in (roster.close_check_in, roster.close_check_in):
        closed = act(tournament_id=tournament.pk, by=by, now=NOW)
        assert isinstance(closed, Tournament)
        assert closed.state == "roster"
    verbs = list(Act.objects.filter(verb__endswith="check_in").order_by("pk").values_list("verb", flat=True))
    assert verbs == ["open_check_in", "close_check_in"]


def test_the_first_tap_counts_and_a_mis_tap_is_taken_back() -> None:
    entry = make_entry(tournament=make_tournament(), name="Anna")
    by = organiser(of=entry.tournament)

    def here(result: Entry | Refused) -> object:
        assert isinstance(result, Entry)
        return result.checked_in_at

    assert here(roster.check_in(entry_id=entry.pk, by=by, now=NOW)) == NOW
    assert here(roster.check_in(entry_id=entry.pk, by=by, now=LATER)) == NOW
    assert here(roster.undo_check_in(entry_id=entry.pk, by=by, now=LATER)) is None
    assert here(roster.undo_check_in(entry_id=entry.pk, by=by, now=LATER)) is None
    assert here(roster.check_in(entry_id=entry.pk, by=by, now=LATER)) == LATER
    acts = Act.objects.filter(target=f"entry/{entry.pk}").order_by("pk").values_list("verb", "at")
    assert list(acts) == [
        ("add_entry", NOW),
        ("check_in", NOW),
        ("undo_check_in", LATER),
        ("check_in", LATER),
    ]
    assert StageChange.objects.count() == 4


def test_everybody_at_once_leaves_earlier_times_alone() -> None:
    tournament = make_tournament()
    first, second = make_field(size=2, tournament=tournament, here=False)
    by = organiser(of=tournament)
    roster.check_in(entry_id=first.pk, by=by, now=NOW)
    assert roster.check_in_all(tournament_id=tournament.pk, by=by, now=LATER) == 1
    assert roster.check_in_all(tournament_id=tournament.pk, by=by, now=LATER) == 0
    assert dict(tournament.entries.values_list("pk", "checked_in_at")) == {first.pk: NOW, second.pk: LATER}
    assert Act.objects.get(verb="check_in_all").after == {"entries": [second.pk]}


# --- closing check-in


def closing(**facts: Any) -> tuple[Tournament, list[Entry]]:
    """Check-in is open, and of four two are here."""
    tournament = make_tournament(**facts)
    entries = make_field(size=4, tournament=tournament, here=False)
    roster.open_check_in(tournament_id=tournament.pk, by=organiser(of=tournament), now=NOW)
    for entry in entries[:2]:
        roster.check_in(entry_id=entry.pk, by=organiser(of=tournament), now=NOW)
    return tournament, entries


def statuses(tournament: Tournament) -> list[tuple[str, bool]]:
    rows = tournament.entries.order_by("pk")
    return [(entry.status, entry.checked_in_at is not None) for entry in rows]


def test_closing_check_in_keeps_whoever_is_missing() -> None:
    tournament, _entries = closing()
    close = partial(roster.close_check_in, tournament_id=tournament.pk, by=organiser(of=tournament), now=LATER)
    assert isinstance(close(missing=roster.KEEP), Tournament)
    assert statuses(tournament) == [("active", True), ("active", True), ("active", False), ("active", False)]
    assert Act.objects.get(verb="close_check_in").after == {}


def test_closing_check_in_drops_whoever_is_missing_and_whoever_comes_after_all_is_back() -> None:
    tournament, entries = closing()
    by = organiser(of=tournament)
    close = partial(roster.close_check_in, tournament_id=tournament.pk, by=by, now=LATER)
    for _twice in range(2):
        assert isinstance(close(missing=roster.DROP), Tournament)
    left = [("active", True), ("active", True), ("withdrawn", False), ("withdrawn", False)]
    assert statuses(tournament) == left
    assert Act.objects.get(verb="close_check_in").after == {"entries": [entries[2].pk, entries[3].pk]}
    assert roster.check_in(entry_id=entries[2].pk, by=by, now=LATER) == Refused("already_withdrawn")
    back = roster.check_in_after_all(entry_id=entries[2].pk, by=by, now=LATER)
    assert isinstance(back, Entry)
    assert statuses(tournament) == [*left[:2], ("active", True), left[3]]
    verbs = Act.objects.filter(target=f"entry/{entries[2].pk}").order_by("pk").values_list("verb", flat=True)
    assert list(verbs) == ["return_entry", "check_in"]


def test_closing_check_in_drops_nobody_whom_the_organiser_did_not_see() -> None:
    tournament, entries = closing()
    make_entry(tournament=tournament, name="Came onto the list meanwhile")
    roster.close_check_in(
        tournament_id=tournament.pk,
        missing=roster.DROP,
        named=[entries[2].pk, entries[3].pk],
        by=organiser(of=tournament),
        now=LATER,
    )
    assert [status for status, _here in statuses(tournament)] == [
        "active",
        "active",
        "withdrawn",
        "withdrawn",
        "active",
    ]


def test_a_dropped_players_place_goes_to_whoever_waits() -> None:
    tournament, entries = closing(capacity=4, registration=True, promotes_late=True)
    waiting = make_entry(tournament=tournament, name="Waiting")
    Entry.objects.filter(pk=waiting.pk).update(status="waiting", waiting_since=NOW)
    by = organiser(of=tournament)
    roster.close_check_in(tournament_id=tournament.pk, missing=roster.DROP, by=by, now=LATER)
    waiting.refresh_from_db()
    assert (waiting.status, waiting.checked_in_at) == ("active", None)
    assert [entry.pk for entry in tournament.entries.filter(status="withdrawn").order_by("pk")] == [
        entries[2].pk,
        entries[3].pk,
    ]


@pytest.mark.db
@pytest.mark.django_db(transaction=True)
def test_whoever_checks_in_while_check_in_closes_is_here() -> None:
    tournament, entries = closing()
    by = organiser(of=tournament)
    came, closed = one_behind_the_other(
        partial(roster.check_in, entry_id=entries[2].pk, by=by, now=LATER),
        partial(roster.close_check_in, tournament_id=tournament.pk, missing=roster.DROP, by=by, now=LATER),
    )
    assert isinstance(came, Entry)
    assert isinstance(closed, Tournament)
    assert statuses(tournament)[2:] == [("active", True), ("withdrawn", False)]


@pytest.mark.db
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("act", ["check_in", "check_in_own"])
def test_whoever_checks_in_just_after_they_were_dropped_is_told(act: str) -> None:
    tournament, entries = closing()
    by = organiser(of=tournament)
    _closed, told = one_behind_the_other(
        partial(roster.close_check_in, tournament_id=tournament.pk, missing=roster.DROP, by=by, now=LATER),
        partial(getattr(roster, act), entry_id=entries[2].pk, by=by, now=LATER),
    )
    assert told == Refused({"check_in": "already_withdrawn", "check_in_own": "check_in_not_open"}[act])
    assert statuses(tournament)[2] == ("withdrawn", False)


# --- by one's own link


def test_a_player_checks_in_by_their_own_link_while_check_in_is_open_and_takes_it_back() -> None:
    _tournament, entries = closing()
    entry = Entry.objects.select_related("tournament").get(pk=entries[2].pk)
    by = actor_of_entry(entry)
    for at in (NOW, LATER):
        came = roster.check_in_own(entry_id=entry.pk, by=by, now=at)
        assert isinstance(came, Entry)
        assert came.checked_in_at == NOW
    act = Act.objects.get(verb="check_in", target=f"entry/{entry.pk}")
    assert (act.role, act.who) == ("player", entry.name)
    for _twice in range(2):
        gone = roster.undo_check_in_own(entry_id=entry.pk, by=by, now=LATER)
        assert isinstance(gone, Entry)
        assert gone.checked_in_at is None


def test_whoever_staff_put_down_is_written_to_in_the_language_they_read_their_own_page_in() -> None:
    _tournament, entries = closing()
    here = partial(roster.check_in_own, entry_id=entries[2].pk, by=actor_of_entry(entries[2]), now=NOW)
    for language in ("", "ru", "en"):
        here(language=language)
    assert Entry.objects.get(pk=entries[2].pk).language == "ru"


def test_a_player_checks_in_neither_too_early_nor_where_the_desk_does_it() -> None:
    entry = make_entry(tournament=make_tournament(), name="Early")
    asks = partial(roster.check_in_own, entry_id=entry.pk, by=actor_of_entry(entry), now=NOW)
    assert asks() == Refused("check_in_not_open")
    by_desk = make_tournament(self_check_in=False)
    entry = make_entry(tournament=by_desk, name="At the desk")
    roster.open_check_in(tournament_id=by_desk.pk, by=organiser(of=by_desk), now=NOW)
    for act in (roster.check_in_own, roster.undo_check_in_own):
        told = act(entry_id=entry.pk, by=actor_of_entry(entry), now=NOW)
        assert told == Refused("check_in_at_desk")
    assert roster.check_in_own(entry_id=0, by=actor_of_entry(entry), now=NOW) == Refused(
        "entry_unknown", {"entry": 0}, status=404
    )


# --- by a device that had no network for a while


def test_rc_08_what_a_device_sends_twice_is_done_once_whatever_was_done_in_between() -> None:
    entry = make_entry(tournament=make_tournament(), name="Anna")
    by = organiser(of=entry.tournament)
    sent = partial(roster.check_in, entry_id=entry.pk, by=by, key="a" * 32)
    assert isinstance(sent(now=NOW), Entry)
    roster.undo_check_in(entry_id=entry.pk, by=by, now=LATER)
    again = sent(now=LATER)
    assert isinstance(again, Entry)
    assert again.checked_in_at is None
    assert Act.objects.filter(verb="check_in").count() == 1
    assert isinstance(sent(now=LATER, key="b" * 32), Entry)
    assert Act.objects.filter(verb="check_in").count() == 2


def test_after_the_start_check_in_says_that_it_is_closed() -> None:
    tournament = make_tournament()
    make_field(size=4, tournament=tournament)
    late = make_entry(tournament=tournament, name="Late")
    by = organiser(of=tournament)
    assert isinstance(start_tournament(tournament_id=tournament.pk, by=by, now=NOW), Tournament)
    frozen = Refused("roster_is_frozen", {"state": "running"})
    assert roster.check_in(entry_id=late.pk, by=by, now=LATER) == frozen
    assert roster.undo_check_in(entry_id=tournament.entries.order_by("pk")[0].pk, by=by, now=LATER) == frozen
    assert roster.check_in_all(tournament_id=tournament.pk, by=by, now=LATER) == frozen
    assert roster.open_check_in(tournament_id=tournament.pk, by=by, now=LATER) == frozen
    assert roster.close_check_in(tournament_id=tournament.pk, by=by, now=LATER) == frozen


def test_whoever_was_taken_off_meanwhile_is_unknown() -> None:
    entry = make_entry(tournament=make_tournament(), name="Anna")
    by = organiser(of=entry.tournament)
    roster.remove_entry(entry_id=entry.pk, by=by, now=NOW)
    unknown = Refused("entry_unknown", {"entry": entry.pk}, status=404)
    assert roster.check_in(entry_id=entry.pk, by=by, now=NOW) == unknown


def test_rc_06_seeds_by_hand_close_their_gaps_and_the_first_two_have_the_byes() -> None:
    tournament = make_tournament(format="single_elimination", seeding="hand")
    entries = make_field(size=8, tournament=tournament)
    by = organiser(of=tournament)
    roster.set_hand_seeds(tournament_id=tournament.pk, order=[entry.pk for entry in entries], by=by, now=NOW)
    for absent in (entries[2], entries[4]):
        roster.undo_check_in(entry_id=absent.pk, by=by, now=NOW)
    assert isinstance(start_tournament(tournament_id=tournament.pk, by=by, now=NOW), Tournament)
    assert list(tournament.entries.order_by("pk").values_list("hand_seed", "seed")) == [
        (1, 1),
        (2, 2),
        (3, None),
        (4, 3),
        (5, None),
        (6, 4),
        (7, 5),
        (8, 6),
    ]
    assert {pairing.a.seed for pairing in pairings(tournament) if pairing.b is None} == {1, 2}


# --- somebody comes or goes while the tournament starts


def field_with_one_missing() -> tuple[Tournament, list[Entry], Entry]:
    """Nine on the roster, and eight of them here."""
    tournament = make_tournament(seeding="rating")
    *here, late = make_field(size=9, tournament=tournament, here=False)
    for entry in here:
        roster.check_in(entry_id=entry.pk, by=organiser(of=tournament), now=NOW)
    return tournament, here, late


def seeded(tournament: Tournament) -> list[Entry]:
    return list(tournament.entries.filter(seed__isnull=False).order_by("seed"))


@pytest.mark.db
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("verb", ["check_in", "undo_check_in"])
def test_rc_05_whoever_comes_or_goes_while_the_draw_is_made_is_told_that_it_is_closed(verb: str) -> None:
    tournament, here, late = field_with_one_missing()
    act, whom = {"check_in": (roster.check_in, late), "undo_check_in": (roster.undo_check_in, here[3])}[verb]
    by = organiser(of=tournament)
    started, told = one_behind_the_other(
        partial(start_tournament, tournament_id=tournament.pk, by=by, now=NOW),
        partial(act, entry_id=whom.pk, by=by, now=NOW),
    )
    assert isinstance(started, Tournament)
    assert told == Refused("roster_is_frozen", {"state": "running"})
    assert seeded(tournament) == here
    paired = {side for pairing in pairings(tournament) for side in (pairing.a, pairing.b)}
    assert paired == set(here)


@pytest.mark.db
@pytest.mark.django_db(transaction=True)
def test_rc_05_whoever_comes_just_before_the_draw_is_in_it_and_whoever_goes_is_told_of_first() -> None:
    tournament, here, late = field_with_one_missing()
    by = organiser(of=tournament)
    start = partial(start_tournament, tournament_id=tournament.pk, by=by, now=NOW)

    def come_and_go() -> None:
        roster.check_in(entry_id=late.pk, by=by, now=NOW)
        roster.undo_check_in(entry_id=here[3].pk, by=by, now=NOW)

    _, told = one_behind_the_other(come_and_go, partial(start, leaving_out=[late.pk]))
    assert told == Refused("roster_changed", {"entries": [here[3].pk]})
    assert seeded(tournament) == []
    assert isinstance(start(leaving_out=[here[3].pk]), Tournament)
    assert seeded(tournament) == [*here[:3], *here[4:], late]
