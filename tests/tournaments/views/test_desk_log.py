"""The log on the desk: every act in words, with whom it was done to, and nothing private."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest
from django.urls import reverse

from players.actions import record_act
from players.models import Act
from tests.factories import NOW, make_entry, make_event, make_tournament, organiser
from tests.tournaments.play import pairings
from tests.tournaments.views.desk import desk_of, page_text, result, running, text_of
from tournaments.models import Event
from tournaments.words.acts import act_text, changes, has_words

pytestmark = pytest.mark.django_db

ROOT = Path(__file__).resolve().parents[3]
NOT_OF_EVENTS = {"create_account", "open_house", "set_password", "close_account"}


def texts_in(node: ast.AST) -> set[str]:
    return {each.value for each in ast.walk(node) if isinstance(each, ast.Constant) and isinstance(each.value, str)}


def verbs_in(path: Path) -> set[str]:
    """Every verb an action writes into the log: what it gives as `verb=`, keeps as `verb`, or gives to a helper."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Assign) and [ast.unparse(target) for target in node.targets] == ["verb"]:
            found |= texts_in(node.value)
        if not isinstance(node, ast.Call):
            continue
        given = [keyword.value for keyword in node.keywords if keyword.arg == "verb"]
        name = node.func.id if isinstance(node.func, ast.Name) else ""
        if name.startswith("_") and any(isinstance(arg, ast.Constant) for arg in node.args):
            given += [arg for arg in node.args if isinstance(arg, ast.Constant)]
        for value in given:
            found |= texts_in(value)
    return {verb for verb in found if re.fullmatch(r"[a-z]+(_[a-z]+)+", verb)}


VERBS = sorted(
    set().union(
        *(verbs_in(path) for app in ("matches", "tournaments") for path in (ROOT / app).rglob("actions*/**/*.py"))
    )
)


def test_the_verbs_of_the_house_are_found() -> None:
    assert {"create_event", "check_in", "publish_rounds", "withdraw_entry", "enter_result", "play_on"} <= set(VERBS)


@pytest.mark.parametrize("verb", [verb for verb in VERBS if verb not in NOT_OF_EVENTS])
def test_every_act_has_words(verb: str) -> None:
    assert has_words(verb)


def log(event: Event, query: str = "") -> list[str]:
    page = desk_of(event).get(reverse("event_log", args=[event.pk]) + query)
    return [text_of(str(line["text"])) for line in page.context["lines"]]


def test_a_result_its_correction_and_its_end_are_told_with_table_and_players() -> None:
    tournament = running(2)
    (pairing,) = pairings(tournament)
    client, address = desk_of(tournament), reverse("match_result", args=[tournament.pk, pairing.match_id])
    client.post(address, result(pairing, "3-1"))
    client.post(address, result(pairing, "walkover_b"))
    client.post(reverse("match_clear", args=[tournament.pk, pairing.match_id]), {"version": "2", "why": "wrong table"})
    assert pairing.b is not None
    players = f"table 1 ({pairing.a.name} – {pairing.b.name})"
    assert log(tournament.event)[:5] == [
        f"Took back {players}: Walkover.",
        f"Corrected {players}: Walkover instead of 3–1.",
        f"Entered {players}: 3–1.",
        "Published round 1.",
        "Started the tournament: its roster is frozen.",
    ]
    text = page_text(client.get(reverse("event_log", args=[tournament.event_id])))
    assert "“wrong table”" in text


def test_what_is_gone_is_told_by_the_name_the_log_remembers_and_addresses_by_nothing() -> None:
    tournament = make_tournament()
    entry = make_entry(tournament=tournament, name="Anna", email="anna@example.org")
    client = desk_of(tournament)
    client.post(reverse("entry_edit", args=[tournament.pk, entry.pk]), {"name": "Ann", "email": "anna@example.org"})
    client.post(reverse("entry_remove", args=[tournament.pk, entry.pk]))
    assert log(tournament.event)[:3] == [
        "Took Ann off the roster.",
        "Changed what is said of Ann.",
        "Put Anna on the roster.",
    ]
    page = client.get(reverse("event_log", args=[tournament.event_id]))
    assert "Name: Anna → Ann" in page_text(page)
    assert "anna@example.org" not in page.content.decode()


def test_a_long_log_is_turned_over_page_by_page() -> None:
    event = make_event()
    for number in range(150):
        record_act(
            verb="add_entry",
            target="entry/0",
            by=organiser(of=event),
            now=NOW,
            event=event.pk,
            after={"name": f"P{number}"},
        )
    first = log(event)
    assert (len(first), first[0]) == (100, "Put P149 on the roster.")
    oldest = Act.objects.filter(event=event.pk).order_by("-pk")[99].pk
    rest = log(event, f"?before={oldest}")
    assert (len(rest), rest[0], rest[-1]) == (51, "Put P49 on the roster.", "Made the event.")
    assert log(event, "?before=nonsense") == first


def test_another_events_acts_are_not_in_it() -> None:
    event = make_event()
    make_entry(tournament=make_tournament(), name="Elsewhere")
    assert log(event) == ["Made the event."]


def test_changes_are_told_by_what_they_are_called() -> None:
    before = {"name": "A", "allows_tie": False, "options": {}, "tiebreaks": ["wins"], "key": 1}
    after = {"name": "B", "allows_tie": True, "options": {"rounds": 5}, "tiebreaks": ["wins"], "key": 2}
    assert changes(before=before, after=after) == [
        ("Name", "A", "B"),
        ("Ties", "no", "yes"),
        ("Options", "—", "rounds: 5"),
    ]


def test_the_keys_of_settings_are_told_by_their_names_and_forgotten_ones_as_they_are() -> None:
    before = {"format": "swiss", "options": {"rounds": None, "late_rounds": "loss"}, "tiebreaks": [], "seeding": "gone"}
    after = {
        "format": "round_robin",
        "options": {"twice": True, "withdrawn": "half"},
        "tiebreaks": ["wins", "koya"],
        "seeding": "rating",
    }
    assert changes(before={**before, "points": {"win": 3}}, after={**after, "points": {"win": 2}}) == [
        ("Seeding", "gone", "By rating"),
        ("Format", "Swiss", "Round robin"),
        (
            "Options",
            "Rounds: —, Rounds before a late entry: Nothing",
            "Everybody meets twice: yes, Matches of whoever leaves: Annulled if fewer than half were played",
        ),
        ("Tie-breaks", "—", "Wins, Koya"),
        ("Points", "A win: 3", "A win: 2"),
    ]


def test_an_act_nobody_knows_any_more_stands_as_it_is() -> None:
    assert act_text(verb="dance_<b>", what="x", before={}, after={}) == "dance_&lt;b&gt;"
