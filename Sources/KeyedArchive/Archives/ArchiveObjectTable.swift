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
    private static let noName: UInt8 = 0xFE

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

    /// Returns the archive name that an object spells; cached, because the same few names occur in every instance.
    private mutating func name(ofObject number: Int) throws(KeyedArchiveError) -> ArchiveName? {
        switch names[number] {
        case Self.unknown: break
        case Self.noName: return nil
        case let name: return ArchiveName(rawValue: Int(name))
        }
        let range = try translating { () throws(PropertyListError) in try propertyList.rangeOfASCIIText(number) }
        let name = ArchiveName(text: propertyList.bytes.span.extracting(range))
        names[number] = name.map { UInt8($0.rawValue) } ?? Self.noName
        return name
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
