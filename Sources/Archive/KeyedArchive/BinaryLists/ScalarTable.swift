internal import CofferBasics

/// Numbers scalars in the order in which they are first seen; equal scalars share a number.
///
/// The table stores scalars in their binary property list encoding: two are the same if their bytes are, and writing
/// one copies a run of bytes. It is a custom open hash table because a standard library dictionary would use up half of
/// the time budget for encoding a record.
struct ScalarTable {
    private struct Entry {
        let fingerprint: UInt64
        /// Where the scalar begins in `bytes`; it ends where the next one begins.
        let start: Int
    }

    private var bytes: [UInt8] = []
    private var entries: [Entry] = []
    /// Scalar numbers plus one; 0 marks a free slot.
    ///
    /// The slot count is a power of two, and at most half are taken.
    private var slots: [Int32]

    init() {
        slots = Array(repeating: 0, count: 128)
    }

    /// Makes a table with the contents of `other` and room for the scalars of a record.
    ///
    /// There is no more room than that because allocating and freeing up to a kilobyte is much faster than more.
    init(extending other: ScalarTable) {
        slots = other.slots
        bytes.reserveCapacity(other.bytes.count + 480)
        bytes += other.bytes
        entries.reserveCapacity(other.entries.count + 24)
        entries += other.entries
    }

    /// The number of different scalars.
    var count: Int { entries.count }

    /// The total size of all scalars.
    var byteCount: Int { bytes.count }

    /// Returns the number of `scalar`; a new scalar gets the next free number.
    mutating func number(of scalar: Scalar) -> Int {
        let start = bytes.count
        reserve(scalar.maximumByteCount + 17)
        bytes.append(addingCapacity: scalar.maximumByteCount + 17) { (output: inout OutputSpan<UInt8>) in
            output.append(scalar)
        }
        let fingerprint = fingerprint(from: start)
        let mask = slots.count - 1
        var slot = Int(truncatingIfNeeded: fingerprint) & mask
        while slots[slot] != 0 {
            let number = Int(slots[slot]) - 1
            if entries[number].fingerprint == fingerprint, isScalar(number, equalToBytesFrom: start) {
                bytes.removeLast(bytes.count - start)
                return number
            }
            slot = (slot + 1) & mask
        }
        entries.append(Entry(fingerprint: fingerprint, start: start))
        slots[slot] = Int32(count)
        if count * 2 > slots.count { grow() }
        return count - 1
    }

    /// Overwrites the scalars with zeros.
    mutating func wipe() { bytes.wipe() }

    /// Makes room for `byteCount` more bytes; memory that the scalars leave behind is wiped.
    private mutating func reserve(_ byteCount: Int) {
        guard bytes.capacity - bytes.count < byteCount else { return }
        var moved: [UInt8] = []
        moved.reserveCapacity(max(2 * bytes.capacity, bytes.count + byteCount))
        moved += bytes
        swap(&moved, &bytes)
        moved.wipe()
    }

    /// Appends the scalar with this number to `output`, as an object of a binary property list.
    func append(_ number: Int, to output: inout OutputSpan<UInt8>) {
        output.append(copying: bytes.span.extracting(range(of: number, in: bytes.count)))
    }

    /// Returns the size of the scalar with this number if it stands at `offset` of `other`.
    func byteCount(of number: Int, at offset: Int, in other: Span<UInt8>) -> Int? {
        let range = range(of: number, in: bytes.count)
        guard range.count <= other.count - offset else { return nil }
        let found = other.extracting(offset..<offset + range.count)
        return found.hasSameBytes(as: bytes.span.extracting(range)) ? range.count : nil
    }

    /// Returns the range of the scalar with this number within the first `byteCount` bytes.
    private func range(of number: Int, in byteCount: Int) -> Range<Int> {
        let next = number + 1
        return entries[number].start..<(next < entries.count ? entries[next].start : byteCount)
    }

    private func isScalar(_ number: Int, equalToBytesFrom start: Int) -> Bool {
        let scalar = bytes.span.extracting(range(of: number, in: start))
        return CanonicalOrder.bytes(scalar, bytes.span.extracting(start...)) == .same
    }

    private mutating func grow() {
        slots = Array(repeating: 0, count: slots.count * 2)
        let mask = slots.count - 1
        for (number, entry) in entries.enumerated() {
            var slot = Int(truncatingIfNeeded: entry.fingerprint) & mask
            while slots[slot] != 0 { slot = (slot + 1) & mask }
            slots[slot] = Int32(number + 1)
        }
    }

    /// Random for each process, so that an attacker cannot prepare scalars that all collide in one slot.
    private static let seed = (UInt64.random(in: .min ... .max), UInt64.random(in: .min ... .max) | 1)

    /// Returns a hash of the bytes from `start`: multiply by a secret, then fold the halves of the product together.
    private func fingerprint(from start: Int) -> UInt64 {
        let (seed, factor) = Self.seed
        var hash = seed ^ UInt64(bytes.count - start)
        func add(_ word: UInt64) {
            let product = (hash ^ word).multipliedFullWidth(by: factor)
            hash = product.high ^ product.low
        }
        var index = start
        bytes.withUnsafeBytes { bytes in
            while index + 8 <= bytes.count {
                add(bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self))
                index += 8
            }
        }
        if index < bytes.count { add(bytes.bigEndian(at: index, byteCount: bytes.count - index)) }
        return hash
    }
}
