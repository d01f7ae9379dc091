"""What the shell commands of tournaments do."""
