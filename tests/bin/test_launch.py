"""What the launcher reads from the environment, and what it makes of a child that keeps dying."""

from pathlib import Path

import pytest

from bin.launch import ROOT, lan_address, read_plan, url_of
from bin.supervise import Child, GaveUpError, logged


def test_nothing_set_means_this_machine_alone_with_everything_embedded() -> None:
    plan = read_plan({})
    assert (plan.host, plan.port, plan.public_url) == ("127.0.0.1", 8000, "http://127.0.0.1:8000")
    assert (plan.data, plan.hosts) == (ROOT / "data", ("127.0.0.1",))
    assert (plan.redis_url, plan.certificate, plan.demo) == (None, None, True)


def test_an_empty_setting_is_no_setting() -> None:
    names = ("HOST", "PORT", "PUBLIC_URL", "DATA", "REDIS_URL", "CERT", "KEY", "DEMO")
    assert read_plan(dict.fromkeys(names, "")) == read_plan({})


def test_open_to_the_hall_links_carry_this_machines_address_on_the_network() -> None:
    plan = read_plan({"HOST": "0.0.0.0", "PORT": "8123"})
    assert plan.public_url == f"http://{lan_address()}:8123"
    assert lan_address() in plan.hosts
    assert "0.0.0.0" not in plan.hosts
    assert plan.here == "127.0.0.1"


def test_a_public_address_is_taken_as_told_and_may_be_asked_for() -> None:
    plan = read_plan({"PUBLIC_URL": "https://cantina.example/", "HOST": "::1"})
    assert (plan.public_url, plan.hosts) == ("https://cantina.example", ("[::1]", "cantina.example"))


def test_a_certificate_makes_the_address_a_secure_one(tmp_path: Path) -> None:
    for name in ("cert", "key"):
        (tmp_path / name).touch()
    plan = read_plan({"CERT": str(tmp_path / "cert"), "KEY": str(tmp_path / "key"), "PORT": "443"})
    assert plan.public_url == "https://127.0.0.1"


@pytest.mark.parametrize(("value", "demo"), [("0", False), ("no", False), ("False", False), ("1", True), ("yes", True)])
def test_the_demo_is_left_out_when_asked(value: str, demo: bool) -> None:
    assert read_plan({"DEMO": value}).demo is demo


@pytest.mark.parametrize(
    ("name", "port", "secure", "url"),
    [
        ("192.168.1.5", 8000, False, "http://192.168.1.5:8000"),
        ("hall.example", 80, False, "http://hall.example"),
        ("hall.example", 443, True, "https://hall.example"),
        ("::1", 443, False, "http://[::1]:443"),
    ],
)
def test_an_address_names_its_port_only_where_the_scheme_does_not(name: str, port: int, secure: bool, url: str) -> None:
    assert url_of(name=name, port=port, secure=secure) == url


def test_a_child_that_dies_is_given_ever_more_time_and_is_given_up_after_five_deaths_a_minute(tmp_path: Path) -> None:
    log = tmp_path / "log"
    log.write_text("why it died\n")
    child = Child(name="worker", start=lambda: logged(["true"], log=log), log=log)
    assert [child.died(now=second) for second in (0, 10, 20, 30, 40)] == [0.5, 1, 2, 4, 8]
    assert child.due == 48
    with pytest.raises(GaveUpError, match=r"worker died 6 times within a minute\. .* ends:\nwhy it died"):
        child.died(now=50)


def test_deaths_long_ago_are_forgotten(tmp_path: Path) -> None:
    child = Child(name="worker", start=lambda: logged(["true"], log=tmp_path / "log"), log=tmp_path / "log")
    assert [child.died(now=minute * 61) for minute in range(8)] == [0.5] * 8
