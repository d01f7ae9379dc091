"""Which table each match of a round gets."""

from __future__ import annotations

from tournaments.engine.tables import Hall, Want, give_tables

BYE = None


def hall(*tables: int, first: int = 1, busy: tuple[int, ...] = (), shown: tuple[int, ...] = ()) -> Hall:
    return Hall(first=first, busy=frozenset(busy), tables=frozenset(tables), shown=frozenset(shown))


def test_any_number_will_do_where_no_tables_are_told_of() -> None:
    assert give_tables([Want(), BYE, Want(), Want()], Hall(first=3, busy=frozenset({4}))) == [3, None, 5, 6]


def test_st_02_only_matches_take_tables_and_only_such_as_stand() -> None:
    assert give_tables([Want(), Want(), BYE, Want(), Want()], hall(5, 6, 7, 8)) == [5, 6, None, 7, 8]


def test_gaps_are_skipped_and_who_finds_none_waits() -> None:
    assert give_tables([Want(), Want(), Want(), Want()], hall(5, 8, 11, busy=(8,))) == [5, 11, None, None]


def test_numbers_begin_where_the_tournament_says() -> None:
    assert give_tables([Want(), Want(), Want()], hall(1, 2, 9, 12, first=9)) == [9, 12, None]


def test_the_match_that_leads_gets_the_table_people_look_at() -> None:
    assert give_tables([Want(leads=True), Want(), Want()], hall(1, 2, 7, shown=(7,))) == [7, 1, 2]
    assert give_tables([Want(leads=True), Want()], hall(1, 7, busy=(7,), shown=(7,))) == [1, None]
    assert give_tables([Want(leads=True), Want()], hall(1, 3, 7, first=3, shown=(1, 7))) == [7, 3]


def test_fixed_seats_come_before_everything_else() -> None:
    assert give_tables([Want(leads=True), Want((None, 1)), Want((7, None))], hall(1, 2, 7, shown=(7,))) == [2, 1, 7]
    assert give_tables([Want(), Want((1, None))], hall(1, 4, 5, first=4)) == [4, 1]


def test_of_two_fixed_seats_in_a_match_the_first_sides_counts_as_far_as_it_is_free() -> None:
    assert give_tables([Want((3, 2))], hall(1, 2, 3)) == [3]
    assert give_tables([Want((3, 2))], hall(1, 2, 3, busy=(3,))) == [2]
    assert give_tables([Want((3, 2)), Want((3, None))], hall(1, 2, 3)) == [3, 1]
    assert give_tables([Want((9, None))], hall(1, 2, 3)) == [1]
