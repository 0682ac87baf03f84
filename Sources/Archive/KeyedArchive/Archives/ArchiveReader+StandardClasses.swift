extension ArchiveReader {
    /// Returns the value of an instance of one of Foundation's value classes, or `nil` if its fields are invalid.
    mutating func standardValue(
        of class: StandardClass,
        _ fields: Fields,
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
        case .set: return try set(fields, depth: depth)
        case .dictionary: return try dictionary(fields, depth: depth)
        }
    }

    private mutating func string(_ fields: Fields, depth: Int) throws(KeyedArchiveError) -> ArchiveValue? {
        if let object = try table.object(.string, in: fields) {
            guard case .string(let text) = try value(inField: object, depth: depth) else { return nil }
            return .string(text)
        }
        guard case .data(let bytes) = try field(.stringBytes, in: fields, depth: depth) else { return nil }
        return String(validating: bytes, as: UTF8.self).map(ArchiveValue.string)
    }

    private mutating func number(_ fields: Fields) throws(KeyedArchiveError) -> ArchiveValue? {
        for name in [ArchiveName.boolValue, .integerValue, .realValue] {
            guard let object = try table.object(name, in: fields) else { continue }
            switch (name, object) {
            case (.boolValue, .bool), (.integerValue, .integer), (.realValue, .real): return try table.value(object)
            default: return nil
            }
        }
        return nil
    }

    private mutating func url(_ fields: Fields, depth: Int) throws(KeyedArchiveError) -> ArchiveValue? {
        guard case .string(let text) = try field(.urlText, in: fields, depth: depth) else { return nil }
        switch try table.object(.urlBase, in: fields) {
        case nil, .uid(0): return .url(ArchiveURL(text))
        case .uid(let uid):
            switch try value(uid: uid, depth: depth + 1) {
            case .url(let base): return .url(ArchiveURL(text, relativeTo: base))
            case .null: return .url(ArchiveURL(text))
            default: return nil
            }
        default: return nil
        }
    }

    private mutating func set(_ fields: Fields, depth: Int) throws(KeyedArchiveError) -> ArchiveValue? {
        let error = KeyedArchiveError.duplicateElement(uid: fields.uid)
        guard let elements = try elements(.elements, in: fields, depth: depth, orIfRepeated: error) else { return nil }
        guard let set = CanonicalSet(uniqueElements: elements) else { throw error }
        return .set(set)
    }

    private mutating func dictionary(_ fields: Fields, depth: Int) throws(KeyedArchiveError) -> ArchiveValue? {
        let error = KeyedArchiveError.duplicateKey(uid: fields.uid)
        guard let keys = try elements(.keys, in: fields, depth: depth, orIfRepeated: error),
            let values = try elements(.elements, in: fields, depth: depth),
            keys.count == values.count
        else { return nil }
        var entries: [(key: ArchiveValue, value: ArchiveValue)] = []
        entries.reserveCapacity(keys.count)
        for index in keys.indices { entries.append((keys[index], values[index])) }
        guard let dictionary = CanonicalDictionary(entries) else { throw error }
        return .dictionary(dictionary)
    }
}

extension ArchiveReader {
    /// Returns the class that the description with this UID stands for, and counts its nodes.
    mutating func archiveClass(uid: UInt32) throws(KeyedArchiveError) -> ArchiveClass {
        guard uid < objects.count else { throw .referenceOutOfRange(uid: uid) }
        if let known = classes[Int(uid)] {
            try charge(known.nodeCount)
            return known.class
        }
        let read = try readClass(uid: uid)
        classes.set(read, at: Int(uid))
        try charge(read.nodeCount)
        return read.class
    }

    private mutating func readClass(
        uid: UInt32
    ) throws(KeyedArchiveError) -> (class: ArchiveClass, nodeCount: Int) {
        guard case .dictionary(let keys, let values) = try table.object(Int(uid), of: objects) else {
            throw .malformedClass(uid: uid)
        }
        let fields = Fields(keys: keys, values: values, uid: uid)
        let limits = containerCache.limits
        var nodeCount = try table.nodeCount(of: fields, limits: limits)
        guard let nameObject = try table.object(.className, in: fields), let name = try table.string(nameObject),
            case .array(let list) = try table.object(.classes, in: fields),
            list.count > 0, let first = try table.string(table.object(0, of: list)),
            first.hasSameBytes(as: name)
        else { throw .malformedClass(uid: uid) }
        let standard = StandardClass(name: name)
        guard standard != nil || allowedClasses.contains(name) else {
            throw .classNotAllowed(String(shortenedForReport: name), uid: uid)
        }
        nodeCount += DecodingLimits.extraNodeCount(entryCount: list.count)
        guard nodeCount <= limits.nodeCount else { throw .tooManyNodes(limit: limits.nodeCount) }
        var superclassNames: [String] = []
        for index in 0..<list.count {
            let object = try table.object(index, of: list)
            nodeCount += DecodingLimits.extraNodeCount(byteCount: object.byteCount)
            guard let name = try table.string(object) else { throw .malformedClass(uid: uid) }
            if index > 0 { superclassNames.append(name) }
        }
        if let standard { return (.standard(standard), nodeCount) }
        return (.named(name, superclassNames: superclassNames), nodeCount)
    }
}
