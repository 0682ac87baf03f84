"""The keybag and its entries: vault-format.md section 3."""

from dataclasses import dataclass, field

from failures import Failure, limit
from header import HEADER, UNSUPPORTED, Header
from layout import UNIT, Fields, pad
from sodium import SEALED_BOX, H

KEYBAG_FAILURE = "keybag failure"

PASSPHRASE, KEY_FILE, PASSPHRASE_AND_KEY_FILE, RECOVERY, RECIPIENT, DEVICE_UNLOCK = range(1, 7)
DEVICE = 7
STRUCTURE_KEY, ALWAYS_KEY, MATCH_KEY, GROUP_NAME, DATA_KEY, TEAM_KEY, PREVIOUS_ROOT = range(16, 23)
GRANT = 32

UNKNOWN_SLOTS, UNKNOWN_GRANTS = range(8, 16), range(33, 48)

SLOTS = range(PASSPHRASE, DEVICE_UNLOCK + 1)
ARGON2_SLOTS = (PASSPHRASE, PASSPHRASE_AND_KEY_FILE)
LENGTHS = {PASSPHRASE: 160, KEY_FILE: 160, PASSPHRASE_AND_KEY_FILE: 160, RECOVERY: 160,
           RECIPIENT: 240, DEVICE_UNLOCK: 160, DEVICE: 64, STRUCTURE_KEY: 128, ALWAYS_KEY: 128,
           MATCH_KEY: 136, DATA_KEY: 148, TEAM_KEY: 136, PREVIOUS_ROOT: 112}
VARIABLE_LENGTH = (GROUP_NAME, GRANT)

CLASSES = range(6, 13)
WHEN_UNLOCKED, ALWAYS, ALWAYS_ON_DEVICE, WITH_PASSPHRASE = 6, 8, 11, 12

MOST_ENTRIES = 8_192
MOST_SLOTS = 32
MOST_ARGON2_SLOTS = 8
LARGEST_GRANT = 65_536
LARGEST_NOTE = 16_384
LONGEST_NAME = 1_024
SIGNATURE = 64
NO_DEVICE = bytes(16)


def has_owner(protection: int) -> bool:
    """Whether items of this class belong to one device."""
    return 9 <= protection <= 12


@dataclass
class Slot:
    type: int
    body: bytes
    id: bytes
    epoch: int
    ops: int = 0
    mem: int = 0
    salt: bytes = b""
    commitment: bytes = b""
    nonce: bytes = b""
    wrapped: bytes = b""

    @property
    def unique(self) -> tuple:
        return "slot", self.id


@dataclass
class Device:
    id: bytes
    commitment: bytes
    is_recorded: bool = False

    @property
    def unique(self) -> tuple:
        return DEVICE, self.id


@dataclass
class Wrap:
    """A wrapped key (section 3.3)."""
    type: int
    fields: bytes
    unique: tuple
    commitment_input: bytes
    protection: int = 0
    group: bytes = b""
    epoch: int = 0
    device: bytes = NO_DEVICE
    handle: bytes = b""
    class_epoch: int = 0
    commitment: bytes = b""
    nonce: bytes = b""
    wrapped: bytes = b""
    is_recorded: bool = False  # in the log rather than in the keybag
    is_open: bool = False


@dataclass
class GroupName:
    group: bytes
    epoch: int
    tag: bytes
    box: bytes
    is_recorded: bool = False
    is_open: bool = False

    @property
    def unique(self) -> tuple:
        return GROUP_NAME, self.group, self.epoch


@dataclass
class Grant:
    """A grant (section 3.5)."""
    body: bytes
    id: bytes
    public_key: bytes
    commitment: bytes
    expiry: int  # minutes since 1970; 0 for none
    sealed: bytes
    groups: bytes
    note: bytes
    signature: bytes

    @property
    def unique(self) -> tuple:
        return GRANT, self.id


@dataclass
class UnknownWay:
    """A slot or grant of an unknown kind (section 3.6)."""
    id: bytes
    epoch: int | None  # None in a grant

    @property
    def unique(self) -> tuple:
        return GRANT if self.epoch is None else "slot", self.id


Entry = Slot | Device | Wrap | GroupName | Grant | UnknownWay


@dataclass
class RawEntry:
    type: int
    flags: int
    body: bytes

    @property
    def is_known(self) -> bool:
        return self.type in LENGTHS or self.type in VARIABLE_LENGTH

    @property
    def is_unknown_way(self) -> bool:
        return self.type in UNKNOWN_SLOTS or self.type in UNKNOWN_GRANTS


def read_raw_entry(fields: Fields) -> RawEntry:
    entry_type, flags = fields.u16(), fields.u16()
    entry = RawEntry(entry_type, flags, fields.take(fields.u32()))
    if flags & ~1 or entry.is_known and flags:
        raise fields.failure("flags of an entry")
    return entry


def read_entry(raw: RawEntry) -> Entry:
    """Reads an entry of a known type or way, with the checks that need no other entry."""
    fields = Fields(raw.body, KEYBAG_FAILURE, f"keybag entry of type {raw.type}")
    if len(raw.body) != LENGTHS.get(raw.type, len(raw.body)):
        raise fields.failure("length [VF-15]")
    if raw.is_unknown_way:
        way_id = fields.take(16)
        fields.take(8)  # time
        return UnknownWay(way_id, fields.u32() if raw.type in UNKNOWN_SLOTS else None)
    if raw.type == RECIPIENT:
        return read_recipient(fields)
    if raw.type in SLOTS:
        return read_slot(raw.type, fields)
    if raw.type == DEVICE:
        device_id = fields.take(16)
        fields.take(8)  # time
        fields.zero(8)
        return Device(device_id, fields.take(32))
    if raw.type == GROUP_NAME:
        return read_group_name(fields)
    if raw.type == GRANT:
        return read_grant(fields)
    wrap = READ_WRAP[raw.type](fields)
    wrap.fields = raw.body[:fields.place]
    wrap.commitment, wrap.nonce, wrap.wrapped = fields.take(32), fields.take(24), fields.take(48)
    return wrap


def read_slot(slot_type: int, fields: Fields) -> Slot:
    slot_id = fields.take(16)
    fields.take(8)  # time
    epoch = fields.u32()
    has_argon2 = slot_type in ARGON2_SLOTS
    if fields.u8() != (2 if has_argon2 else 0):
        raise Failure(UNSUPPORTED, "algorithm of a slot [VF-19]")
    fields.zero(3)
    ops, mem = fields.u32(), fields.u32()
    if (ops or mem) and not has_argon2:
        raise fields.failure("ops or mem [VF-19]")
    return Slot(slot_type, fields.data, slot_id, epoch, ops, mem, fields.take(16),
                fields.take(32), fields.take(24), fields.take(48))


def read_recipient(fields: Fields) -> Slot:
    slot_id = fields.take(16)
    fields.take(8)  # time
    epoch = fields.u32()
    fields.zero(4)
    return Slot(RECIPIENT, fields.data, slot_id, epoch)


def read_group_name(fields: Fields) -> GroupName:
    group, epoch = fields.take(8), fields.u32()
    fields.zero(4)
    if not any(group):
        raise fields.failure("group id is zero [VF-31]")
    name = GroupName(group, epoch, fields.take(32), fields.rest())
    if not name.box or len(name.box) % UNIT:
        raise fields.failure("length [VF-15]")
    if len(name.box) > pad(44 + LONGEST_NAME):
        raise limit("group name [VF-31]")
    return name


def read_grant(fields: Fields) -> Grant:
    grant_id = fields.take(16)
    fields.take(8)  # time
    public_key, commitment = fields.take(32), fields.take(32)
    size, expiry, groups_size = fields.u32(), fields.u32(), fields.u32()
    note_size = fields.left - size - groups_size - SIGNATURE
    boxes = groups_size, note_size
    if size < SEALED_BOX or any(box < UNIT or box % UNIT for box in boxes):
        raise fields.failure("length [VF-15]")
    if size > LARGEST_GRANT + SEALED_BOX or max(boxes) > LARGEST_NOTE:
        raise limit("payload, groups or note of a grant (section 14)")
    return Grant(fields.data, grant_id, public_key, commitment, expiry, fields.take(size),
                 fields.take(groups_size), fields.take(note_size), fields.rest())


def read_device(fields: Fields, takes_part: bool = True) -> bytes:
    device = fields.take(16)
    if (device != NO_DEVICE) != takes_part:
        raise fields.failure("invalid device id [VF-28]")
    return device


def read_structure_key(fields: Fields) -> Wrap:
    root = fields.u8()
    if root not in (1, 2):
        raise fields.failure("invalid root [VF-28]")
    fields.zero(3)
    epoch = fields.u32()
    device = read_device(fields, root == 2)
    return Wrap(STRUCTURE_KEY, b"", (STRUCTURE_KEY, device), fields.data[4:8], epoch=epoch,
                device=device)


def read_always_key(fields: Fields) -> Wrap:
    epoch = fields.u32()
    fields.zero(4)
    device = read_device(fields)
    return Wrap(ALWAYS_KEY, b"", (ALWAYS_KEY, device), fields.data[:4], epoch=epoch,
                device=device)


def read_match_key(fields: Fields) -> Wrap:
    group, epoch = fields.take(8), fields.u32()
    fields.zero(4)
    device = read_device(fields)
    return Wrap(MATCH_KEY, b"", (MATCH_KEY, group, epoch, device), fields.data[:12],
                group=group, epoch=epoch, device=device)


def read_data_key(fields: Fields) -> Wrap:
    handle, group, epoch = fields.take(8), fields.take(8), fields.u32()
    protection = fields.u8()
    if protection not in CLASSES:
        raise fields.failure("invalid class [VF-28]")
    fields.zero(3)
    device = read_device(fields, has_owner(protection))
    class_epoch = fields.u32()
    return Wrap(DATA_KEY, b"", (DATA_KEY, handle), fields.data[:fields.place], handle=handle,
                group=group, epoch=epoch, protection=protection, device=device,
                class_epoch=class_epoch)


def read_team_key(fields: Fields) -> Wrap:
    return Wrap(TEAM_KEY, b"", (TEAM_KEY,), fields.take(32))


def read_previous_root(fields: Fields) -> Wrap:
    epoch = fields.u32()
    fields.zero(4)
    return Wrap(PREVIOUS_ROOT, b"", (PREVIOUS_ROOT, epoch), fields.data[:4], epoch=epoch)


READ_WRAP = {STRUCTURE_KEY: read_structure_key, ALWAYS_KEY: read_always_key,
             MATCH_KEY: read_match_key, DATA_KEY: read_data_key, TEAM_KEY: read_team_key,
             PREVIOUS_ROOT: read_previous_root}


@dataclass
class Keybag:
    number_of_entries: int = 0
    slots: list[Slot] = field(default_factory=list)
    devices: dict[bytes, Device] = field(default_factory=dict)
    wraps: list[Wrap] = field(default_factory=list)
    names: list[GroupName] = field(default_factory=list)
    data_keys: dict[bytes, Wrap] = field(default_factory=dict)
    grants: list[Grant] = field(default_factory=list)
    has_unknown_grant: bool = False
    team_key: bytes | None = None
    unique: set[tuple] = field(default_factory=set)
    commitments: dict[tuple[int, bytes], bytes] = field(default_factory=dict)
    structure_epochs: set[int] = field(default_factory=set)
    root_epochs: set[int] = field(default_factory=set)  # of the user root

    @property
    def has_passphrase(self) -> bool:
        return any(slot.type in ARGON2_SLOTS for slot in self.slots)

    def recipient(self, slot_id: bytes) -> Slot | None:
        """Returns the recipient slot with this id."""
        return next((slot for slot in self.slots
                     if slot.type == RECIPIENT and slot.id == slot_id), None)

    def name_of(self, group: bytes, epoch: int) -> GroupName | None:
        return next((name for name in self.names if (name.group, name.epoch) == (group, epoch)),
                    None)

    def check_new(self, entry: Entry) -> None:
        """[VF-16] Rejects an entry that contradicts an earlier one."""
        if entry.unique in self.unique:
            raise Failure(KEYBAG_FAILURE, "entry is not unique [VF-16]")
        if isinstance(entry, Wrap):
            committed = self.commitments.get((entry.type, entry.commitment_input))
            if committed not in (None, entry.commitment):
                raise Failure(KEYBAG_FAILURE, "two commitments to one key [VF-16]")

    def add(self, entry: Entry) -> None:
        if isinstance(entry, Wrap):
            self.commitments[entry.type, entry.commitment_input] = entry.commitment
            self.wraps.append(entry)
            if entry.type == DATA_KEY:
                self.data_keys[entry.handle] = entry
            elif entry.type == ALWAYS_KEY:
                self.root_epochs.add(entry.epoch)
            elif entry.type == STRUCTURE_KEY:
                self.structure_epochs.add(entry.epoch)
            elif entry.type == TEAM_KEY:
                self.team_key = entry.fields
        elif isinstance(entry, Slot):
            self.slots.append(entry)
            self.root_epochs.add(entry.epoch)
        elif isinstance(entry, Device):
            self.devices[entry.id] = entry
        elif isinstance(entry, GroupName):
            self.names.append(entry)
        elif isinstance(entry, Grant):
            self.grants.append(entry)
        elif isinstance(entry, UnknownWay):
            if entry.epoch is None:
                self.has_unknown_grant = True
            else:
                self.root_epochs.add(entry.epoch)
        self.unique.add(entry.unique)
        self.number_of_entries += 1

    def remove(self, wrap: Wrap) -> None:
        """Removes a key record that does not open."""
        self.wraps.remove(wrap)
        self.data_keys.pop(wrap.handle, None)

    def check_beside(self, entry: Entry) -> None:
        """Checks the other entries that an entry requires."""
        if not isinstance(entry, Wrap):
            return
        wrap = entry
        if wrap.type == STRUCTURE_KEY and len(self.structure_epochs | {wrap.epoch}) > 1:
            raise Failure(KEYBAG_FAILURE, "structure keys of different epochs [VF-24]")
        if wrap.type == ALWAYS_KEY and len(self.root_epochs | {wrap.epoch}) > 1:
            raise Failure(KEYBAG_FAILURE, "always key of another epoch [VF-24]")
        if (wrap.type in (MATCH_KEY, DATA_KEY)
                and (GROUP_NAME, wrap.group, wrap.epoch) not in self.unique):
            raise Failure(KEYBAG_FAILURE, "key of a group without a name [VF-29]")
        if wrap.protection == WITH_PASSPHRASE and not self.has_passphrase:
            raise Failure(KEYBAG_FAILURE, "class 12 without a passphrase [VF-29]")

    @property
    def current_epoch(self) -> int | None:
        """[VF-24] That of all slots and always keys; None without any."""
        return next(iter(self.root_epochs), None)

    def check_all(self) -> None:
        if (STRUCTURE_KEY, NO_DEVICE) not in self.unique:
            raise Failure(KEYBAG_FAILURE, "no structure key under the user root [VF-29]")
        for kind, *names in self.unique:
            if (kind == STRUCTURE_KEY and names != [NO_DEVICE]
                    and (ALWAYS_KEY, *names) not in self.unique):
                raise Failure(KEYBAG_FAILURE, "structure key without an always key [VF-29]")
        if len(self.root_epochs) > 1:
            raise Failure(KEYBAG_FAILURE, "slots or always keys of different epochs [VF-24]")
        if self.has_passphrase and any(slot.type == DEVICE_UNLOCK for slot in self.slots):
            raise Failure(KEYBAG_FAILURE, "device slot in a vault with a passphrase [VF-22]")
        for wrap in self.wraps:
            self.check_beside(wrap)
            if (wrap.type == PREVIOUS_ROOT and self.current_epoch is not None
                    and wrap.epoch >= self.current_epoch):
                raise Failure(KEYBAG_FAILURE, "previous root is not of an earlier epoch [VF-24]")


def read_keybag(file: bytes, header: Header) -> Keybag:
    data = file[HEADER:header.keybag_end]
    if H(32, None, "coffer1.file", data) != header.keybag_hash:
        raise Failure(KEYBAG_FAILURE, "wrong hash [VF-13]")
    fields = Fields(data, KEYBAG_FAILURE, "keybag")
    number = fields.u32()
    fields.zero(4)
    if number > MOST_ENTRIES:
        raise limit("keybag entries [VF-14]")
    entries = [read_raw_entry(fields) for _ in range(number)]
    if fields.left >= UNIT:
        raise fields.failure("bytes after the last entry [VF-15]")
    fields.zero(fields.left)

    for entry in entries:
        if not entry.is_known and entry.flags & 1:
            raise Failure(UNSUPPORTED, f"critical entry of type {entry.type} [VF-16]")
    types = [entry.type for entry in entries]
    slots = sum(entry_type in SLOTS or entry_type in UNKNOWN_SLOTS for entry_type in types)
    if (slots > MOST_SLOTS
            or sum(entry_type in ARGON2_SLOTS for entry_type in types) > MOST_ARGON2_SLOTS):
        raise limit("slots [VF-14]")

    keybag = Keybag()
    for known in [read_entry(entry) for entry in entries if entry.is_known or entry.is_unknown_way]:
        keybag.check_new(known)
        keybag.add(known)
    keybag.number_of_entries = number
    keybag.check_all()
    return keybag
