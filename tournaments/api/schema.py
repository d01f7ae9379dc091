"""The OpenAPI schema, and pages to read it on that run no script but ours."""

from __future__ import annotations

from typing import Any

from drf_spectacular.extensions import OpenApiAuthenticationExtension
from drf_spectacular.views import SpectacularAPIView, SpectacularSwaggerSplitView


class TokenScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]
    """How the schema tells of tokens, helpers' links and players' own."""

    target_class = "tournaments.api.auth.TokenAuthentication"
    name = ["token", "link", "own"]

    def get_security_requirement(self, auto_schema: Any) -> list[dict[str, list[str]]]:
        return [{name: []} for name in self.name]

    def get_security_definition(self, auto_schema: Any) -> list[dict[str, str]]:
        return [
            {"type": "http", "scheme": "bearer", "description": "A token made at the desk: `Bearer cantina_…`."},
            {
                "type": "apiKey",
                "in": "header",
                "name": "Authorization",
                "description": "A helper's link: `Link`, a space and the last part of its address.",
            },
            {
                "type": "apiKey",
                "in": "header",
                "name": "Authorization",
                "description": "A player's own link: `Own`, a space and the last part of its address.",
            },
        ]


class Schema(SpectacularAPIView):
    """The schema as YAML, or as JSON with `?format=json`."""


class Docs(SpectacularSwaggerSplitView):
    """The schema for people, with a button to try each operation. Its script is a second address of this view."""

    template_name = "tournaments/api_docs.html"
    url_name = "api_schema"
