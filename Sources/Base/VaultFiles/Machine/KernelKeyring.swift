internal import CofferBasics
internal import Glibc

/// The kernel keyring that all processes of a user share: bytes under a description, each with a timeout.
///
/// Every process of the same user can read them. They are never on disk, and are gone after a restart.
package struct KernelKeyring: Sendable {
    /// The most bytes that the kernel keeps under one description.
    package static let payloadByteCountLimit = 32_767
    /// How often others may replace a key between the search and the read.
    private static let maximumAttemptCount = 4
    /// What readers need, and nothing more: nobody may change a key's content or timeout.
    private static let permissions: KeyPermissions = [
        .possessorViews, .possessorReads, .possessorSearches, .possessorLinks, .userViews, .userReads, .userSearches,
    ]

    private let calls: any KeyCalls

    /// Creates a keyring that uses `calls`.
    package init(calls: some KeyCalls = LinuxKeyCalls()) {
        self.calls = calls
    }

    /// Stores `payload` under `description` for `seconds`, replacing any previous value.
    package func store(
        _ payload: Span<UInt8>,
        as description: String,
        seconds: UInt32
    ) throws(KeyringFailure) {
        precondition(seconds > 0, "a key without a timeout would stay until the machine restarts")
        try Self.checkUser()
        guard payload.count <= Self.payloadByteCountLimit else { throw .tooLarge(byteCount: payload.count) }
        do throws(KeyCallError) {
            // In this thread's keyring nobody can find the key, and it goes if the process dies. Rewriting a key where
            // others see it would drop its timeout, so each one is new.
            let key = try calls.add(description, payload: payload, to: .thread)
            defer { try? calls.unlink(key, from: .thread) }
            try calls.setTimeout(of: key, seconds: seconds)
            try calls.setPermissions(of: key, to: Self.permissions)
            try calls.link(key, to: .user)
        } catch {
            throw KeyringFailure(error)
        }
    }

    /// Reads the value under `description` and returns its byte count, or nil if none exists.
    package func read(
        _ description: String,
        into buffer: inout MutableSpan<UInt8>
    ) throws(KeyringFailure) -> Int? {
        for _ in 0..<Self.maximumAttemptCount {
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

    /// Removes the value under `description`, and returns whether there was one.
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

    /// Throws if the user's keyring is that of somebody else, who could read what is stored there.
    private static func checkUser() throws(KeyringFailure) {
        guard !CurrentProcess.actsForOther else { throw .denied }
    }

    private func found(_ description: String) throws(KeyringFailure) -> KeySerial? {
        try Self.checkUser()
        do throws(KeyCallError) {
            return try calls.search(.user, for: description)
        } catch {
            guard error.meansAbsent else { throw KeyringFailure(error) }
            return nil
        }
    }
}

/// Why the kernel keyring cannot be used; not an error of the vault, which opens without it.
package enum KeyringFailure: Error, Equatable, Sendable {
    /// The kernel has no keyring.
    case notSupported
    /// The system denies access, as containers often do.
    case denied
    /// The user has as many keys, or bytes in keys, as the system allows.
    case quotaExceeded
    /// The value is larger than the keyring allows under one description.
    case tooLarge(byteCount: Int)
    case outOfMemory
    /// Another error number of the system.
    case other(Int32)
}

extension KeyringFailure {
    /// The failure for an error number of the system.
    package init(_ error: KeyCallError) {
        self =
            switch error.number {
            case ENOSYS, EOPNOTSUPP: .notSupported
            case EPERM, EACCES: .denied
            case EDQUOT: .quotaExceeded
            case ENOMEM: .outOfMemory
            default: .other(error.number)
            }
    }
}

extension KeyCallError {
    /// Whether the key does not exist, or no longer does.
    package var meansAbsent: Bool {
        switch number {
        case ENOKEY, EKEYEXPIRED, EKEYREVOKED: true
        default: false
        }
    }
}

extension KeyringFailure: CustomStringConvertible {
    /// Why, and what may help.
    package var description: String {
        switch self {
        case .notSupported: "the kernel has no keyring; unlock the vault each time"
        case .denied:
            "permission denied for the kernel keyring, as in containers; permit keyctl and add_key, or unlock each time"
        case .quotaExceeded:
            """
            the user's quota for the kernel keyring is exceeded; remove some keys, or raise \
            kernel.keys.maxbytes and kernel.keys.maxkeys
            """
        case .tooLarge(let byteCount):
            """
            the keys are too large for the kernel keyring: \(byteCount.grouped) bytes, more than the \
            \(KernelKeyring.payloadByteCountLimit.grouped) allowed; unlock the vault each time
            """
        case .outOfMemory: "not enough memory for the kernel keyring; close other programs and try again"
        case .other(let number): "kernel keyring error \(number)"
        }
    }
}
