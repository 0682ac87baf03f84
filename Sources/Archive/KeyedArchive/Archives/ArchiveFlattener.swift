/// Turns values into the numbered objects of an archive, numbered as Apple's archivers do.
///
/// An object gets its number, its *UID*, when it is first reached. Its parts follow, then the description of its class
/// if it is the first object of that class. Equal scalars become one object; equal collections do not, since a reader
/// may make them mutable.
struct ArchiveFlattener {
    /// An entry of `$objects`.
    enum Object {
        case scalar(Int)
        case instance(fields: Range<Int>, classUID: UInt32)
        case classDescription(names: Range<Int>)
    }

    /// A field of an instance; its name and any inline value are scalar numbers.
    struct Field {
        enum Content {
            case inline(Int)
            case reference(UInt32)
            case references(Range<Int>)
        }

        var name: Int
        var content: Content
    }

    let limits: DecodingLimits
    private(set) var scalars = ScalarTable(extending: ArchiveName.scalars)
    private(set) var objects: [Object] = []
    private(set) var fields: [Field] = []
    private(set) var references: [UInt32] = []
    private(set) var classNames: [Int] = []
    private(set) var topFields = 0..<0
    private var uidOfScalar: [UInt32] = []
    private var uidOfStandardClass = InlineArray<11, UInt32>(repeating: 0)
    private var uidOfNamedClass: [[Int]: UInt32] = [:]
    private var nodeCount = 0

    init(limits: DecodingLimits) {
        self.limits = limits
        objects.reserveCapacity(32)
        fields.reserveCapacity(16)
        references.reserveCapacity(64)
        uidOfScalar.append(contentsOf: repeatElement(0, count: scalars.count + 64))
        // UID 0 is `nil`, not a string: a string "$null" in the content gets its own UID.
        objects.append(.scalar(ArchiveName.null.rawValue))
    }

    /// Moves the scalars out, so that there is only one copy to wipe.
    mutating func takeScalars() -> ScalarTable {
        defer { scalars = ArchiveName.scalars }
        return scalars
    }

    /// Adds the values at the top of the archive and everything they contain.
    mutating func flatten(top: CanonicalDictionary<String, ArchiveObject.Field>) throws(KeyedArchiveError) {
        try count(DecodingLimits.extraNodeCount(entryCount: top.count))
        topFields = addFields(top.count)
        try setFields(top, from: topFields.lowerBound, depth: 1)
    }

    /// Adds `root` at the top of the archive, under its usual name, and everything it contains.
    mutating func flatten(root: ArchiveValue) throws(KeyedArchiveError) {
        topFields = addFields(1)
        setField(topFields.lowerBound, .root, .reference(try uid(of: root, depth: 1)))
    }
}

// MARK: - Values

extension ArchiveFlattener {
    private mutating func uid(of value: ArchiveValue, depth: Int) throws(KeyedArchiveError) -> UInt32 {
        try count(1)
        guard depth <= limits.depth else { throw .tooDeep(limit: limits.depth) }
        guard objects.count <= limits.objectCount else {
            throw .propertyList(.tooManyObjects(count: UInt64(objects.count), limit: limits.objectCount))
        }

        switch value {
        case .bool(let value): return try uid(of: .bool(value))
        case .integer(let value): return try uid(of: .integer(value))
        case .real(let value): return try uid(of: .real(value))
        case .string(let string): return try uid(of: .string(string))
        case .data(let bytes): return try uid(of: .data(bytes))
        case .null:
            return close(open(fieldCount: 0), class: .null)
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
            guard StandardClass(name: object.className) == nil else {
                throw .classHasItsOwnCase(String(shortenedForReport: object.className))
            }
            try count(DecodingLimits.extraNodeCount(entryCount: object.fields.count + 1))
            guard object.fields[ArchiveName.class.text] == nil else { throw .reservedFieldName }
            let instance = open(fieldCount: object.fields.count)
            try setFields(object.fields, from: instance.firstField, depth: depth + 1)
            return try close(instance, classNames: [object.className] + object.superclassNames)
        }
    }

    private mutating func uid(of scalar: Scalar) throws(KeyedArchiveError) -> UInt32 {
        let number = try number(of: scalar)
        while uidOfScalar.count <= number { uidOfScalar.append(0) }
        if uidOfScalar[number] == 0 {
            uidOfScalar[number] = UInt32(objects.count)
            objects.append(.scalar(number))
        }
        return uidOfScalar[number]
    }

    private mutating func uid(of url: ArchiveURL, depth: Int) throws(KeyedArchiveError) -> UInt32 {
        let instance = open(fieldCount: 2)
        var baseUID: UInt32 = 0
        if let base = url.base { baseUID = try uid(of: .url(base), depth: depth + 1) }
        setField(instance.firstField, .urlBase, .reference(baseUID))
        setField(instance.firstField + 1, .urlText, .reference(try uid(of: .string(url.text), depth: depth + 1)))
        return close(instance, class: .url)
    }

    private mutating func uid(
        of elements: some Collection<ArchiveValue>,
        class: StandardClass,
        depth: Int
    ) throws(KeyedArchiveError) -> UInt32 {
        let instance = open(fieldCount: 1)
        setField(instance.firstField, .elements, .references(try addReferences(to: elements, depth: depth + 1)))
        return close(instance, class: `class`)
    }

    private mutating func uid(
        of entries: CanonicalDictionary<ArchiveValue, ArchiveValue>,
        depth: Int
    ) throws(KeyedArchiveError) -> UInt32 {
        let instance = open(fieldCount: 2)
        let keys = claimReferences(entries.count)
        setField(instance.firstField, .keys, .references(keys))
        for index in entries.indices {
            references[keys.lowerBound + index] = try uid(of: entries[index].key, depth: depth + 1)
        }
        let values = claimReferences(entries.count)
        setField(instance.firstField + 1, .elements, .references(values))
        for index in entries.indices {
            references[values.lowerBound + index] = try uid(of: entries[index].value, depth: depth + 1)
        }
        return close(instance, class: .dictionary)
    }

    private mutating func addReferences(
        to values: some Collection<ArchiveValue>,
        depth: Int
    ) throws(KeyedArchiveError) -> Range<Int> {
        let range = claimReferences(values.count)
        for (place, value) in zip(range, values) {
            references[place] = try uid(of: value, depth: depth)
        }
        return range
    }

    /// Reserves a run of references before any part is added, since nested parts reserve their own runs.
    private mutating func claimReferences(_ count: Int) -> Range<Int> {
        let first = references.count
        references.append(contentsOf: repeatElement(0, count: count))
        return first..<references.count
    }
}

// MARK: - Weight

extension ArchiveFlattener {
    /// Returns the number of `scalar` and counts its size.
    private mutating func number(of scalar: Scalar) throws(KeyedArchiveError) -> Int {
        try count(scalar.extraNodeCount)
        return scalars.number(of: scalar)
    }

    private mutating func count(_ nodes: Int) throws(KeyedArchiveError) {
        nodeCount += nodes
        guard nodeCount <= limits.nodeCount else { throw .tooManyNodes(limit: limits.nodeCount) }
    }
}

// MARK: - Instances

extension ArchiveFlattener {
    private typealias Instance = (uid: UInt32, firstField: Int, fieldCount: Int)

    private mutating func open(fieldCount: Int) -> Instance {
        let uid = UInt32(objects.count)
        let range = addFields(fieldCount)
        objects.append(.instance(fields: range, classUID: 0))
        return (uid, range.lowerBound, fieldCount)
    }

    private mutating func addFields(_ count: Int) -> Range<Int> {
        let first = fields.count
        fields.append(contentsOf: repeatElement(Field(name: 0, content: .reference(0)), count: count))
        return first..<fields.count
    }

    private mutating func setField(_ place: Int, _ name: ArchiveName, _ content: Field.Content) {
        fields[place] = Field(name: name.rawValue, content: content)
    }

    private mutating func setFields(
        _ named: CanonicalDictionary<String, ArchiveObject.Field>,
        from first: Int,
        depth: Int
    ) throws(KeyedArchiveError) {
        for (index, field) in named.enumerated() {
            fields[first + index] = Field(
                name: try number(of: .string(field.key)),
                content: try content(of: field.value, name: field.key, depth: depth)
            )
        }
    }

    private mutating func content(
        of field: ArchiveObject.Field,
        name: String,
        depth: Int
    ) throws(KeyedArchiveError) -> Field.Content {
        switch field {
        case .inline(let value):
            guard let scalar = value.scalar, scalar != .null else {
                throw .fieldNotInline(String(shortenedForReport: name))
            }
            return .inline(try number(of: scalar))
        case .noObject:
            return .reference(0)
        case .reference(let value):
            return .reference(try uid(of: value, depth: depth))
        case .references(let values):
            return .references(try addReferences(to: values, depth: depth))
        }
    }

    private mutating func addInstance(of class: StandardClass, _ name: ArchiveName, _ value: Scalar) -> UInt32 {
        let instance = open(fieldCount: 1)
        setField(instance.firstField, name, .inline(scalars.number(of: value)))
        return close(instance, class: `class`)
    }

    private mutating func close(_ instance: Instance, class: StandardClass) -> UInt32 {
        if uidOfStandardClass[`class`.rawValue] == 0 {
            let names = [ArchiveName.scalar(of: `class`), ArchiveName.rootClass.rawValue]
            uidOfStandardClass[`class`.rawValue] = addClass(names: names)
        }
        return close(instance, classUID: uidOfStandardClass[`class`.rawValue])
    }

    private mutating func close(_ instance: Instance, classNames: [String]) throws(KeyedArchiveError) -> UInt32 {
        var names: [Int] = []
        for name in classNames { names.append(try number(of: .string(name))) }
        try count(DecodingLimits.extraNodeCount(entryCount: names.count))
        let uid = uidOfNamedClass[names] ?? addClass(names: names)
        uidOfNamedClass[names] = uid
        return close(instance, classUID: uid)
    }

    private mutating func addClass(names: [Int]) -> UInt32 {
        let first = classNames.count
        classNames.append(contentsOf: names)
        objects.append(.classDescription(names: first..<classNames.count))
        return UInt32(objects.count - 1)
    }

    private mutating func close(_ instance: Instance, classUID: UInt32) -> UInt32 {
        let fields = instance.firstField..<instance.firstField + instance.fieldCount
        objects[Int(instance.uid)] = .instance(fields: fields, classUID: classUID)
        return instance.uid
    }
}

extension UInt128 {
    /// The sixteen bytes of this number, the highest first.
    var bigEndianBytes: [UInt8] {
        [UInt8](capacity: 16) { (output: inout OutputSpan<UInt8>) in
            output.append(bigEndian: UInt64(truncatingIfNeeded: self >> 64), byteCount: 8)
            output.append(bigEndian: UInt64(truncatingIfNeeded: self), byteCount: 8)
        }
    }
}
