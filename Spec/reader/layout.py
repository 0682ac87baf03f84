"""The elements of all structures of a vault: fields, padding and boxes (section 1)."""

from failures import Failure
from sodium import TAG, aead_open

UNIT = 64
NONCE = 24


class Fields:
    """Reads the fields of a structure in order. Errors have the kind `kind` and begin with
    `where`."""

    def __init__(self, data: bytes, kind: str, where: str):
        self.data = data
        self.place = 0
        self.kind = kind
        self.where = where

    def failure(self, what: str) -> Failure:
        return Failure(self.kind, f"{self.where}: {what}")

    @property
    def left(self) -> int:
        return len(self.data) - self.place

    def take(self, size: int) -> bytes:
        if size > self.left:
            raise self.failure("ends early")
        self.place += size
        return self.data[self.place - size:self.place]

    def rest(self) -> bytes:
        return self.take(self.left)

    def u8(self) -> int:
        return self.take(1)[0]

    def u16(self) -> int:
        return int.from_bytes(self.take(2), "little")

    def u32(self) -> int:
        return int.from_bytes(self.take(4), "little")

    def u64(self) -> int:
        return int.from_bytes(self.take(8), "little")

    def i64(self) -> int:
        return int.from_bytes(self.take(8), "little", signed=True)

    def zero(self, size: int) -> None:
        """[VF-1]"""
        if any(self.take(size)):
            raise self.failure("reserved bytes are not zero [VF-1]")

    def end(self) -> None:
        if self.left:
            raise self.failure("has trailing bytes")


def label(text: str) -> bytes:
    return text.encode("ascii").ljust(16, b"\0")


def U16(number: int) -> bytes:
    return number.to_bytes(2, "little")


def U32(number: int) -> bytes:
    return number.to_bytes(4, "little")


def U64(number: int) -> bytes:
    return number.to_bytes(8, "little")


def pad(size: int) -> int:
    """Returns the padded size of section 1.2."""
    step = UNIT
    if size >= 1024:
        exponent = size.bit_length() - 1
        step = 1 << exponent - exponent.bit_length()
    return (size + step - 1) // step * step


def open_box(key: bytes, associated: bytes, box: bytes, kind: str, where: str) -> bytes:
    """[VF-3] Returns the content of a box (section 1.3)."""
    if len(box) < UNIT or len(box) % UNIT:
        raise Failure(kind, f"{where}: invalid box size [VF-3]")
    plaintext = aead_open(key, box[:NONCE], associated, box[NONCE:])
    if plaintext is None:
        raise Failure(kind, f"{where}: the box does not open")
    size = int.from_bytes(plaintext[:4], "little")
    if size > len(box) - NONCE - TAG - 4 or pad(44 + size) != len(box):
        raise Failure(kind, f"{where}: invalid length in the box [VF-3]")
    if any(plaintext[4 + size:]):
        raise Failure(kind, f"{where}: invalid padding of the box [VF-3]")
    return plaintext[4:4 + size]
