"""Stories of pages."""
