"""Plays one round over the API: python client.py http://127.0.0.1:8000 cantina_… Juhani Mission Carth Bastila."""

import json
import sys
import uuid
from urllib.request import Request, urlopen

SERVER, TOKEN, *NAMES = sys.argv[1:]


def ask(method, path, body=None, **seen):
    headers = {"Authorization": f"Bearer {TOKEN}", "Content-Type": "application/json", **seen}
    headers["Idempotency-Key"] = str(uuid.uuid4())  # sent again with the same key, it would still be done once
    data = None if method == "GET" else json.dumps(body or {}).encode()
    with urlopen(Request(f"{SERVER}/api/{path}", data, headers, method=method), timeout=10) as answer:
        return json.load(answer)


event = ask("GET", "me/")["event"]  # the token belongs to it
tournament = ask("POST", f"events/{event}/tournaments/", {"name": "Script", "options": {"rounds": 1}})
path = f"tournaments/{tournament['id']}/"
for name in NAMES:
    ask("POST", f"{path}entries/", {"name": name, "here": True})
ask("POST", f"{path}start/")
ask("POST", f"{path}publish/")
for pairing in ask("GET", f"{path}open-matches/")["results"]:
    match, result = pairing["match"], {"kind": "score", "sets": [3, 1]}
    ask("PUT", f"{path}matches/{match['id']}/result/", result, **{"If-Match": f'"{match["version"]}"'})
    print(f"Table {pairing['table']}: {pairing['a']['name']} 3-1 {pairing['b']['name']}")
print(tournament["url"])
