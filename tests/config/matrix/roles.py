"""What the words of the tables say: which status each of those who ask gets.

`LET_IN` stands for the status of the table's row, `SIGN_IN` for the way to the sign-in page.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from tests.config.matrix.operations import OPERATIONS as OPERATIONS_TEXT
from tests.config.matrix.pages import PAGES as PAGES_TEXT
from tests.config.matrix.walk import Route

LET_IN, SIGN_IN = 1, 2

# --- Pages. Who asks is whoever is signed in. Foreign is 404 there, whatever the reason; nobody may sign in first.

NOBODY, ACCOUNT, HOST, OTHERS_ORGANISER = "nobody", "account", "host", "stranger"
OWNER, FELLOW = "owner", "fellow"

_OUTSIDE = {NOBODY: SIGN_IN, ACCOUNT: 404, HOST: 404, OTHERS_ORGANISER: 404}
_ACCOUNTS = dict.fromkeys((ACCOUNT, HOST, OTHERS_ORGANISER, FELLOW, OWNER), LET_IN)

PAGES: dict[str, dict[str, int]] = {
    "everybody": {NOBODY: LET_IN, **_ACCOUNTS},
    "newcomers": {NOBODY: LET_IN, **dict.fromkeys(_ACCOUNTS, 302)},  # who is in already goes on to the desk
    "accounts": {NOBODY: SIGN_IN, **_ACCOUNTS},
    "hosts_only": {NOBODY: SIGN_IN, **_ACCOUNTS, ACCOUNT: 302},  # told on the desk that others make events
    "its_owner": {**_OUTSIDE, FELLOW: 404, OWNER: LET_IN},
    "organisers": {**_OUTSIDE, FELLOW: LET_IN, OWNER: LET_IN},
    "the_owner": {**_OUTSIDE, FELLOW: 403, OWNER: LET_IN},
    "all_but_owner": {**_OUTSIDE, FELLOW: LET_IN, OWNER: 409},  # who owns an event hands it over first
}

# --- Pages behind a link. The link is the authority; who is signed in matters to few. Another kind of link: 404.

LINKS: dict[str, dict[str, int]] = {
    "referee": PAGES["everybody"],
    "desk": PAGES["everybody"],
    "screen": PAGES["everybody"],
    "player": PAGES["everybody"],
    "invitation": {**PAGES["everybody"], FELLOW: 302, OWNER: 302},  # who organises already goes to the desk
    "invited": {**PAGES["accounts"], FELLOW: 409, OWNER: 409},
    "claimant": PAGES["accounts"],
}
KINDS = {"invited": "invitation", "claimant": "player"}
"""The kind of link of a word that is none itself."""

# --- Operations. Not who they say: 401. Not of this event: 404. Of this event, but not theirs to do: 403.

BOUND, REFEREE, DESK, SCREEN, INVITATION, PLAYER = "bound", "referee", "desk", "screen", "invitation", "player"
OF_ANOTHER_TOURNAMENT = "of another tournament"
"""A link for one tournament of an event, where it is about another one of them."""

_ORGANISERS = dict.fromkeys((OWNER, FELLOW, BOUND), LET_IN)
_FOREIGN = {
    NOBODY: 401,
    **dict.fromkeys((ACCOUNT, HOST, OTHERS_ORGANISER, INVITATION, OF_ANOTHER_TOURNAMENT), 404),
}
_HELPERS = dict.fromkeys((REFEREE, DESK, SCREEN, PLAYER), 403)
_WITHOUT_ACCOUNT = {
    NOBODY: 401,
    **dict.fromkeys((*_HELPERS, INVITATION, OF_ANOTHER_TOURNAMENT), 403),
}
_ANY_ACCOUNT = {**_WITHOUT_ACCOUNT, **_ORGANISERS, **_ACCOUNTS, BOUND: 403}
_ALL = dict.fromkeys({**_FOREIGN, **_HELPERS, **_ORGANISERS}, LET_IN)

OPERATIONS: dict[str, dict[str, int]] = {
    "everybody": _ALL,
    "somebody": {**_ALL, NOBODY: 401},
    "any_account": _ANY_ACCOUNT,
    "hosts": {**_ANY_ACCOUNT, ACCOUNT: 403},
    "organisers": {**_FOREIGN, **_HELPERS, **_ORGANISERS},
    "the_owner": {**_FOREIGN, **_HELPERS, **_ORGANISERS, FELLOW: 403},
    "all_but_owner": {**_FOREIGN, **_HELPERS, OWNER: 409, BOUND: 409, FELLOW: LET_IN},
    "doors": {**_FOREIGN, **_HELPERS, **_ORGANISERS, DESK: LET_IN},
    "tables": {**_FOREIGN, **_HELPERS, **_ORGANISERS, REFEREE: LET_IN},
    "table_or_seat": {**_FOREIGN, **_HELPERS, **_ORGANISERS, REFEREE: LET_IN, PLAYER: LET_IN},
    "seats": {**_FOREIGN, **_HELPERS, **dict.fromkeys(_ORGANISERS, 403), PLAYER: LET_IN},
    "players": {**dict.fromkeys(_ALL, 403), NOBODY: 401, PLAYER: LET_IN},
}


@dataclass(frozen=True, slots=True)
class Row:
    """One line of a table. `kind` is the kind of link a page is behind, "" where there is none."""

    name: str
    method: str
    who: str
    answer: int
    kind: str
    by_role: Mapping[str, int]

    def status(self, role: str) -> int:
        """What somebody who is this here is answered."""
        said = self.by_role[role]
        if said == SIGN_IN:
            return 302 if self.method == "GET" else 401
        return self.answer if said == LET_IN else said

    def asks(self, role: str) -> bool:
        """Whether somebody who is this here is asked to sign in."""
        return self.by_role.get(role) == SIGN_IN

    def lets_in(self, role: str) -> bool:
        return self.by_role[role] == LET_IN


def _page(line: str) -> Row:
    name, method, who, answer = line.split()
    kind = KINDS.get(who, who if who in LINKS else "")
    return Row(name, method, who, int(answer), kind, LINKS[who] if kind else PAGES[who])


def _operation(line: str) -> Row:
    method, path, who, answer = line.split()
    return Row(path, method, who, int(answer), "", OPERATIONS[who])


PAGE_ROWS = [_page(line) for line in PAGES_TEXT.split("\n") if line]
OPERATION_ROWS = [_operation(line) for line in OPERATIONS_TEXT.split("\n") if line]
ROWS = PAGE_ROWS + OPERATION_ROWS


def rows_of(route: Route) -> list[Row]:
    """What the tables say of an address: a row for each method, or of a page behind links one for each kind."""
    return [row for row in ROWS if row.name == route.name]
