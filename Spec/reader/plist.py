"""Binary property lists: keyed-archive.md sections 4 and 9.2."""

import struct
from dataclasses import dataclass
from typing import Any

from failures import limit, malformed
from values import (STANDARD, Date, Dictionary, Limits, Nodes, Set, Uid, canonical, fewest_bytes,
                    is_scalar, marker, scalar_object, utf8)

HEADER = b"bplist00"
TRAILER = 32


@dataclass(frozen=True)
class Container:
    """An array (A), set (C) or dictionary (D) whose parts have not been read."""
    kind: int
    count: int
    place: int


class Objects:
    """The objects of a property list, each read on request."""

    def __init__(self, data: bytes, limits: Limits):
        if len(data) > limits.bytes:
            raise limit("bytes [KA-32]")
        if not data.startswith(HEADER) or len(data) < len(HEADER) + 2 + TRAILER:
            raise malformed("wrong header or file too short [KA-9]")
        trailer = len(data) - TRAILER
        self.data = data
        (self.offset_size, self.reference_size, self.number_of_objects, self.root,
         self.table) = struct.unpack(">6xBBQQQ", data[trailer:])
        if not (1 <= self.offset_size <= 8 and 1 <= self.reference_size <= 8):
            raise malformed("invalid size in the trailer [KA-10]")
        if self.number_of_objects > limits.objects:
            raise limit("objects [KA-32]")
        if self.root >= self.number_of_objects:
            raise malformed("invalid root or number of objects [KA-10]")
        if (self.table < len(HEADER)
                or self.table + self.number_of_objects * self.offset_size != trailer):
            raise malformed("invalid offset of the offset table [KA-10]")
        if (self.number_of_objects >= 1 << 8 * self.reference_size
                or self.table >= 1 << 8 * self.offset_size):
            raise malformed("a size in the trailer is too small [KA-10]")
        self.texts: dict[tuple[int, int, int], str | bytes] = {}
        self.payload_bytes = 0

    def unsigned(self, place: int, size: int) -> int:
        """Returns an integer that begins and ends within the objects."""
        return int.from_bytes(self.stored(place, size), "big")

    def stored(self, place: int, size: int) -> bytes:
        if place < len(HEADER) or place + size > self.table:
            raise malformed("object outside the object area [KA-11]")
        return self.data[place:place + size]

    def place_of(self, number: int) -> int:
        if number >= self.number_of_objects:
            raise malformed("reference to a missing object [KA-14]")
        entry = self.table + number * self.offset_size
        return int.from_bytes(self.data[entry:entry + self.offset_size], "big")

    def head(self, number: int) -> tuple[int, int, int]:
        """Returns the kind of an object (the upper half of its marker), the lower half or count, and
        the place of the bytes that follow."""
        place = self.place_of(number)
        first = self.unsigned(place, 1)
        kind, low = first >> 4, first & 15
        place += 1
        if kind not in (4, 5, 6, 10, 12, 13):
            return kind, low, place
        count = low
        if low == 15:
            size_marker = self.unsigned(place, 1)
            if size_marker >> 4 != 1 or size_marker & 15 > 3:
                raise malformed("invalid count [KA-12]")
            size = 1 << (size_marker & 15)
            count = self.unsigned(place + 1, size)
            place += 1 + size
        if place + count * self.size_of_one(kind) > self.table:
            raise malformed("object extends beyond the object area [KA-11]")
        return kind, count, place

    def size_of_one(self, kind: int) -> int:
        """Returns the number of bytes after the count for each unit that it counts."""
        return {4: 1, 5: 1, 6: 2, 13: 2 * self.reference_size}.get(kind, self.reference_size)

    def full(self, number: int) -> int:
        """Returns how often the stored payload of a text or data fills 64 bytes [KA-39]."""
        kind, count, _ = self.head(number)
        if kind in (4, 5):
            return count // 64
        return 2 * count // 64 if kind == 6 else 0

    def read(self, number: int) -> Any:
        """Returns a scalar, or a Container."""
        kind, low, place = self.head(number)
        match kind:
            case 0 if low in (0, 8, 9):
                return {0: None, 8: False, 9: True}[low]
            case 1 if low <= 4:
                return self.integer(place, 1 << low)
            case 2 if low == 2:
                return struct.unpack(">f", self.stored(place, 4))[0]
            case 2 if low == 3:
                return struct.unpack(">d", self.stored(place, 8))[0]
            case 3 if low == 3:
                return Date(struct.unpack(">d", self.stored(place, 8))[0])
            case 4 | 5 | 6:
                return self.text_or_data(kind, place, low)
            case 8:
                uid = self.unsigned(place, low + 1)
                if uid >= 1 << 32:
                    raise malformed("UID too large [KA-14]")
                return Uid(uid)
            case 10 | 12 | 13:
                return Container(kind, low, place)
        raise malformed("unknown marker [KA-12]")

    def integer(self, place: int, size: int) -> int:
        number = int.from_bytes(self.stored(place, size), "big", signed=size >= 8)
        if size == 16 and -(1 << 63) <= number < 0:
            return number + (1 << 64)
        return number

    def text_or_data(self, kind: int, place: int, count: int) -> str | bytes:
        """Returns text or data, read once however many objects and references lead to it."""
        size = 2 * count if kind == 6 else count
        if size < 64:
            return decoded(kind, self.stored(place, size))
        if (kind, place, size) not in self.texts:
            self.payload_bytes += size
            if self.payload_bytes > len(self.data):
                raise malformed("overlapping text or data [KA-17]")
            self.texts[kind, place, size] = decoded(kind, self.stored(place, size))
        return self.texts[kind, place, size]

    def part(self, container: Container, index: int) -> int:
        """Returns the number of the object that a container refers to at an index; the values of a
        dictionary follow its keys."""
        place = container.place + index * self.reference_size
        return self.unsigned(place, self.reference_size)


def decoded(kind: int, payload: bytes) -> str | bytes:
    """[KA-13]"""
    try:
        match kind:
            case 5:
                return payload.decode("ascii")
            case 6:
                return payload.decode("utf-16-be")
    except UnicodeDecodeError:
        raise malformed("invalid text [KA-13]") from None
    return payload


def decode(data: bytes, limits: Limits = STANDARD) -> Any:
    """Returns the value of a property list, with sets and dictionaries in the order of KA-8."""
    objects = Objects(data, limits)
    return ordered(Walk(objects, limits).value(objects.root, 1))


class Walk:
    """The walk from the root of a property list that is not an archive."""

    def __init__(self, objects: Objects, limits: Limits):
        self.objects = objects
        self.depth = limits.depth
        self.nodes = Nodes(limits.nodes)
        self.path: set[int] = set()

    def value(self, number: int, depth: int) -> Any:
        if depth > self.depth:
            raise limit("depth [KA-32]")
        self.nodes.count(1 + self.objects.full(number))
        found = self.objects.read(number)
        if not isinstance(found, Container):
            return found
        if number in self.path:
            raise malformed("container contains itself [KA-16]")
        self.path.add(number)
        if found.kind == 13:
            value = self.dictionary(found, depth + 1)
        else:
            parts = self.parts(found, 0, depth + 1)
            value = parts if found.kind == 10 else Set(parts)
        self.path.remove(number)
        return value

    def parts(self, container: Container, start: int, depth: int) -> list:
        self.nodes.expect(container.count)
        return [self.value(self.objects.part(container, start + index), depth)
                for index in range(container.count)]

    def dictionary(self, container: Container, depth: int) -> Dictionary:
        self.nodes.expect(2 * container.count)
        keys = self.parts(container, 0, depth)
        if not all(isinstance(key, str) for key in keys):
            raise malformed("key is not text [KA-15]")
        return Dictionary(list(zip(keys, self.parts(container, container.count, depth))))


def encode(value: Any, limits: Limits = STANDARD) -> bytes:
    """Returns the only encoding of a property list that is not an archive."""
    data = Writer(limits).write(ordered(value))
    decode(data, limits)  # [KA-32] the result must be readable
    return data


def ordered(value: Any) -> Any:
    """[KA-8] Puts sets in canonical order, and dictionaries in the order of their keys' UTF-8."""
    return keys_by_utf8(canonical(value)[0])


def keys_by_utf8(value: Any) -> Any:
    match value:
        case list():
            return [keys_by_utf8(part) for part in value]
        case Set():
            return Set([keys_by_utf8(part) for part in value.elements])
        case Dictionary():
            entries = sorted(value.entries, key=lambda entry: utf8(entry[0]))
            return Dictionary([(key, keys_by_utf8(part)) for key, part in entries])
    return value


class Writer:
    """Writes as in section 9.2, except for KA-8: sets and dictionaries keep their order."""

    def __init__(self, limits: Limits):
        self.limits = limits
        self.objects: list[tuple[bytes, list[int]]] = []
        self.scalars: dict[bytes, int] = {}

    def write(self, root: Any) -> bytes:
        self.add(root, 1)
        reference_size = fewest_bytes(len(self.objects))
        file = bytearray(HEADER)
        places = []
        for start, references in self.objects:
            places.append(len(file))
            file += start
            for reference in references:
                file += reference.to_bytes(reference_size, "big")
        table = len(file)
        offset_size = fewest_bytes(table)
        for place in places:
            file += place.to_bytes(offset_size, "big")
        file += struct.pack(">6xBBQQQ", offset_size, reference_size, len(places), 0, table)
        if len(file) > self.limits.bytes:
            raise limit("bytes [KA-32]")
        return bytes(file)

    def add(self, value: Any, depth: int) -> int:
        """[KA-5] [KA-6] Adds an object where the walk meets it, and returns its number."""
        if depth > self.limits.depth:
            raise limit("depth [KA-32]")
        if is_scalar(value):
            start = scalar_object(value)
            if start not in self.scalars:
                self.scalars[start] = self.place(start)
            return self.scalars[start]
        match value:
            case list():
                kind, count, parts = 0xA0, len(value), value
            case Set():
                kind, count, parts = 0xC0, len(value.elements), value.elements
            case Dictionary():
                kind, count = 0xD0, len(value.entries)
                parts = [key for key, _ in value.entries] + [part for _, part in value.entries]
            case _:
                raise malformed("value that property lists cannot hold")
        number = self.place(marker(kind, count))
        self.objects[number][1].extend(self.add(part, depth + 1) for part in parts)
        return number

    def place(self, start: bytes) -> int:
        if len(self.objects) >= self.limits.objects:
            raise limit("objects [KA-32]")
        self.objects.append((start, []))
        return len(self.objects) - 1
