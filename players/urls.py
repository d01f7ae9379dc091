"""Addresses about accounts."""

from django.contrib.auth.views import LogoutView
from django.urls import path

from players.views import account, passkeys, sign_in

urlpatterns = [
    path("sign-in/", sign_in.SignIn.as_view(), name="sign_in"),
    path("sign-in/code/", sign_in.code, name="sign_in_code"),
    path("sign-in/mail/", sign_in.mail, name="sign_in_mail"),
    path("sign-in/mail/sent/", sign_in.mail_sent, name="mail_sent"),
    path("sign-in/link/<str:token>/", sign_in.mailed_link, name="mailed_link"),
    path("sign-in/passkey/", passkeys.use, name="passkey_use"),
    path("sign-in/passkey/begin/", passkeys.begin, name="passkey_begin_use"),
    path("sign-out/", LogoutView.as_view(), name="sign_out"),
    path("account/", account.show, name="account"),
    path("account/name/", account.name, name="account_name"),
    path("account/password/", account.password, name="account_password"),
    path("account/passkeys/begin/", account.passkey_begin, name="passkey_begin"),
    path("account/passkeys/add/", account.passkey_add, name="passkey_add"),
    path("account/passkeys/<int:passkey_id>/remove/", account.passkey_remove, name="passkey_remove"),
    path("account/second-step/", account.step, name="two_step"),
    path("account/second-step/off/", account.step_off, name="two_step_off"),
    path("account/second-step/codes/", account.step_codes, name="recovery_codes"),
]
