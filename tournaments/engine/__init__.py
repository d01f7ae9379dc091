"""How tournaments work: pure functions of a snapshot, without Django, clock, chance or words."""
