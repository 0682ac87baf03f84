/// The containers of a graph of objects that have been read so far, and what all that was read weighs.
///
/// A graph in which each of 24 levels refers twice to the next fits in a few hundred bytes and expands to
/// sixteen million values. Reading each container once keeps reading linear; counting what a value would expand to
/// refuses such a graph before anyone walks it. Scalars are not kept: copying one costs what it weighs.
struct Memo<Value> {
    /// Why an object is not read.
    enum Refusal {
        case cycle
        case tooDeep
        case tooManyNodes
    }

    /// What to do about an object that is referred to.
    enum Visit {
        case known(Value)
        case first
        case refused(Refusal)
    }

    private enum Entry {
        case open
        case read(Value, Weight)
    }

    /// What a value and all that it holds come to.
    private struct Weight {
        var nodeCount = 0
        var height = 1
    }

    let limits: DecodingLimits
    /// The objects that are being read or have been; the others have none.
    private var entries: SparseTable<Entry>
    /// The weights, so far, of the objects being read, the innermost last.
    private var openWeights: [Weight] = []
    /// What everything that was read so far expands to.
    private var nodeCount = 0
    private var reservedCount = 0

    init(objectCount: Int, limits: DecodingLimits) {
        self.limits = limits
        entries = SparseTable(count: objectCount)
    }

    /// Asks for object `number`, which is referred to at `depth`; each `first` must be followed by an `end`.
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

    /// Keeps `value` as what object `number` is.
    mutating func end(_ number: Int, _ value: Value) {
        let weight = openWeights.removeLast()
        entries.set(.read(value, weight), at: number)
        // The sum of all nodes has them already.
        addToOpenObject(weight.nodeCount, height: weight.height)
    }

    /// Counts a scalar at `depth`.
    mutating func count(scalarAt depth: Int, extraNodeCount: Int) -> Refusal? {
        guard depth <= limits.depth else { return .tooDeep }
        return add(1 + extraNodeCount, height: 1) ? nil : .tooManyNodes
    }

    /// Adds to the weight of the object being read; `false` if it is too much.
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

    /// Whether keys or elements are so many that mentions of one object are looked for before anything is compared:
    /// two mentions of one long text compare equal slowly.
    static func wantsDistinct(_ count: Int) -> Bool {
        count > 32
    }

    /// Whether no two of `numbers` are the same.
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
