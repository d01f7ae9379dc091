"""Rounds, pairings, matches and what is reported of them as the API tells them, and refusals."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from tournaments.api.shapes.base import FieldErrorShape, NamedShape, PageShape, Shape, WordsShape


class MatchShape(Shape):
    """A meeting at the table. `version` rises with each result confirmed, corrected or cleared."""

    id = serializers.IntegerField()
    version = serializers.IntegerField()
    kind = serializers.CharField(help_text="Empty while the match is open.")
    sets = serializers.ListField(child=serializers.IntegerField(), min_length=2, max_length=2)
    winner = serializers.CharField(help_text="a, b, or empty.")


class PairingShape(Shape):
    """Who meets whom. `b` null is a bye, which has no match; a draft has none yet."""

    round = serializers.IntegerField()
    number = serializers.IntegerField()
    table = serializers.IntegerField(allow_null=True)
    a = NamedShape()
    b = NamedShape(allow_null=True)
    bye = serializers.CharField(
        allow_null=True, help_text="Without `b`: `given` by the pairing, or asked for: `full`, `half`, `zero` points."
    )
    match = MatchShape(allow_null=True)
    extra_seconds = serializers.IntegerField(help_text="What this table has beyond the clock of its round.")


class OpenMatchShape(PairingShape):
    """A match that waits for its result, with who said that they come or sit there, and when it began."""

    here_a_at = serializers.DateTimeField(allow_null=True)
    here_b_at = serializers.DateTimeField(allow_null=True)
    called_at = serializers.DateTimeField(allow_null=True, help_text="When it was called to its table from the queue.")
    coming_a_at = serializers.DateTimeField(allow_null=True)
    coming_b_at = serializers.DateTimeField(allow_null=True)
    began_at = serializers.DateTimeField(allow_null=True, help_text="When a referee said that the two play.")


class OpenMatchesPageShape(PageShape):
    """Matches that wait for a result, by round and table."""

    version = serializers.CharField()
    results = OpenMatchShape(many=True)


class NoShowShape(Shape):
    """Somebody who did not come in time to an open match: a proposal."""

    round = serializers.IntegerField()
    table = serializers.IntegerField(allow_null=True)
    absent = NamedShape()
    present = NamedShape()
    seat = serializers.CharField(help_text="Who would win by it: a or b.")
    match = MatchShape(allow_null=True)


class NoShowsPageShape(PageShape):
    """Who did not come in time, by round and table."""

    results = NoShowShape(many=True)


class NotComingShape(Shape):
    """A called match somebody of which did not answer in time."""

    round = serializers.IntegerField()
    table = serializers.IntegerField(allow_null=True)
    called_at = serializers.DateTimeField()
    silent = NamedShape(many=True, help_text="Who said neither that they come nor that they sit there.")
    match = MatchShape(allow_null=True)


class NotComingPageShape(PageShape):
    """Calls without an answer, by round and table."""

    results = NotComingShape(many=True)


class FindingShape(Shape):
    """One thing to know before the start."""

    code = serializers.CharField(help_text="Stable, for programs: too_few, not_here, same_name, no_referee, odd, …")
    params = serializers.DictField()
    stops = serializers.BooleanField(help_text="Whether the start would be refused.")
    entries = NamedShape(many=True, help_text="Whom it is about.")
    note = WordsShape(allow_null=True, help_text="Of `advice`: what the format says.")


class PreflightShape(Shape):
    """What there is to know before the start, what stops it first."""

    is_free = serializers.BooleanField(help_text="Whether nothing stops it.")
    missing = NamedShape(many=True, help_text="Who would be left out.")
    findings = FindingShape(many=True)


class TrialRoundShape(Shape):
    """A round as a start would draw it now."""

    number = serializers.IntegerField()
    name = serializers.CharField()
    pairings = PairingShape(many=True)


class TrialDrawShape(Shape):
    """The rounds a start would draw now."""

    results = TrialRoundShape(many=True)


class ProblemShape(Shape):
    """A refusal, as RFC 9457 says it."""

    type = serializers.CharField()
    title = serializers.CharField()
    status = serializers.IntegerField()
    detail = serializers.CharField(help_text="What to tell a person, in the language asked for.")
    code = serializers.CharField(help_text="Stable, for programs.")
    params = serializers.DictField(help_text="The facts in the sentence. Entries are named by their ids.")
    notes = WordsShape(many=True, required=False, help_text="Of a draft that was not published: what is wrong with it.")
    current = PairingShape(many=True, required=False, help_text="Of a match that is closed or changed: what is now.")
    position = serializers.CharField(required=False, help_text="Of a game: the position that stands.")

    def get_fields(self) -> dict[str, Any]:
        # A serializer has `errors` of its own, so this one cannot be declared as an attribute.
        errors = FieldErrorShape(many=True, required=False, help_text="Of `invalid`: what is wrong where.")
        return {**super().get_fields(), "errors": errors}


class ClockShape(Shape):
    """The clock of a round, by the server's time. It runs on after its end, and nothing happens by itself then."""

    seconds = serializers.IntegerField()
    started_at = serializers.DateTimeField()
    paused_at = serializers.DateTimeField(allow_null=True, help_text="Since when it stands; null while it runs.")
    ends_at = serializers.DateTimeField(allow_null=True, help_text="null while it stands.")
    left_ms = serializers.IntegerField(allow_null=True, help_text="What is left while it stands; null while it runs.")
    version = serializers.IntegerField()


class RoundShape(Shape):
    """A round of the stage. Drafts are shown to organisers only."""

    number = serializers.IntegerField()
    name = serializers.CharField()
    is_draft = serializers.BooleanField()
    is_play_off = serializers.BooleanField(help_text="Extra matches: they count for nothing but a shared place.")
    published_at = serializers.DateTimeField(allow_null=True)
    pairings = serializers.IntegerField()
    open = serializers.IntegerField(help_text="Matches without a result.")
    notes = WordsShape(many=True, help_text="What the format has to say of a draft.")
    clock = ClockShape(allow_null=True, help_text="null until it is started.")


class RoundsShape(Shape):
    """The rounds, in order."""

    version = serializers.CharField()
    results = RoundShape(many=True)


class PairingsPageShape(PageShape):
    """Pairings, by round and number."""

    version = serializers.CharField()
    results = PairingShape(many=True)


class SubmissionShape(Shape):
    """A result as it was told. The ETag of the answer is the version the match has now."""

    id = serializers.IntegerField()
    match = serializers.IntegerField()
    number = serializers.IntegerField(help_text="The how-manieth result told of this match.")
    kind = serializers.CharField()
    sets = serializers.ListField(child=serializers.IntegerField(), min_length=2, max_length=2)
    winner = serializers.CharField()
    seat = serializers.CharField(help_text="a or b for a player's own report, empty for one by staff.")
    waits = serializers.BooleanField(help_text="Whether it counts only once somebody else says the same.")
    at = serializers.DateTimeField()


class WaitingShape(Shape):
    """What was reported of an open match and waits for somebody's word."""

    match = serializers.IntegerField()
    round = serializers.IntegerField()
    table = serializers.IntegerField(allow_null=True)
    state = serializers.CharField(help_text="disputed, unanswered, second, reported; empty when nothing waits.")
    due_at = serializers.DateTimeField(allow_null=True, help_text="When the other player's time to answer ends.")
    reports = SubmissionShape(many=True)


class WaitingPageShape(PageShape):
    """Open matches where something waits."""

    results = WaitingShape(many=True)


class RoundsPageShape(PageShape):
    """The rounds, in order."""

    version = serializers.CharField()
    results = RoundShape(many=True)
