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
        try writer.add(self, depth: 1)
        return try writer.builder.encoded(limits: limits)
    }
}

/// Adds a value and its parts to a binary property list, in walk order.
private struct BinaryPropertyListWriter {
    let limits: DecodingLimits
    private(set) var builder = BinaryPropertyListBuilder(scalars: ScalarTable())
    private var nodeCount = 0

    init(limits: DecodingLimits) {
        self.limits = limits
    }

    mutating func add(_ value: PropertyList, depth: Int) throws(PropertyListError) {
        try count(1)
        guard depth <= limits.depth else { throw .tooDeep(limit: limits.depth) }

        switch value.shape {
        case .scalar(let scalar):
            try add(scalar)
        case .array(let elements):
            builder.add(.array, count: elements.count)
            for element in elements { try add(element, depth: depth + 1) }
        case .set(let elements):
            builder.add(.set, count: elements.count)
            for element in elements { try add(element, depth: depth + 1) }
        case .dictionary(let entries):
            builder.add(.dictionary, count: entries.count)
            for entry in entries { try add(.string(entry.key)) }
            try count(entries.count)
            for entry in entries { try add(entry.value, depth: depth + 1) }
        }
    }

    private mutating func add(_ scalar: Scalar) throws(PropertyListError) {
        try count(scalar.extraNodeCount)
        builder.add(number: builder.number(of: scalar))
    }

    private mutating func count(_ nodes: Int) throws(PropertyListError) {
        nodeCount += nodes
        guard nodeCount <= limits.nodeCount else { throw .tooManyNodes(limit: limits.nodeCount) }
    }
}
