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
            secret = typed.withBytes { HeldSecret(copying: $0) }
        } else {
            secret = try readSecret(isExact: isExact)
        }
        guard secret.bytes.byteCount > 0 || allowsEmpty else {
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
        return try input.bytes.withSpan { bytes in
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
        // Most inputs are small, so the buffer starts small and grows.
        var buffer = SecretBuffer(byteCount: min(4096, byteCountLimit + 1))
        var byteCount = 0
        while true {
            let readCount: Int
            do throws(FileError) {
                readCount = try buffer.withMutableSpan { bytes throws(FileError) in
                    var rest = bytes._mutatingExtracting(byteCount...)
                    return try context.input.read(into: &rest)
                }
            } catch {
                throw CommandError(.inputOutput, "\(error)")
            }
            byteCount += readCount
            guard byteCount == buffer.byteCount else { break }
            guard byteCount <= byteCountLimit else { return nil }
            buffer.grow(to: min(byteCount * 4, byteCountLimit + 1))
        }
        return buffer.withSpan { HeldSecret(copying: $0.extracting(..<byteCount)) }
    }
}
