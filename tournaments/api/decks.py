"""A player's side deck and the cards they own, by their own link: nobody else's to see."""

from __future__ import annotations

from typing import Any

from django.utils import timezone
from rest_framework.request import Request
from rest_framework.response import Response

from matches.engine import check_side_deck, get_ruleset
from players.permissions import Refused
from tournaments.actions.games import save_collection, save_own_deck
from tournaments.api.access import View, own_entry
from tournaments.api.bodies import CardsBody
from tournaments.api.operation import operation
from tournaments.api.problems import done
from tournaments.api.shapes import CollectionShape, SideDeckShape
from tournaments.models import Entry
from tournaments.queries.games import collection_of, deck_to_play, decks_are_sealed, side_deck_of
from tournaments.words.refusals import refusal_text


class OwnSideDeck(View):
    """The side deck a player brings to the tournament."""

    @operation("get_own_side_deck", "Your side deck, and what is wrong with it", answer=SideDeckShape)
    def get(self, request: Request) -> Response:
        entry, _actor = own_entry(request, "play_own")
        return Response(_answer(entry))

    @operation(
        "save_own_side_deck",
        "Save your side deck, finished or not",
        description="Refused once the tournament has sealed them. Games you sat down to keep the one you brought.",
        body=CardsBody,
        answer=SideDeckShape,
    )
    def put(self, request: Request) -> Response:
        entry, actor = own_entry(request, "play_own")
        body = CardsBody(data=request.data)
        body.is_valid(raise_exception=True)
        done(save_own_deck(entry=entry, cards=body.validated_data["cards"], by=actor, now=timezone.now()))
        return Response(_answer(entry))


class OwnCollection(View):
    """The cards a player owns."""

    @operation("get_own_collection", "The cards you own", answer=CollectionShape)
    def get(self, request: Request) -> Response:
        entry, _actor = own_entry(request, "play_own")
        return Response(CollectionShape({"cards": collection_of(entry=entry)}).data)

    @operation("save_own_collection", "Say which cards you own", body=CardsBody, answer=CollectionShape)
    def put(self, request: Request) -> Response:
        entry, actor = own_entry(request, "play_own")
        body = CardsBody(data=request.data)
        body.is_valid(raise_exception=True)
        done(save_collection(entry=entry, cards=body.validated_data["cards"], by=actor, now=timezone.now()))
        return Response(CollectionShape({"cards": collection_of(entry=entry)}).data)


def _answer(entry: Entry) -> dict[str, Any]:
    tournament = entry.tournament
    ruleset = get_ruleset(tournament.ruleset)
    cards, played = side_deck_of(entry=entry), deck_to_play(entry=entry)
    wrong = None if cards is None else check_side_deck(ruleset, cards)
    told = None if wrong is None else Refused(wrong.code, dict(wrong.params))
    row: dict[str, Any] = SideDeckShape(
        {
            "cards": cards or (),
            "wrong": told and {"code": told.code, "params": told.params, "text": refusal_text(told)},
            "plays": "none" if played is None else "own" if cards is not None and wrong is None else "club",
            "is_sealed": decks_are_sealed(tournament=tournament, now=timezone.now()),
            "due_at": tournament.decks_due_at,
            "least": ruleset.side_deck_min,
            "most": ruleset.side_deck_size,
            "hand_size": ruleset.hand_size,
        }
    ).data
    return row
