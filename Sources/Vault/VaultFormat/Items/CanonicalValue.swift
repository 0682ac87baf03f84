internal import CofferBasics
package import KeyedArchive

/// Section 9.2: the canonical bytes of an attribute's value, which are compared to match items.
///
/// Values that Apple's keychain treats as equal have the same bytes.
package enum CanonicalValue {
    /// The canonical bytes of `value`, or of the default if it is nil.
    package static func bytes(of value: ArchiveValue?, kind: AttributeKind) throws(Fault) -> [UInt8] {
        var bytes: [UInt8] = []
        switch (value, kind) {
        case (let value?, _): try append(value, kind: kind, to: &bytes)
        case (nil, .number): append(Int64(0), to: &bytes)
        case (nil, .date): bytes.append(littleEndian: (0.0).bitPattern)
        case (nil, _): break
        }
        return bytes
    }

    /// Throws if an attribute of this kind cannot have this value.
    static func check(_ value: ArchiveValue, kind: AttributeKind) throws(Fault) {
        switch (kind, value) {
        case (.blob, .string), (.blob, .data), (.blob, .integer), (.data, .data), (.string, .string): return
        case (.number, .real), (.number, .string), (.date, .date): return
        case (.number, .integer(let number)) where Int64(exactly: number) != nil: return
        case (.accessControl, .dictionary(let fields)):
            guard AccessControlEntry(value)?.fieldCount == fields.count else { throw Fault(.badValue) }
        default: throw Fault(.badValue)
        }
    }

    /// Appends the canonical bytes of `value`; throws if an attribute of this kind cannot have it.
    static func append(_ value: ArchiveValue, kind: AttributeKind, to bytes: inout [UInt8]) throws(Fault) {
        try check(value, kind: kind)
        switch (kind, value) {
        case (.number, .integer(let number)): append(Int64(truncatingIfNeeded: number), to: &bytes)
        case (.number, .real(let number)): append(number, to: &bytes)
        case (.number, .string(let text)):
            // Int64 accepts exactly an optional sign and decimal digits, and refuses numbers that do not fit.
            if let whole = Int64(text) { return append(whole, to: &bytes) }
            bytes.append(NumberForm.text)
            bytes.append(contentsOf: text.utf8)
        case (_, .integer(let number)): bytes.append(littleEndian: UInt32(truncatingIfNeeded: number))
        case (_, .string(let text)): bytes.append(contentsOf: text.utf8)
        case (_, .data(let data)): bytes += data
        // Adding 0.0 turns -0.0 into 0.0 and leaves other values unchanged.
        case (_, .date(let seconds)): bytes.append(littleEndian: (seconds + 0.0).bitPattern)
        // An access control takes no part in matching.
        default: break
        }
    }

    /// The first byte of a number, which says which form follows.
    private enum NumberForm {
        static let integer: UInt8 = 1
        static let real: UInt8 = 2
        static let text: UInt8 = 3
    }

    private static func append(_ number: Int64, to bytes: inout [UInt8]) {
        bytes.append(NumberForm.integer)
        bytes.append(littleEndian: number)
    }

    private static func append(_ number: Double, to bytes: inout [UInt8]) {
        if let whole = Int64(exactly: number), abs(number) <= 0x1p53 { return append(whole, to: &bytes) }
        bytes.append(NumberForm.real)
        bytes.append(littleEndian: number.bitPattern)
    }
}

/// The attribute digests of an item: at most nine, stored inline because there is one such value for each item.
package struct AttributeDigests: Sendable {
    package private(set) var count = 0
    private var digests = InlineArray<9, UInt64>(repeating: 0)

    package init() {}

    mutating func append(_ digest: UInt64) {
        digests[count] = digest
        count += 1
    }
}

extension AttributeDigests: RandomAccessCollection {
    package var startIndex: Int { 0 }
    package var endIndex: Int { count }

    package subscript(position: Int) -> UInt64 { digests[position] }
}

extension AttributeDigests: Equatable {
    package static func == (one: Self, other: Self) -> Bool { one.elementsEqual(other) }
}

extension AttributeDigests: ExpressibleByArrayLiteral {
    package init(arrayLiteral digests: UInt64...) {
        for digest in digests { append(digest) }
    }
}
