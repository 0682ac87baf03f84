"""A whole vault: vault-format.md section 4.2, and the effect of its records on the snapshot."""

from collections import defaultdict
from dataclasses import dataclass

from failures import Failure, limit
from header import UNSUPPORTED, GenerationKeys, read_header
from items import (NO_WRITER, RECORD_FAILURE, SECRET, Boxes, DataKeys, Entry, MatchKeys, Password, check_form,
                   check_metadata, open_metadata, read_secret, refused)
from keybag import MOST_ENTRIES, Wrap, read_entry, read_keybag
from keys import Secrets, open_vault
from log import CLEAN, Log, Record, RecordCounter
from records import (Delete, Key, Parsed, Put, Seen, Settings, check_tag, open_match_box, parse,
                     read_settings, revocations)
from snapshot import (GROUP, MOST_ITEMS, NO_GROUP, RUN, GroupSection,
                      Section, bytes_of, damaged, read_directory, read_run)
from values import Dictionary


@dataclass
class Item:
    """A revision of an item; without attributes it is locked, damaged, or of another device."""
    group: bytes
    epoch: int
    protection: int
    entry: Entry
    is_locked: bool
    attributes: Dictionary | None = None
    secret: bytes | None = None

    @property
    def name(self) -> tuple[int, bytes]:
        """What names a revision of an item, in the order of section 8.1."""
        return self.entry.revision, self.entry.salt


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
        text = secrets.application_password
        self.password = None if text is None else Password(text, secrets.least_mem)
        if self.keys.owner_key is not None:
            self.header.check_mac(self.keys.owner_key)
        has_grant = bool(self.keybag.grants) or self.keybag.has_unknown_grant
        self.header.check_signature(has_grant, self.team_key)
        generation = GenerationKeys(self.header, self.keys.structure_key)
        self.snapshot_key = generation.snapshot
        self.directory = read_directory(file, self.header, self.snapshot_key)
        self.keys.open_all()

        self.counter = RecordCounter()
        self.failures: list[Failure] = []
        self.settings: tuple[Settings, Dictionary] | None = None
        self.live: dict[tuple[bytes, bytes], list[Item]] = {}  # by group and id
        self.seen: dict[bytes, dict[bytes, int]] = defaultdict(dict)  # by group, writer
        runs = self.read_runs()
        for _, records in runs:
            self.counter.count(records)
        self.log = Log(file, self.header, generation, self.counter)
        parsed_runs = [(section, self.parsed(records)) for section, records in runs]
        everything = [record for _, records in parsed_runs for record in records]
        everything += self.parsed(self.log.records)
        self.apply_keys([record for record in everything if isinstance(record, Key)])
        for (section, records), (_, parsed) in zip(runs, parsed_runs):
            # [VF-46] The group of a record that cannot be read is not known.
            if section.group != NO_GROUP and len(parsed) < len(records):
                raise damaged("record that cannot be read in the run of a group [VF-46]")
            self.check_groups(section, parsed)
        self.read_groups()
        for record in everything:
            self.apply(record)
        if sum(map(len, self.live.values())) > MOST_ITEMS:
            raise limit("items (section 14)")
        for section in self.directory.sections:
            bytes_of(file, self.header, section)  # [VF-38] also the check of an unknown kind

    @property
    def team_key(self) -> bytes | None:
        """The key that has signed: the one that the holder of a grant pins, else the keybag's."""
        return self.keys.pinned_team_key or self.keybag.team_key

    @property
    def items(self) -> list[Item]:
        """The current revision of each item."""
        return [max(revisions, key=lambda item: item.name)
                for revisions in self.live.values()]

    @property
    def readable(self) -> list[Item]:
        return [item for item in self.items if item.attributes is not None]

    @property
    def locked(self) -> int:
        return sum(item.is_locked for item in self.items)

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

    def read_runs(self) -> list[tuple[Section, list[Record]]]:
        return [(section, read_run(bytes_of(self.file, self.header, section), section,
                                   self.snapshot_key))
                for section in self.directory.of_kind(RUN)]

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
        """[VF-46] Rejects records of a group other than the section's.

        A put whose handle has no key entry may be in the section of any group.
        """
        for record in records:
            group = self.group_of(record)
            if group is None and section.group != NO_GROUP:
                continue
            if group != (section.group, section.epoch):
                raise damaged(f"{record.where}: record of another group [VF-46]")

    def group_of(self, record: Parsed) -> tuple[bytes, int] | None:
        """Returns group and epoch of a record; None for a put whose handle has no key entry."""
        match record:
            case Put():
                data_key = self.keybag.data_keys.get(record.handle)
                return None if data_key is None else (data_key.group, data_key.epoch)
            case Delete() | Seen():
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
                case Seen():
                    self.see_all(record)
                case Settings():
                    self.set(record)
        except Failure as failure:
            self.note(failure)

    def set(self, settings: Settings) -> None:
        values = read_settings(settings, self.vault_id, self.team_key)
        if self.settings is None:
            self.settings = settings, values
            return
        counted, known = self.settings[0], revocations(self.settings[1]) or set()
        new = revocations(values) or set()
        if new > known or (new == known and (counted.revision, counted.body)
                           < (settings.revision, settings.body)):  # [VF-128]
            self.settings = settings, values

    # What was seen, and what is live

    def see(self, group: bytes, writer: bytes, place: int) -> None:
        """Notes the place of a writer, or the floor as that of no writer."""
        self.seen[group][writer] = max(self.seen_of(group, writer), place)

    def seen_of(self, group: bytes, writer: bytes) -> int:
        """Returns the place that was seen of a writer in a group."""
        return max(self.seen[group].get(writer, 0), self.seen[group].get(NO_WRITER, 0))

    def see_all(self, seen: Seen) -> None:
        match_keys = self.match_keys(seen.group, seen.epoch)
        if match_keys is None:
            return
        check_tag(seen, self.vault_id, match_keys)
        for writer, place in seen.places.items():
            self.see(seen.group, writer, place)

    def put(self, put: Put) -> None:
        data_key = self.keybag.data_keys.get(put.handle)
        match_keys = data_key and self.match_keys(data_key.group, data_key.epoch)
        if match_keys is None:
            return  # [VF-63] [VF-68]
        entry = open_match_box(put, self.vault_id, match_keys)
        item = self.item_without_attributes(entry, data_key)
        if not put.is_past:
            self.check_lineage(put, item)
            self.see(item.group, put.writer, put.place)
            self.end(item, put.replaced)
            self.revive(item)
        self.fill(item, put.boxes, match_keys, put.where)

    def check_lineage(self, put: Put, item: Item) -> None:
        """[VF-61]"""
        seen = self.seen_of(item.group, put.writer)
        if put.place <= seen:
            raise refused(f"{put.where}: place is not greater [VF-61]")
        if self.keys.is_open(item.group) and put.previous > seen:
            raise refused(f"{put.where}: previous place was not seen [VF-61]")
        for other in self.live.get((item.group, put.item_id), []):
            if other.entry.salt == put.salt:
                raise refused(f"{put.where}: revision is live already [VF-61]")
            if other.entry.salt == put.replaced and other.entry.revision > put.revision:
                raise refused(f"{put.where}: revision is less [VF-61]")

    def revive(self, item: Item) -> None:
        """Makes a revision live."""
        self.live.setdefault((item.group, item.entry.item_id), []).append(item)

    def end(self, item: Item, salt: bytes) -> None:
        """Ends the live revision with this salt of the item, if there is one."""
        key = item.group, item.entry.item_id
        left = [other for other in self.live.pop(key, []) if other.entry.salt != salt]
        if left:
            self.live[key] = left

    def fill(self, item: Item, boxes: Boxes, match_keys: MatchKeys, where: str) -> None:
        """Adds metadata and secret to an item, if its data key is available. If they are invalid,
        the item is damaged, but counts [VF-59] [VF-107]."""
        keys = self.data_keys(item.entry.handle)
        if keys is None:
            return
        metadata = open_metadata(item.entry, boxes, keys.meta, self.vault_id, f"{where}: metadata")
        attributes = check_metadata(metadata, item.entry, match_keys.digest, where)
        if boxes.secret:
            content = item.entry.open_box(keys.secret, self.vault_id, SECRET, boxes.secret,
                                          f"{where}: secret")
            check_form(content, attributes, where)
            bound = item.entry.associated(self.vault_id, SECRET)
            item.secret = read_secret(content, where, self.password, bound)
        item.attributes = attributes

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
        check_tag(delete, self.vault_id, match_keys)
        for item in self.live.get((delete.group, delete.item_id), []):
            if (item.entry.revision, item.entry.salt, item.epoch) == (delete.revision, delete.salt, delete.epoch):
                self.end(item, delete.salt)

    # Group sections

    def read_groups(self) -> None:
        for section in self.directory.of_kind(GROUP):
            match_keys = self.match_keys(section.group, section.epoch)
            if match_keys is not None:
                data = bytes_of(self.file, self.header, section)
                self.read_group(GroupSection(data, section, self.vault_id, match_keys), match_keys)

    def read_group(self, group: GroupSection, match_keys: MatchKeys) -> None:
        section = group.section
        for handle in group.handles:
            data_key = self.keybag.data_keys.get(handle)
            if data_key is not None and ((data_key.group, data_key.epoch)
                                         != (section.group, section.epoch)):
                raise group.failure("data key of another group [VF-43]")
        for writer, place in group.seen.items():
            self.see(section.group, writer, place)
        dictionaries = [None] + [group.open_dictionary(part, self.data_keys(part.handle))
                                 for part in group.dictionaries]
        for number, listed in enumerate(group.live + group.past):
            data_key = self.keybag.data_keys.get(listed.entry.handle)
            if data_key is None:
                continue  # its items are absent
            item = self.item_without_attributes(listed.entry, data_key)
            if number < len(group.live):
                self.revive(item)
            listed.boxes.dictionary = dictionaries[listed.dictionary]
            try:
                self.fill(item, listed.boxes, match_keys, f"item {listed.entry.item_id.hex()}")
            except Failure as failure:
                self.note(failure)
