"""Facts that travel."""

from django.dispatch import Signal

link_asked_for = Signal()  # link: the id of a mailed link that waits to be sent
