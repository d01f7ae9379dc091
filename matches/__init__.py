"""PLAY: matches and their results; knows players, not tournaments."""
