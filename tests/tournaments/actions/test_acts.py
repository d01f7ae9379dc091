"""Every action writes one line into the log: who did what to what, and when."""

from __future__ import annotations

import inspect
from importlib import import_module
from pkgutil import walk_packages
from types import ModuleType
from typing import Any

import pytest

import tournaments.actions
from matches import actions as matches
from players import actions as players
from players.models import Act
from players.permissions import Refused
from tests.factories import NOW
from tests.tournaments.actions.acts.cases import CASES
from tests.tournaments.actions.game_acts import GAME_CASES, GAME_PARTS

pytestmark = pytest.mark.django_db

MODULES = [
    *(import_module(found.name) for found in walk_packages(players.__path__, "players.actions.")),
    *(import_module(found.name) for found in walk_packages(matches.__path__, "matches.actions.")),
    *(import_module(found.name) for found in walk_packages(tournaments.actions.__path__, "tournaments.actions.")),
]
PARTS = {
    "players": {
        *("record_act", "close_demo_accounts", "make_host", "own_actor", "attempt", "forget_attempts", "waiting_links"),
        *("ask_for_link", "mail_link", "new_salt", "totp_secret", "totp_address", "check_code"),
        *("begin_passkey", "begin_sign_in", "use_passkey"),
    },
    "matches": {
        *("create_matches", "void_matches", "change_seat", "judge", "digest_of", "facts_of", "refused_as"),
        *("not_takeable", "again", "put_down", "set_result", "outcome_of", "is_same_person", "bring_results"),
    },
    "reports": {"unanswered"},
    "rounds": {"seeding_order", "drafted", "lock_stage", "drafts_of", "pair_drafts_again"},
    "staff": {"token_digest"},
    "standings": {"note_change", "stale_stages", "refresh", "note_row", "store_pairings", "open_tables"},
    "tables": {
        *("hold_hall", "settle_tables", "leave_table", "take_table_again", "free_tables", "uncall"),
        "leave_for_now",
    },
    "entries": {"drop_if_unused", "new_entry", "new_player", "entry_of", "twins_of", "free_key", "give_address"},
    "places": {"take_place", "fill_places", "tell_promoted"},
    "hours": {"refuse_order"},
    "expected": {"expect_players", "expect_match"},
    "plans": {"ask_for_plan", "replan", "stale_plans"},
    "presence": {"announce_missing", "hold_open"},
    "coming": {"announce_silent", "remind"},
    "calls": {"follow_game", "end_calls"},
    "clocks": {"announce_time_over"},
    "results": {"time_refused"},
    "throttle": {"seconds_to_wait"},
    "answers": {"answer_once", "forget_answers", "act_on_what_was_seen"},
    "notices": {
        *("tell_player", "tell_players", "tell_helper", "tell_check_in", "tell_pairings", "tell_places"),
        *("tell_called", "tell_reminders"),
        *("mails_to_send", "send_mails"),
    },
    "facts": {"check_facts"},
    "holding": {
        *("hold", "hold_entry", "announce_roster", "log_roster", "mail_key", "name_key", "known_players", "set_marks"),
    },
    "imports": {"waiting_imports"},
    "searches": {
        *("waiting_searches", "start_search", "begin_search", "note_progress", "fail_search", "end_silent_searches"),
    },
    "trial_draw": {"try_draw"},  # nothing is kept of it
}
"""What is no act of anybody: what actions are made of, what only reads, and the counting that follows by itself."""


def name_of(module: ModuleType) -> str:
    words = module.__name__.split(".")
    return words[0] if words[0] in ("matches", "players") or words[-1] == "actions" else words[-1]


def test_every_action_is_told_of_here() -> None:
    found = {
        f"{name_of(module)}.{name}"
        for module in MODULES
        for name, thing in vars(module).items()
        if inspect.isfunction(thing)
        and not name.startswith("_")
        and inspect.unwrap(thing).__module__ == module.__name__
    }
    parts = {f"{module}.{name}" for told in (PARTS, GAME_PARTS) for module, names in told.items() for name in names}
    assert found - parts == {*CASES, *GAME_CASES}


@pytest.mark.parametrize("name", [*CASES, *GAME_CASES])
def test_an_action_is_one_line_in_the_log(name: str) -> None:
    prepare_world, act, verbs = (CASES | GAME_CASES)[name]
    world: Any = prepare_world()
    last = Act.objects.order_by("pk").last()
    outcome = act(world)
    assert not isinstance(outcome, Refused), outcome
    lines = list(Act.objects.filter(pk__gt=last.pk if last else 0).order_by("pk"))
    assert [line.verb for line in lines] == verbs
    assert {(line.at, bool(line.who), bool(line.role), "/" in line.target) for line in lines} == {
        (NOW, True, True, True)
    }
