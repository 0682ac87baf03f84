internal import Coffer
internal import CofferBasics

extension HeldSecret {
    /// The bytes as text; not for secrets.
    var text: AttributeText { withSpan { $0.attributeText } }

    /// The string values of `keys` in the JSON object that this is: see `JSONReader`.
    func texts(of keys: [String], literals: [String] = []) throws -> [String: HeldSecret] {
        do throws(TextError) {
            return try withSpan { bytes throws(TextError) in
                try JSONReader.texts(of: keys, literals: literals, in: bytes)
            }
        } catch {
            throw CommandError(.failure, error.description)
        }
    }
}

extension CommandError {
    /// The error with its hints as one text, for programs that show only that.
    var answer: String {
        let hints = hints.isEmpty ? "" : "; \(hints.joined(separator: "; "))"
        return (message + hints).escapingInvisibleInLines
    }
}

extension Output {
    /// Writes a line of JSON with members that may be secrets; those that are nil are left out.
    ///
    /// - Parameters:
    ///   - start: What is before the members.
    ///   - members: The members.
    ///   - end: What is after them.
    ///   - what: What has these members, for messages.
    ///   - program: The program that reads them, for messages.
    /// - Throws: `CommandError` if a value is not UTF-8; then nothing is written.
    func write(
        _ start: String,
        members: [(name: String, value: HeldSecret?)],
        _ end: String,
        of what: String,
        for program: String
    ) throws {
        for (name, value) in members {
            guard value?.withSpan({ $0.isText }) ?? true else {
                throw CommandError(
                    .failure,
                    "the \(name) of \(what) is not UTF-8, so \(program) cannot use it",
                    hints: ["`coffer get` prints its bytes"]
                )
            }
        }
        let text = SecretBuilder()
        text.append(start.utf8)
        let json = JSONWriter(to: text, escapesInvisible: true)
        for case (let name, let value?) in members {
            json.key(name)
            json.string(value)
        }
        text.append((end + "\n").utf8)
        try text.withSpan(write)
    }
}

extension CommandRun {
    /// All of standard input, in memory that is wiped; throws if it is too large.
    func helperInput(byteCountLimit: Int) throws -> HeldSecret {
        guard let input = try standardInput(byteCountLimit: byteCountLimit) else {
            throw CommandError(.tooLarge, "standard input is too large (limit \(byteCountLimit.grouped) bytes)")
        }
        return input
    }

    /// The result of `body`; nil if no vault is named and the default one was never created.
    func withKeychainIfAny<Result>(
        for use: KeychainUse = .reading,
        _ body: (Keychain) throws -> Result
    ) throws -> Result? {
        do {
            return try vaults.withKeychain(for: use, body)
        } catch {
            let error = CommandError(error)
            guard error.code == .noVault, !vaults.isNamed, try vaults.loss() == nil else { throw error }
            return nil
        }
    }
}
