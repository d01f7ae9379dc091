"""Tests of `matches`: the rules of pazaak, matches and their results, the shell."""
