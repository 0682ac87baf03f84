import CofferBasics
import Foundation
import TestSupport
import Testing
import VaultCrypto
import VaultFiles
import VaultFormat

@testable import VaultStore

/// The values that own a part of an open generation, each by itself.
@Suite("The parts of an open generation", .temporaryDirectory) struct OpenPartsTests {
    // MARK: - What was seen

    private static let group = GroupID([UInt8](repeating: 0x21, count: 8).span)
    private static let writer = WriterID([UInt8](repeating: 0x42, count: 8).span)

    private static func writer(_ number: UInt64) -> WriterID {
        var bytes = [UInt8](repeating: 0, count: 8)
        for index in bytes.indices { bytes[index] = UInt8(truncatingIfNeeded: number >> (8 * index)) }
        return WriterID(bytes.span)
    }

    private static func provenance(_ place: UInt64, after previous: UInt64) -> Provenance {
        Provenance(origin: Origin(writer: writer, place: place), previousPlace: previous, replacedSalt: 0)
    }

    private static func places(_ place: UInt64) -> SeenPlaces {
        var places = SeenPlaces()
        places.insert(Origin(writer: writer, place: place))
        return places
    }

    private static func seen(isDamaged: Bool = false) -> SeenGroups {
        var seen = SeenGroups()
        seen.begin(group, fenced: places(3), indexed: [places(5), places(4)], isDamaged: isDamaged)
        return seen
    }

    @Test func `a group is known once its fences were read`() {
        let unknown = SeenGroups()
        #expect(!unknown.knows(Self.group))
        #expect(unknown[Self.group].isEmpty)
        var seen = Self.seen()
        #expect(seen.knows(Self.group))
        #expect(Array(seen.groups) == [Self.group])
        #expect(seen[Self.group][Self.writer] == 5)
        seen.insert(Origin(writer: Self.writer, place: 7), in: Self.group)
        seen.insert(Origin(writer: Self.writer, place: 6), in: Self.group)
        #expect(seen[Self.group][Self.writer] == 7)
        seen.replace(SeenPlaces(), in: Self.group)
        #expect(seen[Self.group].isEmpty)
    }

    // VF-61: the place is greater than what was seen of the writer, and what was written before it was seen.
    @Test(arguments: [
        (6, 5, true, true), (6, 0, true, true), (7, 6, false, true), (5, 5, false, false), (4, 3, false, false),
    ])
    func `a put follows what was seen of its writer, unless something may not have been read`(
        place: UInt64,
        previous: UInt64,
        isNext: Bool,
        isNextWithGap: Bool
    ) {
        let put = Self.provenance(place, after: previous)
        #expect(Self.seen().isNext(put, in: Self.group, mayLack: false) == isNext)
        #expect(Self.seen().isNext(put, in: Self.group, mayLack: true) == isNextWithGap)
        #expect(Self.seen(isDamaged: true).isNext(put, in: Self.group, mayLack: false))
    }

    @Test func `a fence lists no more writers than readers allow`() throws {
        var seen = Self.seen()
        for number in 1..<UInt64(8_192) {
            seen.insert(Origin(writer: Self.writer(number), place: 1), in: Self.group)
        }
        #expect(seen.fitIntoFences)
        seen.insert(Origin(writer: Self.writer(.max), place: 1), in: Self.group)
        #expect(!seen.fitIntoFences)
    }

    // MARK: - Frames

    private static func position(_ offset: Int, _ sequence: UInt64) -> LogPosition {
        LogPosition(
            offset: offset,
            sequence: sequence,
            chain: ChainValue(bytes: [UInt8](repeating: UInt8(sequence), count: 32))
        )
    }

    private static func anchor(_ sequence: UInt64) -> Anchor {
        Anchor(
            vault: VaultID([UInt8](repeating: 1, count: 16).span),
            generation: 1,
            sequence: sequence,
            chain: [UInt8](repeating: 0, count: 32),
            structureKeyEpoch: 1,
            lastWriter: nil
        )
    }

    @Test func `a frame ends where the next one begins, and the last one at the position`() {
        var frames = ReadFrames(from: Self.position(100, 0), anchor: nil)
        frames.add(at: 100, end: Self.position(300, 1))
        frames.add(at: 300, end: Self.position(700, 2))
        frames.advance(to: Self.position(700, 2), tag: FrameTag(endOf: [UInt8](repeating: 9, count: 16)))
        #expect(frames.place(ofFrame: 0, record: 4) == FramePlace(offset: 100, byteCount: 200, record: 4))
        #expect(frames.place(ofFrame: 1, record: 0) == FramePlace(offset: 300, byteCount: 400, record: 0))
        #expect(frames.tag.bytes == [UInt8](repeating: 9, count: 16))
        #expect(frames.end == Self.position(700, 2))
        frames.add(FrameRun(start: Self.position(800, 4), end: Self.position(900, 5), firstEntry: 3))
        #expect(frames.end == Self.position(900, 5))
        #expect(frames.position == Self.position(700, 2))
    }

    @Test(arguments: [0, 1, 2]) func `the chain at the anchor is noted wherever its frame is read, or skipped`(
        sequence: UInt64
    ) {
        let expected = Self.position(0, sequence).chain
        var read = ReadFrames(from: Self.position(100, 0), anchor: Self.anchor(sequence))
        read.add(at: 100, end: Self.position(300, 1))
        read.add(at: 300, end: Self.position(700, 2))
        #expect(read.chainAtAnchor == expected)
        var skipped = ReadFrames(from: Self.position(100, 0), anchor: Self.anchor(sequence))
        skipped.skip(to: Self.position(700, 2))
        #expect(skipped.chainAtAnchor == (sequence == 1 ? nil : expected))
    }

    // MARK: - Keys and sections

    private func hasKeys(_ body: () throws -> Bool) -> Bool { (try? body()) ?? false }

    @Test func `locking releases the data keys, and unlocking derives them again`() throws {
        let sample = try StoreSample(at: TemporaryDirectory.current.appending(path: "vault.coffer").path)
        try sample.store.transaction { transaction in
            _ = try transaction.addLogin("kim", "mail", "hunter2", group: StoreSample.group)
        }
        try sample.store.compact()
        try sample.store.read { vault in
            let handle = vault.keyring.dataKeyEntries.keys.first ?? .none
            let group = vault.keyring.matchKeys.keys.first ?? .none
            var keys = OpenKeys()
            keys.note(vault.keyring)
            let (open, closed) = (keys.epochs, keys.closedGroups)
            #expect(open == [group.group: [group]] && closed.isEmpty)
            let hasMatchKeys = hasKeys { try keys.matchKeys(of: group, in: vault.keyring) != nil }
            let hasDataKeys = hasKeys { try keys.dataKeys(of: handle, in: vault.keyring) != nil }
            #expect(hasMatchKeys && hasDataKeys)
            vault.lock()
            keys.note(vault.keyring)
            let isLocked = hasKeys { try keys.dataKeys(of: handle, in: vault.keyring) == nil }
            let stillOpen = keys.epochs
            #expect(isLocked && stillOpen == open)
        }
    }

    @Test func `a section keeps its number, and is found by its group`() throws {
        let sample = try StoreSample(at: TemporaryDirectory.current.appending(path: "vault.coffer").path)
        try sample.store.transaction { transaction in
            for group in ["one", "two"] {
                _ = try transaction.addLogin("kim", "mail", "hunter2", group: Array(group.utf8))
            }
        }
        try sample.store.compact()
        try sample.store.read { vault in
            let groups = vault.keyring.matchKeys.keys.sorted()
            var numbers: [Int?] = []
            for group in groups { numbers.append(try vault.sectionNumber(of: group)) }
            numbers += [vault.sections.number(of: groups[0]), vault.sections.number(of: groups[1])]
            let found = [vault.sections[0].group, vault.sections[1].group]
            _ = try vault.openEpochs(of: groups[1].group)
            let last = vault.sections.epochs(ofLast: groups[1].group)?.map(\.section)
            let other = vault.sections.epochs(ofLast: groups[0].group)?.count
            vault.noteKeys()
            let forgotten = vault.sections.epochs(ofLast: groups[1].group)?.count
            #expect(numbers == [0, 1, 0, 1] && found == groups)
            #expect(last == [1] && other == nil && forgotten == nil)
        }
    }
}
