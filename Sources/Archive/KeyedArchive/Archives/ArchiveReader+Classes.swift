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
