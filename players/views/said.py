"""How this app's pages say that something was refused."""

from players.permissions import Refused
from players.words import REFUSALS


def refusal_words(refused: Refused) -> str:
    """The sentence for a refusal of this app."""
    return str(REFUSALS[refused.code]) % refused.params
