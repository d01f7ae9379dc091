"""Everything that writes, one verb a function, one module a noun."""
