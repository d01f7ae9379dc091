"""What the template of a table shows: two sides, the viewer's own hand, and every move they may make in words."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from matches.engine import CARD, End, Play, Stand, View
from matches.engine.notation import word_of
from matches.queries.games import GameView
from matches.words import headline, move_text, opening_text, score_of, set_text, state_of
from players.words import person


@dataclass(frozen=True, slots=True)
class Act:
    """A move as a button: what is sent, what it says, and the key that presses it ("" for none)."""

    move: str
    text: str
    key: str = ""
    is_best: bool = False


@dataclass(frozen=True, slots=True)
class HandCard:
    """A card of the viewer's own hand, and the ways to play it now; `gone`: it was played."""

    token: str
    key: str
    acts: tuple[Act, ...]
    gone: bool = False


@dataclass(frozen=True, slots=True)
class Table:
    """A game for one viewer, for `matches/_table.html`.

    `boards` are for `_components/board.html`, the viewer's own side first. `hand` is None for who has none. `acts` are
    what the viewer may do besides playing a card. `sets` are the sets that are over, the newest first. `opening` says
    who opened the match, as long as its first set lasts, and `turned` are the cards both turned for it, in the order of
    `boards`, where cards settled it.
    """

    game: GameView
    headline: SafeString
    score: str
    boards: tuple[dict[str, Any], ...]
    hand: tuple[HandCard, ...] | None
    acts: tuple[Act, ...]
    sets: tuple[SafeString, ...]
    opening: SafeString
    turned: tuple[str, ...] = ()

    @property
    def position(self) -> str:
        return self.game.position

    @property
    def runs_out_at(self) -> datetime | None:
        return self.game.runs_out_at

    @property
    def my_turn(self) -> bool:
        """Whether the viewer is to choose now."""
        return self.game.to_act is not None and self.game.to_act == self.game.viewer


def table_of(game: GameView, called: tuple[object, object]) -> Table:
    """The table in words. `called` are the two names by seat, as their reader may see them, not escaped yet."""
    view = game.table
    names = (person(called[0]), person(called[1]))
    me = view.viewer if isinstance(view.viewer, int) else None
    order = (0, 1) if me in (None, 0) else (1, 0)
    stopped = game.is_stopped and not game.is_over
    match = game.game.match
    decided = match is not None and not match.is_open
    return Table(
        game,
        headline(
            view,
            names,
            paused=game.game.paused_at is not None,
            by_clock=game.game.paused_at == game.game.called_at,
            decided=decided,
        ),
        score_of(view, order[0]),
        tuple(
            side_context(view, seat, _("You") if seat == me else called[seat], begun=game.has_begun) for seat in order
        ),
        None if me is None else _hand(game, me, may_act=not stopped),
        () if me is None or stopped else _acts(game, me),
        tuple(set_text(result, number, names, me) for number, result in reversed([*enumerate(view.results, start=1)])),
        (opening := opening_text(view, game.high_cards, names) if game.deal else SafeString("")),
        tuple(str(game.high_cards[-1][seat]) for seat in order) if opening and game.high_cards else (),
    )


def side_context(view: View, seat: int, name: object, *, begun: bool) -> dict[str, Any]:
    """One side for `_components/board.html`."""
    side = view.sides[seat]
    kind, word = state_of(view, seat)
    return {
        "seat": seat,
        "name": name,
        "total": side.total,
        "won": view.sets[seat],
        "needed": view.ruleset.sets_to_win,
        "state": kind,
        "state_text": word,
        "cards": [{"token": card.token, "played": _played_as(card.token, card.value)} for card in side.board],
        "hand": side.cards if begun else None,
        "hand_backs": range(side.cards),
    }


def _played_as(token: str, value: int) -> str:
    """What a card counts as, where its face does not say so."""
    card = CARD[token]
    if card.values == (value,):
        return ""
    return f"{value:+d}".replace("-", "−") if card.values else f"{value}".replace("-", "−")


def _hand(game: GameView, me: int, *, may_act: bool) -> tuple[HandCard, ...]:
    view = game.table
    side = view.sides[me]
    plays = [move for move in view.moves if isinstance(move, Play)] if may_act else []
    cards = [
        HandCard(
            token,
            str(number),
            tuple(Act(word_of(move), move_text(view, move)) for move in plays if move.token == token),
        )
        for number, token in enumerate(side.hand or (), start=1)
    ]
    return (*cards, *(HandCard(token, "", (), gone=True) for token in side.spent))


def _acts(game: GameView, me: int) -> tuple[Act, ...]:
    view = game.table
    keys = {End: "e", Stand: "s"}
    return tuple(
        Act(word_of(move), move_text(view, move), keys[type(move)]) for move in view.moves if type(move) in keys
    )
