/// The containers of an object graph that have been read so far, and their total weight.
///
/// A graph in which each of 24 levels refers twice to the next fits in a few hundred bytes and expands to sixteen
/// million values. Each container is read only once, so reading takes linear time; counting what a value would expand
/// to rejects such a graph before anyone walks it. Scalars are not kept: copying one costs no more than its weight.
struct ContainerCache<Value> {
    /// Why an object is not read.
    enum Refusal {
        case cycle
        case tooDeep
        case tooManyNodes
    }

    /// What to do about an object that a reference points to.
    enum Visit {
        case known(Value)
        case first
        case refused(Refusal)
    }

    private enum Entry {
        case open
        case read(Value, Weight)
    }

    /// The size of a value with everything it contains.
    private struct Weight {
        var nodeCount = 0
        var height = 1
    }

    let limits: DecodingLimits
    /// The objects that are being read or have been read; all others have no entry.
    private var entries: SparseTable<Entry>
    /// The weights so far of the objects being read, innermost last.
    private var openWeights: [Weight] = []
    /// The number of nodes that everything read so far expands to.
    private var nodeCount = 0
    private var reservedCount = 0

    init(objectCount: Int, limits: DecodingLimits) {
        self.limits = limits
        entries = SparseTable(count: objectCount)
    }

    /// Begins reading object `number`, referenced at `depth`; each `first` must be followed by an `end`.
    mutating func begin(_ number: Int, depth: Int) -> Visit {
        switch entries[number] {
        case .read(let value, let weight):
            guard depth - 1 + weight.height <= limits.depth else { return .refused(.tooDeep) }
            guard add(weight.nodeCount, height: weight.height) else { return .refused(.tooManyNodes) }
            return .known(value)
        case .open:
            return .refused(.cycle)
        case nil:
            guard depth <= limits.depth else { return .refused(.tooDeep) }
            entries.set(.open, at: number)
            openWeights.append(Weight())
            return add(1, height: 0) ? .first : .refused(.tooManyNodes)
        }
    }

    /// Stores `value` as the value of object `number`.
    mutating func end(_ number: Int, _ value: Value) {
        let weight = openWeights.removeLast()
        entries.set(.read(value, weight), at: number)
        // The total already includes these nodes.
        addToOpenObject(weight.nodeCount, height: weight.height)
    }

    /// Counts a scalar at `depth`.
    mutating func count(scalarAt depth: Int, extraNodeCount: Int) -> Refusal? {
        guard depth <= limits.depth else { return .tooDeep }
        return add(1 + extraNodeCount, height: 1) ? nil : .tooManyNodes
    }

    /// Adds to the weight of the object being read; returns `false` if a limit is exceeded.
    mutating func charge(_ nodeCount: Int) -> Bool {
        add(nodeCount, height: 0)
    }

    private mutating func add(_ count: Int, height: Int) -> Bool {
        let (sum, overflow) = nodeCount.addingReportingOverflow(count)
        guard !overflow, sum <= limits.nodeCount else { return false }
        nodeCount = sum
        addToOpenObject(count, height: height)
        return true
    }

    private mutating func addToOpenObject(_ count: Int, height: Int) {
        guard let last = openWeights.indices.last else { return }
        openWeights[last].nodeCount += count
        openWeights[last].height = max(openWeights[last].height, height + 1)
    }

    /// Whether there are enough keys or elements to look for repeated references before comparing values: comparing two
    /// references to one long text is slow.
    static func needsDistinctnessCheck(_ count: Int) -> Bool {
        count > 32
    }

    /// Whether all `numbers` are different.
    static func areDistinct(_ numbers: [Int]) -> Bool {
        let sorted = numbers.sorted()
        return zip(sorted, sorted.dropFirst()).allSatisfy { $0 != $1 }
    }

    /// Whether memory for `count` more parts of containers is within the limits.
    mutating func reserve(_ count: Int) -> Bool {
        guard count <= limits.nodeCount - reservedCount else { return false }
        reservedCount += count
        return true
    }
}
