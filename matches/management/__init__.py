"""The shell commands of matches."""
