import Coffer
import Foundation
import LocalAuthentication
import Synchronization
import KeychainTestSupport
import TestSupport
import Testing

/// The reply of an evaluation.
private struct Reply: Equatable {
    var isAuthenticated: Bool
    var code: LAError.Code?
}

extension LAContext {
    fileprivate func reply(to policy: LAPolicy = .deviceOwnerAuthentication) async -> Reply {
        await withCheckedContinuation { continuation in
            evaluatePolicy(policy, localizedReason: "to test") { isAuthenticated, error in
                continuation.resume(
                    returning: Reply(isAuthenticated: isAuthenticated, code: (error as? LAError)?.code)
                )
            }
        }
    }
}

/// Events in the order in which they happened.
private final class Order: Sendable {
    let events = Mutex<[String]>([])
}

/// A host that answers immediately.
private func host(_ answer: LAHost.Answer, biometryType: LABiometryType = .none) -> LAHost {
    LAHost(biometryType: biometryType) { _ in answer }
}

@Suite("Authentication contexts") struct LAContextTests {
    @Test(arguments: [
        (LAPolicy.deviceOwnerAuthentication, LAError.passcodeNotSet),
        (.deviceOwnerAuthenticationWithBiometrics, LAError.biometryNotAvailable),
    ])
    func `authentication fails without a host`(policy: LAPolicy, code: LAError.Code) async {
        await LAHost.with(nil) {
            let context = LAContext()
            var error: NSError?
            #expect(!context.canEvaluatePolicy(policy, error: &error))
            #expect(error.map(LAError.init)?.code == code)
            #expect(!context.canEvaluatePolicy(policy, error: nil))
            #expect(context.biometryType == .none)
            #expect(await context.reply(to: policy) == Reply(isAuthenticated: false, code: code))
            await #expect(throws: LAError(code)) {
                try await context.evaluatePolicy(policy, localizedReason: "to test")
            }
        }
    }

    @Test(arguments: [
        (LAHost.Answer.success, Reply(isAuthenticated: true)),
        (.failure(.userCancel), Reply(isAuthenticated: false, code: .userCancel)),
    ])
    fileprivate func `the host's answer is the reply`(answer: LAHost.Answer, reply: Reply) async {
        await LAHost.with(host(answer)) {
            var error: NSError?
            #expect(LAContext().canEvaluatePolicy(.deviceOwnerAuthentication, error: &error))
            #expect(error == nil)
            #expect(await LAContext().reply() == reply)
        }
    }

    @Test func `the host receives the values set on the context`() async {
        let prompts = Mutex<[LAHost.Prompt]>([])
        let host = LAHost { prompt in
            prompts.withLock { $0.append(prompt) }
            return .success
        }
        await LAHost.with(host) {
            let context = LAContext()
            context.localizedFallbackTitle = "Another way"
            context.localizedCancelTitle = "No"
            _ = await context.reply()
        }
        let prompt = prompts.withLock { $0.first }
        #expect(prompt?.request == .user(.passphrase))
        #expect(prompt?.localizedReason == "to test")
        #expect(prompt?.localizedFallbackTitle == "Another way")
        #expect(prompt?.localizedCancelTitle == "No")
    }

    @Test(arguments: [LABiometryType.touchID, .faceID, .opticID])
    func `a host that supports biometry can be asked for it`(type: LABiometryType) async {
        await LAHost.with(host(.success, biometryType: type)) {
            #expect(LAContext().biometryType == type)
            #expect(LAContext().canEvaluatePolicy(.deviceOwnerAuthenticationWithBiometrics, error: nil))
            #expect(await LAContext().reply(to: .deviceOwnerAuthenticationWithBiometrics).isAuthenticated)
        }
    }

    @Test func `a host without biometry is not asked for it`() async {
        await LAHost.with(host(.success)) {
            let reply = await LAContext().reply(to: .deviceOwnerAuthenticationWithBiometrics)
            #expect(reply == Reply(isAuthenticated: false, code: .biometryNotAvailable))
        }
    }

    @Test func `a context that forbids interaction does not prompt`() async {
        await LAHost.with(host(.success)) {
            let context = LAContext()
            context.interactionNotAllowed = true
            #expect(await context.reply() == Reply(isAuthenticated: false, code: .notInteractive))
        }
    }

    @Test func `an invalidated context evaluates nothing`() async {
        await LAHost.with(host(.success)) {
            let context = LAContext()
            context.invalidate()
            var error: NSError?
            #expect(!context.canEvaluatePolicy(.deviceOwnerAuthentication, error: &error))
            #expect(error?.code == LAError.invalidContext.rawValue)
            #expect(await context.reply() == Reply(isAuthenticated: false, code: .invalidContext))
        }
    }

    @Test func `invalidating a context ends a pending evaluation and cancels the host's task`() async {
        let (asked, asking) = AsyncStream<Void>.makeStream()
        let (cancelled, cancelling) = AsyncStream<Void>.makeStream()
        let host = LAHost { _ in
            asking.finish()
            // Ends only when the task is canceled.
            for await _ in AsyncStream<Void>.makeStream().stream {}
            cancelling.finish()
            return .success
        }
        let context = LAContext()
        async let reply = LAHost.with(host) { await context.reply() }
        for await _ in asked {}
        context.invalidate()
        #expect(await reply == Reply(isAuthenticated: false, code: .appCancel))
        for await _ in cancelled {}
    }

    @Test func `the reply is never delivered within the call`() async {
        let order = Order()
        await withCheckedContinuation { continuation in
            LAHost.with(nil) {
                // The lock is held until the call returns: a reply within the call would trap or deadlock.
                order.events.withLock { events in
                    LAContext().evaluatePolicy(.deviceOwnerAuthentication, localizedReason: "to test") { _, _ in
                        order.events.withLock { $0.append("reply") }
                        continuation.resume()
                    }
                    events.append("return")
                }
            }
        }
        #expect(order.events.withLock { $0 } == ["return", "reply"])
    }

    @Test func `canceling the task ends the wait`() async {
        let (asked, asking) = AsyncStream<Void>.makeStream()
        let host = LAHost { _ in
            asking.finish()
            for await _ in AsyncStream<Void>.makeStream().stream {}
            return .success
        }
        let context = LAContext()
        let task = Task {
            try await LAHost.with(host) {
                try await context.evaluatePolicy(.deviceOwnerAuthentication, localizedReason: "to test")
            }
        }
        for await _ in asked {}
        task.cancel()
        await #expect(throws: LAError(.appCancel)) { try await task.value }
        context.invalidate()
    }

    @Test func `a task continues after authentication`() async throws {
        let isAuthenticated = try await LAHost.with(host(.success)) {
            try await LAContext().evaluatePolicy(.deviceOwnerAuthentication, localizedReason: "to test")
        }
        #expect(isAuthenticated)
    }

    @Test func `both forms of evaluation use the override of a subclass`() async throws {
        final class Willing: LAContext, @unchecked Sendable {
            override func evaluatePolicy(
                _ policy: LAPolicy,
                localizedReason: String,
                reply: @escaping @Sendable (Bool, (any Error)?) -> Void
            ) {
                reply(true, nil)
            }
        }
        #expect(await Willing().reply() == Reply(isAuthenticated: true))
        #expect(try await Willing().evaluatePolicy(.deviceOwnerAuthentication, localizedReason: "to test"))
    }

    @Test func `a context that was evaluated does not ask again`() async {
        let host = ScriptedHost(.success, .failure(.userCancel), biometryType: .faceID)
        await LAHost.with(host.host) {
            let context = LAContext()
            #expect(await context.reply(to: .deviceOwnerAuthenticationWithBiometrics).isAuthenticated)
            #expect(await context.reply(to: .deviceOwnerAuthenticationWithBiometrics).isAuthenticated)
            // Biometry is one of the ways of the other policy too.
            #expect(await context.reply().isAuthenticated)
            #expect(host.requests == [.user(.biometry)])
            #expect(await LAContext().reply().code == .userCancel)
        }
    }

    @Test func `either of two ways does not count as one of them`() async {
        let host = ScriptedHost(.success, .failure(.userCancel), biometryType: .touchID)
        await LAHost.with(host.host) {
            let context = LAContext()
            #expect(await context.reply().isAuthenticated)
            #expect(await context.reply(to: .deviceOwnerAuthenticationWithBiometrics).code == .userCancel)
        }
    }

    @Test func `the state of enrolled biometry is the host's`() {
        ScriptedHost(biometryType: .touchID, enrolled: [1, 2]).run {
            #expect(LAContext().evaluatedPolicyDomainState == Data([1, 2]))
            let state = LAContext().domainState
            #expect(state.biometry.biometryType == .touchID && state.biometry.stateHash == Data([1, 2]))
            #expect(state.stateHash == Data([1, 2]) && state.companion.stateHash == nil)
        }
        LAHost.with(nil) {
            let state = LAContext().domainState
            #expect(state.biometry.biometryType == .none && state.biometry.stateHash == nil && state.stateHash == nil)
        }
        ScriptedHost(enrolled: [1, 2]).run { #expect(LAContext().evaluatedPolicyDomainState == nil) }
    }

    @Test func `an application password can be set and removed`() {
        let context = LAContext()
        #expect(!context.isCredentialSet(.applicationPassword))
        #expect(context.setCredential(Data("secret".utf8), type: .applicationPassword))
        #expect(context.isCredentialSet(.applicationPassword))
        #expect(context.setCredential(nil, type: .applicationPassword))
        #expect(!context.isCredentialSet(.applicationPassword))
        #expect(!context.setCredential(Data(), type: .applicationPassword))
        #expect(!context.setCredential(Data("1".utf8), type: .smartCardPIN))
        #expect(LACredentialType.applicationPassword.rawValue == 0 && LACredentialType.smartCardPIN.rawValue == -3)
    }

    @Test func `a context keeps the values that are set`() {
        let context = LAContext()
        context.localizedReason = "to read"
        context.touchIDAuthenticationAllowableReuseDuration = LATouchIDAuthenticationMaximumAllowableReuseDuration
        #expect(context.localizedReason == "to read")
        #expect(context.touchIDAuthenticationAllowableReuseDuration == 300)
        #expect(context.evaluatedPolicyDomainState == nil)
    }
}

@Suite("The host of the process", .serialized) struct LAHostTests {
    @Test func `the host of the process is used unless the task has its own`() async {
        LAHost.install(host(.failure(.userFallback)))
        #expect(await LAContext().reply().code == .userFallback)
        #expect(await LAHost.with(host(.success)) { await LAContext().reply().isAuthenticated })
        #expect(LAHost.with(nil) { LAHost.current == nil })
        LAHost.install(nil)
        #expect(LAHost.current == nil)
        #expect(await LAContext().reply().code == .passcodeNotSet)
    }

    @Test func `policies and kinds of biometry have Apple's numbers`() {
        #expect(LAPolicy.deviceOwnerAuthenticationWithBiometrics.rawValue == 1)
        #expect(LAPolicy.deviceOwnerAuthentication.rawValue == 2)
        #expect(LABiometryType.none.rawValue == 0)
        #expect(LABiometryType.touchID.rawValue == 1)
        #expect(LABiometryType.faceID.rawValue == 2)
        #expect(LABiometryType.opticID.rawValue == 4)
    }
}
