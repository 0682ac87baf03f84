internal import Foundation

extension CFError {
    /// The error that tells callers of Apple's functions about `status`.
    static func status(_ status: OSStatus, _ reason: String) -> CFError {
        CFError(
            domain: NSOSStatusErrorDomain,
            code: Int(status),
            userInfo: [NSLocalizedDescriptionKey: "\(reason) (OSStatus \(status))"]
        )
    }

    /// What functions answer that need cryptography with keys, or the content of a certificate.
    static func unimplemented(_ operation: String) -> CFError {
        .status(errSecUnimplemented, "\(operation) is not available in this version of Coffer")
    }
}

extension UnsafeMutablePointer<Unmanaged<CFError>?>? {
    /// Hands `error` to the caller, who owns it then; to nobody if the caller asked for none.
    func hand(over error: CFError) {
        self?.pointee = .passRetained(error)
    }
}
