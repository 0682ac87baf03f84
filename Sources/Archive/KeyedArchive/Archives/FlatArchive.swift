internal import CofferBasics

/// The archive of a dictionary whose keys are texts and whose values have no parts, such as the attributes of an item.
///
/// The order of its objects is known beforehand. So it is written in a fraction of the time that ``ArchiveFlattener``
/// and ``ArchiveWriter`` take, with the same bytes; ``FlatArchiveReader`` reads it.
struct FlatArchive {
    typealias Entries = CanonicalDictionary<ArchiveValue, ArchiveValue>

    /// What a UID refers to, by the number of its scalar.
    private enum Object {
        case scalar(Int)
        case date(Int)
        case dateClass
        case dictionaryClass
    }

    private struct Scalar {
        /// Its place among the bytes of all scalars.
        let range: Range<Int>
        /// 0 if nothing has referred to it yet: UID 0 is no object, and object 0 of the property list the root.
        var uid: UInt8 = 0
        var number: UInt8 = 0
    }

    // Arrays, since the compiler copies an inline one for each access.
    private var scalars: [Scalar] = []
    /// What the UIDs from 2 on refer to; 1 is the dictionary.
    private var objects: [Object] = []
    /// The UIDs of all keys, then those of all values.
    private var parts: [UInt8] = []
    private var dateClassUID: UInt8 = 0
    private var dictionaryClassUID: UInt8 = 0

    // The objects of the property list.
    private var offsets: [UInt16] = []
    private var numberOfName: [UInt8]
    private var numberOfUID: [UInt8]
    private let names = ArchiveName.scalars

    static let firstUID = 2

    // Larger dictionaries are left to the other writer, and so are those near a limit.
    private static let mostEntries = 32
    private static let mostScalarBytes = 4 << 10
    static let leastLimits = DecodingLimits(byteCount: 8 << 10, depth: 2, objectCount: 256, nodeCount: 256)

    /// Returns the file, or nil if the dictionary is not of this kind or large.
    static func encoded(_ entries: Entries, limits: DecodingLimits) -> [UInt8]? {
        guard let capacity = scalarCapacity(of: entries), limits.areAtLeast(leastLimits) else { return nil }
        var archive = FlatArchive(entryCount: entries.count)
        return withTemporarySecret(
            capacity: capacity,
            writtenBy: { bytes in archive.collect(entries, &bytes) }
        ) { bytes in
            // Besides the scalars: at most 255 objects with 4 bytes each on average, and the names.
            [UInt8](byteCount: bytes.count + 2_048) { output in archive.write(bytes, to: &output) }
        }
    }

    private init(entryCount: Int) {
        scalars.reserveCapacity(2 * entryCount)
        objects.reserveCapacity(2 * entryCount + 2)
        parts.reserveCapacity(2 * entryCount)
        offsets.reserveCapacity(5 * entryCount + 30)
        numberOfName = Array(repeating: 0, count: names.count)
        numberOfUID = Array(repeating: 0, count: 2 * entryCount + 4)
    }
}

// MARK: - Contents

extension FlatArchive {
    /// Returns enough bytes for all scalars, or nil if the dictionary is not of this kind or large.
    static func scalarCapacity(of entries: Entries) -> Int? {
        guard entries.count <= mostEntries else { return nil }
        var capacity = 0
        for index in entries.indices {
            let (key, value) = entries[index]
            guard case .string = key, let first = Self.capacity(for: key), let second = Self.capacity(for: value)
            else { return nil }
            capacity += first + second
        }
        return capacity <= mostScalarBytes ? capacity : nil
    }

    /// Returns nil if the value is no scalar or date, or could be a scalar that all archives have.
    private static func capacity(for value: ArchiveValue) -> Int? {
        switch value {
        case .bool, .real, .date: 9
        case .integer(let number): number == ArchiveName.versionNumber ? nil : 17
        case .data(let bytes): 17 + bytes.count
        case .string(let text): isName(text) ? nil : 17 + 2 * text.utf8.count
        case .null, .uuid, .url, .array, .set, .dictionary, .object: nil
        }
    }

    private static func isName(_ text: String) -> Bool {
        let bytes = text.utf8Span.span
        guard bytes.count >= 4 else { return false }
        return bytes[0] == UInt8(ascii: "$") || bytes[0] == UInt8(ascii: "N") && bytes[1] == UInt8(ascii: "S")
            || text == ArchiveName.root.text
    }

    /// Numbers all scalars and objects, and appends the scalars to `bytes`.
    private mutating func collect(_ entries: Entries, _ bytes: inout OutputSpan<UInt8>) {
        for index in entries.indices { add(entries[index].key, &bytes) }
        for index in entries.indices { add(entries[index].value, &bytes) }
        dictionaryClassUID = add(.dictionaryClass)
    }

    private mutating func add(_ value: ArchiveValue, _ bytes: inout OutputSpan<UInt8>) {
        if case .date(let seconds) = value {
            parts.append(add(.date(index(of: .real(seconds), &bytes))))
            if dateClassUID == 0 { dateClassUID = add(.dateClass) }
        } else if let scalar = value.scalar {
            let index = index(of: scalar, &bytes)
            if scalars[index].uid == 0 { scalars[index].uid = add(.scalar(index)) }
            parts.append(scalars[index].uid)
        }
    }

    private mutating func add(_ object: Object) -> UInt8 {
        objects.append(object)
        return UInt8(Self.firstUID + objects.count - 1)
    }

    /// Returns the place of a scalar in ``scalars``, where equal ones stand once.
    private mutating func index(of scalar: KeyedArchive.Scalar, _ bytes: inout OutputSpan<UInt8>) -> Int {
        let start = bytes.count
        bytes.append(scalar)
        let range = start..<bytes.count
        if let known = firstIndex(of: range, bytes.span) {
            bytes.removeLast(range.count)
            return known
        }
        scalars.append(Scalar(range: range))
        return scalars.count - 1
    }

    private func firstIndex(of range: Range<Int>, _ bytes: Span<UInt8>) -> Int? {
        let scalar = bytes.extracting(range)
        for (index, known) in scalars.enumerated() where known.range.count == range.count {
            let knownScalar = bytes.extracting(known.range)
            if knownScalar.hasSameBytes(as: scalar) { return index }
        }
        return nil
    }
}

// MARK: - The file

extension FlatArchive {
    private mutating func write(_ bytes: Span<UInt8>, to output: inout OutputSpan<UInt8>) {
        let header = BinaryObjectTable.header
        output.append(copying: header.span)
        let root = open(0xD0, count: 4, from: nil, &output)
        set(root, .version, &output)
        set(root + 1, .archiver, &output)
        set(root + 2, .top, &output)
        set(root + 3, .objects, &output)
        setName(root + 4, ArchiveName.versionScalar, &output)
        set(root + 5, .archiverName, &output)
        let top = open(0xD0, count: 1, from: root + 6, &output)
        set(top, .root, &output)
        setUID(top + 1, 1, &output)

        let array = open(0xA0, count: Self.firstUID + objects.count, from: root + 7, &output)
        set(array, .null, &output)
        writeDictionary(from: array + 1, &output)
        for index in objects.indices {
            let place = array + Self.firstUID + index
            switch objects[index] {
            case .scalar(let scalar): setScalar(place, scalar, bytes, &output)
            case .date(let scalar):
                let date = open(0xD0, count: 2, from: place, &output)
                set(date, .time, &output)
                set(date + 1, .class, &output)
                setScalar(date + 2, scalar, bytes, &output)
                setUID(date + 3, dateClassUID, &output)
            case .dateClass: writeClass(.date, from: place, &output)
            case .dictionaryClass: writeClass(.dictionary, from: place, &output)
            }
        }
        output.appendTable(offsets)
    }

    private mutating func writeDictionary(from place: Int, _ output: inout OutputSpan<UInt8>) {
        let dictionary = open(0xD0, count: 3, from: place, &output)
        set(dictionary, .keys, &output)
        set(dictionary + 1, .elements, &output)
        set(dictionary + 2, .class, &output)
        let entryCount = parts.count / 2
        for half in 0..<2 {
            let array = open(0xA0, count: entryCount, from: dictionary + 3 + half, &output)
            for index in 0..<entryCount { setUID(array + index, parts[half * entryCount + index], &output) }
        }
        setUID(dictionary + 5, dictionaryClassUID, &output)
    }

    private mutating func writeClass(_ class: StandardClass, from place: Int, _ output: inout OutputSpan<UInt8>) {
        let description = open(0xD0, count: 2, from: place, &output)
        set(description, .className, &output)
        set(description + 1, .classes, &output)
        setName(description + 2, ArchiveName.scalar(of: `class`), &output)
        let array = open(0xA0, count: 2, from: description + 3, &output)
        setName(array, ArchiveName.scalar(of: `class`), &output)
        set(array + 1, .rootClass, &output)
    }

    /// Begins a container of `count` elements or entries, and returns the place of its first reference.
    private mutating func open(
        _ marker: UInt8,
        count: Int,
        from place: Int?,
        _ output: inout OutputSpan<UInt8>
    ) -> Int {
        let number = begin(output.count)
        if let place { output.overwrite(place, with: number) }
        output.append(marker: marker, count: count)
        output.append(zeroByteCount: marker == 0xD0 ? 2 * count : count)
        return output.count - (marker == 0xD0 ? 2 * count : count)
    }

    private mutating func begin(_ offset: Int) -> UInt8 {
        offsets.append(UInt16(offset))
        return UInt8(offsets.count - 1)
    }

    private mutating func set(_ place: Int, _ name: ArchiveName, _ output: inout OutputSpan<UInt8>) {
        setName(place, name.rawValue, &output)
    }

    private mutating func setName(_ place: Int, _ name: Int, _ output: inout OutputSpan<UInt8>) {
        if numberOfName[name] == 0 {
            numberOfName[name] = begin(output.count)
            names.append(name, to: &output)
        }
        output.overwrite(place, with: numberOfName[name])
    }

    private mutating func setUID(_ place: Int, _ uid: UInt8, _ output: inout OutputSpan<UInt8>) {
        if numberOfUID[Int(uid)] == 0 {
            numberOfUID[Int(uid)] = begin(output.count)
            output.append(uid: UInt32(uid))
        }
        output.overwrite(place, with: numberOfUID[Int(uid)])
    }

    private mutating func setScalar(
        _ place: Int,
        _ scalar: Int,
        _ bytes: Span<UInt8>,
        _ output: inout OutputSpan<UInt8>
    ) {
        if scalars[scalar].number == 0 {
            scalars[scalar].number = begin(output.count)
            output.append(copying: bytes.extracting(scalars[scalar].range))
        }
        output.overwrite(place, with: scalars[scalar].number)
    }
}

extension OutputSpan<UInt8> {
    fileprivate mutating func overwrite(_ place: Int, with byte: UInt8) {
        var bytes = mutableSpan
        bytes[place] = byte
    }

    /// Appends the offset table and the trailer of a file with references of one byte.
    fileprivate mutating func appendTable(_ offsets: [UInt16]) {
        let tableOffset = count
        let byteCount = tableOffset <= 0xFF ? 1 : 2
        for offset in offsets {
            if byteCount == 2 { append(UInt8(truncatingIfNeeded: offset >> 8)) }
            append(UInt8(truncatingIfNeeded: offset))
        }
        appendTrailer(
            objectCount: offsets.count,
            tableOffset: tableOffset,
            offsetByteCount: byteCount,
            referenceByteCount: 1
        )
    }
}
