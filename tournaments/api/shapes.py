"""What the API answers with, field by field. No address of a player and no secret but a helper's link is among them."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

Shape = serializers.Serializer[Any]


class WordsShape(Shape):
    """A fact for people: a code and its parameters for programs, a sentence in the reader's language."""

    code = serializers.CharField()
    params = serializers.DictField()
    text = serializers.CharField()


class FieldErrorShape(Shape):
    """One thing that is wrong with what was sent, and where."""

    pointer = serializers.CharField(help_text="A JSON pointer into the body.")
    code = serializers.CharField()
    detail = serializers.CharField()


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
    cut = serializers.IntegerField(allow_null=True, help_text="How many are to play on, of each group where there are.")
    players = serializers.IntegerField(help_text="On the roster; since the start those who take part.")
    started_at = serializers.DateTimeField(allow_null=True)
    finished_at = serializers.DateTimeField(allow_null=True)
    version = serializers.CharField(help_text="Changes whenever anything its public pages show has changed.")
    next = NextStepShape(allow_null=True, help_text="For organisers only.")


class NamedShape(Shape):
    """A player as every page names them: the same names told apart."""

    id = serializers.IntegerField(help_text="The entry.")
    name = serializers.CharField(source="display_name")


class EntryShape(Shape):
    """A player on a roster."""

    id = serializers.IntegerField()
    name = serializers.CharField()
    mark = serializers.CharField(help_text="What tells the same name apart from another; empty for most.")
    city = serializers.CharField()
    club = serializers.CharField()
    rating = serializers.IntegerField(allow_null=True)
    hand_seed = serializers.IntegerField(allow_null=True)
    seed = serializers.IntegerField(allow_null=True, help_text="The place in the seeding order, since the start.")
    checked_in_at = serializers.DateTimeField(allow_null=True)
    status = serializers.CharField()
    since = serializers.IntegerField(help_text="The first round they may be paired in.")
    asked = serializers.ListField(
        child=serializers.ListField(), help_text="Rounds they asked not to play in: [[3, `half`]]."
    )


class RegisteredShape(Shape):
    """A player who registered. `token` and `url` are their own secret."""

    id = serializers.IntegerField(help_text="The entry.")
    name = serializers.CharField()
    status = serializers.CharField(help_text="active: has a place; waiting: waits for one.")
    place = serializers.IntegerField(allow_null=True, help_text="On the waiting list, from 1.")
    token = serializers.CharField()
    url = serializers.URLField(help_text="The player's own page.")


class CountShape(Shape):
    """How many were touched."""

    count = serializers.IntegerField()


class ImportProblemShape(WordsShape):
    """Why a row cannot be taken; line 0 is the whole list."""

    line = serializers.IntegerField()


class ImportRowShape(Shape):
    """One row as it was understood."""

    line = serializers.IntegerField()
    name = serializers.CharField()
    city = serializers.CharField()
    club = serializers.CharField()
    rating = serializers.IntegerField(allow_null=True)


class ImportShape(Shape):
    """A list as it was read, and how far it has come: preview, waiting, done or refused."""

    id = serializers.IntegerField()
    filename = serializers.CharField()
    state = serializers.CharField()
    read_as = serializers.DictField(help_text="What kind of file it was, and which columns were understood.")
    row_count = serializers.IntegerField()
    rows = ImportRowShape(many=True, help_text="The first of them.")
    problems = ImportProblemShape(many=True)
    added = serializers.IntegerField(help_text="In a preview: how many would be.")
    already_there = serializers.IntegerField()
    done_at = serializers.DateTimeField(allow_null=True)


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

    def get_fields(self) -> dict[str, Any]:
        # A serializer has `errors` of its own, so this one cannot be declared as an attribute.
        errors = FieldErrorShape(many=True, required=False, help_text="Of `invalid`: what is wrong where.")
        return {**super().get_fields(), "errors": errors}


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


class RoundsShape(Shape):
    """The rounds, in order."""

    version = serializers.CharField()
    results = RoundShape(many=True)


class PageShape(Shape):
    """One page of a list in a stable order."""

    count = serializers.IntegerField()
    next = serializers.URLField(allow_null=True)
    previous = serializers.URLField(allow_null=True)


class EventsPageShape(PageShape):
    """Events, the newest first."""

    results = EventLineShape(many=True)


class EntriesPageShape(PageShape):
    """Entries, in the order they came."""

    results = EntryShape(many=True)


class PairingsPageShape(PageShape):
    """Pairings, by round and number."""

    version = serializers.CharField()
    results = PairingShape(many=True)


class ValueShape(Shape):
    """A tie-break, exactly."""

    key = serializers.CharField()
    name = serializers.CharField()
    exact = serializers.CharField(help_text='A whole number or a fraction: "27", "5/7".')
    decimal = serializers.CharField(help_text="The same rounded to four places.")


class StandingShape(Shape):
    """A row of the ranking, and why it stands there. In groups `rank` is among all, `place` in the group."""

    rank = serializers.IntegerField()
    shared = serializers.BooleanField()
    entry = NamedShape()
    points = serializers.IntegerField()
    wins = serializers.IntegerField()
    ties = serializers.IntegerField()
    losses = serializers.IntegerField()
    byes = serializers.IntegerField()
    sets_won = serializers.IntegerField()
    sets_lost = serializers.IntegerField()
    values = ValueShape(many=True)
    reason = WordsShape()
    group = serializers.CharField(allow_null=True, help_text="The letter of the group played in: A, B …")
    place = serializers.IntegerField(allow_null=True, help_text="The place in the group.")
    prospect = serializers.CharField(
        help_text="Whether they play on when the tournament's `cut` do. While results are missing `certain`, whatever"
        " comes, `possible`, or `out`; of a finished tournament `through`, `out`, or `level` at the line. Empty without"
        " a cut.",
    )


class StandingsPageShape(PageShape):
    """The ranking as it was last worked out, labelled with what it includes."""

    version = serializers.CharField()
    round = serializers.IntegerField(help_text="The last round they include; 0 before the first result.")
    round_name = serializers.CharField()
    open = serializers.IntegerField(help_text="Matches up to that round that were still open.")
    behind = serializers.IntegerField(help_text="Changes that are not worked in yet.")
    is_final = serializers.BooleanField()
    refreshed_at = serializers.DateTimeField(allow_null=True)
    results = StandingShape(many=True)


class BracketSideShape(Shape):
    """One side of a match: a player, nobody for good (`void`), or not known yet."""

    entry = NamedShape(allow_null=True)
    void = serializers.BooleanField()
    bye = serializers.BooleanField(help_text="Whether they came here without a match.")
    sets = serializers.IntegerField(allow_null=True)
    won = serializers.BooleanField()


class BracketMatchShape(Shape):
    """One place of the bracket."""

    number = serializers.IntegerField()
    a = BracketSideShape()
    b = BracketSideShape()
    table = serializers.IntegerField(allow_null=True)
    match = MatchShape(allow_null=True)


class BracketRoundShape(Shape):
    """A column of the bracket."""

    number = serializers.IntegerField()
    name = serializers.CharField()
    part = serializers.CharField(
        help_text="Of a double elimination: winners, losers, or final. Empty where there is one tree.",
    )
    matches = BracketMatchShape(many=True)


class BracketShape(Shape):
    """The bracket, decided or not; no rounds where the format has none or nothing is published."""

    version = serializers.CharField()
    rounds = BracketRoundShape(many=True)


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


class StaffLinkShape(Shape):
    """A helper's link. `token` is the secret: `Authorization: Link …`, null once revoked."""

    id = serializers.IntegerField()
    role = serializers.CharField()
    name = serializers.CharField()
    tournament = serializers.IntegerField(allow_null=True)
    tables = serializers.ListField(child=serializers.IntegerField())
    expires_at = serializers.DateTimeField()
    revoked_at = serializers.DateTimeField(allow_null=True)
    token = serializers.CharField(allow_null=True)
    url = serializers.URLField(allow_null=True)


class CallerShape(Shape):
    """Who you are here: role is account, player, or a helper's; null or empty is not narrowed."""

    role = serializers.CharField()
    name = serializers.CharField()
    event = serializers.IntegerField(allow_null=True)
    tournament = serializers.IntegerField(allow_null=True)
    tables = serializers.ListField(child=serializers.IntegerField())
    expires_at = serializers.DateTimeField(allow_null=True)
    entry = serializers.IntegerField(allow_null=True, help_text="The player whose own link asks.")


class StaffLinksPageShape(PageShape):
    """Links of an event, the oldest first."""

    results = StaffLinkShape(many=True)


class TokenShape(Shape):
    """A token for scripts. `hint` are its first characters."""

    id = serializers.IntegerField()
    name = serializers.CharField()
    hint = serializers.CharField()
    account = serializers.CharField(help_text="Whom it acts as.")
    created_at = serializers.DateTimeField()
    revoked_at = serializers.DateTimeField(allow_null=True)


class NewTokenShape(TokenShape):
    """A token as it is told this once."""

    token = serializers.CharField(help_text="The secret: `Authorization: Bearer …`. It is nowhere to be seen again.")


class TokensPageShape(PageShape):
    """Tokens of an event, the oldest first."""

    results = TokenShape(many=True)


class TournamentsPageShape(PageShape):
    """Tournaments of an event, the oldest first."""

    results = TournamentLineShape(many=True)


class ImportsPageShape(PageShape):
    """Lists of a tournament, the newest first."""

    results = ImportShape(many=True)


class RoundsPageShape(PageShape):
    """The rounds, in order."""

    version = serializers.CharField()
    results = RoundShape(many=True)


class SeedsShape(Shape):
    """The order by hand, from the best down."""

    order = serializers.ListField(child=serializers.IntegerField())


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


class MeetingShape(Shape):
    """A round of one player, from their side."""

    round = serializers.IntegerField()
    round_name = serializers.CharField()
    table = serializers.IntegerField(allow_null=True)
    side = serializers.CharField(help_text="Which side of the match you are: a or b. Side a opens the first set.")
    opponent = NamedShape(allow_null=True)
    bye = serializers.CharField(allow_null=True, help_text="Why there is no opponent: given, full, half or zero.")
    due_at = serializers.DateTimeField(allow_null=True, help_text="When to sit there, where that is known.")
    is_here = serializers.BooleanField(help_text="Whether you said that you sit there.")
    opponent_is_here = serializers.BooleanField()
    outcome = serializers.CharField(help_text="won, lost, tied, none (neither came), or empty while it is open.")
    match = MatchShape(allow_null=True)


class MeetingsPageShape(PageShape):
    """The rounds of one player, the first one first."""

    results = MeetingShape(many=True)


class NoticeShape(Shape):
    """Something a player was told and that is still so."""

    kind = serializers.CharField(help_text="Stable, for programs.")
    at = serializers.DateTimeField()
    params = serializers.DictField()
    text = serializers.CharField()


class OwnShape(Shape):
    """Everything one player asks about."""

    id = serializers.IntegerField(source="entry.pk")
    name = serializers.CharField(source="entry.staff_name")
    tournament = serializers.IntegerField()
    state = serializers.CharField(
        help_text="waiting, gone, registered, checking_in, here, left_out, withdrawn, disqualified, playing, finished."
    )
    waiting_place = serializers.IntegerField(allow_null=True)
    email = serializers.CharField()
    city = serializers.CharField()
    club = serializers.CharField()
    is_shown = serializers.BooleanField()
    language = serializers.CharField()
    current = MeetingShape(allow_null=True, help_text="The match to play now.")
    asked_at = serializers.DateTimeField(allow_null=True, help_text="When the referee is asked about who is missing.")
    rank = serializers.IntegerField(allow_null=True)
    points = serializers.IntegerField(allow_null=True)
    reason = WordsShape(allow_null=True)
    notices = NoticeShape(many=True)
    version = serializers.CharField()
