internal import CofferBasics

/// Match entries as pages hold them, one behind the other: a million of them take little more memory than in the file.
package struct MatchEntryList: Sendable {
    private var bytes: [UInt8] = []
    /// Where each entry begins, and where the next one will.
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

    /// Entry `number`.
    package subscript(number: Int) -> MatchEntry {
        get {
            var reader = ByteReader(bytes, in: range(number))
            do throws(LocatedFault) {
                return try MatchEntry(from: &reader)
            } catch {
                preconditionFailure("the entry was written here")
            }
        }
        set {
            let range = range(number)
            precondition(range.count == MatchEntry.byteCount(newValue.itemClass), "an entry keeps its class")
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
