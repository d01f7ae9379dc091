"""Answers to a device that keeps what it could not send: what was taken, or why it was not, as JSON."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from matches.models import Submission


def wants_json(request: HttpRequest) -> bool:
    """Whether a device's queue asks, which shows the answer itself."""
    return request.get_preferred_type(["text/html", "application/json"]) == "application/json"


def taken(submission: Submission) -> dict[str, Any]:
    """What was taken, the same however often it is asked for with one key."""
    return {
        "match": submission.match_id,
        "number": submission.number,
        "kind": submission.kind,
        "sets": [submission.sets_a, submission.sets_b],
        "winner": submission.winner,
        "at": submission.at.isoformat(),
    }


def problem(code: str, detail: str, status: int) -> HttpResponse:
    """Why it was not taken, as RFC 9457 says it; `detail` is for people."""
    body = {
        "type": f"urn:cantina:problem:{code}",
        "title": _("This was not done"),
        "status": int(status),
        "detail": detail,
        "code": code,
    }
    response = JsonResponse(body, status=status, content_type="application/problem+json")
    response["Content-Language"] = get_language() or ""
    return response
