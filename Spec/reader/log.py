"""Frames, their records and the tail: vault-format.md sections 6 to 8."""

from dataclasses import dataclass

from failures import Failure, limit
from header import UNSUPPORTED, GenerationKeys, Header
from layout import UNIT, Fields, pad
from sodium import H, aead_open, equal

HEAD = 96
SMALLEST_FRAME = 1_024
MAGIC = b"COFX"
MEDIUM = 512  # the unit of the medium

MOST_BYTES_IN_FRAME = 16_777_216
MOST_RECORDS_IN_FRAME = 262_144
MOST_RECORDS = 4_194_304
MOST_BYTES = 1_073_741_824
MOST_UNREAD = 1_048_576

CLEAN, TORN, DAMAGED, INCONSISTENT = "clean", "torn tail", "damaged tail", "inconsistent"
RECORD_FAILURE = "record failure"

PUT, DELETE, KEY, SETTINGS, SEEN = range(1, 6)
CRITICAL = 1


@dataclass
class Record:
    kind: int
    flags: int
    reserved: bytes
    body: bytes
    where: str

    @property
    def size(self) -> int:
        return 8 + len(self.body)

    @property
    def is_known(self) -> bool:
        return PUT <= self.kind <= SEEN

    def check_supported(self) -> None:
        """[VF-58] Refuses the vault for a critical record of unknown kind."""
        if not self.is_known and self.flags & CRITICAL:
            raise Failure(UNSUPPORTED, f"{self.where}: critical record [VF-58]")

    def check(self) -> None:
        """[VF-58]"""
        self.check_supported()
        if self.flags or any(self.reserved):
            raise Failure(RECORD_FAILURE, f"{self.where}: flags or reserved bytes [VF-58]")


def read_record(fields: Fields, where: str) -> Record:
    kind, flags, reserved = fields.u8(), fields.u8(), fields.take(2)
    return Record(kind, flags, reserved, fields.take(fields.u32()), where)


class RecordCounter:
    """Checks the limits on the records of all runs and frames together (section 14)."""

    def __init__(self) -> None:
        self.records = 0
        self.bytes = 0
        self.unread = 0

    def count(self, records: list[Record]) -> None:
        self.records += len(records)
        self.bytes += sum(record.size for record in records)
        if self.records > MOST_RECORDS or self.bytes > MOST_BYTES:
            raise limit("records (section 14)")
        self.count_unread(sum(not record.is_known for record in records))

    def count_unread(self, records: int) -> None:
        """Counts records of unknown kind, and records that cannot be parsed [VF-95]."""
        self.unread += records
        if self.unread > MOST_UNREAD:
            raise limit("records that cannot be read (section 14)")


@dataclass
class Head:
    data: bytes
    body_length: int
    sequence: int
    synced: int
    nonce: bytes
    chain: bytes

    @property
    def frame_length(self) -> int:
        return HEAD + self.body_length

    @property
    def is_plausible(self) -> bool:
        """[VF-50]"""
        return (SMALLEST_FRAME <= self.frame_length <= frame_size(MOST_BYTES_IN_FRAME)
                and pad(self.frame_length) == self.frame_length
                and self.sequence < 1 << 43 and self.synced < self.sequence)


class Log:
    """The frames after the snapshot that verify, and the bytes that follow them."""

    def __init__(self, file: bytes, header: Header, keys: GenerationKeys, counter: RecordCounter):
        self.file = file
        self.keys = keys
        self.place = header.snapshot_end
        self.sequence = header.base  # of the last frame that verifies
        self.chain = H(32, keys.chain, "coffer1.chain", header.data)
        self.records: list[Record] = []
        while self.read_frame(counter):
            pass
        self.tail = len(file) - self.place
        self.verdict = self.judge_tail()

    def head_at(self, place: int) -> Head | None:
        """[VF-49] Returns the head at a place if it is genuine, or else None."""
        data = self.file[place:place + HEAD]
        if len(data) < HEAD or data[:4] != MAGIC:
            return None
        if not equal(H(16, self.keys.head, "coffer1.head", data[:80]), data[80:]):
            return None
        return Head(data, *(int.from_bytes(data[start:end], "little")
                            for start, end in ((4, 8), (8, 16), (16, 24))), data[24:48],
                    data[48:80])

    def read_frame(self, counter: RecordCounter) -> bool:
        """Reads the frame at the current place if it verifies (section 6.3)."""
        head = self.head_at(self.place)
        if head is None or not head.is_plausible or head.sequence != self.sequence + 1:
            return False
        if not equal(head.chain, self.chain):
            return False
        end = self.place + head.frame_length
        if end > len(self.file):
            return False
        frame = self.file[self.place:end]
        plaintext = aead_open(self.keys.frame, head.nonce, head.data, frame[HEAD:])
        if plaintext is None:
            return False
        records = read_plaintext(plaintext, head.frame_length, f"frame {head.sequence}")
        if records is None:
            return False
        counter.count(records)
        self.records += records
        self.chain = H(32, self.keys.chain, "coffer1.chain",
                       self.chain + H(32, None, "coffer1.file", frame))
        self.sequence = head.sequence
        self.place = end
        return True

    def judge_tail(self) -> str:
        """[VF-53] Returns the verdict of section 7."""
        start, expected = self.place, self.sequence + 1
        used = start + len(self.file[start:].rstrip(b"\0"))
        if used == start:
            return CLEAN
        place = self.file.find(MAGIC, start)
        while place >= 0:
            head = self.head_at(place) if (place - start) % UNIT == 0 else None
            if head is not None and (
                    head.sequence < expected
                    or head.sequence == expected and place > start
                    or head.sequence > expected and head.synced >= expected):
                return INCONSISTENT
            place = self.file.find(MAGIC, place + 1)
        head = self.head_at(start)
        if head is not None and head.is_plausible:
            end = start + head.frame_length
        else:
            end = max(start + SMALLEST_FRAME, (used + UNIT - 1) // UNIT * UNIT)
        if end > len(self.file):
            return TORN
        for unit in range(start // MEDIUM * MEDIUM, end, MEDIUM):
            if not any(self.file[max(start, unit):min(end, unit + MEDIUM)]):
                return TORN
        return DAMAGED


def frame_size(size: int) -> int:
    """Returns the size of a frame with so many bytes of records (section 6.2)."""
    return max(SMALLEST_FRAME, pad(128 + size))


def read_plaintext(plaintext: bytes, frame_length: int, where: str) -> list[Record] | None:
    """[VF-52] Returns the records of a frame, or None if it does not verify."""
    fields = Fields(plaintext, RECORD_FAILURE, where)
    fields.take(8)  # time
    size, number = fields.u32(), fields.u32()
    if size > MOST_BYTES_IN_FRAME or number > MOST_RECORDS_IN_FRAME:
        return None
    if frame_size(size) != frame_length or any(plaintext[16 + size:]):
        return None
    fields = Fields(plaintext[16:16 + size], RECORD_FAILURE, where)
    try:
        records = [read_record(fields, f"{where}, record {index}") for index in range(number)]
    except Failure:
        return None
    return records if fields.left == 0 else None
