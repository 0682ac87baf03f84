"""Returns what Python's plistlib makes of property lists.

Usage: plistlib_oracle.py INPUT OUTPUT TASK [ARGUMENTS]

Both files hold items, each preceded by its length as four bytes, highest byte first.

    binary          reads each item, a binary property list, and writes it again with sorted keys
    archive         the same, but with the keys in the order of the file
    xml             reads each item, a binary property list, and writes it as XML with sorted keys
    random SEED N   ignores INPUT; writes N random values, each as binary and as XML
    binary-random SEED N
                    the same, but only as binary and with values that XML lacks
"""

import datetime
import math
import plistlib
import random
import struct
import sys

EPOCH = datetime.datetime(2001, 1, 1)


def read_items(path):
    with open(path, "rb") as file:
        while header := file.read(4):
            (length,) = struct.unpack(">L", header)
            yield file.read(length)


def write_items(path, items):
    with open(path, "wb") as file:
        for item in items:
            file.write(struct.pack(">L", len(item)) + item)


def rewrite(item, form, sort_keys=True):
    value = plistlib.loads(item, fmt=plistlib.FMT_BINARY)
    return plistlib.dumps(value, fmt=form, sort_keys=sort_keys)


class RandomValues:
    """Random values; with `for_xml`, only those that XML can represent."""

    ALPHABET = "abcXYZ019 .$<>&'\"\t\n\x7f\u00e9\u0301\u00df\u6f22\ud7ff\ue000\ufeff\u2028\ufffd\U0001f511\U0010ffff"
    # plistlib writes numbers that are equal in Python as the first of them, so 0.0 and -0.0 never occur in the same
    # value. One object stands for all NaNs, since two are never equal.
    REALS = (math.inf, -math.inf, math.nan, 5e-324, 2.2250738585072014e-308, 1.7976931348623157e308, 0.1, 1e16, 1e-5)

    def __init__(self, seed, for_xml):
        self.random = random.Random(seed)
        self.for_xml = for_xml
        self.zero = 0.0
        self.uids = {}

    def next(self):
        self.zero = self.random.choice((0.0, -0.0))
        # plistlib writes every UID object separately, even if equal, but we write equal ones once.
        self.uids = {}
        return self.value(4)

    def value(self, depth):
        kinds = [self.bool, self.integer, self.real, self.text, self.data, self.date]
        if not self.for_xml:
            kinds += [self.uid, lambda: None]
        if depth > 0:
            kinds += [lambda: self.array(depth), lambda: self.dictionary(depth)] * 2
        return self.random.choice(kinds)()

    def bool(self):
        return self.random.random() < 0.5

    def integer(self):
        limit = 1 << self.random.randrange(1, 65)
        return self.random.randrange(max(-limit, -(1 << 63)), limit)

    def real(self):
        kind = self.random.randrange(4)
        if kind == 0:
            return self.random.choice(self.REALS)
        if kind == 1:
            return self.zero
        number = 0.0
        while number == 0 or math.isnan(number):
            number = struct.unpack(">d", self.random.randbytes(8))[0]
        return number if kind == 2 else float(self.random.randrange(1, 1 << 60)) / 1000

    def text(self):
        return "".join(self.random.choices(self.ALPHABET, k=self.random.randrange(40)))

    def data(self):
        return self.random.randbytes(self.random.randrange(100))

    def date(self):
        # Quarters of a second are exact in both decimal and binary.
        seconds = self.random.randrange(-63_113_904_000, 252_423_993_600)
        quarters = 0 if self.for_xml else self.random.randrange(4)
        return EPOCH + datetime.timedelta(seconds=seconds, milliseconds=250 * quarters)

    def uid(self):
        number = self.random.randrange(1 << self.random.randrange(1, 33))
        return self.uids.setdefault(number, plistlib.UID(number))

    def array(self, depth):
        return [self.value(depth - 1) for _ in range(self.random.randrange(6))]

    def dictionary(self, depth):
        return {self.text(): self.value(depth - 1) for _ in range(self.random.randrange(6))}


def random_items(seed, count, forms):
    values = RandomValues(seed, for_xml=plistlib.FMT_XML in forms)
    for _ in range(count):
        value = values.next()
        for form in forms:
            yield plistlib.dumps(value, fmt=form)


def answer(items, task, arguments):
    if task == "binary":
        return (rewrite(item, plistlib.FMT_BINARY) for item in items)
    if task == "archive":
        return (rewrite(item, plistlib.FMT_BINARY, sort_keys=False) for item in items)
    if task == "xml":
        return (rewrite(item, plistlib.FMT_XML) for item in items)
    seed, count = map(int, arguments)
    if task == "random":
        return random_items(seed, count, (plistlib.FMT_BINARY, plistlib.FMT_XML))
    if task == "binary-random":
        return random_items(seed, count, (plistlib.FMT_BINARY,))
    raise SystemExit(f"unknown task: {task}")


if __name__ == "__main__":
    input_path, output_path, task, *arguments = sys.argv[1:]
    write_items(output_path, answer(read_items(input_path), task, arguments))
