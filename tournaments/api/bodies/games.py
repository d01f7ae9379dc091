"""What the API takes about play: how matches are played, moves, side decks, and positions to be tried."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext_lazy as _
from rest_framework import serializers

from matches.actions.side_decks import MOST_CARDS
from matches.engine.record import LONGEST_TEXT
from matches.engine.state import LETTERS
from matches.models import OnTimeout, Way
from tournaments.api.bodies.base import Body, InstantField, NumberField, WhyBody
from tournaments.api.bodies.events import RULESET_WORDS
from tournaments.forms.games import LONGEST_TURN, MOST_MINUTES, SHORTEST_TURN
from tournaments.models.tournament import DecksOpen

MOST_MOVES = 500  # of a position that is tried
MOST_HAND = 40
WORD = 40  # letters of a card, a position or a policy
MOVE = 200  # letters of a move: an opening with both hands is the longest
SEATS = ["a", "b"]
"""The seats of a match."""
SIDES = [*LETTERS]
"""The sides of a table, as the notation has them."""
OPENERS = [*SIDES, "auto"]
"""Who opens a set of a position; `auto` is by the rules."""


class PlayBody(Body):
    """How matches of a tournament are played; what is left out stays."""

    way = serializers.ChoiceField(choices=[str(each) for each in Way], required=False)
    turn_seconds = serializers.IntegerField(
        min_value=SHORTEST_TURN, max_value=LONGEST_TURN, required=False, allow_null=True, help_text="null: no clock."
    )
    match_seconds = serializers.IntegerField(
        min_value=60, max_value=MOST_MINUTES * 60, required=False, allow_null=True, help_text="Of each player."
    )
    on_timeout = serializers.ChoiceField(choices=[str(each) for each in OnTimeout], required=False)
    decks_due_at = InstantField(
        required=False, allow_null=True, help_text="null: until the player sits down to the match."
    )
    decks_open = serializers.ChoiceField(choices=[str(each) for each in DecksOpen], required=False)
    lends_decks = serializers.BooleanField(
        required=False, help_text="Whether the club lends a side deck to who has none."
    )


class WayBody(Body):
    """How one match is played."""

    way = serializers.ChoiceField(choices=[str(each) for each in Way])


class ReadyBody(Body):
    """A player's words, which join the deal."""

    words = serializers.CharField(required=False, allow_blank=True, default="", max_length=LONGEST_TEXT)


class AtBody(Body):
    """The position that was seen."""

    at = serializers.CharField(max_length=WORD, help_text="`position` of the table as it was seen.")


class MoveBody(AtBody):
    """A move in the words of the notation, as `moves` of the table lists them; `forfeit` is possible at any time."""

    move = serializers.CharField(max_length=MOVE)


class ConcedeBody(WhyBody):
    """Who gives up."""

    seat = serializers.ChoiceField(choices=SEATS)


class RuleBody(WhyBody):
    """Who wins the match; null lets another set be played."""

    winner = serializers.ChoiceField(choices=SEATS, allow_null=True)


class CardsBody(Body):
    """Cards by their tokens, such as `+3`, `*2` or `D`."""

    cards = serializers.ListField(child=serializers.CharField(max_length=WORD), max_length=MOST_CARDS)


class PracticeBody(Body):
    """The rules and the opponent of a game of practice."""

    ruleset = serializers.ChoiceField(choices=RULESET_WORDS)
    policy = serializers.CharField(
        max_length=WORD, help_text="`random`, `stand_at`, `stand_at:18`, `original` or `look_ahead`."
    )
    words = serializers.CharField(required=False, allow_blank=True, default="", max_length=LONGEST_TEXT)


# --- A position that is tried: the schema pazaak-scenarios/1.


class HandsBody(Body):
    """The hand cards of both sides: left out is none, null is unknown."""

    A = serializers.ListField(
        child=serializers.CharField(max_length=WORD), max_length=MOST_HAND, required=False, allow_null=True
    )
    B = serializers.ListField(
        child=serializers.CharField(max_length=WORD), max_length=MOST_HAND, required=False, allow_null=True
    )


class SetsBody(Body):
    """Sets that are won already."""

    A = serializers.IntegerField(min_value=0, max_value=100, required=False, default=0)
    B = serializers.IntegerField(min_value=0, max_value=100, required=False, default=0)


class SetupBody(Body):
    """Where it begins: the first set is open and nothing drawn."""

    first = serializers.ChoiceField(choices=OPENERS, required=False, help_text="Who opens; `auto` is by the rules.")
    hands = HandsBody(required=False)
    sets_won = SetsBody(required=False)


class PositionMoveBody(Body):
    """One entry of the moves: of a side (`p` with `draw`, `play` and `as`, `do`), the next set, or a forfeit."""

    p = serializers.ChoiceField(choices=SIDES, required=False)
    draw = NumberField(required=False)
    play = serializers.CharField(max_length=WORD, required=False)
    do = serializers.ChoiceField(choices=["end", "stand"], required=False)
    next_set = serializers.ChoiceField(choices=OPENERS, required=False)
    hands = HandsBody(required=False, help_text="With `next_set`, where the rules deal new hands.")
    forfeit = serializers.ChoiceField(choices=SIDES, required=False)
    illegal = serializers.BooleanField(required=False, help_text="Read over: whether it is refused is the answer.")

    def get_fields(self) -> dict[str, Any]:
        # `as` is a word of the language, so it cannot be declared as an attribute.
        return {**super().get_fields(), "as": NumberField(required=False)}

    def to_internal_value(self, data: Any) -> Any:
        found = super().to_internal_value(data)
        if unknown := sorted(set(data) - set(self.fields)):
            raise serializers.ValidationError({name: [_("No move has this part.")] for name in unknown[:10]})
        if not {"p", "next_set", "forfeit"} & set(found):
            raise serializers.ValidationError({"p": [self.error_messages["required"]]}, code="required")
        return found


class PositionBody(Body):
    """A position and the moves made from it, as `pazaak-scenarios/1` writes them."""

    ruleset = serializers.ChoiceField(choices=RULESET_WORDS)
    overrides = serializers.DictField(required=False, help_text="Single options that differ from the ruleset's.")
    setup = SetupBody(required=False)
    moves = serializers.ListField(child=PositionMoveBody(), max_length=MOST_MOVES)
