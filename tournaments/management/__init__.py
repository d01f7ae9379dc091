"""Doors for the shell."""
