"""The files every page loads, and their scripts in a real browser."""
