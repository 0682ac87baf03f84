internal import CofferBasics
package import VaultCrypto

/// Why a key cannot be made or used.
package enum KeyError: Error, Equatable, Sendable {
    /// The bytes are no key of this type.
    case invalidKey
    /// The size is not one that a key of this type can have.
    case invalidSize
    /// The key cannot be used for this algorithm.
    case unsupportedAlgorithm
    /// The input has a length that the algorithm does not take, is not what it expects, or was changed.
    case invalidInput
    /// The two keys do not fit together.
    case noAgreement
    /// OpenSSL's library is needed, and cannot be used.
    case library(LibcryptoError)
    /// The key cannot be kept in guarded memory.
    case memory(CipherError)
}

extension KeyError: LayerError {
    package init(_ error: any Error) {
        self =
            switch error {
            case let error as KeyError: error
            case let error as LibcryptoError: .library(error)
            case let error as CipherError: .memory(error)
            default: .invalidInput
            }
    }
}

extension KeyError: CustomStringConvertible {
    /// What is wrong.
    package var description: String {
        switch self {
        case .invalidKey: "the bytes are no key of this type"
        case .invalidSize: "no key of this type has this size"
        case .unsupportedAlgorithm: "the key cannot be used for this algorithm"
        case .invalidInput: "the input does not fit the algorithm, or was changed"
        case .noAgreement: "the two keys do not fit together"
        case .library(let error): error.description
        case .memory(let error): error.description
        }
    }
}

/// Calls `body` with OpenSSL's library, and throws `reason` if that refuses something.
func withLibcrypto<Result: ~Copyable>(
    _ reason: KeyError,
    _ body: (Libcrypto) throws -> Result
) throws(KeyError) -> Result {
    do {
        let library = try Libcrypto.shared.get()
        return try library.withoutErrors { try body(library) }
    } catch LibcryptoError.failed {
        throw reason
    } catch {
        throw KeyError(error)
    }
}
