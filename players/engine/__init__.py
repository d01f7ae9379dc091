"""PURE: what a name is, how it is cleaned, and when two names are the same or only look it."""

from players.engine.names import NAME_LENGTH, NameProblem, clean_name, fold_name, looks_alike, name_problem

__all__ = ["NAME_LENGTH", "NameProblem", "clean_name", "fold_name", "looks_alike", "name_problem"]
