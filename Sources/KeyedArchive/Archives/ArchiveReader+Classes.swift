extension ArchiveReader {
    /// Returns the class that the description with this UID stands for.
    mutating func archiveClass(uid: UInt32) throws(KeyedArchiveError) -> ArchiveClass {
        guard uid < objects.count else { throw .referenceOutOfRange(uid: uid) }
        if let known = classes[Int(uid)] { return known }
        let `class` = try readClass(uid: uid)
        classes.set(`class`, at: Int(uid))
        return `class`
    }

    private mutating func readClass(uid: UInt32) throws(KeyedArchiveError) -> ArchiveClass {
        guard case .dictionary(let keys, let values) = try table.object(Int(uid), of: objects) else {
            throw .malformedClass(uid: uid)
        }
        let fields = Fields(keys: keys, values: values, uid: uid)
        try charge(DecodingLimits.extraNodeCount(entryCount: keys.count))
        guard let nameObject = try table.object(.className, in: fields), let name = try table.string(nameObject),
            case .array(let list) = try table.object(.classes, in: fields),
            list.count > 0, let first = try table.string(table.object(0, of: list)),
            first.hasSameBytes(as: name)
        else { throw .malformedClass(uid: uid) }
        if let standard = StandardClass(name: name) { return .standard(standard) }

        guard allowedClasses.contains(name) else {
            throw .classNotAllowed(String(shortenedForReport: name), uid: uid)
        }
        // Every object of the class carries these names, so their cost is counted for each object.
        var extraNodeCount = DecodingLimits.extraNodeCount(entryCount: list.count)
        try reserve(list.count)
        var superclassNames: [String] = []
        for index in 0..<list.count {
            let object = try table.object(index, of: list)
            extraNodeCount += DecodingLimits.extraNodeCount(byteCount: object.byteCount)
            guard let name = try table.string(object) else { throw .malformedClass(uid: uid) }
            if index > 0 { superclassNames.append(name) }
        }
        return .named(name, superclassNames: superclassNames, extraNodeCount: extraNodeCount)
    }

    /// Returns the text of `object` if it is a string, and counts its size.
    mutating func string(_ object: Object) throws(KeyedArchiveError) -> String? {
        try charge(object)
        return try table.string(object)
    }
}
