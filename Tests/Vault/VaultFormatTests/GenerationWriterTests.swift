import CofferBasics
import TestSupport
import Testing
import VaultCrypto
import VaultFormat

/// Sections 2 and 5.1: what a writer has written piece by piece is one file.
@Suite("Generation writer") struct GenerationWriterTests {
    @Test func `sections are where the directory says, with their checks`() throws {
        let (sample, items) = (try KeySample(), try SectionSample(count: 100))
        let maker = try sample.maker()
        let (structureKey, entries) = try maker.structureKey()
        var writer = try GenerationWriter(
            .new,
            Keybag(entries: entries),
            sectionCount: 3,
            structureKey: structureKey,
            ownerKey: maker.ownerKey(),
            cipher: sample.cipher,
            to: MemorySink()
        )
        // In pieces of any size.
        var rest = items.bytes[...]
        var copied = items.section
        copied.check = []
        writer.append(copying: copied) {
            defer { rest = rest.dropFirst(1000) }
            return rest.isEmpty ? nil : Array(rest.prefix(1000))
        }
        let group = GroupEpoch(group: items.items.group.group, epoch: 9)
        writer.append(group, keys: items.items.match) { section in section.finish(seen: SeenPlaces()) }
        let record = Record.unknown(kind: 9, body: [1])
        let run = Run(entries: [Run.Entry(sequence: 0, time: Time(microseconds: 0), record: record)])
        writer.append(run.content, group: .none)
        let end = writer.finish()

        let source = MemorySource(writer.sink.bytes)
        #expect(end.offset == writer.sink.bytes.count)
        let roots = Keyring.Roots(user: (sample.userRoot, 1), devices: [:])
        let opening = try VaultOpening(VaultPrelude(of: source), roots: roots, random: sample.cipher.random)
        let sections = opening.directory.sections
        #expect(sections.map(\.kind) == [.group, .group, .run])
        #expect(sections.map(\.group) == [items.items.group, group, .none])
        #expect(sections.map(\.count) == [100, 0, 1])
        let start = opening.header.snapshotRange.lowerBound
        for section in sections {
            let bytes = Array(writer.sink.bytes[start + section.offset..<start + section.range.upperBound])
            #expect(section.check == Label.file.hash(32, bytes))
            try opening.check(section, in: source)
        }
        let copy = writer.sink.bytes.dropFirst(start + sections[0].offset).prefix(items.bytes.count)
        #expect(copy.elementsEqual(items.bytes))
    }

    @Test func `a changed byte differs from the check of its section`() throws {
        let (sample, items) = (try KeySample(), try SectionSample(count: 10))
        let maker = try sample.maker()
        let (structureKey, entries) = try maker.structureKey()
        var writer = try GenerationWriter(
            .new,
            Keybag(entries: entries),
            sectionCount: 1,
            structureKey: structureKey,
            ownerKey: maker.ownerKey(),
            cipher: sample.cipher,
            to: MemorySink()
        )
        var piece: [UInt8]? = items.bytes
        writer.append(copying: items.section) {
            defer { piece = nil }
            return piece
        }
        _ = writer.finish()
        var bytes = writer.sink.bytes
        bytes[bytes.count - 1] ^= 1
        let roots = Keyring.Roots(user: (sample.userRoot, 1), devices: [:])
        let source = MemorySource(bytes)
        let opening = try VaultOpening(VaultPrelude(of: source), roots: roots, random: sample.cipher.random)
        let offset = opening.header.snapshotRange.lowerBound + opening.directory.sections[0].offset
        #expect(throws: VaultFormatError.snapshotFailure(.hashDiffers, offset: offset)) {
            try opening.check(opening.directory.sections[0], in: source)
        }
    }
}
