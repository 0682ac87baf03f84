/// Limits on what a reader accepts, so that hostile input costs little time and memory.
///
/// A reader checks each limit before it allocates the memory that the limit bounds. Writers observe the limits too, so
/// whatever they write can be read.
public struct DecodingLimits: Sendable, Hashable {
    /// The largest input, in bytes.
    public var byteCount: Int

    /// The maximum nesting depth of values; a scalar at the root has depth 1.
    ///
    /// Readers and writers recurse, so each level takes stack: up to 4 KiB in a release build, 16 KiB in a debug build.
    public var depth: Int

    /// The largest number of objects in a binary property list.
    public var objectCount: Int

    /// The largest number of nodes after references are followed.
    ///
    /// Each value counts as one node, plus one for each full 64 bytes of text or data. An instance in an archive
    /// counts one for each entry beyond the fourth, and so do its class, the root and `$top`. A value shared by two
    /// containers counts twice, with everything it contains. In XML, where nothing is shared, each value counts as one.
    public var nodeCount: Int

    /// Creates limits with the given values.
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

    /// Whether each limit is at least that of `other`.
    func areAtLeast(_ other: DecodingLimits) -> Bool {
        byteCount >= other.byteCount && depth >= other.depth && objectCount >= other.objectCount
            && nodeCount >= other.nodeCount
    }

    /// The number of bytes of text or data that count as one node.
    static let bytesPerNode = 64

    /// Returns the nodes that text or data counts beyond the first.
    static func extraNodeCount(byteCount: Int) -> Int {
        byteCount / bytesPerNode
    }

    /// Returns the nodes that an object or a class description counts for its entries.
    static func extraNodeCount(entryCount: Int) -> Int {
        max(0, entryCount - 4)
    }
}
