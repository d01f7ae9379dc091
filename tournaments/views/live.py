"""Answers of live pages: whole or one region of them, with a version that spares a reader what they have."""

from __future__ import annotations

import gzip
import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache as once
from threading import Lock
from typing import Any
from urllib.parse import urlencode

from django.contrib.messages import get_messages
from django.core.cache import cache, caches
from django.http import Http404, HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.templatetags.static import static
from django.utils.cache import get_conditional_response, patch_vary_headers
from django.utils.translation import get_language

_SHARED_SECONDS = 55  # how long what is rendered is kept for the next reader: the rush after a change is over then
_HERE_SECONDS = 5  # how long a process keeps by itself what it has from there: to ask Redis costs more than to answer
_WRITING = tuple(Lock() for _ in range(16))

Region = Callable[[], Mapping[str, Any]]
"""What a region's template shows, worked out only when it is needed."""


@dataclass(frozen=True, slots=True)
class LivePage:
    """A page of regions that keep themselves fresh.

    `path` is its address, `query` what of the address matters to its regions, `topics` what they listen to. `version`
    is the version of everything shown; `facts` are further texts in the page that can change without it. A page of one
    helper's `own` is kept by nobody. Regions are `kept` for the next reader, unless they answer what somebody typed:
    that would fill the cache.
    """

    path: str
    topics: tuple[str, ...]
    version: str
    query: Mapping[str, str] = field(default_factory=dict)
    facts: tuple[object, ...] = ()
    own: bool = False
    kept: bool = True

    @property
    def tag(self) -> str:
        """The ETag without quotes: version, language, and a digest of all else the page depends on.

        The style sheet's address is in it, so that no page outlives the looks it was made for.
        """
        said = repr((self.path, sorted(self.query.items()), self.facts, _looks()))
        digest = hashlib.blake2b(said.encode(), digest_size=6).hexdigest()
        return f"{self.version}-{get_language()}-{digest}"

    def src(self, region: str) -> str:
        """Where a region is asked for."""
        return f"{self.path}?{urlencode({'part': region, **self.query})}"


@once
def _looks() -> str:
    """The style sheet's address, which is another one for every style sheet."""
    return static("css/style.css")


def answer_live(
    request: HttpRequest,
    page: LivePage,
    *,
    template: str,
    regions: Mapping[str, Region],
    context: Mapping[str, Any] | Region,
    status: int = 200,
) -> HttpResponse:
    """The page, or with `?part=` one of its regions; 304 where the reader has it already.

    Each region has the template `_<region>.html` beside the page's. It is rendered without the request, once for all
    readers of a version: nothing of one reader can be in it. Raises Http404 for a region it does not have.
    """
    asked = request.GET.get("part")
    if asked is not None and asked not in regions:
        raise Http404
    for_one = page.own or request.user.is_authenticated
    is_versioned = status == 200 and (asked is not None or (not for_one and not len(get_messages(request))))
    # A whole page repeats the rest of its address, for the way back from a change of language.
    is_shared = is_versioned and page.kept and not for_one and (asked is not None or not request.GET)

    def written() -> str:
        shown = {name: _region(page, template, name, regions[name]) for name in regions if asked in (None, name)}
        if asked is not None:
            return shown[asked]
        around = context() if callable(context) else context
        whole: str = render_to_string(template, {**around, "live": page, "regions": shown}, request)
        return whole

    etag = f'"{page.tag}"'
    answer = get_conditional_response(request, etag=etag) if is_versioned else None
    if answer is None and is_shared:
        answer = _shared(request, f"answer:{template}:{asked or ''}:{page.tag}", written)
    elif answer is None:
        answer = HttpResponse(written(), status=status)
    if is_versioned:
        answer["ETag"] = f"W/{etag}" if "Content-Encoding" in answer else etag
    answer["Cache-Control"] = "private, no-store" if for_one else "public, max-age=0, must-revalidate"
    patch_vary_headers(answer, ["Accept-Encoding", "Cookie", "Accept-Language"])
    return answer


def _shared(request: HttpRequest, key: str, written: Callable[[], str]) -> HttpResponse:
    """What is the same for all readers of a version: written and packed once, by the first who asks.

    After a change a whole hall asks in the same moment, so the others wait for the first.
    """
    here = caches["here"]
    packed: bytes | None = here.get(key)
    if packed is None:
        with _WRITING[hash(key) % len(_WRITING)]:
            packed = here.get(key) or cache.get(key)
            if packed is None:
                packed = gzip.compress(written().encode(), mtime=0)
                cache.set(key, packed, _SHARED_SECONDS)
            here.set(key, packed, _HERE_SECONDS)
    if "gzip" in request.headers.get("Accept-Encoding", ""):
        return HttpResponse(packed, headers={"Content-Encoding": "gzip"})
    return HttpResponse(gzip.decompress(packed))


def _region(page: LivePage, template: str, name: str, context: Region) -> str:
    folder, _slash, file = template.rpartition("/")

    def rendered() -> str:
        found: str = render_to_string(f"{folder}/_{name}.html", {**context(), "live": page})
        return found

    if page.own or not page.kept:
        return rendered()
    key = f"region:{file}:{name}:{page.tag}"
    kept: str | None = cache.get(key)
    if kept is None:
        kept = rendered()
        cache.set(key, kept, _SHARED_SECONDS)
    return kept
