"""The header: vault-format.md section 2.1."""

from dataclasses import dataclass

from failures import Failure, limit
from layout import UNIT, U64, Fields, label
from sodium import H, equal, verifies

MAGIC = b"\x89COF\r\n\x1a\n"
HEADER = 320
DRAFT, DRAFT_FEATURE = 5, 1 << 31
NOT_A_VAULT = "not a vault"
UNSUPPORTED = "unsupported"
HEADER_FAILURE = "header failure"

LARGEST_FILE = 4_294_967_296
LARGEST_KEYBAG = 1_048_576
LARGEST_DIRECTORY = 16_777_216


@dataclass
class Header:
    data: bytes
    vault_id: bytes
    generation: int
    read_only_features: int
    salt: bytes
    keybag_length: int
    directory_length: int
    snapshot_length: int
    base: int
    previous_chain: bytes
    keybag_hash: bytes
    directory_hash: bytes
    mac: bytes
    signature: bytes

    @property
    def keybag_end(self) -> int:
        return HEADER + self.keybag_length

    @property
    def snapshot_end(self) -> int:
        return self.keybag_end + self.snapshot_length

    def check_mac(self, owner_key: bytes) -> None:
        """[VF-37]"""
        if not equal(H(32, owner_key, "coffer1.header", self.data[:224]), self.mac):
            raise Failure(HEADER_FAILURE, "wrong header MAC [VF-37]")

    def check_signature(self, has_grant: bool, team_key: bytes | None) -> None:
        """[VF-97]"""
        if not has_grant:
            if any(self.signature):
                raise Failure(HEADER_FAILURE, "header signature without a grant [VF-97]")
        elif team_key is None or not verifies(self.signature,
                                              label("coffer1.header") + self.data[:256], team_key):
            raise Failure(HEADER_FAILURE, "invalid header signature [VF-97]")


def read_header(file: bytes) -> Header:
    """Reads the header, with the checks that need no key in the order of section 2.1."""
    if file[:8] != MAGIC:
        raise Failure(NOT_A_VAULT, "wrong magic [VF-6]")
    if len(file) < 10:
        raise Failure(HEADER_FAILURE, "truncated in the version [VF-7]")
    if int.from_bytes(file[8:10], "little") != 1:
        raise Failure(UNSUPPORTED, "unsupported major version [VF-7]")
    if len(file) < HEADER or H(32, None, "coffer1.file", file[:192]) != file[192:224]:
        raise Failure(HEADER_FAILURE, "wrong header hash [VF-8]")

    fields = Fields(file[:HEADER], HEADER_FAILURE, "header")
    fields.take(10)  # magic and version
    draft = fields.u16()
    header_length = fields.u32()
    vault_id = fields.take(16)
    generation = fields.u64()
    incompatible = fields.u32()
    read_only = fields.u32()
    fields.u32()  # [VF-10] this version ignores compatible features
    if fields.u8() != 1 or incompatible != DRAFT_FEATURE or draft != DRAFT:
        raise Failure(UNSUPPORTED, "unsupported suite, feature or draft [VF-9]")
    fields.zero(3)
    header = Header(file[:HEADER], vault_id, generation, read_only, fields.take(16), fields.u32(),
                    fields.u32(), fields.u64(), fields.u64(), fields.take(32), fields.take(32),
                    fields.take(32), file[224:256], file[256:HEADER])

    if header_length != HEADER:
        raise fields.failure("invalid header length [VF-11]")
    if not 1 <= generation < 1 << 63:
        raise fields.failure("invalid generation [VF-11]")
    if generation == 1 and any(header.previous_chain):
        raise fields.failure("previous chain in the first generation [VF-11]")
    if header.base >= 1 << 43:
        raise fields.failure("invalid base sequence number [VF-11]")
    keybag, directory, snapshot = (header.keybag_length, header.directory_length,
                                   header.snapshot_length)
    if keybag % UNIT or directory % UNIT or snapshot % UNIT:
        raise fields.failure("a length is not a multiple of 64 [VF-11]")
    if keybag < UNIT or not UNIT <= directory <= snapshot:
        raise fields.failure("a length is too small [VF-11]")
    if (keybag > LARGEST_KEYBAG or directory > LARGEST_DIRECTORY
            or max(header.snapshot_end, len(file)) > LARGEST_FILE):
        raise limit("file, or a length in its header [VF-12]")
    if len(file) < header.snapshot_end:
        raise fields.failure("the file ends before the snapshot does [VF-12]")
    return header


class GenerationKeys:
    """The keys of section 4.3."""

    def __init__(self, header: Header, structure_key: bytes):
        generation = H(32, structure_key, "coffer1.gen",
                       header.vault_id + U64(header.generation) + header.salt)
        self.head = H(32, generation, "coffer1.head", b"")
        self.frame = H(32, generation, "coffer1.frame", b"")
        self.chain = H(32, generation, "coffer1.chain", b"")
        self.snapshot = H(32, generation, "coffer1.snapshot", b"")
