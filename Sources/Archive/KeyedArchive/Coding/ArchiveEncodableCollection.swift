/// A collection whose own encoding follows hash order, which differs from run to run.
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
        let set = CanonicalSet(elements)
        guard set.count == count else {
            throw place.invalid(Self.self, "Two elements of a set encode to the same value.")
        }
        return .set(set)
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
            throw place.invalid(Self.self, "Two keys of a dictionary encode to the same value.")
        }
        return .dictionary(dictionary)
    }
}

/// A collection that can be read from the form that `ArchiveEncodableCollection` writes.
protocol ArchiveDecodableCollection {
    /// Makes the collection, or returns `nil` if the collection's own `Decodable` conformance should read `place`.
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
        self.init(minimumCapacity: entries.count)
        for (index, entry) in entries.enumerated() {
            let placeKey = PlaceKey.name(entry.key.string ?? "Key \(index)")
            let key = try Self.key(at: place.part(placeKey, entry.key))
            let value = try place.part(placeKey, entry.value).decode(Value.self)
            // Keys that differ in bytes may still be equal in Swift; losing one would go unnoticed.
            guard updateValue(value, forKey: key) == nil else {
                throw place.part(placeKey, entry.key).corrupted("Two keys of a dictionary are the same.")
            }
        }
    }

    private static func key(at place: DecodingPlace) throws -> Key {
        do {
            return try place.decode(Key.self)
        } catch {
            // A dictionary written by another encoder has the text of the coding keys instead of the keys themselves.
            guard let text = place.value.string, let type = Key.self as? any CodingKeyRepresentable.Type,
                let key = type.init(codingKey: TextKey(stringValue: text)) as? Key
            else { throw error }
            return key
        }
    }
}

/// The text that other encoders write for a dictionary key, which may be an integer's text.
private struct TextKey: CodingKey {
    let stringValue: String
    var intValue: Int? { Int(stringValue) }

    init(stringValue: String) {
        self.stringValue = stringValue
    }

    init?(intValue: Int) {
        self.init(stringValue: "\(intValue)")
    }
}
