internal import CofferBasics

/// Reads the archive of a dictionary whose keys are texts and whose values have no parts, if it is canonical.
///
/// It goes through the file in the order in which ``FlatArchive`` writes it. Each byte must be the one that this would
/// write, so the dictionary need not be written again to compare it with the file.
struct FlatArchiveReader {
    /// The file is not one that ``FlatArchive`` writes.
    private struct Difference: Error {}

    /// What a UID refers to, by the index of its scalar.
    private enum Object {
        case scalar(Int)
        case date(Int)
        case classDescription
    }

    private struct Scalar {
        /// Its place in the file.
        let range: Range<Int>
        let number: UInt8
        /// Whether a UID refers to it: for each scalar there is at most one.
        var hasUID = false
    }

    private let bytes: [UInt8]
    private let tableOffset: Int
    private let offsetByteCount: Int
    private let objectCount: Int

    /// Where the next object must begin, and its number.
    private var offset = 0
    private var number = 0
    private var scalars: [Scalar] = []
    private var objects: [Object] = []
    private var numberOfName: [UInt8]
    /// 0 for objects that are no UIDs.
    private var uidOfNumber = [UInt8](repeating: 0, count: 256)
    /// 0 for UIDs to which nothing has referred yet.
    private var numberOfUID = [UInt8](repeating: 0, count: 256)
    private var dateClassUID = 0
    private var dictionaryClassUID = 0
    private let names = ArchiveName.scalars

    private static let trailerByteCount = 32

    /// What all files begin with, and the offsets of its objects.
    private static let start: (bytes: [UInt8], offsets: [Int]) = {
        let empty = FlatArchive.encoded([:], limits: .standard) ?? []
        let table = Int(empty.last ?? 0)
        // The array of all other objects is the object with number 10.
        let offsets = empty[table..<table + 11].map { Int($0) }
        return (Array(empty[..<offsets[10]]), offsets.dropLast())
    }()

    /// The dictionary in a file that ``FlatArchive/encoded(_:limits:)`` has written, or nil if it has not.
    static func entries(in bytes: [UInt8], limits: DecodingLimits) -> FlatArchive.Entries? {
        guard limits.areAtLeast(FlatArchive.leastLimits), var reader = Self(bytes),
            let uids = try? reader.uids(), var entries = reader.entries(uids)
        else { return nil }
        if FlatArchive.scalarCapacity(of: entries) != nil { return entries }
        entries.wipeValues()
        return nil
    }

    /// Checks the start and the end of the file; returns nil if they are others.
    private init?(_ bytes: [UInt8]) {
        let trailer = bytes.count - Self.trailerByteCount
        guard trailer > Self.start.bytes.count, bytes.count <= FlatArchive.leastLimits.byteCount,
            bytes.span.extracting(..<Self.start.bytes.count).hasSameBytes(as: Self.start.bytes.span)
        else { return nil }
        objectCount = Int(bytes[trailer + 15])
        offsetByteCount = Int(bytes[trailer + 6])
        guard 1...2 ~= offsetByteCount else { return nil }
        tableOffset = trailer - objectCount * offsetByteCount
        guard tableOffset > Self.start.bytes.count, offsetByteCount == (tableOffset <= 0xFF ? 1 : 2) else { return nil }
        let (count, table, size) = (objectCount, tableOffset, offsetByteCount)
        let expected = [UInt8](byteCount: Self.trailerByteCount) { output in
            output.appendTrailer(objectCount: count, tableOffset: table, offsetByteCount: size, referenceByteCount: 1)
        }
        guard bytes.span.extracting(trailer...).hasSameBytes(as: expected.span) else { return nil }
        self.bytes = bytes
        numberOfName = Array(repeating: 0, count: names.count)
        scalars.reserveCapacity(objectCount)
        objects.reserveCapacity(objectCount)
    }
}

// MARK: - Structure

extension FlatArchiveReader {
    /// Goes through the file, and returns the UIDs of all keys, then those of all values.
    private mutating func uids() throws(Difference) -> [Int] {
        for start in Self.start.offsets {
            offset = start
            try begin()
        }
        offset = Self.start.bytes.count
        let (array, count) = try open(0xA0)
        guard count > FlatArchive.firstUID else { throw Difference() }
        try expect(.null, at: array)
        let uids = try readDictionary(at: array + 1)
        for uid in FlatArchive.firstUID..<count { objects.append(try object(uid, at: array + uid)) }
        guard offset == tableOffset, number == objectCount else { throw Difference() }
        try checkOrder(of: uids)
        return uids
    }

    private mutating func readDictionary(at place: Int) throws(Difference) -> [Int] {
        let dictionary = try open(0xD0, count: 3, at: place)
        try expect(.keys, at: dictionary)
        try expect(.elements, at: dictionary + 1)
        try expect(.class, at: dictionary + 2)
        var uids: [Int] = []
        uids.reserveCapacity(objectCount)
        for half in 0..<2 {
            try refer(to: number, at: dictionary + 3 + half)
            let (array, count) = try open(0xA0)
            guard half == 0 || count == uids.count else { throw Difference() }
            for index in 0..<count { uids.append(try uid(at: array + index)) }
        }
        dictionaryClassUID = try uid(at: dictionary + 5)
        return uids
    }

    private mutating func object(_ uid: Int, at place: Int) throws(Difference) -> Object {
        switch uid {
        case dictionaryClassUID: return try readClass(.dictionary, at: place)
        case dateClassUID: return try readClass(.date, at: place)
        case _ where Int(bytes[place]) == number && bytes[offset] == 0xD2:
            // The class of dates comes after the first of them.
            if dateClassUID == 0 { dateClassUID = uid + 1 }
            let date = try open(0xD0, count: 2, at: place)
            try expect(.time, at: date)
            try expect(.class, at: date + 1)
            let scalar = try scalar(at: date + 2)
            guard bytes[scalars[scalar].range.lowerBound] == 0x23, try self.uid(at: date + 3) == dateClassUID else {
                throw Difference()
            }
            return .date(scalar)
        default:
            let scalar = try scalar(at: place)
            guard !scalars[scalar].hasUID else { throw Difference() }
            scalars[scalar].hasUID = true
            return .scalar(scalar)
        }
    }

    private mutating func readClass(_ class: StandardClass, at place: Int) throws(Difference) -> Object {
        let description = try open(0xD0, count: 2, at: place)
        try expect(.className, at: description)
        try expect(.classes, at: description + 1)
        try expect(ArchiveName.scalar(of: `class`), at: description + 2)
        let array = try open(0xA0, count: 2, at: description + 3)
        try expect(ArchiveName.scalar(of: `class`), at: array)
        try expect(.rootClass, at: array + 1)
        return .classDescription
    }

    /// Throws unless the UIDs are numbered in the order in which keys and values first need them.
    private func checkOrder(of uids: [Int]) throws(Difference) {
        var next = FlatArchive.firstUID
        var hasDates = false
        for uid in uids {
            guard uid <= next, uid - FlatArchive.firstUID < objects.count else { throw Difference() }
            switch objects[uid - FlatArchive.firstUID] {
            case .scalar: if uid == next { next += 1 }
            case .date where uid == next:
                next += 1
                if !hasDates {
                    guard dateClassUID == next else { throw Difference() }
                    next += 1
                    hasDates = true
                }
            case .date, .classDescription: throw Difference()
            }
        }
        guard dictionaryClassUID == next, objects.count == next + 1 - FlatArchive.firstUID else { throw Difference() }
    }
}

// MARK: - Parts

extension FlatArchiveReader {
    /// Throws unless the reference at `place` is to the object with this number.
    private func refer(to number: Int, at place: Int) throws(Difference) {
        guard Int(bytes[place]) == number else { throw Difference() }
    }

    /// Begins the next object, whose offset must be in the table.
    private mutating func begin() throws(Difference) {
        guard number < objectCount, offset < tableOffset else { throw Difference() }
        let entry = tableOffset + number * offsetByteCount
        let low = Int(bytes[entry + offsetByteCount - 1])
        guard (offsetByteCount == 2 ? Int(bytes[entry]) << 8 | low : low) == offset else { throw Difference() }
        number += 1
    }

    /// Begins a container of `count` elements or entries, and returns the place of its first reference.
    private mutating func open(_ kind: UInt8, count: Int, at place: Int) throws(Difference) -> Int {
        try refer(to: number, at: place)
        let container = try open(kind)
        guard container.count == count else { throw Difference() }
        return container.place
    }

    /// Begins a container, and returns the place of its first reference and the number of its elements or entries.
    private mutating func open(_ kind: UInt8) throws(Difference) -> (place: Int, count: Int) {
        try begin()
        guard bytes[offset] & 0xF0 == kind else { throw Difference() }
        let unitByteCount = kind == 0xD0 ? 2 : 1
        let payload = try payload(unitByteCount: unitByteCount)
        offset = payload.upperBound
        return (payload.lowerBound, payload.count / unitByteCount)
    }

    /// The payload of the object at the offset, whose count must have its shortest form.
    private func payload(unitByteCount: Int) throws(Difference) -> Range<Int> {
        var count = Int(bytes[offset] & 0x0F)
        var start = offset + 1
        if count == 0x0F {
            // An integer of one or two bytes follows: there are fewer than 64 KiB. The trailer is longer than that.
            let byteCount = Int(bytes[start]) - 0x0F
            guard 1...2 ~= byteCount else { throw Difference() }
            count = Int(bytes.bigEndian(at: start + 1, byteCount: byteCount))
            guard count > (byteCount == 1 ? 0x0E : 0xFF) else { throw Difference() }
            start += 1 + byteCount
        }
        guard count * unitByteCount <= tableOffset - start else { throw Difference() }
        return start..<start + count * unitByteCount
    }

    private mutating func expect(_ name: ArchiveName, at place: Int) throws(Difference) {
        try expect(name.rawValue, at: place)
    }

    /// Throws unless the reference at `place` is to this name, which comes next if it is new.
    private mutating func expect(_ name: Int, at place: Int) throws(Difference) {
        if numberOfName[name] == 0 {
            numberOfName[name] = UInt8(number)
            try begin()
            guard let byteCount = names.byteCount(of: name, at: offset, in: bytes.span) else { throw Difference() }
            offset += byteCount
        }
        try refer(to: Int(numberOfName[name]), at: place)
    }

    /// The UID to which the reference at `place` refers; if it is new, it comes next.
    private mutating func uid(at place: Int) throws(Difference) -> Int {
        let reference = Int(bytes[place])
        if reference == number {
            try begin()
            let uid = Int(bytes[offset + 1])
            guard bytes[offset] == 0x80, uid >= FlatArchive.firstUID, numberOfUID[uid] == 0 else { throw Difference() }
            numberOfUID[uid] = UInt8(reference)
            uidOfNumber[reference] = UInt8(uid)
            offset += 2
        }
        guard uidOfNumber[reference] != 0 else { throw Difference() }
        return Int(uidOfNumber[reference])
    }

    /// The index of the scalar to which the reference at `place` refers; if it is new, it comes next.
    private mutating func scalar(at place: Int) throws(Difference) -> Int {
        let reference = bytes[place]
        guard Int(reference) == number else {
            guard let known = scalars.firstIndex(where: { $0.number == reference }) else { throw Difference() }
            return known
        }
        try begin()
        let range = offset..<(try scalarEnd())
        guard isNew(range) else { throw Difference() }
        scalars.append(Scalar(range: range, number: reference))
        offset = range.upperBound
        return scalars.count - 1
    }

    private func isNew(_ range: Range<Int>) -> Bool {
        let scalar = bytes.span.extracting(range)
        for known in scalars where known.range.count == range.count {
            let knownScalar = bytes.span.extracting(known.range)
            if knownScalar.hasSameBytes(as: scalar) { return false }
        }
        return true
    }
}

// MARK: - Scalars

extension FlatArchiveReader {
    /// Where the scalar at the offset ends; it must be written in the shortest form.
    private func scalarEnd() throws(Difference) -> Int {
        let end: Int
        switch bytes[offset] {
        case 0x08, 0x09: end = offset + 1
        case 0x10...0x14:
            let byteCount = 1 << Int(bytes[offset] & 0x0F)
            end = offset + 1 + byteCount
            // The trailer is longer than any number.
            guard KeyedArchive.Scalar.byteCount(of: integer(in: offset + 1..<end)) == byteCount else {
                throw Difference()
            }
        case 0x23: end = offset + 9
        case 0x40...0x4F: end = try payload(unitByteCount: 1).upperBound
        case 0x50...0x5F:
            let text = try payload(unitByteCount: 1)
            guard bytes[text].allSatisfy({ $0 < 0x80 }) else { throw Difference() }
            end = text.upperBound
        case 0x60...0x6F:
            let text = try payload(unitByteCount: 2)
            var isASCII = true
            guard bytes.transcode(text, to: { if $0 >= 0x80 { isASCII = false } }), !isASCII else {
                throw Difference()
            }
            end = text.upperBound
        default: throw Difference()
        }
        guard end <= tableOffset else { throw Difference() }
        return end
    }

    private func integer(in range: Range<Int>) -> Int128 {
        let low = bytes.bigEndian(at: max(range.lowerBound, range.upperBound - 8), byteCount: min(range.count, 8))
        return switch range.count {
        case 8: Int128(Int64(bitPattern: low))
        case 16: Int128(Int64(bitPattern: bytes.bigEndian(at: range.lowerBound, byteCount: 8))) << 64 | Int128(low)
        default: Int128(low)
        }
    }

    private func real(at offset: Int) -> Double { Double(bitPattern: bytes.bigEndian(at: offset, byteCount: 8)) }

    /// The dictionary whose keys and values have these UIDs, or nil if the keys are not in order.
    private func entries(_ uids: [Int]) -> FlatArchive.Entries? {
        let count = uids.count / 2
        var entries: [FlatArchive.Entries.Element] = []
        entries.reserveCapacity(count)
        for index in 0..<count { entries.append((value(uids[index]), value(uids[count + index]))) }
        if let dictionary = CanonicalDictionary(ordered: entries) { return dictionary }
        for index in entries.indices { entries[index].value.wipe() }
        return nil
    }

    private func value(_ uid: Int) -> ArchiveValue {
        switch objects[uid - FlatArchive.firstUID] {
        case .date(let scalar):
            return .date(secondsSinceReferenceDate: real(at: scalars[scalar].range.lowerBound + 1))
        case .classDescription: return .null
        case .scalar(let scalar):
            let range = scalars[scalar].range
            let marker = bytes[range.lowerBound]
            let isLong = marker & 0x0F == 0x0F
            let start = range.lowerBound + 1 + (isLong ? Int(bytes[range.lowerBound + 1]) - 0x0E : 0)
            return switch marker {
            case 0x08, 0x09: .bool(marker == 0x09)
            case 0x10...0x14: .integer(integer(in: start..<range.upperBound))
            case 0x23: .real(real(at: start))
            case 0x40...0x4F: .data(Array(bytes[start..<range.upperBound]))
            case 0x50...0x5F: .string(String(decoding: bytes[start..<range.upperBound], as: UTF8.self))
            default: String(utf16: bytes, in: start..<range.upperBound).map { .string($0) } ?? .null
            }
        }
    }
}
