"""Makes and reads grants and the files next to a vault, using only Python's hashlib and libsodium.

Usage: side_files_oracle.py INPUT OUTPUT TASK

Both files hold items, each preceded by its length as four bytes, highest first. Numbers are items too, encoded as in
the format. The items of each TASK, and its answer:

    anchor          count, vault, generation, sequence, chain, epoch; a slot
    recovery-code   any number of codes of 20 bytes; the text of each
    device-key      device, key; the file
    credential      vault, team key, grant, secret; the file
    grant-make      vault, head of the grant, seed of the team, structure key, payload, expiry, groups and note; the body
    grant-open      vault, team key, secret of the recipient, body; the payload
"""

import ctypes
import ctypes.util
import hashlib
import struct
import sys


def read_items(path):
    with open(path, "rb") as file:
        while header := file.read(4):
            (length,) = struct.unpack(">L", header)
            yield file.read(length)


def write_items(path, items):
    with open(path, "wb") as file:
        for item in items:
            file.write(struct.pack(">L", len(item)) + item)


def label(name):
    return b"coffer1." + name + bytes(8 - len(name))


def H(size, key, name, data):
    return hashlib.blake2b(data, digest_size=size, key=key, person=label(name)).digest()


def anchor(count, vault, generation, sequence, chain, epoch):
    slot = b"COFANCH1" + count + vault + generation + sequence + chain + epoch + bytes(396)
    assert len(slot) == 480
    return slot + H(32, b"", b"anchor", slot)


def recovery_code(code):
    check = int.from_bytes(H(16, b"", b"check", code), "big") >> (128 - 20)
    number = int.from_bytes(code, "big") << 20 | check
    alphabet = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
    text = "".join(alphabet[number >> 5 * place & 31] for place in reversed(range(36)))
    return "-".join(text[start : start + 4] for start in range(0, 36, 4)).encode()


def text_file(title, *lines):
    text = "".join([title + "\n"] + [f"{name} {value.hex()}\n" for name, value in lines]).encode()
    return text + b"check " + H(16, b"", b"file", text)[:4].hex().encode() + b"\n"


class Sodium:
    def __init__(self):
        self.library = ctypes.CDLL(ctypes.util.find_library("sodium") or "libsodium.so.23")
        assert self.library.sodium_init() >= 0

    def call(self, name, output_size, *arguments):
        output = ctypes.create_string_buffer(output_size)
        status = getattr(self.library, name)(output, *arguments)
        assert status == 0, name
        return output.raw

    def size(self, data):
        return ctypes.c_ulonglong(len(data))

    def sign(self, seed, data):
        public, secret = ctypes.create_string_buffer(32), ctypes.create_string_buffer(64)
        assert self.library.crypto_sign_seed_keypair(public, secret, seed) == 0
        return self.call("crypto_sign_detached", 64, None, data, self.size(data), secret)

    def verify(self, public, signature, data):
        return self.library.crypto_sign_verify_detached(signature, data, self.size(data), public) == 0

    def seal(self, public, data):
        return self.call("crypto_box_seal", len(data) + 48, data, self.size(data), public)

    def open(self, secret, box):
        public = self.call("crypto_scalarmult_base", 32, secret)
        return self.call("crypto_box_seal_open", len(box) - 48, box, self.size(box), public, secret)


def grant_make(vault, head, seed, structure_key, payload, expiry, boxes):
    sodium = Sodium()
    body = head + H(32, structure_key, b"grant", vault + head + payload)
    box = sodium.seal(head[24:56], payload)
    body += struct.pack("<L", len(box)) + expiry + struct.pack("<L", len(boxes) // 2) + box + boxes
    return body + sodium.sign(seed, label(b"grant") + vault + body)


def grant_open(vault, team, secret, body):
    sodium = Sodium()
    signed, signature = body[:-64], body[-64:]
    assert sodium.verify(team, signature, label(b"grant") + vault + signed)
    size, _, size_of_groups = struct.unpack("<3L", signed[88:100])
    assert size_of_groups in range(64, 16_385, 64)
    assert len(signed) - 100 - size - size_of_groups in range(64, 16_385, 64)
    payload = sodium.open(secret, signed[100 : 100 + size])
    assert signed[56:88] == H(32, payload[:32], b"grant", vault + signed[:56] + payload)
    return payload


def answer(task, items):
    if task == "anchor":
        return [anchor(*items)]
    if task == "recovery-code":
        return [recovery_code(item) for item in items]
    if task == "device-key":
        return [text_file("coffer device key 1", *zip(("device", "key"), items, strict=True))]
    if task == "credential":
        return [text_file("coffer credential 1", *zip(("vault", "team", "grant", "secret"), items, strict=True))]
    if task == "grant-make":
        return [grant_make(*items)]
    if task == "grant-open":
        return [grant_open(*items)]
    raise SystemExit(f"unknown task: {task}")


if __name__ == "__main__":
    input_path, output_path, task = sys.argv[1:]
    write_items(output_path, answer(task, list(read_items(input_path))))
