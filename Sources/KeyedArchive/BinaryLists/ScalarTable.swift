internal import CofferBasics

/// Numbers scalars in the order in which they are first seen; equal scalars share a number.
///
/// The table stores scalars in their binary property list encoding: two are the same if their bytes are, and writing
/// one copies a run of bytes. It is a custom open hash table because a standard library dictionary would use up half of
/// the time budget for encoding a record.
struct ScalarTable {
    private struct Entry {
        /// Where the scalar begins in `bytes`; it ends where the next one begins.
        let start: Int
        let fingerprint: UInt32
        var uid: Int32 = 0
    }

    /// The scalars; whatever is in memory behind them may be left from one that was known already.
    private var bytes: [UInt8] = []
    private var byteCount = 0
    private var entries: [Entry] = []
    /// Scalar numbers plus one; 0 marks a free slot.
    ///
    /// The slot count is a power of two, and at most half are taken.
    private var slots: [Int32]

    /// Room behind the scalars, so that all can be read in words of eight bytes.
    private static let paddingByteCount = 8

    init() {
        slots = Array(repeating: 0, count: 128)
    }

    /// Makes room for the scalars of a record.
    ///
    /// There is no more room than that because allocating and freeing up to a kilobyte is much faster than more.
    mutating func reserveRoomForRecord() {
        entries.reserveCapacity(count + 24)
        move(toByteCount: byteCount + 480)
    }

    /// The number of different scalars.
    var count: Int { entries.count }

    /// The UID that the caller gave to a scalar, at first 0.
    subscript(uid number: Int) -> UInt32 {
        get { UInt32(bitPattern: entries[number].uid) }
        set { entries[number].uid = Int32(bitPattern: newValue) }
    }

    /// Returns the number of `scalar`; a new scalar gets the next free number.
    mutating func number(of scalar: Scalar) -> Int {
        let start = byteCount
        reserve(scalar.maximumByteCount + 17)
        var end = start
        var span = bytes.mutableSpan
        span.write(scalar, at: &end)
        let fingerprint = Self.fingerprint(bytes.span, start, end)
        let mask = slots.count - 1
        var slot = Int(truncatingIfNeeded: fingerprint) & mask
        while slots[slot] != 0 {
            let number = Int(slots[slot]) - 1
            if entries[number].fingerprint == fingerprint, isScalar(number, equalTo: start..<end) { return number }
            slot = (slot + 1) & mask
        }
        byteCount = end
        entries.append(Entry(start: start, fingerprint: fingerprint))
        slots[slot] = Int32(truncatingIfNeeded: count)
        if count * 2 > slots.count { grow() }
        return count - 1
    }

    /// Overwrites the scalars with zeros.
    mutating func wipe() { bytes.wipe() }

    /// Makes room for `addedByteCount` more bytes; memory that the scalars leave behind is wiped.
    private mutating func reserve(_ addedByteCount: Int) {
        let needed = byteCount + addedByteCount + Self.paddingByteCount
        guard needed > bytes.count else { return }
        var old = bytes
        move(toByteCount: max(2 * bytes.count, needed))
        old.wipe()
    }

    private mutating func move(toByteCount newByteCount: Int) {
        var moved = [UInt8](zeroByteCount: newByteCount)
        var span = moved.mutableSpan
        span.copy(from: bytes.span.extracting(..<byteCount))
        bytes = moved
    }

    /// Returns the size of the scalar with this number, as an object of a binary property list.
    func byteCount(of number: Int) -> Int { range(of: number).count }

    /// Copies the scalar with this number to `output`, and moves `offset` behind it.
    func copy(_ number: Int, to output: inout MutableSpan<UInt8>, at offset: inout Int) {
        let range = range(of: number)
        output.copy(from: bytes.span.extracting(range), at: offset)
        offset &+= range.count
    }

    private func range(of number: Int) -> Range<Int> {
        let next = number + 1
        return entries[number].start..<(next < entries.count ? entries[next].start : byteCount)
    }

    private func isScalar(_ number: Int, equalTo range: Range<Int>) -> Bool {
        bytes.span.extracting(self.range(of: number)).hasSameBytes(as: bytes.span.extracting(range))
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

    /// Returns a hash of the bytes: multiply by a secret, then fold the halves of the product together.
    private static func fingerprint(_ bytes: Span<UInt8>, _ start: Int, _ end: Int) -> UInt32 {
        let (seed, factor) = seed
        var hash = seed ^ UInt64(truncatingIfNeeded: end &- start)
        var rest = end &- start
        while rest > 0 {
            var word: UInt64 = bytes.littleEndian(at: end &- rest)
            // The bytes behind the scalar are not part of it.
            if rest < 8 { word &= ~(.max << UInt64(truncatingIfNeeded: 8 &* rest)) }
            let product = (hash ^ word).multipliedFullWidth(by: factor)
            hash = product.high ^ product.low
            rest &-= 8
        }
        return UInt32(truncatingIfNeeded: hash)
    }
}
