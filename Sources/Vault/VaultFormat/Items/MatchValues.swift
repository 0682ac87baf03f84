internal import CofferBasics
internal import KeyedArchive

/// The canonical values by which an item is matched, in the order of ``AttributeTable``.
///
/// They are kept as the input of the primary key digest, section 9.3: the number of the class, then for each value its
/// size and its bytes. So one array holds them all.
struct MatchValues: Wipeable {
    private var bytes: [UInt8]
    /// How many of the bytes belong to the primary key.
    private var primaryKeyByteCount = 0

    /// The values of an item of which only some are known: those that `given` returns for their numbers.
    init(_ itemClass: ItemClass, given: (Int) -> [UInt8]?) {
        bytes = []
        bytes.reserveCapacity(128)
        bytes.append(itemClass.rawValue)
        let table = itemClass.table
        for number in table.defaultMatchValues.indices {
            append(given(number) ?? table.defaultMatchValues[number])
            if number < table.wholePrimaryKeyCount { primaryKeyByteCount = bytes.count }
        }
    }

    /// The values of an item with these attributes; a name that the class does not have, or a value of the wrong kind,
    /// is an error.
    init(_ itemClass: ItemClass, _ attributes: CanonicalDictionary<ArchiveValue, ArchiveValue>) throws(Fault) {
        let table = itemClass.table
        var indices = InlineArray<16, Int>(repeating: -1)
        // Enough for all, since what outgrows an array leaves a copy behind that nobody wipes.
        var greatestByteCount = 1
        for index in attributes.indices {
            let entry = attributes[index]
            guard case .string(let name) = entry.key, let attribute = table.attribute(name) else { throw .badValue }
            if let number = attribute.matchNumber {
                indices[number] = index
                greatestByteCount += entry.value.string?.utf8.count ?? entry.value.data?.count ?? 0
            } else {
                try CanonicalValue.check(entry.value, kind: attribute.kind)
            }
        }
        // A size, and a number with its form.
        greatestByteCount += table.matchKinds.count * 13
        bytes = []
        bytes.reserveCapacity(greatestByteCount)
        bytes.append(itemClass.rawValue)
        for (number, kind) in table.matchKinds.enumerated() {
            if indices[number] < 0 {
                append(table.defaultMatchValues[number])
            } else {
                let start = bytes.count
                bytes.append(littleEndian: UInt32(0))
                try CanonicalValue.append(attributes[indices[number]].value, kind: kind, to: &bytes)
                let byteCount = UInt32(bytes.count - start - 4)
                for byte in 0..<4 { bytes[start + byte] = UInt8(truncatingIfNeeded: byteCount >> (8 * byte)) }
            }
            if number < table.wholePrimaryKeyCount { primaryKeyByteCount = bytes.count }
        }
    }

    private mutating func append(_ value: [UInt8]) {
        bytes.append(littleEndian: UInt32(value.count))
        bytes += value
    }

    /// The input of the primary key digest.
    var primaryKey: ArraySlice<UInt8> { bytes[..<primaryKeyByteCount] }

    /// The value with this number.
    subscript(number: Int) -> ArraySlice<UInt8> {
        var start = 1
        for _ in 0..<number { start += 4 + byteCount(at: start) }
        return bytes[start + 4..<start + 4 + byteCount(at: start)]
    }

    private func byteCount(at offset: Int) -> Int { Int(bytes.span.littleEndian(at: offset, as: UInt32.self)) }

    mutating func wipe() { bytes.wipe() }
}
