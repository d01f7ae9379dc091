"""Measurements anyone can repeat; a new one is a module here and its name in BENCHES.

A module has one function, `run() -> dict[str, float]`. A ratio is told by its two sides, `x.ours` and `x.theirs`, in
one unit of which less is better; `python -m bench` adds `x.ratio`, theirs divided by ours. Other names stand alone.
"""

BENCHES: tuple[str, ...] = ("pazaak", "plan", "play", "schedule", "standings", "swiss", "web")
