internal import Coffer
internal import CofferBasics
internal import CommandSystem
internal import VaultFiles

extension CommandRun {
    /// Reads the secret to store: typed twice if standard input is a terminal, else from standard input.
    ///
    /// - Parameters:
    ///   - what: The item, for the question.
    ///   - isExact: Whether a newline at the end belongs to the secret.
    ///   - allowsEmpty: Whether the secret may be empty.
    /// - Returns: The secret.
    /// - Throws: `CommandError` if there is no secret, or it is too large.
    func secretToStore(for what: String, isExact: Bool, allowsEmpty: Bool) throws -> HeldSecret {
        let secret: HeldSecret
        if context.input.isTerminal {
            guard let typed = try prompter.twice("Secret for \(what): ", byteCountLimit: 4096, for: "the secret") else {
                throw CommandError(.failure, "no secret was entered; nothing was changed")
            }
            secret = typed.secret
        } else {
            secret = try readSecret(isExact: isExact)
        }
        guard secret.byteCount > 0 || allowsEmpty else {
            throw CommandError(
                .usage,
                "the secret on standard input is empty",
                hints: ["use --allow-empty to store an empty secret"]
            )
        }
        return secret
    }

    /// The content of a file, as a secret.
    func secret(inFile path: String) throws -> HeldSecret {
        let limit = Keychain.secretByteCountLimit
        let content: HeldSecret?
        do throws(FileError) {
            content = try SequentialInput.secret(of: path, byteCountLimit: limit)
        } catch {
            throw CommandError(.inputOutput, "\(error)")
        }
        guard let content else {
            throw CommandError(.tooLarge, "\(path.printable) has more than \(limit.grouped) bytes")
        }
        return content
    }

    /// The secret on standard input, without one newline at its end unless `isExact`.
    private func readSecret(isExact: Bool) throws -> HeldSecret {
        let limit = Keychain.secretByteCountLimit
        // One byte more may be the newline.
        guard let input = try standardInput(byteCountLimit: limit + 1) else {
            throw CommandError(.tooLarge, "secret too large: standard input has more than \(limit.grouped) bytes")
        }
        return try input.withSpan { bytes in
            let endsLine = bytes.indices.last.map { bytes[$0] == UInt8(ascii: "\n") } ?? false
            let byteCount = bytes.count - (endsLine && !isExact ? 1 : 0)
            guard byteCount <= limit else {
                throw CommandError(.tooLarge, "secret too large: \(byteCount.grouped) bytes (limit \(limit.grouped))")
            }
            return HeldSecret(copying: bytes.extracting(..<byteCount))
        }
    }

    /// All of standard input, in memory that is wiped; nil if it has more than `byteCountLimit` bytes.
    func standardInput(byteCountLimit: Int) throws -> HeldSecret? {
        // Most inputs are small.
        let secret = SecretBuilder(capacity: 4096)
        do throws(FileError) {
            let isWhole = try secret.append(atMost: byteCountLimit) { bytes throws(FileError) in
                try context.input.read(into: &bytes)
            }
            return isWhole ? secret.held : nil
        } catch {
            throw CommandError(.inputOutput, "\(error)")
        }
    }
}
