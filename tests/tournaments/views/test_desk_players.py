"""Players of a tournament in play on the desk: what can happen to them, and what a page says when it cannot."""

from __future__ import annotations

import re
from typing import Any

import pytest

from players.models import Act
from tests.factories import make_entry, make_field, make_tournament
from tests.tournaments.actions.running import entry, nobody_came, seats
from tests.tournaments.play import count_up, draft, pairings, play_open, report, start, table
from tests.tournaments.views.desk import desk_of, page_text, running, said, stranger
from tournaments.models import Entry, Tournament

pytestmark = pytest.mark.django_db


def act(tournament: Tournament, about: Entry, chosen: str, why: str = "") -> Any:
    address = f"/desk/t/{tournament.pk}/entries/{about.pk}/act/"
    return desk_of(tournament).post(address, {"act": chosen, "why": why})


def offered(tournament: Tournament, about: Entry) -> list[str]:
    page = desk_of(tournament).get(f"/desk/t/{tournament.pk}/entries/{about.pk}/").content.decode()
    return re.findall(r'name="act" value="(\w+)"', page)


def newcomer(tournament: Tournament, address: str, **fields: str) -> Any:
    return desk_of(tournament).post(f"/desk/t/{tournament.pk}/{address}", {"why": "", **fields})


def test_a_player_is_disqualified_with_a_word_and_reinstated() -> None:
    tournament = running(4)
    about = entry(tournament, 2)
    assert offered(tournament, about) == ["withdraw", "disqualify"]
    answer = act(tournament, about, "disqualify", "Marked cards")
    assert answer.status_code == 302
    assert said(answer) == ["Player 02 is disqualified. An open match stays open: enter how it ended."]
    assert Act.objects.get(verb="disqualify_entry").why == "Marked cards"
    assert offered(tournament, about) == ["reinstate"]
    roster = page_text(desk_of(tournament).get(f"/desk/t/{tournament.pk}/roster/"))
    assert "Disqualified" in roster
    assert act(tournament, about, "reinstate").status_code == 302
    assert offered(tournament, about) == ["withdraw", "disqualify"]
    assert act(tournament, about, "withdraw").status_code == 302
    assert offered(tournament, about) == ["return", "disqualify"]
    assert act(tournament, about, "return").status_code == 302


def test_an_act_that_is_not_possible_now_is_refused_and_the_word_is_kept() -> None:
    tournament = running(4)
    answer = act(tournament, entry(tournament, 1), "let_in", "Nobody told me")
    assert answer.status_code == 400
    assert 'value="Nobody told me"' in answer.content.decode()
    assert act(tournament, entry(tournament, 1), "").status_code == 400
    assert Act.objects.filter(verb="late_entry").count() == 0


def test_what_has_changed_meanwhile_is_said_on_the_page() -> None:
    tournament = running(4, options={"rounds": 1})
    left_out = make_left_out(tournament)
    answer = act(tournament, left_out, "let_in", "He ran")
    assert answer.status_code == 409
    assert said(answer) == ["Every planned round is made, so nobody can join any more."]
    assert 'value="He ran"' in answer.content.decode()


def make_left_out(tournament: Tournament) -> Entry:
    """Somebody the start left out."""
    tournament.state = "check_in"
    tournament.save(update_fields=["state"])
    found = make_entry(tournament=tournament, name="Left out")
    tournament.state = "running"
    tournament.save(update_fields=["state"])
    return found


def test_a_late_player_is_let_in_and_taken_out_again() -> None:
    tournament = running(5, options={"rounds": 3})
    page = desk_of(tournament).get(f"/desk/t/{tournament.pk}/")
    assert f"/desk/t/{tournament.pk}/entries/late/" in page.content.decode()
    assert "A player comes late" in page_text(desk_of(tournament).get(f"/desk/t/{tournament.pk}/entries/late/"))
    answer = newcomer(tournament, "entries/late/", name="Juhani", club="Sabacc", why="Train")
    assert answer.status_code == 302
    came = tournament.entries.get(name="Juhani")
    assert (came.seed, came.since, came.club) == (6, 2, "Sabacc")
    assert offered(tournament, came) == ["withdraw", "disqualify", "take_out"]
    assert act(tournament, came, "take_out").status_code == 302
    assert not tournament.entries.filter(name="Juhani").exists()


def test_a_late_player_of_a_known_name_is_asked_about_and_nothing_typed_is_lost() -> None:
    tournament = running(5, options={"rounds": 3})
    answer = newcomer(tournament, "entries/late/", name="Player 01", city="Riga")
    text = answer.content.decode()
    assert answer.status_code == 409
    assert "name_again" in text
    assert 'value="Riga"' in text
    assert newcomer(tournament, "entries/late/", name="Player 01", name_again="on").status_code == 302
    assert newcomer(tournament, "entries/late/", name="").status_code == 400


def test_where_there_is_no_place_the_page_says_what_else_can_be_done() -> None:
    tournament = running(4, format="single_elimination")
    answer = newcomer(tournament, "entries/late/", name="Juhani")
    assert answer.status_code == 409
    assert "Whoever comes now can only replace a player who has not played yet." in page_text(answer)


def test_somebody_left_out_is_let_in_from_the_list_or_from_their_page() -> None:
    tournament = running(5, options={"rounds": 3})
    waiting = make_left_out(tournament)
    page = desk_of(tournament).get(f"/desk/t/{tournament.pk}/entries/late/")
    assert "Somebody on the roster" in page_text(page)
    assert newcomer(tournament, "entries/late/", entry=str(waiting.pk)).status_code == 302
    assert act(tournament, waiting, "take_out").status_code == 302
    assert offered(tournament, waiting) == ["let_in"]
    assert act(tournament, waiting, "let_in").status_code == 302
    assert newcomer(tournament, "entries/late/", entry="0").status_code == 400


def test_a_place_is_given_to_somebody_else_and_back() -> None:
    tournament = running(4)
    leaving = entry(tournament, 3)
    address = f"entries/{leaving.pk}/replace/"
    page = desk_of(tournament).get(f"/desk/t/{tournament.pk}/entries/{leaving.pk}/")
    assert address in page.content.decode()
    assert "In the place of Player 03" in page_text(desk_of(tournament).get(f"/desk/t/{tournament.pk}/{address}"))
    answer = newcomer(tournament, address, name="Juhani")
    assert said(answer) == ["Juhani plays in the place of Player 03."]
    came = tournament.entries.get(name="Juhani")
    assert came.seed == 3
    assert offered(tournament, came) == ["withdraw", "disqualify", "undo_replacement"]
    assert newcomer(tournament, f"entries/{came.pk}/replace/", entry=str(leaving.pk)).status_code == 302
    leaving.refresh_from_db()
    assert leaving.seed == 3
    log = page_text(desk_of(tournament).get(f"/desk/events/{tournament.event_id}/log/"))
    assert "Juhani plays in the place of Player 03." in log
    assert "Player 03 plays in the place of Juhani." in log
    assert act(tournament, leaving, "undo_replacement").status_code == 302
    assert act(tournament, came, "undo_replacement").status_code == 302
    assert not tournament.entries.filter(name="Juhani").exists()


def test_a_player_with_a_result_keeps_the_place() -> None:
    tournament = running(4)
    first = pairings(tournament, 1)[0]
    report(first, (3, 0))
    page = desk_of(tournament).get(f"/desk/t/{tournament.pk}/entries/{first.a_id}/").content.decode()
    assert "/replace/" not in page
    answer = newcomer(tournament, f"entries/{first.a_id}/replace/", name="Juhani")
    assert answer.status_code == 409
    assert "has a result or a report already" in page_text(answer)
    assert 'value="Juhani"' in answer.content.decode()


def test_byes_are_asked_for_round_by_round() -> None:
    tournament = running(4, options={"rounds": 3})
    about = entry(tournament, 1)
    address = f"/desk/t/{tournament.pk}/entries/{about.pk}/byes/"
    assert "Round 2" in page_text(desk_of(tournament).get(address))
    answer = desk_of(tournament).post(address, {"round-2": "half", "round-3": "plays", "why": "A wedding"})
    assert answer.status_code == 302
    about.refresh_from_db()
    assert about.asked == [[2, "half"]]
    play_open(tournament)
    draft(tournament)
    assert [p.bye for p in pairings(tournament, 2) if p.a_id == about.pk] == ["half"]
    assert desk_of(tournament).post(address, {"round-2": "nine"}).status_code == 400
    elsewhere = running(4, format="round_robin")
    other = entry(elsewhere, 1)
    page = desk_of(elsewhere).get(f"/desk/t/{elsewhere.pk}/entries/{other.pk}/byes/")
    assert page.status_code == 404


def test_byes_can_be_asked_for_before_the_start() -> None:
    tournament = make_tournament()
    about, *_ = make_field(size=8, tournament=tournament)
    address = f"/desk/t/{tournament.pk}/entries/{about.pk}/byes/"
    assert address in desk_of(tournament).get(f"/desk/t/{tournament.pk}/entries/{about.pk}/").content.decode()
    said = {"round-1": "zero", "round-2": "plays", "round-3": "plays"}
    assert desk_of(tournament).post(address, said).status_code == 302
    start(tournament)
    assert [p.bye for p in pairings(tournament, 1) if p.a_id == about.pk] == ["zero"]


def level() -> Tournament:
    """Two who met and neither came."""
    tournament = running(2, format="round_robin")
    nobody_came(pairings(tournament, 1)[0])
    count_up(tournament)
    return tournament


def test_a_play_off_is_called_entered_and_settles_the_place() -> None:
    tournament = level()
    desk = f"/desk/t/{tournament.pk}/play-offs/"
    assert desk in desk_of(tournament).get(f"/desk/t/{tournament.pk}/").content.decode()
    assert "Place 1, shared by 2" in page_text(desk_of(tournament).get(desk))
    one, other = entry(tournament, 1).pk, entry(tournament, 2).pk
    called = {"place": "1", "a": str(one), "b": str(other), "why": ""}
    answer = desk_of(tournament).post(desk, called)
    assert said(answer) == ["The play-off of Player 01 and Player 02 is called."]
    extra = pairings(tournament)[-1]
    assert "Table 1, no result yet" in page_text(desk_of(tournament).get(desk))
    dropped = desk_of(tournament).post(f"{desk}{extra.match_id}/drop/")
    assert said(dropped) == ["The play-off is taken back: the place is shared again."]
    assert desk_of(tournament).post(f"{desk}{extra.match_id}/drop/").status_code == 404
    desk_of(tournament).post(desk, called)
    extra = pairings(tournament)[-1]
    report(extra, (3, 2))
    count_up(tournament)
    assert [row[:2] for row in table(tournament)] == [(1, "Player 01"), (2, "Player 02")]
    usual = desk_of(tournament).post(f"{desk}{pairings(tournament, 1)[0].match_id}/drop/")
    assert said(usual) == ["This match is no play-off."]
    drop = desk_of(tournament).post(f"{desk}{extra.match_id}/drop/")
    assert said(drop) == ["This play-off has a result already. Take it back first."]
    late = desk_of(tournament).post(desk, called)
    assert (late.status_code, said(late)) == (
        409,
        ["These two do not share a place, so there is nothing to decide between them."],
    )


def test_a_play_off_of_one_with_themselves_is_none() -> None:
    tournament = level()
    one = entry(tournament, 1).pk
    answer = desk_of(tournament).post(
        f"/desk/t/{tournament.pk}/play-offs/", {"place": "1", "a": str(one), "b": str(one), "why": "x"}
    )
    assert answer.status_code == 409
    wrong = desk_of(tournament).post(f"/desk/t/{tournament.pk}/play-offs/", {"place": "1", "a": "0", "b": str(one)})
    assert wrong.status_code == 400


def test_nobody_else_may_do_any_of_it() -> None:
    tournament = running(4)
    about = entry(tournament, 1)
    for address in (
        f"entries/{about.pk}/act/",
        "entries/late/",
        f"entries/{about.pk}/replace/",
        f"entries/{about.pk}/byes/",
        "play-offs/",
        "play-offs/1/drop/",
    ):
        assert stranger().post(f"/desk/t/{tournament.pk}/{address}", {}).status_code == 404, address
    other = running(4)
    for address in ("act/", "replace/", "byes/"):
        answer = desk_of(other).post(f"/desk/t/{other.pk}/entries/{about.pk}/{address}", {"name": "x"})
        assert answer.status_code == 404
    assert seats(tournament, 1) == seats(other, 1)
