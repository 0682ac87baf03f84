import KeyedArchive
import TestSupport
import Testing

private typealias Entries = CanonicalDictionary<ArchiveValue, ArchiveValue>

extension ArchiveValue {
    /// The archive as the writer for all values makes it: `archived()` has a shorter way for some dictionaries.
    fileprivate func generallyArchived(limits: DecodingLimits = .record) throws -> [UInt8] {
        try Archive(top: ["root": .reference(self)]).encoded(limits: limits)
    }

    /// A dictionary of scalars and dates, some of which repeat each other or, every second time, what all archives
    /// contain.
    fileprivate static func randomFlat(using generator: inout SeededGenerator) -> ArchiveValue {
        let hasNames = Bool.random(using: &generator)
        let names = hasNames ? ["root", "$null", "NSDate", "NS.time", "$class"] : []
        let texts = ["acct", "svce", "kim", "", "größer", "😀"] + names
        var entries: Entries = [:]
        for _ in 0..<Int.random(in: 0...(hasNames ? 40 : 12), using: &generator) {
            let number = Int.random(in: -2...3, using: &generator)
            let key = Bool.random(using: &generator) ? texts.randomElement(using: &generator) : "k\(number)"
            entries[.string(key ?? "")] =
                switch Int.random(in: 0..<9, using: &generator) {
                case 0: .bool(number > 0)
                case 1: .integer([0, -1, 255, 256, 70_000, hasNames ? 100_000 : 1 << 40, -1 << 70][number + 2])
                case 2: .real(Double(number) / 2)
                case 3: .date(secondsSinceReferenceDate: Double(number) / 2)
                case 4: .data(Array(repeating: 7, count: number + 2))
                case 5: .string(String(repeating: "long ", count: 20 * (number + 2)))
                case 6: .integer(Int128(number) << 60)
                default: .string(texts.randomElement(using: &generator) ?? "")
                }
        }
        return .dictionary(entries)
    }
}

@Suite("Dictionaries of scalars") struct FlatArchiveTests {
    @Test(arguments: UInt64(0)..<1000)
    func `the shorter way of writing gives the same bytes`(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let value = ArchiveValue.randomFlat(using: &generator)
        #expect(try value.archived(limits: .record) == value.generallyArchived())
    }

    @Test(arguments: 0...64)
    func `so it does for each number of entries`(count: Int) throws {
        var entries: Entries = [:]
        for number in 0..<count { entries[.string("key \(number)")] = .date(secondsSinceReferenceDate: Double(number)) }
        #expect(try ArchiveValue.dictionary(entries).archived() == ArchiveValue.dictionary(entries).generallyArchived())
    }

    @Test func `limits are the same`() throws {
        let value: ArchiveValue = ["acct": "kim", "labl": .string(String(repeating: "a", count: 640))]
        for nodeCount in 1...300 {
            let limits = DecodingLimits(byteCount: 1 << 16, depth: 2, objectCount: 4_096, nodeCount: nodeCount)
            #expect((try? value.archived(limits: limits)) == (try? value.generallyArchived(limits: limits)))
        }
        for byteCount in [100, 900, 1_000, 1_100, 8_191, 8_192] {
            let limits = DecodingLimits(byteCount: byteCount, depth: 2, objectCount: 4_096, nodeCount: 4_096)
            #expect((try? value.archived(limits: limits)) == (try? value.generallyArchived(limits: limits)))
        }
    }

    @Test(arguments: UInt64(0)..<UInt64(Trials.count(100, whole: 300)))
    func `a dictionary is read from exactly those bytes that writing it gives`(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let value = ArchiveValue.randomFlat(using: &generator)
        let bytes = try value.archived(limits: .record)
        #expect(CanonicalDictionary(canonicalArchive: bytes, limits: .record) == value.dictionary)
        for _ in 0..<50 {
            var changed = bytes
            changed[Int.random(in: 0..<bytes.count, using: &generator)] = .random(in: 0...255, using: &generator)
            expectRead(changed)
            // Another byte of the file is more likely to be a valid reference.
            changed[Int.random(in: 0..<bytes.count, using: &generator)] = bytes.randomElement(using: &generator) ?? 0
            expectRead(changed)
        }
    }

    @Test(arguments: UInt64(0)..<UInt64(Trials.count(60, whole: 200)))
    func `the same dictionary in another form is refused`(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let value = ArchiveValue.randomFlat(using: &generator)
        // Files with longer references are read in the general way.
        guard let file = ArrangedFile(try value.archived(limits: .record)) else { return }
        #expect(file.inOrder.bytes == file.bytes)
        for _ in 0..<20 {
            var changed = file
            changed.change(using: &generator)
            expectRead(changed.bytes)
            expectRead(changed.inOrder.bytes)
            changed = file
            changed.redirect(using: &generator)
            expectRead(changed.inOrder.bytes)
            expectRead(changed.inOrder.addingUnusedObject.bytes)
        }
    }

    /// Expects what writing the contents again tells.
    private func expectRead(_ bytes: [UInt8]) {
        let expected = try? ArchiveValue(archive: bytes, limits: .record)
        let isCanonical = (try? expected?.generallyArchived()) == bytes
        let read = CanonicalDictionary(canonicalArchive: bytes, limits: .record)
        #expect(read == (isCanonical ? expected?.dictionary : nil))
    }

    @Test func `other archives are read too, and other values refused`() throws {
        let nested: ArchiveValue = ["accc": ["flags": 1], "acct": "kim"]
        #expect(CanonicalDictionary(canonicalArchive: try nested.archived(), limits: .record) == nested.dictionary)
        for other: ArchiveValue in [["kim"], "kim", 1] {
            #expect(CanonicalDictionary(canonicalArchive: try other.archived(), limits: .record) == nil)
        }
        #expect(CanonicalDictionary(canonicalArchive: [], limits: .record) == nil)
    }
}

/// The objects of a binary property list with references of one byte, to be arranged in another way.
private struct ArrangedFile {
    private var objects: [[UInt8]] = []

    init?(_ file: [UInt8]) {
        let trailer = file.count - 32
        guard file[trailer + 7] == 1 else { return nil }
        let (size, count) = (Int(file[trailer + 6]), Int(file[trailer + 15]))
        let table = trailer - count * size
        let offsets = (0..<count).map { number in
            file[table + number * size..<table + (number + 1) * size].reduce(0) { $0 << 8 | Int($1) }
        }
        for (start, end) in zip(offsets, offsets.dropFirst() + [table]) { objects.append(Array(file[start..<end])) }
    }

    var bytes: [UInt8] {
        var file = Array("bplist00".utf8)
        var offsets: [Int] = []
        for object in objects {
            offsets.append(file.count)
            file += object
        }
        let table = file.count
        let size = table > 0xFF ? 2 : 1
        for offset in offsets { file += size == 2 ? [UInt8(offset >> 8), UInt8(offset & 0xFF)] : [UInt8(offset)] }
        file += [0, 0, 0, 0, 0, 0, UInt8(size), 1, 0, 0, 0, 0, 0, 0, 0, UInt8(objects.count)]
        return file + [UInt8](repeating: 0, count: 14) + [UInt8(table >> 8), UInt8(table & 0xFF)]
    }

    /// Where the references of an object are in its bytes.
    private func references(of number: Int) -> Range<Int> {
        let object = objects[number]
        guard [0xA0, 0xD0].contains(object[0] & 0xF0) else { return 0..<0 }
        return (object[0] & 0x0F == 0x0F ? 2 + (1 << Int(object[1] & 0x0F)) : 1)..<object.count
    }

    /// The same objects in the order in which something first refers to them.
    var inOrder: ArrangedFile {
        var numbers: [Int: UInt8] = [:]
        var order: [Int] = []
        func visit(_ number: Int) {
            guard numbers[number] == nil else { return }
            numbers[number] = UInt8(order.count)
            order.append(number)
            for place in references(of: number) { visit(Int(objects[number][place])) }
        }
        visit(0)
        var file = self
        file.objects = order.map { number in
            var object = objects[number]
            for place in references(of: number) { object[place] = numbers[Int(object[place])] ?? 0 }
            return object
        }
        return file
    }

    var addingUnusedObject: ArrangedFile {
        var file = self
        file.objects.append([0x09])
        return file
    }

    /// Writes the same contents in another form.
    mutating func change(using generator: inout SeededGenerator) {
        switch Int.random(in: 0..<3, using: &generator) {
        case 0: repeatObject(using: &generator)
        case 1: lengthenObject(using: &generator)
        default: swapUIDs(using: &generator)
        }
    }

    private func randomReference(using generator: inout SeededGenerator) -> (object: Int, place: Int) {
        let all = objects.indices.flatMap { object in references(of: object).map { (object, $0) } }
        return all.randomElement(using: &generator) ?? (0, 1)
    }

    /// Lets a reference refer to what another refers to, or a UID name another object.
    mutating func redirect(using generator: inout SeededGenerator) {
        let (object, place) = randomReference(using: &generator)
        let (otherObject, otherPlace) = randomReference(using: &generator)
        if object == 10, Bool.random(using: &generator) {
            let uids = objects.indices.filter { objects[$0].count == 2 && objects[$0][0] == 0x80 }
            objects[uids.randomElement(using: &generator) ?? 9][1] = UInt8(place)
        } else {
            objects[object][place] = objects[otherObject][otherPlace]
        }
    }

    /// Lets one of the references to an object refer to a copy of it.
    private mutating func repeatObject(using generator: inout SeededGenerator) {
        guard objects.count < 255 else { return }
        let (object, place) = randomReference(using: &generator)
        objects.append(objects[Int(objects[object][place])])
        objects[object][place] = UInt8(objects.count - 1)
    }

    /// Writes a number, a text or a count in a form that is longer than necessary.
    private mutating func lengthenObject(using generator: inout SeededGenerator) {
        let number = Int.random(in: 0..<objects.count, using: &generator)
        let object = objects[number]
        let (kind, size) = (object[0] & 0xF0, object[0] & 0x0F)
        switch kind {
        case 0x10 where size < 4: objects[number] = [0x11 + size] + Array(repeating: 0, count: 1 << size) + object[1...]
        case 0x80: objects[number] = [0x81, 0] + object[1...]
        case 0x50 where size < 15 && Bool.random(using: &generator):
            objects[number] = [0x60 | size] + object[1...].flatMap { [0, $0] }
        case 0x40, 0x50, 0x60, 0xA0, 0xD0:
            let count = size < 15 ? [size] : object[2...2]
            objects[number] =
                Bool.random(using: &generator)
                ? [kind | 0x0F, 0x10] + count + object[(size < 15 ? 1 : 3)...]
                : [kind | 0x0F, 0x11, 0] + count + object[(size < 15 ? 1 : 3)...]
        default: break
        }
    }

    /// Exchanges two of the objects that UIDs name, but not `$null` and the dictionary.
    private mutating func swapUIDs(using generator: inout SeededGenerator) {
        let array = 10
        let places = references(of: array)
        let one = Int.random(in: 2..<places.count, using: &generator)
        let other = Int.random(in: 2..<places.count, using: &generator)
        objects[array].swapAt(places.lowerBound + one, places.lowerBound + other)
        for number in objects.indices where objects[number].count == 2 && objects[number][0] == 0x80 {
            let uid = Int(objects[number][1])
            if uid == one { objects[number][1] = UInt8(other) }
            if uid == other { objects[number][1] = UInt8(one) }
        }
    }
}
