/// What became of each change that was not durable when the power failed.
///
/// A disk takes whole sectors, as the system had them in memory at that moment: a sector that took a write has all writes
/// before it as well. Names change in their order, as file systems with a journal do it, whatever the content does.
struct PowerLoss: Sendable {
    /// What became of a write or a truncation.
    enum Outcome: Equatable, Sendable {
        case reached
        case lost
        /// The sectors before this offset reached the disk, and the file is no longer for the others.
        case cut(at: Int)
        /// The file is as long as it was to be, but the disk did not take these sectors. Those that nobody ever wrote
        /// show what a former file left, if `isStale`.
        case dropped(Set<Int>, isStale: Bool)
    }

    /// How many writes and truncations reached the disk, in their order.
    var reachedFileChangeCount: Int
    /// How many changes of names did.
    var reachedNameChangeCount: Int
    var sectorByteCount = FileContent.unitByteCount
    /// What became of some, by their place in the order, other than that count says.
    var exceptions: [Int: Outcome] = [:]

    func outcome(of index: Int) -> Outcome {
        exceptions[index] ?? (index < reachedFileChangeCount ? .reached : .lost)
    }
}
