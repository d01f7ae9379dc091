"""Lines of the log, without what would let their reader in: the secret part of private links and codes."""

import logging
import re

_SECRET = re.compile(
    r"(?<=/)((?:s|p|practice|sign-in/link)/[0-9]{1,19}-|welcome/|e/[0-9]{1,19}/tables/[0-9]{1,19}/)[^/\s?'\"]+"
)


class LineFormatter(logging.Formatter):
    """A record as a line, its traceback included. Whose link it was can still be told, by its number."""

    def format(self, record: logging.LogRecord) -> str:
        return _SECRET.sub(r"\1…", super().format(record))
