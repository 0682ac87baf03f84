internal import CofferBasics
internal import Glibc

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
