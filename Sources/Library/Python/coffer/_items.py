"""Items: what they are called, and how they are stored."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from ctypes import c_void_p
from dataclasses import dataclass, field
from datetime import datetime, timezone
from enum import Enum
from typing import Any, ClassVar, TypeVar, Union

from . import _library as library
from ._errors import InvalidError


class Accessible(str, Enum):
    """When an item can be read."""

    WHEN_UNLOCKED = "ak"
    AFTER_FIRST_UNLOCK = "ck"
    ALWAYS = "dk"
    WHEN_PASSCODE_SET_THIS_DEVICE_ONLY = "akpu"
    WHEN_UNLOCKED_THIS_DEVICE_ONLY = "aku"
    AFTER_FIRST_UNLOCK_THIS_DEVICE_ONLY = "cku"
    ALWAYS_THIS_DEVICE_ONLY = "dku"


@dataclass(frozen=True)
class AccessControl:
    """When an item can be read, and under which conditions: bits of Apple's flags."""

    accessible: Accessible
    conditions: int


#: A value of an attribute. In fields for text, bytes that are not UTF-8 are surrogate escapes, as in `os.fsdecode`.
AttributeValue = Union[str, bytes, int, float, bool, datetime, AccessControl]


@dataclass(frozen=True)
class Stored:
    """What is known of an item that the keychain returned."""

    #: Names the item for ever.
    reference: bytes
    #: Differs for each change of the item.
    revision: str
    created: datetime | None
    modified: datetime | None
    #: An empty secret is a secret.
    has_secret: bool
    #: Whether this is the current revision.
    is_current: bool
    #: Whether this is a change in another copy of the vault, which lost when it was merged.
    is_conflict: bool
    #: Whether the attributes are known, and not locked or damaged.
    is_readable: bool
    #: When a past revision was written.
    written: datetime | None
    #: When a past revision was changed or deleted.
    ended: datetime | None
    _handle: Handle = field(repr=False, compare=False)


def _attribute(name: str, default: Any = None) -> Any:
    return field(default=default, metadata={"name": name})


def _text(name: str) -> Any:
    return field(default=None, metadata={"name": name, "is_text": True})


@dataclass(frozen=True)
class Item:
    """The attributes of an item, without its secret. Attributes without a field are in `attributes`, by Apple's names.

    Items are values: `dataclasses.replace(item, label="Mail")` makes a changed one, which `Keychain.update` stores.
    """

    item_class: ClassVar[int]

    label: str | None = _text("labl")
    group: str | None = _attribute("agrp")
    accessible: Accessible | None = _attribute("pdmn")
    access_control: AccessControl | None = _attribute("accc")
    synchronizable: bool = _attribute("sync", False)
    attributes: Mapping[str, AttributeValue] = field(default_factory=dict)
    #: Nothing for a new item.
    stored: Stored | None = field(default=None, compare=False, repr=False)

    def _values(self) -> dict[str, AttributeValue]:
        """The attributes that are set, by Apple's names."""
        values = dict(self.attributes)
        for each in dataclasses.fields(self):
            value = getattr(self, each.name)
            if "name" in each.metadata and value is not None and value is not False:
                values[each.metadata["name"]] = value
        return values

    @property
    def _stored(self) -> Stored:
        if self.stored is None:
            raise InvalidError("the item is not one that the keychain returned")
        return self.stored


@dataclass(frozen=True)
class Password(Item):
    """What both classes of passwords have."""

    account: str | None = _text("acct")
    comment: str | None = _text("icmt")
    description: str | None = _text("desc")


@dataclass(frozen=True)
class GenericPassword(Password):
    """A password that is not for a server."""

    item_class = 1

    service: str | None = _text("svce")
    generic: str | bytes | None = _attribute("gena")


@dataclass(frozen=True)
class InternetPassword(Password):
    """A password for a server."""

    item_class = 2

    server: str | None = _text("srvr")
    port: int | None = _attribute("port")
    #: Four letters, such as "htps".
    protocol: str | None = _text("ptcl")
    path: str | None = _text("path")
    security_domain: str | None = _text("sdmn")
    #: Four letters, such as "form".
    authentication_type: str | None = _text("atyp")


@dataclass(frozen=True)
class Certificate(Item):
    """A certificate."""

    item_class = 3


@dataclass(frozen=True)
class Key(Item):
    """A cryptographic key."""

    item_class = 4


ItemType = TypeVar("ItemType", bound=Item)

_kinds: tuple[type[Item], ...] = (GenericPassword, InternetPassword, Certificate, Key)
_types = {each.item_class: each for each in _kinds}


class Handle:
    """A handle of the library, which is freed when the object goes away; functions take the object itself."""

    __slots__ = ("_as_parameter_", "_free")

    def __init__(self, raw: c_void_p | int | None, free: str) -> None:
        self._as_parameter_ = raw
        self._free = free

    def __del__(self) -> None:
        library.call(self._free, self._as_parameter_)


def value_given(value: AttributeValue | None) -> library.Value:
    """Returns a value for the library."""
    given = library.Value()
    data = None
    if isinstance(value, bool):
        given.kind, given.integer = 5, value
    elif isinstance(value, AccessControl):
        data = library.given(value.accessible.value)
        given.kind, given.integer, given.bytes = 7, value.conditions, data
    elif isinstance(value, str):
        encoded = (value.value if isinstance(value, Enum) else value).encode(errors="surrogateescape")
        data = library.given(encoded)
        given.kind, given.bytes = 1 if _is_utf8(encoded) else 2, data
    elif isinstance(value, (bytes, bytearray)):
        data = library.given(value)
        given.kind, given.bytes = 2, data
    elif isinstance(value, int):
        if not -(2**63) <= value < 2**63:
            raise InvalidError(f"the number {value} is too large")
        given.kind, given.integer = 3, value
    elif isinstance(value, float):
        given.kind, given.real = 4, value
    elif isinstance(value, datetime):
        given.kind, given.real = 6, value.timestamp()
    elif value is not None:
        raise InvalidError(f"there are no attributes of type {type(value).__name__}")
    given._kept = data
    return given


def _is_utf8(data: bytes) -> bool:
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    return True


def value_read(value: library.Value) -> AttributeValue | None:
    """Returns a copy of a value of the library."""
    kind = value.kind
    if kind == 1:
        return library.copied(value.bytes).decode()
    if kind == 2:
        return library.copied(value.bytes)
    if kind in (3, 5):
        return bool(value.integer) if kind == 5 else int(value.integer)
    if kind == 4:
        return float(value.real)
    if kind == 6:
        return date_read(value.real)
    if kind == 7:
        return AccessControl(Accessible(library.copied(value.bytes).decode()), int(value.integer))
    return None


def date_read(seconds: float) -> datetime:
    """Returns the date that is given in seconds since 1970."""
    return datetime.fromtimestamp(seconds, timezone.utc)


def item_given(item: Item) -> Handle:
    """Returns a handle of a new item."""
    handle = Handle(library.call("item_create", item.item_class), "item_free")
    for name, value in item._values().items():
        library.call("item_set", handle, name.encode(), value_given(value))
    return handle


def item_changed(item: Item) -> Handle:
    """Returns a handle of a stored item, with the attributes that differ from the stored ones set."""
    original = item._stored._handle
    handle = Handle(library.call("item_copy", original), "item_free")
    before, now = item_read(original)._values(), item._values()
    for name in sorted(before.keys() | now.keys()):
        if before.get(name) != now.get(name):
            library.call("item_set", handle, name.encode(), value_given(now.get(name)))
    return handle


def item_read(handle: Handle) -> Item:
    """Returns an item that the keychain returned."""

    def fact(name: str) -> Any:
        return value_read(library.call("item_get", handle, name.encode()))

    kind = _types[library.call("item_class", handle)]
    attributes: dict[str, AttributeValue] = {}
    index = 0
    while (name := library.call("item_name", handle, index)) is not None:
        value = fact(name.decode())
        if value is not None:
            attributes[name.decode()] = value
        index += 1
    fields: dict[str, Any] = {}
    for each in dataclasses.fields(kind):
        if "name" in each.metadata and each.metadata["name"] in attributes:
            value = attributes.pop(each.metadata["name"])
            if "is_text" in each.metadata and isinstance(value, bytes):
                value = value.decode(errors="surrogateescape")
            fields[each.name] = value
    if "accessible" in fields:
        fields["accessible"] = Accessible(fields["accessible"])
    fields["synchronizable"] = bool(fields.get("synchronizable", False))
    if "group" not in fields:
        fields["group"] = fact("agrp")
    stored = Stored(
        reference=fact("v_PersistentRef"),
        revision=fact("revision"),
        created=fact("cdat"),
        modified=fact("mdat"),
        has_secret=fact("has_secret"),
        is_current=fact("is_current"),
        is_conflict=fact("is_conflict"),
        is_readable=fact("is_readable"),
        written=fact("written"),
        ended=fact("ended"),
        _handle=handle,
    )
    return kind(**fields, attributes=attributes, stored=stored)


def items_read(raw: c_void_p) -> list[Item]:
    """Returns the items of a list, which is freed."""
    items = Handle(raw, "items_free")
    count = library.call("items_count", items)
    return [item_read(Handle(library.call("items_at", items, index), "item_free")) for index in range(count)]


def query_given(kind: type[Item], conditions: Mapping[str, Any]) -> Handle:
    """Returns a query for conditions by the names of the fields, or by Apple's names."""
    names = {each.name: each.metadata["name"] for each in dataclasses.fields(kind) if "name" in each.metadata}
    names["host_or_subdomain"] = "m_HostOrSubdomainOfHost"
    query = Handle(library.call("query_create", kind.item_class), "query_free")
    for name, value in conditions.items():
        if value is None:
            raise InvalidError(f"the condition {name!r} is None; leave it out")
        if name == "synchronizable" and value == "any":
            value = "syna"
        library.call("query_set", query, names.get(name, name).encode(), value_given(value))
    return query
