"""Computes BLAKE2b and Argon2id without libsodium.

crypto_oracle.py INPUT OUTPUT blake2b|argon2id

Both files are lists of byte strings, each preceded by its length (4 bytes, highest first). Questions are groups of
items:
blake2b   number of bytes in decimal, key, personalisation, input
argon2id  passphrase, salt, passes in decimal, KiB in decimal; the answer has 32 bytes
"""

import hashlib
import struct
import sys

MASK = 2**64 - 1


def blake2b(text, count=64, **rest):
    return hashlib.blake2b(text, digest_size=count, **rest).digest()


# --- Argon2id version 0x13, as RFC 9106 describes it: slow and simple, and checked with the vector of the RFC.


def long_hash(text, count):
    """H' of section 3.3."""
    text = struct.pack("<I", count) + text
    if count <= 64:
        return blake2b(text, count)
    block = blake2b(text)
    result = block[:32]
    while count - len(result) > 64:
        block = blake2b(block)
        result += block[:32]
    return result + blake2b(block, count - len(result))


def mix(v, a, b, c, d):
    """GB of section 3.6."""
    for first, second in ((32, 24), (16, 63)):
        v[a] = (v[a] + v[b] + 2 * (v[a] & 0xFFFFFFFF) * (v[b] & 0xFFFFFFFF)) & MASK
        v[d] ^= v[a]
        v[d] = (v[d] >> first | v[d] << (64 - first)) & MASK
        v[c] = (v[c] + v[d] + 2 * (v[c] & 0xFFFFFFFF) * (v[d] & 0xFFFFFFFF)) & MASK
        v[b] ^= v[c]
        v[b] = (v[b] >> second | v[b] << (64 - second)) & MASK


def permute(v, at):
    """P of section 3.6, over the 16 words at the given indices."""
    for a, b, c, d in (
        (0, 4, 8, 12), (1, 5, 9, 13), (2, 6, 10, 14), (3, 7, 11, 15),
        (0, 5, 10, 15), (1, 6, 11, 12), (2, 7, 8, 13), (3, 4, 9, 14),
    ):
        mix(v, at[a], at[b], at[c], at[d])


def compress(x, y):
    """G of section 3.5, over blocks of 128 words."""
    r = [a ^ b for a, b in zip(x, y)]
    z = list(r)
    for row in range(8):
        permute(z, range(16 * row, 16 * row + 16))
    for column in range(8):
        permute(z, [16 * row + 2 * column + half for row in range(8) for half in (0, 1)])
    return [a ^ b for a, b in zip(r, z)]


def argon2id(passphrase, salt, passes, memory, lanes=1, count=32, secret=b"", data=b""):
    fields = struct.pack("<6I", lanes, count, memory, passes, 0x13, 2)
    for part in (passphrase, salt, secret, data):
        fields += struct.pack("<I", len(part)) + part
    seed = blake2b(fields)
    blocks = memory // (4 * lanes) * 4 * lanes
    columns = blocks // lanes
    segment = columns // 4
    grid = [[None] * columns for _ in range(lanes)]
    for lane in range(lanes):
        for column in (0, 1):
            text = long_hash(seed + struct.pack("<II", column, lane), 1024)
            grid[lane][column] = list(struct.unpack("<128Q", text))
    for turn in range(passes):
        for quarter in range(4):
            for lane in range(lanes):
                fill(grid, turn, quarter, lane, lanes, columns, segment, blocks, passes)
    last = grid[0][columns - 1]
    for lane in range(1, lanes):
        last = [a ^ b for a, b in zip(last, grid[lane][columns - 1])]
    return long_hash(struct.pack("<128Q", *last), count)


def fill(grid, turn, quarter, lane, lanes, columns, segment, blocks, passes):
    """One segment of section 3.4."""
    independent = turn == 0 and quarter < 2
    zero, counter, addresses = [0] * 128, [turn, lane, quarter, blocks, passes, 2] + [0] * 122, None
    for index in range(segment):
        if independent and (addresses is None or index % 128 == 0):
            counter[6] += 1
            addresses = compress(zero, compress(zero, counter))
        if turn == 0 and quarter == 0 and index < 2:
            continue
        column = quarter * segment + index
        previous = grid[lane][column - 1]
        word = addresses[index % 128] if independent else previous[0]
        j1, j2 = word & 0xFFFFFFFF, word >> 32
        other = lane if turn == 0 and quarter == 0 else j2 % lanes
        if turn == 0:
            area = quarter * segment + (index - 1 if other == lane else -(index == 0))
            start = 0
        else:
            area = columns - segment + (index - 1 if other == lane else -(index == 0))
            start = (quarter + 1) % 4 * segment
        place = (start + area - 1 - (area * (j1 * j1 >> 32) >> 32)) % columns
        block = compress(previous, grid[other][place])
        if turn > 0:
            block = [a ^ b for a, b in zip(block, grid[lane][column])]
        grid[lane][column] = block


def check():
    """Compares the functions above with the vectors of RFC 7693 (appendix A) and RFC 9106 (section 5.3)."""
    assert blake2b(b"abc").hex().startswith("ba80a53f981c4d0d6a2797b69f12f6e94c212f14685ac4b74b12bb6fdbffa2d1")
    vector = argon2id(b"\1" * 32, b"\2" * 16, 3, 32, lanes=4, secret=b"\3" * 8, data=b"\4" * 12)
    assert vector.hex() == "0d640df58d78766c08c037a34a8b53c9d01ef0452d75b65eb52520e96b01e659"


def answers(kind, items):
    groups = [items[start : start + 4] for start in range(0, len(items), 4)]
    if kind == "blake2b":
        return [blake2b(text, int(count), key=key, person=person) for count, key, person, text in groups]
    return [argon2id(passphrase, salt, int(passes), int(memory)) for passphrase, salt, passes, memory in groups]


def main():
    source, target, kind = sys.argv[1:]
    check()
    data, items = open(source, "rb").read(), []
    while data:
        end = 4 + int.from_bytes(data[:4], "big")
        items.append(data[4:end])
        data = data[end:]
    with open(target, "wb") as output:
        for answer in answers(kind, items):
            output.write(len(answer).to_bytes(4, "big") + answer)


main()
