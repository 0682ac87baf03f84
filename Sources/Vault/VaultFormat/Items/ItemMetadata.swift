internal import CofferBasics
internal import KeyedArchive

/// Section 8.3: the metadata of an item, unsealed.
package struct ItemMetadata: Sendable {
    /// The number of the item class, valid or not.
    let classNumber: UInt8
    /// The bytes that contain the encoded metadata: those of the whole block if they were read from one.
    private let content: Wiped<[UInt8]>
    private let range: Range<Int>
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
            guard error.exceedsLimit else { throw Fault(.archive) }
            let byteCount = attributes.values.reduce(0) { sum, entry in
                sum + (entry.value.string?.utf8.count ?? entry.value.data?.count ?? 0)
            }
            // Less than the limit if it is the depth or the number of values that is too large.
            throw Fault(.limitExceeded(.metadata, value: byteCount > Limits.metadataByteCount ? UInt64(byteCount) : 0))
        }
        defer { archive.wipe() }
        let (first, second) = attributes.columns()
        let byteCount = Self.headByteCount + first.count + second.count + archive.count
        try Limit.metadata.check(byteCount, atMost: Limits.metadataByteCount)
        classNumber = attributes.itemClass.rawValue
        range = 0..<byteCount
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
    package var byteCount: Int { range.count }

    package var bytes: [UInt8] { Array(content.value[range]) }

    /// Appends the bytes.
    func append(to output: inout OutputSpan<UInt8>) {
        let bytes = content.value
        output.append(copying: bytes.span.extracting(range))
    }

    /// The metadata that `bytes` are.
    package init(parsing bytes: consuming [UInt8]) throws(Fault) {
        let content = Wiped(bytes)
        try self.init(parsing: ByteReader(content.value), of: content)
    }

    /// Reads class and columns, which are enough for an index and for the order in a block; the rest is checked by
    /// ``attributes()``.
    init(parsing reader: consuming ByteReader, of content: Wiped<[UInt8]>) throws(Fault) {
        self.content = content
        range = reader.offset..<reader.end
        classNumber = try reader.read()
        _ = try reader.skip(3)
        firstRange = try reader.skipCounted()
        secondRange = try reader.skipCounted()
    }

    /// The attributes; throws if the metadata is too large, or the archive is not canonical or contradicts the columns.
    package func attributes() throws(Fault) -> ItemAttributes {
        guard byteCount <= Limits.metadataByteCount else { throw Fault(.badLength) }
        guard let itemClass = ItemClass(rawValue: classNumber) else { throw Fault(.badValue) }
        let reserved = range.lowerBound + 1..<range.lowerBound + 4
        guard content.value[reserved].allSatisfy({ $0 == 0 }) else { throw Fault(.reservedNotZero) }
        let attributes = try ItemAttributes(itemClass, values())
        let (first, second) = attributes.columns()
        guard first == firstColumn, second == secondColumn else { throw Fault(.disagrees) }
        return attributes
    }

    private func values() throws(Fault) -> CanonicalDictionary<ArchiveValue, ArchiveValue> {
        try Array(content.value[secondRange.upperBound..<range.upperBound]).wipedAfter { archive throws(Fault) in
            guard let values = CanonicalDictionary(canonicalArchive: archive, limits: .record) else {
                throw Fault(.archive)
            }
            return values
        }
    }

    /// The attributes, which must agree with the match box or match entry.
    package func attributes(matching match: ItemMatch, keys: MatchKeys) throws(Fault) -> ItemAttributes {
        let attributes = try attributes()
        guard attributes.itemClass == match.itemClass, MatchFlags(attributes) == match.flags,
            MatchDigests(attributes, keys: keys) == match.digests
        else { throw Fault(.disagrees) }
        return attributes
    }
}

extension ItemMetadata: Equatable {
    package static func == (one: ItemMetadata, other: ItemMetadata) -> Bool {
        one.content.value[one.range] == other.content.value[other.range]
    }
}

extension ByteReader {
    /// Skips a count and that many bytes, and returns their range.
    fileprivate mutating func skipCounted() throws(Fault) -> Range<Int> {
        let start = try skip(try readCount())
        return start..<offset
    }
}
