"""What opens a vault, and how it is used."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, fields
from typing import Any, Union

from . import _library as library
from ._items import Handle
from ._secrets import SecretBytes, answer_given, given

Path = Union[str, "os.PathLike[str]"]


@dataclass
class Options:
    """What opens a vault, protects a new one, and how it is used. What is None, is as the environment says.

    By default, the secrets are those that the environment provides (COFFER_PASSPHRASE_FILE and so on, the device key,
    the kernel keyring), and the user is not asked.
    """

    passphrase: SecretBytes | None = None
    #: A file with the passphrase; opens only.
    passphrase_file: Path | None = None
    #: A descriptor from which the passphrase is read; opens only.
    passphrase_descriptor: int | None = None
    #: With a passphrase, both are needed.
    key_file: Path | None = None
    recovery_code: SecretBytes | None = None
    #: The credential of a grant or a recipient; opens only.
    credential_file: Path | None = None
    #: Asks for the passphrase of the vault at a path; the second argument is the number of the attempt, from 1 to 3.
    prompt: Callable[[str, int], SecretBytes | None] | None = None

    #: The path of the vault for `Keychain.open`.
    vault: Path | None = None
    #: The device key of this machine; empty for none.
    device_key_file: Path | None = None
    #: A directory for what this machine remembers of vaults; empty for none.
    memory_directory: Path | None = None
    #: How many seconds a change waits for other programs; 5 by default.
    lock_timeout: float | None = None
    #: The memory that trying a new passphrase takes, in MiB, and the passes over it.
    passphrase_memory: int | None = None
    passphrase_passes: int | None = None

    read_only: bool = False
    run_commands: bool = False
    kernel_keyring: bool = True
    discard_damaged_end: bool = False
    accept_rollback: bool = False
    compact_when_due: bool = True
    allow_weak_secrets: bool = False
    include_this_machine: bool = True

    def __repr__(self) -> str:
        names = [each.name for each in fields(self) if getattr(self, each.name) != each.default]
        return f"<Options: {', '.join(names) or 'default'}>"


# The options of the library by name. Of the ways to open a vault, the last one that is set is used.
_TEXTS = {"key_file": 3, "device_key_file": 6, "memory_directory": 7, "vault": 8, "recovery_code": 4}
_OPENING = {"passphrase_file": 2, "credential_file": 5}
_NUMBERS = {"passphrase_memory": 34, "passphrase_passes": 35, "passphrase_descriptor": 32}
_FLAGS = {
    "read_only": 64,
    "run_commands": 65,
    "kernel_keyring": 66,
    "discard_damaged_end": 67,
    "accept_rollback": 68,
    "compact_when_due": 69,
    "allow_weak_secrets": 70,
    "include_this_machine": 71,
}


class OptionsHandle(Handle):
    """Options of the library; a keychain that is opened when needed keeps them, since it may ask later."""

    prompt: Any = None


@contextmanager
def options_given(options: Options | None) -> Iterator[OptionsHandle]:
    """Lends options to the library."""
    handle = OptionsHandle(library.call("options_create") if options else None, "options_free")
    if options is None:
        yield handle
        return
    for name, number in {**_TEXTS, "passphrase": 1, **_OPENING}.items():
        value = getattr(options, name)
        if value is not None:
            with given(os.fspath(value) if isinstance(value, os.PathLike) else value) as data:
                library.call("options_set", handle, number, data)
    for name, number in {**_NUMBERS, **_FLAGS}.items():
        value = getattr(options, name)
        if value is not None:
            library.call("options_set_number", handle, number, int(value))
    if options.lock_timeout is not None:
        library.call("options_set_number", handle, 33, int(options.lock_timeout * 1000))
    failure: list[BaseException] = []
    prompt = options.prompt
    if prompt is None:
        yield handle
        return

    @library.Prompt  # type: ignore[untyped-decorator]
    def ask(_: object, path: library.Bytes, attempt: int) -> Any:
        try:
            return answer_given(prompt(library.copied(path).decode(), attempt))
        except BaseException as error:  # noqa: BLE001: raised below
            failure.append(error)
            return None

    library.call("options_set_prompt", handle, ask, None)
    handle.prompt = ask
    yield handle
    if failure:
        raise failure[0]
