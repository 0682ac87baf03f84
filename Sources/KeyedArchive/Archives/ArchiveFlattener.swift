internal import CofferBasics

/// Turns values into the numbered objects of an archive, numbered and laid out as Apple's archivers do.
///
/// An object gets its number, its *UID*, when it is first reached. Its parts follow, then the description of its class
/// if it is the first object of that class. Equal scalars become one object; equal collections do not, since a reader
/// may make them mutable. So objects are reached in the order in which they stand in the file.
struct ArchiveFlattener {
    private let limits: DecodingLimits
    private var builder = Self.start
    /// The number of objects so far.
    private var objectCount = 0
    private var isUIDZeroUsed = false
    private var uidOfStandardClass = InlineArray<11, UInt32>(repeating: 0)
    private var uidOfNamedClass: [[Int]: UInt32] = [:]
    private var nodeCount = 0

    /// What every archive begins with.
    private static let start: BinaryPropertyListBuilder = {
        var builder = BinaryPropertyListBuilder(scalars: ArchiveName.scalars)
        builder.add(.dictionary, count: 4)
        for name in [ArchiveName.version, .archiver, .top, .objects] { builder.add(number: name.rawValue) }
        builder.add(number: ArchiveName.versionScalar)
        builder.add(number: ArchiveName.archiverName.rawValue)
        return builder
    }()

    init(limits: DecodingLimits) {
        self.limits = limits
        builder.reserveRoomForRecord()
    }

    /// Overwrites the scalars with zeros.
    mutating func wipe() { builder.wipe() }

    /// Adds the values at the top of the archive and everything they contain.
    mutating func flatten(top: CanonicalDictionary<String, ArchiveObject.Field>) throws(KeyedArchiveError) {
        try count(DecodingLimits.extraNodeCount(entryCount: top.count))
        builder.add(.dictionary, count: top.count)
        let fields = addFields(top)
        let objects = beginObjects()
        try setFields(top, from: fields, depth: 1)
        builder.setArray(count: objectCount, at: objects)
    }

    /// Adds `root` at the top of the archive, under its usual name, and everything it contains.
    mutating func flatten(root: ArchiveValue) throws(KeyedArchiveError) {
        builder.add(.dictionary, count: 1)
        add(.root)
        let place = addUnknown()
        let objects = beginObjects()
        builder.set(uid: try uid(of: root, depth: 1), at: place)
        builder.setArray(count: objectCount, at: objects)
    }

    /// Returns the file; throws if it exceeds the limits.
    func encoded() throws(KeyedArchiveError) -> [UInt8] {
        do throws(PropertyListError) {
            return try builder.encoded(limits: limits)
        } catch {
            throw .propertyList(error)
        }
    }

    /// Adds the array of objects, and returns its place.
    private mutating func beginObjects() -> Int {
        defer {
            // UID 0 is `nil`, not a string: a string "$null" in the content gets its own UID.
            add(.null)
            objectCount = 1
        }
        return addUnknown()
    }
}

// MARK: - Values

extension ArchiveFlattener {
    private mutating func uid(of value: ArchiveValue, depth: Int) throws(KeyedArchiveError) -> UInt32 {
        try count(1)
        guard depth <= limits.depth else { throw .tooDeep(limit: limits.depth) }
        guard objectCount <= limits.objectCount else {
            throw .propertyList(.tooManyObjects(count: UInt64(objectCount), limit: limits.objectCount))
        }

        switch value {
        case .bool(let value): return try uid(of: .bool(value))
        case .integer(let value): return try uid(of: .integer(value))
        case .real(let value): return try uid(of: .real(value))
        case .string(let string): return try uid(of: .string(string))
        case .data(let bytes): return try uid(of: .data(bytes))
        case .null:
            let uid = beginInstance(fieldCount: 0)
            add(.class)
            return end(uid, classPlace: addUnknown(), class: .null)
        case .date(let seconds):
            return addInstance(of: .date, .time, .real(seconds))
        case .uuid(let value):
            return addInstance(of: .uuid, .uuidBytes, .data(value.bigEndianBytes))
        case .url(let url):
            return try uid(of: url, depth: depth)
        case .array(let elements):
            return try uid(of: elements, class: .array, depth: depth)
        case .set(let elements):
            return try uid(of: elements, class: .set, depth: depth)
        case .dictionary(let entries):
            return try uid(of: entries, depth: depth)
        case .object(let object):
            return try uid(of: object, depth: depth)
        }
    }

    private mutating func uid(of scalar: Scalar) throws(KeyedArchiveError) -> UInt32 {
        let number = try number(of: scalar)
        let known = builder.scalars[uid: number]
        guard known == 0 else { return known }
        builder.add(number: number)
        let uid = newUID()
        builder.scalars[uid: number] = uid
        return uid
    }

    /// Adds an instance with an inline field.
    private mutating func addInstance(of class: StandardClass, _ name: ArchiveName, _ value: Scalar) -> UInt32 {
        let uid = beginInstance(fieldCount: 1)
        add(name)
        add(.class)
        builder.add(number: builder.number(of: value))
        return end(uid, classPlace: addUnknown(), class: `class`)
    }

    private mutating func uid(of url: ArchiveURL, depth: Int) throws(KeyedArchiveError) -> UInt32 {
        let uid = beginInstance(fieldCount: 2)
        add(.urlBase)
        add(.urlText)
        add(.class)
        let fields = addUnknown(count: 3)
        let base = if let base = url.base { try self.uid(of: .url(base), depth: depth + 1) } else { useUIDZero() }
        builder.set(uid: base, at: fields)
        builder.set(uid: try self.uid(of: .string(url.text), depth: depth + 1), at: fields + 1)
        return end(uid, classPlace: fields + 2, class: .url)
    }

    private mutating func uid(
        of elements: some Collection<ArchiveValue>,
        class: StandardClass,
        depth: Int
    ) throws(KeyedArchiveError) -> UInt32 {
        let uid = beginInstance(fieldCount: 1)
        add(.elements)
        add(.class)
        let list = addList(count: elements.count)
        let classPlace = addUnknown()
        try set(elements, from: list, depth: depth + 1)
        return end(uid, classPlace: classPlace, class: `class`)
    }

    private mutating func uid(
        of entries: CanonicalDictionary<ArchiveValue, ArchiveValue>,
        depth: Int
    ) throws(KeyedArchiveError) -> UInt32 {
        let uid = beginInstance(fieldCount: 2)
        add(.keys)
        add(.elements)
        add(.class)
        let keys = addList(count: entries.count)
        let values = addList(count: entries.count)
        let classPlace = addUnknown()
        let entries = entries.entries
        for index in entries.indices {
            builder.set(uid: try self.uid(of: entries[index].key, depth: depth + 1), at: keys + index)
        }
        for index in entries.indices {
            builder.set(uid: try self.uid(of: entries[index].value, depth: depth + 1), at: values + index)
        }
        return end(uid, classPlace: classPlace, class: .dictionary)
    }

    private mutating func set(
        _ values: some Collection<ArchiveValue>,
        from first: Int,
        depth: Int
    ) throws(KeyedArchiveError) {
        var place = first
        for value in values {
            builder.set(uid: try uid(of: value, depth: depth), at: place)
            place += 1
        }
    }
}

// MARK: - Objects of other classes

extension ArchiveFlattener {
    private mutating func uid(of object: ArchiveObject, depth: Int) throws(KeyedArchiveError) -> UInt32 {
        guard StandardClass(name: object.className) == nil else {
            throw .classHasItsOwnCase(String(shortenedForReport: object.className))
        }
        try count(DecodingLimits.extraNodeCount(entryCount: object.fields.count + 1))
        guard object.fields[ArchiveName.class.text] == nil else { throw .reservedFieldName }
        let uid = beginInstance(fieldCount: object.fields.count)
        let fields = addFields(object.fields, isInstance: true)
        let classPlace = addUnknown()
        try setFields(object.fields, from: fields, isInstance: true, depth: depth + 1)
        var names = [try number(of: .string(object.className))]
        for name in object.superclassNames { names.append(try number(of: .string(name))) }
        try count(DecodingLimits.extraNodeCount(entryCount: names.count))
        let classUID = uidOfNamedClass[names] ?? addClass(names: names)
        uidOfNamedClass[names] = classUID
        builder.set(uid: classUID, at: classPlace)
        return uid
    }

    /// Adds the names and contents of fields, still unknown, and returns the place of the first.
    private mutating func addFields(
        _ fields: CanonicalDictionary<String, ArchiveObject.Field>,
        isInstance: Bool = false
    ) -> Int {
        let first = addUnknown(count: fields.count)
        if isInstance { add(.class) }
        for field in fields {
            if case .references(let values) = field.value { _ = addList(count: values.count) } else { _ = addUnknown() }
        }
        return first
    }

    private mutating func setFields(
        _ fields: CanonicalDictionary<String, ArchiveObject.Field>,
        from first: Int,
        isInstance: Bool = false,
        depth: Int
    ) throws(KeyedArchiveError) {
        var place = first + fields.count + (isInstance ? 1 : 0)
        for (index, field) in fields.enumerated() {
            builder.set(number: try number(of: .string(field.key)), at: first + index)
            switch field.value {
            case .inline(let value):
                guard let scalar = value.scalar, scalar != .null else {
                    throw .fieldNotInline(String(shortenedForReport: field.key))
                }
                builder.set(number: try number(of: scalar), at: place)
            case .noObject:
                builder.set(uid: useUIDZero(), at: place)
            case .reference(let value):
                builder.set(uid: try uid(of: value, depth: depth), at: place)
            case .references(let values):
                try set(values, from: place + 1, depth: depth)
                place += values.count
            }
            place += 1
        }
    }
}

// MARK: - Weight

extension ArchiveFlattener {
    /// Returns the number of `scalar`, which must then be added, and counts its size.
    private mutating func number(of scalar: Scalar) throws(KeyedArchiveError) -> Int {
        try count(scalar.extraNodeCount)
        return builder.number(of: scalar)
    }

    private mutating func count(_ nodes: Int) throws(KeyedArchiveError) {
        nodeCount += nodes
        guard nodeCount <= limits.nodeCount else { throw .tooManyNodes(limit: limits.nodeCount) }
    }
}

// MARK: - Items

extension ArchiveFlattener {
    private mutating func add(_ name: ArchiveName) { builder.add(number: name.rawValue) }

    /// Adds `count` items that are set later, and returns the place of the first.
    private mutating func addUnknown(count: Int = 1) -> Int {
        defer { builder.addUnknown(count: count) }
        return builder.count
    }

    /// Adds an array of references that are set later, and returns the place of the first.
    private mutating func addList(count: Int) -> Int {
        builder.add(.array, count: count)
        return addUnknown(count: count)
    }

    /// Returns the UID of the object that is being added.
    private mutating func newUID() -> UInt32 {
        let uid = UInt32(objectCount)
        objectCount += 1
        builder.countUID(uid)
        return uid
    }

    private mutating func useUIDZero() -> UInt32 {
        if !isUIDZeroUsed { builder.countUID(0) }
        isUIDZeroUsed = true
        return 0
    }

    /// Adds an instance of so many fields and a class, and returns its UID.
    private mutating func beginInstance(fieldCount: Int) -> UInt32 {
        builder.add(.dictionary, count: fieldCount + 1)
        return newUID()
    }

    private mutating func end(_ uid: UInt32, classPlace: Int, class: StandardClass) -> UInt32 {
        if uidOfStandardClass[`class`.rawValue] == 0 {
            uidOfStandardClass[`class`.rawValue] =
                addClass(names: [ArchiveName.scalar(of: `class`), ArchiveName.rootClass.rawValue])
        }
        builder.set(uid: uidOfStandardClass[`class`.rawValue], at: classPlace)
        return uid
    }

    private mutating func addClass(names: [Int]) -> UInt32 {
        builder.add(.dictionary, count: 2)
        add(.className)
        add(.classes)
        builder.add(number: names[0])
        builder.add(.array, count: names.count)
        for name in names { builder.add(number: name) }
        return newUID()
    }
}

extension UInt128 {
    /// The sixteen bytes of this number, the highest first.
    var bigEndianBytes: [UInt8] {
        var bytes = [UInt8](zeroByteCount: 16)
        var span = bytes.mutableSpan
        span.write(bigEndian: UInt64(truncatingIfNeeded: self >> 64), byteCount: 8, at: 0)
        span.write(bigEndian: UInt64(truncatingIfNeeded: self), byteCount: 8, at: 8)
        return bytes
    }
}
