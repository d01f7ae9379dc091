"""Runs measurements and prints them: `python -m bench [NAME …] [--json]`; without a name all of them."""

import argparse
import json
import sys
from collections.abc import Sequence
from importlib import import_module

from bench import BENCHES


def measure(name: str) -> dict[str, float]:
    """What one bench measures, `<bench>.<name>`, with the ratio of every pair of sides."""
    measured: dict[str, float] = import_module(f"bench.{name}").run()
    facts = {f"{name}.{key}": value for key, value in measured.items()}
    for key, ours in list(facts.items()):
        subject, _, side = key.rpartition(".")
        if side == "ours" and f"{subject}.theirs" in facts:
            facts[f"{subject}.ratio"] = facts[f"{subject}.theirs"] / ours
    return facts


def table(facts: dict[str, float]) -> str:
    """A row for every subject: both sides and their ratio, or the one number there is."""
    rows: list[tuple[str, ...]] = [("", "ours", "theirs", "ratio")]
    for key, value in facts.items():
        subject, _, side = key.rpartition(".")
        if f"{subject}.ratio" not in facts:
            rows.append((key, f"{value:.6g}", "", ""))
        elif side == "ours":
            sides = [f"{facts[f'{subject}.{each}']:.6g}" for each in ("ours", "theirs", "ratio")]
            rows.append((subject, *sides))
    widths = [max(len(row[column]) for row in rows) for column in range(4)]
    return "\n".join(
        "  ".join(
            cell.rjust(width) if column else cell.ljust(width)
            for column, (cell, width) in enumerate(zip(row, widths, strict=True))
        )
        for row in rows
    )


def main(arguments: Sequence[str]) -> int:
    """The exit code: 0, for a measurement is no test."""
    parser = argparse.ArgumentParser(prog="python -m bench", description="Run measurements.")
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"one of {', '.join(BENCHES)}; all without one")
    parser.add_argument("--json", action="store_true", help="one flat object of numbers")
    options = parser.parse_args(arguments)
    if unknown := set(options.names) - set(BENCHES):
        parser.error(f"no bench called {', '.join(sorted(unknown))}; there are {', '.join(BENCHES)}")
    facts: dict[str, float] = {}
    for name in options.names or BENCHES:
        facts |= measure(name)
    print(json.dumps(facts, indent=1) if options.json else table(facts))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
