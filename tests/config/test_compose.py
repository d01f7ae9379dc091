"""`docker-compose.yml`: every part is there, and only the proxy can be reached from outside."""

import re
from pathlib import Path
from typing import Any

import yaml
from django.utils.module_loading import import_string

ROOT = Path(__file__).resolve().parents[2]
COMPOSE: dict[str, Any] = yaml.safe_load((ROOT / "docker-compose.yml").read_text())
SERVICES: dict[str, dict[str, Any]] = COMPOSE["services"]
OURS = {"migrate", "web", "live", "worker", "beat"}


def test_every_part_of_the_product_is_a_service() -> None:
    assert SERVICES.keys() == OURS | {"postgres", "redis", "proxy"}
    assert {name for name, service in SERVICES.items() if service.get("image") == "cantina"} == OURS
    assert {name for name, service in SERVICES.items() if "ports" in service} == {"proxy"}


def test_redis_never_throws_queued_tasks_away() -> None:
    """BJ-04."""
    assert SERVICES["redis"]["command"][-2:] == ["--maxmemory-policy", "noeviction"]


def test_what_the_services_start_is_there() -> None:
    written = (ROOT / "Dockerfile").read_text() + (ROOT / "docker-compose.yml").read_text()
    applications = re.findall(r"\"(config\.\w+):(\w+)\"", written)
    assert sorted(applications) == [("config.live", "application"), ("config.wsgi", "application")]
    assert all(callable(import_string(f"{module}.{name}")) for module, name in applications)


def test_the_settings_of_the_product_come_from_the_environment_of_the_server() -> None:
    assert {name: SERVICES["web"]["environment"][name][:2] for name in ("PUBLIC_URL", "SECRET_KEY")} == {
        "PUBLIC_URL": "${",
        "SECRET_KEY": "${",
    }
