internal import CofferBasics
internal import VaultCrypto

/// Section 5.4: the index that tells which page of a group section to open for a digest or an item id.
package struct Fence: Equatable, Sendable {
    package var dataKeys: [KeyHandle]
    /// What this copy of the group has seen, in ascending order of the writers.
    package var origins: [Origin]
    /// The flags that at least one entry of the section has; no page need be opened to look for any other flag.
    package var flags: MatchFlags
    /// The first digest of each digest page.
    package var digests: [PrimaryKeyDigest]
    /// The first item id of each item page.
    package var items: [ItemID]

    /// The pages that may hold digests that begin with that of a leading attribute.
    package static func candidates(leading digest: UInt64, in fences: [PrimaryKeyDigest]) -> Range<Int> {
        let first = candidates(for: PrimaryKeyDigest(leading: digest, last: 0), in: fences).lowerBound
        let end = candidates(for: PrimaryKeyDigest(leading: digest, last: .max), in: fences).upperBound
        return first..<end
    }

    /// The pages that may hold `key`.
    @specialized(where Key == PrimaryKeyDigest)
    @specialized(where Key == ItemID)
    package static func candidates<Key: Comparable>(for key: Key, in fences: [Key]) -> Range<Int> {
        var low = 0
        var high = fences.count
        while low < high {
            let middle = (low + high) / 2
            if fences[middle] <= key { low = middle + 1 } else { high = middle }
        }
        // If a page begins with the key, entries with it may begin on an earlier page.
        var first = max(0, low - 1)
        while first > 0, fences[first] == key { first -= 1 }
        return first..<low
    }

    private var bytes: [UInt8] {
        var bytes: [UInt8] = []
        bytes.append(littleEndian: UInt16(dataKeys.count))
        bytes.append(flags.rawValue)
        bytes.append(0)
        bytes.append(littleEndian: UInt32(origins.count))
        for handle in dataKeys { bytes += handle.bytes }
        bytes.append(addingCapacity: origins.count * Origin.byteCount) { output in
            for origin in origins { origin.append(to: &output) }
        }
        for digest in digests { bytes += digest.bytes }
        for item in items { bytes += item.bytes }
        return bytes
    }

    private static func associatedData(_ group: GroupEpoch, _ section: SectionID, _ vault: VaultID) -> [UInt8] {
        Label.fence.bytes + vault.bytes + group.bytes + section.bytes
    }

    /// The fence in its box.
    func sealed(group: GroupEpoch, section: SectionID, keys: MatchKeys) -> [UInt8] {
        Box.sealed(
            bytes.span,
            key: keys.page,
            associatedData: Self.associatedData(group, section, keys.cipher.vault),
            cipher: keys.cipher
        )
    }

    /// Opens the fence of `section`.
    package init(opening box: [UInt8], of section: Section, keys: MatchKeys) throws(Fault) {
        let associatedData = Self.associatedData(section.group, section.id, keys.cipher.vault)
        var reader = try ByteReader(opening: box.span, key: keys.page, associatedData: associatedData)
        let dataKeyCount = Int(try reader.read(UInt16.self))
        flags = try reader.readFlags(known: .knownInEntry)
        try reader.readZeros(1)
        let writerCount = try reader.readCount()
        try Limit.writers.check(writerCount, atMost: Limits.writerCount)
        let pageCount = section.digestPageCount + section.itemPageCount
        guard reader.remainingByteCount == 8 * dataKeyCount + 16 * (writerCount + pageCount),
            section.count == 0 || dataKeyCount > 0 && writerCount > 0
        else { throw Fault(.badLength) }
        dataKeys = []
        for _ in 0..<dataKeyCount { dataKeys.append(try reader.readShortIdentifier()) }
        guard Set(dataKeys).count == dataKeyCount else { throw Fault(.duplicate, at: 8) }
        origins = try reader.readSeenPlaces(writerCount)
        digests = try reader.readFences(section.digestPageCount) { $0 <= $1 }
        items = try reader.readFences(section.itemPageCount) { $0 <= $1 }
    }

    /// What this copy of the group has seen.
    package var seen: SeenPlaces {
        var seen = SeenPlaces()
        for origin in origins { seen.insert(origin) }
        return seen
    }

    package init(
        dataKeys: [KeyHandle],
        origins: [Origin],
        flags: MatchFlags,
        digests: [PrimaryKeyDigest],
        items: [ItemID]
    ) {
        self.dataKeys = dataKeys
        self.origins = origins
        self.flags = flags
        self.digests = digests
        self.items = items
    }
}

extension ByteReader {
    /// Reads the first keys of pages, which must be in order.
    fileprivate mutating func readFences<Kind>(
        _ count: Int,
        isOrdered: (Identifier<Kind>, Identifier<Kind>) -> Bool
    ) throws(Fault) -> [Identifier<Kind>] {
        var fences: [Identifier<Kind>] = []
        fences.reserveCapacity(count)
        for _ in 0..<count {
            let start = offset
            let fence: Identifier<Kind> = try readIdentifier()
            guard fences.last.map({ isOrdered($0, fence) }) ?? true else { throw Fault(.outOfOrder, at: start) }
            fences.append(fence)
        }
        return fences
    }
}
