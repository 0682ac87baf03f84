#!/usr/bin/env python3
"""Lists the items of a vault: python3 coffer_read.py VAULT [PASSPHRASE_FILE]

The passphrase is read from the file, or else from the terminal or standard input; one trailing
newline is removed [VF-21]. Secrets are not shown.
"""

import getpass
import sys
from pathlib import Path

from failures import Failure
from items import CLASSES
from keys import Secrets
from log import CLEAN
from values import notation, quoted
from vault import Item, Vault


def read_passphrase(arguments: list[str]) -> bytes:
    if arguments:
        passphrase = Path(arguments[0]).read_bytes()
    elif sys.stdin.isatty():
        return getpass.getpass("Passphrase: ").encode("utf-8", "surrogateescape")
    else:
        passphrase = sys.stdin.buffer.read()
    return passphrase.removesuffix(b"\n")


def described(vault: Vault, item: Item) -> str:
    entry = item.entry
    return (f"{entry.item_id.hex()} {CLASSES[entry.item_class]} {quoted(vault.group_name(item))} "
            f"revision {entry.revision} {notation(item.attributes)}")


def main(arguments: list[str]) -> int:
    if len(arguments) not in (1, 2):
        print(__doc__, file=sys.stderr)
        return 2
    try:
        vault = Vault(Path(arguments[0]).read_bytes(),
                      Secrets(passphrase=read_passphrase(arguments[1:])))
    except (Failure, OSError) as error:
        print(error, file=sys.stderr)
        return 1
    for item in sorted(vault.readable, key=lambda item: item.entry.order):
        print(described(vault, item))
    for failure in vault.failures:
        print(failure, file=sys.stderr)
    if vault.log.verdict != CLEAN:
        print(f"{vault.log.verdict}: {vault.log.tail} bytes", file=sys.stderr)
    print(f"{len(vault.readable)} items, {vault.locked} locked", file=sys.stderr)
    return 0 if vault.verdict() == "success" else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
