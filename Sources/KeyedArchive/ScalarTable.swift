/// Gives equal scalars one number, in the order in which they are first seen.
///
/// An open hash table of our own, because a record holds some fifty scalars and a dictionary of the standard
/// library would take half of the time that encoding may take.
struct ScalarTable {
    private(set) var scalars: [Scalar] = []
    private var fingerprints: [UInt64] = []
    /// Numbers of scalars plus one; 0 is a free slot. The count is a power of two, at most half of it taken.
    private var slots: [Int32]

    init() {
        slots = Array(repeating: 0, count: 128)
        scalars.reserveCapacity(64)
        fingerprints.reserveCapacity(64)
    }

    /// The number of `scalar`, which is the next free one if it is new.
    mutating func number(of scalar: Scalar) -> Int {
        let fingerprint = scalar.fingerprint
        let mask = slots.count - 1
        var slot = Int(truncatingIfNeeded: fingerprint) & mask
        while slots[slot] != 0 {
            let number = Int(slots[slot]) - 1
            if fingerprints[number] == fingerprint, scalars[number] == scalar { return number }
            slot = (slot + 1) & mask
        }
        scalars.append(scalar)
        fingerprints.append(fingerprint)
        slots[slot] = Int32(scalars.count)
        if scalars.count * 2 > slots.count { grow() }
        return scalars.count - 1
    }

    private mutating func grow() {
        slots = Array(repeating: 0, count: slots.count * 2)
        let mask = slots.count - 1
        for (number, fingerprint) in fingerprints.enumerated() {
            var slot = Int(truncatingIfNeeded: fingerprint) & mask
            while slots[slot] != 0 { slot = (slot + 1) & mask }
            slots[slot] = Int32(number + 1)
        }
    }
}

extension Scalar {
    /// Random for each process, so that nobody can prepare scalars that all land in one slot.
    private static let seed: (UInt64, UInt64) = (
        UInt64.random(in: .min ... .max) | 1, UInt64.random(in: .min ... .max) | 1
    )

    /// A hash of the bytes and kind of this scalar: multiply, and fold the halves of the product together.
    fileprivate var fingerprint: UInt64 {
        switch self {
        case .null: Self.mix(0, 1)
        case .bool(let value): Self.mix(value ? 1 : 0, 2)
        case .integer(let value):
            Self.mix(Self.mix(UInt64(truncatingIfNeeded: value), 3), UInt64(truncatingIfNeeded: value >> 64))
        case .real(let value): Self.mix(value.bitPattern, 4)
        case .date(let value): Self.mix(value.bitPattern, 5)
        case .uid(let value): Self.mix(UInt64(value), 6)
        case .data(let bytes): bytes.withUnsafeBufferPointer { Self.mix($0, 7) }
        case .string(let string): string.withUTF8Bytes { Self.mix($0, 8) }
        }
    }

    private static func mix(_ bytes: UnsafeBufferPointer<UInt8>, _ kind: UInt64) -> UInt64 {
        var hash = mix(UInt64(bytes.count), kind)
        var index = 0
        while index < bytes.count {
            var word: UInt64 = 0
            let end = min(index + 8, bytes.count)
            while index < end {
                word = word << 8 | UInt64(bytes[index])
                index += 1
            }
            hash = mix(hash ^ word, kind)
        }
        return hash
    }

    private static func mix(_ value: UInt64, _ kind: UInt64) -> UInt64 {
        let product = (value ^ seed.0).multipliedFullWidth(by: seed.1 &+ kind)
        return product.high ^ product.low
    }
}
