"""How the house is: one word for whoever watches from outside, every part of it for those who organise here."""

from __future__ import annotations

from typing import Final

from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from tournaments.queries import desk
from tournaments.queries.health import Condition, Health, Job, Part, health
from tournaments.views.desk_page import page

_STATUS: Final = {Condition.WELL: 200, Condition.LATE: 200, Condition.AWAY: 503}
_MARKS: Final = {Condition.WELL: "done", Condition.LATE: "late", Condition.AWAY: "late"}


@require_safe
def show(request: HttpRequest) -> HttpResponse:
    """`well`, `late` or `away` as plain text, 503 with the last; to a signed-in organiser the page with the details."""
    found = health(now=timezone.now())
    status = _STATUS[found.condition]
    if not _may_know(request):
        response = HttpResponse(f"{found.condition}\n", content_type="text/plain; charset=utf-8", status=status)
        response["Cache-Control"] = "no-store"
        return response
    context = {
        "here": "health",
        "title": _title(found),
        "parts": [_part(part) for part in found.parts],
        "jobs": [_job(job) for job in found.jobs],
        "queued": found.queued,
    }
    return page(request, "tournaments/desk/health.html", context, status=status)


def _may_know(request: HttpRequest) -> bool:
    account = request.user
    return account.is_authenticated and desk.events_of(account=account).filter(is_demo=False).exists()


def _title(found: Health) -> str:
    return {
        Condition.WELL: _("All is well"),
        Condition.LATE: _("Something is behind"),
        Condition.AWAY: _("Something is away"),
    }[found.condition]


def _part(part: Part) -> dict[str, object]:
    name, why = {
        "database": (_("Database"), _("What was answered is kept there.")),
        "redis": ("Redis", _("Carries work to the worker and news to pages; what is answered never depends on it.")),
        "worker": (_("Worker"), _("Counts standings and sends mail. Results are taken without it.")),
        "clock": (_("Clock"), _("Sends the worker what is due and what a lost message left behind.")),
    }[part.key]
    state = {
        Condition.WELL: _("works"),
        Condition.LATE: _("says nothing any more"),
        Condition.AWAY: _("is away") if part.key in ("database", "redis") else _("has not been heard of"),
    }[part.condition]
    since = part.seen_at if part.condition is Condition.LATE else None
    return {"name": name, "why": why, "state": state, "mark": _MARKS[part.condition], "since": since}


def _job(job: Job) -> dict[str, object]:
    name = {
        "standings": _("Results to count"),
        "imports": _("Lists to bring in"),
        "mails": _("Mails to send"),
        "links": _("Links to sign in, to send"),
    }[job.key]
    state = _("nothing waits") if not job.count else _("waits too long") if job.is_late else _("on its way")
    mark = "late" if job.is_late else "wait" if job.count else "done"
    return {"name": name, "count": job.count, "state": state, "mark": mark, "since": job.since}
