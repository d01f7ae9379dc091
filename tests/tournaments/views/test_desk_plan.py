"""The page of the plan on the desk, and what is said there of single matches."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.urls import reverse
from django.utils import timezone

from tests.factories import NOW, make_event, make_field, make_tournament, organiser
from tests.tournaments.halls import put_up
from tests.tournaments.play import pairings, start
from tests.tournaments.views.desk import desk_of, heading, page_text, said, stranger, text_of
from tournaments.actions import plans, slots, tables
from tournaments.actions.queue import call_matches
from tournaments.models import Entry, Event, Pairing, Slot, Tournament
from tournaments.templatetags.plan import wall

pytestmark = pytest.mark.django_db


def day(size: int = 4, numbers: tuple[int, ...] = (1, 2), **facts: Any) -> Tournament:
    """A bracket with a queue that runs now, as its plan has it now."""
    event = make_event()
    put_up(event, numbers)
    tournament = make_tournament(event=event, seeding="rating", seating="queue", format="single_elimination", **facts)
    make_field(size=size, tournament=tournament)
    start(tournament)
    plan(event)
    return tournament


def plan(event: Event, *, after: int = 0) -> None:
    """The plan made anew, so many seconds from now: one that was made a moment ago would stay."""
    plans.ask_for_plan(event_id=event.pk)
    plans.replan(event_id=event.pk, now=timezone.now() + timedelta(seconds=after))


def slot_of(tournament: Tournament, round_: int, number: int) -> Slot:
    return Slot.objects.get(stage__tournament=tournament, round=round_, number=number)


def address(name: str, tournament: Tournament, slot: Slot | None = None) -> str:
    return reverse(name, args=[tournament.event_id, *([] if slot is None else [slot.pk])])


def in_minutes(tournament: Tournament, minutes: int) -> str:
    """A time so many minutes from now, as the page's field has it."""
    there = timezone.localtime(timezone.now() + timedelta(minutes=minutes), tournament.event.tzinfo)
    return f"{there:%Y-%m-%dT%H:%M}"


def test_the_page_says_when_it_ends_what_waits_and_who_is_where() -> None:
    tournament = day()
    call_matches(event_id=tournament.event_id, now=timezone.now())
    plan(tournament.event, after=10)
    client = desk_of(tournament)
    shown = client.get(address("desk_plan", tournament))
    text = page_text(shown)
    assert heading(shown) == "Plan of the day"
    assert "The last match ends about" in text
    assert "matches that wait for each other, up to the final." in text
    assert "Nothing that could be played waits for a table." in text
    assert "Winner of match 1 – Winner of match 2" in text
    assert "Final, match 3 · probably table 1" in text
    for where in (reverse("event_desk", args=[tournament.event_id]), reverse("tournament_desk", args=[tournament.pk])):
        assert address("desk_plan", tournament) in client.get(where).content.decode()


def test_a_day_of_which_only_held_matches_are_left_is_not_said_to_be_over() -> None:
    tournament = day(size=2)
    slots.hold_match(slot_id=slot_of(tournament, 1, 1).pk, by=organiser(of=tournament), now=timezone.now())
    plan(tournament.event, after=10)
    text = page_text(desk_of(tournament).get(address("desk_plan", tournament)))
    assert "Its end is not known: 1 match has no place." in text
    assert "Nothing is left to be played." not in text


def test_a_tournament_nobody_said_the_start_of_is_named_with_the_way_there() -> None:
    tournament = day()
    other = make_tournament(event=tournament.event, name="Night Cup")
    shown = desk_of(tournament).get(address("desk_plan", tournament))
    assert "Not in the plan yet, for it has no start: Night Cup" in page_text(shown)
    assert f'href="{reverse("tournament_settings", args=[other.pk])}"' in shown.content.decode()
    assert f'href="{reverse("tournament_settings", args=[tournament.pk])}"' not in shown.content.decode()


def test_a_match_of_nobody_yet_is_told_by_its_round() -> None:
    tournament = day()
    client, final = desk_of(tournament), slot_of(tournament, 2, 1)
    assert said(client.post(address("slot_hold", tournament, final), follow=True)) == [
        "Final, match 3 is held: it is not called until you release it."
    ]


def test_a_part_of_the_page_is_sent_once_for_each_version() -> None:
    tournament = day()
    client, where = desk_of(tournament), f"{address('desk_plan', day())}?part=plan"
    assert client.get(where).status_code == 404
    where = f"{address('desk_plan', tournament)}?part=plan"
    first = client.get(where)
    assert (first.status_code, client.get(where, headers={"If-None-Match": first["ETag"]}).status_code) == (200, 304)
    slots.hold_match(slot_id=slot_of(tournament, 1, 1).pk, by=organiser(of=tournament), now=timezone.now())
    again = client.get(where, headers={"If-None-Match": first["ETag"]})
    assert again.status_code == 200
    assert "The plan is being made anew" not in page_text(first)
    assert "Something has changed: the plan is being made anew." in page_text(again)


def test_a_match_is_held_and_released() -> None:
    tournament = day()
    client, slot = desk_of(tournament), slot_of(tournament, 1, 1)
    held = client.post(address("slot_hold", tournament, slot), follow=True)
    assert said(held) == ["Player 01 – Player 04 is held: it is not called until you release it."]
    assert "Held since" in page_text(held)
    assert "Hold it" not in page_text(client.get(address("plan_slot", tournament, slot)))
    released = client.post(address("slot_release", tournament, slot), follow=True)
    assert said(released) == ["Player 01 – Player 04 is planned and called again."]
    tables.move_match(
        match_id=pairings(tournament, 1)[0].match_id or 0, table=1, by=organiser(of=tournament), now=timezone.now()
    )
    plan(tournament.event, after=10)
    assert "Held, it gives the table back" in page_text(client.get(address("plan_slot", tournament, slot)))


def test_a_match_is_fixed_and_what_is_typed_stays() -> None:
    tournament = day(numbers=(1, 2, 3))
    client, final = desk_of(tournament), slot_of(tournament, 2, 1)
    where = address("plan_slot", tournament, final)
    assert heading(client.get(where)) == "Winner of match 1 – Winner of match 2"
    wrong = client.post(where, {"starts_at": "soon", "table": "3"})
    assert (wrong.status_code, wrong.context["form"]["starts_at"].value()) == (400, "soon")
    unknown = client.post(where, {"starts_at": "", "table": "9"})
    assert (unknown.status_code, said(unknown)) == (400, ["There is no table 9 in this hall."])
    early = {"starts_at": in_minutes(tournament, 5), "table": "3"}
    refused = client.post(where, early)
    text = page_text(refused)
    assert refused.status_code == 409
    assert "Not saved For Winner of match 1 – Winner of match 2 this is in the way:" in text
    assert "Player 01 – Player 04" in text
    assert "Player 02 – Player 03" in text
    assert "has to be over first." in text
    assert "Save it all the same" in text
    assert refused.context["form"]["table"].value() == "3"
    saved = client.post(where, {**early, "accept": "on"}, follow=True)
    assert said(saved) == ["Final, match 3 is fixed. The rest follows."]
    plan(tournament.event, after=10)
    shown = page_text(client.get(address("desk_plan", tournament)))
    assert "Fixed, and something is in the way" in shown
    assert f"{early['starts_at'][11:]}, table 3" in shown
    assert "Player 01 – Player 04" in shown
    freed = client.post(where, {"starts_at": "", "table": ""}, follow=True)
    assert said(freed) == ["The plan decides when and where Final, match 3 is played."]


def test_tz_03_in_the_nights_the_clocks_change_a_fixed_time_is_one_instant_or_is_refused() -> None:
    tournament = day()
    client, final = desk_of(tournament), slot_of(tournament, 2, 1)
    where = address("plan_slot", tournament, final)
    skipped = client.post(where, {"starts_at": "2037-03-29T03:30", "table": ""})
    assert (skipped.status_code, skipped.context["form"]["starts_at"].value()) == (400, "2037-03-29T03:30")
    assert "there is no 03:30. Did you mean 04:30?" in page_text(skipped)
    twice = client.post(where, {"starts_at": "2037-10-25T03:30", "table": ""}, follow=True)
    assert "03:30 comes twice then" in said(twice)[0]
    final.refresh_from_db()
    assert final.fixed_at == datetime(2037, 10, 25, 0, 30, tzinfo=UTC)
    plan(tournament.event, after=10)
    (_now, then) = client.get(address("desk_plan", tournament)).context["plan"].grids
    labels = [wall(line.quarter, tournament.event) for line in then.lines if line.quarter]
    assert [text_of(label) for label in labels][:2] == ["03:30 UTC+3", "03:45 UTC+3"]


def test_matches_of_other_events_are_not_there() -> None:
    mine, other = day(), day()
    slot = slot_of(other, 1, 1)
    for name in ("plan_slot", "slot_hold", "slot_release"):
        assert desk_of(mine).post(address(name, mine, slot)).status_code == 404
        assert stranger().post(address(name, other, slot)).status_code == 404


def busy_elsewhere() -> tuple[Tournament, Pairing]:
    """A side event with its one match, whose first player sits at table 1 in the main event."""
    main = day(numbers=(1, 2, 3))
    side = make_tournament(
        event=main.event, name="Side", seeding="rating", seating="queue", format="single_elimination"
    )
    make_field(size=2, tournament=side)
    player = main.entries.get(name="Player 01").player
    Entry.objects.filter(tournament=side, name="Player 01").update(player=player)
    start(side)
    first = pairings(main, 1)[0]
    tables.move_match(match_id=first.match_id or 0, table=1, by=organiser(of=main), now=NOW)
    return side, pairings(side, 1)[0]


def test_st_01_somebody_who_sits_elsewhere_gets_a_second_table_only_where_that_is_accepted() -> None:
    side, match = busy_elsewhere()
    where, client = reverse("match_move", args=[side.pk, match.match_id]), desk_of(side)
    assert 'type="checkbox"' not in client.get(where).content.decode()
    refused = client.post(where, {"to": "2"})
    assert (refused.status_code, refused.context["form"]["to"].value()) == (409, "2")
    assert [each.replace("\u2068", "").replace("\u2069", "") for each in said(refused)] == [
        "Player 01 sits at table 1 now: Player 01 – Player 04. They would be called to two tables at once."
    ]
    assert "Give it the table all the same" in page_text(refused)
    assert client.post(where, {"to": "2", "accept": "on"}).status_code == 302
    match.refresh_from_db()
    assert match.table == 2
