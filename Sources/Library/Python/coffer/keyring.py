"""A backend for `keyring`: its passwords are generic passwords in the user's vault, in the group "coffer".

It needs no D-Bus and no display. A vault that is locked is unlocked by what the environment provides, such as
COFFER_PASSPHRASE_FILE; at a terminal, the user is asked for the passphrase.
"""

from __future__ import annotations

import getpass
import os
import sys
import threading
from typing import TypeVar

import keyring.backend
import keyring.credentials
import keyring.errors

from . import _errors as errors
from ._items import GenericPassword
from ._keychain import Keychain
from ._options import Options
from ._secrets import Secret

_Failure = TypeVar("_Failure", bound=Exception)


def _ask(path: str, attempt: int) -> str | None:
    if not (sys.stdin and sys.stdin.isatty()):
        return None
    try:
        return getpass.getpass(f"Passphrase of {path}{' (try again)' if attempt > 1 else ''}: ")
    except (EOFError, KeyboardInterrupt):
        return None


class CofferKeyring(keyring.backend.KeyringBackend):
    """Passwords in the user's vault."""

    #: Below a Secret Service that works, and above files without encryption.
    priority = 4.5

    def __init__(self) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self._lock = threading.Lock()
        self._opened: tuple[int, Keychain] | None = None

    @property
    def _keychain(self) -> Keychain:
        with self._lock:
            if self._opened is None or self._opened[0] != os.getpid():
                self._opened = (os.getpid(), Keychain.open(Options(prompt=_ask)))
            return self._opened[1]

    def get_password(self, service: str, username: str) -> str | None:
        """Returns the password, or None."""
        found = self._credential(service, username)
        return found.password if found else None

    def get_credential(self, service: str, username: str | None) -> keyring.credentials.SimpleCredential | None:
        """Returns the password of the user, or of the oldest one of the service; None if there is none."""
        return self._credential(service, username)

    def _credential(self, service: str, username: str | None) -> keyring.credentials.SimpleCredential | None:
        conditions = {"service": service} if username is None else {"service": service, "account": username}
        try:
            item = self._keychain.get(GenericPassword, **conditions)
            secret = self._keychain.secret(item) if item else None
        except errors.Error as error:
            raise _translated(error, keyring.errors.KeyringError) from error
        if item is None or secret is None:
            return None
        with secret:
            return keyring.credentials.SimpleCredential(item.account or "", secret.text())

    def set_password(self, service: str, username: str, password: str) -> None:
        """Saves the password."""
        try:
            with Secret(password) as secret:
                self._keychain.save(GenericPassword(service=service, account=username), secret)
        except errors.Error as error:
            raise _translated(error, keyring.errors.PasswordSetError) from error

    def delete_password(self, service: str, username: str) -> None:
        """Deletes the password."""
        try:
            item = self._keychain.get(GenericPassword, service=service, account=username)
            if item is None:
                raise keyring.errors.PasswordDeleteError("there is no such password")
            self._keychain.delete(item, if_unchanged=False)
        except errors.Error as error:
            raise _translated(error, keyring.errors.PasswordDeleteError) from error


def _translated(error: errors.Error, other: type[_Failure]) -> Exception:
    locked = (errors.LockedError, errors.SecretNeededError, errors.WrongSecretError)
    return keyring.errors.KeyringLocked(str(error)) if isinstance(error, locked) else other(str(error))
