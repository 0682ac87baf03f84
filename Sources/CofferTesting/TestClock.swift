internal import CofferBasics

/// A clock that a test moves on, for what expires or takes long.
///
/// ```swift
/// let clock = TestClock()
/// let cache = MemoryCache(clock: clock)
/// clock.advance(by: .seconds(60))
/// ```
public final class TestClock: Clock, Sendable {
    /// A moment, as far from the beginning as the clock was moved on.
    public struct Instant: InstantProtocol {
        fileprivate var offset = Duration.zero

        /// The moment that is so much later.
        public func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }

        /// How much later another moment is.
        public func duration(to other: Instant) -> Duration { other.offset - offset }

        /// Whether one moment is before another.
        public static func < (one: Instant, other: Instant) -> Bool { one.offset < other.offset }
    }

    private let offset = Guarded(Duration.zero)

    /// A clock at its beginning.
    public init() {}

    /// How far the clock was moved on.
    public var now: Instant { Instant(offset: offset.withLock { $0 }) }

    /// Any duration can be told.
    public var minimumResolution: Duration { .zero }

    /// Moves the clock on.
    ///
    /// ```swift
    /// clock.advance(by: .milliseconds(200))
    /// ```
    ///
    /// - Parameter duration: How far.
    public func advance(by duration: Duration) { offset.withLock { $0 += duration } }

    /// Moves the clock on to `deadline`, unless it is there already: who sleeps does not wait, but lets others go on.
    ///
    /// - Throws: `CancellationError` if the task was cancelled.
    public func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        try Task.checkCancellation()
        await Task.yield()
        offset.withLock { $0 = max($0, deadline.offset) }
    }
}
