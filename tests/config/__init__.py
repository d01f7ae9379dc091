"""Tests of the project: its doors to the web and what stands in front of every page."""
