"""Values, their canonical order and their notation: keyed-archive.md sections 2 and 9.1.

Null, bool, integer, real, string and data are None, bool, int, float, str and bytes; an array is a
list. All other values have a class here.
"""

import struct
import uuid
from dataclasses import dataclass
from typing import Any

from failures import limit, malformed


@dataclass(frozen=True)
class Limits:
    """The limits of section 8."""
    bytes: int
    depth: int
    objects: int
    nodes: int


STANDARD = Limits(bytes=16 << 20, depth=64, objects=262_144, nodes=262_144)
RECORD = Limits(bytes=64 << 10, depth=32, objects=4_096, nodes=16_384)


class Nodes:
    """Counts nodes, and rejects more than the limit [KA-32]."""

    def __init__(self, most: int):
        self.left = most

    def count(self, nodes: int) -> None:
        self.expect(nodes)
        self.left -= nodes

    def expect(self, nodes: int) -> None:
        """Rejects parts that are about to be read if they count at least this many nodes."""
        if nodes > self.left:
            raise limit("nodes [KA-32]")


@dataclass(frozen=True)
class Date:
    seconds: float


@dataclass(frozen=True)
class UUID:
    bytes: bytes


@dataclass(frozen=True)
class URL:
    text: str
    base: "URL | None"


@dataclass(frozen=True)
class Uid:
    """A reference into an archive; a value only in property lists."""
    number: int


@dataclass(frozen=True)
class Set:
    elements: list


@dataclass(frozen=True)
class Dictionary:
    entries: list[tuple[Any, Any]]

    def get(self, key: str) -> Any:
        return next((value for name, value in self.entries if name == key), None)


@dataclass(frozen=True)
class Object:
    class_name: str
    superclasses: tuple[str, ...]
    fields: list[tuple[str, "Field"]]


@dataclass(frozen=True)
class Inline:
    value: Any


@dataclass(frozen=True)
class Reference:
    value: Any


@dataclass(frozen=True)
class NoObject:
    pass


@dataclass(frozen=True)
class References:
    """A field that is a list of references."""
    values: list


Field = Inline | Reference | NoObject | References


# Objects of section 4.2 that contain no others

def integer_object(number: int) -> bytes:
    """[KA-3] Encodes an integer in the fewest bytes."""
    for exponent in range(3):
        if 0 <= number < 1 << (8 << exponent):
            return bytes([0x10 | exponent]) + number.to_bytes(1 << exponent, "big")
    if -(1 << 63) <= number < 1 << 63:
        return b"\x13" + number.to_bytes(8, "big", signed=True)
    if -(1 << 127) <= number < 1 << 127:
        return b"\x14" + number.to_bytes(16, "big", signed=True)
    raise malformed("integer beyond 128 bits (section 2)")


def fewest_bytes(number: int, sizes: tuple[int, ...] = (1, 2, 4, 8)) -> int:
    return next(size for size in sizes if number < 1 << 8 * size)


def marker(kind: int, count: int) -> bytes:
    """Returns the marker byte with its count: inside it, or as an integer after it."""
    if count < 15:
        return bytes([kind | count])
    size = fewest_bytes(count)
    return bytes([kind | 15, 0x10 | size.bit_length() - 1]) + count.to_bytes(size, "big")


def scalar_object(value: Any) -> bytes:
    """Returns the object of section 4.2 for a value without parts."""
    match value:
        case None:
            return b"\x00"
        case bool():
            return b"\x09" if value else b"\x08"
        case int():
            return integer_object(value)
        case float():
            return b"\x23" + struct.pack(">d", value)
        case Date():
            return b"\x33" + struct.pack(">d", value.seconds)
        case bytes():
            return marker(0x40, len(value)) + value
        case str() if value.isascii():  # [KA-4]
            return marker(0x50, len(value)) + value.encode("ascii")
        case str():
            units = value.encode("utf-16-be")
            return marker(0x60, len(units) // 2) + units
        case Uid():
            size = fewest_bytes(value.number, (1, 2, 4))
            return bytes([0x80 | size - 1]) + value.number.to_bytes(size, "big")
    raise TypeError(f"{type(value).__name__} is not a scalar")


def is_scalar(value: Any) -> bool:
    return value is None or isinstance(value, (bool, int, float, str, bytes, Date, Uid))


def utf8(text: str) -> bytes:
    return text.encode("utf-8")


# Section 9.1

def canonical(value: Any) -> tuple[Any, bytes]:
    """Returns the value with its parts in canonical order, and its sort key.

    [KA-15] [KA-29] A duplicate key or element is malformed.
    """
    match value:
        case list():
            parts = [canonical(element) for element in value]
            return [part for part, _ in parts], joined(0xE2, [key for _, key in parts])
        case Set():
            parts = sorted((canonical(element) for element in value.elements), key=key_of)
            keys = [key for _, key in parts]
            refuse_twice(keys, "duplicate element in a set")
            return Set([part for part, _ in parts]), joined(0xE3, keys)
        case Dictionary():
            pairs = sorted(((canonical(key), canonical(part)) for key, part in value.entries),
                           key=lambda pair: pair[0][1])
            refuse_twice([key for (_, key), _ in pairs], "duplicate key in a dictionary")
            entries = [(name, part) for (name, _), (part, _) in pairs]
            return Dictionary(entries), joined(0xE4, [key + part for (_, key), (_, part) in pairs])
        case Object():
            return canonical_object(value)
        case UUID():
            return value, b"\xe0" + value.bytes
        case URL():
            return value, joined(0xE1, [scalar_object(text) for text in url_texts(value)])
    return value, scalar_object(value)


def canonical_object(value: Object) -> tuple[Object, bytes]:
    fields = []
    key = (b"\xe5" + scalar_object(value.class_name)
           + len(value.superclasses).to_bytes(8, "big")
           + b"".join(scalar_object(name) for name in value.superclasses)
           + len(value.fields).to_bytes(8, "big"))
    for name, field in sorted(value.fields, key=lambda named: utf8(named[0])):
        match field:
            case Inline():
                field_key = b"\x00" + scalar_object(field.value)
            case Reference():
                part, part_key = canonical(field.value)
                field, field_key = Reference(part), b"\x01" + part_key
            case NoObject():
                field_key = b"\x02"
            case References():
                parts = [canonical(part) for part in field.values]
                field = References([part for part, _ in parts])
                field_key = joined(3, [part_key for _, part_key in parts])
        fields.append((name, field))
        key += scalar_object(name) + field_key
    return Object(value.class_name, value.superclasses, fields), key


def key_of(part: tuple[Any, bytes]) -> bytes:
    return part[1]


def joined(kind: int, keys: list[bytes]) -> bytes:
    return bytes([kind]) + len(keys).to_bytes(8, "big") + b"".join(keys)


def refuse_twice(sorted_keys: list[bytes], where: str) -> None:
    if any(one == next_one for one, next_one in zip(sorted_keys, sorted_keys[1:])):
        raise malformed(where)


def url_texts(url: URL | None) -> list[str]:
    texts = []
    while url is not None:
        texts.append(url.text)
        url = url.base
    return texts


# The notation of Fixtures/README.md

def notation(value: Any) -> str:
    match value:
        case None:
            return "null"
        case bool():
            return "true" if value else "false"
        case int() | float():
            return repr(value)
        case Date():
            return f"date({value.seconds!r})"
        case str():
            return quoted(value)
        case bytes():
            return f"<{value.hex()}>"
        case UUID():
            return f"uuid({uuid.UUID(bytes=value.bytes)})"
        case URL():
            return "url(" + " in ".join(map(quoted, url_texts(value))) + ")"
        case Uid():
            return f"uid({value.number})"
        case list():
            return listed(value)
        case Set():
            return "set" + listed(value.elements)
        case Dictionary():
            return "{" + ", ".join(f"{notation(key)}: {notation(part)}"
                                   for key, part in value.entries) + "}"
        case Object():
            classes = ":".join((value.class_name, *value.superclasses))
            return f"object {classes} {{" + ", ".join(
                f"{quoted(name)}: {field_notation(field)}" for name, field in value.fields) + "}"
    raise TypeError(type(value).__name__)


def field_notation(field: Field) -> str:
    match field:
        case Inline():
            return "inline " + notation(field.value)
        case Reference():
            return notation(field.value)
        case NoObject():
            return "nil"
        case References():
            return "list " + listed(field.values)


def listed(values: list) -> str:
    return "[" + ", ".join(map(notation, values)) + "]"


def quoted(text: str) -> str:
    return '"' + "".join(escaped(character) for character in text) + '"'


def escaped(character: str) -> str:
    if character in '"\\':
        return "\\" + character
    if " " <= character <= "~":
        return character
    return f"\\u{{{ord(character):x}}}"
