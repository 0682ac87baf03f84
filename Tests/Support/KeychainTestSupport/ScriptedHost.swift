package import Coffer
internal import CofferBasics

/// A host that gives the answers of a script, one after the other, and records the prompts.
package final class ScriptedHost: Sendable {
    private let prompts = Guarded<[AuthenticationHost.Prompt]>([])
    private let answers: Guarded<[AuthenticationHost.Answer]>
    private let enrolled: Guarded<[UInt8]?>
    private let biometryType: BiometryType

    /// Creates a host.
    ///
    /// - Parameters:
    ///   - answers: The answers; when all have been given, the host fails.
    ///   - biometryType: The biometry that the host supports.
    ///   - enrolled: What it says about enrolled biometry.
    package init(
        _ answers: AuthenticationHost.Answer...,
        biometryType: BiometryType = .none,
        enrolled: [UInt8]? = nil
    ) {
        self.answers = Guarded(answers)
        self.biometryType = biometryType
        self.enrolled = Guarded(enrolled)
    }

    package var host: AuthenticationHost {
        AuthenticationHost(
            biometryType: biometryType,
            enrolledBiometry: { [self] in enrolled.withLock { $0 } },
            asking: { [self] prompt in
                prompts.withLock { $0.append(prompt) }
                return answers.withLock { $0.isEmpty ? .failure(.authenticationFailed) : $0.removeFirst() }
            }
        )
    }

    /// The subjects of the prompts so far.
    package var requests: [AuthenticationHost.Prompt.Request] { prompts.withLock { $0.map(\.request) } }

    /// The last prompt.
    package var lastPrompt: AuthenticationHost.Prompt? { prompts.withLock { $0.last } }

    /// Runs `body` with this host.
    package func run<Result>(_ body: () throws -> Result) rethrows -> Result {
        try AuthenticationHost.with(host, body)
    }
}

extension AuthenticationHost {
    /// A host with biometry, whose user agrees to everything and has the application password `password`.
    package static let willing = AuthenticationHost(biometryType: .touchID, enrolledBiometry: { [1] }) { prompt in
        if case .user = prompt.request { .success } else { .password("password") }
    }
}

extension AuthenticationHost.Answer {
    /// The user enters this text.
    package static func password(_ text: String) -> Self { .password(Passphrase(text)) }
}
