import KeyedArchive

/// Section 8.3: what is known about an item beside its data, before it is sealed.
package struct ItemMetadata: Equatable, Sendable {
    package let itemClass: ItemClass
    /// The canonical values of the class's columns.
    package let firstColumn: [UInt8]
    package let secondColumn: [UInt8]
    /// The attributes, archived.
    package let archive: [UInt8]

    private static let headByteCount = 12

    /// The metadata of an item with `attributes`.
    package init(_ attributes: ItemAttributes) throws(Fault) {
        itemClass = attributes.itemClass
        (firstColumn, secondColumn) = attributes.columns()
        do throws(KeyedArchiveError) {
            archive = try ArchiveValue.dictionary(attributes.values).archived(limits: .record)
        } catch {
            throw error.exceedsLimit ? .limitExceeded(.metadata, value: 0) : .archive
        }
        try Limit.metadata.check(byteCount, atMost: Limits.metadataByteCount)
    }

    /// The size of the bytes.
    package var byteCount: Int { Self.headByteCount + firstColumn.count + secondColumn.count + archive.count }

    package var bytes: [UInt8] { [UInt8](byteCount: byteCount) { append(to: &$0) } }

    /// Appends the bytes.
    func append(to output: inout OutputSpan<UInt8>) {
        output.append(itemClass.rawValue)
        output.append(zeroByteCount: 3)
        output.append(littleEndian: UInt32(firstColumn.count))
        output.append(copying: firstColumn.span)
        output.append(littleEndian: UInt32(secondColumn.count))
        output.append(copying: secondColumn.span)
        output.append(copying: archive.span)
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
        firstColumn = try reader.readBytes(try reader.readCount())
        secondColumn = try reader.readBytes(try reader.readCount())
        archive = try reader.readBytes(reader.remainingByteCount)
    }

    /// The attributes; an archive that is not theirs in its one form, or contradicts the columns, is an error.
    package func attributes() throws(Fault) -> ItemAttributes {
        let value: ArchiveValue
        let canonical: [UInt8]
        do throws(KeyedArchiveError) {
            value = try ArchiveValue(archive: archive, limits: .record)
            canonical = try value.archived(limits: .record)
        } catch {
            throw .archive
        }
        guard canonical == archive, case .dictionary(let values) = value else { throw .archive }
        let attributes = try ItemAttributes(itemClass, values)
        let (first, second) = attributes.columns()
        guard first == firstColumn, second == secondColumn else { throw .disagrees }
        return attributes
    }

    /// The attributes, which must be what the match box or entry says of them.
    package func attributes<Suite: CipherSuite>(
        matching match: VaultContents.Match,
        keys: MatchKeys<Suite>,
        suite: Suite
    ) throws(Fault) -> ItemAttributes {
        let attributes = try attributes()
        guard itemClass == match.itemClass, MatchFlags(attributes) == match.flags,
            MatchDigests(attributes, keys: keys, suite: suite) == match.digests
        else { throw .disagrees }
        return attributes
    }
}
