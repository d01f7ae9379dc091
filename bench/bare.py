"""What the web bench compares with: a Django project with our settings and one view, which has its answer ready.

Served as the product is, with `DJANGO_SETTINGS_MODULE=bench.bare`; BARE names a file with the bytes of the answer.
"""

import os
from pathlib import Path

from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.urls import path
from django.utils.cache import get_conditional_response

from config.settings import *  # noqa: F403  the same middleware is the point

ROOT_URLCONF = "bench.bare"
BODY = Path(os.environ["BARE"]).read_bytes()
ETAG = '"bare"'


def answer(request: HttpRequest) -> HttpResponseBase:
    """The bytes, or 304 to whoever has them."""
    response = get_conditional_response(request, etag=ETAG) or HttpResponse(BODY, headers={"Content-Encoding": "gzip"})
    response["ETag"] = ETAG
    return response


urlpatterns = [path("", answer)]
