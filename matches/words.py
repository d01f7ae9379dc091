"""What a table says in words: whose turn it is, how a set ended, what a move does. Names come in as HTML, marked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Final

from django.utils.html import conditional_escape, format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext

from matches.engine import (
    CARD,
    Draw,
    End,
    Ending,
    Forfeit,
    Move,
    OpenSet,
    Phase,
    Play,
    Reason,
    Ruling,
    SetResult,
    Stand,
    Timeout,
    View,
)
from matches.engine.bots.base import board_after, total_of
from matches.engine.rulesets.base import FirstPlayerFirst
from matches.engine.score import GOAL

if TYPE_CHECKING:  # known to the type stubs alone
    from django.utils.functional import _StrPromise as Lazy

Names = tuple[SafeString, SafeString]
"""What both sides are called, by seat."""


def score_of(view: View, first: int = 0) -> str:
    """Sets won, the given seat first: "2:1"."""
    return f"{view.sets[first]}:{view.sets[1 - first]}"


def headline(
    view: View, names: Names, *, paused: bool = False, by_clock: bool = False, decided: bool = False
) -> SafeString:
    """The one sentence on top of a table, for whoever looks at it.

    `by_clock`: it is paused because the time of whoever is to act is over. `decided`: its match has a result from
    elsewhere.
    """
    me = view.viewer if isinstance(view.viewer, int) else None
    if view.phase is Phase.OVER:
        return match_text(view, names)
    if decided:
        return conditional_escape(_("This match is decided: the table stays as it was"))
    if paused and by_clock and view.turn is not None:
        if view.turn == me:
            return conditional_escape(_("Your time is over: the referee is called"))
        return format_html(_("The time of {name} is over: the referee is called"), name=names[view.turn])
    if paused:
        return conditional_escape(_("The referee has paused the game"))
    if view.ruling_due:
        return conditional_escape(_("Too many ties in a row: the referee decides"))
    if view.phase is Phase.BETWEEN:
        return set_text(view.results[-1], len(view.results), names, me) if view.results else conditional_escape("")
    seat = view.turn or 0
    drawn = _last_drawn(view, seat)
    if seat != me:
        return format_html(_("{name} is to play"), name=names[seat])
    total = view.sides[seat].total
    if total > GOAL:
        return format_html(_("Your turn: {card} makes {total}, too much"), card=drawn, total=total)
    return format_html(_("Your turn: you drew {card}"), card=drawn)


def _last_drawn(view: View, seat: int) -> str:
    return next((card.token for card in reversed(view.sides[seat].board) if card.token.isdigit()), "")


def match_text(view: View, names: Names) -> SafeString:
    """How the match ended, for whoever looks at it."""
    outcome = view.outcome
    if outcome is None:
        return conditional_escape("")
    winner = outcome.winner
    score = score_of(view, winner)
    if outcome.ending is Ending.FORFEIT:
        return (
            conditional_escape(_("You win: your opponent gave up"))
            if view.viewer == winner
            else format_html(_("The match goes to {name}: the other side gave up"), name=names[winner])
            if not isinstance(view.viewer, int)
            else conditional_escape(_("You lose: the match was given up"))
        )
    if outcome.ending is Ending.RULING:
        return (
            conditional_escape(_("You win: the referee gives you the match"))
            if view.viewer == winner
            else format_html(_("The referee gives the match to {name}"), name=names[winner])
        )
    if view.viewer == winner:
        return format_html(_("You win {score}"), score=score)
    if isinstance(view.viewer, int):
        return format_html(_("You lose {score}"), score=score_of(view, view.viewer))
    return format_html(_("The match goes to {name}, {score}"), name=names[winner], score=score)


def set_text(result: SetResult, number: int, names: Names, me: int | None) -> SafeString:
    """How a set ended: "Set 3 is yours: 20 to 18"."""
    if result.winner is None:
        return format_html(_("Set {n} is a tie at {total}"), n=number, total=result.totals[0])
    mine, theirs = result.totals[result.winner], result.totals[1 - result.winner]
    how = {
        Reason.TOTAL: _("{mine} to {theirs}"),
        Reason.BUST: _("a bust at {theirs}"),
        Reason.NINE: _("nine cards with {mine}"),
        Reason.TIEBREAKER: _("the tiebreaker at {mine}"),
        Reason.TIMEOUT: _("the time was over"),
    }[result.reason].format(mine=mine, theirs=theirs)
    if result.winner == me:
        return format_html(_("Set {n} is yours: {how}"), n=number, how=how)
    return format_html(_("Set {n} goes to {name}: {how}"), n=number, name=names[result.winner], how=how)


def opening_text(view: View, high_cards: tuple[tuple[int, int], ...], names: Names) -> SafeString:
    """Who opens the first set and what settled it; "" later on, and where the rules leave nothing to settle."""
    if view.opener is None or view.results or view.ruleset.first_player_first is FirstPlayerFirst.PLAYER_A:
        return conditional_escape("")
    name, mine = names[view.opener], view.opener == view.viewer
    if not high_cards:
        return format_html(_("You open, by lot") if mine else _("{name} opens, by lot"), name=name)
    low, high = sorted(high_cards[-1])
    told = _("You open: high card {high} to {low}") if mine else _("{name} opens: high card {high} to {low}")
    return format_html(told, name=name, high=high, low=low)


def state_of(view: View, seat: int) -> tuple[str, str]:
    """The state of a side: its kind for the component, and a word."""
    side = view.sides[seat]
    if view.phase is Phase.OVER:
        outcome = view.outcome
        won = outcome is not None and outcome.winner == seat
        return ("done", pgettext("a match", "Won")) if won else ("gone", pgettext("a match", "Lost"))
    if side.total > GOAL:
        return "late", _("Over 20")
    if side.stood:
        return "held", _("Stood")
    if view.turn == seat:
        return "play", _("To play")
    return "wait", _("Waits")


def move_text(view: View, move: Move) -> str:
    """What a button says: "+3 makes 20", "Stand at 17", "End turn"."""
    if isinstance(move, Play):
        return _("{card} makes {total}").format(card=declared_as(move), total=total_after(view, move))
    if isinstance(move, Stand):
        return _("Stand at {total}").format(total=view.sides[move.seat].total)
    return _("End turn")


def declared_as(move: Play) -> str:
    """What a hand card is played as: "+3", "−3", or its own name."""
    if move.value is None:
        return CARD[move.token].token
    return f"{move.value:+d}".replace("-", "−")


def face_of(token: str) -> str:
    """What stands on a hand card: "+3", "−3", "±3", "2&4"."""
    short = {"V12": "±1/2", "T1": "±1T", "F24": "2&4", "F36": "3&6"}
    return short.get(token, token.replace("*", "±").replace("-", "−"))


def total_after(view: View, move: Play) -> int:
    """What the side counts right after this play. Flips that turn the other side too leave that side out."""
    return total_of(board_after(view, move))


def step_text(move: Move, after: View, names: Names) -> SafeString:
    """What a move of a record was: "Atton draws 7", "Atton plays +3, makes 20". Names come by seat."""
    if isinstance(move, OpenSet):
        return format_html(_("{name} opens"), name=names[after.opener or 0])
    if isinstance(move, Ruling):
        if move.winner is None:
            return conditional_escape(_("The referee lets another set be played"))
        return format_html(_("The referee gives the match to {name}"), name=names[move.winner])
    side, name = after.sides[move.seat], names[move.seat]
    if isinstance(move, Draw):
        return format_html(_("{name} draws {card}, makes {total}"), name=name, card=move.value, total=side.total)
    if isinstance(move, Play):
        return format_html(_("{name} plays {card}, makes {total}"), name=name, card=declared_as(move), total=side.total)
    told = {
        Stand: _("{name} stands at {total}"),
        End: _("{name} ends the turn at {total}"),
        Timeout: _("The time of {name} is over"),
        Forfeit: _("{name} gives up"),
    }[type(move)]
    return format_html(told, name=name, total=side.total)


def why_text(code: str, chances: Sequence[tuple[Move, int]]) -> str:
    """Why a policy chose as it did."""
    text = str(_WHY[code])
    if not chances:
        return text
    shares = ", ".join(
        _("{move} {share} %").format(move=_short(move), share=round(chance / 10_000)) for move, chance in chances[:4]
    )
    return f"{text} {shares}"


def _short(move: Move) -> str:
    if isinstance(move, Play):
        return declared_as(move)
    return _("stand") if isinstance(move, Stand) else _("end turn")


POLICIES: Final[Mapping[str, tuple[Lazy, Lazy]]] = {
    "random": (gettext_lazy("Gizka"), gettext_lazy("makes any move that is allowed, by lot")),
    "stand_at": (gettext_lazy("The careful one"), gettext_lazy("stands at 17 and plays no hand card")),
    "original": (gettext_lazy("The old hand"), gettext_lazy("plays as the opponent of the first video game")),
    "look_ahead": (gettext_lazy("The counter"), gettext_lazy("weighs every chance there is")),
}
"""What the policies are called and how they play, the easiest first."""


def coach_text(view: View) -> str:
    """The rule that matters at this moment of somebody's first game."""
    seat = view.viewer if isinstance(view.viewer, int) else 0
    mine, theirs = view.sides[seat], view.sides[1 - seat]
    if view.phase is Phase.OVER:
        return _("Three sets win the match. That was all: you know the game now.")
    if view.phase is Phase.BETWEEN:
        return _("A set is over. The main deck is shuffled anew, but hand cards that were played are gone.")
    if mine.total > GOAL:
        return _("Over 20 loses the set when the turn ends. A minus card from your hand can bring you back.")
    if len(mine.board) <= 1 and not view.results:
        return _("Come closer to 20 than the other side, but not over it. A card comes by itself in each turn.")
    if len(mine.board) == 2 and not view.results and not mine.spent:  # the second turn
        return _("Once a turn you may play a hand card: tap it, then what it makes. The four last for the whole match.")
    if theirs.stood:
        return _("The other side has stood and draws no more. You go on alone until you stand or go over 20.")
    if mine.total > GOAL - 10:
        return _("The next card could take you over 20. Standing keeps your total; then you draw no more in this set.")
    return _("No card can take you over 20 yet. End the turn, and another one comes next time.")


_WHY: Final[Mapping[str, Lazy]] = {
    "best_chance": gettext_lazy("This wins the match most often. Chances to win:"),
    "behind_stood": gettext_lazy("The other side stands higher: going on is all there is."),
    "room_left": gettext_lazy("There is room for another card, or a hand card to repair a bust."),
    "enough": gettext_lazy("The total is good enough: another card would be too risky."),
    "ahead_of_stood": gettext_lazy("The other side stands lower, so standing wins the set."),
    "good_total": gettext_lazy("This hand card makes a total worth standing at."),
    "set_given_up": gettext_lazy("No hand card would win this set: they are kept for the next one."),
    "repair": gettext_lazy("Over 20, a hand card has to bring the total back."),
    "by_lot": gettext_lazy("It plays by lot."),
    "limit_reached": gettext_lazy("It has reached the total it stands at."),
    "below_limit": gettext_lazy("It has not reached the total it stands at."),
}


REFUSALS: Final[Mapping[str, Lazy]] = {
    # the game and its state
    "game_unknown": gettext_lazy("There is no such game here."),
    "match_decided": gettext_lazy("This match has its result already, so nobody moves any more."),
    "wrong_way": gettext_lazy("This match is not played that way, or nobody has opened it yet. Look again."),
    "draws_from_outside": gettext_lazy("Under these rules the cards come from a real deck: play it at a table."),
    "game_begun": gettext_lazy("Cards lie on this table already, so how it is played stays as it is."),
    "ruleset_unknown": gettext_lazy("There are no such rules here."),
    "practice_full": gettext_lazy("Too many games of practice are open here. Try again in an hour."),
    "policy_unknown": gettext_lazy("There is no such opponent here."),
    "not_ready": gettext_lazy("Not both players are ready yet."),
    "words_too_long": gettext_lazy("These words cannot be kept: %(most)s letters and signs are the most."),
    "paused": gettext_lazy("The referee has paused the game. It goes on when they say so."),
    "ruling_due": gettext_lazy("Too many ties in a row: the referee decides how it goes on."),
    "ruling_not_due": gettext_lazy("There is nothing to decide: the players can go on."),
    "not_over": gettext_lazy("The match is not over yet."),
    "nothing_to_undo": gettext_lazy("There is nothing left to take back."),
    # moves
    "position_moved": gettext_lazy("The table has moved on since then. Look at it as it is now."),
    "move_unreadable": gettext_lazy("This is no move."),
    "unknown_move": gettext_lazy("This is no move."),
    "must_draw_first": gettext_lazy("A card has to be drawn first."),
    "already_drawn": gettext_lazy("The card of this turn is drawn already."),
    "not_your_turn": gettext_lazy("It is the other side’s turn."),
    "already_stood": gettext_lazy("This side has stood: it does nothing more in this set."),
    "set_open": gettext_lazy("This set is still being played."),
    "set_over": gettext_lazy("This set is over. Open the next one."),
    "match_over": gettext_lazy("The match is over."),
    "hand_card_limit": gettext_lazy("No more hand cards can be played in this turn."),
    "bad_value": gettext_lazy("This card cannot be played as that."),
    "bad_draw": gettext_lazy("A drawn card is a number from 1 to 10."),
    "bad_opener": gettext_lazy("Only one of the two sides can open a set."),
    "bad_seat": gettext_lazy("Only one of the two sides can do that."),
    "bad_winner": gettext_lazy("Only one of the two sides can win."),
    "opener_by_lot": gettext_lazy("Say who opens this set: the rules leave it to a lot."),
    "hands_due": gettext_lazy("New hands are dealt with this set."),
    "hands_not_due": gettext_lazy("No new hands are dealt with this set."),
    # cards
    "card_not_in_deck": gettext_lazy("No such card is left in the main deck."),
    "card_not_in_hand": gettext_lazy("This card is not in the hand."),
    "card_not_in_side_deck": gettext_lazy("This card is not in the side deck."),
    "card_not_allowed": gettext_lazy("These rules do not let this card in."),
    "unknown_card": gettext_lazy("There is no such card."),
    "bad_hand_size": gettext_lazy("A hand of so many cards cannot be."),
    # side decks
    "bad_size": gettext_lazy("A side deck here has at least %(least)s cards and at most %(most)s."),
    "too_many_copies": gettext_lazy("Too many cards %(card)s in the side deck: the most is %(most)s."),
    "too_many_cards": gettext_lazy("A side deck of more than %(most)s cards cannot be kept."),
}
"""A sentence for each code the actions of games and the rules refuse with; `%` takes its parameters."""
