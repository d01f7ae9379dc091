"""Journeys: a real browser, a real worker, a real Redis, started as everybody starts them."""
