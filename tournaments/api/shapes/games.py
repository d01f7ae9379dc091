"""Games as the API tells them: the table as its reader may know it, records, side decks, practice, positions."""

from __future__ import annotations

from rest_framework import serializers

from tournaments.api.shapes.base import NamedShape, Shape


class PlayShape(Shape):
    """How matches of a tournament are played."""

    way = serializers.CharField(help_text="paper, console, here.")
    turn_seconds = serializers.IntegerField(allow_null=True)
    match_seconds = serializers.IntegerField(allow_null=True, help_text="Of each player.")
    on_timeout = serializers.CharField(help_text="stand, lose_set, call.")
    decks_due_at = serializers.DateTimeField(allow_null=True)
    decks_open = serializers.CharField(help_text="When all may see side decks and hands: match, event.")
    lends_decks = serializers.BooleanField()


class PlacedShape(Shape):
    """A card that lies on a side, and what it counts now."""

    card = serializers.CharField()
    counts = serializers.IntegerField()


class SideShape(Shape):
    """One side of the table. `hand` and `side_deck` are null for who may not see them."""

    seat = serializers.CharField(help_text="a or b.")
    total = serializers.IntegerField()
    stood = serializers.BooleanField()
    sets = serializers.IntegerField(help_text="Sets won.")
    board = PlacedShape(many=True)
    cards = serializers.IntegerField(help_text="Hand cards left.")
    spent = serializers.ListField(child=serializers.CharField(), help_text="Hand cards played.")
    hand = serializers.ListField(child=serializers.CharField(), allow_null=True)
    side_deck = serializers.ListField(child=serializers.CharField(), allow_null=True)


class PossibleShape(Shape):
    """A move that can be sent as it stands here, and the total it makes."""

    move = serializers.CharField()
    makes = serializers.IntegerField(allow_null=True)


class PlayedSetShape(Shape):
    """A set that is over."""

    winner = serializers.CharField(allow_null=True, help_text="a, b; null is a tie.")
    reason = serializers.CharField()
    totals = serializers.ListField(child=serializers.IntegerField(), min_length=2, max_length=2)


class OutcomeShape(Shape):
    """How the match ended."""

    winner = serializers.CharField(help_text="a or b.")
    ending = serializers.CharField()


class DealShape(Shape):
    """What the draws follow from: the seed is told once the match is over."""

    commitment = serializers.CharField()
    words = serializers.ListField(child=serializers.CharField(), min_length=2, max_length=2)
    seed = serializers.CharField(allow_null=True)


class GameClockShape(Shape):
    """The clocks, kept by the server."""

    turn_seconds = serializers.IntegerField(allow_null=True)
    match_seconds = serializers.IntegerField(allow_null=True)
    on_timeout = serializers.CharField()
    spent = serializers.ListField(child=serializers.IntegerField(), help_text="Milliseconds, by side.")
    runs_out_at = serializers.DateTimeField(allow_null=True)


class StepShape(Shape):
    """A position of a game that is over."""

    at = serializers.IntegerField(help_text="Moves before it.")
    last = serializers.IntegerField(help_text="Moves of the whole game.")
    made = serializers.CharField(allow_null=True, help_text="The move that led here, as the record writes it.")


class TableShape(Shape):
    """A table as its reader may know it."""

    state = serializers.CharField(
        help_text="unopened, ready (sealed, the players are not ready), open, between (sets), ruling (a referee"
        " decides), over."
    )
    viewer = serializers.CharField(help_text="a, b, referee, spectator.")
    topic = serializers.CharField(allow_null=True, help_text="What `/live/?topic=` tells of its changes.")
    position = serializers.CharField(allow_null=True, help_text="What a move says as `at`.")
    ruleset = serializers.CharField()
    ready = serializers.ListField(child=serializers.BooleanField(), min_length=2, max_length=2)
    is_paused = serializers.BooleanField()
    is_called = serializers.BooleanField(help_text="Whether a referee was called.")
    turn = serializers.CharField(allow_null=True, help_text="a, b.")
    opener = serializers.CharField(allow_null=True)
    next_opener = serializers.CharField(allow_null=True)
    high_cards = serializers.ListField(
        child=serializers.ListField(child=serializers.IntegerField()), help_text="What settled who opens the match."
    )
    sides = SideShape(many=True)
    moves = PossibleShape(many=True, help_text="What the reader may do now.")
    sets = PlayedSetShape(many=True)
    outcome = OutcomeShape(allow_null=True)
    deal = DealShape(allow_null=True)
    clock = GameClockShape(allow_null=True)
    step = StepShape(allow_null=True, help_text="Where `at` asked for a position of a game that is over.")


class GameShape(TableShape):
    """The table of a match. Its ETag changes with every change of the game."""

    match = serializers.IntegerField()
    way = serializers.CharField(help_text="paper, console, here.")
    a = NamedShape()
    b = NamedShape()


class PracticeShape(TableShape):
    """A game of practice; you are a. `token` opens it, for whoever has it."""

    token = serializers.CharField()
    url = serializers.CharField()
    policy = serializers.CharField()


class RecordShape(Shape):
    """A record in the notation, with what everybody may see in it."""

    text = serializers.CharField()
    moves = serializers.IntegerField()
    is_over = serializers.BooleanField()
    is_whole = serializers.BooleanField(help_text="Whether hands and side decks are in it.")


class DeckWrongShape(Shape):
    """Why the rules do not take a side deck."""

    code = serializers.CharField()
    params = serializers.DictField()
    text = serializers.CharField()


class SideDeckShape(Shape):
    """The side deck a player chose, which nobody else sees."""

    cards = serializers.ListField(child=serializers.CharField())
    wrong = DeckWrongShape(allow_null=True)
    plays = serializers.CharField(help_text="What the player would sit down with: own, club, none.")
    is_sealed = serializers.BooleanField(help_text="Whether the time to change it is over.")
    due_at = serializers.DateTimeField(allow_null=True)
    least = serializers.IntegerField()
    most = serializers.IntegerField()
    hand_size = serializers.IntegerField()


class CollectionShape(Shape):
    """The cards a player owns."""

    cards = serializers.ListField(child=serializers.CharField())


class RefusedMoveShape(Shape):
    """An entry of the moves that was refused and changed nothing."""

    move = serializers.IntegerField(help_text="Its place, from 0.")
    code = serializers.CharField()


class PositionTableShape(Shape):
    """What is on the table after the last entry, by side A and B, in the words of `pazaak-scenarios/1`."""

    set_winner = serializers.CharField(allow_null=True, help_text="A, B, tie; null while the set is open.")
    reason = serializers.CharField(allow_null=True)
    totals = serializers.DictField(child=serializers.IntegerField())
    boards = serializers.DictField(child=serializers.ListField(child=serializers.IntegerField()))
    stood = serializers.DictField(child=serializers.BooleanField())
    sets_won = serializers.DictField(child=serializers.IntegerField())
    match_winner = serializers.CharField(allow_null=True)
    hands = serializers.DictField(child=serializers.ListField(child=serializers.CharField()))
    turn = serializers.CharField(allow_null=True)
    next_first = serializers.CharField(allow_null=True)
    main_deck_left = serializers.JSONField(help_text="A number, one by side, or null for an endless deck.")
    illegal_code = serializers.CharField(allow_null=True, help_text="Of the last entry that was refused.")


class PositionShape(Shape):
    """A position that was tried."""

    table = PositionTableShape()
    refused = RefusedMoveShape(many=True)
