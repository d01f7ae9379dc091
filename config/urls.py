"""All addresses: what each app serves, the design page and the language switch."""

from django.urls import include, path
from django.views.decorators.csrf import csrf_exempt
from django.views.i18n import set_language

from config.design import design

urlpatterns = [
    path("", include("players.urls")),
    path("", include("tournaments.urls")),
    path("design/", design, name="design"),
    # Without a token: the switch stands on every page, and a token would make each of them one visitor's own.
    path("language/", csrf_exempt(set_language), name="set_language"),
]

handler500 = "config.middleware.went_wrong"
handler400 = "config.unreadable.bad_request"
