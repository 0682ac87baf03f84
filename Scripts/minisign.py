"""Signs a file with a key of Ed25519 that OpenSSL made, in the format of minisign: minisign.py KEY FILE COMMENT.

Writes FILE.minisig, and FILE.pub with the public key, for `minisign -V -p FILE.pub -m FILE`.
"""

import base64
import hashlib
import subprocess
import sys
import tempfile
from pathlib import Path


def openssl(*words: str) -> bytes:
    """Returns what OpenSSL prints."""
    return subprocess.run(["openssl", *words], check=True, capture_output=True).stdout


def signature(key: str, message: bytes) -> bytes:
    """Returns the signature of a message."""
    with tempfile.NamedTemporaryFile() as file:
        file.write(message)
        file.flush()
        return openssl("pkeyutl", "-sign", "-rawin", "-inkey", key, "-in", file.name)


def main(key: str, path: str, comment: str) -> None:
    """Writes the signature and the public key."""
    public = openssl("pkey", "-in", key, "-pubout", "-outform", "DER")[-32:]
    number = hashlib.sha256(public).digest()[:8]
    # "ED": the signature is that of a hash of the file.
    signed = signature(key, hashlib.blake2b(Path(path).read_bytes()).digest())
    everything = signature(key, signed + comment.encode())
    Path(path + ".minisig").write_text(
        "untrusted comment: signature of Coffer\n"
        + base64.b64encode(b"ED" + number + signed).decode()
        + f"\ntrusted comment: {comment}\n"
        + base64.b64encode(everything).decode()
        + "\n"
    )
    Path(path + ".pub").write_text(
        "untrusted comment: public key of Coffer\n" + base64.b64encode(b"Ed" + number + public).decode() + "\n"
    )


if __name__ == "__main__":
    main(*sys.argv[1:])
