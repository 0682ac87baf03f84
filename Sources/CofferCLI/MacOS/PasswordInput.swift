internal import Coffer
internal import CofferBasics

extension Option {
    static let password = Option(
        "-w",
        argument: .valueUnlessLast("PASSWORD"),
        summary: "the password; as the last word: ask for it",
        isRepeatable: true
    )
    static let olderPassword = Option(
        "-p",
        argument: .value("PASSWORD", .nothing),
        summary: "the same as -w PASSWORD",
        isRepeatable: true
    )
    static let hexadecimalPassword = Option(
        "-X",
        argument: .value("DIGITS", .nothing),
        summary: "the password in hexadecimal digits",
        isRepeatable: true
    )
}

extension Run {
    /// The password that the options give, or somebody who is asked; nil if they say nothing of one.
    func givenPassword() throws -> HeldSecret? {
        let text = arguments.value(of: .password) ?? arguments.value(of: .olderPassword)
        let digits = arguments.value(of: .hexadecimalPassword)
        if let digits {
            guard !arguments.has(.password), !arguments.has(.olderPassword) else {
                throw CommandError.usage("the password is there twice: leave -X or -w out")
            }
            let secret = try HeldSecret(hexadecimal: digits)
            warnOfVisiblePassword("-X")
            return secret
        }
        if let text {
            warnOfVisiblePassword(arguments.has(.password) ? "-w" : "-p")
            return HeldSecret(copying: text.utf8Span.span)
        }
        guard arguments.has(.password) else { return nil }
        return try askedPassword()
    }

    /// Says that others can read a word of the command line, if there is one.
    func warnOfVisiblePassword(_ option: String) {
        guard !isLine else { return }
        messages.warning(
            """
            whoever is on this machine can read the password behind \(option) while the command runs, and the shell may keep it
            """
        )
    }

    private func askedPassword() throws -> HeldSecret {
        let answer = try twice("password data for new item: ", "retype password for new item: ", "the password") {
            "write the secret to the standard input of coffer set instead"
        }
        return answer.withBytes { HeldSecret(copying: $0) }
    }

    /// What somebody types twice.
    ///
    /// - Parameters:
    ///   - question: The first question.
    ///   - again: The second one.
    ///   - name: What is asked for.
    ///   - hint: What to do where nobody can be asked.
    /// - Returns: The answer.
    /// - Throws: That nobody can be asked, or that the two are not the same.
    func twice(
        _ question: String,
        _ again: String,
        _ name: String,
        _ hint: () -> String
    ) throws -> Passphrase {
        let limit = Passphrase.byteCountLimit
        do {
            let answer = try prompter.twice(question, again: again, byteCountLimit: limit, for: name)
            guard let answer else { throw CommandError(.failure, "nobody gave \(name); nothing was changed") }
            return answer
        } catch {
            var error = CommandError(error)
            guard error.code == .locked else { throw error }
            error.hints.append(hint())
            throw error
        }
    }
}

extension HeldSecret {
    /// The bytes that hexadecimal digits say.
    convenience init(hexadecimal digits: String) throws {
        let digits = digits.utf8Span.span
        guard digits.count % 2 == 0 else {
            throw CommandError.usage("-X takes two hexadecimal digits for each byte, and there are \(digits.count)")
        }
        var buffer = SecretBuffer(byteCount: digits.count / 2)
        let isValid = buffer.withMutableSpan { bytes in
            for index in bytes.indices {
                guard let high = digits[2 * index].hexadecimalValue,
                    let low = digits[2 * index + 1].hexadecimalValue
                else {
                    return false
                }
                bytes[index] = high << 4 | low
            }
            return true
        }
        // Which letter it is would tell of a secret.
        guard isValid else { throw CommandError.usage("-X takes hexadecimal digits only: 0 to 9, and a to f") }
        self.init(buffer: buffer)
    }
}
