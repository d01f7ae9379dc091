"""The roster of a tournament until it starts: who is on it, who is here, and the lists it came from."""

from tournaments.actions.roster.check_in import (
    DROP,
    KEEP,
    check_in,
    check_in_after_all,
    check_in_all,
    check_in_own,
    close_check_in,
    open_check_in,
    undo_check_in,
    undo_check_in_own,
)
from tournaments.actions.roster.claims import claim_entry
from tournaments.actions.roster.entries import add_entry, edit_entry, remove_entry, set_hand_seeds
from tournaments.actions.roster.facts import RATING_LIMIT, EntryFacts, check_facts
from tournaments.actions.roster.imports import (
    apply_import,
    confirm_import,
    prepare_import,
    waiting_imports,
)
from tournaments.actions.roster.people import merge_players
from tournaments.actions.roster.places import give_place
from tournaments.actions.roster.scanning import check_in_scanned

__all__ = [
    "DROP",
    "KEEP",
    "RATING_LIMIT",
    "EntryFacts",
    "add_entry",
    "apply_import",
    "check_facts",
    "check_in",
    "check_in_after_all",
    "check_in_all",
    "check_in_own",
    "check_in_scanned",
    "claim_entry",
    "close_check_in",
    "confirm_import",
    "edit_entry",
    "give_place",
    "merge_players",
    "open_check_in",
    "prepare_import",
    "remove_entry",
    "set_hand_seeds",
    "undo_check_in",
    "undo_check_in_own",
    "waiting_imports",
]
