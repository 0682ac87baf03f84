internal import CofferBasics

/// Encoded match entries, one after the other: a million take little more memory than in the file.
package struct MatchEntryList: Sendable {
    private var bytes: [UInt8] = []
    /// The offset of each entry, and of the next one to be appended.
    private var offsets: [UInt32] = [0]

    package init() {}

    package var count: Int { offsets.count - 1 }

    package mutating func reserveCapacity(count: Int, byteCount: Int) {
        offsets.reserveCapacity(count + 1)
        bytes.reserveCapacity(byteCount)
    }

    package mutating func append(_ entry: MatchEntry) {
        bytes.append(addingCapacity: MatchEntry.byteCount(entry.itemClass)) { output in entry.append(to: &output) }
        offsets.append(UInt32(bytes.count))
    }

    /// The entry with this number.
    package subscript(number: Int) -> MatchEntry {
        get {
            var reader = ByteReader(bytes, in: range(number))
            do throws(LocatedFault) {
                return try MatchEntry(from: &reader)
            } catch {
                preconditionFailure("an entry that was written cannot be read")
            }
        }
        set {
            let range = range(number)
            precondition(range.count == MatchEntry.byteCount(newValue.itemClass), "an entry cannot change its class")
            let written = [UInt8](byteCount: range.count) { output in newValue.append(to: &output) }
            for (index, byte) in zip(range, written) { bytes[index] = byte }
        }
    }

    func byteCount(_ number: Int) -> Int { range(number).count }

    /// The digest that pages are sorted by.
    func digest(_ number: Int) -> PrimaryKeyDigest {
        PrimaryKeyDigest(bytes.span.extracting(range(number)))
    }

    func item(_ number: Int) -> ItemID {
        ItemID(bytes.span.extracting(range(number)).extracting(PrimaryKeyDigest.byteCount...))
    }

    private func range(_ number: Int) -> Range<Int> { Int(offsets[number])..<Int(offsets[number + 1]) }
}
