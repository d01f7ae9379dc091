"""What the API answered first to a request that came with a key of its own."""

from __future__ import annotations

from django.db import models


class FirstAnswer(models.Model):
    """The answer to a request that made something, kept for a day so that the same request gets it again.

    `caller` is whose key it is ("token/5", "link/12", "entry/7", "account/3", "" for nobody in particular), `key` the
    SHA-256 of the key and `digest` that of what was asked. `body` can be read only with the key itself and the
    server's own: answers may carry secrets that nothing else stores.
    """

    caller = models.CharField(max_length=40, blank=True)
    key = models.CharField(max_length=64)
    digest = models.CharField(max_length=64)
    status = models.PositiveSmallIntegerField()
    body = models.BinaryField()
    created_at = models.DateTimeField(db_index=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["caller", "key"], name="one_answer_per_key")]

    def __str__(self) -> str:
        return f"{self.status} to {self.caller or 'nobody'}"
