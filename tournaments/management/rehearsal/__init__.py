"""A whole event played against a running server over HTTP, and checked: what stands behind `manage.py rehearse`."""
