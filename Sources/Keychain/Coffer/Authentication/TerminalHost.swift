internal import CofferBasics
internal import VaultFiles

extension AuthenticationHost {
    /// A host that asks at the terminal of the process, for the passphrase of the vault or for an application password.
    ///
    /// If there is no terminal, or the process is in the background, nothing is asked and the call fails.
    ///
    /// ```swift
    /// AuthenticationHost.install(.terminal)
    /// ```
    public static let terminal = AuthenticationHost { prompt in
        // One question at a time.
        terminalUse.withLock { _ in prompt.askAtTerminal() }
    }

    private static let terminalUse = Guarded(())
}

extension AuthenticationHost.Prompt {
    fileprivate func askAtTerminal() -> AuthenticationHost.Answer {
        guard let terminal = ControllingTerminal() else { return .failure(.notInteractive) }
        let name: String
        var isNew = false
        switch request {
        case .user: name = "Passphrase"
        case .applicationPassword: name = "Password of the item"
        case .newApplicationPassword: (name, isNew) = ("New password of the item", true)
        }
        let program = ApplicationIdentifier.default(
            environment: ProgramEnvironment(),
            executable: CurrentProcess.executable ?? "a program"
        )
        let reason = "\(program) \(localizedReason).\n".escapingInvisibleInLines
        let question = wrongAnswerCount == 0 ? "\(reason)\(name): " : "That is wrong; try again.\n\(name): "
        guard let answer = terminal.passphrase(question) else { return .failure(.userCancel) }
        guard isNew else { return .password(answer) }
        guard let again = terminal.passphrase("Repeat: ") else { return .failure(.userCancel) }
        return answer == again ? .password(answer) : .failure(.authenticationFailed)
    }
}

extension ControllingTerminal {
    /// What the user types; nil if the user cancels or types nothing.
    fileprivate func passphrase(_ question: String) -> Passphrase? {
        var buffer = SecretBuffer(byteCount: Passphrase.byteCountLimit)
        let byteCount = buffer.withMutableSpan { bytes in
            try? secret(question, into: &bytes) { !Task.isCancelled }
        }
        guard let byteCount = byteCount ?? nil, byteCount > 0 else { return nil }
        return buffer.withSpan { Passphrase($0.extracting(..<byteCount)) }
    }
}
