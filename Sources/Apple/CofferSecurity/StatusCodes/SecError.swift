internal import Foundation

extension CFError {
    /// Creates the error that Apple's functions report for `status`.
    static func status(_ status: OSStatus, _ reason: String) -> CFError {
        CFError(
            domain: NSOSStatusErrorDomain,
            code: Int(status),
            userInfo: [NSLocalizedDescriptionKey: "\(reason) (OSStatus \(status))"]
        )
    }

    /// Creates the error of functions that need cryptography with keys, or the contents of a certificate.
    static func unimplemented(_ operation: String) -> CFError {
        .status(errSecUnimplemented, "\(operation) is not supported by this version of Coffer")
    }
}

extension UnsafeMutablePointer<Unmanaged<CFError>?>? {
    /// Passes ownership of `error` to the caller, if the caller asked for errors.
    func report(over error: CFError) {
        self?.pointee = .passRetained(error)
    }
}
