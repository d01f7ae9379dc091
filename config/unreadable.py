"""What is answered to a request nobody can read: too much at once, or in no form a browser sends."""

from django.conf import settings
from django.core.exceptions import BadRequest, RequestDataTooBig, TooManyFieldsSent, TooManyFilesSent
from django.http import HttpRequest, HttpResponse, HttpResponseBase, JsonResponse, parse_cookie
from django.shortcuts import render
from django.utils.translation import get_language_from_request, override
from django.utils.translation import gettext as _

from config.middleware import GetResponse, content_security_policy

_TOO_LARGE = (RequestDataTooBig, TooManyFieldsSent, TooManyFilesSent)
_FORMS = ("application/x-www-form-urlencoded", "multipart/form-data")


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """The answer in place of a bare 400 (Django's `handler400`): 413 for too much, a problem for whoever reads JSON."""
    is_large = isinstance(exception, _TOO_LARGE)
    status = 413 if is_large else 400
    if is_large:
        title = _("This is too much to take at once")
        text = _(
            "A form may hold %(megabytes)s MB of text, and this one held more, so nothing of it was read or kept."
            " Go back: most browsers still show what you typed. Shorten it, or send it in parts; a long list goes in as"
            " a file."
        ) % {"megabytes": settings.DATA_UPLOAD_MAX_MEMORY_SIZE // 2**20}
    else:
        title = _("This cannot be read")
        text = _(
            "What your browser sent is broken or incomplete, and nothing of it was kept. Go back, load the page again"
            " and send it from there."
        )
    if _is_for_program(request):
        code = "too_large" if is_large else "malformed"
        facts = {"title": title, "status": status, "detail": text, "code": code, "params": {}}
        response: HttpResponse = JsonResponse(
            {"type": f"urn:cantina:problem:{code}", **facts}, status=status, content_type="application/problem+json"
        )
    else:
        response = render(request, "message.html", {"title": title, "text": text}, status=status)
    response["Cache-Control"] = "private, no-store"
    return response


def _is_for_program(request: HttpRequest) -> bool:
    kinds = ["text/html", "application/json"]
    if request.path.startswith("/api/"):
        kinds.reverse()
    return str(request.get_preferred_type(kinds)) == "application/json"


def too_large(*, path: str, headers: dict[str, str]) -> HttpResponse:
    """The 413 for a request that is not read to its end, in the language its browser asks for."""
    request = HttpRequest()
    request.path = request.path_info = path
    request.META = {f"HTTP_{name.upper().replace('-', '_')}": value for name, value in headers.items()}
    request.COOKIES = parse_cookie(headers.get("cookie", ""))
    with override(get_language_from_request(request)):
        answer = bad_request(request, RequestDataTooBig())
    content_security_policy(lambda _request: answer)(request)
    return answer


def only_utf8(get_response: GetResponse) -> GetResponse:
    """Refuse a form that says it is written in anything but UTF-8: its letters would be others."""

    def middleware(request: HttpRequest) -> HttpResponseBase:
        charset = (request.content_params or {}).get("charset", "utf-8")
        if charset.lower() not in ("utf-8", "utf8") and request.content_type in _FORMS:
            raise BadRequest("a form in another encoding than UTF-8")
        return get_response(request)

    return middleware
