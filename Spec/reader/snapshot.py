"""The snapshot: vault-format.md section 5."""

from collections import Counter
from dataclasses import dataclass

from failures import Failure, limit
from header import UNSUPPORTED, Header
from items import (ALL_FLAGS, CHANGED, CLASSES, CONTESTED, END, MOST_FLOOR, MOST_WRITERS, NO_SALT,
                   NO_WRITER, Boxes, DataKeys, Entry, Preset, MatchKeys, matched_attributes,
                   read_writers)
from layout import UNIT, U32, Fields, label, open_box, pad
from log import Record, read_record
from sodium import H, equal

SNAPSHOT_FAILURE = "snapshot failure"

GROUP, RUN = 1, 2
LIVE, PAST, IDS = 1, 2, 3  # lists of pages

LARGEST_PAGE = 4_096
LARGEST_METADATA, LARGEST_SECRET = 4_098, 32_897  # in 16 and 32 bytes
MOST_SECTIONS = 65_536
LARGEST_FENCE = 16_777_216
LARGEST_DICTIONARY = 32_768
MOST_ITEMS = 1_000_000
MOST_PAST = 4_194_304
MOST_KEYS = 8_192
LARGEST_RUN = 33_554_432
NO_GROUP = bytes(8)


def damaged(where: str) -> Failure:
    return Failure(SNAPSHOT_FAILURE, where)


# Directory

@dataclass
class Section:
    kind: int
    epoch: int
    id: bytes
    group: bytes
    offset: int
    length: int
    fence_length: int
    entries: int  # live entries, or records
    check: bytes

    @property
    def where(self) -> str:
        return f"section {self.id.hex()}"


@dataclass
class Directory:
    history_since: int
    history_time: int
    sections: list[Section]

    def of_kind(self, kind: int) -> list[Section]:
        return [section for section in self.sections if section.kind == kind]


def read_directory(file: bytes, header: Header, snapshot_key: bytes) -> Directory:
    box = file[header.keybag_end:header.keybag_end + header.directory_length]
    if H(32, None, "coffer1.file", box) != header.directory_hash:
        raise damaged("wrong directory hash [VF-38]")
    content = open_box(snapshot_key, label("coffer1.dir"), box, SNAPSHOT_FAILURE, "directory")
    fields = Fields(content, SNAPSHOT_FAILURE, "directory")
    number = fields.u32()
    if number > MOST_SECTIONS:
        raise limit("sections (section 14)")
    fields.zero(4)
    since, time = fields.u64(), fields.i64()
    if since > header.base or since == 0 and time != 0:
        raise fields.failure("invalid history since [VF-91]")
    if fields.left != 80 * number:
        raise fields.failure("invalid size of the directory [VF-39]")
    directory = Directory(since, time, [])
    end = header.directory_length // UNIT
    for _ in range(number):
        section = read_section(fields, end)
        end += section.length
        directory.sections.append(section)
    if end * UNIT != header.snapshot_length:
        raise damaged("the last section does not end with the snapshot [VF-39]")
    check_sections(directory)
    return directory


def read_section(fields: Fields, start: int) -> Section:
    """Reads an entry of the directory; `start` is the end of the section before, in units."""
    kind, flags, reserved, epoch = fields.u8(), fields.u8(), fields.take(2), fields.u32()
    section = Section(kind, epoch, fields.take(16), fields.take(8), fields.u32(), fields.u32(),
                      fields.u32(), fields.u32(), fields.take(32))
    if flags & ~1:
        raise fields.failure("invalid flags of a section [VF-40]")
    if kind not in (GROUP, RUN) and flags:
        raise Failure(UNSUPPORTED, f"critical section of kind {kind} [VF-40]")
    if flags:
        raise fields.failure("invalid flags of a section [VF-40]")
    if any(reserved) or kind != GROUP and section.fence_length:
        raise fields.failure("field is not zero [VF-1]")
    if section.group == NO_GROUP and (kind == GROUP or kind == RUN and epoch):
        raise fields.failure("invalid group id [VF-39]")
    if kind == RUN and section.entries == 0:
        raise fields.failure("run without records [VF-39]")
    if kind == GROUP and not 1 <= section.fence_length <= section.length:
        raise fields.failure("invalid length of the fence [VF-39]")
    if kind == GROUP and section.fence_length * UNIT > LARGEST_FENCE:
        raise limit("fence (section 14)")
    if kind == RUN and section.length * UNIT > pad(44 + LARGEST_RUN):
        raise limit("content of a run (section 14)")
    if section.offset != start or section.length == 0:
        raise fields.failure("sections are not contiguous [VF-39]")
    return section


def check_sections(directory: Directory) -> None:
    """[VF-39]"""
    groups = directory.of_kind(GROUP)
    if len({(section.group, section.epoch) for section in groups}) != len(groups):
        raise damaged("two sections of a group and epoch [VF-39]")
    if len({section.id for section in directory.sections}) != len(directory.sections):
        raise damaged("two sections with the same id [VF-39]")
    if sum(section.entries for section in groups) > MOST_ITEMS:
        raise limit("items (section 14)")


def bytes_of(file: bytes, header: Header, section: Section) -> bytes:
    """[VF-38] Returns a section whose check was compared."""
    start = header.keybag_end + section.offset * UNIT
    data = file[start:start + section.length * UNIT]
    if not equal(H(32, None, "coffer1.file", data), section.check):
        raise damaged(f"{section.where}: wrong check [VF-38]")
    return data


# Runs

def read_run(data: bytes, section: Section, snapshot_key: bytes) -> list[Record]:
    """[VF-46] Reads a run, without checking the groups of its records, which needs the keys."""
    content = open_box(snapshot_key, label("coffer1.run") + section.id, data, SNAPSHOT_FAILURE,
                       section.where)
    if len(content) > LARGEST_RUN:
        raise limit(f"{section.where}: content of a run (section 14)")
    fields = Fields(content, SNAPSHOT_FAILURE, section.where)
    records: list[Record] = []
    sequence = 0
    while fields.left:
        last, sequence = sequence, fields.u64()
        fields.take(8)  # time
        record = read_record(fields, f"{section.where}, record {len(records)}")
        if sequence < last:
            raise fields.failure("sequence numbers descend [VF-46]")
        record.check_supported()
        records.append(record)
    if len(records) != section.entries:
        raise fields.failure("wrong number of records [VF-46]")
    return records


# Group sections

@dataclass
class Part:
    """What the fence says of a leaf or an id page: its first key, and where it is."""
    first: bytes
    start: int
    end: int
    page_end: int


@dataclass
class DictionaryPart:
    """What the fence says of a dictionary."""
    id: bytes
    start: int
    end: int
    handle: bytes


@dataclass
class Listed:
    """An entry of a leaf; its boxes are added behind the page."""
    entry: Entry
    flags: int
    metadata_size: int
    secret_size: int
    dictionary: int  # from 1; 0 for none
    boxes: Boxes

    def key(self, page_list: int) -> tuple:
        """By what a list is sorted."""
        entry = self.entry
        key = entry.item_id, entry.revision, entry.salt
        return (entry.digest, *key) if page_list == LIVE else key


class GroupSection:
    """A section of kind 1, of which the fence and all pages were read.

    `live` and `past` have the entries of the live and the past leaves.
    """

    def __init__(self, data: bytes, section: Section, vault_id: bytes, keys: MatchKeys):
        self.data = data
        self.section = section
        self.vault_id = vault_id
        self.keys = keys
        self.place = vault_id + section.group + U32(section.epoch) + section.id
        self.end = 0  # of the part that was read last
        self.read_fence()
        live = [self.read_leaf(LIVE, number) for number in range(len(self.parts[LIVE]))]
        past = [self.read_leaf(PAST, number) for number in range(len(self.parts[PAST]))]
        ids = [self.read_id_page(number) for number in range(len(self.parts[IDS]))]
        self.live, self.past = sum(live, []), sum(past, [])
        self.check_live()
        self.check_ids(sum(ids, []), live)
        self.check_order(self.past, PAST)
        if len(self.past) != self.past_entries:
            raise self.failure("wrong number of past entries [VF-42]")

    def failure(self, what: str) -> Failure:
        return damaged(f"{self.section.where}: {what}")

    # Fence

    def read_fence(self) -> None:
        """[VF-43]"""
        where = f"{self.section.where}: fence"
        start = len(self.data) - self.section.fence_length * UNIT
        content = open_box(self.keys.page, label("coffer1.fence") + self.place, self.data[start:],
                           SNAPSHOT_FAILURE, where)
        fields = Fields(content, SNAPSHOT_FAILURE, where)
        keys, dictionaries, self.flags = fields.u16(), fields.u16(), fields.u8()
        reserved = fields.take(3)
        writers, live, past, ids, self.past_entries = (fields.u32() for _ in range(5))
        if self.flags & ~(ALL_FLAGS | CONTESTED | CHANGED):
            raise fields.failure("unassigned flag [VF-90]")
        if any(reserved):
            raise fields.failure("reserved bytes are not zero [VF-1]")
        if keys > MOST_KEYS or dictionaries > MOST_KEYS:
            raise limit("data keys or dictionaries of a fence (section 14)")
        if writers > MOST_WRITERS:
            raise limit("writers of a fence (section 14)")
        if self.past_entries > MOST_PAST:
            raise limit("past entries of a section (section 14)")
        if fields.left != 8 * keys + 16 * (dictionaries + writers) + 24 * (live + past) + 8 * ids:
            raise fields.failure("invalid size [VF-43]")
        self.handles = [fields.take(8) for _ in range(keys)]
        if len(set(self.handles)) != keys:
            raise fields.failure("a data key twice [VF-43]")
        self.dictionaries = [self.read_dictionary(fields) for _ in range(dictionaries)]
        if len({dictionary.id for dictionary in self.dictionaries}) != dictionaries:
            raise fields.failure("a dictionary twice [VF-43]")
        self.seen = read_writers(fields, writers)
        self.parts = {LIVE: [self.read_leaf_part(fields) for _ in range(live)],
                      PAST: [self.read_leaf_part(fields) for _ in range(past)],
                      IDS: [self.read_id_part(fields) for _ in range(ids)]}
        for parts in self.parts.values():
            if any(one.first > other.first for one, other in zip(parts, parts[1:])):
                raise fields.failure("first entries descend [VF-43]")
        if not 0 <= start - self.end < UNIT:
            raise fields.failure("the parts do not end before the fence [VF-41]")
        if (len({live > 0, ids > 0, self.section.entries > 0}) > 1
                or (past > 0) != (self.past_entries > 0)):
            raise fields.failure("entries without pages, or pages without entries [VF-43]")

    def read_dictionary(self, fields: Fields) -> DictionaryPart:
        dictionary_id, end, key = fields.take(8), fields.u32(), fields.u16()
        fields.zero(2)
        start, self.end = self.end, end
        if key >= len(self.handles) or end <= start or (end - start) % UNIT:
            raise fields.failure("invalid data key or size of a dictionary [VF-43]")
        return DictionaryPart(dictionary_id, start, end, self.handles[key])

    def read_leaf_part(self, fields: Fields) -> Part:
        first, end, page = fields.take(16), fields.u32(), fields.u16() * UNIT
        fields.zero(2)
        return self.part(fields, first, end, page)

    def read_id_part(self, fields: Fields) -> Part:
        first, end = fields.take(4), fields.u32()
        return self.part(fields, first, end, end - self.end)

    def part(self, fields: Fields, first: bytes, end: int, page: int) -> Part:
        start, self.end = self.end, end
        if not UNIT <= page <= LARGEST_PAGE or page % UNIT or start + page > end:
            raise fields.failure("invalid end, or size of a page [VF-43]")
        return Part(first, start, end, start + page)

    # Pages

    def open_page(self, page_list: int, number: int, part: Part) -> Fields:
        """Returns the entries of a page, with their number before them."""
        where = f"{self.section.where}: page {number} of list {page_list}"
        content = open_box(self.keys.page,
                           label("coffer1.page") + self.place + U32(page_list) + U32(number),
                           self.data[part.start:part.page_end], SNAPSHOT_FAILURE, where)
        return Fields(content, SNAPSHOT_FAILURE, where)

    def read_leaf(self, page_list: int, number: int) -> list[Listed]:
        part = self.parts[page_list][number]
        fields = self.open_page(page_list, number, part)
        entries = fields.u16()
        fields.zero(2)
        if not entries:
            raise fields.failure("no entries [VF-42]")
        leaf = [self.read_entry(fields, page_list) for _ in range(entries)]
        fields.end()
        if leaf[0].key(page_list)[0] != part.first:
            raise fields.failure("first entry is not that of the fence [VF-43]")
        boxes = Fields(self.data[part.page_end:part.end], SNAPSHOT_FAILURE, fields.where)
        for listed in leaf:
            listed.boxes = Boxes(boxes.take(16 * listed.metadata_size),
                                 boxes.take(32 * listed.secret_size))
        boxes.end()  # [VF-41]
        return leaf

    def read_entry(self, fields: Fields, page_list: int) -> Listed:
        """[VF-42] [VF-90]"""
        digest, item_id, revision, salt = (fields.take(16), fields.take(16), fields.u64(),
                                           fields.take(8))
        writer, place = fields.take(8), fields.u64()
        fields.u64()  # sequence number
        written, metadata_size, secret_size = fields.i64(), fields.u16(), fields.u16()
        key, dictionary, item_class, flags = fields.u16(), fields.u16(), fields.u8(), fields.u8()
        if not 1 <= revision < END or salt == NO_SALT or writer == NO_WRITER:
            raise fields.failure("invalid revision, salt or writer [VF-42]")
        floor = self.seen.get(NO_WRITER, 0)
        if not 1 <= place < END or (page_list == LIVE and place > self.seen.get(writer, floor)
                                    and place <= MOST_FLOOR):
            raise fields.failure("invalid place [VF-42]")
        if not 2 <= metadata_size <= LARGEST_METADATA or secret_size > LARGEST_SECRET:
            raise fields.failure("invalid size of a box [VF-42]")
        if key >= len(self.handles) or dictionary > len(self.dictionaries):
            raise fields.failure("invalid number of a data key or dictionary [VF-42]")
        handle = self.handles[key]
        if dictionary and self.dictionaries[dictionary - 1].handle != handle:
            raise fields.failure("dictionary of another data key [VF-42]")
        if item_class not in CLASSES:
            raise fields.failure("invalid item class [VF-42]")
        if flags & ~(self.flags if page_list == LIVE else ALL_FLAGS | CHANGED):
            raise fields.failure("invalid flags [VF-90]")
        digests = fields.take(8 * (len(matched_attributes(item_class)) - 1))
        order = fields.u64() if flags & CHANGED else place
        if flags & CHANGED and order == place:
            raise fields.failure("creation order is the place [VF-42]")
        if page_list == PAST:
            fields.take(16)  # when it ended
        entry = Entry(item_id, revision, salt, handle, item_class, flags & ALL_FLAGS, order,
                      written, digest, digests)
        return Listed(entry, flags, metadata_size, secret_size, dictionary, Boxes(b"", b""))

    def read_id_page(self, number: int) -> list[tuple[bytes, int]]:
        """Returns the first bytes of item ids, each with the place of an entry."""
        part = self.parts[IDS][number]
        fields = self.open_page(IDS, number, part)
        entries = fields.u16()
        fields.zero(2)
        if entries == 0:
            raise fields.failure("no entries [VF-42]")
        page = [(fields.take(4), fields.u32()) for _ in range(entries)]
        fields.end()
        if page[0][0] != part.first:
            raise fields.failure("first entry is not that of the fence [VF-43]")
        return page

    # All entries

    def check_order(self, entries: list[Listed], page_list: int) -> None:
        keys = [listed.key(page_list) for listed in entries]
        if any(one >= other for one, other in zip(keys, keys[1:])):
            raise self.failure(f"entries of list {page_list} are not in order [VF-42]")

    def check_live(self) -> None:
        """[VF-42] [VF-90]"""
        self.check_order(self.live, LIVE)
        if len(self.live) != self.section.entries:
            raise self.failure("wrong number of entries [VF-42]")
        entries = [listed.entry for listed in self.live]
        if len({(entry.item_id, entry.salt) for entry in entries}) != len(entries):
            raise self.failure("two entries of an item with one salt [VF-42]")
        times = Counter(entry.item_id for entry in entries)
        flags = 0
        for listed in self.live:
            if bool(listed.flags & CONTESTED) != (times[listed.entry.item_id] > 1):
                raise self.failure("wrong contested flag [VF-42]")
            flags |= listed.flags
        if flags != self.flags:
            raise self.failure("flag of the fence is set in no entry [VF-90]")

    def check_ids(self, ids: list[tuple[bytes, int]], leaves: list[list[Listed]]) -> None:
        """[VF-42]"""
        if any(one >= other for one, other in zip(ids, ids[1:])):
            raise self.failure("id pages are not in order [VF-42]")
        for start, place in ids:
            leaf = leaves[place // 64] if place // 64 < len(leaves) else []
            if place % 64 >= len(leaf) or leaf[place % 64].entry.item_id[:4] != start:
                raise self.failure("id page refers to a different item [VF-42]")
        if len(ids) != self.section.entries:
            raise self.failure("wrong number of entries in id pages [VF-42]")

    # Dictionaries

    def open_dictionary(self, part: DictionaryPart, keys: DataKeys | None) -> Preset | None:
        """[VF-44] Returns None if the data key is not available."""
        if keys is None:
            return None
        where = f"{self.section.where}: dictionary {part.id.hex()}"
        content = open_box(keys.meta,
                           label("coffer1.dict") + self.vault_id + part.handle + part.id,
                           self.data[part.start:part.end], SNAPSHOT_FAILURE, where)
        if not 1 <= len(content) <= LARGEST_DICTIONARY:
            raise damaged(f"{where}: invalid size [VF-44]")
        return Preset(part.id, content)
