internal import Coffer
internal import CommandSystem
internal import VaultCrypto
internal import VaultFiles
internal import VaultFormat

extension Run {
    /// The secret that is to be stored: from a person who types it twice, else from the standard input.
    ///
    /// - Parameters:
    ///   - what: What the secret is of.
    ///   - isExact: Whether a newline at the end belongs to it.
    ///   - allowsEmpty: Whether there may be nothing.
    /// - Returns: The secret.
    /// - Throws: That there is none, or that it is too large.
    func secretToStore(
        for what: String,
        isExact: Bool,
        allowsEmpty: Bool
    ) throws(CommandError) -> SecretBuffer {
        let limit = Limits.secretByteCount
        let secret: SecretBuffer
        if surroundings.input.isTerminal {
            guard let typed = try prompter.newSecret("Secret", for: what, byteCountLimit: 4096) else {
                throw CommandError(.failure, "nobody gave a secret; nothing was changed")
            }
            secret = typed.withBytes { SecretBuffer($0) }
        } else {
            secret = try readSecret(byteCountLimit: limit, isExact: isExact)
        }
        guard secret.byteCount > 0 || allowsEmpty else {
            throw CommandError(
                .usage,
                "the standard input gives no secret",
                hints: ["write it there, or say --allow-empty to store an empty one"]
            )
        }
        return secret
    }

    /// All of the standard input, without one newline at its end unless that is exact.
    private func readSecret(byteCountLimit: Int, isExact: Bool) throws(CommandError) -> SecretBuffer {
        // It grows: most secrets are small.
        var buffer = SecretBuffer(byteCount: 4096)
        var byteCount = 0
        while true {
            let readCount: Int
            do throws(FileError) {
                readCount = try buffer.withMutableSpan { bytes throws(FileError) in
                    var rest = bytes._mutatingExtracting(byteCount...)
                    return try surroundings.input.read(into: &rest)
                }
            } catch {
                throw CommandError(.inputOutput, "\(error)")
            }
            byteCount += readCount
            guard byteCount == buffer.byteCount else { break }
            // One byte more than the limit and a newline tells that there is too much.
            guard byteCount <= byteCountLimit + 1 else {
                throw CommandError(
                    .tooLarge,
                    "a secret may have \(byteCountLimit) bytes, and the standard input has more"
                )
            }
            var larger = SecretBuffer(byteCount: min(byteCount * 4, byteCountLimit + 2))
            buffer.withSpan { old in
                larger.withMutableSpan { new in for index in old.indices { new[index] = old[index] } }
            }
            buffer = larger
        }
        return try buffer.withSpan { bytes throws(CommandError) in
            if !isExact, byteCount > 0, bytes[byteCount - 1] == UInt8(ascii: "\n") { byteCount -= 1 }
            guard byteCount <= byteCountLimit else {
                throw CommandError(
                    .tooLarge,
                    "a secret may have \(byteCountLimit) bytes, and this one has \(byteCount)"
                )
            }
            return SecretBuffer(bytes.extracting(..<byteCount))
        }
    }
}
