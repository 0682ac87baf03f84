import Foundation
import LocalPersistence
import TestSupport
import Testing

/// Two programs with one container.
@Suite("Two processes", .temporaryDirectory) struct PersistenceProcessTests {
    private let home: URL
    private let app: AppContainer

    init() throws {
        home = try TemporaryDirectory.current
        app = try AppContainer(
            "com.example.shared",
            in: home.appending(path: "data").path,
            keychain: nil,
            surroundings: PersistenceSurroundings()
        )
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

    @Test func `they do not lose each other's values`() async throws {
        let workers = [try worker(), try worker()]
        try await withThrowingTaskGroup(of: String.self) { group in
            for (number, worker) in workers.enumerated() {
                let worker = Held(worker)
                group.addTask { try worker.value.answer(to: "fill", "worker\(number)", "50") }
            }
            for number in 0..<50 {
                try app.defaults.set(number, for: PersistenceKey<Int>("own \(number)"))
                try app.archive.set([number], for: PersistenceKey<[Int]>("own \(number)"))
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

    @Test func `each sees what the other has changed`() throws {
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

    @Test func `all processes that ask at once get the same identifier`() async throws {
        let workers = try (0..<4).map { _ in Held(try worker()) }
        let identifiers = try await withThrowingTaskGroup(of: String.self) { group in
            for worker in workers { group.addTask { try worker.value.answer(to: "identifier") } }
            return try await group.reduce(into: Set<String>()) { $0.insert($1) }
        }
        #expect(identifiers.count == 1)
        #expect(UUID(uuidString: identifiers.first ?? "") != nil, "\(identifiers)")
    }

    // The lock went with the container, and who had it and who made a new one wrote at the same time.
    @Test func `a container that is removed while another process writes is whole afterwards, or gone`() throws {
        let settings = PersistenceKey<Int>("churn")
        let worker = try worker()
        let told = Held(worker)
        let thread = Thread { if let end = try? told.value.answer(to: "churn") { Issue.record("it ended: \(end)") } }
        thread.start()
        let deadline = Date() + 20
        for number in 0..<20 {
            while try app.defaults.value(for: settings) ?? 0 <= number { try #require(Date() < deadline) }
            try app.remove()
            try app.defaults.set(number, for: PersistenceKey<Int>("own"))
            #expect(try app.defaults.value(for: PersistenceKey<Int>("own")) == number)
            if let document = try app.archive.value(for: PersistenceKey<[Int]>("churn")) {
                #expect(document == Array(repeating: document.first ?? 0, count: 1000))
            }
        }
        kill(worker.number, SIGKILL)
    }

    @Test(arguments: 1..<6) func `one that is killed while it writes leaves whole values, and no lock`(number: Int)
        throws
    {
        let settings = PersistenceKey<Int>("churn")
        let worker = try worker()
        let told = Held(worker)
        let thread = Thread { _ = try? told.value.answer(to: "churn") }
        thread.start()
        // It has begun, and is anywhere in its work.
        let deadline = Date() + 20
        while try app.defaults.value(for: settings) ?? 0 <= number { try #require(Date() < deadline) }
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

/// What one thread after another uses.
private struct Held<Value>: @unchecked Sendable {
    let value: Value

    init(_ value: Value) { self.value = value }
}
