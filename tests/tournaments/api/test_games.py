"""Matches played by scripts: two players and a referee, a console, replays; one position is one move."""

from __future__ import annotations

from typing import Any

import pytest

from matches.models import Game, Match, Way
from players.models import Act
from tests.factories import make_field, make_tournament
from tests.tournaments.api.asking import Api, by_link, by_token, code_of
from tests.tournaments.play import pairings, start
from tournaments.models import Entry, Tournament
from tournaments.permissions import entry_token

pytestmark = pytest.mark.django_db


def two_at_a_table(way: Way = Way.HERE) -> tuple[str, tuple[Api, Api], Api]:
    """The address of the one match of a tournament, both its players, and its referee."""
    tournament = make_tournament(seeding="rating")
    make_field(size=2, tournament=tournament)
    start(tournament)
    answer = by_token(tournament).ask("PATCH", f"tournaments/{tournament.pk}/play/", {"way": way})
    assert answer.json()["way"] == way
    pairing = pairings(tournament)[0]
    entries = Entry.objects.in_bulk([pairing.a_id, pairing.b_id or 0])
    seats = (entries[pairing.a_id], entries[pairing.b_id or 0])
    path = f"tournaments/{tournament.pk}/matches/{pairing.match_id}/"
    return path, (_own(seats[0]), _own(seats[1])), by_link(tournament)


def _own(entry: Entry) -> Api:
    return Api(f"Own {entry_token(entry)}")


def dealt() -> tuple[str, tuple[Api, Api], Api]:
    path, players, referee = two_at_a_table()
    for player in players:
        assert player.post(f"{path}game/open/").status_code == 200
        assert player.post(f"{path}game/ready/", {"words": "luck"}).status_code == 200
    return path, players, referee


def chosen(table: dict[str, Any]) -> str:
    """What a careful player does: stands from 17 on."""
    words = [each["move"] for each in table["moves"]]
    ends = {each["move"]: each["makes"] for each in table["moves"] if each["move"] in ("end", "stand")}
    return words[0] if not ends else "stand" if ends["stand"] >= 17 else "end"


def play_out(path: str, players: tuple[Api, Api]) -> dict[str, Any]:
    """Both play until the match is over; the table then."""
    table: dict[str, Any] = players[0].get(f"{path}game/").json()
    for _ in range(500):
        if table["state"] == "over":
            return table
        seat = "ab".index(table["turn"] or "a")
        seen = players[seat].get(f"{path}game/").json()
        table = players[seat].post(f"{path}game/moves/", {"move": chosen(seen), "at": seen["position"]}).json()
    raise AssertionError("the match does not end")


def test_how_matches_are_played_is_read_by_all_and_said_by_organisers() -> None:
    tournament = make_tournament()
    api, path = by_token(tournament), f"tournaments/{tournament.pk}/play/"
    usual = {
        "way": "paper",
        "turn_seconds": None,
        "match_seconds": None,
        "on_timeout": "stand",
        "decks_due_at": None,
        "decks_open": "match",
        "lends_decks": True,
    }
    before = Api().get(path)
    assert before.json() == usual
    said = {"way": "here", "turn_seconds": 30, "on_timeout": "lose_set"}
    assert api.ask("PATCH", path, said, If_Match=before["ETag"]).json() == usual | said
    assert Act.objects.filter(verb="edit_play").count() == 1
    assert code_of(api.ask("PATCH", path, {"way": "paper"}, If_Match=before["ETag"])) == (412, "changed_since")
    wrong = api.ask("PATCH", path, {"way": "air", "turn_seconds": 1, "decks_due_at": "1066-10-14T09:00:00Z"})
    assert code_of(wrong) == (400, "invalid")
    assert [each["pointer"] for each in wrong.json()["errors"]] == ["/way", "/turn_seconds", "/decks_due_at"]
    assert Api().get(path).json() == usual | said


def test_two_scripts_play_a_match_and_it_has_its_result() -> None:
    path, players, referee = dealt()
    over = play_out(path, players)
    assert over["outcome"]["ending"] == "sets"
    match = Match.objects.get()
    assert (match.winner, [match.sets_a, match.sets_b]) == (
        over["outcome"]["winner"],
        [side["sets"] for side in over["sides"]],
    )
    assert max(match.sets_a, match.sets_b) == 3
    assert code_of(players[0].post(f"{path}game/moves/", {"move": "end", "at": over["position"]})) == (
        409,
        "match_decided",
    )
    assert code_of(referee.post(f"{path}game/pause/")) == (409, "match_decided")
    assert over["deal"]["words"] == ["luck", "luck"]
    assert len(over["deal"]["seed"]) == 64


def test_each_reader_sees_what_is_theirs() -> None:
    path, (first, second), referee = dealt()
    table = {
        name: api.get(f"{path}game/").json()
        for name, api in {"a": first, "b": second, "referee": referee, "spectator": Api()}.items()
    }
    hands = {name: [side["hand"] is not None for side in seen["sides"]] for name, seen in table.items()}
    nobody = [False, False]
    assert hands == {"a": [True, False], "b": [False, True], "referee": nobody, "spectator": nobody}
    assert [table[name]["viewer"] for name in table] == ["a", "b", "spectator", "spectator"]
    turn = table["a"]["turn"]
    assert {name for name, seen in table.items() if seen["moves"]} == {turn}
    total = table[turn]["sides"]["ab".index(turn)]["total"]
    assert table[turn]["moves"][:2] == [{"move": "end", "makes": total}, {"move": "stand", "makes": total}]
    assert table["spectator"]["deal"]["seed"] is None
    assert table["referee"]["a"]["name"] == Entry.objects.get(pk=table["referee"]["a"]["id"]).staff_name


def test_one_position_is_one_move_and_an_old_one_gets_the_present_table() -> None:
    path, players, _referee = dealt()
    seat = "ab".index(players[0].get(f"{path}game/").json()["turn"])
    mover, other = players[seat], players[1 - seat]
    seen = mover.get(f"{path}game/").json()
    said = {"move": "end", "at": seen["position"]}
    once = mover.post(f"{path}game/moves/", said).json()
    assert mover.post(f"{path}game/moves/", said).json() == once
    late = mover.post(f"{path}game/moves/", {"move": "stand", "at": seen["position"]})
    assert code_of(late) == (409, "position_moved")
    assert (late.json()["position"], late.json()["now"]) == (once["position"], once)
    early = mover.post(f"{path}game/moves/", {"move": "end", "at": once["position"]})
    assert code_of(early) == (409, "not_your_turn")
    assert early.json()["position"] == once["position"]
    unread = other.post(f"{path}game/moves/", {"move": "fly", "at": once["position"]})
    assert (code_of(unread), unread.json()["position"]) == ((400, "move_unreadable"), once["position"])
    keyed = {"Idempotency_Key": "of-one-move-and-no-other"}
    again = {"move": "end", "at": once["position"]}
    told = other.post(f"{path}game/moves/", again, **keyed).json()
    assert other.post(f"{path}game/moves/", again, **keyed).json() == told
    assert Game.objects.get().position == told["position"]


def test_the_table_is_told_again_only_when_it_has_changed() -> None:
    path, players, referee = dealt()
    first = players[0].get(f"{path}game/")
    game = Game.objects.get()
    assert first["ETag"].startswith(f'"{game.pk}.{game.version}-')
    assert players[0].get(f"{path}game/", If_None_Match=first["ETag"]).status_code == 304
    assert players[1].get(f"{path}game/", If_None_Match=first["ETag"]).status_code == 200
    assert referee.post(f"{path}game/pause/").json()["is_paused"] is True
    paused = players[0].get(f"{path}game/", If_None_Match=first["ETag"])
    assert (paused.status_code, paused.json()["moves"]) == (200, [])
    assert players[0].post(f"{path}game/call/").json()["is_called"] is True
    resumed = referee.post(f"{path}game/resume/").json()
    assert (resumed["is_paused"], resumed["is_called"]) == (False, False)


def test_who_is_not_at_the_table_does_nothing_there() -> None:
    path, players, referee = two_at_a_table()
    assert code_of(referee.post(f"{path}game/ready/")) == (403, "not_allowed")
    assert code_of(players[0].post(f"{path}game/pause/")) == (403, "not_allowed")
    assert code_of(Api().post(f"{path}game/open/")) == (401, "not_authenticated")
    assert code_of(players[0].post(f"{path}game/ready/")) == (409, "wrong_way")
    assert code_of(players[0].post(f"{path}game/moves/", {"move": "end", "at": "0.0"})) == (409, "wrong_way")
    tournament = Tournament.objects.get()
    elsewhere = by_link(tournament, tables=(99,))
    assert code_of(elsewhere.post(f"{path}game/open/")) == (404, "not_found")
    assert Game.objects.count() == 0
    assert Api().get(f"{path}game/").json()["state"] == "unopened"
    assert code_of(Api().get(f"{path}record/")) == (404, "not_found")


def test_a_referee_concedes_for_who_does_not_come() -> None:
    path, _players, referee = dealt()
    assert code_of(referee.post(f"{path}game/rule/", {"winner": None})) == (409, "ruling_not_due")
    over = referee.post(f"{path}game/concede/", {"seat": "a", "why": "went home"}).json()
    assert (over["state"], over["outcome"]) == ("over", {"winner": "b", "ending": "forfeit"})
    assert Act.objects.get(verb="concede_for").why == "went home"


def test_a_real_table_is_entered_and_confirmed() -> None:
    path, players, referee = two_at_a_table(Way.CONSOLE)
    assert code_of(players[0].post(f"{path}game/open/")) == (409, "wrong_way")
    table = referee.post(f"{path}game/open/").json()
    assert (table["viewer"], table["state"], table["position"]) == ("referee", "ready", "0.0")

    def enter(move: str) -> dict[str, Any]:
        answer = referee.post(f"{path}game/moves/", {"move": move, "at": Game.objects.get().position})
        assert answer.status_code == 200, answer.content
        found: dict[str, Any] = answer.json()
        return found

    assert enter("open A")["turn"] == "a"
    drawn = enter("A 10")
    assert {"move": "A stand", "makes": 10} in drawn["moves"]
    assert {"move": "A +3", "makes": 13} in drawn["moves"]
    assert players[0].get(f"{path}game/").json()["moves"] == []
    taken = referee.post(f"{path}game/undo/", {"at": drawn["position"]}).json()
    assert (taken["position"], taken["sides"][0]["total"]) == ("1.1", 0)
    assert referee.post(f"{path}game/undo/", {"at": drawn["position"]}).json() == taken
    assert code_of(referee.post(f"{path}game/confirm/", {"at": "0.0"})) == (409, "position_moved")
    assert code_of(referee.post(f"{path}game/confirm/", {"at": taken["position"]})) == (409, "not_over")
    assert code_of(referee.post(f"{path}game/pause/")) == (409, "wrong_way")
    over = enter("B forfeit")
    assert Match.objects.get().kind == ""
    assert referee.post(f"{path}game/confirm/", {"at": over["position"]}).status_code == 200
    assert (Match.objects.get().kind, Match.objects.get().winner) == ("forfeit", "a")


def test_one_match_is_played_another_way() -> None:
    path, players, referee = two_at_a_table()
    assert referee.post(f"{path}way/", {"way": "console"}).json()["way"] == "console"
    assert Api().get(f"{path}game/").json()["way"] == "console"
    assert referee.post(f"{path}way/", {"way": "here"}).json()["way"] == "here"
    for player in players:
        player.post(f"{path}game/open/")
        player.post(f"{path}game/ready/")
    assert code_of(referee.post(f"{path}way/", {"way": "paper"})) == (409, "game_begun")


def test_what_was_played_is_looked_at_again_at_every_position() -> None:
    path, players, _referee = dealt()
    assert code_of(Api().get(f"{path}game/?at=3")) == (409, "not_over")
    running = Api().get(f"{path}record/").json()
    assert (running["is_over"], running["is_whole"]) == (False, False)
    over = play_out(path, players)
    record = Api().get(f"{path}record/").json()
    assert (record["is_over"], record["is_whole"], record["moves"]) == (True, True, Game.objects.get().moves)
    assert over["deal"]["seed"] in record["text"]
    first = Api().get(f"{path}game/?at=0").json()
    assert (first["state"], first["step"]) == ("ready", {"at": 0, "last": record["moves"], "made": None})
    opened = Api().get(f"{path}game/?at=1").json()
    assert (opened["state"], opened["step"]["made"][:4]) == ("open", "open")
    assert [len(side["hand"]) for side in opened["sides"]] == [4, 4]
    last = Api().get(f"{path}game/?at={record['moves']}").json()
    assert (last["state"], last["outcome"], last["sets"]) == ("over", over["outcome"], over["sets"])
    assert code_of(Api().get(f"{path}game/?at=first")) == (400, "query_malformed")


def test_a_side_deck_is_built_sealed_and_nobody_elses_to_see() -> None:
    path, players, _referee = two_at_a_table()
    usual = players[0].get("own/side-deck/").json()
    assert usual == {
        "cards": [],
        "wrong": None,
        "plays": "club",
        "is_sealed": False,
        "due_at": None,
        "least": 10,
        "most": 10,
        "hand_size": 4,
    }
    few = players[0].ask("PUT", "own/side-deck/", {"cards": ["D", "+3"]}).json()
    assert (few["cards"], few["wrong"]["code"], few["plays"]) == (["+3", "D"], "bad_size", "club")
    mine = ["+1", "+2", "+3", "+4", "+5", "+6", "-1", "-2", "-3", "-4"]
    assert players[0].ask("PUT", "own/side-deck/", {"cards": mine}).json()["plays"] == "own"
    assert players[1].get("own/side-deck/").json() == usual
    assert code_of(players[0].ask("PUT", "own/side-deck/", {"cards": ["+9"]})) == (400, "unknown_card")
    assert code_of(players[0].ask("PUT", "own/side-deck/", {"cards": "+1"})) == (400, "invalid")
    owned = players[0].ask("PUT", "own/collection/", {"cards": ["+1"] * 3}).json()
    assert owned == players[0].get("own/collection/").json() == {"cards": ["+1"] * 3}
    Tournament.objects.update(decks_due_at="2020-01-01T00:00:00Z")
    assert code_of(players[0].ask("PUT", "own/side-deck/", {"cards": mine})) == (409, "decks_sealed")
    assert players[0].get("own/side-deck/").json()["is_sealed"] is True
    for player in players:
        player.post(f"{path}game/open/")
        player.post(f"{path}game/ready/")
    assert players[0].get(f"{path}game/").json()["sides"][0]["side_deck"] == mine
