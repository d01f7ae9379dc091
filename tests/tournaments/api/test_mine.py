"""Where an account plays, by the API: under its proved address, and an entry without one added to it."""

from __future__ import annotations

import pytest

from players.models import Account
from tests.factories import NOW, make_account, make_entry, make_event, make_tournament
from tests.tournaments.api.asking import Api, by_link, by_token, code_of
from tournaments.models import Entry
from tournaments.permissions import entry_token

pytestmark = pytest.mark.django_db


def player(*, proved: bool = True) -> Api:
    """The script of anna@example.org."""
    account = make_account(email="anna@example.org")
    Account.objects.filter(pk=account.pk).update(verified_at=NOW if proved else None)
    return by_token(make_event(owner=account))


def claim(api: Api, entry: Entry) -> tuple[int, str]:
    answer = api.post("me/entries/", {"token": entry_token(entry)})
    return (200, "") if answer.status_code == 200 else code_of(answer)


def test_my_entries_are_those_under_my_proved_address_each_with_my_own_link() -> None:
    tournament = make_tournament()
    entry = make_entry(tournament=tournament, name="Anna K.", email="anna@example.org")
    make_entry(tournament=tournament, name="Anna")
    api = player()
    assert api.rows("me/entries/") == [
        {
            "id": entry.pk,
            "name": "Anna K.",
            "token": entry_token(entry),
            "url": f"http://127.0.0.1:8000/p/{entry_token(entry)}/",
            "event": tournament.event_id,
            "tournament": tournament.pk,
            "title": "Main",
            "state": "roster",
            "rank": None,
        }
    ]
    Account.objects.update(verified_at=None)
    assert api.rows("me/entries/") == []


def test_an_entry_without_an_address_is_added_once_and_one_with_another_never() -> None:
    tournament = make_tournament()
    mine = make_entry(tournament=tournament, name="Anna")
    theirs = make_entry(tournament=make_tournament(), name="Olli", email="olli@example.org")
    api = player()
    for _twice in range(2):
        assert claim(api, mine) == (200, "")
    assert [each["id"] for each in api.rows("me/entries/")] == [mine.pk]
    assert claim(api, theirs) == (409, "entry_has_address")
    assert code_of(api.post("me/entries/", {"token": "1-of-nobody"})) == (404, "not_found")


def test_an_address_that_was_not_proved_claims_nothing_and_a_token_of_one_event_is_not_asked() -> None:
    entry = make_entry(tournament=make_tournament(), name="Anna")
    assert claim(player(proved=False), entry) == (409, "address_not_proved")
    bound = by_token(entry.tournament, bound=True)
    assert code_of(bound.get("me/entries/")) == (403, "token_of_one_event")
    assert claim(bound, entry) == (403, "token_of_one_event")
    assert claim(Api(), entry) == (401, "not_authenticated")
    assert claim(by_link(entry.tournament), entry) == (403, "not_allowed")
    entry.player.refresh_from_db()
    assert entry.player.email == ""
