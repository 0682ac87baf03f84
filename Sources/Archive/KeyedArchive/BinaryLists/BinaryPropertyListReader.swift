extension PropertyList {
    /// Reads a binary property list.
    ///
    /// All `bplist00` types are read, including null, sets and references. An object that several containers share is
    /// read once and shared in memory; it counts against `limits.nodeCount` each time.
    ///
    /// - Parameters:
    ///   - bytes: The file.
    ///   - limits: The limits on size, depth and number of values.
    /// - Throws: `PropertyListError`, with the offset of the invalid object.
    public init(binary bytes: [UInt8], limits: DecodingLimits = .standard) throws(PropertyListError) {
        var reader = try BinaryPropertyListReader(table: BinaryObjectTable(bytes, limits: limits), limits: limits)
        self = try reader.root()
    }
}

/// Turns the objects of a binary property list into values.
struct BinaryPropertyListReader {
    private var table: BinaryObjectTable
    private var containerCache: ContainerCache<PropertyList>

    init(table: BinaryObjectTable, limits: DecodingLimits) {
        self.table = table
        containerCache = ContainerCache(objectCount: table.objectCount, limits: limits)
    }

    mutating func root() throws(PropertyListError) -> PropertyList {
        try value(ofObject: table.topObject, depth: 1)
    }

    private mutating func value(ofObject number: Int, depth: Int) throws(PropertyListError) -> PropertyList {
        let offset = try table.offset(ofObject: number)
        let object = try table.object(at: offset)
        if object.isScalar {
            let extra = DecodingLimits.extraNodeCount(byteCount: object.byteCount)
            if let refusal = containerCache.count(scalarAt: depth, extraNodeCount: extra) {
                throw error(refusal, at: offset)
            }
            return try read(object, at: offset, depth: depth)
        }
        switch containerCache.begin(number, depth: depth) {
        case .known(let value): return value
        case .refused(let refusal): throw error(refusal, at: offset)
        case .first: break
        }
        let value = try read(object, at: offset, depth: depth)
        containerCache.end(number, value)
        return value
    }

    private mutating func read(
        _ object: BinaryObjectTable.Object,
        at offset: Int,
        depth: Int
    ) throws(PropertyListError) -> PropertyList {
        switch object {
        case .null: return .null
        case .bool(let value): return .bool(value)
        case .integer(let value): return .integer(value)
        case .real(let value): return .real(value)
        case .date(let seconds): return .date(secondsSinceReferenceDate: seconds)
        case .data(let range): return .data(try table.data(in: range))
        case .asciiString(let range): return .string(try table.asciiText(in: range))
        case .utf16String(let range): return .string(try table.utf16Text(in: range))
        case .uid(let value): return .uid(value)
        case .array(let references):
            return .array(try elements(of: references, depth: depth))
        case .set(let references):
            guard try areDistinct(references),
                let set = CanonicalSet(uniqueElements: try elements(of: references, depth: depth))
            else { throw .duplicateElement(offset: offset) }
            return .set(set)
        case .dictionary(let keys, let values):
            return try dictionary(keys: keys, values: values, at: offset, depth: depth)
        }
    }

    private mutating func elements(
        of references: BinaryObjectTable.References,
        depth: Int
    ) throws(PropertyListError) -> [PropertyList] {
        try reserve(references.count)
        var elements: [PropertyList] = []
        elements.reserveCapacity(references.count)
        for index in 0..<references.count {
            elements.append(try value(ofObject: table.object(index, of: references), depth: depth + 1))
        }
        return elements
    }

    private mutating func dictionary(
        keys: BinaryObjectTable.References,
        values: BinaryObjectTable.References,
        at offset: Int,
        depth: Int
    ) throws(PropertyListError) -> PropertyList {
        try reserve(2 * keys.count)
        guard try areDistinct(keys) else { throw .duplicateKey(offset: offset) }
        var entries: [(key: String, value: PropertyList)] = []
        entries.reserveCapacity(keys.count)
        for index in 0..<keys.count {
            let keyObject = try table.object(index, of: keys)
            guard case .string(let key) = try value(ofObject: keyObject, depth: depth + 1) else {
                throw .keyIsNotAString(offset: try table.offset(ofObject: keyObject))
            }
            entries.append((key, try value(ofObject: table.object(index, of: values), depth: depth + 1)))
        }
        guard let dictionary = CanonicalDictionary(entries) else { throw .duplicateKey(offset: offset) }
        return .dictionary(dictionary)
    }

    private func areDistinct(_ references: BinaryObjectTable.References) throws(PropertyListError) -> Bool {
        guard ContainerCache<PropertyList>.needsDistinctnessCheck(references.count) else { return true }
        let limit = containerCache.limits.nodeCount
        guard references.count <= limit else { throw .tooManyNodes(limit: limit) }
        var numbers: [Int] = []
        numbers.reserveCapacity(references.count)
        for index in 0..<references.count { numbers.append(try table.object(index, of: references)) }
        return ContainerCache<PropertyList>.areDistinct(numbers)
    }

    /// Checks that memory for `count` parts is within the limits before it is allocated.
    private mutating func reserve(_ count: Int) throws(PropertyListError) {
        guard containerCache.reserve(count) else { throw .tooManyNodes(limit: containerCache.limits.nodeCount) }
    }

    private func error(_ refusal: ContainerCache<PropertyList>.Refusal, at offset: Int) -> PropertyListError {
        switch refusal {
        case .cycle: .cycle(offset: offset)
        case .tooDeep: .tooDeep(limit: containerCache.limits.depth)
        case .tooManyNodes: .tooManyNodes(limit: containerCache.limits.nodeCount)
        }
    }
}
