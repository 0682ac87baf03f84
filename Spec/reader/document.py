"""Encrypted documents: local-persistence.md section 5."""

from typing import Any

import archive
from failures import Failure
from layout import open_box

MAGIC = b"\x89COFD\r\x1a\n"
DAMAGED = "damaged"


def read_document(data: bytes, key: bytes, name: bytes) -> Any:
    """Returns the value in a document, which may have been written before encryption was
    enabled."""
    if data.startswith(MAGIC):
        if len(key) != 32:
            raise Failure(DAMAGED, "invalid key size")
        data = open_box(key, b"coffer1.document" + name, data[len(MAGIC):], DAMAGED, "document")
    try:
        return archive.decode(data)
    except Failure as failure:
        raise Failure(DAMAGED, f"archive: {failure.where}") from None
