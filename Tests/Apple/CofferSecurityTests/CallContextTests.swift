import Coffer
import Foundation
import LocalAuthentication
import Security
import KeychainTestSupport
import TestSupport
import Testing

/// Contexts of LocalAuthentication in calls of the keychain.
@Suite("Calls: authentication contexts", .ownKeychain) struct CallContextTests {
    private func add(_ flags: SecAccessControlCreateFlags = .userPresence, account: String = "kim") throws {
        let control = try #require(SecAccessControlCreateWithFlags(nil, "ak" as CFString, flags, nil))
        let item: [CFString: Any] = .genp(account, [kSecAttrAccessControl: control, kSecValueData: Data("x")])
        try #require(Call.add(item) == 0)
    }

    private func query(_ context: LAContext, _ more: [CFString: Any] = [:]) -> [CFString: Any] {
        .genp([kSecUseAuthenticationContext: context]).with(more)
    }

    @Test func `a context that a call authenticated is not asked again`() throws {
        try add()
        let host = ScriptedHost(.success)
        let context = LAContext()
        #expect(try host.run { try Call.text(query(context)) } == "x")
        #expect(host.run { Call.update(query(context), [kSecValueData: Data("y")]) } == 0)
        #expect(try host.run { try Call.text(query(context)) } == "y")
        #expect(host.requests.count == 1)
    }

    @Test func `an evaluated context suffices, even if the call forbids asking`() async throws {
        try add()
        let host = ScriptedHost(.success)
        let context = LAContext()
        try await LAHost.with(host.host) {
            try await context.evaluatePolicy(.deviceOwnerAuthentication, localizedReason: "to test")
            #expect(Call.find(query(context, [kSecUseAuthenticationUI: kSecUseAuthenticationUIFail])) == 0)
            #expect(Call.find(query(context, [kSecUseAuthenticationUI: kSecUseAuthenticationUISkip])) == 0)
        }
        #expect(host.requests.count == 1)
    }

    @Test func `a context that forbids interaction is not asked for`() throws {
        try add()
        let context = LAContext()
        context.interactionNotAllowed = true
        let host = ScriptedHost(.success)
        host.run { #expect(Call.find(query(context)) == -25308) }
        #expect(host.requests == [])
    }

    @Test func `the reason and the titles of the context are shown`() throws {
        try add()
        let context = LAContext()
        context.localizedReason = "to sign in"
        context.localizedFallbackTitle = "Another way"
        context.localizedCancelTitle = "No"
        let host = ScriptedHost(.success)
        host.run { #expect(Call.find(query(context)) == 0) }
        #expect(host.lastPrompt?.localizedReason == "to sign in")
        #expect(host.lastPrompt?.localizedFallbackTitle == "Another way")
        #expect(host.lastPrompt?.localizedCancelTitle == "No")
    }

    @Test func `an invalidated context gives nothing`() throws {
        try add()
        let context = LAContext()
        let host = ScriptedHost(.success, .success)
        host.run {
            #expect(Call.find(query(context)) == 0)
            context.invalidate()
            #expect(Call.find(query(context)) == -25293)
        }
        #expect(host.requests.count == 1)
    }

    @Test func `invalidating a context ends a call that waits for the user`() async throws {
        try add()
        let (asked, asking) = AsyncStream<Void>.makeStream()
        let host = LAHost { _ in
            asking.finish()
            for await _ in AsyncStream<Void>.makeStream().stream {}
            return .success
        }
        let context = LAContext()
        let keychain = try CallSample.current.keychain
        async let status = LAHost.with(host) {
            Keychain.withDefault(keychain) { Call.find(query(context)) }
        }
        for await _ in asked {}
        context.invalidate()
        #expect(await status == -25293)
    }

    @Test func `calls that wait for the user do not keep the host from running`() async throws {
        try add()
        let keychain = try CallSample.current.keychain
        let host = LAHost { _ in
            await Task.yield()
            return .success
        }
        // More calls than threads that tasks share.
        let statuses = await withTaskGroup(of: OSStatus.self) { group in
            for _ in 0..<32 {
                group.addTask {
                    LAHost.with(host) { Keychain.withDefault(keychain) { Call.find(.genp()) } }
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(statuses == Array(repeating: 0, count: 32))
    }

    @Test func `a success counts for contexts that allow its age`() throws {
        try add()
        let host = ScriptedHost(.success, .failure(.userCancel))
        let context = LAContext()
        context.touchIDAuthenticationAllowableReuseDuration = 300
        // The copies of a host share when it succeeded.
        let installed = host.host
        LAHost.with(installed) {
            #expect(Call.find(.genp()) == 0)
            #expect(Call.find(query(context)) == 0)
            #expect(Call.find(.genp()) == -128)
        }
        #expect(host.requests.count == 2)
    }

    @Test func `a subclass that says it is authenticated does not convince the keychain`() throws {
        final class Willing: LAContext, @unchecked Sendable {
            override func evaluatePolicy(
                _ policy: LAPolicy,
                localizedReason: String,
                reply: @escaping @Sendable (Bool, (any Error)?) -> Void
            ) {
                reply(true, nil)
            }
        }
        try add()
        LAHost.with(nil) { #expect(Call.find(query(Willing())) == -25308) }
    }

    @Test(arguments: ["context", ""])
    func `a context of another type is ignored`(context: String) throws {
        try add()
        LAHost.with(nil) { #expect(Call.find(.genp([kSecUseAuthenticationContext: context])) == -25308) }
    }
}
