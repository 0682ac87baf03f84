import CofferTesting
import LocalPersistence
import Synchronization
import Testing

/// A value that calls a function when it is released.
private final class ReleaseProbe: Sendable {
    private let onRelease: @Sendable () -> Void
    init(_ onRelease: @escaping @Sendable () -> Void) { self.onRelease = onRelease }
    deinit { onRelease() }
}

@Suite("Memory cache") struct MemoryCacheTests {
    private let text = PersistenceKey<String>("text")

    @Test func `a value is kept until it is removed`() {
        let cache = MemoryCache()
        #expect(cache.value(for: text) == nil)
        cache.set("one", for: text)
        cache.set("two", for: text)
        #expect(cache.value(for: text) == "two")
        #expect(cache.count == 1)
        cache.remove(text)
        #expect(cache.value(for: text) == nil)
        cache.set("three", for: text)
        cache.removeAll()
        #expect(cache.value(for: text) == nil && cache.count == 0 && cache.cost == 0)
    }

    @Test func `a value of another type is not returned, and is kept`() {
        let cache = MemoryCache()
        cache.set("one", for: text)
        #expect(cache.value(for: PersistenceKey<Int>("text")) == nil)
        #expect(cache.value(for: text) == "one")
    }

    @Test func `values that cannot be encoded can be cached`() {
        let cache = MemoryCache()
        let key = PersistenceKey<@Sendable () -> Int>("closure")
        cache.set({ 7 }, for: key)
        #expect(cache.value(for: key)?() == 7)
    }

    @Test func `the least recently used value makes room first`() {
        let cache = MemoryCache(costLimit: 10)
        let keys = (0..<4).map { PersistenceKey<Int>("\($0)") }
        for number in 0..<3 { cache.set(number, for: keys[number], cost: 3) }
        #expect(cache.value(for: keys[0]) == 0)
        cache.set(3, for: keys[3], cost: 4)
        #expect(keys.map { cache.value(for: $0) } == [0, nil, 2, 3])
        #expect(cache.cost == 10)
        cache.set(9, for: keys[2], cost: 9)
        #expect(keys.map { cache.value(for: $0) } == [nil, nil, 9, nil])
        #expect(cache.cost == 9)
    }

    @Test func `a value that costs more than the limit is not stored and displaces no others`() {
        let cache = MemoryCache(costLimit: 10)
        cache.set("kept", for: PersistenceKey<String>("other"), cost: 10)
        cache.set("large", for: text, cost: 11)
        #expect(cache.value(for: text) == nil)
        #expect(cache.value(for: PersistenceKey<String>("other")) == "kept")
        cache.set("huge", for: text, cost: .max)
        #expect(cache.count == 1)
    }

    @Test func `a value expires on the cache's clock`() {
        let clock = TestClock()
        let cache = MemoryCache(clock: clock)
        cache.set("short", for: text, cost: 1, expiresAfter: .seconds(10))
        cache.set("long", for: PersistenceKey<String>("other"), cost: 1)
        clock.advance(by: .seconds(9))
        #expect(cache.value(for: text) == "short")
        clock.advance(by: .seconds(1))
        #expect(cache.value(for: text) == nil)
        #expect(cache.count == 1 && cache.cost == 1)
        cache.set("again", for: text, cost: 1, expiresAfter: .seconds(1))
        clock.advance(by: .seconds(100))
        #expect(cache.count == 2)
        cache.removeExpired()
        #expect(cache.count == 1)
        #expect(cache.value(for: PersistenceKey<String>("other")) == "long")
    }

    @Test func `expired values make room first`() {
        let (clock, other) = (TestClock(), PersistenceKey<String>("other"))
        let cache = MemoryCache(costLimit: 2, clock: clock)
        cache.set("old", for: text, cost: 1)
        cache.set("short", for: other, cost: 1, expiresAfter: .seconds(1))
        clock.advance(by: .seconds(1))
        cache.set("new", for: PersistenceKey<String>("new"), cost: 1)
        #expect(cache.value(for: text) == "old")
        #expect(cache.value(for: PersistenceKey<String>("new")) == "new")
    }

    @Test func `releasing a value may use the cache`() {
        let cache = MemoryCache(costLimit: 1)
        let key = PersistenceKey<ReleaseProbe>("probe")
        let count = Mutex(0)
        func probe() -> ReleaseProbe {
            ReleaseProbe { [weak cache] in
                _ = cache?.value(for: PersistenceKey<Int>("other"))
                count.withLock { $0 += 1 }
            }
        }
        cache.set(probe(), for: key, cost: 1)
        cache.set(probe(), for: key, cost: 1)
        cache.set(1, for: PersistenceKey<Int>("other"), cost: 1)
        cache.set(probe(), for: key, cost: 1)
        cache.removeAll()
        cache.set(probe(), for: key, cost: 1)
        cache.remove(key)
        #expect(count.withLock { $0 } == 4)
    }

    @Test func `threads do not disturb each other`() async {
        let cache = MemoryCache(costLimit: 50)
        await withTaskGroup(of: Void.self) { group in
            for task in 0..<8 {
                group.addTask {
                    for number in 0..<2000 {
                        let key = PersistenceKey<Int>("\((number + task) % 100)")
                        cache.set(number, for: key, cost: number % 3)
                        _ = cache.value(for: key)
                        if number % 7 == 0 { cache.remove(key) }
                    }
                }
            }
        }
        #expect(cache.cost <= 50)
        cache.removeAll()
        #expect(cache.cost == 0 && cache.count == 0)
    }
}
