internal import CofferBasics

/// Writes the objects of an archive as a binary property list, with dictionaries in the order of Apple's archivers.
struct ArchiveWriter {
    private typealias ObjectNumber = BinaryPropertyListBuilder.ObjectNumber

    private var archive: ArchiveFlattener
    private var builder: BinaryPropertyListBuilder
    private var objectOfUID: [ObjectNumber?] = []

    /// Returns the objects of `archive` as a file.
    static func encode(_ archive: consuming ArchiveFlattener) throws(KeyedArchiveError) -> [UInt8] {
        var writer = ArchiveWriter(consume archive)
        defer { writer.builder.wipe() }
        do throws(PropertyListError) {
            return try writer.encoded()
        } catch {
            throw .propertyList(error)
        }
    }

    private init(_ archive: consuming ArchiveFlattener) {
        objectOfUID.append(contentsOf: repeatElement(nil, count: archive.objects.count))
        builder = BinaryPropertyListBuilder(scalars: archive.takeScalars())
        self.archive = consume archive
    }

    private mutating func encoded() throws(PropertyListError) -> [UInt8] {
        let parts = builder.addDictionary(count: 4).firstPart
        for (index, name) in [ArchiveName.version, .archiver, .top, .objects].enumerated() {
            builder.setPart(parts + index, add(name))
        }
        builder.setPart(parts + 4, builder.addScalar(number: ArchiveName.versionScalar))
        builder.setPart(parts + 5, add(.archiverName))
        builder.setPart(parts + 6, addInstance(fields: archive.topFields, classUID: nil))
        builder.setPart(parts + 7, addObjects())
        return try builder.encoded(limits: archive.limits)
    }

    private mutating func addObjects() -> ObjectNumber {
        let (array, parts) = builder.addArray(count: archive.objects.count)
        for (index, object) in archive.objects.enumerated() {
            let number =
                switch object {
                case .scalar(let number): builder.addScalar(number: number)
                case .instance(let fields, let classUID): addInstance(fields: fields, classUID: classUID)
                case .classDescription(let names): addClassDescription(names: names)
                }
            builder.setPart(parts + index, number)
        }
        return array
    }

    private mutating func addInstance(fields: Range<Int>, classUID: UInt32?) -> ObjectNumber {
        let count = fields.count + (classUID == nil ? 0 : 1)
        let (dictionary, parts) = builder.addDictionary(count: count)
        for (index, field) in archive.fields[fields].enumerated() {
            builder.setPart(parts + index, builder.addScalar(number: field.name))
        }
        if classUID != nil { builder.setPart(parts + fields.count, add(.class)) }

        let values = parts + count
        for (index, field) in archive.fields[fields].enumerated() {
            let value =
                switch field.content {
                case .inline(let number): builder.addScalar(number: number)
                case .reference(let uid): addUID(uid)
                case .references(let range): addReferences(range)
                }
            builder.setPart(values + index, value)
        }
        if let classUID { builder.setPart(values + fields.count, addUID(classUID)) }
        return dictionary
    }

    private mutating func addReferences(_ range: Range<Int>) -> ObjectNumber {
        let (array, parts) = builder.addArray(count: range.count)
        for (index, uid) in archive.references[range].enumerated() {
            builder.setPart(parts + index, addUID(uid))
        }
        return array
    }

    private mutating func addClassDescription(names: Range<Int>) -> ObjectNumber {
        let (dictionary, parts) = builder.addDictionary(count: 2)
        builder.setPart(parts, add(.className))
        builder.setPart(parts + 1, add(.classes))
        builder.setPart(parts + 2, builder.addScalar(number: archive.classNames[names.lowerBound]))
        let (array, nameParts) = builder.addArray(count: names.count)
        builder.setPart(parts + 3, array)
        for (index, name) in archive.classNames[names].enumerated() {
            builder.setPart(nameParts + index, builder.addScalar(number: name))
        }
        return dictionary
    }

    private mutating func addUID(_ uid: UInt32) -> ObjectNumber {
        if let object = objectOfUID[Int(uid)] { return object }
        let object = builder.addUID(uid)
        objectOfUID[Int(uid)] = object
        return object
    }

    private mutating func add(_ name: ArchiveName) -> ObjectNumber {
        builder.addScalar(number: name.rawValue)
    }
}
