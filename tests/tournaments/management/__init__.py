"""What the machinery behind the shell commands does."""
