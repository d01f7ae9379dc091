"""The search for better plans is an extra: without its solver its tests are left out, and the end of a run says so."""

import pytest

from tournaments.engine.scheduling.improve import has_solver

collect_ignore = [] if has_solver() else ["test_scheduling_improve.py"]


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """One line, where somebody might take the run for complete."""
    if collect_ignore:
        terminalreporter.line("Tests of better plans did not run: they need the solver of ./bin/setup --improve")
