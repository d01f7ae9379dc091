"""How often one network may ask for what costs something and needs nobody's word."""

from __future__ import annotations

from axes.helpers import get_client_ip_address
from django.utils import timezone
from rest_framework.request import Request
from rest_framework.response import Response

from players.permissions import Refused
from tournaments.actions.throttle import seconds_to_wait
from tournaments.api.problems import Problem, problem

TOO_MANY = 429


def too_often(request: Request, kind: str) -> Response | None:
    """The answer to who asks for this kind of thing too often, and when they may again; None for everybody else."""
    wait = seconds_to_wait(kind=kind, address=get_client_ip_address(request) or "", now=timezone.now())
    if not wait:
        return None
    code = "too_often" if kind == "register" else "asked_too_often"
    answer = problem(Problem(Refused(code, {"minutes": -(-wait // 60)}, status=TOO_MANY)), {})
    answer = answer or Response(status=TOO_MANY)
    answer["Retry-After"] = str(wait)
    return answer
