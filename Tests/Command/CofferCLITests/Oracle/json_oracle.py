"""Says whether each text is a JSON object, and what the strings in it mean.

Usage: json_oracle.py INPUT OUTPUT. Both are lists of byte strings, each preceded by its length, four bytes, the highest
first. The answer to a text is `no`, or `yes` and the values of ServerURL, Username and Secret that are texts, each
preceded by its key and a colon and followed by a zero byte.
"""

import json
import struct
import sys

DEPTH_LIMIT = 64


def refuse(_):
    raise ValueError("no such number")


def members(pairs):
    keys = [key for key, _ in pairs]
    if len(set(keys)) != len(keys):
        raise ValueError("a key is there twice")
    for key in keys:
        key.encode("utf-8")
    return dict(pairs)


def depth(value):
    if isinstance(value, dict):
        return 1 + max([depth(one) for one in value.values()], default=0)
    if isinstance(value, list):
        return 1 + max([depth(one) for one in value], default=0)
    if isinstance(value, str):
        value.encode("utf-8")
    return 0


def answer(text):
    try:
        value = json.loads(text.decode("utf-8"), object_pairs_hook=members, parse_constant=refuse)
        if not isinstance(value, dict) or depth(value) > DEPTH_LIMIT:
            return b"no"
        found = b"yes"
        for key in ["ServerURL", "Username", "Secret"]:
            if isinstance(value.get(key), str):
                found += key.encode() + b":" + value[key].encode("utf-8") + b"\0"
            elif value.get(key) is not None:
                return b"no"
        return found
    except (ValueError, RecursionError):
        return b"no"


def main():
    data = open(sys.argv[1], "rb").read()
    offset = 0
    with open(sys.argv[2], "wb") as output:
        while offset < len(data):
            (length,) = struct.unpack_from(">I", data, offset)
            result = answer(data[offset + 4 : offset + 4 + length])
            output.write(struct.pack(">I", len(result)) + result)
            offset += 4 + length


main()
