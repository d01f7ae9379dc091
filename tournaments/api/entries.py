"""One player of a roster: changed, removed, gone and back; and the seeding order by hand."""

from __future__ import annotations

from django.utils import timezone
from rest_framework.request import Request
from rest_framework.response import Response

from tournaments.actions import roster as actions
from tournaments.actions import rounds
from tournaments.api.access import View, entry_for, tournament_for
from tournaments.api.bodies import EntryChangeBody, SeedsBody, WhyBody
from tournaments.api.once import if_seen
from tournaments.api.operation import IF_NONE_MATCH, IF_SEEN, operation
from tournaments.api.problems import done
from tournaments.api.shapes import EntryShape, SeedsShape
from tournaments.models import Entry


class OneEntry(View):
    """One player on the roster."""

    @operation("get_entry", "A player on the roster", answer=EntryShape, parameters=[IF_NONE_MATCH])
    def get(self, request: Request, pk: int, entry_id: int) -> Response:
        tournament, _actor = tournament_for(request, pk, "see_roster")
        return Response(EntryShape(entry_for(tournament, entry_id)).data)

    @operation(
        "change_entry",
        "Say anew what is known of a player",
        description="What is left out stays. After the start name, city and club alone can change.",
        body=EntryChangeBody,
        answer=EntryShape,
        parameters=[IF_SEEN],
    )
    def patch(self, request: Request, pk: int, entry_id: int) -> Response:
        tournament, actor = tournament_for(request, pk, "edit_roster")
        entry = entry_for(tournament, entry_id)
        body = EntryChangeBody(data=request.data)
        body.is_valid(raise_exception=True)

        def act() -> Entry:
            held = entry_for(tournament, entry.pk)
            stands = {name: getattr(held, name) for name in ("name", "city", "club", "rating")}
            facts = {**stands, "email": held.player.email, **body.validated_data}
            return done(actions.edit_entry(entry_id=entry.pk, by=actor, now=timezone.now(), **facts))

        changed = if_seen(request, of=tournament, look=lambda: _now(entry), act=act)
        return Response(EntryShape(changed).data)

    @operation(
        "remove_entry",
        "Take a player off the roster",
        description="Until the start; whoever leaves later withdraws.",
        answer=None,
        status=204,
        parameters=[IF_SEEN],
    )
    def delete(self, request: Request, pk: int, entry_id: int) -> Response:
        tournament, actor = tournament_for(request, pk, "edit_roster")
        entry = entry_for(tournament, entry_id)

        def act() -> None:
            done(actions.remove_entry(entry_id=entry.pk, by=actor, now=timezone.now()))

        if_seen(request, of=tournament, look=lambda: _now(entry), act=act)
        return Response(status=204)


def _now(entry: Entry) -> object:
    return EntryShape(Entry.objects.get(pk=entry.pk)).data


class Withdraw(View):
    """A player leaves."""

    @operation(
        "withdraw_entry",
        "A player leaves",
        description="Keeps results and place, and is not paired again. An open match stays: tell how it ended.",
        body=WhyBody,
        answer=EntryShape,
    )
    def post(self, request: Request, pk: int, entry_id: int) -> Response:
        tournament, actor = tournament_for(request, pk, "withdraw")
        entry, body = entry_for(tournament, entry_id), WhyBody(data=request.data)
        body.is_valid(raise_exception=True)
        left = rounds.withdraw_entry(entry_id=entry.pk, by=actor, now=timezone.now(), **body.validated_data)
        return Response(EntryShape(done(left, within=tournament)).data)


class Return(View):
    """A player who had left is back."""

    @operation("return_entry", "A player is back, from the next round on", body=WhyBody, answer=EntryShape)
    def post(self, request: Request, pk: int, entry_id: int) -> Response:
        tournament, actor = tournament_for(request, pk, "withdraw")
        entry, body = entry_for(tournament, entry_id), WhyBody(data=request.data)
        body.is_valid(raise_exception=True)
        back = rounds.return_entry(entry_id=entry.pk, by=actor, now=timezone.now(), **body.validated_data)
        return Response(EntryShape(done(back, within=tournament)).data)


class Seeds(View):
    """The seeding order by hand."""

    @operation(
        "set_seeds",
        "Order the roster by hand",
        description="Entries from the best down. Whoever is not named has no place any more. It counts where `seeding`"
        " is `hand`.",
        body=SeedsBody,
        answer=SeedsShape,
    )
    def put(self, request: Request, pk: int) -> Response:
        tournament, actor = tournament_for(request, pk, "edit_roster")
        body = SeedsBody(data=request.data)
        body.is_valid(raise_exception=True)
        order = body.validated_data["order"]
        done(actions.set_hand_seeds(tournament_id=tournament.pk, order=order, by=actor, now=timezone.now()))
        return Response(SeedsShape({"order": order}).data)
