internal import Coffer
internal import CofferBasics
internal import CommandSystem
internal import VaultFiles

extension Run {
    /// The secret that is to be stored: from a person who types it twice, else from the standard input.
    ///
    /// - Parameters:
    ///   - what: What the secret is of.
    ///   - isExact: Whether a newline at the end belongs to it.
    ///   - allowsEmpty: Whether there may be nothing.
    /// - Returns: The secret.
    /// - Throws: That there is none, or that it is too large.
    func secretToStore(for what: String, isExact: Bool, allowsEmpty: Bool) throws -> HeldSecret {
        let secret: HeldSecret
        if surroundings.input.isTerminal {
            guard let typed = try prompter.twice("Secret for \(what): ", byteCountLimit: 4096, for: "the secret") else {
                throw CommandError(.failure, "nobody gave a secret; nothing was changed")
            }
            secret = typed.withBytes { HeldSecret(copying: $0) }
        } else {
            secret = try readSecret(isExact: isExact)
        }
        guard secret.bytes.byteCount > 0 || allowsEmpty else {
            throw CommandError(
                .usage,
                "the standard input gives no secret",
                hints: ["write it there, or say --allow-empty to store an empty one"]
            )
        }
        return secret
    }

    /// The secret on the standard input, without one newline at its end unless that is exact.
    private func readSecret(isExact: Bool) throws -> HeldSecret {
        let limit = Keychain.secretByteCountLimit
        // One byte more may be the newline.
        guard let input = try standardInput(byteCountLimit: limit + 1) else {
            throw CommandError(.tooLarge, "a secret may have \(limit) bytes, and the standard input has more")
        }
        return try input.bytes.withSpan { bytes in
            let endsLine = bytes.indices.last.map { bytes[$0] == UInt8(ascii: "\n") } ?? false
            let byteCount = bytes.count - (endsLine && !isExact ? 1 : 0)
            guard byteCount <= limit else {
                throw CommandError(.tooLarge, "a secret may have \(limit) bytes, and this one has \(byteCount)")
            }
            return HeldSecret(copying: bytes.extracting(..<byteCount))
        }
    }

    /// All of the standard input, in memory that is wiped; nil if it has more bytes than that.
    func standardInput(byteCountLimit: Int) throws -> HeldSecret? {
        // It grows: most of what is read is small.
        var buffer = SecretBuffer(byteCount: min(4096, byteCountLimit + 1))
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
            guard byteCount <= byteCountLimit else { return nil }
            buffer.grow(to: min(byteCount * 4, byteCountLimit + 1))
        }
        return buffer.withSpan { HeldSecret(copying: $0.extracting(..<byteCount)) }
    }
}
