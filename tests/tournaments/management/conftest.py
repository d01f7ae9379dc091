"""The search for better plans is an extra: without its solver what needs it is left out; tests of the engine say so."""

from tournaments.engine.scheduling.improve import has_solver

collect_ignore = [] if has_solver() else ["test_searching.py"]
