"""The account page: its name, how it is signed in to, and its second step."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.contrib import messages
from django.contrib.auth import update_session_auth_hash
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.html import format_html
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from players.actions import passkeys, rename_account, set_password, two_step
from players.forms import AccountNameForm, PasskeyForm, PasswordForm, StepForm
from players.models import Account
from players.permissions import Refused
from players.views.entering import is_fresh, sign_in_path
from players.views.passkeys import begun, finished, site_of
from players.views.said import refusal_words
from players.views.sign_in import ask_to_sign_in

View = Callable[..., HttpResponseBase]  # the request, then what the path says by name
AccountView = Callable[..., HttpResponseBase]  # the same, with the account after the request

_SALT = "two_step_salt"  # in the session


def for_account(*, fresh: bool = False) -> Callable[[AccountView], View]:
    """The view gets the signed-in account. `fresh`: only if it has shown who it is a moment ago; else the account page
    says so.
    """

    def wrap(view: AccountView) -> View:
        @wraps(view)
        def inner(request: HttpRequest, **said: Any) -> HttpResponseBase:
            if not request.user.is_authenticated:
                return ask_to_sign_in(request)
            if fresh and not is_fresh(request):
                return _page(request, request.user, status=403)
            return view(request, request.user, **said)

        return inner

    return wrap


def _page(request: HttpRequest, account: Account, *, status: int = 200, **forms: Any) -> HttpResponse:
    context = {
        "here": "account",
        "account": account,
        "fresh": is_fresh(request),
        "again": sign_in_path(reverse("account")),
        "site": site_of(request),
        "passkeys": account.passkeys.order_by("pk"),
        "codes_left": account.recovery_codes.count(),
        "has_password": account.has_usable_password(),
        "name_form": AccountNameForm(initial={"name": account.name}),
        "password_form": PasswordForm(account=account),
        "passkey_form": PasskeyForm(),
        "off_form": StepForm(auto_id="off-%s"),
        "codes_form": StepForm(auto_id="codes-%s"),
        **forms,
    }
    return _own(render(request, "players/account.html", context, status=status))


def _own(response: HttpResponse) -> HttpResponse:
    response["Cache-Control"] = "private, no-store"
    return response


@require_safe
@for_account()
def show(request: HttpRequest, account: Account) -> HttpResponseBase:
    """Everything about signing in to this account."""
    return _page(request, account)


@require_POST
@for_account()
def name(request: HttpRequest, account: Account) -> HttpResponseBase:
    """What other organisers call this account."""
    form = AccountNameForm(request.POST)
    if not form.is_valid():
        return _page(request, account, name_form=form, status=400)
    rename_account(account_id=account.pk, name=form.cleaned_data["name"], now=timezone.now())
    messages.success(request, _("Saved."))
    return redirect("account")


@require_POST
@for_account(fresh=True)
def password(request: HttpRequest, account: Account) -> HttpResponseBase:
    """A password, the first one or in place of another; this browser stays signed in."""
    form = PasswordForm(request.POST, account=account)
    if not form.is_valid():
        return _page(request, account, password_form=form, status=400)
    changed = set_password(account_id=account.pk, password=form.cleaned_data["password"], now=timezone.now())
    update_session_auth_hash(request, changed)
    messages.success(request, _("The new password is set. Other browsers are signed out."))
    return redirect("account")


# --- Passkeys


@require_POST
@for_account(fresh=True)
def passkey_begin(request: HttpRequest, account: Account) -> HttpResponseBase:
    """What a browser needs to make a passkey."""
    return begun(request, *passkeys.begin_passkey(account=account, host=site_of(request).host))


@require_POST
@for_account(fresh=True)
def passkey_add(request: HttpRequest, account: Account) -> HttpResponseBase:
    """A passkey that was just made is kept."""
    form, said, site = PasskeyForm(request.POST), finished(request), site_of(request)
    if not form.is_valid():
        return _page(request, account, passkey_form=form, status=400)
    outcome = (
        Refused("passkey_wrong", status=400)
        if said is None
        else passkeys.add_passkey(
            account_id=account.pk,
            name=form.cleaned_data["name"],
            state=said[0],
            answer=said[1],
            host=site.host,
            origin=site.origin,
            now=timezone.now(),
        )
    )
    if isinstance(outcome, Refused):
        form.add_error("name", refusal_words(outcome))
        return _page(request, account, passkey_form=form, status=outcome.status)
    messages.success(request, _("The passkey is added: it signs you in from now on."))
    return redirect("account")


@require_POST
@for_account(fresh=True)
def passkey_remove(request: HttpRequest, account: Account, passkey_id: int) -> HttpResponseBase:
    """A passkey opens nothing any more."""
    outcome = passkeys.remove_passkey(account_id=account.pk, passkey_id=passkey_id, now=timezone.now())
    if isinstance(outcome, Refused):
        messages.error(request, refusal_words(outcome))
        return _page(request, account, status=outcome.status)
    messages.success(request, format_html(_("The passkey {name} signs nobody in any more."), name=outcome.name))
    return redirect("account")


# --- The second step


@for_account(fresh=True)
def step(request: HttpRequest, account: Account) -> HttpResponseBase:
    """A code for an authenticator app; the first code of the app turns the second step on."""
    if account.totp_salt:
        return redirect("account")
    salt = request.session.setdefault(_SALT, two_step.new_salt())
    form, status = StepForm(request.POST or None), 200
    form.fields["step_code"].help_text = _("The six digits the app shows now.")  # there are no recovery codes yet
    if request.method == "POST":
        status = 400
        if form.is_valid():
            outcome = two_step.enable_two_step(
                account_id=account.pk, salt=salt, code=form.cleaned_data["step_code"], now=timezone.now()
            )
            if not isinstance(outcome, Refused):
                del request.session[_SALT]
                return _codes(request, outcome)
            form.add_error("step_code", refusal_words(outcome))
            status = outcome.status
    import segno  # 2 MB that only this page needs

    drawn = segno.make(two_step.totp_address(account=account, salt=salt), error="m")
    secret = two_step.totp_secret(account_id=account.pk, salt=salt)
    context = {
        "here": "account",
        "form": form,
        "svg": drawn.svg_inline(omitsize=True, border=2),
        "secret": " ".join(secret[at : at + 4] for at in range(0, len(secret), 4)),
    }
    return _own(render(request, "players/two_step.html", context, status=status))


def _codes(request: HttpRequest, codes: list[str]) -> HttpResponse:
    """The recovery codes, on this one page and nowhere else."""
    return _own(render(request, "players/recovery_codes.html", {"here": "account", "codes": codes}))


@require_POST
@for_account(fresh=True)
def step_off(request: HttpRequest, account: Account) -> HttpResponseBase:
    """Off again, against a last code."""
    form = StepForm(request.POST, auto_id="off-%s")
    status = 400
    if form.is_valid():
        outcome = two_step.disable_two_step(
            account_id=account.pk, code=form.cleaned_data["step_code"], now=timezone.now()
        )
        if not isinstance(outcome, Refused):
            messages.success(request, _("The second step is off."))
            return redirect("account")
        form.add_error("step_code", refusal_words(outcome))
        status = outcome.status
    return _page(request, account, off_form=form, status=status)


@require_POST
@for_account(fresh=True)
def step_codes(request: HttpRequest, account: Account) -> HttpResponseBase:
    """New recovery codes in place of the old ones."""
    form = StepForm(request.POST, auto_id="codes-%s")
    status = 400
    if form.is_valid():
        outcome = two_step.renew_recovery_codes(
            account_id=account.pk, code=form.cleaned_data["step_code"], now=timezone.now()
        )
        if not isinstance(outcome, Refused):
            return _codes(request, outcome)
        form.add_error("step_code", refusal_words(outcome))
        status = outcome.status
    return _page(request, account, codes_form=form, status=status)
