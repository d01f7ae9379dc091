"""Signing in and out, the first organiser's welcome, and keeping what was typed when a session ran out."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode, urlsplit

from django.contrib.auth import login
from django.contrib.auth.views import LoginView
from django.core import signing
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from players.actions import open_house
from players.forms import SignInForm, WelcomeForm

_HELD_SALT = "players.held"
_HELD_AGE = 60 * 60  # seconds a typed form is kept while somebody signs in
_HELD_SIZE = 100_000  # characters; a longer form is an import, and its file cannot be kept anyway

_FIELDS = {
    "result": _("Result"),
    "loser_sets": _("Sets won by the one who gave up"),
    "why": _("Why"),
    "name": pgettext_lazy("of a person", "Name"),
    "email": _("Address"),
    "city": _("City"),
    "club": _("Club"),
    "rating": _("Rating"),
    "place": _("Place"),
    "zone": _("Time zone"),
    "starts_on": _("First day"),
    "ends_on": _("Last day"),
    "tables": _("Tables"),
}
"""Fields people type into, by their name in the form: what they are called when they are shown again."""
_VALUES = {
    "walkover_a": _("The first player wins, the other did not come"),
    "walkover_b": _("The second player wins, the other did not come"),
    "forfeit_a": _("The first player wins, the other gave up"),
    "forfeit_b": _("The second player wins, the other gave up"),
    "double_no_show": _("Neither came"),
}


def _hold(request: HttpRequest) -> str:
    """What was posted, signed, so that it can be shown again after signing in; "" when there is nothing to keep.

    A form with a password is not kept; of the sign-in form only the form that is kept inside it.
    """
    if request.method != "POST":
        return ""
    if "password" in request.POST:
        return request.POST.get("held", "")
    fields = [
        (name, value) for name, values in request.POST.lists() if name != "csrfmiddlewaretoken" for value in values
    ]
    held = signing.dumps({"path": request.get_full_path(), "fields": fields}, salt=_HELD_SALT, compress=True)
    return held if len(held) <= _HELD_SIZE else ""


def _held(text: str) -> dict[str, Any] | None:
    try:
        found = signing.loads(text, salt=_HELD_SALT, max_age=_HELD_AGE)
    except signing.BadSignature:
        return None
    return found if isinstance(found, dict) else None


def _show_held(request: HttpRequest, held: dict[str, Any], *, status: int = 200) -> HttpResponse:
    """What was typed, to be looked at and sent again with one button."""
    typed = [(_FIELDS[name], _VALUES.get(value, value)) for name, value in held["fields"] if value and name in _FIELDS]
    return render(request, "players/held.html", {"held": held, "typed": typed}, status=status)


class SignIn(LoginView):
    """The sign-in page. A form that was sent without a session is kept and offered again afterwards."""

    form_class = SignInForm
    template_name = "players/sign_in.html"
    redirect_authenticated_user = True

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        # Signed in meanwhile, in another tab: the kept form must not be lost on the way to the desk.
        if request.user.is_authenticated and (held := _held(request.POST.get("held", ""))):
            return _show_held(request, held)
        return super().dispatch(request, *args, **kwargs)

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        return super().get_context_data(held=self.request.POST.get("held", ""), **kwargs)

    def form_valid(self, form: Any) -> HttpResponse:
        response = super().form_valid(form)
        if held := _held(self.request.POST.get("held", "")):
            return _show_held(self.request, held)
        return response


def ask_to_sign_in(request: HttpRequest) -> HttpResponse:
    """The sign-in page in place of a page that needs an account; a posted form is kept inside it."""
    if request.method in ("GET", "HEAD"):
        return redirect(f"{reverse('sign_in')}?{urlencode({'next': request.get_full_path()})}")
    context = {"form": SignInForm(request), "held": _hold(request), "next": ""}
    return render(request, "players/sign_in.html", context, status=401)


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    """A form whose token ran out (another tab signed in again): nothing typed is lost, one button sends it again.

    Only for a form that really came from our own pages: the browser says so in Origin.
    """
    origin = request.headers.get("Origin", "")
    is_ours = (
        bool(origin)
        and url_has_allowed_host_and_scheme(origin, {request.get_host()})
        and urlsplit(origin).netloc == request.get_host()
    )
    held = _held(_hold(request)) if is_ours else None
    if held is not None and request.user.is_authenticated:
        return _show_held(request, held, status=403)
    if held is not None or (is_ours and request.path == reverse("sign_in")):
        return ask_to_sign_in(request)
    said = {
        "title": _("This form is too old"),
        "text": _(
            "It was opened before you last signed in or out. Go back, load the page again and send it from there."
        ),
    }
    return render(request, "message.html", said, status=403)


def locked_out(request: HttpRequest, *_args: Any, **_kwargs: Any) -> HttpResponse:
    """Too many wrong passwords: when to come back."""
    said = {
        "title": _("Too many wrong passwords"),
        "text": _("Nobody can sign in to this account from here for a quarter of an hour. Then try again."),
    }
    response = render(request, "message.html", said, status=429)
    response["Retry-After"] = "900"
    return response


def welcome(request: HttpRequest) -> HttpResponseBase:
    """Where the one-time link of the first start leads. The caller has checked the link."""
    form = WelcomeForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        account = open_house(
            email=form.cleaned_data["email"],
            password=form.cleaned_data["password"],
            name=form.cleaned_data["name"],
            now=timezone.now(),
        )
        if account is None:
            return redirect("sign_in")
        login(request, account, backend="django.contrib.auth.backends.ModelBackend")
        return redirect("desk")
    return render(request, "players/welcome.html", {"form": form})
