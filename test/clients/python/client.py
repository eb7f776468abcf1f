"""The published Python client with the books that are kept of it: who asks, what was sent, what the client made of the answers.

The world to be used comes as JSON on standard input; what was done goes, one JSON object a line, to standard output: {"operation",
"requests": [[method, path], ...], "unread": [...]} or {"operation", "requests", "error"}. `unread` lists fields of a reply that the
client has a name for and yet did not read, and values of enums that it does not know. What is asked for stands in the files beside this
one; judging the answers is the test's business: ../published-client.test.ts.
"""

import enum
import inspect
import json
import sys
import time
import traceback
import typing

import httpx
import jwt
from conductorone_sdk import SDK
from conductorone_sdk.models import errors, shared
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from jwt.utils import base64url_decode

world = json.load(sys.stdin)
requests = []


def remember(response):
    request = response.request
    requests.append([request.method, request.url.raw_path.decode().split("?")[0]])
    content_type = response.headers.get("content-type", "")
    assert content_type.split(";")[0] == "application/json", f"content type {content_type!r}"
    assert response.status_code == 200 or response.status_code >= 400, f"status {response.status_code}"


http = httpx.Client(event_hooks={"response": [remember]}, timeout=60)


def fetch_token(form):
    response = http.post(f"{world['url']}/auth/v1/token", data={"grant_type": "client_credentials", **form})
    assert response.status_code == 200, response.text
    reply = response.json()
    assert reply["token_type"] == "Bearer" and isinstance(reply["expires_in"], int), reply
    return reply["access_token"]


def token_by_secret(credential):
    return fetch_token({"client_id": credential["clientId"], "client_secret": credential["clientSecret"]})


def token_by_assertion(credential):
    """As the published clients sign it: audience without the port, a nonce in the header, no jti."""
    client_id = credential["clientId"]
    jwk = json.loads(base64url_decode(credential["clientSecret"].split(":")[-1]))
    key = Ed25519PrivateKey.from_private_bytes(base64url_decode(jwk["d"]))
    now = int(time.time())
    host = client_id.split("@")[1].split("/")[0].split(":")[0]
    claims = {"iss": client_id, "sub": client_id, "aud": [host], "iat": now, "nbf": now - 120, "exp": now + 120}
    assertion = jwt.encode(claims, key, algorithm="EdDSA", headers={"nonce": str(time.time_ns()), "typ": None})
    return fetch_token({
        "client_id": client_id,
        "client_assertion_type": "urn:ietf:params:oauth:client-assertion-type:jwt-bearer",
        "client_assertion": assertion,
    })


def sdk_of(token):
    return SDK(security=shared.Security(bearer_auth=token, oauth=token), server_url=world["url"], client=http)


def unread(sent, made, path=""):
    """Paths of the reply `sent` whose fields this client knows and yet did not read. Fields younger than the client pass."""
    if isinstance(sent, list):
        return [p for a, b in zip(sent, made, strict=True) for p in unread(a, b, f"{path}[]")]
    if not isinstance(sent, dict):
        return []
    if isinstance(made, dict):
        return [p for key in sent for p in unread(sent[key], made[key], f"{path}.*")]
    names = {field.alias or name: name for name, field in type(made).model_fields.items()}
    found = []
    for key in sent.keys() & names.keys():
        value = getattr(made, names[key])
        found += [f"{path}.{key}"] if value is None else unread(sent[key], value, f"{path}.{key}")
    return found


def enum_in(annotation):
    """The enum that an annotation is about, None where it is about something else."""
    if inspect.isclass(annotation) and issubclass(annotation, enum.Enum):
        return annotation
    return next((found for part in typing.get_args(annotation) if (found := enum_in(part)) is not None), None)


def unknown(made, path=""):
    """Values of enums in a reply that this client has no name for; it hands values on as plain strings, whatever they are."""
    if isinstance(made, list):
        return [p for each in made for p in unknown(each, f"{path}[]")]
    if isinstance(made, dict):
        return [p for each in made.values() for p in unknown(each, f"{path}.*")]
    found = []
    for name, field in getattr(type(made), "model_fields", {}).items():
        value = getattr(made, name)
        kind = enum_in(field.annotation)
        if kind is not None:
            names = {member.value for member in kind}
            values = value if isinstance(value, list) else [value]
            found += [f"{path}.{name}={each}" for each in values if isinstance(each, str) and each not in names]
        else:
            found += unknown(value, f"{path}.{name}")
    return found


notes = ("content_type", "status_code", "raw_response", "next")


def check(response):
    """What the client made of the reply, and what it lost on the way."""
    raw = response.raw_response.json()
    assert response.status_code == 200
    parsed = [v for n, v in response.__dict__.items() if n not in notes and v is not None]
    assert len(parsed) == 1, "the client found no reply in the reply"
    return parsed[0], sorted(set(unread(raw, parsed[0])) | {f"{each} (unknown)" for each in unknown(parsed[0])})


failures = []


def use(name, call):
    """Runs one operation and says what came of it; returns what it answered."""
    requests.clear()
    try:
        result, missed = call()
        print(json.dumps({"operation": name, "requests": list(requests), "unread": missed}))
        return result
    except errors.SDKError as error:
        report = {"operation": name, "error": f"{error}: {getattr(error, 'body', '')}"}
    except Exception:  # whatever a client throws is what the test is looking for
        report = {"operation": name, "error": traceback.format_exc(limit=-2, chain=False)}
    failures.append(name)
    print(json.dumps({**report, "requests": list(requests)}))
    return None


def one(name, method, request=None):
    return use(name, lambda: check(method() if request is None else method(request=request)))


def pages(name, method, request, key=None, minimum=11):
    """Reads a list to its end, ten rows at a time; `key` takes what no two rows may share."""

    def call():
        rows, missed, response = [], set(), method(request={**request, "page_size": 10})
        while response is not None:
            page, missed_here = check(response)
            assert page.list is not None and len(page.list) <= 10 and isinstance(page.next_page_token, str)
            rows, missed = rows + list(page.list), missed | set(missed_here)
            # Searches are read on by the client itself; for the other lists it leaves that to its user.
            if hasattr(response, "next"):
                response = response.next()
            elif page.next_page_token != "":
                response = method(request={**request, "page_size": 10, "page_token": page.next_page_token})
            else:
                response = None
        assert len(rows) >= minimum, f"{len(rows)} rows"
        if key is not None:
            keys = [key(row) for row in rows]
            assert all(keys) and len(set(keys)) == len(keys), "a row came twice"
        return rows, sorted(missed)

    return use(name, call)


def do(name, path=None, body=None):
    """One operation, by its place in the client: `path` are its parameters, and `body` goes where the client wants it.

    The client takes some bodies in a parameter of their own, whose name is the message's; None leaves the body out.
    """
    group, _, operation = name.partition(".")
    method = getattr(getattr(admin, group), operation)
    kinds = typing.get_args(inspect.signature(method).parameters["request"].annotation)
    model = next(kind for kind in kinds if hasattr(kind, "model_fields"))
    wrapper = next((field for field in model.model_fields if field.endswith("_request")), None)
    request = {**(path or {}), **({} if body is None else {wrapper: body} if wrapper else body)}
    return one(name, method, request)


def holds(name, is_true, what=""):
    """Says so where something that was read is not what was written."""
    if not is_true:
        failures.append(name)
        print(json.dumps({"operation": name, "requests": [], "error": f"not as written: {what}"}))


# Tokens, both ways; each must be good for a request.
admin = sdk_of(token_by_assertion(world["admin"]))
for name, token in (("token by secret", token_by_secret), ("token by assertion", token_by_assertion)):
    use(name, lambda: check(sdk_of(token(world["admin"])).auth.introspect()))
