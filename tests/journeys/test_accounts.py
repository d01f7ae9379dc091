"""An organiser's passkey in a real browser, with the browser's own authenticator."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

from tests.journeys.launched import Launched

pytestmark = pytest.mark.journey


@pytest.fixture
def authenticator(desktop: Page) -> Iterator[str]:
    """A device that keeps passkeys and knows its owner, in the browser of `desktop`."""
    session = desktop.context.new_cdp_session(desktop)
    session.send("WebAuthn.enable")
    device = {
        "protocol": "ctap2",
        "transport": "internal",
        "hasResidentKey": True,
        "hasUserVerification": True,
        "isUserVerified": True,
        "automaticPresenceSimulation": True,
    }
    yield session.send("WebAuthn.addVirtualAuthenticator", {"options": device})["authenticatorId"]
    session.detach()


def named(server: Launched) -> str:
    """The address of the server by a name: passkeys are for names."""
    return f"http://localhost:{server.port}"


def sign_in(page: Page, server: Launched) -> None:
    page.goto(f"{named(server)}/sign-in/?next=/account/")
    page.get_by_label("Address").first.fill(server.demo["organiser"]["email"])
    page.get_by_label("Password").fill(server.demo["organiser"]["password"])
    page.get_by_role("button", name="Sign in", exact=True).click()


def test_an_organiser_adds_a_passkey_and_signs_in_with_nothing_else(
    desktop: Page, demo_server: Launched, authenticator: str
) -> None:
    sign_in(desktop, demo_server)
    desktop.get_by_label("What it is on").fill("laptop")
    desktop.get_by_role("button", name="Add a passkey").click()
    expect(desktop.get_by_text("The passkey is added: it signs you in from now on.")).to_be_visible()
    desktop.get_by_role("button", name="Sign out").click()

    desktop.goto(f"{named(demo_server)}/sign-in/?next=/account/")
    desktop.get_by_role("button", name="Use a passkey").click()
    expect(desktop.get_by_role("heading", name="Passkeys")).to_be_visible()
    expect(desktop.get_by_text("last used")).to_be_visible()

    desktop.get_by_role("button", name="Remove laptop").click()
    expect(desktop.get_by_text("The passkey laptop signs nobody in any more.")).to_be_visible()
    desktop.get_by_role("button", name="Sign out").click()
    desktop.goto(f"{named(demo_server)}/sign-in/")
    desktop.get_by_role("button", name="Use a passkey").click()
    expect(desktop.get_by_text("This passkey does not open an account here.")).to_be_visible()
