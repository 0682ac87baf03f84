#!/usr/bin/env python3
"""Writes PKCS #12 files as several programs make them, and keys in other files: `NAME.p12` and `NAME.pem`.

make.py

Needs the package `cryptography` (48 or later), openssl (3.0 or later, with its provider of old algorithms) and keytool.
The keys and certificates are those of `../keys` and `../x509`; salts differ in every run. The passphrase is `pässword`,
unless the name says otherwise.
"""

import pathlib
import subprocess
import sys
import tempfile

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, ed25519
from cryptography.hazmat.primitives.serialization import pkcs12

HERE = pathlib.Path(__file__).parent
sys.path.insert(0, str(HERE.parent / "x509"))
sys.path.insert(0, str(HERE.parent / "keys"))
import importlib.util  # noqa: E402


def load(name):
    spec = importlib.util.spec_from_file_location(name, HERE.parent / name / "make.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


CERTIFICATES, KEYS = load("x509"), load("keys")
PASSPHRASE = "pässword"
PEM, PKCS8 = serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8
PLAIN = serialization.NoEncryption()

P256 = CERTIFICATES.ec_key(ec.SECP256R1())
P521 = CERTIFICATES.ec_key(ec.SECP521R1())
RSA = KEYS.rsa_key(2048)
ED25519 = ed25519.Ed25519PrivateKey.from_private_bytes(CERTIFICATES.stream("Ed25519", 32))


def certificate(name, key):
    return x509.load_der_x509_certificate(CERTIFICATES.self_signed(name, key))


ROOT = x509.load_der_x509_certificate((HERE.parent / "x509/chain_root.der").read_bytes())
INTERMEDIATE = x509.load_der_x509_certificate((HERE.parent / "x509/chain_intermediate.der").read_bytes())
with tempfile.TemporaryDirectory() as directory:
    base = pathlib.Path(directory)

    def pem(key, form=PKCS8, encryption=PLAIN):
        return key.private_bytes(PEM, form, encryption)

    def openssl(name, key, leaf, *options, passphrase=PASSPHRASE, others=()):
        (base / "key.pem").write_bytes(pem(key))
        (base / "leaf.pem").write_bytes(leaf.public_bytes(PEM))
        (base / "others.pem").write_bytes(b"".join(other.public_bytes(PEM) for other in others))
        chain = ["-certfile", "others.pem"] if others else []
        subprocess.run(
            ["openssl", "pkcs12", "-export", "-inkey", "key.pem", "-in", "leaf.pem", "-out", HERE / f"{name}.p12",
             "-passout", f"pass:{passphrase}", *chain, *options],
            cwd=base, check=True,
        )

    rsa_leaf, p256_leaf = certificate("RSA leaf", RSA), certificate("P-256 leaf", P256)
    openssl("openssl", RSA, rsa_leaf, "-name", "my identity")
    openssl("openssl_chain", P256, ROOT, "-name", "chain", others=[INTERMEDIATE])
    openssl("openssl_legacy", RSA, rsa_leaf, "-legacy", "-name", "old")
    openssl("openssl_3des", P256, p256_leaf, "-certpbe", "PBE-SHA1-3DES", "-keypbe", "PBE-SHA1-3DES", "-macalg", "sha1")
    openssl("openssl_rc4", P256, p256_leaf, "-legacy", "-certpbe", "PBE-SHA1-RC4-128", "-keypbe", "PBE-SHA1-RC2-128")
    openssl("openssl_plain", P256, p256_leaf, "-certpbe", "NONE", "-keypbe", "NONE")
    openssl("openssl_sha512", P256, p256_leaf, "-macalg", "sha512", "-certpbe", "aes-128-cbc", "-keypbe", "aes-192-cbc")
    openssl("openssl_empty", P256, p256_leaf, passphrase="")
    openssl("openssl_no_code", P256, p256_leaf, "-nomac")
    openssl("openssl_rounds", P256, p256_leaf, "-certpbe", "NONE", "-iter", "10000000", "-nomaciter")

    strong = serialization.PrivateFormat.PKCS12.encryption_builder().kdf_rounds(5000).key_cert_algorithm(
        pkcs12.PBES.PBESv2SHA256AndAES256CBC
    ).hmac_hash(hashes.SHA256()).build(PASSPHRASE.encode())
    (HERE / "python.p12").write_bytes(
        pkcs12.serialize_key_and_certificates("ключ 🔑".encode(), P521, certificate("P-521 leaf", P521), None, strong)
    )
    (HERE / "python_ed25519.p12").write_bytes(
        pkcs12.serialize_key_and_certificates(b"ed", ED25519, certificate("Ed25519 leaf", ED25519), None, strong)
    )
    (HERE / "python_certificates.p12").write_bytes(
        pkcs12.serialize_key_and_certificates(None, None, None, [ROOT, INTERMEDIATE], strong)
    )
    (HERE / "python_empty.p12").write_bytes(
        pkcs12.serialize_key_and_certificates(b"none", P256, p256_leaf, None, PLAIN)
    )

    # Java protects keys and certificates in one step for each; its passphrases are ASCII.
    for name, legacy in (("keytool", False), ("keytool_legacy", True)):
        store = base / f"{name}.p12"
        options = ["-J-Dkeystore.pkcs12.legacy"] if legacy else []
        for alias, kind in (("first", ["-keyalg", "RSA", "-keysize", "2048"]), ("second", ["-keyalg", "EC", "-groupname", "secp384r1"])):
            subprocess.run(
                ["keytool", *options, "-genkeypair", "-alias", alias, *kind, "-dname", f"CN={alias}", "-validity", "9000",
                 "-keystore", store, "-storetype", "PKCS12", "-storepass", "password"],
                check=True, capture_output=True,
            )
        (HERE / f"{name}.p12").write_bytes(store.read_bytes())

    # Keys alone.
    best = serialization.BestAvailableEncryption(PASSPHRASE.encode())
    traditional = serialization.PrivateFormat.TraditionalOpenSSL
    for name, content in {
        "rsa_pkcs8": pem(RSA), "rsa_pkcs1": pem(RSA, traditional), "p256_pkcs8": pem(P256), "p256_sec1": pem(P256, traditional),
        "p521_encrypted": pem(P521, PKCS8, best), "ed25519_pkcs8": pem(ED25519), "rsa_traditional_encrypted": pem(RSA, traditional, best),
        "bundle": pem(P256) + ROOT.public_bytes(PEM) + INTERMEDIATE.public_bytes(PEM),
        "p256_public": P256.public_key().public_bytes(PEM, serialization.PublicFormat.SubjectPublicKeyInfo),
    }.items():
        (HERE / f"{name}.pem").write_bytes(content)
