"""Tests of the programs behind the doors."""
