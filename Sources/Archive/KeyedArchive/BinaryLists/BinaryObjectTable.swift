/// The objects of a binary property list whose trailer has been checked.
///
/// Objects are parsed on request, and only bytes inside the object area are read.
struct BinaryObjectTable: Sendable {
    let bytes: [UInt8]
    let objectCount: Int
    let topObject: Int
    private let offsetByteCount: Int
    private let referenceByteCount: Int
    private let offsetTableOffset: Int
    /// Texts and data for which `isLong` is true, by their byte range.
    private var longTexts: (ascii: [Range<Int>: String], utf16: [Range<Int>: String]) = ([:], [:])
    private var longData: [Range<Int>: [UInt8]] = [:]
    private var longByteCount = 0

    /// The first bytes of every file: `bplist00`.
    static let header: [UInt8] = [0x62, 0x70, 0x6C, 0x69, 0x73, 0x74, 0x30, 0x30]
    private static let headerByteCount = 8
    private static let trailerByteCount = 32

    /// Checks the header and trailer of `bytes`.
    init(_ bytes: [UInt8], limits: DecodingLimits) throws(PropertyListError) {
        guard bytes.count <= limits.byteCount else {
            throw .tooLarge(byteCount: bytes.count, limit: limits.byteCount)
        }
        try Self.checkHeader(bytes)
        guard bytes.count >= Self.headerByteCount + 2 + Self.trailerByteCount else {
            throw .tooShort(byteCount: bytes.count)
        }

        // Five unused bytes and the sort version come first in the trailer; readers ignore them.
        let trailer = bytes.count - Self.trailerByteCount
        let offsetByteCount = Int(bytes[trailer + 6])
        let referenceByteCount = Int(bytes[trailer + 7])
        let objectCount = bytes.bigEndian(at: trailer + 8, byteCount: 8)
        let topObject = bytes.bigEndian(at: trailer + 16, byteCount: 8)
        let offsetTableOffset = bytes.bigEndian(at: trailer + 24, byteCount: 8)

        guard (1...8).contains(offsetByteCount) else { throw .invalidTrailer(.offsetByteCount) }
        guard (1...8).contains(referenceByteCount) else { throw .invalidTrailer(.referenceByteCount) }
        guard objectCount > 0 else { throw .invalidTrailer(.objectCount) }
        guard objectCount <= UInt64(clamping: limits.objectCount) else {
            throw .tooManyObjects(count: objectCount, limit: limits.objectCount)
        }
        guard topObject < objectCount else { throw .invalidTrailer(.topObject) }
        guard offsetTableOffset > UInt64(Self.headerByteCount), offsetTableOffset < UInt64(trailer) else {
            throw .invalidTrailer(.offsetTableOffset)
        }
        // The table must fill the space up to the trailer exactly, so that every byte is accounted for.
        let (tableByteCount, overflow) = objectCount.multipliedReportingOverflow(by: UInt64(offsetByteCount))
        guard !overflow, tableByteCount == UInt64(trailer) - offsetTableOffset else {
            throw .invalidTrailer(.objectCount)
        }
        // The sizes must be able to hold the counts themselves, as CoreFoundation requires.
        guard Self.fits(objectCount, byteCount: referenceByteCount) else {
            throw .invalidTrailer(.referenceByteCount)
        }
        guard Self.fits(offsetTableOffset, byteCount: offsetByteCount) else {
            throw .invalidTrailer(.offsetByteCount)
        }

        self.bytes = bytes
        self.objectCount = Int(objectCount)
        self.topObject = Int(topObject)
        self.offsetByteCount = offsetByteCount
        self.referenceByteCount = referenceByteCount
        self.offsetTableOffset = Int(offsetTableOffset)
    }

    private static func checkHeader(_ bytes: [UInt8]) throws(PropertyListError) {
        guard bytes.starts(with: header.prefix(6)) else { throw .notABinaryPropertyList }
        guard bytes.count >= headerByteCount else { throw .tooShort(byteCount: bytes.count) }
        guard bytes.starts(with: header) else { throw .unsupportedVersion(bytes[6], bytes[7]) }
    }

    private static func fits(_ value: UInt64, byteCount: Int) -> Bool {
        byteCount == 8 || value < 1 << UInt64(8 * byteCount)
    }
}

// MARK: - Objects

extension BinaryObjectTable {
    /// An object as its marker declares it, before its parts are read.
    enum Object {
        case null
        case bool(Bool)
        case integer(Int128)
        case real(Double)
        case date(Double)
        case data(Range<Int>)
        case asciiString(Range<Int>)
        case utf16String(Range<Int>)
        case uid(UInt32)
        case array(References)
        case set(References)
        case dictionary(keys: References, values: References)

        /// Whether the object has no parts.
        var isScalar: Bool {
            switch self {
            case .array, .set, .dictionary: false
            default: true
            }
        }

        /// The size of text and data.
        var byteCount: Int {
            switch self {
            case .data(let range), .asciiString(let range), .utf16String(let range): range.count
            default: 0
            }
        }
    }

    /// A run of references to objects.
    struct References {
        let offset: Int
        let count: Int
    }

    /// Returns the offset of object `number`.
    func offset(ofObject number: Int) throws(PropertyListError) -> Int {
        let offset = bytes.bigEndian(at: offsetTableOffset + number * offsetByteCount, byteCount: offsetByteCount)
        guard offset >= UInt64(Self.headerByteCount), offset < UInt64(offsetTableOffset) else {
            throw .objectOffsetOutOfBounds(object: number)
        }
        return Int(offset)
    }

    /// Returns the number of the object that the reference at `index` points to.
    func object(_ index: Int, of references: References) throws(PropertyListError) -> Int {
        let offset = references.offset + index * referenceByteCount
        let number = bytes.bigEndian(at: offset, byteCount: referenceByteCount)
        guard number < UInt64(objectCount) else { throw .referenceOutOfRange(offset: offset) }
        return Int(number)
    }

    /// Returns the object at `offset`.
    func object(at offset: Int) throws(PropertyListError) -> Object {
        let marker = bytes[offset]
        let detail = Int(marker & 0x0F)
        switch marker {
        case 0x00: return .null
        case 0x08: return .bool(false)
        case 0x09: return .bool(true)
        case 0x10...0x14:
            return .integer(try integer(at: offset + 1, byteCount: 1 << detail, object: offset))
        case 0x22:
            return .real(Double(Float(bitPattern: UInt32(try bits(at: offset, byteCount: 4)))))
        case 0x23: return .real(Double(bitPattern: try bits(at: offset, byteCount: 8)))
        case 0x33: return .date(Double(bitPattern: try bits(at: offset, byteCount: 8)))
        case 0x40...0x4F: return .data(try payload(at: offset, unitByteCount: 1).range)
        case 0x50...0x5F: return .asciiString(try payload(at: offset, unitByteCount: 1).range)
        case 0x60...0x6F: return .utf16String(try payload(at: offset, unitByteCount: 2).range)
        case 0x80...0x8F: return .uid(try uid(at: offset, byteCount: detail + 1))
        case 0xA0...0xAF: return .array(try references(at: offset))
        case 0xC0...0xCF: return .set(try references(at: offset))
        case 0xD0...0xDF: return try dictionary(at: offset)
        default: throw .unknownMarker(marker, offset: offset)
        }
    }

    private func dictionary(at offset: Int) throws(PropertyListError) -> Object {
        let (range, count) = try payload(at: offset, unitByteCount: 2 * referenceByteCount)
        return .dictionary(
            keys: References(offset: range.lowerBound, count: count),
            values: References(offset: range.lowerBound + count * referenceByteCount, count: count)
        )
    }

    private func references(at offset: Int) throws(PropertyListError) -> References {
        let (range, count) = try payload(at: offset, unitByteCount: referenceByteCount)
        return References(offset: range.lowerBound, count: count)
    }

    /// Returns the payload of the object at `offset`, whose count is in its marker or in the integer after it.
    private func payload(
        at offset: Int,
        unitByteCount: Int
    ) throws(PropertyListError) -> (range: Range<Int>, count: Int) {
        var count = Int(bytes[offset] & 0x0F)
        var start = offset + 1
        if count == 0x0F {
            guard start < offsetTableOffset else { throw .truncated(offset: offset) }
            let marker = bytes[start]
            guard (0x10...0x13).contains(marker) else { throw .invalidCount(offset: offset) }
            let countByteCount = 1 << Int(marker & 0x0F)
            guard offsetTableOffset - start > countByteCount else { throw .truncated(offset: offset) }
            let declared = bytes.bigEndian(at: start + 1, byteCount: countByteCount)
            // No count can exceed the file size, so the products below cannot overflow.
            guard declared <= UInt64(bytes.count) else { throw .invalidCount(offset: offset) }
            count = Int(declared)
            start += 1 + countByteCount
        }
        guard count * unitByteCount <= offsetTableOffset - start else { throw .truncated(offset: offset) }
        return (start..<start + count * unitByteCount, count)
    }

    private func bits(at offset: Int, byteCount: Int) throws(PropertyListError) -> UInt64 {
        guard offsetTableOffset - offset > byteCount else { throw .truncated(offset: offset) }
        return bytes.bigEndian(at: offset + 1, byteCount: byteCount)
    }

    /// Returns the integer in `byteCount` bytes from `start`: up to 4 bytes unsigned, otherwise signed.
    private func integer(at start: Int, byteCount: Int, object: Int) throws(PropertyListError) -> Int128 {
        guard offsetTableOffset - start >= byteCount else { throw .truncated(offset: object) }
        switch byteCount {
        case 8:
            return Int128(Int64(bitPattern: bytes.bigEndian(at: start, byteCount: 8)))
        case 16:
            let high = UInt128(bytes.bigEndian(at: start, byteCount: 8))
            let low = UInt128(bytes.bigEndian(at: start + 8, byteCount: 8))
            let number = Int128(truncatingIfNeeded: high << 64 | low)
            // Some of Apple's archivers write unsigned numbers this way. A true negative that fits in eight bytes takes
            // eight.
            return (Int128(Int64.min)..<0).contains(number) ? number + (1 << 64) : number
        default:
            return Int128(bytes.bigEndian(at: start, byteCount: byteCount))
        }
    }

    private func uid(at offset: Int, byteCount: Int) throws(PropertyListError) -> UInt32 {
        guard offsetTableOffset - offset > byteCount else { throw .truncated(offset: offset) }
        let leading = max(0, byteCount - 4)
        guard bytes[offset + 1..<offset + 1 + leading].allSatisfy({ $0 == 0 }) else {
            throw .uidOutOfRange(offset: offset)
        }
        return UInt32(bytes.bigEndian(at: offset + 1 + leading, byteCount: byteCount - leading))
    }
}

// MARK: - Text and data

extension BinaryObjectTable {
    /// Returns the bytes in `range`.
    mutating func data(in range: Range<Int>) throws(PropertyListError) -> [UInt8] {
        if let known = longData[range] { return known }
        let data = Array(bytes[range])
        if try isLong(range) { longData[range] = data }
        return data
    }

    /// Returns the text in `range`, which must be ASCII.
    mutating func asciiText(in range: Range<Int>) throws(PropertyListError) -> String {
        if let known = longTexts.ascii[range] { return known }
        let text = bytes.withUnsafeBufferPointer { all in
            let slice = all[range]
            return slice.allSatisfy({ $0 < 0x80 }) ? String(decoding: slice, as: UTF8.self) : nil
        }
        guard let text else { throw .invalidString(offset: range.lowerBound) }
        if try isLong(range) { longTexts.ascii[range] = text }
        return text
    }

    /// Returns the text in `range`, which must be big-endian UTF-16 without lone surrogates.
    mutating func utf16Text(in range: Range<Int>) throws(PropertyListError) -> String {
        if let known = longTexts.utf16[range] { return known }
        guard let text = String(utf16: bytes, in: range) else { throw .invalidString(offset: range.lowerBound) }
        if try isLong(range) { longTexts.utf16[range] = text }
        return text
    }

    /// Whether the text or data in `range` is long enough to be read only once, however many objects refer to it.
    ///
    /// Otherwise, a thousand objects that share one place would take a thousand times its size. In a valid file no byte
    /// belongs to two objects, so the sum of what is read never exceeds the file size.
    private mutating func isLong(_ range: Range<Int>) throws(PropertyListError) -> Bool {
        guard range.count >= DecodingLimits.bytesPerNode else { return false }
        longByteCount += range.count
        guard longByteCount <= bytes.count else { throw .overlappingObjects(offset: range.lowerBound) }
        return true
    }
}

extension [UInt8] {
    /// Returns the unsigned number in the `byteCount` (at most 8) bytes from `offset`.
    func bigEndian(at offset: Int, byteCount: Int) -> UInt64 {
        // References, offsets and short integers nearly always take one byte.
        if byteCount == 1 { return UInt64(self[offset]) }
        var value: UInt64 = 0
        for index in offset..<offset + byteCount {
            value = value << 8 | UInt64(self[index])
        }
        return value
    }
}

extension [UInt8] {
    /// Passes the big-endian UTF-16 in `range` to `body` as UTF-8; returns false at a lone surrogate.
    func transcode(_ range: Range<Int>, to body: (UInt8) -> Void) -> Bool {
        let units = stride(from: range.lowerBound, to: range.upperBound, by: 2).lazy.map { offset in
            UInt16(self[offset]) << 8 | UInt16(self[offset + 1])
        }
        return !Swift.transcode(
            units.makeIterator(),
            from: UTF16.self,
            to: UTF8.self,
            stoppingOnError: true,
            into: body
        )
    }
}

extension String {
    /// The text in `range` of `bytes`, as big-endian UTF-16; nil if that has a lone surrogate.
    init?(utf16 bytes: [UInt8], in range: Range<Int>) {
        // `String(validating:as:)` would transcode in memory that it does not wipe.
        var byteCount = 0
        guard bytes.transcode(range, to: { _ in byteCount += 1 }) else { return nil }
        self.init(unsafeUninitializedCapacity: byteCount) { target in
            var count = 0
            _ = bytes.transcode(range) { byte in
                target[count] = byte
                count += 1
            }
            return count
        }
    }
}
