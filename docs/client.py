"""Plays one round over the API: python client.py http://127.0.0.1:8000 cantina_… Juhani Mission Carth Bastila."""

import json
import sys
from urllib.request import Request, urlopen
from uuid import uuid4

SERVER, TOKEN, *NAMES = sys.argv[1:]


def ask(method, path, body=None):  # the key makes it one act, however often it has to be sent
    headers = {"Authorization": f"Bearer {TOKEN}", "Content-Type": "application/json", "Idempotency-Key": f"{uuid4()}"}
    with urlopen(Request(f"{SERVER}/api/{path}", body and json.dumps(body).encode(), headers, method=method)) as answer:
        return json.load(answer)


event = ask("GET", "events/")["results"][0]["id"]
tournament = ask("POST", f"events/{event}/tournaments/", {"name": "Script", "options": {"rounds": 1}})
path = f"tournaments/{tournament['id']}/"
for name in NAMES:
    ask("POST", f"{path}entries/", {"name": name, "here": True})
ask("POST", f"{path}start/")
ask("POST", f"{path}publish/")
for match in [each["match"] for each in ask("GET", f"{path}open-matches/")["results"]]:
    ask("PUT", f"{path}matches/{match['id']}/result/", {"kind": "score", "sets": [3, 1], "version": match["version"]})
print(tournament["url"])
