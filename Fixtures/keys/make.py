#!/usr/bin/env python3
"""Writes `vectors.json`: keys in Apple's forms, and what other programs make with them.

make.py

Needs the package `cryptography` (48 or later). The keys are derived from fixed numbers and worthless outside of tests;
signatures and ciphertexts that need random numbers differ in every run.
"""

import hashlib
import json
import pathlib
import sys

from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, padding, rsa, utils, x25519
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes
from cryptography.hazmat.primitives.kdf.x963kdf import X963KDF

HERE = pathlib.Path(__file__).parent
sys.path.insert(0, str(HERE.parent / "x509"))
from make import ec_key, number, prime, stream  # noqa: E402

HASHES = {
    "SHA1": hashes.SHA1(), "SHA224": hashes.SHA224(), "SHA256": hashes.SHA256(), "SHA384": hashes.SHA384(),
    "SHA512": hashes.SHA512(),
}
CURVES = {"P256": ec.SECP256R1(), "P384": ec.SECP384R1(), "P521": ec.SECP521R1()}
RAW = serialization.Encoding.Raw, serialization.PublicFormat.Raw
MESSAGE = b"Every secret has a keeper."
Encoding = serialization.Encoding


def rsa_key(bits):
    p, q = prime(f"{bits} keys p", bits // 2), prime(f"{bits} keys q", bits // 2)
    d = pow(65537, -1, (p - 1) * (q - 1))
    return rsa.RSAPrivateNumbers(
        p, q, d, rsa.rsa_crt_dmp1(d, p), rsa.rsa_crt_dmq1(d, q), rsa.rsa_crt_iqmp(p, q),
        rsa.RSAPublicNumbers(65537, p * q),
    ).private_key()


def digest(name, data):
    return hashlib.new(name, data).digest()


def point(public):
    return public.public_bytes(Encoding.X962, serialization.PublicFormat.UncompressedPoint)


# MARK: Keys


def apple_forms(key):
    """The type, size, private and public bytes of a key."""
    public = key.public_key()
    if isinstance(key, rsa.RSAPrivateKey):
        private_bytes = key.private_bytes(
            Encoding.DER, serialization.PrivateFormat.TraditionalOpenSSL, serialization.NoEncryption()
        )
        return 42, key.key_size, private_bytes, public.public_bytes(Encoding.DER, serialization.PublicFormat.PKCS1)
    if isinstance(key, ec.EllipticCurvePrivateKey):
        scalar = key.private_numbers().private_value.to_bytes((key.key_size + 7) // 8, "big")
        return 73, key.key_size, point(public) + scalar, point(public)
    kind = 105 if isinstance(key, ed25519.Ed25519PrivateKey) else 106
    return kind, 256, key.private_bytes_raw(), public.public_bytes_raw()


def described(name, key):
    kind, size, private_bytes, public_bytes = apple_forms(key)
    info = key.public_key().public_bytes(Encoding.DER, serialization.PublicFormat.SubjectPublicKeyInfo)
    return {
        "name": name, "type": kind, "size": size, "private": private_bytes.hex(), "public": public_bytes.hex(),
        "info": info.hex(), "label": digest("sha1", public_bytes).hex(),
    }


# MARK: Signatures


def rsa_signatures(key):
    block = (key.key_size + 7) // 8
    numbers = key.private_numbers()
    for name, function in HASHES.items():
        value = digest(name, MESSAGE)
        prehashed = utils.Prehashed(function)
        if block >= function.digest_size + 30:
            signature = key.sign(value, padding.PKCS1v15(), prehashed)
            yield f"digest-PKCS1v15:{name}", value, signature
            yield f"message-PKCS1v15:{name}", MESSAGE, signature
        if key.key_size >= 16 * function.digest_size + 10:
            pss = padding.PSS(padding.MGF1(function), function.digest_size)
            salt = 24 if name == "SHA224" else function.digest_size
            yield f"digest-PSS:{name}:{name}:{salt}", value, key.sign(value, pss, prehashed)
            yield f"message-PSS:{name}:{name}:{salt}", MESSAGE, key.sign(MESSAGE, pss, function)
    for data in (b"", MESSAGE):
        block_bytes = b"\0\1" + b"\xff" * (block - 3 - len(data)) + b"\0" + data
        raised = pow(int.from_bytes(block_bytes, "big"), numbers.d, numbers.public_numbers.n)
        yield "digest-PKCS1v15", data, raised.to_bytes(block, "big")
    raised = pow(int.from_bytes(MESSAGE, "big"), numbers.d, numbers.public_numbers.n)
    yield "raw", MESSAGE, raised.to_bytes(block, "big")


def ecdsa_signatures(key):
    size = (key.key_size + 7) // 8

    def both(form, data, signature):
        r, s = utils.decode_dss_signature(signature)
        suffix = f":{form.split(':')[1]}" if ":" in form else ""
        yield f"{form.split(':')[0]}-X962{suffix}", data, signature
        yield f"{form.split(':')[0]}-RFC4754{suffix}", data, r.to_bytes(size, "big") + s.to_bytes(size, "big")

    for name, function in HASHES.items():
        value = digest(name, MESSAGE)
        signature = key.sign(value, ec.ECDSA(utils.Prehashed(function), deterministic_signing=True))
        yield from both(f"digest:{name}", value, signature)
        yield from both(f"message:{name}", MESSAGE, key.sign(MESSAGE, ec.ECDSA(function, deterministic_signing=True)))
    value = digest("sha384", MESSAGE)
    signature = key.sign(value, ec.ECDSA(utils.Prehashed(hashes.SHA384()), deterministic_signing=True))
    yield from both("digest", value, signature)
    r, s = utils.decode_dss_signature(signature)
    yield "RFC4754", value, r.to_bytes(size, "big") + s.to_bytes(size, "big")


def signatures(name, key):
    if isinstance(key, rsa.RSAPrivateKey):
        found, family = rsa_signatures(key), "RSA"
    elif isinstance(key, ec.EllipticCurvePrivateKey):
        found, family = ecdsa_signatures(key), "ECDSA"
    elif isinstance(key, ed25519.Ed25519PrivateKey):
        found, family = [("message-Curve25519:SHA512", MESSAGE, key.sign(MESSAGE))], "EdDSA"
    else:
        return
    for algorithm, data, signature in found:
        yield {
            "key": name, "algorithm": f"algid:sign:{family}:{algorithm}", "input": data.hex(),
            "signature": signature.hex(),
        }


# MARK: Encryption


def gcm(key, vector, plaintext, context=b""):
    encryptor = Cipher(algorithms.AES(key), modes.GCM(vector)).encryptor()
    encryptor.authenticate_additional_data(context)
    return encryptor.update(plaintext) + encryptor.finalize() + encryptor.tag


def rsa_ciphertexts(key):
    public = key.public_key()
    numbers = public.public_numbers()
    block = (key.key_size + 7) // 8
    raised = pow(int.from_bytes(MESSAGE, "big"), numbers.e, numbers.n)
    yield "raw", MESSAGE.rjust(block, b"\0"), raised.to_bytes(block, "big")
    yield "PKCS1", MESSAGE, public.encrypt(MESSAGE, padding.PKCS1v15())
    for name, function in HASHES.items():
        if block < 2 * function.digest_size + 2 + 32:
            continue
        oaep = padding.OAEP(padding.MGF1(function), function, None)
        text = MESSAGE[: block - 2 * function.digest_size - 2]
        yield f"OAEP:{name}", text, public.encrypt(text, oaep)
        yield f"OAEP:{name}", b"", public.encrypt(b"", oaep)
        session = stream(f"session {name}", 32 if key.key_size >= 4096 else 16)
        pkcs1 = public.public_bytes(Encoding.DER, serialization.PublicFormat.PKCS1)
        for text in (b"", MESSAGE * 3):
            yield f"OAEP:{name}:AESGCM", text, public.encrypt(session, oaep) + gcm(session, bytes(16), text, pkcs1)


def shared(key, other):
    return key.exchange(other) if isinstance(key, x25519.X25519PrivateKey) else key.exchange(ec.ECDH(), other)


def another(key, seed):
    """Another key of the same kind."""
    if isinstance(key, x25519.X25519PrivateKey):
        return x25519.X25519PrivateKey.from_private_bytes(stream(seed, 32))
    return ec.derive_private_key(number(seed, 2 ** (key.key_size - 1)), key.curve)


def public_bytes(key):
    return apple_forms(key)[3]


def ecies_ciphertexts(key):
    public = key.public_key()
    key_size = 32 if isinstance(key, ec.EllipticCurvePrivateKey) and key.key_size > 256 else 16
    for agreement in ("ECDH", "ECDHC"):
        for name, function in HASHES.items():
            for suffix in ("",) if name == "SHA1" else ("", "-KDFIV"):
                for text in (b"", MESSAGE * 3):
                    sender = another(key, f"sender {agreement} {name} {suffix} {len(text)}")
                    sender_bytes = public_bytes(sender)
                    size = key_size + (16 if suffix else 0)
                    derived = X963KDF(function, size, sender_bytes).derive(shared(sender, public))
                    vector = derived[key_size:] if suffix else bytes(16)
                    box = gcm(derived[:key_size], vector, text)
                    yield f"ECIES:{agreement}:KDFX963:{name}:AESGCM{suffix}", text, sender_bytes + box


def ciphertexts(name, key):
    if isinstance(key, ed25519.Ed25519PrivateKey):
        return
    found = rsa_ciphertexts(key) if isinstance(key, rsa.RSAPrivateKey) else ecies_ciphertexts(key)
    for form, plaintext, ciphertext in found:
        family = f"RSA:{form}" if isinstance(key, rsa.RSAPrivateKey) else form
        yield {
            "key": name, "algorithm": f"algid:encrypt:{family}", "plaintext": plaintext.hex(),
            "ciphertext": ciphertext.hex(),
        }


# MARK: Agreement


def agreements(name, key):
    if isinstance(key, (rsa.RSAPrivateKey, ed25519.Ed25519PrivateKey)):
        return
    other = another(key, "other side")
    secret = shared(key, other.public_key())
    for agreement in ("ECDH",) if isinstance(key, x25519.X25519PrivateKey) else ("ECDH", "ECDHC"):
        found = [("", 0, b"", secret)]
        for hash_name, function in HASHES.items():
            for size, info in ((1, b""), (16, b"info"), (200, stream("info", 70))):
                derived = X963KDF(function, size, info).derive(secret)
                found.append((f":KDFX963:{hash_name}", size, info, derived))
        for suffix, size, info, result in found:
            yield {
                "key": name, "other": public_bytes(other).hex(), "algorithm": f"algid:keyexchange:{agreement}{suffix}",
                "size": size, "info": info.hex(), "result": result.hex(),
            }


def main():
    keys = {f"RSA {bits}": rsa_key(bits) for bits in (1024, 2048, 3072, 4096)}
    keys |= {name: ec_key(curve) for name, curve in CURVES.items()}
    keys["Ed25519"] = ed25519.Ed25519PrivateKey.from_private_bytes(stream("Ed25519", 32))
    keys["X25519"] = x25519.X25519PrivateKey.from_private_bytes(stream("X25519", 32))
    vectors = {
        "keys": [described(name, key) for name, key in keys.items()],
        "signatures": [one for name, key in keys.items() for one in signatures(name, key)],
        "ciphertexts": [one for name, key in keys.items() for one in ciphertexts(name, key)],
        "agreements": [one for name, key in keys.items() for one in agreements(name, key)],
    }
    lines = []
    for group, entries in vectors.items():
        rows = ",\n".join(json.dumps(entry) for entry in entries)
        lines.append(f"{json.dumps(group)}: [\n{rows}\n]")
    (HERE / "vectors.json").write_text("{\n" + ",\n".join(lines) + "\n}\n")


if __name__ == "__main__":
    main()
