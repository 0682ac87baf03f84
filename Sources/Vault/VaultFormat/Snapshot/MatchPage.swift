internal import CofferBasics
internal import VaultCrypto

/// Section 5.3: a sealed page of 4,096 bytes with match entries or item entries of a group section.
package enum MatchPage {
    package static let byteCount = 4096
    static let contentByteCount = byteCount - Box.overhead
    private static let headByteCount = 4
    /// The number of bytes of a page that entries can take.
    static let entriesByteCount = contentByteCount - headByteCount

    /// The keys by which the pages of a list are sorted.
    package enum List: UInt32, Sendable {
        case digests = 1
        case items = 2
    }

    /// The place that a page is bound to; it opens nowhere else.
    package struct Place: Equatable, Sendable {
        package var group: GroupEpoch
        package var section: SectionID
        package var list: List
        package var number: Int

        package init(group: GroupEpoch, section: SectionID, list: List, number: Int) {
            self.group = group
            self.section = section
            self.list = list
            self.number = number
        }

        fileprivate func associatedData(_ vault: VaultID) -> [UInt8] {
            let byteCount = Label.byteCount + VaultID.byteCount + GroupEpoch.byteCount + SectionID.byteCount + 8
            return [UInt8](byteCount: byteCount) { output in
                Label.page.append(to: &output)
                vault.append(to: &output)
                group.group.append(to: &output)
                output.append(littleEndian: group.epoch)
                section.append(to: &output)
                output.append(littleEndian: list.rawValue)
                output.append(littleEndian: UInt32(number))
            }
        }
    }

    /// A sealed page of the `count` entries that `entries` appends.
    static func sealed(
        _ count: Int,
        at place: Place,
        keys: MatchKeys,
        entries: (inout OutputSpan<UInt8>) -> Void
    ) -> [UInt8] {
        let content = [UInt8](byteCount: contentByteCount) { output in
            output.append(littleEndian: UInt16(count))
            output.append(littleEndian: UInt16(0))
            entries(&output)
            output.append(zeroByteCount: contentByteCount - output.count)
        }
        return Box.sealed(
            content.span,
            key: keys.page,
            associatedData: place.associatedData(keys.cipher.vault),
            cipher: keys.cipher
        )
    }

    /// The number of entries in a page, and a reader of them.
    static func opened(
        _ page: Span<UInt8>,
        at place: Place,
        keys: MatchKeys
    ) throws(Fault) -> (count: Int, reader: ByteReader) {
        let associatedData = place.associatedData(keys.cipher.vault)
        var reader = try ByteReader(opening: page, key: keys.page, associatedData: associatedData)
        guard reader.end == contentByteCount else { throw Fault(.badLength) }
        let count = Int(try reader.read(UInt16.self))
        try reader.readZeros(2)
        guard count > 0 else { throw Fault(.badValue) }
        return (count, reader)
    }
}
