internal import Coffer
internal import CofferBasics
internal import CofferCertificates
public import Foundation

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

/// Success: the older name of `errSecSuccess`.
public let noErr: OSStatus = 0

/// The user canceled: the older name of `errSecUserCanceled`.
public let userCanceledErr = -128

/// Returns the message for a status code.
///
/// - Parameters:
///   - status: The result of a call.
///   - reserved: Unused; pass nil.
/// - Returns: The message in English; for an unknown code, the code itself as text. Never nil.
public func SecCopyErrorMessageString(_ status: OSStatus, _ reserved: UnsafeMutableRawPointer?) -> CFString? {
    (StatusMessage.text(for: status) ?? "OSStatus \(status)") as CFString
}

extension OSStatus {
    /// The status code that Apple's systems use for an error with a key.
    init(_ error: KeyError) {
        self =
            switch error {
            case .invalidKey, .invalidSize, .unsupportedAlgorithm, .invalidInput: errSecParam
            case .noAgreement: errSecDecode
            case .library: errSecUnimplemented
            case .memory: errSecAllocate
            }
    }
}

extension UnsafeMutablePointer<Unmanaged<CFError>?>? {
    /// Returns the result of `body`; nil, with an error that names the operation, if it throws, or if the private key
    /// that it uses may not be used.
    func reporting<Result>(
        _ operation: String,
        using privateKey: SecKey? = nil,
        _ body: () throws -> Result
    ) -> Result? {
        if let refusal = privateKey?.refusal() {
            report(over: .status(OSStatus(refusal), "\(operation) failed: \(refusal)"))
            return nil
        }
        do throws(KeyError) {
            return try KeyError.converting(body)
        } catch {
            report(over: .status(OSStatus(error), "\(operation) failed: \(error)"))
            return nil
        }
    }
}

extension OSStatus {
    /// Creates the status code that Apple's keychain uses for an error.
    init(_ error: KeychainError) { self = error.appleStatus }
}
