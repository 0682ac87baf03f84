#!/usr/bin/env python3
"""Prints what this reader makes of each vault in a directory: python3 outcomes.py DIRECTORY

The files are vectors (Fixtures/README.md); what their headers expect is ignored.
"""

import hashlib
import sys
from pathlib import Path

from check import dump, read_vector, secrets_of
from failures import Failure
from vault import Vault


def outcome(path: Path) -> str:
    header, body = read_vector(path)
    try:
        vault = Vault(body, secrets_of(header))
    except Failure as failure:
        return failure.kind
    tail = vault.log.tail if vault.verdict().endswith(" tail") else 0
    digest = hashlib.blake2b(dump(vault).encode("utf-8"), digest_size=32).hexdigest()
    return (f"{vault.verdict()}, {len(vault.readable)} items {digest}, {vault.locked} locked, "
            f"{len(vault.failures)} failed, tail {tail}")


def main() -> None:
    for path in sorted(Path(sys.argv[1]).iterdir()):
        try:
            found = outcome(path)
        except Exception as error:  # a reader must raise only Failure
            found = f"raised {error!r}"
        print(f"{path.name}: {found}")


if __name__ == "__main__":
    main()
