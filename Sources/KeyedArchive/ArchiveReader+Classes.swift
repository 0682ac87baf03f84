extension ArchiveReader {
    /// What the class description with this UID stands for.
    mutating func archiveClass(uid: UInt32) throws(KeyedArchiveError) -> ArchiveClass {
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
        let fields = Fields(keys: keys, values: values, uid: uid)
        try charge(DecodingLimits.extraNodeCount(entryCount: keys.count))
        guard let nameObject = try table.object(.className, in: fields), let name = try string(nameObject),
            case .array(let list) = try table.object(.classes, in: fields),
            list.count > 0, let first = try string(table.object(0, of: list)),
            first.canonicalOrder(relativeTo: name) == .same
        else { throw .malformedClass(uid: uid) }
        if let standard = StandardClass(name: name) { return .standard(standard) }

        guard allowedClasses.contains(name) else {
            throw .classNotAllowed(String(cuttingForReport: name), uid: uid)
        }
        try charge(DecodingLimits.extraNodeCount(entryCount: list.count))
        var superclassNames: [String] = []
        for index in 1..<list.count {
            guard let name = try string(table.object(index, of: list)) else { throw .malformedClass(uid: uid) }
            superclassNames.append(name)
        }
        return .named(name, superclassNames: superclassNames)
    }

    /// The text of `object`, counted, if it is a string.
    mutating func string(_ object: Object) throws(KeyedArchiveError) -> String? {
        try charge(object)
        return try table.string(object)
    }
}
