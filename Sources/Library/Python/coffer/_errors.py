"""Errors by kind."""

from __future__ import annotations


class Error(Exception):
    """Why an operation failed: `message` says what happened and what to do, `apple_status` is Apple's number for it."""

    status = 33
    apple_status = -25291

    def __init__(self, message: str, apple_status: int | None = None) -> None:
        super().__init__(message)
        self.message = message
        if apple_status is not None:
            self.apple_status = apple_status


class InvalidError(Error, ValueError):
    """An argument is invalid."""

    status, apple_status = 1, -50


class NotFoundError(Error, LookupError):
    """No item matches, or the revision is no longer kept."""

    status, apple_status = 2, -25300


class DuplicateError(Error):
    """An item with the same primary key exists."""

    status, apple_status = 3, -25299


class LockedError(Error):
    """An item that matches, or may match, is locked."""

    status, apple_status = 4, -25308


class AuthenticationRequiredError(Error):
    """An item demands the user, who cannot be asked."""

    status, apple_status = 5, -25308


class AuthenticationFailedError(Error):
    """The user was not authenticated."""

    status, apple_status = 6, -25293


class CancelledError(Error):
    """The user, or a function of the program, cancelled."""

    status, apple_status = 7, -128


class NotEntitledError(Error, PermissionError):
    """The program may not use the group."""

    status, apple_status = 8, -34018


class NoPassphraseError(Error):
    """The accessibility requires a passphrase, and the vault has none."""

    status = 9


class ChangedError(Error):
    """The item was changed since it was read."""

    status = 10


class NoVaultError(Error, FileNotFoundError):
    """There is no vault at the path."""

    status = 11


class VaultExistsError(Error, FileExistsError):
    """A file already exists at the path."""

    status = 12


class NotAVaultError(Error):
    """The file is not a vault, or is empty."""

    status = 13


class NewerVersionError(Error):
    """The vault was made by a newer version."""

    status = 14


class WrongSecretError(Error):
    """The passphrase, key file or recovery code is wrong."""

    status, apple_status = 15, -25293


class GrantExpiredError(Error):
    """The grant that opens the vault has expired."""

    status, apple_status = 16, -25293


class SecretNeededError(Error):
    """The vault needs a secret that was not given."""

    status, apple_status = 17, -25308


class DeviceKeyNeededError(Error):
    """The vault opens with the key of another machine."""

    status = 18


class SecretUnavailableError(Error):
    """The source of a secret does not provide one."""

    status = 19


class WeakSecretError(Error):
    """A new passphrase or key file has almost no entropy."""

    status = 20


class NotARecoveryCodeError(Error, ValueError):
    """A text is not a recovery code."""

    status, apple_status = 21, -50


class ReadOnlyError(Error):
    """The vault cannot be written."""

    status, apple_status = 22, -25292


class DiskFullError(Error):
    """The disk is full."""

    status = 23


class InputOutputError(Error):
    """The system reports a disk error."""

    status, apple_status = 24, -36


class BusyError(Error, TimeoutError):
    """Waiting for another program timed out."""

    status = 25


class RolledBackError(Error):
    """Changes that this machine has seen are missing from the vault."""

    status = 26


class MustBeReopenedError(Error):
    """The keys were changed elsewhere, or the process was forked."""

    status = 27


class FileReplacedError(Error):
    """Another program replaced the file."""

    status = 28


class TooLargeError(Error):
    """The data is too large for a vault."""

    status, apple_status = 29, -25302


class DamagedError(Error):
    """The vault is damaged."""

    status = 30


class DamagedItemError(Error):
    """An item is damaged; the rest of the vault can be used."""

    status, apple_status = 31, -26275


class OutOfMemoryError(Error, MemoryError):
    """There is not enough memory, for example for a passphrase."""

    status, apple_status = 32, -108


class UnavailableError(Error):
    """The vault cannot be used for another reason."""

    status = 33


_kinds = {kind.status: kind for kind in Error.__subclasses__()}


def error(status: int, apple_status: int, message: str) -> Error:
    """Returns the error for a status; one that a later version of the library added is an `Error`."""
    return _kinds.get(status, Error)(message, apple_status)
