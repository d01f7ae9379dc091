"""Pages everybody may open, without an account and without JavaScript."""

from __future__ import annotations

import hmac
from collections.abc import Collection, Mapping
from functools import cached_property
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import get_object_or_404, render
from django.utils import timezone
from django.utils.cache import patch_vary_headers
from django.views.decorators.http import require_safe

from players import views as people
from players.models import Account
from players.permissions import Role
from players.words import person
from tournaments.exporters import DOCUMENT_EXPORTERS
from tournaments.live import topic_of
from tournaments.models import Event
from tournaments.permissions import first_organiser_token
from tournaments.queries.games import matches_with_games
from tournaments.queries.public import EVENT_FACTS, PublicStage, calendar, event_stages, glance_at, public_stage_of
from tournaments.queries.registration import Registration, registration_of, window_of
from tournaments.queries.rounds import RoundRow
from tournaments.queries.stages import seats_by_name
from tournaments.views import showing
from tournaments.views.access import actor_in
from tournaments.views.clocks import round_clock
from tournaments.views.coming import wall_queue, wall_round
from tournaments.views.headline import headline_of, podium, standings_title
from tournaments.views.live import LivePage, Region, answer_live
from tournaments.views.watching import Wall
from tournaments.words.reasons import round_name

_FOLDS = 10  # rounds on a tournament's page; the others are a link away
_PLAYING = 6  # matches beside the leading one
_LONGEST_NAME = 120
_TABLES = 6  # games on a hall screen that shows nothing else
_TABLES_BESIDE = 3  # and beside everybody's table, as long as there are no more names than
_NAMES_BESIDE = 39
_SCREENS = (24, 39, 60, 100, 150, 210)  # names on a hall screen; each has its own columns and letters


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """The events: what is on, what comes, what was."""
    response = render(request, "tournaments/public/home.html", {"calendar": calendar(now=timezone.now())})
    signed_in = request.user.is_authenticated
    response["Cache-Control"] = "private, no-store" if signed_in else "public, max-age=0, must-revalidate"
    patch_vary_headers(response, ["Cookie", "Accept-Language"])
    return response


@require_safe
def event(request: HttpRequest, pk: int) -> HttpResponse:
    """An event: its tournaments, and where each of them stands."""
    found = get_object_or_404(Event, pk=pk)
    stages = event_stages(event=found)
    now = timezone.now()
    registrations = [registration_of(tournament=each.tournament, now=now) for each in stages]
    page = LivePage(
        path=request.path,
        topics=tuple(topic_of(each.tournament.pk) for each in stages),
        version="-".join(f"{each.tournament.pk}.{each.version}" for each in stages) or "0",
        facts=(*_event_facts(found), *(each.window for each in registrations)),
    )

    def tournaments() -> dict[str, Any]:
        shown = [(each, headline_of(each), open_to) for each, open_to in zip(stages, registrations, strict=True)]
        return {"event": found, "stages": shown}

    return answer_live(
        request,
        page,
        template="tournaments/public/event.html",
        regions={"tournaments": tournaments},
        context={"event": found, "demo": found.is_demo, "is_organiser": _is_organiser(request, found)},
    )


@require_safe
def tournament(request: HttpRequest, pk: int) -> HttpResponse:
    """One tournament: its state, what is being played, the standings with a reason for each place, the rounds."""
    asked = request.GET.get("q", "").strip()[:_LONGEST_NAME]
    page = _Page(request, pk, query={"q": asked} if asked else {}, kept=not asked)
    found = page.public.find(asked) if asked else []
    marked = {each.entry.pk for each in found}
    regions = {
        "state": page.state,
        "now": lambda: page.now(marked),
        "standings": lambda: page.standings(marked),
        "rounds": page.rounds,
    }
    return page.answer("tournament", regions, {"asked": asked, "found": found})


@require_safe
def standings(request: HttpRequest, pk: int) -> HttpResponse:
    """The standings alone, with everybody against everybody where all meet."""
    page = _Page(request, pk)

    def full() -> dict[str, Any]:
        return {**page.standings(), "cross": showing.crosstable(page.public)}

    documents = [each for each in DOCUMENT_EXPORTERS if each.takes(page.format.key)]
    return page.answer("standings", {"standings": full}, {"documents": documents})


@require_safe
def pairings(request: HttpRequest, pk: int) -> HttpResponse:
    """Who meets whom in a round, by table or by name."""
    asked, by = request.GET.get("round", ""), "name" if request.GET.get("by") == "name" else "table"
    page = _Page(request, pk, query={"by": by, **({"round": asked} if asked else {})})

    def shown() -> dict[str, Any]:
        round_ = page.round(asked)
        return {
            **page.facts,
            "part": showing.round_part(page.public, round_) if round_ else None,
            "clock": round_clock(page.public, round_),
            "by": by,
            "asked": asked,
            "seats": seats_by_name(round_=round_) if round_ and by == "name" else [],
            "rounds": page.round_links(round_),
            "with_games": page.with_games,
            "names": page.public.entries,
        }

    return page.answer("pairings", {"pairings": shown}, {})


@require_safe
def bracket(request: HttpRequest, pk: int) -> HttpResponse:
    """The bracket: a tree on a desktop, a round at a time on a phone, and as plain lists."""
    as_list = request.GET.get("view") == "list"
    page = _Page(request, pk, query={"view": "list"} if as_list else {})
    if not page.format.has_bracket:
        raise Http404

    def tree() -> dict[str, Any]:
        return {**page.facts, "bracket": showing.bracket(page.public, page.with_games), "as_list": as_list}

    return page.answer("bracket", {"state": page.state, "tree": tree}, {})


@require_safe
def hall(request: HttpRequest, pk: int) -> HttpResponse:
    """The screen on the wall, readable from ten metres: everybody's table and the open games beside them.

    Where matches come from the queue: who is called, who plays, who is next. With `?show=tables` the games alone, with
    `?show=standings` the standings.
    """
    show = request.GET.get("show", "")
    shows_standings = show == "standings"
    wall = Wall(pk, most=_TABLES if show == "tables" else 0 if shows_standings else _TABLES_BESIDE)
    page = _Page(request, pk, query={"show": show} if show in ("standings", "tables") else {}, wall=wall)

    def screen() -> dict[str, Any]:
        if shows_standings:
            return {
                **page.facts,
                "headline": headline_of(page.public),
                "title": standings_title(page.public),
                "places": showing.wall(page.public),
                "clock": round_clock(page.public, page.public.shown_round),
                "size": _screen_size(len(page.public.table.rows)),
            }
        round_ = page.public.shown_round
        now = timezone.now()
        queue = wall_queue(page.public, now=now) if show != "tables" else None
        seats = seats_by_name(round_=round_) if round_ and show != "tables" and not (queue and queue.alone) else []
        return {
            **page.facts,
            "queue": queue,
            "begins": wall_round(page.public, now=now),
            "headline": headline_of(page.public),
            "seats": seats,
            "podium": podium(page.public),
            "part": showing.round_part(page.public, round_) if round_ else None,
            "clock": round_clock(page.public, round_),
            "size": _screen_size(len(seats)),
            "tables": wall.tables if len(seats) <= _NAMES_BESIDE and not (queue and queue.is_shown) else [],
        }

    return page.answer("hall", {"screen": screen}, {})


def _screen_size(names: int) -> int:
    return next((size for size in _SCREENS if names <= size), _SCREENS[-1])


def welcome(request: HttpRequest, token: str) -> HttpResponseBase:
    """Where the first organiser makes their account, by the link of the first start; gone as soon as there is one.

    The demo's account is not the first: it goes with the demo, and somebody has to be able to come after it.
    """
    is_genuine = hmac.compare_digest(token.encode(), first_organiser_token().encode())
    if not is_genuine or Account.objects.filter(is_first=True).exists():
        raise Http404
    return people.welcome(request)


class _Page:
    """What the pages of one tournament have in common."""

    def __init__(
        self,
        request: HttpRequest,
        pk: int,
        *,
        query: Mapping[str, str] | None = None,
        kept: bool = True,
        wall: Wall | None = None,
    ) -> None:
        glance = glance_at(tournament_id=pk)
        if glance is None:
            raise Http404
        self.request, self._pk, self._now = request, pk, timezone.now()
        self.format = glance.format
        self.live = LivePage(
            path=request.path,
            topics=(topic_of(pk), *(wall.topics if wall else ())),
            version=glance.version,
            query=query or {},
            facts=(*glance.event, window_of(tournament=glance, now=self._now), *(wall.facts if wall else ())),
            kept=kept,
        )

    @cached_property
    def public(self) -> PublicStage:
        """What is shown: as new as the version or newer, and read only where somebody does not have it yet."""
        found = public_stage_of(tournament_id=self._pk)
        if found is None:  # removed a moment ago
            raise Http404
        return found

    @cached_property
    def with_games(self) -> frozenset[int]:
        """Matches that can be watched or looked at again."""
        return matches_with_games(tournament_id=self._pk)

    @cached_property
    def registration(self) -> Registration:
        return registration_of(tournament=self.public.tournament, now=self._now)

    @property
    def facts(self) -> dict[str, Any]:
        return {"public": self.public, "tournament": self.public.tournament, "event": self.public.event}

    def answer(self, name: str, regions: Mapping[str, Region], context: Mapping[str, Any]) -> HttpResponse:
        """The page `name`, with what every page of a tournament shows around its regions."""
        return answer_live(
            self.request,
            self.live,
            template=f"tournaments/public/{name}.html",
            regions=regions,
            context=lambda: {
                **self.facts,
                "demo": self.public.event.is_demo,
                "page": name,
                "is_organiser": _is_organiser(self.request, self.public.event),
                **context,
            },
        )

    # --- Regions.

    def state(self) -> dict[str, Any]:
        clock = round_clock(self.public, self.public.current)
        return {
            **self.facts,
            "headline": headline_of(self.public),
            "registration": self.registration,
            "clock": clock,
        }

    def now(self, found: Collection[int] = ()) -> dict[str, Any]:
        """Before the start the roster, afterwards who plays now, in the end the podium."""
        if self.public.tournament.is_open_roster:
            return {**self.facts, "players": self.public.roster, "marked": found}
        playing = sorted(self.public.to_play, key=lambda p: (p.table is None, p.table or 0, p.number))
        shown = playing[: _PLAYING + 1]
        cards = [
            showing.match_card(self.public, pairing, lead=not place, is_watched=pairing.match_id in self.with_games)
            for place, pairing in enumerate(shown)
        ]
        return {**self.facts, "matches": cards, "playing": len(playing), "podium": podium(self.public)}

    def standings(self, found: Collection[int] = ()) -> dict[str, Any]:
        return {
            **self.facts,
            "title": standings_title(self.public),
            "standings": showing.standings(self.public, found=found),
            "scale": "" if self.public.format.has_bracket else showing.scale_text(self.public),
        }

    def rounds(self) -> dict[str, Any]:
        """The round that is played and those before it, newest first."""
        shown = self.public.shown_round
        begun = [round_ for round_ in self.public.rounds if shown and round_.number <= shown.number]
        if self.public.format.has_bracket:
            begun = self.public.rounds
        parts = [showing.round_part(self.public, round_) for round_ in reversed(begun[-_FOLDS:])]
        return {
            **self.facts,
            "parts": parts,
            "with_games": self.with_games,
            "left_out": len(self.public.rounds) - len(parts),
            "names": self.public.entries,
            "people": {pk: person(entry) for pk, entry in self.public.entries.items()},
        }

    # --- What is asked for.

    def round(self, asked: str) -> RoundRow | None:
        """The round with this number, or the one somebody wants to see who asks for none. 404 for one there is not."""
        if not asked:
            return self.public.shown_round
        found = self.public.round(int(asked)) if asked.isascii() and asked.isdigit() and len(asked) < 5 else None
        if found is None:
            raise Http404
        return found

    def round_links(self, shown: RoundRow | None) -> list[dict[str, Any]]:
        """A link to each published round."""
        return [
            {
                "href": f"{self.request.path}?round={round_.number}",
                "name": round_name(self.public.name_of(round_.number)),
                "is_shown": shown is not None and round_.number == shown.number,
                "number": round_.number,
            }
            for round_ in self.public.rounds
        ]


def _event_facts(found: Event) -> tuple[object, ...]:
    """What of an event stands on its pages."""
    return tuple(getattr(found, name) for name in EVENT_FACTS)


def _is_organiser(request: HttpRequest, found: Event) -> bool:
    return actor_in(request, found).role is Role.ORGANISER
