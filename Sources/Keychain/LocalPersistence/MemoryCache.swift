internal import CofferBasics

/// The shortest-lived rung: values in memory until the program ends, they expire, or room is needed for others.
///
/// All operations are safe to call from any thread. A cache may drop any value, so store only values that can be
/// obtained again.
///
/// ```swift
/// let cache = MemoryCache(costLimit: 64 << 20)
/// cache.set(thumbnail, for: .thumbnail, cost: thumbnail.count, expiresAfter: .seconds(60))
/// let again = cache.value(for: .thumbnail)
/// ```
public final class MemoryCache: PersistenceRung {
    fileprivate struct Entry {
        let value: any Sendable
        let cost: Int
        /// The time on the cache's clock when the value expires; nil if never.
        let deadline: Duration?
        /// The neighbors in the order of last use.
        var older: [UInt8]?
        var newer: [UInt8]?
    }

    fileprivate struct State {
        /// Keyed by the bytes of their names, as on the other rungs.
        var entries: [[UInt8]: Entry] = [:]
        var oldest: [UInt8]?
        var newest: [UInt8]?
        var cost = 0
        /// No value expires before this time; nil if no value ever expires.
        var earliestDeadline: Duration?
    }

    /// The maximum total cost; to make room, expired values go first, then the least recently used.
    public let costLimit: Int
    private let now: @Sendable () -> Duration
    private let state = Guarded(State())

    /// Creates an empty cache.
    ///
    /// - Parameter costLimit: The maximum total cost of all values.
    public convenience init(costLimit: Int = .max) {
        self.init(costLimit: costLimit, clock: ContinuousClock())
    }

    /// Creates an empty cache with its own clock, such as one that a test advances.
    ///
    /// - Parameters:
    ///   - costLimit: The maximum total cost of all values.
    ///   - clock: The clock that determines when values expire; it must never be set back.
    public init<Time: Clock>(costLimit: Int = .max, clock: Time) where Time.Duration == Duration {
        precondition(costLimit >= 0, "costLimit must not be negative")
        self.costLimit = costLimit
        let start = clock.now
        now = { start.duration(to: clock.now) }
    }

    /// Returns the value for `key`; nil if none exists, it has another type, or it has expired.
    ///
    /// - Parameter key: The name and type of the value.
    /// - Returns: The value.
    public func value<Value: Sendable>(for key: PersistenceKey<Value>) -> Value? {
        let time = now()
        // Values are released outside the lock: releasing one may run code that uses the cache.
        let name = Array(key.name.utf8)
        let (value, _) = state.withLock { state -> (Value?, (any Sendable)?) in
            guard let entry = state.entries[name] else { return (nil, nil) }
            if let deadline = entry.deadline, deadline <= time { return (nil, state.remove(name)) }
            state.use(name)
            return (entry.value as? Value, nil)
        }
        return value
    }

    /// Stores `value` until it is replaced or removed, or room is needed.
    ///
    /// - Parameters:
    ///   - value: The value to store.
    ///   - key: The name of the value.
    public func set<Value: Sendable>(_ value: Value, for key: PersistenceKey<Value>) {
        set(value, for: key, cost: 0)
    }

    /// Stores `value` until it is replaced or removed, it expires, or room is needed.
    ///
    /// - Parameters:
    ///   - value: The value to store. If it costs more than ``costLimit``, it is not stored, and the former value is
    ///     removed.
    ///   - key: The name of the value.
    ///   - cost: The cost of the value, in the unit of ``costLimit``, such as bytes.
    ///   - lifetime: The time until the value expires; nil for no limit.
    public func set<Value: Sendable>(
        _ value: Value,
        for key: PersistenceKey<Value>,
        cost: Int,
        expiresAfter lifetime: Duration? = nil
    ) {
        precondition(cost >= 0, "cost must not be negative")
        let time = now()
        let deadline = lifetime.map { time + $0 }
        let (name, limit) = (Array(key.name.utf8), costLimit)
        _ = state.withLock { state -> [any Sendable] in
            var gone: [any Sendable] = []
            if let former = state.remove(name) { gone.append(former) }
            guard cost <= limit else { return gone }
            if state.cost > limit - cost { gone += state.removeExpired(at: time) }
            // Adding the costs of two values may overflow an integer.
            while state.cost > limit - cost, let oldest = state.oldest, let value = state.remove(oldest) {
                gone.append(value)
            }
            state.insert(name, Entry(value: value, cost: cost, deadline: deadline))
            return gone
        }
    }

    /// Removes the value for `key`.
    ///
    /// - Parameter key: The name of the value.
    public func remove<Value>(_ key: PersistenceKey<Value>) {
        _ = state.withLock { $0.remove(Array(key.name.utf8)) }
    }

    /// Removes all values.
    public func removeAll() {
        _ = state.withLock { state in
            defer { state = State() }
            return state.entries.values.map(\.value)
        }
    }

    /// Removes expired values, which are otherwise removed when they are looked up.
    public func removeExpired() {
        let time = now()
        _ = state.withLock { $0.removeExpired(at: time) }
    }

    /// The number of values, including expired ones that have not been looked up since.
    public var count: Int { state.withLock(\.entries.count) }

    /// The total cost of all values.
    public var cost: Int { state.withLock(\.cost) }
}

extension MemoryCache.State {
    /// Makes an entry the most recently used one.
    mutating func use(_ name: [UInt8]) {
        guard newest != name, let entry = unlink(name) else { return }
        link(name, entry)
    }

    mutating func insert(_ name: [UInt8], _ entry: MemoryCache.Entry) {
        cost += entry.cost
        if let deadline = entry.deadline { earliestDeadline = min(deadline, earliestDeadline ?? deadline) }
        link(name, entry)
    }

    /// Removes an entry and returns its value; nil if none exists.
    mutating func remove(_ name: [UInt8]) -> (any Sendable)? {
        guard let entry = unlink(name) else { return nil }
        cost -= entry.cost
        return entry.value
    }

    /// Removes expired entries and returns their values.
    mutating func removeExpired(at time: Duration) -> [any Sendable] {
        guard let earliestDeadline, earliestDeadline <= time else { return [] }
        let names = entries.filter { $0.value.deadline.map { $0 <= time } ?? false }.map(\.key)
        defer { self.earliestDeadline = entries.values.compactMap(\.deadline).min() }
        return names.compactMap { remove($0) }
    }

    private mutating func link(_ name: [UInt8], _ entry: MemoryCache.Entry) {
        var entry = entry
        (entry.older, entry.newer) = (newest, nil)
        entries[name] = entry
        if let newest { entries[newest]?.newer = name } else { oldest = name }
        newest = name
    }

    private mutating func unlink(_ name: [UInt8]) -> MemoryCache.Entry? {
        guard let entry = entries.removeValue(forKey: name) else { return nil }
        if let older = entry.older { entries[older]?.newer = entry.newer } else { oldest = entry.newer }
        if let newer = entry.newer { entries[newer]?.older = entry.older } else { newest = entry.older }
        return entry
    }
}
