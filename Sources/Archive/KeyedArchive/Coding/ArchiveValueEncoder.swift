/// The values encoded so far at one position.
final class EncodingNode {
    private enum Content {
        case nothing
        case value(ArchiveValue)
        case list([Part])
        case entries([(key: String, value: Part)])
    }

    /// A part that is complete, one that a nested container may still extend, or one that is nested too deeply.
    enum Part {
        case value(ArchiveValue)
        case node(EncodingNode)
        case tooDeep(limit: Int)
    }

    private var content = Content.nothing
    /// The nested containers of a dictionary, by the bytes of their keys.
    private var nestedNodes: [[UInt8]: EncodingNode] = [:]

    func set(_ value: ArchiveValue) {
        guard case .nothing = content else { mixed() }
        content = .value(value)
    }

    func append(_ part: Part) {
        guard case .list(var parts) = content else { mixed() }
        content = .nothing
        parts.append(part)
        content = .list(parts)
    }

    func set(_ part: Part, forKey key: String) {
        guard case .entries(var entries) = content else { mixed() }
        content = .nothing
        entries.append((key, part))
        content = .entries(entries)
    }

    /// Returns the nested container for `key`: the existing one, or the one that `make` returns.
    func nestedNode(forKey key: String, _ make: () -> Part) -> EncodingNode? {
        let bytes = Array(key.utf8)
        if let known = nestedNodes[bytes] { return known }
        let part = make()
        set(part, forKey: key)
        guard case .node(let node) = part else { return nil }
        nestedNodes[bytes] = node
        return node
    }

    /// Makes this a list, even if nothing is appended later.
    func becomeList() {
        switch content {
        case .nothing: content = .list([])
        case .list: break
        case .value, .entries: mixed()
        }
    }

    /// Makes this a dictionary, even if nothing is set later.
    func becomeDictionary() {
        switch content {
        case .nothing: content = .entries([])
        case .entries: break
        case .value, .list: mixed()
        }
    }

    private func mixed() -> Never {
        preconditionFailure("one encoder was asked for containers of different kinds, or for a second single value")
    }

    /// The number of elements in this list.
    var count: Int {
        if case .list(let parts) = content { parts.count } else { 0 }
    }

    /// Returns everything encoded here as one value; a type that encodes nothing becomes an empty dictionary.
    func archiveValue() throws(KeyedArchiveError) -> ArchiveValue {
        switch content {
        case .nothing: return .dictionary([:])
        case .value(let value): return value
        case .list(let parts):
            var elements: [ArchiveValue] = []
            elements.reserveCapacity(parts.count)
            for part in parts { elements.append(try part.archiveValue()) }
            return .array(elements)
        case .entries(let entries):
            var values: [(key: ArchiveValue, value: ArchiveValue)] = []
            values.reserveCapacity(entries.count)
            for entry in entries { values.append((.string(entry.key), try entry.value.archiveValue())) }
            return .dictionary(CanonicalDictionary(keepingLast: values))
        }
    }
}

extension EncodingNode.Part {
    fileprivate func archiveValue() throws(KeyedArchiveError) -> ArchiveValue {
        switch self {
        case .value(let value): return value
        case .node(let node): return try node.archiveValue()
        case .tooDeep(let limit): throw .tooDeep(limit: limit)
        }
    }
}

/// The encoder that a type sees.
struct ArchiveValueEncoder: Encoder {
    let node: EncodingNode
    let place: EncodingPlace

    var codingPath: [any CodingKey] { place.path.keys }
    var userInfo: [CodingUserInfoKey: Any] { place.settings.userInfo }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        node.becomeDictionary()
        return KeyedEncodingContainer(KeyedContainer<Key>(node: node, place: place))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        node.becomeList()
        return UnkeyedContainer(node: node, place: place)
    }

    func singleValueContainer() -> any SingleValueEncodingContainer {
        SingleValueContainer(node: node, place: place)
    }
}

// MARK: - Containers

// One generic method covers all overloads that the protocols require, except those for 128-bit integers: for these, the
// protocols' default methods report that the encoder does not support them.

extension ArchiveValueEncoder {
    private struct KeyedContainer<Key: CodingKey>: KeyedEncodingContainerProtocol {
        let node: EncodingNode
        let place: EncodingPlace
        var codingPath: [any CodingKey] { place.path.keys }

        mutating func encodeNil(forKey key: Key) {
            node.set(.value(.null), forKey: key.stringValue)
        }

        mutating func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws {
            node.set(.value(try place.archiveValue(of: value, under: key)), forKey: key.stringValue)
        }

        mutating func encode(_ value: Int128, forKey key: Key) throws {
            node.set(.value(try place.archiveValue(of: value, under: key)), forKey: key.stringValue)
        }

        mutating func encode(_ value: UInt128, forKey key: Key) throws {
            node.set(.value(try place.archiveValue(of: value, under: key)), forKey: key.stringValue)
        }

        mutating func nestedContainer<NestedKey: CodingKey>(
            keyedBy type: NestedKey.Type,
            forKey key: Key
        ) -> KeyedEncodingContainer<NestedKey> {
            nested(key).container(keyedBy: type)
        }

        mutating func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
            nested(key).unkeyedContainer()
        }

        mutating func superEncoder() -> any Encoder {
            nested(PlaceKey.super)
        }

        mutating func superEncoder(forKey key: Key) -> any Encoder {
            nested(key)
        }

        private func nested(_ key: some CodingKey) -> ArchiveValueEncoder {
            let (encoder, part) = place.nestedEncoder(key)
            guard let known = node.nestedNode(forKey: key.stringValue, { part }) else { return encoder }
            return ArchiveValueEncoder(node: known, place: encoder.place)
        }
    }

    private struct UnkeyedContainer: UnkeyedEncodingContainer {
        let node: EncodingNode
        let place: EncodingPlace
        var codingPath: [any CodingKey] { place.path.keys }
        var count: Int { node.count }

        mutating func encodeNil() {
            node.append(.value(.null))
        }

        mutating func encode<Value: Encodable>(_ value: Value) throws {
            node.append(.value(try place.archiveValue(of: value, under: PlaceKey.index(count))))
        }

        mutating func encode(_ value: Int128) throws {
            node.append(.value(try place.archiveValue(of: value, under: PlaceKey.index(count))))
        }

        mutating func encode(_ value: UInt128) throws {
            node.append(.value(try place.archiveValue(of: value, under: PlaceKey.index(count))))
        }

        mutating func nestedContainer<NestedKey: CodingKey>(
            keyedBy type: NestedKey.Type
        ) -> KeyedEncodingContainer<NestedKey> {
            nested().container(keyedBy: type)
        }

        mutating func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
            nested().unkeyedContainer()
        }

        mutating func superEncoder() -> any Encoder {
            nested()
        }

        private func nested() -> ArchiveValueEncoder {
            let (encoder, part) = place.nestedEncoder(PlaceKey.index(count))
            node.append(part)
            return encoder
        }
    }

    private struct SingleValueContainer: SingleValueEncodingContainer {
        let node: EncodingNode
        let place: EncodingPlace
        var codingPath: [any CodingKey] { place.path.keys }

        mutating func encodeNil() {
            node.set(.null)
        }

        mutating func encode<Value: Encodable>(_ value: Value) throws {
            node.set(try place.wrapped().archiveValue(of: value))
        }

        mutating func encode(_ value: Int128) throws {
            node.set(try place.archiveValue(of: value))
        }

        mutating func encode(_ value: UInt128) throws {
            node.set(try place.archiveValue(of: value))
        }
    }
}
