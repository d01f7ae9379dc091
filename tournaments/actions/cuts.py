"""Playing on with the best: a new tournament whose roster are the first places of a finished one."""

from __future__ import annotations

from datetime import datetime

from django.db import transaction

from players.actions import record_act
from players.permissions import Actor, Refused
from tournaments.actions.events import LASTING, TournamentFacts, create_tournament
from tournaments.actions.roster.holding import announce_roster, set_marks
from tournaments.models import Entry, Tournament
from tournaments.models.tournament import AtTime, Seeding, State
from tournaments.queries.cuts import qualified
from tournaments.queries.desk import current_stage


@transaction.atomic
def play_on(
    *, tournament_id: int, best: int, name: str, by: Actor, now: datetime, accept_tie: bool = False
) -> Tournament | Refused:
    """A single elimination of the `best` first places, seeded by their place and checked in.

    After groups the `best` of each go through: winners have the first seeds, then seconds, and so on, among whom seeds
    are given so that group-mates meet as late as can be. Whoever left is passed over. Order and seeds are those of the
    stored standings, the same that everybody saw. Where the last place that goes on is shared with the first that does
    not, somebody has to say that the shown order decides (`accept_tie`). Playing on twice makes one: a cup of this name
    with these players that waits for its start.
    Refusals: not_finished, standings_behind, too_few_players (least, here), tie_at_cut (entries).
    """
    source = Tournament.objects.select_for_update().get(pk=tournament_id)
    if source.state != State.FINISHED:
        return Refused("not_finished")
    stage = current_stage(tournament=source)
    if stage.changes.filter(read_at__isnull=True, what="result").exists():
        return Refused("standings_behind")
    found = qualified(stage=stage, best=best)
    rows = [each.row for each in found.seeded]
    if best > found.most:
        return Refused("too_few_players", {"least": max(best, 2), "here": found.most}, status=400)
    if len(rows) < 2:
        return Refused("too_few_players", {"least": 2, "here": len(rows)}, status=400)
    if found.level and not accept_tie:
        return Refused("tie_at_cut", {"entries": [row.entry_id for row in found.level]})
    players = [row.entry.player_id for row in rows]
    for cup in Tournament.objects.filter(event=source.event_id, name=name, state=State.CHECK_IN).order_by("pk"):
        if list(cup.entries.order_by("hand_seed").values_list("player", flat=True)) == players:
            return cup
    lasting = {setting: getattr(source, setting) for setting in LASTING}
    lasting |= {"name": name, "cut": None, "starts_at": None}
    if lasting["at_time"] == AtTime.TIE:
        lasting["at_time"] = AtTime.FINISH_SET  # a bracket has no ties
    facts = TournamentFacts(ruleset=source.ruleset, format="single_elimination", seeding=Seeding.HAND, **lasting)
    cup = create_tournament(event_id=source.event_id, facts=facts, by=by, now=now)
    Entry.objects.bulk_create(
        Entry(
            tournament=cup,
            player=row.entry.player,
            name=row.entry.name,
            city=row.entry.city,
            club=row.entry.club,
            rating=row.entry.rating,
            key=row.entry.key,
            is_shown=row.entry.is_shown,
            language=row.entry.language,
            hand_seed=place,
            checked_in_at=now,
            created_at=now,
        )
        for place, row in enumerate(rows, start=1)
    )
    set_marks(tournament=cup)
    cup.state = State.CHECK_IN
    cup.save(update_fields=["state"])
    announce_roster(tournament=cup)
    record_act(
        verb="play_on",
        target=f"tournament/{cup.pk}",
        by=by,
        now=now,
        event=source.event_id,
        tournament=cup.pk,
        after={"from": source.pk, "best": best, "entries": [row.entry_id for row in rows]},
    )
    return cup
