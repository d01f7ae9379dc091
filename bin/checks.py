"""All static checks behind `./bin/check`: a line each, what failed in full, none left out because another failed."""

import json
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LONG_FILE = 500
AUDIT_SECONDS = 120
# Where packages come from is the business of whoever installs them, and no address of it belongs in the clone.
REGISTRY = re.compile(r"(?i)//[^\s/]*(packages?|pypi|registry)[^\s/]*\.|--(extra-)?index-url[ =]")


@dataclass(frozen=True, kw_only=True)
class Verdict:
    """How one check went, and what it had to say."""

    passed: bool
    words: str = ""
    note: str = ""  # stands on the line itself


Check = Callable[[], Verdict]


def program(*arguments: str) -> Check:
    """A check that is a program of the environment: it passes if that exits with 0."""

    def check() -> Verdict:
        done = run(arguments)
        return Verdict(passed=done.returncode == 0, words=done.stdout)

    return check


def run(arguments: Sequence[str], *, timeout: float | None = None) -> "subprocess.CompletedProcess[str]":
    """Run a program with the environment first on PATH; its words all go to `stdout`."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ.get('PATH', '')}"
    return subprocess.run(
        arguments,
        cwd=ROOT,
        env=os.environ | {"PATH": path, "PYTHONWARNINGS": "default"},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
        timeout=timeout,
    )


def django(*arguments: str) -> Check:
    """A check that is one of Django's commands, on a data folder of its own and with settings as on a public server."""

    def check() -> Verdict:
        with tempfile.TemporaryDirectory() as data:
            public = [
                f"DATA={data}",
                "PUBLIC_URL=https://cantina.example",
                "SECRET_KEY=" + "a key only for this check" * 4,
            ]
            Path(data, "static").mkdir()
            done = run(
                ["env", *public, "DJANGO_SETTINGS_MODULE=config.settings", sys.executable, "-m", "django", *arguments]
            )
        return Verdict(passed=done.returncode == 0, words=done.stdout)

    return check


def tracked_files() -> list[Path]:
    """The files git knows, or would if they were added."""
    done = run(["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"])
    return [ROOT / name for name in done.stdout.split("\0") if name and (ROOT / name).is_file()]


def no_registry() -> Verdict:
    """No tracked file names a package registry."""
    found = []
    for path in tracked_files():
        for number, line in enumerate(path.read_text(errors="replace").splitlines(), 1):
            if REGISTRY.search(line) and path != Path(__file__):
                found.append(f"{path.relative_to(ROOT)}:{number}: {line.strip()[:100]}")
    return Verdict(passed=not found, words="\n".join(found))


def short_files() -> Verdict:
    """A hint, never a failure: which modules should become folders."""
    long = []
    for path in tracked_files():
        if path.suffix in (".py", ".js", ".html", ".css") and "vendor" not in path.parts:
            count = len(path.read_text().splitlines())
            if count > LONG_FILE:
                long.append(f"{path.relative_to(ROOT)} ({count})")
    return Verdict(passed=True, note=f"longer than {LONG_FILE} lines: {', '.join(long)}" if long else "")


def audit() -> Verdict:
    """Known vulnerabilities of what we run on. Where no advisory service answers it says so, and does not fail."""
    command = ["pip-audit", "--disable-pip", "--require-hashes", "-r", "requirements/base.lock", "--format", "json"]
    away = Verdict(passed=True, note="DID NOT RUN: no advisory service answers")
    try:
        done = run([*command, "--progress-spinner", "off", "--timeout", "10"], timeout=AUDIT_SECONDS)
        report = json.loads(done.stdout[done.stdout.index('{"dependencies"') :].splitlines()[0])
    except (subprocess.TimeoutExpired, ValueError):
        return away
    looked_at = [each for each in report["dependencies"] if "skip_reason" not in each]
    if not looked_at:
        return away
    found = [
        f"{each['name']} {each['version']}: {flaw['id']}, repaired in {', '.join(flaw['fix_versions']) or 'no version'}"
        for each in looked_at
        for flaw in each["vulns"]
    ]
    return Verdict(
        passed=not found, words="\n".join(found), note=f"{len(looked_at)} of {len(report['dependencies'])} packages"
    )


CHECKS: dict[str, Check] = {
    "types (mypy)": program("mypy"),
    "style (ruff check)": program("ruff", "check", ".", "--output-format", "concise"),
    "layout (ruff format)": program("ruff", "format", "--check", ".", "--output-format", "concise"),
    "who imports whom (import-linter)": program("lint-imports", "--no-logo"),
    "templates (djlint)": program("djlint", "templates", "--lint", "--quiet"),
    "doors (sh -n)": program("sh", "-nc", "for door in bin/[a-z_]* .ci/run; do sh -n $door || exit; done"),
    "settings and API schema (check)": django("check", "--deploy", "--fail-level", "WARNING"),
    "migrations (makemigrations)": django("makemigrations", "--check", "--dry-run"),
    "translations (bin.messages)": program(sys.executable, "-m", "bin.messages", "check"),
    "no registry named": no_registry,
    "length of files": short_files,
    "known vulnerabilities (pip-audit)": audit,
}


def main() -> int:
    """1 if any check failed."""
    failed = []
    width = max(map(len, CHECKS))
    with ThreadPoolExecutor(max_workers=os.cpu_count()) as pool:
        for name, verdict in zip(CHECKS, pool.map(lambda check: check(), CHECKS.values()), strict=True):
            print(f"{name:{width}}  {'ok' if verdict.passed else 'FAILED'}  {verdict.note}".rstrip(), flush=True)
            if not verdict.passed:
                failed.append(name)
                print("".join(f"    {line}\n" for line in verdict.words.strip().splitlines()), flush=True)
    print(
        f"{len(failed)} of {len(CHECKS)} checks failed: {', '.join(failed)}"
        if failed
        else f"all {len(CHECKS)} checks passed"
    )
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
