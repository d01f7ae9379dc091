"""Who may ask what: every address with every method, declared in tables and walked by everybody."""
