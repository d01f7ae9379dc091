"""Signing in and out, the account page, the first organiser's welcome, and keeping what was typed meanwhile."""

from players.views.entering import enter, sign_in_path
from players.views.sign_in import ask_to_sign_in, csrf_failure, locked_out, welcome

__all__ = ["ask_to_sign_in", "csrf_failure", "enter", "locked_out", "sign_in_path", "welcome"]
