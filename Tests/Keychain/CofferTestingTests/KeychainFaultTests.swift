import Coffer
import CofferBasics
import CofferTesting
import Foundation
import Security
import Testing

@Suite("Faults of keychains", .keychain) struct KeychainFaultTests {
    private let login = GenericPassword(service: "api", account: "kim")

    // MARK: - Which calls

    @Test func `a fault affects the next call, once`() throws {
        let test = try TestKeychain.current
        test.fail(.locked)
        #expect(SecItem.find("kim") == errSecInteractionNotAllowed)
        #expect(SecItem.find("kim") == errSecItemNotFound)
    }

    @Test func `a fault affects the call with a given number, once`() throws {
        let test = try TestKeychain.current
        test.fail(.locked, on: .call(3))
        #expect((1...4).map { _ in SecItem.find("kim") } == [-25300, -25300, -25308, -25300])
        test.forgetCalls()
        test.fail(.locked, on: .call(2))
        #expect((1...3).map { _ in SecItem.find("kim") } == [-25300, -25308, -25300])
    }

    @Test func `a fault affects the first matching call`() throws {
        try TestKeychain.current.fail(.duplicate, on: .firstCall { $0.operation == .add })
        #expect(SecItem.find("kim") == errSecItemNotFound)
        #expect(SecItem.add("kim", "one") == errSecDuplicateItem)
        #expect(SecItem.add("kim", "one") == errSecSuccess)
    }

    @Test func `a fault affects all matching calls until it is removed`() throws {
        let test = try TestKeychain.current
        test.fail(.locked, on: .calls { $0.attributes["acct"] == "kim" })
        #expect(["kim", "lee", "kim"].map { SecItem.find($0) } == [-25308, -25300, -25308])
        test.fail(.error(.itemNotFound), on: .allCalls)
        #expect(SecItem.add("lee", "one") == errSecItemNotFound)
        test.removeFaults()
        #expect(SecItem.find("kim") == errSecItemNotFound)
        #expect(SecItem.add("lee", "one") == errSecSuccess)
    }

    @Test func `several faults apply in order, up to the first that throws`() throws {
        let (test, waited) = (try TestKeychain.current, Waited())
        test.fail(.slow(.seconds(1), wait: waited.wait), on: .call(1))
        test.fail(.locked, on: .call(1))
        test.fail(.slow(.seconds(2), wait: waited.wait), on: .call(1))
        #expect(SecItem.find("kim") == errSecInteractionNotAllowed)
        #expect(waited.durations == [.seconds(1)])
        #expect(SecItem.find("kim") == errSecItemNotFound)
    }

    @Test func `a closure that matches calls can read the calls and add a fault`() throws {
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

    // The numbers in the doc comments of the kinds.
    @Test(
        arguments: [
            (.wrongSecret, -25293), (.secretNeeded, -25308), (.notARecoveryCode, -50), (.readOnly, -25292),
            (.inputOutput, -36), (.tooLarge, -25302), (.damagedItem, -26275), (.outOfMemory, -108), (.cancelled, -128),
            (.noVault, -25291), (.fileExists, -25291), (.notAVault, -25291), (.newerVersion, -25291),
            (.deviceKeyNeeded(["one"]), -25291), (.secretUnavailable, -25291), (.weakSecret, -25291),
            (.diskFull, -25291),
            (.busy, -25291), (.rolledBack, -25291), (.mustBeReopened, -25291), (.fileReplaced, -25291),
            (.damaged, -25291), (.unavailable, -25291),
        ] as [(VaultError.Kind, OSStatus)]
    )
    func `every kind of vault error has its status`(kind: VaultError.Kind, status: OSStatus) throws {
        try TestKeychain.current.fail(.error(.vault(VaultError(kind: kind, description: "simulated by the test"))))
        #expect(SecItem.find("kim") == status)
    }

    @Test(
        arguments: [
            (.locked, -25308), (.interactionNotAllowed, -25308), (.duplicate, -25299),
            (.damagedItem, -26275),
            (.error(.notEntitled(.anyGroup)), -34018), (.error(.noPassphrase), -25291),
        ] as [(KeychainFault, OSStatus)]
    )
    func `SecItem calls return the status of a fault and do nothing`(fault: KeychainFault, status: OSStatus) throws {
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

    @Test func `a transaction can continue after a fault in one of its calls`() throws {
        let test = try TestKeychain.current
        test.fail(.duplicate, on: .firstCall { $0.isInTransaction && $0.operation == .add })
        try test.keychain.transaction { transaction throws(KeychainError) in
            #expect(throws: KeychainError.duplicateItem) { try transaction.add(login) }
            try transaction.add(login)
        }
        #expect(try test.keychain.count(GenericPassword.self) == 1)
    }

    // MARK: - Slowness

    @Test func `a slow call runs after the test's own delay`() throws {
        let (test, waited) = (try TestKeychain.current, Waited())
        #expect(SecItem.add("kim", "one") == errSecSuccess)
        test.fail(.slow(.seconds(3600), wait: waited.wait))
        #expect(SecItem.text("kim") == "one")
        #expect(waited.durations == [.seconds(3600)])
    }

    @Test func `a slow call sleeps by default`() throws {
        try TestKeychain.current.fail(.slow(.milliseconds(2)))
        let duration = ContinuousClock().measure { #expect(SecItem.find("kim") == errSecItemNotFound) }
        #expect(duration >= .milliseconds(2))
    }

    @Test func `a slow call does not delay others`() async throws {
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
                Keychain.withDefault(test.keychain) { continuation.resume(returning: SecItem.text("kim")) }
            }.start()
            Thread {
                _ = reached.wait(timeout: .now() + 10)
                Keychain.withDefault(test.keychain) { _ = SecItem.update("kim", "two") }
                go.signal()
            }.start()
        }
        #expect(slow == "two")
    }

    // MARK: - The disk

    @Test func `a full disk stores nothing, and the keychain keeps working`() throws {
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

    @Test func `reading works on a full disk`() throws {
        let test = try TestKeychain.current
        #expect(SecItem.add("kim", "one") == errSecSuccess)
        test.fail(.diskFull, on: .allCalls)
        #expect(SecItem.text("kim") == "one")
        #expect(SecItem.delete("kim") == errSecNotAvailable)
        test.removeFaults()
        #expect(SecItem.delete("kim") == errSecSuccess)
    }

    @Test func `a full disk makes a transaction fail when it is written`() throws {
        let test = try TestKeychain.current
        test.fail(.diskFull, on: .firstCall { $0.operation == .transaction })
        let problem = problem {
            try test.keychain.transaction { transaction throws(KeychainError) in try transaction.add(login) }
        }
        #expect(problem == .diskFull)
        #expect(try test.keychain.count(GenericPassword.self) == 0)
    }

    @Test func `the engine detects a damaged vault, in that call and all later ones`() throws {
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

    /// The kind of the vault error that `body` throws.
    private func problem(_ body: () throws -> some Any) -> VaultError.Kind? {
        do {
            _ = try body()
        } catch KeychainError.vault(let problem) {
            return problem.kind
        } catch {}
        return nil
    }

    // MARK: - Others

    @Test func `a conditional update detects a change by another process`() throws {
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

    @Test func `another process can change the item right before a SecItem call`() throws {
        let test = try TestKeychain.current
        test.fail(.changedByOther { try $0.add(GenericPassword(service: "api", account: "kim"), secret: "two") })
        #expect(SecItem.add("kim", "one") == errSecDuplicateItem)
        #expect(SecItem.text("kim") == "two")
        test.fail(.changedByOther { _ = try $0.deleteAll(GenericPassword.self) })
        #expect(SecItem.update("kim", "one") == errSecItemNotFound)
    }

    @Test(.keychain(groups: AccessGroups(declared: ["TEAM.com.example.mail"]), hasPassphrase: true))
    func `the other process is the same program, unlocked and not recorded`() throws {
        let (test, groups) = (try TestKeychain.current, Seen<[String]>())
        try test.keychain.add(login, secret: "one")
        test.lock()
        test.fail(
            .changedByOther { other in
                try other.save(GenericPassword(service: "api", account: "kim"), secret: "two")
                groups.value = try other.groups.names
            }
        )
        #expect(SecItem.find("kim") == errSecInteractionNotAllowed)
        #expect(groups.value == ["TEAM.com.example.mail"])
        #expect(test.calls.map(\.operation) == [.add, .find])
        try test.unlock()
        #expect(SecItem.text("kim") == "two")
    }

    @Test func `no other process changes anything during a transaction`() throws {
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

    @Test func `an error in the other process's change is an issue of the test`() throws {
        let test = try TestKeychain.current
        test.fail(.changedByOther { try $0.delete(["class": "genp"]) })
        withKnownIssue {
            #expect(SecItem.find("kim") == errSecItemNotFound)
        } matching: { issue in
            issue.error as? KeychainError == .itemNotFound
        }
    }
}

/// Records delays without waiting.
private final class Waited: Sendable {
    private let noted = Guarded<[Duration]>([])

    var durations: [Duration] { noted.withLock { $0 } }

    var wait: @Sendable (Duration) -> Void {
        { duration in self.noted.withLock { $0.append(duration) } }
    }
}

/// A value that another thread can set.
final class Seen<Value: Sendable>: Sendable {
    private let guarded = Guarded<Value?>(nil)

    var value: Value? {
        get { guarded.withLock { $0 } }
        set { guarded.withLock { $0 = newValue } }
    }
}
