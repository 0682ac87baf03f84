/// Reads values straight from the bytes of a keyed archive, and only what the requested values refer to.
struct ArchiveReader {
    typealias Object = ArchiveObjectTable.Object
    typealias Fields = ArchiveObjectTable.Fields
    typealias References = ArchiveObjectTable.References

    var table: ArchiveObjectTable
    let allowedClasses: AllowedClasses
    let topFields: Fields
    let objects: References
    var containerCache: ContainerCache<ArchiveValue>
    /// The classes read so far and the nodes that each of their instances counts for them, by UID.
    var classes: SparseTable<(class: ArchiveClass, nodeCount: Int)>

    /// Checks the parts that every keyed archive has.
    init(_ bytes: [UInt8], allowing classes: AllowedClasses, limits: DecodingLimits) throws(KeyedArchiveError) {
        table = try ArchiveObjectTable(bytes, limits: limits)
        allowedClasses = classes
        guard case .dictionary(let keys, let values) = try table.root() else { throw .notAKeyedArchive(.root) }
        let parts = Fields(keys: keys, values: values, uid: 0)
        var nodeCount = try table.nodeCount(of: parts, limits: limits)

        guard let archiver = try table.object(.archiver, in: parts), let name = try table.string(archiver) else {
            throw .notAKeyedArchive(.archiver)
        }
        guard name.hasSameBytes(as: ArchiveName.archiverName.text) else {
            throw .unsupportedArchiver(String(shortenedForReport: name))
        }
        guard case .integer(let version) = try table.object(.version, in: parts) else {
            throw .notAKeyedArchive(.version)
        }
        guard version == ArchiveName.versionNumber else { throw .unsupportedVersion(version) }
        guard case .dictionary(let topKeys, let topValues) = try table.object(.top, in: parts) else {
            throw .notAKeyedArchive(.top)
        }
        topFields = Fields(keys: topKeys, values: topValues, uid: 0)
        nodeCount += try table.nodeCount(of: topFields, limits: limits)
        guard case .array(let objects) = try table.object(.objects, in: parts), objects.count > 0,
            try table.string(table.object(0, of: objects))?.hasSameBytes(as: ArchiveName.null.text) == true
        else { throw .notAKeyedArchive(.objects) }
        // References are small, so a small file can list far more references than it has objects.
        guard objects.count <= limits.objectCount else {
            throw .propertyList(.tooManyObjects(count: UInt64(objects.count), limit: limits.objectCount))
        }
        self.objects = objects
        containerCache = ContainerCache(objectCount: objects.count, limits: limits)
        self.classes = SparseTable(count: objects.count)
        try charge(nodeCount)
    }

    /// Returns the value named `root` at the top.
    mutating func root() throws(KeyedArchiveError) -> ArchiveValue {
        guard let object = try table.object(.root, in: topFields) else {
            throw .noTopValue(ArchiveName.root.text)
        }
        switch try field(object, depth: 1) {
        case .inline(let value), .reference(let value): return value
        case .noObject: return .null
        case .references, nil: throw .notAKeyedArchive(.top)
        }
    }

    /// Returns all values at the top.
    mutating func top() throws(KeyedArchiveError) -> CanonicalDictionary<String, ArchiveObject.Field> {
        guard let entries = try fields(topFields, depth: 1) else { throw .notAKeyedArchive(.top) }
        guard let top = CanonicalDictionary(entries) else { throw .duplicateKey(uid: 0) }
        return top
    }
}

// MARK: - Values

extension ArchiveReader {
    mutating func value(uid: UInt32, depth: Int) throws(KeyedArchiveError) -> ArchiveValue {
        guard uid < objects.count else { throw .referenceOutOfRange(uid: uid) }
        let object = try table.object(Int(uid), of: objects)
        if object.isScalar {
            let extra = DecodingLimits.extraNodeCount(byteCount: object.byteCount)
            if let refusal = containerCache.count(scalarAt: depth, extraNodeCount: extra) {
                throw error(refusal, uid: uid)
            }
            // UID 0 is `nil`, whatever its text.
            if uid == 0 { return .null }
            guard let value = try table.value(object) else { throw .notAValue(uid: uid) }
            return value
        }
        guard case .dictionary(let keys, let values) = object else { throw .notAValue(uid: uid) }
        switch containerCache.begin(Int(uid), depth: depth) {
        case .known(let value): return value
        case .refused(let refusal): throw error(refusal, uid: uid)
        case .first: break
        }
        let value = try instance(Fields(keys: keys, values: values, uid: uid), depth: depth)
        containerCache.end(Int(uid), value)
        return value
    }

    private mutating func instance(_ fields: Fields, depth: Int) throws(KeyedArchiveError) -> ArchiveValue {
        try charge(table.nodeCount(of: fields, limits: containerCache.limits))
        guard case .uid(let classUID) = try table.object(.class, in: fields) else { throw .notAValue(uid: fields.uid) }
        switch try archiveClass(uid: classUID) {
        case .standard(let `class`):
            guard let value = try standardValue(of: `class`, fields, depth: depth) else {
                throw .malformedObject(className: `class`.name, uid: fields.uid)
            }
            return value
        case .named(let name, let superclassNames):
            guard let entries = try self.fields(fields, depth: depth + 1) else {
                throw .malformedObject(className: String(shortenedForReport: name), uid: fields.uid)
            }
            guard let named = CanonicalDictionary(entries) else { throw .duplicateKey(uid: fields.uid) }
            return .object(ArchiveObject(className: name, superclassNames: superclassNames, fields: named))
        }
    }
}

// MARK: - Fields

extension ArchiveReader {
    /// Returns the value of the field called `name`, whether it is inline or a reference.
    mutating func field(
        _ name: ArchiveName,
        in fields: Fields,
        depth: Int
    ) throws(KeyedArchiveError) -> ArchiveValue? {
        guard let object = try table.object(name, in: fields) else { return nil }
        return try value(inField: object, depth: depth)
    }

    /// Returns the value in a field, whether it is inline or a reference.
    mutating func value(inField object: Object, depth: Int) throws(KeyedArchiveError) -> ArchiveValue? {
        if case .uid(let uid) = object { return try value(uid: uid, depth: depth + 1) }
        try charge(object)
        return try table.value(object)
    }

    /// Returns the values listed in the field called `name`, or `nil` if it is not a list of references.
    ///
    /// Throws `error`, if given, when a reference occurs twice.
    mutating func elements(
        _ name: ArchiveName,
        in fields: Fields,
        depth: Int,
        orIfRepeated error: KeyedArchiveError? = nil
    ) throws(KeyedArchiveError) -> [ArchiveValue]? {
        guard case .array(let references) = try table.object(name, in: fields) else { return nil }
        return try elements(references, depth: depth + 1, orIfRepeated: error)
    }

    private mutating func elements(
        _ references: References,
        depth: Int,
        orIfRepeated error: KeyedArchiveError? = nil
    ) throws(KeyedArchiveError) -> [ArchiveValue]? {
        try reserve(references.count)
        var elements: [ArchiveValue] = []
        var uids: [Int] = []
        let needsDistinctnessCheck =
            error != nil && ContainerCache<ArchiveValue>.needsDistinctnessCheck(references.count)
        elements.reserveCapacity(references.count)
        for index in 0..<references.count {
            guard case .uid(let uid) = try table.object(index, of: references) else { return nil }
            elements.append(try value(uid: uid, depth: depth))
            if needsDistinctnessCheck { uids.append(Int(uid)) }
        }
        if let error, !ContainerCache<ArchiveValue>.areDistinct(uids) { throw error }
        return elements
    }

    /// Returns all fields except the `$class` of an instance, or `nil` if a name or value is one that no archiver
    /// writes.
    private mutating func fields(
        _ fields: Fields,
        depth: Int
    ) throws(KeyedArchiveError) -> [(key: String, value: ArchiveObject.Field)]? {
        var entries: [(key: String, value: ArchiveObject.Field)] = []
        entries.reserveCapacity(fields.keys.count)
        for index in 0..<fields.keys.count {
            guard let name = try table.string(table.object(index, of: fields.keys)) else { return nil }
            if fields.uid != 0, name.hasSameBytes(as: ArchiveName.class.text) { continue }
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

    /// Checks that memory for `count` parts is within the limits before it is allocated.
    mutating func reserve(_ count: Int) throws(KeyedArchiveError) {
        guard containerCache.reserve(count) else { throw .tooManyNodes(limit: containerCache.limits.nodeCount) }
    }

    /// Counts the size of text and data before it is copied.
    mutating func charge(_ object: Object) throws(KeyedArchiveError) {
        try charge(DecodingLimits.extraNodeCount(byteCount: object.byteCount))
    }

    mutating func charge(_ nodeCount: Int) throws(KeyedArchiveError) {
        guard containerCache.charge(nodeCount) else { throw .tooManyNodes(limit: containerCache.limits.nodeCount) }
    }

    private func error(_ refusal: ContainerCache<ArchiveValue>.Refusal, uid: UInt32) -> KeyedArchiveError {
        switch refusal {
        case .cycle: .cycle(uid: uid)
        case .tooDeep: .tooDeep(limit: containerCache.limits.depth)
        case .tooManyNodes: .tooManyNodes(limit: containerCache.limits.nodeCount)
        }
    }
}
