"""WHO: accounts, players, and the log of everything anybody did."""
