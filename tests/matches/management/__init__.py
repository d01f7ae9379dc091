"""What the shell commands of matches do."""
