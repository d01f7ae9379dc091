"""Acts, each with what goes before it, for the test that it is one line in the log."""
