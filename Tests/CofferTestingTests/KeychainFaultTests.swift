import Coffer
import CofferBasics
import CofferTesting
import Foundation
import Security
import Testing

@Suite("Faults of keychains", .keychain) struct KeychainFaultTests {
    private let login = GenericPassword(service: "api", account: "kim")

    // MARK: - Which calls

    @Test func `a fault strikes the next call, once`() throws {
        let test = try TestKeychain.current
        test.fail(.locked)
        #expect(SecItem.find("kim") == errSecInteractionNotAllowed)
        #expect(SecItem.find("kim") == errSecItemNotFound)
    }

    @Test func `a fault strikes the call with a number, once`() throws {
        let test = try TestKeychain.current
        test.fail(.locked, on: .call(3))
        #expect((1...4).map { _ in SecItem.find("kim") } == [-25300, -25300, -25308, -25300])
        test.forgetCalls()
        test.fail(.locked, on: .call(2))
        #expect((1...3).map { _ in SecItem.find("kim") } == [-25300, -25308, -25300])
    }

    @Test func `a fault strikes the first call that is meant`() throws {
        try TestKeychain.current.fail(.duplicate, on: .firstCall { $0.operation == .add })
        #expect(SecItem.find("kim") == errSecItemNotFound)
        #expect(SecItem.add("kim", "one") == errSecDuplicateItem)
        #expect(SecItem.add("kim", "one") == errSecSuccess)
    }

    @Test func `a fault strikes all calls that are meant, until it is taken back`() throws {
        let test = try TestKeychain.current
        test.fail(.locked, on: .calls { $0.attributes["acct"] == "kim" })
        #expect(["kim", "lee", "kim"].map { SecItem.find($0) } == [-25308, -25300, -25308])
        test.fail(.error(.itemNotFound), on: .allCalls)
        #expect(SecItem.add("lee", "one") == errSecItemNotFound)
        test.removeFaults()
        #expect(SecItem.find("kim") == errSecItemNotFound)
        #expect(SecItem.add("lee", "one") == errSecSuccess)
    }

    @Test func `of several faults each strikes, until one is an error`() throws {
        let (test, waited) = (try TestKeychain.current, Waited())
        test.fail(.slow(.seconds(1), wait: waited.wait), on: .call(1))
        test.fail(.locked, on: .call(1))
        test.fail(.slow(.seconds(2), wait: waited.wait), on: .call(1))
        #expect(SecItem.find("kim") == errSecInteractionNotAllowed)
        #expect(waited.durations == [.seconds(1)])
        #expect(SecItem.find("kim") == errSecItemNotFound)
    }

    @Test func `what a test asks about a call may look at the calls, and give a fault`() throws {
        let test = try TestKeychain.current
        test.fail(
            .locked,
            on: .firstCall { call in
                test.fail(.duplicate, on: .call(call.number + 1))
                return test.calls.last == call
            }
        )
        #expect(SecItem.find("kim") == errSecInteractionNotAllowed)
        #expect(SecItem.find("kim") == errSecDuplicateItem)
    }

    // MARK: - Errors

    // The numbers that the comments of the kinds name.
    @Test(
        arguments: [
            (.wrongSecret, -25293), (.secretNeeded, -25308), (.notARecoveryCode, -50), (.readOnly, -25292),
            (.inputOutput, -36), (.tooLarge, -25302), (.damagedItem, -26275), (.outOfMemory, -108), (.cancelled, -128),
            (.noVault, -25291), (.fileExists, -25291), (.notAVault, -25291), (.newerVersion, -25291),
            (.deviceKeyNeeded(["one"]), -25291), (.noSecret, -25291), (.weakSecret, -25291), (.diskFull, -25291),
            (.busy, -25291), (.rolledBack, -25291), (.mustBeReopened, -25291), (.changedMeanwhile, -25291),
            (.damaged, -25291), (.unavailable, -25291),
        ] as [(VaultError.Kind, OSStatus)]
    )
    func `what is wrong with a vault is told by the number of its kind`(kind: VaultError.Kind, status: OSStatus) throws
    {
        try TestKeychain.current.fail(.error(.vault(VaultError(kind: kind, description: "as the test wants it"))))
        #expect(SecItem.find("kim") == status)
    }

    @Test(
        arguments: [
            (.locked, -25308), (.interactionNotAllowed, -25308), (.duplicate, -25299),
            (.damagedItem, -26275),
            (.error(.notEntitled(.anyGroup)), -34018), (.error(.noPassphrase), -25291),
        ] as [(KeychainFault, OSStatus)]
    )
    func `an error is what SecItem answers, and nothing is done`(fault: KeychainFault, status: OSStatus) throws {
        let test = try TestKeychain.current
        test.fail(fault, on: .allCalls)
        #expect(SecItem.add("kim", "one") == status)
        #expect(SecItem.find("kim") == status)
        #expect(SecItem.update("kim", "one") == status)
        #expect(SecItem.delete("kim") == status)
        test.removeFaults()
        #expect(SecItem.find("kim") == errSecItemNotFound)
    }

    @Test func `typed calls throw the error of a fault`() throws {
        let test = try TestKeychain.current
        let stored = try test.keychain.add(login, secret: "one")
        test.fail(.locked, on: .allCalls)
        #expect(throws: KeychainError.locked) { try test.keychain.secretText(of: stored.reference) }
        #expect(throws: KeychainError.locked) { try test.keychain.save(login, secret: "two") }
        #expect(throws: KeychainError.locked) { try test.keychain.count(GenericPassword.self) }
        test.removeFaults()
        #expect(try test.keychain.secretText(of: stored.reference) == "one")
    }

    @Test func `a call in a transaction fails, which may go on`() throws {
        let test = try TestKeychain.current
        test.fail(.duplicate, on: .firstCall { $0.isInTransaction && $0.operation == .add })
        try test.keychain.transaction { transaction throws(KeychainError) in
            #expect(throws: KeychainError.duplicateItem) { try transaction.add(login) }
            try transaction.add(login)
        }
        #expect(try test.keychain.count(GenericPassword.self) == 1)
    }

    // MARK: - Slowness

    @Test func `a slow call waits as the test has it, and is done then`() throws {
        let (test, waited) = (try TestKeychain.current, Waited())
        #expect(SecItem.add("kim", "one") == errSecSuccess)
        test.fail(.slow(.seconds(3600), wait: waited.wait))
        #expect(SecItem.text("kim") == "one")
        #expect(waited.durations == [.seconds(3600)])
    }

    @Test func `a slow call takes its time where the test has nothing to say`() throws {
        try TestKeychain.current.fail(.slow(.milliseconds(2)))
        let duration = ContinuousClock().measure { #expect(SecItem.find("kim") == errSecItemNotFound) }
        #expect(duration >= .milliseconds(2))
    }

    @Test func `while a call is slow, others are not`() async throws {
        let test = try TestKeychain.current
        #expect(SecItem.add("kim", "one") == errSecSuccess)
        let (reached, go) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        test.fail(
            .slow(.seconds(1)) { _ in
                reached.signal()
                _ = go.wait(timeout: .now() + 10)
            }
        )
        let slow = await withCheckedContinuation { continuation in
            Thread {
                Keychain.withDefault(test.defaultKeychain) { continuation.resume(returning: SecItem.text("kim")) }
            }.start()
            Thread {
                _ = reached.wait(timeout: .now() + 10)
                Keychain.withDefault(test.defaultKeychain) { _ = SecItem.update("kim", "two") }
                go.signal()
            }.start()
        }
        #expect(slow == "two")
    }

    // MARK: - The disk

    @Test func `a full disk takes nothing, and the keychain lives on`() throws {
        let test = try TestKeychain.current
        #expect(SecItem.add("kim", "one") == errSecSuccess)
        test.fail(.diskFull)
        #expect(problem { try test.keychain.save(login, secret: "two") } == .diskFull)
        #expect(SecItem.text("kim") == "one")
        test.fail(.diskFull)
        #expect(SecItem.update("kim", "two") == errSecNotAvailable)
        #expect(SecItem.update("kim", "three") == errSecSuccess)
        #expect(SecItem.text("kim") == "three")
    }

    @Test func `a full disk does not hinder who reads`() throws {
        let test = try TestKeychain.current
        #expect(SecItem.add("kim", "one") == errSecSuccess)
        test.fail(.diskFull, on: .allCalls)
        #expect(SecItem.text("kim") == "one")
        #expect(SecItem.delete("kim") == errSecNotAvailable)
        test.removeFaults()
        #expect(SecItem.delete("kim") == errSecSuccess)
    }

    @Test func `the disk of a transaction is full when it is written`() throws {
        let test = try TestKeychain.current
        test.fail(.diskFull, on: .firstCall { $0.operation == .transaction })
        let problem = problem {
            try test.keychain.transaction { transaction throws(KeychainError) in try transaction.add(login) }
        }
        #expect(problem == .diskFull)
        #expect(try test.keychain.count(GenericPassword.self) == 0)
    }

    @Test func `a damaged vault is found damaged by the engine, from then on`() throws {
        let test = try TestKeychain.current
        #expect(SecItem.add("kim", "one") == errSecSuccess)
        test.fail(.corrupt, on: .firstCall { $0.operation == .update })
        #expect(SecItem.text("kim") == "one")
        #expect(SecItem.update("kim", "two") == errSecNotAvailable)
        #expect(SecItem.text("kim") == nil)
        #expect(problem { try test.keychain.count(GenericPassword.self) } == .damaged)
        #expect(problem { try test.keychain.add(login) } == .damaged)
        #expect(throws: VaultError.self) { try test.unlock() }
    }

    /// The kind of the problem that a vault has.
    private func problem(_ body: () throws -> some Any) -> VaultError.Kind? {
        do {
            _ = try body()
        } catch KeychainError.vault(let problem) {
            return problem.kind
        } catch {}
        return nil
    }

    // MARK: - Others

    @Test func `who compares and swaps sees that another has been faster`() throws {
        let test = try TestKeychain.current
        let stored = try test.keychain.add(login, secret: "one")
        test.fail(
            .changedByOther { other in try other.setSecret("two", of: stored.reference) },
            on: .firstCall { $0.operation == .update }
        )
        #expect(throws: KeychainError.revisionDiffers) {
            try test.keychain.setSecret("three", of: stored.reference, ifRevision: stored.revision)
        }
        #expect(try test.keychain.secretText(of: stored.reference) == "two")
        let now = try #require(try test.keychain.item(stored.reference))
        try test.keychain.setSecret("three", of: stored.reference, ifRevision: now.revision)
        #expect(try test.keychain.secretText(of: stored.reference) == "three")
    }

    @Test func `what SecItem is about to do another does first`() throws {
        let test = try TestKeychain.current
        test.fail(.changedByOther { try $0.add(GenericPassword(service: "api", account: "kim"), secret: "two") })
        #expect(SecItem.add("kim", "one") == errSecDuplicateItem)
        #expect(SecItem.text("kim") == "two")
        test.fail(.changedByOther { _ = try $0.deleteAll(GenericPassword.self) })
        #expect(SecItem.update("kim", "one") == errSecItemNotFound)
    }

    @Test(.keychain(groups: AccessGroups(declared: ["TEAM.com.example.mail"]), hasPassphrase: true))
    func `the other is the same program, unlocked, and not recorded`() throws {
        let (test, groups) = (try TestKeychain.current, Seen<[String]>())
        try test.keychain.add(login, secret: "one")
        test.lock()
        test.fail(
            .changedByOther { other in
                try other.save(GenericPassword(service: "api", account: "kim"), secret: "two")
                groups.value = other.groups.names
            }
        )
        #expect(SecItem.find("kim") == errSecInteractionNotAllowed)
        #expect(groups.value == ["TEAM.com.example.mail"])
        #expect(test.calls.map(\.operation) == [.add, .find])
        try test.unlock()
        #expect(SecItem.text("kim") == "two")
    }

    @Test func `nobody else changes anything in a transaction`() throws {
        let (test, seen) = (try TestKeychain.current, Seen<Int>())
        test.fail(
            .changedByOther { _ in seen.value = (seen.value ?? 0) + 1 },
            on: .firstCall { $0.operation == .find }
        )
        try test.keychain.transaction { transaction throws(KeychainError) in
            #expect(try transaction.items(GenericPassword.self).isEmpty)
        }
        #expect(seen.value == nil)
        #expect(SecItem.find("kim") == errSecItemNotFound)
        #expect(seen.value == 1)
    }

    @Test func `what goes wrong with the change of another is an issue of the test`() throws {
        let test = try TestKeychain.current
        test.fail(.changedByOther { try $0.delete(["class": "genp"]) })
        withKnownIssue {
            #expect(SecItem.find("kim") == errSecItemNotFound)
        } matching: { issue in
            issue.error as? KeychainError == .itemNotFound
        }
    }
}

/// Notes how long somebody was to wait, and does not wait.
private final class Waited: Sendable {
    private let noted = Guarded<[Duration]>([])

    var durations: [Duration] { noted.withLock { $0 } }

    var wait: @Sendable (Duration) -> Void {
        { duration in self.noted.withLock { $0.append(duration) } }
    }
}

/// A value that another thread may set.
final class Seen<Value: Sendable>: Sendable {
    private let guarded = Guarded<Value?>(nil)

    var value: Value? {
        get { guarded.withLock { $0 } }
        set { guarded.withLock { $0 = newValue } }
    }
}
