import Coffer
import CofferBasics
import CofferTesting
import Foundation
import LocalPersistence
import Testing
import TestSupport
import VaultFiles

@Suite("Containers", .temporaryDirectory) struct AppContainerTests {
    private let sample: PersistenceSample
    private let key = PersistenceKey<[Int]>("numbers")

    init() throws { sample = try PersistenceSample() }

    @Test func `no directory is created until something is stored`() throws {
        let app = try sample.app()
        #expect(try app.defaults.value(for: key) == nil)
        #expect(try app.archive.value(for: key) == nil)
        #expect(try app.archive.names() == [])
        try app.defaults.remove(key)
        try app.archive.remove(key)
        try app.remove()
        #expect(!FileManager.default.fileExists(atPath: sample.directory.path))
    }

    @Test func `removing a container removes everything except secrets`() throws {
        let app = try sample.app()
        app.cache.set([1], for: key)
        try app.defaults.set([2], for: key)
        try app.archive.set([3], for: key)
        try app.secrets.set([4], for: key)
        let other = try sample.app("com.example.other")
        try other.defaults.set([5], for: key)
        try FileManager.default.createDirectory(atPath: app.path + "/Own/Deep", withIntermediateDirectories: true)
        try Data().write(to: URL(filePath: app.path + "/Own/Deep/file"))
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

    @Test func `a vault in a container is kept`() throws {
        let app = try sample.app()
        try app.defaults.set([2], for: key)
        let vault = app.path + "/Own/team.coffer"
        try FileManager.default.createDirectory(atPath: app.path + "/Own", withIntermediateDirectories: true)
        try Data("vault".utf8).write(to: URL(filePath: vault))
        try app.remove()
        #expect(try Data(contentsOf: URL(filePath: vault)) == Data("vault".utf8))
        #expect(!sample.has("com.example.app/Preferences"))
    }

    @Test(arguments: ["Own", "Archive", "Preferences"])
    func `the app's vault and the files that open it are kept, whatever their names and locations`(name: String) throws
    {
        let own = sample.path("com.example.app/" + name)
        let (vault, deviceKey) = (own + "/vault", sample.path("device.key"))
        let locations = VaultLocations(vault: vault, deviceKey: deviceKey, anchors: own + "/anchors")
        let app = try sample.app(keychain: Keychain(options: VaultOptions(locations: locations)))
        try app.defaults.set([2], for: key)
        try FileManager.default.createDirectory(atPath: own + "/anchors", withIntermediateDirectories: true)
        for path in [vault, own + "/key", own + "/other", own + "/anchors/one"] {
            try Data(path.utf8).write(to: URL(filePath: path))
        }
        // The device key is in the container under a name other than the one that programs use.
        try FileManager.default.createSymbolicLink(atPath: deviceKey, withDestinationPath: own + "/key")
        try app.remove()
        #expect(try FileManager.default.contentsOfDirectory(atPath: app.path) == [name])
        #expect(try FileManager.default.contentsOfDirectory(atPath: own).sorted() == ["anchors", "key", "vault"])
        #expect(try FileManager.default.contentsOfDirectory(atPath: own + "/anchors") == ["one"])
    }

    @Test(arguments: ["link", "Archive", "Preferences"])
    func `the target of a link in a container is kept`(name: String) throws {
        let (app, outside) = (try sample.app(), sample.path("documents"))
        for path in [app.path, outside] {
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        }
        try Data().write(to: URL(filePath: outside + "/mine"))
        try FileManager.default.createSymbolicLink(atPath: app.path + "/" + name, withDestinationPath: outside)
        try app.remove()
        #expect(!sample.has("com.example.app"))
        #expect(try FileManager.default.contentsOfDirectory(atPath: outside) == ["mine"])
    }

    // A link with the name of the lock file once redirected every read.
    @Test func `a link in place of the lock file is not followed`() throws {
        let app = try sample.app()
        try app.defaults.set([1], for: key)
        let other = try sample.app("com.example.other")
        let lock = app.path + "/Preferences/.lock"
        try FileManager.default.removeItem(atPath: lock)
        try FileManager.default.createDirectory(atPath: other.path + "/Preferences", withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(
            atPath: lock,
            withDestinationPath: other.path + "/Preferences/missing"
        )
        #expect(try sample.app().defaults.value(for: key) == [1])
    }

    @Test(.enabled(if: geteuid() == 0, "only root can give a file away"))
    func `another user's container is neither read, written nor removed`() throws {
        let app = try sample.app()
        try app.defaults.set([1], for: key)
        let names = try FileManager.default.subpathsOfDirectory(atPath: app.path).sorted()
        for name in [""] + names { chown(app.path + "/" + name, 1001, 1001) }
        let again = try sample.app()
        #expect(throws: PersistenceError.self) { try again.defaults.value(for: key) }
        #expect(throws: PersistenceError.self) { try again.defaults.set([2], for: key) }
        #expect(throws: PersistenceError.self) { try again.remove() }
        #expect(try FileManager.default.subpathsOfDirectory(atPath: app.path).sorted() == names)
    }

    @Test(.enabled(if: geteuid() == 0, "only root can give a file away"))
    func `another user's link in place of a container is not followed`() throws {
        let (app, outside) = (try sample.app(), sample.path("documents"))
        for path in [sample.directory.path, outside, outside + "/Preferences"] {
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        }
        try Data().write(to: URL(filePath: outside + "/mine"))
        try FileManager.default.createSymbolicLink(atPath: app.path, withDestinationPath: outside)
        lchown(app.path, 1001, 1001)
        #expect(throws: PersistenceError.self) { try app.defaults.set([2], for: key) }
        #expect(throws: PersistenceError.self) { try app.remove() }
        #expect(try FileManager.default.subpathsOfDirectory(atPath: outside).sorted() == ["Preferences", "mine"])
    }

    @Test func `links and pipes among an app's files are removed`() throws {
        let app = try sample.app()
        for rung in [app.defaults, app.archive] as [any PersistenceRung] { try rung.set([1], for: key) }
        for directory in ["/Preferences", "/Archive"] {
            try FileManager.default.createSymbolicLink(atPath: app.path + directory + "/link", withDestinationPath: "/")
            try #require(mkfifo(app.path + directory + "/pipe", 0o600) == 0)
        }
        try app.remove()
        #expect(!sample.has("com.example.app"))
    }

    @Test func `a file in the place of a directory is removed`() throws {
        let app = try sample.app()
        try FileManager.default.createDirectory(atPath: app.path, withIntermediateDirectories: true)
        for name in ["/Preferences", "/Archive"] { try Data().write(to: URL(filePath: app.path + name)) }
        try app.remove()
        #expect(!sample.has("com.example.app"))
    }

    @Test func `only its owner can read a container`() throws {
        let app = try sample.app()
        try app.archive.set([1], for: key)
        for path in [app.path, app.path + "/Archive"] {
            let attributes = try FileManager.default.attributesOfItem(atPath: path)
            #expect(attributes[.posixPermissions] as? Int == 0o700, "\(path)")
        }
    }

    @Test(.keychain) func `an app uses the directory, cache and keychain that a test gives it`() throws {
        let cache = MemoryCache(costLimit: 1)
        let app = try AppContainer("com.example.app", in: sample.directory.path, cache: cache)
        #expect(app.cache === cache)
        #expect(app.path == sample.path("com.example.app"))
        try app.secrets.set([1], for: key)
        try app.archive.encrypted().set([1], for: key)
        try app.password(service: "mail", account: "kim").setPassword("hunter2")
        let identifier = try app.deviceIdentifier.value()
        let keychain = try TestKeychain.current.keychain
        let services = try keychain.items(GenericPassword.self).map(\.item.service)
        #expect(
            services == [
                "com.example.app", "com.example.app.documents", "mail", "com.example.app.device",
            ]
        )
        #expect(try DeviceIdentifier(service: "com.example.app").value() == identifier)
    }

    // A process that wrote one value after the other once kept all others from writing.
    @Test func `two constant writers take turns`() throws {
        // A slow disk.
        let files = HookedFiles()
        files.setHook { operation, _ throws(FileError) in
            if operation == .sync { usleep(5_000) }
        }
        let writes = Guarded<[Int]>([])
        let (ready, start, end) = (
            DispatchSemaphore(value: 0), DispatchSemaphore(value: 0), DispatchSemaphore(value: 0)
        )
        for writer in 0...1 {
            let defaults = try sample.app { $0.files = files }.defaults
            Thread {
                ready.signal()
                start.wait()
                for number in 0..<40 {
                    do { try defaults.set(number, for: PersistenceKey<Int>("\(writer)")) } catch { Issue.record(error) }
                    writes.withLock { $0.append(writer) }
                }
                end.signal()
            }.start()
        }
        for _ in 0...1 { ready.wait() }
        for _ in 0...1 { start.signal() }
        for _ in 0...1 { end.wait() }
        let writers = writes.withLock { $0 }
        // Only the span in which both write counts.
        let first = try #require(writers.prefix(20).firstIndex { $0 != writers.first }, "\(writers)")
        let last = try #require(writers.lastIndex { $0 != writers.last })
        var (longest, run) = (1, 1)
        for index in first...max(first, last) {
            run = writers[index] == writers[index - 1] ? run + 1 : 1
            longest = max(longest, run)
        }
        #expect(longest <= 10, "\(writers)")
    }

    @Test func `waiting for a slow writer times out as busy`() throws {
        let (app, other) = (try sample.app(), try sample.app { $0.lockNanoseconds = 1_000_000 })
        try app.defaults.update { _ in
            #expect(throws: PersistenceError.busy(path: app.path + "/Preferences")) {
                try other.defaults.set([1], for: key)
            }
        }
        try other.defaults.set([1], for: key)
    }

    @Test func `names are compared by their bytes`() throws {
        let (one, other) = ("\u{E9}", "e\u{301}")
        let app = try sample.app()
        #expect(try app.defaults(suite: one) !== app.defaults(suite: other))
        for rung in [app.cache, app.defaults, app.archive, app.secrets] as [any PersistenceRung] {
            try rung.set(1, for: PersistenceKey<Int>(one))
            #expect(try rung.value(for: PersistenceKey<Int>(other)) == nil, "\(rung)")
        }
        #expect(PersistenceKey<Int>(one) != PersistenceKey<Int>(other))
    }

    @Test(
        arguments: [
            (.noDataDirectory, "cannot determine the app's data directory; set HOME or XDG_DATA_HOME"),
            (.invalidIdentifier("x\n"), #"invalid identifier "x\u{A}"; use a name such as com.example.app"#),
            (.busy(path: "/a"), "timed out waiting for another process to finish writing in /a; try again"),
            (
                .damaged(path: "/a", reason: "not an archive"),
                "/a is damaged: not an archive; restore it from a backup"
            ),
            (.encrypted(path: "/a"), "/a is encrypted; read it through encrypted()"),
            (.tooLarge(path: "/a", limit: 7), "/a is too large (limit 7 bytes)"),
            (.keychain(.locked), KeychainError.locked.description),
        ] as [(PersistenceError, String)]
    )
    func `an error says what happened and what to do`(error: PersistenceError, text: String) {
        #expect(error.description == text)
    }

    @Test(arguments: [
        "", ".", "..", "../x", "a./b", "a. b", "a.\0", "a.\n", "coffer", "applications", ".config",
        "a." + String(repeating: "x", count: 127),
    ])
    func `an invalid identifier is rejected`(name: String) throws {
        #expect(throws: PersistenceError.invalidIdentifier(name)) { try sample.app(name) }
    }

    @Test func `a value moves to another rung with the same calls`() throws {
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
