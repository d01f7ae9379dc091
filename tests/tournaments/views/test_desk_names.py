"""NA-07: names that look like markup, formulas, SQL or templates are shown as the text they are, on every page."""

from __future__ import annotations

import csv
import html
import re
from pathlib import Path

import pytest
from django.urls import reverse

from tests.factories import NOW, make_entry, make_event, make_tournament, organiser
from tests.tournaments.play import pairings, play_open, publish, stage_of
from tests.tournaments.views.desk import Page, desk_of, result
from tournaments.actions import roster, rounds
from tournaments.models import Entry, Tournament

pytestmark = pytest.mark.django_db

ROSTERS = Path(__file__).resolve().parents[2] / "cases" / "rosters"
with (ROSTERS / "sharp_names.csv").open(encoding="utf-8") as file:
    NAMES = [row["nickname"] for row in csv.DictReader(file)]


def sharp_tournament() -> Tournament:
    """Everything has a sharp name: the event, the tournament, its players."""
    event = make_event(name=NAMES[4], place=NAMES[5])
    tournament = make_tournament(event=event, name=NAMES[6], seeding="hand")
    for name in NAMES:
        make_entry(tournament=tournament, name=name, city=NAMES[5], club=NAMES[4])
    return tournament


def is_text(response: Page, *, names: list[str]) -> None:
    """Every name is there, escaped; nothing of it became an element, and no template was run."""
    body = response.content.decode()
    for name in names:
        assert (
            html.escape(name, quote=True).replace("&#x27;", "&#x27;") in body or html.escape(name, quote=False) in body
        )
    assert not re.search(r"<b>Bold|<img src=x|onerror=(?!alert\(1\)&gt;)", body)
    assert "{{ 7*7 }}" in body or "7*7" not in body
    assert not re.search(r"\b49\b(?=</bdi>)", body)


def pages(tournament: Tournament, *names: str) -> list[Page]:
    client = desk_of(tournament)
    return [client.get(reverse(name, args=[tournament.pk])) for name in names]


def test_na_07_before_the_start() -> None:
    tournament = sharp_tournament()
    for page in pages(tournament, "roster", "seeds"):
        is_text(page, names=NAMES)
    roster.open_check_in(tournament_id=tournament.pk, by=organiser(of=tournament), now=NOW)
    (page,) = pages(tournament, "roster")
    is_text(page, names=NAMES)
    for page in pages(tournament, "tournament_settings", "import_new"):
        is_text(page, names=[NAMES[4], NAMES[6]])
    client = desk_of(tournament)
    for entry in tournament.entries.all():
        is_text(client.get(reverse("entry_edit", args=[tournament.pk, entry.pk])), names=[entry.name])
    for address in (
        reverse("desk"),
        reverse("event_desk", args=[tournament.event_id]),
        reverse("event_edit", args=[tournament.event_id]),
    ):
        is_text(client.get(address), names=[NAMES[4], NAMES[5]])


def test_na_07_in_messages_and_refusals() -> None:
    tournament = sharp_tournament()
    client = desk_of(tournament)
    for name in NAMES:
        again = client.post(reverse("entry_add", args=[tournament.pk]), {"name": name})
        assert again.status_code == 409
        is_text(again, names=NAMES)
    entry = tournament.entries.order_by("pk")[4]
    gone = client.post(reverse("entry_remove", args=[tournament.pk, entry.pk]), follow=True)
    is_text(gone, names=[entry.name])
    roster.open_check_in(tournament_id=tournament.pk, by=organiser(of=tournament), now=NOW)
    for other in tournament.entries.order_by("pk")[:2]:
        roster.check_in(entry_id=other.pk, by=organiser(of=tournament), now=NOW)
    told = client.post(reverse("start", args=[tournament.pk]), {"leaving_out": ""})
    assert told.status_code == 409
    is_text(told, names=[name for name in NAMES if name != entry.name])


def test_na_07_from_the_draft_to_the_champion() -> None:
    tournament = sharp_tournament()
    by = organiser(of=tournament)
    roster.check_in_all(tournament_id=tournament.pk, by=by, now=NOW)
    rounds.start_tournament(tournament_id=tournament.pk, by=by, now=NOW)
    client = desk_of(tournament)
    (page,) = pages(tournament, "tournament_desk")
    is_text(page, names=NAMES)
    round_ = stage_of(tournament).rounds.get()
    swap = reverse("swap", args=[tournament.pk, round_.pk, 1])
    is_text(client.get(swap), names=NAMES)
    ids = list(round_.pairings.order_by("number").values_list("a", "b"))
    swapped = client.post(swap, {"entry": ids[0][0], "with_entry": ids[1][0]}, follow=True)
    is_text(swapped, names=NAMES)

    publish(tournament)
    for page in pages(tournament, "tournament_desk", "results", "roster"):
        is_text(page, names=NAMES)
    first = pairings(tournament)[0]
    assert first.b is not None
    match = reverse("match_result", args=[tournament.pk, first.match_id])
    is_text(client.get(match), names=[first.a.name, first.b.name])
    is_text(client.post(match, result(first, "3-0"), follow=True), names=NAMES)
    entry = Entry.objects.get(tournament=tournament, name=NAMES[5])
    left = client.post(reverse("withdraw", args=[tournament.pk, entry.pk]), follow=True)
    is_text(left, names=NAMES)

    play_open(tournament)
    rounds.finish_tournament(tournament_id=tournament.pk, by=by, now=NOW, early=True)
    (page,) = pages(tournament, "tournament_desk")
    is_text(page, names=[row.entry.name for row in page.context["podium"]])
    log = client.get(reverse("event_log", args=[tournament.event_id]))
    is_text(log, names=NAMES)


def test_na_07_helpers_and_lists() -> None:
    tournament = sharp_tournament()
    client, event = desk_of(tournament), tournament.event
    for name in NAMES:
        sent = {"name": name, "role": "referee", "expires_on": "2099-01-01"}
        is_text(client.post(reverse("link_new", args=[event.pk]), sent, follow=True), names=[name])
        is_text(client.post(reverse("token_new", args=[event.pk]), {"name": name}), names=[name])
    is_text(client.get(reverse("event_staff", args=[event.pk])), names=NAMES)

    other = make_tournament(event=event)
    with (ROSTERS / "sharp_names.csv").open("rb") as file:
        preview = client.post(reverse("import_new", args=[other.pk]), {"file": file}, follow=True)
    is_text(preview, names=NAMES)


def test_a_long_name_of_one_word_is_a_name_that_may_wrap() -> None:
    tournament = make_tournament()
    make_entry(tournament=tournament, name="W" * 120)
    begin_with = make_entry(tournament=tournament, name="B")
    assert begin_with.pk
    body = desk_of(tournament).get(reverse("roster", args=[tournament.pk])).content.decode()
    assert f'<bdi class="name">{"W" * 120}</bdi>' in body
