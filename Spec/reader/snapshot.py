"""The snapshot: vault-format.md section 5."""

import zlib
from collections import Counter
from dataclasses import dataclass

from failures import Failure, limit
from header import UNSUPPORTED, Header
from items import (ALL_FLAGS, CLASSES, CONTESTED, END, NO_SALT, SECRET, DataKeys, Entry, MatchKeys,
                   Metadata, matched_attributes, read_metadata, read_writers)
from layout import UNIT, U32, Fields, label, open_box, pad
from log import PUT, Record, read_record
from sodium import H, equal

SNAPSHOT_FAILURE = "snapshot failure"

GROUP, RUN, HISTORY = 1, 2, 3
FENCE, DIGEST_PAGES, ITEM_PAGES, BLOCK, SECRETS = range(1, 6)
DIGEST_LIST, ITEM_LIST = 1, 2

PAGE = 4_096
PAGE_CONTENT = 4_052
PAGE_UNITS = PAGE // UNIT
MOST_SECTIONS = 65_536
MOST_LISTED = 262_144
LARGEST_FENCE = 16_777_216
LARGEST_PIECE = 262_144
MOST_ITEMS = 1_000_000
LARGEST_BLOCK = 262_144
LARGEST_RATIO = 16
MOST_WRITERS = 262_144
LARGEST_RUN = 33_554_432
NO_GROUP = bytes(8)


def damaged(where: str) -> Failure:
    return Failure(SNAPSHOT_FAILURE, where)


# Directory

@dataclass
class Section:
    kind: int
    flags: int
    epoch: int
    id: bytes
    group: bytes
    offset: int
    length: int
    list_length: int
    fence_length: int
    entries: int
    digest_pages: int
    item_pages: int
    check: bytes = b""


@dataclass
class Directory:
    history_since: int
    history_time: int
    sections: list[Section]


def read_directory(file: bytes, header: Header, snapshot_key: bytes) -> Directory:
    box = file[header.keybag_end:header.keybag_end + header.directory_length]
    if H(32, None, "coffer1.file", box) != header.directory_hash:
        raise damaged("wrong directory hash [VF-38]")
    content = open_box(snapshot_key, label("coffer1.dir"), box, SNAPSHOT_FAILURE, "directory")
    fields = Fields(content, SNAPSHOT_FAILURE, "directory")
    number = fields.u32()
    fields.zero(4)
    since, time = fields.u64(), fields.i64()
    if number > MOST_SECTIONS:
        raise limit("sections (section 14)")
    if fields.left != 80 * number:
        raise fields.failure("invalid size of the directory [VF-39]")
    if since > header.base or since == 0 and time != 0:
        raise fields.failure("invalid history since [VF-91]")
    sections = [read_section(fields) for _ in range(number)]
    check_sections(sections, header)
    return Directory(since, time, sections)


def read_section(fields: Fields) -> Section:
    kind, flags = fields.u8(), fields.u8()
    fields.zero(2)
    epoch = fields.u32()
    section = Section(kind, flags, epoch, fields.take(16), fields.take(8),
                      *(fields.u32() for _ in range(7)))
    fields.zero(4)
    section.check = fields.take(16)
    if kind not in (GROUP, RUN, HISTORY) and flags == 1:
        raise Failure(UNSUPPORTED, f"critical section of kind {kind} [VF-40]")
    if flags & ~1 or flags and kind in (GROUP, RUN, HISTORY):
        raise fields.failure("invalid flags of a section [VF-40]")
    if kind in (RUN, HISTORY) and section.entries == 0:
        raise fields.failure("run or history without records [VF-39]")
    if kind == GROUP:
        pages = section.digest_pages + section.item_pages
        behind = section.length - section.list_length - section.fence_length - pages * PAGE_UNITS
        if (section.list_length == 0 or section.fence_length == 0 or behind < 0
                or (behind > 0) != (section.entries > 0)):
            raise fields.failure("invalid parts of a group section [VF-39]")
        if len({number > 0 for number in (section.entries, section.digest_pages, section.item_pages)}) > 1:
            raise fields.failure("entries without pages, or pages without entries [VF-39]")
    elif (section.list_length or section.fence_length or section.digest_pages
            or section.item_pages):
        raise fields.failure("field is not zero [VF-1]")
    if section.group == NO_GROUP and (kind in (GROUP, HISTORY) or kind == RUN and epoch):
        raise fields.failure("invalid group id [VF-39]")
    if kind == GROUP and section.fence_length * UNIT > LARGEST_FENCE:
        raise limit("fence (section 14)")
    if kind in (RUN, HISTORY) and section.length * UNIT > pad(44 + LARGEST_RUN):
        raise limit("content of a run (section 14)")
    return section


def check_sections(sections: list[Section], header: Header) -> None:
    """[VF-39]"""
    end = header.directory_length // UNIT
    for section in sections:
        if section.offset != end or section.length == 0:
            raise damaged("sections are not contiguous [VF-39]")
        end += section.length
    if end * UNIT != header.snapshot_length:
        raise damaged("the last section does not end with the snapshot [VF-39]")
    groups = [(section.group, section.epoch) for section in sections if section.kind == GROUP]
    if len(set(groups)) != len(groups) or len({part.id for part in sections}) != len(sections):
        raise damaged("two sections with the same group or id [VF-39]")
    if sum(section.entries for section in sections if section.kind == GROUP) > MOST_ITEMS:
        raise limit("items (section 14)")


def bytes_of(file: bytes, header: Header, section: Section) -> bytes:
    """[VF-38] Returns a section whose check was compared."""
    start = header.keybag_end + section.offset * UNIT
    data = file[start:start + section.length * UNIT]
    covered = data[:section.list_length * UNIT] if section.kind == GROUP else data
    if not equal(H(16, None, "coffer1.file", covered), section.check):
        raise damaged(f"section {section.id.hex()}: wrong check [VF-38]")
    return data


# Runs and history

def read_run(data: bytes, section: Section, snapshot_key: bytes) -> list[Record]:
    """[VF-46] Reads a run, without checking the groups of its records, which needs the keys."""
    where = f"section {section.id.hex()}"
    content = open_box(snapshot_key, label("coffer1.run") + section.id + U32(section.kind), data,
                       SNAPSHOT_FAILURE, where)
    if len(content) > LARGEST_RUN:
        raise limit(f"{where}: content of a run (section 14)")
    fields = Fields(content, SNAPSHOT_FAILURE, where)
    records: list[Record] = []
    sequence = 0
    while fields.left:
        if len(records) == section.entries:
            raise fields.failure("wrong number of records [VF-46]")
        last, sequence = sequence, fields.u64()
        fields.take(8)  # time
        if sequence < last:
            raise fields.failure("sequence numbers descend [VF-46]")
        if section.kind == RUN:
            mark = fields.u64()
            fields.zero(8)
        else:
            mark = 0
            fields.take(16)  # when it ended
        record = read_record(fields, f"{where}, record {len(records)}")
        record.check_supported()
        if mark > (record.kind == PUT):
            raise fields.failure("mark of a record (section 5.6)")
        record.is_marked = mark == 1
        records.append(record)
    if len(records) != section.entries:
        raise fields.failure("wrong number of records [VF-46]")
    return records


# Group sections

@dataclass
class Part:
    """An entry of a block list."""
    kind: int
    number: int
    offset: int
    length: int
    handle: bytes
    check: bytes

    @property
    def end(self) -> int:
        return self.offset + self.length


@dataclass
class Place:
    """The place of an item's metadata and secret according to its match entry."""
    block_offset: int
    block_length: int
    number_in_block: int
    secret_offset: int
    secret_length: int


@dataclass
class Listed:
    """An entry of a digest page."""
    entry: Entry
    place: Place
    is_contested: bool


@dataclass
class Fence:
    """What the entries of digest pages refer to."""
    flags: int
    handles: list[bytes]
    places: list[int]  # of the writers


@dataclass
class BlockItem:
    item_id: bytes
    revision: int
    salt: bytes
    metadata: Metadata


class GroupSection:
    """A section of kind 1 whose block list has been verified."""

    def __init__(self, data: bytes, section: Section, vault_id: bytes, snapshot_key: bytes):
        self.data = data
        self.section = section
        self.vault_id = vault_id
        self.where = f"section {section.id.hex()}"
        # After the fence was read:
        self.seen: dict[bytes, int] = {}  # place by writer
        self.handles: list[bytes] = []  # of the data keys
        self.parts = self.read_list(snapshot_key)
        self.check_list()

    def failure(self, what: str) -> Failure:
        return damaged(f"{self.where}: {what}")

    def units(self, offset: int, length: int) -> bytes:
        return self.data[offset * UNIT:(offset + length) * UNIT]

    def read_list(self, snapshot_key: bytes) -> list[Part]:
        box = self.units(0, self.section.list_length)
        content = open_box(snapshot_key, label("coffer1.list") + self.section.id, box,
                           SNAPSHOT_FAILURE, f"{self.where}: block list")
        if len(content) % 40:
            raise self.failure("invalid size of the block list [VF-47]")
        if len(content) // 40 > MOST_LISTED:
            raise limit("entries of block lists (section 14)")
        fields = Fields(content, SNAPSHOT_FAILURE, f"{self.where}: block list")
        parts = []
        while fields.left:
            kind = fields.u8()
            fields.zero(3)
            parts.append(Part(kind, fields.u32(), fields.u32(), fields.u32(), fields.take(8),
                              fields.take(16)))
        return parts

    def check_list(self) -> None:
        """[VF-47] Checks that the parts cover the section, in the order of 5.2, and are
        unchanged."""
        section = self.section
        end = section.list_length
        previous = FENCE
        pages = {DIGEST_PAGES: 0, ITEM_PAGES: 0}
        for index, part in enumerate(self.parts):
            if part.offset != end or part.length == 0 or part.end > section.length:
                raise self.failure("gap in the block list [VF-47]")
            if (index == 0) != (part.kind == FENCE) or not FENCE <= part.kind <= SECRETS:
                raise self.failure("invalid kind in the block list [VF-47]")
            if part.kind < previous:
                raise self.failure("wrong order of the block list [VF-47]")
            if part.kind != BLOCK and any(part.handle):
                raise self.failure("unexpected key handle in the block list [VF-1]")
            if part.kind == FENCE and (part.number, part.length) != (1, section.fence_length):
                raise self.failure("invalid fence in the block list [VF-47]")
            if part.number == 0:
                raise self.failure("part of nothing in the block list [VF-47]")
            if part.kind in pages:
                if part.length != part.number * PAGE_UNITS:
                    raise self.failure("invalid pages in the block list [VF-47]")
                pages[part.kind] += part.number
            is_piece = part.kind in pages or part.kind == SECRETS and part.number > 1
            if is_piece and part.length * UNIT > LARGEST_PIECE:
                raise self.failure("piece of the block list is too large (section 5.7)")
            if not equal(H(16, None, "coffer1.file", self.units(part.offset, part.length)),
                         part.check):
                raise self.failure("wrong check in the block list [VF-47]")
            end, previous = part.end, part.kind
        if (end != section.length or pages[DIGEST_PAGES] != section.digest_pages
                or pages[ITEM_PAGES] != section.item_pages):
            raise self.failure("the block list does not cover the section [VF-47]")
        if sum(part.number for part in self.of_kind(BLOCK)) < section.entries:
            raise self.failure("blocks with fewer items than entries [VF-47]")

    def of_kind(self, kind: int) -> list[Part]:
        return [part for part in self.parts if part.kind == kind]

    # Pages

    def read_entries(self, keys: MatchKeys) -> list[Listed]:
        """Reads the fence and all pages, in both directions."""
        section = self.section
        place = self.vault_id + section.group + U32(section.epoch) + section.id
        content = open_box(keys.page, label("coffer1.fence") + place,
                           self.units(section.list_length, section.fence_length),
                           SNAPSHOT_FAILURE, f"{self.where}: fence")
        fields = Fields(content, SNAPSHOT_FAILURE, f"{self.where}: fence")
        number, flags = fields.u16(), fields.u8()
        fields.zero(1)
        writers = fields.u32()
        if writers > MOST_WRITERS:
            raise limit("writers of a group (section 14)")
        if fields.left != 8 * number + 16 * (writers + section.digest_pages + section.item_pages):
            raise fields.failure("invalid size [VF-43]")
        if flags & ~(ALL_FLAGS | CONTESTED):
            raise fields.failure("unassigned flag [VF-90]")
        handles = self.handles = [fields.take(8) for _ in range(number)]
        if len(set(handles)) != number:
            raise fields.failure("a data key twice [VF-43]")
        self.seen = read_writers(fields, writers)
        if any(place >= END for place in self.seen.values()):
            raise fields.failure("invalid place [VF-43]")
        digests = [fields.take(16) for _ in range(section.digest_pages)]
        items = [fields.take(16) for _ in range(section.item_pages)]
        if digests != sorted(digests) or items != sorted(items):
            raise fields.failure("fences descend [VF-43]")

        offset = section.list_length + section.fence_length
        fence = Fence(flags, handles, list(self.seen.values()))
        pages = [self.read_digest_page(self.open_page(keys, place, DIGEST_LIST, page,
                                                      offset + page * PAGE_UNITS), fence)
                 for page in range(section.digest_pages)]
        self.check_digest_pages(pages, digests, flags)
        offset += section.digest_pages * PAGE_UNITS
        indexes = [self.read_item_page(self.open_page(keys, place, ITEM_LIST, page,
                                                      offset + page * PAGE_UNITS))
                   for page in range(section.item_pages)]
        self.check_item_pages(pages, indexes, items)
        return [listed for page in pages for listed in page]

    def open_page(self, keys: MatchKeys, place: bytes, page_list: int, page: int,
                  offset: int) -> Fields:
        where = f"{self.where}: page {page} of list {page_list}"
        content = open_box(keys.page, label("coffer1.page") + place + U32(page_list) + U32(page),
                           self.units(offset, PAGE_UNITS), SNAPSHOT_FAILURE, where)
        if len(content) != PAGE_CONTENT:
            raise damaged(f"{where}: invalid size (section 5.3)")
        return Fields(content, SNAPSHOT_FAILURE, where)

    def read_digest_page(self, fields: Fields, fence: Fence) -> list[Listed]:
        number = fields.u16()
        fields.zero(2)
        if number == 0:
            raise fields.failure("no entries [VF-42]")
        entries = [self.read_listed(fields, fence) for _ in range(number)]
        fields.zero(fields.left)
        return entries

    def read_listed(self, fields: Fields, fence: Fence) -> Listed:
        digest, item_id = fields.take(16), fields.take(16)
        revision, salt, order = fields.u64(), fields.take(8), fields.u64()
        block_offset, block_length, number = fields.u32(), fields.u16(), fields.u16()
        secret_offset, secret_length = fields.u32(), fields.u16()
        data_key, item_class, flags = fields.u16(), fields.u8(), fields.u8()
        writer, place = fields.u32(), fields.u64()
        fields.u64()  # sequence number of the transaction
        written = fields.i64()
        if data_key >= len(fence.handles) or item_class not in CLASSES:
            raise fields.failure("invalid data key or class of an entry [VF-42]")
        if writer >= len(fence.places) or not 1 <= place <= fence.places[writer]:
            raise fields.failure("invalid writer or place of an entry [VF-42]")
        if not 1 <= revision < END or salt == NO_SALT:
            raise fields.failure("invalid revision or salt of an entry [VF-42]")
        if flags & ~fence.flags:
            raise fields.failure("flag is missing from the fence [VF-90]")
        attribute_digests = fields.take(8 * (len(matched_attributes(item_class)) - 1))
        entry = Entry(item_id, revision, salt, fence.handles[data_key], item_class,
                      flags & ALL_FLAGS, order, written, digest, attribute_digests)
        return Listed(entry, Place(block_offset, block_length, number, secret_offset,
                                   secret_length), bool(flags & CONTESTED))

    def check_digest_pages(self, pages: list[list[Listed]], fences: list[bytes],
                           fence_flags: int) -> None:
        entries = [listed.entry for page in pages for listed in page]
        keys = [(entry.digest, entry.item_id, entry.revision, entry.salt) for entry in entries]
        if any(one >= other for one, other in zip(keys, keys[1:])):
            raise self.failure("entries are not in order [VF-42]")
        if [page[0].entry.digest for page in pages] != fences:
            raise self.failure("fences differ from the pages [VF-43]")
        if len(entries) != self.section.entries:
            raise self.failure("wrong number of entries [VF-42]")
        if len({(entry.item_id, entry.salt) for entry in entries}) != len(keys):
            raise self.failure("two entries of an item with one salt [VF-42]")
        times = Counter(entry.item_id for entry in entries)
        flags = 0
        for listed in (listed for page in pages for listed in page):
            if listed.is_contested != (times[listed.entry.item_id] > 1):
                raise self.failure("wrong contested flag [VF-42]")
            flags |= listed.entry.flags | CONTESTED * listed.is_contested
        if flags != fence_flags:
            raise self.failure("flag of the fence is set in no entry [VF-90]")

    def read_item_page(self, fields: Fields) -> list[tuple[bytes, int, int]]:
        """Returns item ids, each with the number of its digest page and of its entry there."""
        number = fields.u16()
        fields.zero(2)
        if number == 0:
            raise fields.failure("no entries [VF-42]")
        entries = []
        for _ in range(number):
            item_id, place = fields.take(16), fields.u32()
            entries.append((item_id, place // 256, place % 256))
        fields.zero(fields.left)
        return entries

    def check_item_pages(self, pages: list[list[Listed]],
                         indexes: list[list[tuple[bytes, int, int]]],
                         fences: list[bytes]) -> None:
        if [index[0][0] for index in indexes] != fences:
            raise self.failure("fences differ from the pages [VF-43]")
        entries = [entry for index in indexes for entry in index]
        if any(one >= other for one, other in zip(entries, entries[1:])):
            raise self.failure("items are not in order [VF-42]")
        for item_id, page, place in entries:
            if (page >= len(pages) or place >= len(pages[page])
                    or pages[page][place].entry.item_id != item_id):
                raise self.failure("item page refers to a different item [VF-42]")
        if len(entries) != self.section.entries:
            raise self.failure("wrong number of items [VF-42]")

    def check_places(self, entries: list[Listed]) -> None:
        """[VF-41] [VF-42] Checks that each entry refers to a block and a secret in the block
        list."""
        blocks = {(part.offset, part.length): part for part in self.of_kind(BLOCK)}
        secrets = []
        for listed in entries:
            place = listed.place
            block = blocks.get((place.block_offset, place.block_length))
            if block is None or block.handle != listed.entry.handle:
                raise self.failure("entry refers to no block of its key [VF-42]")
            if place.number_in_block >= block.number:
                raise self.failure("entry refers beyond its block [VF-42]")
            if place.secret_length:
                secrets.append((place.secret_offset, place.secret_length))
            elif place.secret_offset:
                raise self.failure("offset of a secret without bytes [VF-42]")
        secrets.sort()
        index = 0
        for part in self.of_kind(SECRETS):
            end = part.offset
            number = 0
            while index < len(secrets) and end < part.end and secrets[index][0] == end:
                end += secrets[index][1]
                index += 1
                number += 1
            if end != part.end or number != part.number:
                raise self.failure("secrets are not contiguous [VF-41]")
        if index != len(secrets):
            raise self.failure("entry refers to no secret [VF-42]")

    # Blocks and secrets

    def read_block(self, part: Part, keys: DataKeys) -> list[BlockItem]:
        """Returns the items of a block."""
        where = f"{self.where}: block at {part.offset}"
        content = open_box(keys.meta, label("coffer1.block") + self.vault_id + part.handle,
                           self.units(part.offset, part.length), SNAPSHOT_FAILURE, where)
        raw = inflate_block(content, where)
        fields = Fields(raw, SNAPSHOT_FAILURE, where)
        number = fields.u32()
        if number != part.number:
            raise fields.failure("wrong number of items [VF-47]")
        items = []
        last = None
        while len(items) < number:
            item, key = read_block_item(fields)
            if last is not None and key <= last:
                raise fields.failure("items are not in order [VF-44]")
            items.append(item)
            last = key
        fields.end()
        return items

    def read_secret_box(self, listed: Listed, keys: DataKeys) -> bytes | None:
        """Returns the content of the secret box of an item; None for an item without data."""
        place = listed.place
        if place.secret_length == 0:
            return None
        return open_box(keys.secret, listed.entry.associated(self.vault_id, SECRET),
                        self.units(place.secret_offset, place.secret_length), SNAPSHOT_FAILURE,
                        f"{self.where}: secret of {listed.entry.item_id.hex()}")


def inflate_block(content: bytes, where: str) -> bytes:
    """[VF-44] [VF-94]"""
    fields = Fields(content, SNAPSHOT_FAILURE, where)
    method = fields.u8()
    fields.zero(3)
    size = fields.u32()
    payload = fields.rest()
    if size > LARGEST_BLOCK:
        raise limit(f"{where}: raw length too large [VF-44]")
    if method == 0:
        raw = payload
    elif method == 1:
        if size > LARGEST_RATIO * len(payload):
            raise limit(f"{where}: raw length too large for its stream [VF-94]")
        stream = zlib.decompressobj()
        try:
            raw = stream.decompress(payload, size + 1)
        except zlib.error:
            raise fields.failure("invalid zlib stream [VF-44]") from None
        if not stream.eof or stream.unused_data:
            raise fields.failure("invalid end of the zlib stream [VF-44]")
    else:
        raise fields.failure("unknown method (section 5.5)")
    if len(raw) != size:
        raise fields.failure("wrong raw length [VF-44]")
    return raw


def read_block_item(fields: Fields) -> tuple[BlockItem, tuple]:
    """Returns an item of a block, and its sort key."""
    item_id, revision, salt = fields.take(16), fields.u64(), fields.take(8)
    # Metadata whose columns do not parse fails the block; any other fault fails only the item
    # [VF-65].
    metadata = read_metadata(fields.take(fields.u32()), SNAPSHOT_FAILURE, fields.where)
    item = BlockItem(item_id, revision, salt, metadata)
    return item, (metadata.item_class, *metadata.columns, item_id, revision, salt)
