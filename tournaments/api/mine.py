"""Where somebody who has an account plays and played, and an entry without an address added to it."""

from __future__ import annotations

from typing import Any

from django.http import Http404
from django.utils import timezone
from rest_framework.request import Request
from rest_framework.response import Response

from tournaments.actions import roster
from tournaments.api.access import View, own_account
from tournaments.api.answers import own_link, page
from tournaments.api.bodies import SecretBody
from tournaments.api.operation import PAGE, operation
from tournaments.api.problems import done, refuse
from tournaments.api.shapes import MyEntriesPageShape, MyEntryShape
from tournaments.models import Entry
from tournaments.permissions import actor_of_entry, read_entry
from tournaments.queries.me import OwnEntry, entries_of


def _row(own: OwnEntry) -> dict[str, Any]:
    tournament = own.entry.tournament
    return own_link(own.entry) | {
        "event": tournament.event_id,
        "tournament": tournament.pk,
        "title": tournament.name,
        "state": tournament.state,
        "rank": own.rank,
    }


class MyEntries(View):
    """Every entry of an account."""

    @operation(
        "list_my_entries",
        "Where you play and played, the newest event first",
        description="The entries under the proved address of your account, each with your own link.",
        answer=MyEntriesPageShape,
        parameters=PAGE,
    )
    def get(self, request: Request) -> Response:
        return page(self, request, entries_of(account=own_account(request)), MyEntriesPageShape, _row)

    @operation(
        "claim_entry",
        "Add an entry without an address to your account",
        description="`token` is the last part of its own link's address. Twice is once.",
        body=SecretBody,
        answer=MyEntryShape,
    )
    def post(self, request: Request) -> Response:
        account = own_account(request)
        body = SecretBody(data=request.data)
        body.is_valid(raise_exception=True)
        entry: Entry | None = read_entry(body.validated_data["token"])
        if entry is None:
            raise Http404
        if account.verified_at is None:
            raise refuse("address_not_proved", status=409)
        by = actor_of_entry(entry)
        done(roster.claim_entry(entry_id=entry.pk, email=account.email, by=by, now=timezone.now()))
        claimed = next(each for each in entries_of(account=account) if each.entry.pk == entry.pk)
        return Response(MyEntryShape(_row(claimed)).data)
