extension PropertyList {
    /// Returns this value as a binary property list; equal values always give the same bytes.
    ///
    /// Objects are in the order of a walk from the root, a dictionary's keys before its values; equal scalars are
    /// written once. `Spec/keyed-archive.md` describes the layout byte by byte.
    ///
    /// - Parameter limits: The limits on depth and size; a reader with the same limits accepts the result.
    /// - Returns: The file.
    /// - Throws: `PropertyListError.tooDeep`, `.tooManyNodes`, `.tooManyObjects` or `.tooLarge`.
    public func binaryEncoded(limits: DecodingLimits = .standard) throws(PropertyListError) -> [UInt8] {
        var writer = BinaryPropertyListWriter(limits: limits)
        _ = try writer.add(self, depth: 1)
        return try writer.builder.encoded(limits: limits)
    }
}

/// Adds a value and its parts to a binary property list, in walk order.
private struct BinaryPropertyListWriter {
    let limits: DecodingLimits
    var builder = BinaryPropertyListBuilder()
    private var nodeCount = 0

    init(limits: DecodingLimits) {
        self.limits = limits
    }

    mutating func add(
        _ value: PropertyList,
        depth: Int
    ) throws(PropertyListError) -> BinaryPropertyListBuilder.ObjectNumber {
        try count(1)
        guard depth <= limits.depth else { throw .tooDeep(limit: limits.depth) }

        switch value.shape {
        case .scalar(let scalar):
            return try add(scalar)
        case .array(let elements):
            let (object, firstPart) = builder.addArray(count: elements.count)
            try addParts(elements, at: firstPart, depth: depth)
            return object
        case .set(let elements):
            let (object, firstPart) = builder.addSet(count: elements.count)
            try addParts(elements, at: firstPart, depth: depth)
            return object
        case .dictionary(let entries):
            let (object, firstPart) = builder.addDictionary(count: entries.count)
            for (index, entry) in entries.enumerated() {
                builder.setPart(firstPart + index, try add(.string(entry.key)))
            }
            try count(entries.count)
            try addParts(entries.lazy.map(\.value), at: firstPart + entries.count, depth: depth)
            return object
        }
    }

    private mutating func addParts(
        _ values: some Sequence<PropertyList>,
        at firstPart: Int,
        depth: Int
    ) throws(PropertyListError) {
        for (index, value) in values.enumerated() {
            builder.setPart(firstPart + index, try add(value, depth: depth + 1))
        }
    }

    private mutating func add(_ scalar: Scalar) throws(PropertyListError) -> BinaryPropertyListBuilder.ObjectNumber {
        try count(scalar.extraNodeCount)
        return builder.add(scalar)
    }

    private mutating func count(_ nodes: Int) throws(PropertyListError) {
        nodeCount += nodes
        guard nodeCount <= limits.nodeCount else { throw .tooManyNodes(limit: limits.nodeCount) }
    }
}
