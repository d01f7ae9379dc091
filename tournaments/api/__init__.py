"""The API under /api/: the same actions and queries as the pages, for scripts and helpers' devices."""

from tournaments.api.auth import TokenAuthentication
from tournaments.api.problems import problem

__all__ = ["TokenAuthentication", "problem"]
