import os
import uuid

import pytest
import requests

URL = os.environ["FIELDBENCH_URL"]
KEY = os.environ["FIELDBENCH_KEY"]


def ask(method, path, key, **body):
    headers = {"Authorization": f"Bearer {key}"}
    answer = requests.request(method, URL + path, headers=headers, json=body or None, timeout=10)
    answer.raise_for_status()
    return answer.json()["data"]


@pytest.fixture
def world():
    """Key of a world of its own: tests that run at the same time do not see one another."""
    account = ask("POST", "/_local/v1/accounts", KEY, name=str(uuid.uuid4()))
    yield account["api_key"]
    ask("DELETE", f"/_local/v1/accounts/{account['id']}", KEY)


def test_a_boiler_reports_its_temperature(world):
    project = ask("POST", "/_local/v1/projects", world, name="Boiler room")
    devices = f"/v2/projects/{project['id']}/devices"
    device = ask("POST", devices, world, name="Boiler", source="http")

    # In place of the program under test.
    ask("POST", "/integrations/http", device["metadata"]["device_token"], temperature=71.5)

    match = {"operation": "ingest", "device_id": device["id"]}
    warm = {"temperature": {"gt": 70}}
    seen = ask("POST", "/_local/v1/requests/verify", world, match=match, body=warm, count=1, within_ms=5000)
    assert seen["matched"], seen
