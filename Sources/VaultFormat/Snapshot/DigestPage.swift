internal import CofferBasics

/// The match entries of a digest page: all were checked when it was opened, and each is parsed on access.
package struct DigestPage: Sendable {
    /// The most memory that a page takes: its bytes, and two bytes for each entry.
    package static let byteCount = MatchPage.byteCount + 2 * MatchPage.byteCount / MatchEntry.leastByteCount

    private let bytes: [UInt8]
    private let offsets: [UInt16]

    init(_ bytes: [UInt8], offsets: [UInt16]) {
        self.bytes = bytes
        self.offsets = offsets
    }

    /// The digest of an entry.
    package func digest(at position: Int) -> PrimaryKeyDigest {
        let offset = Int(offsets[position])
        return PrimaryKeyDigest(bytes.span.extracting(offset..<offset + PrimaryKeyDigest.byteCount))
    }

    /// The index of the first entry whose digest is not less than `digest`.
    package func firstIndex(notBefore digest: PrimaryKeyDigest) -> Int {
        var low = 0
        var high = count
        while low < high {
            let middle = (low + high) / 2
            if self.digest(at: middle) < digest { low = middle + 1 } else { high = middle }
        }
        return low
    }
}

extension DigestPage: RandomAccessCollection {
    package var startIndex: Int { 0 }
    package var endIndex: Int { offsets.count }

    package subscript(position: Int) -> MatchEntry {
        var reader = ByteReader(bytes, in: Int(offsets[position])..<bytes.count)
        do throws(LocatedFault) {
            return try MatchEntry(from: &reader)
        } catch {
            preconditionFailure("the entry was checked when the page was opened")
        }
    }
}
