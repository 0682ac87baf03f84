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
        case unread
        case open
        case read(Value, Weight)
    }

    /// What a value and all that it holds come to.
    private struct Weight {
        var nodeCount = 1
        var height = 1
    }

    let limits: DecodingLimits
    private var entries: [Entry]
    /// The weights, so far, of the objects being read, the innermost last; the first sums up what was asked for.
    private var openWeights = [Weight(nodeCount: 0, height: 0)]
    private var reservedCount = 0

    init(objectCount: Int, limits: DecodingLimits) {
        self.limits = limits
        entries = Array(repeating: .unread, count: objectCount)
    }

    /// Asks for object `number`, which is referred to at `depth`; each `first` must be followed by an `end`.
    mutating func begin(_ number: Int, depth: Int) -> Visit {
        switch entries[number] {
        case .read(let value, let weight):
            guard depth - 1 + weight.height <= limits.depth else { return .refused(.tooDeep) }
            guard addToOpenObject(weight) else { return .refused(.tooManyNodes) }
            return .known(value)
        case .open:
            return .refused(.cycle)
        case .unread:
            guard depth <= limits.depth else { return .refused(.tooDeep) }
            entries[number] = .open
            openWeights.append(Weight())
            return .first
        }
    }

    /// Keeps `value` as what object `number` is.
    mutating func end(_ number: Int, _ value: Value) -> Refusal? {
        let weight = openWeights.removeLast()
        entries[number] = .read(value, weight)
        return addToOpenObject(weight) ? nil : .tooManyNodes
    }

    private mutating func addToOpenObject(_ part: Weight) -> Bool {
        let last = openWeights.count - 1
        let (sum, overflow) = openWeights[last].nodeCount.addingReportingOverflow(part.nodeCount)
        openWeights[last].nodeCount = sum
        openWeights[last].height = max(openWeights[last].height, part.height + 1)
        return !overflow && sum <= limits.nodeCount
    }

    /// Counts a scalar at `depth`.
    mutating func count(scalarAt depth: Int, extraNodeCount: Int) -> Refusal? {
        guard depth <= limits.depth else { return .tooDeep }
        return addToOpenObject(Weight(nodeCount: 1 + extraNodeCount, height: 1)) ? nil : .tooManyNodes
    }

    /// Adds to the weight of the object being read; `false` if it is too much.
    mutating func charge(_ nodeCount: Int) -> Bool {
        addToOpenObject(Weight(nodeCount: nodeCount, height: 0))
    }

    /// Whether memory for `count` more parts of containers is within the limits.
    mutating func reserve(_ count: Int) -> Bool {
        guard count <= limits.nodeCount - reservedCount else { return false }
        reservedCount += count
        return true
    }
}
