import Coffer
import Foundation
import LocalPersistence
import TestSupport
import Testing
import VaultFiles

@Suite("Containers", .temporaryDirectory) struct AppContainerTests {
    private let sample: PersistenceSample
    private let key = PersistenceKey<[Int]>("numbers")

    init() throws { sample = try PersistenceSample() }

    @Test func `nothing is made until something is kept`() throws {
        let app = try sample.app()
        #expect(try app.defaults.value(for: key) == nil)
        #expect(try app.archive.value(for: key) == nil)
        #expect(try app.archive.names() == [])
        try app.defaults.remove(key)
        try app.archive.remove(key)
        try app.remove()
        #expect(!FileManager.default.fileExists(atPath: sample.directory.path))
    }

    @Test func `to remove a container takes everything but secrets`() throws {
        let app = try sample.app()
        app.cache.set([1], for: key)
        try app.defaults.set([2], for: key)
        try app.archive.set([3], for: key)
        try app.secrets.set([4], for: key)
        let other = try sample.app("com.example.other")
        try other.defaults.set([5], for: key)
        try FileManager.default.createDirectory(atPath: app.path + "/Own/Deep", withIntermediateDirectories: true)
        try Data().write(to: URL(filePath: app.path + "/Own/Deep/file"))
        try FileManager.default.createSymbolicLink(atPath: app.path + "/link", withDestinationPath: other.path)
        try app.remove()
        #expect(!sample.has("com.example.app"))
        #expect(app.cache.value(for: key) == nil)
        #expect(try app.defaults.value(for: key) == nil)
        #expect(try app.archive.value(for: key) == nil)
        #expect(try app.secrets.value(for: key) == [4])
        #expect(try other.defaults.value(for: key) == [5])
        try app.defaults.set([6], for: key)
        #expect(try app.defaults.value(for: key) == [6])
    }

    @Test func `a vault in a container stays`() throws {
        let app = try sample.app()
        try app.defaults.set([2], for: key)
        let vault = app.path + "/Own/team.coffer"
        try FileManager.default.createDirectory(atPath: app.path + "/Own", withIntermediateDirectories: true)
        try Data("vault".utf8).write(to: URL(filePath: vault))
        try app.remove()
        #expect(try Data(contentsOf: URL(filePath: vault)) == Data("vault".utf8))
        #expect(!sample.has("com.example.app/Preferences"))
    }

    @Test func `the default vault and its device key stay, whatever they are called, wherever they lie`() throws {
        let own = sample.path("com.example.app/Own")
        let (vault, deviceKey) = (own + "/vault", sample.path("device.key"))
        let app = try sample.app { $0.places = VaultPlaces(vault: vault, deviceKey: deviceKey, anchors: nil) }
        try app.defaults.set([2], for: key)
        try FileManager.default.createDirectory(atPath: own, withIntermediateDirectories: true)
        for path in [vault, own + "/key", own + "/other"] { try Data(path.utf8).write(to: URL(filePath: path)) }
        // The device key is in the container by another name than the one that programs use.
        try FileManager.default.createSymbolicLink(atPath: deviceKey, withDestinationPath: own + "/key")
        try app.remove()
        #expect(try FileManager.default.contentsOfDirectory(atPath: app.path) == ["Own"])
        #expect(try FileManager.default.contentsOfDirectory(atPath: own).sorted() == ["key", "vault"])
    }

    @Test func `the cache may have a limit`() throws {
        let home = sample.directory.path
        let surroundings = PersistenceSurroundings()
        let app = try AppContainer("app", in: home, cacheCostLimit: 1, keychain: nil, surroundings: surroundings)
        app.cache.set([1], for: key, cost: 2)
        #expect(app.cache.value(for: key) == nil)
    }

    // Who wrote one value after the other kept all others from writing.
    @Test func `who write all the time take turns`() async throws {
        // A disk that takes its time.
        let files = HookedFiles()
        files.setHook { operation, _ throws(FileError) in
            if operation == .sync { usleep(5_000) }
        }
        typealias Write = (writer: Int, end: ContinuousClock.Instant)
        let writes = try await withThrowingTaskGroup(of: [Write].self) { group in
            for writer in 0...1 {
                let defaults = try sample.app { $0.files = files }.defaults
                group.addTask {
                    try (0..<40).map { number in
                        try defaults.set(number, for: PersistenceKey<Int>("\(writer)"))
                        return (writer, .now)
                    }
                }
            }
            return try await group.reduce(into: []) { $0 += $1 }
        }
        let writers = writes.sorted { $0.end < $1.end }.map(\.writer)
        // As long as both write.
        let first = try #require(writers.firstIndex { $0 != writers.first })
        let last = try #require(writers.lastIndex { $0 != writers.last })
        var (longest, run) = (1, 1)
        for index in first + 1...max(first + 1, last) {
            run = writers[index] == writers[index - 1] ? run + 1 : 1
            longest = max(longest, run)
        }
        #expect(longest <= 4, "\(writers)")
    }

    @Test(arguments: [
        "", ".", "..", "../x", "a/b", "a b", "a\0", "a\n", "coffer", "Coffer", String(repeating: "x", count: 129),
    ])
    func `a name that no container can have, or that is the vault's, is refused`(name: String) throws {
        #expect(throws: PersistenceError.invalidIdentifier(name)) { try sample.app(name) }
    }

    @Test func `a value moves to another rung, and the rest of the code stays as it is`() throws {
        let app = try sample.app()
        app.cache.set([1], for: key)
        #expect(try app.cache.move(key, to: app.defaults))
        #expect(app.cache.value(for: key) == nil)
        #expect(try app.defaults.move(key, to: app.archive))
        #expect(try app.defaults.value(for: key) == nil)
        #expect(try app.archive.move(key, to: app.secrets))
        #expect(try app.archive.value(for: key) == nil)
        #expect(try app.secrets.value(for: key) == [1])
        #expect(try !app.cache.move(key, to: app.defaults))
        for rung in [app.cache, app.defaults, app.archive, app.secrets] as [any PersistenceRung] {
            try rung.set([7], for: key)
            #expect(try rung.value(for: key) == [7])
            try rung.remove(key)
            #expect(try rung.value(for: key) == nil)
        }
    }
}
