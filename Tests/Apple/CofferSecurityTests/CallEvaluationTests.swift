import Foundation
import LocalAuthentication
import Security
import KeychainTestSupport
import TestSupport
import Testing

/// Evaluations of an access control before the calls that need it.
@Suite("Calls: evaluated access controls", .ownKeychain) struct CallEvaluationTests {
    private let context = LAContext()

    private func control(_ flags: SecAccessControlCreateFlags) throws -> SecAccessControl {
        try #require(SecAccessControlCreateWithFlags(nil, "ak" as CFString, flags, nil))
    }

    private func item(_ control: SecAccessControl) -> [CFString: Any] {
        .genp(
            "kim",
            [
                kSecAttrAccessControl: control, kSecValueData: Data("x"), kSecUseAuthenticationContext: context,
            ]
        )
    }

    /// A query that does not ask.
    private var query: [CFString: Any] {
        .genp([kSecUseAuthenticationContext: context, kSecUseAuthenticationUI: kSecUseAuthenticationUIFail])
    }

    private func evaluate(
        _ control: SecAccessControl,
        _ operation: LAAccessControlOperation,
        by host: ScriptedHost
    ) async throws {
        try await LAHost.with(host.host) {
            _ = try await context.evaluateAccessControl(control, operation: operation, localizedReason: "to test")
        }
    }

    @Test func `an evaluated item can be used without a question`() async throws {
        let control = try control([.biometryAny, .and, .devicePasscode])
        #expect(Call.add(item(control)) == 0)
        #expect(Call.find(query) == -25308)
        let host = ScriptedHost(.success, .success, biometryType: .touchID)
        try await evaluate(control, .useItem, by: host)
        #expect(host.requests == [.user(.biometry), .user(.passphrase)])
        #expect(host.lastPrompt?.localizedReason == "to test")
        #expect(try Call.text(query) == "x")
    }

    @Test(arguments: [LAAccessControlOperation.createItem, .createKey])
    func `making an item demands only a new password`(operation: LAAccessControlOperation) async throws {
        let control = try control([.userPresence, .applicationPassword])
        let host = ScriptedHost(.password("right"))
        try await evaluate(control, operation, by: host)
        #expect(host.requests == [.newApplicationPassword])
        #expect(context.isCredentialSet(.applicationPassword))
        #expect(Call.add(item(control)) == 0)
        #expect(Call.find(query) == -25308)
    }

    @Test func `everything is asked for once`() async throws {
        let control = try control([.userPresence, .applicationPassword])
        context.setCredential(Data("right"), type: .applicationPassword)
        #expect(Call.add(item(control)) == 0)
        context.setCredential(nil, type: .applicationPassword)
        let host = ScriptedHost(.success, .password("right"))
        for operation in [LAAccessControlOperation.useItem, .useKeySign, .useKeyDecrypt, .useKeyKeyExchange] {
            try await evaluate(control, operation, by: host)
        }
        #expect(host.requests == [.user(.passphrase), .applicationPassword])
        #expect(try Call.text(query) == "x")
    }

    @Test(arguments: [
        (SecAccessControlCreateFlags.userPresence, LAHost.Answer.failure(.userCancel), LAError.userCancel),
        (.applicationPassword, .failure(.userCancel), LAError.userCancel),
        (.applicationPassword, .success, LAError.authenticationFailed),
        (.biometryAny, .success, LAError.biometryNotAvailable),
    ])
    func `a failure is thrown, and nothing is proven`(
        flags: SecAccessControlCreateFlags,
        answer: LAHost.Answer,
        code: LAError.Code
    ) async throws {
        let control = try control(flags)
        await #expect(throws: LAError(code)) { try await evaluate(control, .useItem, by: ScriptedHost(answer)) }
        context.setCredential(Data("right"), type: .applicationPassword)
        #expect(Call.add(item(control)) == 0)
        context.setCredential(nil, type: .applicationPassword)
        #expect(Call.find(.genp([kSecUseAuthenticationContext: context])) == -25308)
    }

    @Test func `biometry that was enrolled since does not count`() async throws {
        let host = ScriptedHost(.success, .success, biometryType: .touchID, enrolled: [1])
        let new = item(try control(.biometryCurrentSet))
        #expect(host.run { Call.add(new) } == 0)
        let found = try host.run { try Call.attributes(.genp()) }
        let control = try #require(found[kSecAttrAccessControl as String] as? SecAccessControl)
        let other = ScriptedHost(.success, biometryType: .touchID, enrolled: [2])
        await #expect(throws: LAError(.authenticationFailed)) { try await evaluate(control, .useItem, by: other) }
        #expect(other.requests == [])
        try await evaluate(control, .useItem, by: host)
        #expect(host.requests.count == 2)
    }

    @Test func `invalidating the context withdraws the question`() async throws {
        let control = try control(.userPresence)
        let (asked, asking) = AsyncStream<Void>.makeStream()
        let host = LAHost { _ in
            asking.finish()
            for await _ in AsyncStream<Void>.makeStream().stream {}
            return .success
        }
        let (replies, replying) = AsyncStream<LAError.Code?>.makeStream()
        LAHost.with(host) {
            context.evaluateAccessControl(control, operation: .useItem, localizedReason: "to test") { _, error in
                replying.yield((error as? LAError)?.code)
                replying.finish()
            }
        }
        for await _ in asked {}
        context.invalidate()
        #expect(await replies.reduce(into: []) { $0.append($1) } == [.appCancel])
    }
}
