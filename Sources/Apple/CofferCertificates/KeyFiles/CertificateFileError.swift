internal import CofferBasics

/// Why a file of keys or certificates cannot be read or written.
package enum CertificateFileError: Error, Equatable, Sendable {
    /// The passphrase is wrong, or the content was changed.
    case wrongPassphrase
    /// The file has a passphrase.
    case passphraseNeeded
    /// The content is not what it must be.
    case malformed
    /// The file uses an algorithm that is not supported.
    case unsupported
    /// The file takes more rounds of key derivation than are done for a file.
    case tooManyRounds
    /// The format is not for this content, or not for so many certificates and keys.
    case formatCannotHold
    /// OpenSSL's library is needed, and cannot be used.
    case library(LibcryptoError)
}

extension CertificateFileError: LayerError {
    package init(_ error: any Error) {
        self =
            switch error {
            case let error as CertificateFileError: error
            case let error as LibcryptoError: .library(error)
            case KeyError.library(let error): .library(error)
            default: .malformed
            }
    }
}

extension CertificateFileError: CustomStringConvertible {
    /// What is wrong.
    package var description: String {
        switch self {
        case .wrongPassphrase: "the passphrase is wrong, or the file is damaged"
        case .passphraseNeeded: "the file has a passphrase"
        case .malformed: "the file contains no certificates or keys, or is damaged"
        case .unsupported: "the file uses an algorithm that is not supported"
        case .tooManyRounds: "deriving its keys takes more than 10,000,000 rounds; encrypt it with fewer"
        case .formatCannotHold: "the format cannot hold these certificates and keys"
        case .library(let error): error.description
        }
    }
}
