"""Vaults and keychains for asyncio: each call runs in a thread, so that the event loop does not wait for the disk.

>>> keychain = await coffer.aio.run(coffer.Keychain.open)
>>> item = await coffer.aio.run(keychain.get, coffer.GenericPassword, service="mail")
>>> async for _ in coffer.aio.changes(vault): ...
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from typing import ParamSpec, TypeVar

from ._vault import Vault

Parameters = ParamSpec("Parameters")
Result = TypeVar("Result")


async def run(
    function: Callable[Parameters, Result], /, *arguments: Parameters.args, **named: Parameters.kwargs
) -> Result:
    """Calls a function of this package in a thread. If the task is cancelled, the call still goes on to its end."""
    return await asyncio.to_thread(function, *arguments, **named)


async def changes(vault: Vault) -> AsyncIterator[None]:
    """Yields each time that the vault has changed, by any program. Changes that arrive together count as one."""
    with await run(vault.watch) as watch:
        loop, changed = asyncio.get_running_loop(), asyncio.Event()
        loop.add_reader(watch.fileno(), changed.set)
        try:
            while True:
                await changed.wait()
                changed.clear()
                if watch.next(0):
                    yield
        finally:
            loop.remove_reader(watch.fileno())
