"""Secrets in memory that is wiped."""

from __future__ import annotations

import ctypes
from types import TracebackType
from typing import Any, Union

from . import _library as library

#: What is accepted as a secret; text is encoded as UTF-8. Only a `Secret` and a `bytearray` can be wiped.
SecretBytes = Union["Secret", bytes, bytearray, memoryview, str]


class Secret:
    """Secret bytes in memory that is wiped by `wipe`, at the end of a `with` block, or when the object goes away.

    `bytes(secret)` and `secret.text()` are copies, which Python cannot wipe; `secret.view()` is not a copy.
    """

    __slots__ = ("_handle",)

    def __init__(self, data: SecretBytes) -> None:
        self._handle = None
        with given(data) as value:
            self._handle = library.call("secret_create", value)

    @classmethod
    def _of(cls, handle: ctypes.c_void_p | int) -> Secret:
        secret = cls.__new__(cls)
        secret._handle = handle
        return secret

    @property
    def _bytes(self) -> library.Bytes:
        if self._handle is None:
            raise ValueError("the secret was wiped")
        value: library.Bytes = library.call("secret_bytes", self._handle)
        return value

    def view(self) -> memoryview:
        """Returns the bytes without a copy; the view must not be used once the secret is wiped."""
        value = self._bytes
        memory = (ctypes.c_ubyte * value.count).from_address(value.bytes) if value.count else b""
        return memoryview(memory).cast("B").toreadonly()

    def text(self) -> str:
        """Returns a copy of the bytes as text."""
        return bytes(self).decode()

    def wipe(self) -> None:
        """Overwrites the bytes."""
        if self._handle is not None:
            library.call("secret_free", self._handle)
            self._handle = None

    def __bytes__(self) -> bytes:
        return library.copied(self._bytes)

    def __len__(self) -> int:
        return int(self._bytes.count)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, (Secret, bytes, bytearray)):
            return NotImplemented
        return bytes(self) == bytes(other)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return "<Secret>"

    def __enter__(self) -> Secret:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.wipe()

    def __del__(self) -> None:
        self.wipe()


def answer_given(answer: SecretBytes | None) -> Any:
    """Returns the answer of a user as a secret that the library frees; None if the user declines."""
    if answer is None:
        return None
    with given(answer) as data:
        return library.call("secret_create", data)


class given:
    """Lends the bytes of a secret to the library."""

    def __init__(self, data: SecretBytes) -> None:
        self._data = data

    def __enter__(self) -> library.Bytes:
        return self._data._bytes if isinstance(self._data, Secret) else library.given(self._data)

    def __exit__(self, *_: object) -> None:
        pass
