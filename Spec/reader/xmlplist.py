"""XML property lists: keyed-archive.md section 10."""

import base64
import binascii
import math
import re
from datetime import datetime, timedelta
from typing import Any
from xml.parsers import expat

from failures import limit, malformed
from plist import ordered
from values import STANDARD, Date, Dictionary, Limits, Nodes, Uid, utf8

EPOCH = datetime(2001, 1, 1)
CONTAINERS = {"plist", "array", "dict"}
SCALARS = {"true", "false", "integer", "real", "string", "data", "date", "key"}
SPACE = " \t\r\n"
INTEGER = re.compile(r"([+-]?)(?:0x([0-9a-f]+)|([0-9]+))", re.I)
LONGEST_INTEGER = 39  # digits of 2^127
MOST_ATTRIBUTES = 16
OTHER_ENTITY = re.compile(rb"&(?!(?:amp|lt|gt|quot|apos|#[0-9]+|#x[0-9A-Fa-f]+);)")
REAL = re.compile(r"[+-]?(([0-9]+(\.[0-9]*)?|\.[0-9]+)(e[+-]?[0-9]+)?|inf|infinity)|nan", re.I)
DATE = re.compile(r"([0-9]{4})-([0-9]{2})-([0-9]{2})T([0-9]{2}):([0-9]{2}):([0-9]{2})Z")


def decode(data: bytes, limits: Limits = STANDARD) -> Any:
    if len(data) > limits.bytes:
        raise limit("bytes [KA-32]")
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        raise malformed("not UTF-8") from None
    if "\0" in text:  # otherwise expat might take the bytes for UTF-16
        raise malformed("NUL in XML")
    parser = expat.ParserCreate()
    reader = Reader(limits, data, parser)
    parser.XmlDeclHandler = reader.declaration
    parser.StartDoctypeDeclHandler = reader.document_type
    parser.SkippedEntityHandler = reader.skipped_entity
    parser.StartElementHandler = reader.start
    parser.EndElementHandler = reader.end
    parser.CharacterDataHandler = reader.text
    parser.StartCdataSectionHandler = reader.cdata
    parser.ProcessingInstructionHandler = reader.instruction
    try:
        parser.Parse(text, True)
    except expat.ExpatError as error:
        raise malformed(f"XML: {expat.errors.messages[error.code]}") from None
    return ordered(reader.value)


class Reader:
    """Reads the elements of a property list, one after another."""

    def __init__(self, limits: Limits, data: bytes, parser: expat.XMLParserType):
        self.data = data
        self.parser = parser
        self.depth = limits.depth
        self.nodes = Nodes(limits.nodes)
        self.open: list[tuple[str, list]] = []  # containers, and the (element, value) in them
        self.scalar: str | None = None
        self.texts: list[str] = []
        self.value: Any = None

    def declaration(self, version: str, encoding: str | None, standalone: int) -> None:
        is_ascii = encoding is not None and encoding.upper() == "US-ASCII" and self.data.isascii()
        if version != "1.0" or not (encoding is None or encoding.upper() == "UTF-8" or is_ascii):
            raise malformed("version is not 1.0, or encoding is not UTF-8")

    def document_type(self, name: str, system: str, public: str, has_subset: bool) -> None:
        if has_subset or name != "plist":
            raise malformed("document type is not plist, or has an internal subset")

    def skipped_entity(self, name: str, is_parameter: bool) -> None:
        raise malformed("entity is not predefined")

    def text(self, text: str) -> None:
        if self.scalar is not None:
            self.texts.append(text)
        elif text.strip(SPACE) or self.data[self.parser.CurrentByteIndex] == ord("&"):
            raise malformed("text between elements")

    def cdata(self) -> None:
        if self.scalar is None:
            raise malformed("CDATA between elements")

    def instruction(self, target: str, _: str) -> None:
        if not target.isascii():
            raise malformed("name that is not ASCII")

    def start(self, element: str, attributes: dict) -> None:
        """The element `plist` around the value is optional."""
        if self.scalar is not None or self.open and element == "plist":
            raise malformed("misplaced element")
        if element not in CONTAINERS | SCALARS or attributes and element != "plist":
            raise malformed("unknown element or attribute")
        if attributes:
            tag = self.data[self.parser.CurrentByteIndex:].split(b"<", 2)[1]
            if (len(attributes) > MOST_ATTRIBUTES or OTHER_ENTITY.search(tag)
                    or not all(name.isascii() for name in attributes)):
                raise malformed("invalid attribute")
        if element not in ("plist", "key"):
            self.nodes.count(1)
            is_in_plist = bool(self.open) and self.open[0][0] == "plist"
            if len(self.open) + (0 if is_in_plist else 1) > self.depth:
                raise limit("depth [KA-32]")
        if element in CONTAINERS:
            self.open.append((element, []))
        else:
            self.scalar, self.texts = element, []

    def end(self, element: str) -> None:
        if self.scalar is not None:
            self.scalar = None
            value = scalar(element, "".join(self.texts))
        else:
            value = container(*self.open.pop())
        if self.open:
            self.open[-1][1].append((element, value))
        elif element == "key":
            raise malformed("key outside a dictionary")
        else:
            self.value = value


def container(element: str, parts: list[tuple[str, Any]]) -> Any:
    if element == "dict":
        return dictionary(parts)
    values = [value for part, value in parts if part != "key"]
    if len(values) != len(parts) or element == "plist" and len(values) != 1:
        raise malformed("key outside a dictionary, or not exactly one value at the root")
    return values if element == "array" else values[0]


def dictionary(parts: list[tuple[str, Any]]) -> Dictionary | Uid:
    keys, values = parts[::2], parts[1::2]
    if (len(keys) != len(values) or any(element != "key" for element, _ in keys)
            or any(element == "key" for element, _ in values)):
        raise malformed("keys and values do not alternate")
    entries = [(key, value) for (_, key), (_, value) in zip(keys, values)]
    match entries:
        case [("CF$UID", int() as number)] if type(number) is int and 0 <= number < 1 << 32:
            return Uid(number)
    return Dictionary(entries)


def scalar(element: str, text: str) -> Any:
    match element:
        case "key" | "string":
            return text
        case "true" | "false":
            if text.strip(SPACE):
                raise malformed("text in true or false")
            return element == "true"
        case "integer" if found := INTEGER.fullmatch(text.strip(SPACE)):
            sign, hexadecimal, decimal = found.groups()
            digits = (hexadecimal or decimal).lstrip("0") or "0"
            if len(digits) <= LONGEST_INTEGER:
                number = int(sign + digits, 16 if hexadecimal else 10)
                if -(1 << 127) <= number < 1 << 127:
                    return number
        case "real" if REAL.fullmatch(text.strip(SPACE)):
            return float(text)
        case "date" if found := DATE.fullmatch(text):
            try:
                return Date((datetime(*map(int, found.groups())) - EPOCH).total_seconds())
            except ValueError:
                pass
        case "data":
            return base64_data(text)
    raise malformed(f"invalid content of {element}")


def base64_data(text: str) -> bytes:
    code = text.translate(str.maketrans("", "", SPACE))
    try:
        data = base64.b64decode(code, validate=True)
    except (binascii.Error, ValueError):
        raise malformed("invalid base64") from None
    if base64.b64encode(data).decode("ascii") != code:
        raise malformed("base64 with stray bits")
    return data


START = """\
<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" \
"http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0">
"""


def encode(value: Any, limits: Limits = STANDARD) -> bytes:
    """Returns the text of section 10.2."""
    lines: list[str] = []
    write(ordered(value), 0, lines, limits)
    data = utf8(START + "".join(lines) + "</plist>\n")
    decode(data, limits)  # [KA-32] the result must be readable
    return data


def write(value: Any, level: int, lines: list[str], limits: Limits) -> None:
    if level >= limits.depth:
        raise limit("depth [KA-32]")
    match value:
        case bool():
            line(lines, level, "<true/>" if value else "<false/>")
        case int():
            line(lines, level, f"<integer>{value}</integer>")
        case float():
            line(lines, level, f"<real>{value!r}</real>")
        case str():
            line(lines, level, f"<string>{escaped(value)}</string>")
        case Date():
            line(lines, level, f"<date>{date_text(value)}</date>")
        case bytes():
            line(lines, level, "<data>")
            bytes_in_line = max(16, 76 - 8 * level) // 4 * 3
            for start in range(0, len(value), bytes_in_line):
                code = base64.b64encode(value[start:start + bytes_in_line]).decode("ascii")
                line(lines, level, code)
            line(lines, level, "</data>")
        case Uid():
            write(Dictionary([("CF$UID", value.number)]), level, lines, limits)
        case list() if not value:
            line(lines, level, "<array/>")
        case list():
            line(lines, level, "<array>")
            for element in value:
                write(element, level + 1, lines, limits)
            line(lines, level, "</array>")
        case Dictionary(entries=[]):
            line(lines, level, "<dict/>")
        case Dictionary():
            line(lines, level, "<dict>")
            for key, part in value.entries:
                line(lines, level + 1, f"<key>{escaped(key)}</key>")
                write(part, level + 1, lines, limits)
            line(lines, level, "</dict>")
        case _:
            raise malformed("value that XML cannot represent")


def line(lines: list[str], level: int, text: str) -> None:
    lines.append("\t" * level + text + "\n")


def escaped(text: str) -> str:
    if re.search(r"[\x00-\x08\x0b\x0c\x0e-\x1f]", text):
        raise malformed("control character that XML cannot represent")
    text = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return text.replace("\r", "&#13;")


def date_text(date: Date) -> str:
    try:
        moment = EPOCH + timedelta(seconds=math.floor(date.seconds))
    except (OverflowError, ValueError):
        raise malformed("date that XML cannot represent") from None
    return moment.isoformat() + "Z"
