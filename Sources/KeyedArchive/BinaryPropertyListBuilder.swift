/// Lays out a binary property list and writes it.
///
/// The caller adds objects in the order in which they shall stand in the file; equal scalars become one object,
/// at the place of the first. Object numbers take one byte or more depending on how many objects there are, so
/// nothing is written before the last object is known.
struct BinaryPropertyListBuilder {
    /// The number of an object in the file.
    typealias ObjectNumber = Int32

    private enum Object {
        case scalar(Int)
        case array(Range<Int>)
        case set(Range<Int>)
        case dictionary(Range<Int>)
    }

    private var scalars: ScalarTable
    private var objectOfScalar: [ObjectNumber]
    private var objects: [Object] = []
    /// The parts of all containers, each container's in one run; a dictionary's keys come before its values.
    private var parts: [ObjectNumber] = []

    private static let absent: ObjectNumber = -1

    /// Starts with the scalars that a caller has numbered before, so that it can add them by number.
    init(scalars: ScalarTable = ScalarTable()) {
        self.scalars = scalars
        objectOfScalar = Array(repeating: Self.absent, count: scalars.scalars.count)
        objects.reserveCapacity(128)
        parts.reserveCapacity(128)
    }

    /// Adds `scalar` unless an equal one is there.
    mutating func add(_ scalar: Scalar) -> ObjectNumber {
        addScalar(number: scalars.number(of: scalar))
    }

    /// Adds the scalar with this number in the table of scalars unless it is there.
    mutating func addScalar(number: Int) -> ObjectNumber {
        while objectOfScalar.count <= number { objectOfScalar.append(Self.absent) }
        if objectOfScalar[number] == Self.absent {
            objectOfScalar[number] = ObjectNumber(objects.count)
            objects.append(.scalar(number))
        }
        return objectOfScalar[number]
    }

    /// Adds an array of `count` parts, which the caller sets afterwards with `setPart`.
    mutating func addArray(count: Int) -> (object: ObjectNumber, firstPart: Int) {
        addContainer(partCount: count) { .array($0) }
    }

    /// Adds a set of `count` parts, which the caller sets afterwards with `setPart`.
    mutating func addSet(count: Int) -> (object: ObjectNumber, firstPart: Int) {
        addContainer(partCount: count) { .set($0) }
    }

    /// Adds a dictionary of `count` keys and, behind them, `count` values, which the caller sets afterwards.
    mutating func addDictionary(count: Int) -> (object: ObjectNumber, firstPart: Int) {
        addContainer(partCount: 2 * count) { .dictionary($0) }
    }

    private mutating func addContainer(
        partCount: Int, _ object: (Range<Int>) -> Object
    ) -> (object: ObjectNumber, firstPart: Int) {
        let firstPart = parts.count
        parts.append(contentsOf: repeatElement(0, count: partCount))
        objects.append(object(firstPart..<parts.count))
        return (ObjectNumber(objects.count - 1), firstPart)
    }

    /// Makes `object` the part at `place`, which counts from the `firstPart` of its container.
    mutating func setPart(_ place: Int, _ object: ObjectNumber) {
        parts[place] = object
    }

    /// The file, with the object that was added first as its root, if `limits` let a reader take it.
    func encoded(limits: DecodingLimits) throws(PropertyListError) -> [UInt8] {
        guard objects.count <= limits.objectCount else {
            throw .tooManyObjects(count: UInt64(objects.count), limit: limits.objectCount)
        }
        let bytes = encoded()
        guard bytes.count <= limits.byteCount else {
            throw .tooLarge(byteCount: bytes.count, limit: limits.byteCount)
        }
        return bytes
    }

    private func encoded() -> [UInt8] {
        let referenceByteCount = Self.byteCount(of: objects.count)
        var output: [UInt8] = []
        output.reserveCapacity(64 + objects.count * 16 + parts.count * referenceByteCount)
        output.append(contentsOf: [0x62, 0x70, 0x6C, 0x69, 0x73, 0x74, 0x30, 0x30])  // "bplist00"

        var offsets: [Int] = []
        offsets.reserveCapacity(objects.count)
        for object in objects {
            offsets.append(output.count)
            switch object {
            case .scalar(let number): output.append(scalars.scalars[number])
            case .array(let range): append(range, count: range.count, marker: 0xA0, referenceByteCount, to: &output)
            case .set(let range): append(range, count: range.count, marker: 0xC0, referenceByteCount, to: &output)
            case .dictionary(let range):
                append(range, count: range.count / 2, marker: 0xD0, referenceByteCount, to: &output)
            }
        }

        let tableOffset = output.count
        let offsetByteCount = Self.byteCount(of: tableOffset)
        for offset in offsets { output.appendBigEndian(UInt64(offset), byteCount: offsetByteCount) }
        output.append(contentsOf: repeatElement(0, count: 6))
        output.append(UInt8(offsetByteCount))
        output.append(UInt8(referenceByteCount))
        output.appendBigEndian(UInt64(objects.count), byteCount: 8)
        output.appendBigEndian(0, byteCount: 8)
        output.appendBigEndian(UInt64(tableOffset), byteCount: 8)
        return output
    }

    private func append(
        _ range: Range<Int>, count: Int, marker: UInt8, _ referenceByteCount: Int, to output: inout [UInt8]
    ) {
        output.appendMarker(marker, count: count)
        for part in range {
            output.appendBigEndian(UInt64(parts[part]), byteCount: referenceByteCount)
        }
    }

    private static func byteCount(of value: Int) -> Int {
        switch value {
        case ...0xFF: 1
        case ...0xFFFF: 2
        case ...0xFFFF_FFFF: 4
        default: 8
        }
    }
}

// MARK: - Bytes

extension [UInt8] {
    /// Appends the low `byteCount` bytes of `value`, the highest first.
    mutating func appendBigEndian(_ value: UInt64, byteCount: Int) {
        var shift = 8 * (byteCount - 1)
        while shift >= 0 {
            append(UInt8(truncatingIfNeeded: value >> UInt64(shift)))
            shift -= 8
        }
    }

    /// Appends a marker with a count: in its lower half if that is below 15, else as an integer behind it.
    fileprivate mutating func appendMarker(_ marker: UInt8, count: Int) {
        if count < 0x0F {
            append(marker | UInt8(count))
        } else {
            append(marker | 0x0F)
            append(Scalar.integer(Int128(count)))
        }
    }

    /// Appends the object that `scalar` is in a binary property list.
    fileprivate mutating func append(_ scalar: Scalar) {
        switch scalar {
        case .null: append(0x00)
        case .bool(let value): append(value ? 0x09 : 0x08)
        case .integer(let value): appendInteger(value)
        case .real(let value):
            append(0x23)
            appendBigEndian(value.bitPattern, byteCount: 8)
        case .date(let seconds):
            append(0x33)
            appendBigEndian(seconds.bitPattern, byteCount: 8)
        case .data(let bytes):
            appendMarker(0x40, count: bytes.count)
            append(contentsOf: bytes)
        case .string(let string): appendString(string)
        case .uid(let value):
            let byteCount = Scalar.byteCount(of: Int128(value))
            append(0x80 | UInt8(byteCount - 1))
            appendBigEndian(UInt64(value), byteCount: byteCount)
        }
    }

    private mutating func appendInteger(_ value: Int128) {
        let byteCount = Scalar.byteCount(of: value)
        append(0x10 | UInt8(byteCount.trailingZeroBitCount))
        if byteCount == 16 { appendBigEndian(UInt64(truncatingIfNeeded: value >> 64), byteCount: 8) }
        appendBigEndian(UInt64(truncatingIfNeeded: value), byteCount: Swift.min(byteCount, 8))
    }

    private mutating func appendString(_ string: String) {
        if string.isASCII {
            appendMarker(0x50, count: string.utf8.count)
            append(contentsOf: string.utf8)
        } else {
            appendMarker(0x60, count: string.utf16.count)
            for unit in string.utf16 { appendBigEndian(UInt64(unit), byteCount: 2) }
        }
    }
}
