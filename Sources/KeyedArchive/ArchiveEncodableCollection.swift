/// A collection whose own encoding follows the order of hashing, which differs from run to run.
protocol ArchiveEncodableCollection {
    func archiveValue(at place: EncodingPlace) throws -> ArchiveValue
}

extension Set: ArchiveEncodableCollection where Element: Encodable {
    func archiveValue(at place: EncodingPlace) throws -> ArchiveValue {
        var elements: [ArchiveValue] = []
        elements.reserveCapacity(count)
        for element in self {
            elements.append(try place.part(PlaceKey.index(elements.count)).archiveValue(of: element))
        }
        return .set(CanonicalSet(elements))
    }
}

extension Dictionary: ArchiveEncodableCollection where Key: Encodable, Value: Encodable {
    func archiveValue(at place: EncodingPlace) throws -> ArchiveValue {
        var entries: [(key: ArchiveValue, value: ArchiveValue)] = []
        entries.reserveCapacity(count)
        for (key, value) in self {
            let part = place.part(PlaceKey.index(entries.count))
            entries.append((try part.archiveValue(of: key), try part.archiveValue(of: value)))
        }
        guard let dictionary = CanonicalDictionary(entries) else {
            let context = EncodingError.Context(
                codingPath: place.path.keys,
                debugDescription: "Two keys of a dictionary encode to the same value."
            )
            throw EncodingError.invalidValue(self, context)
        }
        return .dictionary(dictionary)
    }
}

/// A collection that is read from the form that `ArchiveEncodableCollection` writes.
protocol ArchiveDecodableCollection {
    /// Makes the collection, or returns `nil` if `place` holds a form that the collection itself knows to read.
    init?(at place: DecodingPlace) throws
}

extension Set: ArchiveDecodableCollection where Element: Decodable {
    init?(at place: DecodingPlace) throws {
        guard case .set(let elements) = place.value else { return nil }
        self.init()
        for (index, element) in elements.enumerated() {
            let part = place.part(PlaceKey.index(index), element)
            guard insert(try part.decode(Element.self)).inserted else {
                throw part.corrupted("Two elements of a set are the same.")
            }
        }
    }
}

extension Dictionary: ArchiveDecodableCollection where Key: Decodable, Value: Decodable {
    init?(at place: DecodingPlace) throws {
        guard case .dictionary(let entries) = place.value else { return nil }
        // A dictionary that other encoders wrote has the text of its coding keys instead of the keys.
        let isKeyedByText = entries.allSatisfy { $0.key.string != nil }
        if isKeyedByText, Key.self != String.self, Key.self is any CodingKeyRepresentable.Type { return nil }

        self.init(minimumCapacity: entries.count)
        for (index, entry) in entries.enumerated() {
            let placeKey = PlaceKey.name(entry.key.string ?? "Key \(index)")
            let key = try place.part(placeKey, entry.key).decode(Key.self)
            let value = try place.part(placeKey, entry.value).decode(Value.self)
            // Keys that differ in bytes may still be equal to Swift: losing one would be silent.
            guard updateValue(value, forKey: key) == nil else {
                throw place.part(placeKey, entry.key).corrupted("Two keys of a dictionary are the same.")
            }
        }
    }
}
