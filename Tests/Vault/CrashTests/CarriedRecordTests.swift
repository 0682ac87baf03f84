import Testing
import StoreTestSupport
import TestSupport
import VaultCrypto
import VaultFormat

/// Unreadable records, written again.
///
/// The search behind the MACs found that a record with a flag or reserved byte that must be zero was written without
/// it: a compaction would have turned a record that no reader may believe into a valid put, in any vault. Every vector
/// with a failed record must give the same bytes again, except nonce and tag.
@Suite("Carried records") struct CarriedRecordTests {
    private static func vectors() throws -> [VaultVector] {
        try VaultVector.all().filter { $0.expectation == "record failure" }
    }

    @Test(arguments: try vectors())
    func `an unreadable record is written unchanged`(vector: VaultVector) throws {
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
