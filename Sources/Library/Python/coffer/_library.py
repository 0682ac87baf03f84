"""The functions of libcoffer: their types, and the errors that they return."""

from __future__ import annotations

import ctypes
import os
import threading
from ctypes import POINTER, Structure, byref, c_bool, c_char_p, c_double, c_int, c_int32, c_int64, c_size_t, c_uint64
from ctypes import c_void_p as handle
from typing import Any, Callable

from . import _errors


class Bytes(Structure):
    """Text or data."""

    _fields_ = [("bytes", handle), ("count", c_size_t)]


class Value(Structure):
    """A value of an attribute."""

    _fields_ = [("kind", c_int), ("integer", c_int64), ("real", c_double), ("bytes", Bytes)]


class Identity(Structure):
    """Whose items a keychain has."""

    _fields_ = [("application", Bytes), ("groups", POINTER(Bytes)), ("group_count", c_size_t)]


class Grant(Structure):
    """Whom a grant is for, and what it opens."""

    _fields_ = [("name", Bytes), ("groups", POINTER(Bytes)), ("group_count", c_size_t), ("expiry", c_double)]


class KeyChangeOption(Structure):
    """One thing that a change of keys does besides."""

    _fields_ = [("change", c_int), ("id", Bytes)]


Progress = ctypes.CFUNCTYPE(c_bool, handle, c_int64, c_int64)
Prompt = ctypes.CFUNCTYPE(handle, handle, Bytes, c_int32)
Host = ctypes.CFUNCTYPE(handle, handle, c_int, Bytes, c_int32)
Transaction = ctypes.CFUNCTYPE(c_bool, handle, handle)
Replacement = ctypes.CFUNCTYPE(handle, handle, Bytes)

_out = POINTER(handle)
_error = (_out,)

# The result and the arguments of each function. Those that return a status have `_error` at their end.
SIGNATURES: dict[str, tuple[Any, tuple[Any, ...]]] = {
    "version": (c_char_p, ()),
    "error_status": (c_int, (handle,)),
    "error_apple_status": (c_int32, (handle,)),
    "error_message": (Bytes, (handle,)),
    "error_free": (None, (handle,)),
    "secret_create": (handle, (Bytes,)),
    "secret_bytes": (Bytes, (handle,)),
    "secret_free": (None, (handle,)),
    "facts_count": (c_size_t, (handle,)),
    "facts_get": (Value, (handle, c_size_t, c_char_p)),
    "facts_free": (None, (handle,)),
    "options_create": (handle, ()),
    "options_set": (c_int, (handle, c_int, Bytes, *_error)),
    "options_set_number": (c_int, (handle, c_int, c_int64, *_error)),
    "options_set_prompt": (c_int, (handle, Prompt, handle, *_error)),
    "options_free": (None, (handle,)),
    "recovery_code": (c_int, (_out, *_error)),
    "vault_open": (c_int, (Bytes, handle, _out, *_error)),
    "vault_create": (c_int, (Bytes, handle, _out, *_error)),
    "vault_open_copy": (c_int, (Bytes, handle, _out, *_error)),
    "vault_delete": (c_int, (Bytes, handle, *_error)),
    "vault_free": (None, (handle,)),
    "vault_is_unlocked": (c_bool, (handle,)),
    "vault_lock": (None, (handle,)),
    "vault_unlock": (c_int, (handle, handle, *_error)),
    "vault_keep_unlocked": (c_int, (handle, c_int64, *_error)),
    "vault_stop_keeping_unlocked": (c_int, (handle, POINTER(c_bool), *_error)),
    "vault_facts": (c_int, (handle, c_int, _out, *_error)),
    "vault_verify": (c_int, (handle, Progress, handle, _out, *_error)),
    "vault_compact": (c_int, (handle, Progress, handle, _out, *_error)),
    "vault_set_history": (c_int, (handle, c_int64, c_int64, *_error)),
    "vault_undo": (c_int, (handle, c_uint64, _out, *_error)),
    "vault_merge": (c_int, (handle, handle, Progress, handle, _out, *_error)),
    "vault_merge_preview": (c_int, (handle, handle, _out, *_error)),
    "vault_add_secrets": (c_int, (handle, handle, *_error)),
    "vault_add_this_machine": (c_int, (handle, *_error)),
    "vault_change_keys": (
        c_int,
        (handle, handle, POINTER(KeyChangeOption), c_size_t, Progress, handle, _out, *_error),
    ),
    "vault_issue_grant": (c_int, (handle, POINTER(Grant), Bytes, *_error)),
    "vault_issue_requested_grant": (c_int, (handle, POINTER(Grant), Bytes, *_error)),
    "grant_request": (c_int, (Bytes, handle, Bytes, _out, *_error)),
    "vault_add_recipient": (c_int, (handle, Bytes, *_error)),
    "vault_revoke_grants": (c_int, (handle, POINTER(Bytes), c_size_t, Progress, handle, _out, *_error)),
    "vault_watch": (c_int, (handle, _out, *_error)),
    "watch_descriptor": (c_int, (handle,)),
    "watch_next": (c_int, (handle, c_int64, POINTER(c_bool), *_error)),
    "watch_free": (None, (handle,)),
    "keychain_open": (c_int, (handle, POINTER(Identity), _out, *_error)),
    "vault_keychain": (c_int, (handle, POINTER(Identity), _out, *_error)),
    "keychain_is_unlocked": (c_bool, (handle,)),
    "keychain_lock": (None, (handle,)),
    "keychain_free": (None, (handle,)),
    "set_host": (c_int, (Host, handle, *_error)),
    "item_create": (handle, (c_int,)),
    "item_copy": (handle, (handle,)),
    "item_class": (c_int, (handle,)),
    "item_set": (c_int, (handle, c_char_p, Value, *_error)),
    "item_get": (Value, (handle, c_char_p)),
    "item_name": (c_char_p, (handle, c_size_t)),
    "item_free": (None, (handle,)),
    "items_count": (c_size_t, (handle,)),
    "items_at": (handle, (handle, c_size_t)),
    "items_free": (None, (handle,)),
    "query_create": (handle, (c_int,)),
    "query_set": (c_int, (handle, c_char_p, Value, *_error)),
    "query_free": (None, (handle,)),
    "keychain_find": (c_int, (handle, handle, c_size_t, _out, *_error)),
    "keychain_count": (c_int, (handle, handle, POINTER(c_size_t), *_error)),
    "keychain_item": (c_int, (handle, Bytes, _out, *_error)),
    "keychain_secret": (c_int, (handle, handle, _out, *_error)),
    "keychain_find_secret": (c_int, (handle, handle, _out, *_error)),
    "password_get": (c_int, (handle, c_char_p, c_char_p, _out, *_error)),
    "password_set": (c_int, (handle, c_char_p, c_char_p, c_char_p, *_error)),
    "keychain_add": (c_int, (handle, handle, POINTER(Bytes), _out, *_error)),
    "keychain_save": (c_int, (handle, handle, Bytes, _out, *_error)),
    "keychain_update": (c_int, (handle, handle, POINTER(Bytes), c_int, _out, *_error)),
    "keychain_remove_secret": (c_int, (handle, handle, c_int, _out, *_error)),
    "keychain_delete": (c_int, (handle, handle, c_int, *_error)),
    "keychain_erase": (c_int, (handle, handle, *_error)),
    "keychain_delete_all": (c_int, (handle, handle, POINTER(c_size_t), *_error)),
    "keychain_transaction": (c_int, (handle, Transaction, handle, *_error)),
    "keychain_refresh": (c_int, (handle, handle, c_double, c_double, Replacement, handle, _out, *_error)),
    "keychain_history": (c_int, (handle, handle, _out, POINTER(c_bool), *_error)),
    "keychain_find_at": (c_int, (handle, handle, c_double, _out, POINTER(c_bool), *_error)),
    "keychain_find_deleted": (c_int, (handle, handle, _out, *_error)),
    "keychain_conflicts": (c_int, (handle, c_int, _out, *_error)),
    "keychain_history_start": (c_int, (handle, POINTER(c_double), *_error)),
    "keychain_restore": (c_int, (handle, handle, _out, *_error)),
    "keychain_undo": (c_int, (handle, handle, c_int, _out, *_error)),
    "keychain_resolve": (c_int, (handle, handle, _out, *_error)),
}


def _loaded() -> dict[str, Callable[..., Any]]:
    # The one in the package, else that of the system.
    own = os.path.join(os.path.dirname(os.path.abspath(__file__)), "libcoffer.so.1")
    library = ctypes.CDLL(own if os.path.exists(own) else "libcoffer.so.1")
    functions: dict[str, Callable[..., Any]] = {}
    for name, (result, arguments) in SIGNATURES.items():
        function = getattr(library, "coffer_" + name)
        function.restype = result
        function.argtypes = arguments
        functions[name] = function
    return functions


_functions = _loaded()


class _Thread(threading.local):
    """Whether the thread is in the block of a transaction, in which it would wait for itself in a vault."""

    is_in_transaction = False


thread = _Thread()


def check_thread() -> None:
    """Raises in the block of a transaction."""
    if thread.is_in_transaction:
        raise _errors.InvalidError("use the keychain that the transaction gave, and nothing else in its block")


def call(name: str, *arguments: Any) -> Any:
    """Calls a function, and returns its result; raises an error for a status that is not COFFER_OK."""
    function = _functions[name]
    if SIGNATURES[name][1][-1:] != _error or SIGNATURES[name][0] is not c_int:
        return function(*arguments)
    error = handle()
    status = function(*arguments, byref(error))
    if status != 0:
        try:
            message = copied(_functions["error_message"](error)).decode()
            raise _errors.error(status, _functions["error_apple_status"](error), message)
        finally:
            _functions["error_free"](error)
    return None


def made(name: str, *arguments: Any) -> handle:
    """Calls a function that returns a handle before its error, and returns the handle."""
    result = handle()
    call(name, *arguments, byref(result))
    return result


def copied(value: Bytes) -> bytes:
    """Returns a copy of bytes of the library."""
    return ctypes.string_at(value.bytes, value.count) if value.count else b""


def given(data: bytes | bytearray | memoryview | str) -> Bytes:
    """Returns bytes for the library, which stay as long as the result does."""
    if isinstance(data, str):
        data = data.encode()
    elif isinstance(data, memoryview):
        data = data.tobytes()
    buffer = (ctypes.c_char * len(data)).from_buffer(data) if isinstance(data, bytearray) else ctypes.c_char_p(data)
    value = Bytes(ctypes.cast(buffer, handle), len(data))
    value._kept = (data, buffer)
    return value


def characters(text: str) -> bytes:
    """Returns a string of C, which cannot contain a zero character."""
    if "\0" in text:
        raise _errors.InvalidError("the text contains a zero character")
    return text.encode()


def array(texts: list[str]) -> Any:
    """Returns an array of texts for the library."""
    values = [given(text) for text in texts]
    result: Any = (Bytes * len(values))(*values)
    result._kept = values
    return result
