#!/usr/bin/env python3
"""Writes `edges.json`: signatures and shared secrets at the edges of what is valid, for the keys of `make.py`.

edges.py

Needs the package `cryptography` (48 or later). Whether a signature is valid follows from how it is built here, by the
rules of RFC 8017, FIPS 186-5, RFC 8032 and RFC 7748; `cryptography` must agree.
"""

import hashlib
import importlib.util
import json
import pathlib

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, padding, x25519

HERE = pathlib.Path(__file__).parent
# Under another name, since that file imports a module of its own name.
specification = importlib.util.spec_from_file_location("keys", HERE / "make.py")
keys = importlib.util.module_from_spec(specification)
specification.loader.exec_module(keys)

MESSAGE, point = keys.MESSAGE, keys.point
RSA = keys.rsa_key(2048)
ED25519 = ed25519.Ed25519PrivateKey.from_private_bytes(keys.stream("Ed25519", 32))
X25519 = x25519.X25519PrivateKey.from_private_bytes(keys.stream("X25519", 32))
NUMBERS = RSA.private_numbers()
N, D, SIZE = NUMBERS.public_numbers.n, NUMBERS.d, 256
DIGEST = hashlib.sha256(MESSAGE).digest()
INFO = bytes.fromhex("3031300d060960864801650304020105000420")
PKCS1, PSS = "algid:sign:RSA:message-PKCS1v15:SHA256", "algid:sign:RSA:message-PSS:SHA256:SHA256:32"
edges = []


def add(name, public, algorithm, signature, valid, kind, check):
    try:
        check(signature)
        agrees = valid
    except (InvalidSignature, ValueError):
        agrees = not valid
    assert agrees, name
    edges.append({
        "name": name, "public": public.hex(), "type": kind, "algorithm": algorithm, "input": MESSAGE.hex(),
        "signature": signature.hex(), "valid": valid,
    })


# MARK: RSA


def rsa_bytes():
    return RSA.public_key().public_bytes(serialization.Encoding.DER, serialization.PublicFormat.PKCS1)


def raw(block):
    assert len(block) == SIZE, len(block)
    return pow(int.from_bytes(block, "big"), D, N).to_bytes(SIZE, "big")


def rsa_edge(name, signature, valid=False, pss=False):
    scheme = padding.PSS(padding.MGF1(hashes.SHA256()), 32) if pss else padding.PKCS1v15()
    check = lambda signature: RSA.public_key().verify(signature, MESSAGE, scheme, hashes.SHA256())  # noqa: E731
    add(f"{'PSS' if pss else 'PKCS1'}: {name}", rsa_bytes(), PSS if pss else PKCS1, signature, valid, 42, check)


def block(tail, start=b"\0\1", fill=b"\xff"):
    return start + fill * (SIZE - len(start) - 1 - len(tail)) + b"\0" + tail


good = raw(block(INFO + DIGEST))
rsa_edge("as it should be", good, True)
rsa_edge("block type 2", raw(block(INFO + DIGEST, b"\0\2")))
rsa_edge("block type 0", raw(block(INFO + DIGEST, b"\0\0")))
rsa_edge("padding of zeros", raw(block(INFO + DIGEST, fill=b"\0")))
rsa_edge("a byte of padding changed", raw(b"\0\1\xfe" + block(INFO + DIGEST)[3:]))
rsa_edge("garbage behind the digest", raw(b"\0\1" + b"\xff" * 8 + b"\0" + INFO + DIGEST + bytes(SIZE - 62)))
rsa_edge("garbage in front of the digest", raw(b"\0\1" + b"\xff" * 8 + b"\0" + bytes(SIZE - 62) + INFO + DIGEST))
rsa_edge("no padding", raw(b"\0\1\0" + INFO + DIGEST + bytes(SIZE - 54)))
rsa_edge("no zero behind the padding", raw(b"\0\1" + b"\xff" * (SIZE - 53) + INFO + DIGEST))
rsa_edge("digest without its algorithm", raw(block(DIGEST)))
rsa_edge("algorithm of SHA-384", raw(block(INFO[:14] + b"\2" + INFO[15:] + DIGEST)))
rsa_edge("garbage as parameters", raw(block(b"\x30\x33" + b"\x30\x0f" + INFO[4:15] + b"\4\2\0\0\4\x20" + DIGEST)))
rsa_edge("lengths in a longer form", raw(block(b"\x30\x81\x31" + INFO[2:] + DIGEST)))
rsa_edge("a shorter digest", raw(block(INFO[:1] + b"\x30" + INFO[2:18] + b"\x1f" + DIGEST[:31])))
rsa_edge("the digest of another message", raw(block(INFO + hashlib.sha256(b"other").digest())))
rsa_edge("the negative number", (N - int.from_bytes(good, "big")).to_bytes(SIZE, "big"))
rsa_edge("a byte more", b"\0" + good)
rsa_edge("a byte less", good[1:])
for value in (0, 1, N - 1):
    rsa_edge(f"the number {value if value < 2 else 'below the modulus'}", value.to_bytes(SIZE, "big"))


def mgf1(seed, count, name="sha256"):
    output = b""
    while len(output) < count:
        output += hashlib.new(name, seed + (len(output) // hashlib.new(name).digest_size).to_bytes(4, "big")).digest()
    return output[:count]


def pss(salt, trailer=0xBC, separator=1, name="sha256", top=0, front=0):
    digest = hashlib.sha256(bytes(8) + DIGEST + salt).digest()
    data = bytes(SIZE - 34 - len(salt)) + bytes([separator]) + salt
    data = bytes([front]) + data[1:]
    masked = bytes(one ^ other for one, other in zip(data, mgf1(digest, len(data), name), strict=True))
    return raw(bytes([masked[0] & 0x7F | top]) + masked[1:] + digest + bytes([trailer]))


rsa_edge("as it should be", pss(bytes(range(32))), True, pss=True)
rsa_edge("a salt of zeros", pss(bytes(32)), True, pss=True)
for count in (0, 20, 31, 33, 64, SIZE - 34):
    rsa_edge(f"a salt of {count} bytes", pss(bytes(count)), pss=True)
rsa_edge("another trailer", pss(bytes(32), trailer=0xCC), pss=True)
rsa_edge("another separator", pss(bytes(32), separator=2), pss=True)
rsa_edge("a mask by SHA-1", pss(bytes(32), name="sha1"), pss=True)
rsa_edge("something in front of the separator", pss(bytes(32), front=0x40), pss=True)
rsa_edge("a signature of PKCS #1", good, pss=True)

# MARK: ECDSA, with arithmetic of its own

P = 2**256 - 2**224 + 2**192 + 2**96 - 1
B = 0x5AC635D8AA3A93E7B3EBBD55769886BC651D06B0CC53B0F63BCE3C3E27D2604B
ORDER = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551
G = (0x6B17D1F2E12C4247F8BCE6E563A440F277037D812DEB33A0F4A13945D898C296,
     0x4FE342E2FE1A7F9B8EE7EB4A7C0F9E162BCE33576B315ECECBB6406837BF51F5)
ECDSA = "algid:sign:ECDSA:message-X962:SHA256"
Z = int.from_bytes(DIGEST, "big")


def plus(one, other):
    if one is None or other is None:
        return one or other
    if one[0] == other[0] and (one[1] + other[1]) % P == 0:
        return None
    if one == other:
        slope = (3 * one[0] ** 2 - 3) * pow(2 * one[1], -1, P)
    else:
        slope = (other[1] - one[1]) * pow(other[0] - one[0], -1, P)
    x = (slope * slope - one[0] - other[0]) % P
    return x, (slope * (one[0] - x) - one[1]) % P


def times(number, base):
    result = None
    while number:
        if number & 1:
            result = plus(result, base)
        base, number = plus(base, base), number >> 1
    return result


def der_integer(number):
    content = number.to_bytes(number.bit_length() // 8 + 1, "big", signed=True)
    return b"\2" + bytes([len(content)]) + content


def der_signature(r, s):
    content = der_integer(r) + der_integer(s)
    return b"\x30" + bytes([len(content)]) + content


def ecdsa_edge(name, key, r, s, valid=False):
    public = ec.EllipticCurvePublicNumbers(*key, ec.SECP256R1()).public_key()
    check = lambda signature: public.verify(signature, MESSAGE, ec.ECDSA(hashes.SHA256()))  # noqa: E731
    add(f"ECDSA: {name}", point(public), ECDSA, der_signature(r, s), valid, 73, check)


secret, k = 0x1234567890ABCDEF << 128 | 0xFEDCBA, 0xABCDEF << 200 | 7
Q = times(secret, G)
r = times(k, G)[0] % ORDER
s = pow(k, -1, ORDER) * (Z + r * secret) % ORDER
ecdsa_edge("as it should be", Q, r, s, True)
ecdsa_edge("the other s that is valid", Q, r, ORDER - s, True)
for name, wrong in {
    "r and the order": (r + ORDER, s), "s and the order": (r, s + ORDER), "r below zero": (r - ORDER, s),
    "s below zero": (r, s - ORDER), "-s": (r, -s), "-r": (-r, s), "r of zero": (0, s), "s of zero": (r, 0),
    "r of the order": (ORDER, s), "s of the order": (r, ORDER), "r of the prime": (P, s), "s of the prime": (r, P),
    "both of one": (1, 1), "both of zero": (0, 0), "r twice": (r, r), "swapped": (s, r), "s inverted": (
        r, pow(s, -1, ORDER)), "r of 320 bits": (r + (1 << 319), s), "s of 320 bits": (r, s + (1 << 319)),
}.items():
    ecdsa_edge(name, Q, *wrong)


def on_curve(x):
    square = (x**3 - 3 * x + B) % P
    y = pow(square, (P + 1) // 4, P)
    return (x, y) if y * y % P == square else None


# A point whose x is above the order: r is x less the order, and not x itself.
x = ORDER
while not on_curve(x):
    x += 1
R = on_curve(x)
s = 0x5555 << 200 | 3
u1, u2 = Z * pow(s, -1, ORDER) % ORDER, (x - ORDER) * pow(s, -1, ORDER) % ORDER
minus = lambda pair: (pair[0], P - pair[1])  # noqa: E731
Q2 = times(pow(u2, -1, ORDER), plus(R, minus(times(u1, G))))
ecdsa_edge("x above the order, less the order", Q2, x - ORDER, s, True)
ecdsa_edge("x above the order itself", Q2, x, s)
# Where both products cancel each other out, there is no x.
r = 0x77 << 190 | 5
u2 = r * pow(s, -1, ORDER) % ORDER
Q3 = times((ORDER - u1) * pow(u2, -1, ORDER) % ORDER, G)
ecdsa_edge("the sum is the point at infinity", Q3, r, s)
# Where both products are the same point, adding them is doubling.
Q4 = times(u1 * pow(u2, -1, ORDER) % ORDER, G)
ecdsa_edge("the sum is a doubling, with a wrong r", Q4, r, s)

# MARK: Ed25519 and X25519

L = 2**252 + 27742317777372353535851937790883648493
EDDSA = "algid:sign:EdDSA:message-Curve25519:SHA512"
signature = ED25519.sign(MESSAGE)
own = ED25519.public_key().public_bytes_raw()


def eddsa_edge(name, signature, valid=False, public=own):
    check = lambda signature: ed25519.Ed25519PublicKey.from_public_bytes(public).verify(signature, MESSAGE)  # noqa
    add(f"Ed25519: {name}", public, EDDSA, signature, valid, 105, check)


def with_s(value):
    return signature[:32] + value.to_bytes(32, "little")


S = int.from_bytes(signature[32:], "little")
eddsa_edge("as it should be", signature, True)
eddsa_edge("s and the order", with_s(S + L))
eddsa_edge("s and twice the order", with_s(S + 2 * L))
eddsa_edge("s of zero", with_s(0))
eddsa_edge("s of the order", with_s(L))
eddsa_edge("-s", with_s(L - S))
eddsa_edge("another sign of R", signature[:31] + bytes([signature[31] ^ 0x80]) + signature[32:])
eddsa_edge("an R that is no point", bytes([2]) + bytes(31) + signature[32:])

secrets = []
for name, value in {
    "as it should be": int.from_bytes(X25519.public_key().public_bytes_raw(), "little"),
    "the highest bit set": int.from_bytes(X25519.public_key().public_bytes_raw(), "little") | 1 << 255,
    "nine": 9, "nine and the prime": 9 + 2**255 - 19, "on the twist": 2, "the largest number": 2**256 - 1,
    "zero": 0, "one": 1, "the prime": 2**255 - 19, "the prime and one": 2**255 - 18, "minus one": 2**255 - 20,
    "a point of order eight": 325606250916557431795983626356110631294008115727848805560023387167927233504,
}.items():
    public = value.to_bytes(32, "little")
    try:
        shared = X25519.exchange(x25519.X25519PublicKey.from_public_bytes(public)).hex()
    except ValueError:
        shared = None
    secrets.append({"name": name, "public": public.hex(), "shared": shared})

groups = []
for group, entries in {"signatures": edges, "secrets": secrets}.items():
    rows = ",\n".join(json.dumps(entry) for entry in entries)
    groups.append(f"{json.dumps(group)}: [\n{rows}\n]")
(HERE / "edges.json").write_text("{\n" + ",\n".join(groups) + "\n}\n")
