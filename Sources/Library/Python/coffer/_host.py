"""Asking the user for what an item demands."""

from __future__ import annotations

import enum
from collections.abc import Callable
from typing import Any

from . import _library as library
from ._secrets import SecretBytes, answer_given


class Demand(enum.IntEnum):
    """What the access control of an item demands from the user."""

    #: A passphrase of the vault.
    PASSPHRASE = 1
    #: The password of the item.
    PASSWORD = 2
    #: A new password of the item.
    NEW_PASSWORD = 3


_host: Any = None


def set_host(ask: Callable[[Demand, str, int], SecretBytes | None] | None) -> None:
    """Sets the function that asks the user for what items demand, for the whole process; None for none, as at first.

    Its arguments are what is demanded, the rest of a sentence that begins with the name of the program, and the number of
    wrong answers to this question. It runs on another thread while the call waits. It returns None if the user declines.
    """
    global _host
    if ask is None:
        library.call("set_host", library.Host(), None)
        _host = None
        return

    @library.Host  # type: ignore[untyped-decorator]
    def host(_: object, demand: int, reason: library.Bytes, wrong_answers: int) -> Any:
        return answer_given(ask(Demand(demand), library.copied(reason).decode(), wrong_answers))

    library.call("set_host", host, None)
    _host = host
