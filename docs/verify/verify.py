#!/usr/bin/env python3
"""Verifies an evidence bundle: python3 verify.py BUNDLE [--key F] [--tsa-roots F] [--tsa-policies OID,OID] [--idp-keys F] [--checkpoint F]
Needs Python 3.9 and openssl 3. Exit codes: 0 holds, 1 does not, 2 unreadable, 3 holds on keys that only the bundle brought. README.md beside it says more."""
import argparse, base64, calendar, datetime, functools, hashlib, json, os, pathlib, re, struct, subprocess, sys, tempfile, time, zlib
findings, notes, damaged, POLICIES, MAX = [], [], set(), set(), 2**32 - 1; node = lambda left, right: H(b"\1", left, right); CLOSING = ["hashes.jsonl", "manifest.json", "seal/event.json", "seal/proof.tlog-proof", "seal/consistency.json", "seal/timestamp.tsr"]
GRANTS, ITEMS, DECISIONS, OUTCOMES, SIGNATURES, SUMS = "population/grants.jsonl", "items.jsonl", "decisions.jsonl", "outcomes.jsonl", "signatures.jsonl", "completeness.json"
PEOPLE, DETAILS, REVIEWERS, ACCOUNTS, ACCOUNT_DETAILS = "people.jsonl", "people-details.jsonl", "reviewers.jsonl", "population/accounts.jsonl", "population/account-details.jsonl"; pem = lambda der: b"-----BEGIN PUBLIC KEY-----\n" + base64.encodebytes(der) + b"-----END PUBLIC KEY-----\n"; EVENTS, MANIFEST, SEAL, PROOF, GROWTH, STAMP = "log/events.jsonl", *CLOSING[1:]
MEMBERS = {"review_people": PEOPLE, "review_accounts": ACCOUNTS, "review_entitlements": "population/entitlements.jsonl", "review_conflict_grants": "population/conflicts.jsonl", "review_policies": "policies.jsonl",
    "review_reviewed": "population/reviewed.jsonl", "review_sources": "sources.jsonl", "review_source_changes": "source-changes.jsonl", "review_arrivals": "arrivals.jsonl", "tasks": ITEMS, "task_actions": DECISIONS}
class Unreadable(Exception): pass
class Fields(dict): # An object that somebody else wrote: a member of another type than the one that is asked for counts as empty.
    def __call__(self, name): return self[name] if isinstance(self.get(name), str) else ""
    def at(self, name): return self[name] if isinstance(self.get(name), dict) else Fields()
    def list(self, name, kind=dict): return [one for one in self[name] if isinstance(one, kind)] if isinstance(self.get(name), list) else []
    def whole(self, name): return self[name] if type(self.get(name)) is int else -2
    def total(self): return sum(self.whole(name) for name in self)
def parse(text):
    try: value = json.loads(text, object_hook=Fields); return value if isinstance(value, dict) else None
    except (ValueError, RecursionError): return None
def H(*parts): return hashlib.sha256(b"".join(parts)).digest()
def unhex(text): return bytes.fromhex(text) if re.fullmatch("([0-9a-f]{2})*", str(text)) else b""
def b64(text): raw = base64.b64decode(text, validate=True); must(base64.b64encode(raw).decode() == text, "it is no base64 as it has to be spelled"); return raw
def b64url(text): return base64.urlsafe_b64decode(re.sub("[^A-Za-z0-9_-]", "", text) + "=" * (-len(re.sub("[^A-Za-z0-9_-]", "", text)) % 4))
def damage(name, sentence, line=None): damaged.add(name); findings.append((name, line, sentence, ()))
def say(name, sentence, line=None, *after): findings.append((name, line, sentence, (name, *after)))
def need(holds, name, sentence, line=None, *after): holds or say(name, sentence, line, *after)
def must(holds, sentence, kind=ValueError):
    if not holds: raise kind(sentence)
def attempt(name, line, after, act, *given):
    try: return act(*given)
    except (ValueError, KeyError, TypeError, AttributeError, IndexError) as error: say(name, f"{error}", line, *after)
def canonical(value):
    if isinstance(value, dict): return b"{%s}" % b",".join(canonical(k) + b":" + canonical(value[k]) for k in sorted(value, key=lambda k: k.encode("utf-16-be")))
    if isinstance(value, list): return b"[%s]" % b",".join(map(canonical, value))
    if isinstance(value, float) or type(value) is int and abs(value) >= 2**53: raise ValueError("it has no canonical form")
    return json.dumps(value, ensure_ascii=False).encode()
def commits(wanted, salt, value): return wanted == H(b"countersign-commit-v1\n", unhex(salt), canonical(value)).hex()
def seconds(text):
    try: return datetime.datetime.fromisoformat(re.sub("Z$", "+00:00", text)).timestamp()
    except ValueError: return float("nan")
def stored(name, content): pathlib.Path(SCRATCH.name, name).write_bytes(content); return os.path.join(SCRATCH.name, name)
def openssl(*args):
    done = subprocess.run(["openssl", *args], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL); return done.stdout.decode("utf8", "replace") or "done" if done.returncode == 0 else ""
# --- The container: every byte outside of its members follows from their names, sizes and checksums.
def shared(raw, stores, crc, extra): return struct.pack("<HHHHHLLLHH", 45, 0x0808, 0 if stores else 8, 0, 0x21, crc, MAX, MAX, len(raw), extra)
def container(data):
    end = len(data) - 169
    if end < 0 or data[end:end + 4] != b"PK\6\6": raise Unreadable("it is not the container of a bundle")
    size, start = struct.unpack("<QQ", data[end + 40:end + 56])
    members, at, place, last, count = {}, start, 0, "", 0
    while at < end:
        length = struct.unpack("<H", data[at + 28:at + 30])[0] if at + 74 < end else 0
        must(0 < length <= end - at - 74, "the directory of the container cannot be read", Unreadable)
        raw, rest = data[at + 46:at + 46 + length], data[at + 46 + length:at + 74 + length]; name = raw.decode("utf8", "replace")
        full, packed, offset = struct.unpack("<4xQQQ", rest); crc, stores = struct.unpack("<L", data[at + 16:at + 20])[0], data[at + 10:at + 12] == b"\0\0"
        entry = b"PK\1\2\x2d\3" + shared(raw, stores, crc, 28) + struct.pack("<HHHLL", 0, 0, 0, 0x81A40000, MAX) + raw + struct.pack("<HHQQQ", 1, 24, full, packed, offset)
        head = b"PK\3\4" + shared(raw, stores, 0, 20) + raw + struct.pack("<HHQQ", 1, 16, 0, 0); first = offset + len(head); after = first + packed
        if data[at:at + 74 + length] != entry or data[offset:first] != head or data[after:after + 24] != b"PK\7\x08" + struct.pack("<LQQ", crc, packed, full) or offset != place and last not in damaged:
            damage(name, "its headers are not what the format demands")
        if name in members or stores and full != packed: damage(name, "the container has it twice, or with another size")
        members[name], at, place, last, count = (first, packed, full, crc, stores), at + 74 + length, after + 24, name, count + 1
    ending = struct.pack("<4sQHHLLQQQQ", b"PK\6\6", 44, 0x032D, 45, 0, 0, count, count, end - start, start) + struct.pack("<4sLQL", b"PK\6\7", 0, end, 1)
    ending += struct.pack("<4sHHHHLLH", b"PK\5\6", 0, 0, 0xFFFF, 0xFFFF, MAX, MAX, 71) + b"sha256:" + H(data[:-71]).hex().encode()
    if place != start and last not in damaged or data[end:] != ending: damage("the container", "its end, or its hash, is not that of what is in it")
    return members
class Bundle:
    def __init__(self, data):
        self.data, self.members, self.kept, blocks = data, container(data), {}, {}
        for name in CLOSING:
            first, packed, _, crc, stores = self.members.get(name, (0, 0, 0, 0, True)); must(stores and (name in self.members or name == STAMP), f"the bundle has no {name}, or a packed one", Unreadable)
            name in self.members and self.kept.update({name: data[first:first + packed]}); zlib.crc32(data[first:first + packed]) == crc or damage(name, "its bytes were changed")
        self.manifest = parse(self.kept[MANIFEST]) or Fields(); listed = self.manifest.list("files"); names = [one("path") for one in listed]
        self.is_known = self.manifest("format") == "countersign-evidence" and self.manifest.whole("v") == 1
        if not self.is_known: must(MANIFEST in damaged, "manifest.json is not the manifest of a bundle of version 1", Unreadable); return
        if H(self.kept[CLOSING[0]]).hex() != self.manifest("hashesSha256"): damage(CLOSING[0], "it is not the list that the manifest names")
        for line, text in enumerate(self.kept[CLOSING[0]].split(b"\n")[:-1], 1):
            one = parse(text) or Fields()
            if one.whole("block") != len(blocks.get(one("path"), [])) or min(one.whole(k) for k in ("bytes", "lines", "packed")) < 0: damage(CLOSING[0], "it is no block, or out of order", line); break
            blocks.setdefault(one("path"), []).append(one)
        for name in self.members.keys() - set(names + CLOSING): damage(name, "no manifest lists it")
        if blocks.keys() - set(names): damage(CLOSING[0], "it has hashes of what the manifest does not list")
        for one in listed:
            name, own = one("path"), blocks.get(one("path"), [])
            if name not in self.members: damage(name, "the manifest lists it, and it is not here")
            elif self.members[name][4] or not one.whole("bytes") == sum(b["bytes"] for b in own) == self.members[name][2] or one.whole("blocks") != len(own): damage(name, "it has another size")
            elif H(*(unhex(b("sha256")) for b in own)).hex() != one("root"): damage(name, "its hashes are not those of the manifest")
            else: self.unpack(name, own)
        if not damaged and list(self.members) != names + [n for n in CLOSING if n in self.members]: damage("the container", "its members are in another order")
    def unpack(self, name, blocks):
        at, packed, _, crc, _ = self.members[name]; last, pieces, first = at + packed - 2, [], 1
        for block in blocks:
            piece, at, inflate, content = self.data[at:at + block["packed"]], at + block["packed"], zlib.decompressobj(-15), b""
            try: content = inflate.decompress(piece, block["bytes"] + 1)
            except zlib.error: pass
            lines = content.split(b"\n")[:-1] if block["lines"] else []; marks = base64.b64decode(block("marks"))
            if inflate.eof or inflate.unconsumed_tail or (H(piece).hex(), H(content).hex(), len(lines)) != (block("packedSha256"), block("sha256"), block["lines"]):
                damage(name, "its bytes were changed", next((first + i for i, line in enumerate(lines) if H(line)[:2] != marks[2 * i:2 * i + 2]), None))
            pieces.append(content); first += block["lines"]
        self.kept[name] = b"".join(pieces)
        if name not in damaged and (at != last or self.data[last:last + 2] != b"\3\0" or zlib.crc32(self.kept[name]) != crc): damage(name, "it is not its blocks alone")
    def get(self, name): return None if name in damaged else self.kept.get(name)
    def lines(self, name):
        for line, text in enumerate((self.get(name) or b"").split(b"\n")[:-1], 1):
            value = parse(text)
            if value is None: say(name, "it is not a JSON object", line)
            else: yield line, value, text
# --- Signed notes (C2SP) and Merkle trees (RFC 9162). A checkpoint is a note of three lines: origin, size, root.
def ed25519(key, signature, text): return len(key) == 32 and openssl("pkeyutl", "-verify", "-pubin", "-inkey", stored("key", pem(unhex("302a300506032b6570032100") + key)), "-rawin", "-in", stored("text", text), "-sigfile", stored("sig", signature))
def read_keys(text):
    keys = [line.split()[1 if line.startswith("log ") else 0] for line in text.decode().splitlines() if line.strip() and line[0] != "#" and line.split() != ["quorum", "none"]]
    keys = [(name, id, b64(key)) for name, id, key in (key.split("+", 2) for key in keys)]
    must(keys and all(len(key) == 33 and key[0] == 1 and H(name.encode(), b"\n", key)[:4].hex() == id for name, id, key in keys), "no keys of a log, or malformed ones"); return keys
def checkpoint(keys, note):
    text, _, signatures = note.decode().rpartition("\n\n"); lines, good = text.split("\n"), 0
    must(len(lines) == 3 and re.fullmatch("0|[1-9][0-9]*", lines[1]) and not re.search("[\0-\x09\x0b-\x1f]", note.decode()) and signatures.endswith("\n") and len(b64(lines[2])) == 32, "it is no checkpoint")
    for line in signatures.splitlines():
        dash, name, raw = line.split(" "); raw = b64(raw)
        for _, _, key in [one for one in keys if dash == "\u2014" and one[:2] == (name, raw[:4].hex())]:
            must(name == lines[0] and ed25519(key[1:], raw[4:], text.encode() + b"\n"), f"the signature of {name} is wrong"); good += 1
    must(good, "no known key of the log signed it"); return lines[0], int(lines[1]), b64(lines[2]), text.encode() + b"\n"
def half(size): return 1 << (size - 1).bit_length() - 1
def included(leaf, index, size, proof):
    if size == 1 or not 0 <= index < size: return leaf if not proof and index == 0 else b""
    k, top = half(size), (proof or [b""])[-1]; return node(included(leaf, index, k, proof[:-1]), top) if index < k else node(top, included(leaf, index - k, size - k, proof[:-1]))
def grown(first, second, proof, root, isWhole=True):
    if first == second: return (root, root) if isWhole and not proof else (proof[0], proof[0]) if not isWhole and len(proof) == 1 else (b"", b"")
    k, sibling = half(second), proof[-1]
    old, new = grown(first, k, proof[:-1], root, isWhole) if first <= k else grown(first - k, second - k, proof[:-1], root, False)
    return (old, node(new, sibling)) if first <= k else (node(sibling, old), node(sibling, new))
def read_tree(bundle, known, kept):
    stack, leaves, size, roots, last = [], {}, 0, {}, 0
    def grow(count, digest):
        nonlocal size; size += count
        while stack and stack[-1][0] == count: digest, count = node(stack.pop()[1], digest), 2 * count
        stack.append((count, digest))
        if size in (kept and kept[1], known and known[1]): roots[size] = functools.reduce(lambda top, left: node(left[1], top), reversed(stack[:-1]), digest)
    for last, (line, value, _) in enumerate(bundle.lines("log/tree.jsonl"), 1):
        run, top = b64(value("leaves")), b64("" if "leaves" in value else value("hash")); count = len(run) // 32 if "leaves" in value else value.whole("size")
        must(value.whole("start") == size and not len(run) % 32 and count > 0 and (run or len(top) == 32 and not count & (count - 1) and not size % count), f"line {line} is no part of the tree"); run or grow(count, top)
        for at in range(0, len(run), 32): leaves[size] = run[at:at + 32]; grow(1, run[at:at + 32])
    must(last == (bundle.get("log/tree.jsonl") or b"").count(b"\n"), "a line of it is no part of the tree"); need(not known or (size, roots.get(size)) == known[1:3], "log/tree.jsonl", "it does not lead to the checkpoint", None, "log/checkpoint"); return leaves, roots
# --- Time stamps (RFC 3161) and ID tokens. What openssl lets pass is checked by hand: one DER object, no SHA-1, times.
def tlv(tag, *parts):
    body = b"".join(parts); n = len(body); return bytes([tag]) + (bytes([n]) if n < 128 else bytes([0x81, n]) if n < 256 else b"\x82" + struct.pack(">H", n)) + body
def uint(raw): raw = raw.lstrip(b"\0") or b"\0"; return tlv(2, b"\0" + raw if raw[0] > 127 else raw)
def stamp(reply, data, roots):
    path, token = stored("reply", reply), os.path.join(SCRATCH.name, "token"); n = max(reply[1] - 128, 0)
    text = openssl("ts", "-reply", "-in", path, "-text"); match = re.search(r"Time stamp: (\w+ +\d+ [\d:]+)(\.\d+)? (\d+) GMT", text)
    must(match and reply[:1] == b"0" and (2 + n + int.from_bytes(reply[2:2 + n], "big") if n else 2 + reply[1]) == len(reply), "it is no time stamp, or not exactly one DER object")
    at = calendar.timegm(time.strptime(f"{match[1]} {match[3]}", "%b %d %H:%M:%S %Y")); openssl("ts", "-reply", "-in", path, "-token_out", "-out", token)
    must(not re.search(r":(sha1|md5)\b", openssl("asn1parse", "-inform", "DER", "-in", token) or ":sha1"), "the time stamp is made with SHA-1"); must(not POLICIES or re.search(r"Policy OID: (\S+)", text)[1] in POLICIES, "the time stamp was made under another policy than those listed"); must(openssl("ts", "-verify", "-digest", H(data).hex(), "-in", path, "-CAfile", stored("roots", roots), "-attime", str(at), "-auth_level", "2"), "it is no time stamp over this by a known server"); return at + float(match[2] or 0)
def id_token(line, record, keys):
    head, body, end = line("idToken").split("."); signed, raw = f"{head}.{body}".encode(), b64url(end)
    header, claims, provider = parse(b64url(head)), parse(b64url(body)), line.at("provider"); name = header("alg")
    def is_by(jwk):
        x, y, n, e = (b64url(jwk(k)) for k in "xyne"); kind, proof = (jwk("kty"), jwk("crv")), raw
        if jwk.get("alg", name) != name or jwk.get("use", "sig") != "sig" or "crit" in header or "b64" in header: return False
        if name in ("EdDSA", "Ed25519"): return kind == ("OKP", "Ed25519") and ed25519(x, raw, signed)
        if name in ("RS256", "PS256") and kind[0] == "RSA" and len(n) >= 256: der = tlv(0x30, unhex("300d06092a864886f70d0101010500"), tlv(3, b"\0", tlv(0x30, uint(n), uint(e))))
        elif name == "ES256" and kind == ("EC", "P-256") and len(raw) == 64: der, proof = unhex("3059301306072a8648ce3d020106082a8648ce3d03010703420004") + x + y, tlv(0x30, uint(raw[:32]), uint(raw[32:]))
        else: return False
        options = ["-sigopt", "rsa_padding_mode:pss", "-sigopt", "rsa_pss_saltlen:32"] if name == "PS256" else []
        return openssl("dgst", "-sha256", "-verify", stored("key", pem(der)), "-signature", stored("sig", proof), *options, stored("text", signed))
    must(any(is_by(key) for key in keys if header.get("kid") in (None, key("kid"))), "no known key of an identity provider signed its ID token")
    aud, acr = ([claims(k)] if claims(k) else claims.list(k, str) for k in ("aud", "acrs")); audience, iat, acrs = provider("audience"), claims.whole("iat"), set(provider.list("acrValues", str))
    nonce = base64.urlsafe_b64encode(H(f"countersign.signature.v1\n{line('transaction')}\n{H(record).hex()}".encode())).decode().rstrip("=")
    must(claims("iss") == provider("issuer") and claims("sub"), "its ID token is of another identity provider"); must(claims("nonce") == nonce, "the identity provider signed another record")
    must(audience and audience in aud and claims.get("azp", audience if len(aud) == 1 else None) == audience, "its ID token is for another application"); must(0 <= iat < claims.whole("exp") and iat - 1200 <= claims.whole("auth_time") <= iat + 300, "its ID token has odd times")
    must(not acrs or acrs & {claims("acr"), *acr}, "its sign-in was not as strong as was asked for"); return iat
# --- What is in the bundle: log, signatures, rows, sums.
def read_event(value):
    leaf, content = value.at("leaf"), value.get("content")
    must(value.whole("position") >= 0 and (content is None or commits(leaf("content"), value("salt"), content)), "it is no event, or its content is not the one that was logged"); link = leaf.at("review")
    return Fields(leaf, position=value["position"], data=value.at("content").at("data"), hash=H(b"\0", canonical(leaf)), gone=content is None, of=link("id"), link=(link.whole("number"), link.whole("previous")))
def check_log(bundle, keys, given, roots):
    m, get, own, seal, sealed, base = bundle.manifest, bundle.get, None, None, None, 0; kept = given["checkpoint"] and checkpoint(keys or [], given["checkpoint"])
    def open_proof():
        head, _, note = get(PROOF).partition(b"\n\n"); first, index, *rest = head.decode().split("\n"); known = checkpoint(keys, note); at = int(re.fullmatch("index (0|[1-9][0-9]*)", index)[1])
        is_in = included(seal["hash"], at, known[1], [b64(one) for one in rest]) == known[2]; need(is_in, SEAL, "it is not the event that the proof leads to", None, PROOF)
        must(first == "c2sp.org/tlog-proof@v1" and is_in, "it does not show that the seal is in the log"); return known, seal["position"] - at
    def check_growth():
        proof = parse(get(GROWTH)) or Fields(); known = (proof.whole("first"), proof.whole("second")) == (own[1], sealed[1]) and 0 < own[1] <= sealed[1]
        must(known and grown(own[1], sealed[1], [b64(one) for one in proof.list("proof", str)], own[2]) == (own[2], sealed[2]), "the log of the seal does not begin with that of the review")
    if keys and get("log/checkpoint"): own = attempt("log/checkpoint", None, ["keys/policy.txt"], checkpoint, keys, get("log/checkpoint"))
    if get(SEAL) is not None: seal = attempt(SEAL, None, (), lambda: read_event(parse(get(SEAL))))
    if keys and seal and get(PROOF): sealed, base = attempt(PROOF, None, [SEAL, "keys/policy.txt"], open_proof) or (None, 0)
    need(not seal or (seal("kind"), seal.at("target")("id"), seal("tenant")) == ("review.evidence_sealed", m("review"), m("tenant")), SEAL, "it is not the seal of this review", None, MANIFEST)
    need(not seal or seal["data"]("manifest") == H(bundle.kept[MANIFEST]).hex(), MANIFEST, "it is not the manifest that was sealed in the log", None, SEAL)
    if own and sealed and get(GROWTH) is not None: attempt(GROWTH, None, ["log/checkpoint", PROOF], check_growth)
    for name, one in (("log/checkpoint", own), (PROOF, sealed)): need(not one or one[0] == m("origin"), name, "it is of another log", None, MANIFEST)
    STAMP in bundle.members or notes.append("the seal has no time stamp"); at = sealed and get(STAMP) is not None and attempt(STAMP, None, [PROOF, "keys/tsa-roots.pem"], stamp, get(STAMP), sealed[3], roots); need(not at or not at < seconds(m("madeAt")) - 300, STAMP, "it is of before the bundle was made", None, MANIFEST)
    leaves, tops = attempt("log/tree.jsonl", None, (), read_tree, bundle, own, kept) or ({}, {}); events, before, last = [], (0, -1), -1
    root = kept and own and (sealed[2] if sealed and sealed[1] == kept[1] else tops.get(kept[1]))
    must(not kept or not own or kept[0] != own[0] or root, "the bundle cannot be compared with that checkpoint", Unreadable); need(not kept or not own or (own[0], root) == (kept[0], kept[2]), "log/checkpoint", "the log was rewritten after the checkpoint that was kept")
    for line, value, _ in [*bundle.lines(EVENTS), (None, None, None)]:
        place, event = (EVENTS, attempt(EVENTS, line, (), read_event, value)) if line else (SEAL, seal)
        if not event: continue
        need(not line or event["position"] > last, place, "it is out of order", line); last = event["position"]
        if line and leaves.get(last - base) != event["hash"]: say(place, "it is not the event that the log has there", line, "log/tree.jsonl"); continue
        need(not line or event("tenant") == m("tenant"), place, "it is of another tenant", line, MANIFEST); events.append(event)
        if event["of"] == m("review") or not line:
            need(event["link"] == (before[0] + 1, before[1]), place, "the event of the review before it is missing", line, EVENTS, MANIFEST); before = (event["link"][0], last)
    return events
def check_signature(bundle, line, value, logged, gone, jwks, roots):
    raw = value("record").encode(); record, at, iat, by = parse(raw), None, None, value("credentialSignature")
    must(record is not None, "it has no record")
    need((record("submission"), record.at("review")("id"), record("tenant")) == (value("submission"), bundle.manifest("review"), bundle.manifest("tenant")), SIGNATURES, "its record is of another submission", line, MANIFEST)
    parts = {"record": raw, "idToken": value("idToken").encode(), "timestamp": base64.b64decode(value("timestamp")), "credentialSignature": by.encode()}
    need(gone and not logged or logged and all(logged(part) == (H(content).hex() if content else value("idTokenSha256") if part == "idToken" else "") for part, content in parts.items()), SIGNATURES, "it is not the signature that was logged", line, EVENTS)
    if parts["timestamp"]: at = attempt(SIGNATURES, line, ["keys/tsa-roots.pem"], stamp, parts["timestamp"], raw, roots)
    if parts["idToken"]: iat = attempt(SIGNATURES, line, ["keys/idp.json"], id_token, value, raw, jwks)
    sha = lambda part, other="": H(parts[part]).hex() if parts[part] else other; server, who, shown = value("timestampServer"), record.at("signer")("id"), value.at("stepUp"); row = {"at": value("signedAt"), "credentialSignature": by, "idToken": sha("idToken", value("idTokenSha256")), "record": sha("record"), "review": record.at("review")("id"), "signature": value("id"), "submission": value("submission"), "timeStamp": sha("timestamp"), "timeStampServer": server, "transaction": value("transaction"), "user": who}; need(not logged or "timestampServer" not in value or (logged.at("evidence").at("signatures")("sha256"), logged("event"), logged("through")) == (H(H(canonical(row))).hex(), value("event"), value("credential")), SIGNATURES, "it is not the row that was logged", line, EVENTS); need(not logged or not logged("stepUp") or logged("stepUp") == H(canonical(shown)).hex() and all(shown.get(k) == value.at("provider").get(k) for k in ("acrValues", "audience", "issuer")), SIGNATURES, "its step-up is not the one that was logged", line, EVENTS); need((not at or "signedAt" not in value or seconds(value("signedAt")) == at) and value.get("meaning", record("meaning")) == record("meaning"), SIGNATURES, "its time or its meaning is not the one that was signed", line); need("comment" not in value or commits(record("comment"), value.at("comment")("salt"), value.at("comment")("text")), SIGNATURES, "its comment is not the one that was signed", line); need(not logged or logged("digest") == record("digest"), SIGNATURES, "it acknowledges other decisions than were logged", line, EVENTS); need(not by or ed25519(b64url(value("credentialKey")), b64url(by), raw), SIGNATURES, "the signature of the credential is wrong", line); need(not at or not iat or iat - 300 <= at <= iat + 1200, SIGNATURES, "its time stamp is of another time than its sign-in", line)
    return Fields(record.at("signer"), printed=value("printedName")), {(d("action"), d("item"), d("decision"), d.whole("step"), d("comment"), d("until") and str(seconds(d("until"))), d.get("amends") is True) for d in record.list("decisions")}, at, iat, line
def check(bundle, given):
    policy, roots, jwks = (given[option] or bundle.get(name) or b"" for option, name in (("key", "keys/policy.txt"), ("tsa_roots", "keys/tsa-roots.pem"), ("idp_keys", "keys/idp.json")))
    keys = read_keys(policy) if given["key"] else attempt("keys/policy.txt", None, (), read_keys, policy); read_set = lambda: json.loads(jwks or b'{"keys":[]}', object_hook=Fields)["keys"]; jwks = read_set() if given["idp_keys"] else attempt("keys/idp.json", None, (), read_set) or []
    must(not given["tsa_roots"] or b"-----BEGIN CERTIFICATE-----" in roots, "--tsa-roots holds no certificate", Unreadable); recorded, submitted, signed, running, former, gone, prepared, snapshot, lost = {}, {}, {}, {}, set(), set(), "", Fields(), dict.fromkeys(("people", "ID tokens", "events", "rows of such events"), 0)
    for event in check_log(bundle, keys, given, roots):
        kind, data, id = event("kind"), event["data"], event("id"); tables = {"review.snapshot_taken": {"review_people": data.at("people"), "review_accounts": data.at("accounts"),
            "review_entitlements": data.at("entitlements")}, "review.tasks_made": {"tasks": data}, "review.submitted": {"task_actions": Fields(data, form=2)}}.get(kind, {})
        prepared = data("inputHash") if kind == "review.prepared" else prepared; snapshot = data if kind == "review.snapshot_taken" else snapshot; kind == "review.snapshot_taken" and (recorded.clear(), former.clear(), gone.discard(kind)); lost["events"] += event["gone"]; event["gone"] and gone.update({id, kind}); kind in ("review.submitted", "review.acknowledged") and not event["gone"] and submitted.update({data("submission") or data("submissionId"): Fields(data, event=id, through=event.at("actor")("credential"))})
        for table, said in (data.at("evidence") if "evidence" in data else {} if event["gone"] else tables).items():
            if table == "task_actions" and said.whole("form") != 2: former.add(id)
            elif table in MEMBERS: recorded[MEMBERS[table], "" if table[:4] != "task" or table == "tasks" and "evidence" not in data else id if "evidence" in data else data("submission")] = said
    scope = (parse(bundle.get("review.json") or b"") or Fields())("scopeText").encode(); need(not scope or not prepared or H(scope).hex() == prepared, "review.json", "its scope is not the one that was logged", None, EVENTS)
    for line, value, _ in bundle.lines(SIGNATURES):
        signed[value("submission")] = attempt(SIGNATURES, line, (), check_signature, bundle, line, value, submitted.get(value("submission")), value("event") in gone, jwks, roots) or (Fields(), set(), None, None, line); lost["ID tokens"] += bool(value("idTokenSha256") and not value("idToken"))
    for submission, data in submitted.items(): need(not data("record") or submission in signed, SIGNATURES, f"the signature of submission {submission} is missing", None, EVENTS)
    def rows(name):
        for line, value, text in bundle.lines(name):
            group = (value("event") or value("submission")) if name == DECISIONS else value("item")[:19] + "0" * len(value("item")[19:]) if name == ITEMS else ""; group = group if name != ITEMS or (name, group) in recorded or group in gone else ""; is_lost = group in gone if group else "review.snapshot_taken" in gone and name not in (ITEMS, DECISIONS); lost["rows of such events"] += is_lost
            if not is_lost and (name != DECISIONS or value("event") not in former): running.setdefault((name, group), []).append(H(text))
            yield line, value
    printed, people, shown, verdicts, scope, items, kinds, comments, outcomes, ended, refused = {}, {}, set(), {}, {}, set(), {}, {}, {}, set(), set()
    for line, value in rows(PEOPLE):
        need(value("id") not in people and len(unhex(value("commitment"))) == 32, PEOPLE, "it is there twice, or has no commitment", line); people[value("id")] = value("commitment")
    for line, value, _ in bundle.lines(DETAILS):
        lost["people"] += value.get("erased") is True; who = value("id"); is_known = who in people and who not in shown; shown.add(who); need(is_known and (value.get("erased") is True or commits(people[who], value("salt"), value.at("person"))), DETAILS, f"the details of {who} are not those that were recorded", line, PEOPLE)
    need(not people.keys() - shown, DETAILS, "people are missing", None, PEOPLE); others, signers = set(), set()
    [(need(value("id") and value("id") not in others, REVIEWERS, "it is nobody, or somebody who is there twice", line), others.add(value("id"))) for line, value, _ in bundle.lines(REVIEWERS)]
    for line, value, _ in bundle.lines("signers.jsonl"):
        signers.add((value("id"), value("commitment"))); value.get("erased") is True or printed.update({(value("id"), value("commitment")): value.at("person")("displayName") or value.at("person")("email")}); others.add(value("id")); need(value("id") and (value.get("erased") is True or commits(value("commitment"), value("salt"), value.at("person"))), "signers.jsonl", "it is not who signed", line)
    for who, _, _, _, line in signed.values(): need(printed.get((who("id"), who("person")), who("printed")) == who("printed"), SIGNATURES, "its printed name is not that of its signer", line, "signers.jsonl"); need(people.get(who("id")) == who("person") or (who("id"), who("person")) in signers, SIGNATURES, "the signer is not the person in people.jsonl", line, PEOPLE)
    accounts = {(value("app"), value("id")): value("commitment") for _, value in rows(ACCOUNTS)}; named = set(accounts)
    for line, value, _ in bundle.lines(ACCOUNT_DETAILS):
        key = (value("app"), value("id")); is_known = key in named; named.discard(key); need(is_known and (value.get("erased") is True or commits(accounts[key], value("salt"), value.at("account"))), ACCOUNT_DETAILS, "it is not the account that was recorded", line, ACCOUNTS)
    need(not named or not bundle.get(ACCOUNT_DETAILS), ACCOUNT_DETAILS, "accounts are missing", None, ACCOUNTS)
    for _ in [one for name in MEMBERS.values() if name not in (PEOPLE, ACCOUNTS, ITEMS, DECISIONS) and (name == MEMBERS["review_entitlements"] or (name, "") in recorded) for one in rows(name)]: pass
    for line, value, _ in bundle.lines(GRANTS):
        key, grant = (value("app"), value("verdict")), (value("app"), value("account"), value("entitlement")); verdicts[key] = verdicts.get(key, 0) + 1
        need(key[1] != "IN" or scope.setdefault(grant, line) == line, GRANTS, "it is in scope twice", line)
    for line, value in rows(ITEMS):
        need(scope.pop((value("app"), value("account"), value("entitlement")), None), ITEMS, "it is of no grant that is in scope", line, GRANTS); need(value("item") and value("item") not in items, ITEMS, "it is there twice", line); value("item") and items.add(value("item"))
    for line in list(scope.values())[:10]: say(GRANTS, "it is in scope, and no item asked for it", line, ITEMS)
    for line, value in rows(DECISIONS):
        item, by, kind, submission, data = value("item"), value("by"), value("kind"), value("submission"), value.at("data"); means = {"CERTIFIED": "APPROVED", "DECERTIFIED": "DENIED", "APPROVE": "APPROVED", "DENY": "DENIED"}
        kinds.setdefault(item, set()).update({kind, means.get(data("outcome")), means.get(data("decision"))})
        need(item in items, DECISIONS, "it is on no item of the review", line, ITEMS); need(not by or by in people or by in others, DECISIONS, "it is by nobody who is named", line, PEOPLE, REVIEWERS)
        if isinstance(value.get("comment"), str): comments[value("action")] = value["comment"]
        who, left, at, _, _ = signed.get(submission, ({}, None, None, None, 0)); one = (value("action"), item, {"APPROVED": "CERTIFY", "DENIED": "DENY"}.get(means.get(data("decision")) if kind == "AMENDED" else kind), value.whole("step"), value("comment"), data("certifyUntil") and str(seconds(data("certifyUntil"))), kind == "AMENDED")
        if left is None or not one[2]: continue
        need(one in left and by == who("id"), DECISIONS, f"submission {submission} holds other decisions than were signed", line, SIGNATURES); left.discard(one)
        need(not at or abs(seconds(value("at")) - at) <= 300, DECISIONS, "it has another time than its signature", line, SIGNATURES)
    for submission, one in signed.items(): need(not one[1], DECISIONS, f"decisions of submission {submission} were signed and are not here", None, SIGNATURES)
    for line, value, _ in bundle.lines("comments.jsonl"):
        wanted = comments.pop(value("action"), None); need(wanted is not None and (value.get("erased") is True or commits(wanted, value("salt"), value("text"))), "comments.jsonl", "it is not the comment on that decision", line, DECISIONS)
    need(not comments, "comments.jsonl", "comments are missing", None, DECISIONS)
    for line, value, _ in bundle.lines(OUTCOMES):
        item, outcome = value("item"), value("outcome"); outcomes[outcome] = outcomes.get(outcome, 0) + 1; wanted = {"CERTIFIED": "APPROVED", "DECERTIFIED": "DENIED"}.get(outcome)
        need(item in items and item not in ended, OUTCOMES, "it is of no item, or of one that has an outcome", line, ITEMS)
        need(item not in items or item in ended or value("endReason") != "DECIDED" or not wanted or wanted in kinds.get(item, ()), OUTCOMES, "it is not that of the decisions on it", line, DECISIONS, ITEMS); ended.add(item); outcome in ("DECERTIFIED", "REVOKED") and item in items and refused.add(item)
    need(not items - ended, OUTCOMES, "items have no outcome", None, ITEMS)
    for key in recorded.keys() | running.keys():
        said, have = recorded.get(key, Fields()), running.get(key, []); need((said.whole("n" if "n" in said else "rows"), said("sha256")) == (len(have), H(*have).hex()), key[0], "its rows are not those that were logged", None, EVENTS)
    for line, value, _ in bundle.lines("sources.jsonl"):
        need("rows" not in value or value.whole("rows") == sum(value.whole(k) for k in ("acceptedRows", "duplicateRows", "rejectedRows") if k in value), "sources.jsonl", "its rows do not add up", line)
    removals, pack = [(value("item"), value("state")) for _, value, _ in bundle.lines("revocations.jsonl")], parse(bundle.get(SUMS) or b""); need(pack is not None or bundle.get(SUMS) is None, SUMS, "it is not a JSON object"); check_sums(pack, verdicts, len(items), outcomes, refused, removals, None if "review.snapshot_taken" in gone else snapshot)
    any(lost.values()) and notes.append("erased, and not verified any more: " + ", ".join(f"{count} {what}" for what, count in lost.items() if count))
    used = {"key": True, "tsa_roots": bundle.get(STAMP) or any(one[2] for one in signed.values()), "idp_keys": any(one[3] for one in signed.values())}; return [option for option in used if used[option] and given[option] is None]
def check_sums(pack, verdicts, items, outcomes, refused, removals, snapshot):
    if pack is None: return
    apps = {one("app"): one for one in pack.list("apps")}; standing = [item for item, state in removals if state != "CANCELLED"]; tie = lambda holds, what, *after: need(holds, SUMS, f"it does not add up: {what}", None, *after)
    for app in apps.keys() | {key[0] for key in verdicts}:
        one = apps.get(app, Fields()); out = Fields(one.at("excluded"), IN=one.whole("inScope")); brought = one.at("live").total() + sum(one.whole(k) for k in ("byHand", "changedSinceSync", "derived") if k in one)
        tie(not one or brought == one.whole("liveAtRevision") == out.total(), f"what the sources of app {app} hold and the verdicts on it")
        tie({k: v for k, v in out.items() if v} == {key[1]: v for key, v in verdicts.items() if key[0] == app}, f"the grants of app {app}", GRANTS)
    tie(sum(one.whole("inScope") for one in apps.values()) == pack.whole("items") == items, "items", ITEMS); tie({k: v for k, v in pack.at("outcomes").items() if v} == outcomes, "outcomes", OUTCOMES)
    tie("revocations" not in pack or pack.at("revocations").total() == len(removals), "removals", "revocations.jsonl"); tie("revocations" not in pack or refused == refused & {item for item, _ in removals} and len(standing) == len(refused & set(standing)), "removals of what was denied", OUTCOMES, "revocations.jsonl"); named = pack.at("disputed"); tie(snapshot is None or {source: named.whole(source) for source in named} == {one("sourceId"): one.whole("disputed") for one in snapshot.list("peopleSources")}, "the disputed records of people", EVENTS)
def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter); parser.add_argument("bundle")
    for option in ("--key", "--tsa-roots", "--idp-keys", "--checkpoint"): parser.add_argument(option, type=lambda path: open(path, "rb").read().removeprefix(b"\xef\xbb\xbf"))
    parser.add_argument("--tsa-policies", default=""); given = vars(parser.parse_args()); POLICIES.update(filter(None, given["tsa_policies"].replace(" ", "").split(","))); bundle = Bundle(open(given["bundle"], "rb").read()); brought = check(bundle, given) if bundle.manifest else []
    wrong = [f"{name}{f', line {line}' if line else ''}: {sentence}" for name, line, sentence, after in findings if not damaged & set(after)]
    for one in [f"DOES NOT HOLD: {one}" for one in wrong] + [f"note: {one}" for one in notes] + [f"note: the keys of --{option.replace('_', '-')} were not given: those that the bundle brought were believed" for option in brought]: print(one)
    print("The bundle does not hold." if wrong else "The bundle holds."); return 1 if wrong else 3 if brought else 0
if __name__ == "__main__":
    SCRATCH = tempfile.TemporaryDirectory(prefix="verify-")
    try: sys.exit(main())
    except (Unreadable, OSError, ValueError, TypeError, KeyError, AttributeError, IndexError, struct.error) as error: print("cannot be read:", error, file=sys.stderr); sys.exit(2)
