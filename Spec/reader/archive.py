"""Keyed archives: keyed-archive.md sections 5, 6 and 9.3."""

from collections.abc import Iterator
from typing import Any

from failures import limit, malformed
from plist import Container, Objects, Writer
from values import (STANDARD, URL, UUID, Date, Dictionary, Field, Inline, Limits, Nodes, NoObject,
                    Object, Reference, References, Set, Uid, canonical, is_scalar, scalar_object)

VERSION = 100_000
ARCHIVER = "NSKeyedArchiver"
ARRAY, DICTIONARY = 10, 13  # kinds of Container

# The classes that have a row in section 6
ROWS = frozenset("""NSNull NSDate NSUUID NSURL NSArray NSMutableArray NSSet NSMutableSet
    NSDictionary NSMutableDictionary NSString NSMutableString NSData NSMutableData NSNumber
    NSAttributedString NSMutableAttributedString""".split())

Entries = list[tuple[str, int]]  # the names in a dictionary, and the object numbers of the values


def decode(data: bytes, limits: Limits = STANDARD, allowed: frozenset[str] = frozenset()) -> Any:
    """Returns the value of a single-value archive, with its collections in canonical order.

    `allowed` lists the classes that the caller accepts besides those with a row [KA-28].
    """
    return canonical(Archive(data, limits, allowed).root())[0]


class Archive:
    def __init__(self, data: bytes, limits: Limits, allowed: frozenset[str]):
        self.objects = Objects(data, limits)
        self.limits = limits
        self.allowed = allowed
        self.nodes = Nodes(limits.nodes)
        self.path: set[int] = set()
        self.classes: dict[int, tuple[str, tuple[str, ...], int]] = {}

        # [KA-25]
        root = self.container(self.objects.root, DICTIONARY, "root")
        parts = self.selected(root, "$version", "$archiver", "$top", "$objects")
        version = self.required(parts, "$version")
        if type(version) is not int or version != VERSION:
            raise malformed("invalid $version [KA-25]")
        if self.required(parts, "$archiver") != ARCHIVER:
            raise malformed("invalid $archiver [KA-25]")
        top = self.container(lookup(parts, "$top"), DICTIONARY, "$top")
        self.top = self.selected(top, "root")
        self.list = self.container(lookup(parts, "$objects"), ARRAY, "$objects")
        if self.list.count > limits.objects:
            raise limit("entries of $objects [KA-32]")
        if self.list.count == 0 or self.objects.read(self.objects.part(self.list, 0)) != "$null":
            raise malformed("$objects does not begin with $null [KA-25]")

    def root(self) -> Any:
        found = self.required(self.top, "root")
        if isinstance(found, Uid):
            return None if found.number == 0 else self.value(found.number, 1)  # [KA-23]
        if not is_inline(found):
            raise malformed("root has the wrong type [KA-25]")
        self.nodes.count(self.objects.full(lookup(self.top, "root")))
        return found

    # Parts of the property list

    def container(self, number: int | None, kind: int, where: str) -> Container:
        found = None if number is None else self.objects.read(number)
        if not isinstance(found, Container) or found.kind != kind:
            raise malformed(f"{where} has the wrong type [KA-25]")
        return found

    def entries(self, container: Container) -> Iterator[tuple[str, int]]:
        for index in range(container.count):
            key = self.objects.read(self.objects.part(container, index))
            if not isinstance(key, str):
                raise malformed("key is not text [KA-37]")
            yield key, self.objects.part(container, container.count + index)

    def selected(self, container: Container, *names: str) -> Entries:
        """Returns the entries with these names, in a dictionary that may have any number of
        others."""
        self.nodes.count(self.entry_nodes(container))
        return [(name, number) for name, number in self.entries(container) if name in names]

    def entry_nodes(self, container: Container) -> int:
        """[KA-40] Returns the nodes that a dictionary counts for its entries."""
        nodes = max(0, container.count - 4)
        self.nodes.expect(nodes)
        return nodes + self.full(container, container.count)

    def full(self, container: Container, count: int) -> int:
        return sum(self.objects.full(self.objects.part(container, index)) for index in range(count))

    def required(self, entries: Entries, name: str) -> Any:
        number = lookup(entries, name)
        if number is None:
            raise malformed(f"{name} is missing [KA-25] [KA-29]")
        return self.objects.read(number)

    # Values

    def element(self, uid: int, depth: int) -> Any:
        """[KA-23] Reads a UID in a collection or a list, where UID 0 is null."""
        if uid != 0:
            return self.value(uid, depth)
        self.enter(depth)
        self.nodes.count(1)
        return None

    def enter(self, depth: int) -> None:
        if depth > self.limits.depth:
            raise limit("depth [KA-32]")

    def value(self, uid: int, depth: int) -> Any:
        self.enter(depth)
        number = self.object_of(uid)
        self.nodes.count(1 + self.objects.full(number))
        found = self.objects.read(number)
        if isinstance(found, (bool, int, float, str, bytes)):
            return found
        if not isinstance(found, Container) or found.kind != DICTIONARY:
            raise malformed("object is none of the three kinds [KA-26]")
        if uid in self.path:
            raise malformed("instance contains itself [KA-31]")
        self.path.add(uid)
        value = self.instance(found, depth)
        self.path.remove(uid)
        return value

    def object_of(self, uid: int) -> int:
        if uid >= self.list.count:
            raise malformed("UID without an object [KA-26]")
        return self.objects.part(self.list, uid)

    def instance(self, container: Container, depth: int) -> Any:
        self.nodes.count(self.entry_nodes(container))
        entries = list(self.entries(container))
        name, superclasses = self.class_of(entries)
        match name:
            case "NSNull":
                return None
            case "NSDate":
                seconds = self.required(entries, "NS.time")
                if not isinstance(seconds, float):
                    raise malformed("NS.time [KA-29]")
                return Date(seconds)
            case "NSUUID":
                identifier = self.field_of(bytes, entries, "NS.uuidbytes", depth)
                if len(identifier) != 16:
                    raise malformed("NS.uuidbytes [KA-29]")
                return UUID(identifier)
            case "NSURL":
                base = self.base(entries, depth)
                return URL(self.field_of(str, entries, "NS.relative", depth), base)
            case "NSArray" | "NSMutableArray":
                return self.elements(entries, "NS.objects", depth)
            case "NSSet" | "NSMutableSet":
                return Set(self.elements(entries, "NS.objects", depth))
            case "NSDictionary" | "NSMutableDictionary":
                keys = self.elements(entries, "NS.keys", depth)
                parts = self.elements(entries, "NS.objects", depth)
                if len(keys) != len(parts):
                    raise malformed("number of keys and values [KA-29]")
                return Dictionary(list(zip(keys, parts)))
            case "NSString" | "NSMutableString":
                return self.string(entries, depth)
            case "NSData" | "NSMutableData":
                return self.field_of(bytes, entries, "NS.data", depth)
            case "NSNumber":
                return self.number(entries)
            case "NSAttributedString" | "NSMutableAttributedString":
                return self.field_of(str, entries, "NSString", depth)
        return self.object(name, superclasses, entries, depth)

    # Classes

    def class_of(self, entries: Entries) -> tuple[str, tuple[str, ...]]:
        """Returns the name and superclasses of an instance."""
        uid = self.required(entries, "$class")
        if not isinstance(uid, Uid):
            raise malformed("$class [KA-29]")
        if uid.number not in self.classes:
            self.classes[uid.number] = self.described(self.object_of(uid.number))
        name, superclasses, nodes = self.classes[uid.number]
        self.nodes.count(nodes)
        return name, superclasses

    def described(self, number: int) -> tuple[str, tuple[str, ...], int]:
        """[KA-27] Returns the names in a class description, and the nodes that it counts for each
        instance [KA-40]."""
        found = self.objects.read(number)
        if not isinstance(found, Container) or found.kind != DICTIONARY:
            raise malformed("not a class description [KA-27]")
        nodes = self.entry_nodes(found)
        entries = list(self.entries(found))
        name, classes = self.required(entries, "$classname"), self.required(entries, "$classes")
        if not isinstance(name, str):
            raise malformed("$classname [KA-27]")
        if not isinstance(classes, Container) or classes.kind != ARRAY or classes.count == 0:
            raise malformed("$classes [KA-27]")
        if self.objects.read(self.objects.part(classes, 0)) != name:
            raise malformed("names of a class differ [KA-27]")
        if name not in ROWS | self.allowed:
            raise malformed("class is not allowed [KA-28]")
        nodes += max(0, classes.count - 4)
        self.nodes.expect(nodes)
        names = [self.class_name(classes, index) for index in range(classes.count)]
        return name, tuple(names[1:]), nodes + self.full(classes, classes.count)

    def class_name(self, classes: Container, index: int) -> str:
        name = self.objects.read(self.objects.part(classes, index))
        if not isinstance(name, str):
            raise malformed("class name is not text [KA-27]")
        return name

    # Fields

    def field_of(self, kind: type, entries: Entries, name: str, depth: int) -> Any:
        """[KA-22] Reads a string or data that is in a field, or that its UID refers to."""
        found = self.required(entries, name)
        if isinstance(found, Uid) and found.number != 0:
            found = self.value(found.number, depth + 1)
        else:
            self.nodes.count(self.objects.full(lookup(entries, name)))
        if not isinstance(found, kind):
            raise malformed(f"{name} [KA-29]")
        return found

    def string(self, entries: Entries, depth: int) -> str:
        if lookup(entries, "NS.string") is not None:
            return self.field_of(str, entries, "NS.string", depth)
        try:
            return self.field_of(bytes, entries, "NS.bytes", depth).decode("utf-8")
        except UnicodeDecodeError:
            raise malformed("NS.bytes [KA-29]") from None

    def number(self, entries: Entries) -> bool | int | float:
        for name, kind in ("NS.boolval", bool), ("NS.intval", int), ("NS.dblval", float):
            if lookup(entries, name) is not None:
                found = self.required(entries, name)
                if type(found) is not kind:
                    raise malformed(f"{name} [KA-29]")
                return found
        raise malformed("NSNumber without a number [KA-29]")

    def base(self, entries: Entries, depth: int) -> URL | None:
        if lookup(entries, "NS.base") is None:
            return None
        uid = self.required(entries, "NS.base")
        if not isinstance(uid, Uid):
            raise malformed("NS.base [KA-29]")
        if uid.number == 0:
            return None
        base = self.value(uid.number, depth + 1)
        if base is not None and not isinstance(base, URL):
            raise malformed("NS.base [KA-29]")
        return base

    def elements(self, entries: Entries, name: str, depth: int) -> list:
        found = self.required(entries, name)
        if not isinstance(found, Container) or found.kind != ARRAY:
            raise malformed(f"{name} [KA-29]")
        return self.referred(found, depth)

    def referred(self, array: Container, depth: int) -> list:
        """Returns the values that the UIDs in an array of the property list refer to."""
        self.nodes.expect(array.count)
        uids = [self.objects.read(self.objects.part(array, index)) for index in range(array.count)]
        if not all(isinstance(uid, Uid) for uid in uids):
            raise malformed("element is not a UID [KA-29]")
        return [self.element(uid.number, depth + 1) for uid in uids]

    def object(self, name: str, superclasses: tuple[str, ...], entries: Entries,
               depth: int) -> Object:
        if len({field for field, _ in entries}) != len(entries):
            raise malformed("two fields with the same name [KA-30]")
        fields = [(field, self.field(number, depth))
                  for field, number in entries if field != "$class"]
        return Object(name, superclasses, fields)

    def field(self, number: int, depth: int) -> Field:
        found = self.objects.read(number)
        if isinstance(found, Uid):
            if found.number == 0:
                return NoObject()
            return Reference(self.value(found.number, depth + 1))
        if isinstance(found, Container) and found.kind == ARRAY:
            return References(self.referred(found, depth))
        if not is_inline(found):
            raise malformed("field has the wrong type [KA-29]")
        self.nodes.count(self.objects.full(number))
        return Inline(found)


def is_inline(found: Any) -> bool:
    return isinstance(found, (bool, int, float, str, bytes, Date))


def lookup(entries: Entries, name: str) -> int | None:
    numbers = [number for key, number in entries if key == name]
    if len(numbers) > 1:
        raise malformed(f"two entries for {name} [KA-30]")
    return numbers[0] if numbers else None


def encode(value: Any, limits: Limits = STANDARD) -> bytes:
    """Returns the only encoding of a single-value archive."""
    writer = ArchiveWriter(limits)
    root = writer.uid(canonical(value)[0], 1)
    data = Writer(limits).write(Dictionary([
        ("$version", VERSION),
        ("$archiver", ARCHIVER),
        ("$top", Dictionary([("root", root)])),
        ("$objects", writer.objects),
    ]))
    decode(data, limits, frozenset(name for name, *_ in writer.classes))  # [KA-32]
    return data


class ArchiveWriter:
    """[KA-18] Numbers objects in the order of a walk from `$top`."""

    def __init__(self, limits: Limits):
        self.limits = limits
        self.objects: list[Any] = ["$null"]
        self.scalars: dict[bytes, Uid] = {}
        self.classes: dict[tuple[str, ...], Uid] = {}

    def add(self, entry: Any) -> Uid:
        if len(self.objects) >= self.limits.objects:
            raise limit("entries of $objects [KA-32]")
        self.objects.append(entry)
        return Uid(len(self.objects) - 1)

    def uid(self, value: Any, depth: int) -> Uid:
        if depth > self.limits.depth:
            raise limit("depth [KA-32]")
        if is_scalar(value) and value is not None and not isinstance(value, Date):
            key = scalar_object(value)  # [KA-19]
            if key not in self.scalars:
                self.scalars[key] = self.add(value)
            return self.scalars[key]
        uid = self.add(None)
        fields, names = self.instance(value, depth + 1)
        if names not in self.classes:
            self.classes[names] = self.add(
                Dictionary([("$classname", names[0]), ("$classes", list(names))]))
        self.objects[uid.number] = Dictionary([*fields, ("$class", self.classes[names])])
        return uid

    def instance(self, value: Any, depth: int) -> tuple[list[tuple[str, Any]], tuple[str, ...]]:
        """Returns the fields of an instance, and the names of its class."""
        match value:
            case None:
                return [], ("NSNull", "NSObject")
            case Date():
                return [("NS.time", value.seconds)], ("NSDate", "NSObject")
            case UUID():
                return [("NS.uuidbytes", value.bytes)], ("NSUUID", "NSObject")
            case URL():
                base = Uid(0) if value.base is None else self.uid(value.base, depth)
                return ([("NS.base", base), ("NS.relative", self.uid(value.text, depth))],
                        ("NSURL", "NSObject"))
            case list():
                return [("NS.objects", self.uids(value, depth))], ("NSArray", "NSObject")
            case Set():
                return [("NS.objects", self.uids(value.elements, depth))], ("NSSet", "NSObject")
            case Dictionary():
                keys = self.uids([key for key, _ in value.entries], depth)
                parts = self.uids([part for _, part in value.entries], depth)
                return ([("NS.keys", keys), ("NS.objects", parts)], ("NSDictionary", "NSObject"))
            case Object():
                if value.class_name in ROWS or any(name == "$class" for name, _ in value.fields):
                    raise malformed("object must not be written [KA-20]")
                fields = [(name, self.field(field, depth)) for name, field in value.fields]
                return fields, (value.class_name, *value.superclasses)
        raise malformed("value that archives cannot hold")

    def uids(self, values: list, depth: int) -> list[Uid]:
        return [self.uid(value, depth) for value in values]

    def field(self, field: Field, depth: int) -> Any:
        match field:
            case Inline():
                return field.value
            case Reference():
                return self.uid(field.value, depth)
            case NoObject():
                return Uid(0)
            case References():
                return self.uids(field.values, depth)
