import Foundation
import KeyedArchive
import LocalPersistence
import TestSupport
import Testing

/// Two programs that share a container.
@Suite("Two processes", .temporaryDirectory) struct PersistenceProcessTests {
    private let home: URL
    private let app: AppContainer

    init() throws {
        home = try TemporaryDirectory.current
        var environment = PersistenceEnvironment()
        environment.lockNanoseconds = 60_000_000_000
        let data = home.appending(path: "data").path
        app = try AppContainer("com.example.shared", in: data, keychain: nil, environment: environment)
    }

    /// Waits until a condition holds, for at most a minute.
    private func wait(until isSo: () throws -> Bool) throws {
        let deadline = Date() + 60
        while try !isSo() {
            try #require(Date() < deadline)
            usleep(1000)
        }
    }

    private func worker() throws -> WorkerProcess {
        try WorkerProcess(
            "PersistenceWorker",
            variables: [
                "HOME": home.path, "XDG_DATA_HOME": home.appending(path: "data").path,
                "XDG_STATE_HOME": home.appending(path: "state").path, "COFFER_QUIET": "1", "PATH": "/usr/bin:/bin",
            ],
            isAlone: true
        )
    }

    @Test func `two processes do not lose each other's values`() async throws {
        let workers = [try worker(), try worker()]
        try await withThrowingTaskGroup(of: String.self) { group in
            for (number, worker) in workers.enumerated() {
                let worker = Held(worker)
                group.addTask { try worker.value.answer(to: "fill", "worker\(number)", "50") }
            }
            for number in 0..<50 {
                try await app.defaults.set(number, for: PersistenceKey<Int>("own \(number)"))
                try await app.archive.set([number], for: PersistenceKey<[Int]>("own \(number)"))
            }
            for try await answer in group { #expect(answer == "filled") }
        }
        #expect(try app.defaults.names().count == 150)
        #expect(try app.archive.names().count == 150)
        for number in 0..<50 {
            #expect(try app.defaults.value(for: PersistenceKey<Int>("worker1 \(number)")) == number)
            #expect(try app.archive.value(for: PersistenceKey<[Int]>("worker0 \(number)")) == [number])
        }
    }

    @Test func `two processes count together correctly`() async throws {
        let workers = try (0..<2).map { _ in Held(try worker()) }
        try await withThrowingTaskGroup(of: String.self) { group in
            for worker in workers { group.addTask { try worker.value.answer(to: "count", "50") } }
            for try await answer in group { #expect(answer == "counted") }
        }
        #expect(try app.defaults.value(for: PersistenceKey<Int>("count")) == 100)
    }

    @Test func `one process is notified of the other's change`() throws {
        let (worker, key) = (try worker(), PersistenceKey<String>("name"))
        #expect(try worker.answer(to: "observe", "name", "two") == "observing")
        for name in ["one", "two"] { try app.defaults.set(name, for: key) }
        #expect(try worker.nextLine() == "told")
    }

    @Test func `two processes that encrypt their first documents share one key`() async throws {
        let workers = try (0..<2).map { _ in Held(try worker()) }
        try await withThrowingTaskGroup(of: String.self) { group in
            for (number, worker) in workers.enumerated() {
                group.addTask { try worker.value.answer(to: "encrypt", "name\(number)", "text\(number)") }
            }
            for try await answer in group { #expect(answer == "encrypted") }
        }
        let reader = try worker()
        for number in 0...1 { #expect(try reader.answer(to: "decrypt", "name\(number)") == "text\(number)") }
    }

    // Without KeyedArchiveFoundation in the program, dates became numbers and Apple's archives an error. The worker
    // links it.
    @Test func `Foundation's types are archived as on Apple's systems`() throws {
        let worker = try worker()
        #expect(try worker.answer(to: "archive", "visit") == "archived")
        let id = "01020304-0506-0708-090A-0B0C0D0E0F10"
        let visit = try #require(try app.archive.object(named: "visit"))
        #expect(visit["time"] == .date(secondsSinceReferenceDate: 1.5))
        #expect(visit["cookie"] == .data([1, 2]))
        #expect(visit["id"] == .uuid(0x0102_0304_0506_0708_090A_0B0C_0D0E_0F10))
        #expect(visit["page"] == .url(ArchiveURL("https://example.com/a")))
        let graph: NSDictionary = [
            "time": NSDate(timeIntervalSinceReferenceDate: 1.5), "cookie": NSData(data: Data([1, 2])),
            "id": try #require(NSUUID(uuidString: id)), "page": try #require(NSURL(string: "https://example.com/a")),
        ]
        let data = try NSKeyedArchiver.archivedData(withRootObject: graph, requiringSecureCoding: true)
        try data.write(to: URL(filePath: app.path + "/Archive/foreign.domain"))
        #expect(try worker.answer(to: "read", "foreign") == "the same")
    }

    @Test(
        arguments: [
            (["XDG_DATA_HOME": "/data", "HOME": "/home/kim"], "/data/com.example.shared"),
            (["XDG_DATA_HOME": "relative", "HOME": "/home/kim"], "/home/kim/.local/share/com.example.shared"),
            ([:], "error: cannot determine the app's data directory; set HOME or XDG_DATA_HOME"),
        ] as [([String: String], String)]
    )
    func `the environment determines the container's place`(variables: [String: String], answer: String) throws {
        let worker = try WorkerProcess("PersistenceWorker", variables: variables, isAlone: true)
        #expect(try worker.answer(to: "place") == answer)
    }

    /// Whether a program may make its own mounts, as far as trying shows.
    private static let canMount = (try? run("unshare", "-rm", "mount", "--bind", "/tmp", "/tmp")) == 0

    private static func run(_ words: String...) throws -> Int32 {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = words
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        return process.terminationStatus
    }

    @Test(.enabled(if: canMount, "mounting is not permitted here"), arguments: ["Archive", "Own"])
    func `a file system mounted in a container is left alone and causes an error`(name: String) throws {
        let outside = home.appending(path: "outside")
        for path in [outside.path, app.path + "/" + name] {
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        }
        try Data().write(to: outside.appending(path: "mine"))
        let worker = URL(filePath: try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe"))
            .deletingLastPathComponent().appending(path: "PersistenceWorker").path
        let script = """
            mount --bind "$1" "$2" && answer=$(echo remove | XDG_DATA_HOME="$3" "$4") || exit 2
            case "$answer" in error:*) ;; *) exit 3 ;; esac
            """
        let data = home.appending(path: "data").path
        let status = try Self.run(
            "unshare",
            "-rm",
            "sh",
            "-c",
            script,
            "sh",
            outside.path,
            app.path + "/" + name,
            data,
            worker
        )
        #expect(status == 0)
        #expect(FileManager.default.fileExists(atPath: outside.path + "/mine"))
    }

    @Test func `each process sees the other's changes`() throws {
        let worker = try worker()
        #expect(try worker.answer(to: "set", "name", "one") == "set")
        #expect(try app.defaults.value(for: PersistenceKey<String>("name")) == "one")
        try app.defaults.set("two", for: PersistenceKey<String>("name"))
        #expect(try worker.answer(to: "get", "name") == "two")
        #expect(try worker.answer(to: "save", "token", "secret") == "saved")
        let identifier = try worker.answer(to: "identifier")
        #expect(try worker.answer(to: "remove") == "removed")
        #expect(try app.defaults.value(for: PersistenceKey<String>("name")) == nil)
        let second = try self.worker()
        #expect(try second.answer(to: "load", "token") == "secret")
        #expect(try second.answer(to: "identifier") == identifier)
    }

    @Test func `all processes that ask at the same time get the same identifier`() async throws {
        let workers = try (0..<4).map { _ in Held(try worker()) }
        let identifiers = try await withThrowingTaskGroup(of: String.self) { group in
            for worker in workers { group.addTask { try worker.value.answer(to: "identifier") } }
            return try await group.reduce(into: Set<String>()) { $0.insert($1) }
        }
        #expect(identifiers.count == 1)
        #expect(UUID(uuidString: identifiers.first ?? "") != nil, "\(identifiers)")
    }

    // The lock file was removed with the container, so its holder and the creator of a new one wrote at the same time.
    @Test func `a container removed during another process's write is complete or gone`() throws {
        let settings = PersistenceKey<Int>("churn")
        let worker = try worker()
        let told = Held(worker)
        DispatchQueue.global().async {
            if let end = try? told.value.answer(to: "churn") { Issue.record("the worker ended: \(end)") }
        }
        defer { kill(worker.number, SIGKILL) }
        for number in 0..<20 {
            try wait { try app.defaults.value(for: settings) ?? 0 > number }
            try app.remove()
            try app.defaults.set(number, for: PersistenceKey<Int>("own"))
            #expect(try app.defaults.value(for: PersistenceKey<Int>("own")) == number)
            if let document = try app.archive.value(for: PersistenceKey<[Int]>("churn")) {
                #expect(document == Array(repeating: document.first ?? 0, count: 1000))
            }
        }
    }

    @Test(arguments: 1..<6) func `a process killed while writing leaves complete values and no lock`(number: Int)
        throws
    {
        let settings = PersistenceKey<Int>("churn")
        let worker = try worker()
        let told = Held(worker)
        DispatchQueue.global().async { _ = try? told.value.answer(to: "churn") }
        // The worker has begun and may be anywhere in its work.
        defer { kill(worker.number, SIGKILL) }
        try wait { try app.defaults.value(for: settings) ?? 0 > number }
        kill(worker.number, SIGKILL)
        let last = try #require(try app.defaults.value(for: settings))
        if let document = try app.archive.value(for: PersistenceKey<[Int]>("churn")) {
            #expect(document == Array(repeating: document.first ?? 0, count: 1000))
        }
        try app.defaults.set(last + 1, for: settings)
        try app.archive.set([0], for: PersistenceKey<[Int]>("churn"))
        #expect(try app.defaults.value(for: settings) == last + 1)
        let names = try FileManager.default.contentsOfDirectory(atPath: app.path + "/Archive")
        #expect(names.sorted() == [".lock", ".turn", "churn.domain"])
    }
}

/// A value that one thread after another uses.
private struct Held<Value>: @unchecked Sendable {
    let value: Value

    init(_ value: Value) { self.value = value }
}
