"""Players register themselves, by the rules of the public page."""

from __future__ import annotations

from django.conf import settings
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import get_language
from drf_spectacular.utils import OpenApiParameter
from rest_framework.request import Request
from rest_framework.response import Response

from tournaments.actions import registration as actions
from tournaments.actions.registration import LinkMailed
from tournaments.api.access import View, tournament_for
from tournaments.api.bodies import RegisterBody
from tournaments.api.often import too_often
from tournaments.api.operation import operation
from tournaments.api.problems import done, refuse
from tournaments.api.reading import key_of
from tournaments.api.shapes import RegisteredShape
from tournaments.models import Entry
from tournaments.permissions import entry_token
from tournaments.queries.registration import waiting_place

KEY = OpenApiParameter(
    "Idempotency-Key",
    str,
    OpenApiParameter.HEADER,
    required=True,
    description="Random, new for each player. Sent again with the same name and address it is the same entry.",
)


class Register(View):
    """Somebody registers."""

    @operation(
        "register",
        "Register a player, without an account",
        description="While registration is open. Beyond the places players wait, and move up by themselves. `token` and"
        " `url` are the player's own secret: tell nobody else. A name that is on the list already is asked about: say"
        " `name_again` when it is another person. Whoever is there by the same address is mailed their link.",
        body=RegisterBody,
        answer=RegisteredShape,
        status=201,
        parameters=[KEY],
        makes=False,
    )
    def post(self, request: Request, pk: int) -> Response:
        tournament, _actor = tournament_for(request, pk, "see_public")
        now, key = timezone.now(), key_of(request)
        if (later := too_often(request, "register")) is not None:
            return later
        body = RegisterBody(data=request.data)
        body.is_valid(raise_exception=True)
        said = {"language": get_language() or settings.LANGUAGE_CODE, **body.validated_data}
        outcome = actions.register(tournament_id=tournament.pk, key=key, now=now, **said)
        if isinstance(outcome, LinkMailed):
            raise refuse("link_mailed", status=409)
        return Response(RegisteredShape(_row(done(outcome))).data, status=201)


def _row(entry: Entry) -> dict[str, int | str | None]:
    token = entry_token(entry)
    return {
        "id": entry.pk,
        "name": entry.name,
        "status": entry.status,
        "place": waiting_place(entry=entry) or None,
        "token": token,
        "url": settings.PUBLIC_URL + reverse("own_page", args=[token]),
    }
