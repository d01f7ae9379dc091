"""Events and tournaments as the API tells them, their log and their files."""

from __future__ import annotations

from rest_framework import serializers

from tournaments.api.shapes.base import PageShape, Shape, WordsShape


class TournamentLineShape(Shape):
    """A tournament in a list."""

    id = serializers.IntegerField()
    name = serializers.CharField()
    format = serializers.CharField()
    state = serializers.CharField()
    url = serializers.URLField(help_text="Its public page.")


class EventLineShape(Shape):
    """An event in a list."""

    id = serializers.IntegerField()
    name = serializers.CharField()
    place = serializers.CharField()
    zone = serializers.CharField(help_text="An IANA name.")
    starts_on = serializers.DateField()
    ends_on = serializers.DateField()
    is_demo = serializers.BooleanField()
    url = serializers.URLField(help_text="Its public page.")


class EventShape(EventLineShape):
    """An event with its tournaments."""

    rest_minutes = serializers.IntegerField(help_text="What every player has between two matches at least.")
    tournaments = TournamentLineShape(many=True)


class BlockerShape(WordsShape):
    """What the next step waits for, or something to know before it."""

    stops = serializers.BooleanField(help_text="Whether the step cannot be done while this stands.")


class NextStepShape(Shape):
    """The one act that moves the tournament on."""

    act = serializers.CharField()
    params = serializers.DictField()
    blockers = BlockerShape(many=True)


class PointsShape(Shape):
    """What an outcome is worth."""

    win = serializers.IntegerField()
    tie = serializers.IntegerField()
    loss = serializers.IntegerField()
    bye = serializers.IntegerField()


class TournamentShape(TournamentLineShape):
    """A tournament with everything that was settled for it."""

    event = serializers.IntegerField()
    ruleset = serializers.CharField()
    options = serializers.DictField(help_text="The format's own.")
    tiebreaks = serializers.ListField(child=serializers.CharField())
    points = PointsShape()
    allows_tie = serializers.BooleanField()
    seeding = serializers.CharField()
    first_table = serializers.IntegerField()
    registration = serializers.BooleanField(help_text="Whether players register themselves.")
    registration_opens_at = serializers.DateTimeField(allow_null=True)
    registration_closes_at = serializers.DateTimeField(allow_null=True)
    capacity = serializers.IntegerField(allow_null=True, help_text="Beyond it people wait.")
    promotes_late = serializers.BooleanField()
    self_check_in = serializers.BooleanField()
    players_report = serializers.BooleanField()
    report_minutes = serializers.IntegerField()
    unanswered = serializers.CharField()
    second_confirms = serializers.BooleanField()
    no_show_minutes = serializers.IntegerField(allow_null=True)
    starts_at = serializers.DateTimeField(allow_null=True, help_text="The first match begins no earlier.")
    seating = serializers.CharField(help_text="How matches come to tables: `rounds` or `queue`.")
    match_minutes = serializers.IntegerField(help_text="What the plan counts with until the day tells.")
    call_minutes = serializers.IntegerField(
        allow_null=True, help_text="How long who is called has to say that they come; null: nobody is asked."
    )
    round_minutes = serializers.IntegerField(allow_null=True, help_text="How long the clock of a round runs.")
    at_time = serializers.CharField(help_text="What happens when it is over: `finish_set`, `sudden_death` or `tie`.")
    cut = serializers.IntegerField(allow_null=True, help_text="How many are to play on, of each group where there are.")
    players = serializers.IntegerField(help_text="On the roster; since the start those who take part.")
    started_at = serializers.DateTimeField(allow_null=True)
    finished_at = serializers.DateTimeField(allow_null=True)
    version = serializers.CharField(help_text="Changes whenever anything its public pages show has changed.")
    next = NextStepShape(allow_null=True, help_text="For organisers only.")


class EventsPageShape(PageShape):
    """Events, the newest first."""

    results = EventLineShape(many=True)


class TournamentsPageShape(PageShape):
    """Tournaments of an event, the oldest first."""

    results = TournamentLineShape(many=True)


class ActShape(Shape):
    """One line of the log."""

    id = serializers.IntegerField()
    at = serializers.DateTimeField()
    verb = serializers.CharField(help_text="Stable, for programs.")
    role = serializers.CharField()
    who = serializers.CharField()
    tournament = serializers.IntegerField(allow_null=True)
    target = serializers.CharField(help_text="What it was done to, like `match/12`.")
    before = serializers.DictField()
    after = serializers.DictField()
    why = serializers.CharField()
    text = serializers.CharField(help_text="The act as a sentence, in the language asked for.")


class LogPageShape(PageShape):
    """The log, the newest first."""

    results = ActShape(many=True)


class ExportShape(Shape):
    """A file to take away."""

    sheet = serializers.CharField()
    kind = serializers.CharField()
    media_type = serializers.CharField()
    url = serializers.URLField()


class ExportsShape(Shape):
    """The files of a tournament."""

    results = ExportShape(many=True)
