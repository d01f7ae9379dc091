"""The log of an event: who did what to what, when and why."""

from __future__ import annotations

from typing import Any

from rest_framework.request import Request
from rest_framework.response import Response

from tournaments.api.access import View, event_for
from tournaments.api.answers import page
from tournaments.api.operation import PAGE, TOURNAMENT, VERB, operation
from tournaments.api.reading import number_in
from tournaments.api.shapes import LogPageShape
from tournaments.api.texts import plain
from tournaments.queries import desk
from tournaments.queries.log import LogLine, log_lines
from tournaments.words.acts import act_text, target_text


class Log(View):
    """Everything done in an event."""

    @operation("list_acts", "The log, the newest first", answer=LogPageShape, parameters=[*PAGE, TOURNAMENT, VERB])
    def get(self, request: Request, pk: int) -> Response:
        event, _actor = event_for(request, pk, "see_log")
        acts = desk.log_of(event=event)
        if (tournament := number_in(request, "tournament")) is not None:
            acts = acts.filter(tournament=tournament)
        if (verb := request.query_params.get("verb")) is not None:
            acts = acts.filter(verb=verb.replace("\0", ""))
        return page(self, request, acts, LogPageShape, _row, rows_of=lambda found: log_lines(event=event, acts=found))


def _row(line: LogLine) -> dict[str, Any]:
    act = line.act
    text = act_text(verb=act.verb, what=target_text(line), before=act.before, after=act.after)
    facts = ("id", "at", "verb", "role", "who", "tournament", "target", "before", "after", "why")
    return {name: getattr(act, name) for name in facts} | {"text": plain(text)}
