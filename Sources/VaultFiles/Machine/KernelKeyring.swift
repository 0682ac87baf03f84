/// The kernel's memory for keys that all processes of a user share: bytes under a description, each with its end.
///
/// Whoever runs as the same user can read them. Nothing of it is ever on a disk, and it is empty after a restart.
package struct KernelKeyring: Sendable {
    /// The most that the kernel keeps under one description.
    package static let payloadByteCountLimit = 32_767
    /// How often others may replace a key between its being found and being read.
    private static let greatestAttemptCount = 4
    /// What readers need, and no more: nobody may change what a key keeps, nor when it ends.
    private static let permissions: KeyPermissions = [
        .possessorViews, .possessorReads, .possessorSearches, .possessorLinks, .userViews, .userReads, .userSearches,
    ]

    private let calls: any KeyCalls

    /// The keyring that `calls` reach.
    package init(calls: some KeyCalls = LinuxKeyCalls()) {
        self.calls = calls
    }

    /// Keeps `payload` under `description` for `seconds`, instead of what was there.
    package func store(
        _ payload: Span<UInt8>,
        as description: String,
        seconds: UInt32
    ) throws(KeyringFailure) {
        precondition(seconds > 0, "a key with no end would stay until the machine is restarted")
        guard payload.count <= Self.payloadByteCountLimit else { throw .tooLarge(byteCount: payload.count) }
        do throws(KeyCallError) {
            // In this thread's keyring nobody finds the key, and if the process dies it goes too. A key that is written
            // anew where others see it would lose its end, so none ever is.
            let key = try calls.add(description, payload: payload, to: .thread)
            defer { try? calls.unlink(key, from: .thread) }
            try calls.setTimeout(of: key, seconds: seconds)
            try calls.setPermissions(of: key, to: Self.permissions)
            try calls.link(key, to: .user)
        } catch {
            throw KeyringFailure(error)
        }
    }

    /// Reads what is kept under `description`, and returns how much that is, or nil if there is nothing.
    package func read(
        _ description: String,
        into buffer: inout MutableSpan<UInt8>
    ) throws(KeyringFailure) -> Int? {
        for _ in 0..<Self.greatestAttemptCount {
            guard let key = try found(description) else { return nil }
            let byteCount: Int
            do throws(KeyCallError) {
                byteCount = try calls.read(key, into: &buffer)
            } catch {
                guard error.meansAbsent else { throw KeyringFailure(error) }
                continue
            }
            guard byteCount <= buffer.count else { throw .tooLarge(byteCount: byteCount) }
            return byteCount
        }
        return nil
    }

    /// Lets go what is kept under `description`, and tells whether there was something.
    package func remove(_ description: String) throws(KeyringFailure) -> Bool {
        guard let key = try found(description) else { return false }
        do throws(KeyCallError) {
            try calls.invalidate(key)
            return true
        } catch {
            guard error.meansAbsent else { throw KeyringFailure(error) }
            return false
        }
    }

    private func found(_ description: String) throws(KeyringFailure) -> KeySerial? {
        do throws(KeyCallError) {
            return try calls.search(.user, for: description)
        } catch {
            guard error.meansAbsent else { throw KeyringFailure(error) }
            return nil
        }
    }
}
