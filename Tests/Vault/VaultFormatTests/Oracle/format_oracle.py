"""Pads, makes and opens boxes, and digests items as Spec/vault-format.md says, using only Python's hashlib and zlib, and
libsodium.

Usage: format_oracle.py INPUT OUTPUT TASK

Both files hold items, each preceded by its length as four bytes, highest first. The items of each TASK, and its answer:

    pad         numbers of 8 bytes, lowest first; the padded numbers
    box-open    key, associated data, box; the content
    item-box    key, 32 random bytes, vault id, item id with revision and salt, part with the id of the dictionary, size
                unit (1 byte), content; the box
    deflate     dictionary, content; the stream
    inflate     dictionary, stream; the content
    match       K_digest, item class (1 byte), attributes; the primary key digest, then each attribute digest

An attribute is its name (4 bytes), its kind (b, d, n, s, t) and its value: "-" if it is absent, or i and decimal digits,
r or t and a double (lowest byte first), s or d and bytes. Attributes come in the order of the class's list.
"""

import ctypes
import ctypes.util
import hashlib
import math
import re
import struct
import sys
import zlib


def read_items(path):
    with open(path, "rb") as file:
        while header := file.read(4):
            (length,) = struct.unpack(">L", header)
            yield file.read(length)


def write_items(path, items):
    with open(path, "wb") as file:
        for item in items:
            file.write(struct.pack(">L", len(item)) + item)


def H(size, key, name, data):
    label = b"coffer1." + name + bytes(8 - len(name))
    return hashlib.blake2b(data, digest_size=size, key=key, person=label).digest()


def siphash(key, data):
    sodium = ctypes.CDLL(ctypes.util.find_library("sodium"))
    digest = ctypes.create_string_buffer(16)
    sodium.crypto_shorthash_siphashx24(digest, data, ctypes.c_ulonglong(len(data)), key)
    return digest.raw


def pad(n):
    if n < 1024:
        multiple = 64
    else:
        e = int(math.log2(n))
        # The logarithm of a number close to a power of two may be rounded.
        e += (1 << e + 1 <= n) - (1 << e > n)
        s = int(math.log2(e)) + 1
        multiple = 2 ** (e - s)
    return -(-n // multiple) * multiple


def box_open(key, associated_data, box):
    sodium = ctypes.CDLL(ctypes.util.find_library("sodium"))
    nonce, sealed = box[:24], box[24:]
    text = ctypes.create_string_buffer(len(sealed) - 16)
    status = sodium.crypto_aead_xchacha20poly1305_ietf_decrypt(
        text, None, None, sealed, ctypes.c_ulonglong(len(sealed)), associated_data,
        ctypes.c_ulonglong(len(associated_data)), nonce, key,
    )
    assert status == 0
    (length,) = struct.unpack_from("<L", text.raw)
    assert len(box) == pad(44 + length) and not any(text.raw[4 + length :])
    return text.raw[4 : 4 + length]


def item_box(key, random, vault, revision, part, unit, content):
    size = 8 + len(content) + 1 + 16
    text = content + b"\x80" + bytes(-size % unit[0])
    associated_data = b"coffer1.item".ljust(16, b"\0") + vault + revision + part
    nonce_key = H(32, key, b"nonce", b"")[:16]
    r = siphash(siphash(siphash(nonce_key, random), associated_data), text)[:8]
    sodium = ctypes.CDLL(ctypes.util.find_library("sodium"))
    sealed = ctypes.create_string_buffer(len(text) + 16)
    sodium.crypto_aead_xchacha20poly1305_ietf_encrypt(
        sealed, None, text, ctypes.c_ulonglong(len(text)), associated_data,
        ctypes.c_ulonglong(len(associated_data)), None, r + revision[24:] + revision[16:24], key,
    )
    return r + sealed.raw


def deflate(dictionary, content):
    compressor = zlib.compressobj(wbits=-15, zdict=dictionary)
    return compressor.compress(content) + compressor.flush()


def inflate(dictionary, stream):
    decompressor = zlib.decompressobj(wbits=-15, zdict=dictionary)
    content = decompressor.decompress(stream)
    assert decompressor.eof and not decompressor.unused_data
    return content


DEFAULTS = {"b": b"s", "d": b"d", "n": b"i0", "s": b"s", "t": b"t" + bytes(8)}


def whole(number):
    return b"\x01" + struct.pack("<q", number)


def canonical(kind, value):
    form, value = value[:1], value[1:]
    if kind in "bds":
        return struct.pack("<L", int(value) % 2**32) if form == b"i" else value
    if kind == "t":
        (seconds,) = struct.unpack("<d", value)
        return struct.pack("<d", 0.0 if seconds == 0 else seconds)
    if form == b"i":
        return whole(int(value))
    if form == b"r":
        (number,) = struct.unpack("<d", value)
        if math.isfinite(number) and number == int(number) and abs(number) <= 2**53:
            return whole(int(number))
        return b"\x02" + value
    if re.fullmatch(rb"[+-]?[0-9]+", value) and -(2**63) <= int(value) < 2**63:
        return whole(int(value))
    return b"\x03" + value


OWN = {1: 2, 2: 7, 3: 3, 4: 9}
LEADING = {1: 1, 2: 2, 3: 1, 4: 1}


def match(key, item_class, *attributes):
    joined, digests = item_class, []
    for attribute in attributes:
        name, kind, value = attribute[:4], chr(attribute[4]), attribute[5:]
        bytes_ = canonical(kind, DEFAULTS[kind] if value == b"-" else value)
        joined += struct.pack("<L", len(bytes_)) + bytes_
        digests.append(siphash(key[16:], name + bytes_)[:8])
    leading = digests[LEADING[item_class[0]]]
    return [leading + siphash(key[:16], joined)[:8]] + digests[: OWN[item_class[0]]]


def answer(task, items):
    if task == "pad":
        return [struct.pack("<Q", pad(int.from_bytes(item, "little"))) for item in items]
    if task == "box-open":
        return [box_open(*items)]
    if task == "item-box":
        return [item_box(*items)]
    if task == "deflate":
        return [deflate(*items)]
    if task == "inflate":
        return [inflate(*items)]
    assert task == "match"
    return match(*items)


write_items(sys.argv[2], answer(sys.argv[3], list(read_items(sys.argv[1]))))
