"""Signing in by password, by mail or by passkey; the second step; the first organiser's welcome."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlsplit

from axes.helpers import get_client_ip_address
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.views import LoginView
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from players.actions import mailed, open_house, two_step
from players.forms import MailForm, SignInForm, StepForm, WelcomeForm
from players.models import MailedLink
from players.permissions import Refused, read_mailed
from players.views.entering import enter, keep_for_later, safe_path, sign_in_path, waiting_for_step
from players.views.held import hold, read_held, show_held
from players.views.passkeys import site_of
from players.views.said import refusal_words

_MAILED_TO = "mailed_to"  # in the session


def _ways(request: HttpRequest, *, held: str, next_path: str, mail_form: MailForm | None = None) -> dict[str, Any]:
    """What the sign-in page needs for each way in."""
    return {"held": held, "next": next_path, "mail_form": mail_form or MailForm(), "passkeys": site_of(request)}


class SignIn(LoginView):
    """The sign-in page. A form that was sent without a session is kept and offered again afterwards."""

    form_class = SignInForm
    template_name = "players/sign_in.html"
    redirect_authenticated_user = True

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        # Signed in meanwhile, in another tab: the kept form must not be lost on the way to the desk.
        if request.user.is_authenticated and (held := read_held(request.POST.get("held", ""))):
            return show_held(request, held)
        return super().dispatch(request, *args, **kwargs)

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        context = super().get_context_data(**kwargs)
        return {**context, **_ways(self.request, held=self.request.POST.get("held", ""), next_path=context["next"])}

    def form_valid(self, form: Any) -> HttpResponse:
        held = self.request.POST.get("held", "")
        return enter(self.request, form.get_user(), next_path=self.get_redirect_url(), held=held)


def ask_to_sign_in(request: HttpRequest) -> HttpResponse:
    """The sign-in page in place of a page that needs an account; a posted form is kept inside it."""
    if request.method in ("GET", "HEAD"):
        return redirect(sign_in_path(request.get_full_path()))
    context = {"form": SignInForm(request), **_ways(request, held=hold(request), next_path="")}
    return render(request, "players/sign_in.html", context, status=401)


def code(request: HttpRequest) -> HttpResponseBase:
    """The second step: a code of the app, or a recovery code."""
    waiting = waiting_for_step(request)
    if waiting is None:
        return redirect("sign_in")
    account, next_path = waiting
    form, status = StepForm(request.POST or None), 200
    if request.method == "POST":
        status = 400
        if form.is_valid():
            outcome = two_step.check_code(
                account_id=account.pk, code=form.cleaned_data["step_code"], now=timezone.now()
            )
            if not isinstance(outcome, Refused):
                return enter(request, outcome, next_path=next_path, is_proved_twice=True)
            form.add_error("step_code", refusal_words(outcome))
            status = outcome.status
    return render(request, "players/sign_in_code.html", {"form": form}, status=status)


# --- By mail


def mail(request: HttpRequest) -> HttpResponseBase:
    """Have a link mailed: the answer is the same for every address."""
    if request.method != "POST":
        next_path = safe_path(request, request.GET.get("next", ""))
        return render(request, "players/sign_in_mail.html", _ways(request, held="", next_path=next_path))
    form = MailForm(request.POST)
    held, next_path = request.POST.get("held", ""), safe_path(request, request.POST.get("next", ""))
    status = 400
    if form.is_valid():
        email = form.cleaned_data["email"]
        outcome = mailed.ask_for_link(
            email=email,
            next_path=next_path,
            language=get_language() or settings.LANGUAGE_CODE,
            place=str(get_client_ip_address(request)),
            now=timezone.now(),
        )
        if not isinstance(outcome, Refused):
            keep_for_later(request, held)
            request.session[_MAILED_TO] = email
            return redirect("mail_sent")
        form.add_error("email", refusal_words(outcome))
        status = outcome.status
    context = _ways(request, held=held, next_path=next_path, mail_form=form)
    return render(request, "players/sign_in_mail.html", context, status=status)


@require_safe
def mail_sent(request: HttpRequest) -> HttpResponseBase:
    """Where to look for the link."""
    email = request.session.get(_MAILED_TO)
    if email is None:
        return redirect("sign_in")
    is_logged = settings.EMAIL_BACKEND == "django.core.mail.backends.console.EmailBackend"
    return render(request, "players/mail_sent.html", {"email": email, "is_logged": is_logged})


def mailed_link(request: HttpRequest, token: str) -> HttpResponseBase:
    """Where a mailed link leads: one button signs in, so that a program that looks at mail uses nothing up."""
    now = timezone.now()
    link = read_mailed(token, since=now - mailed.LINK_AGE)
    if link is None:
        return _link_is_over(request)
    if link.used_at is not None:
        if request.user.is_authenticated and request.user.email == link.email:
            return redirect(_after(request, link, is_new=False))  # the button was pressed twice
        return _link_is_over(request)
    if request.method != "POST":
        response = render(request, "players/mailed_link.html", {"link": link})
        response["Cache-Control"] = "private, no-store"
        return response
    outcome = mailed.use_link(link_id=link.pk, now=now)
    if isinstance(outcome, Refused):
        return _link_is_over(request, outcome)
    if outcome.had_password:
        messages.info(
            request,
            _(
                "Your address is proved now. The password and the passkeys from before are gone, for somebody else"
                " might have made them: set new ones under “Account”."
            ),
        )
    return enter(request, outcome.account, next_path=_after(request, link, is_new=outcome.is_new))


def _after(request: HttpRequest, link: MailedLink, *, is_new: bool) -> str:
    """Where a mailed link leads: on the way somebody was; else a new account to its events, an old one to its desk."""
    return safe_path(request, link.next) or reverse("my_events" if is_new else settings.LOGIN_REDIRECT_URL)


def _link_is_over(request: HttpRequest, refused: Refused | None = None) -> HttpResponse:
    refused = refused or Refused("link_used", status=404)
    said = {
        "title": _("This link works no more"),
        "text": refusal_words(refused),
        "acts": [{"text": _("Sign in"), "kind": "main", "href": reverse("sign_in")}],
    }
    return render(request, "message.html", said, status=refused.status)


# --- What goes wrong on the way


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
    held = read_held(hold(request)) if is_ours else None
    if held is not None and request.user.is_authenticated:
        return show_held(request, held, status=403)
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
        return enter(request, account)
    return render(request, "players/welcome.html", {"form": form})
