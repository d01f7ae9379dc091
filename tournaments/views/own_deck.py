"""A player's side deck, behind their private link: built card by card from the rules' cards or from those they own."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST, require_safe

from matches.engine import CARDS, CLUB_DECK, Hand, check_side_deck, get_ruleset, is_admitted
from players.permissions import Actor, Refused
from tournaments.actions.games import change_own_deck, save_collection
from tournaments.models import Entry
from tournaments.permissions import entry_token, may
from tournaments.queries.games import collection_of, decks_are_sealed, side_deck_of
from tournaments.views.access import for_player
from tournaments.words.refusals import refusal_text

MOST_OF_A_CARD = 9


@dataclass(frozen=True, slots=True)
class Choice:
    """A card one may take: how many are chosen and how many more may be. `owned` is None where nobody counts them."""

    token: str
    chosen: int
    owned: int | None
    can_add: bool


@require_safe
@for_player
def own_deck(request: HttpRequest, entry: Entry, actor: Actor) -> HttpResponseBase:
    """The side deck as it is, what is wrong with it, and the cards to build it from."""
    _check(entry, actor)
    return _page(request, entry)


# --- Without a token of the session: the secret path is the whole authority, and a foreign page does not know it.


@csrf_exempt
@require_POST
@for_player
def own_deck_change(request: HttpRequest, entry: Entry, actor: Actor) -> HttpResponseBase:
    """One card more or less, all of them out, or the club's ten; saved at once, for nobody else to see."""
    _check(entry, actor)

    def change(before: Hand) -> Sequence[str]:
        return _changed(list(before), request.POST)

    return _answer(request, entry, change_own_deck(entry=entry, change=change, by=actor, now=timezone.now()))


@csrf_exempt
@require_POST
@for_player
def own_collection(request: HttpRequest, entry: Entry, actor: Actor) -> HttpResponseBase:
    """How many of each card the player owns."""
    _check(entry, actor)
    cards: list[str] = []
    for card in CARDS:
        said = request.POST.get(f"own:{card.token}", "")
        number = int(said) if said.isascii() and said.isdigit() and len(said) < 3 else 0
        cards += [card.token] * min(number, MOST_OF_A_CARD)
    return _answer(request, entry, save_collection(entry=entry, cards=cards, by=actor, now=timezone.now()))


def _changed(cards: list[str], said: Any) -> Sequence[str]:
    if "club" in said:
        return CLUB_DECK
    if "clear" in said:
        return ()
    if (token := said.get("remove")) in cards:
        cards.remove(token)
    elif token := said.get("add"):
        cards.append(token)
    return cards


def _check(entry: Entry, actor: Actor) -> None:
    if not may(actor, "play_own", event=entry.tournament.event_id, tournament=entry.tournament_id):
        raise Http404


def _answer(request: HttpRequest, entry: Entry, outcome: object) -> HttpResponse:
    """Back to the page; to a script the region with what was refused."""
    refused = refusal_text(outcome) if isinstance(outcome, Refused) else ""
    if "part" in request.GET:
        return _page(request, entry, refused=refused)
    if refused:
        messages.error(request, refused)
    return redirect("own_deck", entry_token(entry))


def _page(request: HttpRequest, entry: Entry, *, refused: str = "") -> HttpResponse:
    tournament = entry.tournament
    ruleset = get_ruleset(tournament.ruleset)
    cards = side_deck_of(entry=entry) or ()
    wrong = check_side_deck(ruleset, cards)
    owned = collection_of(entry=entry)
    sealed = decks_are_sealed(tournament=tournament, now=timezone.now())
    admitted = [card.token for card in CARDS if is_admitted(ruleset, card.token)]
    context = {
        "entry": entry,
        "tournament": tournament,
        "event": tournament.event,
        "token": entry_token(entry),
        "cards": cards,
        "places": range(max(0, ruleset.side_deck_size - len(cards))),
        "most": ruleset.side_deck_size,
        "missing": ruleset.side_deck_min - len(cards),
        "hand_size": ruleset.hand_size,
        "removed": ruleset.side_deck_size - ruleset.hand_size,
        "per_set": ruleset.hand_deal == "per_set",
        "wrong": refusal_text(Refused(wrong.code, dict(wrong.params))) if wrong is not None and cards else "",
        "fits": wrong is None,
        "sealed": sealed,
        "refused": refused,
        "choices": _choices(admitted, cards, owned, ruleset.side_deck_size, ruleset.side_deck_copies_limit),
        "owned": [(card.token, Counter(owned)[card.token]) for card in CARDS],
        "has_collection": bool(owned),
        "most_of_a_card": MOST_OF_A_CARD,
        "demo": tournament.event.is_demo,
    }
    template = "tournaments/player/_deck.html" if "part" in request.GET else "tournaments/player/deck.html"
    response = render(request, template, context)
    response["Cache-Control"] = "private, no-store"
    return response


def _choices(admitted: Sequence[str], cards: Hand, owned: Hand, most: int, copies: int | None) -> list[Choice]:
    """Every card the rules admit, those the player owns only where they said so."""
    chosen, have = Counter(cards), Counter(owned)
    found: list[Choice] = []
    for token in admitted:
        limits = [limit for limit in (copies, have[token] if owned else None) if limit is not None]
        can_add = len(cards) < most and all(chosen[token] < limit for limit in limits)
        found.append(Choice(token, chosen[token], have[token] if owned else None, can_add))
    return found
