"""A whole vault: vault-format.md section 4.2, and the effect of its records on the snapshot."""

from dataclasses import dataclass

from failures import Failure, limit
from header import UNSUPPORTED, GenerationKeys, read_header
from items import (RECORD_FAILURE, DataKeys, Entry, MatchKeys, check_metadata, read_secret, refused)
from keybag import MOST_ENTRIES, Wrap, read_entry, read_keybag
from keys import Secrets, open_vault
from log import CLEAN, PUT, Log, Record, RecordCounter
from records import (Delete, Key, Parsed, Put, Settings, check_delete, check_settings,
                     open_match_box, open_metadata_box, open_secret_box, parse)
from snapshot import (BLOCK, GROUP, HISTORY, LARGEST_BLOCKS, MOST_ITEMS, MOST_LISTED, NO_GROUP, RUN,
                      BlockItem, GroupSection, Listed, Part, Section, bytes_of, damaged,
                      read_directory, read_run)
from values import Dictionary


@dataclass
class Item:
    """The current revision of an item; without attributes it is locked, or of another device."""
    group: bytes
    epoch: int
    protection: int
    entry: Entry
    is_locked: bool
    attributes: Dictionary | None = None
    secret: bytes | None = None


class Vault:
    """A vault from which everything that the secrets open has been read.

    A failure of the whole vault is raised; record failures are in `failures`, and the verdict on
    the tail in `log.verdict`.
    """

    def __init__(self, file: bytes, secrets: Secrets):
        """[VF-36]"""
        self.file = file
        self.header = read_header(file)
        self.vault_id = self.header.vault_id
        self.keybag = read_keybag(file, self.header)
        self.keys = open_vault(self.keybag, self.vault_id, secrets)
        generation = GenerationKeys(self.header, self.keys.structure_key)
        generation.check(self.header)
        self.snapshot_key = generation.snapshot
        self.directory = read_directory(file, self.header, self.snapshot_key)
        self.keys.open_all()

        self.counter = RecordCounter()
        self.failures: list[Failure] = []
        self.items: dict[tuple[bytes, bytes], Item] = {}  # by group and id
        runs = self.read_runs(RUN)
        for _, records in runs:
            self.counter.count(records)
        self.log = Log(file, self.header, generation, self.counter)
        parsed_runs = [(section, self.parsed(records)) for section, records in runs]
        everything = [record for _, records in parsed_runs for record in records]
        everything += self.parsed(self.log.records)
        self.apply_keys([record for record in everything if isinstance(record, Key)])
        for section, records in parsed_runs:
            self.check_groups(section, records)
        self.read_groups()
        for record in everything:
            self.apply(record)
        for section, records in self.read_runs(HISTORY):
            self.read_history(section, records)

    @property
    def readable(self) -> list[Item]:
        return [item for item in self.items.values() if item.attributes is not None]

    @property
    def locked(self) -> int:
        return sum(item.is_locked for item in self.items.values())

    def group_name(self, item: Item) -> str:
        return self.keys.names.get((item.group, item.epoch), "")

    def write_failure(self) -> str | None:
        """[VF-10]"""
        return UNSUPPORTED if self.header.read_only_features else None

    def verdict(self) -> str:
        """Returns the result to report for a vault that opened."""
        if self.log.verdict != CLEAN:
            return self.log.verdict
        return RECORD_FAILURE if self.failures else "success"

    # Records

    def read_runs(self, kind: int) -> list[tuple[Section, list[Record]]]:
        return [(section, read_run(bytes_of(self.file, self.header, section), section,
                                   self.snapshot_key))
                for section in self.directory.sections if section.kind == kind]

    def parsed(self, records: list[Record]) -> list[Parsed]:
        """[VF-58] Returns the content of the records of known kinds."""
        parsed = []
        for record in records:
            try:
                record.check()
                if record.is_known:
                    parsed.append(parse(record))
            except Failure as failure:
                self.note(failure)
                self.counter.count_unread(1)
        return parsed

    def note(self, failure: Failure) -> None:
        """[VF-59] Keeps a record failure; all other failures concern the whole vault."""
        if failure.kind != RECORD_FAILURE:
            raise failure
        self.failures.append(failure)

    def check_groups(self, section: Section, records: list[Parsed]) -> None:
        """[VF-46] Rejects records of a group other than the section's."""
        for record in records:
            if self.group_of(record) not in (None, (section.group, section.epoch)):
                raise damaged(f"{record.where}: record of another group [VF-46]")

    def group_of(self, record: Parsed) -> tuple[bytes, int] | None:
        """Returns group and epoch of a record; None for a put whose handle has no key entry."""
        match record:
            case Put():
                data_key = self.keybag.data_keys.get(record.handle)
                return None if data_key is None else (data_key.group, data_key.epoch)
            case Delete():
                return record.group, record.epoch
        return NO_GROUP, 0

    def apply_keys(self, records: list[Key]) -> None:
        """[VF-69] Adds the entries in key records to the keybag."""
        for record in records:
            try:
                self.apply_key(record)
            except Failure as failure:
                self.note(refused(f"{record.where}: {failure.where}"))
        for entry in self.keys.not_open():  # entries whose key comes in a later record
            try:
                self.keys.open_entry(entry)
            except Failure as failure:
                if not entry.is_recorded:
                    raise
                self.note(refused(f"key record: {failure.where}"))
                if isinstance(entry, Wrap):
                    self.keybag.remove(entry)

    def apply_key(self, record: Key) -> None:
        entry = read_entry(record.entry)
        if self.keybag.number_of_entries >= MOST_ENTRIES:
            raise refused("keybag entries [VF-14]")
        self.keybag.check_new(entry)
        self.keybag.check_beside(entry)
        self.keys.open_entry(entry)
        entry.is_recorded = True
        self.keybag.add(entry)

    def apply(self, record: Parsed) -> None:
        """Applies a record that is not a key record."""
        try:
            match record:
                case Put():
                    self.put(record)
                case Delete():
                    self.delete(record)
                case Settings():
                    check_settings(record, self.vault_id, self.keybag.team_key)
        except Failure as failure:
            self.note(failure)

    def put(self, put: Put) -> None:
        item = self.item_of(put)
        if item is None:
            return
        current = self.items.get((item.group, put.item_id))
        if current is not None and current.entry.revision >= put.revision:
            raise refused(f"{put.where}: revision is not newer [VF-61]")
        self.place(item)

    def place(self, item: Item) -> None:
        self.items[item.group, item.entry.item_id] = item
        if len(self.items) > MOST_ITEMS:
            raise limit("items (section 14)")

    def item_of(self, put: Put) -> Item | None:
        """Returns the item of a put; None if its match key is not available."""
        data_key = self.keybag.data_keys.get(put.handle)
        match_keys = data_key and self.match_keys(data_key.group, data_key.epoch)
        if match_keys is None:
            return None
        entry = open_match_box(put, self.vault_id, match_keys)
        item = self.item_without_attributes(entry, data_key)
        data_keys = self.data_keys(put.handle)
        if data_keys is not None:
            metadata = open_metadata_box(put, self.vault_id, data_keys)
            item.attributes = check_metadata(metadata, entry, match_keys.digest, put.where)
            content = open_secret_box(put, self.vault_id, data_keys)
            if content is not None:
                item.secret = read_secret(content, put.where)
        return item

    def item_without_attributes(self, entry: Entry, data_key: Wrap) -> Item:
        is_locked = (entry.handle not in self.keys.data_keys
                     and not self.keys.is_elsewhere(entry.handle))
        return Item(data_key.group, data_key.epoch, data_key.protection, entry, is_locked)

    def match_keys(self, group: bytes, epoch: int) -> MatchKeys | None:
        key = self.keys.match_keys.get((group, epoch))
        return None if key is None else MatchKeys(key)

    def data_keys(self, handle: bytes) -> DataKeys | None:
        key = self.keys.data_keys.get(handle)
        return None if key is None else DataKeys(key)

    def delete(self, delete: Delete) -> None:
        match_keys = self.match_keys(delete.group, delete.epoch)
        if match_keys is None:
            return  # [VF-68]
        check_delete(delete, self.vault_id, match_keys)
        current = self.items.get((delete.group, delete.item_id))
        if current is None or current.epoch != delete.epoch:
            return
        if delete.revision <= current.entry.revision:
            raise refused(f"{delete.where}: revision is not newer [VF-67]")
        del self.items[delete.group, delete.item_id]

    def read_history(self, section: Section, records: list[Record]) -> None:
        if any(record.kind != PUT for record in records):
            raise damaged("record in history is not a put [VF-46]")
        puts = self.parsed(records)
        self.check_groups(section, puts)
        for put in puts:
            try:
                self.item_of(put)
            except Failure as failure:
                self.note(failure)

    # Group sections

    def read_groups(self) -> None:
        listed = 0
        for section in self.directory.sections:
            if section.kind != GROUP:
                continue
            group = GroupSection(bytes_of(self.file, self.header, section), section, self.vault_id,
                                 self.snapshot_key)
            listed += len(group.parts)
            if listed > MOST_LISTED:
                raise limit("entries of block lists (section 14)")
            match_keys = self.match_keys(section.group, section.epoch)
            if match_keys is not None:
                self.read_group(group, match_keys)

    def read_group(self, group: GroupSection, match_keys: MatchKeys) -> None:
        entries = group.read_entries(match_keys)
        group.check_places(entries)
        in_blocks: dict[int, list[Listed]] = {}
        for listed in entries:
            in_blocks.setdefault(listed.place.block_offset, []).append(listed)
        raw_bytes = 0
        for part in group.of_kind(BLOCK):
            raw_bytes += self.read_block(group, part, in_blocks.get(part.offset, []), match_keys)
            if raw_bytes > LARGEST_BLOCKS:
                raise limit("raw bytes of all blocks of a section (section 14)")

    def read_block(self, group: GroupSection, part: Part, entries: list[Listed],
                   match_keys: MatchKeys) -> int:
        """Reads a block and the secrets of its items; returns its raw size."""
        data_key = self.keybag.data_keys.get(part.handle)
        if data_key is None:
            return 0  # [VF-43] its items are absent
        if (data_key.group, data_key.epoch) != (group.section.group, group.section.epoch):
            raise group.failure("block of a data key of another group")
        data_keys = self.data_keys(part.handle)
        if data_keys is None:
            for listed in entries:
                self.place_older(self.item_without_attributes(listed.entry, data_key))
            return 0
        found, size = group.read_block(part, data_keys)
        for listed in entries:
            item = self.item_without_attributes(listed.entry, data_key)
            content = group.read_secret_box(listed, data_keys)
            try:
                self.fill(item, found[listed.place.number_in_block], content, match_keys.digest)
            except Failure as failure:
                self.note(failure)
            else:
                self.place_older(item)
        return size

    def place_older(self, item: Item) -> None:
        """Of an item in sections of two epochs, the higher revision is current."""
        current = self.items.get((item.group, item.entry.item_id))
        if current is None or current.entry.revision < item.entry.revision:
            self.place(item)

    def fill(self, item: Item, found: BlockItem, content: bytes | None, digest_key: bytes) -> None:
        """Adds the content of a block, and of a secret, to an item of a digest page."""
        entry = item.entry
        where = f"item {entry.item_id.hex()}"
        if (found.item_id, found.revision, found.salt) != (entry.item_id, entry.revision,
                                                           entry.salt):
            raise refused(f"{where}: entry and block differ [VF-45]")
        item.attributes = check_metadata(found.metadata, entry, digest_key, where)
        if content is not None:
            item.secret = read_secret(content, where)
