"""Merging two players who are one person: an organiser's act, and never of two in one tournament."""

import pytest

from matches.models import Match
from players.models import Act, Player
from players.permissions import Actor, Refused, Role
from tests.factories import NOW, make_entry, make_event, make_field, make_tournament, organiser
from tournaments.actions import roster
from tournaments.actions.rounds import publish_rounds, start_tournament

pytestmark = [pytest.mark.django_db, pytest.mark.db]


def test_everything_of_the_one_becomes_the_others() -> None:
    event = make_event()
    main, side = make_tournament(event=event, name="Main"), make_tournament(event=event, name="Side")
    by = organiser(of=event)
    keep = make_entry(tournament=main, name="Sergei K.")
    drop = make_entry(tournament=side, name="Sergey", email="s@example.org", here=True)
    make_field(size=3, tournament=side)
    start_tournament(tournament_id=side.pk, by=by, now=NOW)
    publish_rounds(stage_id=side.stages.get().pk, by=by, now=NOW)
    dropped = drop.player_id

    merged = roster.merge_players(keep=keep.player_id, drop=dropped, by=by, now=NOW)

    assert isinstance(merged, Player)
    assert (merged.pk, merged.name, merged.email) == (keep.player_id, "Sergei K.", "s@example.org")
    assert list(merged.entries.order_by("pk").values_list("name", flat=True)) == ["Sergei K.", "Sergey"]
    seats = [seat for match in Match.objects.all() for seat in (match.seat_a_id, match.seat_b_id)]
    assert (seats.count(merged.pk), seats.count(dropped)) == (1, 0)
    assert not Player.objects.filter(pk=dropped).exists()
    act = Act.objects.get(verb="merge_players")
    assert (act.target, act.before) == (
        f"player/{merged.pk}",
        {"player": dropped, "name": "Sergey", "entries": [drop.pk]},
    )


def test_two_who_play_in_one_tournament_are_two() -> None:
    tournament = make_tournament()
    one, other = (make_entry(tournament=tournament, name="Иван Петров", email=f"{n}@example.org") for n in (1, 2))
    result = roster.merge_players(keep=one.player_id, drop=other.player_id, by=organiser(of=tournament), now=NOW)
    assert result == Refused("both_in_one_tournament", {"tournaments": [tournament.pk]})
    assert Player.objects.count() == 2


def test_nobody_is_one_with_themselves() -> None:
    entry = make_entry(tournament=make_tournament(), name="Anna")
    by = organiser(of=entry.tournament)
    assert roster.merge_players(keep=entry.player_id, drop=entry.player_id, by=by, now=NOW) == Refused(
        "same_player", status=400
    )


def test_a_helper_merges_nobody() -> None:
    event = make_event()
    one, other = (make_entry(tournament=make_tournament(event=event), name="Anna") for _ in range(2))
    desk = Actor(role=Role.DESK, name="Marta", event=event.pk)
    assert roster.merge_players(keep=one.player_id, drop=other.player_id, by=desk, now=NOW) == Refused(
        "not_an_organiser", status=403
    )


def test_a_player_of_an_event_one_does_not_run_is_unknown() -> None:
    mine = make_entry(tournament=make_tournament(), name="Anna")
    theirs = make_entry(tournament=make_tournament(), name="Anna")
    by = organiser(of=mine.tournament)
    for keep, drop in ((mine, theirs), (theirs, mine)):
        assert roster.merge_players(keep=keep.player_id, drop=drop.player_id, by=by, now=NOW) == Refused(
            "player_unknown", {"player": theirs.player_id}, status=404
        )


def test_a_player_left_without_entries_is_their_owners_to_merge() -> None:
    entry = make_entry(tournament=make_tournament(), name="Anna")
    by = organiser(of=entry.tournament)
    alone = Player.objects.create(owner=entry.player.owner, name="Anne")
    strangers = Player.objects.create(owner=make_event().owner, name="Anne")
    assert isinstance(roster.merge_players(keep=entry.player_id, drop=alone.pk, by=by, now=NOW), Player)
    assert roster.merge_players(keep=entry.player_id, drop=strangers.pk, by=by, now=NOW) == Refused(
        "player_unknown", {"player": strangers.pk}, status=404
    )
