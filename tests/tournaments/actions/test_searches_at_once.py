"""Two at a search in the same moment: it is one, taken by one, and over once."""

from __future__ import annotations

from functools import partial

import pytest

from players.models import Act
from tests.factories import NOW
from tests.tournaments.at_once import one_behind_the_other
from tests.tournaments.solving import asked, begun, crowded, in_order, solver
from tournaments.actions import searches
from tournaments.models import PlanSearch, Slot

pytestmark = [pytest.mark.db, pytest.mark.django_db(transaction=True)]


def test_two_who_ask_at_once_get_one_search_and_one_process_takes_it() -> None:
    event = crowded()
    with solver(is_there=True):
        one, other = one_behind_the_other(partial(asked, event), partial(asked, event))
    assert (one, Act.objects.filter(verb="ask_for_search").count()) == (other, 1)
    take = partial(searches.begin_search, search_id=one.pk, now=NOW)
    first, second = one_behind_the_other(take, take)
    assert first is not None
    assert (first.search, second) == (one, None)


def test_what_is_just_kept_has_not_failed() -> None:
    event = crowded()
    one = begun(event)
    keep = partial(searches.finish_search, begun=one, found=in_order(one.facts, 30, 30, 40), now=NOW)
    one_behind_the_other(keep, partial(searches.fail_search, search_id=one.search.pk, now=NOW))
    assert (PlanSearch.objects.get().outcome, Slot.objects.filter(wanted_at__isnull=False).count()) == ("better", 3)


def test_what_has_just_failed_is_not_kept() -> None:
    event = crowded()
    one = begun(event)
    keep = partial(searches.finish_search, begun=one, found=in_order(one.facts, 30, 30, 40), now=NOW)
    _, kept = one_behind_the_other(partial(searches.fail_search, search_id=one.search.pk, now=NOW), keep)
    assert kept is None
    assert (PlanSearch.objects.get().outcome, Slot.objects.filter(wanted_at__isnull=False).count()) == ("failed", 0)
