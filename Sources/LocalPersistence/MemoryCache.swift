internal import CofferBasics

/// The shortest-lived rung: values in memory, until the program ends, they expire, or room is needed for others.
///
/// All operations may be called from any thread. A cache may forget what it was told to keep, so each value must be one
/// that can be had again.
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
        /// When it expires, on the clock of the cache; nil if never.
        let deadline: Duration?
        /// The neighbours in the order of their last use.
        var older: [UInt8]?
        var newer: [UInt8]?
    }

    fileprivate struct State {
        /// By the bytes of their names, as the other rungs have them.
        var entries: [[UInt8]: Entry] = [:]
        var oldest: [UInt8]?
        var newest: [UInt8]?
        var cost = 0
        /// None expires before; nil if none does ever.
        var earliestDeadline: Duration?
    }

    /// What all values together may cost; what has expired goes first, and then what was not used for longest.
    public let costLimit: Int
    private let now: @Sendable () -> Duration
    private let state = Guarded(State())

    /// An empty cache.
    ///
    /// - Parameter costLimit: What all values together may cost.
    public convenience init(costLimit: Int = .max) {
        self.init(costLimit: costLimit, clock: ContinuousClock())
    }

    /// An empty cache with a clock of its own, such as one that a test moves.
    ///
    /// - Parameters:
    ///   - costLimit: What all values together may cost.
    ///   - clock: What tells when values expire; nobody may set it back.
    public init<Time: Clock>(costLimit: Int = .max, clock: Time) where Time.Duration == Duration {
        precondition(costLimit >= 0, "a cache cannot cost less than nothing")
        self.costLimit = costLimit
        let start = clock.now
        now = { start.duration(to: clock.now) }
    }

    /// The value for `key`; nil if there is none of its type, or no more.
    ///
    /// - Parameter key: The name of the value, and its type.
    /// - Returns: The value.
    public func value<Value: Sendable>(for key: PersistenceKey<Value>) -> Value? {
        let time = now()
        // What goes goes outside of the lock: the end of a value may be told to somebody who uses the cache.
        let name = Array(key.name.utf8)
        let (value, _) = state.withLock { state -> (Value?, (any Sendable)?) in
            guard let entry = state.entries[name] else { return (nil, nil) }
            if let deadline = entry.deadline, deadline <= time { return (nil, state.remove(name)) }
            state.use(name)
            return (entry.value as? Value, nil)
        }
        return value
    }

    /// Keeps `value` until something is kept in its place, it is removed, or room is needed.
    ///
    /// - Parameters:
    ///   - value: What to keep.
    ///   - key: The name of the value.
    public func set<Value: Sendable>(_ value: Value, for key: PersistenceKey<Value>) {
        set(value, for: key, cost: 0)
    }

    /// Keeps `value` until something is kept in its place, it is removed or expires, or room is needed.
    ///
    /// - Parameters:
    ///   - value: What to keep. One that costs more than all may cost together is not kept, and what was there goes.
    ///   - key: The name of the value.
    ///   - cost: What it costs, in whatever ``costLimit`` counts, such as bytes.
    ///   - lifetime: How long it may be kept; nil for ever.
    public func set<Value: Sendable>(
        _ value: Value,
        for key: PersistenceKey<Value>,
        cost: Int,
        expiresAfter lifetime: Duration? = nil
    ) {
        precondition(cost >= 0, "a value cannot cost less than nothing")
        let time = now()
        let deadline = lifetime.map { time + $0 }
        let (name, limit) = (Array(key.name.utf8), costLimit)
        _ = state.withLock { state -> [any Sendable] in
            var gone: [any Sendable] = []
            if let former = state.remove(name) { gone.append(former) }
            guard cost <= limit else { return gone }
            if state.cost > limit - cost { gone += state.removeExpired(at: time) }
            // The costs of two values may be more than an integer holds.
            while state.cost > limit - cost, let oldest = state.oldest, let value = state.remove(oldest) {
                gone.append(value)
            }
            state.insert(name, Entry(value: value, cost: cost, deadline: deadline))
            return gone
        }
    }

    /// Forgets the value for `key`.
    ///
    /// - Parameter key: The name of the value.
    public func remove<Value>(_ key: PersistenceKey<Value>) {
        _ = state.withLock { $0.remove(Array(key.name.utf8)) }
    }

    /// Forgets all values.
    public func removeAll() {
        _ = state.withLock { state in
            defer { state = State() }
            return state.entries.values.map(\.value)
        }
    }

    /// Forgets the values that have expired, which also go when somebody asks for them.
    public func removeExpired() {
        let time = now()
        _ = state.withLock { $0.removeExpired(at: time) }
    }

    /// How many values there are, with those that have expired and that nobody has asked for since.
    public var count: Int { state.withLock(\.entries.count) }

    /// What all values cost together.
    public var cost: Int { state.withLock(\.cost) }
}

extension MemoryCache.State {
    /// Makes an entry the one that was used last.
    mutating func use(_ name: [UInt8]) {
        guard newest != name, let entry = unlink(name) else { return }
        link(name, entry)
    }

    mutating func insert(_ name: [UInt8], _ entry: MemoryCache.Entry) {
        cost += entry.cost
        if let deadline = entry.deadline { earliestDeadline = min(deadline, earliestDeadline ?? deadline) }
        link(name, entry)
    }

    /// Removes an entry, and gives its value, if there is one.
    mutating func remove(_ name: [UInt8]) -> (any Sendable)? {
        guard let entry = unlink(name) else { return nil }
        cost -= entry.cost
        return entry.value
    }

    /// Removes what has expired, and gives the values.
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
