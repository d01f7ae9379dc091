"""How often one network may do the same thing: generous, for a whole hall is one, and open when the cache is away."""

from __future__ import annotations

from datetime import datetime

from django.core.cache import cache

SECONDS = 600
TIMES = 60


def seconds_to_wait(*, kind: str, address: str, now: datetime) -> int:
    """Count one more try of this `kind` from an address; 0 while it is within `TIMES` in `SECONDS`.

    Otherwise how long until the next one counts anew.
    """
    since = int(now.timestamp())
    key = f"throttle:{kind}:{address}:{since // SECONDS}"
    cache.add(key, 0, SECONDS)
    try:
        tries = cache.incr(key)
    except ValueError:  # the cache is away, or has just let go of it
        return 0
    return SECONDS - since % SECONDS if tries is not None and tries > TIMES else 0
