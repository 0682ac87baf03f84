import CofferBasics
import TestSupport
import Testing
import VaultFormat
import VaultStore

/// Nothing that is sealed shows where a box begins.
///
/// Boxes of one transaction once shared the first eight bytes of their nonces. After a compaction anyone could see in
/// the file where each secret of an import began, and so count the items and measure their secrets without a key.
@Suite("Repeated values in sealed parts") struct RepeatedValueTests {
    /// Imports `count` items with one transaction.
    private func importItems(_ count: Int, _ service: String, into store: VaultStore) throws {
        try store.transaction { transaction in
            for number in 0..<count {
                let secret = String(repeating: "s", count: 40 * number)
                try transaction.addLogin("\(number)", service, secret, group: MergeCopies.groups[0])
            }
        }
    }

    /// The values of eight bytes that occur at several multiples of 8 of what is sealed in the file.
    private func repeatedValues(in file: [UInt8]) throws -> Set<UInt64> {
        let header = try VaultPrelude(of: MemorySource(file)).header
        var parts = [header.snapshotRange]
        var offset = header.logOffset
        while file.count >= offset + 96, file[offset..<offset + 4].elementsEqual("COFX".utf8) {
            let end = offset + 96 + Int(file.span.littleEndian(at: offset + 4, as: UInt32.self))
            // Magic, size and the two sequence numbers are public (section 6.1).
            parts.append(offset + 24..<end)
            offset = end
        }
        #expect(file[offset...].allSatisfy { $0 == 0 })
        var seen: Set<UInt64> = []
        var repeated: Set<UInt64> = []
        for offset in parts.joined() where offset.isMultiple(of: 8) {
            let value: UInt64 = file.span.littleEndian(at: offset)
            if !seen.insert(value).inserted { repeated.insert(value) }
        }
        return repeated
    }

    @Test func `the items of an import cannot be told apart before and after a compaction`() throws {
        let copies = try MergeCopies(1)
        for (count, service) in [(37, "first"), (12, "second")] {
            try importItems(count, service, into: copies.stores[0])
            #expect(try repeatedValues(in: copies.content(0)).isEmpty)
            try copies.stores[0].compact()
            #expect(try repeatedValues(in: copies.content(0)).isEmpty)
        }
        #expect(try copies.stores[0].shown().count == 49)
    }

    @Test(arguments: [false, true])
    func `the items of a merge cannot be told apart`(keysDiffer: Bool) throws {
        let copies = try MergeCopies(2)
        let (a, b) = (copies.stores[0], copies.stores[1])
        try importItems(12, "here", into: a)
        try importItems(37, "there", into: b)
        if keysDiffer { try copies.rotate(b) }
        _ = try a.merge(b)
        #expect(try repeatedValues(in: copies.content(0)).isEmpty)
        try a.compact()
        #expect(try repeatedValues(in: copies.content(0)).isEmpty)
        #expect(try a.shown().count == 49)
    }
}
