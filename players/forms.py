"""Forms about accounts: signing in by each way, the first organiser's welcome, the account page."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib.auth.forms import AuthenticationForm
from django.contrib.auth.password_validation import validate_password
from django.utils.translation import gettext_lazy as _

from players.engine.names import NAME_LENGTH, clean_name, name_problem
from players.models import Account

_ADDRESS_LENGTH = 254


class SignInForm(AuthenticationForm):
    """Address and password; the address in any letter case."""

    username = forms.CharField(
        label=_("Address"),
        max_length=_ADDRESS_LENGTH,
        widget=forms.TextInput(attrs={"autocomplete": "username", "inputmode": "email"}),
    )
    password = forms.CharField(
        label=_("Password"), strip=False, widget=forms.PasswordInput(attrs={"autocomplete": "current-password"})
    )
    error_messages = {
        "invalid_login": _(
            "No account has this address and password. Check both; capital letters count in the password."
        ),
        "inactive": _("This account is closed."),
    }

    def clean_username(self) -> str:
        # Folding makes some letters longer, and no address here is: what is beyond that opens nothing.
        return str(self.cleaned_data["username"]).strip().casefold()[:_ADDRESS_LENGTH]


class WelcomeForm(forms.Form):
    """The first organiser makes their account."""

    name = forms.CharField(
        label=_("Your name"),
        max_length=NAME_LENGTH,
        required=False,
        help_text=_("As other organisers see it. May stay empty."),
    )
    email = forms.EmailField(
        label=_("Address"), max_length=_ADDRESS_LENGTH, widget=forms.EmailInput(attrs={"autocomplete": "username"})
    )
    password = forms.CharField(
        label=_("Password"),
        strip=False,
        widget=forms.PasswordInput(attrs={"autocomplete": "new-password"}),
        help_text=_("At least ten characters."),
    )

    def clean_name(self) -> str:
        return clean_name(self.cleaned_data["name"])

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        if password := cleaned.get("password"):
            try:
                validate_password(password, Account(email=cleaned.get("email", ""), name=cleaned.get("name", "")))
            except forms.ValidationError as error:
                self.add_error("password", error)
        return cleaned


class MailForm(forms.Form):
    """An address a link is mailed to."""

    def __init__(self, data: Any = None) -> None:
        super().__init__(data, auto_id="mail-%s")

    email = forms.EmailField(
        label=_("Address"),
        max_length=_ADDRESS_LENGTH,
        widget=forms.EmailInput(attrs={"autocomplete": "email"}),
    )

    def clean_email(self) -> str:
        folded = str(self.cleaned_data["email"]).casefold()
        if len(folded) > _ADDRESS_LENGTH:
            raise forms.ValidationError(_("This address is too long."))
        return folded


class StepForm(forms.Form):
    """A code of the second step."""

    step_code = forms.CharField(
        label=_("Code"),
        max_length=40,
        help_text=_("The six digits the app shows now, or one of your recovery codes."),
        widget=forms.TextInput(
            attrs={"autocomplete": "one-time-code", "autocapitalize": "none", "spellcheck": "false"}
        ),
    )


class AccountNameForm(forms.Form):
    """What an account is called."""

    name = forms.CharField(
        label=_("Your name"),
        max_length=NAME_LENGTH,
        required=False,
        help_text=_("As organisers see it. On rosters you keep the name that stands there."),
        widget=forms.TextInput(attrs={"autocomplete": "name"}),
    )

    def clean_name(self) -> str:
        return clean_name(self.cleaned_data["name"])


class PasswordForm(forms.Form):
    """A new password for an account."""

    password = forms.CharField(
        label=_("New password"),
        strip=False,
        widget=forms.PasswordInput(attrs={"autocomplete": "new-password"}),
        help_text=_("At least ten characters."),
    )

    def __init__(self, data: Any = None, *, account: Account) -> None:
        super().__init__(data)
        self.account = account

    def clean_password(self) -> str:
        validate_password(self.cleaned_data["password"], self.account)
        return str(self.cleaned_data["password"])


class PasskeyForm(forms.Form):
    """What a new passkey is called."""

    name = forms.CharField(
        label=_("What it is on"),
        max_length=NAME_LENGTH,
        help_text=_("For example “my phone”, to know it again."),
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )

    def __init__(self, data: Any = None) -> None:
        super().__init__(data, auto_id="passkey-%s")

    def clean_name(self) -> str:
        if problem := name_problem(name := clean_name(self.cleaned_data["name"])):
            raise forms.ValidationError(_("Give it a name of letters or digits."), code=problem.code)
        return name
