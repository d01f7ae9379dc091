"""Pages: each view checks the object, reads a form, makes one call and answers."""
