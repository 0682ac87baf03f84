"""Opening a vault, and the keys that follow from it: vault-format.md sections 3 and 12.3."""

from dataclasses import dataclass

from failures import NO_MATCH, Failure, limit
from grants import Credential, GrantedGroup, GrantedKey, check_note, open_grant, open_groups, open_recipient
from keybag import (ALWAYS, ALWAYS_KEY, ALWAYS_ON_DEVICE, ARGON2_SLOTS, DATA_KEY, DEVICE_UNLOCK,
                    KEY_FILE, KEYBAG_FAILURE, LONGEST_NAME, MATCH_KEY, NO_DEVICE, PASSPHRASE,
                    PASSPHRASE_AND_KEY_FILE, PREVIOUS_ROOT, RECOVERY, STRUCTURE_KEY, TEAM_KEY,
                    WHEN_UNLOCKED, Device, Entry, GroupName, Keybag, Slot, Wrap, has_owner)
from layout import U16, U32, label, open_box
from sodium import (LEAST_MEM, H, aead_open, argon2id, equal, is_within_limits,
                    public_key_of_seed)

DEVICE_KEY_NEEDED = "device key needed"
NOT_ENOUGH_MEMORY = "not enough memory"
INVALID_SECRET = "invalid secret"  # before a vault is opened

LONGEST_PASSPHRASE, LARGEST_KEY_FILE = 4_096, 1_048_576
MOST_WORK_OF_ALL = 16_777_216


@dataclass
class Secrets:
    """The secrets that a reader is given to open a vault."""
    passphrase: bytes | None = None
    key_file: bytes | None = None
    recovery: bytes | None = None
    device_id: bytes | None = None
    device_key: bytes | None = None
    credential: Credential | None = None  # with no other secret but a device key
    application_password: bytes | None = None
    least_mem: int = LEAST_MEM  # lower only in tests

    def check(self) -> None:
        """Rejects secrets that can open no vault (section 3.1)."""
        if self.passphrase is not None and not 1 <= len(self.passphrase) <= LONGEST_PASSPHRASE:
            raise Failure(INVALID_SECRET, "size of the passphrase")
        if self.key_file is not None and not 32 <= len(self.key_file) <= LARGEST_KEY_FILE:
            raise Failure(INVALID_SECRET, "size of the key file")

    @property
    def has_only_device(self) -> bool:
        return self.passphrase is None and self.key_file is None and self.recovery is None

    def can_try(self, slot: Slot) -> bool:
        """[VF-20]"""
        needed = {PASSPHRASE: (self.passphrase,), KEY_FILE: (self.key_file,),
                  PASSPHRASE_AND_KEY_FILE: (self.passphrase, self.key_file),
                  RECOVERY: (self.recovery,)}
        if slot.type == DEVICE_UNLOCK:
            return self.has_only_device and slot.salt == self.device_id
        return slot.type in needed and None not in needed[slot.type]


def read_recovery_code(text: str) -> bytes:
    """[VF-82] Returns the 20 bytes of a recovery code as a person types it (section 12.3)."""
    alphabet = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
    if not text.isascii():
        raise Failure(INVALID_SECRET, "unknown character")
    text = text.upper().translate(str.maketrans("OIL", "011", " \t-"))
    if any(character not in alphabet for character in text):
        raise Failure(INVALID_SECRET, "unknown character")
    if len(text) != 36:
        raise Failure(INVALID_SECRET, "wrong number of characters")
    bits = 0
    for character in text:
        bits = bits << 5 | alphabet.index(character)
    code = (bits >> 20).to_bytes(20, "big")
    if int.from_bytes(H(16, None, "coffer1.check", code)[:3], "big") >> 4 != bits & 0xFFFFF:
        raise Failure(INVALID_SECRET, "wrong check characters")
    return code


def open_vault(keybag: Keybag, vault_id: bytes, secrets: Secrets) -> "Keys":
    """[VF-36] Opens the first keys: device root, user root, and what the header needs."""
    credential = secrets.credential
    slot = None if credential is None else keybag.recipient(credential.id)
    if credential is not None and slot is None:
        return granted_keys(keybag, vault_id, credential)
    device_root = None
    if secrets.device_id in keybag.devices:
        device_root = open_device(keybag.devices[secrets.device_id], vault_id, secrets.device_key)
    user_root = (open_slots(keybag, vault_id, secrets) if slot is None
                 else open_recipient(slot, vault_id, credential))
    keys = Keys(vault_id, keybag, user_root, device_root, secrets)
    for wrap in keybag.wraps:
        if wrap.type == STRUCTURE_KEY:
            keys.open(wrap)
    if keys.structure_key is None:
        if user_root is not None:
            raise AssertionError("the keybag has a structure key under the user root [VF-29]")
        raise nothing_to_try(keybag, secrets)
    if user_root is None:
        for wrap in keybag.wraps:
            if wrap.type == ALWAYS_KEY:
                keys.open(wrap)
        if keys.always_key is None:
            raise Failure(KEYBAG_FAILURE, "no always key under the device root [VF-37]")
    return keys


def granted_keys(keybag: Keybag, vault_id: bytes, credential: Credential) -> "Keys":
    """[VF-35] Opens the grant of a credential; nothing else opens a key of such a reader."""
    keys = Keys(vault_id, keybag, None, None, Secrets(credential=credential))
    keys.structure_key, keys.granted = open_grant(keybag, vault_id, credential)
    keys.grant_id = credential.id
    keys.pinned_team_key = credential.team_key
    return keys


def open_slots(keybag: Keybag, vault_id: bytes, secrets: Secrets) -> bytes | None:
    """[VF-20] Returns the user root; None if only the device root can open the vault."""
    slots = [slot for slot in keybag.slots if secrets.can_try(slot)]
    if not slots:
        if secrets.has_only_device and secrets.device_id in keybag.devices:
            return None
        raise nothing_to_try(keybag, secrets)
    work = 0
    beyond = None
    for slot in slots:
        if slot.type in ARGON2_SLOTS:
            if (not is_within_limits(slot.ops, slot.mem, secrets.least_mem)
                    or work + slot.ops * slot.mem > MOST_WORK_OF_ALL):
                beyond = limit("Argon2id [VF-18]")
                continue
            work += slot.ops * slot.mem
        user_root = open_slot(slot, vault_id, secrets)
        if user_root is not None:
            return user_root
    raise beyond or Failure(NO_MATCH, "no slot matches [VF-17]")


def nothing_to_try(keybag: Keybag, secrets: Secrets) -> Failure:
    """[VF-26]"""
    devices = [slot.salt for slot in keybag.slots if slot.type == DEVICE_UNLOCK]
    if devices and secrets.device_id not in devices:
        names = ", ".join(device.hex() for device in devices)
        return Failure(DEVICE_KEY_NEEDED, f"devices {names} [VF-26]")
    return Failure(NO_MATCH, "no secret was given that opens a slot [VF-26]")


def open_slot(slot: Slot, vault_id: bytes, secrets: Secrets) -> bytes | None:
    """Returns the user root, or None if the slot does not match (section 3.1)."""
    seed = seed_of(slot, vault_id, secrets)
    start = vault_id + U16(slot.type)
    derived = H(64, seed, "coffer1.slot", start + slot.body[:56])
    if not equal(derived[32:], slot.commitment):  # [VF-17]
        return None
    user_root = aead_open(derived[:32], slot.nonce, start + slot.body[:88], slot.wrapped)
    if user_root is None:
        raise Failure(KEYBAG_FAILURE, "a matching slot does not open [VF-17]")
    return user_root


def seed_of(slot: Slot, vault_id: bytes, secrets: Secrets) -> bytes:
    if slot.type == DEVICE_UNLOCK:
        return H(32, secrets.device_key, "coffer1.unlock", b"")
    if slot.type == RECOVERY:
        return H(32, None, "coffer1.code", secrets.recovery)
    if slot.type == KEY_FILE:
        return H(32, None, "coffer1.keyfile", secrets.key_file)
    seed = argon2id(secrets.passphrase, slot.salt, slot.ops, slot.mem)
    if seed is None:
        raise Failure(NOT_ENOUGH_MEMORY, f"Argon2id needs {slot.mem} KiB [VF-18]")
    if slot.type == PASSPHRASE_AND_KEY_FILE:
        return H(32, seed, "coffer1.keyfile", secrets.key_file)
    return seed


def open_device(device: Device, vault_id: bytes, device_key: bytes) -> bytes:
    """Returns the device root (section 3.2)."""
    derived = H(64, device_key, "coffer1.device", vault_id + device.id)
    if not equal(derived[32:], device.commitment):
        raise Failure(NO_MATCH, "the vault knows this device with another key [VF-25]")
    return derived[:32]


class Keys:
    """The available keys."""

    def __init__(self, vault_id: bytes, keybag: Keybag, user_root: bytes | None,
                 device_root: bytes | None, secrets: Secrets):
        self.vault_id = vault_id
        self.keybag = keybag
        self.user_root = user_root
        self.user_roots: dict[int, bytes] = {}  # by epoch, including earlier ones
        if user_root is not None:
            self.user_roots[self.current_epoch] = user_root
        self.device_id = secrets.device_id
        self.device_key = secrets.device_key
        self.device_root = device_root
        self.structure_key: bytes | None = None
        self.grant_id: bytes | None = None  # of the grant that opened the vault
        self.always_key: bytes | None = None  # the class key of class 8 without the user root
        self.granted: list[GrantedGroup] = []
        self.pinned_team_key: bytes | None = None  # of the holder of a grant
        # Match keys that were not derived: from entries of type 18, or from a grant
        self.other_match_keys: dict[tuple[bytes, int], bytes] = {}
        self.match_keys: dict[tuple[bytes, int], bytes] = {}  # by group, epoch; with a name
        self.data_keys: dict[bytes, bytes] = {}  # by handle
        self.names: dict[tuple[bytes, int], str] = {}  # by group, epoch
        self.groups_of_names: dict[str, bytes] = {}

    @property
    def current_epoch(self) -> int:
        epoch = self.keybag.current_epoch
        assert epoch is not None, "what has opened the vault has an epoch"
        return epoch

    @property
    def owner_key(self) -> bytes | None:
        """K_owner of section 3.3, which the holder of a grant lacks."""
        if self.pinned_team_key is not None:
            return None
        class_key = self.class_key(ALWAYS, NO_DEVICE, self.current_epoch)
        return H(32, class_key, "coffer1.owner", b"")

    def not_open(self) -> list[Wrap | GroupName]:
        """Returns the entries that have not been opened, in an order in which they can be."""
        order = PREVIOUS_ROOT, ALWAYS_KEY, MATCH_KEY, DATA_KEY, TEAM_KEY, STRUCTURE_KEY
        wraps = sorted(self.keybag.wraps, key=lambda wrap: order.index(wrap.type))
        return [entry for entry in wraps + self.keybag.names if not entry.is_open]

    def open_all(self) -> None:
        """Opens the other keys of the keybag [VF-36]."""
        for granted in self.granted:
            self.take_group(granted)
        for granted in self.granted:
            for data_key in granted.data_keys:
                self.take_data_key(granted, data_key)
        for entry in self.not_open():
            self.open_entry(entry)
        for grant in self.keybag.grants:
            groups = open_groups(grant, self.vault_id, self.structure_key)
            if self.user_root is not None:
                check_note(grant, self.vault_id, self.user_root)
            if grant.id == self.grant_id and groups != [*dict.fromkeys(
                    granted.group for granted in self.granted)]:
                raise Failure(KEYBAG_FAILURE, "a grant is for other groups [VF-35]")

    def open_entry(self, entry: Entry) -> None:
        """Opens an entry if the keys that it needs are available."""
        if isinstance(entry, Wrap):
            self.open(entry)
        elif isinstance(entry, GroupName):
            self.open_name(entry)
        elif isinstance(entry, Device) and entry.id == self.device_id:
            self.device_root = open_device(entry, self.vault_id, self.device_key)

    def class_key(self, protection: int, owner: bytes, epoch: int) -> bytes | None:
        """Returns a class key (section 3.3), or None if it is not available."""
        user_root = self.user_roots.get(epoch)
        device_root = self.device_root if owner == self.device_id else None
        if protection == ALWAYS_ON_DEVICE:
            root = device_root
        elif not has_owner(protection):
            root = user_root
        elif user_root is None or device_root is None:
            root = None
        else:
            root = H(32, user_root, "coffer1.both", self.vault_id + owner + device_root)
        if root is None:
            is_always = protection == ALWAYS and epoch == self.keybag.current_epoch
            return self.always_key if is_always else None
        return H(32, root, "coffer1.class",
                 self.vault_id + bytes([protection]) + owner + U32(epoch))

    def derived_match_key(self, group: bytes, epoch: int) -> bytes | None:
        """Returns a match key (section 3.4), or None without the user root that it is from."""
        epochs = [other for other in self.user_roots if other <= epoch]
        if not epochs:
            return None
        return H(32, self.group_root(max(epochs)), "coffer1.group", self.vault_id + group + U32(epoch))

    def group_root(self, epoch: int) -> bytes:
        return H(32, self.class_key(WHEN_UNLOCKED, NO_DEVICE, epoch), "coffer1.groups", b"")

    def derived_key(self, wrap: Wrap) -> bytes | None:
        """[VF-96] Returns the key that an entry must hold, if it follows from the user root."""
        if self.user_root is not None and wrap.type == ALWAYS_KEY:
            return self.class_key(ALWAYS, NO_DEVICE, wrap.epoch)
        if wrap.type == MATCH_KEY:
            return self.derived_match_key(wrap.group, wrap.epoch)
        return None

    def wrapping_key(self, wrap: Wrap) -> bytes | None:
        """Returns W of section 3.3, or None if it is not available."""
        if wrap.type == DATA_KEY:
            return self.class_key(wrap.protection, wrap.device, wrap.class_epoch)
        if wrap.device == NO_DEVICE:
            return self.user_root
        return self.device_root if wrap.device == self.device_id else None

    def commitment(self, wrap: Wrap, key: bytes) -> bytes:
        return H(32, key, "coffer1.commit",
                 self.vault_id + U16(wrap.type) + wrap.commitment_input)

    def open(self, wrap: Wrap) -> None:
        """[VF-27] Opens a wrapped key if its wrapping key is available."""
        where = f"wrapped key of type {wrap.type}"
        derived = self.derived_key(wrap)
        if derived is not None and not equal(self.commitment(wrap, derived), wrap.commitment):
            raise Failure(KEYBAG_FAILURE, f"{where} is not the derived key [VF-96]")
        wrapping_key = self.wrapping_key(wrap)
        if wrapping_key is None:
            return
        key = aead_open(H(32, wrapping_key, "coffer1.wrap", self.vault_id), wrap.nonce,
                        self.vault_id + U16(wrap.type) + wrap.fields + wrap.commitment,
                        wrap.wrapped)
        if key is None:
            raise Failure(KEYBAG_FAILURE, f"{where} does not open [VF-27]")
        if not equal(self.commitment(wrap, key), wrap.commitment):
            raise Failure(KEYBAG_FAILURE, f"wrong commitment of {where} [VF-27]")
        wrap.is_open = True
        if wrap.type == STRUCTURE_KEY:
            self.structure_key = key
        elif wrap.type == ALWAYS_KEY:
            self.always_key = key
        elif wrap.type == MATCH_KEY:
            self.other_match_keys[wrap.group, wrap.epoch] = key
        elif wrap.type == DATA_KEY:
            self.data_keys[wrap.handle] = key
        elif wrap.type == PREVIOUS_ROOT:
            self.user_roots.setdefault(wrap.epoch, key)
        elif wrap.type == TEAM_KEY and public_key_of_seed(key) != wrap.fields:
            raise Failure(KEYBAG_FAILURE, "wrong public half of the team key [VF-30]")

    def take_group(self, granted: GrantedGroup) -> None:
        """[VF-35] Takes the match key of a group from a grant."""
        entry = self.keybag.name_of(granted.group, granted.epoch)
        if entry is None:
            raise Failure(KEYBAG_FAILURE, "granted group without a name [VF-35]")
        if self.name_in(entry, granted.match_key).encode("utf-8") != granted.name:
            raise Failure(KEYBAG_FAILURE, "group name is not the one in the grant [VF-31]")
        self.other_match_keys[granted.group, granted.epoch] = granted.match_key

    def take_data_key(self, granted: GrantedGroup, data_key: GrantedKey) -> None:
        """[VF-35] Takes a data key from a grant, if the keybag has an entry for it."""
        entry = self.keybag.data_keys.get(data_key.handle)
        if entry is None:
            return
        if ((entry.group, entry.epoch, entry.protection, entry.device)
                != (granted.group, granted.epoch, data_key.protection, data_key.device)
                or not equal(self.commitment(entry, data_key.key), entry.commitment)):
            raise Failure(KEYBAG_FAILURE, "granted data key is not that of its entry [VF-35]")
        self.data_keys[entry.handle] = data_key.key
        entry.is_open = True

    def open_name(self, entry: GroupName) -> None:
        """Opens a group name, and with it the group (section 3.4)."""
        match_key = (self.derived_match_key(entry.group, entry.epoch)
                     or self.other_match_keys.get((entry.group, entry.epoch)))
        if match_key is None:
            return
        text = self.name_in(entry, match_key)
        if self.groups_of_names.setdefault(text, entry.group) != entry.group:
            raise Failure(KEYBAG_FAILURE, "two groups with the same name [VF-32]")
        self.names[entry.group, entry.epoch] = text
        self.match_keys[entry.group, entry.epoch] = match_key
        entry.is_open = True

    def name_in(self, entry: GroupName, match_key: bytes) -> str:
        """[VF-31] Returns the name in an entry."""
        place = self.vault_id + entry.group + U32(entry.epoch)
        name = open_box(H(32, match_key, "coffer1.name", b""), label("coffer1.name") + place,
                        entry.box, KEYBAG_FAILURE, "group name")
        if len(name) > LONGEST_NAME:
            raise limit("group name [VF-31]")
        try:
            text = name.decode("utf-8")
        except UnicodeDecodeError:
            raise Failure(KEYBAG_FAILURE, "group name is not UTF-8 [VF-31]") from None
        if not text:
            raise Failure(KEYBAG_FAILURE, "group name is empty [VF-31]")
        if self.user_root is not None:
            root = self.group_root(self.current_epoch)
            if not equal(H(32, root, "coffer1.name", place + name), entry.tag):
                raise Failure(KEYBAG_FAILURE, "wrong tag of a group name [VF-31]")
        return text

    def is_open(self, group: bytes) -> bool:
        """Whether the match keys of all epochs of a group are available."""
        return all(name.is_open for name in self.keybag.names if name.group == group)

    def is_elsewhere(self, handle: bytes) -> bool:
        """Whether items of a data key are absent: without an entry, or of another device."""
        entry = self.keybag.data_keys.get(handle)
        return entry is None or has_owner(entry.protection) and (
            entry.device != self.device_id or self.device_root is None)
