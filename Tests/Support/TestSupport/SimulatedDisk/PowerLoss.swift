/// What happens to each change that is not durable when the power fails.
///
/// A disk takes whole sectors, as the system has them in memory at that moment: a sector that received a write also has
/// all earlier writes. Names change in order, as in journaling file systems, independently of the content.
struct PowerLoss: Sendable {
    /// What happens to a write or a truncation.
    enum Outcome: Equatable, Sendable {
        case reached
        case lost
        /// The sectors before this offset reached the disk, and the file was not extended for the others.
        case cut(at: Int)
        /// The file has its new length, but the disk did not take these sectors. Those that were never written show
        /// bytes of an earlier file if `isStale`.
        case dropped(Set<Int>, isStale: Bool)
    }

    /// The number of writes and truncations that reached the disk, in order.
    var reachedFileChangeCount: Int
    /// The number of name changes that reached the disk, in order.
    var reachedNameChangeCount: Int
    var sectorByteCount = FileContent.unitByteCount
    /// Outcomes that differ from that count, by position in the order.
    var exceptions: [Int: Outcome] = [:]

    func outcome(of index: Int) -> Outcome {
        exceptions[index] ?? (index < reachedFileChangeCount ? .reached : .lost)
    }
}
