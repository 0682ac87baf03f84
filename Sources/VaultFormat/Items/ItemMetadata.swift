internal import CofferBasics
internal import KeyedArchive

/// Section 8.3: what is known about an item beside its data, before it is sealed.
package struct ItemMetadata: Sendable {
    package let itemClass: ItemClass
    /// All bytes of it, wiped when the metadata are released.
    private let content: Wiped<[UInt8]>
    /// Where the canonical values of the class's columns lie in the bytes.
    private let firstRange: Range<Int>
    private let secondRange: Range<Int>

    private static let headByteCount = 12

    /// The metadata of an item with `attributes`.
    package init(_ attributes: ItemAttributes) throws(Fault) {
        var archive: [UInt8]
        do throws(KeyedArchiveError) {
            archive = try ArchiveValue.dictionary(attributes.values).archived(limits: .record)
        } catch {
            throw error.exceedsLimit ? .limitExceeded(.metadata, value: 0) : .archive
        }
        defer { archive.wipe() }
        let (first, second) = attributes.columns()
        let byteCount = Self.headByteCount + first.count + second.count + archive.count
        try Limit.metadata.check(byteCount, atMost: Limits.metadataByteCount)
        itemClass = attributes.itemClass
        firstRange = 8..<8 + first.count
        secondRange = firstRange.upperBound + 4..<firstRange.upperBound + 4 + second.count
        content = Wiped(
            [UInt8](byteCount: byteCount) { output in
                output.append(attributes.itemClass.rawValue)
                output.append(zeroByteCount: 3)
                output.append(littleEndian: UInt32(first.count))
                output.append(copying: first.span)
                output.append(littleEndian: UInt32(second.count))
                output.append(copying: second.span)
                output.append(copying: archive.span)
            }
        )
    }

    /// The canonical values of the class's columns.
    package var firstColumn: ArraySlice<UInt8> { content.value[firstRange] }
    package var secondColumn: ArraySlice<UInt8> { content.value[secondRange] }

    /// The size of the bytes.
    package var byteCount: Int { content.value.count }

    package var bytes: [UInt8] { content.value }

    /// Appends the bytes.
    func append(to output: inout OutputSpan<UInt8>) {
        let bytes = content.value
        output.append(copying: bytes.span)
    }

    /// Reads the columns and leaves the archive as it is: enough for an index.
    package init(parsing reader: inout ByteReader) throws(LocatedFault) {
        let start = reader.offset
        guard reader.remainingByteCount <= Limits.metadataByteCount else { throw LocatedFault(.badLength, at: start) }
        guard let itemClass = ItemClass(rawValue: try reader.read(UInt8.self)) else {
            throw LocatedFault(.badValue, at: start)
        }
        self.itemClass = itemClass
        try reader.readZeros(3)
        firstRange = try reader.skipCounted(from: start)
        secondRange = try reader.skipCounted(from: start)
        content = Wiped(Array(reader.bytes[start..<reader.end]))
        _ = try reader.readPart(reader.remainingByteCount)
    }

    /// The attributes; an archive that is not theirs in its one form, or contradicts the columns, is an error.
    package func attributes() throws(Fault) -> ItemAttributes {
        let attributes = try ItemAttributes(itemClass, values())
        let (first, second) = attributes.columns()
        guard first[...] == firstColumn, second[...] == secondColumn else { throw .disagrees }
        return attributes
    }

    private func values() throws(Fault) -> CanonicalDictionary<ArchiveValue, ArchiveValue> {
        try Array(content.value[secondRange.upperBound...]).wipedAfter { archive throws(Fault) in
            var value: ArchiveValue
            var canonical: [UInt8]
            do throws(KeyedArchiveError) {
                value = try ArchiveValue(archive: archive, limits: .record)
                canonical = try value.archived(limits: .record)
            } catch {
                throw .archive
            }
            defer { canonical.wipe() }
            guard canonical == archive, case .dictionary(let values) = value else {
                value.wipe()
                throw .archive
            }
            return values
        }
    }

    /// The attributes, which must be what the match box or entry says of them.
    package func attributes(matching match: ItemMatch, keys: MatchKeys) throws(Fault) -> ItemAttributes {
        let attributes = try attributes()
        guard itemClass == match.itemClass, MatchFlags(attributes) == match.flags,
            MatchDigests(attributes, keys: keys) == match.digests
        else { throw .disagrees }
        return attributes
    }
}

extension ItemMetadata: Equatable {
    package static func == (one: ItemMetadata, other: ItemMetadata) -> Bool {
        one.content.value == other.content.value
    }
}

extension ByteReader {
    /// Passes a count and as many bytes, and tells where they lie, counted from `start`.
    fileprivate mutating func skipCounted(from start: Int) throws(LocatedFault) -> Range<Int> {
        let part = try readPart(try readCount())
        return part.offset - start..<part.end - start
    }
}
