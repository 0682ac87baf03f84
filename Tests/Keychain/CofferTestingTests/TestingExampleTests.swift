import Coffer
import CofferTesting
import Foundation
import Security
import Testing

/// A typical program that stores a token and knows nothing of tests.
private enum Session {
    enum Failure: Error, Equatable {
        case locked
        case other(OSStatus)
    }

    static func signIn(_ account: String, token: String) throws(Failure) {
        var status = SecItem.update(account, token)
        if status == errSecItemNotFound { status = SecItem.add(account, token) }
        // Another process added it in the meantime.
        if status == errSecDuplicateItem { status = SecItem.update(account, token) }
        switch status {
        case errSecSuccess: return
        case errSecInteractionNotAllowed: throw .locked
        default: throw .other(status)
        }
    }
}

private func signIn(_ account: String) { #expect(SecItem.add(account, "t0k3n") == errSecSuccess) }

/// The examples of `Spec/testing.md`, for a program that stores a token.
@Suite(.keychain) struct SignInTests {
    @Test(arguments: ["kim", "lee"]) func `a token is kept`(account: String) throws {
        try Session.signIn(account, token: "t0k3n")
        let test = try TestKeychain.current
        #expect(try test.keychain.secretText(GenericPassword.self, where: .account(.init(account))) == "t0k3n")
        #expect(try test.keychain.count(GenericPassword.self) == 1)
    }

    @Test func `a queue can use the keychain of the test`() throws {
        let queue = DispatchQueue(label: "sign in")
        let keychain = try TestKeychain.current.keychain
        queue.async { Keychain.withDefault(keychain) { signIn("kim") } }
        queue.sync {}
        #expect(SecItem.text("kim") == "t0k3n")
    }

    @Test func `a token is updated before it is added`() throws {
        try Session.signIn("kim", token: "t0k3n")
        let calls = try TestKeychain.current.calls
        try #require(calls.map(\.operation) == [.update, .add])
        #expect(calls[1].attributes[kSecAttrAccount as String] == "kim")
        #expect(calls[1].itemClass == .genericPassword)
        #expect(calls[1].carriesSecret)
    }

    @Test func `signing in fails while the device is locked`() throws {
        let test = try TestKeychain.current
        try Session.signIn("kim", token: "one")
        test.lock()
        #expect(throws: Session.Failure.locked) { try Session.signIn("kim", token: "two") }
        try test.unlock()
        #expect(SecItem.text("kim") == "one")
    }

    @Test func `a full disk is reported`() throws {
        try TestKeychain.current.fail(.diskFull, on: .firstCall { $0.operation == .add })
        #expect(throws: Session.Failure.other(errSecNotAvailable)) { try Session.signIn("kim", token: "one") }
        #expect(SecItem.find("kim") == errSecItemNotFound)
    }

    @Test func `a concurrent sign-in elsewhere does no harm`() throws {
        let login = GenericPassword(service: "api", account: "kim")
        try TestKeychain.current.fail(
            .changedByOther { other in try other.add(login, secret: "other") },
            on: .firstCall { $0.operation == .add }
        )
        try Session.signIn("kim", token: "one")
        #expect(SecItem.text("kim") == "one")
    }

    @Test func `a test advances the clock`() async throws {
        let clock = TestClock()
        let start = clock.now
        clock.advance(by: .milliseconds(200))
        #expect(start.duration(to: clock.now) == .milliseconds(200))
        // Sleeping does not wait.
        try await clock.sleep(until: start.advanced(by: .seconds(3600)), tolerance: nil)
        #expect(start.duration(to: clock.now) == .seconds(3600))
        try await clock.sleep(until: start, tolerance: nil)
        #expect(start.duration(to: clock.now) == .seconds(3600))
        // A task that sleeps repeatedly can be canceled too.
        let task = Task { while true { try await clock.sleep(for: .seconds(1)) } }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
    }
}
