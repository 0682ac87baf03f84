#!/usr/bin/env python3
"""Writes the certificates in this directory, and what other programs read in them.

make.py [DIRECTORY]

The output is the same in every run: all keys are derived from fixed numbers, and all signatures are deterministic. The
keys are worthless outside of tests. Needs the package `cryptography` (48 or later), openssl (3.0 or later) and keytool.

`expected.json` says what must be read in each file. The places of elements come from `openssl asn1parse`, the texts and
dates from `openssl x509`, extensions and keys from `cryptography`, which rejects some of the files; those have fewer
expectations. `openssl`, `keytool` and `cryptography` must agree on serial numbers. Only `normalized` is made here, by
the rule, since no other program has it.
"""

import datetime
import hashlib
import ipaddress
import json
import pathlib
import re
import subprocess
import sys

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import dsa, ec, ed448, ed25519, padding, rsa, x25519
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID
from cryptography.x509.name import _ASN1Type as StringType

# MARK: Keys


def stream(seed, count):
    """Bytes that depend only on the seed."""
    return hashlib.shake_256(seed.encode()).digest(count)


def number(seed, below):
    return 1 + int.from_bytes(stream(seed, 80), "big") % (below - 1)


def is_prime(candidate):
    if any(candidate % small == 0 for small in (3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37)):
        return False
    odd, twos = candidate - 1, 0
    while odd % 2 == 0:
        odd, twos = odd // 2, twos + 1
    for base in (2, 3, 5, 7, 11, 13, 17, 19):
        power = pow(base, odd, candidate)
        if power in (1, candidate - 1):
            continue
        for _ in range(twos - 1):
            power = power * power % candidate
            if power == candidate - 1:
                break
        else:
            return False
    return True


def prime(seed, bits):
    candidate = int.from_bytes(stream(seed, bits // 8), "big") | 3 << bits - 2 | 1
    while candidate % 65537 == 1 or not is_prime(candidate):
        candidate += 2
    return candidate


def rsa_key(bits):
    p, q = prime(f"{bits} p", bits // 2), prime(f"{bits} q", bits // 2)
    exponent = pow(65537, -1, (p - 1) * (q - 1))
    return rsa.RSAPrivateNumbers(
        p, q, exponent, rsa.rsa_crt_dmp1(exponent, p), rsa.rsa_crt_dmq1(exponent, q), rsa.rsa_crt_iqmp(p, q),
        rsa.RSAPublicNumbers(65537, p * q),
    ).private_key()


def ec_key(curve):
    return ec.derive_private_key(number(curve.name, 2 ** (curve.key_size - 1)), curve)


P256 = ec_key(ec.SECP256R1())
INTERMEDIATE = ec.derive_private_key(number("intermediate", 2**255), ec.SECP256R1())

# MARK: Certificates that a library builds

START = datetime.datetime(2024, 2, 29, 12, 30, 15)
END = datetime.datetime(2044, 2, 29, 23, 59, 59)


def name(*attributes):
    return x509.Name([x509.NameAttribute(oid, text) for oid, text in attributes])


def common(text):
    return name((NameOID.COMMON_NAME, text))


ROOT = name((NameOID.COUNTRY_NAME, "DE"), (NameOID.ORGANIZATION_NAME, "Coffer Tests"), (NameOID.COMMON_NAME, "Root"))


def built(
    subject, key, *extensions, issuer=ROOT, signer=P256, serial=0x1234, start=START, end=END, algorithm=None, pss=None
):
    """A certificate of `key`, with extensions that are pairs of a value and whether it is critical."""
    public = key if not hasattr(key, "public_key") else key.public_key()
    builder = x509.CertificateBuilder(issuer, subject, public, serial, start, end)
    for value, critical in extensions:
        builder = builder.add_extension(value, critical)
    if not isinstance(signer, (ed25519.Ed25519PrivateKey, ed448.Ed448PrivateKey)):
        algorithm = algorithm or hashes.SHA256()
    deterministic = True if isinstance(signer, ec.EllipticCurvePrivateKey) else None
    certificate = builder.sign(signer, algorithm, rsa_padding=pss, ecdsa_deterministic=deterministic)
    return certificate.public_bytes(serialization.Encoding.DER)


def self_signed(text, key, *extensions, **options):
    return built(common(text), key, *extensions, issuer=common(text), signer=key, **options)


def key_usage(*names):
    every = (
        "digital_signature", "content_commitment", "key_encipherment", "data_encipherment", "key_agreement",
        "key_cert_sign", "crl_sign", "encipher_only", "decipher_only",
    )
    return x509.KeyUsage(**{one: one in names or names == ("all",) for one in every})


AUTHORITY = (x509.BasicConstraints(True, None), True)
SIGNS = (key_usage("key_cert_sign", "crl_sign"), True)


def identifier(key):
    return (x509.SubjectKeyIdentifier.from_public_key(key.public_key()), False)


def authority(key):
    return (x509.AuthorityKeyIdentifier.from_issuer_public_key(key.public_key()), False)


def alternatives(*names):
    return x509.SubjectAlternativeName(list(names))


def policies():
    oid = x509.ObjectIdentifier("1.3.6.1.4.1.99999.1")
    point = x509.DistributionPoint([x509.UniformResourceIdentifier("http://example.com/list.crl")], None, None, None)
    access = x509.AccessDescription(
        x509.oid.AuthorityInformationAccessOID.OCSP, x509.UniformResourceIdentifier("http://example.com/ocsp")
    )
    return [
        (x509.CertificatePolicies([x509.PolicyInformation(oid, ["http://example.com/policy"])]), True),
        (x509.PolicyConstraints(0, 3), True),
        (x509.InhibitAnyPolicy(2), True),
        (x509.CRLDistributionPoints([point]), True),
        (x509.AuthorityInformationAccess([access]), False),
        (x509.IssuerAlternativeName([x509.DNSName("issuer.example.com")]), False),
        (x509.UnrecognizedExtension(x509.ObjectIdentifier("2.5.29.33"), DER.policy_mappings()), True),
    ]


# MARK: Certificates that are written byte by byte


class DER:
    """Elements of DER."""

    @staticmethod
    def element(tag, *contents):
        content = b"".join(contents)
        if len(content) < 0x80:
            return bytes([tag, len(content)]) + content
        size = len(content).to_bytes((len(content).bit_length() + 7) // 8, "big")
        return bytes([tag, 0x80 | len(size)]) + size + content

    @staticmethod
    def sequence(*contents):
        return DER.element(0x30, *contents)

    @staticmethod
    def oid(text):
        arcs = [int(arc) for arc in text.split(".")]
        content = b""
        for arc in [arcs[0] * 40 + arcs[1]] + arcs[2:]:
            digits = [arc & 0x7F]
            while arc := arc >> 7:
                digits.insert(0, arc & 0x7F | 0x80)
            content += bytes(digits)
        return DER.element(6, content)

    @staticmethod
    def relative_name(*attributes):
        parts = [DER.sequence(DER.oid(oid), DER.element(tag, value)) for oid, tag, value in attributes]
        return DER.element(0x31, *sorted(parts))

    @staticmethod
    def extension(oid, critical, value):
        flag = [DER.element(1, b"\xff")] if critical else []
        return DER.sequence(DER.oid(oid), *flag, DER.element(4, value))

    @staticmethod
    def policy_mappings():
        return DER.sequence(DER.sequence(DER.oid("1.3.6.1.4.1.99999.1"), DER.oid("1.3.6.1.4.1.99999.2")))


CN, OU, EMAIL = "2.5.4.3", "2.5.4.11", "1.2.840.113549.1.9.1"
ECDSA = DER.sequence(DER.oid("1.2.840.10045.4.3.2"))


def written(
    subject=None, serial=b"\x01", extensions=(), version=3, algorithm=ECDSA, key=None,
    dates=((0x17, b"240229123015Z"), (0x17, b"440229235959Z")),
):
    """A certificate with any content, signed by the P-256 key."""
    subject = subject or DER.relative_name((CN, 0x13, b"Written"))
    key = key or P256.public_key().public_bytes(
        serialization.Encoding.DER, serialization.PublicFormat.SubjectPublicKeyInfo
    )
    signed = DER.sequence(
        DER.element(0xA0, DER.element(2, bytes([version - 1]))) if version > 1 else b"",
        DER.element(2, serial),
        ECDSA,
        ROOT.public_bytes(),
        DER.sequence(*(DER.element(tag, text) for tag, text in dates)),
        DER.sequence(subject),
        key,
        DER.element(0xA3, DER.sequence(*extensions)) if extensions else b"",
    )
    signature = P256.sign(signed, ec.ECDSA(hashes.SHA256(), deterministic_signing=True))
    return DER.sequence(signed, algorithm, DER.element(3, b"\0", signature))


STRING_TYPES = b"".join(
    DER.relative_name((OU, tag, value))
    for tag, value in [
        (0x13, b"Printable (1)"),
        (0x0C, "UTF-8 \u00fc \u20ac \U0001f511".encode()),
        (0x14, "T61 \u00fc\u00df".encode("latin-1")),
        (0x1E, "BMP \u00fc \u20ac".encode("utf-16-be")),
        (0x16, b"ia5@example.com"),
    ]
) + DER.relative_name((CN, 0x0C, b"String types"))

SPACES = DER.relative_name(("2.5.4.6", 0x13, b"de")) + b"".join(
    DER.relative_name((OU, tag, value))
    for tag, value in [
        (0x13, b"  leading and   inner blanks  "),
        (0x13, b"shrinks below 128 bytes" + b" " * 110),
        (0x13, b"shrinks below 256 bytes" + b" " * 200 + b"x" * 200),
        (0x13, b"   "),
        (0x0C, b"  UTF8String   stays  "),
        (0x16, b"  IA5String  stays  "),
    ]
) + DER.relative_name(
    (CN, 0x13, b"several" + b" " * 150 + b"in one"), (OU, 0x0C, b"set"), ("2.5.4.10", 0x13, b" of  three ")
)


def certificates():
    """The bytes of every certificate, by name."""
    leaf = [
        (x509.BasicConstraints(False, None), True),
        (key_usage("digital_signature", "key_agreement"), True),
        (x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH, ExtendedKeyUsageOID.CLIENT_AUTH]), False),
        (alternatives(x509.DNSName("example.com"), x509.DNSName("*.example.com")), False),
    ]
    directory = name((NameOID.COUNTRY_NAME, "DE"), (NameOID.ORGANIZATION_NAME, "Coffer Tests"))
    every_name = alternatives(
        x509.OtherName(x509.ObjectIdentifier("1.3.6.1.4.1.311.20.2.3"), DER.element(0x0C, b"kim@example.com")),
        x509.RFC822Name("kim@example.com"),
        x509.DNSName("a.example.com"),
        x509.DirectoryName(directory),
        x509.UniformResourceIdentifier("https://example.com/a?b=c"),
        x509.IPAddress(ipaddress.ip_address("192.0.2.1")),
        x509.IPAddress(ipaddress.ip_address("2001:db8::1")),
        x509.RegisteredID(x509.ObjectIdentifier("1.2.3.4")),
    )
    constraints = x509.NameConstraints(
        [
            x509.DNSName("example.com"), x509.RFC822Name("example.com"), x509.DirectoryName(directory),
            x509.UniformResourceIdentifier(".example.com"), x509.IPAddress(ipaddress.ip_network("192.0.2.0/24")),
        ],
        [x509.DNSName("secret.example.com"), x509.IPAddress(ipaddress.ip_network("2001:db8::/32"))],
    )
    dsa_key = dsa.DSAPublicNumbers(
        5, dsa.DSAParameterNumbers(prime("dsa p", 2048), prime("dsa q", 256), 2)
    ).public_key()

    result = {
        "rsa_2048": self_signed("RSA 2048", rsa_key(2048), AUTHORITY, SIGNS),
        "rsa_3072_sha384": self_signed("RSA 3072", rsa_key(3072), AUTHORITY, algorithm=hashes.SHA384()),
        "rsa_4096_sha512": self_signed("RSA 4096", rsa_key(4096), AUTHORITY, algorithm=hashes.SHA512()),
        "rsa_pss": self_signed(
            "RSA-PSS", rsa_key(2048), pss=padding.PSS(padding.MGF1(hashes.SHA256()), salt_length=0)
        ),
        "p192": self_signed("P-192", ec_key(ec.SECP192R1())),
        "p224": self_signed("P-224", ec_key(ec.SECP224R1())),
        "p384": self_signed("P-384", ec_key(ec.SECP384R1()), algorithm=hashes.SHA384()),
        "p521": self_signed("P-521", ec_key(ec.SECP521R1()), algorithm=hashes.SHA512()),
        "ed25519": self_signed("Ed25519", ed25519.Ed25519PrivateKey.from_private_bytes(stream("ed25519", 32))),
        "ed448": self_signed("Ed448", ed448.Ed448PrivateKey.from_private_bytes(stream("ed448", 57))),
        "key_x25519": built(common("X25519"), x25519.X25519PrivateKey.from_private_bytes(stream("x25519", 32))),
        "key_secp256k1": built(common("secp256k1"), ec_key(ec.SECP256K1())),
        "key_dsa": built(common("DSA"), dsa_key),
        "chain_root": built(ROOT, P256, AUTHORITY, SIGNS, identifier(P256)),
        "chain_intermediate": built(
            common("Intermediate"), INTERMEDIATE, (x509.BasicConstraints(True, 0), True), SIGNS,
            identifier(INTERMEDIATE), authority(P256), serial=2,
        ),
        "chain_leaf": built(
            common("example.com"), ec.derive_private_key(number("leaf", 2**255), ec.SECP256R1()), *leaf,
            authority(INTERMEDIATE), issuer=common("Intermediate"), signer=INTERMEDIATE, serial=3,
        ),
        "expired": built(common("Expired"), P256, end=datetime.datetime(2024, 3, 1)),
        "not_yet_valid": built(common("Later"), P256, start=datetime.datetime(2043, 12, 31, 23, 59, 59)),
        "date_generalized": built(
            common("Years"), P256, start=datetime.datetime(1970, 1, 1), end=datetime.datetime(9999, 12, 31, 23, 59, 59)
        ),
        "date_1999_2050": built(
            common("Centuries"), P256, start=datetime.datetime(1999, 12, 31, 23, 59, 59),
            end=datetime.datetime(2050, 1, 1),
        ),
        "name_constraints": built(common("Constraints"), P256, AUTHORITY, (constraints, True)),
        "alternative_names": built(common("Names"), P256, (every_name, False)),
        "alternative_names_alone": built(
            x509.Name([]), P256, (alternatives(x509.DNSName("only.example.com")), True)
        ),
        "emails": built(
            name((NameOID.ORGANIZATION_NAME, "Mail"), (NameOID.EMAIL_ADDRESS, "subject@example.com")), P256,
            (alternatives(x509.RFC822Name("one@example.com"), x509.RFC822Name("two@example.com")), False),
        ),
        "common_names": built(
            name(
                (NameOID.COMMON_NAME, "First"), (NameOID.ORGANIZATION_NAME, "Between"), (NameOID.COMMON_NAME, "Second"),
                (x509.ObjectIdentifier("2.5.4.13"), "Described"),
            ),
            P256,
        ),
        "key_usage_all": built(common("Usage"), P256, (key_usage("all"), True)),
        "policies": built(common("Policies"), P256, *policies()),
        "authority_key_serial": built(
            common("Issuer and serial number"), P256,
            (x509.AuthorityKeyIdentifier(b"\1\2\3", [x509.DirectoryName(ROOT)], 77), False),
        ),
        "serial_20_bytes": built(common("Serial"), P256, serial=2**159 - 1),
        "string_types": written(STRING_TYPES),
        "spaces": written(SPACES),
        "serial_zero": written(serial=b"\0"),
        "serial_negative": written(serial=b"\x80\x01"),
        "serial_37_bytes": written(serial=bytes(range(1, 38))),
        "version_1": written(version=1),
        "signature_algorithms_differ": written(algorithm=DER.sequence(DER.oid("1.2.840.10045.4.3.3"))),
        "unknown_critical_extension": written(
            extensions=[DER.extension("1.3.6.1.4.1.99999.3", True, b"not DER")]
        ),
        "duplicate_extensions": written(
            extensions=[
                DER.extension("2.5.29.15", True, bytes.fromhex("03020780")),
                DER.extension("2.5.29.15", True, bytes.fromhex("03020640")),
            ]
        ),
        "malformed_extension": written(extensions=[DER.extension("2.5.29.17", False, b"\x30\x01")]),
    }
    return result


# MARK: What other programs read


def run(*command, data=None):
    return subprocess.run(command, input=data, capture_output=True, check=True).stdout


class Place:
    """An element as `openssl asn1parse` reports it."""

    def __init__(self, match):
        self.start, self.depth, header, length = (int(match[index]) for index in range(1, 5))
        self.content = [self.start + header, self.start + header + length]
        self.whole = [self.start, self.content[1]]
        self.kind = match[5].strip()


def places(data):
    text = run("openssl", "asn1parse", "-inform", "DER", data=data).decode("latin-1")
    line = re.compile(r" *(\d+):d=(\d+) +hl=(\d+) l= *(\d+) (?:cons|prim): ([^:]*)")
    return [Place(line.match(one)) for one in text.splitlines()]


def children(every, parent):
    inside = [one for one in every if parent.whole[0] < one.start < parent.whole[1]]
    return [one for one in inside if one.depth == parent.depth + 1]


def openssl_text(data, *options):
    return run("openssl", "x509", "-inform", "DER", "-noout", *options, data=data).decode()


def seconds(line):
    date = datetime.datetime.strptime(line.split("=")[1], "%Y-%m-%d %H:%M:%SZ")
    return int((date - datetime.datetime(2001, 1, 1)).total_seconds())


def attributes(data, which):
    """The identifiers and texts of the attributes of a name."""
    text = openssl_text(data, f"-{which}", "-nameopt", "sep_multiline,utf8,oid,space_eq")
    # Attributes of one relative name are on one line.
    lines = [re.split(r" \+ (?=[0-9.]+ = )", line.lstrip()) for line in text.split("\n")[1:] if " = " in line]
    return [part.split(" = ", 1) for line in lines for part in line]


def normalized(data, every, parent):
    """The content of a name by Apple's rule."""
    result = b""
    for one in children(every, parent):
        if one.kind in ("SEQUENCE", "SET"):
            result += DER.element(data[one.start], normalized(data, every, one))
        elif one.kind == "PRINTABLESTRING":
            text = data[one.content[0]:one.content[1]].decode().upper()
            result += DER.element(0x13, " ".join(text.split()).encode())
        else:
            result += data[one.whole[0]:one.whole[1]]
    return result


def general_name(value):
    kinds = {
        x509.OtherName: "otherName", x509.RFC822Name: "email", x509.DNSName: "dnsName",
        x509.DirectoryName: "directoryName", x509.UniformResourceIdentifier: "uri", x509.IPAddress: "ipAddress",
        x509.RegisteredID: "registeredIdentifier",
    }
    content = value.value
    if isinstance(value, x509.OtherName):
        content = DER.oid(value.type_id.dotted_string) + DER.element(0xA0, content)
    elif isinstance(value, x509.DirectoryName):
        content = content.public_bytes()
    elif isinstance(value, x509.RegisteredID):
        content = DER.oid(content.dotted_string)[2:]
    elif isinstance(content, (ipaddress.IPv4Network, ipaddress.IPv6Network)):
        content = content.network_address.packed + content.netmask.packed
    elif isinstance(content, (ipaddress.IPv4Address, ipaddress.IPv6Address)):
        content = content.packed
    else:
        content = content.encode()
    return {"kind": kinds[type(value)], "content": content.hex()}


def extension_values(certificate):
    """The values of extensions that are read further."""
    values = {}
    for one in certificate.extensions:
        value = one.value
        if isinstance(value, x509.BasicConstraints):
            values["basicConstraints"] = {"isAuthority": value.ca, "pathLength": value.path_length}
        elif isinstance(value, x509.KeyUsage):
            bits = [
                value.digital_signature, value.content_commitment, value.key_encipherment, value.data_encipherment,
                value.key_agreement, value.key_cert_sign, value.crl_sign,
                value.key_agreement and value.encipher_only, value.key_agreement and value.decipher_only,
            ]
            values["keyUsage"] = sum(1 << index for index, bit in enumerate(bits) if bit)
        elif isinstance(value, x509.ExtendedKeyUsage):
            values["extendedKeyUsage"] = [usage.dotted_string for usage in value]
        elif isinstance(value, x509.SubjectAlternativeName):
            values["subjectAlternativeNames"] = [general_name(name) for name in value]
        elif isinstance(value, x509.SubjectKeyIdentifier):
            values["subjectKeyIdentifier"] = value.digest.hex()
        elif isinstance(value, x509.AuthorityKeyIdentifier):
            values["authorityKeyIdentifier"] = {
                "keyIdentifier": value.key_identifier.hex(), "serialNumber": value.authority_cert_serial_number
            }
        elif isinstance(value, x509.NameConstraints):
            values["permitted"] = [general_name(name) for name in value.permitted_subtrees or []]
            values["excluded"] = [general_name(name) for name in value.excluded_subtrees or []]
    return values


def key_kind(key):
    if isinstance(key, rsa.RSAPublicKey):
        return "rsa"
    if isinstance(key, ec.EllipticCurvePublicKey):
        return {"secp192r1": "p192", "secp224r1": "p224", "secp256r1": "p256", "secp384r1": "p384",
                "secp521r1": "p521"}.get(key.curve.name)
    return {ed25519.Ed25519PublicKey: "ed25519", ed448.Ed448PublicKey: "ed448"}.get(
        next((kind for kind in (ed25519.Ed25519PublicKey, ed448.Ed448PublicKey) if isinstance(key, kind)), None)
    )


def expected(data, path):
    every = places(data)
    signed, algorithm, signature = children(every, every[0])
    fields = children(every, signed)
    version = 1
    if fields[0].kind == "cont [ 0 ]":
        version = data[children(every, fields.pop(0))[0].content[0]] + 1
    serial, signed_algorithm, issuer, validity, subject, key = fields[:6]
    extensions = []
    for one in children(every, children(every, fields[6])[0]) if len(fields) > 6 else []:
        identifier, *flag, value = children(every, one)
        extensions.append({
            "identifier": data[identifier.content[0]:identifier.content[1]].hex(), "isCritical": bool(flag),
            "value": value.content,
        })
    dates = openssl_text(data, "-startdate", "-enddate", "-dateopt", "iso_8601").splitlines()
    result = {
        "tbs": signed.whole,
        "signature": [signature.content[0] + 1, signature.content[1]],
        "signatureAlgorithm": data[slice(*children(every, algorithm)[0].content)].hex(),
        "signedAlgorithm": data[slice(*children(every, signed_algorithm)[0].content)].hex(),
        "version": version,
        "serialNumber": serial.content,
        "issuer": issuer.content,
        "subject": subject.content,
        "notValidBefore": seconds(dates[0]),
        "notValidAfter": seconds(dates[1]),
        "publicKeyInfo": key.whole,
        "extensions": extensions,
        "issuerAttributes": attributes(data, "issuer"),
        "subjectAttributes": attributes(data, "subject"),
        "normalizedIssuer": normalized(data, every, issuer).hex(),
        "normalizedSubject": normalized(data, every, subject).hex(),
    }
    key_bits = children(every, key)[1].content
    result["key"] = data[key_bits[0] + 1:key_bits[1]].hex()

    serials = {int.from_bytes(data[slice(*serial.content)], "big", signed=True)}
    serials.add(int(re.sub(r"[^-0-9A-F]", "", openssl_text(data, "-serial").split("=")[1]), 16))
    try:
        certificate = x509.load_der_x509_certificate(data)
        result["values"] = extension_values(certificate)
        serials.add(certificate.serial_number)
    except (ValueError, x509.DuplicateExtension) as error:
        print(f"cryptography rejects {path.name}: {error}", file=sys.stderr)
    try:
        result["keyKind"] = key_kind(serialization.load_der_public_key(data[slice(*key.whole)]))
    except ValueError as error:
        print(f"cryptography rejects the key of {path.name}: {error}", file=sys.stderr)
    try:
        text = run("keytool", "-J-Duser.language=en", "-printcert", "-file", str(path)).decode()
        serials.add(int(re.search(r"Serial number: (-?[0-9a-f]+)", text)[1], 16))
    except subprocess.CalledProcessError:
        print(f"keytool rejects {path.name}", file=sys.stderr)
    if len(serials) != 1:
        sys.exit(f"{path.name}: the serial numbers differ: {serials}")
    return result


def main():
    directory = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else __file__).resolve()
    directory = directory if directory.is_dir() else directory.parent
    values = {}
    for one, data in certificates().items():
        path = directory / f"{one}.der"
        path.write_bytes(data)
        values[one] = expected(data, path)
    (directory / "expected.json").write_text(json.dumps(values, indent=1, ensure_ascii=True) + "\n")


if __name__ == "__main__":
    main()
