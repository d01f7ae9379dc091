"""ORDER: events, entries, rounds, standings; knows matches and players."""
