"""Vaults: encrypted files with the items of all programs that use them."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from ctypes import byref, c_bool
from dataclasses import dataclass, fields
from datetime import datetime
from types import TracebackType
from typing import Any, TypeVar

from . import _library as library
from ._errors import CancelledError, InvalidError
from ._items import Handle, value_read
from ._keychain import Keychain, identity_given
from ._options import Options, Path, options_given
from ._secrets import Secret

#: Is told how many bytes are done, of about how many; returns False to cancel.
Progress = Callable[[int, int], "bool | None"]


@dataclass(frozen=True)
class Slot:
    """A way to open a vault."""

    id: str
    #: "passphrase", "key_file", "passphrase_and_key_file", "recovery_code", "device" or "recipient".
    kind: str
    created: datetime
    device: str | None = None


@dataclass(frozen=True)
class Device:
    """A machine that is a device of a vault."""

    id: str
    created: datetime
    is_this_machine: bool


@dataclass(frozen=True)
class Grant:
    """The keys of some groups, for one recipient."""

    id: str
    name: str
    groups: tuple[str, ...]
    created: datetime
    expiry: datetime | None
    has_expired: bool


@dataclass(frozen=True)
class Finding:
    """Something that is wrong with a vault."""

    kind: str
    description: str
    offset: int | None = None
    end: int | None = None


@dataclass(frozen=True)
class Compaction:
    """What a compaction did."""

    bytes_before: int
    bytes_after: int
    dropped_revisions: int
    carried_changes: int


@dataclass(frozen=True)
class Merge:
    """What a merge did, in numbers of items, and the number by which `Vault.undo` undoes it."""

    added: int
    changed: int
    deleted: int
    conflicts: int
    past_revisions: int
    openings: int
    locked_groups: int
    has_other_keys: bool
    change: int | None = None
    left_out: int = 0
    """Changes that were not taken over, because access was revoked since the copy with them was made."""
    kept_path: str | None = None
    """The former file of the vault, if it had such changes itself."""


@dataclass(frozen=True)
class KeyChange:
    """What a change of keys did, in numbers of items."""

    resealed: int
    carried: int
    lost: int
    dropped_revisions: int


def recovery_code() -> Secret:
    """Returns a new recovery code, to be written down."""
    return Secret._of(library.made("recovery_code"))


def request_grant(vault: Path, credential: Path, options: Options | None = None) -> str:
    """Creates a credential beside a copy of the vault, and returns the request that goes to an owner.

    It opens nothing before the owner has issued the grant.
    """
    with options_given(options) as given:
        paths = library.given(os.fspath(vault)), library.given(os.fspath(credential))
        return Secret._of(library.made("grant_request", paths[0], given, paths[1])).text()


class Vault:
    """An open vault. Every method can be called from any thread."""

    def __init__(self, handle: Handle) -> None:
        self._handle: Handle | None = handle

    @classmethod
    def open(cls, path: Path, options: Options | None = None) -> Vault:
        """Opens a vault; if nothing unlocks it, but this machine is a device of it, it is opened locked."""
        return cls._opened("vault_open", path, options)

    @classmethod
    def create(cls, path: Path, options: Options | None = None) -> Vault:
        """Creates a vault in a new file, protected by the secrets among the options."""
        return cls._opened("vault_create", path, options)

    @classmethod
    def open_copy(cls, path: Path, options: Options | None = None) -> Vault:
        """Opens a copy of a vault that lies elsewhere, to merge it: it is neither changed nor remembered."""
        return cls._opened("vault_open_copy", path, options)

    @staticmethod
    def delete(path: Path, options: Options | None = None) -> None:
        """Deletes the file of a vault, and what this machine remembers of it."""
        with options_given(options) as given:
            library.call("vault_delete", library.given(os.fspath(path)), given)

    @classmethod
    def _opened(cls, function: str, path: Path, options: Options | None) -> Vault:
        with options_given(options) as given:
            return cls(Handle(library.made(function, library.given(os.fspath(path)), given), "vault_free"))

    @property
    def _raw(self) -> Handle:
        if self._handle is None:
            raise InvalidError("the vault was closed")
        library.check_thread()
        return self._handle

    def close(self) -> None:
        """Frees the vault; keychains on it stay open."""
        self._handle = None

    def __enter__(self) -> Vault:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()

    def keychain(self, *, application: str = "coffer", groups: Sequence[str] = ()) -> Keychain:
        """Returns the keychain of a program: see `Keychain.open`."""
        identity = identity_given(application, groups)
        return Keychain(Handle(library.made("vault_keychain", self._raw, byref(identity)), "keychain_free"))

    # Locking

    @property
    def is_unlocked(self) -> bool:
        """Whether the vault is unlocked."""
        return bool(library.call("vault_is_unlocked", self._raw))

    def lock(self) -> None:
        """Removes the keys of items that are protected while the vault is locked from memory."""
        library.call("vault_lock", self._raw)

    def unlock(self, options: Options | None = None) -> None:
        """Unlocks the vault."""
        with options_given(options) as given:
            library.call("vault_unlock", self._raw, given)

    def keep_unlocked(self, seconds: int) -> None:
        """Leaves the keys in the kernel keyring, for other processes of the user; at most a day."""
        library.call("vault_keep_unlocked", self._raw, seconds)

    def stop_keeping_unlocked(self) -> bool:
        """Removes such keys, and returns whether there were any."""
        had_keys = c_bool()
        library.call("vault_stop_keeping_unlocked", self._raw, byref(had_keys))
        return had_keys.value

    # Facts

    @property
    def id(self) -> str:
        """The identifier of the vault, in hexadecimal digits."""
        return str(self._facts(0)[0]["id"])

    @property
    def path(self) -> str:
        """The path of the file."""
        return str(self._facts(0)[0]["path"])

    @property
    def granted_groups(self) -> tuple[str, ...] | None:
        """The groups of the grant that opened the vault; None if something else opened it."""
        groups = self._facts(0)[0].get("groups")
        return None if groups is None else tuple(groups.split("\n"))

    @property
    def read_only_reason(self) -> str | None:
        """Why the vault can only be read; None if it can be written as far as is known."""
        return self._facts(0)[0].get("read_only")

    @property
    def history_settings(self) -> tuple[int | None, int | None]:
        """How many past revisions of each item are kept, and for how many days."""
        row = self._facts(0)[0]
        return row.get("revisions"), row.get("days")

    @property
    def opening(self) -> list[tuple[str, str]]:
        """The sources of secrets that were tried, and what came of each."""
        return [(row["source"], row["outcome"]) for row in self._facts(1)]

    @property
    def warnings(self) -> list[str]:
        """Warnings about the vault, each with advice."""
        return [row["warning"] for row in self._facts(2)]

    @property
    def slots(self) -> list[Slot]:
        """The ways to open the vault."""
        return [_known(Slot, row) for row in self._facts(3)]

    @property
    def devices(self) -> list[Device]:
        """The machines that are devices of the vault."""
        return [_known(Device, row) for row in self._facts(4)]

    @property
    def grants(self) -> list[Grant]:
        """The grants of the vault, which must be unlocked."""
        return [
            _known(Grant, {"expiry": None, **row, "groups": tuple(row["groups"].split("\n"))}) for row in self._facts(5)
        ]

    def _facts(self, which: int) -> list[dict[str, Any]]:
        return _rows(library.made("vault_facts", self._raw, which))

    # Maintenance

    def verify(self, progress: Progress | None = None) -> list[Finding]:
        """Reads the whole vault, and returns what is wrong with it."""
        rows = self._work("vault_verify", progress=progress)
        return [_known(Finding, row) for row in rows if row["kind"] != "none"]

    def compact(self, progress: Progress | None = None) -> Compaction:
        """Rewrites the vault without what need not be kept."""
        return _known(Compaction, self._work("vault_compact", progress=progress)[0])

    def set_history(self, revisions: int | None = None, days: int | None = None) -> None:
        """Sets how much of the past is kept; nothing without either."""
        if revisions is None and days is None:
            revisions = days = 0
        library.call(
            "vault_set_history", self._raw, -1 if revisions is None else revisions, -1 if days is None else days
        )

    def undo(self, change: int) -> tuple[int, int]:
        """Undoes a merge or another change, and returns how many items were restored, and how many left alone."""
        row = _rows(library.made("vault_undo", self._raw, change))[0]
        return row["restored"], row["left_alone"]

    def merge(self, copy: Vault, progress: Progress | None = None) -> Merge:
        """Takes over what a copy of the vault has and this one lacks."""
        return _known(Merge, self._work("vault_merge", copy._raw, progress=progress)[0])

    def merge_preview(self, copy: Vault) -> Merge:
        """Returns what `merge` would do."""
        return _known(Merge, _rows(library.made("vault_merge_preview", self._raw, copy._raw))[0])

    # Keys

    def add_secrets(self, options: Options) -> None:
        """Adds the secrets among the options as further ways to open the vault."""
        with options_given(options) as given:
            library.call("vault_add_secrets", self._raw, given)

    def add_this_machine(self) -> None:
        """Makes this machine a device of the vault."""
        library.call("vault_add_this_machine", self._raw)

    def change_keys(
        self,
        options: Options,
        progress: Progress | None = None,
        *,
        remove_devices: Iterable[str] = (),
        remove_recipients: Iterable[str] = (),
        accept_losses: Iterable[str] = (),
    ) -> KeyChange:
        """Replaces all keys, so that only the secrets among the options open the vault."""
        changes = [(1, id) for id in remove_devices] + [(2, id) for id in remove_recipients]
        changes += [(3, id) for id in accept_losses]
        ids = [library.given(id) for _, id in changes]
        array = (library.KeyChangeOption * len(changes))(
            *(library.KeyChangeOption(change, id) for (change, _), id in zip(changes, ids))
        )
        with options_given(options) as given:
            return _known(
                KeyChange, self._work("vault_change_keys", given, array, len(changes), progress=progress)[0]
            )

    # Grants

    def issue_grant(
        self, name: str, groups: Sequence[str], credential: Path, *, expiry: datetime | None = None
    ) -> None:
        """Issues a grant, and writes its credential to a new file that only its owner can read."""
        grant = _grant(name, groups, expiry)
        library.call("vault_issue_grant", self._raw, byref(grant), library.given(os.fspath(credential)))

    def issue_requested_grant(
        self, name: str, groups: Sequence[str], request: str, *, expiry: datetime | None = None
    ) -> None:
        """Issues a grant on the request of its recipient."""
        grant = _grant(name, groups, expiry)
        library.call("vault_issue_requested_grant", self._raw, byref(grant), library.given(request))

    def add_recipient(self, request: str) -> None:
        """Lets whoever made a request open the whole vault, as an owner."""
        library.call("vault_add_recipient", self._raw, library.given(request))

    def revoke_grants(self, grants: Iterable[Grant], progress: Progress | None = None) -> KeyChange:
        """Revokes grants, and renews the keys that they held."""
        ids = library.array([grant.id for grant in grants])
        return _known(KeyChange, self._work("vault_revoke_grants", ids, len(ids), progress=progress)[0])

    # Changes by any program

    def watch(self) -> Watch:
        """Begins to notice changes by any program."""
        return Watch(Handle(library.made("vault_watch", self._raw), "watch_free"))

    def _work(self, function: str, *arguments: Any, progress: Progress | None) -> list[dict[str, Any]]:
        failure: list[BaseException] = []

        @library.Progress  # type: ignore[untyped-decorator]
        def note(_: object, done: int, total: int) -> bool:
            try:
                return progress is None or progress(done, total) is not False
            except BaseException as error:  # noqa: BLE001: raised below
                failure.append(error)
                return False

        try:
            return _rows(library.made(function, self._raw, *arguments, note, None))
        except CancelledError:
            if failure:
                raise failure[0] from None
            raise


class Watch:
    """Notices changes to a vault, from its creation on. `fileno()` can be waited for with `select` or `asyncio`."""

    def __init__(self, handle: Handle) -> None:
        self._handle: Handle | None = handle

    @property
    def _raw(self) -> Handle:
        if self._handle is None:
            raise InvalidError("the watch was closed")
        return self._handle

    def fileno(self) -> int:
        """Returns a descriptor that is readable once the vault has changed; it must not be read or closed."""
        return int(library.call("watch_descriptor", self._raw))

    def next(self, timeout: float | None = None) -> bool:
        """Waits for a change, for at most so many seconds, and returns whether there was one."""
        changed = c_bool()
        library.call("watch_next", self._raw, -1 if timeout is None else int(timeout * 1000), byref(changed))
        return changed.value

    def close(self) -> None:
        """Ends the watch."""
        self._handle = None

    def __enter__(self) -> Watch:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()


Known = TypeVar("Known")

# The values of each row that this version knows.
_NAMES = (
    "id path groups revisions days read_only source outcome warning kind created device is_this_machine name expiry "
    "has_expired offset end description items bytes_before bytes_after dropped_revisions carried_changes restored "
    "left_alone added changed deleted conflicts past_revisions openings locked_groups has_other_keys change resealed "
    "carried lost left_out kept_path"
).split()


def _rows(raw: Any) -> list[dict[str, Any]]:
    facts = Handle(raw, "facts_free")
    rows = []
    for index in range(library.call("facts_count", facts)):
        values = {name: value_read(library.call("facts_get", facts, index, name.encode())) for name in _NAMES}
        rows.append({name: value for name, value in values.items() if value is not None})
    return rows


def _known(kind: type[Known], row: dict[str, Any]) -> Known:
    names = {each.name for each in fields(kind)}  # type: ignore[arg-type]
    return kind(**{name: value for name, value in row.items() if name in names})


def _grant(name: str, groups: Sequence[str], expiry: datetime | None) -> library.Grant:
    given, names = library.given(name), library.array(list(groups))
    grant = library.Grant(given, names, len(groups), expiry.timestamp() if expiry else 0)
    grant._kept = (given, names)
    return grant
