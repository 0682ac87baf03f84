"""What a credential opens, recipient slots and grants: vault-format.md sections 3.1 and 3.5."""

import time
from dataclasses import dataclass

from failures import NO_MATCH, Failure
from keybag import (CLASSES, KEYBAG_FAILURE, LONGEST_NAME, NO_DEVICE, RECIPIENT, SIGNATURE, Grant,
                    Keybag, Slot, has_owner)
from layout import U16, Fields, label, open_box, pad
from sodium import H, equal, open_sealed, public_key_of_secret, verifies

GRANT_EXPIRED = "grant expired"
ROOT = 32  # the size of user roots and structure keys


@dataclass
class Credential:
    """The values of a credential (section 12.2)."""
    vault_id: bytes
    team_key: bytes
    id: bytes  # of a grant or of a recipient slot
    secret: bytes


@dataclass
class GrantedKey:
    """A data key in the payload of a grant."""
    handle: bytes
    protection: int
    device: bytes
    key: bytes


@dataclass
class GrantedGroup:
    """A group in the payload of a grant."""
    group: bytes
    epoch: int
    name: bytes
    match_key: bytes
    data_keys: list[GrantedKey]


def open_recipient(slot: Slot, vault_id: bytes, credential: Credential) -> bytes:
    """[VF-123] Returns the user root in the recipient slot of a credential."""
    public_key, signature = slot.body[32:64], slot.body[176:]
    start = vault_id + U16(RECIPIENT)
    signed = label("coffer1.slot") + start + slot.body[:176]
    if (vault_id != credential.vault_id or public_key != public_key_of_secret(credential.secret)
            or not verifies(signature, signed, credential.team_key)):
        raise Failure(NO_MATCH, "recipient slot is not that of the credential [VF-123]")
    root = open_sealed(credential.secret, public_key, slot.body[96:176])
    if root is None or not equal(H(32, root, "coffer1.commit", start + slot.body[:64]),
                                 slot.body[64:96]):
        raise Failure(KEYBAG_FAILURE, "recipient slot does not open [VF-101]")
    return root


def open_grant(keybag: Keybag, vault_id: bytes,
               credential: Credential) -> tuple[bytes, list[GrantedGroup]]:
    """[VF-34] Returns structure key and groups in the grant of a credential."""
    grant = next((grant for grant in keybag.grants if grant.id == credential.id), None)
    if grant is None or vault_id != credential.vault_id:
        raise Failure(NO_MATCH, "no grant of the credential [VF-34]")
    signed = label("coffer1.grant") + vault_id + grant.body[:-SIGNATURE]
    if not verifies(grant.signature, signed, credential.team_key):
        raise Failure(NO_MATCH, "invalid signature of the grant [VF-34]")
    if grant.public_key != public_key_of_secret(credential.secret):
        raise Failure(NO_MATCH, "the grant is for another recipient [VF-34]")
    payload = open_sealed(credential.secret, grant.public_key, grant.sealed)
    if payload is None or len(payload) < ROOT:
        raise Failure(NO_MATCH, "the grant does not open [VF-34]")
    if not equal(H(32, payload[:ROOT], "coffer1.grant", vault_id + grant.body[:56] + payload),
                 grant.commitment):
        raise Failure(NO_MATCH, "wrong commitment of the grant [VF-34]")
    if grant.expiry and grant.expiry * 60 <= time.time():
        raise Failure(GRANT_EXPIRED, "the grant of the credential [VF-125]")
    return payload[:ROOT], read_payload(payload)


def read_payload(payload: bytes) -> list[GrantedGroup]:
    """[VF-35] Returns the groups in the payload of a grant."""
    fields = Fields(payload, KEYBAG_FAILURE, "grant")
    fields.take(ROOT + 4)  # structure key and its epoch
    groups = [read_group(fields) for _ in range(fields.u32())]
    if pad(fields.place) != len(payload):
        raise fields.failure("size of the payload [VF-35]")
    fields.zero(fields.left)
    names = [(group.group, group.epoch) for group in groups]
    handles = [key.handle for group in groups for key in group.data_keys]
    if len(set(names)) != len(names) or len(set(handles)) != len(handles):
        raise fields.failure("group or key handle occurs twice [VF-35]")
    return groups


def read_group(fields: Fields) -> GrantedGroup:
    return GrantedGroup(fields.take(8), fields.u32(), fields.take(fields.u32()), fields.take(32),
                        [read_data_key(fields) for _ in range(fields.u32())])


def read_data_key(fields: Fields) -> GrantedKey:
    handle, protection = fields.take(8), fields.u8()
    fields.zero(3)
    device = fields.take(16)
    if protection not in CLASSES or has_owner(protection) != (device != NO_DEVICE):
        raise fields.failure("class or device of a granted key [VF-28]")
    return GrantedKey(handle, protection, device, fields.take(32))


def check_note(grant: Grant, vault_id: bytes, user_root: bytes) -> None:
    """[VF-124] Checks the note for owners."""
    name = open_part(grant, "coffer1.note", grant.note, user_root, vault_id)
    if not 1 <= len(name) <= LONGEST_NAME:
        raise Failure(KEYBAG_FAILURE, "size of the name of a grant [VF-124]")
    try:
        name.decode("utf-8")
    except UnicodeDecodeError:
        raise Failure(KEYBAG_FAILURE, "name of a grant is not UTF-8 [VF-124]") from None


def open_groups(grant: Grant, vault_id: bytes, structure_key: bytes) -> list[bytes]:
    """[VF-136] Returns the ids of the groups of a grant."""
    content = open_part(grant, "coffer1.granted", grant.groups, structure_key, vault_id)
    ids = [content[place:place + 8] for place in range(0, len(content), 8)]
    if len(content) % 8 or len(set(ids)) != len(ids):
        raise Failure(KEYBAG_FAILURE, "groups of a grant [VF-136]")
    return ids


def open_part(grant: Grant, name: str, box: bytes, key: bytes, vault_id: bytes) -> bytes:
    return open_box(H(32, key, name, vault_id), label(name) + vault_id + grant.body[:56], box,
                    KEYBAG_FAILURE, "part of a grant")
