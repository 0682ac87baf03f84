/// The decoder that a type sees.
struct ArchiveValueDecoder: Decoder {
    let place: DecodingPlace

    var codingPath: [any CodingKey] { place.path.keys }
    var userInfo: [CodingUserInfoKey: Any] { place.userInfo }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        switch place.value {
        case .dictionary, .object: KeyedDecodingContainer(KeyedContainer<Key>(place: place))
        default: throw place.mismatch([String: Any].self)
        }
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        switch place.value {
        case .array(let elements): UnkeyedContainer(place: place, elements: elements)
        case .set(let elements): UnkeyedContainer(place: place, elements: Array(elements))
        default: throw place.mismatch([Any].self)
        }
    }

    func singleValueContainer() -> any SingleValueDecodingContainer {
        SingleValueContainer(place: place)
    }
}

// MARK: - Containers

// One generic method covers all overloads that the protocols require, except those for 128-bit integers: for these, the
// protocols' default methods report that the decoder does not support them.

extension ArchiveValueDecoder {
    private struct KeyedContainer<Key: CodingKey>: KeyedDecodingContainerProtocol {
        let place: DecodingPlace
        var codingPath: [any CodingKey] { place.path.keys }

        var allKeys: [Key] {
            switch place.value {
            case .dictionary(let entries): entries.compactMap { $0.key.string.flatMap(Key.init(stringValue:)) }
            case .object(let object): object.fields.compactMap { Key(stringValue: $0.key) }
            default: []
            }
        }

        func contains(_ key: Key) -> Bool {
            value(forKey: key) != nil
        }

        func decodeNil(forKey key: Key) throws -> Bool {
            try part(key).value == .null
        }

        func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
            try part(key).decode(type)
        }

        func decode(_ type: Int128.Type, forKey key: Key) throws -> Int128 {
            try part(key).decode(type)
        }

        func decode(_ type: UInt128.Type, forKey key: Key) throws -> UInt128 {
            try part(key).decode(type)
        }

        func nestedContainer<NestedKey: CodingKey>(
            keyedBy type: NestedKey.Type,
            forKey key: Key
        ) throws -> KeyedDecodingContainer<NestedKey> {
            try superDecoder(forKey: key).container(keyedBy: type)
        }

        func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
            try superDecoder(forKey: key).unkeyedContainer()
        }

        func superDecoder() throws -> any Decoder {
            ArchiveValueDecoder(place: try part(PlaceKey.super))
        }

        func superDecoder(forKey key: Key) throws -> any Decoder {
            ArchiveValueDecoder(place: try part(key))
        }

        private func value(forKey key: some CodingKey) -> ArchiveValue? {
            switch place.value {
            case .dictionary(let entries): entries[.string(key.stringValue)]
            case .object(let object): object[key.stringValue]
            default: nil
            }
        }

        private func part(_ key: some CodingKey) throws -> DecodingPlace {
            guard let value = value(forKey: key) else {
                throw DecodingError.keyNotFound(key, place.context("No value for this key."))
            }
            return place.part(key, value)
        }
    }

    private struct UnkeyedContainer: UnkeyedDecodingContainer {
        let place: DecodingPlace
        let elements: [ArchiveValue]
        private(set) var currentIndex = 0

        init(place: DecodingPlace, elements: [ArchiveValue]) {
            self.place = place
            self.elements = elements
        }

        var codingPath: [any CodingKey] { place.path.keys }
        var count: Int? { elements.count }
        var isAtEnd: Bool { currentIndex >= elements.count }

        mutating func decodeNil() throws -> Bool {
            guard try current(Optional<Any>.self).value == .null else { return false }
            currentIndex += 1
            return true
        }

        mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
            try next(type)
        }

        mutating func decode(_ type: Int128.Type) throws -> Int128 {
            try next(type)
        }

        mutating func decode(_ type: UInt128.Type) throws -> UInt128 {
            try next(type)
        }

        private mutating func next<Value: Decodable>(_ type: Value.Type) throws -> Value {
            let value = try current(type).decode(type)
            currentIndex += 1
            return value
        }

        mutating func nestedContainer<NestedKey: CodingKey>(
            keyedBy type: NestedKey.Type
        ) throws -> KeyedDecodingContainer<NestedKey> {
            try superDecoder().container(keyedBy: type)
        }

        mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
            try superDecoder().unkeyedContainer()
        }

        mutating func superDecoder() throws -> any Decoder {
            let decoder = ArchiveValueDecoder(place: try current((any Decoder).self))
            currentIndex += 1
            return decoder
        }

        private func current(_ type: Any.Type) throws -> DecodingPlace {
            guard !isAtEnd else {
                throw DecodingError.valueNotFound(type, place.context("The list ends before this element."))
            }
            return place.part(PlaceKey.index(currentIndex), elements[currentIndex])
        }
    }

    private struct SingleValueContainer: SingleValueDecodingContainer {
        let place: DecodingPlace
        var codingPath: [any CodingKey] { place.path.keys }

        func decodeNil() -> Bool {
            place.value == .null
        }

        func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
            try place.decode(type)
        }

        func decode(_ type: Int128.Type) throws -> Int128 {
            try place.decode(type)
        }

        func decode(_ type: UInt128.Type) throws -> UInt128 {
            try place.decode(type)
        }
    }
}
