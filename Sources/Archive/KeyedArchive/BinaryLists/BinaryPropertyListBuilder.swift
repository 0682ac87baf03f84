internal import CofferBasics

/// Lays out a binary property list and writes it.
///
/// The caller adds objects in file order; equal scalars become one object at the position of the first. The size of an
/// object number depends on how many objects there are, so nothing is written before the last object is known.
struct BinaryPropertyListBuilder {
    /// The number of an object in the file.
    typealias ObjectNumber = Int32

    private enum Object {
        case scalar(Int)
        case uid(UInt32)
        case array(Range<Int>)
        case set(Range<Int>)
        case dictionary(Range<Int>)
    }

    private var scalars: ScalarTable
    private var objectOfScalar: [ObjectNumber] = []
    private var objects: [Object] = []
    /// The parts of all containers, each container's parts in one run; a dictionary's keys precede its values.
    private var parts: [ObjectNumber] = []

    private static let absent: ObjectNumber = -1

    /// Starts with scalars that the caller has already numbered, so that it can add them by number.
    init(scalars: ScalarTable = ScalarTable()) {
        self.scalars = scalars
        objectOfScalar.append(contentsOf: repeatElement(Self.absent, count: scalars.count))
        objects.reserveCapacity(40)
        parts.reserveCapacity(128)
    }

    /// Overwrites the scalars with zeros; call it once the file is encoded.
    mutating func wipe() { scalars.wipe() }

    /// Adds `scalar` unless an equal one was added before, and returns its object number.
    mutating func add(_ scalar: Scalar) -> ObjectNumber {
        addScalar(number: scalars.number(of: scalar))
    }

    /// Adds the scalar with this number in the scalar table, unless it was added before.
    mutating func addScalar(number: Int) -> ObjectNumber {
        while objectOfScalar.count <= number { objectOfScalar.append(Self.absent) }
        if objectOfScalar[number] == Self.absent {
            objectOfScalar[number] = ObjectNumber(objects.count)
            objects.append(.scalar(number))
        }
        return objectOfScalar[number]
    }

    /// Adds a reference into the objects of a keyed archive; the caller ensures that each is added only once.
    mutating func addUID(_ uid: UInt32) -> ObjectNumber {
        objects.append(.uid(uid))
        return ObjectNumber(objects.count - 1)
    }

    /// Adds an array of `count` parts; the caller then sets them with `setPart`.
    mutating func addArray(count: Int) -> (object: ObjectNumber, firstPart: Int) {
        addContainer(partCount: count) { .array($0) }
    }

    /// Adds a set of `count` parts; the caller then sets them with `setPart`.
    mutating func addSet(count: Int) -> (object: ObjectNumber, firstPart: Int) {
        addContainer(partCount: count) { .set($0) }
    }

    /// Adds a dictionary of `count` keys followed by `count` values; the caller then sets them.
    mutating func addDictionary(count: Int) -> (object: ObjectNumber, firstPart: Int) {
        addContainer(partCount: 2 * count) { .dictionary($0) }
    }

    private mutating func addContainer(
        partCount: Int,
        _ object: (Range<Int>) -> Object
    ) -> (object: ObjectNumber, firstPart: Int) {
        let firstPart = parts.count
        parts.append(contentsOf: repeatElement(0, count: partCount))
        objects.append(object(firstPart..<parts.count))
        return (ObjectNumber(objects.count - 1), firstPart)
    }

    /// Makes `object` the part at `place`, which starts at the `firstPart` of its container.
    mutating func setPart(_ place: Int, _ object: ObjectNumber) {
        parts[place] = object
    }

    /// Returns the file, with the first added object as its root; throws if it exceeds `limits`.
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
        // A marker with its count takes at most 17 bytes, an offset at most 8.
        let capacity = 40 + scalars.byteCount + objects.count * 25 + parts.count * referenceByteCount
        var bytes: [UInt8] = []
        bytes.append(addingCapacity: capacity) { (output: inout OutputSpan<UInt8>) in
            for byte in BinaryObjectTable.header { output.append(byte) }
            var offsets: [Int] = []
            offsets.reserveCapacity(objects.count)
            for object in objects {
                offsets.append(output.count)
                switch object {
                case .scalar(let number): scalars.append(number, to: &output)
                case .uid(let uid): output.append(uid: uid)
                case .array(let range): append(range, marker: 0xA0, count: range.count, referenceByteCount, to: &output)
                case .set(let range): append(range, marker: 0xC0, count: range.count, referenceByteCount, to: &output)
                case .dictionary(let range):
                    append(range, marker: 0xD0, count: range.count / 2, referenceByteCount, to: &output)
                }
            }
            append(offsets, referenceByteCount, to: &output)
        }
        return bytes
    }

    private func append(
        _ range: Range<Int>,
        marker: UInt8,
        count: Int,
        _ referenceByteCount: Int,
        to output: inout OutputSpan<UInt8>
    ) {
        output.append(marker: marker, count: count)
        for part in range {
            output.append(bigEndian: UInt64(parts[part]), byteCount: referenceByteCount)
        }
    }

    /// Appends the offset table and the trailer.
    private func append(_ offsets: [Int], _ referenceByteCount: Int, to output: inout OutputSpan<UInt8>) {
        let tableOffset = output.count
        let offsetByteCount = Self.byteCount(of: tableOffset)
        for offset in offsets { output.append(bigEndian: UInt64(offset), byteCount: offsetByteCount) }
        output.appendTrailer(
            objectCount: objects.count,
            tableOffset: tableOffset,
            offsetByteCount: offsetByteCount,
            referenceByteCount: referenceByteCount
        )
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
