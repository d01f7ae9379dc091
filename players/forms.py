"""Forms about accounts: signing in, and the first organiser's welcome."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib.auth.forms import AuthenticationForm
from django.contrib.auth.password_validation import validate_password
from django.utils.translation import gettext_lazy as _

from players.engine.names import NAME_LENGTH, clean_name
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
