"""Everything that reads, one noun a module; plain rows out, nothing written."""
