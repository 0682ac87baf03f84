/// What a reader accepts before it gives up, so that hostile input costs neither time nor memory.
///
/// A reader checks each limit before it allocates what the limit bounds. Writers keep to the limits too, so that what
/// is written can be read.
public struct DecodingLimits: Sendable, Hashable {
    /// The largest input, in bytes.
    public var byteCount: Int

    /// How deep values may lie in one another; a scalar at the root has depth 1.
    ///
    /// Readers and writers recurse, so each level takes stack: up to 4 KiB in a release build, 16 KiB in a debug build.
    public var depth: Int

    /// The largest number of objects in a binary property list.
    public var objectCount: Int

    /// The largest number of nodes after references are followed.
    ///
    /// A value counts one node, one more for each full 64 bytes of text or data, and as an object one more for each
    /// entry beyond the fourth. A value that two containers share counts twice, with all that it holds. In XML, where
    /// nothing is shared, each value counts one.
    public var nodeCount: Int

    /// Makes limits of the given size.
    public init(byteCount: Int, depth: Int, objectCount: Int, nodeCount: Int) {
        self.byteCount = byteCount
        self.depth = depth
        self.objectCount = objectCount
        self.nodeCount = nodeCount
    }

    /// For documents and settings: 16 MiB, depth 64, 262,144 objects and as many nodes.
    public static let standard = DecodingLimits(
        byteCount: 16 << 20,
        depth: 64,
        objectCount: 1 << 18,
        nodeCount: 1 << 18
    )

    /// For one record of a vault: 64 KiB, depth 32, 4,096 objects, 16,384 nodes.
    public static let record = DecodingLimits(byteCount: 64 << 10, depth: 32, objectCount: 1 << 12, nodeCount: 1 << 14)

    /// The size of text and data that counts as much as a value.
    static let bytesPerNode = 64

    /// The nodes that text or data counts beyond the first.
    static func extraNodeCount(byteCount: Int) -> Int {
        byteCount / bytesPerNode
    }

    /// The nodes that an object, or the description of a class, counts for its entries.
    static func extraNodeCount(entryCount: Int) -> Int {
        max(0, entryCount - 4)
    }
}
