/// The sizes of a binary property list: all of them follow from the number and size of its objects.
struct BinaryPropertyListLayout {
    /// The number of objects.
    private(set) var objectCount = 0
    /// The number of references from containers to their parts.
    private var partCount = 0
    /// The size of the header and of all objects, without the references.
    private var contentByteCount = BinaryObjectTable.header.count

    private static let trailerByteCount = 32

    /// Adds an object of the given size that is not a container.
    mutating func addObject(byteCount: Int) {
        objectCount += 1
        contentByteCount += byteCount
    }

    /// Adds a container whose marker states `count`, with `partCount` parts.
    mutating func addContainer(count: Int, partCount: Int) {
        addObject(byteCount: count < 0x0F ? 1 : 2 + Scalar.byteCount(of: Int128(count)))
        self.partCount += partCount
    }

    var referenceByteCount: Int { Self.byteCount(of: objectCount) }
    var tableOffset: Int { contentByteCount + partCount * referenceByteCount }
    var offsetByteCount: Int { Self.byteCount(of: tableOffset) }
    var byteCount: Int { tableOffset + objectCount * offsetByteCount + Self.trailerByteCount }

    /// Checks the number of objects and the size of the file.
    func check(_ limits: DecodingLimits) throws(PropertyListError) {
        guard objectCount <= limits.objectCount else {
            throw .tooManyObjects(count: UInt64(objectCount), limit: limits.objectCount)
        }
        guard byteCount <= limits.byteCount else { throw .tooLarge(byteCount: byteCount, limit: limits.byteCount) }
    }

    private static func byteCount(of value: Int) -> Int {
        switch value {
        case ...0xFF: 1
        case ...0xFFFF: 2
        case ...0xFFFF_FFFF: 4
        default: 8
        }
    }
}
