"""Keychains: the items that a program may use."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from ctypes import byref, c_bool, c_double, c_size_t, c_void_p
from dataclasses import dataclass
from datetime import datetime
from types import TracebackType
from typing import Any, Generic

from . import _library as library
from ._errors import CancelledError, InvalidError, NotFoundError
from ._items import Handle, Item, ItemType, date_read, item_changed, item_given, item_read, items_read, query_given
from ._options import Options, options_given
from ._secrets import Secret, SecretBytes, given


@dataclass(frozen=True)
class History(Generic[ItemType]):
    """Past and current revisions, and whether none is missing."""

    items: list[ItemType]
    is_complete: bool


def identity_given(application: str, groups: Sequence[str]) -> library.Identity:
    """Returns an identity for the library."""
    if isinstance(groups, str):
        raise InvalidError("groups is a list of names")
    name, names = library.given(application), library.array(list(groups))
    identity = library.Identity(name, names if groups else None, len(groups))
    identity._kept = (name, names)
    return identity


class Keychain:
    """The items of a vault that a program may use.

    Every method can be called from any thread. A change survives a power failure once its method has returned.
    Conditions are named like the fields of items: `keychain.find(GenericPassword, service="mail")`.
    """

    def __init__(self, handle: Handle) -> None:
        self._handle: Handle | None = handle
        self._options: Handle | None = None

    @classmethod
    def open(
        cls, options: Options | None = None, *, application: str = "coffer", groups: Sequence[str] = ()
    ) -> Keychain:
        """Returns the keychain of a program in the user's vault, which is opened when needed.

        The vault is made when something is first stored. `application` names the program: its items belong to the group
        of that name. With `groups`, it may use only these. In a vault that has, or ever had, a grant, only the first
        group answers a search that names none; if a grant opened the vault, the first one that has a match.
        """
        identity = identity_given(application, groups)
        with options_given(options) as given_options:
            raw = library.made("keychain_open", given_options, byref(identity))
            keychain = cls(Handle(raw, "keychain_free"))
            keychain._options = given_options
            return keychain

    @property
    def _raw(self) -> Handle:
        if self._handle is None:
            raise InvalidError("the keychain was closed")
        if not isinstance(self._handle, _Borrowed):
            library.check_thread()
        return self._handle

    @property
    def is_unlocked(self) -> bool:
        """Whether the keychain is open and unlocked."""
        return bool(library.call("keychain_is_unlocked", self._raw))

    def lock(self) -> None:
        """Locks the vault."""
        library.call("keychain_lock", self._raw)

    def close(self) -> None:
        """Frees the keychain."""
        self._handle = None

    def __enter__(self) -> Keychain:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()

    # Passwords by service and account

    def password(self, service: str, account: str) -> str | None:
        """Returns the password of an account for a service; None if it has none.

        Python cannot wipe the text; `find_secret` returns the password in memory that is wiped.
        """
        try:
            raw = library.made("password_get", self._raw, library.characters(service), library.characters(account))
        except NotFoundError:
            return None
        with Secret._of(raw) as secret:
            return secret.text()

    def set_password(self, service: str, account: str, password: str) -> None:
        """Replaces the password that `password` returns, or adds one."""
        library.call("password_set", self._raw, *map(library.characters, (service, account, password)))

    # Reading

    def find(self, kind: type[ItemType], /, *, limit: int = 0, **conditions: Any) -> list[ItemType]:
        """Returns the items that match, oldest first."""
        query = query_given(kind, conditions)
        return items_read(library.made("keychain_find", self._raw, query, limit))  # type: ignore[return-value]

    def get(self, kind: type[ItemType], /, **conditions: Any) -> ItemType | None:
        """Returns the oldest item that matches, or None."""
        return next(iter(self.find(kind, limit=1, **conditions)), None)

    def count(self, kind: type[Item], /, **conditions: Any) -> int:
        """Returns the number of items that match."""
        count = c_size_t()
        library.call("keychain_count", self._raw, query_given(kind, conditions), byref(count))
        return count.value

    def item(self, reference: bytes) -> Item:
        """Returns the item with a reference as it is now."""
        return self._item(library.made("keychain_item", self._raw, library.given(reference)))

    def secret(self, item: Item) -> Secret | None:
        """Returns the secret of a stored item, or of a past revision; None if it has none."""
        return self._secret(library.made("keychain_secret", self._raw, item._stored._handle))

    def find_secret(self, kind: type[Item], /, **conditions: Any) -> Secret | None:
        """Returns the secret of the oldest item that matches; None if no item matches, or it has no secret."""
        try:
            return self._secret(library.made("keychain_find_secret", self._raw, query_given(kind, conditions)))
        except NotFoundError:
            return None

    # Changing

    def add(self, item: ItemType, secret: SecretBytes | None = None) -> ItemType:
        """Adds an item, with a secret unless that is None, and returns it as stored."""
        handle = item_given(item)
        if secret is None:
            return self._same(item, library.made("keychain_add", self._raw, handle, None))
        with given(secret) as value:
            return self._same(item, library.made("keychain_add", self._raw, handle, byref(value)))

    def save(self, item: ItemType, secret: SecretBytes) -> ItemType:
        """Adds an item, or changes the secret and attributes of the one with the same primary key."""
        handle = item_given(item)
        with given(secret) as value:
            return self._same(item, library.made("keychain_save", self._raw, handle, value))

    def update(self, item: ItemType, secret: SecretBytes | None = None, *, if_unchanged: bool = True) -> ItemType:
        """Stores what differs from the item that was read, and a secret unless that is None.

        If the item was changed since it was read, raises `ChangedError`; with `if_unchanged=False`, attributes that do
        not differ keep what others have stored.
        """
        handle = item_changed(item)
        if secret is None:
            return self._same(item, library.made("keychain_update", self._raw, handle, None, int(if_unchanged)))
        with given(secret) as value:
            return self._same(
                item, library.made("keychain_update", self._raw, handle, byref(value), int(if_unchanged))
            )

    def remove_secret(self, item: ItemType, *, if_unchanged: bool = True) -> ItemType:
        """Removes the secret of a stored item, which then has none."""
        raw = item._stored._handle
        return self._same(item, library.made("keychain_remove_secret", self._raw, raw, int(if_unchanged)))

    def delete(self, item: Item, *, if_unchanged: bool = True) -> None:
        """Deletes a stored item, even if it is locked; it can be restored for as long as the vault keeps its past."""
        library.call("keychain_delete", self._raw, item._stored._handle, int(if_unchanged))

    def erase(self, item: Item) -> None:
        """Deletes a stored item for good, with its past; only the owner of the vault can do that.

        Earlier copies of the file still have it, and a merge with one brings its past back.
        """
        library.call("keychain_erase", self._raw, item._stored._handle)

    def delete_all(self, kind: type[Item], /, **conditions: Any) -> int:
        """Deletes all items that match, and returns their number."""
        count = c_size_t()
        library.call("keychain_delete_all", self._raw, query_given(kind, conditions), byref(count))
        return count.value

    @contextmanager
    def transaction(self) -> Iterator[Keychain]:
        """Makes changes with the keychain that it returns durable together, or none of them if the block raises.

        Other writers wait meanwhile. The block must not use the vault in another way, which raises `InvalidError`.
        """
        raw = self._raw
        began, ended, finished = threading.Event(), threading.Event(), threading.Event()
        inside = Keychain(Handle(None, "keychain_free"))
        is_kept = False
        failure: list[BaseException] = []

        @library.Transaction  # type: ignore[untyped-decorator]
        def body(_: object, raw: int) -> bool:
            if began.is_set():  # The vault had to be opened again, and the block cannot run twice.
                return False
            inside._handle = _Borrowed(raw)
            began.set()
            ended.wait()
            inside._handle = None
            return is_kept

        def run() -> None:
            try:
                library.call("keychain_transaction", raw, body, None)
            except BaseException as error:  # noqa: BLE001: raised on the other thread
                failure.append(error)
            finally:
                finished.set()
                began.set()

        threading.Thread(target=run, name="coffer transaction", daemon=True).start()
        began.wait()
        try:
            if not finished.is_set():
                library.thread.is_in_transaction = True
                yield inside
                is_kept = True
            elif failure:
                raise failure[0]
        finally:
            library.thread.is_in_transaction = False
            ended.set()
            finished.wait()
        if failure:
            raise failure[0]

    def refresh(
        self, item: Item, replace: Callable[[Secret], SecretBytes], *, older_than: float, timeout: float = 60
    ) -> Secret:
        """Returns the secret of an item, after replacing it if it is older than a number of seconds.

        Of all threads and processes of the machine that find it too old, one calls `replace`; the others wait.
        """
        failure: list[BaseException] = []

        @library.Replacement  # type: ignore[untyped-decorator]
        def replacement(_: object, old: library.Bytes) -> int | None:
            try:
                new = replace(Secret(library.copied(old)))
                with given(new) as value:
                    return library.call("secret_create", value)  # type: ignore[no-any-return]
            except BaseException as error:  # noqa: BLE001: raised below
                failure.append(error)
                return None

        try:
            raw = library.made(
                "keychain_refresh", self._raw, item._stored._handle, older_than, timeout, replacement, None
            )
        except CancelledError:
            if failure:
                raise failure[0] from None
            raise
        return Secret._of(raw)

    # History

    def history(self, item: ItemType) -> History[ItemType]:
        """Returns the known revisions of an item, newest first, even if it is deleted."""
        raw, is_complete = c_void_p(), c_bool()
        library.call("keychain_history", self._raw, item._stored._handle, byref(raw), byref(is_complete))
        return History(items_read(raw), is_complete.value)  # type: ignore[arg-type]

    def find_at(self, kind: type[ItemType], date: datetime, /, **conditions: Any) -> History[ItemType]:
        """Returns the items that matched at a time in the past."""
        raw, is_complete = c_void_p(), c_bool()
        query = query_given(kind, conditions)
        library.call("keychain_find_at", self._raw, query, date.timestamp(), byref(raw), byref(is_complete))
        return History(items_read(raw), is_complete.value)  # type: ignore[arg-type]

    def find_deleted(self, kind: type[ItemType], /, **conditions: Any) -> list[ItemType]:
        """Returns the last revisions of deleted items that matched."""
        raw = library.made("keychain_find_deleted", self._raw, query_given(kind, conditions))
        return items_read(raw)  # type: ignore[return-value]

    def conflicts(self, kind: type[ItemType]) -> list[ItemType]:
        """Returns the current revisions of the items with conflicts; their history shows these."""
        return items_read(library.made("keychain_conflicts", self._raw, kind.item_class))  # type: ignore[return-value]

    @property
    def history_start(self) -> datetime | None:
        """The date from which the history is complete; None if nothing was ever dropped."""
        date = c_double()
        library.call("keychain_history_start", self._raw, byref(date))
        return date_read(date.value) if date.value else None

    def restore(self, past: ItemType) -> ItemType:
        """Restores a past revision, by a new change."""
        return self._same(past, library.made("keychain_restore", self._raw, past._stored._handle))

    def undo(self, item: ItemType, *, if_unchanged: bool = True) -> ItemType:
        """Undoes the last change of an item, or its deletion, by a new change."""
        raw = item._stored._handle
        return self._same(item, library.made("keychain_undo", self._raw, raw, int(if_unchanged)))

    def resolve(self, kept: ItemType) -> ItemType:
        """Ends a conflict by keeping this revision, the current one or a conflict; an item that is not kept is deleted."""
        return self._same(kept, library.made("keychain_resolve", self._raw, kept._stored._handle))

    @staticmethod
    def _item(raw: c_void_p) -> Item:
        return item_read(Handle(raw, "item_free"))

    @staticmethod
    def _same(item: ItemType, raw: c_void_p) -> ItemType:
        return item_read(Handle(raw, "item_free"))  # type: ignore[return-value]

    @staticmethod
    def _secret(raw: c_void_p) -> Secret | None:
        return Secret._of(raw) if raw.value else None


class _Borrowed(Handle):
    """The handle of a transaction, which the library frees."""

    def __init__(self, raw: int) -> None:
        super().__init__(raw, "")

    def __del__(self) -> None:
        pass
