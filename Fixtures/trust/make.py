#!/usr/bin/env python3
"""Writes certificates with one fault each, to be evaluated: `NAME.der` in this directory.

make.py

Needs the package `cryptography` (48 or later) and openssl (3.0 or later). All keys are derived from fixed numbers.
"""

import datetime
import ipaddress
import pathlib
import subprocess
import sys
import tempfile

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, rsa
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

HERE = pathlib.Path(__file__).parent
sys.path.insert(0, str(HERE.parent / "x509"))
from make import number, prime  # noqa: E402

DER = serialization.Encoding.DER


def ec_key(seed):
    return ec.derive_private_key(number(f"trust {seed}", 2**255), ec.SECP256R1())


def rsa_key(bits):
    p, q = prime(f"trust {bits} p", bits // 2), prime(f"trust {bits} q", bits // 2)
    d = pow(65537, -1, (p - 1) * (q - 1))
    return rsa.RSAPrivateNumbers(
        p, q, d, rsa.rsa_crt_dmp1(d, p), rsa.rsa_crt_dmq1(d, q), rsa.rsa_crt_iqmp(p, q),
        rsa.RSAPublicNumbers(65537, p * q),
    ).private_key()


def name(text):
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, text)] if text else [])


def date(text):
    return datetime.datetime.fromisoformat(text)


ROOT, INTERMEDIATE, OTHER, LEAF = (ec_key(seed) for seed in ("root", "intermediate", "other", "leaf"))
RSA_INTERMEDIATE = rsa_key(2048)
SERVER, CLIENT = ExtendedKeyUsageOID.SERVER_AUTH, ExtendedKeyUsageOID.CLIENT_AUTH
NAMES = [
    x509.DNSName("example.com"), x509.DNSName("*.example.com"), x509.DNSName("f*.example.net"), x509.DNSName("*.org"),
    x509.DNSName("192.0.2.7"), x509.IPAddress(ipaddress.ip_address("192.0.2.1")),
    x509.IPAddress(ipaddress.ip_address("2001:db8::1")),
]
serials = iter(range(1, 1000))


def usage(*names):
    fields = (
        "digital_signature", "content_commitment", "key_encipherment", "data_encipherment", "key_agreement",
        "key_cert_sign", "crl_sign", "encipher_only", "decipher_only",
    )
    return x509.KeyUsage(**{field: field in names for field in fields})


def built(subject, key, issuer, signer, *extensions, start="2026-01-01", end="2027-01-01"):
    builder = x509.CertificateBuilder(name(issuer), name(subject), key.public_key(), next(serials), date(start), date(end))
    for value, critical in extensions:
        builder = builder.add_extension(value, critical)
    return builder.sign(signer, hashes.SHA256(), ecdsa_deterministic=True)


def authority(path_length=None):
    return [(x509.BasicConstraints(True, path_length), True), (usage("key_cert_sign", "crl_sign"), True)]


def leaf(*extensions, issuer="Intermediate", signer=INTERMEDIATE, key=LEAF, subject="leaf", eku=(SERVER, CLIENT), **dates):
    found = [(x509.SubjectAlternativeName(NAMES), subject == "")]
    if eku:
        found.append((x509.ExtendedKeyUsage(eku), False))
    return built(subject, key, issuer, signer, *found, *extensions, **dates)


def signed_by_openssl(certificate_key, digest, subject="leaf"):
    """A leaf that is signed with a digest that `cryptography` refuses."""
    with tempfile.TemporaryDirectory() as directory:
        base = pathlib.Path(directory)

        def write(file, key):
            (base / file).write_bytes(
                key.private_bytes(
                    serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
                )
            )

        write("leaf.pem", certificate_key)
        write("ca.pem", RSA_INTERMEDIATE)
        (base / "ca.crt").write_bytes(CERTIFICATES["rsa_intermediate"].public_bytes(serialization.Encoding.PEM))
        (base / "ext").write_text(
            "subjectAltName=DNS:example.com\nextendedKeyUsage=serverAuth\nauthorityKeyIdentifier=none\n"
            "subjectKeyIdentifier=none\n"
        )
        run = lambda *words: subprocess.run(["openssl", *words], cwd=base, check=True, capture_output=True)
        run("req", "-new", "-key", "leaf.pem", "-subj", f"/CN={subject}", "-out", "leaf.csr")
        run(
            "ca", "-batch", "-config", write_config(base), "-in", "leaf.csr", "-md", digest, "-startdate",
            "20260101000000Z", "-enddate", "20270101000000Z", "-extfile", "ext", "-notext", "-out", "leaf.crt",
        )
        return x509.load_pem_x509_certificate((base / "leaf.crt").read_bytes())


def write_config(base):
    (base / "index").write_text("")
    (base / "serial").write_text("63\n")
    (base / "config").write_text(
        "[ca]\ndefault_ca=d\n[d]\ndatabase=index\nserial=serial\nnew_certs_dir=.\ncertificate=ca.crt\n"
        "private_key=ca.pem\npolicy=p\n[p]\ncommonName=supplied\n"
    )
    return "config"


LONG = {"start": "2020-01-01", "end": "2045-01-01"}
CERTIFICATES = {
    "root": built("Root", ROOT, "Root", ROOT, *authority(), **LONG),
    "other_root": built("Other Root", OTHER, "Other Root", OTHER, *authority(), **LONG),
    "expired_root": built("Root", ROOT, "Root", ROOT, *authority(), start="2020-01-01", end="2026-03-01"),
    "intermediate": built("Intermediate", INTERMEDIATE, "Root", ROOT, *authority(0), **LONG),
    "rsa_intermediate": built("RSA", RSA_INTERMEDIATE, "Root", ROOT, *authority(), **LONG),
    "expired_intermediate": built(
        "Intermediate", INTERMEDIATE, "Root", ROOT, *authority(0), start="2020-01-01", end="2026-03-01"
    ),
    "without_constraints": built("Intermediate", INTERMEDIATE, "Root", ROOT, **LONG),
    "no_authority": built(
        "Intermediate", INTERMEDIATE, "Root", ROOT, (x509.BasicConstraints(False, None), True), **LONG
    ),
    "without_signing": built(
        "Intermediate", INTERMEDIATE, "Root", ROOT, (x509.BasicConstraints(True, None), True),
        (usage("digital_signature"), True), **LONG,
    ),
    "second_intermediate": built("Second", OTHER, "Intermediate", INTERMEDIATE, *authority(), **LONG),
    "constrained": built(
        "Intermediate", INTERMEDIATE, "Root", ROOT, *authority(),
        (x509.NameConstraints([x509.DNSName("example.org")], None), True), **LONG,
    ),
    "excluding": built(
        "Intermediate", INTERMEDIATE, "Root", ROOT, *authority(),
        (x509.NameConstraints(None, [x509.IPAddress(ipaddress.ip_network("192.0.2.0/24"))]), True), **LONG,
    ),
    "with_policy": built(
        "Intermediate", INTERMEDIATE, "Root", ROOT, *authority(), (x509.PolicyConstraints(0, None), True), **LONG
    ),
    "leaf": leaf(),
    "leaf_of_second": leaf(issuer="Second", signer=OTHER),
    "leaf_of_root": leaf(issuer="Root", signer=ROOT),
    "leaf_of_nobody": leaf(issuer="Nobody", signer=OTHER),
    "leaf_wrong_signature": leaf(signer=OTHER),
    "self_signed": leaf(issuer="leaf", signer=LEAF),
    "client": leaf(eku=(CLIENT,)),
    "no_purpose": leaf(eku=()),
    "any_purpose": leaf(eku=(ExtendedKeyUsageOID.ANY_EXTENDED_KEY_USAGE,)),
    "old_no_purpose": leaf(eku=(), start="2019-06-01", end="2027-01-01"),
    "old_any_purpose": leaf(eku=(ExtendedKeyUsageOID.ANY_EXTENDED_KEY_USAGE,), start="2019-06-01", end="2027-01-01"),
    "long": leaf(start="2025-01-01", end="2027-04-07"),
    "longest": leaf(start="2025-01-01", end="2027-04-06"),
    "rsa_512": leaf(key=rsa_key(512)),
    "rsa_1024": leaf(key=rsa_key(1024)),
    "rsa_2048": leaf(key=rsa_key(2048)),
    "unknown_critical": leaf((x509.UnrecognizedExtension(x509.ObjectIdentifier("1.2.3.4"), b"\5\0"), True)),
    "unknown": leaf((x509.UnrecognizedExtension(x509.ObjectIdentifier("1.2.3.4"), b"\5\0"), False)),
    "apples_critical": leaf(
        (x509.UnrecognizedExtension(x509.ObjectIdentifier("1.2.840.113635.100.6.1.13"), b"\5\0"), True)
    ),
    "malformed": leaf((x509.UnrecognizedExtension(x509.ObjectIdentifier("2.5.29.31"), b"\5"), False)),
    "no_subject": leaf(subject=""),
    "no_critical_names": built(
        "", LEAF, "Intermediate", INTERMEDIATE, (x509.SubjectAlternativeName(NAMES), False),
        (x509.ExtendedKeyUsage((SERVER,)), False),
    ),
    "nameless": built("", OTHER, "Root", ROOT, *authority(), **LONG),
    "leaf_of_nameless": leaf(issuer="", signer=OTHER),
    "no_names": built("example.com", LEAF, "Intermediate", INTERMEDIATE, (x509.ExtendedKeyUsage((SERVER,)), False)),
}
for digest in ("sha1", "md5"):
    CERTIFICATES[digest] = signed_by_openssl(LEAF, digest)
CERTIFICATES["md5_self_issued"] = signed_by_openssl(LEAF, "md5", "RSA")

for file, certificate in CERTIFICATES.items():
    (HERE / f"{file}.der").write_bytes(certificate.public_bytes(DER))
