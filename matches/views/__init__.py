"""Pages of matches: the table as each person may see it, practice and replay."""
