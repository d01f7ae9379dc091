"""What can be asked about matches: plain rows, nothing written."""
