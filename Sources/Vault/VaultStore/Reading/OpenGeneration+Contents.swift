internal import CofferBasics
internal import VaultCrypto
internal import VaultFiles
package import VaultFormat

// The contents of an item: its attributes and its data, opened on demand.
extension OpenGeneration {
    /// Returns the attributes of an item that was found here.
    package mutating func attributes(of item: StoredItem) throws -> ItemAttributes {
        let item = try placed(item)
        guard let keys = try dataKeys(of: item.dataKey), let matchKeys = try matchKeys(of: item.group) else {
            throw StoreError.locked(item.name)
        }
        let key = RevisionKey(group: item.group, revision: item.revision)
        if let known = attributes[key] { return known }
        let metadata = try metadata(of: item, keys: keys)
        let opened = try item.name.opening { try metadata.attributes(matching: item.match, keys: matchKeys) }
        attributes.insert(opened, for: key)
        return opened
    }

    private mutating func metadata(of item: StoredItem, keys: DataKeys) throws -> ItemMetadata {
        switch item.place {
        case .log(let number):
            guard let (put, _) = log.put(number) else { throw StoreError.noSuchItem(item.name) }
            return try item.name.opening { try put.openedMetadata(keys: keys) }
        case .frame(let place):
            guard let put = try indexedPut(of: item, at: place) else {
                return try metadata(of: placed(item), keys: keys)
            }
            return try item.name.opening { try put.openedMetadata(keys: keys) }
        case .snapshot(let place):
            guard let number = try openSection(item.group) else { throw StoreError.noSuchItem(item.name) }
            let (box, dictionary) = try withSection(number: number) { section in
                (try section.box(at: place.metadata), try section.dictionary(place.dictionary, keys: keys))
            }
            return try item.name.opening {
                try ItemMetadata(opening: box.span, of: item.revision, dictionary: dictionary, keys: keys)
            }
        }
    }

    /// Returns the data of an item, in memory that is wiped; nil if it has none.
    package mutating func secret(of item: StoredItem) throws -> Secret? {
        guard item.hasData else { return nil }
        guard let keys = try dataKeys(of: item.dataKey) else { throw StoreError.locked(item.name) }
        let box = try secretBox(of: item)
        return try item.name.opening { try Secret(opening: box.span, of: item.revision, keys: keys) }
    }

    /// Returns the sealed data of an item, or nothing if it has none.
    mutating func secretBox(of item: StoredItem) throws -> ArraySlice<UInt8> {
        let item = try placed(item)
        switch item.place {
        case .log(let number):
            guard let (put, _) = log.put(number) else { throw StoreError.noSuchItem(item.name) }
            return put.secret[...]
        case .frame(let place):
            guard let put = try indexedPut(of: item, at: place) else { return try secretBox(of: item) }
            return put.secret[...]
        case .snapshot(let place):
            guard let part = place.secret, let number = try openSection(item.group) else { return [] }
            return try withSection(number: number) { section in try section.box(at: part) }
        }
    }

    // MARK: - Places

    /// Returns the item at its current place; the file may have been replaced, or frames taken back, since it was
    /// found.
    private mutating func placed(_ item: StoredItem) throws -> StoredItem {
        guard !isInPlace(item) else { return item }
        guard let found = try self.item(item.name) else { throw StoreError.noSuchItem(item.name) }
        guard found.revision == item.revision else {
            throw StoreError.revisionDiffers(item.name, current: found.revision.number)
        }
        return found
    }

    /// Whether the item is still where it was found.
    func isInPlace(_ item: StoredItem) -> Bool {
        guard item.generation == mark else { return false }
        return switch item.place {
        case .log(let number): log.entries.indices.contains(number) && log.put(number)?.put.revision == item.revision
        case .frame: isIndexed
        case .snapshot: true
        }
    }
}
