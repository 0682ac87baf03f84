"""Reads export files with Python's own modules, as other programs do.

Usage: export_oracle.py INPUT OUTPUT csv|strings|items. Input and output are lists of byte strings, each preceded by its
length, four bytes, the highest first. The input is one file.

csv: the number of rows, and of each row the number of its cells and the cells.
strings: all strings among the values of a JSON document, in its order.
items: the items of Coffer's own export, read as Spec/export.md says: what `revision` below lists.
"""

import base64
import csv
import datetime
import io
import json
import struct
import sys

REFERENCE = datetime.datetime(2001, 1, 1)


def table(text):
    csv.field_size_limit(1 << 30)
    rows = list(csv.reader(io.StringIO(text, newline=""), strict=True))
    yield str(len(rows))
    for row in rows:
        yield str(len(row))
        yield from row


def strings(value):
    if isinstance(value, str):
        yield value
    elif isinstance(value, (dict, list)):
        for part in value.values() if isinstance(value, dict) else value:
            yield from strings(part)


def number(value):
    return struct.pack(">d", float(value))


def date(value):
    if not isinstance(value, str) or not value.endswith("Z"):
        return number(value)
    whole, _, fraction = value[:-1].partition(".")
    difference = datetime.datetime.strptime(whole, "%Y-%m-%dT%H:%M:%S") - REFERENCE
    return number(difference.days * 86400 + difference.seconds + float("0." + (fraction or "0")))


def attribute(value):
    if isinstance(value, str):
        return b"text " + value.encode()
    if isinstance(value, bool):
        return b"bool %d" % value
    if isinstance(value, int):
        return b"integer %d" % value
    ((kind, content),) = value.items()
    return {
        "base64": lambda: b"bytes " + base64.b64decode(content, validate=True),
        "date": lambda: b"date " + date(content),
        "real": lambda: b"real " + number(content),
    }[kind]()


def revision(value):
    for name in ("class", "group", "protection"):
        yield value[name]
    control = value.get("accessControl")
    yield "-" if control is None else str(control["flags"])
    yield base64.b64decode((control or {}).get("enrolled", ""), validate=True)
    yield str(value["synchronizable"])
    for name in ("created", "modified", "written"):
        yield date(value[name]) if name in value else "-"
    yield str(len(value["attributes"]))
    for name, content in value["attributes"].items():
        yield name
        yield attribute(content)
    if "secretBase64" in value:
        yield b"+" + base64.b64decode(value["secretBase64"], validate=True)
    else:
        yield "+" + value["secret"] if "secret" in value else "-"


def items(document):
    assert document["format"] == "coffer-export" and document["version"] == 1
    yield str(len(document["items"]))
    for item in document["items"]:
        yield from revision(item)
        yield date(item["deleted"]) if "deleted" in item else "-"
        for name in ("conflicts", "history"):
            yield str(len(item.get(name, [])))
            for other in item.get(name, []):
                yield from revision(other)


def main():
    source, target, mode = sys.argv[1:]
    with open(source, "rb") as file:
        content = file.read()
    assert struct.unpack(">I", content[:4])[0] == len(content) - 4
    text = content[4:].decode("utf-8")
    read = {
        "csv": table,
        "strings": lambda text: strings(json.loads(text)),
        "items": lambda text: items(json.loads(text)),
    }[mode]
    with open(target, "wb") as file:
        for part in read(text):
            part = part.encode() if isinstance(part, str) else part
            file.write(struct.pack(">I", len(part)) + part)


main()
