#!/usr/bin/env python3
"""Checks what Coffer's keys made: signatures are verified, and ciphertexts decrypted, with Python's `cryptography`.

check.py FILE

`./dev keys` writes the file and runs this.
"""

import base64
import importlib.util
import json
import pathlib
import sys

from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, padding, rsa, utils, x25519
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes
from cryptography.hazmat.primitives.kdf.x963kdf import X963KDF

# Not by its name alone, which another directory has, too.
spec = importlib.util.spec_from_file_location("keys", pathlib.Path(__file__).parent / "make.py")
sys.path = [path for path in sys.path if pathlib.Path(path).resolve() != pathlib.Path(__file__).parent.resolve()]
make = importlib.util.module_from_spec(spec)
spec.loader.exec_module(make)


def all_keys():
    keys = {f"RSA {bits}": make.rsa_key(bits) for bits in (1024, 2048, 3072, 4096)}
    keys |= {name: make.ec_key(curve) for name, curve in make.CURVES.items()}
    keys["Ed25519"] = ed25519.Ed25519PrivateKey.from_private_bytes(make.stream("Ed25519", 32))
    keys["X25519"] = x25519.X25519PrivateKey.from_private_bytes(make.stream("X25519", 32))
    return keys


def block(key, data):
    """What a number was before it was raised to the public exponent."""
    numbers = key.public_key().public_numbers()
    return pow(int.from_bytes(data, "big"), numbers.e, numbers.n).to_bytes((key.key_size + 7) // 8, "big")


def verify(key, algorithm, data, signature):
    _, _, family, form, *rest = algorithm.split(":")
    public = key.public_key()
    if family == "EdDSA":
        return public.verify(signature, data)
    function = make.HASHES.get(rest[0]) if rest else None
    scheme = utils.Prehashed(function) if function and form.startswith("digest") else function
    if family == "ECDSA":
        if not form.endswith("X962"):
            half = len(signature) // 2
            assert half == (key.key_size + 7) // 8
            signature = utils.encode_dss_signature(
                int.from_bytes(signature[:half], "big"), int.from_bytes(signature[half:], "big")
            )
        # Without a name, the input is the digest of SHA-384.
        return public.verify(signature, data, ec.ECDSA(scheme or utils.Prehashed(hashes.SHA384())))
    if form == "raw":
        assert block(key, signature).lstrip(b"\0") == data
    elif not rest:
        assert block(key, signature) == b"\0\1" + b"\xff" * ((key.key_size + 7) // 8 - 3 - len(data)) + b"\0" + data
    elif "PSS" in form:
        public.verify(signature, data, padding.PSS(padding.MGF1(function), function.digest_size), scheme)
    else:
        public.verify(signature, data, padding.PKCS1v15(), scheme)


def open_gcm(key, vector, box, context=b""):
    decryptor = Cipher(algorithms.AES(key), modes.GCM(vector, box[-16:])).decryptor()
    decryptor.authenticate_additional_data(context)
    return decryptor.update(box[:-16]) + decryptor.finalize()


def decrypt(key, algorithm, ciphertext):
    _, _, family, *rest = algorithm.split(":")
    if family == "RSA":
        numbers = key.private_numbers()
        size = (key.key_size + 7) // 8
        if rest == ["raw"]:
            return pow(int.from_bytes(ciphertext, "big"), numbers.d, numbers.public_numbers.n).to_bytes(size, "big")
        if rest == ["PKCS1"]:
            return key.decrypt(ciphertext, padding.PKCS1v15())
        function = make.HASHES[rest[1]]
        oaep = padding.OAEP(padding.MGF1(function), function, None)
        if len(rest) == 2:
            return key.decrypt(ciphertext, oaep)
        session = key.decrypt(ciphertext[:size], oaep)
        assert len(session) == (32 if key.key_size >= 4096 else 16)
        context = key.public_key().public_bytes(serialization.Encoding.DER, serialization.PublicFormat.PKCS1)
        return open_gcm(session, bytes(16), ciphertext[size:], context)
    _, _, name, cipher = rest
    is_curve = isinstance(key, ec.EllipticCurvePrivateKey)
    size = 1 + 2 * ((key.key_size + 7) // 8) if is_curve else 32
    sender_bytes = ciphertext[:size]
    if is_curve:
        sender = ec.EllipticCurvePublicKey.from_encoded_point(key.curve, sender_bytes)
    else:
        sender = x25519.X25519PublicKey.from_public_bytes(sender_bytes)
    key_size = 32 if is_curve and key.key_size > 256 else 16
    derives_vector = cipher == "AESGCM-KDFIV"
    derived = X963KDF(make.HASHES[name], key_size + (16 if derives_vector else 0), sender_bytes).derive(
        make.shared(key, sender)
    )
    return open_gcm(derived[:key_size], derived[key_size:] if derives_vector else bytes(16), ciphertext[size:])


def main():
    keys = all_keys()
    with open(sys.argv[1]) as file:
        entries = json.load(file)
    for entry in entries:
        values = {name: base64.b64decode(entry[name]) for name in entry if name not in ("key", "algorithm")}
        key, algorithm = keys[entry["key"]], entry["algorithm"]
        if "signature" in values:
            verify(key, algorithm, values["input"], values["signature"])
        else:
            assert decrypt(key, algorithm, values["ciphertext"]) == values["plaintext"], (entry["key"], algorithm)
    print(f"{len(entries)} signatures and ciphertexts are right")


if __name__ == "__main__":
    main()
