internal import Coffer
internal import CofferBasics

extension Option {
    static let password = Option(
        "-w",
        argument: .valueUnlessLast("PASSWORD"),
        summary: "password; as the last word, ask for it",
        isRepeatable: true
    )
    static let olderPassword = Option(
        "-p",
        argument: .value("PASSWORD", .nothing),
        summary: "same as -w PASSWORD",
        isRepeatable: true
    )
    static let hexadecimalPassword = Option(
        "-X",
        argument: .value("DIGITS", .nothing),
        summary: "password in hexadecimal digits",
        isRepeatable: true
    )
}

extension CommandRun {
    /// The password from the options or from the user; nil if no option for it is given.
    func givenPassword() throws -> HeldSecret? {
        let text = arguments.value(of: .password) ?? arguments.value(of: .olderPassword)
        let digits = arguments.value(of: .hexadecimalPassword)
        if let digits {
            guard !arguments.has(.password), !arguments.has(.olderPassword) else {
                throw CommandError.usage("the password was given twice; leave out -X or -w")
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

    /// Warns that others can read the value of an option, unless it comes from a line of an input.
    func warnOfVisiblePassword(_ option: String) {
        guard !isLine else { return }
        messages.warning(
            """
            other users of this machine can read the password after \(option) while the command runs, and the shell \
            may keep it in its history
            """
        )
    }

    private func askedPassword() throws -> HeldSecret {
        let answer = try twice("password data for new item: ", "retype password for new item: ", "the password") {
            "pass the secret to `coffer set` on standard input instead"
        }
        return answer.secret
    }

    /// What the user types twice.
    ///
    /// - Parameters:
    ///   - question: The first question.
    ///   - again: The second one.
    ///   - name: The name of the secret, for messages.
    ///   - hint: The hint if the user cannot be asked.
    /// - Returns: The answer.
    /// - Throws: `CommandError` if the user cannot be asked, or the two entries do not match.
    func twice(
        _ question: String,
        _ again: String,
        _ name: String,
        _ hint: () -> String
    ) throws -> Passphrase {
        let limit = Passphrase.byteCountLimit
        do {
            let answer = try prompter.twice(question, again: again, byteCountLimit: limit, for: name)
            guard let answer else { throw CommandError(.failure, "\(name) was not entered; nothing was changed") }
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
    /// Parses hexadecimal digits.
    convenience init(hexadecimal digits: String) throws {
        let digits = digits.utf8Span.span
        guard digits.count % 2 == 0 else {
            throw CommandError.usage("-X needs two hexadecimal digits for each byte, but there are \(digits.count)")
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
        // The message does not say which character is invalid: it is part of a secret.
        guard isValid else { throw CommandError.usage("-X takes only hexadecimal digits: 0 to 9 and a to f") }
        self.init(buffer: buffer)
    }
}
