internal import CofferBasics
internal import KeyedArchive

/// Section 8.3: the metadata of an item, unsealed.
package struct ItemMetadata: Sendable {
    /// The number of the item class, valid or not.
    let classNumber: UInt8
    /// The encoded metadata, wiped when the last copy is released.
    private let content: Wiped<[UInt8]>
    /// The ranges of the canonical values of the two columns.
    private let firstRange: Range<Int>
    private let secondRange: Range<Int>

    private static let headByteCount = 12

    /// The metadata of an item with `attributes`.
    package init(_ attributes: ItemAttributes) throws(Fault) {
        var archive: [UInt8]
        do throws(KeyedArchiveError) {
            archive = try ArchiveValue.dictionary(attributes.values).archived(limits: .record)
        } catch {
            guard error.exceedsLimit else { throw .archive }
            let byteCount = attributes.values.reduce(0) { sum, entry in
                sum + (entry.value.string?.utf8.count ?? entry.value.data?.count ?? 0)
            }
            // Less than the limit if it is the depth or the number of values that is too large.
            throw .limitExceeded(.metadata, value: byteCount > Limits.metadataByteCount ? UInt64(byteCount) : 0)
        }
        defer { archive.wipe() }
        let (first, second) = attributes.columns()
        let byteCount = Self.headByteCount + first.count + second.count + archive.count
        try Limit.metadata.check(byteCount, atMost: Limits.metadataByteCount)
        classNumber = attributes.itemClass.rawValue
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

    /// The canonical values of the two columns.
    package var firstColumn: ArraySlice<UInt8> { content.value[firstRange] }
    package var secondColumn: ArraySlice<UInt8> { content.value[secondRange] }

    /// The size of the encoded metadata.
    package var byteCount: Int { content.value.count }

    package var bytes: [UInt8] { content.value }

    /// Appends the bytes.
    func append(to output: inout OutputSpan<UInt8>) {
        let bytes = content.value
        output.append(copying: bytes.span)
    }

    /// Reads class and columns, which are enough for an index and for the order in a block; the rest is checked by
    /// ``attributes()``.
    package init(parsing reader: inout ByteReader) throws(LocatedFault) {
        let start = reader.offset
        classNumber = try reader.read()
        _ = try reader.readBytes(3)
        firstRange = try reader.skipCounted(from: start)
        secondRange = try reader.skipCounted(from: start)
        content = Wiped(Array(reader.bytes[start..<reader.end]))
        _ = try reader.readPart(reader.remainingByteCount)
    }

    /// The attributes; throws if the metadata is too large, or the archive is not canonical or contradicts the columns.
    package func attributes() throws(Fault) -> ItemAttributes {
        guard byteCount <= Limits.metadataByteCount else { throw .badLength }
        guard let itemClass = ItemClass(rawValue: classNumber) else { throw .badValue }
        guard content.value[1..<4].allSatisfy({ $0 == 0 }) else { throw .reservedNotZero }
        let attributes = try ItemAttributes(itemClass, values())
        let (first, second) = attributes.columns()
        guard first == firstColumn, second == secondColumn else { throw .disagrees }
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

    /// The attributes, which must agree with the match box or match entry.
    package func attributes(matching match: ItemMatch, keys: MatchKeys) throws(Fault) -> ItemAttributes {
        let attributes = try attributes()
        guard attributes.itemClass == match.itemClass, MatchFlags(attributes) == match.flags,
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
    /// Skips a count and that many bytes, and returns their range, counted from `start`.
    fileprivate mutating func skipCounted(from start: Int) throws(LocatedFault) -> Range<Int> {
        let part = try readPart(try readCount())
        return part.offset - start..<part.end - start
    }
}
