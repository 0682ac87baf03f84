import Coffer
import CofferBasics
import Foundation
import KeychainTestSupport
import TestSupport
import Testing
import VaultFiles
import VaultFormat
import VaultStore

/// Secrets of which only one of several programs gets the next one.
@Suite("Refreshing", .temporaryDirectory) struct RefreshingTests {
    private let sample: KeychainSample
    private let keychain: Keychain
    private let token: KeychainReference<GenericPassword>

    init() throws {
        sample = try KeychainSample()
        keychain = sample.keychain
        token = try keychain.add(GenericPassword(service: "token", account: "kim"), secret: "one").reference
    }

    /// Counts the calls of a closure, and how many run at the same time.
    private final class Server: Sendable {
        struct Refused: Error {}

        private let state = Guarded((requests: 0, open: 0, greatest: 0))
        private let refusalCount: Int

        /// Creates a server that refuses the first requests.
        init(refusing refusalCount: Int = 0) { self.refusalCount = refusalCount }

        var requestCount: Int { state.withLock(\.requests) }
        var greatestOpenCount: Int { state.withLock(\.greatest) }

        func answer(_ text: String) async throws -> String {
            let number = state.withLock { state in
                state.requests += 1
                state.open += 1
                state.greatest = max(state.greatest, state.open)
                return state.requests
            }
            defer { state.withLock { $0.open -= 1 } }
            for _ in 0..<10 { await Task.yield() }
            guard number > refusalCount else { throw Refused() }
            return text
        }
    }

    // MARK: - Staleness

    @Test func `a secret that is not stale is returned`() async throws {
        let found: String = try await keychain.refresh(token, when: { $0 == "other" }) { _ in
            Issue.record("called")
            return ""
        }
        #expect(found == "one")
    }

    @Test func `a stale secret is replaced`() async throws {
        let found: String = try await keychain.refresh(token, when: { $0 == "one" }) { old in old + "+" }
        #expect(found == "one+")
        #expect(try keychain.secretText(of: token) == "one+")
        #expect(try keychain.history(of: token).revisions.count == 2)
    }

    @Test func `the secret can be bytes`() async throws {
        let found: [UInt8] = try await keychain.refresh(token, when: { $0.count == 3 }) { old in old + [0xFF] }
        #expect(found == Array("one".utf8) + [0xFF])
        await #expect(throws: KeychainError.cannotDecode("String")) {
            let _: String = try await keychain.refresh(token, when: { _ in false }) { $0 }
        }
    }

    /// Seconds that pass, and whether a secret that may be an hour old is then replaced.
    @Test(arguments: [(0, false), (3599, false), (3600, true), (86_400, true), (-3599, false), (-3600, true)])
    func `the age counts from the last change`(seconds: Int64, isReplaced: Bool) async throws {
        sample.time.setWall(microseconds: sample.time.wallMicroseconds() + seconds * 1_000_000)
        let found: String = try await keychain.refresh(token, ifOlderThan: .seconds(3600)) { _ in "two" }
        #expect(found == (isReplaced ? "two" : "one"))
    }

    @Test func `after the clock was set back, a secret is replaced once`() async throws {
        sample.time.setWall(microseconds: sample.time.wallMicroseconds() - 86_400_000_000)
        let server = Server()
        for _ in 0..<3 {
            let _: String = try await keychain.refresh(token, ifOlderThan: .seconds(3600)) { _ in
                try await server.answer("two")
            }
        }
        #expect(server.requestCount == 1)
    }

    @Test func `with a negative age, every secret is replaced`() async throws {
        let found: String = try await keychain.refresh(token, ifOlderThan: .seconds(-3600)) { _ in "two" }
        #expect(found == "two")
    }

    @Test func `an age without end is never reached`() async throws {
        let found: String = try await keychain.refresh(token, ifOlderThan: .seconds(Int64.max)) { _ in "two" }
        #expect(found == "one")
    }

    // MARK: - Together

    @Test func `of many tasks one asks, and the others get its answer`() async throws {
        let server = Server()
        let (keychain, token) = (keychain, token)
        let found = try await withThrowingTaskGroup(of: String.self) { group in
            for _ in 0..<16 {
                group.addTask {
                    try await keychain.refresh(token, when: { $0 == "one" }) { _ in try await server.answer("two") }
                }
            }
            return try await group.reduce(into: [String]()) { $0.append($1) }
        }
        #expect(found == Array(repeating: "two", count: 16))
        #expect(server.requestCount == 1)
    }

    @Test func `who waits accepts an answer that looks stale`() async throws {
        let server = Server()
        let (keychain, token) = (keychain, token)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    // Whatever the server gives has expired, as it seems after the clock was set.
                    let _: String = try await keychain.refresh(token, when: { _ in true }) { _ in
                        try await server.answer("\(server.requestCount)")
                    }
                }
            }
            try await group.waitForAll()
        }
        // Those that begin after an answer was stored may ask again, but never two at once.
        #expect((1...8).contains(server.requestCount))
        #expect(server.greatestOpenCount == 1)
    }

    @Test func `after a failure another one asks`() async throws {
        let (keychain, token) = (keychain, token)
        let server = Server(refusing: 3)
        let found = await withTaskGroup(of: String?.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    try? await keychain.refresh(token, when: { $0 == "one" }) { _ in try await server.answer("two") }
                }
            }
            return await group.reduce(into: [String?]()) { $0.append($1) }
        }
        #expect(found.count { $0 == nil } == 3)
        #expect(found.count { $0 == "two" } == 5)
        #expect(server.requestCount == 4)
        #expect(server.greatestOpenCount == 1)
    }

    @Test func `the error of the closure is thrown, and nothing is stored`() async throws {
        let server = Server(refusing: 1)
        await #expect(throws: Server.Refused.self) {
            let _: String = try await keychain.refresh(token, when: { _ in true }) { _ in try await server.answer("two")
            }
        }
        #expect(try keychain.secretText(of: token) == "one")
    }

    // MARK: - Waiting

    private func lock(
        of reference: KeychainReference<GenericPassword>,
        in store: VaultStore? = nil
    ) throws -> RefreshLock {
        let item = ItemID(Array(reference.persistentReference.bytes[4...]).span)
        return try (store ?? sample.store).refreshLock(of: item)
    }

    /// Runs `body` while another program refreshes the token, in its own words: while it holds the lock.
    private func whileLocked(_ body: () async throws -> Void) async throws {
        let lock = try lock(of: token)
        try #require(try lock.tryTake())
        try await body()
        lock.release()
    }

    @Test func `waiting ends after a while`() async throws {
        try await whileLocked {
            let error = await #expect(throws: KeychainError.self) {
                let _: String = try await keychain.refresh(token, when: { _ in true }, timeout: .milliseconds(20)) {
                    $0
                }
            }
            guard case .vault(let problem)? = error else { throw KeychainError.itemNotFound }
            #expect(problem.kind == .busy)
        }
    }

    @Test func `a task that is canceled stops waiting`() async throws {
        let (keychain, token) = (keychain, token)
        try await whileLocked {
            let task = Task {
                let _: String = try await keychain.refresh(token, when: { _ in true }) { $0 }
            }
            task.cancel()
            await #expect(throws: CancellationError.self) { try await task.value }
        }
    }

    @Test func `who waits gets what is stored, without the lock`() async throws {
        let (keychain, token) = (keychain, token)
        try await whileLocked {
            async let found: String = keychain.refresh(token, when: { $0 == "one" }) { _ in "three" }
            try keychain.setSecret("two", of: token)
            #expect(try await found == "two")
        }
    }

    @Test func `the lock outlasts a replacement of the vault, and is that of one item`() async throws {
        let other = try keychain.add(GenericPassword(service: "other", account: "kim"), secret: "x").reference
        let lock = try lock(of: token)
        #expect(try lock.tryTake())
        try sample.store.compact()
        let roots = sample.roots
        let again = try VaultStore.open(at: sample.path, environment: sample.store.environment) { _ in roots }
        #expect(try !self.lock(of: token, in: again).tryTake())
        #expect(try self.lock(of: other, in: again).tryTake())
        lock.release()
        #expect(try self.lock(of: token, in: again).tryTake())
    }

    // MARK: - Other changes

    @Test func `what another change stored in the meantime stays`() async throws {
        await #expect(throws: KeychainError.revisionDiffers) {
            let _: String = try await keychain.refresh(token, when: { $0 == "one" }) { _ in
                try keychain.update(token) { $0.label = "new" }
                return "two"
            }
        }
        #expect(try keychain.secretText(of: token) == "one")
        let found: String = try await keychain.refresh(token, when: { $0 == "one" }) { _ in
            try keychain.setSecret("by hand", of: token)
            return "two"
        }
        #expect(found == "by hand")
    }

    @Test func `an item that was deleted in the meantime is an error`() async throws {
        await #expect(throws: KeychainError.itemNotFound) {
            let _: String = try await keychain.refresh(token, when: { _ in true }) { _ in
                try keychain.delete(token)
                return "two"
            }
        }
    }

    @Test func `the user is asked once`() async throws {
        _ = try keychain.update(token) { $0.accessControl = AccessControl(.whenUnlocked, .userPresence) }
        let host = ScriptedHost(.success)
        let found: String = try await AuthenticationHost.with(host.host) {
            try await keychain.refresh(token, when: { $0 == "one" }) { _ in "two" }
        }
        #expect(found == "two")
        #expect(host.requests.count == 1)
    }

    // MARK: - Examples

    @Test func `the examples`() async throws {
        @Sendable func renew(_ old: String) async throws -> String { old + "!" }
        let login = try #require(try keychain.item(token))
        let fresh: String = try await keychain.refresh(token, when: { $0.isEmpty }) { old in try await renew(old) }
        #expect(fresh == "one")
        sample.time.setWall(microseconds: sample.time.wallMicroseconds() + 3_000_000_000)
        do {
            let token = try await keychain.refresh(login.reference, ifOlderThan: .seconds(3000)) { (old: String) in
                try await renew(old)
            }
            #expect(token == "one!")
        }
        do {
            let token = try await keychain.refresh(login.reference, when: { $0.hasSuffix("expired") }) { old in
                try await renew(old)
            }
            #expect(token == "one!")
        }
    }
}
