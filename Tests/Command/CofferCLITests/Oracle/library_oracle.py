"""Answers of Python's library about dates, JSON, Base64 and XML. The third argument names the question."""

import base64
import datetime
import json
import struct
import sys


def items(path):
    data = open(path, "rb").read()
    while data:
        size = struct.unpack(">I", data[:4])[0]
        yield data[4 : 4 + size]
        data = data[4 + size :]


def date(item):
    moment = datetime.datetime(1970, 1, 1) + datetime.timedelta(seconds=int(item))
    return moment.isoformat().encode()


def seconds(item):
    moment = datetime.datetime.fromisoformat(item.decode())
    return str(int((moment - datetime.datetime(1970, 1, 1, tzinfo=datetime.timezone.utc)).total_seconds())).encode()


def from_json(item):
    return json.loads(item).encode("utf-8", "surrogatepass")


QUESTIONS = {
    "date": date,
    "seconds": seconds,
    "from-json": from_json,
    "base64": base64.b64encode,
}

with open(sys.argv[2], "wb") as output:
    for item in items(sys.argv[1]):
        answer = QUESTIONS[sys.argv[3]](item)
        output.write(struct.pack(">I", len(answer)) + answer)
