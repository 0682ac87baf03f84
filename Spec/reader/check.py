#!/usr/bin/env python3
"""Compares this reader with the test vectors: python3 check.py [FIXTURES]

Prints a line for each disagreement, then the totals; exits with 1 if there was any disagreement.
Fixtures/README.md describes the lines of a vector.
"""

import hashlib
import json
import re
import sys
import time
import tracemalloc
from collections.abc import Iterator
from pathlib import Path

import archive
import plist
import xmlplist
from document import read_document
from failures import Failure
from grants import Credential
from items import CLASSES
from keys import Secrets, read_recovery_code
from values import notation
from vault import Item, Vault

PROTECTIONS = {6: "ak", 7: "ck", 8: "dk", 9: "aku", 10: "cku", 11: "dku", 12: "akpu"}
TEST_MEM = 8  # KiB
SUCCESS = "success"

VALUE_KEYS = {"expect", "value", "error", "canonical", "classes", "comment"}
VAULT_KEYS = {"expect", "passphrase", "passphrase-hex", "keyfile-hex", "recovery", "device",
              "credential", "application-password", "policy", "limit", "items", "content",
              "locked", "tail", "records failed", "history since", "settings", "write", "comment"}
DOCUMENT_KEYS = {"expect", "key-hex", "name-hex", "value", "comment"}

Header = dict[str, str]
Disagreements = Iterator[str]


def read_vector(path: Path) -> tuple[Header, bytes]:
    head, _, body = path.read_bytes().partition(b"\n\n")
    return read_header(head), body


def read_header(head: bytes) -> Header:
    lines = [line.partition(": ") for line in head.decode("utf-8").split("\n") if line]
    return {key: value for key, _, value in lines}


def differs(what: str, expected: object, found: object) -> Disagreements:
    if expected != found:
        yield f"{what} is {found}, expected {expected}"


def unknown_keys(header: Header, known: set[str]) -> Disagreements:
    for key in header.keys() - known:
        yield f"unknown key {key}"


def check_value(header: Header, body: bytes, kind: str) -> Disagreements:
    yield from unknown_keys(header, VALUE_KEYS)
    allowed = frozenset(header.get("classes", "").split())
    decode = {"plist": plist.decode, "archive": lambda data: archive.decode(data, allowed=allowed),
              "xml": xmlplist.decode}[kind]
    encode = {"plist": plist.encode, "archive": archive.encode, "xml": xmlplist.encode}[kind]
    try:
        value = decode(body)
    except Failure as failure:
        yield from differs("result", header["expect"], failure.kind)
        return
    yield from differs("result", header["expect"], SUCCESS)
    if "value" in header:
        yield from differs("value", header["value"], notation(value))
    if "canonical" in header:
        found = "yes" if encode(value) == body else "no"
        yield from differs("canonical", header["canonical"], found)


def check_document(header: Header, body: bytes) -> Disagreements:
    yield from unknown_keys(header, DOCUMENT_KEYS)
    try:
        value = read_document(body, bytes.fromhex(header["key-hex"]),
                              bytes.fromhex(header["name-hex"]))
    except Failure as failure:
        yield from differs("result", header["expect"], failure.kind)
        return
    yield from differs("result", header["expect"], SUCCESS)
    if "value" in header:
        yield from differs("value", header["value"], notation(value))


def secrets_of(header: Header) -> Secrets:
    secrets = Secrets()
    if "passphrase" in header:
        secrets.passphrase = header["passphrase"].encode("utf-8")
    if "passphrase-hex" in header:
        secrets.passphrase = bytes.fromhex(header["passphrase-hex"])
    if "keyfile-hex" in header:
        secrets.key_file = bytes.fromhex(header["keyfile-hex"])
    if "recovery" in header:
        secrets.recovery = read_recovery_code(header["recovery"])
    if "device" in header:
        secrets.device_id, secrets.device_key = map(bytes.fromhex, header["device"].split(" "))
    if "credential" in header:
        secrets.credential = Credential(*map(bytes.fromhex, header["credential"].split(" ")))
    if "application-password" in header:
        secrets.application_password = header["application-password"].encode("utf-8")
    if header.get("policy") == "test":
        secrets.least_mem = TEST_MEM
    secrets.check()
    return secrets


def dump(vault: Vault) -> str:
    items = sorted(vault.readable, key=lambda item: (item.entry.item_id, vault.group_name(item)))
    return "".join(dumped(vault, item) + "\n" for item in items)


def dumped(vault: Vault, item: Item) -> str:
    entry = item.entry
    line = {
        "attributes": {name: notation(value) for name, value in item.attributes.entries},
        "class": CLASSES[entry.item_class],
        "group": vault.group_name(item),
        "id": entry.item_id.hex(),
        "order": entry.order,
        "protection": PROTECTIONS[item.protection],
        "revision": entry.revision,
        "secret": None if item.secret is None else item.secret.hex(),
        "written": entry.written,
    }
    return json.dumps(line, separators=(",", ":"), sort_keys=True, ensure_ascii=False)


def check_vault(header: Header, body: bytes, expected_dump: str | None = None) -> Disagreements:
    yield from unknown_keys(header, VAULT_KEYS)
    yield from check_limit(header, body)
    try:
        vault = Vault(body, secrets_of(header))
    except Failure as failure:
        yield from differs("result", header["expect"], failure.kind)
        return
    yield from differs("result", header["expect"], vault.verdict())
    found = dump(vault)
    if "items" in header:
        yield from differs("items", int(header["items"]), len(vault.readable))
    if "content" in header:
        digest = hashlib.blake2b(found.encode("utf-8"), digest_size=32).hexdigest()
        yield from differs("content", header["content"], digest)
    if expected_dump is not None:
        yield from differs("dump", expected_dump, found)
    if "tail" in header:
        yield from differs("tail", int(header["tail"]), vault.log.tail)
    since = f"{vault.directory.history_since} {vault.directory.history_time}"
    yield from differs("history since", header.get("history since", "0 0"), since)
    if "settings" in header:
        revision, values = ((vault.settings[0].revision, notation(vault.settings[1]))
                            if vault.settings else (0, "none"))
        yield from differs("settings", header["settings"], f"{revision} {values}")
    yield from differs("locked", int(header.get("locked", 0)), vault.locked)
    yield from differs("records failed", int(header.get("records failed", 0)),
                       len(vault.failures))
    yield from differs("write", header.get("write"), vault.write_failure())


def check_limit(header: Header, body: bytes) -> Disagreements:
    """Checks the time, then the memory, because measuring memory takes time."""
    if "limit" not in header:
        return
    seconds, mebibytes = map(int, re.fullmatch("([0-9]+) s ([0-9]+) MiB", header["limit"]).groups())
    start = time.process_time()
    open_and_forget(header, body)
    if time.process_time() - start > seconds:
        yield f"takes {time.process_time() - start:.1f} s"
    tracemalloc.start()
    open_and_forget(header, body)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    if peak > mebibytes << 20:
        yield f"takes {peak >> 20} MiB"


def open_and_forget(header: Header, body: bytes) -> None:
    try:
        Vault(body, secrets_of(header))
    except Failure:
        pass


def check_golden(vault: Path) -> Iterator[tuple[str, list[str]]]:
    """Checks a golden vault once for each way to open it."""
    expected = vault.with_suffix(".json").read_text("utf-8")
    for number, head in enumerate(vault.with_suffix(".keys").read_bytes().split(b"\n\n"), 1):
        yield (f"{vault.name} ({number})",
               listed(check_vault(read_header(head), vault.read_bytes(), expected)))


def check_example(document: Path) -> Iterator[tuple[str, list[str]]]:
    """Checks each file that a worked example shows."""
    text = document.read_text("utf-8")
    passphrase = re.search(r"^passphrase += ([0-9a-f]+)$", text, re.M)[1]
    header = {"expect": SUCCESS, "passphrase-hex": passphrase, "policy": "test"}
    for number, (body, expected) in enumerate(example_files(text), 1):
        yield f"{document.name} ({number})", listed(check_vault(header, body, expected))


def example_files(text: str) -> Iterator[tuple[bytes, str]]:
    """Yields the bytes before each `json` block, which shows the items in them.

    Blocks marked `other` replace the file from their offset on, up to the next `json` block.
    """
    file = other = b""
    for kind, block in re.findall(r"^```(\w+)\n(.*?)^```$", text, re.M | re.S):
        if kind == "json":
            yield other or file, block
            other = b""
        elif kind == "file":
            file += block_bytes(block, len(file))
        elif kind == "other":
            other = other or file[:int(block[:6], 16)]
            other += block_bytes(block, len(other))


def block_bytes(block: str, start: int) -> bytes:
    """Parses lines of offset, bytes and meaning; `00 × n` stands for n zero bytes."""
    data = b""
    for line in block.splitlines():
        assert int(line[:6], 16) == start + len(data), line
        digits = line[8:].split("  ")[0]
        zero, _, count = digits.partition(" × ")
        data += bytes.fromhex(zero) * int(count or 1)
    return data


def listed(found: Disagreements) -> list[str]:
    try:
        return list(found)
    except Exception as error:  # a reader must raise only Failure
        return [f"raised {error!r}"]


def check_all(fixtures: Path) -> Iterator[tuple[str, list[str]]]:
    """Yields the name of each vector with its disagreements."""
    for kind in "plist", "archive", "xml", "vault", "document":
        for path in sorted((fixtures / kind).glob("*")):
            header, body = read_vector(path)
            if kind == "vault":
                found = check_vault(header, body)
            elif kind == "document":
                found = check_document(header, body)
            else:
                found = check_value(header, body, kind)
            yield f"{kind}/{path.name}", listed(found)
    for path in sorted((fixtures / "vaults").glob("*/*.coffer")):
        yield from check_golden(path)
    if len(sys.argv) == 1:
        for path in sorted(Path(__file__).resolve().parents[1].glob("vault-example*.md")):
            yield from check_example(path)


def main() -> int:
    default = Path(__file__).resolve().parents[2] / "Fixtures"
    fixtures = Path(sys.argv[1]) if len(sys.argv) > 1 else default
    vectors = agreed = 0
    for name, disagreements in check_all(fixtures):
        vectors += 1
        agreed += not disagreements
        for disagreement in disagreements:
            print(f"{name}: {disagreement}")
    print(f"{vectors} vectors, {agreed} agree")
    return 0 if vectors == agreed > 0 else 1


if __name__ == "__main__":
    sys.exit(main())
