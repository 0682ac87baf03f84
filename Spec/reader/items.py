"""Revisions of items, their metadata and secrets: vault-format.md sections 1.3, 8 and 9."""

import re
import struct
import zlib
from dataclasses import dataclass
from typing import Any

import archive
from failures import Failure
from layout import U32, U64, Fields, label
from log import RECORD_FAILURE
from sodium import H, aead_open, argon2id, equal, is_within_limits, siphash
from values import RECORD, Date, Dictionary, Limits

CLASSES = {1: "genp", 2: "inet", 3: "cert", 4: "keys"}

LARGEST_METADATA = 65_536
LARGEST_DATA = 1_048_576
LARGEST_SECRET = 1_052_673

# Flags of an access control (section 9.4)
ENROLLED_BIOMETRY, APPLICATION_PASSWORD = 1 << 3, 1 << 31

# Flags of section 8.2
SYNC, VIEW_OR_TOKEN, TOMB, ACCESS_CONTROL = 1, 2, 4, 8
ALL_FLAGS = SYNC | VIEW_OR_TOKEN | TOMB | ACCESS_CONTROL
CONTESTED, CHANGED = 16, 32  # only in a section (section 5.3)

NO_WRITER = NO_SALT = bytes(8)
END = 1 << 63  # of revisions and places
MOST_FLOOR = 1 << 62
MOST_WRITERS = 8_192

# Parts of a revision, and of what their boxes are multiples (section 8.1)
MATCH, METADATA, SECRET, DEFLATED = 1, 2, 3, 4
STEPS = {MATCH: 16, METADATA: 16, SECRET: 32, DEFLATED: 16}
SMALLEST_ITEM_BOX = 32
LARGEST_METADATA_BOX = 65_568
LARGEST_SECRET_BOX = 1_052_704
SALT = 8  # at the start of an item box


def kinds_of(text: str) -> dict[str, str]:
    """Parses attribute kinds by name: `b acct svce` means two attributes of kind blob."""
    kinds = {}
    for part in text.split(";"):
        kind, *names = part.split()
        kinds.update({name: kind for name in names})
    return kinds


# Section 9.1
COMMON = kinds_of("t cdat mdat; b labl pcsk pcsi alis; n sync tomb sysb pcss; s vwht tkid ggrp;"
                  "d musr; a accc")
GENP_AND_INET = kinds_of("b desc icmt prot; n crtr type scrp invi nega cusi")
ATTRIBUTES = {
    1: COMMON | GENP_AND_INET | kinds_of("b acct svce gena"),
    2: COMMON | GENP_AND_INET | kinds_of("b acct sdmn srvr atyp path; n ptcl port"),
    3: COMMON | kinds_of("n ctyp cenc; d subj issr slnr skid pkhh"),
    4: COMMON | kinds_of("n kcls crtr type bsiz esiz perm priv modi sens asen extr next encr decr"
                         "  drve sign vrfy snrc vyrc wrap unwp; d klbl; b atag; t sdat edat"),
}
# Section 9.3: the first part of each list
MATCHED = {1: "acct svce", 2: "acct sdmn srvr ptcl atyp port path", 3: "ctyp issr slnr",
           4: "kcls klbl atag crtr type bsiz esiz sdat edat"}
ALSO_IN_PRIMARY_KEY = ["sync", "vwht", "tkid", "musr", "ggrp"]
LEADING = {1: "svce", 2: "srvr", 3: "issr", 4: "klbl"}


def matched_attributes(item_class: int) -> list[str]:
    return MATCHED[item_class].split()


@dataclass
class Revision:
    """What names a revision of an item (section 8.1)."""
    item_id: bytes
    revision: int
    salt: bytes

    def associated(self, vault_id: bytes, part: int) -> bytes:
        return (label("coffer1.item") + vault_id + self.item_id + U64(self.revision) + self.salt
                + U32(part))

    def open_box(self, key: bytes, vault_id: bytes, part: int, box: bytes, where: str,
                 dictionary: bytes = b"") -> bytes:
        """[VF-131] Returns the content of an item box (section 1.3). `dictionary` is an id."""
        step = STEPS[part]
        if len(box) < SMALLEST_ITEM_BOX or len(box) % step:
            raise refused(f"{where}: invalid box size [VF-131]")
        plaintext = aead_open(key, box[:SALT] + self.salt + U64(self.revision),
                              self.associated(vault_id, part) + dictionary, box[SALT:])
        if plaintext is None:
            raise refused(f"{where}: the box does not open [VF-131]")
        content = plaintext.rstrip(b"\0")
        if content[-1:] != b"\x80" or len(plaintext) - len(content) >= step:
            raise refused(f"{where}: invalid end of the box [VF-131]")
        return content[:-1]


@dataclass
class Entry(Revision):
    """What a match box or an entry of a leaf says about a revision without its metadata."""
    handle: bytes
    item_class: int
    flags: int
    order: int
    written: int
    digest: bytes
    attribute_digests: bytes


@dataclass
class Preset:
    """A dictionary (section 5.5)."""
    id: bytes
    content: bytes


@dataclass
class Boxes:
    """The boxes of a revision that a data key opens."""
    metadata: bytes
    secret: bytes  # empty without data
    dictionary: Preset | None = None  # with which the metadata are deflated


def read_writers(fields: Fields, number: int) -> dict[bytes, int]:
    """[VF-43] [VF-98] Reads a table of what was seen: the floor as that of no writer, and
    writers, each with its place."""
    writers = [(fields.take(8), fields.u64()) for _ in range(number)]
    if any(one >= other for (one, _), (other, _) in zip(writers, writers[1:])):
        raise fields.failure("writers do not ascend")
    if any(not 1 <= place < END for _, place in writers):
        raise fields.failure("place")
    seen = dict(writers)
    floor = seen.get(NO_WRITER, 0)
    if floor > MOST_FLOOR or any(place <= floor for writer, place in writers
                                 if writer != NO_WRITER):
        raise fields.failure("floor")
    return seen


class MatchKeys:
    """The keys derived from the match key of a group (section 3.4)."""

    def __init__(self, match_key: bytes):
        self.match = H(32, match_key, "coffer1.match", b"")
        self.digest = H(32, match_key, "coffer1.digest", b"")
        self.page = H(32, match_key, "coffer1.page", b"")
        self.delete = H(32, match_key, "coffer1.delete", b"")


class DataKeys:
    """The keys derived from a data key."""

    def __init__(self, data_key: bytes):
        self.meta = H(32, data_key, "coffer1.meta", b"")
        self.secret = H(32, data_key, "coffer1.secret", b"")


def refused(where: str) -> Failure:
    return Failure(RECORD_FAILURE, where)


# Metadata

def open_metadata(entry: Entry, boxes: Boxes, key: bytes, vault_id: bytes, where: str) -> bytes:
    """Returns the archive in a metadata box."""
    if boxes.dictionary is None:
        return entry.open_box(key, vault_id, METADATA, boxes.metadata, where)
    deflated = entry.open_box(key, vault_id, DEFLATED, boxes.metadata, where, boxes.dictionary.id)
    return inflate(deflated, boxes.dictionary.content, 16 * len(boxes.metadata), where)


def inflate(deflated: bytes, dictionary: bytes, most: int, where: str) -> bytes:
    """[VF-94] [VF-64]"""
    stream = zlib.decompressobj(-zlib.MAX_WBITS, dictionary)
    try:
        inflated = stream.decompress(deflated, min(most, LARGEST_METADATA) + 1)
    except zlib.error:
        raise refused(f"{where}: invalid stream [VF-94]") from None
    if not stream.eof or stream.unused_data or len(inflated) > most:
        raise refused(f"{where}: the stream is too long, or does not end with its box [VF-94]")
    return inflated


def check_metadata(metadata: bytes, entry: Entry, digest_key: bytes, where: str) -> Dictionary:
    """Returns the attributes of an item if they agree with everything else (section 8.3)."""
    item_class = entry.item_class
    if len(metadata) > LARGEST_METADATA:
        raise refused(f"{where}: size of the archive [VF-64]")
    attributes = canonical_dictionary(metadata, RECORD, f"{where}: archive [VF-65]")
    for name, value in attributes.entries:
        if not is_allowed(ATTRIBUTES[item_class].get(name), value):
            raise refused(f"{where}: attribute [VF-71]")
    values = CanonicalValues(item_class, attributes)
    if values.flags() != entry.flags:
        raise refused(f"{where}: flags [VF-65]")
    if values.primary_key_digest(digest_key) != entry.digest:
        raise refused(f"{where}: digest of the primary key [VF-65]")
    if values.attribute_digests(digest_key) != entry.attribute_digests:
        raise refused(f"{where}: attribute digests [VF-65]")
    return attributes


def canonical_dictionary(data: bytes, limits: Limits, where: str) -> Dictionary:
    """Returns the dictionary with string keys whose only archive is `data`."""
    try:
        value = archive.decode(data, limits)
        is_canonical = archive.encode(value, limits) == data
    except Failure:
        raise refused(where) from None
    if not is_canonical or not isinstance(value, Dictionary):
        raise refused(where)
    if not all(isinstance(name, str) for name, _ in value.entries):
        raise refused(where)
    return value


def is_integer(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def fits_i64(number: int) -> bool:
    return -(1 << 63) <= number < 1 << 63


def is_allowed(kind: str | None, value: Any) -> bool:
    """[VF-71] Whether an attribute of this kind may have this value."""
    match kind:
        case "b":
            return isinstance(value, (str, bytes)) or is_integer(value)
        case "d":
            return isinstance(value, bytes)
        case "n":
            return isinstance(value, (float, str)) or is_integer(value) and fits_i64(value)
        case "s":
            return isinstance(value, str)
        case "t":
            return isinstance(value, Date)
        case "a":  # section 9.4
            return isinstance(value, Dictionary) and is_access_control(value)
    return False


def is_access_control(value: Dictionary) -> bool:
    flags = value.get("flags")
    if not is_integer(flags) or not 0 <= flags < 1 << 32:
        return False
    if not flags & ENROLLED_BIOMETRY:
        return len(value.entries) == 1
    enrolled = value.get("enrolled")
    return len(value.entries) == 2 and isinstance(enrolled, bytes) and len(enrolled) == 32


class CanonicalValues:
    """The canonical values and digests of sections 9.2 and 9.3."""

    def __init__(self, item_class: int, attributes: Dictionary):
        self.item_class = item_class
        self.attributes = dict(attributes.entries)

    def of(self, name: str) -> bytes:
        value = self.attributes.get(name)
        match ATTRIBUTES[self.item_class][name]:
            case "n":
                return canonical_number(0 if value is None else value)
            case "t":
                seconds = 0.0 if value is None else value.seconds
                return struct.pack("<d", 0.0 if seconds == 0 else seconds)
        if isinstance(value, str):
            return value.encode("utf-8")
        if isinstance(value, int):
            return U32(value & 0xFFFFFFFF)
        return value or b""

    def flags(self) -> int:
        flags = 0
        if self.of("sync") != canonical_number(0):
            flags |= SYNC
        if any(self.of(name) for name in ("vwht", "tkid", "musr", "ggrp")):
            flags |= VIEW_OR_TOKEN
        if self.of("tomb") != canonical_number(0):
            flags |= TOMB
        if "accc" in self.attributes and self.attributes["accc"].get("flags") != 0:
            flags |= ACCESS_CONTROL
        return flags

    def primary_key_digest(self, digest_key: bytes) -> bytes:
        values = [self.of(name)
                  for name in matched_attributes(self.item_class) + ALSO_IN_PRIMARY_KEY]
        whole = siphash(digest_key[:16], bytes([self.item_class])
                        + b"".join(U32(len(value)) + value for value in values))
        return self.attribute_digest(digest_key, LEADING[self.item_class]) + whole[:8]

    def attribute_digests(self, digest_key: bytes) -> bytes:
        return b"".join(self.attribute_digest(digest_key, name)
                        for name in matched_attributes(self.item_class)
                        if name != LEADING[self.item_class])

    def attribute_digest(self, digest_key: bytes, name: str) -> bytes:
        return siphash(digest_key[16:], name.encode("ascii") + self.of(name))[:8]


def canonical_number(value: int | float | str) -> bytes:
    if isinstance(value, str):
        number = integer_in_text(value)
        if number is None:
            return b"\x03" + value.encode("utf-8")
        value = number
    if isinstance(value, float):
        if not (abs(value) <= 1 << 53 and value.is_integer()):
            return b"\x02" + struct.pack("<d", value)
        value = int(value)
    return b"\x01" + value.to_bytes(8, "little", signed=True)


def integer_in_text(text: str) -> int | None:
    """Returns the I64 that a string of kind number represents, or None."""
    found = re.fullmatch("([+-]?)0*([0-9]{1,19})", text)
    if found is None:
        return None
    number = int(found[1] + found[2])
    return number if fits_i64(number) else None


# Secrets

SEVERAL = {"v_Data", "binn", "bini", "bin0", "bin1", "bin2", "bin3"}
SEVERAL_LIMITS = Limits(bytes=LARGEST_SECRET - 1, depth=RECORD.depth, objects=RECORD.objects,
                        nodes=32_768)
PASSWORD_HEAD = 4 + 4 + 16 + 32 + 24 + 16  # ops, mem, salt, commitment, nonce, tag


@dataclass
class Password:
    """An application password, and the least mem that the reader accepts."""
    text: bytes
    least_mem: int


def check_form(content: bytes, attributes: Dictionary, where: str) -> None:
    """[VF-122] Data has an application password if, and only if, the access control says so."""
    access_control = attributes.get("accc")
    flags = 0 if access_control is None else access_control.get("flags")
    if (content[:1] == b"\x02") != bool(flags & APPLICATION_PASSWORD):
        raise refused(f"{where}: form of the secret and access control differ [VF-122]")


def open_with_password(rest: bytes, password: Password, bound: bytes, where: str) -> bytes | None:
    """[VF-66] Returns the form and the data within form 2; None if the password is wrong, or would
    take more work than the limits allow."""
    fields = Fields(rest, RECORD_FAILURE, where)
    ops, mem, salt = fields.u32(), fields.u32(), fields.take(16)
    if not is_within_limits(ops, mem, password.least_mem):
        return None
    seed = argon2id(password.text, salt, ops, mem)
    data = bound + U32(ops) + U32(mem) + salt
    halves = H(64, seed, "coffer1.apppass", data)
    if not equal(halves[32:], fields.take(32)):
        return None
    inner = aead_open(halves[:32], fields.take(24), data, fields.rest())
    if inner is None or inner[:1] == b"\x02":
        raise refused(f"{where}: data behind a password [VF-66]")
    return inner


def read_secret(content: bytes, where: str, password: Password | None = None,
                bound: bytes = b"") -> bytes | None:
    """[VF-66] Returns the data in a secret box; None without `v_Data`, or behind a password that
    the reader does not have. `bound` is the associated data of the box."""
    if not content or len(content) > LARGEST_SECRET:
        raise refused(f"{where}: size of the secret [VF-66]")
    form, rest = content[0], content[1:]
    match form:
        case 0 if len(rest) <= LARGEST_DATA:
            return rest
        case 1:
            several = canonical_dictionary(rest, SEVERAL_LIMITS, f"{where}: secret [VF-66]")
            if all(name in SEVERAL and isinstance(value, bytes)
                   for name, value in several.entries):
                return several.get("v_Data")
        case 2 if len(rest) > PASSWORD_HEAD:
            if password is None:
                return None
            inner = open_with_password(rest, password, bound, where)
            return None if inner is None else read_secret(inner, where)
    raise refused(f"{where}: form of the secret [VF-66]")
