import Testing
import TestSupport
import VaultCrypto
import VaultFormat

/// Records that nobody can read, written once more.
///
/// The search behind the MACs found that a record with a flag or a reserved byte that must be zero was written without
/// them: a compaction would have made a valid put of a record that no reader may believe, in whoever's vault it stood.
/// Every vector with a failed record must give the same bytes again, but for nonce and tag.
@Suite("Carried records") struct CarriedRecordTests {
    private static func vectors() throws -> [VaultVector] {
        try VaultVector.all().filter { $0.expectation == "record failure" }
    }

    @Test(arguments: try vectors())
    func `a record that cannot be read is written as it was`(vector: VaultVector) throws {
        let subject = VaultSubject(vector.bytes)
        let opening = try subject.opened(vector)
        var log = opening.log(in: subject.source)
        while true {
            let position = log.position
            guard let frame = try log.next() else { break }
            let again = try frame.sealed(after: position.chain, keys: opening.keys)
            let copy = MemorySource(Array(vector.bytes[..<position.offset]) + again)
            var reader = LogReader(at: position, in: copy, keys: opening.keys)
            #expect(try reader.next() == frame)
        }
    }
}
