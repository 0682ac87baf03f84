internal import CofferBasics

extension BinaryPropertyListBuilder {
    /// Returns the file, with the first item as its root; throws if it exceeds `limits`.
    func encoded(limits: DecodingLimits) throws(PropertyListError) -> [UInt8] {
        try layout.check(limits)
        var bytes = [UInt8](zeroByteCount: layout.byteCount)
        var numbers = [Int32](repeating: 0, count: scalars.count + uidCount)
        var span = bytes.mutableSpan
        var numberSpan = numbers.mutableSpan
        var output = BinaryPropertyListOutput(layout)
        _ = output.add(self, to: &span, &numberSpan)
        output.finish(&span)
        return bytes
    }
}

/// Writes the objects of a binary property list into zeros of the size that the layout states.
///
/// The parts of a container follow it, so its references are filled in as they become known. `numbers` has the numbers
/// of the scalars, and behind them of the UIDs, that were written; 0 for all others.
private struct BinaryPropertyListOutput {
    private let referenceByteCount: Int
    private let offsetByteCount: Int
    private let tableOffset: Int
    /// The index of the next item.
    private var index = 0
    /// The place of the next object.
    private var offset = BinaryObjectTable.header.count
    /// The place of the next object in the offset table.
    private var tablePlace: Int
    private var objectCount: Int32 = 0

    init(_ layout: BinaryPropertyListLayout) {
        referenceByteCount = layout.referenceByteCount
        offsetByteCount = layout.offsetByteCount
        tableOffset = layout.tableOffset
        tablePlace = tableOffset
    }

    /// Adds the next item with everything it contains, and returns the number of its object.
    @inline(__always) mutating func add(
        _ list: borrowing BinaryPropertyListBuilder,
        to bytes: inout MutableSpan<UInt8>,
        _ numbers: inout MutableSpan<Int32>
    ) -> Int32 {
        let item = list.items[index]
        index &+= 1
        let place: Int
        switch item {
        case .scalar(let number):
            place = Int(number)
        case .uid(let uid):
            place = list.scalars.count &+ Int(uid)
        case .container(let container, let count):
            return add(container, count: Int(count), of: list, to: &bytes, &numbers)
        }
        let known = numbers[place]
        guard known == 0 else { return known }
        numbers[place] = objectCount
        begin(&bytes)
        switch item {
        case .uid(let uid): bytes.write(uid: uid, at: &offset)
        default: list.scalars.copy(place, to: &bytes, at: &offset)
        }
        return objectCount &- 1
    }

    private mutating func add(
        _ container: BinaryPropertyListBuilder.Container,
        count: Int,
        of list: borrowing BinaryPropertyListBuilder,
        to bytes: inout MutableSpan<UInt8>,
        _ numbers: inout MutableSpan<Int32>
    ) -> Int32 {
        let object = objectCount
        begin(&bytes)
        bytes.write(marker: container.rawValue, count: count, at: &offset)
        var partCount = container == .dictionary ? 2 &* count : count
        var place = offset
        offset &+= partCount &* referenceByteCount
        while partCount > 0 {
            let part = add(list, to: &bytes, &numbers)
            bytes.write(bigEndian: UInt64(truncatingIfNeeded: part), byteCount: referenceByteCount, at: place)
            place &+= referenceByteCount
            partCount &-= 1
        }
        return object
    }

    /// Begins an object at the current offset.
    @inline(__always) private mutating func begin(_ bytes: inout MutableSpan<UInt8>) {
        bytes.write(bigEndian: UInt64(truncatingIfNeeded: offset), byteCount: offsetByteCount, at: tablePlace)
        tablePlace &+= offsetByteCount
        objectCount &+= 1
    }

    /// Writes the header and the trailer once all objects are written.
    func finish(_ bytes: inout MutableSpan<UInt8>) {
        precondition(offset == tableOffset, "the objects do not have the size that was computed")
        let header = BinaryObjectTable.header
        bytes.copy(from: header.span)
        bytes[tablePlace + 6] = UInt8(offsetByteCount)
        bytes[tablePlace + 7] = UInt8(referenceByteCount)
        bytes.write(bigEndian: UInt64(objectCount), byteCount: 8, at: tablePlace + 8)
        bytes.write(bigEndian: UInt64(tableOffset), byteCount: 8, at: tablePlace + 24)
    }
}
