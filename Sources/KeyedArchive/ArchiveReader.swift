/// Reads values straight from the bytes of a keyed archive; only what the asked-for values refer to is read.
struct ArchiveReader {
    private typealias Object = ArchiveObjectTable.Object
    private typealias Fields = ArchiveObjectTable.Fields
    private typealias References = ArchiveObjectTable.References

    private var table: ArchiveObjectTable
    private let allowedClasses: AllowedClasses
    private let topFields: Fields
    private let objects: References
    private var memo: Memo<ArchiveValue>
    /// The classes that were read so far, by UID.
    private var classes: [ArchiveClass?]

    /// Checks the parts that every keyed archive has.
    init(_ bytes: [UInt8], allowing classes: AllowedClasses, limits: DecodingLimits) throws(KeyedArchiveError) {
        table = try ArchiveObjectTable(bytes, limits: limits)
        allowedClasses = classes
        guard case .dictionary(let keys, let values) = try table.root() else { throw .notAKeyedArchive(.root) }
        let parts = Fields(keys: keys, values: values)

        guard let archiver = try table.object(.archiver, in: parts), let name = try table.string(archiver) else {
            throw .notAKeyedArchive(.archiver)
        }
        guard name == ArchiveName.archiverName.text else { throw .unsupportedArchiver(name) }
        guard case .integer(let version) = try table.object(.version, in: parts) else {
            throw .notAKeyedArchive(.version)
        }
        guard version == ArchiveName.versionNumber else { throw .unsupportedVersion(version) }
        guard case .dictionary(let topKeys, let topValues) = try table.object(.top, in: parts) else {
            throw .notAKeyedArchive(.top)
        }
        topFields = Fields(keys: topKeys, values: topValues)
        guard case .array(let objects) = try table.object(.objects, in: parts), objects.count > 0,
            try table.string(table.object(0, of: objects)) == ArchiveName.null.text
        else { throw .notAKeyedArchive(.objects) }
        // References are small, so a small file can list far more of them than there are objects.
        guard objects.count <= limits.objectCount else {
            throw .propertyList(.tooManyObjects(count: UInt64(objects.count), limit: limits.objectCount))
        }
        self.objects = objects
        memo = Memo(objectCount: objects.count, limits: limits)
        self.classes = Array(repeating: nil, count: objects.count)
    }

    /// The value called `root` at the top.
    mutating func root() throws(KeyedArchiveError) -> ArchiveValue {
        guard let object = try table.object(.root, in: topFields) else {
            throw .noTopValue(ArchiveName.root.text)
        }
        switch try field(object, depth: 1) {
        case .inline(let value), .reference(let value): return value
        case .noObject: return .null
        case .references(let values): return .array(values)
        case nil: throw .notAKeyedArchive(.top)
        }
    }

    /// All values at the top.
    mutating func top() throws(KeyedArchiveError) -> CanonicalDictionary<String, ArchiveObject.Field> {
        try charge(topFields.keys.count)
        guard let entries = try fields(topFields, depth: 1) else { throw .notAKeyedArchive(.top) }
        guard let top = CanonicalDictionary(entries) else { throw .duplicateKey(uid: 0) }
        return top
    }
}

// MARK: - Values

extension ArchiveReader {
    private mutating func value(uid: UInt32, depth: Int) throws(KeyedArchiveError) -> ArchiveValue {
        guard uid < objects.count else { throw .referenceOutOfRange(uid: uid) }
        let object = try table.object(Int(uid), of: objects)
        if object.isScalar {
            let extra = DecodingLimits.extraNodeCount(byteCount: object.byteCount)
            if let refusal = memo.count(scalarAt: depth, extraNodeCount: extra) { throw error(refusal, uid: uid) }
            // UID 0 is `nil`, whatever text stands there.
            if uid == 0 { return .null }
            guard let value = try table.value(object) else { throw .notAValue(uid: uid) }
            return value
        }
        guard case .dictionary(let keys, let values) = object else { throw .notAValue(uid: uid) }
        switch memo.begin(Int(uid), depth: depth) {
        case .known(let value): return value
        case .refused(let refusal): throw error(refusal, uid: uid)
        case .first: break
        }
        let value = try instance(Fields(keys: keys, values: values), uid: uid, depth: depth)
        if let refusal = memo.end(Int(uid), value) { throw error(refusal, uid: uid) }
        return value
    }

    private mutating func instance(
        _ fields: Fields,
        uid: UInt32,
        depth: Int
    ) throws(KeyedArchiveError) -> ArchiveValue {
        try charge(DecodingLimits.extraNodeCount(entryCount: fields.keys.count))
        guard case .uid(let classUID) = try table.object(.class, in: fields) else { throw .notAValue(uid: uid) }
        switch try archiveClass(uid: classUID) {
        case .standard(let `class`):
            guard let value = try standardValue(of: `class`, fields, uid: uid, depth: depth) else {
                throw .malformedObject(className: `class`.name, uid: uid)
            }
            return value
        case .named(let name, let superclassNames):
            guard let entries = try self.fields(fields, depth: depth + 1) else {
                throw .malformedObject(className: name, uid: uid)
            }
            guard let fields = CanonicalDictionary(entries) else { throw .duplicateKey(uid: uid) }
            return .object(ArchiveObject(className: name, superclassNames: superclassNames, fields: fields))
        }
    }

    /// The value of an instance of one of Foundation's value classes, or `nil` if its fields are not as they must be.
    private mutating func standardValue(
        of class: StandardClass,
        _ fields: Fields,
        uid: UInt32,
        depth: Int
    ) throws(KeyedArchiveError) -> ArchiveValue? {
        switch `class` {
        case .null: return .null
        case .string: return try string(fields, depth: depth)
        case .attributedString:
            guard case .string(let text) = try field(.attributedText, in: fields, depth: depth) else { return nil }
            return .string(text)
        case .number: return try number(fields)
        case .data:
            guard case .data(let bytes) = try field(.data, in: fields, depth: depth) else { return nil }
            return .data(bytes)
        case .date:
            guard case .real(let seconds) = try table.object(.time, in: fields) else { return nil }
            return .date(secondsSinceReferenceDate: seconds)
        case .uuid:
            guard case .data(let bytes) = try field(.uuidBytes, in: fields, depth: depth), bytes.count == 16 else {
                return nil
            }
            return .uuid(bytes.reduce(0) { $0 << 8 | UInt128($1) })
        case .url: return try url(fields, depth: depth)
        case .array: return try elements(.elements, in: fields, depth: depth).map(ArchiveValue.array)
        case .set: return try elements(.elements, in: fields, depth: depth).map { .set(CanonicalSet($0)) }
        case .dictionary: return try dictionary(fields, uid: uid, depth: depth)
        }
    }

    private mutating func string(_ fields: Fields, depth: Int) throws(KeyedArchiveError) -> ArchiveValue? {
        if case .string(let text) = try field(.string, in: fields, depth: depth) { return .string(text) }
        guard case .data(let bytes) = try field(.stringBytes, in: fields, depth: depth) else { return nil }
        return String(validating: bytes, as: UTF8.self).map(ArchiveValue.string)
    }

    private mutating func number(_ fields: Fields) throws(KeyedArchiveError) -> ArchiveValue? {
        for name in [ArchiveName.boolValue, .integerValue, .realValue] {
            guard let object = try table.object(name, in: fields) else { continue }
            switch object {
            case .bool, .integer, .real: return try table.value(object)
            default: return nil
            }
        }
        return nil
    }

    private mutating func url(_ fields: Fields, depth: Int) throws(KeyedArchiveError) -> ArchiveValue? {
        guard case .string(let text) = try field(.urlText, in: fields, depth: depth) else { return nil }
        switch try field(.urlBase, in: fields, depth: depth) {
        case .url(let base): return .url(ArchiveURL(text, relativeTo: base))
        case .null, nil: return .url(ArchiveURL(text))
        default: return nil
        }
    }

    private mutating func dictionary(
        _ fields: Fields,
        uid: UInt32,
        depth: Int
    ) throws(KeyedArchiveError) -> ArchiveValue? {
        guard let keys = try elements(.keys, in: fields, depth: depth),
            let values = try elements(.elements, in: fields, depth: depth),
            keys.count == values.count
        else { return nil }
        var entries: [(key: ArchiveValue, value: ArchiveValue)] = []
        entries.reserveCapacity(keys.count)
        for index in keys.indices { entries.append((keys[index], values[index])) }
        guard let dictionary = CanonicalDictionary(entries) else { throw .duplicateKey(uid: uid) }
        return .dictionary(dictionary)
    }
}

// MARK: - Fields

extension ArchiveReader {
    /// The value of the field called `name`, whether it stands inside the object or is referred to.
    private mutating func field(
        _ name: ArchiveName,
        in fields: Fields,
        depth: Int
    ) throws(KeyedArchiveError) -> ArchiveValue? {
        guard let object = try table.object(name, in: fields) else { return nil }
        if case .uid(let uid) = object { return try value(uid: uid, depth: depth + 1) }
        try charge(object)
        return try table.value(object)
    }

    /// The values that the field called `name` lists, or `nil` if it is no list of references.
    private mutating func elements(
        _ name: ArchiveName,
        in fields: Fields,
        depth: Int
    ) throws(KeyedArchiveError) -> [ArchiveValue]? {
        guard case .array(let references) = try table.object(name, in: fields) else { return nil }
        return try elements(references, depth: depth + 1)
    }

    private mutating func elements(
        _ references: References,
        depth: Int
    ) throws(KeyedArchiveError) -> [ArchiveValue]? {
        try reserve(references.count)
        var elements: [ArchiveValue] = []
        elements.reserveCapacity(references.count)
        for index in 0..<references.count {
            guard case .uid(let uid) = try table.object(index, of: references) else { return nil }
            elements.append(try value(uid: uid, depth: depth))
        }
        return elements
    }

    /// All fields but `$class`, or `nil` if one has a name or a value that no archiver writes.
    private mutating func fields(
        _ fields: Fields,
        depth: Int
    ) throws(KeyedArchiveError) -> [(key: String, value: ArchiveObject.Field)]? {
        var entries: [(key: String, value: ArchiveObject.Field)] = []
        entries.reserveCapacity(fields.keys.count)
        for index in 0..<fields.keys.count {
            guard let name = try string(table.object(index, of: fields.keys)) else { return nil }
            if name == ArchiveName.class.text { continue }
            guard let field = try field(table.object(index, of: fields.values), depth: depth) else { return nil }
            entries.append((name, field))
        }
        return entries
    }

    private mutating func field(_ object: Object, depth: Int) throws(KeyedArchiveError) -> ArchiveObject.Field? {
        switch object {
        case .uid(0): return .noObject
        case .uid(let uid): return .reference(try value(uid: uid, depth: depth))
        case .array(let references): return try elements(references, depth: depth).map { .references($0) }
        case .date(let seconds): return .inline(.date(secondsSinceReferenceDate: seconds))
        default:
            try charge(object)
            return try table.value(object).map { .inline($0) }
        }
    }

    /// Makes sure that the memory for `count` parts is within the limits before it is allocated.
    private mutating func reserve(_ count: Int) throws(KeyedArchiveError) {
        guard memo.reserve(count) else { throw .tooManyNodes(limit: memo.limits.nodeCount) }
    }

    /// Counts the size of text and data before it is copied.
    private mutating func charge(_ object: Object) throws(KeyedArchiveError) {
        try charge(DecodingLimits.extraNodeCount(byteCount: object.byteCount))
    }

    private mutating func charge(_ nodeCount: Int) throws(KeyedArchiveError) {
        guard memo.charge(nodeCount) else { throw .tooManyNodes(limit: memo.limits.nodeCount) }
    }

    private func error(_ refusal: Memo<ArchiveValue>.Refusal, uid: UInt32) -> KeyedArchiveError {
        switch refusal {
        case .cycle: .cycle(uid: uid)
        case .tooDeep: .tooDeep(limit: memo.limits.depth)
        case .tooManyNodes: .tooManyNodes(limit: memo.limits.nodeCount)
        }
    }
}

// MARK: - Classes

extension ArchiveReader {
    private mutating func archiveClass(uid: UInt32) throws(KeyedArchiveError) -> ArchiveClass {
        guard uid < objects.count else { throw .referenceOutOfRange(uid: uid) }
        if let known = classes[Int(uid)] { return known }
        let `class` = try readClass(uid: uid)
        classes[Int(uid)] = `class`
        return `class`
    }

    private mutating func readClass(uid: UInt32) throws(KeyedArchiveError) -> ArchiveClass {
        guard case .dictionary(let keys, let values) = try table.object(Int(uid), of: objects) else {
            throw .malformedClass(uid: uid)
        }
        let fields = Fields(keys: keys, values: values)
        try charge(DecodingLimits.extraNodeCount(entryCount: keys.count))
        guard let nameObject = try table.object(.className, in: fields), let name = try string(nameObject),
            case .array(let list) = try table.object(.classes, in: fields),
            list.count > 0, let first = try string(table.object(0, of: list)),
            first.canonicalOrder(relativeTo: name) == .same
        else { throw .malformedClass(uid: uid) }
        if let standard = StandardClass(name: name) { return .standard(standard) }

        guard allowedClasses.contains(name) else { throw .classNotAllowed(name, uid: uid) }
        try charge(DecodingLimits.extraNodeCount(entryCount: list.count))
        var superclassNames: [String] = []
        for index in 1..<list.count {
            guard let name = try string(table.object(index, of: list)) else { throw .malformedClass(uid: uid) }
            superclassNames.append(name)
        }
        return .named(name, superclassNames: superclassNames)
    }

    /// The text of `object`, counted, if it is a string.
    private mutating func string(_ object: Object) throws(KeyedArchiveError) -> String? {
        try charge(object)
        return try table.string(object)
    }
}
