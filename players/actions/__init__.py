"""Acts on accounts, and the one door through which every act is logged."""

from players.actions.accounts import (
    close_demo_accounts,
    create_account,
    make_host,
    open_house,
    register_account,
    rename_account,
    set_password,
)
from players.actions.log import record_act

__all__ = [
    "close_demo_accounts",
    "create_account",
    "make_host",
    "open_house",
    "record_act",
    "register_account",
    "rename_account",
    "set_password",
]
