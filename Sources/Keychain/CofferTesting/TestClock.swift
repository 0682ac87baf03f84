internal import CofferBasics

/// A clock that a test advances, for code that depends on time.
///
/// ```swift
/// let clock = TestClock()
/// let cache = MemoryCache(clock: clock)
/// clock.advance(by: .seconds(60))
/// ```
public final class TestClock: Clock, Sendable {
    /// An instant, measured from the start of the clock.
    public struct Instant: InstantProtocol {
        fileprivate var offset = Duration.zero

        /// Returns the instant that is later by `duration`.
        public func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }

        /// Returns the duration from this instant to another.
        public func duration(to other: Instant) -> Duration { other.offset - offset }

        /// Whether one instant is before another.
        public static func < (one: Instant, other: Instant) -> Bool { one.offset < other.offset }
    }

    private let offset = Guarded(Duration.zero)

    /// Creates a clock at its start.
    public init() {}

    /// The current instant.
    public var now: Instant { Instant(offset: offset.withLock { $0 }) }

    /// The resolution, which is unlimited.
    public var minimumResolution: Duration { .zero }

    /// Advances the clock.
    ///
    /// ```swift
    /// clock.advance(by: .milliseconds(200))
    /// ```
    ///
    /// - Parameter duration: The duration to advance by.
    public func advance(by duration: Duration) { offset.withLock { $0 += duration } }

    /// Advances the clock to `deadline`, unless it is already past it; does not wait, but lets other tasks run.
    ///
    /// - Throws: `CancellationError` if the task is canceled.
    public func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        try Task.checkCancellation()
        await Task.yield()
        offset.withLock { $0 = max($0, deadline.offset) }
    }
}
