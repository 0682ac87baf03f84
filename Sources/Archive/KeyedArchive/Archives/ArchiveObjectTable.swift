internal import CofferBasics

/// The property list of a keyed archive; its errors are reported as `KeyedArchiveError`.
struct ArchiveObjectTable {
    typealias Object = BinaryObjectTable.Object
    typealias References = BinaryObjectTable.References

    /// The entries of a dictionary in the property list: of an object, or of the archive itself.
    struct Fields {
        let keys: References
        let values: References
        /// The UID of the object, 0 for the archive itself.
        let uid: UInt32
    }

    private var propertyList: BinaryObjectTable
    /// For each object, the raw value of the name it spells, once that has been looked up.
    private var names: [UInt8]
    private static let unknown: UInt8 = 0xFF
    private static let otherText: UInt8 = 0xFE
    /// Another text, so long that it counts as nodes.
    private static let longText: UInt8 = 0xFD

    init(_ bytes: [UInt8], limits: DecodingLimits) throws(KeyedArchiveError) {
        do throws(PropertyListError) {
            propertyList = try BinaryObjectTable(bytes, limits: limits)
        } catch {
            throw .propertyList(error)
        }
        names = Array(repeating: Self.unknown, count: propertyList.objectCount)
    }

    private func translating<Result>(
        _ read: () throws(PropertyListError) -> Result
    ) throws(KeyedArchiveError) -> Result {
        do throws(PropertyListError) {
            return try read()
        } catch {
            throw .propertyList(error)
        }
    }
}

// MARK: - Objects

extension ArchiveObjectTable {
    /// Returns the root object of the property list.
    func root() throws(KeyedArchiveError) -> Object {
        try object(propertyList.topObject)
    }

    /// Returns the object with this number in the property list.
    func object(_ number: Int) throws(KeyedArchiveError) -> Object {
        try translating { () throws(PropertyListError) in
            try propertyList.object(at: propertyList.offset(ofObject: number))
        }
    }

    /// Returns the object that the reference at `index` points to.
    func object(_ index: Int, of references: References) throws(KeyedArchiveError) -> Object {
        try object(number(index, of: references))
    }

    private func number(_ index: Int, of references: References) throws(KeyedArchiveError) -> Int {
        try translating { () throws(PropertyListError) in try propertyList.object(index, of: references) }
    }

    /// Returns the value for `name`, if any; two values for the name are an error.
    mutating func object(_ name: ArchiveName, in fields: Fields) throws(KeyedArchiveError) -> Object? {
        var found: Int?
        for index in 0..<fields.keys.count {
            guard try self.name(ofObject: number(index, of: fields.keys)) == name else { continue }
            guard found == nil else { throw .duplicateKey(uid: fields.uid) }
            found = index
        }
        guard let found else { return nil }
        return try object(found, of: fields.values)
    }

    /// Checks that all keys of `fields` are text, and returns the number of nodes that the entries count.
    mutating func nodeCount(of fields: Fields, limits: DecodingLimits) throws(KeyedArchiveError) -> Int {
        var count = DecodingLimits.extraNodeCount(entryCount: fields.keys.count)
        guard count <= limits.nodeCount else { throw .tooManyNodes(limit: limits.nodeCount) }
        for index in 0..<fields.keys.count {
            let number = try number(index, of: fields.keys)
            _ = try name(ofObject: number)
            guard names[number] == Self.longText else { continue }
            count += DecodingLimits.extraNodeCount(byteCount: try object(number).byteCount)
        }
        return count
    }

    /// Returns the archive name that a key spells; cached, because the same few names occur in every instance.
    private mutating func name(ofObject number: Int) throws(KeyedArchiveError) -> ArchiveName? {
        if names[number] == Self.unknown { names[number] = try readName(ofObject: number) }
        return ArchiveName(rawValue: Int(names[number]))
    }

    private mutating func readName(ofObject number: Int) throws(KeyedArchiveError) -> UInt8 {
        let object = try object(number)
        guard let text = try string(object) else {
            let offset = try translating { () throws(PropertyListError) in try propertyList.offset(ofObject: number) }
            throw .propertyList(.keyIsNotAString(offset: offset))
        }
        guard DecodingLimits.extraNodeCount(byteCount: object.byteCount) == 0 else { return Self.longText }
        return ArchiveName(text: text.utf8.span).map { UInt8($0.rawValue) } ?? Self.otherText
    }
}

// MARK: - Scalars

extension ArchiveObjectTable {
    /// Returns the text of `object`, if it is a string.
    mutating func string(_ object: Object) throws(KeyedArchiveError) -> String? {
        guard case .string(let text) = try value(object) else { return nil }
        return text
    }

    /// Returns the value of `object`, if it is a number, string or data.
    mutating func value(_ object: Object) throws(KeyedArchiveError) -> ArchiveValue? {
        do throws(PropertyListError) {
            switch object {
            case .bool(let value): return .bool(value)
            case .integer(let value): return .integer(value)
            case .real(let value): return .real(value)
            case .data(let range): return .data(try propertyList.data(in: range))
            case .asciiString(let range): return .string(try propertyList.asciiText(in: range))
            case .utf16String(let range): return .string(try propertyList.utf16Text(in: range))
            case .null, .date, .uid, .array, .set, .dictionary: return nil
            }
        } catch {
            throw .propertyList(error)
        }
    }
}
