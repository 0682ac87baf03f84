"""The content of records: vault-format.md section 8."""

from dataclasses import dataclass

from items import (ALL_FLAGS, CLASSES, END, LARGEST_METADATA_BOX, LARGEST_SECRET_BOX, MATCH,
                   METADATA, MOST_WRITERS, NO_SALT, NO_WRITER, RECORD_FAILURE, SECRET, SMALLEST_ITEM_BOX, STEPS,
                   Boxes, Entry, MatchKeys, Revision, canonical_dictionary, matched_attributes,
                   read_writers, refused)
from keybag import (ALWAYS_KEY, DATA_KEY, DEVICE, GROUP_NAME, MATCH_KEY, SIGNATURE, STRUCTURE_KEY,
                    RawEntry, read_raw_entry)
from layout import Fields, label
from log import DELETE, KEY, PUT, SEEN, SETTINGS, Record
from sodium import H, equal, verifies
from values import RECORD, Dictionary

MATCH_BOX = 176
TAG = 32
TYPES_OF_KEY_RECORDS = (DEVICE, STRUCTURE_KEY, ALWAYS_KEY, MATCH_KEY, GROUP_NAME, DATA_KEY)


@dataclass
class Put(Revision):
    head: bytes
    handle: bytes
    writer: bytes
    place: int
    previous: int
    replaced: bytes
    is_past: bool
    match_box: bytes
    boxes: Boxes
    where: str


@dataclass
class Delete(Revision):
    body: bytes
    group: bytes
    epoch: int
    where: str


@dataclass
class Settings:
    body: bytes
    revision: int
    archive: bytes
    where: str


@dataclass
class Seen:
    body: bytes
    group: bytes
    epoch: int
    places: dict[bytes, int]  # by writer
    where: str


@dataclass
class Key:
    entry: RawEntry
    where: str


Parsed = Put | Delete | Key | Settings | Seen


def parse(record: Record) -> Parsed:
    return PARSE[record.kind](Fields(record.body, RECORD_FAILURE, record.where))


def check_revision(fields: Fields, revision: int) -> None:
    """[VF-61] [VF-67]"""
    if not 1 <= revision < END:
        raise fields.failure("invalid revision [VF-61]")


def parse_put(fields: Fields) -> Put:
    """[VF-60] [VF-61]"""
    item_id, revision = fields.take(16), fields.u64()
    salt, handle, writer = fields.take(8), fields.take(8), fields.take(8)
    place, previous, replaced = fields.u64(), fields.u64(), fields.take(8)
    match, metadata, secret = fields.u32(), fields.u32(), fields.u32()
    past = fields.u8()
    fields.zero(3)
    head = fields.data[:fields.place]
    if salt == NO_SALT or writer == NO_WRITER or place == 0 or past > 1:
        raise fields.failure("invalid salt, writer, place or past [VF-60]")
    if (match != MATCH_BOX
            or not SMALLEST_ITEM_BOX <= metadata <= LARGEST_METADATA_BOX
            or secret > LARGEST_SECRET_BOX
            or metadata % STEPS[METADATA] or secret % STEPS[SECRET]):
        raise fields.failure("invalid box size [VF-60]")
    check_revision(fields, revision)
    if place >= END:
        raise fields.failure("invalid place [VF-61]")
    put = Put(item_id, revision, salt, head, handle, writer, place, previous, replaced, past == 1,
              fields.take(match), Boxes(fields.take(metadata), fields.take(secret)), fields.where)
    fields.end()
    return put


def parse_delete(fields: Fields) -> Delete:
    delete = Delete(fields.take(16), fields.u64(), fields.take(8), fields.data, fields.take(8),
                    fields.u32(), fields.where)
    fields.zero(4)
    fields.take(TAG)
    fields.end()
    check_revision(fields, delete.revision)
    return delete


def parse_seen(fields: Fields) -> Seen:
    """[VF-98]"""
    group, epoch, number = fields.take(8), fields.u32(), fields.u32()
    if number > MOST_WRITERS or fields.left != 16 * number + TAG:
        raise fields.failure("invalid size [VF-98]")
    places = read_writers(fields, number)
    return Seen(fields.data, group, epoch, places, fields.where)


def parse_key(fields: Fields) -> Key:
    entry = read_raw_entry(fields)
    fields.end()
    if entry.type not in TYPES_OF_KEY_RECORDS:
        raise fields.failure("invalid entry type [VF-69]")
    return Key(entry, fields.where)


def parse_settings(fields: Fields) -> Settings:
    revision, size = fields.u64(), fields.u32()
    fields.zero(4)
    settings = Settings(fields.data, revision, fields.take(size), fields.where)
    fields.take(SIGNATURE)
    fields.end()
    return settings


PARSE = {PUT: parse_put, DELETE: parse_delete, KEY: parse_key, SETTINGS: parse_settings,
         SEEN: parse_seen}


def open_match_box(put: Put, vault_id: bytes, keys: MatchKeys) -> Entry:
    """[VF-62] [VF-63] Opens the match box, whose hash must be that of the put (section 8.2)."""
    where = f"{put.where}: match box"
    fields = Fields(put.open_box(keys.match, vault_id, MATCH, put.match_box, where),
                    RECORD_FAILURE, where)
    item_class, flags = fields.u8(), fields.u8()
    fields.zero(6)
    if item_class not in CLASSES or flags & ~ALL_FLAGS:
        raise fields.failure("invalid class or flags [VF-63]")
    order, written, digest = fields.u64(), fields.i64(), fields.take(16)
    size = 8 * (len(matched_attributes(item_class)) - 1)
    attribute_digests = fields.take(size)
    fields.zero(64 - size)
    found = fields.take(32)
    fields.end()
    if not equal(found, H(32, None, "coffer1.file",
                          put.head + put.boxes.metadata + put.boxes.secret)):
        raise fields.failure("wrong hash of the record [VF-63]")
    return Entry(put.item_id, put.revision, put.salt, put.handle, item_class, flags, order, written,
                 digest, attribute_digests)


def check_tag(record: Delete | Seen, vault_id: bytes, keys: MatchKeys) -> None:
    """[VF-67] [VF-98]"""
    name = "coffer1.delete" if isinstance(record, Delete) else "coffer1.seen"
    tag = H(TAG, keys.delete, name, vault_id + record.body[:-TAG])
    if not equal(tag, record.body[-TAG:]):
        raise refused(f"{record.where}: wrong tag [VF-67] [VF-98]")


REVOCATION = 29


def revocations(values: Dictionary) -> set[bytes] | None:
    """The revocations without their epochs; None if they are invalid. Section 8.7."""
    data = values.get("revocations")
    if data is None:
        return set()
    if type(data) is not bytes or len(data) % REVOCATION or len(data) > 1024 * REVOCATION:
        return None
    entries = [data[at:at + REVOCATION - 4] for at in range(0, len(data), REVOCATION)]
    return set(entries) if all(a < b for a, b in zip(entries, entries[1:])) else None


def read_settings(settings: Settings, vault_id: bytes, team_key: bytes | None) -> Dictionary:
    """[VF-70] Section 8.7."""
    signed = label("coffer1.settings") + vault_id + settings.body[:-SIGNATURE]
    if team_key is None or not verifies(settings.body[-SIGNATURE:], signed, team_key):
        raise refused(f"{settings.where}: invalid signature [VF-70]")
    values = canonical_dictionary(settings.archive, RECORD, f"{settings.where}: archive")
    for name in "historyRevisions", "historyDays":
        value = values.get(name)
        if value is not None and (type(value) is not int or value < 0):
            raise refused(f"{settings.where}: invalid {name} (section 8.7)")
    if not isinstance(values.get("compression"), bool | None):
        raise refused(f"{settings.where}: invalid compression (section 8.7)")
    if revocations(values) is None:
        raise refused(f"{settings.where}: invalid revocations (section 8.7)")
    return values
