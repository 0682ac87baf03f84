import Coffer
import CofferTesting
import Foundation
import Security
import Testing

// Every case adds the same item, so cases that shared a keychain would collide.

@Suite("A keychain for each case of a test", .keychain) struct ParallelSecItemTests {
    @Test(arguments: 0..<12) func `a case sees only its own items`(number: Int) throws {
        #expect(SecItem.find("kim") == errSecItemNotFound)
        #expect(SecItem.add("kim", "secret \(number)") == errSecSuccess)
        #expect(SecItem.text("kim") == "secret \(number)")
        let keychain = try TestKeychain.current.keychain
        #expect(try keychain.secretText(GenericPassword.self, where: .account("kim")) == "secret \(number)")
    }
}

@Suite("A keychain for each case of a test, typed") struct ParallelTypedTests {
    @Test(.keychain, arguments: 0..<12) func `a case sees only its own items`(number: Int) async throws {
        let keychain = try TestKeychain.current.keychain
        try keychain.add(GenericPassword(service: "api", account: "kim"), secret: "secret \(number)")
        await Task.yield()
        #expect(try keychain.secretText(GenericPassword.self) == "secret \(number)")
        #expect(SecItem.text("kim") == "secret \(number)")
        #expect(try TestKeychain.current.calls.count == 3)
    }
}

@Suite("The trait for keychains", .keychain) struct KeychainTraitTests {
    @Test func `the default keychain in a test is the test's keychain`() throws {
        #expect(Keychain.default === (try TestKeychain.current.keychain))
    }

    @Test(.keychain(groups: AccessGroups(declared: ["TEAM.com.example.mail"]), hasPassphrase: true))
    func `a test can have its own groups and passphrase in a suite with others`() throws {
        #expect(SecItem.add("kim", "one", [kSecAttrAccessGroup: "TEAM.other"]) == errSecMissingEntitlement)
        let needsPassphrase = [kSecAttrAccessible: kSecAttrAccessibleWhenPasscodeSetThisDeviceOnly]
        #expect(SecItem.add("kim", "one", needsPassphrase) == errSecSuccess)
        #expect(try TestKeychain.current.keychain.groups.names == ["TEAM.com.example.mail"])
    }

    @Test func `tasks that the test starts inherit its keychain`() async throws {
        #expect(SecItem.add("kim", "one") == errSecSuccess)
        async let child = SecItem.text("kim")
        let unstructured = Task { SecItem.text("kim") }
        let group = await withTaskGroup(of: String?.self) { group in
            for _ in 0..<3 { group.addTask { SecItem.text("kim") } }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(await child == "one")
        #expect(await unstructured.value == "one")
        #expect(group == ["one", "one", "one"])
    }

    @Test func `a thread can use the test's keychain`() async throws {
        #expect(SecItem.add("kim", "one") == errSecSuccess)
        let test = try TestKeychain.current
        let seen = await onThread {
            // Do not use the default keychain here: it belongs to the user who runs the test.
            let inherits = Keychain.default === test.keychain
            let text = Keychain.withDefault(test.keychain) { SecItem.text("kim") }
            let answer = try? test.keychain.find(["class": "genp", "r_Data": true])
            return (inherits, text, answer, try? test.keychain.count(GenericPassword.self))
        }
        #expect(!seen.0)
        #expect(seen.1 == "one")
        #expect(seen.2 == .data(Array("one".utf8)))
        #expect(seen.3 == 1)
    }

    @Test func `a queue can use the test's keychain`() async throws {
        let test = try TestKeychain.current
        let status = await withCheckedContinuation { continuation in
            DispatchQueue.global().async {
                Keychain.withDefault(test.keychain) { continuation.resume(returning: SecItem.add("kim", "one")) }
            }
        }
        #expect(status == errSecSuccess)
        #expect(SecItem.text("kim") == "one")
    }

    @Test func `a detached task can use the test's keychain`() async throws {
        let test = try TestKeychain.current
        let (inherits, status) = await Task.detached {
            let inherits = Keychain.default === test.keychain
            return (inherits, Keychain.withDefault(test.keychain) { SecItem.add("kim", "one") })
        }.value
        #expect(!inherits)
        #expect(status == errSecSuccess)
        #expect(SecItem.text("kim") == "one")
    }

    private func onThread<Result: Sendable>(_ body: @escaping @Sendable () -> Result) async -> Result {
        await withCheckedContinuation { continuation in
            Thread { continuation.resume(returning: body()) }.start()
        }
    }
}

@Suite("Without the trait for keychains") struct NoKeychainTraitTests {
    @Test func `without the trait there is no keychain, and the test reports why`() throws {
        try withKnownIssue {
            _ = try TestKeychain.current
        } matching: { issue in
            issue.description.contains("lacks the trait `.keychain`")
        }
    }
}
