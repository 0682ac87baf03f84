internal import Glibc

/// Why the kernel's keyring cannot be used: no error of a vault, which opens without it.
package enum KeyringFailure: Error, Equatable, Sendable {
    /// The kernel has no keyring.
    case notSupported
    /// A rule of the system forbids it, as containers do.
    case denied
    /// The user has as many keys, or bytes of them, as the system allows.
    case quotaExceeded
    /// It is more than the keyring holds under one description.
    case tooLarge(byteCount: Int)
    case outOfMemory
    /// Another error number of the system.
    case other(Int32)
}

extension KeyringFailure {
    /// What an error number of the system means.
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
    /// Whether there is no such key, or none any more.
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
            "the system forbids the kernel's keyring, as containers do; permit keyctl and add_key, or unlock each time"
        case .quotaExceeded:
            """
            the user has as many keys in the kernel's keyring as the system allows; remove some, or raise \
            kernel.keys.maxbytes and kernel.keys.maxkeys
            """
        case .tooLarge(let byteCount):
            """
            the keys take \(byteCount) bytes, more than the \(KernelKeyring.payloadByteCountLimit) that the kernel's \
            keyring holds; unlock the vault each time
            """
        case .outOfMemory: "there was not enough memory for the kernel's keyring; close other programs, and try again"
        case .other(let number): "error \(number) of the kernel's keyring"
        }
    }
}
