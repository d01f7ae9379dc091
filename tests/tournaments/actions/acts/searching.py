"""Acts about searches for a better plan: what goes before each, and the verbs it leaves in the log."""

from __future__ import annotations

from typing import Any

from tests.tournaments.actions.acts.worlds import Case, World, after
from tests.tournaments.solving import asked, begun, crowded, finished, in_order
from tournaments.actions import searches
from tournaments.models import Tournament


def _in_crowd() -> World:
    return World(Tournament.objects.select_related("event__owner").filter(event=crowded())[0])


def _finish(world: World) -> Any:
    one = begun(world.tournament.event)
    return searches.finish_search(begun=one, found=in_order(one.facts, 30, 30, 40), now=one.search.asked_at)


SEARCH_CASES: dict[str, Case] = {
    "searches.ask_for_search": (_in_crowd, lambda w: asked(w.tournament.event), ["ask_for_search"]),
    "searches.stop_search": (
        lambda: after(_in_crowd(), lambda w: asked(w.tournament.event)),
        lambda w: w.do(searches.stop_search, event_id=w.tournament.event_id),
        ["stop_search"],
    ),
    "searches.finish_search": (_in_crowd, _finish, ["ask_for_search", "keep_better_plan"]),
    "searches.drop_better_plan": (
        lambda: after(_in_crowd(), lambda w: finished(w.tournament.event, 30, 30, 40)),
        lambda w: w.do(searches.drop_better_plan, event_id=w.tournament.event_id),
        ["drop_better_plan"],
    ),
}
