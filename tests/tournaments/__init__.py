"""Tests of tournaments, laid out like the app."""
